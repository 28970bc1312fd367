/* SPDX-License-Identifier: MIT */
/* Translation units: the files that they include, what rewriting them said, making them,
 * and reading their annotations, here or in the builder. */
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/binaries.h"
#include "libdl_intercept/base/clock.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/reports/facts.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/trace/trace.h"
#include "devices.h"
#include "serve.h"

/* ---- lists of files, packed ---- */

enum { FILES_BYTES_MAX = 16 << 20 };

struct file {
    const char *path;
    bool is_there;
    const unsigned char *text;
    size_t bytes;
};

static bool next_file(struct dl__unpack *fields, struct file *file)
{
    if (fields->failed || fields->at >= fields->bytes)
        return false;
    file->path = dl__unpack_text(fields);
    file->is_there = dl__unpack_number(fields);
    file->text = dl__unpack_bytes(fields, &file->bytes);
    return !fields->failed;
}

static bool has_file(const struct dl__pack *files, const struct file *wanted)
{
    struct dl__unpack fields = dl__unpack_of(files);
    struct file file;

    while (next_file(&fields, &file)) {
        if (strcmp(file.path, wanted->path) == 0 && file.is_there == wanted->is_there &&
            file.bytes == wanted->bytes &&
            memcmp(file.text, wanted->text, file.bytes) == 0)
            return true;
    }
    return false;
}

/* on_file of struct dl_annotate_options: adds to a list. */
static void files_add(void *list, const char *path, const char *text, size_t bytes)
{
    struct dl__pack *files = list;
    const struct file file = {path, text != NULL,
                              (const unsigned char *)(text ? text : ""), bytes};

    if (has_file(files, &file))
        return;
    if (bytes > FILES_BYTES_MAX || files->bytes > FILES_BYTES_MAX)
        files->failed = true;
    dl__pack_text(files, path);
    dl__pack_number(files, text != NULL);
    dl__pack_bytes(files, text ? text : "", bytes);
}

static bool holds_the_same(int fd, const struct file *file)
{
    /* One byte more than there should be. */
    size_t at = 0, room = file->bytes + 1;
    unsigned char *text = malloc(room);
    ssize_t done = 0;
    bool same;

    while (text && at < room && (done = read(fd, text + at, room - at)) > 0)
        at += (size_t)done;
    same = text && done == 0 && at == file->bytes && memcmp(text, file->text, at) == 0;
    free(text);
    return same;
}

static bool file_unchanged(const struct file *file)
{
    struct stat info;
    bool same;
    int fd;

    if (stat(file->path, &info) != 0)
        return !file->is_there;
    /* A pipe, which nobody but the driver may open, is not known to be what it was. */
    if (!S_ISREG(info.st_mode))
        return !file->is_there && S_ISDIR(info.st_mode);
    fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return !file->is_there;
    same = file->is_there && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
           (uint64_t)info.st_size == file->bytes && holds_the_same(fd, file);
    close(fd);
    return same;
}

/* False: `changed` is the first that is not as it was; its path is NULL where the list
 * can't be read. */
static bool files_unchanged(const struct dl__pack *files, struct file *changed)
{
    struct dl__unpack fields = dl__unpack_of(files);

    while (next_file(&fields, changed))
        if (!file_unchanged(changed))
            return false;
    changed->path = NULL;
    return !files->failed && !fields.failed;
}

bool dl__files_unchanged(const struct dl__pack *files)
{
    struct file changed;

    return files_unchanged(files, &changed);
}

/* True when the second list has each of the first, with what it holds. */
static bool files_are_among(const struct dl__pack *files, const struct dl__pack *others)
{
    struct dl__unpack fields = dl__unpack_of(files);
    struct file file;

    while (next_file(&fields, &file)) {
        if (!has_file(others, &file))
            return false;
    }
    return !files->failed && !fields.failed && !others->failed;
}

/* ---- files that units include ---- */

/* -include, -isystem, --include and their like: words of their own, quoted or not. */
static bool has_other_includes(const char *options)
{
    static const char before[] = " \t\n\r\"'";

    for (const char *at = options; at && (at = strstr(at, "-i")); at++) {
        const char *word = at > options && at[-1] == '-' ? at - 1 : at;

        if (word == options || strchr(before, word[-1]))
            return true;
    }
    return false;
}

void dl__files_see(struct dl__seen_files *seen, const char *text, const char *options,
                   const struct dl_header *headers, size_t header_count)
{
    const struct dl_annotate_options how = {.build_options = options,
                                            .headers = headers,
                                            .header_count = header_count,
                                            .on_file = files_add,
                                            .on_file_user = &seen->list};

    dl__pack_free(&seen->list);
    *seen = (struct dl__seen_files){.whole = !has_other_includes(options)};
    if (dl_annotate_may_include(text))
        seen->whole = dl_annotate_files(text, strlen(text), &how) == DL_OK && seen->whole;
    seen->whole = seen->whole && !seen->list.failed;
}

