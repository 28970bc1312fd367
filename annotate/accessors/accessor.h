/* SPDX-License-Identifier: MIT */
/* The generated accessors: how rewritten code reaches a leaf. */
#ifndef DL_ANNOTATE_ACCESSOR_H
#define DL_ANNOTATE_ACCESSOR_H

#include "annotate/base/arena.h"
#include "annotate/tree/ast.h"

/* A step from a struct into one of its members: a field, then the indices of its
 * arrays. */
struct dl__step {
    const struct dl__field *field; /* NULL: an array index */
    const struct dl__type *type;   /* after the step */
};

/* The scalars and vectors of a struct, and its padding, as layout leaves, by rising
 * offset; those of a union's members that overlap are one leaf, unless they are the same.
 * NULL with a clause in *reason when it holds what has no leaves. */
struct dl_leaf *dl__struct_leaves(struct dl__arena *arena, const struct dl__struct *s,
                                  size_t *count, const char **reason);
/* Its padding and the fourth places of vectors of three, by rising offset, but for what
 * other members of a union may have. */
const struct dl_leaf *dl__struct_gaps(struct dl__arena *arena, const struct dl__struct *s,
                                      size_t *count);
/* True when it has bytes that are no member's. */
bool dl__struct_has_padding(const struct dl__struct *s);
/* True when it has those, or a fourth place of a vector of three. Compilers may lose them
 * where such a struct is given to a function or returned by value. */
bool dl__struct_has_open_bytes(const struct dl__struct *s);
/* Returns the alignment of the widest of its scalars and vectors. */
uint32_t dl__struct_align(const struct dl__struct *s);
/* The last leaf that does not begin behind a byte. */
struct dl_leaf dl__leaf_at(const struct dl_leaf *leaves, size_t count,
                           uint32_t offset_bytes);
/* True when the steps lead through a union. Programs may read such a leaf as another type
 * than it was written as, which compilers allow through unions only: DL_ALIASED is one.
 * If they begin at a part, `from`, that part may be anywhere in the struct. */
bool dl__steps_cross_union(const struct dl__struct *element, const struct dl__type *from,
                           const struct dl__step *steps, size_t count);
/* True when a union is somewhere in it. */
bool dl__struct_has_union(const struct dl__struct *s);
/* True when each of its scalars and vectors is a leaf by itself: no union's members share
 * one. */
bool dl__leaves_are_members(struct dl__arena *arena, const struct dl__struct *s);
/* True when a leaf is not naturally aligned, so that none is under every tiling. */
bool dl__struct_is_packed(struct dl__arena *arena, const struct dl__struct *s);
/* "foo" for `struct foo`: fit to be part of a name. */
const char *dl__struct_tag(struct dl__arena *arena, const struct dl__struct *s);

/* Accessors and helpers' copies: they share the file's scope. */
struct dl__names {
    const char **items;
    size_t count, room;
};

/* "dl_WANTED", or the like of it that nothing else in the generated text is called. */
const char *dl__name_make(struct dl__names *names, struct dl__arena *arena,
                          const char *wanted);

/* True when generated functions call an argument or variable so. */
bool dl__name_is_inner(const char *name);
/* True when it may be that of a variable beside one of the program's, or one with a
 * number. */
bool dl__name_has_prefix(const char *name);

/* ---- the definitions that all accessors and rewritten kernels rest on ---- */

void dl__prelude_add(struct dl__buf *out, bool has_grids);
/* Where it begins in a text, and the text behind it; NULL: nowhere. */
const char *dl__prelude_find(const char *text, const char **behind);
/* Texts that have all names of it, up to a NULL. */
const char *const *dl__prelude_texts(void);

struct dl__accessor;

/* One way to reach something: a function of the generated text. */
struct dl__accessor_kind {
    const char *ending;  /* of its name, after what it reaches */
    bool copies;         /* a struct, leaf by leaf; else it reaches a scalar or vector */
    const char *wrapper; /* the macro around the type that it gives; NULL: none */
    void (*print)(struct dl__buf *out, const struct dl__accessor *accessor);
    /* Of those that take any element of a flat buffer, by its index dl_e: their arguments
     * after the buffer, and what a call has before and after the index. */
    const char *formals, *before_index, *behind_index;
};

