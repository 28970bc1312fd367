/* The options of this process, from the environment (include/dl_options.h), read once. */
#ifndef DL_INTERCEPT_OPTIONS_H
#define DL_INTERCEPT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "annotate/annotate.h"
#include "layout/layout.h"

struct dl__options {
    bool layout_auto;           /* choose by device */
    enum dl_layout_kind layout; /* else this one */
    uint32_t tile_structs;      /* 0: by device */
    bool stats;
    unsigned verify_every;       /* every so many transformed launches; 0: none */
    const char *stats_path;      /* NULL: a table on standard error */
    uint64_t memory_cap_bytes;   /* used when memory_cap_percent is 0 */
    unsigned memory_cap_percent; /* of the device's global memory */
    uint64_t staging_bytes;      /* the most that is looked at without bringing it back */
    const char *cache;           /* as given, "off" included; NULL: the default */
    const char *libclang;        /* NULL: search */
    const struct dl_side_file *side; /* NULL: none */
};

/* Never NULL, lives as long as the process. Options that can't be read are warned of and mean
 * their default. Threads: safe. */
const struct dl__options *dl__options_get(void);

#endif
