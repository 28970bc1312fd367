/* SPDX-License-Identifier: MIT */
/* Proofs of rewritten texts, where programs are built. */
#include "unit_proof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/options.h"
#include "libdl_intercept/trace/trace.h"
#include "cache.h"
#include "jobs.h"
#include "reply.h"
#include "serve.h"
#include "text.h"

/* Of the thread's time, for each of the texts that are read: what takes longer is compared as it runs. */
enum { READING_MS_MAX = 500 };
/* A text of some 7,000 lines, which takes 0.2 s to rewrite and 0.5 s to prove. */
enum { AT_ONCE_BYTES_MAX = 256 << 10 };
/* Stands for all kernels. No kernel has this name. */
static const char everything[] = "*";

struct proving {
    struct dl__unit *unit;
    struct dl__record record;
    /* the first that was not shown of the kernel at hand; text NULL: nothing yet */
    char *file, *text;
    unsigned line, column;
};

static void forget_remark(struct proving *p)
{
    free(p->file);
    free(p->text);
    p->file = p->text = NULL;
}

static void keep_remark(void *user, const struct dl_remark *remark)
{
    static const char head[] = "not shown: ";
    const char *reason = strstr(remark->text, head);
    struct proving *p = user;

    if (p->text)
        return;
    p->file = remark->file ? strdup(remark->file) : NULL;
    p->text = strdup(reason ? reason + strlen(head) : remark->text);
    p->line = remark->line;
    p->column = remark->column;
}

static void say(struct proving *p, const char *text)
{
    struct dl_remark remark = {.severity = DL_REMARK, .text = text};

    if (p->file) {
        remark.file = p->file;
        remark.line = p->line;
        remark.column = p->column;
    }
    dl__record_remark(&p->record, &remark);
}

/* One line for a kernel, however many of its accesses are not shown. */
static void judge(void *user, const char *kernel, size_t accesses, size_t proved)
{
    struct proving *p = user;
    const struct dl_kernel_note *note = dl_notes_find(p->unit->notes, kernel);
    bool is_shown = proved == accesses && !p->text;
    char text[600], count[64] = "it is not shown that its accesses are";

    if (!is_shown && note && !note->detected) {
        if (proved > 0)
            snprintf(count, sizeof count, "%zu of its %zu accesses %s not shown to be",
                     accesses - proved, accesses, accesses - proved == 1 ? "is" : "are");
        snprintf(text, sizeof text,
                 "kernel '%s': %s the program's (%s); its first rewritten launch is "
                 "compared with its own text",
                 kernel, count, p->text ? p->text : "no reason is known");
        say(p, text);
        dl__pack_text(&p->unit->doubtful, kernel);
    }
    forget_remark(p);
}

/* Kernels that nobody annotated are compared with their own text anyhow. */
static bool is_wanted(const struct dl__unit *unit)
{
    bool wanted = false;

    for (size_t k = 0; unit->source && unit->notes && k < unit->notes->kernel_count; k++)
        wanted |= !unit->notes->kernels[k].detected && !unit->notes->kernels[k].refused;
    return wanted;
}

static bool make_key(struct dl__pack *key, const struct dl__unit *unit)
{
    bool made = dl__unit_key(key, unit, "proof");

    dl__pack_text_lent(key, unit->text);
    dl__pack_bytes(key, unit->files.data, unit->files.bytes);
    return made && !key->failed;
}

static bool get_kept(struct dl__unit *unit, const struct dl__pack *key)
{
    struct dl__unpack fields = {0};
    const unsigned char *names, *remarks;
    size_t name_bytes, remark_bytes;
    void *value = NULL;
    bool good;

    if (!dl__cache_get(key, &value, &fields.bytes))
        return false;
    fields.data = value;
    names = dl__unpack_bytes(&fields, &name_bytes);
    remarks = dl__unpack_bytes(&fields, &remark_bytes);
    good = names && remarks;
    if (good) {
        dl__pack_fields(&unit->doubtful, names, name_bytes);
        dl__remarks_replay(remarks, remark_bytes, unit->source);
        atomic_store(&unit->is_judged, !unit->doubtful.failed);
    }
    free(value);
    return good;
}

