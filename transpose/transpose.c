/* SPDX-License-Identifier: MIT */
/* The object of one (context, device), and imatcopy and omatcopy, which keep their plans
 * with it. */
#include <stdlib.h>
#include <string.h>

#include "algorithms/algorithm.h"
#include "dl_matcopy.h"
#include "library.h"

/* ---- imatcopy and omatcopy: the plans that are kept ---- */

enum { KEPT_MAX = 64 };

/* A plan for any alpha and beta, with a workspace that only one queue uses. */
struct kept {
    struct dl_transpose_problem problem; /* alpha and beta 0 */
    cl_command_queue queue;              /* retained, so that no other has its name */
    struct dl_transpose_plan *plan;
    bool is_in_order;
    cl_event last; /* use of the workspace, if the queue is out of order; or NULL */
};

struct dl__matcopy {
    size_t count;
    struct kept kept[KEPT_MAX]; /* the one used last comes first */
};

static void kept_end(const struct dl_transpose *transpose, struct kept *kept)
{
    const cl_icd_dispatch *cl = transpose->opencl.cl;

    dl_transpose_plan_free(kept->plan);
    if (kept->last)
        cl->clReleaseEvent(kept->last);
    cl->clReleaseCommandQueue(kept->queue);
}

static void matcopy_free(struct dl_transpose *transpose)
{
    struct dl__matcopy *all = transpose->matcopy;

    for (size_t k = 0; all && k < all->count; k++)
        kept_end(transpose, &all->kept[k]);
    free(all);
    pthread_mutex_destroy(&transpose->matcopy_lock);
}

static enum dl_status kept_make(const struct dl_matcopy *on,
                                const struct dl_transpose_problem *problem,
                                struct kept *out)
{
    struct dl_transpose *transpose = on->transpose;
    struct dl__queue_info info;
    cl_int err =
        transpose->engine.ops->queue_info(transpose->engine.device, on->queue, &info);
    enum dl_status st;

    if (err != CL_SUCCESS)
        return dl__fail(on->error, dl__status_of_cl(err),
                        "the queue is not valid (OpenCL error %d)", err);
    *out = (struct kept){
        .problem = *problem, .queue = on->queue, .is_in_order = info.is_in_order};
    st = dl_transpose_plan_make(transpose, problem, &out->plan, on->error);
    if (st == DL_OK)
        st = dl_transpose_plan_allocate(out->plan, on->error);
    if (st == DL_OK)
        transpose->opencl.cl->clRetainCommandQueue(on->queue);
    else
        dl_transpose_plan_free(out->plan);
    return st;
}

/* Finds or makes the plan of a problem, and puts it first. */
static enum dl_status kept_find(const struct dl_matcopy *on,
                                const struct dl_transpose_problem *problem,
                                struct kept **out)
{
    struct dl_transpose *transpose = on->transpose;
    struct dl__matcopy *all = transpose->matcopy;
    struct kept found;
    size_t at = 0;

    if (!all)
        transpose->matcopy = all = calloc(1, sizeof *all);
    if (!all)
        return dl__fail(on->error, DL_ENOMEM, "out of host memory");
    while (at < all->count &&
           (all->kept[at].queue != on->queue ||
            memcmp(&all->kept[at].problem, problem, sizeof *problem) != 0))
        at++;
    if (at == all->count) {
        enum dl_status st = kept_make(on, problem, &found);
        if (st != DL_OK)
            return st;
        if (at == KEPT_MAX)
            kept_end(transpose, &all->kept[--at]);
        else
            all->count++;
    } else {
        found = all->kept[at];
    }
    memmove(&all->kept[1], &all->kept[0], at * sizeof *all->kept);
    all->kept[0] = found;
    *out = &all->kept[0];
    return DL_OK;
}

/* ---- a call of theirs ---- */

/* The arguments of any of the functions. */
struct call {
    enum dl_transpose_number number;
    uint32_t bytes;
    char ordering, trans;
    uint64_t rows, cols, batch;
    cl_double2 alpha, beta;
    bool is_out; /* to b; else a is transposed in place */
    cl_mem a, b;
    uint64_t a_offset, b_offset, lda, ldb, stridea, strideb;
};

