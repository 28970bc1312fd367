/* SPDX-License-Identifier: MIT */
/* Printing and counting findings. */
#include "finding.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>

/* Shared with the children that look at what may crash. */
static atomic_uint *wrong_count(void)
{
    static atomic_uint own, *shared;

    if (!shared) {
        void *page = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);

        shared = page == MAP_FAILED ? &own : page;
    }
    return shared;
}

void finding_print(enum finding finding, const char *about, const char *format, ...)
{
    static const char *const marks[] = {"good", "note", "WRONG"};
    va_list args;

    if (finding == FINDING_WRONG)
        atomic_fetch_add(wrong_count(), 1);
    printf("%-5s  %-11s ", marks[finding], about);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
}

unsigned finding_wrong_count(void)
{
    return atomic_load(wrong_count());
}
