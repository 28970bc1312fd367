/* SPDX-License-Identifier: MIT */
/* The cases in tests/cases: NAME.cl with NAME.expected.cl (what it becomes) or
 * NAME.remarks (why it is refused), NAME.left (what is said of buffers and kernels that
 * are left out of a text that is rewritten), and NAME.side (annotations beside the
 * program).
 *
 * A case says in comments how it is to be built and run:
 *   // options: -DN=3            build options
 *   // detect: on                kernels without annotation are rewritten, too
 *   // optimised: WHY           never built without optimising
 *   // each turn: WHY           `make test` runs it, on all tilings
 *   // run: KERNEL ARG...        runs the kernel, one ARG for each argument:
 *        structs[+K][/OFFSET+WIDTH...]   the annotated buffer, of n (+ K) structs; bytes
 *        in
 *                      each that the language leaves open
 *        structs~B     the same with B bytes behind
 *        arrays:K      the annotated buffer, of K discrete arrays, where it is for the
 *                      launch to count them
 *        same:-K       the buffer of the argument K places before
 *        words:K       a plain buffer of n * K random words
 *        n             the size n as an int
 *        w long:w      the width of a flat buffer's rows, several in turn
 *        int:V uint:V ushort:V long:V float:V
 *        ints:V,V,...  a struct of ints by value; `n` and `w` may be among them
 *        local:B       B bytes of local memory
 *   // group: G                 work-groups of G items, as many as have n
 *   // ignore: OFFSET+WIDTH ...  padding in the structs that the language leaves open */
#ifndef DL_TESTS_CASE_FILE_H
#define DL_TESTS_CASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct case_file {
    char *name; /* without directory and ending */
    char *path;
    char *text;
    size_t bytes;
    char *options;  /* or NULL */
    char *run;      /* or NULL */
    char *ignore;   /* or NULL */
    unsigned group; /* items in a work-group; 0: 1 */
    bool detect;    /* kernels without annotation are rewritten, too */
    bool optimised; /* always */
    bool each_turn;
    char *bare; /* the text without annotations, to be rewritten in its place; or NULL */
    char *as;   /* what is run as the rewritten text, whatever that is; or NULL */
    bool refused; /* it has NAME.remarks */
};

/* All cases of the source tree by name; aborts when there are none. */
struct case_file *case_files_load(size_t *count);
void case_files_free(struct case_file *cases, size_t count);
/* The path of a file beside the case; the caller frees it. */
char *case_path(const struct case_file *c, const char *ending);

#endif
