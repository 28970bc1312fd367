/* SPDX-License-Identifier: MIT */
/* A directory of entries, shared without locks but for those that save work. */
#include "store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "libdl_intercept/base/clock.h"
#include "libdl_intercept/base/processes.h"
#include "pack.h"

#define MAGIC "DL-entr2"
#define SUFFIX ".dl"
#define TEMPORARY "tmp-"

enum {
    HASH_LETTERS = 2 * DL__DIGEST_BYTES,
    LONGER_HASH_LETTERS = 64, /* SHA-256, of versions before this one */
    NAME_BYTES = LONGER_HASH_LETTERS + sizeof SUFFIX,
    REFRESH_S = 24 * 3600,
    TEMPORARY_S = 3600 /* older ones are of programs that were killed */
};

struct head {
    char magic[8];
    uint64_t key_bytes, value_bytes;
};

/* ---- the directory ---- */

static enum dl__store_result open_directory(const struct dl__store *store, bool make,
                                            int *fd)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    int directory = *store->directory ? open(store->directory, flags) : -1;
    struct stat info;

    if (directory < 0 && errno == ENOENT && *store->directory && make) {
        mkdir(store->directory, 0700);
        directory = open(store->directory, flags);
    }
    if (directory < 0)
        return DL__STORE_MISSING;
    /* Who can write there could have DL load binaries of his; what is in entries they
     * alone say, whose mode is 0600. */
    if (fstat(directory, &info) != 0 || info.st_uid != geteuid() ||
        (info.st_mode & 022) != 0) {
        close(directory);
        return DL__STORE_FOREIGN;
    }
    *fd = directory;
    return DL__STORE_DONE;
}

/* The place of a key's entry. */
struct place {
    unsigned char digest[DL__DIGEST_BYTES]; /* of the key */
    char name[NAME_BYTES];
};

static struct place place_of(const struct dl__pack *key)
{
    struct place place;

    dl__digest(&(struct dl__digest_part){key->data, key->bytes}, 1, place.digest);
    for (size_t i = 0; i < sizeof place.digest; i++)
        sprintf(place.name + 2 * i, "%02x", place.digest[i]);
    strcpy(place.name + HASH_LETTERS, SUFFIX);
    return place;
}

/* Of all but the key's own bytes, which are compared one by one. */
static void entry_sum(const struct head *head, const struct place *place,
                      const void *value, unsigned char sum[DL__DIGEST_BYTES])
{
    const struct dl__digest_part parts[] = {{head, sizeof *head},
                                            {place->digest, sizeof place->digest},
                                            {value, (size_t)head->value_bytes}};

    dl__digest(parts, 3, sum);
}

/* ---- reading ---- */

static bool read_all(int fd, void *to, size_t bytes)
{
    char *at = to;

    while (bytes) {
        ssize_t done = read(fd, at, bytes);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        bytes -= (size_t)done;
    }
    return true;
}

/* Reads the head of a file that may be an entry of a key of key_bytes. */
static bool read_head(int fd, uint64_t most_bytes, size_t key_bytes, struct head *head)
{
    const uint64_t around = sizeof *head + DL__DIGEST_BYTES;
    struct timespec now;
    struct stat info;

    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid() ||
        info.st_size < (off_t)around || (uint64_t)info.st_size > most_bytes ||
        !read_all(fd, head, sizeof *head))
        return false;
    /* An entry that is used is kept young. */
    clock_gettime(CLOCK_REALTIME, &now);
    if (now.tv_sec - info.st_mtime > REFRESH_S)
        futimens(fd, NULL);
    return memcmp(head->magic, MAGIC, sizeof head->magic) == 0 &&
           head->key_bytes == key_bytes && key_bytes <= (uint64_t)info.st_size - around &&
           head->value_bytes == (uint64_t)info.st_size - around - key_bytes;
}

/* True when the file goes on with the key. It is read bit by bit, for keys are larger
 * than caches. */
