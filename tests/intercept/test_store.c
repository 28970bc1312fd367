/* SPDX-License-Identifier: MIT */
/* Claims: the store gives back what was put under the very same key, or
 * nothing: not from a file that was cut off at any length, that has a bit flipped
 * anywhere, or that belongs to another key; and the next put mends it. It keeps to a
 * directory of the user's alone, within its limit, and touches no other file there.
 * Programs that put and get at once see whole values. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#include "libdl_intercept/programs/store.h"

static char work[] = "/tmp/dl-store-XXXXXX", directory[64];
static struct dl__store store = {.directory = directory, .limit_bytes = 1 << 20};

static void start(void)
{
    strcpy(work + strlen(work) - 6, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(work));
    snprintf(directory, sizeof directory, "%s/cache", work);
    store.limit_bytes = 1 << 20;
    store.untrimmed_bytes = 0;
}

static void end(void)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf %s", work);
    ck_assert_int_eq(system(command), 0);
}

#define KEY(text)                                                                        \
    (&(struct dl__pack){.data = (unsigned char *)(text), .bytes = strlen(text)})

static bool put(const char *key, const void *value, size_t bytes)
{
    return dl__store_put(&store, KEY(key), value, bytes) == DL__STORE_DONE;
}

/* True when the key has this value; fails when it has another. */
static bool has(const char *key, const void *value, size_t bytes)
{
    void *got;
    size_t got_bytes;

    if (dl__store_get(&store, KEY(key), &got, &got_bytes) != DL__STORE_DONE)
        return false;
    ck_assert_uint_eq(got_bytes, bytes);
    ck_assert_mem_eq(got, value, bytes);
    free(got);
    return true;
}

/* The only entry's path. */
static char *entry_path(void)
{
    static char path[256];
    char command[128];
    FILE *list;

    snprintf(command, sizeof command, "ls -d %s/*", directory);
    list = popen(command, "r");
    ck_assert_ptr_nonnull(fgets(path, sizeof path, list));
    path[strcspn(path, "\n")] = '\0';
    ck_assert(fgetc(list) == EOF);
    pclose(list);
    return path;
}

static size_t read_file(const char *path, char *data, size_t room)
{
    FILE *in = fopen(path, "rb");
    size_t bytes = fread(data, 1, room, in);

    fclose(in);
    return bytes;
}

static void write_file(const char *path, const char *data, size_t bytes)
{
    FILE *out = fopen(path, "wb");

    ck_assert_uint_eq(fwrite(data, 1, bytes, out), bytes);
    fclose(out);
}

START_TEST(what_is_put_is_got_under_the_same_key_alone)
{
    static const char zero[3] = {0};

    ck_assert(!has("key", "", 0));
    ck_assert(put("key", "value", 5));
    ck_assert(has("key", "value", 5));
    ck_assert(!has("ke", "value", 5));
    ck_assert(!has("kez", "value", 5));
    ck_assert(!has("", "value", 5));
    ck_assert(put("", zero, 3));
    ck_assert(has("", zero, 3));
    ck_assert(put("key", "", 0));
    ck_assert(has("key", "", 0));
}
END_TEST

START_TEST(modes_are_for_the_user_alone)
{
    struct stat info;
    mode_t before = umask(0);

    ck_assert(put("key", "value", 5));
    umask(before);
    ck_assert_int_eq(stat(directory, &info), 0);
    ck_assert_int_eq(info.st_mode & 07777, 0700);
    ck_assert_int_eq(stat(entry_path(), &info), 0);
    ck_assert_int_eq(info.st_mode & 07777, 0600);
}
END_TEST

START_TEST(damaged_entries_are_not_there_and_are_mended)
{
    char whole[512], damaged[512];
    const char *path;
    size_t bytes;

    ck_assert(put("the key", "the value", 9));
    path = entry_path();
    bytes = read_file(path, whole, sizeof whole);
    for (size_t cut = 0; cut < bytes; cut++) {
        write_file(path, whole, cut);
        ck_assert(!has("the key", "the value", 9));
    }
    for (size_t bit = 0; bit < 8 * bytes; bit++) {
        memcpy(damaged, whole, bytes);
        damaged[bit / 8] ^= (char)(1 << bit % 8);
        write_file(path, damaged, bytes);
        ck_assert(!has("the key", "the value", 9));
    }
    for (size_t more = 1; more < 64; more++) {
        memcpy(damaged, whole, bytes);
        memset(damaged + bytes, 0, more);
        write_file(path, damaged, bytes + more);
        ck_assert(!has("the key", "the value", 9));
    }
    ck_assert(put("the key", "the value", 9));
    ck_assert(has("the key", "the value", 9));
}
END_TEST

