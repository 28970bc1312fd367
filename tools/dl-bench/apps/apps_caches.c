/* SPDX-License-Identifier: MIT */
/* What is left of earlier runs, in folders. */
#include "apps.h"

#include <dirent.h>
#include <ftw.h>
#include <string.h>

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info;
    (void)kind;
    (void)at;
    return remove(path);
}

void apps_folder_remove(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* An entry says in its key, near its beginning, what kind it is of. */
static bool is_decision(const char *path)
{
    char head[512];
    FILE *file = fopen(path, "rb");
    size_t bytes = file ? fread(head, 1, sizeof head, file) : 0;

    if (file)
        fclose(file);
    return memmem(head, bytes, "decision", 8) || memmem(head, bytes, "policy", 6);
}

void apps_decisions_remove(const char *caches)
{
    char folder[PATH_MAX], path[2 * PATH_MAX];
    struct dirent *entry;
    DIR *directory;

    snprintf(folder, sizeof folder, "%s/dl", caches);
    directory = opendir(folder);
    while (directory && (entry = readdir(directory)) != NULL) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && is_decision(path))
            remove(path);
    }
    if (directory)
        closedir(directory);
}