static bool read_key(int fd, const struct dl__pack *key)
{
    enum { BYTES = 64 << 10 };
    unsigned char *bytes = malloc(BYTES);
    bool same = bytes != NULL;

    for (size_t at = 0; same && at < key->bytes; at += BYTES) {
        size_t next = key->bytes - at < BYTES ? key->bytes - at : BYTES;

        same = read_all(fd, bytes, next) && memcmp(bytes, key->data + at, next) == 0;
    }
    free(bytes);
    return same;
}

/* The value of an entry; NULL: the file is not one of this key. The caller frees it. */
static unsigned char *read_value(int fd, uint64_t most_bytes, const struct dl__pack *key,
                                 const struct place *place, size_t *bytes)
{
    unsigned char sum[DL__DIGEST_BYTES], there[DL__DIGEST_BYTES];
    unsigned char *value;
    struct head head;

    if (!read_head(fd, most_bytes, key->bytes, &head) || !read_key(fd, key))
        return NULL;
    *bytes = (size_t)head.value_bytes;
    value = malloc(*bytes + 1);
    if (value && read_all(fd, value, *bytes) && read_all(fd, there, sizeof there)) {
        entry_sum(&head, place, value, sum);
        if (memcmp(there, sum, sizeof sum) == 0)
            return value;
    }
    free(value);
    return NULL;
}

enum dl__store_result dl__store_get(struct dl__store *store, const struct dl__pack *key,
                                    void **value, size_t *value_bytes)
{
    unsigned char *found = NULL;
    struct place place;
    size_t bytes;
    enum dl__store_result result;
    int directory, fd;

    result = open_directory(store, false, &directory);
    if (result != DL__STORE_DONE)
        return result;
    place = place_of(key);
    /* Not to wait for a writer, should this be a pipe. */
    fd = openat(directory, place.name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd >= 0) {
        found = read_value(fd, store->limit_bytes, key, &place, &bytes);
        close(fd);
    }
    close(directory);
    if (!found)
        return fd >= 0 ? DL__STORE_DAMAGED : DL__STORE_MISSING;
    *value = found;
    *value_bytes = bytes;
    return DL__STORE_DONE;
}

/* ---- keeping within the limit ---- */

struct file {
    char name[NAME_BYTES];
    uint64_t bytes;
    time_t time;
};

static int older_first(const void *left, const void *right)
{
    const struct file *a = left, *b = right;

    return a->time < b->time ? -1 : a->time > b->time;
}

static bool is_entry_name(const char *name)
{
    size_t letters = strspn(name, "0123456789abcdef");

    return (letters == HASH_LETTERS || letters == LONGER_HASH_LETTERS) &&
           strcmp(name + letters, SUFFIX) == 0;
}

/* Removes the oldest entries until three quarters of the limit are left, if there is more
 * than the limit. Touches no file that is not of this store. */
