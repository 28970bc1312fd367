/* SPDX-License-Identifier: MIT */
/* dl-run --doctor: checks what DL needs, from the machine to the program. Findings are
 * lines on standard output. */
#include <CL/cl.h>
#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "annotate/annotate.h"
#include "doctor.h"
#include "layout/words.h"
#include "options/options.h"

/* ---- looking at a program's file: ELF header, interpreter, rights ---- */

enum { HEAD_BYTES = 4096, SCRIPTS_MAX = 4 };

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OWN_MACHINE EM_AARCH64
#elif defined(__powerpc64__)
#define OWN_MACHINE EM_PPC64
#elif defined(__riscv)
#define OWN_MACHINE EM_RISCV
#else
#define OWN_MACHINE EM_NONE /* any */
#endif

static bool is_runnable(const char *path)
{
    struct stat info;

    if (stat(path, &info) != 0)
        return false;
    if (S_ISDIR(info.st_mode)) {
        errno = EACCES;
        return false;
    }
    return access(path, X_OK) == 0;
}

/* `path` of PATH_MAX. */
static bool find(const char *name, char *path)
{
    const char *at = getenv("PATH");
    int found_not_runnable = 0;

    if (strchr(name, '/')) {
        if ((size_t)snprintf(path, PATH_MAX, "%s", name) < PATH_MAX)
            return is_runnable(path);
        errno = ENAMETOOLONG;
        return false;
    }
    if (!at)
        at = "/bin:/usr/bin";
    for (;;) {
        size_t bytes = strcspn(at, ":");
        int used =
            snprintf(path, PATH_MAX, "%.*s%s%s", (int)bytes, at, bytes ? "/" : "", name);

        if (used > 0 && used < PATH_MAX && is_runnable(path))
            return true;
        if (errno == EACCES)
            found_not_runnable = EACCES;
        if (!at[bytes])
            break;
        at += bytes + 1;
    }
    errno = found_not_runnable ? found_not_runnable : ENOENT;
    return false;
}

/* The interpreter that a script names; of `#!/usr/bin/env python3` it is python3. */
static bool find_interpreter(char *line, char *path)
{
    char *rest, *word, *slash;

    line[strcspn(line, "\r\n")] = '\0';
    word = strtok_r(line, " \t", &rest);
    if (!word)
        return false;
    slash = strrchr(word, '/');
    if (slash && strcmp(slash, "/env") == 0)
        while ((word = strtok_r(NULL, " \t", &rest)) &&
               (*word == '-' || strchr(word, '=')))
            ;
    return word && find(word, path);
}

/* ---- ELF, of 64 bits ---- */

struct file {
    int fd;
    Elf64_Ehdr head;
};

static bool read_at(const struct file *file, uint64_t at, void *to, size_t bytes)
{
    return pread(file->fd, to, bytes, (off_t)at) == (ssize_t)bytes;
}

static bool get_part(const struct file *file, unsigned i, Elf64_Phdr *part)
{
    return file->head.e_phentsize == sizeof *part &&
           read_at(file, file->head.e_phoff + (uint64_t)i * sizeof *part, part,
                   sizeof *part);
}

/* Where the bytes of an address lie in the file; 0: nowhere. */
static uint64_t offset_of(const struct file *file, uint64_t address)
{
    Elf64_Phdr part;

    for (unsigned i = 0; i < file->head.e_phnum; i++)
        if (get_part(file, i, &part) && part.p_type == PT_LOAD &&
            address >= part.p_vaddr && address - part.p_vaddr < part.p_filesz)
            return part.p_offset + (address - part.p_vaddr);
    return 0;
}

/* Whether a library of that name is among those that the file needs. */
static bool needs(const struct file *file, const Elf64_Phdr *dynamic, const char *library)
{
    size_t count = dynamic->p_filesz / sizeof(Elf64_Dyn), library_bytes = strlen(library);
    uint64_t names = 0;
    char name[64];
    Elf64_Dyn entry;

    if (count > 4096)
        count = 4096;
    for (size_t i = 0; i < count && !names; i++)
        if (read_at(file, dynamic->p_offset + i * sizeof entry, &entry, sizeof entry) &&
            entry.d_tag == DT_STRTAB)
            names = offset_of(file, entry.d_un.d_ptr);
    for (size_t i = 0; names && i < count; i++)
        if (read_at(file, dynamic->p_offset + i * sizeof entry, &entry, sizeof entry) &&
            entry.d_tag == DT_NEEDED && library_bytes <= sizeof name &&
            read_at(file, names + entry.d_un.d_val, name, library_bytes) &&
            memcmp(name, library, library_bytes) == 0)
            return true;
    return false;
}

static void look_at_elf(int fd, struct program *out)
{
    struct file file = {.fd = fd};
    char linker[PATH_MAX] = "";
    Elf64_Phdr part;

    out->is_elf = true;
    if (!read_at(&file, 0, &file.head, sizeof file.head))
        return;
    out->is_32_bit = file.head.e_ident[EI_CLASS] == ELFCLASS32;
    out->is_foreign =
        !out->is_32_bit && OWN_MACHINE != EM_NONE && file.head.e_machine != OWN_MACHINE;
    if (out->is_32_bit || out->is_foreign)
        return;
    out->is_static = true;
    for (unsigned i = 0; i < file.head.e_phnum && get_part(&file, i, &part); i++) {
        if (part.p_type == PT_INTERP) {
            size_t bytes = part.p_filesz < sizeof linker ? part.p_filesz : 0;

            out->is_static = false;
            if (bytes && read_at(&file, part.p_offset, linker, bytes))
                out->is_musl = strstr(linker, "ld-musl") != NULL;
        } else if (part.p_type == PT_DYNAMIC) {
            out->needs_opencl = needs(&file, &part, "libOpenCL");
        }
    }
}

/* ---- rights ---- */

/* As Linux decides whether the dynamic linker must not trust the environment. */
static bool gains_rights(const char *path)
{
    struct statvfs system;
    struct stat info;

    if (stat(path, &info) != 0 ||
        (statvfs(path, &system) == 0 && (system.f_flag & ST_NOSUID)))
        return false;
    if ((info.st_mode & S_ISUID) && info.st_uid != getuid())
        return true;
    if ((info.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) &&
        info.st_gid != getgid())
        return true;
    return getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0;
}

