/* SPDX-License-Identifier: MIT */
/* Printing and counting findings. */
#include "finding.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>

#include "layout/words.h"

enum { TEXT_BYTES = 2560 };

/* Shared with the children that look at what may crash. */
struct wrong {
    atomic_uint count;
    char first[TEXT_BYTES];
};

static struct wrong *wrong(void)
{
    static struct wrong own, *shared;

    if (!shared) {
        void *page = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);

        shared = page == MAP_FAILED ? &own : page;
    }
    return shared;
}

static bool words_were_said;

bool finding_words_were_said(void)
{
    return words_were_said;
}

void finding_print(enum finding finding, const char *about, const char *format, ...)
{
    static const char *const marks[] = {"good", "note", "WRONG"};
    char text[TEXT_BYTES - 32];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (finding == FINDING_WRONG && atomic_fetch_add(&wrong()->count, 1) == 0)
        snprintf(wrong()->first, TEXT_BYTES, "%.24s: %s", about, text);
    words_were_said |= dl_words_are_in(text);
    printf("%-5s  %-11s %s\n", marks[finding], about, text);
    fflush(stdout);
}

unsigned finding_wrong_count(void)
{
    return atomic_load(&wrong()->count);
}

const char *finding_first_wrong(void)
{
    return wrong()->first;
}
