/* SPDX-License-Identifier: MIT */
/* dl-bench: measures and checks DL's marshaling on a device. */
#include "bench.h"
#include "progress.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static int marshal_main(int argc, char **argv);

static const struct {
    const char *name, *words, *help;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"figure", "ID", "a figure or table of the papers, made anew", figure_main},
    {"marshal", "[options]", "speed of every conversion, checked", marshal_main},
    {"tune", "[options]", "the same for every variant of --knobs", marshal_main},
    {"transpose", "[...]", "transposition in place and out of place", transpose_main},
    {"apps", "[...]", "whole programs, natively and under DL", apps_main},
    {"coalesced", "[...]",
     "whole structs, as written, by work-groups together and in tiles", coalesced_main},
    {"grids", "[...]", "samples on grids, by layout and size", grids_main},
    {"steering", "[...]", "address bits that spread requests over a memory",
     steering_main},
    {"scale", "[...]", "a sample over several devices, natively and under DL",
     scale_main},
    {"build", "", "what DL adds to building annotated kernels", build_main},
    {"overhead", "", "instructions that DL adds to a call", overhead_main},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void usage(FILE *out)
{
    for (size_t c = 0; c < COMMANDS; c++)
        fprintf(out, "%s dl-bench %s%*s %s\n", c ? "      " : "usage:", commands[c].name,
                20 - (int)strlen(commands[c].name), commands[c].words, commands[c].help);
    fputs("\nEach has --help. Options of marshal and tune:\n", out);
#define X(name, flag, value, fallback, help)                                             \
    fprintf(out, "  --%-8s %-10s %s%s%s%s\n", flag, value, help, *fallback ? " [" : "",  \
            fallback, *fallback ? "]" : "");
    BENCH_OPTION_MAP(X)
#undef X
    fprintf(out, "\nknobs:\n");
    knobs_print(out, &dl__knob_table, sizeof(struct dl__knobs));
}

static bool complain(const char *what, const char *which)
{
    fprintf(stderr, "dl-bench: %s %s (see dl-bench --help)\n", what, which);
    return false;
}

/* The options behind the command; they may be cut short. */
static bool options_parse(int argc, char **argv, struct options *options)
{
    static const struct option longs[] = {
#define X(name, flag, value, fallback, help) {flag, required_argument, NULL, 0},
        BENCH_OPTION_MAP(X)
#undef X
            {NULL, 0, NULL, 0}};
    const char **values[] = {
#define X(name, flag, value, fallback, help) &options->name,
        BENCH_OPTION_MAP(X)
#undef X
    };
    int which, found;

    *options = (struct options){
#define X(name, flag, value, fallback, help) .name = fallback,
        BENCH_OPTION_MAP(X)
#undef X
    };
    opterr = 0;
    while ((found = getopt_long(argc - 1, argv + 1, "+:", longs, &which)) == 0)
        *values[which] = optarg;
    if (found != -1)
        return complain(found == ':' ? "a value is missing after" : "unknown option",
                        argv[optind]);
    return optind + 1 >= argc || complain("unknown option", argv[optind + 1]);
}

static void csv_head(FILE *csv, const struct device *device, double copy)
{
    fprintf(csv, "# %s, driver %s, copy %.1f GB/s\n", device->name, device->driver,
            copy * 1e-9);
    fprintf(
        csv,
        "group,case,structs,struct_bytes,from,from_tile,to,to_tile,knobs,status,errors,"
        "gb_per_s,share_percent,prepare_s,workspace_bytes\n");
}