bool program_look(const char *name, struct program *out)
{
    char head[HEAD_BYTES];

    memset(out, 0, sizeof *out);
    if (!find(name, out->path))
        return false;
    for (int depth = 0; depth < SCRIPTS_MAX; depth++) {
        int fd = open(out->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        ssize_t bytes = fd < 0 ? -1 : read(fd, head, sizeof head - 1);

        head[bytes > 0 ? bytes : 0] = '\0';
        if (bytes > SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0)
            look_at_elf(fd, out);
        if (fd >= 0)
            close(fd);
        /* A program that its user may run but not read: what it is stays unknown. */
        if (bytes < 2 || head[0] != '#' || head[1] != '!')
            break;
        if (!*out->script)
            memcpy(out->script, out->path, sizeof out->script);
        if (!find_interpreter(head + 2, out->path))
            return false;
    }
    out->has_rights = gains_rights(out->path);
    return true;
}

const char *program_obstacle(const struct program *program, bool layer)
{
    if (program->is_32_bit)
        return "is a 32-bit program, and DL is built for 64 bits: build the program for "
               "64 "
               "bits";
    if (program->is_foreign)
        return "is built for another processor than DL: build DL for that one";
    if (program->has_rights)
        return "runs with more rights than its user (set-user-id or file capabilities), "
               "so "
               "the system keeps DL out: run a copy without these rights, or as the user "
               "whose rights it has";
    if (program->is_static && !layer)
        return "is statically linked, so LD_PRELOAD can't reach it, only programs that "
               "it "
               "starts: use --layer, which reaches a loader that takes layers, or link "
               "the "
               "program dynamically";
    if (program->is_musl)
        return "uses musl's dynamic linker, which can't load DL: build DL on that "
               "system, or "
               "the program with glibc";
    return NULL;
}

/* ---- findings ---- */

enum finding {
    FINDING_GOOD,
    FINDING_NOTE, /* worth knowing */
    FINDING_WRONG /* keeps DL from working; the line says what to do */
};

enum { TEXT_BYTES = 2560 };

/* Findings that keep DL from working, shared with the children that try what may
 * crash. */
static struct wrong {
    atomic_uint count;
    char first[TEXT_BYTES]; /* without its mark */
    char gpu[TEXT_BYTES];   /* the first that there is */
} * wrong;

/* Whether a finding of this process has a word of the glossary. */
static bool words_were_said;

/* ---- what a bundle leaves out: who the user is, and words of the kernels' text ---- */

static bool is_bundle;

static bool is_word_byte(char c)
{
    return c == '_' || isalnum((unsigned char)c);
}

static bool ends_in(const char *text, const char *end_at, const char *word)
{
    const size_t bytes = strlen(word);

    return (size_t)(end_at - text) >= bytes && memcmp(end_at - bytes, word, bytes) == 0;
}

/* The end of what begins at `at` with the folder's name; NULL: that is longer. */
static const char *after_folder(const char *at, const char *folder, size_t bytes)
{
    return bytes > 1 && strncmp(at, folder, bytes) == 0 && !is_word_byte(at[bytes]) &&
                   at[bytes] != '-' && at[bytes] != '.'
               ? at + bytes
               : NULL;
}

/* The end of a word that is quoted at `at`, and that is not a kernel's name; NULL: none
 * is. Apostrophes quote nothing, nor do backquotes what is no word. */
static const char *after_quoted(const char *text, const char *at)
{
    const char *end = strchr("'`", *at) ? strchr(at + 1, *at) : NULL;

    return end && (at == text || !is_word_byte(at[-1])) &&
                   (*at == '\'' || is_word_byte(at[1])) &&
                   !ends_in(text, at, "kernel ") && !ends_in(text, at, "kernels ")
               ? end + 1
               : NULL;
}

/* A copy of the text, which the caller frees: the home folder is ~, the user's name in
 * other paths and quoted words dots. */
static char *leave_out(const char *text)
{
    const char *home = getenv("HOME") ? getenv("HOME") : "", *end;
    const char *user = strrchr(home, '/') ? strrchr(home, '/') : "";
    char *out = NULL;
    size_t bytes;
    FILE *to = open_memstream(&out, &bytes);

    for (const char *at = text; to && *at; at = end) {
        if ((end = after_folder(at, home, strlen(home))))
            fputs("~", to);
        else if ((end = after_folder(at, user, strlen(user))))
            fputs("/...", to);
        else if ((end = after_quoted(text, at)))
            fprintf(to, "%c...%c", *at, *at);
        else
            fputc(*at, to);
        end = end ? end : at + 1;
    }
    if (to)
        fclose(to);
    return out;
}

/* `about` is a word or two: "libclang". Children of this process count, too. */
__attribute__((format(printf, 3, 4))) static void
finding_print(enum finding finding, const char *about, const char *format, ...)
{
    static const char *const marks[] = {"good", "note", "WRONG"};
    char text[TEXT_BYTES - 32], *left;
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (is_bundle) {
        left = leave_out(text);
        snprintf(text, sizeof text, "%s", left ? left : "");
        free(left);
    }
    if (finding == FINDING_WRONG && atomic_fetch_add(&wrong->count, 1) == 0)
        snprintf(wrong->first, TEXT_BYTES, "%.24s: %s", about, text);
    words_were_said |= dl_words_are_in(text);
    printf("%-5s  %-11s %s\n", marks[finding], about, text);
    fflush(stdout);
}

/* Runs `task` in a child, since libraries that it opens may crash. `about` as in
 * finding_print. */
static void doctor_in_child(const char *about, void (*task)(const struct doctor *doctor),
                            const struct doctor *doctor)
{
    int status = 0;
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child == 0) {
        task(doctor);
        exit(0); /* DL's own report is written then */
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (child < 0)
        finding_print(FINDING_WRONG, about, "can't be looked at: %s", strerror(errno));
    else if (WIFSIGNALED(status))
        finding_print(FINDING_WRONG, about,
                      "crashes (%s) when it is used: reinstall or update it",
                      strsignal(WTERMSIG(status)));
}

/* A file for reports, which DL is then told of; NULL: none, which was said. The caller
 * removes and frees it. */
static char *doctor_begin_report(void)
{
    const char *folder = getenv("TMPDIR");
    char *path = NULL;
    int fd = -1;

    if (asprintf(&path, "%s/dl-report-XXXXXX", folder && *folder ? folder : "/tmp") >= 0)
        fd = mkstemp(path);
    if (fd < 0) {
        finding_print(
            FINDING_WRONG, "report",
            "no file can be made in %s (%s): set TMPDIR to a folder where one can",
            folder && *folder ? folder : "/tmp", strerror(errno));
        free(path);
        return NULL;
    }
    close(fd);
    setenv("DL_REPORT", path, 1);
    return path;
}

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
    char fault[DL_OPTION_TEXT_BYTES];
    struct dl_option_value value;

    if (dl_option_read(option, &value, fault) != DL_OK)
        finding_print(FINDING_WRONG, "environment", "%s", fault);
    else if (option == DL_OPTION_layout && dl_option_is(&value, "aos"))
        finding_print(FINDING_WRONG, "environment",
                      "layout aos runs the program's own kernels: remove --layout "
                      "(DL_LAYOUT), or give it asta or da");
    dl_option_value_free(&value);
}

