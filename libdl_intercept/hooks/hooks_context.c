/* SPDX-License-Identifier: MIT */
/* Hooks of contexts, queues, events, and what tells about them. */

#include <CL/cl.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/base/processes.h"
#include "libdl_intercept/base/thread_cancel.h"
#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/programs/shadow.h"
#include "libdl_intercept/reports/facts.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/state/order.h"
#include "libdl_intercept/state/residence.h"
#include "libdl_intercept/trace/trace.h"
#include "hooks.h"
#include "pin.h"

enum profiling {
    PROFILING_NONE,
    PROFILING_ALWAYS,  /* from the queue's creation on */
    PROFILING_BY_TURNS /* for what the policy times (dl__queue_time_begin) */
};

/* ---- a program that is interrupted ----
 *
 * Reports that are due at the program's end are also made when SIGINT or SIGTERM ends it.
 * That is so only if a report is asked for (--stats, --trace, --advise, --verify) and a
 * thread may be started for it, and only for a signal whose handling the program has left
 * to the system; LLVM's, which a driver brings, cleans up and hands the signal on. The
 * program ends by that signal, as natively; a second one ends it at once. A signal that
 * was ignored when the process began (a shell's jobs) is left as it is, unless the
 * program has set it to its default since.
 *
 * A handler may call hardly anything, so it wakes a thread, which makes the reports and
 * then ends the process by the signal. The interrupted code goes on meanwhile, and
 * releases the locks that it holds. */

enum { STACK_BYTES = 256 << 10 };

static const int signals[] = {SIGINT, SIGTERM};
enum { SIGNALS = sizeof signals / sizeof *signals };

static struct sigaction actions_before[SIGNALS]; /* ours */
static bool ignored_before[SIGNALS];             /* when the process began */
static pid_t owner;
static sem_t woken;
static atomic_int came; /* the signal */

