/* SPDX-License-Identifier: MIT */
/* Which version of the library, and of its structs, a program meets at run time. */
#include "internal.h"

#include <string.h>

/* What 0.1.0 had, which a struct_bytes of 0 stands for too. It stays when fields are
 * added. */
#define FIRST_BYTES (offsetof(struct dl_transpose_problem, reserved) + sizeof(uint32_t))

int dl_transpose_version(void)
{
    return DL_VERSION_NUMBER;
}

enum dl_status dl__problem_read(const struct dl_transpose_problem *given,
                                struct dl_transpose_problem *out,
                                struct dl_transpose_error *error)
{
    const unsigned char *bytes = (const unsigned char *)given;
    size_t given_bytes = given->struct_bytes ? given->struct_bytes : FIRST_BYTES;

    if (given_bytes < FIRST_BYTES)
        return dl__fail(error, DL_EINVAL,
                        "a problem has %zu bytes or more, its struct_bytes says %zu",
                        FIRST_BYTES, given_bytes);
    for (size_t i = sizeof *out; i < given_bytes; i++)
        if (bytes[i] != 0)
            return dl__fail(error, DL_ENOTSUP,
                            "the problem sets byte %zu, which is for a later version "
                            "than " DL_VERSION_STRING,
                            i);
    if (given->reserved != 0)
        return dl__fail(error, DL_ENOTSUP, "the problem's reserved field is not 0");
    memset(out, 0, sizeof *out);
    memcpy(out, given, given_bytes < sizeof *out ? given_bytes : sizeof *out);
    return DL_OK;
}