/* Tells of libraries that the dynamic linker would leave out with no more than a line. */
static void check_preloads(void)
{
    char *list = strdup(getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : ""), *rest;

    for (char *at = list ? strtok_r(list, ": \t", &rest) : NULL; at;
         at = strtok_r(NULL, ": \t", &rest))
        /* A part that the linker itself fills in ($LIB) can't be looked for. */
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
    finding_print(FINDING_GOOD, "cache", "%s, %u entr%s, %.1f MB", path, entries,
                  entries == 1 ? "y" : "ies", (double)bytes * 1e-6);
}

/* Writes a file into the folder, and removes it: permissions do not say of a full disk, a
 * quota or a file system that is read-only. 0, or errno. */
static int try_writing(const char *path)
{
    static const char bytes[4096];
    char *name = NULL;
    int fd = -1, error = 0;

    if (asprintf(&name, "%s/tmp-doctor-XXXXXX", path) < 0)
        return ENOMEM;
    fd = mkstemp(name);
    if (fd < 0) {
        error = errno;
    } else {
        ssize_t written = write(fd, bytes, sizeof bytes);

        if (written < 0)
            error = errno;
        else if ((size_t)written < sizeof bytes)
            error = ENOSPC;
        if (close(fd) != 0 && !error)
            error = errno;
        unlink(name);
    }
    free(name);
    return error;
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
        finding_print(FINDING_WRONG, "cache",
                      "%s can't be made, so each run rewrites and builds again: give "
                      "--cache (DL_CACHE) a folder of your own",
                      path);
    free(above);
}

/* Of a folder that is the user's. */
static void check_writing(const char *path)
{
    const int error = try_writing(path);

    if (error == EACCES)
        finding_print(FINDING_WRONG, "cache", "%s can't be written (%s): chmod 700 %s",
                      path, strerror(error), path);
    else if (error)
        finding_print(FINDING_WRONG, "cache",
                      "%s can't be written (%s), so each run rewrites and builds again: "
                      "make room there, or give --cache (DL_CACHE) another folder",
                      path, strerror(error));
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
                      "(DL_CACHE) a folder of your own",
                      path);
    else if (info.st_mode & 022)
        finding_print(FINDING_WRONG, "cache",
                      "others may write into %s, so it is not used: chmod go-w %s", path,
                      path);
    else
        check_writing(path);
}

/* Whether the cache has a finding, which the program's message repeats. */
static bool cache_is_wrong;

static void check_cache(void)
{
    const unsigned before = atomic_load(&wrong->count);
    char fault[DL_OPTION_TEXT_BYTES];
    struct dl_option_value given;
    char *path;

    if (dl_option_read(DL_OPTION_cache, &given, fault) != DL_OK)
        given.text = NULL; /* said with the environment */
    path = given.text ? strdup(given.text) : default_cache();
    if (path && strcmp(path, "off") == 0)
        finding_print(FINDING_NOTE, "cache",
                      "is off (--cache, DL_CACHE): each run rewrites and builds again");
    else if (path)
        check_cache_folder(path);
    else
        finding_print(
            FINDING_WRONG, "cache",
            "there is no folder for it, since %s is not a folder of yours: set it, "
            "or give --cache (DL_CACHE) a folder",
            getenv("XDG_CACHE_HOME") ? "XDG_CACHE_HOME" : "HOME");
    cache_is_wrong = atomic_load(&wrong->count) > before;
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
    char fault[DL_OPTION_TEXT_BYTES], reason[256] = "", *text = NULL;
    struct dl_annotate_options options = {.libclang = NULL};
    struct dl_option_value given;
    const char *path;
    enum dl_status status;

    (void)doctor;
    if (dl_option_read(DL_OPTION_libclang, &given, fault) == DL_OK)
        options.libclang = given.text;
    status = dl_annotate_rewrite(kernel, sizeof kernel - 1, &options, keep_reason, reason,
                                 &text);
    path = dl_annotate_libclang(options.libclang);
    if (status == DL_OK)
        finding_print(FINDING_GOOD, "libclang", "%s", path ? path : "is there");
    else if (dl_option_is(&given, "none"))
        finding_print(
            FINDING_WRONG, "libclang",
            "is switched off (--libclang, DL_LIBCLANG), so only texts that "
            "dl-annotate has rewritten run in another layout: remove the option");
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
    char fault[DL_OPTION_TEXT_BYTES], *text;
    struct dl_option_value given;
    struct dl_side_file *side;
    unsigned entries = 0;

    if (dl_option_read(DL_OPTION_annotations, &given, fault) == DL_OK && given.text &&
        dl_side_file_load(given.text, print_remark, NULL, &side) == DL_OK) {
        text = dl_side_file_text(side);
        for (const char *at = text; at && (at = strchr(at, '\n')); at++)
            entries++;
        free(text);
        dl_side_file_free(side);
        entries -= entries > 0; /* the path's line */
        finding_print(entries ? FINDING_GOOD : FINDING_WRONG, "annotations",
                      entries
                          ? "%s, for %u kernel%s"
                          : "%s has none: a line `KERNEL: AoS: buffer[count]` annotates "
                            "a kernel",
                      given.text, entries, dl_plural(entries));
    }
    dl_option_value_free(&given);
}

#define LOADER "libOpenCL.so.1"
enum { NAME_BYTES = 256, PLATFORMS_MAX = 32, DEVICES_MAX = 64 };

/* The functions of the loader that are called, by the types of the headers. */
struct opencl {
    __typeof__(clGetPlatformIDs) *clGetPlatformIDs;
    __typeof__(clGetPlatformInfo) *clGetPlatformInfo;
    __typeof__(clGetDeviceIDs) *clGetDeviceIDs;
    __typeof__(clGetDeviceInfo) *clGetDeviceInfo;
};

