/* Reading the options. */
#include "options.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

static struct dl__options options = {
    .layout_auto = true,
    .layout = DL_LAYOUT_ASTA,
    .memory_cap_percent = 25,
    .staging_bytes = 16u << 20,
};
static pthread_once_t options_once = PTHREAD_ONCE_INIT;

/* Whoever starts a program with more rights than its user's does not say which library is loaded
 * into it, or what it reads and writes. */
static const char *environment(const char *name)
{
    const char *text = secure_getenv(name);

    return text && *text ? text : NULL;
}

static void read_layout(const char *text)
{
    options.layout_auto = false;
    if (strcmp(text, "auto") == 0)
        options.layout_auto = true;
    else if (strcmp(text, "asta") == 0)
        options.layout = DL_LAYOUT_ASTA;
    else if (strcmp(text, "da") == 0)
        options.layout = DL_LAYOUT_DA;
    else if (strcmp(text, "aos") == 0)
        options.layout = DL_LAYOUT_AOS;
    else {
        options.layout_auto = true;
        dl__log(DL__LOG_WARNING,
                "DL_LAYOUT=%s is none of auto, asta, da, aos; using auto", text);
    }
}

static bool read_number(const char *text, unsigned long long most,
                        unsigned long long *out, const char **rest)
{
    char *end;
    unsigned long long value;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    value = strtoull(text, &end, 10);
    if (errno || value > most)
        return false;
    *out = value;
    *rest = end;
    return true;
}

static void read_tile(const char *text)
{
    unsigned long long value;
    const char *rest;

    if (strcmp(text, "auto") == 0)
        return;
    if (read_number(text, 1u << 20, &value, &rest) && !*rest && value > 0)
        options.tile_structs = (uint32_t)value;
    else
        dl__log(DL__LOG_WARNING,
                "DL_TILE=%s is no number from 1 to 1048576; using the device's", text);
}

/* A byte count, with k, M or G behind it or without. */
static bool read_bytes(const char *text, uint64_t *out)
{
    unsigned long long value, scale = 1;
    const char *rest;

    if (!read_number(text, UINT64_MAX >> 30, &value, &rest))
        return false;
    if (*rest == 'k' || *rest == 'K')
        scale = 1u << 10;
    else if (*rest == 'm' || *rest == 'M')
        scale = 1u << 20;
    else if (*rest == 'g' || *rest == 'G')
        scale = 1u << 30;
    if (rest[scale > 1])
        return false;
    *out = value * scale;
    return true;
}

static void read_memory_cap(const char *text)
{
    unsigned long long value;
    const char *rest;

    if (read_number(text, 100, &value, &rest) && strcmp(rest, "%") == 0) {
        options.memory_cap_percent = (unsigned)value;
        options.memory_cap_bytes = 0;
    } else if (read_bytes(text, &options.memory_cap_bytes)) {
        options.memory_cap_percent = 0;
    } else {
        dl__log(DL__LOG_WARNING,
                "DL_MEMORY_CAP=%s is no byte count and no percentage; using 25%%", text);
    }
}

static void read_verify(const char *text)
{
    unsigned long long value;
    const char *rest;

    if (read_number(text, UINT32_MAX, &value, &rest) && !*rest)
        options.verify_every = (unsigned)value;
    else
        dl__log(DL__LOG_WARNING, "DL_VERIFY=%s is no number of launches; not verifying",
                text);
}

static void read_options(void)
{
    const char *text;
    struct dl_side_file *side;

    if ((text = environment("DL_LAYOUT")))
        read_layout(text);
    if ((text = environment("DL_TILE")))
        read_tile(text);
    if ((text = environment("DL_MEMORY_CAP")))
        read_memory_cap(text);
    if ((text = environment("DL_STAGING")) && !read_bytes(text, &options.staging_bytes))
        dl__log(DL__LOG_WARNING, "DL_STAGING=%s is no byte count; using 16M", text);
    if ((text = environment("DL_VERIFY")))
        read_verify(text);
    if ((text = environment("DL_STATS"))) {
        options.stats = true;
        options.stats_path = strcmp(text, "1") == 0 ? NULL : strdup(text);
    }
    if ((text = environment("DL_CACHE")))
        options.cache = strdup(text);
    if ((text = environment("DL_LIBCLANG")))
        options.libclang = strdup(text);
    if ((text = environment("DL_ANNOTATIONS")) &&
        dl_side_file_load(text, dl__log_remark, NULL, &side) == DL_OK)
        options.side = side;
}

const struct dl__options *dl__options_get(void)
{
    pthread_once(&options_once, read_options);
    return &options;
}
