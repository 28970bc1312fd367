/* What can be told of a call before its first command: nothing is enqueued for one that is wrong.
 * */
#include "internal.h"

/* A buffer or sub-buffer, as the driver has it. */
struct buffer {
    cl_mem root; /* the buffer that it lies in: itself, or another */
    size_t origin_bytes, bytes;
};

static enum dl_status not_valid(struct dl_transpose_error *error, const char *what,
                                cl_int err)
{
    return dl__fail(error, dl__status_of_cl(err), "the %s is not valid (OpenCL error %d)",
                    what, err);
}

/* Kernels read and write it: what it, or the buffer that it is part of, says of kernels. */
static cl_int ask_flags(const cl_icd_dispatch *cl, cl_mem mem, cl_mem_flags *flags)
{
    return cl->clGetMemObjectInfo(mem, CL_MEM_FLAGS, sizeof *flags, flags, NULL);
}

static enum dl_status check_buffer(const struct dl_transpose *transpose, cl_mem mem,
                                   const char *what, struct buffer *out,
                                   struct dl_transpose_error *error)
{
    const cl_icd_dispatch *cl = transpose->cl;
    cl_mem_object_type type = 0;
    cl_mem_flags flags = 0, root_flags = 0;
    cl_context context = NULL;
    cl_int err;

#define ASK(name, value) cl->clGetMemObjectInfo(mem, name, sizeof(value), &(value), NULL)
    *out = (struct buffer){.root = NULL};
    err = mem ? ASK(CL_MEM_CONTEXT, context) : CL_INVALID_MEM_OBJECT;
    if (err == CL_SUCCESS)
        err = ASK(CL_MEM_TYPE, type);
    if (err == CL_SUCCESS)
        err = ASK(CL_MEM_SIZE, out->bytes);
    if (err == CL_SUCCESS)
        err = ASK(CL_MEM_ASSOCIATED_MEMOBJECT, out->root);
    if (err == CL_SUCCESS && out->root)
        err = ASK(CL_MEM_OFFSET, out->origin_bytes);
#undef ASK
    if (err == CL_SUCCESS)
        err = ask_flags(cl, mem, &flags);
    if (err == CL_SUCCESS && out->root)
        err = ask_flags(cl, out->root, &root_flags);
    if (err != CL_SUCCESS)
        return not_valid(error, what, err);
    if (context != transpose->context)
        return dl__fail(error, DL_EINVAL, "the %s belongs to another context", what);
    if (type != CL_MEM_OBJECT_BUFFER)
        return dl__fail(error, DL_EINVAL, "the %s is an image or a pipe, not a buffer",
                        what);
    if ((flags | root_flags) & (CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY))
        return dl__fail(
            error, DL_EINVAL, "the %s is %s to kernels, which read and write it", what,
            (flags | root_flags) & CL_MEM_READ_ONLY ? "read-only" : "write-only");
    if (!out->root)
        out->root = mem;
    return DL_OK;
}

static enum dl_status check_queue(const struct dl_transpose *transpose,
                                  cl_command_queue queue, bool *in_order,
                                  struct dl_transpose_error *error)
{
    const cl_icd_dispatch *cl = transpose->cl;
    cl_command_queue_properties properties = 0;
    cl_context context = NULL;
    cl_device_id device = NULL;
    cl_int err = queue ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;

#define ASK(name, value)                                                                 \
    if (err == CL_SUCCESS)                                                               \
    err = cl->clGetCommandQueueInfo(queue, name, sizeof(value), &(value), NULL)
    ASK(CL_QUEUE_CONTEXT, context);
    ASK(CL_QUEUE_DEVICE, device);
    ASK(CL_QUEUE_PROPERTIES, properties);
#undef ASK
    if (err != CL_SUCCESS)
        return not_valid(error, "queue", err);
    if (context != transpose->context)
        return dl__fail(error, DL_EINVAL, "the queue belongs to another context");
    if (device != transpose->device)
        return dl__fail(error, DL_EINVAL, "the queue is for another device");
    if (properties & CL_QUEUE_ON_DEVICE)
        return dl__fail(error, DL_EINVAL, "the queue is one of the device's own");
    *in_order = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    return DL_OK;
}

static enum dl_status check_waits(const struct dl_transpose *transpose,
                                  cl_uint wait_count, const cl_event *wait,
                                  struct dl_transpose_error *error)
{
    if ((wait_count > 0) != (wait != NULL))
        return dl__fail(error, DL_EINVAL, "%u events to wait for and %s", wait_count,
                        wait ? "a list" : "no list");
    for (cl_uint i = 0; i < wait_count; i++) {
        cl_context context = NULL;
        cl_int err = CL_INVALID_EVENT;

        if (wait[i])
            err = transpose->cl->clGetEventInfo(wait[i], CL_EVENT_CONTEXT, sizeof context,
                                                &context, NULL);
        if (err != CL_SUCCESS)
            return dl__fail(error, dl__status_of_cl(err),
                            "event %u of the list is not valid (OpenCL error %d)", i,
                            err);
        if (context != transpose->context)
            return dl__fail(error, DL_EINVAL,
                            "event %u of the list belongs to another context", i);
    }
    return DL_OK;
}

enum dl_status dl__enqueue_check(const struct dl_transpose_plan *plan,
                                 cl_command_queue queue, cl_mem mem, cl_mem workspace,
                                 cl_uint wait_count, const cl_event *wait, bool *in_order,
                                 struct dl_transpose_error *error)
{
    const struct dl_transpose *transpose = plan->transpose;
    const uint64_t work_bytes = plan->info.workspace_bytes;
    struct buffer matrix, work = {.root = NULL};
    enum dl_status st = check_queue(transpose, queue, in_order, error);
    uint64_t begin, end;

    if (st == DL_OK)
        st = check_waits(transpose, wait_count, wait, error);
    if (st == DL_OK)
        st = check_buffer(transpose, mem, "buffer", &matrix, error);
    if (st == DL_OK && workspace)
        st = check_buffer(transpose, workspace, "workspace", &work, error);
    if (st != DL_OK)
        return st;
    if (plan->task.end_bytes > matrix.bytes)
        return dl__fail(error, DL_EINVAL,
                        "the last matrix ends at byte %llu of a buffer of %zu",
                        (unsigned long long)plan->task.end_bytes, matrix.bytes);
    if (work.bytes < work_bytes)
        return dl__fail(error, DL_EINVAL, "%llu bytes of workspace are needed, %zu given",
                        (unsigned long long)work_bytes, work.bytes);
    begin = matrix.origin_bytes + plan->task.offset_bytes;
    end = matrix.origin_bytes + plan->task.end_bytes;
    if (work_bytes > 0 && work.root == matrix.root && work.origin_bytes < end &&
        work.origin_bytes + work_bytes > begin)
        return dl__fail(error, DL_EINVAL, "the workspace overlaps the matrix");
    return DL_OK;
}