static bool find_functions(void *loader, struct opencl *cl)
{
#define FIND(name) *(void **)&cl->name = dlsym(loader, #name)
    FIND(clGetPlatformIDs);
    FIND(clGetPlatformInfo);
    FIND(clGetDeviceIDs);
    FIND(clGetDeviceInfo);
#undef FIND
    return cl->clGetPlatformIDs && cl->clGetPlatformInfo && cl->clGetDeviceIDs &&
           cl->clGetDeviceInfo;
}

/* ---- drivers ---- */

static void check_icd(const char *path)
{
    char library[PATH_MAX] = "";
    FILE *file = fopen(path, "re");

    if (file) {
        if (!fgets(library, sizeof library, file))
            *library = '\0';
        fclose(file);
    }
    library[strcspn(library, " \t\r\n")] = '\0';
    if (*library && !dlopen(library, RTLD_LAZY | RTLD_LOCAL))
        finding_print(
            FINDING_WRONG, "driver",
            "%s names a driver that can't be loaded: %s; install the driver again "
            "or remove the file",
            path, dlerror());
}

static int ends_in_icd(const struct dirent *item)
{
    size_t bytes = strlen(item->d_name);

    return bytes > 4 && strcmp(item->d_name + bytes - 4, ".icd") == 0;
}

/* returns where drivers were looked for */
static const char *check_icds(void)
{
    const char *folder = getenv("OCL_ICD_VENDORS");
    struct dirent **items = NULL;
    char path[PATH_MAX];
    struct stat info;
    int count;

    if (!folder || !*folder)
        folder = getenv("OPENCL_VENDOR_PATH");
    if (!folder || !*folder)
        folder = "/etc/OpenCL/vendors";
    if (stat(folder, &info) == 0 && !S_ISDIR(info.st_mode)) {
        check_icd(folder);
        return folder;
    }
    count = scandir(folder, &items, ends_in_icd, alphasort);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, items[i]->d_name);
        check_icd(path);
        free(items[i]);
    }
    free(items);
    return folder;
}

/* ---- devices ---- */

static void print_device(const struct opencl *cl, cl_device_id device)
{
    char name[NAME_BYTES] = "", version[NAME_BYTES] = "", driver[NAME_BYTES] = "";
    cl_bool available = CL_TRUE, compiler = CL_TRUE;
    cl_device_type type = 0;

    cl->clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    cl->clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version - 1, version, NULL);
    cl->clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof driver - 1, driver, NULL);
    cl->clGetDeviceInfo(device, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL);
    cl->clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof compiler, &compiler,
                        NULL);
    cl->clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    if (type & CL_DEVICE_TYPE_GPU && available && !*wrong->gpu)
        strcpy(wrong->gpu, name);
    if (!available || !compiler)
        finding_print(FINDING_WRONG, "device", "%s: %s", name,
                      available
                          ? "its driver has no compiler, so DL can't rewrite kernels: "
                            "install the driver's compiler or take another device"
                          : "it is not available: other programs may hold it");
    else
        finding_print(FINDING_GOOD, "device", "%s (%s, %s, driver %s)", name,
                      type & CL_DEVICE_TYPE_GPU   ? "GPU"
                      : type & CL_DEVICE_TYPE_CPU ? "CPU"
                                                  : "neither GPU nor CPU",
                      version, driver);
}

static void print_platform(const struct opencl *cl, cl_platform_id platform)
{
    char name[NAME_BYTES] = "", version[NAME_BYTES] = "";
    cl_device_id devices[DEVICES_MAX];
    cl_uint count = 0;

    cl->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
    cl->clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version - 1, version,
                          NULL);
    if (cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES_MAX, devices, &count) !=
            CL_SUCCESS ||
        count == 0) {
        finding_print(FINDING_NOTE, "platform", "%s (%s) has no device", name, version);
        return;
    }
    finding_print(FINDING_GOOD, "platform", "%s (%s)", name, version);
    for (cl_uint i = 0; i < count && i < DEVICES_MAX; i++)
        print_device(cl, devices[i]);
}

/* The machine's; else that in pyopencl's package where pip has put DL beside it:
 * PREFIX/lib/dl and PREFIX/lib/python3.N, or by pip's --target PREFIX. NULL: none, and
 * `why` says why not the machine's. */
static void *open_loader(const struct doctor *doctor, char why[NAME_BYTES])
{
    void *loader = dlopen(LOADER, RTLD_NOW | RTLD_LOCAL);
    char pattern[PATH_MAX + 96];
    glob_t found;

    if (loader)
        return loader;
    snprintf(why, NAME_BYTES, "%s", dlerror());
    snprintf(pattern, sizeof pattern,
             "%.*s/../{python3*/*-packages,..}/pyopencl/.libs/*.so*",
             (int)(strrchr(doctor->library, '/') - doctor->library), doctor->library);
    if (glob(pattern, GLOB_BRACE, NULL, &found) != 0)
        return NULL;
    /* Drivers of PyPI lie there, too. pyopencl's loader finds them by what pyopencl
     * brings: a variable that names their folder, without which it crashes, and a search
     * path. */
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *path = found.gl_pathv[i];
        void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);

        if (strstr(path, "/.libs/libOpenCL"))
            loader = library;
        *strstr(path, "/.libs/") = '\0';
        setenv("PYOPENCL_HOME", path, 1);
    }
    globfree(&found);
    if (loader)
        finding_print(
            FINDING_NOTE, "loader",
            "only pyopencl has one; for programs that are not in Python install "
            "another (ocl-icd-libopencl1 on Debian)");
    return loader;
}

