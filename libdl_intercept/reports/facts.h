/* SPDX-License-Identifier: MIT */
/* Facts that DL saw of the program: for --report, which dl-run --doctor reads, for the
 * closing lines of --stats and --verify, for warnings of annotations that matched
 * nothing, and for --advise, which writes a file for --annotations with the grounds of
 * each line in comments.
 *
 * The report is a file to which each process appends, a line a fact, its fields separated
 * by tabs:
 *   process   PID NAME: DL was loaded
 *   opencl    PID: the process has made a context
 *   past      PID PATH: it has ended without a context, but with a loader in it, that
 *             library
 *   end       PID: the process has ended in order, and what follows is of it
 *   failed    CODE: the driver has refused to build a text of the program's
 *   log       LINE: the first of what its compiler said, one after the other
 *   device    NAME, and 1 of a CPU
 *   programs  how many came from source, binaries, IL, built-in kernels, and binaries
 *             whose source DL has kept
 *   kernel    NAME, the origin and what its text has as numbers, launches transformed and
 *             as written, "BUFFER:LAYOUT ..." of the last transformed one, why the last
 *             ran as written
 *   unmatched LINE KERNEL NEAREST: an annotation of the side file, and a kernel of like
 *   name or ""
 *   said      LEVEL TEXT: a message, shown or not
 *   policy    TEXT: a decision
 *   stats     TEXT: with --stats, a line of the table, without the names of buffers
 *   next      TEXT: what the user does next
 * Threads: safe. */
#ifndef DL_INTERCEPT_FACTS_H
#define DL_INTERCEPT_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "annotate/notes.h"

enum dl__origin {
    DL__FROM_SOURCE,
    DL__FROM_BINARY,
    DL__FROM_IL,
    DL__BUILT_IN,
    DL__FROM_KNOWN_BINARY, /* whose source is at hand */
    DL__ORIGINS
};

/* A kernel's text, by how much it has for DL; of kernels of one name, the most. */
enum dl__text_has {
    DL__NOT_READ,    /* the builder was at it */
    DL__UNREADABLE,  /* the text can't be read, as a message says */
    DL__NO_LIBCLANG, /* to read it with */
    DL__HAS_NOTHING,
    DL__NOT_FOLLOWED,   /* as dl__facts_why_left has it */
    DL__HAS_CANDIDATES, /* nobody has annotated it: DL has found buffers */
    DL__HAS_ANNOTATIONS,
    DL__OWN /* it is libdl_transpose's, and nobody's to annotate */
};

/* How a verified launch compares. */
enum dl__verified {
    DL__SAME,
    DL__DIFFERENT,
    DL__UNREPEATABLE, /* as written, it gives another result each time */
    DL__NOT_COMPARED,
    DL__VERIFIED_COUNT
};

enum { DL__ADVISED_MEMBERS_MAX = 64 };

/* One buffer of a launch: bytes of all its work-items. */
struct dl__advised_buffer {
    const char *annotation; /* "f[][20]"; of arrays "f[n][] to ASTA" */
    bool arrays;            /* discrete arrays of the program's own */
    uint32_t struct_bytes;
    unsigned commands; /* that have used it, other than launches */
    uint64_t bytes;
    double native, apart; /* fetched where the structs lie; with each member apart */
    size_t member_count;
    struct dl__advised_member {
        uint32_t offset, bytes; /* of the struct; UINT32_MAX bytes: anywhere in it */
        char name[64];          /* "" where it has none */
        double used, fetched;   /* where the structs lie */
        unsigned guessed;       /* loops around it whose rounds the text does not tell */
        unsigned line;          /* of the first of those */
    } members[DL__ADVISED_MEMBERS_MAX];
};

/* The program has made a context. */
void dl__facts_context(void);
/* It has made a program. */
void dl__facts_program(enum dl__origin origin);
/* It builds a text. */
void dl__facts_text(const char *text, size_t bytes);
/* The driver has refused to build one, with this code, and its log. */
void dl__facts_build_failed(int code, const char *log);
/* It has made a kernel, whose name may be NULL, or its text has been read since. */
void dl__facts_kernel(const char *name, enum dl__origin origin, enum dl__text_has has);
/* Something was said of a text. */
void dl__facts_remark(const struct dl_remark *remark);
/* Returns why DL converts no buffer of the kernel, by what was said of its text, as the
 * statistics say it; NULL: nothing was said. Lives as long as the process. */
const char *dl__facts_why_left(const char *kernel);
void dl__facts_verified(enum dl__verified how);
/* For --advise alone. */
/* A launch of the kernel of this name, with the speed that the layout which is fast on
 * the device is expected to have, as a multiple of its own. The same buffers at each of
 * its launches; `layout` lives as long as the process. */
void dl__advice_launch(const char *kernel, double speedup, const char *layout,
                       const struct dl__advised_buffer *buffers, size_t count);
/* A launch of a kernel that is annotated already. */
void dl__advice_annotated(const char *kernel);

/* The process ends: says what there is to be said, and writes the advice, the statistics
 * and the report, once. */
void dl__reports_end(void);
/* The same for a process that this signal ends. */
void dl__reports_end_by(int signal);

#endif
