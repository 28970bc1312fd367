# SPDX-License-Identifier: MIT
# The documents, installed in share/doc/dl-run where the tree is not at hand: pages lie to each other as in the tree, and
# installed_links_script.cmake rewrites links to what lies elsewhere. All programs to try are in examples/.
include(GNUInstallDirs)
set(dl_doc ${CMAKE_INSTALL_DATADIR}/doc/dl-run)
file(GLOB dl_pages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/*.md)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md DESTINATION ${dl_doc} COMPONENT run)
install(FILES ${dl_pages} DESTINATION ${dl_doc}/docs COMPONENT run)
install(DIRECTORY docs/notes docs/figures DESTINATION ${dl_doc}/docs COMPONENT run)
install(DIRECTORY docs/examples/ examples/ DESTINATION ${dl_doc}/examples COMPONENT run)
install(FILES samples/agents/agents.cl DESTINATION ${dl_doc}/examples COMPONENT run)
install(FILES packaging/README.md DESTINATION ${dl_doc}/packaging COMPONENT run)
install(FILES bench/README.md DESTINATION ${dl_doc}/bench COMPONENT run)
# Those that pages link to, of many.
foreach(result function_h200.csv main_job_h200.txt peers_h200.txt scale_2xh200.csv strangers_again_h200.csv strangers_h200.csv
               strangers_kernels_h200.csv strangers_third_h200.csv
               transpose_c2r_lines_h200.txt transpose_small_h200.txt)
    install(FILES bench/results/${result} DESTINATION ${dl_doc}/bench/results COMPONENT run)
endforeach()
# Copies of what else pages link to, since manual pages are compressed elsewhere and headers are of another package.
install(FILES docs/dl-annotations.5 docs/dl.h.3 docs/dl_transpose.3 docs/dl_matcopy.3 DESTINATION ${dl_doc}/docs
        COMPONENT run)
install(FILES docs/reference/stats.schema.json DESTINATION ${dl_doc}/docs/reference COMPONENT run)
install(FILES include/dl.h include/dl_transpose.h include/dl_matcopy.h include/dl_coalesced.clh
        DESTINATION ${dl_doc}/include COMPONENT run)
install(CODE "set(DL_DOC \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${dl_doc}\")" COMPONENT run)
install(SCRIPT cmake/installed_links_script.cmake COMPONENT run)