static void look(const struct doctor *doctor)
{
    char why[NAME_BYTES];
    void *loader = open_loader(doctor, why);
    cl_platform_id platforms[PLATFORMS_MAX];
    struct opencl cl;
    struct link_map *map;
    const char *folder;
    cl_uint count = 0;

    if (!loader || !find_functions(loader, &cl)) {
        finding_print(
            FINDING_WRONG, "loader",
            "OpenCL's library can't be loaded: %s; install one (ocl-icd-libopencl1 "
            "on Debian)",
            loader ? LOADER " lacks functions" : why);
        return;
    }
    finding_print(FINDING_GOOD, "loader", "%s",
                  dlinfo(loader, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : LOADER);
    if (cl.clGetPlatformIDs(PLATFORMS_MAX, platforms, &count) != CL_SUCCESS)
        count = 0;
    for (cl_uint i = 0; i < count && i < PLATFORMS_MAX; i++)
        print_platform(&cl, platforms[i]);
    folder = check_icds();
    if (count == 0)
        finding_print(FINDING_WRONG, "driver",
                      "the loader finds no OpenCL driver (it looks in %s): install one "
                      "(your GPU's, or pocl-opencl-icd for the CPU)",
                      folder);
}

/* ---- layers ---- */

static bool file_has(const char *path, const char *words)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    bool found = false;

    while (file && !found && getline(&line, &room, file) >= 0)
        found = strstr(line, words) != NULL;
    if (file)
        fclose(file);
    free(line);
    return found;
}

/* The loader is offered DL as a layer; DL's own report tells whether it came in. */
static void look_with_layer(const struct doctor *doctor)
{
    setenv("OPENCL_LAYERS", doctor->library, 1);
    setenv("DL_LOG", "quiet", 1);
    look(doctor);
}

static void doctor_check_opencl(const struct doctor *doctor)
{
    char *before = getenv("DL_REPORT") ? strdup(getenv("DL_REPORT")) : NULL;
    char *report = doctor_begin_report();
    const unsigned before_it = atomic_load(&wrong->count);

    doctor_in_child("OpenCL", look_with_layer, doctor);
    if (report && file_has(report, "caught as layer"))
        finding_print(FINDING_GOOD, "layers",
                      "the loader can load DL as a layer, so --layer works, too");
    else if (report && before_it == atomic_load(&wrong->count))
        finding_print(doctor->layer ? FINDING_WRONG : FINDING_NOTE, "layers",
                      "the loader can't load DL as a layer, so --layer has no effect: %s",
                      doctor->layer ? "remove --layer, or use ocl-icd 2.3 or later"
                                    : "nothing to do, since LD_PRELOAD loads DL");
    if (report)
        unlink(report);
    free(report);
    unsetenv("DL_REPORT");
    if (before)
        setenv("DL_REPORT", before, 1);
    free(before);
}

enum {
    FIELDS_MAX = 8,
    PROCESSES_MAX = 64,
    NOTES_MAX = 20,
    LEVEL_WARNING = 2,
    LEVEL_REMARK
};

/* As libdl_intercept/reports/facts.h has them. */
enum { FROM_SOURCE, FROM_BINARY, FROM_IL };

enum {
    NOT_READ,
    UNREADABLE,
    NO_LIBCLANG,
    HAS_NOTHING,
    NOT_FOLLOWED,
    HAS_CANDIDATES,
    HAS_ANNOTATIONS,
    OWN
};

struct process {
    long pid;
    char *name, *past; /* a loader that it may have called past DL; NULL: none */
    bool opencl, ended;
};

struct reading {
    struct process processes[PROCESSES_MAX];
    size_t process_count;
    unsigned sources, binaries, il, known; /* programs; binaries whose source DL has */
    unsigned followed, unreadable;         /* kernels */
    unsigned not_followed;                 /* of those that an annotation does not help */
    unsigned own, others; /* libdl_transpose's, not among those; all others */
    unsigned remarks;     /* of DL's, that were printed */
    bool detected;        /* kernels without annotation were looked at */
    unsigned notes, notes_most, failed; /* that: builds of the program's own */
    char *binary_kernels, *il_kernels;  /* "a, b"; NULL: none */
    int exit_code;                      /* the program's */
    char *next;                         /* what DL would do next; NULL: it said nothing */
};

/* A line's fields; the rest are "". */
struct line {
    char *fields[FIELDS_MAX];
};

static const char nothing[] = "";

static void split(char *text, struct line *out)
{
    text[strcspn(text, "\n")] = '\0';
    for (int i = 0; i < FIELDS_MAX; i++) {
        out->fields[i] = text ? strsep(&text, "\t") : NULL;
        if (!out->fields[i])
            out->fields[i] = (char *)nothing;
    }
}

static struct process *find_process(struct reading *reading, const char *pid)
{
    long number = strtol(pid, NULL, 10);

    for (size_t i = 0; i < reading->process_count; i++)
        if (reading->processes[i].pid == number)
            return &reading->processes[i];
    if (reading->process_count == PROCESSES_MAX)
        return NULL;
    reading->processes[reading->process_count] = (struct process){.pid = number};
    return &reading->processes[reading->process_count++];
}

static void read_process(struct reading *reading, const struct line *line)
{
    struct process *process = find_process(reading, line->fields[1]);

    if (!process)
        return;
    if (strcmp(line->fields[0], "process") == 0 && !process->name)
        process->name = strdup(line->fields[2]);
    if (strcmp(line->fields[0], "past") == 0 && !process->past)
        process->past = strdup(line->fields[2]);
    process->opencl |= strcmp(line->fields[0], "opencl") == 0;
    process->ended |= strcmp(line->fields[0], "end") == 0;
}

/* ---- what happened to kernels ---- */

static void add_name(char **list, const char *name)
{
    char *more = NULL;

    if (asprintf(&more, "%s%s%s", *list ? *list : "", *list ? ", " : "", name) < 0)
        return;
    free(*list);
    *list = more;
}

static const char *plural(const char *count)
{
    return strcmp(count, "1") == 0 ? "" : "es";
}

/* "p:ASTA/8 q:DA" becomes "ASTA/8 DA". */
static void drop_names(char *layouts)
{
    char *to = layouts;

    for (char *at = layouts; *at; at++) {
        *to++ = *at;
        if (*at != ':')
            continue;
        while (to > layouts && to[-1] != ' ')
            to--;
    }
    *to = '\0';
}

