# SPDX-License-Identifier: MIT
# The command, the engines, and the external libraries that they need.
# What is missing is named at once, as Debian's packages; tools/setup and packaging/debian/control list the same.
set(missing)
find_package(PkgConfig QUIET)
if(NOT PKG_CONFIG_FOUND)
	list(APPEND missing pkg-config)
endif()
foreach(library jansson libelf capstone libdw unicorn)
	pkg_check_modules(${library} IMPORTED_TARGET ${library})
	if(NOT ${library}_FOUND)
		string(REPLACE "lib" "" name ${library})
		list(APPEND missing lib${name}-dev)
	endif()
endforeach()
foreach(library fdt iberty)
	find_library(${library}_library ${library})
	if(NOT ${library}_library)
		list(APPEND missing lib${library}-dev)
	endif()
endforeach()
if(missing)
	list(JOIN missing " " missing)
	message(FATAL_ERROR "Packages are missing, by their names in Debian. As root:\n"
		"  apt-get install --no-install-recommends ${missing}\n"
		"-DAPMU_TOOLS=OFF builds the libraries alone, which need none of them.")
endif()
find_package(Threads REQUIRED)

# Symbols and source lines of a program's addresses; profiles and their evaluation. Internal.
apmu_library(apmu-symbol symbol)
apmu_link(apmu-symbol PkgConfig::libelf PkgConfig::libdw ${iberty_library})
apmu_library(apmu-profile profile)
apmu_link(apmu-profile apmu-symbol apmu PkgConfig::jansson PkgConfig::libelf)

# Engines: all that run programs. Internal, not installed.
apmu_library(apmu-engine isa qemu board linux-user machine)
apmu_link(apmu-engine apmu-profile apmu-symbol apmu-uarch apmu PkgConfig::libelf PkgConfig::capstone PkgConfig::unicorn
	${fdt_library} Threads::Threads)

# Path of the installed plugin relative to the installed command: "../lib/apmu".
file(RELATIVE_PATH plugin_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/apmu)
apmu_define(apmu-engine APMU_PLUGIN_FROM_BIN="${plugin_from_bin}")

apmu_plugin()
apmu_command()
if(NOT APMU_SANITIZE AND NOT CMAKE_CROSSCOMPILING) # the command says what it takes
	apmu_manual()
endif()