/* Two keys of one hash can't be had: the file is moved by hand. */
START_TEST(a_file_of_another_key_is_not_taken)
{
    char first[256], moved[300];

    ck_assert(put("one", "value", 5));
    strcpy(first, entry_path());
    snprintf(moved, sizeof moved, "%s/aside", work);
    ck_assert_int_eq(rename(first, moved), 0);
    ck_assert(put("two", "other", 5));
    ck_assert_int_eq(rename(moved, entry_path()), 0);
    ck_assert(!has("two", "other", 5));
    ck_assert(!has("one", "value", 5));
}
END_TEST

START_TEST(what_is_no_file_of_ours_is_not_taken)
{
    char path[256], aside[300];

    ck_assert(put("key", "value", 5));
    strcpy(path, entry_path());
    snprintf(aside, sizeof aside, "%s/aside", work);
    ck_assert_int_eq(rename(path, aside), 0);
    ck_assert_int_eq(symlink(aside, path), 0);
    ck_assert(!has("key", "value", 5));
    ck_assert(put("key", "value", 5)); /* in place of the link, not through it */
    ck_assert(has("key", "value", 5));
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert(!has("key", "value", 5));
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert(!has("key", "value", 5));
    ck_assert(!put("key", "value", 5));
    if (geteuid() == 0) {
        ck_assert_int_eq(rmdir(path), 0);
        ck_assert_int_eq(rename(aside, path), 0);
        ck_assert(has("key", "value", 5));
        ck_assert_int_eq(chown(path, 12345, 0), 0);
        ck_assert(!has("key", "value", 5));
    }
}
END_TEST

START_TEST(a_directory_of_others_is_not_used)
{
    static const mode_t modes[] = {0720, 0702, 0770, 0775, 0777, 01777};
    void *value;
    size_t bytes;

    ck_assert(put("key", "value", 5));
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        ck_assert_int_eq(chmod(directory, modes[m]), 0);
        ck_assert_int_eq(dl__store_get(&store, KEY("key"), &value, &bytes),
                         DL__STORE_FOREIGN);
        ck_assert_int_eq(dl__store_put(&store, KEY("new"), "v", 1), DL__STORE_FOREIGN);
    }
    entry_path();                                /* nothing else was written */
    ck_assert_int_eq(chmod(directory, 0755), 0); /* as mkdir makes it */
    ck_assert(has("key", "value", 5));
    if (geteuid() == 0) {
        ck_assert_int_eq(chown(directory, 12345, 0), 0);
        ck_assert_int_eq(dl__store_get(&store, KEY("key"), &value, &bytes),
                         DL__STORE_FOREIGN);
        ck_assert_int_eq(dl__store_put(&store, KEY("new"), "v", 1), DL__STORE_FOREIGN);
    }
}
END_TEST

/* Only the last folder of a path is made: the path may be wrong. */
START_TEST(without_a_directory_there_is_no_store)
{
    char deep[64];
    const char *const nowhere[] = {"/proc/nowhere/cache", "/dev/null/cache", "", deep};

    snprintf(deep, sizeof deep, "%s/deep/cache", work);
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        strcpy(directory, nowhere[i]);
        ck_assert(!put("key", "value", 5));
        ck_assert(!has("key", "value", 5));
    }
}
END_TEST

START_TEST(a_limit_of_the_program_on_files_is_kept_to)
{
    struct rlimit limit;
    int status;
    pid_t child = fork(); /* check itself writes longer files */

    if (child == 0) {
        getrlimit(RLIMIT_FSIZE, &limit);
        limit.rlim_cur = 40;
        setrlimit(RLIMIT_FSIZE, &limit);
        _exit(put("key", "value", 5)); /* or SIGXFSZ */
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 0);
    ck_assert(!has("key", "value", 5));
}
END_TEST

/* ---- the limit ---- */

static void age(const char *path, long seconds)
{
    struct utimbuf times = {time(NULL) - seconds, time(NULL) - seconds};

    ck_assert_int_eq(utime(path, &times), 0);
}