/* An object of the array; no label or name needs escaping. */
static void json_add(FILE *json, const struct bench_case *bench, const char *knobs,
                     const struct case_result *result, const char *status, double share)
{
    static const char *const names[] = {"from", "to"};
    const struct dl_layout layouts[] = {bench->from, bench->to};

    fprintf(json, "%s\n{\"group\": \"%s\", \"case\": \"%s\", \"structs\": %llu, ",
            ftell(json) > 1 ? "," : "", bench->group, bench->label,
            (unsigned long long)bench->structs);
    fprintf(json, "\"struct_bytes\": %u, ", bench->table.struct_bytes);
    for (int l = 0; l < 2; l++)
        fprintf(json, "\"%s\": \"%s\", \"%s_tile\": %u, ", names[l],
                dl_layout_name(layouts[l].kind), names[l], layouts[l].tile_structs);
    fprintf(json,
            "\"knobs\": \"%s\", \"status\": \"%s\", \"errors\": %u, "
            "\"gb_per_s\": %.2f, \"share_percent\": %.2f, \"prepare_s\": %.3f, "
            "\"workspace_bytes\": %llu}",
            knobs, status, result->errors, result->bytes_per_s * 1e-9, share,
            result->prepare_s, (unsigned long long)result->workspace_bytes);
}

static void result_print(FILE *csv, FILE *json, const struct bench_case *bench,
                         const char *knobs, const struct case_result *result, double copy)
{
    double share = 100 * result->bytes_per_s / copy;
    const char *status = result->status != DL_OK ? dl_status_name(result->status)
                         : result->errors > 0    ? "WRONG"
                                                 : "ok";

    printf("%-6s %-34s %4s%-4u -> %4s%-4u %-5s %8.1f GB/s %5.1f %% %s\n", bench->group,
           bench->label, dl_layout_name(bench->from.kind), bench->from.tile_structs,
           dl_layout_name(bench->to.kind), bench->to.tile_structs, status,
           result->bytes_per_s * 1e-9, share, knobs);
    for (size_t l = 0; l < result->launches; l++)
        printf("         %-16s %9.1f us\n", result->launch_names[l],
               result->launch_s[l] * 1e6);
    if (csv)
        fprintf(csv, "%s,\"%s\",%llu,%u,%s,%u,%s,%u,%s,%s,%u,%.2f,%.2f,%.3f,%llu\n",
                bench->group, bench->label, (unsigned long long)bench->structs,
                bench->table.struct_bytes, dl_layout_name(bench->from.kind),
                bench->from.tile_structs, dl_layout_name(bench->to.kind),
                bench->to.tile_structs, knobs, status, result->errors,
                result->bytes_per_s * 1e-9, share, result->prepare_s,
                (unsigned long long)result->workspace_bytes);
    if (json)
        json_add(json, bench, knobs, result, status, share);
    fflush(stdout);
}

/* Least and middle share of each group of cases. */
static void summary_print(const struct case_list *list, const double *shares,
                          const char *knobs)
{
    double *sorted = calloc(list->count, sizeof *sorted);

    for (size_t c = 0, past; c < list->count && sorted; c = past) {
        for (past = c; past < list->count; past++) {
            if (strcmp(list->cases[past].group, list->cases[c].group) != 0)
                break;
            sorted[past - c] = shares[past];
        }
        numbers_sort(sorted, past - c);
        printf("== %-6s least %5.1f %%  median %5.1f %%  most %5.1f %%  of %zu  %s\n",
               list->cases[c].group, sorted[0], sorted[(past - c) / 2],
               sorted[past - c - 1], past - c, knobs);
    }
    free(sorted);
}

static bool cases_run(struct device *device, const struct options *options,
                      const struct case_list *list, cl_mem mem, double copy, FILE *csv,
                      FILE *json)
{
    char label[256];
    size_t variants =
        knobs_parse(options->knobs, 0, knob_set_nowhere, NULL, ' ', label, sizeof label);
    double *all = calloc(variants * list->count, sizeof *all);
    struct progress progress = progress_begin(variants * list->count);
    bool good = all != NULL;

    for (size_t v = 0; v < variants && all; v++) {
        double *shares = all + v * list->count;
        knobs_parse(options->knobs, v, knob_set_nowhere, NULL, ' ', label, sizeof label);
        for (size_t c = 0; c < list->count; c++) {
            struct case_result result =
                case_run(device, &list->cases[c], v, mem, options);
            shares[c] = result.status == DL_OK && result.errors == 0
                            ? 100 * result.bytes_per_s / copy
                            : 0;
            good = good && result.status == DL_OK && result.errors == 0;
            progress_clear();
            result_print(csv, json, &list->cases[c], label, &result, copy);
            progress_step(&progress);
        }
        summary_print(list, shares, label);
    }
    if (good && *options->table)
        good = table_write(options->table, device, options, list, all, variants);
    free(all);
    return good;
}

