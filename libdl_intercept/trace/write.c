/* SPDX-License-Identifier: MIT */
/* Writing the trace: an array of events, each a line, whose closing bracket comes at the
 * process's end. A reader that wants none (Perfetto, chrome://tracing) also takes the
 * file of a program that was killed. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "inner.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/reports/write_file.h"

enum {
    ROOM_BYTES = 1 << 16,
    RECORD_BYTES = 2048,
    HIGH_NUMBER = 512,              /* of descriptors */
    KEPT_NS_MAX = 100 * 1000 * 1000 /* what is older goes to the file with the next */
};

static char *room DL__GUARDED_BY(dl__trace_lock);
static size_t used DL__GUARDED_BY(dl__trace_lock);
static uint64_t written_ns DL__GUARDED_BY(dl__trace_lock);
static int file DL__GUARDED_BY(dl__trace_lock) = -1;
static struct stat file_is DL__GUARDED_BY(dl__trace_lock);
static bool opened DL__GUARDED_BY(dl__trace_lock);
static bool any DL__GUARDED_BY(dl__trace_lock); /* there is a record */
static uint64_t beside_count DL__GUARDED_BY(dl__trace_lock);
static uint64_t arrow_count DL__GUARDED_BY(dl__trace_lock);

uint64_t dl__trace_clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- the file ---- */

/* The program's own files get the numbers that they would get without a trace, where
 * there is room above. */
static void move_up(int *fd)
{
    int high = fcntl(*fd, F_DUPFD_CLOEXEC, HIGH_NUMBER);

    if (high < 0)
        return;
    close(*fd);
    *fd = high;
}

/* Programs that become daemons close whatever is open, and the number may be another
 * file's by now. */
static DL__REQUIRES(dl__trace_lock) bool is_still_open(void)
{
    struct stat now;

    if (fstat(file, &now) == 0 && now.st_dev == file_is.st_dev &&
        now.st_ino == file_is.st_ino)
        return true;
    file = -1;
    errno = EBADF;
    return false;
}

static DL__REQUIRES(dl__trace_lock) void give_up(const char *path)
{
    dl__log(DL__LOG_ERROR,
            "%s: the trace can't be written: %s; give --trace (DL_TRACE) another file",
            path, strerror(errno));
    if (file >= 0)
        close(file);
    file = -1;
    used = 0;
    dl__trace_stop();
}

/* Two processes that run at the same time do not write into one file. */
static DL__REQUIRES(dl__trace_lock) bool open_file(void)
{
    const char *path = dl__options_get()->trace_path;
    char *own = NULL;

    if (opened)
        return file >= 0;
    opened = true;
    room = malloc(ROOM_BYTES);
    if (!path || !room) {
        dl__trace_stop();
        return false;
    }
    file = dl__file_begin(path);
    if (file < 0 && errno == EWOULDBLOCK &&
        asprintf(&own, "%s.%ld", path, (long)getpid()) > 0) {
        dl__log(DL__LOG_WARNING,
                "%s: another process is writing its trace there; this one's goes to %s",
                path, own);
        path = own;
        file = dl__file_begin(path);
    }
    if (file >= 0) {
        move_up(&file);
        fstat(file, &file_is);
    } else {
        give_up(path);
    }
    free(own);
    return file >= 0;
}

void dl__trace_write_out(void)
{
    written_ns = dl__trace_clock_ns();
    if (file < 0 || used == 0)
        return;
    if (!is_still_open() || !dl__file_append(file, room, used))
        give_up(dl__options_get()->trace_path);
    used = 0;
}

void dl__trace_write_end(void)
{
    if (!open_file())
        return;
    memcpy(room + used, any ? "\n]\n" : "[]\n", 3);
    used += 3;
    dl__trace_write_out();
    if (file >= 0 && is_still_open())
        close(file);
    file = -1;
}

/* ---- records ---- */

