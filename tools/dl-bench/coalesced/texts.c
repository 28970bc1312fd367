/* SPDX-License-Identifier: MIT */
/* The kernels of dl-bench coalesced, as a program would have them, and what the
 * transformer makes of them. */
#include "tools/dl-bench/coalesced/coalesced.h"

#include <stdlib.h>
#include <string.h>

extern const char bench_header_clh[]; /* include/dl_coalesced.clh */

/* All are (from, to, places, n); `item` is a struct of words, SUM its members put
 * together, FILL all of them set. */
static const char kernels[] =
    "//DL: AoS: from[n], to[n]\n"
    "__kernel void copy(__global const item *from, __global item *to,\n"
    "                   __global const uint *places, uint n)\n"
    "{\n"
    "    const uint i = get_global_id(0);\n\n"
    "    if (i >= n)\n"
    "        return;\n"
    "    item s = from[i];\n"
    "    to[i] = s;\n"
    "}\n\n"
    "//DL: AoS: to[n]\n"
    "__kernel void store(__global const uint *from, __global item *to,\n"
    "                    __global const uint *places, uint n)\n"
    "{\n"
    "    const uint i = get_global_id(0);\n\n"
    "    if (i >= n)\n"
    "        return;\n"
    "    item s;\n"
    "    FILL\n"
    "    to[i] = s;\n"
    "}\n\n"
    "//DL: AoS: from[n], to[n]\n"
    "__kernel void assign(__global const item *from, __global item *to,\n"
    "                     __global const uint *places, uint n)\n"
    "{\n"
    "    const uint i = get_global_id(0);\n\n"
    "    if (i < n)\n"
    "        to[i] = from[i];\n"
    "}\n\n"
    "//DL: AoS: to[n]\n"
    "__kernel void update(__global const uint *from, __global item *to,\n"
    "                     __global const uint *places, uint n)\n"
    "{\n"
    "    const uint i = get_global_id(0);\n\n"
    "    if (i >= n)\n"
    "        return;\n"
    "    item s = to[i];\n"
    "    UPDATE\n"
    "    to[i] = s;\n"
    "}\n\n"
    "//DL: AoS: from[n], to[n]\n"
    "__kernel void gather(__global const item *from, __global item *to,\n"
    "                     __global const uint *places, uint n)\n"
    "{\n"
    "    const uint i = get_global_id(0);\n\n"
    "    if (i >= n)\n"
    "        return;\n"
    "    item s = from[places[i]];\n"
    "    to[i] = s;\n"
    "}\n\n"
    "//DL: AoS: from[n], to[n]\n"
    "__kernel void scatter(__global const item *from, __global item *to,\n"
    "                      __global const uint *places, uint n)\n"
    "{\n"
    "    const uint i = get_global_id(0);\n\n"
    "    if (i >= n)\n"
    "        return;\n"
    "    item s = from[i];\n"
    "    to[places[i]] = s;\n"
    "}\n\n"
    "//DL: AoS: from[n]\n"
    "__kernel void sum(__global const item *from, __global uint *to,\n"
    "                  __global const uint *places, uint n)\n"
    "{\n"
    "    const uint i = get_global_id(0);\n\n"
    "    if (i >= n)\n"
    "        return;\n"
    "    item s = from[i];\n"
    "    uint r = 0;\n"
    "    SUM(s)\n"
    "    to[i] = r;\n"
    "}\n\n"
    "//DL: AoS: from[n]\n"
    "__kernel void members(__global const item *from, __global uint *to,\n"
    "                      __global const uint *places, uint n)\n"
    "{\n"
    "    const uint i = get_global_id(0);\n\n"
    "    if (i >= n)\n"
    "        return;\n"
    "    uint r = 0;\n"
    "    SUM(from[i])\n"
    "    to[i] = r;\n"
    "}\n\n"
    "//DL: AoS: from[n]\n"
    "__kernel void lookup(__global const item *from, __global uint *to,\n"
    "                     __global const uint *places, uint n)\n"
    "{\n"
    "    const uint i = get_global_id(0);\n\n"
    "    if (i >= n)\n"
    "        return;\n"
    "    const uint j = places[i];\n"
    "    uint r = 0;\n"
    "    SUM(from[j])\n"
    "    to[i] = r;\n"
    "}\n";

/* The same of those that only move whole structs, by the header for authors of kernels.
 */
static const char by_header[] =
    "DL_COALESCED(item)\n"
    "#define BEGIN(name, from_type)                                             \\\n"
    "    __kernel __attribute__((reqd_work_group_size(DL_GROUP_ITEMS, 1, 1)))   \\\n"
    "    void name(__global const from_type *from, __global item *to,           \\\n"
    "              __global const uint *places, uint n)                         \\\n"
    "    {                                                                      \\\n"
    "        __local DL_COALESCED_ROOM(item, DL_GROUP_ITEMS) room;              \\\n"
    "        const uint i = get_global_id(0);\n"
    "#define LOAD(j) item s = item_load(i < n ? from + (j) : 0, &room)\n"
    "#define STORE(j) item_store(i < n ? to + (j) : 0, s, &room)\n"
    "BEGIN(copy, item) LOAD(i); STORE(i); }\n"
    "BEGIN(assign, item) LOAD(i); STORE(i); }\n"
    "BEGIN(gather, item) LOAD(places[i]); STORE(i); }\n"
    "BEGIN(scatter, item) LOAD(i); STORE(places[i]); }\n"
    "BEGIN(store, uint) item s;\n"
    "    FILL\n"
    "    STORE(i); }\n";

