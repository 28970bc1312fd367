/* SPDX-License-Identifier: MIT */
/* Notes on OpenCL C with `//DL:` comments, and on the transformer's output (annotate.h):
 * all that can be read without libclang. dl_annotate_scan reads the tables of a rewritten
 * text, so a shipped text and a freshly rewritten one take the same way.
 *
 * Knobs of the rewritten text, set by -D when it is built (dl_layout_knobs):
 *   DL_TILING     not defined: AoS, the kernel has the program's own arguments. Else the
 *                 name of a formula in layout/formula.h.
 *   DL_TILE       structs in a tile, for a formula that asks for them.
 *   DL_ARRAYS     defined: a tiling of one tile without a tail, in a buffer of whole
 *                 structs. A CPU's compiler vectorises what it sees then; what a kernel
 *                 reads or writes beside the buffer, which is undefined, is elsewhere.
 *   DL_COALESCED  defined, without DL_TILING: kernels whose tables say so access whole
 *                 structs where they lie, the work-items of a group together.
 *   DL_ONLY       defined, in a text that was rewritten for it (`apart`): of the kernels
 *                 only those are there for which DL_WITH_ and their name is defined, too.
 *                 What they call is always there, and so are others that can't be taken
 *                 out.
 *   DL_INDEX_64   defined: struct indices are ulong; else uint, for what
 *                 dl_annotate_needs_index_64 says no to.
 * With DL_TILING each annotated buffer adds two hidden trailing arguments, in buffer
 * order, both of the index type: head_structs and tail_structs of its tiling
 * (layout/layout.h).
 *
 * Threads: all functions are safe on distinct objects. */
#ifndef DL_ANNOTATE_NOTES_H
#define DL_ANNOTATE_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dl_status.h"
#include "layout/derive.h"
#include "layout/grid.h"
#include "layout/layout.h"

/* ---- remarks ---- */

enum dl_severity { DL_REMARK, DL_WARNING, DL_ERROR };

struct dl_remark {
    enum dl_severity severity;
    const char *file; /* NULL: no place */
    unsigned line;    /* 1-based; 0: no line */
    unsigned column;
    const char *text; /* one clause, no newline */
};

/* Called once a remark; the strings live for the call. */
typedef void (*dl_remark_fn)(void *user, const struct dl_remark *remark);

enum { DL_EXCERPT_BYTES = 512 };

/* The line that a remark is about and a caret under its column, as two lines that each
 * begin with a newline and `prefix`, of at most 16 bytes; "" where the line is not to be
 * had.
 *   text  of a remark on the program's source; NULL: other files alone, which are read
 *   out   of DL_EXCERPT_BYTES
 * returns `out` */
char *dl_remark_excerpt(const struct dl_remark *remark, const char *text,
                        const char *prefix, char *out);
/* Puts the column of a remark on an annotation under the word of the line that it quotes,
 * or else where the annotation begins. `text` as above, but of whatever file, whose text
 * need not be read then. */
void dl_remark_point(struct dl_remark *remark, const char *text);
/* Returns what to change where the remark says what is in the way; NULL: it says so
 * itself, or nothing is known. */
const char *dl_remark_hint(const struct dl_remark *remark);

/* ---- annotations beside the program ---- */

/* A file of `KERNEL: AoS: f[...]` lines with # comments. */
struct dl_side_file;

/* Reads a side file. Malformed lines are remarked and left out.
 *   errors  DL_EIO (remarked), DL_ENOMEM */
enum dl_status dl_side_file_load(const char *path, dl_remark_fn remark, void *user,
                                 struct dl_side_file **out);
/* The file's path, when it annotates the kernel; else NULL. `side` may be NULL. */
const char *dl_side_file_find(const struct dl_side_file *side, const char *kernel);
/* Its path and all that it says, as one text: equal for equal side files. "" for none.
 * The caller frees it with free(); NULL: out of memory. */
char *dl_side_file_text(const struct dl_side_file *side);
void dl_side_file_free(struct dl_side_file *side);

/* ---- what is known of a text ---- */

struct dl_header {
    const char *name; /* as in the #include */
    const char *text;
};