/* Checks the letters, and reduces them to 'T' or 'N' of a row-major matrix. */
static enum dl_status letters_read(const struct dl_matcopy *on, struct call *call,
                                   bool *conjugate)
{
    char trans = (char)(call->trans & ~0x20), ordering = (char)(call->ordering & ~0x20);

    if (ordering != 'R' && ordering != 'C')
        return dl__fail(on->error, DL_EINVAL, "ordering is '%c', not 'R' or 'C'",
                        call->ordering);
    if (!trans || !strchr("NTRC", trans))
        return dl__fail(on->error, DL_EINVAL, "trans is '%c', not 'N', 'T', 'R' or 'C'",
                        call->trans);
    if (ordering == 'C') {
        uint64_t rows = call->rows;
        call->rows = call->cols;
        call->cols = rows;
    }
    *conjugate =
        (trans == 'R' || trans == 'C') && call->number >= DL_TRANSPOSE_COMPLEX_HALF;
    call->trans = trans == 'T' || trans == 'C' ? 'T' : 'N';
    return DL_OK;
}

#define OFFSET_MAX (UINT64_C(1) << 62)

/* Refuses distances that plans would read as another problem. */
static enum dl_status distances_check(const struct dl_matcopy *on,
                                      const struct call *call)
{
    uint64_t line = call->trans == 'T' ? call->rows : call->cols;

    if (call->lda < call->cols || call->ldb < line)
        return dl__fail(
            on->error, DL_EINVAL, "%s is %llu, less than the %llu elements of a line",
            call->lda < call->cols ? "lda" : "ldb",
            (unsigned long long)(call->lda < call->cols ? call->lda : call->ldb),
            (unsigned long long)(call->lda < call->cols ? call->cols : line));
    if (call->a_offset > OFFSET_MAX / call->bytes ||
        call->b_offset > OFFSET_MAX / call->bytes)
        return dl__fail(on->error, DL_EOVERFLOW, "an offset exceeds 2^62 bytes");
    if (call->batch > 1 && (call->stridea == 0 || (call->is_out && call->strideb == 0)))
        return dl__fail(on->error, DL_EINVAL, "the stride between %llu matrices is 0",
                        (unsigned long long)call->batch);
    return DL_OK;
}

static struct dl_transpose_problem problem_make(const struct call *call, bool conjugate)
{
    bool turns = call->trans == 'T';
    bool is_apart = call->lda != call->cols || call->ldb != call->rows;
    bool is_square = call->rows == call->cols && call->lda == call->ldb;
    struct dl_transpose_problem problem;

    memset(&problem, 0, sizeof problem); /* padding too: problems are compared as bytes */
    problem.struct_bytes = sizeof problem;
    problem.element_bytes = call->bytes;
    problem.number = call->number;
    problem.batch = call->batch;
    problem.batch_stride = call->batch > 1 ? call->stridea : 0;
    problem.leading = call->lda;
    problem.leading_out = call->ldb;
    problem.offset_bytes = call->a_offset * call->bytes;
    problem.conjugate = conjugate;
    problem.scale = call->alpha.s[0] != 1 || call->alpha.s[1] != 0 ||
                    call->beta.s[0] != 0 || call->beta.s[1] != 0;
    if (call->is_out) {
        problem.place = DL_TRANSPOSE_OUT_OF_PLACE;
        problem.offset_out_bytes = call->b_offset * call->bytes;
        problem.batch_stride_out = call->batch > 1 ? call->strideb : 0;
    } else {
        problem.keep_between = 1;
        if (turns && is_apart && !is_square)
            problem.cap = DL_TRANSPOSE_CAP_ANY;
    }
    if (turns) {
        problem.rows = call->rows;
        problem.cols = call->cols;
    } else {
        problem.axis_count = 2;
        problem.extents[0] = call->rows;
        problem.extents[1] = call->cols;
        problem.permutation[1] = 1;
    }
    return problem;
}

/* Uses of a workspace on an out-of-order queue wait for one another. */
static enum dl_status kept_enqueue(const struct dl_matcopy *on, const struct call *call,
                                   struct kept *kept)
{
    const cl_icd_dispatch *cl = on->transpose->opencl.cl;
    bool takes_turns = !kept->is_in_order && kept->plan->info.workspace_bytes > 0;
    cl_uint wait_count = on->wait_count;
    const cl_event *wait = on->wait;
    cl_event *longer = NULL, event = NULL;
    enum dl_status st;

