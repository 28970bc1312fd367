# SPDX-License-Identifier: MIT
# The build-time half of EmbedText.cmake.
file(READ ${IN} text)
while(text MATCHES "#include \"([^.\"\n][^\"\n]*/[^\"\n]+)\"\n")
    set(line "${CMAKE_MATCH_0}")
    file(READ ${ROOT}/${CMAKE_MATCH_1} included)
    string(REPLACE "${line}" "${included}" text "${text}")
endwhile()
string(HEX "${text}" hex)
string(LENGTH "${hex}" hex_digits)
math(EXPR bytes "${hex_digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," body "${hex}")
string(REGEX REPLACE "(................................................................................)"
       "\\1\n" body "${body}")
get_filename_component(name ${IN} NAME)
file(WRITE ${OUT} "/* ${name}, as bytes */\nextern const char ${SYMBOL}[];\nextern const unsigned long ${SYMBOL}_bytes;\nconst char ${SYMBOL}[] = {\n${body}0x00};\nconst unsigned long ${SYMBOL}_bytes = ${bytes};\n")
