/* The table of the functions below the hooks. */
#include "next.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#define ENTRY_COUNT (sizeof(cl_icd_dispatch) / sizeof(void *))

cl_icd_dispatch dl__next;

static pthread_mutex_t next_lock = PTHREAD_MUTEX_INITIALIZER;
static bool next_is_filled;

void dl__next_fill(const cl_icd_dispatch *table, cl_uint count)
{
    pthread_mutex_lock(&next_lock);
    if (!next_is_filled) {
        if (count > ENTRY_COUNT)
            count = ENTRY_COUNT;
        memcpy(&dl__next, table, count * sizeof(void *));
        next_is_filled = true;
    }
    pthread_mutex_unlock(&next_lock);
}
