# SPDX-License-Identifier: MIT
# Install rules: the command, its plugin, manual and completions, the libraries with their headers, a CMake package
# (find_package(apmu): apmu::apmu, apmu::apmu-uarch, apmu::apmu-driver), apmu.pc, apmu-driver.pc and apmu-machine.pc.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/apmu)

install(DIRECTORY include/apmu DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
get_property(public GLOBAL PROPERTY apmu_public)
install(TARGETS ${public} EXPORT apmu-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
# The machine has only a pkg-config file: its library holds all engines, and a program links only what it calls.
if(TARGET apmu-engine)
	install(TARGETS apmu-engine ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(EXPORT apmu-targets NAMESPACE apmu:: DESTINATION ${package_dir})
if(TARGET apmu-command)
	install(TARGETS apmu-command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
	install(PROGRAMS src/cli/bench/valgrind DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/apmu)
	install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
	install(FILES completion/apmu.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME apmu)
	install(FILES completion/_apmu DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()
if(TARGET apmu-tcg)
	install(TARGETS apmu-tcg LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/apmu)
	# A QEMU made by tools/build-qemu, if it exists at install time.
	install(PROGRAMS ${PROJECT_BINARY_DIR}/qemu/qemu-arm ${PROJECT_BINARY_DIR}/qemu/qemu-aarch64
		DESTINATION ${CMAKE_INSTALL_LIBDIR}/apmu OPTIONAL)
	install(FILES ${PROJECT_BINARY_DIR}/qemu/about DESTINATION ${CMAKE_INSTALL_LIBDIR}/apmu RENAME qemu-about OPTIONAL)
endif()

configure_package_config_file(cmake/apmu-config.cmake.in apmu-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(apmu-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/apmu-config.cmake ${PROJECT_BINARY_DIR}/apmu-config-version.cmake
	DESTINATION ${package_dir})

# The prefix is computed from the path of apmu.pc, so that an installed tree can be moved. The other folders may be given as full paths.
file(RELATIVE_PATH pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH pc_libdir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH pc_includedir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
set(packages apmu apmu-driver)
if(TARGET apmu-engine)
	list(APPEND packages apmu-machine)
endif()
foreach(package ${packages})
	configure_file(cmake/${package}.pc.in ${package}.pc @ONLY)
	install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
