/* SPDX-License-Identifier: MIT */
/* Stands in for libdl_intercept.so where a test only looks at what dl-run does to the
 * environment. */
int dl_empty_preload(void);

int dl_empty_preload(void)
{
    return 0;
}
