/* SPDX-License-Identifier: MIT */
/* Accesses in the tables: written and read side by side, so that the two agree. */
#include "annotate/annotations/access_line.h"

#include <stdlib.h>
#include <string.h>

static const char *const forms[] = {[DL_ACCESS_UNKNOWN] = "unknown",
                                    [DL_ACCESS_LINEAR] = "linear",
                                    [DL_ACCESS_UNIFORM] = "uniform",
                                    [DL_ACCESS_GATHER] = "gather"};
enum { FORMS = sizeof forms / sizeof *forms };

void dl__access_print(struct dl__buf *out, const struct dl_access_fact *fact)
{
    dl__buf_puts(out, forms[fact->form]);
    if (fact->form == DL_ACCESS_LINEAR)
        dl__buf_printf(out, " %d", fact->step);
    if (fact->bytes == UINT32_MAX)
        dl__buf_printf(out, " %u+*", fact->offset);
    else
        dl__buf_printf(out, " %u+%u", fact->offset, fact->bytes);
    dl__buf_puts(out, fact->reads ? " read" : "");
    dl__buf_puts(out, fact->writes ? " write" : "");
    dl__buf_puts(out, fact->atomic ? " atomic" : "");
    dl__buf_puts(out, fact->walks ? " walks" : "");
    dl__buf_puts(out, fact->conditional ? " conditional" : "");
    if (fact->loops)
        dl__buf_printf(out, " loops %u", fact->loops);
}

/* What is left of a line, word by word. */
struct words {
    const char *at, *end;
};

/* The end of a word. */
static bool take_end(struct words *w)
{
    if (w->at == w->end)
        return true;
    if (*w->at != ' ' || w->at + 1 == w->end)
        return false;
    w->at++;
    return true;
}

static bool take(struct words *w, const char *word)
{
    size_t bytes = strlen(word);

    if ((size_t)(w->end - w->at) < bytes || memcmp(w->at, word, bytes))
        return false;
    w->at += bytes;
    if (take_end(w))
        return true;
    w->at -= bytes;
    return false;
}

/* Digits; what stands behind them is left. */
static bool take_digits(struct words *w, uint32_t *out)
{
    const char *start = w->at;
    uint64_t value = 0;

    while (w->at < w->end && *w->at >= '0' && *w->at <= '9' && value <= UINT32_MAX)
        value = value * 10 + (uint64_t)(*w->at++ - '0');
    *out = (uint32_t)value;
    return w->at != start && value <= UINT32_MAX;
}

static bool take_step(struct words *w, int32_t *out)
{
    bool negative = w->at < w->end && *w->at == '-';
    uint32_t value;

    w->at += negative;
    if (!take_digits(w, &value) || !take_end(w) || !value || value > INT32_MAX)
        return false;
    *out = negative ? -(int32_t)value : (int32_t)value;
    return true;
}

static bool take_bytes(struct words *w, uint32_t struct_bytes, struct dl_access_fact *out)
{
    if (!take_digits(w, &out->offset) || w->at == w->end || *w->at++ != '+')
        return false;
    if (struct_bytes == UINT32_MAX && w->at != w->end && *w->at == '*') {
        w->at++;
        out->bytes = UINT32_MAX;
        return take_end(w);
    }
    return take_digits(w, &out->bytes) && take_end(w) && out->bytes &&
           (uint64_t)out->offset + out->bytes <= struct_bytes;
}

bool dl__access_parse(const char *text, size_t bytes, uint32_t struct_bytes,
                      struct dl_access_fact *out)
{
    struct words w = {text, text + bytes};
    uint32_t loops = 0;
    size_t form = 0;

    memset(out, 0, sizeof *out);
    while (form < FORMS && !take(&w, forms[form]))
        form++;
    if (form == FORMS)
        return false;
    out->form = (enum dl_access_form)form;
    if ((out->form == DL_ACCESS_LINEAR && !take_step(&w, &out->step)) ||
        !take_bytes(&w, struct_bytes, out))
        return false;
    out->reads = take(&w, "read");
    out->writes = take(&w, "write");
    out->atomic = take(&w, "atomic");
    out->walks = take(&w, "walks");
    out->conditional = take(&w, "conditional");
    if (take(&w, "loops") &&
        (!take_digits(&w, &loops) || !loops || loops > UINT8_MAX || !take_end(&w)))
        return false;
    out->loops = (uint8_t)loops;
    return w.at == w.end && (out->reads || out->writes);
}
