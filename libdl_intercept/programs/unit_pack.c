/* SPDX-License-Identifier: MIT */
/* Units as bytes. */
#include "unit_pack.h"

#include <stdlib.h>
#include <string.h>

enum { HEADERS_MAX = 100000 };

void dl__unit_pack(struct dl__pack *pack, const struct dl__unit *unit, bool files)
{
    files = files && unit->files_known && !unit->files.failed;
    dl__pack_text(pack, unit->source ? unit->source : unit->text);
    dl__pack_text(pack, unit->options);
    dl__pack_number(pack, unit->header_count);
    for (size_t h = 0; h < unit->header_count; h++) {
        dl__pack_text(pack, unit->header_names[h]);
        dl__pack_text(pack, unit->header_texts[h]);
    }
    dl__pack_number(pack, unit->seen.whole);
    dl__pack_bytes(pack, unit->seen.list.data, unit->seen.list.bytes);
    dl__pack_number(pack, files);
    if (files)
        dl__pack_bytes(pack, unit->files.data, unit->files.bytes);
}

static bool unpack_list(struct dl__unpack *fields, struct dl__pack *list)
{
    size_t bytes;
    const unsigned char *data = dl__unpack_bytes(fields, &bytes);

    if (data)
        dl__pack_fields(list, data, bytes);
    return data && !list->failed;
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
    struct dl__program program = {.source = (char *)source}, *headers = NULL;
    const struct dl__program **pointers = NULL;
    const char **names = NULL;
    struct dl__unit *unit = NULL;

    if (fields->failed || !source || count > HEADERS_MAX)
        return NULL;
    program.source_bytes = strlen(source);
    headers = calloc(count + 1, sizeof *headers);
    pointers = calloc(count + 1, sizeof *pointers);
    names = calloc(count + 1, sizeof *names);
    for (uint64_t h = 0; headers && pointers && names && h < count; h++) {
        names[h] = dl__unpack_text(fields);
        headers[h].source = (char *)dl__unpack_text(fields);
        pointers[h] = &headers[h];
    }
    if (headers && pointers && names && !fields->failed)
        unit = dl__unit_make(&program, options, (cl_uint)count, pointers, names);
    if (unit && !unpack_files(fields, unit)) {
        dl__unit_release(unit);
        unit = NULL;
    }
    free(headers);
    free(pointers);
    free(names);
    return unit;
}