bool dl__unit_files_known(const struct dl__unit *unit)
{
    return !has_other_includes(unit->options) &&
           (unit->files_known ? !unit->files.failed
                              : !dl_annotate_may_include(unit->text));
}

/* The same of what was read to rewrite it; says so where it was something else.
 *   files  all that was read */
static bool unit_was_as_built(const struct dl__unit *unit, const struct dl__pack *files)
{
    enum dl__log_level level = unit->can_wait ? DL__LOG_REMARK : DL__LOG_WARNING;
    struct file changed;

    if (files_are_among(files, &unit->seen.list))
        return true;
    if (!files_unchanged(&unit->seen.list, &changed) && changed.path)
        dl__log(level,
                "'%s', which kernels include, has changed since the program was built: "
                "they run as written",
                changed.path);
    else
        dl__log(level, "a file that kernels include is named by a macro, or has changed "
                       "since the program was built: they run as written");
    return false;
}

/* ---- what came of reading a text ---- */

/* The result of rewriting a unit's text, or what has to be known of the device first. The
 * builder's goes to the program beside the cache, since some of it is of no use to later
 * runs. Threads: it is the caller's. */
struct dl__reply {
    enum dl_status status;
    char *text;      /* NULL unless DL_OK */
    bool there;      /* else there is none */
    bool kept;       /* from the cache: nothing was read for it */
    double ahead_ms; /* that finding it took before it was wanted */
    /* The remarks that were made, and the files that were included; if a part has failed,
     * nothing of it is kept. */
    struct dl__pack remarks, files;
    struct dl_annotate_times times;
    /* Conditions that only the device's compiler can decide, where the builder has no
     * such device; texts. If there are any, all the rest is empty. */
    struct dl__pack questions;
};

static void reply_free(struct dl__reply *reply)
{
    free(reply->text);
    dl__pack_free(&reply->remarks);
    dl__pack_free(&reply->files);
    dl__pack_free(&reply->questions);
    memset(reply, 0, sizeof *reply);
}

/* A callback of the transformer; `user` is the reply. */
static void record_remark(void *user, const struct dl_remark *remark)
{
    struct dl__reply *reply = user;

    dl__pack_number(&reply->remarks, remark->severity);
    dl__pack_text(&reply->remarks, remark->file);
    dl__pack_number(&reply->remarks, remark->line);
    dl__pack_number(&reply->remarks, remark->column);
    dl__pack_text(&reply->remarks, remark->text);
}

/* False: there is none any more. */
static bool next_remark(struct dl__unpack *fields, struct dl_remark *remark)
{
    if (fields->failed || fields->at >= fields->bytes)
        return false;
    remark->severity = (enum dl_severity)dl__unpack_number(fields);
    remark->file = dl__unpack_text(fields);
    remark->line = (unsigned)dl__unpack_number(fields);
    remark->column = (unsigned)dl__unpack_number(fields);
    remark->text = dl__unpack_text(fields);
    return !fields->failed && remark->text && remark->severity <= DL_ERROR;
}

/* ---- rewritten texts ---- */

/* Which libclang has refused: another one may not. */
static void pack_libclang(struct dl__pack *value, const char *path)
{
    struct stat info;

    if (!path || stat(path, &info) != 0)
        memset(&info, 0, sizeof info);
    dl__pack_text(value, path);
    dl__pack_number(value, (uint64_t)info.st_size);
    dl__pack_number(value, (uint64_t)info.st_mtim.tv_sec);
    dl__pack_number(value, (uint64_t)info.st_mtim.tv_nsec);
}

/* It is the rest of the fields. */
static bool libclang_unchanged(struct dl__unpack fields)
{
    const unsigned char *then = fields.data + fields.at;
    size_t bytes = fields.bytes - fields.at;
    struct dl__pack now = {0};
    bool same;

    pack_libclang(&now, dl__unpack_text(&fields));
    same = !now.failed && now.bytes == bytes && memcmp(then, now.data, bytes) == 0;
    dl__pack_free(&now);
    return same;
}

static bool unpack_list(struct dl__unpack *fields, struct dl__pack *list)
{
    size_t bytes;
    const unsigned char *data = dl__unpack_bytes(fields, &bytes);

    if (data)
        dl__pack_fields(list, data, bytes);
    return data && !list->failed;
}

/* The parts of a reply that the cache keeps, too. */
static void pack_result(struct dl__pack *value, const struct dl__reply *reply)
{
    dl__pack_number(value, reply->status);
    dl__pack_text(value, reply->text);
    dl__pack_bytes(value, reply->remarks.data, reply->remarks.bytes);
    dl__pack_bytes(value, reply->files.data, reply->files.bytes);
}

static bool unpack_result(struct dl__unpack *fields, struct dl__reply *reply)
{
    const char *text;

    reply->status = (enum dl_status)dl__unpack_number(fields);
    text = dl__unpack_text(fields);
    reply->text = text ? strdup(text) : NULL;
    return unpack_list(fields, &reply->remarks) && unpack_list(fields, &reply->files) &&
           (reply->status == DL_OK) == (reply->text != NULL);
}

