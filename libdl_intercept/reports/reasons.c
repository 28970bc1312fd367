/* SPDX-License-Identifier: MIT */
/* The table of reasons. */
#include "reasons.h"

#include <string.h>

const struct dl__reason dl__reasons[] = {
#define DL_REASON(name, ...) {__VA_ARGS__},
#include "reasons.def"
#undef DL_REASON
};

enum dl__why dl__why_find(const char *text)
{
    enum dl__why found = DL__WHYS;
    size_t longest = 0;

    for (int i = 0; i < DL__WHYS; i++) {
        size_t bytes = strlen(dl__reasons[i].text);

        if (bytes > longest && strncmp(text, dl__reasons[i].text, bytes) == 0 &&
            (text[bytes] == '\0' || text[bytes] == ',' || text[bytes] == ':')) {
            found = (enum dl__why)i;
            longest = bytes;
        }
    }
    return found;
}
