/* DL's options, one table for dl-run's command line and --help, the environment variables
 * that libdl_intercept.so reads, and the README's list (tests/tools checks that they
 * agree).
 *
 * X(identifier, "flag", "ENVIRONMENT", "VALUE", "default", "help")
 *
 * A VALUE in lower case lists the words allowed. An environment variable that is unset or
 * empty means the default. DL_STATS is DL_STATS_TABLE for the table on standard error,
 * else the name of the JSON file to write. */
#ifndef DL_OPTIONS_H
#define DL_OPTIONS_H

#define DL_STATS_TABLE "1"

#define DL_OPTION_MAP(X)                                                                 \
    X(layout, "layout", "DL_LAYOUT", "auto|asta|da|aos", "auto",                         \
      "layout of annotated buffers on the device; aos runs the program's own kernels")   \
    X(tile, "tile", "DL_TILE", "N", "auto",                                              \
      "structs in a tile; 1 runs the rewritten kernels on AoS")                          \
    X(annotations, "annotations", "DL_ANNOTATIONS", "FILE", "",                          \
      "annotations kept beside the program, a line `KERNEL: AoS: f[...]` each")          \
    X(stats, "stats", "DL_STATS", "FILE.json", "",                                       \
      "print a table of launches, marshals and device times at exit, or write it as "    \
      "JSON")                                                                            \
    X(memory_cap, "memory-cap", "DL_MEMORY_CAP", "BYTES|N%", "25%",                      \
      "device memory for tiled copies of buffers that DL must not write; k, M or G may " \
      "follow")                                                                          \
    X(staging, "staging", "DL_STAGING", "BYTES", "16M",                                  \
      "device memory to look at tiled buffers through; 0: bring them back instead")      \
    X(verify, "verify", "DL_VERIFY", "N", "",                                            \
      "also run every N-th transformed launch as written and compare; 1 for all; slow")  \
    X(cache, "cache", "DL_CACHE", "FOLDER|off", "~/.cache/dl",                           \
      "where rewritten kernels and their binaries are kept for the next run; the "       \
      "default is in $XDG_CACHE_HOME where that is set")                                 \
    X(log, "log", "DL_LOG", "quiet|error|warning|remark|debug", "warning",               \
      "how much to say on standard error")                                               \
    X(libclang, "libclang", "DL_LIBCLANG", "FILE", "",                                   \
      "the libclang to load instead of the newest of versions 14 to 19; `none` loads "   \
      "none")

#endif