/* Gets the result of a rewriting from the cache: DL_OK with the text, or why the program
 * is not transformed. */
static bool cache_get_rewritten(const struct dl__pack *key, struct dl__reply *reply)
{
    struct dl__reply found = {.there = true, .kept = true};
    struct dl__unpack fields = {0};
    void *value = NULL;
    bool good;

    if (!dl__cache_get(key, &value, &fields.bytes))
        return false;
    fields.data = value;
    good = unpack_result(&fields, &found) &&
           (found.status == DL_OK || libclang_unchanged(fields)) &&
           dl__files_unchanged(&found.files);
    free(value);
    if (!good) {
        reply_free(&found);
        return false;
    }
    *reply = found;
    return true;
}

/* Keeps nothing when trying once more may help; for other runs and other jobs, the
 * program is told otherwise (reply_put). `libclang`: the path of the one that was used;
 * NULL: none. */
static void cache_put_rewritten(const struct dl__pack *key, const struct dl__reply *reply,
                                const char *libclang)
{
    struct dl__pack value = {0};

    if ((reply->status != DL_OK && reply->status != DL_EPARSE &&
         reply->status != DL_EREFUSED) ||
        reply->remarks.failed || reply->files.failed)
        return;
    pack_result(&value, reply);
    if (reply->status != DL_OK)
        pack_libclang(&value, libclang);
    if (!value.failed) {
        dl__memory_put(key, value.data, value.bytes);
        dl__cache_keep(key, value.data, value.bytes);
    }
    dl__pack_free(&value);
}

/* ---- units as bytes ---- */

enum { HEADERS_MAX = 100000 };

void dl__unit_pack_headers(struct dl__pack *pack, const struct dl__unit *unit)
{
    dl__pack_number(pack, unit->header_count);
    for (size_t h = 0; h < unit->header_count; h++) {
        dl__pack_text(pack, unit->headers[h].name);
        dl__pack_text(pack, unit->headers[h].text);
    }
}

void dl__unit_pack(struct dl__pack *pack, const struct dl__unit *unit, bool files)
{
    files = files && unit->files_known && !unit->files.failed;
    dl__pack_text(pack, dl__unit_own_text(unit));
    dl__pack_text(pack, unit->options);
    dl__unit_pack_headers(pack, unit);
    dl__pack_number(pack, unit->seen.whole);
    dl__pack_bytes(pack, unit->seen.list.data, unit->seen.list.bytes);
    dl__pack_number(pack, files);
    if (files)
        dl__pack_bytes(pack, unit->files.data, unit->files.bytes);
}

static bool unpack_files(struct dl__unpack *fields, struct dl__unit *unit)
{
    unit->seen.whole = dl__unpack_number(fields);
    if (!unpack_list(fields, &unit->seen.list))
        return false;
    unit->files_known = dl__unpack_number(fields);
    return unit->files_known ? unpack_list(fields, &unit->files) : !fields->failed;
}

struct dl__unit *dl__unit_unpack(struct dl__unpack *fields)
{
    const char *source = dl__unpack_text(fields), *options = dl__unpack_text(fields);
    uint64_t count = dl__unpack_number(fields);
    struct dl_header *headers = NULL;
    struct dl__unit *unit = NULL;

    if (!fields->failed && source && count <= HEADERS_MAX)
        headers = calloc(count + 1, sizeof *headers);
    for (uint64_t h = 0; headers && h < count; h++) {
        headers[h].name = dl__unpack_text(fields);
        headers[h].text = dl__unpack_text(fields);
    }
    if (headers && !fields->failed)
        unit = dl__unit_make(source, options, headers, (size_t)count);
    if (unit && !unpack_files(fields, unit)) {
        dl__unit_release(unit);
        unit = NULL;
    }
    free(headers);
    return unit;
}

/* ---- replies, on their way from the builder to the program ---- */

/* Makes a key for what is made of the unit's own text for its target: all that the
 * rewritten text depends on, except for the files that it includes; or for what the
 * builder replies to this unit alone. It is to be freed in any case. False: it can't be
 * made. */
static bool unit_key(struct dl__pack *key, const struct dl__unit *unit, bool reply)
{
    const struct dl__options *options = dl__options_get();
    char *side;

    if (!unit->target.name.bytes)
        memset(key, 0, sizeof *key);
    if (!unit->target.name.bytes ||
        !dl__cache_key_begin_named(key, reply ? "reply" : "text", &unit->target.name))
        return false;
    side = dl_side_file_text(options->side);
    dl__pack_text(key, dl__unit_own_text(unit));
    dl__pack_text(key, unit->options);
    dl__unit_pack_headers(key, unit);
    dl__pack_text(key, side);
    dl__pack_text(key, options->libclang);
    dl__pack_number(key, options->detect);
    dl__pack_number(key, unit->target.second_texts);
    if (reply)
        dl__pack_number(key, unit->asker);
    key->failed = key->failed || !side;
    free(side);
    return !key->failed;
}

