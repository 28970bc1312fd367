/* SPDX-License-Identifier: MIT */
/* Looking at a program's file: ELF header, interpreter, rights. */
#include "program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

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
