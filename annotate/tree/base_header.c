/* SPDX-License-Identifier: MIT */
/* opencl-c-base.h of each version of clang (20's is 19's), which declares OpenCL C's
 * types and constants. It is handed to libclang as a file that only it sees: packages of
 * libclang often lack it, and hide it at different places. */
#include "annotate/tree/ast_copy.h"

#define VERSIONS(X) X(14) X(15) X(16) X(17) X(18) X(19) X(21) X(22)

#define X(version)                                                                       \
    extern const char dl_opencl_c_base_##version[];                                      \
    extern const unsigned long dl_opencl_c_base_##version##_bytes;
VERSIONS(X)
#undef X

struct CXUnsavedFile dl__clang_base_header(unsigned version)
{
    struct CXUnsavedFile file = {.Filename = DL__BASE_HEADER_FOLDER "/opencl-c-base.h"};

#define X(number)                                                                        \
    if (version >= (number) || number == 14) {                                           \
        file.Contents = dl_opencl_c_base_##number;                                       \
        file.Length = dl_opencl_c_base_##number##_bytes;                                 \
    }
    VERSIONS(X)
#undef X
    return file;
}
