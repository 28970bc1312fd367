/* SPDX-License-Identifier: MIT */
/* Reading the options. */
#include "options.h"

#include <pthread.h>
#include <string.h>

#include "log.h"
#include "options/options.h"

static struct dl__options options;
static pthread_once_t options_once = PTHREAD_ONCE_INIT;
_Atomic(const struct dl__options *) dl__options_read;

static enum dl_layout_kind layout_of(const struct dl_option_value *value)
{
    enum dl_layout_kind kind;

    return value->text && dl_layout_find(value->text, &kind) ? kind : DL_LAYOUT_ASTA;
}

static void warn_of_names(void)
{
    for (const char *const *at = dl_environment_kept(); *at; at++) {
        const size_t bytes = strcspn(*at, "=");
        const char *meant =
            strncmp(*at, "DL_", 3) == 0 ? dl_variable_nearest(*at, bytes) : NULL;

        if (meant)
            dl__log(
                DL__LOG_WARNING,
                "%.*s is not a variable of DL's, so it does nothing; did you mean %s?",
                (int)bytes, *at, meant);
    }
}

static void read_options(void)
{
    struct dl_option_value *values = options.values;
    const struct dl_option_value *cap = &values[DL_OPTION_memory_cap];
    const struct dl_option_value *stats = &values[DL_OPTION_stats];
    char wrong[DL_OPTION_TEXT_BYTES];
    struct dl_side_file *side;

    for (int i = 0; i < DL_OPTION_COUNT; i++)
        if (dl_option_read((enum dl_option)i, &values[i], wrong) != DL_OK &&
            i != DL_OPTION_log) /* log.c has warned of that one */
            dl__log(DL__LOG_WARNING, "%s", wrong);
    warn_of_names();

    options.layout_auto = dl_option_is(&values[DL_OPTION_layout], "auto");
    options.layout = layout_of(&values[DL_OPTION_layout]);
    options.coalesced = dl_option_is(&values[DL_OPTION_layout], "coalesced");
    if (options.coalesced)
        options.layout = DL_LAYOUT_AOS;
    options.tile_structs = (uint32_t)values[DL_OPTION_tile].number;
    if (cap->percent)
        options.memory_cap_percent = (unsigned)cap->number;
    else
        options.memory_cap_bytes = cap->number;
    options.staging_bytes = values[DL_OPTION_staging].number;
    options.verify_every = (unsigned)values[DL_OPTION_verify].number;
    options.stats = stats->text != NULL;
    options.stats_path = dl_option_is(stats, "1") ? NULL : stats->text;
    options.trace_path = values[DL_OPTION_trace].text;
    options.explain_policy = dl_option_is(&values[DL_OPTION_explain_policy], "on");
    options.counts = options.stats || options.trace_path || options.verify_every ||
                     options.explain_policy || values[DL_OPTION_report].text;
    options.detect = dl_option_is(&values[DL_OPTION_detect], "on");
    options.advise = values[DL_OPTION_advise].text != NULL;
    if (options.advise && !dl_option_is(&values[DL_OPTION_advise], "1"))
        options.advice_path = values[DL_OPTION_advise].text;
    if (options.advise) {
        /* All texts are looked at, and nothing is made ready. */
        options.detect = true;
        options.layout_auto = options.coalesced = false;
        options.layout = DL_LAYOUT_ASTA;
    }
    options.exact = dl_option_is(&values[DL_OPTION_exact], "on");
    options.policy_test = values[DL_OPTION_policy_test].number;
    options.cache = values[DL_OPTION_cache].text;
    options.libclang = values[DL_OPTION_libclang].text;
    if (values[DL_OPTION_annotations].text &&
        dl_side_file_load(values[DL_OPTION_annotations].text, dl__log_remark, NULL,
                          &side) == DL_OK)
        options.side = side;
}

const struct dl__options *dl__options_read_now(void)
{
    pthread_once(&options_once, read_options);
    atomic_store_explicit(&dl__options_read, &options, memory_order_release);
    return &options;
}