/* In the builder: tells the program. */
static void reply_put(const struct dl__unit *unit, const struct dl__reply *reply)
{
    struct dl__pack key, value = {0};
    bool keyed = unit_key(&key, unit, true);

    pack_result(&value, reply);
    dl__pack_number(&value, reply->kept);
    dl__pack_number(&value, reply->files.failed);
    dl__pack_bytes(&value, &reply->times, sizeof reply->times);
    dl__pack_bytes(&value, reply->questions.data, reply->questions.bytes);
    if (keyed && !value.failed && !reply->questions.failed)
        dl__cache_tell(&key, value.data, value.bytes);
    dl__pack_free(&value);
    dl__pack_free(&key);
}

static bool unpack(struct dl__unpack fields, struct dl__reply *reply)
{
    const unsigned char *times;
    size_t bytes;

    reply->there = unpack_result(&fields, reply);
    reply->kept = dl__unpack_number(&fields);
    reply->files.failed |= dl__unpack_number(&fields) != 0;
    times = dl__unpack_bytes(&fields, &bytes);
    if (times && bytes == sizeof reply->times)
        memcpy(&reply->times, times, bytes);
    unpack_list(&fields, &reply->questions);
    return reply->there && !fields.failed;
}

/* In the program: what it was told, once. False: nothing. */
static bool reply_take(const struct dl__unit *unit, struct dl__reply *reply)
{
    struct dl__unpack fields = {0};
    struct dl__pack key;
    void *value = NULL;
    bool good = false;

    *reply = (struct dl__reply){.there = false};
    if (unit_key(&key, unit, true) && dl__memory_get(&key, &value, &fields.bytes)) {
        dl__memory_drop(&key);
        fields.data = value;
        good = unpack(fields, reply);
    }
    if (!good)
        reply_free(reply);
    free(value);
    dl__pack_free(&key);
    return good;
}

/* ---- asking a device's compiler ----
 *
 * DL builds a small program of its own to find out, for example, which macros it defines.
 */

/* Whom to ask. */
struct probe {
    struct dl__context *context;
    cl_device_id device;
    const char *options; /* of the program's build */
};

/* A kernel for each condition that holds, and one to tell a device with none from a build
 * that brought nothing. */
static char *probe_text(const char *const *conditions, size_t count)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    if (!out)
        return NULL;
    for (size_t i = 0; i < count; i++)
        fprintf(out, "#if (%s)\n__kernel void dl_holds_%zu(void) {}\n#endif\n",
                conditions[i], i);
    fputs("__kernel void dl_probed(void) {}\n", out);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static bool has_kernel(cl_program program, const char *name, bool *out)
{
    cl_int err;
    cl_kernel kernel = dl__next.clCreateKernel(program, name, &err);

    if (err == CL_SUCCESS)
        dl__next.clReleaseKernel(kernel);
    *out = err == CL_SUCCESS;
    return err == CL_SUCCESS || err == CL_INVALID_KERNEL_NAME;
}

static DL__WITH_LOCK bool probe_build(const struct probe *probe,
                                      const char *const *conditions, size_t count,
                                      bool *holds)
{
    char *text = probe_text(conditions, count);
    char *options = dl__options_quiet(probe->options, "");
    cl_uint before = dl__context_count_begin(probe->context);
    cl_program program = NULL;
    bool answered = false, probed = false;

    if (text && options)
        program = dl__program_from_text(probe->context->object.handle, text);
    if (program && dl__next.clBuildProgram(program, 1, &probe->device, options, NULL,
                                           NULL) == CL_SUCCESS)
        answered = has_kernel(program, "dl_probed", &probed) && probed;
    for (size_t i = 0; answered && i < count; i++) {
        char name[32];

        snprintf(name, sizeof name, "dl_holds_%zu", i);
        answered = has_kernel(program, name, &holds[i]);
    }
    if (program)
        dl__next.clReleaseProgram(program);
    dl__context_count_end(probe->context, before);
    free(options);
    free(text);
    return answered;
}

/* Decides conditions of #if, which are asked once for a device and its options. False: it
 * does not answer. Takes the context's lock. */
static bool probe_ask(const struct probe *probe, const char *const *conditions,
                      size_t count, bool *holds)
{
    size_t bytes = count * sizeof *holds, known_bytes;
    struct dl__pack key;
    void *known = NULL;
    bool answered;

    answered = dl__cache_key_begin(&key, "conditions", probe->device);
    dl__pack_text(&key, probe->options);
    for (size_t i = 0; i < count; i++)
        dl__pack_text(&key, conditions[i]);
    answered = answered && !key.failed && dl__memory_get(&key, &known, &known_bytes) &&
               known_bytes == bytes;
    if (answered) {
        memcpy(holds, known, bytes);
    } else {
        dl__context_lock(probe->context);
        answered = probe_build(probe, conditions, count, holds);
        dl__context_unlock(probe->context);
        for (size_t i = 0; answered && i < count; i++)
            dl__log(DL__LOG_DEBUG, "on this device `%s` %s", conditions[i],
                    holds[i] ? "holds" : "does not hold");
        if (answered && !key.failed)
            dl__memory_put(&key, holds, bytes);
    }
    free(known);
    dl__pack_free(&key);
    return answered;
}

