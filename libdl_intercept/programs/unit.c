/* SPDX-License-Identifier: MIT */
/* Translation units: making them, and reading their annotations. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "libdl_intercept/base/clock.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/trace/trace.h"
#include "cache.h"
#include "compile.h"
#include "jobs.h"
#include "probe.h"
#include "reply.h"
#include "serve.h"
#include "text.h"
#include "unit_files.h"

static void unit_free(struct dl__unit *unit)
{
    for (size_t i = 0; i < unit->header_count; i++) {
        free(unit->header_names[i]);
        free(unit->header_texts[i]);
    }
    free(unit->header_names);
    free(unit->header_texts);
    dl_notes_free(unit->notes);
    dl__pack_free(&unit->remarks);
    dl__pack_free(&unit->seen.list);
    dl__pack_free(&unit->files);
    dl__pack_free(&unit->target.name);
    free(unit->target.extensions);
    dl__pack_free(&unit->answers);
    if (unit->reply)
        dl__reply_free(unit->reply);
    free(unit->reply);
    free(unit->options);
    free(unit->source);
    free(unit->text);
    pthread_mutex_destroy(&unit->annotating.posix);
    free(unit);
}

void dl__unit_release(struct dl__unit *unit)
{
    if (unit && atomic_fetch_sub(&unit->refs, 1) == 1)
        unit_free(unit);
}

static bool copy_headers(struct dl__unit *unit, cl_uint count,
                         const struct dl__program *const *headers,
                         const char *const *names)
{
    unit->header_names = calloc(count ? count : 1, sizeof *unit->header_names);
    unit->header_texts = calloc(count ? count : 1, sizeof *unit->header_texts);
    if (!unit->header_names || !unit->header_texts)
        return false;
    for (cl_uint i = 0; i < count; i++) {
        const struct dl__program *header = headers[i];

        if (!header || !header->source || !names[i])
            return false;
        unit->header_count = i + 1;
        unit->header_names[i] = strdup(names[i]);
        unit->header_texts[i] = strdup(header->source);
        if (!unit->header_names[i] || !unit->header_texts[i])
            return false;
    }
    return true;
}

/* All that the rewritten text depends on, except for the files that it includes. */
bool dl__unit_key(struct dl__pack *key, const struct dl__unit *unit, const char *kind)
{
    const struct dl__options *options = dl__options_get();
    char *side;

    if (!unit->target.name.bytes)
        memset(key, 0, sizeof *key);
    if (!unit->target.name.bytes ||
        !dl__cache_key_begin_named(key, kind, &unit->target.name))
        return false;
    side = dl_side_file_text(options->side);
    dl__pack_text_lent(key, unit->source ? unit->source : unit->text);
    dl__pack_text(key, unit->options);
    dl__pack_number(key, unit->header_count);
    for (size_t i = 0; i < unit->header_count; i++) {
        dl__pack_text(key, unit->header_names[i]);
        dl__pack_text(key, unit->header_texts[i]);
    }
    dl__pack_text(key, side);
    dl__pack_text(key, options->libclang);
    dl__pack_number(key, options->detect);
    dl__pack_number(key, unit->target.second_texts);
    key->failed = key->failed || !side;
    free(side);
    return !key->failed;
}

struct dl_header *dl__unit_headers(const struct dl__unit *unit)
{
    struct dl_header *headers = calloc(unit->header_count + 1, sizeof *headers);

    for (size_t i = 0; headers && i < unit->header_count; i++) {
        headers[i].name = unit->header_names[i];
        headers[i].text = unit->header_texts[i];
    }
    return headers;
}

void dl__unit_see_files(struct dl__unit *unit)
{
    struct dl_header *headers = dl__unit_headers(unit);

    if (headers)
        dl__files_see(&unit->seen, unit->text, unit->options, headers,
                      unit->header_count);
    free(headers);
}

bool dl__text_is_wanted(const char *text, size_t bytes,
                        const struct dl_annotate_options *how)
{
    const struct dl__options *options = dl__options_get();

    /* Where no layout but the program's own is asked for, only what demands one is looked
     * at. */
    if (dl__options_as_written(options))
        return dl_annotate_demands(text, bytes, how);
    return dl_annotate_is_rewritten(text, bytes) ||
           dl_annotate_wanted_with(text, bytes, how);
}