/* Milliseconds of the parts of a rewrite. */
struct dl_annotate_times {
    double load;    /* libclang, the first time */
    double expand;  /* macros and includes; asking libclang for its own macros */
    double parse;   /* libclang's */
    double rewrite; /* all the rest */
};

struct dl_annotate_options {
    const char *file_name;     /* for remarks; NULL: "<program source>" */
    const char *build_options; /* the program's own, as for clBuildProgram; NULL: none */
    const char *device_extensions; /* CL_DEVICE_EXTENSIONS; NULL: don't restrict */
    const char *const
        *device_macros; /* "-DNAME=VALUE" the device's compiler predefines; or NULL */
    size_t device_macro_count;
    /* Asks the device's compiler which of these conditions of #if hold, built with the
     * program's options; false: it can't be asked. NULL: what libclang defines decides.
     */
    bool (*ask_device)(void *user, const char *const *conditions, size_t count,
                       bool *holds);
    void *ask_user;
    const struct dl_header *headers; /* embedded headers of clCompileProgram */
    size_t header_count;
    const struct dl_side_file *side; /* NULL: none */
    /* Kernels without annotation are transformed, too, as far as their text allows: every
     * pointer to structs as if `f[]` stood above them. What does not go is left out
     * buffer by buffer, with a remark. */
    bool detect;
    /* Kernels that access whole structs together get a second text for that
     * (DL_COALESCED). */
    bool coalesced;
    bool apart;           /* kernels can be built without the others (DL_ONLY) */
    const char *libclang; /* path to load; NULL: search versions 19..14 */
    /* Of the thread's time, for each text that is read and for what is found of them; 0:
     * a second. */
    unsigned ms_max;
    bool explain; /* remark on each annotated buffer and each access rewritten */
    struct dl_annotate_times *times; /* added to, on any outcome; NULL: not wanted */
    /* With `detect`, told of each buffer that may lie in another way, whatever becomes of
     * it: 's' for structs, 'r' rows, 'a' arrays. NULL: not wanted. */
    void (*on_candidate)(void *user, const char *kernel, const char *buffer, char form);
    void *on_candidate_user;
    /* Told of every file that was looked for, as often as it was: what the result depends
     * on, beside the text and these options. `text` is NULL when there is none to be
     * read. NULL: not wanted. */
    void (*on_file)(void *user, const char *path, const char *text, size_t bytes);
    void *on_file_user;
    /* Told of the text with its includes and macros expanded, before it is parsed. NULL:
     * not wanted. */
    void (*on_expanded)(void *user, const char *text, size_t bytes);
    void *on_expanded_user;
};

/* True when the text may concern DL: it holds a `DL:` line comment, or the side file
 * names a kernel whose name occurs in it. Cheap, loads nothing; a program for which this
 * is false must see no trace of DL. */
bool dl_annotate_wanted(const char *text, size_t text_bytes,
                        const struct dl_side_file *side);

/* The same of the texts that it includes, too: embedded headers, and files found as the
 * build options say. Reads those files. With `detect` any text that may have kernels is
 * wanted. */
bool dl_annotate_wanted_with(const char *text, size_t text_bytes,
                             const struct dl_annotate_options *options);

/* False: the text reads no other file when it is built. */
bool dl_annotate_may_include(const char *text);

/* Looks for every file that the text may include, whatever its conditions are, and tells
 * on_file of each. Loads nothing.
 *   errors  DL_EREFUSED: there may be more, for a macro names one, or the text asks for
 *           files by other means; DL_ENOMEM */
enum dl_status dl_annotate_files(const char *text, size_t text_bytes,
                                 const struct dl_annotate_options *options);

/* True when the text, or one that it includes, has an annotation for discrete arrays:
 * kernels that can't run on the program's layout. */
bool dl_annotate_demands(const char *text, size_t text_bytes,
                         const struct dl_annotate_options *options);

/* ---- the tables of a rewritten text ---- */

/* A dimension: an integer expression over the launch and the kernel's scalar arguments.
 */
struct dl_dimension;

enum { DL_FLAT_WIDTH_MAX = 32768 }; /* elements in a row of a flat buffer */
enum { DL_GAPS_MAX = 64 };

