/* SPDX-License-Identifier: MIT */
/* Translation units: making them, and reading their annotations. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
#include "unit_files.h"
#include "unit_proof.h"

static void unit_free(struct dl__unit *unit)
{
    for (size_t i = 0; i < unit->header_count; i++) {
        free(unit->header_names[i]);
        free(unit->header_texts[i]);
    }
    free(unit->header_names);
    free(unit->header_texts);
    dl_notes_free(unit->notes);
    dl__pack_free(&unit->seen.list);
    dl__pack_free(&unit->files);
    dl__pack_free(&unit->doubtful);
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

/* The reason has been remarked, with its place and what follows from it, unless memory ran out. */
static void say_native(enum dl_status status)
{
    dl__log(status == DL_ENOMEM ? DL__LOG_WARNING : DL__LOG_REMARK,
            "the program's kernels run as written: %s",
            status == DL_ENOLIB     ? "there is no libclang to read their text with"
            : status == DL_EREFUSED ? "none of them has a buffer that DL can convert"
                                    : dl_status_text(status));
}

/* All that the rewritten text depends on, except for the files that it includes. */
bool dl__unit_key(struct dl__pack *key, const struct dl__unit *unit, cl_device_id device,
                  const char *kind)
{
    const struct dl__options *options = dl__options_get();
    char *side;

    if (!dl__cache_key_begin(key, kind, device))
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
    dl__pack_number(key, dl__device_has_second_texts(device));
    key->failed = key->failed || !side;
    free(side);
    return !key->failed;
}

/* The unit's headers in the form of the transformer; NULL: out of memory. */
static struct dl_header *headers_of(const struct dl__unit *unit)
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
    struct dl_header *headers = headers_of(unit);

    if (headers)
        dl__files_see(&unit->seen, unit->text, unit->options, headers,
                      unit->header_count);
    free(headers);
}

bool dl__text_is_wanted(const char *text, size_t bytes,
                        const struct dl_annotate_options *how)
{
    const struct dl__options *options = dl__options_get();

    /* Where no layout but the program's own is asked for, only what demands one is looked at. */
    if (dl__options_as_written(options))
        return dl_annotate_demands(text, bytes, how);
    return dl_annotate_is_rewritten(text, bytes) ||
           dl_annotate_wanted_with(text, bytes, how);
}

static void look_whether_wanted(struct dl__unit *unit)
{
    const struct dl__options *options = dl__options_get();
    struct dl_header *headers = headers_of(unit);
    size_t bytes = strlen(unit->text);
    struct dl_annotate_options how = {.build_options = unit->options,
                                      .headers = headers,
                                      .header_count = unit->header_count,
                                      .side = options->side,
                                      .detect = options->detect};

    unit->wanted = headers && dl__text_is_wanted(unit->text, bytes, &how);
    how.detect = false;
    /* The doctor is to see all that is found. */
    unit->can_wait = unit->wanted && options->layout_auto && !options->policy_test &&
                     !options->values[DL_OPTION_report].text &&
                     !dl__text_is_wanted(unit->text, bytes, &how);
    free(headers);
}

/* What the transformer is to know of a unit, beside what the caller wants of it. */
struct described {
    struct dl_header *headers;
    char *extensions, version[64];
    const char *macros[1];
};

/* False: out of memory. */
static bool describe(const struct dl__unit *unit, cl_device_id device,
                     struct described *d, struct dl_annotate_options *how)
{
    const struct dl__options *options = dl__options_get();

    d->headers = headers_of(unit);
    d->extensions = dl__device_extensions(device);
    d->macros[0] = d->version;
    how->build_options = unit->options;
    how->headers = d->headers;
    how->header_count = unit->header_count;
    how->side = options->side;
    how->detect = options->detect;
    how->coalesced = dl__device_has_second_texts(device);
    how->libclang = options->libclang;
    how->device_extensions = d->extensions;
    if (dl__device_version(device, d->version, sizeof d->version)) {
        how->device_macros = d->macros;
        how->device_macro_count = 1;
    }
    return d->headers != NULL;
}

static void described_free(struct described *d)
{
    free(d->extensions);
    free(d->headers);
}

/* Rewrites a unit's text, with all that libclang is needed for. `how` has what the caller wants
 * besides. */
static enum dl_status rewrite(const struct dl__unit *unit, const char *source,
                              cl_device_id device, struct dl_annotate_options *how,
                              dl_remark_fn remark, void *user, char **text)
{
    struct described d;
    enum dl_status status = DL_ENOMEM;

    if (describe(unit, device, &d, how))
        status = dl_annotate_rewrite(source, strlen(source), how, remark, user, text);
    described_free(&d);
    return status;
}

