# SPDX-License-Identifier: MIT
# The package-time half of Packages.cmake: in the folders that are about to be packed, compresses manual
# pages and puts the changelog beside each copyright file, and what lintian is not to mind.
file(GLOB_RECURSE dl_files ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*)
foreach(file ${dl_files})
    if(file MATCHES "/share/man/.*\\.[0-9]$")
        execute_process(COMMAND gzip -9n ${file} COMMAND_ERROR_IS_FATAL ANY)
    elseif(file MATCHES "/share/doc/.*/copyright$")
        get_filename_component(folder ${file} DIRECTORY)
        file(COPY ${CPACK_DL_DEBIAN}/changelog DESTINATION ${folder})
        execute_process(COMMAND gzip -9n ${folder}/changelog COMMAND_ERROR_IS_FATAL ANY)
        get_filename_component(package ${folder} NAME)
        if(EXISTS ${CPACK_DL_DEBIAN}/${package}.lintian-overrides)
            get_filename_component(share ${folder}/../.. ABSOLUTE)
            file(MAKE_DIRECTORY ${share}/lintian/overrides)
            configure_file(${CPACK_DL_DEBIAN}/${package}.lintian-overrides
                           ${share}/lintian/overrides/${package} COPYONLY)
        endif()
    endif()
endforeach()
