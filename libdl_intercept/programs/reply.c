/* SPDX-License-Identifier: MIT */
/* Replies, on their way from the builder to the program. */
#include "reply.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

void dl__reply_free(struct dl__reply *reply)
{
    free(reply->text);
    dl__record_free(&reply->record);
    dl__pack_free(&reply->questions);
    memset(reply, 0, sizeof *reply);
}

static bool make_key(struct dl__pack *key, const struct dl__unit *unit)
{
    bool made = dl__unit_key(key, unit, "reply");

    dl__pack_number(key, unit->asker);
    return made && !key->failed;
}

void dl__reply_put(const struct dl__unit *unit, const struct dl__reply *reply)
{
    const struct dl__record *record = &reply->record;
    struct dl__pack key, value = {0};
    bool keyed = make_key(&key, unit);

    dl__pack_number(&value, reply->status);
    dl__pack_text(&value, reply->text);
    dl__pack_number(&value, reply->kept);
    dl__pack_bytes(&value, record->remarks.data, record->remarks.bytes);
    dl__pack_bytes(&value, record->files.data, record->files.bytes);
    dl__pack_number(&value, record->files.failed);
    dl__pack_bytes(&value, &reply->times, sizeof reply->times);
    dl__pack_bytes(&value, reply->questions.data, reply->questions.bytes);
    if (keyed && !value.failed && !reply->questions.failed)
        dl__cache_tell(&key, value.data, value.bytes);
    dl__pack_free(&value);
    dl__pack_free(&key);
}

static void unpack_list(struct dl__unpack *fields, struct dl__pack *list)
{
    size_t bytes;
    const unsigned char *data = dl__unpack_bytes(fields, &bytes);

    if (data)
        dl__pack_fields(list, data, bytes);
}

static bool unpack(struct dl__unpack fields, const char *quoted, struct dl__reply *reply)
{
    const unsigned char *times;
    const char *text;
    size_t bytes;

    reply->status = (enum dl_status)dl__unpack_number(&fields);
    text = dl__unpack_text(&fields);
    reply->text = text ? strdup(text) : NULL;
    reply->kept = dl__unpack_number(&fields);
    reply->record.text = quoted;
    unpack_list(&fields, &reply->record.remarks);
    unpack_list(&fields, &reply->record.files);
    reply->record.files.failed |= dl__unpack_number(&fields) != 0;
    times = dl__unpack_bytes(&fields, &bytes);
    if (times && bytes == sizeof reply->times)
        memcpy(&reply->times, times, bytes);
    unpack_list(&fields, &reply->questions);
    reply->there = !fields.failed && (reply->status == DL_OK) == (reply->text != NULL);
    return reply->there;
}

bool dl__reply_take(const struct dl__unit *unit, struct dl__reply *reply)
{
    struct dl__unpack fields = {0};
    struct dl__pack key;
    void *value = NULL;
    bool good = false;

    memset(reply, 0, sizeof *reply);
    if (make_key(&key, unit) && dl__memory_get(&key, &value, &fields.bytes)) {
        dl__memory_drop(&key);
        fields.data = value;
        good = unpack(fields, unit->text, reply);
    }
    if (!good)
        dl__reply_free(reply);
    free(value);
    dl__pack_free(&key);
    return good;
}