/* How the struct's index in an access differs between work-items that run side by side:
 * neighbours in the first dimension. */
enum dl_access_form {
    DL_ACCESS_UNKNOWN,
    DL_ACCESS_LINEAR,  /* `step` more from one to the next */
    DL_ACCESS_UNIFORM, /* the same for all of them */
    DL_ACCESS_GATHER   /* read from memory, or made of what was */
};

/* One access of a kernel, or of a helper that it calls, to a buffer. */
struct dl_access_fact {
    enum dl_access_form form;
    int32_t step; /* of a linear one, in structs */
    /* Of the struct, that it may touch; all of them for f[i] = g[i]. UINT32_MAX bytes:
     * anywhere in a row whose width only a launch knows. */
    uint32_t offset, bytes;
    bool reads, writes, atomic;
    bool walks; /* it touches some of those, as an index or a loop inside a struct says */
    /* Loops around it of more than one round in which its address changes, or all if it
     * is atomic. */
    uint8_t loops;
    /* Of `counted` of those the text has the number of rounds: `rounds` in all, one loop
     * in another. */
    uint8_t counted;
    uint32_t rounds;
    uint32_t line;    /* of the first of the others; 0: there is none */
    bool conditional; /* in a branch that work-items may take or not */
};

/* A number that must be a multiple, or the kernel runs as written. */
struct dl_whole_note {
    uint32_t modulus;
    struct dl_dimension *number;
};

struct dl_buffer_note {
    char *name;
    unsigned arg_index; /* of the __global pointer */
    bool written;       /* false: the kernel only reads it */
    bool constant;      /* it is in constant memory */
    char *element_type; /* "foo", for logs */
    struct dl_leaf_table leaves;
    /* Of a flat buffer whose width only a launch knows: `leaves` has one element, and
     * this is the number of elements in a row (dl_flat_leaves_make). Else NULL. */
    struct dl_dimension *width;
    /* The layout that the program's own kernel reads. DL_LAYOUT_AOS: it is rewritten for
     * others. DL_LAYOUT_SOA: it can't run on anything else; it has no hidden arguments
     * for this buffer. */
    enum dl_layout_kind native;
    /* The program itself has discrete arrays, each as long as `structs` says;
     * DL_LAYOUT_AOS is that layout then (layout/layout.h). Of one leaf: as many arrays as
     * fill the buffer (dl_flat_leaves_make). The second hidden argument is how many there
     * are, and the first is 0 where the buffer is not in tiles. */
    bool arrays;
    struct dl_dimension *structs; /* NULL: as many as fit the buffer */
    /* Bytes by which pointers into the buffer are moved. */
    struct dl_whole_note *wholes;
    size_t whole_count;
    /* Of a grid of n dimensions, whose elements are the structs; extent_count 0: it is
     * none, and is rewritten for the layouts of structs. The first varies slowest. */
    struct dl_dimension *extents[DL_GRID_DIMS_MAX];
    uint32_t extent_count;
    struct dl_grid_names extent_names;
    char *strips; /* the layout that it was given by hand (grid.h), sound; NULL: none */
    /* All accesses agree on it, as long as it has a row for each dimension (derive.h). */
    struct dl_grid_access pattern;
    uint32_t pattern_rows;
    unsigned line; /* of the annotation */
    char *found;   /* what an annotation would say, "f[][20]"; NULL: it has one */
    char *members; /* of the structs of such, "mass 0+4*1 speed 4+4*3"; NULL: not known */
    /* Of structs that are written: their first DL_GAPS_MAX pieces of padding and fourth
     * places of vectors of three. Compilers may leave anything there. */
    struct dl_leaf *gaps;
    size_t gap_count;
    struct dl_access_fact *facts; /* every access; NULL: the text does not say */
    size_t fact_count;
};

