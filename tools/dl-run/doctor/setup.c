/* SPDX-License-Identifier: MIT */
/* What DL needs besides OpenCL: its library, options, a cache, libclang. */
#include <dlfcn.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "annotate/annotate.h"
#include "doctor.h"
#include "finding.h"
#include "options/options.h"

/* ---- the library ---- */

static void load_library(const struct doctor *doctor)
{
    if (dlopen(doctor->library, RTLD_NOW | RTLD_LOCAL))
        finding_print(FINDING_GOOD, "DL", "%s, %s", doctor->version, doctor->library);
    else
        finding_print(FINDING_WRONG, "DL",
                      "can't be loaded: %s; build or install DL again", dlerror());
}

/* ---- the environment ---- */

/* The option that reads the variable; DL_OPTION_COUNT: none. */
static enum dl_option option_of(const char *variable, size_t bytes)
{
    int i = 0;

    for (; i < DL_OPTION_COUNT; i++) {
        const char *name = dl_option_row((enum dl_option)i)->environment;

        if (name && strlen(name) == bytes && memcmp(name, variable, bytes) == 0)
            break;
    }
    return (enum dl_option)i;
}

static void check_name(const char *variable, size_t bytes)
{
    const char *meant = dl_variable_nearest(variable, bytes);

    if (meant)
        finding_print(FINDING_WRONG, "environment",
                      "%.*s is not a variable of DL's; did you mean %s?", (int)bytes,
                      variable, meant);
}

static void check_value(enum dl_option option)
{
    char wrong[DL_OPTION_TEXT_BYTES];
    struct dl_option_value value;

    if (dl_option_read(option, &value, wrong) != DL_OK)
        finding_print(FINDING_WRONG, "environment", "%s", wrong);
    else if (option == DL_OPTION_layout && dl_option_is(&value, "aos"))
        finding_print(FINDING_WRONG, "environment",
                      "layout aos runs the program's own kernels: leave --layout "
                      "(DL_LAYOUT) out, or give it asta or da");
    dl_option_value_free(&value);
}

/* What the dynamic linker would leave out with no more than a line. */
static void check_preloads(void)
{
    char *list = strdup(getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : ""), *rest;

    for (char *at = list ? strtok_r(list, ": \t", &rest) : NULL; at;
         at = strtok_r(NULL, ": \t", &rest))
        /* What the linker itself fills in ($LIB) can't be looked for. */
        if (strchr(at, '/') && !strchr(at, '$') && access(at, R_OK) != 0)
            finding_print(FINDING_NOTE, "environment", "LD_PRELOAD names %s: %s", at,
                          strerror(errno));
    free(list);
}

static void check_environment(void)
{
    for (char **at = environ; *at; at++) {
        size_t bytes = strcspn(*at, "=");
        enum dl_option option;

        if (strncmp(*at, "DL_", 3) != 0)
            continue;
        option = option_of(*at, bytes);
        if (option == DL_OPTION_COUNT)
            check_name(*at, bytes);
        else
            check_value(option);
    }
    check_preloads();
}

/* ---- the cache ---- */

static bool is_own_folder(const char *path)
{
    struct stat info;

    return path && *path == '/' && stat(path, &info) == 0 && info.st_uid == geteuid();
}

/* As libdl_intercept/programs/cache.c has it; NULL: there is no place. The caller frees
 * it. */
static char *default_cache(void)
{
    const char *home = getenv("XDG_CACHE_HOME"), *below = "/dl";
    char *path = NULL;

    if (!home || *home != '/') {
        home = getenv("HOME");
        below = "/.cache/dl";
        if (!is_own_folder(home))
            return NULL;
    } else if (access(home, F_OK) == 0 && !is_own_folder(home)) {
        return NULL;
    }
    return asprintf(&path, "%s%s", home, below) >= 0 ? path : NULL;
}