static void explain_kernel(struct reading *reading, const struct line *line)
{
    const char *name = line->fields[1], *transformed = line->fields[4],
               *native = line->fields[5], *why = line->fields[7];
    int origin = atoi(line->fields[2]);
    int has = atoi(line->fields[3]);
    bool followed = has >= HAS_CANDIDATES;

    if (origin == FROM_BINARY || origin == FROM_IL) {
        add_name(origin == FROM_IL ? &reading->il_kernels : &reading->binary_kernels,
                 name);
        return;
    }
    reading->own += has == OWN;
    reading->others += has != OWN;
    if (has == OWN) {
        if (strtoull(native, NULL, 10))
            finding_print(FINDING_NOTE, "kernel", "%s: %s launch%s as written; %s", name,
                          native, plural(native), why);
        return;
    }
    if (is_bundle)
        drop_names(line->fields[6]);
    reading->followed += followed;
    reading->unreadable += has == NO_LIBCLANG || has == UNREADABLE;
    reading->not_followed += has == NOT_FOLLOWED;
    if (strtoull(transformed, NULL, 10))
        finding_print(FINDING_GOOD, "kernel",
                      "%s: %s launch%s rewritten (%s), %s as written", name, transformed,
                      plural(transformed), line->fields[6], native);
    else if (!followed && reading->notes++ >= reading->notes_most)
        ;
    else if (strtoull(native, NULL, 10))
        finding_print(FINDING_NOTE, "kernel", "%s: %s launch%s as written%s%s", name,
                      native, plural(native), *why ? "; " : "", why);
    else
        finding_print(FINDING_NOTE, "kernel", "%s %s was never launched", name,
                      has == HAS_ANNOTATIONS ? "is annotated, but"
                      : followed             ? "can be rewritten, but"
                                             : "has nothing that DL can follow, and");
}

static void explain_message(struct reading *reading, const struct line *line)
{
    int level = atoi(line->fields[1]);
    const char *text = line->fields[2];

    if (strncmp(text, "dl: ", 4) == 0)
        text += 4;
    if (strstr(text, "debug: caught as ")) {
        const char *name = strstr(text, " (");

        finding_print(FINDING_GOOD, "DL", "it is in the program%s: %s", name ? name : "",
                      strstr(text, "caught as layer")
                          ? "the OpenCL loader passes calls to it"
                          : "LD_PRELOAD has loaded it");
    } else if (strstr(text, "; dl-run --doctor says what to do") ||
               (cache_is_wrong && strstr(text, "each run starts from scratch"))) {
        ; /* as it has, above the run */
    } else if (strstr(text, "remark: policy: ")) {
        ; /* has a line of its own */
    } else if (strstr(text, "use the same struct of it, in constant memory")) {
        ; /* costs nothing, and may be one for each kernel */
    } else if (level <= LEVEL_WARNING) {
        finding_print(FINDING_WRONG, "message", "%s", text);
    } else if (level == LEVEL_REMARK && reading->notes++ < reading->notes_most) {
        reading->remarks++;
        finding_print(FINDING_NOTE, "message", "%s", text);
    }
}

/* One that the program expects to fail, as when it asks what the driver can do, does not
 * end it. */
static void explain_failure(struct reading *reading, const char *code)
{
    reading->failed++;
    finding_print(
        reading->exit_code ? FINDING_WRONG : FINDING_NOTE, "build",
        "the driver can't build a text of the program's own (error %s), with or "
        "without DL: correct that text or its options%s",
        code, is_bundle ? "; its lines, which quote the text, are left out" : "");
}

static void explain_line(struct reading *reading, const struct line *line)
{
    const char *kind = line->fields[0];

    if (strcmp(kind, "kernel") == 0) {
        explain_kernel(reading, line);
    } else if (strcmp(kind, "failed") == 0) {
        explain_failure(reading, line->fields[1]);
    } else if (strcmp(kind, "log") == 0) {
        if (!is_bundle)
            printf("%19s%s\n", "", line->fields[1]);
    } else if (strcmp(kind, "said") == 0) {
        explain_message(reading, line);
    } else if (strcmp(kind, "device") == 0) {
        const bool misses = atoi(line->fields[2]) && *wrong->gpu;

        finding_print(FINDING_NOTE, "device", "the program used %s%s%s%s",
                      line->fields[1], misses ? ", a CPU, though there is the GPU " : "",
                      misses ? wrong->gpu : "",
                      misses ? ": take it by an option of the program's, or set "
                               "OCL_ICD_VENDORS to a folder that has only its .icd file"
                             : "");
    } else if (strcmp(kind, "programs") == 0) {
        reading->sources += (unsigned)atoi(line->fields[1]);
        reading->binaries += (unsigned)atoi(line->fields[2]);
        reading->il += (unsigned)atoi(line->fields[3]);
        reading->known += (unsigned)atoi(line->fields[5]);
    } else if (strcmp(kind, "unmatched") == 0) {
        finding_print(FINDING_WRONG, "annotations",
                      "line %s: the program built no kernel '%s'%s%s%s", line->fields[1],
                      line->fields[2], *line->fields[3] ? "; did you mean '" : "",
                      line->fields[3], *line->fields[3] ? "'?" : "");
    } else if (strcmp(kind, "stats") == 0) {
        if (is_bundle)
            finding_print(FINDING_NOTE, "statistics", "%s", line->fields[1]);
    } else if (strcmp(kind, "policy") == 0) {
        /* A bundle's table has it. */
        if (!is_bundle && reading->notes++ < reading->notes_most)
            finding_print(FINDING_NOTE, "policy", "%s", line->fields[1]);
    } else if (strcmp(kind, "next") == 0) {
        free(reading->next);
        reading->next = strdup(line->fields[1]);
    } else {
        read_process(reading, line);
    }
}

/* ---- what did not happen ---- */

static const char *name_of(const struct process *process)
{
    return process->name && *process->name ? process->name : "(unknown)";
}

/* False: none has a loader in it. */
static bool explain_past(const struct reading *reading)
{
    for (size_t i = 0; i < reading->process_count; i++) {
        if (!reading->processes[i].past)
            continue;
        if (reading->exit_code)
            finding_print(FINDING_WRONG, "OpenCL",
                          "%s ended with code %d before it used OpenCL: see whether it "
                          "works without DL",
                          name_of(&reading->processes[i]), reading->exit_code);
        else
            finding_print(
                FINDING_WRONG, "OpenCL",
                "%s made no OpenCL context that DL saw: if it used OpenCL, its calls "
                "went to %s past DL (it was loaded with RTLD_DEEPBIND or dlmopen, and "
                "loads no layers); put a loader that does, such as ocl-icd's or "
                "Khronos's, "
                "first in LD_LIBRARY_PATH",
                name_of(&reading->processes[i]), reading->processes[i].past);
        return true;
    }
    return false;
}

