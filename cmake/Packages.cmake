# SPDX-License-Identifier: MIT
# Debian packages for those without debhelper: `make deb`, or cpack in a build folder. They are those of
# debian/control, which is the real thing and says what each is for.
include(GNUInstallDirs)
set(CPACK_GENERATOR DEB)
# As in debian/control: there is no address and no public home yet.
set(CPACK_PACKAGE_CONTACT "The DL authors <dl@example.org>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL run bench header transpose dev module)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# What debhelper does by itself: manual pages compressed, changelogs.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/debian_files_script.cmake)
set(CPACK_DL_DEBIAN ${CMAKE_SOURCE_DIR}/debian)

# dl_package(COMPONENT NAME SECTION): described as in debian/control.
file(READ ${CMAKE_SOURCE_DIR}/debian/control dl_control)
macro(dl_package component name section)
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
    set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
    string(REGEX MATCH "\nPackage: ${name}\n([^\n]+\n)+" stanza "${dl_control}")
    string(REGEX REPLACE ".*\nDescription: " "" text "${stanza}")
    string(REGEX REPLACE "\n \\." "\n" text "${text}")
    string(REPLACE "\n " "\n" text "${text}")
    string(STRIP "${text}" text)
    set(CPACK_COMPONENT_${upper}_DESCRIPTION "${text}")
    # debhelper puts it there by itself (debian/not-installed).
    install(FILES ${CMAKE_SOURCE_DIR}/debian/copyright
            DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component})
endmacro()
dl_package(run dl-run utils)
dl_package(bench dl-bench utils)
dl_package(header dl-dev libdevel)
dl_package(transpose libdl-transpose${DL_SOVERSION} libs)
dl_package(dev libdl-transpose-dev libdevel)
dl_package(module python3-dl-transpose python)
# cpack's own would have a warning for each library without a version, which are none to link to.
file(WRITE ${CMAKE_BINARY_DIR}/shlibs
     "libdl_transpose ${DL_SOVERSION} libdl-transpose${DL_SOVERSION} (>= ${PROJECT_VERSION})\n")
# The loader's cache has to know of it.
file(WRITE ${CMAKE_BINARY_DIR}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_TRANSPOSE_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/shlibs ${CMAKE_BINARY_DIR}/triggers)
set(CPACK_DEBIAN_RUN_PACKAGE_DEPENDS
    "libclang1-14 | libclang1-19 | libclang1-22 | libclang1-21 | libclang1-20 | libclang1-18 | \
libclang1-17 | libclang1-16 | libclang1-15")
set(CPACK_DEBIAN_RUN_PACKAGE_RECOMMENDS "ocl-icd-libopencl1 | libopencl1")
set(CPACK_DEBIAN_BENCH_PACKAGE_RECOMMENDS "dl-run (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_HEADER_PACKAGE_DEPENDS "opencl-c-headers | opencl-headers, ocl-icd-opencl-dev")
set(CPACK_DEBIAN_MODULE_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_MODULE_PACKAGE_DEPENDS "python3, libdl-transpose${DL_SOVERSION} (>= ${PROJECT_VERSION})")
# As dh_python3 has them.
foreach(script postinst:py3compile prerm:py3clean)
    string(REPLACE ":" ";" script ${script})
    list(GET script 1 tool)
    list(GET script 0 script)
    file(WRITE ${CMAKE_BINARY_DIR}/${script}
         "#!/bin/sh\nset -e\nif command -v ${tool} >/dev/null 2>&1; then ${tool} -p python3-dl-transpose; fi\n")
    list(APPEND CPACK_DEBIAN_MODULE_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/${script})
endforeach()
set(CPACK_DEBIAN_MODULE_PACKAGE_SUGGESTS "python3-pyopencl")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libdl-transpose${DL_SOVERSION} (= ${PROJECT_VERSION}), \
dl-dev (= ${PROJECT_VERSION}), ${CPACK_DEBIAN_HEADER_PACKAGE_DEPENDS}")
include(CPack)