static void trim(int directory, uint64_t limit_bytes)
{
    struct file *files = NULL, *more;
    size_t count = 0, room = 0;
    uint64_t total = 0;
    struct dirent *item;
    int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
    time_t now = time(NULL);

    if (!list && fd >= 0)
        close(fd);
    while (list && (item = readdir(list))) {
        bool is_temporary = strncmp(item->d_name, TEMPORARY, sizeof TEMPORARY - 1) == 0;
        struct stat info;

        if ((!is_temporary && !is_entry_name(item->d_name)) ||
            fstatat(directory, item->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(info.st_mode))
            continue;
        if (is_temporary) {
            if (now - info.st_mtime > TEMPORARY_S)
                unlinkat(directory, item->d_name, 0);
            continue;
        }
        if (count == room) {
            more = realloc(files, (room * 2 + 64) * sizeof *files);
            if (!more)
                break;
            files = more;
            room = room * 2 + 64;
        }
        strcpy(files[count].name, item->d_name);
        files[count].bytes = (uint64_t)info.st_size;
        files[count].time = info.st_mtime;
        total += files[count++].bytes;
    }
    if (list)
        closedir(list);
    if (total > limit_bytes) {
        qsort(files, count, sizeof *files, older_first);
        for (size_t i = 0; i < count && total > limit_bytes / 4 * 3; i++) {
            unlinkat(directory, files[i].name, 0);
            total -= files[i].bytes;
        }
    }
    free(files);
}

/* Sizes are added up at the first put, and again after each sixteenth of the limit. */
static void trim_when_due(struct dl__store *store, int directory, uint64_t bytes)
{
    uint64_t before = atomic_fetch_add(&store->untrimmed_bytes, bytes);

    if (before != 0 && before + bytes <= store->limit_bytes / 16)
        return;
    atomic_store(&store->untrimmed_bytes, 1);
    trim(directory, store->limit_bytes);
}

/* ---- writing ---- */

static bool write_all(int fd, const void *from, size_t bytes)
{
    const char *at = from;

    while (bytes) {
        ssize_t done = write(fd, at, bytes);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        bytes -= (size_t)done;
    }
    return true;
}

/* A program that limits the size of its files is killed by the write that is too long. */
static bool may_write(uint64_t bytes)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
           (limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur);
}

enum { TEMPORARY_BYTES = 96 };

/* Writes the parts to a new file, named after this process and call. False: they can't be
 * written, errno. */
static bool write_temporary(int directory, const struct dl__digest_part *parts,
                            size_t count, char name[TEMPORARY_BYTES])
{
    static _Atomic unsigned serial;
    struct timespec now;
    bool written;
    int fd, error;

    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, TEMPORARY_BYTES, TEMPORARY "%ld-%u-%lx%09lx", (long)getpid(),
             atomic_fetch_add(&serial, 1), (unsigned long)now.tv_sec,
             (unsigned long)now.tv_nsec);
    fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                0600);
    written = fd >= 0;
    for (size_t i = 0; written && i < count; i++)
        written = write_all(fd, parts[i].data, parts[i].bytes);
    error = errno;
    if (fd >= 0 && (close(fd) != 0 || !written)) {
        unlinkat(directory, name, 0);
        written = false;
    }
    errno = error;
    return written;
}

enum dl__store_result dl__store_put(struct dl__store *store, const struct dl__pack *key,
                                    const void *value, size_t value_bytes)
{
    struct head head = {.key_bytes = key->bytes, .value_bytes = value_bytes};
    unsigned char sum[DL__DIGEST_BYTES];
    const struct dl__digest_part parts[] = {{&head, sizeof head},
                                            {key->data, key->bytes},
                                            {value, value_bytes},
                                            {sum, sizeof sum}};
    uint64_t bytes = sizeof head + sizeof sum + (uint64_t)key->bytes + value_bytes;
    char temporary[TEMPORARY_BYTES];
    enum dl__store_result result;
    struct place place;
    int directory;

    if (bytes > store->limit_bytes / 4 || !may_write(bytes))
        return DL__STORE_MISSING;
    result = open_directory(store, true, &directory);
    if (result != DL__STORE_DONE)
        return result;
    memcpy(head.magic, MAGIC, sizeof head.magic);
    place = place_of(key);
    entry_sum(&head, &place, value, sum);
    result = DL__STORE_MISSING;
    if (write_temporary(directory, parts, 4, temporary)) {
        if (renameat(directory, temporary, directory, place.name) == 0)
            result = DL__STORE_DONE;
        else
            unlinkat(directory, temporary, 0);
    }
    if (result == DL__STORE_DONE)
        trim_when_due(store, directory, bytes);
    close(directory);
    return result;
}

enum dl__store_result dl__store_try(const struct dl__store *store)
{
    char temporary[TEMPORARY_BYTES];
    enum dl__store_result result;
    int directory;