enum dl_status dl__unit_compare(const struct dl__unit *unit, struct dl__context *context,
                                cl_device_id device, unsigned ms_max, dl_remark_fn remark,
                                dl_proof_fn proved, void *user, bool *lasts)
{
    struct dl__probe probe = {
        .context = context, .device = device, .options = unit->options};
    struct dl_annotate_options how = {
        .ask_device = dl__probe_ask, .ask_user = &probe, .ms_max = ms_max};
    struct described d;
    enum dl_status status = DL_ENOMEM;
    const char *reason;
    bool as_built = dl__unit_is_as_built(unit, &reason);

    if (describe(unit, device, &d, &how) && as_built)
        status = dl_annotate_prove(unit->source, strlen(unit->source), unit->text,
                                   strlen(unit->text), &how, remark, proved, user);
    described_free(&d);
    /* Both texts were read with what they include. */
    if (status != DL_ENOMEM && !(as_built && dl__unit_is_as_built(unit, &reason)))
        status = DL_EIO;
    *lasts = status != DL_EIO && !probe.unanswered && status != DL_ENOMEM &&
             status != DL_ENOLIB;
    return status;
}

/* The same for the first time: its remarks are said, and all that it depends on is recorded. */
static enum dl_status rewrite_anew(const struct dl__unit *unit,
                                   struct dl__context *context, cl_device_id device,
                                   struct dl__record *record,
                                   struct dl_annotate_times *times, char **text)
{
    struct dl__probe probe = {
        .context = context, .device = device, .options = unit->options};
    struct dl_annotate_options how = {.times = times,
                                      .on_file = dl__record_file,
                                      .on_file_user = record,
                                      .ask_device = dl__probe_ask,
                                      .ask_user = &probe};
    enum dl_status status =
        rewrite(unit, unit->text, device, &how, dl__record_remark, record, text);

    record->files.failed = record->files.failed || probe.unanswered;
    return status;
}

void dl__unit_ask(const struct dl__unit *unit, struct dl__context *context,
                  cl_device_id device)
{
    struct dl__probe probe = {
        .context = context, .device = device, .options = unit->options};
    struct dl_annotate_options how = {
        .ask_device = dl__probe_ask, .ask_user = &probe, .ask_only = true};
    struct dl__pack key;
    size_t bytes;
    void *kept = NULL;
    char *text;

    if (!unit->wanted || unit->can_wait ||
        dl_annotate_is_rewritten(unit->text, strlen(unit->text)))
        return;
    /* What is kept asks nothing. */
    if (!dl__unit_key(&key, unit, device, "text") || !dl__cache_get(&key, &kept, &bytes))
        rewrite(unit, unit->text, device, &how, NULL, NULL, &text);
    free(kept);
    dl__pack_free(&key);
}

char *dl__unit_text_without(const struct dl__unit *unit, struct dl__context *context,
                            cl_device_id device, const char *const *kernels, size_t count)
{
    struct dl__probe probe = {
        .context = context, .device = device, .options = unit->options};
    struct dl_annotate_options how = {.ask_device = dl__probe_recall,
                                      .ask_user = &probe,
                                      .left_out = kernels,
                                      .left_out_count = count};
    char *text = NULL;

    if (!unit->source ||
        rewrite(unit, unit->source, device, &how, NULL, NULL, &text) != DL_OK)
        return NULL;
    return text;
}

/* Longer than rewriting takes on a busy machine. */
enum { REWRITING_MS_MAX = 10000 };

/* The rewritten text of `unit`, as it was kept or made now. */
static enum dl_status get_rewritten(struct dl__unit *unit, struct dl__context *context,
                                    cl_device_id device, char **text)
{
    double start_ms = 1e3 * dl__clock_seconds();
    uint64_t start_ns = dl__trace_now();
    struct dl_annotate_times times = {0};
    struct dl__text_times seen;
    struct dl__record record = {.text = unit->text};
    enum dl_status status;
    struct dl__pack key;
    bool keyed = dl__unit_key(&key, unit, device, "text");
    bool kept = keyed && dl__cache_get_rewritten(&key, &status, text, &record);
    struct dl__hold hold = {.fd = -1};
    bool as_built;

    if (keyed && !kept) {
        /* Of the ranks of a job, which start together, one rewrites. */
        dl__cache_hold(&key, REWRITING_MS_MAX, &hold);
        kept = dl__cache_get_rewritten(&key, &status, text, &record);
    }
    if (!kept)
        status = rewrite_anew(unit, context, device, &record, &times, text);
    as_built = dl__unit_was_as_built(unit, &record.files);
    if (!kept && keyed && as_built)
        dl__cache_put_rewritten(&key, status, *text, &record,
                                dl__options_get()->libclang);
    dl__store_let_go(&hold);
    seen = (struct dl__text_times){.load_ms = times.load,
                                   .total_ms =
                                       1e3 * dl__clock_seconds() - start_ms - times.load,
                                   .expand_ms = times.expand,
                                   .parse_ms = times.parse,
                                   .rewrite_ms = times.rewrite};
    if (status != DL_ENOLIB)
        dl__stats_text(kept, &seen);
    dl__trace_build(kept ? "text from the cache" : "text rewritten", start_ns);
    if (!as_built) {
        free(*text);
        *text = NULL;
        status = DL_EREFUSED;
    }
    /* Both have read all of it. */
    if (as_built && (status == DL_OK || status == DL_EREFUSED)) {
        dl__pack_free(&unit->files);
        unit->files_known = true;
        unit->files = record.files;
        memset(&record.files, 0, sizeof record.files);
    }
    dl__record_free(&record);
    dl__pack_free(&key);
    return status;
}

