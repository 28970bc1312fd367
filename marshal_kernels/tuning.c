/* Tuning tables: knobs that dl-bench tune has found best on a device, by family and size.
 *
 * A table is a text (tables/ has those that ship). A line "device NAME" starts the part of the
 * devices with NAME in their names; "FAMILY BYTES KNOB=VALUE,..." then holds for tiles (chunk,
 * each, cycle) or super-elements (cut) of BYTES and more, up to the family's next line. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char dl_table_h200_tune[], dl_table_pocl_tune[];

static const char *const tables[] = {dl_table_h200_tune, dl_table_pocl_tune};

static const char *line_after(const char *line)
{
    const char *end = strchr(line, '\n');

    return end && end[1] ? end + 1 : NULL;
}

const char *dl__tuning_find(const char *device_name)
{
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        for (const char *line = tables[t]; line; line = line_after(line)) {
            char name[128];
            if (sscanf(line, "device %127[^\n]", name) == 1 && strstr(device_name, name))
                return line_after(line);
        }
    }
    return NULL;
}

bool dl__knob_set(struct dl__knobs *knobs, const char *name, size_t name_bytes,
                  unsigned value)
{
#define X(knob, fallback, help)                                                          \
    if (sizeof #knob - 1 == name_bytes && memcmp(name, #knob, name_bytes) == 0) {        \
        knobs->knob = value;                                                             \
        return true;                                                                     \
    }
    DL_KNOB_MAP(X)
#undef X
    return false;
}

/* "a=1,b=2" up to the line's end. */
static void knobs_read(const char *text, struct dl__knobs *knobs)
{
    while (*text && *text != '\n') {
        size_t bytes = strcspn(text, "=\n");
        char *end;
        unsigned long value;
        if (text[bytes] != '=')
            return;
        value = strtoul(text + bytes + 1, &end, 10);
        dl__knob_set(knobs, text, bytes, (unsigned)value);
        text = *end == ',' ? end + 1 : end;
        if (*end != ',')
            return;
    }
}

struct dl__knobs dl__tuned_knobs(const struct dl_marshal *marshal, const char *family,
                                 uint64_t bytes)
{
    struct dl__knobs tuned = marshal->defaults, knobs = marshal->knobs;
    const char *best = NULL;
    unsigned long long best_least = 0;

    for (const char *line = marshal->tuning; line; line = line_after(line)) {
        char name[16];
        unsigned long long least;
        int at = 0;
        if (strncmp(line, "device", 6) == 0)
            break;
        if (sscanf(line, "%15s %llu %n", name, &least, &at) == 2 && at > 0 &&
            strcmp(name, family) == 0 && least <= bytes &&
            (!best || least >= best_least)) {
            best = line + at;
            best_least = least;
        }
    }
    if (!best)
        return knobs;
    knobs_read(best, &tuned);
    /* What somebody has set by hand stays. */
#define X(name, value, help)                                                             \
    if (knobs.name == marshal->defaults.name)                                            \
        knobs.name = tuned.name;
    DL_KNOB_MAP(X)
#undef X
    return knobs;
}
