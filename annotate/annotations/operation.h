/* SPDX-License-Identifier: MIT */
/* Dimensions in postfix. Between the files that parse and evaluate them only. */
#ifndef DL_ANNOTATE_OPERATION_H
#define DL_ANNOTATE_OPERATION_H

#include "annotate/annotations/dimension.h"

enum { DEPTH_MAX = 200 };

enum op_kind {
    OP_LITERAL,
    OP_ARG,
    OP_GLOBAL_SIZE,
    OP_GLOBAL_OFFSET,
    OP_LOCAL_SIZE,
    OP_NUM_GROUPS,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_REM,
    OP_SHL,
    OP_SHR,
    OP_MIN,
    OP_MAX,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_EQUAL,
    OP_NOT_EQUAL,
    OP_AND,
    OP_OR,
    OP_NEG,
    OP_NOT,
    OP_SELECT /* of three */
};

struct op {
    enum op_kind kind;
    bool is_signed;       /* of an argument */
    unsigned width_bytes; /* of an argument */
    unsigned index;       /* of an argument, or the dimension */
    unsigned offset_bytes;
    int64_t value;
};

struct dl_dimension {
    size_t op_count;
    size_t stack_max;
    struct op ops[];
};

#endif
