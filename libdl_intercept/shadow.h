/* The rewritten side of a program: its texts, the shadow programs built from them, one
 * for each layout at first need, and the shadow kernels launched in place of the
 * program's.
 *
 * All functions want the context's lock held, unless they say otherwise. */
#ifndef DL_INTERCEPT_SHADOW_H
#define DL_INTERCEPT_SHADOW_H

#include "objects.h"
#include "pack.h"

/* One translation unit: a source with the options and headers it was built with. Counted,
 * since a linked program shares the units of its inputs. */
struct dl__unit {
    atomic_uint refs;
    bool wanted; /* its text has annotations, or may have */
    pthread_mutex_t annotating;
    bool annotated; /* what follows is as it stays; set while annotating is held */
    char *source;   /* the program's own text, where `text` is another; else NULL */
    char *text;     /* rewritten, or the program's own where `notes` is NULL */
    char *options;
    size_t header_count;
    char **header_names;
    char **header_texts;
    struct dl_notes *notes;
    bool rewritten_here;   /* by DL, in this run or an earlier one: `files` is known */
    struct dl__pack files; /* that it includes (cache.h) */
};

/* The knobs of one build of a rewritten text (annotate/annotate.h). */
struct dl__shadow_knobs {
    struct dl_layout_knobs layout;
    bool index_64; /* DL_INDEX_64 */
};

struct dl__shadow {
    struct dl__shadow_knobs knobs;
    cl_device_id device;
    cl_program program; /* NULL: could not be built */
    char **left_out;    /* kernels that it could only be built without */
    size_t left_out_count;
    struct dl__shadow *next;
};

/* What one build or link of a program became. Counted: the program and its kernels hold
 * it. Its units are annotated later, when the driver has built the program. */
struct dl__rewrite {
    unsigned refs;
    pthread_mutex_t settling;
    bool settled; /* the units are annotated */
    bool linked;
    bool annotated; /* a kernel of it is transformed */
    cl_device_id *devices;
    cl_uint device_count;
    char *link_options;
    size_t unit_count;
    struct dl__unit **units;
    struct dl__shadow *shadows;
};

/* A unit of `program` as it is built now, its annotations not read yet. `headers` as for
 * clCompileProgram. NULL: not from source, or out of memory.
 * Threads: takes no lock. */
struct dl__unit *dl__unit_make(const struct dl__program *program, const char *options,
                               cl_uint header_count, const cl_program *headers,
                               const char *const *header_names);
/* Reads the annotations at the first call, remarking what can't be done. libclang crashes on some
 * texts that no compiler takes: only for what the driver has built.
 * Threads: safe; takes no context's lock, but asking the device does. */
void dl__unit_annotate(struct dl__unit *unit, struct dl__context *context,
                       cl_device_id device);
/* Asks the device all that dl__unit_annotate would ask it, where that may be in a callback of the
 * driver's, which must not build. Threads: as dl__unit_annotate. */
void dl__unit_ask(const struct dl__unit *unit, struct dl__context *context,
                  cl_device_id device);
/* The text of an annotated unit without these of its kernels; the caller frees it. NULL: there is
 * none. (L) */
char *dl__unit_text_without(const struct dl__unit *unit, struct dl__context *context,
                            cl_device_id device, const char *const *kernels,
                            size_t count);
void dl__unit_release(struct dl__unit *unit);
/* True when a text may concern DL (annotate.h), in the layout that is asked for. */
bool dl__text_is_wanted(const char *text, size_t bytes,
                        const struct dl_annotate_options *how);
/* CL_DEVICE_EXTENSIONS; NULL: not to be had. The caller frees it. */
char *dl__device_extensions(cl_device_id device);

/* Build options without -Werror (generated text may warn where the program's does not), and
 * `more`. NULL: out of memory; the caller frees it. */
char *dl__options_quiet(const char *options, const char *more);
/* A program of DL's own; NULL: it can't be made. */
cl_program dl__program_from_text(cl_context context, const char *text);

/* A rewrite of one built unit, or of linked ones; takes a reference on each unit. It is for the
 * first of the devices, whose compiler the units are read for, and those that have the same
 * extensions. NULL: out of memory. Threads: takes no lock. */
struct dl__rewrite *dl__rewrite_make(struct dl__unit *const *units, size_t count,
                                     bool linked, const char *link_options,
                                     const cl_device_id *devices, cl_uint device_count);
/* Annotates the units of the program's last build, which has succeeded, if that is not done yet. To
 * be called before its rewrite is used. Threads: takes locks, and the context's. */
void dl__program_settle(struct dl__program *program);
/* The first build of a text with these knobs; NULL: it does not build. (L) */
cl_program dl__unit_build(cl_context context, cl_device_id device,
                          const struct dl__unit *unit, const char *text,
                          struct dl__shadow_knobs knobs, bool linked);
/* shadow_salvage.c: for a unit whose text does not build. The text without the kernels that are to
 * blame, which are added to `shadow`; the caller frees it. NULL: there is none. (L) */
char *dl__unit_salvage(const struct dl__unit *unit, struct dl__context *context,
                       struct dl__shadow *shadow, bool linked);
void dl__rewrite_release(struct dl__rewrite *rewrite);
bool dl__rewrite_is_for(const struct dl__rewrite *rewrite, cl_device_id device);
/* The options that a unit's text is built with for these knobs. The caller frees it; NULL: out of
 * memory. */
char *dl__shadow_options(const struct dl__unit *unit, struct dl__shadow_knobs knobs);

/* shadow_cache.c: the key of a shadow program in the cache, to be freed in any case; false: it has
 * none. Its program, built from the binary that is kept; NULL: there is none that is of use. */
bool dl__shadow_key(const struct dl__rewrite *rewrite, cl_device_id device,
                    struct dl__shadow_knobs knobs, struct dl__pack *key);
cl_program dl__shadow_load(const struct dl__rewrite *rewrite, cl_context context,
                           cl_device_id device, struct dl__shadow_knobs knobs,
                           const struct dl__pack *key);
void dl__shadow_keep(const struct dl__rewrite *rewrite, cl_device_id device,
                     cl_program program, const struct dl__pack *key);

/* NULL when the kernel has no annotation. */
const struct dl_kernel_note *dl__rewrite_find(const struct dl__rewrite *rewrite,
                                              const char *kernel);

/* The shadow of `kernel` with these knobs, every argument of the program's set, built at
 * first need. NULL: it can't be built, `*reason` says why; the program's kernel must
 * run. */
struct dl__shadow_kernel *dl__shadow_kernel_get(struct dl__kernel *kernel,
                                                struct dl__queue *queue,
                                                struct dl__shadow_knobs knobs,
                                                const char **reason);
void dl__shadow_kernels_free(struct dl__kernel *kernel);

#endif