    if (takes_turns && kept->last && (wait_count == 0 || wait)) {
        longer = malloc((wait_count + (size_t)1) * sizeof(cl_event));
        if (!longer)
            return dl__fail(on->error, DL_ENOMEM, "out of host memory");
        if (wait_count)
            memcpy(longer, wait, wait_count * sizeof *longer);
        longer[wait_count++] = kept->last;
        wait = longer;
    }
    st = call->is_out
             ? dl_transpose_enqueue_out(kept->plan, on->queue, call->a, call->b,
                                        wait_count, wait, &event, on->error)
             : dl_transpose_enqueue(kept->plan, on->queue, call->a, NULL, wait_count,
                                    wait, takes_turns || on->event ? &event : NULL, NULL,
                                    on->error);
    free(longer);
    if (st != DL_OK)
        return st;
    if (takes_turns) {
        if (kept->last)
            cl->clReleaseEvent(kept->last);
        kept->last = event;
        if (on->event)
            cl->clRetainEvent(event);
    }
    if (on->event)
        *on->event = event;
    return DL_OK;
}

static enum dl_status call_run(const struct dl_matcopy *on, struct call call)
{
    struct dl_transpose_problem problem;
    bool conjugate = false;
    struct kept *kept = NULL;
    enum dl_status st;

    if (!on || !on->transpose)
        return dl__fail(on ? on->error : NULL, DL_EINVAL, "transpose is NULL");
    st = letters_read(on, &call, &conjugate);
    if (call.rows == 0 || call.cols == 0 || call.batch == 0) {
        call.rows = call.cols = call.lda = call.ldb = call.batch = 0;
        call.is_out = false;
    } else if (st == DL_OK)
        st = distances_check(on, &call);
    if (st != DL_OK)
        return st;
    problem = problem_make(&call, conjugate);
    pthread_mutex_lock(&on->transpose->matcopy_lock);
    st = kept_find(on, &problem, &kept);
    if (st == DL_OK && problem.scale)
        dl__scale_set(kept->plan, call.alpha.s, call.beta.s);
    if (st == DL_OK)
        st = kept_enqueue(on, &call, kept);
    pthread_mutex_unlock(&on->transpose->matcopy_lock);
    return st;
}

/* ---- their functions ---- */

#define NUMBER_s DL_TRANSPOSE_FLOAT
#define NUMBER_d DL_TRANSPOSE_DOUBLE
#define NUMBER_c DL_TRANSPOSE_COMPLEX_FLOAT
#define NUMBER_z DL_TRANSPOSE_COMPLEX_DOUBLE
#define PARTS_s(number) ((cl_double2){{(double)(number), 0}})
#define PARTS_d(number) ((cl_double2){{(number), 0}})
#define PARTS_c(number) ((cl_double2){{(double)(number).s[0], (double)(number).s[1]}})
#define PARTS_z(number) (number)

#define CALL(letter, to_b, a, a_offset, lda, stridea, b, b_offset, ldb, strideb, batch)  \
    call_run(on,                                                                         \
             (struct call){NUMBER_##letter, sizeof(alpha), ordering, trans, rows, cols,  \
                           batch, PARTS_##letter(alpha), PARTS_##letter(beta), to_b, a,  \
                           b, a_offset, b_offset, lda, ldb, stridea, strideb})

#define MATCOPY_DEFINE(letter, type)                                                     \
    enum dl_status dl_##letter##imatcopy_batch_strided(                                  \
        const struct dl_matcopy *on, char ordering, char trans, size_t rows,             \
        size_t cols, type alpha, cl_mem ab, size_t ab_offset, size_t lda, size_t ldb,    \
        size_t stride, size_t batch_size)                                                \
    {                                                                                    \
        const type beta = {0};                                                           \
        return CALL(letter, false, ab, ab_offset, lda, stride, NULL, 0, ldb, 0,          \
                    batch_size);                                                         \
    }                                                                                    \
    enum dl_status dl_##letter##imatcopy(                                                \
        const struct dl_matcopy *on, char ordering, char trans, size_t rows,             \
        size_t cols, type alpha, cl_mem ab, size_t ab_offset, size_t lda, size_t ldb)    \
    {                                                                                    \
        const type beta = {0};                                                           \
        return CALL(letter, false, ab, ab_offset, lda, 0, NULL, 0, ldb, 0, 1);           \
    }                                                                                    \
    enum dl_status dl_##letter##omatcopy_batch_strided(                                  \
        const struct dl_matcopy *on, char ordering, char trans, size_t rows,             \
        size_t cols, type alpha, cl_mem a, size_t a_offset, size_t lda, size_t stridea,  \
        cl_mem b, size_t b_offset, size_t ldb, size_t strideb, size_t batch_size)        \
    {                                                                                    \
        const type beta = {0};                                                           \
        return CALL(letter, true, a, a_offset, lda, stridea, b, b_offset, ldb, strideb,  \
                    batch_size);                                                         \
    }                                                                                    \
    enum dl_status dl_##letter##omatcopy(                                                \
        const struct dl_matcopy *on, char ordering, char trans, size_t rows,             \
        size_t cols, type alpha, cl_mem a, size_t a_offset, size_t lda, cl_mem b,        \
        size_t b_offset, size_t ldb)                                                     \
    {                                                                                    \
        const type beta = {0};                                                           \
        return CALL(letter, true, a, a_offset, lda, 0, b, b_offset, ldb, 0, 1);          \
    }                                                                                    \
    enum dl_status dl_##letter##omatadd(                                                 \
        const struct dl_matcopy *on, char ordering, char trans, size_t rows,             \
        size_t cols, type alpha, cl_mem a, size_t a_offset, size_t lda, type beta,       \
        cl_mem b, size_t b_offset, size_t ldb)                                           \
    {                                                                                    \
        return CALL(letter, true, a, a_offset, lda, 0, b, b_offset, ldb, 0, 1);          \
    }