static void look_whether_wanted(struct dl__unit *unit)
{
    const struct dl__options *options = dl__options_get();
    struct dl_header *headers = dl__unit_headers(unit);
    size_t bytes = strlen(unit->text);
    struct dl_annotate_options how = {.build_options = unit->options,
                                      .headers = headers,
                                      .header_count = unit->header_count,
                                      .side = options->side,
                                      .detect = options->detect};

    unit->wanted = headers && dl__text_is_wanted(unit->text, bytes, &how);
    how.detect = false;
    /* The doctor is to see all that is found. */
    unit->detected = unit->wanted && !dl__text_is_wanted(unit->text, bytes, &how);
    unit->can_wait = unit->detected && options->layout_auto && !options->policy_test &&
                     !options->values[DL_OPTION_report].text;
    free(headers);
}

/* ---- reading ---- */

/* What the text is read for, once. */
static void aim(struct dl__unit *unit, cl_device_id device) DL__REQUIRES(unit->annotating)
{
    static _Atomic uint64_t askers;
    struct dl__target *target = &unit->target;

    if (target->name.bytes)
        return;
    unit->asker = atomic_fetch_add(&askers, 1) + 1;
    if (!dl__cache_name_device(&target->name, device))
        dl__pack_free(&target->name);
    free(target->extensions);
    target->extensions = dl__device_extensions(device);
    if (!dl__device_version(device, target->version, sizeof target->version))
        target->version[0] = '\0';
    target->second_texts = dl__device_has_second_texts(device);
}

/* The reason has been remarked, with its place and what follows from it, unless memory
 * ran out. */
static void say_native(enum dl_status status)
{
    dl__log(status == DL_ENOMEM ? DL__LOG_WARNING : DL__LOG_REMARK,
            "the program's kernels run as written: %s",
            status == DL_ENOLIB     ? "there is no libclang to read their text with"
            : status == DL_EREFUSED ? "none of them has a buffer that DL can convert"
                                    : dl_status_text(status));
}

/* A layout, advice or a libclang was asked for, and there is none of it: annotated
 * kernels have had their warning. */
static void say_no_libclang(const struct dl__unit *unit)
{
    static const char *const follows = "so the program's kernels run as written; dl-run "
                                       "--doctor says what to do";
    const struct dl__options *options = dl__options_get();

    if (!unit->detected)
        return;
    if (options->libclang && strcmp(options->libclang, "none") != 0)
        dl__log(DL__LOG_WARNING, "the libclang that --libclang names can't be loaded, %s",
                follows);
    else if (options->advise || !options->layout_auto)
        dl__log(DL__LOG_WARNING, "%s asks for what needs libclang, and %s, %s",
                options->advise ? "--advise" : "--layout",
                options->libclang ? "it is switched off (--libclang none)"
                                  : "there is none",
                follows);
}

/* The program's text stays. Kernels that can't run on the program's layout must not run
 * at all. */
static void stay_native(struct dl__unit *unit, enum dl_status status)
{
    if (dl_annotate_refuse(unit->text, strlen(unit->text), dl__options_get()->side,
                           &unit->notes) != DL_OK)
        unit->notes = NULL;
    /* What is refused has been read. */
    unit->read_status = status == DL_EREFUSED ? DL_OK : status;
}

/* There is nobody to read it. */
static void stay_unread(struct dl__unit *unit, enum dl__ready ready)
{
    const char *why = dl__builder_why_not();

    stay_native(unit, DL_ELIMIT);
    if (ready == DL__NOT_POSSIBLE)
        dl__log(unit->can_wait ? DL__LOG_REMARK : DL__LOG_WARNING,
                "the program's kernels run as written: dl-builder, which reads their "
                "text with libclang, is of no use here: %s",
                why);
    else
        /* Others than its user may read what such a program says. */
        dl__log(getauxval(AT_SECURE) ? DL__LOG_REMARK : DL__LOG_WARNING,
                "the program's kernels run as written: dl-builder, which reads their "
                "text, %s%s",
                ready == DL__ALONE      ? "can't be started: "
                : ready == DL__BUILDING ? "takes too long"
                                        : "does not say what it has found",
                ready == DL__ALONE ? why : "");
}

/* The device's compiler is asked what the builder, which has no such device, has to know.
 */
