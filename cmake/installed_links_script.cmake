# SPDX-License-Identifier: MIT
# The install-time half of Documents.cmake: links of the pages in DL_DOC lead to where things are installed. DL_TO_INCLUDE,
# DL_TO_DATA and DL_TO_MAN lead from DL_DOC/docs to headers, DL's data and manual pages.
file(GLOB pages "${DL_DOC}/docs/*.md")
foreach(page "${DL_DOC}/README.md" ${pages})
    file(READ "${page}" text)
    if(page MATCHES "/docs/[^/]*$")
        string(REPLACE "](examples/" "](../examples/" text "${text}")
        string(REPLACE " docs/examples/" " examples/" text "${text}")
        string(REPLACE "](../samples/agents/" "](../examples/" text "${text}")
        string(REPLACE "](../include/" "](${DL_TO_INCLUDE}/" text "${text}")
        string(REPLACE "](reference/" "](${DL_TO_DATA}/" text "${text}")
        string(REGEX REPLACE "\\]\\(([a-z_.-]+)\\.([135])\\)" "](${DL_TO_MAN}/man\\2/\\1.\\2)" text "${text}")
    else()
        string(REPLACE "](LICENSE)" "](copyright)" text "${text}")
    endif()
    file(WRITE "${page}" "${text}")
endforeach()