/* ---- the transformer's work on units, in the builder ---- */

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
    struct dl__unpack answers = dl__unpack_of(&unit->answers);

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
    struct probe probe = {.options = unit->options};
    bool known = true;

    for (size_t i = 0; i < count; i++)
        known = known && recall(unit, conditions[i], &holds[i]);
    if (known)
        return true;
    probe.device = dl__devices_find(unit->target.name.data, unit->target.name.bytes);
    probe.context = probe.device ? dl__devices_context(probe.device) : NULL;
    if (probe.context && probe_ask(&probe, conditions, count, holds))
        return true;
    asker->unanswered = true;
    for (size_t i = 0; !unit->unanswered && i < count; i++)
        dl__pack_text(&asker->questions, conditions[i]);
    return false;
}

static void rewrite_anew(const struct dl__unit *unit, struct dl__reply *reply)
{
    const char *source = dl__unit_own_text(unit), *version = unit->target.version;
    const struct dl__options *options = dl__options_get();
    struct asker asker = {.unit = unit};
    const struct dl_annotate_options how = {
        .build_options = unit->options,
        .headers = unit->headers,
        .header_count = unit->header_count,
        .side = options->side,
        .detect = options->detect,
        .coalesced = unit->target.second_texts,
        .apart = true,
        .libclang = options->libclang,
        .device_extensions = unit->target.extensions,
        .device_macros = &version,
        .device_macro_count = *version != '\0',
        .ask_device = ask,
        .ask_user = &asker,
        .times = &reply->times,
        .on_file = files_add,
        .on_file_user = &reply->files,
    };

    reply->status = dl__transformer_get()->rewrite(source, strlen(source), &how,
                                                   record_remark, reply, &reply->text);
    if (asker.questions.bytes) {
        reply_free(reply);
        reply->there = true;
        reply->status = DL_EREFUSED;
        reply->questions = asker.questions;
    }
    reply->files.failed = reply->files.failed || asker.unanswered;
}

/* Makes the reply for the unit's text, from the cache or by reading it now. Opens a
 * device only for questions that only a device can answer. */
static void text_read(const struct dl__unit *unit, struct dl__reply *reply)
{
    struct dl__hold hold = {.fd = -1};
    struct dl__pack key;
    bool keyed = unit_key(&key, unit, false);

    *reply = (struct dl__reply){.there = true};
    for (int look = 0; keyed && !reply->kept && look < 2; look++) {
        /* Of the ranks of a job, which start together, one rewrites. */
        if (look)
            dl__cache_hold(&key, REWRITING_MS_MAX, NULL, &hold);
        cache_get_rewritten(&key, reply);
    }
    if (!reply->kept)
        rewrite_anew(unit, reply);
    if (!reply->kept && keyed && !reply->questions.bytes &&
        unit_was_as_built(unit, &reply->files))
        cache_put_rewritten(&key, reply,
                            dl__transformer_get()->libclang(dl__options_get()->libclang));
    dl__store_let_go(&hold);
    dl__pack_free(&key);
}

/* ---- making and reading ---- */

static void unit_free(struct dl__unit *unit)
{
    for (size_t h = 0; h < unit->header_count; h++) {
        free((char *)unit->headers[h].name);
        free((char *)unit->headers[h].text);
    }
    free(unit->headers);
    dl_notes_free(unit->notes);
    dl__pack_free(&unit->remarks);
    dl__pack_free(&unit->seen.list);
    dl__pack_free(&unit->files);
    dl__pack_free(&unit->target.name);
    free(unit->target.extensions);
    dl__pack_free(&unit->answers);
    if (unit->reply)
        reply_free(unit->reply);
    free(unit->reply);
    free(unit->options);
    free(unit->source);
    free(unit->text);
    pthread_mutex_destroy(&unit->annotating.posix);
    free(unit);
}

/* The job of reading the unit, which dl__unit_read_job takes apart. */
static void pack_job(struct dl__pack *job, const void *user)
{
    const struct dl__unit *unit = user;

    dl__pack_number(job, DL__JOB_TEXT);
    dl__pack_bytes(job, unit->target.name.data, unit->target.name.bytes);
    dl__pack_number(job, unit->asker);
    dl__pack_text(job, unit->target.extensions);
    dl__pack_text(job, unit->target.version);
    dl__pack_number(job, unit->target.second_texts);
    dl__pack_bytes(job, unit->answers.data, unit->answers.bytes);
    dl__pack_number(job, unit->unanswered);
    dl__unit_pack(job, unit, false);
}

void dl__unit_release(struct dl__unit *unit)
{
    if (unit && atomic_fetch_sub(&unit->refs, 1) == 1)
        unit_free(unit);
}