__attribute__((constructor)) static void look_what_is_ignored(void)
{
    struct sigaction now;

    for (size_t s = 0; s < SIGNALS; s++)
        ignored_before[s] =
            sigaction(signals[s], NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static void wake(int signal)
{
    const int err = errno;

    for (size_t s = 0; s < SIGNALS; s++)
        if (signals[s] == signal)
            sigaction(signal, &actions_before[s], NULL);
    if (getpid() == owner) {
        atomic_store(&came, signal);
        sem_post(&woken);
    } else {
        raise(signal); /* in a forked child */
    }
    errno = err;
}

/* LLVM's handlers, in a library of its own or in that of a driver. */
static bool is_of_llvm(const struct sigaction *action)
{
    static const char *const libraries[] = {"libLLVM", "libintelocl"};
    void *handler;
    Dl_info info;

    memcpy(&handler, &action->sa_handler,
           sizeof handler); /* sa_sigaction is there, too */
    if (!handler || !dladdr(handler, &info) || !info.dli_fname)
        return false;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (strstr(info.dli_fname, libraries[i]))
            return true;
    return false;
}

/* Whether the program has no handler of its own; an ignored signal is as good as one. */
static bool is_left_to_the_system(const struct sigaction *action)
{
    if (!(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL)
        return true;
    return action->sa_handler != SIG_IGN && is_of_llvm(action);
}

/* Unless the program has taken it over since. */
static void end_by(int signal)
{
    struct sigaction now;
    sigset_t only;

    if (sigaction(signal, NULL, &now) != 0 || !is_left_to_the_system(&now))
        return;
    sigemptyset(&only);
    sigaddset(&only, signal);
    raise(signal); /* blocked in this thread so far */
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
}

static void *tell(void *unused)
{
    (void)unused;
    while (sem_wait(&woken) != 0)
        ;
    dl__trace_end();
    dl__reports_end_by(atomic_load(&came));
    end_by(atomic_load(&came));
    return NULL;
}

static bool start_thread(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, mask;
    bool started;

    if (sem_init(&woken, 0, 0) != 0 || pthread_attr_init(&attributes) != 0)
        return false;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
    started = pthread_create(&thread, &attributes, tell, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

static void begin(void)
{
    const struct dl__options *options = dl__options_get();
    const struct sigaction ours = {.sa_handler = wake, .sa_flags = SA_RESTART};
    bool started = false;

    if (!options->stats && !options->trace_path && !options->advise &&
        !options->verify_every)
        return;
    owner = getpid();
    for (size_t s = 0; s < SIGNALS; s++) {
        if (sigaction(signals[s], NULL, &actions_before[s]) != 0 ||
            !is_left_to_the_system(&actions_before[s]))
            continue;
        /* LLVM's handler gives it back to what ignored it. */
        if (ignored_before[s] && actions_before[s].sa_handler != SIG_DFL)
            continue;
        started = started || (dl__processes_are_left() && start_thread());
        if (started)
            sigaction(signals[s], &ours, NULL);
    }
}

/* The process uses OpenCL; once. */
static void interrupt_begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, begin);
}

/* ---- which queues have profiling by DL ---- */

/* Queues that have it, by handle: their events may outlive DL's record of the queue. A
 * handle that is used again is judged anew. */
struct profiled {
    cl_command_queue handle;
    struct profiled *next;
};
static struct dl__mutex profiled_lock = DL__MUTEX_INITIALIZER;
static struct profiled *profiled DL__GUARDED_BY(profiled_lock);
static atomic_bool any_profiled; /* a queue ever was */

/* Whether DL added it to a queue: of a new one, whose handle may be that of another
 * before. */
static void profiling_note(cl_command_queue handle, bool now)
{
    struct profiled **at, *entry;

    if (!now && !atomic_load(&any_profiled))
        return;
    dl__mutex_lock(&profiled_lock);
    for (at = &profiled; *at && (*at)->handle != handle; at = &(*at)->next)
        ;
    entry = *at;
    if (now && !entry && (entry = malloc(sizeof *entry))) {
        *entry = (struct profiled){handle, profiled};
        profiled = entry;
        atomic_store(&any_profiled, true);
    } else if (!now && entry) {
        *at = entry->next;
        free(entry);
    }
    dl__mutex_unlock(&profiled_lock);
}

/* True when the event has times only because DL added profiling to its queue. */
static bool profiling_is_hidden(cl_event event)
{
    cl_command_queue handle = NULL;
    const struct profiled *at;

    if (!atomic_load(&any_profiled) ||
        dl__next.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof handle, &handle,
                                NULL) != CL_SUCCESS)
        return false;
    dl__mutex_lock(&profiled_lock);
    for (at = profiled; at && at->handle != handle; at = at->next)
        ;
    dl__mutex_unlock(&profiled_lock);
    return at != NULL;
}

/* OpenCL 1.0's clSetCommandQueueProperty is gone from most drivers, and a loader may end
 * the program where it is. NVIDIA's has it (docs/notes/policy.md). */
static bool can_be_switched(cl_device_id device)
{
    static const char nvidia[] = "NVIDIA ";
    cl_platform_id platform = NULL;
    char vendor[256] = "";

    return dl__next.clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform,
                                    &platform, NULL) == CL_SUCCESS &&
           dl__next.clGetPlatformInfo(platform, CL_PLATFORM_VENDOR, sizeof vendor, vendor,
                                      NULL) == CL_SUCCESS &&
           strncmp(vendor, nvidia, sizeof nvidia - 1) == 0;
}

/* Returns the profiling to add to a queue of these properties: none where it would decide
 * whether a command buffer can be made for the queue, or used on it. */
static enum profiling profiling_to_add(cl_context context, cl_device_id device,
                                       cl_command_queue_properties properties)
{
    enum { SUPPORTED_KHR = 0x129A, REQUIRED_KHR = 0x12AA };
    cl_command_queue_properties supported = CL_QUEUE_PROFILING_ENABLE, required = 0;
    bool all = dl__options_get()->stats || dl__trace_is_on();

    if (!(all || dl__policy_wants_profiling()) ||
        properties & (CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_ON_DEVICE) ||
        !dl__context_has_devices(dl__context_find(context), 1, &device))
        return PROFILING_NONE;
    if (dl__next.clGetDeviceInfo(device, SUPPORTED_KHR, sizeof supported, &supported,
                                 NULL) != CL_SUCCESS)
        supported = CL_QUEUE_PROFILING_ENABLE;
    if (dl__next.clGetDeviceInfo(device, REQUIRED_KHR, sizeof required, &required,
                                 NULL) != CL_SUCCESS)
        required = 0;
    if (!(supported & ~required & CL_QUEUE_PROFILING_ENABLE))
        return PROFILING_NONE;
    return !all && can_be_switched(device) ? PROFILING_BY_TURNS : PROFILING_ALWAYS;
}

/* Of a new queue that was made without it: itself. Where the driver can't switch it, it
 * is released, and to be made anew: NULL. */
static cl_command_queue profiling_try(cl_command_queue handle, enum profiling *added)
{
    if (!handle)
        return NULL;
    if (dl__next.clSetCommandQueueProperty(handle, CL_QUEUE_PROFILING_ENABLE, CL_TRUE,
                                           NULL) == CL_SUCCESS &&
        dl__next.clSetCommandQueueProperty(handle, CL_QUEUE_PROFILING_ENABLE, CL_FALSE,
                                           NULL) == CL_SUCCESS)
        return handle;
    dl__next.clReleaseCommandQueue(handle);
    *added = PROFILING_ALWAYS;
    return NULL;
}

/* ---- contexts ---- */

static cl_context record_context(cl_context handle)
{
    dl__binaries_offer();
    if (handle) {
        dl__facts_context();
        interrupt_begin();
    }
    dl__context_make(handle);
    return handle;
}

DL_HOOK(clCreateContext)
{
    return record_context(DL_NEXT(clCreateContext));
}

DL_HOOK(clCreateContextFromType)
{
    return record_context(DL_NEXT(clCreateContextFromType));
}

DL_HOOK_RETAIN(clRetainContext, context, dl__context_type)
DL_HOOK_RELEASE(clReleaseContext, context, dl__context_type)

/* DL's events are not to be counted where the program counts. */
static void settle(struct dl__context *context)
{
    if (context) {
        dl__stats_settle();
        dl__trace_settle();
    }
    if (dl__context_is_annotated(context))
        dl__context_settle(context);
}

DL_HOOK(clGetContextInfo)
{
    struct dl__context *context = NULL;
    cl_int err;

    if (name == CL_CONTEXT_REFERENCE_COUNT) {
        context = dl__context_find(handle);
        settle(context);
    }
    err = DL_NEXT(clGetContextInfo);
    if (err != CL_SUCCESS || !context || !value)
        return err;
    dl__context_lock_quietly(context);
    *(cl_uint *)value -= dl__context_count_own(context);
    dl__context_unlock(context);
    return err;
}

/* ---- queues ---- */

/* More queues than DL can tell apart: no buffer of the context is tiled any more. */
static DL__WITH_LOCK void leave_alone(struct dl__context *context)
{
    struct dl__mem *next;

    if (!context->pinned && dl__context_is_annotated(context))
        dl__log(DL__LOG_WARNING,
                "the context has more than %d queues: its kernels run as written",
                DL__QUEUE_SLOTS);
    context->pinned = true;
    for (struct dl__mem *mem = context->tiled; mem; mem = next) {
        next = mem->residence.next_tiled;
        dl__mem_bring_back_now(mem, "a context of too many queues");
    }
}

/* The slot of a new queue. False: all taken; DL then leaves the context alone. */
static DL__WITH_LOCK bool slot_take(struct dl__context *context, struct dl__queue *queue)
{
    for (unsigned i = 0; i < DL__QUEUE_SLOTS; i++) {
        struct dl__queue_slot *slot = &context->slots[i];

        if (slot->queue || (slot->retired && !dl__event_is_done(slot->retired)) ||
            (atomic_load(&context->cancel.falling) >> i & 1))
            continue;
        if (slot->retired)
            dl__next.clReleaseEvent(slot->retired);
        slot->retired = NULL;
        slot->queue = queue;
        queue->slot = i;
        return true;
    }
    return false;
}

/* NULL: no record. */
static struct dl__queue *record_queue(cl_command_queue handle, cl_context context_handle,
                                      cl_device_id device,
                                      cl_command_queue_properties properties,
                                      enum profiling added)
{
    bool on_device = properties & CL_QUEUE_ON_DEVICE;
    struct dl__context *context = dl__context_find(context_handle);
    struct dl__queue *queue = dl__object_make(&dl__queue_type, handle, context);

    if (!queue)
        return NULL;
    queue->device = device;
    queue->out_of_order = properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    queue->profiling_added = added != PROFILING_NONE;
    queue->times_by_turns = added == PROFILING_BY_TURNS;
    queue->profiled = queue->profiling_added || properties & CL_QUEUE_PROFILING_ENABLE;
    profiling_note(handle, queue->profiling_added);
    atomic_fetch_add(&context->queue_count, 1);
    dl__context_lock(context);
    if (on_device || !slot_take(context, queue))
        queue->slot = DL__QUEUE_SLOTS;
    if (!on_device && queue->slot == DL__QUEUE_SLOTS)
        leave_alone(context);
    dl__context_unlock(context);
    dl__stats_device(device);
    dl__trace_queue(handle, device, false);
    return queue;
}

/* CL_QUEUE_PROPERTIES of a property list. */
static cl_command_queue_properties queue_bits(const cl_queue_properties *properties)
{
    for (size_t i = 0; properties && properties[i]; i += 2) {
        if (properties[i] == CL_QUEUE_PROPERTIES)
            return properties[i + 1];
    }
    return 0;
}

void dl__pin_adopt_queue(cl_context context, cl_device_id device,
                         const cl_queue_properties *properties, cl_command_queue queue)
{
    record_queue(queue, context, device, queue_bits(properties), PROFILING_NONE);
}

/* The properties with profiling added; NULL: out of memory. */
static cl_queue_properties *with_profiling(const cl_queue_properties *properties,
                                           bool *property_added)
{
    size_t count = 0;
    cl_queue_properties *copy;

    *property_added = true;
    while (properties && properties[count])
        count += 2;
    copy = calloc(count + 3, sizeof *copy);
    if (!copy)
        return NULL;
    if (count)
        memcpy(copy, properties, count * sizeof *copy);
    for (size_t i = 0; i < count; i += 2) {
        if (copy[i] == CL_QUEUE_PROPERTIES) {
            copy[i + 1] |= CL_QUEUE_PROFILING_ENABLE;
            *property_added = false;
        }
    }
    if (*property_added) {
        copy[count] = CL_QUEUE_PROPERTIES;
        copy[count + 1] = CL_QUEUE_PROFILING_ENABLE;
    }
    return copy;
}

/* Asks the driver for a queue: of a list of properties, or of bits (OpenCL 1). */
static cl_command_queue ask_queue(cl_context context, cl_device_id device,
                                  const cl_queue_properties *list,
                                  const cl_command_queue_properties *bits, cl_int *err)
{
    return bits ? dl__next.clCreateCommandQueue(context, device, *bits, err)
                : dl__next.clCreateCommandQueueWithProperties(context, device, list, err);
}

/* The same, with the profiling that DL adds. */
static cl_command_queue make_queue(cl_context context, cl_device_id device,
                                   const cl_queue_properties *list,
                                   const cl_command_queue_properties *bits, cl_int *err)
{
    const cl_command_queue_properties asked = bits ? *bits : queue_bits(list),
                                      with = asked | CL_QUEUE_PROFILING_ENABLE;
    enum profiling added = profiling_to_add(context, device, asked);
    cl_queue_properties *changed = NULL;
    cl_command_queue handle = NULL;
    bool property_added = false;
    struct dl__queue *queue;

    if (added == PROFILING_BY_TURNS)
        handle = profiling_try(ask_queue(context, device, list, bits, err), &added);
    if (added == PROFILING_ALWAYS &&
        (bits || (changed = with_profiling(list, &property_added))))
        handle = ask_queue(context, device, changed, bits ? &with : NULL, err);
    /* The queue without profiling may succeed; if not, the program gets its own error. */
    if (!handle) {
        if (added == PROFILING_ALWAYS)
            added = PROFILING_NONE;
        handle = ask_queue(context, device, list, bits, err);
    }
    queue = record_queue(handle, context, device, asked, added);
    if (queue && !bits) {
        queue->has_list = list != NULL;
        queue->list_changed = changed && added == PROFILING_ALWAYS;
        queue->property_added = property_added;
    }
    free(changed);
    return handle;
}

DL_HOOK(clCreateCommandQueue)
{
    return make_queue(context, device, NULL, &properties, err);
}

DL_HOOK(clCreateCommandQueueWithProperties)
{
    return make_queue(context, device, properties, NULL, err);
}

DL_HOOK_RETAIN(clRetainCommandQueue, queue, dl__queue_type)

DL_HOOK(clReleaseCommandQueue)
{
    dl__stats_settle();
    dl__trace_settle();
    dl__policy_settle();
    dl__object_release(&dl__queue_type, queue);
    return dl__next.clReleaseCommandQueue(queue);
}

/* CL_QUEUE_PROPERTIES_ARRAY of a queue whose list DL has changed. */
static cl_int give_properties(const struct dl__queue *queue, size_t bytes, void *value,
                              size_t *ret)
{
    cl_command_queue handle = queue->object.handle;
    size_t whole = 0, count = 0, kept = 0;
    cl_queue_properties *list = NULL;
    cl_int err = dl__next.clGetCommandQueueInfo(handle, CL_QUEUE_PROPERTIES_ARRAY, 0,
                                                NULL, &whole);

    if (err == CL_SUCCESS && queue->has_list && whole > 0) {
        list = calloc(1, whole + sizeof *list); /* ended, whatever the driver gives */
        err = list ? dl__next.clGetCommandQueueInfo(handle, CL_QUEUE_PROPERTIES_ARRAY,
                                                    whole, list, NULL)
                   : CL_OUT_OF_HOST_MEMORY;
        count = whole / sizeof *list;
    }
    for (size_t i = 0; err == CL_SUCCESS && i < count; i += 2) {
        bool ours = list[i] == CL_QUEUE_PROPERTIES;

        if (ours && queue->property_added)
            continue;
        list[kept++] = list[i];
        if (i + 1 < count)
            list[kept++] =
                ours ? list[i + 1] & ~(cl_queue_properties)CL_QUEUE_PROFILING_ENABLE
                     : list[i + 1];
    }
    if (err == CL_SUCCESS && value && bytes < kept * sizeof *list)
        err = CL_INVALID_VALUE;
    if (err == CL_SUCCESS && value && kept)
        memcpy(value, list, kept * sizeof *list);
    if (err == CL_SUCCESS && ret)
        *ret = kept * sizeof *list;
    free(list);
    return err;
}

DL_HOOK(clGetCommandQueueInfo)
{
    const struct dl__queue *queue = NULL;
    cl_int err;

    if (name == CL_QUEUE_REFERENCE_COUNT || name == CL_QUEUE_PROPERTIES_ARRAY ||
        name == CL_QUEUE_PROPERTIES)
        queue = dl__queue_find(handle);
    if (queue && name == CL_QUEUE_REFERENCE_COUNT)
        settle(queue->object.context);
    if (queue && name == CL_QUEUE_PROPERTIES_ARRAY && queue->list_changed)
        return give_properties(queue, bytes, value, ret);
    err = DL_NEXT(clGetCommandQueueInfo);
    if (err == CL_SUCCESS && name == CL_QUEUE_PROPERTIES && value && queue &&
        queue->profiling_added)
        *(cl_command_queue_properties *)value &=
            ~(cl_command_queue_properties)CL_QUEUE_PROFILING_ENABLE;
    return err;
}

/* Of OpenCL 1.0. From now on profiling is as the program says. */
DL_HOOK(clSetCommandQueueProperty)
{
    cl_int err = DL_NEXT(clSetCommandQueueProperty);
    struct dl__queue *queue = err == CL_SUCCESS ? dl__queue_find(handle) : NULL;

    if (!queue)
        return err;
    if (queue->profiling_added && before)
        *before &= ~(cl_command_queue_properties)CL_QUEUE_PROFILING_ENABLE;
    if (queue->profiling_added && properties & CL_QUEUE_PROFILING_ENABLE) {
        queue->profiling_added = queue->times_by_turns = false;
        profiling_note(handle, false);
    }
    if (properties & CL_QUEUE_PROFILING_ENABLE)
        queue->profiled = enable;
    if (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
        queue->out_of_order = enable;
    return err;
}

static void settle_annotated(struct dl__context *context, void *unused)
{
    (void)unused;
    if (dl__context_is_annotated(context))
        dl__context_settle(context);
}

DL_HOOK(clGetEventInfo)
{
    cl_int err;

    /* Of what is done DL need not keep the event. */
    if (name == CL_EVENT_REFERENCE_COUNT)
        dl__contexts_visit(settle_annotated, NULL);
    err = DL_NEXT(clGetEventInfo);
    if (err == CL_SUCCESS && name == CL_EVENT_REFERENCE_COUNT && value)
        *(cl_uint *)value -= dl__stats_references(event) + dl__trace_references(event) +
                             dl__policy_references(event);
    return err;
}

DL_HOOK(clGetEventProfilingInfo)
{
    if (profiling_is_hidden(event))
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    return DL_NEXT(clGetEventProfilingInfo);
}

/* Hooks of user events, by which a program may cancel its commands, and of what tells
 * that a queue has nothing left to cancel. */

DL_HOOK(clCreateUserEvent)
{
    cl_event event = DL_NEXT(clCreateUserEvent);

    if (event)
        dl__user_event_begin(context, event);
    return event;
}

DL_HOOK(clSetUserEventStatus)
{
    struct dl__seen seen = dl__user_event_failing(event, status);
    cl_int err = DL_NEXT(clSetUserEventStatus);

    dl__user_event_set(&seen, err);
    return err;
}

struct callback {
    void(CL_CALLBACK *notify)(cl_event, cl_int, void *);
    void *user;
};

static void CL_CALLBACK call_back(cl_event event, cl_int status, void *user)
{
    struct callback callback = *(struct callback *)user;

    free(user);
    dl__callback_begin();
    callback.notify(event, status, callback.user);
    dl__callback_end();
}

/* Commands that the program enqueues from the callback must not wait (order.h). */
DL_HOOK(clSetEventCallback)
{
    struct callback *callback = notify ? malloc(sizeof *callback) : NULL;
    cl_int err;

    if (!callback)
        return DL_NEXT(clSetEventCallback);
    *callback = (struct callback){notify, user};
    err = dl__next.clSetEventCallback(event, when, call_back, callback);
    if (err != CL_SUCCESS)
        free(callback);
    return err;
}

DL_HOOK(clRetainEvent)
{
    cl_int err = dl__next.clRetainEvent(event);

    if (err == CL_SUCCESS && dl__user_events_exist())
        dl__object_retain(&dl__user_event_type, event);
    return err;
}

/* Apart, so that what programs without user events pass through is a jump. */
static __attribute__((noinline)) cl_int release_event(cl_event event)
{
    const int before = dl__cancel_put_off();
    cl_int err;

    dl__object_release(&dl__user_event_type, event);
    err = dl__next.clReleaseEvent(event);
    dl__cancel_allow(before);
    return err;
}

DL_HOOK_UNGUARDED(clReleaseEvent)
{
    return dl__user_events_exist() ? release_event(event)
                                   : dl__next.clReleaseEvent(event);
}

DL_HOOK_UNGUARDED(clFinish)
{
    int before = dl__cancel_put_off();
    struct dl__finish finish;
    cl_int err;

    dl__trace_call_begin("clFinish");
    finish = dl__finish_begin(queue);
    dl__cancel_allow(before);
    err = dl__next.clFinish(queue);
    before = dl__cancel_put_off();
    if (err == CL_SUCCESS) {
        dl__finish_end(&finish);
        dl__policy_waited();
    }
    dl__trace_call_end();
    dl__cancel_allow(before);
    return err;
}
