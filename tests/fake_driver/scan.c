/* SPDX-License-Identifier: MIT */
/* Finding the kernels of a source: names, numbers and kinds of arguments. Comments and
 * preprocessor lines are skipped; of macros only those count that define a kernel of the
 * name that they are given first. */
#include "fake.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A copy with comments and preprocessor lines blanked. */
static char *strip(const char *source)
{
    char *text = strdup(source);
    bool line_start = true;

    if (!text)
        abort();
    for (char *p = text; *p;) {
        if (p[0] == '/' && p[1] == '/') {
            while (*p && *p != '\n')
                *p++ = ' ';
        } else if (p[0] == '/' && p[1] == '*') {
            while (*p && !(p[0] == '*' && p[1] == '/'))
                *p++ = ' ';
            for (int i = 0; i < 2 && *p; i++)
                *p++ = ' ';
        } else if (*p == '#' && line_start) {
            while (*p && *p != '\n') {
                if (p[0] == '\\' && p[1] == '\n')
                    *p++ = ' ';
                *p++ = ' ';
            }
        } else if (*p == '\n' || (line_start && isspace((unsigned char)*p))) {
            line_start = true;
            p++;
        } else {
            line_start = false;
            p += 1 + strcspn(p + 1, "/\n");
        }
    }
    return text;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool has_word(const char *text, size_t bytes, const char *word)
{
    size_t length = strlen(word);

    for (size_t i = 0; i + length <= bytes; i++)
        if (strncmp(text + i, word, length) == 0 && (i == 0 || !is_word(text[i - 1])) &&
            (i + length == bytes || !is_word(text[i + length])))
            return true;
    return false;
}

static char class_of(const char *text, size_t bytes)
{
    if (has_word(text, bytes, "__global") || has_word(text, bytes, "global") ||
        has_word(text, bytes, "__constant") || has_word(text, bytes, "constant") ||
        has_word(text, bytes, "image2d_t"))
        return 'g';
    if (has_word(text, bytes, "__local") || has_word(text, bytes, "local"))
        return 'l';
    return has_word(text, bytes, "sampler_t") ? 's' : 'v';
}

static void add_arg(struct fake_signature *signature, const char *text, size_t bytes)
{
    size_t end = bytes, start;
    cl_uint i = signature->arg_count;

    while (end > 0 && !is_word(text[end - 1]))
        end--;
    for (start = end; start > 0 && is_word(text[start - 1]);)
        start--;
    if (start == end || i == FAKE_ARGS_MAX ||
        (end - start == 4 && strncmp(text + start, "void", 4) == 0))
        return;
    if (end - start >= sizeof signature->arg_names[0])
        start = end - sizeof signature->arg_names[0] + 1;
    memcpy(signature->arg_names[i], text + start, end - start);
    signature->classes[i] = class_of(text, bytes);
    signature->arg_count++;
    /* Macros are not expanded. */
    signature->is_open = signature->is_open || (bytes > 0 && text[bytes - 1] == ')');
}

/* `p` is behind the opening parenthesis. */
static void scan_args(struct fake_signature *signature, const char *p)
{
    const char *start = p;
    int depth = 1;

    for (; *p && depth > 0; p++) {
        if (*p == '(')
            depth++;
        if (*p == ')')
            depth--;
        if ((*p == ',' && depth == 1) || depth == 0) {
            add_arg(signature, start, (size_t)(p - start));
            start = p + 1;
        }
    }
}

/* Behind the balanced parentheses that open at `p`. */
static const char *skip_parens(const char *p)
{
    int depth = 0;

    do {
        if (*p == '(')
            depth++;
        if (*p == ')')
            depth--;
        p++;
    } while (*p && depth > 0);
    return p;
}

/* The name and arguments of the kernel whose keyword ends at `p`; declarations don't
 * count. */
static void scan_kernel(struct fake_program *program, const char *p)
{
    struct fake_signature *signature = &program->kernels[program->kernel_count];
    const char *name = NULL, *name_end = NULL, *after;

    memset(signature, 0, sizeof *signature);
    while (*p && *p != ';' && *p != '{') {
        if (is_word(*p)) {
            const char *word = p;
            while (is_word(*p))
                p++;
            if (strncmp(word, "__attribute__", 13) == 0) {
                while (*p && *p != '(')
                    p++;
                p = skip_parens(p);
            } else {
                name = word;
                name_end = p;
            }
        } else if (*p == '(') {
            break;
        } else {
            p++;
        }
    }
    if (*p != '(' || !name || (size_t)(name_end - name) >= sizeof signature->name)
        return;
    for (after = skip_parens(p); isspace((unsigned char)*after);)
        after++;
    if (*after != '{' && strncmp(after, "__attribute__", 13) != 0)
        return;
    memcpy(signature->name, name, (size_t)(name_end - name));
    scan_args(signature, p + 1);
    program->kernel_count++;
}

/* Adds the kernels that uses of the macro define, without their bodies, behind `text`.
 *   macro  its name and what follows, to the end of its last line
 *   rest   behind that */
static char *add_uses(char *text, const char *macro, const char *rest)
{
    size_t name_bytes = strcspn(macro, "( \n");
    const char *name_at = macro + name_bytes + 1,
               *kernel = strstr(macro, "__kernel void ");
    size_t first_bytes = strcspn(name_at, ",) \n");
    const char *args = kernel ? kernel + strlen("__kernel void ") : NULL;

    if (!kernel || kernel >= rest || macro[name_bytes] != '(' ||
        strncmp(args, name_at, first_bytes) != 0 || args[first_bytes] != '(')
        return text;
    args += first_bytes;
    while ((rest = strchr(rest, '\n'))) {
        size_t bytes = strlen(text), use_bytes;
        int args_bytes = (int)(skip_parens(args) - args);

        rest++;
        if (strncmp(rest, macro, name_bytes + 1) != 0)
            continue;
        use_bytes = strcspn(rest + name_bytes + 1, ",) \n");
        text = realloc(text, bytes + use_bytes + (size_t)args_bytes + 64);
        if (!text)
            abort();
        sprintf(text + bytes, "\n__kernel void %.*s%.*s {}", (int)use_bytes,
                rest + name_bytes + 1, args_bytes, args);
        for (char *at = text + bytes; (at = strchr(at, '\\'));)
            *at = ' ';
    }
    return text;
}

static char *with_macros(const char *source)
{
    static const char define[] = "#define ";
    char *text = strip(source);

    for (const char *at = source; (at = strstr(at, define));) {
        const char *macro = at += sizeof define - 1, *end = macro;

        while (*(end += strcspn(end, "\n")) && end[-1] == '\\')
            end++;
        text = add_uses(text, macro, end);
    }
    return text;
}

void fake_scan_kernels(struct fake_program *program)
{
    char *text = with_macros(program->source);

    program->kernel_count = 0;
    for (const char *p = text; program->kernel_count < FAKE_KERNELS_MAX; p += 6) {
        const char *word;

        p = strstr(p, "kernel");
        if (!p)
            break;
        word = p - text >= 2 && strncmp(p - 2, "__", 2) == 0 ? p - 2 : p;
        if ((word == text || !is_word(word[-1])) && !is_word(p[6]))
            scan_kernel(program, p + 6);
    }
    free(text);
}
