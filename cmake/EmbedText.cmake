# dl_embed_text(OUT_VAR SYMBOL FILE): turns a text file (an OpenCL kernel) into a C source that
# defines `const char SYMBOL[]`, NUL-terminated, and `const unsigned long SYMBOL_bytes` without
# the NUL. OUT_VAR gets the C file's path. Rebuilt when FILE changes.
function(dl_embed_text out_var symbol file)
    get_filename_component(path ${file} ABSOLUTE)
    set(out ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.c)
    add_custom_command(
        OUTPUT ${out}
        COMMAND ${CMAKE_COMMAND} -DIN=${path} -DOUT=${out} -DSYMBOL=${symbol}
                -P ${CMAKE_SOURCE_DIR}/cmake/embed_text_script.cmake
        DEPENDS ${path} ${CMAKE_SOURCE_DIR}/cmake/embed_text_script.cmake
        VERBATIM)
    set(${out_var} ${out} PARENT_SCOPE)
endfunction()