/* A vload or vstore, or a block of them that a work-group copies. */
struct dl__vector_form {
    const char *builtin;
    unsigned lanes;
    /* for one element: "vload_half"; NULL: it is read as it is */
    const char *lane_builtin;
    const char *view;  /* the elements' type as the program sees them */
    const char *value; /* the vector's type */
    /* of an element of a flat buffer; NULL: in a struct */
    const struct dl__accessor *any;
    /* In a struct: members of any type, at this number of bytes after the place; an
     * offset counts structs or, without by_struct, nothing. */
    bool across, by_struct;
    uint32_t start_bytes;
    bool value_last; /* what is stored comes after all other arguments */
    /* A block's: `lanes` units of `start_bytes` each, from a part on; with by_struct it
     * has a stride. */
    bool is_block;
    bool is_run; /* from a pointer into an array member on */
};

struct dl__accessor {
    const struct dl__accessor_kind *kind;
    unsigned space;                   /* of the buffer: DL__GLOBAL or DL__CONSTANT */
    const struct dl__struct *element; /* of the buffer */
    /* The steps begin at a part of a struct, whose place is an argument; NULL: at a
     * struct. */
    const struct dl__type *from;
    bool is_byte; /* from there on it may be a byte of any leaf */
    const struct dl__step *steps;
    size_t step_count;
    /* of what it reaches; a struct's own when step_count is 0 */
    const struct dl__type *type;
    const struct dl__vector_form *vector; /* of vectors and blocks */
    const char *name;
    const char *view; /* the name of the wrapped type, of kinds that wrap it */
    /* of its element, where its leaves are not its members: in a union; NULL: they are */
    struct dl_leaf *leaves;
    size_t leaf_count;
    bool emitted;
    struct dl__accessor *next; /* in order of first use */
};

struct dl__accessors {
    struct dl__arena *arena;
    struct dl__names names; /* of accessors and helpers' copies */
    struct dl__accessor *first, **tail;
};

/* True for a pointer, and for what holds one. */
static inline bool dl__type_has_pointer(const struct dl__type *type)
{
    if (type->kind == DL__T_ARRAY)
        return dl__type_has_pointer(type->element);
    for (size_t i = 0; type->kind == DL__T_STRUCT && i < type->identity->field_count; i++)
        if (dl__type_has_pointer(type->identity->fields[i].type))
            return true;
    return type->kind == DL__T_POINTER;
}

/* The accessor that is like this one, made at first use. NULL when its type can't be
 * written down, has no leaves of its own or holds a pointer.
 *   form  of vectors; NULL: none */
struct dl__accessor *dl__accessor_get(struct dl__accessors *all,
                                      struct dl__accessor wanted,
                                      const struct dl__vector_form *form);

/* "__global", "__constant" */
static inline const char *dl__space_name(unsigned space)
{
    return space == DL__CONSTANT    ? "__constant"
           : (space & DL__VOLATILE) ? "__global volatile"
                                    : "__global";
}

/* A type's name by keywords where it has one: programs like to define `uint` and its
 * like. */
const char *dl__type_text(const char *name);
/* Where something lies in a struct: a constant, and ` + dl_k0 * 4` for each index. An
 * index that stays in one leaf, as unions have it, is in `within`. */
struct dl__spot {
    uint32_t offset_bytes;
    const char *indices, *within;
    unsigned index_count;
};

static inline void dl__accessor_print(struct dl__buf *out,
                                      const struct dl__accessor *accessor)
{
    accessor->kind->print(out, accessor);
}

/* Types of 1, 2, 4, 8 and 16 bytes, by their size, that bytes are copied as. */
extern const char *const dl__units[];

/* Of one of these, in this order. */
struct dl__row_kinds {
    const struct dl__accessor_kind *plain, *wide, *wraps;
};

/* The ways to reach something, by what it is. */
extern const struct dl__accessor_kinds {
    /* A scalar or vector in a struct; one that may not be aligned, in a packed struct of
     * its own; one that may be read as another type, in a union of its own. */
    struct dl__accessor_kind address, packed, aliased;
    /* A struct, leaf by leaf. */
    struct dl__accessor_kind load, store;
    /* An element that is a row, by its index. */
    struct dl__accessor_kind any;
    /* An element of a flat buffer of rows, whose width the call gives: by row and an
     * offset that may leave the row, of any index; by row and an offset that lies in the
     * row, whose width is a constant. */
    struct dl__accessor_kind row_wide, row_inside;
    /* The same of discrete arrays, whose rows are the arrays; of elements narrower than 4
     * bytes, where the length is a constant. */
    struct dl__accessor_kind array, array_narrow;
    struct dl__row_kinds rows, arrays;
    /* vload of scalars, and vstore. */
    struct dl__accessor_kind gather, scatter;
    /* async_work_group_copy to local memory, and from it. */
    struct dl__accessor_kind block_in, block_out;
} dl__kinds;

#endif
