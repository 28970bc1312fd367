/* SPDX-License-Identifier: MIT */
/* Decisions in the cache. */
#include "decisions.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libdl_intercept/base/log.h"
#include "libdl_intercept/programs/cache.h"
#include "remember.h"

/* A program text on a device, with its key in the cache: at the end the driver is not
 * asked for one. */
struct text {
    struct text *next;
    const struct dl__policy *policy;
    unsigned char hash[DL__TEXT_BYTES];
    struct dl__pack key;
    bool kept; /* there is a cache */
};

static struct text *texts;

static void load(struct dl__policy *policy, struct text *text)
{
    static atomic_bool said;
    void *value = NULL;
    size_t bytes;

    if (!text->kept || !dl__cache_get(&text->key, &value, &bytes))
        return;
    if (!dl__remember_read(policy, text->hash, value, bytes) &&
        !atomic_exchange(&said, true))
        dl__log(DL__LOG_REMARK,
                "policy: what was remembered of the program can't be read: it is ignored "
                "and made anew");
    free(value);
}

void dl__decisions_load(struct dl__policy *policy, cl_device_id device,
                        const unsigned char *hash)
{
    struct text *text;

    for (text = texts; text; text = text->next) {
        if (text->policy == policy && memcmp(text->hash, hash, sizeof text->hash) == 0)
            return;
    }
    text = calloc(1, sizeof *text);
    if (!text)
        return;
    text->policy = policy;
    memcpy(text->hash, hash, sizeof text->hash);
    text->kept = dl__cache_key_begin(&text->key, "policy", device);
    dl__pack_bytes(&text->key, hash, sizeof text->hash);
    text->next = texts;
    texts = text;
    load(policy, text);
}

/* What was kept since by other processes. */
static void add_others(struct dl__policy *policy, const struct text *text)
{
    void *value = NULL;
    size_t bytes;

    if (dl__cache_get(&text->key, &value, &bytes))
        dl__remember_add(policy, text->hash, value, bytes);
    free(value);
    policy->version++;
}

static void mark_kept(struct dl__policy *policy, const unsigned char *hash)
{
    for (struct dl__policy_kernel *k = policy->kernels; k; k = k->next)
        for (struct dl__policy_row *row = k->rows;
             row && memcmp(k->text, hash, sizeof k->text) == 0; row = row->next)
            row->changed = false;
}

/* The program may be ending. */
enum { KEEPING_MS_MAX = 500 };

void dl__decisions_keep(struct dl__policy *policy)
{
    char date[16] = "";
    time_t now = time(NULL);
    struct tm parts;

    if (gmtime_r(&now, &parts))
        strftime(date, sizeof date, "%Y-%m-%d", &parts);
    for (struct text *text = texts; text; text = text->next) {
        struct dl__hold hold;
        char *said;

        if (text->policy != policy || !text->kept ||
            !dl__remember_changed(policy, text->hash))
            continue;
        /* Other ranks of a job keep theirs now, too: of other sizes, as likely as not. */
        dl__cache_hold(&text->key, KEEPING_MS_MAX, &hold);
        add_others(policy, text);
        said = dl__remember_write(policy, text->hash, date);
        if (said)
            dl__cache_put(&text->key, said, strlen(said));
        dl__store_let_go(&hold);
        free(said);
        mark_kept(policy, text->hash);
    }
}

bool dl__decisions_are_kept(void)
{
    struct dl__pack key = {0};
    bool kept = dl__cache_key_begin_any(&key, "policy");

    dl__pack_free(&key);
    return kept;
}

/* ---- what command lines have met ---- */

enum { COMMAND_BYTES = 16 << 10 };

/* The key of this process's command line. False: there is no cache, or no telling. */
static bool command_key(struct dl__pack *key)
{
    bool known = dl__cache_key_begin_any(key, "a program with annotations");
    char *command = malloc(COMMAND_BYTES), path[4096];
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t bytes = fd >= 0 && command ? read(fd, command, COMMAND_BYTES) : -1;
    ssize_t path_bytes = readlink("/proc/self/exe", path, sizeof path);

    known = known && bytes > 0 && bytes < COMMAND_BYTES && path_bytes > 0;
    if (known) {
        dl__pack_bytes(key, path, (size_t)path_bytes);
        dl__pack_bytes(key, command, (size_t)bytes);
    }
    if (fd >= 0)
        close(fd);
    free(command);
    return known;
}

static const char short_launches[] = "short";

enum dl__met dl__decisions_met(void)
{
    struct dl__pack key = {0};
    enum dl__met met = DL__MET_NOTHING;
    void *value = NULL;
    size_t bytes;

    if (command_key(&key) && dl__cache_get(&key, &value, &bytes))
        met = bytes == sizeof short_launches && memcmp(value, short_launches, bytes) == 0
                  ? DL__MET_SHORT
                  : DL__MET_STRUCTS;
    free(value);
    dl__pack_free(&key);
    return met;
}

void dl__decisions_meet(enum dl__met met)
{
    struct dl__pack key = {0};

    if (command_key(&key))
        dl__cache_put(&key, met == DL__MET_SHORT ? short_launches : "",
                      met == DL__MET_SHORT ? sizeof short_launches : 1);
    dl__pack_free(&key);
}