__attribute__((format(printf, 1, 2))) static DL__REQUIRES(
    dl__trace_lock) void write_record(const char *format, ...)
{
    va_list list;
    int bytes;

    if (!open_file())
        return;
    if (used + RECORD_BYTES + 8 > ROOM_BYTES)
        dl__trace_write_out();
    memcpy(room + used, any ? ",\n" : "[\n", 2);
    va_start(list, format);
    bytes = vsnprintf(room + used + 2, RECORD_BYTES, format, list);
    va_end(list);
    /* One that does not fit is left out whole: a part of it would be no JSON. */
    if (bytes > 0 && bytes < RECORD_BYTES) {
        used += (size_t)bytes + 2;
        any = true;
    }
    if (dl__trace_clock_ns() - written_ns > KEPT_NS_MAX)
        dl__trace_write_out();
}

void dl__trace_write_slice(const struct dl__trace_slice *slice)
{
    uint64_t length = slice->end_ns - slice->start_ns;

    write_record("{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%d,\"tid\":%d,"
                 "\"ts\":" DL__THOUSANDTHS ",\"dur\":" DL__THOUSANDTHS ",\"args\":{%s}}",
                 slice->name, slice->category, slice->process, slice->lane,
                 DL__AS_THOUSANDTHS(slice->start_ns), DL__AS_THOUSANDTHS(length),
                 slice->args ? slice->args : "");
}

void dl__trace_write_beside(const struct dl__trace_slice *slice)
{
    const uint64_t times[2] = {slice->start_ns, slice->end_ns};

    beside_count++;
    for (int i = 0; i < 2; i++)
        write_record("{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"%s\",\"id\":%" PRIu64
                     ",\"pid\":%d,\"tid\":%d,\"ts\":" DL__THOUSANDTHS ",\"args\":{%s}}",
                     slice->name, slice->category, i ? "e" : "b", beside_count,
                     slice->process, slice->lane, DL__AS_THOUSANDTHS(times[i]),
                     i || !slice->args ? "" : slice->args);
}

void dl__trace_write_arrow(const struct dl__trace_command *from,
                           const struct dl__trace_slice *to)
{
    arrow_count++;
    write_record("{\"name\":\"enqueued\",\"cat\":\"flow\",\"ph\":\"s\",\"id\":%" PRIu64
                 ",\"pid\":%d,\"tid\":%d,\"ts\":" DL__THOUSANDTHS ",\"args\":{}}",
                 arrow_count, from->host_process, from->host_lane,
                 DL__AS_THOUSANDTHS(from->host_ns));
    write_record("{\"name\":\"enqueued\",\"cat\":\"flow\",\"ph\":\"f\",\"bp\":\"e\","
                 "\"id\":%" PRIu64 ",\"pid\":%d,\"tid\":%d,\"ts\":" DL__THOUSANDTHS
                 ",\"args\":{}}",
                 arrow_count, to->process, to->lane, DL__AS_THOUSANDTHS(to->start_ns));
}

void dl__trace_write_label(const char *what, const char *key, int process, int lane,
                           const char *text)
{
    char quoted[256];

    write_record("{\"name\":\"%s\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"args\":{\"%s\":"
                 "\"%s\"}}",
                 what, process, lane, key, dl__trace_quote(quoted, sizeof quoted, text));
}

const char *dl__trace_quote(char *out, size_t bytes, const char *text)
{
    size_t at = 0;

    for (; *text && at + 7 < bytes; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\')
            at += (size_t)snprintf(out + at, bytes - at, "\\%c", c);
        else if (c < 0x20 || c >= 0x7f) /* any bytes make valid text so */
            at += (size_t)snprintf(out + at, bytes - at, "\\u%04x", c);
        else
            out[at++] = (char)c;
    }
    out[at] = '\0';
    return out;
}

void dl__trace_put_speed(char *args, size_t bytes_of_room, uint64_t bytes, uint64_t ns)
{
    size_t at = strlen(args);

    if (bytes > 0)
        at += (size_t)snprintf(args + at, bytes_of_room - at, "%s\"bytes\":%" PRIu64,
                               at ? "," : "", bytes);
    if (bytes > 0 && ns > 0 && at < bytes_of_room) {
        const uint64_t mb_per_s = (uint64_t)(1e3 * (double)bytes / (double)ns + 0.5);

        snprintf(args + at, bytes_of_room - at, ",\"gb_per_s\":" DL__THOUSANDTHS,
                 DL__AS_THOUSANDTHS(mb_per_s));
    }
}
