/* SPDX-License-Identifier: MIT */
/* Knobs by name, with one value each or with several to be tried. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 64 };

bool knob_set_steps(void *target, const char *name, size_t name_bytes, unsigned value)
{
    return dl__steps_set(target, name, name_bytes, value);
}

bool knob_set_nowhere(void *target, const char *name, size_t name_bytes, unsigned value)
{
    (void)target, (void)value;
    return dl__number_find(&dl__knob_table, name, name_bytes) != NULL;
}

/* "1/2/4"; returns how many, 0 on bad text. Moves `text` behind them. */
static size_t values_parse(const char **text, unsigned *values)
{
    size_t count = 0;

    for (;; (*text)++) {
        char *end;
        unsigned long value = strtoul(*text, &end, 10);
        if (end == *text || count == VALUES_MAX)
            return 0;
        values[count++] = (unsigned)value;
        *text = end;
        if (**text != '/')
            return count;
    }
}

bool knobs_check(const char *text, const struct dl__number_table *other)
{
    const char *at = text;

    while (*at) {
        const char *name = at;
        size_t bytes = strcspn(name, "="), count;
        const struct dl__number *number = dl__number_find(&dl__knob_table, name, bytes);
        unsigned values[VALUES_MAX];
        char rule[64];
        if (!number && other)
            number = dl__number_find(other, name, bytes);
        at += bytes + (name[bytes] == '=');
        count = name[bytes] == '=' ? values_parse(&at, values) : 0;
        if (count == 0 || (*at && *at != ',')) {
            fprintf(stderr, "dl-bench: --knobs %s: NAME=VALUE[/VALUE...],... expected\n",
                    text);
            return false;
        }
        if (!number || number->is_real) {
            fprintf(stderr, "dl-bench: no knob is called %.*s; --help lists them\n",
                    (int)bytes, name);
            return false;
        }
        dl__number_rule(number, rule, sizeof rule);
        for (size_t v = 0; v < count; v++)
            if (!dl__number_allows(number, values[v])) {
                fprintf(stderr, "dl-bench: %s=%u: it can be %s\n", number->name,
                        values[v], rule);
                return false;
            }
        at += *at == ',';
    }
    return true;
}

size_t knobs_parse(const char *text, size_t index, knob_set *set, void *target,
                   char separator, char *label, size_t label_bytes)
{
    size_t variants = 1, used = 0;

    label[0] = '\0';
    while (*text) {
        const char *name = text;
        size_t bytes = strcspn(name, "="), count;
        unsigned values[VALUES_MAX], value;
        text += bytes;
        if (*text++ != '=')
            return 0;
        count = values_parse(&text, values);
        if (count == 0 || (*text && *text != ','))
            return 0;
        value = values[index / variants % count];
        variants *= count;
        if (!set(target, name, bytes, value))
            return 0;
        if (count > 1) {
            if (used > 0 && used + 1 < label_bytes)
                label[used++] = separator;
            used += (size_t)snprintf(label + used,
                                     used < label_bytes ? label_bytes - used : 0,
                                     "%.*s=%u", (int)bytes, name, value);
        }
        text += *text == ',';
    }
    return variants;
}

void knobs_print(FILE *out, const struct dl__number_table *table, size_t values_bytes)
{
    void *gpu = calloc(1, values_bytes), *cpu = calloc(1, values_bytes);

    if (gpu && cpu) {
        dl__numbers_read(dl__device_file_named("gpu"), NULL, 0, table, gpu);
        dl__numbers_read(dl__device_file_named("cpu"), NULL, 0, table, cpu);
        for (size_t n = 0; n < table->count; n++) {
            const struct dl__number *number = &table->numbers[n];
            char rule[64];
            dl__number_rule(number, rule, sizeof rule);
            if (!number->is_real)
                fprintf(out, "  %-21s %-6.0f CPU %-6.0f %s (%s)\n", number->name,
                        dl__number_get(number, gpu), dl__number_get(number, cpu),
                        number->help, rule);
        }
    }
    free(gpu);
    free(cpu);
}