DL_MATCOPY_TYPE_MAP(MATCOPY_DEFINE)

/* ---- the functions of the ICD loader that this library is linked to ---- */

#define NAMES(X)                                                                         \
    X(clGetDeviceInfo)                                                                   \
    X(clCreateProgramWithSource)                                                         \
    X(clBuildProgram)                                                                    \
    X(clGetProgramBuildInfo)                                                             \
    X(clReleaseProgram)                                                                  \
    X(clCreateKernel)                                                                    \
    X(clReleaseKernel)                                                                   \
    X(clSetKernelArg)                                                                    \
    X(clGetKernelWorkGroupInfo)                                                          \
    X(clCreateBuffer)                                                                    \
    X(clReleaseMemObject)                                                                \
    X(clGetMemObjectInfo)                                                                \
    X(clGetCommandQueueInfo)                                                             \
    X(clRetainCommandQueue)                                                              \
    X(clReleaseCommandQueue)                                                             \
    X(clEnqueueNDRangeKernel)                                                            \
    X(clEnqueueMarkerWithWaitList)                                                       \
    X(clGetEventInfo)                                                                    \
    X(clRetainEvent)                                                                     \
    X(clReleaseEvent)

/* A Python package's library is not linked to a loader: pyopencl may bring its own. */
#ifdef DL_WITHOUT_LOADER
#define WEAK(name) extern __typeof__(name) name __attribute__((weak));
NAMES(WEAK)
#endif

void dl__names_fill(cl_icd_dispatch *cl)
{
#define FILL(name) cl->name = name;
    NAMES(FILL)
}

/* ---- the object ---- */

int dl_transpose_version(void)
{
    return DL_VERSION_NUMBER;
}

enum dl_status dl_transpose_make(const cl_icd_dispatch *cl, cl_context context,
                                 cl_device_id device, struct dl_transpose **out,
                                 struct dl_transpose_error *error)
{
    struct dl_transpose *transpose;
    enum dl_status st;

    if (!context || !device || !out)
        return dl__fail(error, DL_EINVAL, "%s is NULL",
                        !context  ? "context"
                        : !device ? "device"
                                  : "out");
    transpose = calloc(1, sizeof *transpose);
    if (!transpose)
        return dl__fail(error, DL_ENOMEM, "out of host memory");
    if (!cl) {
        dl__names_fill(&transpose->own);
        cl = &transpose->own;
    }
    if (!cl->clGetDeviceInfo) {
        free(transpose);
        return dl__fail(
            error, DL_ENOLIB,
            "this library is not linked to an OpenCL loader: pass cl, a table "
            "of OpenCL's functions");
    }
    transpose->opencl =
        (struct dl__opencl){.cl = cl, .context = context, .device = device};
    st = dl__engine_open(&transpose->engine, &dl__opencl_ops, &transpose->opencl);
    if (st != DL_OK) {
        free(transpose);
        return dl__fail(error, st, "%s", dl_status_text(st));
    }
    dl__steps_open(&transpose->steps, &transpose->engine);
    dl__numbers_read(transpose->engine.file, NULL, 0, &dl__tuning_table,
                     &transpose->tuning);
    pthread_mutex_init(&transpose->matcopy_lock, NULL);
    *out = transpose;
    return DL_OK;
}

void dl_transpose_free(struct dl_transpose *transpose)
{
    if (!transpose)
        return;
    matcopy_free(transpose);
    dl__engine_close(&transpose->engine);
    free(transpose);
}
