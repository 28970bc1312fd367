/* Reading the options. */
#include "options.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

static struct dl__options options = {
    .layout_auto = true, .memory_cap_percent = 25, .layout = DL_LAYOUT_ASTA};
static pthread_once_t options_once = PTHREAD_ONCE_INIT;

static const char *environment(const char *name)
{
    const char *text = getenv(name);

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

static void read_memory_cap(const char *text)
{
    unsigned long long value, scale = 1;
    const char *rest;

    if (read_number(text, UINT64_MAX >> 30, &value, &rest)) {
        if (strcmp(rest, "%") == 0 && value <= 100) {
            options.memory_cap_percent = (unsigned)value;
            options.memory_cap_bytes = 0;
            return;
        }
        if (*rest == 'k' || *rest == 'K')
            scale = 1024, rest++;
        else if (*rest == 'm' || *rest == 'M')
            scale = 1024 * 1024, rest++;
        else if (*rest == 'g' || *rest == 'G')
            scale = 1024 * 1024 * 1024, rest++;
        if (!*rest) {
            options.memory_cap_percent = 0;
            options.memory_cap_bytes = value * scale;
            return;
        }
    }
    dl__log(DL__LOG_WARNING,
            "DL_MEMORY_CAP=%s is no byte count and no percentage; using 25%%", text);
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
    if ((text = environment("DL_STATS"))) {
        options.stats = true;
        options.stats_path = strcmp(text, "1") == 0 ? NULL : strdup(text);
    }
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