/* The head, with the members; then the kernels with what stands for each member. Where
 * members are of four words
 * (`type` is uint4), `words` counts them, and SUM and UPDATE give something else. */
static char *text_make(const char *type, unsigned words, const char *before,
                       const char *body)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    if (!out)
        return NULL;
    fprintf(out, "typedef struct {\n    %s ", type);
    for (unsigned w = 0; w < words; w++)
        fprintf(out, "%sm%u", w ? ", " : "", w);
    fprintf(out, ";\n} item;\n\n%s", before);
    for (const char *at = body; *at;) {
        const char *line = strchr(at, '\n') + 1, *what = at + strspn(at, " ");
        const char *of = strncmp(what, "SUM(from[i", 10) == 0   ? "from[i]"
                         : strncmp(what, "SUM(from[j", 10) == 0 ? "from[j]"
                                                                : "s";

        if (strncmp(what, "SUM(", 4) != 0 && strncmp(what, "UPDATE", 6) != 0 &&
            strncmp(what, "FILL", 4) != 0)
            fprintf(out, "%.*s", (int)(line - at), at);
        else
            for (unsigned w = 0; w < words; w++)
                if (*what == 'S')
                    fprintf(out, "    r = r * 5 + %s.m%u%s;\n", of, w,
                            type[4] ? ".x" : "");
                else if (*what == 'F')
                    fprintf(out, "    s.m%u = i * 3;\n", w);
                else
                    fprintf(out, "    s.m%u = s.m%u * 3 + %u;\n", w, w, w);
        at = line;
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static void say(void *user, const struct dl_remark *remark)
{
    (void)user;
    if (remark->severity != DL_REMARK)
        fprintf(stderr, "dl-bench: line %u: %s\n", remark->line, remark->text);
}

bool coalesced_texts_make(unsigned words, bool rewrite, struct coalesced_texts *out)
{
    struct dl_annotate_options options = {.coalesced = true};
    enum dl_status st = DL_OK;

    *out = (struct coalesced_texts){
        .plain = text_make("uint", words, "", kernels),
        .vector = text_make("uint4", words / 4, "", kernels),
        .header = text_make("uint", words, bench_header_clh, by_header)};
    if (!out->plain || !out->vector || !out->header)
        st = DL_ENOMEM;
    if (st == DL_OK && rewrite)
        st = dl_annotate_rewrite(out->plain, strlen(out->plain), &options, say, NULL,
                                 &out->rewritten);
    if (st == DL_OK && rewrite)
        st = dl_annotate_scan(out->rewritten, strlen(out->rewritten), say, NULL,
                              &out->notes);
    if (st == DL_OK)
        return true;
    fprintf(stderr, "dl-bench: the kernels can't be rewritten: %s\n", dl_status_name(st));
    coalesced_texts_free(out);
    return false;
}

void coalesced_texts_free(struct coalesced_texts *texts)
{
    free(texts->plain);
    free(texts->vector);
    free(texts->header);
    free(texts->rewritten);
    dl_notes_free(texts->notes);
    *texts = (struct coalesced_texts){.plain = NULL};
}

cl_program coalesced_build(const struct device *device,
                           const struct coalesced_texts *texts, enum coalesced_way way,
                           unsigned tile, size_t group, const char *defines)
{
    const struct dl_layout tiles = {.kind = DL_LAYOUT_ASTA, .tile_structs = tile};
    const char *text = way == WAY_PLAIN    ? texts->plain
                       : way == WAY_VECTOR ? texts->vector
                       : way == WAY_HEADER ? texts->header
                                           : texts->rewritten;
    struct dl_layout_knobs knobs;
    char options[sizeof knobs + 512];
    cl_program program;
    cl_ulong local = 0;
    cl_int err;

    /* As the interposer does. */
    clGetDeviceInfo(device->id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    options[0] = '\0';
    if (way == WAY_ASTA) {
        dl_layout_knobs(&tiles, &knobs);
        strcpy(options, knobs.text);
    } else if (way == WAY_HEADER)
        snprintf(options, sizeof options, "-DDL_GROUP_ITEMS=%zu", group);
    else if (way == WAY_COALESCED)
        snprintf(options, sizeof options, "-DDL_COALESCED -DDL_GROUP_ITEMS=%zu %s %.400s",
                 group, local >= 48 << 10 ? "-DDL_GROUP_WORDS=8192" : "", defines);
    program = clCreateProgramWithSource(device->context, 1, &text, NULL, &err);
    if (err == CL_SUCCESS && device->cl.clBuildProgram(program, 1, &device->id, options,
                                                       NULL, NULL) == CL_SUCCESS)
        return program;
    fprintf(stderr, "dl-bench: the kernels don't build with '%s'\n", options);
    if (program)
        clReleaseProgram(program);
    return NULL;
}
