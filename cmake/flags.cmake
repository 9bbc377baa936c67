# SPDX-License-Identifier: MIT
# Flags for all targets of this project.

add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -ffunction-sections -fdata-sections)
if(APPLE)
	add_link_options(-Wl,-dead_strip)
else()
	add_link_options(-Wl,--gc-sections -Wl,--as-needed)
endif()

if(APMU_WERROR)
	add_compile_options(-Werror)
endif()

if(APMU_SANITIZE STREQUAL "thread")
	add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
	add_link_options(-fsanitize=thread)
elseif(APMU_SANITIZE)
	add_compile_definitions("APMU_UARCH__INLINE=static inline") # src/uarch/line.h
	add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
	if(NOT APMU_FUZZ) # tests that run once: compiling takes longer than running
		add_compile_options(-O1)
	endif()
	add_link_options(-fsanitize=address,undefined)
endif()

if(APMU_COVERAGE)
	add_compile_options(--coverage)
	add_link_options(--coverage)
endif()

if(APMU_FUZZ)
	if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
		message(FATAL_ERROR "APMU_FUZZ needs clang: cmake --preset fuzz")
	endif()
	add_compile_options(-fsanitize=fuzzer-no-link)
endif()