static void answer(struct dl__unit *unit, struct dl__context *context,
                   cl_device_id device, const struct dl__pack *questions)
{
    struct dl__probe probe = {
        .context = context, .device = device, .options = unit->options};
    struct dl__unpack list = {.data = questions->data, .bytes = questions->bytes};
    enum { QUESTIONS_MAX = 64 };
    const char *conditions[QUESTIONS_MAX];
    bool holds[QUESTIONS_MAX];
    size_t count = 0;

    while (!list.failed && list.at < list.bytes && count < QUESTIONS_MAX) {
        const char *condition = dl__unpack_text(&list);

        if (condition)
            conditions[count++] = condition;
    }
    unit->unanswered = !count || !dl__probe_ask(&probe, conditions, count, holds);
    for (size_t i = 0; !unit->unanswered && i < count; i++) {
        dl__pack_text(&unit->answers, conditions[i]);
        dl__pack_number(&unit->answers, holds[i]);
    }
}

/* The builder's reply, or why there is none. */
static enum dl__ready ask_builder(struct dl__unit *unit, struct dl__context *context,
                                  cl_device_id device, bool wait, struct dl__reply *reply)
    DL__REQUIRES(unit->annotating)
{
    enum { ROUNDS_MAX = 16 };

    for (int round = 0; round < ROUNDS_MAX; round++) {
        enum dl__ready ready =
            wait ? dl__builder_wait(&unit->reading, dl__job_pack_text, unit)
                 : dl__builder_ask(&unit->reading, dl__job_pack_text, unit, false);

        if (ready != DL__READY || !dl__reply_take(unit, reply) || !reply->questions.bytes)
            return ready;
        answer(unit, context, device, &reply->questions);
        dl__reply_free(reply);
        unit->reading = (struct dl__ticket){0};
    }
    return DL__READY;
}

static bool get_kept(struct dl__unit *unit, struct dl__reply *reply)
{
    struct dl__pack key;

    reply->record.text = unit->text;
    reply->kept =
        dl__unit_key(&key, unit, "text") &&
        dl__cache_get_rewritten(&key, &reply->status, &reply->text, &reply->record);
    dl__pack_free(&key);
    reply->there = reply->kept;
    return reply->kept;
}

/* As long as the builder took, or as finding it in the cache did. */
static void count_text(const struct dl__reply *reply, double start_ms)
{
    const struct dl_annotate_times *times = &reply->times;
    struct dl__text_times seen = {
        .load_ms = times->load,
        .total_ms = reply->kept ? 1e3 * dl__clock_seconds() - start_ms
                                : times->expand + times->parse + times->rewrite,
        .expand_ms = times->expand,
        .parse_ms = times->parse,
        .rewrite_ms = times->rewrite};

    if (reply->status != DL_ENOLIB)
        dl__stats_text(reply->kept, &seen);
}

void dl__unit_say_left(const struct dl__unit *unit, const char *kernel)
{
    dl__remarks_warn(unit->remarks.data, unit->remarks.bytes,
                     unit->source ? unit->source : unit->text, kernel);
}

void dl__unit_settle(struct dl__unit *unit, struct dl__reply *reply)
{
    enum dl_status status = reply->status;
    bool as_built = dl__unit_was_as_built(unit, &reply->record.files);

    if (!as_built)
        status = DL_EREFUSED;
    if (!dl__options_get()->layout_auto) {
        dl__pack_free(&unit->remarks);
        unit->remarks = reply->record.remarks;
        memset(&reply->record.remarks, 0, sizeof reply->record.remarks);
    }
    /* Both have read all of it. */
    if (as_built && (status == DL_OK || status == DL_EREFUSED)) {
        dl__pack_free(&unit->files);
        unit->files_known = true;
        unit->files = reply->record.files;
        memset(&reply->record.files, 0, sizeof reply->record.files);
    }
    if (status == DL_OK)
        status = dl_annotate_scan(reply->text, strlen(reply->text), dl__log_remark, NULL,
                                  &unit->notes);
    if (status != DL_OK) {
        stay_native(unit, status);
        say_native(status);
        if (status == DL_ENOLIB)
            say_no_libclang(unit);
        return;
    }
    unit->source = unit->text;
    unit->text = reply->text;
    reply->text = NULL;
}

