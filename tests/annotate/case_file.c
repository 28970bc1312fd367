/* SPDX-License-Identifier: MIT */
/* Reads the cases in tests/cases. */
#include "case_file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/common/read_file.h"

char *case_path(const struct case_file *c, const char *ending)
{
    char *path;

    if (asprintf(&path, "%.*s%s", (int)(strlen(c->path) - 3), c->path, ending) < 0)
        abort();
    return path;
}

/* What follows `// KEY: ` at the start of a line, to its end; NULL when there is none. */
static char *directive(const char *text, const char *key)
{
    const char *at = text;
    char *mark;

    if (asprintf(&mark, "// %s: ", key) < 0)
        abort();
    while ((at = strstr(at, mark)) != NULL && at != text && at[-1] != '\n')
        at++;
    if (at)
        at += strlen(mark);
    free(mark);
    return at ? strndup(at, strcspn(at, "\n")) : NULL;
}

static bool is_said(const char *text, const char *name)
{
    char *value = directive(text, name);
    bool said = value != NULL;

    free(value);
    return said;
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const struct case_file *)a)->name,
                  ((const struct case_file *)b)->name);
}

struct case_file *case_files_load(size_t *count)
{
    const char *source = getenv("DL_CASES");
    struct case_file *cases = NULL;
    struct dirent *entry;
    DIR *dir;

    *count = 0;
    if (!source)
        source = DL_CASES_DIR;
    dir = opendir(source);
    while (dir && (entry = readdir(dir)) != NULL) {
        size_t n = strlen(entry->d_name);
        struct case_file c = {0};
        char *path, *group;

        if (n < 4 || strcmp(entry->d_name + n - 3, ".cl") ||
            strstr(entry->d_name, ".expected.cl"))
            continue;
        c.name = strndup(entry->d_name, n - 3);
        if (asprintf(&c.path, "%s/%s", source, entry->d_name) < 0)
            abort();
        c.text = read_file(c.path, &c.bytes);
        c.options = directive(c.text, "options");
        c.run = directive(c.text, "run");
        c.ignore = directive(c.text, "ignore");
        c.detect = is_said(c.text, "detect");
        c.optimised = is_said(c.text, "optimised");
        c.each_turn = is_said(c.text, "each turn");
        group = directive(c.text, "group");
        c.group = group ? (unsigned)atoi(group) : 0;
        free(group);
        path = case_path(&c, ".remarks");
        c.refused = !access(path, R_OK);
        free(path);
        cases = realloc(cases, (*count + 1) * sizeof *cases);
        if (!cases)
            abort();
        cases[(*count)++] = c;
    }
    if (dir)
        closedir(dir);
    if (!*count) {
        fprintf(stderr, "no cases in %s\n", source);
        abort();
    }
    qsort(cases, *count, sizeof *cases, compare);
    return cases;
}

void case_files_free(struct case_file *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(cases[i].name);
        free(cases[i].path);
        free(cases[i].text);
        free(cases[i].options);
        free(cases[i].run);
        free(cases[i].ignore);
    }
    free(cases);
}
