# SPDX-License-Identifier: MIT
# dl_embed_text(OUT_VAR SYMBOL FILE): turns a text file (an OpenCL kernel) into a C source that
# defines `const char SYMBOL[]`, NUL-terminated, and `const unsigned long SYMBOL_bytes` without
# the NUL. A line `#include "ROOM/FILE"` that names a file of the source tree (not `../`) gives way to that
# file's text. OUT_VAR gets the C file's path. Rebuilt when FILE changes, or what it includes.
function(dl_embed_text out_var symbol file)
    get_filename_component(path ${file} ABSOLUTE)
    set(out ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.c)
    set(script ${CMAKE_SOURCE_DIR}/cmake/embed_text_script.cmake)
    file(STRINGS ${path} lines REGEX "^#include \"[^.\"][^\"]*/[^\"]+\"")
    set(included)
    foreach(line ${lines})
        string(REGEX REPLACE "^#include \"([^\"]+)\".*" "${CMAKE_SOURCE_DIR}/\\1" name "${line}")
        list(APPEND included ${name})
    endforeach()
    if(included)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    endif()
    add_custom_command(
        OUTPUT ${out}
        COMMAND ${CMAKE_COMMAND} -DIN=${path} -DOUT=${out} -DSYMBOL=${symbol}
                -DROOT=${CMAKE_SOURCE_DIR} -P ${script}
        DEPENDS ${path} ${included} ${script}
        VERBATIM)
    set(${out_var} ${out} PARENT_SCOPE)
endfunction()
