/* SPDX-License-Identifier: MIT */
/* Binaries that are kept, as the cache keeps them, and who makes them. */
#include "kept.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_MAX = 16 };
static struct {
    char *text; /* all of a build's, one behind the other */
    void *binary;
    size_t bytes;
} kept[KEPT_MAX];
size_t kept_count, kept_again;

static char *text_of(const struct dl__build *build)
{
    char *text = calloc(1, 1 << 20);

    for (size_t t = 0; t < build->count; t++)
        strcat(text, build->texts[t]);
    return text;
}

static void *find(const struct dl__build *build, size_t *bytes)
{
    char *text = text_of(build);
    void *binary = NULL;

    for (size_t k = 0; k < kept_count && !binary; k++) {
        if (strcmp(kept[k].text, text) != 0)
            continue;
        *bytes = kept[k].bytes;
        binary = malloc(*bytes);
        memcpy(binary, kept[k].binary, *bytes);
    }
    free(text);
    return binary;
}

static void keep(const struct dl__build *build, const void *binary, size_t bytes)
{
    char *text = text_of(build);
    size_t k = 0;

    while (k < kept_count && strcmp(kept[k].text, text) != 0)
        k++;
    ck_assert_uint_lt(k, KEPT_MAX);
    if (k < kept_count) {
        free(kept[k].text);
        free(kept[k].binary);
        kept_again++;
    } else {
        kept_count++;
    }
    kept[k].text = text;
    kept[k].binary = malloc(bytes);
    kept[k].bytes = bytes;
    memcpy(kept[k].binary, binary, bytes);
}

/* Nobody else makes them. */
static bool make(const struct dl__build *build)
{
    (void)build;
    return true;
}

static void end(const struct dl__build *build)
{
    (void)build;
}

static const struct dl__binaries binaries = {
    .find = find, .keep = keep, .make = make, .end = end};
struct dl_marshal *builder;

void setup_kept(void)
{
    device_open(&device);
    ck_assert_int_eq(dl_marshal_make(&device.cl, device.context, device.id, &marshal),
                     DL_OK);
    ck_assert_int_eq(dl_marshal_make(&device.cl, device.context, device.id, &builder),
                     DL_OK);
    dl_marshal_use_binaries(marshal, &binaries);
    dl_marshal_use_binaries(builder, &binaries);
}

void kept_as_gpu(void)
{
    marshal_as_gpu();
    builder->engine.limits.is_cpu = false;
}

void close_kept(void)
{
    dl_marshal_free(builder);
    marshal_close();
    while (kept_count) {
        free(kept[--kept_count].text);
        free(kept[kept_count].binary);
    }
}
