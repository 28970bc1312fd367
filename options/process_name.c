/* SPDX-License-Identifier: MIT */
/* Names of files that each process of a job has for itself. */
#include "process_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options/environment.h"

/* Where launchers say which rank a process is: those of MPI first, since a batch system
 * may start one process that starts them all. */
const char *const dl_rank_variables[] = {
    "OMPI_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_RANK", "MV2_COMM_WORLD_RANK",
    "PALS_RANKID",          "SLURM_PROCID", NULL};

/* Digits alone: it becomes a part of a path. */
static const char *rank(void)
{
    for (size_t i = 0; dl_rank_variables[i]; i++) {
        const char *value = dl_environment_get(dl_rank_variables[i]);

        if (value && *value && strspn(value, "0123456789") == strlen(value))
            return value;
    }
    return "0";
}

char *dl_process_name(const char *name)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    if (!out)
        return NULL;
    for (const char *at = name; *at; at++) {
        char next = *at == '%' ? at[1] : '\0';

        if (next == 'p')
            fprintf(out, "%ld", (long)getpid());
        else if (next == 'r')
            fputs(rank(), out);
        else
            fputc(*at, out);
        at += next == 'p' || next == 'r' || next == '%';
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
