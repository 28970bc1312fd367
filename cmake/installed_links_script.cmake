# SPDX-License-Identifier: MIT
# The install-time half of Documents.cmake: links of the pages in DL_DOC lead to where their targets are in it.
file(GLOB pages "${DL_DOC}/docs/*.md")
foreach(page "${DL_DOC}/README.md" ${pages})
    file(READ "${page}" text)
    if(page MATCHES "/docs/[^/]*$")
        string(REPLACE "](examples/" "](../examples/" text "${text}")
        string(REPLACE " docs/examples/" " examples/" text "${text}")
        string(REPLACE "](../samples/agents/" "](../examples/" text "${text}")
    else()
        string(REPLACE "](LICENSE)" "](copyright)" text "${text}")
    endif()
    file(WRITE "${page}" "${text}")
endforeach()