START_TEST(the_oldest_entries_go_first_and_nothing_else)
{
    static char value[20000];
    char command[256], other[128], left_behind[128], young[128], earlier[192], key[16];
    size_t kept = 0;
    bool gone = false;

    ck_assert(put("old", value, sizeof value));
    age(entry_path(), 7200);
    snprintf(other, sizeof other, "%s/thesis.tex", directory);
    write_file(other, value, sizeof value);
    age(other, 1000000);
    snprintf(earlier, sizeof earlier, "%s/%064x.dl", directory, 7);
    write_file(earlier, value, sizeof value); /* of a version whose names were longer */
    age(earlier, 7200);
    snprintf(left_behind, sizeof left_behind, "%s/tmp-1-1", directory);
    write_file(left_behind, value, sizeof value);
    age(left_behind, 7200);
    snprintf(young, sizeof young, "%s/tmp-2-2", directory);
    write_file(young, value, sizeof value);
    for (int i = 0; i < 200; i++) {
        snprintf(key, sizeof key, "%d", i);
        ck_assert(put(key, value, sizeof value));
        snprintf(command, sizeof command,
                 "test $(cat %s/*.dl | wc -c) -le $((%llu * 17 / 16 + 20100))", directory,
                 (unsigned long long)store.limit_bytes);
        if (i % 10 == 9)
            ck_assert_int_eq(system(command), 0);
    }
    ck_assert(!has("old", value, sizeof value));
    for (int i = 0; i < 200; i++) {
        snprintf(key, sizeof key, "%d", i);
        if (has(key, value, sizeof value))
            kept++;
        else
            gone = true;
    }
    ck_assert(gone);
    ck_assert_uint_ge(kept, (1 << 20) / 2 / sizeof value);
    ck_assert(has("199", value, sizeof value));
    ck_assert_int_eq(access(other, F_OK), 0);
    ck_assert_int_eq(access(young, F_OK), 0);
    ck_assert_int_ne(access(left_behind, F_OK), 0);
    ck_assert_int_ne(access(earlier, F_OK), 0);
}
END_TEST

START_TEST(what_is_used_stays_young)
{
    struct stat info;

    ck_assert(put("key", "value", 5));
    age(entry_path(), 1000000);
    ck_assert(has("key", "value", 5));
    ck_assert_int_eq(stat(entry_path(), &info), 0);
    ck_assert_int_ge(info.st_mtime, time(NULL) - 1000);
}
END_TEST

START_TEST(an_entry_too_large_is_not_kept)
{
    static char value[300000];

    ck_assert(!put("key", value, sizeof value));
    ck_assert(!has("key", value, sizeof value));
}
END_TEST

/* ---- several programs ---- */

enum { WRITERS = 4, ROUNDS = 400, VALUE_BYTES = 20000 };

static void write_and_read(int writer)
{
    char *value = malloc(VALUE_BYTES);

    for (int r = 0; r < ROUNDS; r++) {
        char key[2] = {(char)('a' + r % 3), '\0'};
        unsigned char *got;
        size_t bytes;
        void *data;

        memset(value, writer * 31 + r, VALUE_BYTES);
        if (!put(key, value, VALUE_BYTES))
            _exit(1);
        if (dl__store_get(&store, KEY(key), &data, &bytes) != DL__STORE_DONE ||
            bytes != VALUE_BYTES)
            _exit(2);
        got = data;
        for (size_t i = 1; i < bytes; i++)
            if (got[i] != got[0])
                _exit(3);
        free(data);
    }
    _exit(0);
}