static bool copy_headers(struct dl__unit *unit, const struct dl_header *headers,
                         size_t count)
{
    unit->headers = calloc(count + 1, sizeof *unit->headers);
    for (size_t h = 0; unit->headers && h < count; h++) {
        struct dl_header *copy = &unit->headers[unit->header_count++];

        *copy = (struct dl_header){strdup(headers[h].name), strdup(headers[h].text)};
        if (!copy->name || !copy->text)
            return false;
    }
    return unit->headers != NULL;
}

bool dl__text_is_own(const char *text, size_t bytes)
{
    static const char own[] = DL__OWN_TEXT;

    return bytes >= sizeof own - 1 && memcmp(text, own, sizeof own - 1) == 0;
}

bool dl__text_is_wanted(const char *text, size_t bytes,
                        const struct dl_annotate_options *how)
{
    const struct dl__options *options = dl__options_get();

    if (dl__text_is_own(text, bytes))
        return false;
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
    size_t bytes = strlen(unit->text);
    struct dl_annotate_options how = {.build_options = unit->options,
                                      .headers = unit->headers,
                                      .header_count = unit->header_count,
                                      .side = options->side,
                                      .detect = options->detect};

    unit->wanted = dl__text_is_wanted(unit->text, bytes, &how);
    how.detect = false;
    /* The doctor is to see all that is found. */
    unit->detected = unit->wanted && !dl__text_is_wanted(unit->text, bytes, &how);
    unit->can_wait = unit->detected && options->layout_auto && !options->policy_test &&
                     !options->values[DL_OPTION_report].text;
}

/* ---- reading ---- */

/* "-D__OPENCL_VERSION__=300" of a device of "OpenCL 3.0 ..."; false: it does not say. */
static bool device_version(cl_device_id device, char *out, size_t bytes)
{
    char text[256] = "";
    unsigned major, minor;

    if (dl__next.clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof text - 1, text,
                                 NULL) != CL_SUCCESS ||
        sscanf(text, "OpenCL %u.%u", &major, &minor) != 2)
        return false;
    snprintf(out, bytes, "-D__OPENCL_VERSION__=%u", major * 100 + minor * 10);
    return true;
}

/* True when kernels get texts that access whole structs together: where they are asked
 * for, or `auto` may try them since it is known what they bring on the device; or in
 * tests. */
static bool has_second_texts(cl_device_id device)
{
    const struct dl__options *options = dl__options_get();
    struct dl_rates rates;

    if (options->coalesced || !options->layout_auto || options->policy_test)
        return options->coalesced || (options->layout_auto && options->policy_test);
    if (!dl__device_is_gpu(device))
        return false;
    dl__device_rates(device, false, &rates);
    return rates.group_part > 0;
}

/* Sets, once, the device for which the text is read. */
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
    target->extensions =
        dl__info_get(DL__OF_DEVICE, device, NULL, CL_DEVICE_EXTENSIONS, NULL);
    if (!device_version(device, target->version, sizeof target->version))
        target->version[0] = '\0';
    target->second_texts = has_second_texts(device);
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
        dl__log(DL__LOG_WARNING, "%s needs libclang, and %s, %s",
                options->advise ? "--advise" : "--layout",
                options->libclang ? "it is switched off (--libclang none)"
                                  : "there is none",
                follows);
}

/* The program's text stays. Kernels that can't run on the program's layout must not run
 * at all. */
static void keep_text(struct dl__unit *unit, enum dl_status status)
{
    if (dl_annotate_refuse(unit->text, strlen(unit->text), dl__options_get()->side,
                           &unit->notes) != DL_OK)
        unit->notes = NULL;
    /* A text that is refused has been read. */
    unit->read_status = status == DL_EREFUSED ? DL_OK : status;
}

/* The same, and says so. The reason has been remarked, with its place and what follows
 * from it, unless memory ran out. */
static void stay_native(struct dl__unit *unit, enum dl_status status)
{
    keep_text(unit, status);
    if (status == DL_EREFUSED)
        dl__log(
            DL__LOG_REMARK,
            "no kernel in one of the program's texts has a buffer that DL can convert: "
            "the kernels of that text run as written");
    else
        dl__log(status == DL_ENOMEM ? DL__LOG_WARNING : DL__LOG_REMARK,
                "the program's kernels run as written: %s",
                status == DL_ENOLIB ? "there is no libclang to read their text with"
                                    : dl_status_text(status));
}