struct dl_kernel_note {
    char *name;
    unsigned arg_count; /* the program's own arguments; the hidden ones follow */
    size_t buffer_count;
    struct dl_buffer_note *buffers;
    bool refused;  /* it wants discrete arrays that it can't be given: no buffers */
    bool stays;    /* its annotation takes its structs for discrete arrays: no buffers */
    bool detected; /* it has no annotation: DL found its buffers itself */
    bool *memory_args; /* of such, by argument: pointers to global or constant memory */
    bool *image_args;  /* by argument: images that it may write; NULL: none */
    bool *unused_args; /* by argument: memory that it does nothing with; NULL: none */
    bool coalesced;    /* it has a second text (DL_COALESCED) */
    /* Its buffers, by bits, of which that loads or stores structs together; the first 32
     * of them. */
    uint32_t coalesced_loads, coalesced_stores;
    /* Two compilations may differ in its results' last bits: it has sums of products that
     * a compiler may contract, or is not known to have none. */
    bool contractable;
    bool once; /* run again it does more than write the same: it prints, or starts kernels
                */
    /* It only prints: with DL_PRINTING its text does not, and has one more argument, an
     * int in global memory that is 1 behind a launch that would have. */
    bool tells;
    /* It uses what atomic functions return: which work-item gets which may differ from
     * run to run, and no difference in its results says that the text is wrong. */
    bool draws;
};

/* The transformed kernels of a text. */
struct dl_notes {
    bool apart; /* they can be built one by one (DL_ONLY) */
    size_t kernel_count;
    struct dl_kernel_note *kernels;
};

/* True when the text carries tables, that is when it is a rewriter's output. */
bool dl_annotate_is_rewritten(const char *text, size_t text_bytes);
/* Reads the tables.
 *   out     the caller frees it with dl_notes_free
 *   errors  DL_EPARSE: damaged tables (remarked); DL_ENOMEM */
enum dl_status dl_annotate_scan(const char *text, size_t text_bytes, dl_remark_fn remark,
                                void *user, struct dl_notes **out);
void dl_notes_free(struct dl_notes *notes);
/* For a text that can't be rewritten or scanned: every kernel in it that has an
 * annotation for discrete arrays, as refused. Reads no more than tokens: kernels that
 * macros or included texts make are not found.
 *   out     NULL when there is none; the caller frees it with dl_notes_free
 *   errors  DL_ENOMEM */
enum dl_status dl_annotate_refuse(const char *text, size_t text_bytes,
                                  const struct dl_side_file *side, struct dl_notes **out);
/* The leaves of a row of `width` elements, for a note that has a width.
 *   out     the caller frees it with dl_leaf_table_free
 *   errors  DL_EOVERFLOW: not from 1 to DL_FLAT_WIDTH_MAX; DL_ENOMEM */
enum dl_status dl_flat_leaves_make(const struct dl_buffer_note *note, int64_t width,
                                   struct dl_leaf_table *out);
/* True when 32 bits don't hold the byte of every struct of a buffer, or not the
 * difference of two indices with its sign. A table of equal leaves may be a flat
 * buffer's, whose elements are indexed one by one. */
bool dl_annotate_needs_index_64(const struct dl_leaf_table *leaves,
                                uint64_t buffer_bytes);
/* NULL when the kernel is not transformed. */
const struct dl_kernel_note *dl_notes_find(const struct dl_notes *notes,
                                           const char *kernel);

/* ---- dimensions at launch ---- */

/* One argument as the program set it; value NULL: not set, or __local. */
struct dl_arg_value {
    const void *value;
    size_t value_bytes;
};

struct dl_launch {
    unsigned work_dim;                       /* 1..3 */
    size_t global_size[3], global_offset[3]; /* unused dimensions: 1 and 0 */
    size_t local_size[3];                    /* 0: left to the driver */
    const struct dl_arg_value *args;
    unsigned arg_count;
};

/* The arguments that a dimension reads, by bits; the last bit is for all from there on.
 */
uint64_t dl_dimension_args(const struct dl_dimension *dimension);
/* Evaluates a dimension in 64-bit arithmetic.
 *   errors  DL_EINVAL: it needs an argument that is not set, or a local size left to the
 *           driver;
 *           DL_EOVERFLOW: overflow or division by zero. `*reason`, if not NULL, then
 *           points to a static clause that says which. */
enum dl_status dl_dimension_eval(const struct dl_dimension *dimension,
                                 const struct dl_launch *launch, int64_t *out,
                                 const char **reason);

#endif