/* Of a text that came rewritten. */
static void read_as_it_is(struct dl__unit *unit)
{
    enum dl_status status = dl_annotate_scan(unit->text, strlen(unit->text),
                                             dl__log_remark, NULL, &unit->notes);

    if (status != DL_OK) {
        stay_native(unit, status);
        say_native(status);
    }
}

/* Rewrites the text of `unit` where its annotations can be honoured. False: it is not
 * read yet. */
static bool annotate(struct dl__unit *unit, struct dl__context *context,
                     cl_device_id device, bool wait) DL__REQUIRES(unit->annotating)
{
    double start_ms = 1e3 * dl__clock_seconds();
    uint64_t start_ns = dl__trace_now();
    struct dl__reply reply = {.kept = false};
    enum dl__ready ready = DL__READY;

    if (dl_annotate_is_rewritten(unit->text, strlen(unit->text))) {
        read_as_it_is(unit);
        return true;
    }
    aim(unit, device);
    if (unit->reply) {
        reply = *unit->reply;
        free(unit->reply);
        unit->reply = NULL;
        dl__remarks_replay(reply.record.remarks.data, reply.record.remarks.bytes,
                           unit->text);
    } else if (dl__transformer_get()) {
        dl__text_read(unit, &reply);
    } else if (unit->reading.board || !get_kept(unit, &reply)) {
        ready = ask_builder(unit, context, device, wait, &reply);
        dl__remarks_replay(reply.record.remarks.data, reply.record.remarks.bytes,
                           unit->text);
    }
    if (ready == DL__BUILDING && !wait)
        return false;
    if (ready != DL__READY || !reply.there) {
        stay_unread(unit, ready);
    } else {
        count_text(&reply, start_ms);
        dl__trace_build(reply.kept ? "text from the cache" : "text rewritten", start_ns);
        dl__unit_settle(unit, &reply);
    }
    dl__reply_free(&reply);
    return true;
}

bool dl__unit_annotate(struct dl__unit *unit, struct dl__context *context,
                       cl_device_id device, bool wait)
{
    bool annotated;

    dl__mutex_lock(&unit->annotating);
    if (!unit->annotated)
        unit->annotated = !unit->wanted || annotate(unit, context, device, wait);
    annotated = unit->annotated;
    dl__mutex_unlock(&unit->annotating);
    return annotated;
}

static bool is_kept(const struct dl__unit *unit)
{
    struct dl__pack key;
    size_t bytes;
    void *kept = NULL;
    bool is = dl__unit_key(&key, unit, "text") && dl__cache_get(&key, &kept, &bytes);

    free(kept);
    dl__pack_free(&key);
    return is;
}

void dl__unit_read_ahead(struct dl__unit *unit, struct dl__context *context,
                         cl_device_id device, bool wait)
{
    struct dl__reply reply = {.kept = false};

    dl__mutex_lock(&unit->annotating);
    if (!unit->annotated && unit->wanted && !unit->reply && !dl__transformer_get() &&
        !dl_annotate_is_rewritten(unit->text, strlen(unit->text))) {
        aim(unit, device);
        if (is_kept(unit))
            ;
        else if (!wait || unit->can_wait)
            dl__builder_ask(&unit->reading, dl__job_pack_text, unit, !unit->can_wait);
        else if (ask_builder(unit, context, device, true, &reply) == DL__READY &&
                 reply.there && (unit->reply = malloc(sizeof reply)))
            *unit->reply = reply;
        else
            dl__reply_free(&reply);
    }
    dl__mutex_unlock(&unit->annotating);
}

struct dl__unit *dl__unit_make(const struct dl__program *program, const char *options,
                               cl_uint header_count,
                               const struct dl__program *const *headers,
                               const char *const *header_names)
{
    struct dl__unit *unit;

    if (!program->source)
        return NULL;
    unit = calloc(1, sizeof *unit);
    if (!unit)
        return NULL;
    atomic_init(&unit->refs, 1);
    pthread_mutex_init(&unit->annotating.posix, NULL);
    unit->text = strdup(program->source);
    unit->options = strdup(options ? options : "");
    if (!unit->text || !unit->options ||
        !copy_headers(unit, header_count, headers, header_names)) {
        unit_free(unit);
        return NULL;
    }
    look_whether_wanted(unit);
    return unit;
}