static void explain_silence(const struct reading *reading, bool layer, bool obstructed)
{
    char came[80] = "it stopped before that (it may ask for a GPU where there is none)";

    if (reading->exit_code)
        snprintf(came, sizeof came, "it failed before that (exit code %d)",
                 reading->exit_code);
    if (explain_past(reading))
        return;
    if (reading->process_count == 0 && !obstructed)
        finding_print(
            FINDING_WRONG, "DL",
            layer ? "did not get into the program: it used no OpenCL loader that "
                    "loads layers; try without --layer"
                  : "did not get into the program: something in between clears "
                    "LD_PRELOAD (sudo, env -i, a container); put dl-run after it");
    else if (reading->process_count)
        finding_print(
            FINDING_WRONG, "OpenCL",
            "the program (%s) made no OpenCL context: %s, "
            "it uses another interface (CUDA, HIP), or it starts another program "
            "without LD_PRELOAD%s",
            name_of(&reading->processes[0]), came,
            layer ? "" : " or uses an OpenCL loader of its own: then try --layer");
}

static void explain_binaries(const struct reading *reading)
{
    const enum finding kind = reading->followed ? FINDING_NOTE : FINDING_WRONG;

    if (reading->binaries)
        finding_print(kind, "programs",
                      "%u came from binaries that DL did not see built%s%s: "
                      "empty the program's cache once, or turn it off (of pyopencl: "
                      "PYOPENCL_NO_CACHE=1)",
                      reading->binaries, reading->binary_kernels ? ", with kernels " : "",
                      reading->binary_kernels ? reading->binary_kernels : "");
    if (reading->il)
        finding_print(kind, "programs",
                      "%u came from IL (SPIR-V), which DL does not read%s%s: have the "
                      "program build these kernels from OpenCL C",
                      reading->il, reading->il_kernels ? ", with kernels " : "",
                      reading->il_kernels ? reading->il_kernels : "");
}

/* Plain arrays of numbers have nothing that could lie otherwise: then nothing is wrong.
 */
static void explain_nothing_found(const struct reading *reading)
{
    if (reading->detected)
        finding_print(FINDING_NOTE, "kernels",
                      "DL found no buffer of structs or rows in them, so it has nothing "
                      "to convert; where there is one, a line `//DL: AoS: buffer[count]` "
                      "above the kernel names it");
    else
        finding_print(
            FINDING_WRONG, "kernels",
            "no kernel has an annotation that DL can follow, and --detect off keeps "
            "it from finding buffers by itself: put a line `//DL: AoS: "
            "buffer[count]` above a kernel, or name it in a file for "
            "--annotations (--advise writes one), or remove --detect off");
}

static void explain_rest(const struct reading *reading, bool layer, bool obstructed)
{
    bool opencl = false;

    for (size_t i = 0; i < reading->process_count; i++) {
        const struct process *process = &reading->processes[i];

        opencl |= process->opencl;
        if (process->opencl && !process->ended)
            finding_print(
                FINDING_WRONG, "run",
                "%s ended by _exit or a signal, so what DL saw of it is not known: "
                "--log remark and --explain-policy say it at once",
                name_of(process));
    }
    if (!opencl) {
        explain_silence(reading, layer, obstructed);
        return;
    }
    if (reading->known)
        finding_print(FINDING_GOOD, "programs",
                      "%u came from binaries whose source DL has kept", reading->known);
    explain_binaries(reading);
    /* An obstacle to reading has its own line. */
    if (!reading->followed && !reading->unreadable && !reading->not_followed &&
        (reading->others || !reading->own) &&
        reading->sources + reading->known > reading->failed)
        explain_nothing_found(reading);
}

/* Refers to the messages above in place of --log remark, if none of them was left out. */
static char *refer_to_messages(const struct reading *reading)
{
    static const char asked[] = "--log remark says";
    char *next = reading->next, *told;
    const char *at = next ? strstr(next, asked) : NULL;

    if (!at || !reading->remarks || reading->notes > reading->notes_most ||
        asprintf(&told, "%.*sthe messages above say%s", (int)(at - next), next,
                 at + sizeof asked - 1) < 0)
        return next;
    free(next);
    return told;
}

/* As the program was told. */
static bool detects(void)
{
    const char *detect = getenv(dl_option_row(DL_OPTION_detect)->environment);

    return detect && strcmp(detect, "on") == 0;
}

/* Reads the file that DL has written (libdl_intercept/reports/facts.h) and prints
 * findings. Returns what to do next, which the caller frees; NULL: DL did not say.
 *   obstructed  why DL is not in the program has been said
 *   status      the program's, as waitpid has it */
static char *report_explain(const struct doctor *doctor, const char *path,
                            bool obstructed, int status)
{
    struct reading reading = {.detected = detects(),
                              .notes_most = is_bundle ? UINT_MAX : NOTES_MAX,
                              .exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0};
    FILE *file = fopen(path, "re");
    char *text = NULL;
    size_t room = 0;
    struct line line;

    while (file && getline(&text, &room, file) >= 0) {
        split(text, &line);
        explain_line(&reading, &line);
    }
    if (file)
        fclose(file);
    free(text);
    explain_rest(&reading, doctor->layer, obstructed);
    for (size_t i = 0; i < reading.process_count; i++) {
        free(reading.processes[i].name);
        free(reading.processes[i].past);
    }
    free(reading.binary_kernels);
    free(reading.il_kernels);
    return refer_to_messages(&reading);
}

/* Returns the user's way on with a program that program_look refuses with this error. */
static const char *missing_step(const char *name, int error)
{
    struct stat info;

    if (stat(name, &info) == 0 && S_ISDIR(info.st_mode))
        return "name a program in that folder";
    if (error == EACCES)
        return "chmod +x it, if it is a program";
    if (stat(name, &info) == 0)
        return strchr(name, '/') ? "correct the interpreter in its first line"
                                 : "it is in this folder, so write ./ before its name";
    return strchr(name, '/') ? "correct its path"
                             : "no folder in PATH has it, so give its path";
}

/* False: there is nothing to run. */
static bool check_file(const struct doctor *doctor, bool *obstructed)
{
    const char *name = doctor->program[0], *obstacle;
    struct program program;

    *obstructed = false;
    if (!program_look(name, &program)) {
        const int error = errno;

        finding_print(FINDING_WRONG, "program", "%s can't be run: %s; %s", name,
                      strerror(error), missing_step(name, error));
        return false;
    }
    if (*program.script)
        finding_print(FINDING_NOTE, "program", "%s is a script, run by %s",
                      program.script, program.path);
    obstacle = program_obstacle(&program, doctor->layer);
    *obstructed = obstacle != NULL;
    if (obstacle)
        finding_print(FINDING_WRONG, "program", "%s %s", program.path, obstacle);
    else
        finding_print(FINDING_GOOD, "program", "%s is %s%s", program.path,
                      !program.is_elf ? "of a kind that DL does not know"
                      : program.is_static
                          ? "statically linked, so only the layer reaches it"
                          : "dynamically linked",
                      program.needs_opencl ? ", with OpenCL" : "");
    return true;
}

