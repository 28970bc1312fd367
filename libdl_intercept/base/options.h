/* SPDX-License-Identifier: MIT */
/* The options of this process, from the environment (options/options.def), read once. */
#ifndef DL_INTERCEPT_OPTIONS_H
#define DL_INTERCEPT_OPTIONS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "annotate/notes.h"
#include "layout/layout.h"
#include "options/options.h"

struct dl__options {
    struct dl_option_value values[DL_OPTION_COUNT]; /* all of them, as read */
    bool layout_auto;                               /* choose by device */
    enum dl_layout_kind layout;                     /* else this one */
    bool coalesced;        /* AoS, by kernels that access whole structs together */
    uint32_t tile_structs; /* 0: by device */
    bool stats;
    bool counts; /* all launches are looked at, for what is said of them at the end or
                    then */
    unsigned verify_every; /* the interval in transformed launches; 0: none */
    bool explain_policy;
    bool exact;                  /* nothing may hang on what comparing has shown alone */
    bool advise;                 /* nothing is rewritten: only looked at */
    const char *advice_path;     /* NULL: standard error */
    bool detect;                 /* buffers of kernels without annotation */
    uint64_t policy_test;        /* a seed; 0: none */
    const char *stats_path;      /* NULL: a table on standard error */
    const char *trace_path;      /* NULL: no trace */
    uint64_t memory_cap_bytes;   /* used when memory_cap_percent is 0 */
    unsigned memory_cap_percent; /* of the device's global memory */
    uint64_t staging_bytes;      /* the most that is looked at without bringing it back */
    const char *cache;           /* absolute, or "off"; NULL: the default */
    const char *libclang;        /* NULL: search */
    const struct dl_side_file *side; /* NULL: none */
};

/* True when the program's own kernels run, but for those that demand another layout. */
static inline bool dl__options_as_written(const struct dl__options *options)
{
    return options->layout == DL_LAYOUT_AOS && !options->layout_auto &&
           !options->coalesced;
}

/* NULL until they have been read. */
extern _Atomic(const struct dl__options *) dl__options_read;
const struct dl__options *dl__options_read_now(void);

/* Never NULL, lives as long as the process. Options that can't be read are warned of and
 * mean their default. Threads: safe. */
static inline const struct dl__options *dl__options_get(void)
{
    const struct dl__options *options =
        atomic_load_explicit(&dl__options_read, memory_order_acquire);

    return options ? options : dl__options_read_now();
}

/* Whether the program has changed its PATH so that `ld`, the linker of CPU drivers, is
 * not found in it any more. */
static inline bool dl__linker_is_lost(void)
{
    return dl_environment_lost_program("ld");
}

#endif
