/* Tuning tables: knobs that dl-bench tune has found best on a device, by family and size.
 *
 * A table is a text (tables/ has those that ship). A line "device NAME" starts the part of the
 * devices with NAME in their names; "FAMILY BYTES KNOB=VALUE,..." then holds for tiles (chunk,
 * each, cycle) or super-elements (cut) of BYTES and more, up to the family's next line. */
#include "steps.h"

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

struct dl__knobs dl__steps_knobs(const struct dl__steps *steps, const char *family,
                                 uint64_t bytes)
{
    struct dl__knobs tuned = steps->defaults, knobs = steps->knobs;
    const char *best = NULL;
    unsigned long long best_least = 0;

    for (const char *line = steps->tuning; line; line = line_after(line)) {
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
    if (knobs.name == steps->defaults.name)                                              \
        knobs.name = tuned.name;
    DL_KNOB_MAP(X)
#undef X
    return knobs;
}

/* A core has few work-items in flight and its cache to itself. */
static void knobs_for_cpu(struct dl__knobs *knobs)
{
    knobs->cycle_group = 64;
    knobs->cycle_held = 1;
    knobs->cut_ahead = 1;
    knobs->cut_ahead_short = 1;
    knobs->cut_bytes = 64;
    knobs->cut_group = knobs->cut_group_short = 64;
    knobs->cut_span = 512;
    knobs->cut_row = 0;
    knobs->slide_group = 16;
    knobs->slide_items = 16;
}

void dl__steps_open(struct dl__steps *steps, struct dl__engine *engine)
{
    char name[256] = "";

    *steps = (struct dl__steps){.engine = engine,
                                .knobs = {
#define X(name, value, help) .name = value,
                                    DL_KNOB_MAP(X)
#undef X
                                }};
    if (engine->limits.is_cpu)
        knobs_for_cpu(&steps->knobs);
    steps->defaults = steps->knobs;
    if (engine->ops->name(engine->device, name, sizeof name) == CL_SUCCESS)
        steps->tuning = dl__tuning_find(name);
}
