/* What DL says, on standard error, a line each, prefixed "dl: ". */
#ifndef DL_INTERCEPT_LOG_H
#define DL_INTERCEPT_LOG_H

#include "annotate/annotate.h"

/* In the order of --log: a level shows itself and all before it. */
enum dl__log_level {
    DL__LOG_QUIET,
    DL__LOG_ERROR,
    DL__LOG_WARNING,
    DL__LOG_REMARK,
    DL__LOG_DEBUG
};

/* The level of DL_LOG in the environment, read once; an unreadable value is a warning's worth
 * of a line and means the default. Threads: safe. */
enum dl__log_level dl__log_threshold(void);

void dl__log(enum dl__log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The dl_remark_fn of everything that remarks inside the shim; `user` is unused. */
void dl__log_remark(void *user, const struct dl_remark *remark);

#endif
