# SPDX-License-Identifier: MIT
# The command, the engines, and the external libraries that they need.
find_package(PkgConfig REQUIRED)
pkg_check_modules(jansson REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(libelf REQUIRED IMPORTED_TARGET libelf)
pkg_check_modules(capstone REQUIRED IMPORTED_TARGET capstone)
pkg_check_modules(libdw REQUIRED IMPORTED_TARGET libdw)
pkg_check_modules(unicorn REQUIRED IMPORTED_TARGET unicorn)
find_library(fdt_library fdt REQUIRED)
find_library(iberty_library iberty REQUIRED)
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
