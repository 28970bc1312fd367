/* Closed-world tracking of buffer pointers in a function, and the edits that put every
 * access through an accessor.
 *
 * Every mention of a tracked pointer must be consumed by a form on the list below; any
 * other refuses the kernel, with the place and the reason.
 *
 * A buffer parameter keeps its name and value. A pointer temporary becomes a variable of
 * type dl_index that holds the struct index, so no pointer difference is ever computed. A
 * parameter that is itself changed, and a helper's parameter, get an index beside them:
 * dl_at_NAME. */
#ifndef DL_ANNOTATE_TRACK_H
#define DL_ANNOTATE_TRACK_H

#include <setjmp.h>

#include "annotate/accessors/accessor.h"
#include "annotate/tree/ast.h"
#include "annotate/text/edit.h"

/* The width of a flat buffer's rows, where only a launch knows it. */
struct dl__width {
    const char *value;     /* a C expression of type long over the kernel's arguments */
    const char *dimension; /* the same in the tables' form */
    /* What the user wrote, as a product: expressions without the parentheses around
     * them, and a constant. */
    struct {
        const char **items;
        size_t count, room;
    } factors;
    int64_t constant;
};

/* A parameter whose accesses are rewritten. */
struct dl__root {
    size_t parameter;
    const char *name;
    const struct dl__struct *element;
    unsigned space; /* DL__GLOBAL or DL__CONSTANT */
    bool has_index; /* dl_at_NAME exists */
    bool written;
    /* Of a flat buffer whose width only a launch knows; else NULL. dl_w_NAME then holds
     * it, and an index is two: dl_row_NAME rows beside dl_at_NAME elements. */
    const struct dl__width *width;
    uint64_t width_parameters; /* of a helper: bits of the parameters that hold it, too */
};

struct dl__tracker;

/* One function, rewritten for some of its parameters: a kernel, or a helper's clone. */
struct dl__unit {
    struct dl__tracker *tracker;
    struct dl__function *function;
    const char *new_name; /* NULL: a kernel, which keeps its own */
    struct dl__root *roots;
    size_t root_count;
    struct dl__edits edits;
    struct {
        struct dl__unit **items;
        size_t count, room;
    } clones; /* that it calls */
    struct {
        struct dl__use {
            struct dl__accessor *accessor;
            const struct dl__root *root;
            size_t at;
        } * items;
        size_t count, room;
    } uses; /* of accessors */
    bool refused;
    size_t refused_at;
    const char *reason;
    bool busy; /* being tracked: a call to it is recursion */
    bool emitted;
    struct dl__unit *next;
    /* while tracking */
    jmp_buf refuse;
    struct dl__variable *variables;
    struct {
        struct dl__local {
            size_t declared_at;
            struct dl__node *declaration; /* NULL: this is a change of it */
        } * items;
        size_t count, room;
    } locals; /* variables, and changes of variables and parameters; made at first need */
    bool has_locals;
    unsigned nested; /* indices inside indices that are being split */
};

struct dl__tracker {
    struct dl__arena *arena;
    struct dl__ast *ast;
    const struct dl__expanded *expanded;
    struct dl__accessors accessors;
    struct dl__unit *clones; /* all, by first use */
    unsigned depth;          /* of helpers that call each other */
    size_t kernel_at;  /* of the kernel being tracked: copies will stand before it */
    bool lacks_static; /* OpenCL C 1.0 and 1.1 have no `static` */
};

/* Tracks a kernel's parameters; `roots` needs parameter, name and element. Look at
 * unit->refused afterwards. */
struct dl__unit *dl__track_kernel(struct dl__tracker *tracker,
                                  struct dl__function *kernel, struct dl__root *roots,
                                  size_t root_count);

#endif