    if (!may_write(1)) {
        errno = EFBIG;
        return DL__STORE_MISSING;
    }
    result = open_directory(store, true, &directory);
    if (result != DL__STORE_DONE)
        return result;
    if (write_temporary(directory, &(struct dl__digest_part){"", 1}, 1, temporary))
        unlinkat(directory, temporary, 0);
    else
        result = DL__STORE_MISSING;
    close(directory);
    return result;
}

/* ---- work that one does for all ---- */

/* One that can't be seen (in another container, or on another machine) may be stopped. */
enum { HOLD_POLL_MS = 5, HOLDER_POLL_MS = 50, UNSEEN_MS_MAX = 200 };

static uint64_t now_ms(void)
{
    return (uint64_t)(1e3 * dl__clock_seconds());
}

/* The process that has the file locked, as the kernel lists them: "1: FLOCK  ADVISORY
 * WRITE 1234 08:01:5678 0 EOF"; what waits for it has "->" before its kind. 0: it is not
 * among them. */
static long find_holder(int fd)
{
    FILE *locks = fopen("/proc/locks", "re");
    struct stat file;
    char line[256];
    long holder = 0;

    if (fstat(fd, &file) != 0)
        file.st_ino = 0;
    while (locks && !holder && fgets(line, sizeof line, locks)) {
        unsigned long long inode;
        long pid;

        if (sscanf(line, "%*s FLOCK %*s %*s %ld %*x:%*x:%llu", &pid, &inode) == 2 &&
            inode == (unsigned long long)file.st_ino && pid > 0)
            holder = pid;
    }
    if (locks)
        fclose(locks);
    return holder;
}

/* Whether it makes sense to wait for who has the file locked. */
static bool is_worth_waiting(int fd, uint64_t waited_ms)
{
    const long holder = find_holder(fd);
    const char state = holder ? dl__process_state(holder) : 0;

    if (state == 'T' || state == 't')
        return false;
    return state || waited_ms < UNSEEN_MS_MAX;
}

/* Not blocking: a holder that is stopped, or a file system that hangs, must not stop
 * others. */
static bool lock_within(int fd, unsigned most_ms, bool (*stop)(void))
{
    const struct timespec pause = {0, HOLD_POLL_MS * 1000000};
    const uint64_t start_ms = now_ms();
    uint64_t looked_ms = 0;

    while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        const uint64_t waited_ms = now_ms() - start_ms;

        if ((errno != EWOULDBLOCK && errno != EINTR) || waited_ms >= most_ms ||
            (stop && stop()))
            return false;
        if (waited_ms - looked_ms >= HOLDER_POLL_MS) {
            if (!is_worth_waiting(fd, waited_ms))
                return false;
            looked_ms = waited_ms;
        }
        nanosleep(&pause, NULL);
    }
    return true;
}

void dl__store_hold(const struct dl__store *store, const struct dl__pack *key,
                    unsigned most_ms, bool (*stop)(void), struct dl__hold *hold)
{
    struct place place;

    hold->fd = -1;
    hold->made = access(store->directory, F_OK) == 0 ? NULL : store->directory;
    if (open_directory(store, true, &hold->directory) != DL__STORE_DONE)
        return;
    place = place_of(key);
    snprintf(hold->name, sizeof hold->name, TEMPORARY "hold-%.*s", HASH_LETTERS,
             place.name);
    hold->fd = openat(hold->directory, hold->name,
                      O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (hold->fd >= 0 && lock_within(hold->fd, most_ms, stop))
        return;
    if (hold->fd >= 0)
        close(hold->fd);
    close(hold->directory);
    hold->fd = -1;
}

void dl__store_let_go(struct dl__hold *hold)
{
    if (hold->fd < 0)
        return;
    /* Who waits for this file finds the entry when it gets the lock; who comes later
     * makes another. */
    unlinkat(hold->directory, hold->name, 0);
    if (hold->made)
        rmdir(hold->made);
    /* A forked child may have the file open, too. */
    flock(hold->fd, LOCK_UN);
    close(hold->fd);
    close(hold->directory);
    hold->fd = -1;
}
