/* Translation units: a program's text as DL rewrites it, with what it was built with. */
#include "shadow.h"

#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "options.h"

static void unit_free(struct dl__unit *unit)
{
    for (size_t i = 0; i < unit->header_count; i++) {
        free(unit->header_names[i]);
        free(unit->header_texts[i]);
    }
    free(unit->header_names);
    free(unit->header_texts);
    dl_notes_free(unit->notes);
    free(unit->options);
    free(unit->text);
    free(unit);
}

void dl__unit_release(struct dl__unit *unit)
{
    if (unit && atomic_fetch_sub(&unit->refs, 1) == 1)
        unit_free(unit);
}

static bool copy_headers(struct dl__unit *unit, cl_uint count, const cl_program *headers,
                         const char *const *names)
{
    unit->header_names = calloc(count ? count : 1, sizeof *unit->header_names);
    unit->header_texts = calloc(count ? count : 1, sizeof *unit->header_texts);
    if (!unit->header_names || !unit->header_texts)
        return false;
    for (cl_uint i = 0; i < count; i++) {
        const struct dl__program *header = dl__program_find(headers[i]);

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

char *dl__device_extensions(cl_device_id device)
{
    size_t bytes = 0;
    char *text;

    if (dl__next.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, NULL, &bytes) !=
        CL_SUCCESS)
        return NULL;
    text = calloc(1, bytes + 1);
    if (text && dl__next.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, bytes, text,
                                         NULL) != CL_SUCCESS) {
        free(text);
        return NULL;
    }
    return text;
}

/* The reason has been remarked, with its place, except for want of memory. */
static void say_native(enum dl_status status)
{
    dl__log(status == DL_ENOMEM ? DL__LOG_WARNING : DL__LOG_REMARK,
            "the program's kernels run as written: %s", dl_status_text(status));
}

/* Rewrites the text of `unit` where its annotations can be honoured. */
static void annotate(struct dl__unit *unit, const struct dl__program *program,
                     cl_device_id device)
{
    const struct dl__options *options = dl__options_get();
    struct dl_annotate_options how = {.build_options = unit->options,
                                      .side = options->side,
                                      .libclang = options->libclang};
    struct dl_header *headers = NULL;
    char *extensions = NULL, *text = NULL;
    enum dl_status status;

    if (options->layout == DL_LAYOUT_AOS && !options->layout_auto)
        return;
    if (!dl_annotate_is_rewritten(program->source, program->source_bytes)) {
        headers = calloc(unit->header_count + 1, sizeof *headers);
        if (!headers)
            goto out;
        for (size_t i = 0; i < unit->header_count; i++) {
            headers[i].name = unit->header_names[i];
            headers[i].text = unit->header_texts[i];
        }
        how.headers = headers;
        how.header_count = unit->header_count;
        if (!dl_annotate_wanted_with(program->source, program->source_bytes, &how))
            goto out;
        extensions = dl__device_extensions(device);
        how.device_extensions = extensions;
        status = dl_annotate_rewrite(program->source, program->source_bytes, &how,
                                     dl__log_remark, NULL, &text);
        if (status != DL_OK) {
            say_native(status);
            goto out;
        }
    }
    status = dl_annotate_scan(text ? text : program->source,
                              text ? strlen(text) : program->source_bytes, dl__log_remark,
                              NULL, &unit->notes);
    if (status != DL_OK) {
        unit->notes = NULL;
        say_native(status);
    } else if (text) {
        free(unit->text);
        unit->text = text;
        text = NULL;
    }
out:
    free(text);
    free(extensions);
    free(headers);
}

struct dl__unit *dl__unit_make(const struct dl__program *program, const char *options,
                               cl_uint header_count, const cl_program *headers,
                               const char *const *header_names, cl_device_id device)
{
    struct dl__unit *unit;

    if (!program->source)
        return NULL;
    unit = calloc(1, sizeof *unit);
    if (!unit)
        return NULL;
    atomic_init(&unit->refs, 1);
    unit->text = strdup(program->source);
    unit->options = strdup(options ? options : "");
    if (!unit->text || !unit->options ||
        !copy_headers(unit, header_count, headers, header_names)) {
        unit_free(unit);
        return NULL;
    }
    annotate(unit, program, device);
    return unit;
}
