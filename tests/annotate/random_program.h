/* SPDX-License-Identifier: MIT */
/* Random annotated programs: struct shapes x access forms x index forms. */
#ifndef DL_TESTS_RANDOM_PROGRAM_H
#define DL_TESTS_RANDOM_PROGRAM_H

#include <stdint.h>

/* The programs of `count` seeds from `first` on, as one kernel with a `// run:` line:
 * compilers take most of their time for a kernel, whatever its size. The same for the
 * same seeds; what a seed gives does not hang on the others. Each work-item writes only
 * its own structs, so results do not depend on order. Numbers are multiplied by powers of
 * two alone where they are not whole, so results do not depend on whether a compiler
 * rounds a product before it adds to it. The caller frees it. */
char *random_program(uint32_t first, unsigned count);

#endif
