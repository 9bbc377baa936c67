# SPDX-License-Identifier: MIT
# One static library per layer, each made of whole folders, so that a new file needs no line here.

# apmu_sources(VAR folder...): the C files of folders under src/.
function(apmu_sources var)
	set(found)
	foreach(folder ${ARGN})
		file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.c)
		list(APPEND found ${files})
	endforeach()
	set(${var} ${found} PARENT_SCOPE)
endfunction()

# apmu_library(name folder...): a static library, or an interface library while its folders are empty.
# The QEMU plugin's own files (plugin*.c) and the command's main() belong to no library.
function(apmu_library name)
	apmu_sources(sources ${ARGN})
	list(FILTER sources EXCLUDE REGEX "/(plugin[^/]*|main)\\.c$")
	if(sources)
		add_library(${name} STATIC ${sources})
		target_include_directories(${name}
			PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
			PRIVATE ${PROJECT_SOURCE_DIR}/src)
	else()
		add_library(${name} INTERFACE)
		target_include_directories(${name}
			INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
	endif()
endfunction()

# apmu_public(name library...): a library that is installed: apmu::NAME, and with APMU_SHARED apmu::NAME-shared, which exports
# only the public names. It needs only the libraries named.
function(apmu_public name)
	add_library(apmu::${name} ALIAS ${name})
	set_property(GLOBAL APPEND PROPERTY apmu_public ${name})
	if(ARGN)
		apmu_link(${name} ${ARGN})
	endif()
	if(NOT APMU_SHARED)
		return()
	endif()
	set(shared ${name}-shared)
	get_target_property(sources ${name} SOURCES)
	add_library(${shared} SHARED ${sources})
	add_library(apmu::${shared} ALIAS ${shared})
	set_property(GLOBAL APPEND PROPERTY apmu_public ${shared})
	foreach(property COMPILE_OPTIONS COMPILE_DEFINITIONS INTERFACE_COMPILE_DEFINITIONS INCLUDE_DIRECTORIES INTERFACE_INCLUDE_DIRECTORIES)
		get_target_property(value ${name} ${property})
		if(value)
			set_property(TARGET ${shared} PROPERTY ${property} ${value})
		endif()
	endforeach()
	foreach(library ${ARGN})
		target_link_libraries(${shared} PUBLIC ${library}-shared)
	endforeach()
	target_link_options(${shared} PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map -Wl,-z,defs)
	set_target_properties(${shared} PROPERTIES OUTPUT_NAME ${name} C_VISIBILITY_PRESET default
		VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endfunction()

# apmu_link(name library...)
function(apmu_link name)
	get_target_property(type ${name} TYPE)
	if(type STREQUAL INTERFACE_LIBRARY)
		target_link_libraries(${name} INTERFACE ${ARGN})
	else()
		target_link_libraries(${name} PUBLIC ${ARGN})
	endif()
endfunction()

# apmu_define(name DEFINITION...): definitions for the library's own files.
function(apmu_define name)
	get_target_property(type ${name} TYPE)
	if(NOT type STREQUAL INTERFACE_LIBRARY)
		target_compile_definitions(${name} PRIVATE ${ARGN})
	endif()
endfunction()

# apmu_freestanding(name): compiles as freestanding code, without a C library.
function(apmu_freestanding name)
	get_target_property(type ${name} TYPE)
	if(NOT type STREQUAL INTERFACE_LIBRARY)
		target_compile_options(${name} PRIVATE -ffreestanding)
	endif()
endfunction()

# The plugin that QEMU loads. Exports qemu_plugin_version and qemu_plugin_install, nothing else.
function(apmu_plugin)
	file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/qemu/plugin*.c)
	if(NOT sources OR APMU_FUZZ)
		return()
	endif()
	add_library(apmu-tcg MODULE ${sources})
	target_include_directories(apmu-tcg PRIVATE ${PROJECT_SOURCE_DIR}/src)
	target_link_libraries(apmu-tcg PRIVATE apmu-engine apmu-uarch apmu PkgConfig::capstone)
	target_link_options(apmu-tcg PRIVATE -Wl,--exclude-libs,ALL -Wl,--as-needed)
	set_target_properties(apmu-tcg PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endfunction()

# apmu_embed(INC FILE...): writes the concatenated bytes of files as numbers between commas, for an array in C.
function(apmu_embed inc)
	set(all "")
	foreach(file ${ARGN})
		set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
		file(READ ${file} bytes HEX)
		string(APPEND all ${bytes})
	endforeach()
	string(REGEX REPLACE "(................................)" "\\1\n" all "${all}")
	string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," all "${all}")
	file(CONFIGURE OUTPUT ${inc} CONTENT "${all}\n" @ONLY)
endfunction()

# The command, at build/apmu with the plugin beside it: main.c, and a library of all other files, which tests link too.
function(apmu_command)
	apmu_library(apmu-cli cli cli/common cli/annotate cli/bench cli/c2c cli/compare cli/decode cli/diff cli/export cli/list cli/record cli/report cli/run
		cli/stat cli/sweep cli/top-down)
	apmu_link(apmu-cli apmu-profile apmu-engine apmu-driver apmu-uarch apmu PkgConfig::jansson m)
	if(NOT EXISTS ${PROJECT_SOURCE_DIR}/src/cli/main.c)
		return()
	endif()
	apmu_define(apmu-cli APMU_VERSION="${PROJECT_VERSION}")
	set(page head.html style.css body.html data.js parts.js summary.js functions.js flame.js time.js code.js main.js tail.html)
	list(TRANSFORM page PREPEND ${PROJECT_SOURCE_DIR}/src/cli/export/page/)
	apmu_embed(${PROJECT_BINARY_DIR}/generated/cli/export/page.inc ${page})
	target_include_directories(apmu-cli PRIVATE ${PROJECT_BINARY_DIR}/generated)
	add_executable(apmu-command src/cli/main.c)
	target_include_directories(apmu-command PRIVATE ${PROJECT_SOURCE_DIR}/src)
	target_link_libraries(apmu-command PRIVATE apmu-cli)
	set_target_properties(apmu-command PROPERTIES OUTPUT_NAME apmu
		RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
	if(TARGET apmu-tcg)
		add_dependencies(apmu-command apmu-tcg)
	endif()
endfunction()

# The manual pages, made from the command's own help texts.
function(apmu_manual)
	if(NOT TARGET apmu-command)
		return()
	endif()
	set(stamp ${PROJECT_BINARY_DIR}/man/apmu.1)
	add_custom_command(OUTPUT ${stamp}
		COMMAND ${PROJECT_SOURCE_DIR}/tools/manpages $<TARGET_FILE:apmu-command> ${PROJECT_BINARY_DIR}/man
		DEPENDS apmu-command ${PROJECT_SOURCE_DIR}/tools/manpages VERBATIM)
	add_custom_target(manual ALL DEPENDS ${stamp})
endfunction()
