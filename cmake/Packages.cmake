# SPDX-License-Identifier: MIT
# Debian packages for those without debhelper: `make deb`, or cpack in a build folder. They are those of
# debian/control, which is the real thing and says what each is for.
include(GNUInstallDirs)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The DL authors <dl@example.org>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL run bench transpose dev)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# dl_package(COMPONENT NAME SECTION SUMMARY)
macro(dl_package component name section summary)
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
    set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
    set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}")
    # debhelper puts it there by itself (debian/not-installed).
    install(FILES ${CMAKE_SOURCE_DIR}/debian/copyright
            DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component})
endmacro()
dl_package(run dl-run utils "data layouts for unmodified OpenCL programs")
dl_package(bench dl-bench utils "measures data layouts and conversions on OpenCL devices")
dl_package(transpose libdl-transpose${DL_SOVERSION} libs
           "transposition of matrices in place on OpenCL devices")
dl_package(dev libdl-transpose-dev libdevel
           "transposition of matrices in place on OpenCL devices (development)")
set(CPACK_DEBIAN_RUN_PACKAGE_DEPENDS "libclang-dev")
set(CPACK_DEBIAN_RUN_PACKAGE_RECOMMENDS "ocl-icd-libopencl1 | libopencl1")
set(CPACK_DEBIAN_BENCH_PACKAGE_RECOMMENDS "dl-run (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "libdl-transpose${DL_SOVERSION} (= ${PROJECT_VERSION}), opencl-c-headers | opencl-headers, ocl-icd-opencl-dev")
include(CPack)