static void count_entries(const char *path)
{
    unsigned long long bytes = 0;
    unsigned entries = 0;
    DIR *folder = opendir(path);
    struct dirent *item;
    struct stat info;

    while (folder && (item = readdir(folder)))
        if (fstatat(dirfd(folder), item->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(info.st_mode)) {
            entries++;
            bytes += (unsigned long long)info.st_size;
        }
    if (folder)
        closedir(folder);
    finding_print(FINDING_GOOD, "cache", "%s, %u entries, %.1f MB", path, entries,
                  (double)bytes * 1e-6);
}

/* Writes a file into the folder, and removes it: permissions do not say of a full disk, a
 * quota or a file system that is read-only. 0, or errno. */
static int try_writing(const char *path)
{
    static const char bytes[4096];
    char *name = NULL;
    int fd = -1, wrong = 0;

    if (asprintf(&name, "%s/tmp-doctor-XXXXXX", path) < 0)
        return ENOMEM;
    fd = mkstemp(name);
    if (fd < 0) {
        wrong = errno;
    } else {
        ssize_t written = write(fd, bytes, sizeof bytes);

        if (written < 0)
            wrong = errno;
        else if ((size_t)written < sizeof bytes)
            wrong = ENOSPC;
        if (close(fd) != 0 && !wrong)
            wrong = errno;
        unlink(name);
    }
    free(name);
    return wrong;
}

/* The lowest folder of the path that is there decides whether the rest can be made. */
static void check_missing_cache(const char *path)
{
    char *above = strdup(path), *slash;

    while (above && (slash = strrchr(above, '/')) && access(above, F_OK) != 0)
        slash[slash == above] = '\0';
    if (above && try_writing(above) == 0)
        finding_print(FINDING_GOOD, "cache", "%s, which is made at first use", path);
    else
        finding_print(
            FINDING_WRONG, "cache",
            "%s can't be made, so each run rewrites and builds anew: give --cache "
            "(DL_CACHE) a folder of yours",
            path);
    free(above);
}

/* Of a folder that is the user's. */
static void check_writing(const char *path)
{
    const int wrong = try_writing(path);

    if (wrong == EACCES)
        finding_print(FINDING_WRONG, "cache", "%s can't be written (%s): chmod 700 %s",
                      path, strerror(wrong), path);
    else if (wrong)
        finding_print(FINDING_WRONG, "cache",
                      "%s can't be written (%s), so each run rewrites and builds anew: "
                      "make room there, or give --cache (DL_CACHE) another folder",
                      path, strerror(wrong));
    else
        count_entries(path);
}

static void check_cache_folder(const char *path)
{
    struct stat info;

    if (stat(path, &info) != 0)
        check_missing_cache(path);
    else if (!S_ISDIR(info.st_mode))
        finding_print(FINDING_WRONG, "cache",
                      "%s is not a folder: remove it, or give --cache (DL_CACHE) another",
                      path);
    else if (info.st_uid != geteuid())
        finding_print(FINDING_WRONG, "cache",
                      "%s belongs to another user, so it is not used: give --cache "
                      "(DL_CACHE) a folder of yours",
                      path);
    else if (info.st_mode & 022)
        finding_print(FINDING_WRONG, "cache",
                      "others may write into %s, so it is not used: chmod go-w %s", path,
                      path);
    else
        check_writing(path);
}

static void check_cache(void)
{
    char wrong[DL_OPTION_TEXT_BYTES];
    struct dl_option_value given;
    char *path;

    if (dl_option_read(DL_OPTION_cache, &given, wrong) != DL_OK)
        given.text = NULL; /* said with the environment */
    path = given.text ? strdup(given.text) : default_cache();
    if (path && strcmp(path, "off") == 0)
        finding_print(FINDING_NOTE, "cache",
                      "is off (--cache, DL_CACHE): each run rewrites and builds anew");
    else if (path)
        check_cache_folder(path);
    else
        finding_print(
            FINDING_WRONG, "cache",
            "there is no folder for it, since %s is not a folder of yours: set it, "
            "or give --cache (DL_CACHE) a folder",
            getenv("XDG_CACHE_HOME") ? "XDG_CACHE_HOME" : "HOME");
    free(path);
    dl_option_value_free(&given);
}

/* ---- libclang ---- */

static void keep_reason(void *user, const struct dl_remark *remark)
{
    char *reason = user, *rest;

    snprintf(reason, 256, "%s", remark->text);
    rest = strstr(reason, ", so no kernel");
    if (rest)
        *rest = '\0';
}

static void try_libclang(const struct doctor *doctor)
{
    static const char kernel[] =
        "typedef struct { float a, b; } pair;\n"
        "//DL: AoS: p[]\n"
        "__kernel void k(__global pair *p) { p[get_global_id(0)].a = 1.0f; }\n";
    char wrong[DL_OPTION_TEXT_BYTES], reason[256] = "", *text = NULL;
    struct dl_annotate_options options = {.libclang = NULL};
    struct dl_option_value given;
    const char *path;
    enum dl_status status;

    (void)doctor;
    if (dl_option_read(DL_OPTION_libclang, &given, wrong) == DL_OK)
        options.libclang = given.text;
    status = dl_annotate_rewrite(kernel, sizeof kernel - 1, &options, keep_reason, reason,
                                 &text);
    path = dl_annotate_libclang(options.libclang);
    if (status == DL_OK)
        finding_print(FINDING_GOOD, "libclang", "%s", path ? path : "is there");
    else if (dl_option_is(&given, "none"))
        finding_print(FINDING_WRONG, "libclang",
                      "is switched off (--libclang, DL_LIBCLANG), so only texts that "
                      "dl-annotate has rewritten are transformed: leave the option out");
    else
        finding_print(FINDING_WRONG, "libclang",
                      "%s, so no kernel can be rewritten: install libclang1-N (N from 14 "
                      "to 22; without root: pip install libclang, where DL was installed "
                      "by pip), or name a libclang with --libclang",
                      *reason ? reason : dl_status_text(status));
    free(text);
    dl_option_value_free(&given);
}

/* ---- annotations beside the program ---- */

static void print_remark(void *user, const struct dl_remark *remark)
{
    (void)user;
    if (remark->line)
        finding_print(FINDING_WRONG, "annotations", "%s:%u:%u: %s", remark->file,
                      remark->line, remark->column, remark->text);
    else
        finding_print(FINDING_WRONG, "annotations", "%s: %s", remark->file, remark->text);
}

static void check_annotations(void)
{
    char wrong[DL_OPTION_TEXT_BYTES], *text;
    struct dl_option_value given;
    struct dl_side_file *side;
    unsigned entries = 0;

    if (dl_option_read(DL_OPTION_annotations, &given, wrong) == DL_OK && given.text &&
        dl_side_file_load(given.text, print_remark, NULL, &side) == DL_OK) {
        text = dl_side_file_text(side);
        for (const char *at = text; at && (at = strchr(at, '\n')); at++)
            entries++;
        free(text);
        dl_side_file_free(side);
        entries -= entries > 0; /* the path's line */
        finding_print(entries ? FINDING_GOOD : FINDING_WRONG, "annotations",
                      entries
                          ? "%s, for %u kernels"
                          : "%s has none: a line `KERNEL: AoS: buffer[count]` annotates "
                            "a kernel",
                      given.text, entries);
    }
    dl_option_value_free(&given);
}

void doctor_check_setup(const struct doctor *doctor)
{
    doctor_in_child("DL", load_library, doctor);
    check_environment();
    check_cache();
    doctor_in_child("libclang", try_libclang, doctor);
    check_annotations();
}
