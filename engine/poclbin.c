/* SPDX-License-Identifier: MIT */
/* Whether a binary of PoCL's is whole: all lengths in it add up, no file is empty, and
 * what says how long it is itself (bitcode, ELF) is as long as that. */
#include "poclbin.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>

enum {
    FORMAT_KNOWN_FROM = 6,
    FORMAT_KNOWN_TO = 9,
    HEADER_BYTES_MAX = 256,
    BITCODE_MODULE = 8, /* the number of the block that holds the functions */
    FILE_LENGTHS = 2    /* of its name and of its content */
};

/* What is left to read. */
struct rest {
    const unsigned char *at;
    size_t bytes;
};

static const char magic[8] = "poclbin";
/* The length of the name, and the name. */
static const char program_file[] = "\x0b\0\0\0/program.bc";

static bool skip(struct rest *rest, uint64_t bytes, struct rest *part)
{
    if (bytes > rest->bytes)
        return false;
    if (part)
        *part = (struct rest){rest->at, bytes};
    rest->at += bytes;
    rest->bytes -= bytes;
    return true;
}

/* Little-endian, as all of it. */
static bool read_number(struct rest *rest, unsigned bytes, uint64_t *number)
{
    struct rest part;

    if (!skip(rest, bytes, &part))
        return false;
    *number = 0;
    for (unsigned i = 0; i < bytes; i++)
        *number |= (uint64_t)part.at[i] << 8 * i;
    return true;
}

/* Blocks of bitcode, one behind the other: a word with the block's number, a word with
 * the count of those that follow. */
static bool is_whole_bitcode(struct rest file)
{
    bool has_module = false;
    uint64_t word, words;

    if (file.bytes < 4 || memcmp(file.at, "BC\xC0\xDE", 4) != 0)
        return false;
    skip(&file, 4, NULL);
    while (file.bytes) {
        if (!read_number(&file, 4, &word) || !read_number(&file, 4, &words) ||
            (word & 3) != 1 || !skip(&file, words * 4, NULL))
            return false;
        has_module |= (word >> 2 & 0xff) == BITCODE_MODULE;
    }
    return has_module;
}

static bool is_whole_elf(struct rest file)
{
    Elf64_Ehdr header;

    if (file.bytes < sizeof header || memcmp(file.at, ELFMAG, SELFMAG) != 0)
        return false;
    memcpy(&header, file.at, sizeof header);
    return file.at[EI_CLASS] != ELFCLASS64 || file.at[EI_DATA] != ELFDATA2LSB ||
           (header.e_shoff <= file.bytes &&
            (uint64_t)header.e_shnum * header.e_shentsize <= file.bytes - header.e_shoff);
}

static bool ends_with(struct rest name, const char *end)
{
    const size_t bytes = strlen(end);

    return name.bytes >= bytes && memcmp(name.at + name.bytes - bytes, end, bytes) == 0;
}

static bool read_whole_file(struct rest *rest)
{
    struct rest parts[FILE_LENGTHS];
    uint64_t bytes;

    for (unsigned i = 0; i < FILE_LENGTHS; i++) {
        if (!read_number(rest, 4, &bytes) || !bytes || !skip(rest, bytes, &parts[i]))
            return false;
    }
    return ends_with(parts[0], ".bc")   ? is_whole_bitcode(parts[1])
           : ends_with(parts[0], ".so") ? is_whole_elf(parts[1])
                                        : true;
}

/* A kernel's lengths, all of it and its files; its description; its files. */
static bool read_whole_kernel(struct rest *rest)
{
    const struct rest start = *rest;
    struct rest kernel;
    uint64_t bytes, file_bytes;

    if (!read_number(rest, 8, &bytes) || !read_number(rest, 8, &file_bytes))
        return false;
    *rest = start;
    if (file_bytes > bytes || !skip(rest, bytes, &kernel))
        return false;
    skip(&kernel, bytes - file_bytes, NULL);
    while (kernel.bytes) {
        if (!read_whole_file(&kernel))
            return false;
    }
    return true;
}

/* The header differs from version to version: the program's file is found by its name. */
static bool find_program(struct rest *rest)
{
    const size_t bytes = sizeof program_file - 1;

    for (size_t i = 0; i < HEADER_BYTES_MAX && i + bytes <= rest->bytes; i++) {
        if (memcmp(rest->at + i, program_file, bytes) == 0)
            return skip(rest, i, NULL);
    }
    return false;
}

bool dl__poclbin_is_broken(const void *binary, size_t bytes)
{
    struct rest rest = {binary, bytes}, content;
    uint64_t device, version, kernels, count;

    if (bytes < sizeof magic || memcmp(binary, magic, sizeof magic) != 0)
        return false;
    skip(&rest, sizeof magic, NULL);
    if (!read_number(&rest, 8, &device) || !read_number(&rest, 4, &version) ||
        !read_number(&rest, 4, &kernels))
        return true;
    if (!find_program(&rest))
        return version >= FORMAT_KNOWN_FROM && version <= FORMAT_KNOWN_TO;
    if (version < FORMAT_KNOWN_FROM || version > FORMAT_KNOWN_TO) {
        content = rest;
        return skip(&content, sizeof program_file - 1, NULL) &&
               (!read_number(&content, 4, &count) || count == 0);
    }
    if (!read_whole_file(&rest))
        return true;
    for (uint64_t k = 0; k < kernels; k++) {
        if (!read_whole_kernel(&rest))
            return true;
    }
    return rest.bytes > 0;
}