/* There is nobody to read it. */
static void stay_unread(struct dl__unit *unit, enum dl__ready ready)
{
    const char *why = dl__builder_why_not();

    keep_text(unit, DL_ELIMIT);
    if (ready == DL__NOT_POSSIBLE)
        dl__log(unit->can_wait ? DL__LOG_REMARK : DL__LOG_WARNING,
                "the program's kernels run as written: dl-builder, which reads their "
                "text with libclang, can't be used here: %s",
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
    struct probe probe = {.context = context, .device = device, .options = unit->options};
    struct dl__unpack list = dl__unpack_of(questions);
    enum { QUESTIONS_MAX = 64 };
    const char *conditions[QUESTIONS_MAX];
    bool holds[QUESTIONS_MAX];
    size_t count = 0;

    while (!list.failed && list.at < list.bytes && count < QUESTIONS_MAX) {
        const char *condition = dl__unpack_text(&list);

        if (condition)
            conditions[count++] = condition;
    }
    unit->unanswered = !count || !probe_ask(&probe, conditions, count, holds);
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
            wait ? dl__builder_wait(&unit->reading, pack_job, unit)
                 : dl__builder_ask(&unit->reading, pack_job, unit, false);

        if (ready != DL__READY || !reply_take(unit, reply) || !reply->questions.bytes)
            return ready;
        answer(unit, context, device, &reply->questions);
        reply_free(reply);
        unit->reading = (struct dl__ticket){0};
    }
    return DL__READY;
}

static bool get_kept(struct dl__unit *unit, struct dl__reply *reply)
{
    struct dl__pack key;
    bool kept = unit_key(&key, unit, false) && cache_get_rewritten(&key, reply);

    dl__pack_free(&key);
    return kept;
}

/* As long as the builder took, or as finding it in the cache did. */
static void count_text(const struct dl__reply *reply, double start_ms)
{
    const struct dl_annotate_times *times = &reply->times;

    if (reply->status == DL_ENOLIB)
        return;
    dl__stats_add(reply->kept ? DL__STATS_TEXTS_KEPT : DL__STATS_TEXTS_REWRITTEN, 1);
    dl__stats_add(DL__STATS_LOAD_MS, times->load);
    dl__stats_add(DL__STATS_TOTAL_MS,
                  reply->kept ? 1e3 * dl__clock_seconds() - start_ms + reply->ahead_ms
                              : times->expand + times->parse + times->rewrite);
    dl__stats_add(DL__STATS_EXPAND_MS, times->expand);
    dl__stats_add(DL__STATS_PARSE_MS, times->parse);
    dl__stats_add(DL__STATS_REWRITE_MS, times->rewrite);
}

void dl__unit_say_left(const struct dl__unit *unit, const char *kernel)
{
    static const char word[] = "kernel '";
    struct dl__unpack fields = dl__unpack_of(&unit->remarks);
    size_t name_bytes = strlen(kernel);
    struct dl_remark remark;

    /* The advice lists what is left, too. */
    if (dl__log_is_heard(DL__LOG_REMARK) || dl__options_get()->advise)
        return;
    while (next_remark(&fields, &remark)) {
        const char *name = remark.text + sizeof word - 1;

        if (remark.severity != DL_REMARK || strncmp(remark.text, word, sizeof word - 1) ||
            strncmp(name, kernel, name_bytes) || name[name_bytes] != '\'' ||
            !strstr(name, " is left as it is: ") ||
            strstr(name, "neighbouring work-items use the same struct"))
            continue; /* of the latter nothing is to be changed */
        remark.severity = DL_WARNING;
        dl__log_remark_in(dl__unit_own_text(unit), &remark);
        return;
    }
}

/* Reads the notes of a rewritten text. False: they can't be read, and its own stays. */
static bool scan(struct dl__unit *unit, const char *text)
{
    enum dl_status status =
        dl_annotate_scan(text, strlen(text), dl__log_remark, NULL, &unit->notes);

    if (status != DL_OK)
        stay_native(unit, status);
    return status == DL_OK;
}

/* The unit is from now on as a reply says, parts of which it takes. */
static void unit_settle(struct dl__unit *unit, struct dl__reply *reply)
{
    enum dl_status status = reply->status;
    bool as_built = unit_was_as_built(unit, &reply->files);

    if (!as_built)
        status = DL_EREFUSED;
    if (!dl__options_get()->layout_auto) {
        dl__pack_free(&unit->remarks);
        unit->remarks = reply->remarks;
        reply->remarks = (struct dl__pack){0};
    }
    /* Both have read all of it. */
    if (as_built && (status == DL_OK || status == DL_EREFUSED)) {
        dl__pack_free(&unit->files);
        unit->files_known = true;
        unit->files = reply->files;
        reply->files = (struct dl__pack){0};
    }
    if (status != DL_OK) {
        stay_native(unit, status);
        if (status == DL_ENOLIB)
            say_no_libclang(unit);
    } else if (scan(unit, reply->text)) {
        unit->source = unit->text;
        unit->text = reply->text;
        reply->text = NULL;
    }
}

static void log_remarks(const struct dl__unit *unit, const struct dl__reply *reply)
{
    struct dl__unpack fields = dl__unpack_of(&reply->remarks);
    struct dl_remark remark;

    while (next_remark(&fields, &remark)) {
        dl__log_remark_in(unit->text, &remark);
        dl__facts_remark(&remark);
    }
}

