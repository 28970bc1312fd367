/* Random annotated programs: struct shapes x access forms x index forms. */
#ifndef DL_TESTS_RANDOM_PROGRAM_H
#define DL_TESTS_RANDOM_PROGRAM_H

#include <stdint.h>

/* A program with its `// run:` line, the same for the same seed. Each work-item writes
 * only its own structs, so results do not depend on order. The caller frees it. */
char *random_program(uint32_t seed);

#endif
