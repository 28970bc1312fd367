#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Claim: random kernels that load and store whole structs compute the same bytes under --layout
# coalesced as without DL, whatever the launch and its buffers (coalesced_program.c), and most of them
# run coalesced. DL_SEEDS=FIRST-LAST runs other seeds; DL_TEST_FULL a hundred.
set -u
. "$DL_SOURCE/tests/memory/random_programs.sh"
same_bytes coalesced_program coalesced "${DL_SEEDS:-$([ -n "${DL_TEST_FULL:-}" ] && echo 1-100 || echo 1-3)}" 600
