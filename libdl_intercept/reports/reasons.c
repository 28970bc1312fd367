/* SPDX-License-Identifier: MIT */
/* The table of reasons. */
#include "reasons.h"

#include <string.h>

static const struct {
    const char *text, *next;
} rows[] = {
#define DL_REASON(name, ...) {__VA_ARGS__},
#include "reasons.def"
#undef DL_REASON
};

const char *dl__why_text(enum dl__why why)
{
    return rows[why].text;
}

enum dl__why dl__why_find(const char *text)
{
    enum dl__why found = DL__WHYS;
    size_t longest = 0;

    for (int i = 0; i < DL__WHYS; i++) {
        size_t bytes = strlen(rows[i].text);

        if (bytes > longest && strncmp(text, rows[i].text, bytes) == 0 &&
            (text[bytes] == '\0' || text[bytes] == ',')) {
            found = (enum dl__why)i;
            longest = bytes;
        }
    }
    return found;
}

bool dl__why_has_next(enum dl__why why)
{
    return why == DL__WHYS || *rows[why].next;
}

void dl__why_print_next(FILE *out, enum dl__why why, const char *layout)
{
    static const char named[] = "--layout LAYOUT";
    const char *next = why == DL__WHYS ? "--log remark says more" : rows[why].next;
    const char *at = strstr(next, named);

    if (at)
        fprintf(out, "%.*s--layout %s%s", (int)(at - next), next, layout,
                at + sizeof named - 1);
    else
        fputs(next, out);
}
