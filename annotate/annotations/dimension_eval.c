/* SPDX-License-Identifier: MIT */
/* Dimensions, evaluated on a stack. */
#include <string.h>

#include "annotate/annotations/operation.h"

static enum dl_status read_argument(const struct op *op, const struct dl_launch *launch,
                                    int64_t *out, const char **reason)
{
    const struct dl_arg_value *arg;
    unsigned char bytes[8] = {0};
    uint64_t value = 0;

    if (op->index >= launch->arg_count || !launch->args[op->index].value) {
        *reason = "it needs an argument that is not set";
        return DL_EINVAL;
    }
    arg = &launch->args[op->index];
    if (arg->value_bytes < op->offset_bytes ||
        arg->value_bytes - op->offset_bytes < op->width_bytes) {
        *reason = "an argument was set with a size other than the kernel declares";
        return DL_EINVAL;
    }
    memcpy(bytes, (const char *)arg->value + op->offset_bytes, op->width_bytes);
    switch (op->width_bytes) {
    case 1:
        value = op->is_signed ? (uint64_t)(int8_t)bytes[0] : bytes[0];
        break;
    case 2: {
        uint16_t v;

        memcpy(&v, bytes, sizeof v);
        value = op->is_signed ? (uint64_t)(int16_t)v : v;
        break;
    }
    case 4: {
        uint32_t v;

        memcpy(&v, bytes, sizeof v);
        value = op->is_signed ? (uint64_t)(int32_t)v : v;
        break;
    }
    default:
        memcpy(&value, bytes, sizeof value);
        if (!op->is_signed && value > INT64_MAX) {
            *reason = "it overflows";
            return DL_EOVERFLOW;
        }
    }
    *out = (int64_t)value;
    return DL_OK;
}

static enum dl_status read_atom(const struct op *op, const struct dl_launch *launch,
                                int64_t *out, const char **reason)
{
    size_t value = 0, local;

    switch (op->kind) {
    case OP_LITERAL:
        *out = op->value;
        return DL_OK;
    case OP_ARG:
        return read_argument(op, launch, out, reason);
    case OP_GLOBAL_SIZE:
        value = op->index < launch->work_dim ? launch->global_size[op->index] : 1;
        break;
    case OP_GLOBAL_OFFSET:
        value = op->index < launch->work_dim ? launch->global_offset[op->index] : 0;
        break;
    default:
        local = op->index < launch->work_dim ? launch->local_size[op->index] : 1;
        if (!local) {
            *reason = "it needs a local size that is left to the driver";
            return DL_EINVAL;
        }
        value = local;
        if (op->kind == OP_NUM_GROUPS && op->index < launch->work_dim)
            value = launch->global_size[op->index] / local +
                    (launch->global_size[op->index] % local != 0);
    }
    if (value > INT64_MAX) {
        *reason = "it overflows";
        return DL_EOVERFLOW;
    }
    *out = (int64_t)value;
    return DL_OK;
}

static bool compare(enum op_kind kind, int64_t a, int64_t b)
{
    switch (kind) {
    case OP_LESS:
        return a < b;
    case OP_LESS_EQUAL:
        return a <= b;
    case OP_GREATER:
        return a > b;
    case OP_GREATER_EQUAL:
        return a >= b;
    case OP_EQUAL:
        return a == b;
    case OP_NOT_EQUAL:
        return a != b;
    case OP_AND:
        return a && b;
    default:
        return a || b;
    }
}

static bool apply(enum op_kind kind, int64_t a, int64_t b, int64_t *out,
                  const char **reason)
{
    bool bad = false;

    *reason = "it overflows";
    switch (kind) {
    case OP_ADD:
        return !__builtin_add_overflow(a, b, out);
    case OP_SUB:
        return !__builtin_sub_overflow(a, b, out);
    case OP_MUL:
        return !__builtin_mul_overflow(a, b, out);
    case OP_DIV:
    case OP_REM:
        if (b == 0) {
            *reason = "it divides by zero";
            return false;
        }
        bad = a == INT64_MIN && b == -1;
        if (!bad)
            *out = kind == OP_DIV ? a / b : a % b;
        return !bad;
    case OP_SHL:
        if (b < 0 || b > 62)
            return false;
        return !__builtin_mul_overflow(a, (int64_t)1 << b, out);
    case OP_SHR:
        if (b < 0 || b > 62)
            return false;
        *out = a >> b;
        return true;
    case OP_MIN:
        *out = a < b ? a : b;
        return true;
    case OP_MAX:
        *out = a > b ? a : b;
        return true;
    default:
        *out = compare(kind, a, b);
        return true;
    }
}

uint64_t dl_dimension_args(const struct dl_dimension *dimension)
{
    uint64_t args = 0;

    for (size_t i = 0; i < dimension->op_count; i++)
        if (dimension->ops[i].kind == OP_ARG)
            args |= UINT64_C(1)
                    << (dimension->ops[i].index < 63 ? dimension->ops[i].index : 63);
    return args;
}

enum dl_status dl_dimension_eval(const struct dl_dimension *dimension,
                                 const struct dl_launch *launch, int64_t *out,
                                 const char **reason)
{
    int64_t stack[DEPTH_MAX * 4];
    const char *why = NULL;
    enum dl_status st = DL_OK;
    size_t depth = 0;

    if (dimension->stack_max > sizeof stack / sizeof *stack) {
        why = "it is nested too deeply";
        st = DL_EOVERFLOW;
    }
    for (size_t i = 0; i < dimension->op_count && st == DL_OK; i++) {
        const struct op *op = &dimension->ops[i];

        if (op->kind < OP_ADD) {
            st = read_atom(op, launch, &stack[depth++], &why);
        } else if (op->kind == OP_NEG) {
            if (__builtin_sub_overflow((int64_t)0, stack[depth - 1], &stack[depth - 1])) {
                why = "it overflows";
                st = DL_EOVERFLOW;
            }
        } else if (op->kind == OP_NOT) {
            stack[depth - 1] = !stack[depth - 1];
        } else if (op->kind == OP_SELECT) {
            depth -= 2;
            stack[depth - 1] = stack[depth - 1] ? stack[depth] : stack[depth + 1];
        } else {
            depth--;
            if (!apply(op->kind, stack[depth - 1], stack[depth], &stack[depth - 1], &why))
                st = DL_EOVERFLOW;
        }
    }
    if (st == DL_OK)
        *out = stack[0];
    else if (reason)
        *reason = why;
    return st;
}