/* What one kernel is, all are. */
static void doubt_all(struct proving *p, enum dl_status status)
{
    char text[256];

    forget_remark(p);
    snprintf(text, sizeof text,
             "it is not shown that rewritten accesses are the program's: %s; the first "
             "rewritten launch of each kernel is compared with its own text",
             dl_status_text(status));
    say(p, text);
    dl__pack_text(&p->unit->doubtful, everything);
}

static void prove(struct proving *p, const struct dl__pack *key, size_t bytes_max)
{
    struct dl__unit *unit = p->unit;
    enum dl_status status = DL_ELIMIT;
    struct dl__pack value = {0};
    bool lasts = false;

    if (!bytes_max || strlen(unit->source) <= bytes_max)
        status = dl__text_compare(unit, READING_MS_MAX, keep_remark, judge, p, &lasts);
    if (status != DL_OK && status != DL_EREFUSED)
        doubt_all(p, status);
    dl__pack_bytes(&value, unit->doubtful.data, unit->doubtful.bytes);
    dl__pack_bytes(&value, p->record.remarks.data, p->record.remarks.bytes);
    if (key && !value.failed && !unit->doubtful.failed) {
        if (lasts)
            dl__cache_put(key, value.data, value.bytes);
        else
            dl__cache_tell(key, value.data, value.bytes);
    }
    dl__pack_free(&value);
}

/* The text may be kept of a run that did not want the proof. */
static bool ask_builder(struct dl__unit *unit, const struct dl__pack *key)
{
    struct dl__reply reply;

    if (dl__builder_wait(&unit->proving, dl__job_pack_text, unit) != DL__READY)
        return false;
    if (dl__reply_take(unit, &reply))
        dl__reply_free(&reply);
    return get_kept(unit, key);
}

void dl__unit_prove(struct dl__unit *unit, size_t bytes_max)
{
    struct proving p = {.unit = unit, .record = {.text = unit->source}};
    uint64_t start_ns = dl__trace_now();
    struct dl__pack key = {0};
    bool keyed;

    if (atomic_load(&unit->is_judged) || !is_wanted(unit))
        return;
    keyed = make_key(&key, unit);
    if (keyed && get_kept(unit, &key))
        goto out;
    if (dl__transformer_get())
        prove(&p, keyed ? &key : NULL, bytes_max);
    else if (!keyed || !ask_builder(unit, &key))
        doubt_all(&p, DL_ELIMIT);
    atomic_store(&unit->is_judged, !unit->doubtful.failed);
    dl__trace_build("a rewritten text is compared with the program's", start_ns);
out:
    forget_remark(&p);
    dl__record_free(&p.record);
    dl__pack_free(&key);
}

void dl__unit_prove_at_once(struct dl__unit *unit)
{
    const struct dl__options *options = dl__options_get();

    if (!options->layout_auto || options->policy_test)
        dl__unit_prove(unit, AT_ONCE_BYTES_MAX);
}

bool dl__unit_shows(struct dl__unit *unit, const char *kernel)
{
    struct dl__unpack names = {0};
    struct dl__pack key = {0};

    /* Of a text that came rewritten there is no other. */
    if (!unit->source)
        return true;
    if (!atomic_load(&unit->is_judged) && make_key(&key, unit))
        get_kept(unit, &key);
    dl__pack_free(&key);
    if (!atomic_load(&unit->is_judged))
        return false;
    names.data = unit->doubtful.data;
    names.bytes = unit->doubtful.bytes;
    while (!names.failed && names.at < names.bytes) {
        const char *name = dl__unpack_text(&names);

        if (name && (strcmp(name, kernel) == 0 || strcmp(name, everything) == 0))
            return false;
    }
    return !names.failed;
}
