/* SPDX-License-Identifier: MIT */
/* The transformer's work on units, in the builder. */
#include "text.h"

#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/options.h"
#include "devices.h"
#include "probe.h"
#include "serve.h"
#include "unit_files.h"

/* Longer than rewriting takes on a busy machine. */
enum { REWRITING_MS_MAX = 10000 };

/* Who answers what libclang can't know of a device. */
struct asker {
    const struct dl__unit *unit;
    struct dl__pack questions; /* for the program, which has the device */
    bool unanswered;
};

/* As the program has asked its device before; false: it has not. */
static bool recall(const struct dl__unit *unit, const char *condition, bool *holds)
{
    struct dl__unpack answers = {.data = unit->answers.data,
                                 .bytes = unit->answers.bytes};

    while (!answers.failed && answers.at < answers.bytes) {
        const char *asked = dl__unpack_text(&answers);
        uint64_t answer = dl__unpack_number(&answers);

        if (asked && !answers.failed && strcmp(asked, condition) == 0) {
            *holds = answer;
            return true;
        }
    }
    return false;
}

static bool ask(void *user, const char *const *conditions, size_t count, bool *holds)
{
    struct asker *asker = user;
    const struct dl__unit *unit = asker->unit;
    struct dl__probe probe = {.options = unit->options};
    bool known = true;

    for (size_t i = 0; i < count; i++)
        known = known && recall(unit, conditions[i], &holds[i]);
    if (known)
        return true;
    probe.device = dl__devices_find(unit->target.name.data, unit->target.name.bytes);
    probe.context = probe.device ? dl__devices_context(probe.device) : NULL;
    if (probe.context && dl__probe_ask(&probe, conditions, count, holds))
        return true;
    asker->unanswered = true;
    for (size_t i = 0; !unit->unanswered && i < count; i++)
        dl__pack_text(&asker->questions, conditions[i]);
    return false;
}

/* What the transformer is to know of a unit, beside what the caller wants of it. False:
 * out of memory. */
static bool describe(const struct dl__unit *unit, struct asker *asker,
                     struct dl_header **headers, const char *const *version,
                     struct dl_annotate_options *how)
{
    const struct dl__options *options = dl__options_get();

    *headers = dl__unit_headers(unit);
    how->build_options = unit->options;
    how->headers = *headers;
    how->header_count = unit->header_count;
    how->side = options->side;
    how->detect = options->detect;
    how->coalesced = unit->target.second_texts;
    how->apart = true;
    how->libclang = options->libclang;
    how->device_extensions = unit->target.extensions;
    how->device_macros = version;
    how->device_macro_count = **version != '\0';
    how->ask_device = ask;
    how->ask_user = asker;
    return *headers != NULL;
}

static const char *own_text(const struct dl__unit *unit)
{
    return unit->source ? unit->source : unit->text;
}

/* `how` has what the caller wants besides. */
static enum dl_status rewrite(const struct dl__unit *unit, struct asker *asker,
                              struct dl_annotate_options *how, dl_remark_fn remark,
                              void *user, char **text)
{
    const char *source = own_text(unit), *version = unit->target.version;
    struct dl_header *headers;
    enum dl_status status = DL_ENOMEM;

    if (describe(unit, asker, &headers, &version, how))
        status = dl__transformer_get()->rewrite(source, strlen(source), how, remark, user,
                                                text);
    free(headers);
    return status;
}

static void rewrite_anew(const struct dl__unit *unit, struct dl__reply *reply)
{
    struct dl_annotate_options how = {.times = &reply->times,
                                      .on_file = dl__record_file,
                                      .on_file_user = &reply->record};
    struct asker asker = {.unit = unit};

    reply->status =
        rewrite(unit, &asker, &how, dl__record_remark, &reply->record, &reply->text);
    if (asker.questions.bytes) {
        dl__reply_free(reply);
        reply->there = true;
        reply->status = DL_EREFUSED;
        reply->questions = asker.questions;
    }
    reply->record.files.failed = reply->record.files.failed || asker.unanswered;
}

void dl__text_read(const struct dl__unit *unit, struct dl__reply *reply)
{
    const struct dl__transformer *transformer = dl__transformer_get();
    struct dl__hold hold = {.fd = -1};
    struct dl__pack key;
    bool keyed = dl__unit_key(&key, unit, "text"), kept = false;

    *reply = (struct dl__reply){.there = true, .record = {.text = own_text(unit)}};
    for (int look = 0; keyed && !kept && look < 2; look++) {
        /* Of the ranks of a job, which start together, one rewrites. */
        if (look)
            dl__cache_hold(&key, REWRITING_MS_MAX, &hold);
        kept =
            dl__cache_get_rewritten(&key, &reply->status, &reply->text, &reply->record);
    }
    reply->kept = kept;
    if (!kept)
        rewrite_anew(unit, reply);
    if (!kept && keyed && !reply->questions.bytes &&
        dl__unit_was_as_built(unit, &reply->record.files))
        dl__cache_put_rewritten(&key, reply->status, reply->text, &reply->record,
                                transformer->libclang(dl__options_get()->libclang));
    dl__store_let_go(&hold);
    dl__pack_free(&key);
}

void dl__text_answer(struct dl__unit *unit)
{
    struct dl__reply reply;

    dl__text_read(unit, &reply);
    dl__reply_put(unit, &reply);
    if (!reply.questions.bytes)
        dl__unit_settle(unit, &reply);
    dl__reply_free(&reply);
}
