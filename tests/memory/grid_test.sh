#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Claim: random kernels on grids compute the same bytes under --layout grid as without DL, in random layouts
# of bits, whatever the host does to their buffers in between (grid_program.c), and most of them run so.
# DL_SEEDS=FIRST-LAST runs other seeds; DL_TEST_FULL two thousand.
set -u
. "$DL_SOURCE/tests/memory/random_programs.sh"
same_bytes grid_program grid "${DL_SEEDS:-$([ -n "${DL_TEST_FULL:-}" ] && echo 1-2000 || echo 1-4)}" 6000
