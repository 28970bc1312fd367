/* SPDX-License-Identifier: MIT */
/* Integer literals. */
#include "annotate/text/number.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 80 }; /* 64 binary digits, with a prefix and suffixes */

bool dl__integer_read(const char *text, size_t bytes, uint64_t *value, bool *is_unsigned)
{
    char digits[BYTES_MAX], *end;
    bool is_binary;

    if (!bytes || bytes >= sizeof digits || text[0] < '0' || text[0] > '9')
        return false;
    memcpy(digits, text, bytes);
    digits[bytes] = '\0';
    is_binary = digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B');
    *value = is_binary ? strtoull(digits + 2, &end, 2) : strtoull(digits, &end, 0);
    *is_unsigned = strpbrk(end, "uU") != NULL;
    return end[strspn(end, "uUlL")] == '\0';
}