/* The wait status; -1: it was not run, which was said. */
static int run(const struct doctor *doctor)
{
    void (*interrupt)(int) = signal(SIGINT, SIG_IGN);
    void (*quit)(int) = signal(SIGQUIT, SIG_IGN);
    int status = -1;
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child == 0) {
        signal(SIGINT, interrupt);
        signal(SIGQUIT, quit);
        /* DL's messages are told below. */
        if (!doctor->logs)
            setenv("DL_LOG", "quiet", 1);
        /* For the times; what is printed goes nowhere. */
        if (is_bundle)
            setenv("DL_STATS", "1", 0);
        if (is_bundle && !freopen("/dev/null", "w", stdout))
            _exit(127);
        if (is_bundle)
            dup2(STDOUT_FILENO, STDERR_FILENO);
        execvp(doctor->program[0], doctor->program);
        fprintf(stderr, "dl-run: %s: %s\n", doctor->program[0], strerror(errno));
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (child < 0)
        finding_print(FINDING_WRONG, "program", "can't be started: %s", strerror(errno));
    signal(SIGINT, interrupt);
    signal(SIGQUIT, quit);
    return child < 0 ? -1 : status;
}

static char *doctor_check_program(const struct doctor *doctor)
{
    char *next = NULL;
    bool obstructed;
    char *report;
    int status;

    if (!check_file(doctor, &obstructed))
        return NULL;
    report = doctor_begin_report();
    if (!report)
        return NULL;
    status = run(doctor);
    if (status != -1 && WIFSIGNALED(status))
        finding_print(FINDING_WRONG, "run",
                      "the program was ended by a signal (%s): does it run without DL?",
                      strsignal(WTERMSIG(status)));
    else if (status != -1 && WEXITSTATUS(status) != 0)
        finding_print(FINDING_NOTE, "run",
                      "the program ended with exit code %d: if it should not, run it "
                      "without DL first",
                      WEXITSTATUS(status));
    if (status != -1)
        next = report_explain(doctor, report, obstructed, status);
    unlink(report);
    free(report);
    return next;
}

/* A bug report needs this besides findings. */
static void print_system(void)
{
    FILE *release = fopen("/etc/os-release", "re");
    char *line = NULL, name[128] = "a distribution that does not say";
    size_t room = 0;
    struct utsname system;

    while (release && getline(&line, &room, release) >= 0)
        sscanf(line, "PRETTY_NAME=\"%127[^\"]", name);
    if (release)
        fclose(release);
    free(line);
    if (uname(&system) == 0)
        finding_print(FINDING_NOTE, "system", "%s, %s %s, %s", name, system.sysname,
                      system.release, system.machine);
    for (int i = 0; i < DL_OPTION_COUNT; i++) {
        const struct dl_option_row *row = dl_option_row((enum dl_option)i);
        const char *value = row->environment ? getenv(row->environment) : NULL;

        /* dl-run's own defaults are set by dl-run. */
        if (value && (!row->run_initial || strcmp(value, row->run_initial) != 0))
            finding_print(FINDING_NOTE, "variable", "%s=%s", row->environment, value);
    }
}

static bool is_number(const char *text)
{
    char *end;

    strtod(text, &end);
    return end != text && !*end;
}

/* The program's arguments for a bundle: names of options and numbers, since other words
 * may be secrets or paths. */
static void print_arguments(char **arguments)
{
    char *shown = NULL;
    size_t bytes;
    FILE *out = open_memstream(&shown, &bytes);

    for (; out && *arguments; arguments++) {
        const char *text = *arguments, *value = strchr(text, '=');
        const bool is_option = *text == '-' && text[1] && !is_number(text);
        /* Of -pWORD the letter is the option's name. */
        const size_t name_bytes = text[1] != '-' ? 2 : strcspn(text, "=");

        if (!is_option)
            fprintf(out, " %s", is_number(text) ? text : "...");
        else if (!text[name_bytes])
            fprintf(out, " %s", text);
        else
            fprintf(out, " %.*s%s", (int)name_bytes, text,
                    value && is_number(value + 1) ? value : "...");
    }
    if (out && fclose(out) == 0)
        finding_print(FINDING_NOTE, "arguments", "%s",
                      *shown ? shown + 1 : "the program was given none");
    free(shown);
}

int doctor_examine(const struct doctor *doctor)
{
    static struct wrong own;
    void *shared = mmap(NULL, sizeof *wrong, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char *next = NULL;
    unsigned count;

    wrong = shared == MAP_FAILED ? &own : shared;
    is_bundle = doctor->bundle;
    if (is_bundle) {
        finding_print(
            FINDING_NOTE, "bundle",
            "has the program's name and folder, this system, DL's variables and files, "
            "the devices, the names of kernels, their times, the layouts of their "
            "arguments, and DL's messages; of the program's own arguments only numbers "
            "and names of options, and "
            "nothing of its output, data or text. Read it before you send it");
        print_system();
        if (doctor->program)
            print_arguments(doctor->program + 1);
    }
    doctor_in_child("DL", load_library, doctor);
    check_environment();
    check_cache();
    doctor_in_child("libclang", try_libclang, doctor);
    check_annotations();
    doctor_check_opencl(doctor);
    if (doctor->program)
        next = doctor_check_program(doctor);
    if (is_bundle && next) {
        char *left = leave_out(next);

        free(next);
        next = left;
    }
    count = atomic_load(&wrong->count);
    if (count == 0)
        puts("Nothing is wrong.");
    else
        printf("%u thing%s wrong.\n", count, count == 1 ? " is" : "s are");
    if (words_were_said || (next && dl_words_are_in(next)))
        puts("dl-run --words explains the words.");
    if (count)
        printf("Next: %s\n", wrong->first);
    else if (!doctor->program)
        puts("Next: dl-run --doctor -- PROGRAM looks at a program");
    else
        printf("Next: %s\n", next ? next : "nothing to do");
    free(next);
    return count != 0;
}
