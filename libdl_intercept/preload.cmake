# SPDX-License-Identifier: MIT
# What dl-run names in LD_PRELOAD: preload/$LIB/libdl_intercept.so beside the library.
#
# A preload is for all that the program starts, and a dynamic linker that can't load it says so on standard
# error, or ends the child. The GNU C library's replaces $LIB by its own name for folders of libraries, so
# that one of 64 bits finds DL and one of 32 bits an empty library; musl's takes the path as it stands, does
# not find it, and says nothing.
set(preload_folder ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/preload)

# preload_link(NAME...): folders of 64 bits.
function(preload_link)
    foreach(name ${ARGN})
        # Up to the library's own folder.
        string(REGEX REPLACE "[^/]+" ".." up preload/${name})
        file(MAKE_DIRECTORY ${preload_folder}/${name})
        file(CREATE_LINK ${up}/libdl_intercept.so ${preload_folder}/${name}/libdl_intercept.so SYMBOLIC)
    endforeach()
endfunction()

# preload_empty(AS_FLAG LD_EMULATION NAME...): folders of another class, where assembler and linker know it.
function(preload_empty as_flag emulation)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/empty${as_flag}.o)
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/empty.s ".section .note.GNU-stack,\"\",@progbits\n")
    execute_process(COMMAND ${preload_as} ${as_flag} ${CMAKE_CURRENT_BINARY_DIR}/empty.s -o ${object}
                    RESULT_VARIABLE result ERROR_QUIET)
    foreach(name ${ARGN})
        if(result EQUAL 0)
            file(MAKE_DIRECTORY ${preload_folder}/${name})
            execute_process(COMMAND ${CMAKE_LINKER} -m ${emulation} -s -shared -soname libdl_intercept.so ${object}
                                    -o ${preload_folder}/${name}/libdl_intercept.so
                            RESULT_VARIABLE result)
        endif()
        if(NOT result EQUAL 0)
            message(STATUS "No empty library for ${name}: children of that kind say that DL can't be preloaded")
        endif()
    endforeach()
endfunction()

find_program(preload_as as)
# Where 64 bits are in lib64, lib is of 32 bits, but for distributions without the latter.
preload_link(lib64)
if(SKBUILD) # a wheel, which other distributions run, too
    preload_link(lib/${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)
elseif(CMAKE_LIBRARY_ARCHITECTURE)
    preload_link(lib/${CMAKE_LIBRARY_ARCHITECTURE})
endif()
if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64 AND preload_as AND CMAKE_LINKER)
    preload_empty(--32 elf_i386 lib32 lib/i386-linux-gnu)
    preload_empty(--x32 elf32_x86_64 libx32 lib/x86_64-linux-gnux32)
endif()
if(CMAKE_INSTALL_LIBDIR STREQUAL lib64 AND CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
    preload_empty(--32 elf_i386 lib)
else()
    preload_link(lib)
endif()