/* The program's text stays. Kernels that can't run on the program's layout must not run at all. */
static void stay_native(struct dl__unit *unit, enum dl_status status)
{
    if (dl_annotate_refuse(unit->text, strlen(unit->text), dl__options_get()->side,
                           &unit->notes) != DL_OK)
        unit->notes = NULL;
    /* What is refused has been read. */
    unit->read_status = status == DL_EREFUSED ? DL_OK : status;
    say_native(status);
}

/* Rewrites the text of `unit` where its annotations can be honoured. */
static void annotate(struct dl__unit *unit, struct dl__context *context,
                     cl_device_id device)
{
    char *text = NULL;
    enum dl_status status;

    if (!dl_annotate_is_rewritten(unit->text, strlen(unit->text))) {
        status = get_rewritten(unit, context, device, &text);
        if (status != DL_OK) {
            stay_native(unit, status);
            goto out;
        }
    }
    status = dl_annotate_scan(text ? text : unit->text, strlen(text ? text : unit->text),
                              dl__log_remark, NULL, &unit->notes);
    if (status != DL_OK) {
        stay_native(unit, status);
    } else if (text) {
        unit->source = unit->text;
        unit->text = text;
        text = NULL;
        dl__unit_prove_at_once(unit, context, device);
    }
out:
    free(text);
}

static void annotate_once(struct dl__unit *unit, struct dl__context *context,
                          cl_device_id device) DL__REQUIRES(unit->annotating)
{
    if (!unit->annotated && unit->wanted)
        annotate(unit, context, device);
    unit->annotated = true;
}

void dl__unit_annotate(struct dl__unit *unit, struct dl__context *context,
                       cl_device_id device)
{
    dl__mutex_lock(&unit->annotating);
    annotate_once(unit, context, device);
    dl__mutex_unlock(&unit->annotating);
}

static bool is_kept(const struct dl__unit *unit, cl_device_id device)
{
    struct dl__pack key;
    size_t bytes;
    void *kept = NULL;
    bool is =
        dl__unit_key(&key, unit, device, "text") && dl__cache_get(&key, &kept, &bytes);

    free(kept);
    dl__pack_free(&key);
    return is;
}

/* Asks the builder for a text that is not kept. */
static enum dl__ready ask_for_text(struct dl__unit *unit, cl_device_id device)
    DL__REQUIRES(unit->annotating)
{
    const struct dl__text_wanted wanted = {unit, device};
    struct dl__ticket *reading = &unit->reading;

    if (!reading->board && !reading->over && is_kept(unit, device))
        *reading = (struct dl__ticket){.over = true, .ready = DL__READY};
    return dl__builder_ask(reading, dl__job_pack_text, &wanted);
}

/* The builder has died of it twice. */
static void give_up_reading(struct dl__unit *unit) DL__REQUIRES(unit->annotating)
{
    unit->annotated = true;
    unit->read_status = DL_ELIMIT;
    dl__log(DL__LOG_REMARK, "the program's kernels run as written: libclang crashes on "
                            "their text");
}

bool dl__unit_annotate_read(struct dl__unit *unit, struct dl__context *context,
                            cl_device_id device)
{
    enum dl__ready ready = DL__READY;

    dl__mutex_lock(&unit->annotating);
    if (!unit->annotated && unit->can_wait)
        ready = ask_for_text(unit, device);
    if (ready == DL__READY)
        annotate_once(unit, context, device);
    else if (ready == DL__NOT_POSSIBLE)
        give_up_reading(unit);
    dl__mutex_unlock(&unit->annotating);
    return ready != DL__BUILDING;
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