START_TEST(programs_at_once_see_whole_values)
{
    char command[128];
    int status;

    for (int w = 0; w < WRITERS; w++) {
        pid_t child = fork();

        ck_assert_int_ge(child, 0);
        if (child == 0)
            write_and_read(w);
    }
    for (int w = 0; w < WRITERS; w++) {
        ck_assert_int_gt(wait(&status), 0);
        ck_assert(WIFEXITED(status));
        ck_assert_int_eq(WEXITSTATUS(status), 0);
    }
    /* No temporary file is left. */
    snprintf(command, sizeof command, "test $(ls %s | wc -l) -eq 3", directory);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* What is about to be made by many is made by one. */
START_TEST(one_makes_what_many_look_for)
{
    enum { MAKERS = 20 };
    char made[96], command[128];
    struct dl__hold hold;
    struct stat info;
    int status;

    snprintf(made, sizeof made, "%s/made", work);
    for (int m = 0; m < MAKERS; m++) {
        if (fork() > 0)
            continue;
        if (!has("key", "value", 5)) {
            dl__store_hold(&store, KEY("key"), 60000, NULL, &hold);
            if (!has("key", "value", 5)) {
                int fd = open(made, O_WRONLY | O_CREAT | O_APPEND, 0600);

                usleep(20000);
                put("key", "value", 5);
                if (write(fd, "x", 1) != 1)
                    _exit(1);
            }
            dl__store_let_go(&hold);
        }
        _exit(has("key", "value", 5) ? 0 : 1);
    }
    for (int m = 0; m < MAKERS; m++) {
        ck_assert_int_gt(wait(&status), 0);
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    ck_assert_int_eq(stat(made, &info), 0);
    ck_assert_int_eq(info.st_size, 1);
    snprintf(command, sizeof command, "test $(ls %s | wc -l) -eq 1", directory);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

static bool at_once(void)
{
    return true;
}

/* Nobody waits for ever: neither for who stands still nor for who has died. */
START_TEST(who_holds_is_not_waited_for_without_end)
{
    struct dl__hold hold, other;
    int status;

    dl__store_hold(&store, KEY("key"), 60000, NULL, &hold);
    ck_assert_int_ge(hold.fd, 0);
    dl__store_hold(&store, KEY("key"), 20, NULL, &other);
    ck_assert_int_eq(other.fd, -1);
    dl__store_let_go(&other);
    dl__store_hold(&store, KEY("key"), 3600000, at_once, &other);
    ck_assert_int_eq(other.fd, -1);
    dl__store_hold(&store, KEY("other"), 0, NULL, &other);
    ck_assert_int_ge(other.fd, 0);
    dl__store_let_go(&other);
    dl__store_let_go(&hold);
    if (fork() == 0) {
        dl__store_hold(&store, KEY("key"), 0, NULL, &hold);
        _exit(hold.fd >= 0 ? 0 : 1);
    }
    ck_assert_int_gt(wait(&status), 0);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    dl__store_hold(&store, KEY("key"), 0, NULL, &hold);
    ck_assert_int_ge(hold.fd, 0);
    dl__store_let_go(&hold);
    /* Without a directory there is nothing to hold. */
    ck_assert_int_eq(chmod(directory, 0775), 0);
    dl__store_hold(&store, KEY("key"), 60000, NULL, &hold);
    ck_assert_int_eq(hold.fd, -1);
}
END_TEST

/* The holder is stopped, as by Ctrl-Z: the wait ends long before its time, which is
 * longer than the test's. */
START_TEST(who_is_stopped_is_not_waited_for)
{
    struct dl__hold hold, other;
    int status;
    pid_t holder = fork();

    if (holder == 0) {
        dl__store_hold(&store, KEY("key"), 60000, NULL, &hold);
        if (hold.fd < 0)
            _exit(1);
        raise(SIGSTOP);
        dl__store_let_go(&hold);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(holder, &status, WUNTRACED), holder);
    ck_assert(WIFSTOPPED(status));
    dl__store_hold(&store, KEY("key"), 3600000, NULL, &other);
    ck_assert_int_eq(other.fd, -1);
    ck_assert_int_eq(kill(holder, SIGCONT), 0);
    ck_assert_int_eq(waitpid(holder, &status, 0), holder);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    dl__store_hold(&store, KEY("key"), 0, NULL, &hold);
    ck_assert_int_ge(hold.fd, 0);
    dl__store_let_go(&hold);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("store");
    TCase *tests = tcase_create("store");
    SRunner *runner;
    int failed;

    tcase_add_checked_fixture(tests, start, end);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, what_is_put_is_got_under_the_same_key_alone);
    tcase_add_test(tests, modes_are_for_the_user_alone);
    tcase_add_test(tests, damaged_entries_are_not_there_and_are_mended);
    tcase_add_test(tests, a_file_of_another_key_is_not_taken);
    tcase_add_test(tests, what_is_no_file_of_ours_is_not_taken);
    tcase_add_test(tests, a_directory_of_others_is_not_used);
    tcase_add_test(tests, without_a_directory_there_is_no_store);
    tcase_add_test(tests, a_limit_of_the_program_on_files_is_kept_to);
    tcase_add_test(tests, the_oldest_entries_go_first_and_nothing_else);
    tcase_add_test(tests, what_is_used_stays_young);
    tcase_add_test(tests, an_entry_too_large_is_not_kept);
    tcase_add_test(tests, programs_at_once_see_whole_values);
    tcase_add_test(tests, one_makes_what_many_look_for);
    tcase_add_test(tests, who_holds_is_not_waited_for_without_end);
    tcase_add_test(tests, who_is_stopped_is_not_waited_for);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