/* Says which annotations took: nothing else tells them from what DL has found. */
static void say_followed(const struct dl__unit *unit)
{
    for (size_t k = 0; unit->notes && k < unit->notes->kernel_count; k++) {
        const struct dl_kernel_note *kernel = &unit->notes->kernels[k];
        const char *file = dl_side_file_find(dl__options_get()->side, kernel->name);

        for (size_t b = 0; b < kernel->buffer_count; b++)
            if (!kernel->buffers[b].found)
                dl__log(DL__LOG_REMARK,
                        "kernel '%s', buffer '%s': DL follows the annotation in line "
                        "%u%s%s",
                        kernel->name, kernel->buffers[b].name, kernel->buffers[b].line,
                        file ? " of " : "", file ? file : "");
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
        scan(unit, unit->text);
        say_followed(unit);
        return true;
    }
    aim(unit, device);
    if (unit->reply) {
        reply = *unit->reply;
        free(unit->reply);
        unit->reply = NULL;
    } else if (dl__transformer_get()) {
        text_read(unit, &reply);
    } else if (unit->reading.board || !get_kept(unit, &reply)) {
        ready = ask_builder(unit, context, device, wait, &reply);
    }
    if (ready == DL__BUILDING && !wait)
        return false;
    log_remarks(unit, &reply);
    if (ready != DL__READY || !reply.there) {
        stay_unread(unit, ready);
    } else {
        count_text(&reply, start_ms);
        dl__trace_build(reply.kept ? "text from the cache" : "text rewritten", start_ns);
        unit_settle(unit, &reply);
        say_followed(unit);
    }
    reply_free(&reply);
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

void dl__unit_read_ahead(struct dl__unit *unit, struct dl__context *context,
                         cl_device_id device, bool wait)
{
    double start_ms = 1e3 * dl__clock_seconds();
    struct dl__reply reply = {.kept = false};
    bool there = false;

    dl__mutex_lock(&unit->annotating);
    if (!unit->annotated && unit->wanted && !unit->reply && !dl__transformer_get() &&
        !dl_annotate_is_rewritten(unit->text, strlen(unit->text))) {
        aim(unit, device);
        if (get_kept(unit, &reply))
            there = true;
        else if (!wait || unit->can_wait)
            dl__builder_ask(&unit->reading, pack_job, unit, !unit->can_wait);
        else
            there = ask_builder(unit, context, device, true, &reply) == DL__READY &&
                    reply.there;
        reply.ahead_ms = 1e3 * dl__clock_seconds() - start_ms;
        if (there && (unit->reply = malloc(sizeof reply)))
            *unit->reply = reply;
        else
            reply_free(&reply);
    }
    dl__mutex_unlock(&unit->annotating);
}

struct dl__unit *dl__unit_make(const char *source, const char *options,
                               const struct dl_header *headers, size_t header_count)
{
    struct dl__unit *unit = source ? calloc(1, sizeof *unit) : NULL;

    if (!unit)
        return NULL;
    atomic_init(&unit->refs, 1);
    pthread_mutex_init(&unit->annotating.posix, NULL);
    unit->text = strdup(source);
    unit->options = strdup(options ? options : "");
    if (!unit->text || !unit->options || !copy_headers(unit, headers, header_count)) {
        unit_free(unit);
        return NULL;
    }
    look_whether_wanted(unit);
    return unit;
}

/* ---- in the builder ---- */

struct dl__unit *dl__unit_read_job(struct dl__unpack *job, const unsigned char *name,
                                   size_t name_bytes)
{
    uint64_t asker = dl__unpack_number(job);
    const char *extensions = dl__unpack_text(job), *version = dl__unpack_text(job);
    bool second_texts = dl__unpack_number(job), unanswered;
    const unsigned char *answers;
    size_t answer_bytes;
    struct dl__reply reply;
    struct dl__unit *unit;
    bool has = false;

    answers = dl__unpack_bytes(job, &answer_bytes);
    unanswered = dl__unpack_number(job);
    unit = dl__unit_unpack(job);
    if (unit && version && strlen(version) < sizeof unit->target.version) {
        unit->asker = asker;
        dl__pack_fields(&unit->target.name, name, name_bytes);
        unit->target.extensions = extensions ? strdup(extensions) : NULL;
        strcpy(unit->target.version, version);
        unit->target.second_texts = second_texts;
        dl__pack_fields(&unit->answers, answers, answer_bytes);
        unit->unanswered = unanswered;
        text_read(unit, &reply);
        reply_put(unit, &reply);
        dl__mutex_lock(&unit->annotating);
        unit->annotated = !reply.questions.bytes;
        if (unit->annotated)
            unit_settle(unit, &reply);
        dl__mutex_unlock(&unit->annotating);
        reply_free(&reply);
        for (size_t k = 0; unit->notes && k < unit->notes->kernel_count; k++)
            has = has || unit->notes->kernels[k].buffer_count > 0;
    }
    if (!has) {
        dl__unit_release(unit);
        unit = NULL;
    }
    return unit;
}