/* Opens the files of --csv and --json and writes their beginnings; NULL: not asked for.
 */
static bool files_open(const struct options *options, const struct device *device,
                       double copy, FILE **csv, FILE **json)
{
    if (*options->csv) {
        *csv = fopen(options->csv, "w");
        if (!*csv) {
            perror(options->csv);
            return false;
        }
        setvbuf(*csv, NULL, _IOLBF, 0); /* rows stay, however it ends */
        csv_head(*csv, device, copy);
    }
    if (*options->json) {
        *json = fopen(options->json, "w");
        if (!*json) {
            perror(options->json);
            return false;
        }
        fputs("[", *json);
    }
    return true;
}

/* All cases on a device that is open. */
static bool device_measure(struct device *device, const struct options *options,
                           uint64_t bytes, const struct case_list *list)
{
    FILE *csv = NULL, *json = NULL;
    uint64_t most = 0;
    bool good = false;
    double copy;
    cl_int err;
    cl_mem mem;

    for (size_t c = 0; c < list->count; c++) {
        uint64_t need = list->cases[c].structs * list->cases[c].table.struct_bytes;
        most = need > most ? need : most;
    }
    printf("%s, driver %s\n", device->name, device->driver);
    copy = device_copy_speed(device, bytes - bytes % 4096, atoi(options->reps));
    mem = clCreateBuffer(device->context, CL_MEM_READ_WRITE, most + 4096, NULL, &err);
    if (err != CL_SUCCESS || copy == 0)
        fprintf(stderr, "dl-bench: no device memory for %llu bytes\n",
                (unsigned long long)most);
    else if (files_open(options, device, copy, &csv, &json))
        good = cases_run(device, options, list, mem, copy, csv, json);
    if (json) {
        fputs("\n]\n", json);
        fclose(json);
    }
    if (csv)
        fclose(csv);
    if (mem)
        clReleaseMemObject(mem);
    return good;
}

static int marshal_main(int argc, char **argv)
{
    struct options options;
    struct device device;
    struct case_list list = {0};
    uint64_t bytes;
    bool good = false;

    for (int a = 2; a < argc; a++)
        if (strcmp(argv[a], "--help") == 0 || strcmp(argv[a], "-h") == 0) {
            usage(stdout);
            return 0;
        }
    if (!options_parse(argc, argv, &options))
        return 2;
    if (strcmp(argv[1], "marshal") == 0 && strchr(options.knobs, '/')) {
        fprintf(stderr, "dl-bench: several values of a knob are for dl-bench tune\n");
        return 2;
    }
    if (!knobs_check(options.knobs, NULL))
        return 2;
    if (!device_open(&device, options.device))
        return 1;
    bytes = *options.bytes ? bytes_parse(options.bytes)
                           : UINT64_C(1) << (device.type == CL_DEVICE_TYPE_CPU ? 26 : 30);
    if (bytes < 4096 || !cases_make(&options, bytes, &list))
        fprintf(stderr,
                "dl-bench: no cases: look at --bytes, --cases, --words and --tiles\n");
    else
        good = device_measure(&device, &options, bytes, &list);
    cases_free(&list);
    device_close(&device);
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    const char *command = argc >= 2 ? argv[1] : "";

    if (strcmp(command, "--help") == 0 || strcmp(command, "-h") == 0) {
        usage(stdout);
        return 0;
    }
    if (strcmp(command, "--version") == 0 || strcmp(command, "-V") == 0) {
        puts("dl-bench " DL_VERSION);
        return 0;
    }
    for (size_t c = 0; c < COMMANDS; c++)
        if (strcmp(command, commands[c].name) == 0)
            return commands[c].run(argc, argv);
    if (argc < 2)
        usage(stderr);
    else
        complain(*command == '-' ? "unknown option" : "unknown command", command);
    return 2;
}
