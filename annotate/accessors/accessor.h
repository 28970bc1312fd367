/* The generated accessors: how rewritten code reaches a leaf. */
#ifndef DL_ANNOTATE_ACCESSOR_H
#define DL_ANNOTATE_ACCESSOR_H

#include "annotate/tree/ast.h"
#include "annotate/accessors/names.h"

enum dl__accessor_kind {
    DL__ADDRESS, /* of a scalar or vector leaf */
    DL__PACKED, /* the same, of one that may not be aligned: in a packed struct of its own */
    DL__ALIASED, /* of one that may be read as another type: in a union of its own */
    /* Of an element of a flat buffer: by row and an offset that may leave the row, the
     * same with the offset first, for indices that are int, long, and uint; and by the
     * element's index. */
    DL__NEAR,
    DL__NEAR_REVERSED,
    DL__NEAR_LONG,
    DL__NEAR_LONG_REVERSED,
    DL__NEAR_UINT,
    DL__NEAR_UINT_REVERSED,
    DL__ANY,
    /* Of an element of a flat buffer whose width comes with the call, by row and an offset
     * that may leave the row: parts of an int; of any index; of one that wraps at 2^32. */
    DL__ROW,
    DL__ROW_WIDE,
    DL__ROW_UINT,
    DL__GATHER, /* vload of scalars, and vstore */
    DL__SCATTER,
    DL__LOAD, /* of a struct, leaf by leaf */
    DL__STORE
};

/* A step from a struct into one of its members: a field, then the indices of its
 * arrays. */
struct dl__step {
    const struct dl__field *field; /* NULL: an array index */
    const struct dl__type *type;   /* behind the step */
};

/* A vload or vstore. */
struct dl__vector_form {
    const char *builtin;
    unsigned lanes;
    /* for one element: "vload_half"; NULL: it is read as it is */
    const char *lane_builtin;
    const char *view;  /* the elements' type as the program sees them */
    const char *value; /* the vector's type */
    /* of an element of a flat buffer; NULL: in a struct */
    const struct dl__accessor *any;
};

struct dl__accessor {
    enum dl__accessor_kind kind;
    unsigned space;                   /* of the buffer: DL__GLOBAL or DL__CONSTANT */
    const struct dl__struct *element; /* of the buffer */
    const struct dl__step *steps;
    size_t step_count;
    /* of what it reaches; a struct's own when step_count is 0 */
    const struct dl__type *type;
    const struct dl__vector_form *vector; /* of DL__GATHER and DL__SCATTER */
    const char *name;
    const char *view; /* of DL__PACKED and DL__ALIASED: the name of the wrapped type */
    bool emitted;
    struct dl__accessor *next; /* in order of first use */
};

struct dl__accessors {
    struct dl__arena *arena;
    struct dl__names names; /* of accessors and helpers' copies */
    struct dl__accessor *first, **tail;
};

/* The accessor of a place, made at first use. NULL when its type can't be written down or
 * has no leaves of its own. */
struct dl__accessor *dl__accessor_get(struct dl__accessors *all,
                                      enum dl__accessor_kind kind, unsigned space,
                                      const struct dl__struct *element,
                                      const struct dl__step *steps, size_t step_count,
                                      const struct dl__type *type);

struct dl__accessor *
dl__accessor_get_vector(struct dl__accessors *all, enum dl__accessor_kind kind,
                        unsigned space, const struct dl__struct *element,
                        const struct dl__step *steps, size_t step_count,
                        const struct dl__type *type, const struct dl__vector_form *form);

/* "__global", "__constant" */
const char *dl__space_name(unsigned space);
/* How a leaf is reached; the arguments follow, then `)`. */
const char *dl__accessor_at_macro(const struct dl__accessor *accessor);
const char *dl__accessor_at_macro_of(const char *space);
/* A type's name by keywords where it has one: programs like to define `uint` and its like. */
const char *dl__type_text(const char *name);
/* Walks the steps: the constant part of the offset, and `+ k0 * stride` for each index. */
uint32_t dl__accessor_steps(const struct dl__accessor *accessor, struct dl__buf *indices,
                            unsigned *index_count);
void dl__accessor_print_vector(struct dl__buf *out, const struct dl__accessor *accessor);
void dl__accessor_print_flat(struct dl__buf *out, const struct dl__accessor *accessor);

/* The definitions that all accessors and rewritten kernels rest on. */
void dl__accessor_print_prelude(struct dl__buf *out);
void dl__accessor_print(struct dl__buf *out, const struct dl__accessor *accessor);

/* The scalars and vectors of a struct as layout leaves, in declaration order; NULL with a
 * clause in *reason when it holds what has no leaves. */
struct dl_leaf *dl__struct_leaves(struct dl__arena *arena, const struct dl__struct *s,
                                  size_t *count, const char **reason);
/* True when the steps lead through a union. Programs may read such a leaf as another type than it
 * was written as, which compilers allow through unions only: DL_ALIASED is one. */
bool dl__steps_cross_union(const struct dl__struct *element, const struct dl__step *steps,
                           size_t count);
/* The row type of a flat buffer; of width 0 one element, where only a launch knows the
 * width. */
struct dl__struct *dl__flat_row(struct dl__arena *arena, const struct dl__type *element,
                                uint32_t width);
/* True when a leaf is not naturally aligned, so that none is under every tiling. */
bool dl__struct_is_packed(struct dl__arena *arena, const struct dl__struct *s);
/* "foo" for `struct foo`: fit to be part of a name. */
const char *dl__struct_tag(struct dl__arena *arena, const struct dl__struct *s);

#endif
