/* Shadow programs in the cache: keys, and programs from the binaries that are kept. */
#include "shadow_cache.h"

#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "cache.h"

enum { BINARY_BYTES_MAX = 64 << 20 };

/* True when a text may read other files when it is built. The letters of a directive's name may be
 * apart, where a backslash ends a line. */
static bool may_include(const char *text)
{
    static const char *const words[] = {"include", "import", "embed"};

    if (strstr(text, "?\?/")) /* a backslash, to some compilers */
        return true;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        for (const char *from = text; *from; from++) {
            const char *at = from, *letter = words[w];

            while (*letter && *at == *letter) {
                letter++;
                at++;
                while (at[0] == '\\' &&
                       (at[1] == '\n' || (at[1] == '\r' && at[2] == '\n')))
                    at += at[1] == '\n' ? 2 : 3;
            }
            if (!*letter)
                return true;
        }
    }
    return false;
}

static bool pack_unit(struct dl__pack *key, const struct dl__unit *unit,
                      struct dl__shadow_knobs knobs)
{
    char *options = dl__shadow_options(unit, knobs);
    bool known = options && !strstr(options, "-include") &&
                 !strstr(options, "-imacros") &&
                 (unit->rewritten_here ? !unit->files.failed : !may_include(unit->text));

    dl__pack_text(key, options);
    dl__pack_text(key, unit->text);
    dl__pack_number(key, unit->header_count);
    for (size_t i = 0; i < unit->header_count; i++) {
        dl__pack_text(key, unit->header_names[i]);
        dl__pack_text(key, unit->header_texts[i]);
    }
    dl__pack_bytes(key, unit->files.data, unit->files.bytes);
    free(options);
    return known;
}

bool dl__shadow_key(const struct dl__rewrite *rewrite, cl_device_id device,
                    struct dl__shadow_knobs knobs, struct dl__pack *key)
{
    bool known = dl__cache_key_begin(key, "shadow", device);

    if (!known)
        return false;
    dl__pack_text(key, rewrite->linked ? rewrite->link_options : NULL);
    dl__pack_number(key, rewrite->unit_count);
    for (size_t i = 0; known && i < rewrite->unit_count; i++)
        known = pack_unit(key, rewrite->units[i], knobs);
    return known && !key->failed;
}

cl_program dl__shadow_load(const struct dl__rewrite *rewrite, cl_context context,
                           cl_device_id device, struct dl__shadow_knobs knobs,
                           const struct dl__pack *key)
{
    char *options = rewrite->linked ? strdup(rewrite->link_options)
                                    : dl__shadow_options(rewrite->units[0], knobs);
    const unsigned char *binary;
    cl_program program = NULL;
    void *value = NULL;
    cl_int err, status = CL_SUCCESS;
    size_t bytes;

    if (!options || !dl__cache_get(key, &value, &bytes))
        goto out;
    binary = value;
    program = dl__next.clCreateProgramWithBinary(context, 1, &device, &bytes, &binary,
                                                 &status, &err);
    if (program && (err != CL_SUCCESS || status != CL_SUCCESS ||
                    dl__next.clBuildProgram(program, 1, &device, options, NULL, NULL) !=
                        CL_SUCCESS)) {
        dl__next.clReleaseProgram(program);
        program = NULL;
    }
    if (!program)
        dl__log(DL__LOG_DEBUG,
                "the driver does not take its binary of a rewritten program "
                "back: it is built anew");
out:
    free(value);
    free(options);
    return program;
}

/* The binary of `device` among those of the program; the caller frees it. */
static unsigned char *get_binary(cl_program program, cl_device_id device, size_t *bytes)
{
    cl_device_id *devices = NULL;
    unsigned char **binaries = NULL, *binary = NULL;
    size_t *sizes = NULL, at = 0;
    cl_uint count = 0;

    if (dl__next.clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count,
                                  NULL) != CL_SUCCESS ||
        !count)
        return NULL;
    devices = calloc(count, sizeof *devices);
    sizes = calloc(count, sizeof *sizes);
    binaries = calloc(count, sizeof *binaries);
    if (!devices || !sizes || !binaries ||
        dl__next.clGetProgramInfo(program, CL_PROGRAM_DEVICES, count * sizeof *devices,
                                  devices, NULL) != CL_SUCCESS ||
        dl__next.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, count * sizeof *sizes,
                                  sizes, NULL) != CL_SUCCESS)
        goto out;
    while (at < count && devices[at] != device)
        at++;
    if (at == count || !sizes[at] || sizes[at] > BINARY_BYTES_MAX)
        goto out;
    /* The others stay NULL: they are not wanted. */
    binary = binaries[at] = calloc(1, sizes[at]);
    *bytes = sizes[at];
    if (binary &&
        dl__next.clGetProgramInfo(program, CL_PROGRAM_BINARIES, count * sizeof *binaries,
                                  binaries, NULL) != CL_SUCCESS) {
        free(binary);
        binary = NULL;
    }
out:
    free(devices);
    free(sizes);
    free(binaries);
    return binary;
}

void dl__shadow_keep(const struct dl__rewrite *rewrite, cl_device_id device,
                     cl_program program, const struct dl__pack *key)
{
    size_t bytes;
    unsigned char *binary = get_binary(program, device, &bytes);
    bool unchanged = true;

    /* The driver has read the files later than DL. */
    for (size_t i = 0; binary && i < rewrite->unit_count; i++)
        unchanged = unchanged && dl__files_unchanged(&rewrite->units[i]->files);
    if (binary && unchanged)
        dl__cache_put(key, binary, bytes);
    free(binary);
}
