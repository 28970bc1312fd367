/* SPDX-License-Identifier: MIT */
/* dl-bench figure: the papers' figures and tables, each made anew on the device at hand
 * by one command: what it shows is measured and checked by dl-bench's other commands,
 * then drawn by bench/figures.py. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

enum { TEXT_MAX = 1024, BUILDERS_MAX = 64 };

/* ---- what there is ---- */

/* A file NAME.csv, and the command that writes it. */
struct table {
    const char *name, *command;
};

static const struct table tables[] = {
#define WIDTHS "39,40,59,62,197,215 " /* of table 5.1 of the thesis */
    {"marshal-spreading",
     "tune --cases cycle --part 0/2 --words " WIDTHS
     "--tiles 16,32,64 --reps 3 --knobs cycle_held=0,cycle_group=256,"
     "cycle_flags=32/16/8/4/2/1,cycle_pad=0/1"},
    {"marshal-pipt", "tune --cases asta --part 0/2 --words "
                     "16,20,24,32,40,48,64,80,96,128,160,192,215,256 --reps 3 "
                     "--knobs family=5/2/1,cycle_held=0,cycle_pad=1,cycle_flags=32/1"},
    {"marshal-groups", "tune --cases cycle --part 0/2 --words 16,48,96,160,215,256 "
                       "--tiles 16,32,64 --reps 3 --knobs "
                       "cycle_held=0,cycle_flags=1,cycle_group=32/64/128/256/512/1024"},
    {"marshal-remapped",
     "tune --cases cycle --part 0/2 --words " WIDTHS
     "--reps 3 --knobs cycle_held=0,cycle_group=256,cycle_flags=32/8/1,cycle_remap=0/1"},
    {"marshal-thesis", "tune --cases shapes --words 16,32,64,96,128,192,256 --tiles "
                       "8,16,32,64 --reps 3 --knobs family=6/3,super_mode=0/1/2"},
    {"transpose-table", "transpose --sets table --elements 4 --algorithms "
                        "3-stage,4-stage,4-stage-fused,auto"},
    {"transpose-tiles", "transpose --sets tiles --elements 4 --reps 3 --algorithms "
                        "3-stage"},
    {"grids-lbm",
     "grids --samples lbm --size 64x64x64 --sizes 128,256,384,512 --reps 1 --resume"},
    {"grids-heat", "grids --samples heat --sizes 128,256,384,512 --reps 1 --resume"},
    {"grids-cfd", "grids --samples cfd --sizes 128,256,384,512 --reps 1 --resume"},
    {"marshal-matrices",
     "tune --cases matrices --tiles 16,32,64 --reps 3 --knobs family=5/6/3"},
    {"marshal-tiles", "tune --cases asta --part 0/2 --words " WIDTHS
                      "--tiles 16,32,64 --reps 3 --knobs family=1/2"},
    {"marshal-access", "marshal --cases access,update"},
    {"steering-chases", "steering"},
    {"transpose-orders",
     "transpose --sets kilos --elements 4 --bytes 13G --reps 3 --algorithms "
     "square-naive,square-regions,square-threads,square-v1,square-v1r,square-v1b"},
    {"transpose-orders-out", "transpose --sets kilos --place out --elements 4 --bytes "
                             "13G --reps 3 --algorithms out,out-banded"},
    {"transpose-landscape-banded", "transpose --sets landscape --place out --elements 4 "
                                   "--reps 3 --algorithms out,out-banded"},
    {"transpose-involutions", "transpose --sets involutions --elements 4 --bytes 13G "
                              "--reps 3 --algorithms axes-swap,axes-swap-naive"},
    {"transpose-padless",
     "transpose --shapes 3072x3072 --place out --elements 4 --reps 21 --algorithms "
     "out-padded,out-selective,out-parallel --knobs "
     "padless_side=16/32/48,padless_lines=1/2/4/6/8/12/16/32"},
    {"transpose-padless-sides",
     "transpose --place out --elements 4 --reps 9 --algorithms out-padded,out-parallel "
     "--knobs padless_side=16/32,padless_lines=16/32 --shapes "
     "512x512,1024x1024,2048x2048,3072x3072,4096x4096,6144x6144,8192x8192"},
    {"gauss", "../bench/gauss.sh 512 1024 2048 4096 8192"},
    {"transpose-random-c2r",
     "transpose --sets random --caps linear --reps 3 --algorithms "
     "auto,c2r,r2c"},
    {"transpose-landscape-c2r", "transpose --sets landscape --elements 8 --caps linear "
                                "--reps 1 --algorithms c2r,r2c"},
    {"transpose-random-cpu",
     "transpose --sets random --elements 8 --caps linear --sizes 10 --reps 1 --bytes 1G "
     "--algorithms auto,c2r"},
    {"coalesced-structs",
     "coalesced --ops store,copy,scatter,gather --ways "
     "plain,vector,header,coalesced --words 2,4,6,8,12,16,24,32,48,64 --reps 3"},
    {"transpose-skinny", "transpose --sets skinny,whole"},
    {"transpose-axes-out", "transpose --sets axes --place out --elements 4 --sizes 0 "
                           "--algorithms out-axes,out-axes-grid"},
    {"transpose-nearsquare", "transpose --sets nearsquare --caps 12 --algorithms "
                             "auto,square-padded,panel-rows"},
    {"apps", "apps --rows thesis --states warm,remembered"},
    /* For docs/notes. */
    {"marshal-asta", "marshal --cases asta"},
    {"marshal-mixed", "marshal --cases mixed"},
    {"marshal-wide", "marshal --cases wide"},
    {"marshal-super", "marshal --cases super --words "
                      "16,31-33,36,48,60,64,65,68,80,96,112,128,129,132,256,257,512"},
    {"marshal-da", "marshal --cases da"},
    {"marshal-soa", "marshal --cases soa"},
    {"marshal-held", "tune --cases cycle --words 4,8,12,16,24,32,48,64 --reps 3 --knobs "
                     "cycle_held=0/1/2/4"},
    {"marshal-maps", "tune --cases asta --words 8,12,16,20,31,32,33,41,64 --reps 3 "
                     "--knobs tile_pad=0/1/2/3"},
    {"transpose-random-6", "transpose --sets random,primes"},
    {"transpose-random-linear", "transpose --sets random,primes --caps linear"},
    {"transpose-random-1", "transpose --sets random,primes --caps 1"},
    {"transpose-square",
     "transpose --sets square --elements 4,8,16 --buffers 3 --bytes 9G --algorithms "
     "auto,square,square-v1,square-v1r,square-v1b,square-super"},
    {"transpose-outofplace",
     "transpose --sets outofplace --elements 4,8 --algorithms auto,out,out-banded"},
    {"transpose-random-elements",
     "transpose --sets random --seed 77 --elements 1,2,4,8,16"},
    {"transpose-axes", "transpose --sets axes --buffers 3"},
    {"transpose-small",
     "transpose --sets small --sizes 20 --elements 1,2,4,8,16 --caps default --reps 21 "
     "--algorithms auto,through,onchip"},
    {"transpose-batch", "transpose --sets batch --elements 1,4,16 --caps default "
                        "--algorithms auto,step,through"},
    {"transpose-long", "transpose --shapes 2x100000000,100000000x2,3x70000001 --elements "
                       "1,4,8 --caps 6,default"},
    {"transpose-bare",
     "transpose --sets random,skinny --sizes 5 --caps 0 --reps 1 --bytes 256M"},
    {"transpose-fixed", "transpose --sets random,table,skinny --algorithms all --reps 3"},
    {"transpose-tiles-4-stage", "transpose --sets tiles --elements 4 --reps 3 "
                                "--algorithms 4-stage,4-stage-fused"},
    {"transpose-landscape", "transpose --sets landscape --reps 3"},
    {"transpose-landscape-out", "transpose --sets landscape --place out --reps 3"},
    {"transpose-big", "transpose --shapes 70001x65537,50021x50023 --elements 4 --bytes "
                      "20G --reps 1"},
    {"transpose-big-1",
     "transpose --shapes 50021x50023,5x1000000007 --elements 1 --bytes 20G --reps 1 "
     "--algorithms auto,panel-rows,panel-cols,r2c"},
    {"transpose-exact", "transpose --sets small,random --sizes 42 --elements "
                        "1,2,4,8,12,16 --reps 1 --bytes 7G"},
};

/* A figure or table of a paper: `paper` is what its text says, "" where it has only a
 * picture. It is made of tables, by spaces; `drawn` has names of bench/figures.py, NULL:
 * those of the tables. */
struct figure {
    const char *id, *title, *paper, *tables, *drawn;
};

static const char *drawn_of(const struct figure *figure)
{
    return figure->drawn ? figure->drawn : figure->tables;
}

static const struct figure figures[] = {
    {"003:4.11", "PTTWAC: flags spread",
     "Tesla C2050: bandwidth grows with the spreading factor, divergent branches fall",
     "marshal-spreading", "marshal-spreading flags-conflicts"},
    {"003:4.13", "PTTWAC: flags spread and padded",
     "Tesla C2050: padding gains up to 10 %", "marshal-spreading",
     "marshal-spreading flags-conflicts"},
    {"003:4.16", "PTTWAC: flags spread and padded, six problems",
     "K20: spreading 1.77 times on average, padding 12 % more; falls where occupancy is "
     "below 50 %",
     "marshal-spreading"},
    {"003:4.17", "PTTWAC: work-items that share a tile",
     "GTX 580: the best group grows with the elements of a tile", "marshal-groups"},
    {"003:4.18", "P-IPT, PTTWAC and PTTWAC with spreading and padding",
     "optimized over original 1.78 times on GTX 580, 1.84 on K20, 1.79 on Cape Verde",
     "marshal-pipt"},
    {"003:4.5.1", "PTTWAC: flags remapped",
     "better than packed, worse than spread and padded", "marshal-remapped"},
    {"003:4.19", "100! with barriers, by local and by register tiling",
     "over barriers: local tiling 3.35 times on GTX 580 and 3.05 on K20, register tiling "
     "3.87 and 3.74",
     "marshal-thesis"},
    {"003:4.20", "100! by local tiling, by length of a super-element",
     "K20, on average: 8 words 12.5, 16 words 24.5, 32 words 47.6, 64 words 69 GB/s",
     "marshal-thesis", "marshal-lengths"},
    {"003:4.6", "cycles of a transposition, by arithmetic",
     "squares have far more than the rest", "", "cycles-count"},
    {"003:T4.2", "3-stage and 4-stage transposition",
     "K20: 3-stage 17.3 to 20.7, 4-stage 6.9 to 7.2, fused 7.4 to 7.8 GB/s",
     "transpose-table", "transpose-stages"},
    {"003:4.21", "3-stage 7200 x 1800 by tile",
     "K20: best 20.59 GB/s at 32 x 72; good where m n < 3600", "transpose-tiles",
     "transpose-tiles-3-stage"},
    {"003:4.22", "the same on another vendor's GPU",
     "HD 7750: as confined, of another shape", "transpose-tiles",
     "transpose-tiles-3-stage"},
#define ORDERS "transpose-orders transpose-orders-out", "transpose-orders"
    {"000:2", "in place, out of place and by a super grid",
     "falls from an order of 24K on, but by the super grid", ORDERS},
    {"000:9", "squares by order of blocks (10 and 11 the same on other GPUs)",
     "GTX 580: V1B and the super grid stay level; the others fall from 24K on", ORDERS},
    {"000:10", "squares by order of blocks",
     "Titan Black: as 9; V1B ahead of the super grid", ORDERS},
    {"000:11", "squares by order of blocks", "Titan X: as 10", ORDERS},
    {"000:12", "out of place, plain and banded (13 the same on another GPU)",
     "Titan Black: below 150 GB/s where plain tiles miss the TLB; banded level",
     "transpose-landscape-banded"},
    {"000:13", "out of place, plain and banded", "Titan X: as 12",
     "transpose-landscape-banded"},
    {"000:14", "x and y of three axes swapped, plain and banded",
     "Titan X: the plain one falls from 24K on, the banded one does not",
     "transpose-involutions", "transpose-yxz"},
    {"000:15", "x and z of three axes swapped, plain and banded", "Titan X: as 14",
     "transpose-involutions", "transpose-zyx"},
#define PADLESS(id, side)                                                                \
    {                                                                                    \
        id, "3072 x 3072 by tiles of " side,                                             \
            "Quadro FX 7000: the three take almost the same time", "transpose-padless",  \
            "transpose-padless-" side                                                    \
    }
    PADLESS("001:4", "16"),
    PADLESS("001:5", "32"),
    PADLESS("001:6", "48"),
    {"001:7", "padded tiles and Parallel Write by size, tiles of 16",
     "the same but for some gain of Parallel Write", "transpose-padless-sides",
     "transpose-padless-sides-16"},
    {"001:8", "padded tiles and Parallel Write by size, tiles of 32", "the same",
     "transpose-padless-sides", "transpose-padless-sides-32"},
    {"001:9", "a recursive Gaussian with each transposition",
     "Parallel Write up to 6 % faster than NVIDIA's", "gauss", "gauss-us"},
    {"001:10", "the same, as pixels a second",
     "Parallel Write up to 6 % faster than NVIDIA's", "gauss", "gauss-mpixels"},
    {"002:4", "C2R by rows and columns", "K20c: fast where a row fits on the chip",
     "transpose-landscape-c2r"},
    {"002:5", "R2C by rows and columns", "K20c: fast where a column fits on the chip",
     "transpose-landscape-c2r"},
    {"002:6", "in place, random sizes (table 2)",
     "K20c: C2R 14.23 GB/s at 4 bytes, 19.53 at 8; Sung's 5.33", "transpose-random-c2r"},
    {"002:8", "structs in order: stores and copies",
     "K20c: up to 45 times over plain stores", "coalesced-structs",
     "coalesced-store coalesced-copy"},
    {"002:9", "structs at random: scatters and gathers",
     "K20c: rises until a struct is a line of the cache", "coalesced-structs",
     "coalesced-scatter coalesced-gather"},
#define GRID(id, sample, vary, said)                                                     \
    {                                                                                    \
        id, sample " by layout, " vary " varied", said, "grids-" sample,                 \
            "grids-" sample "-" vary                                                     \
    }
    GRID("003:6.6", "lbm", "x",
         "T10: SoA over AoS 7.2 times on average, derived over SoA 1.52"),
    GRID("003:6.7", "lbm", "y", "as 6.6"),
    GRID("003:6.8", "lbm", "z", "as 6.6"),
    GRID("003:6.9", "heat", "x", "T10: derived over row-major 2.74 times on average"),
    GRID("003:6.10", "heat", "y", "as 6.9"),
    GRID("003:6.11", "heat", "z", "as 6.9"),
    GRID("003:6.12", "cfd", "x", "T10: derived over row-major 1.16 times on average"),
    GRID("003:6.13", "cfd", "y", "as 6.12"),
    GRID("003:6.14", "cfd", "z", "as 6.12"),
    {"003:2.2", "SAXPY by its stride", "", "steering-chases", "steering-saxpy"},
    {"003:6.4", "requests by the stride between them",
     "T10: bits 13 to 6 of an address spread requests", "steering-chases",
     "steering-strides"},
    {"003:3.7", "reading structs by layout, and storing them",
     "Fermi: AoS costs the more the longer the struct; ATI: AoS ahead below 14 floats",
     "marshal-access"},
    {"003:T5.2", "full and tiled transposition kernels",
     "GTX 480: out of place 80.1, barrier-sync 82.2, PTTWAC 19.6 GB/s", "marshal-tiles"},
    {"003:T5.3", "AoS to ASTA by barrier-sync and PTTWAC, by tile",
     "PTTWAC 5.0 to 21.3, barrier-sync 23.2 to 93.1 GB/s", "marshal-tiles"},
    {"003:5.7", "SoA to ASTA by PTTWAC and P-IPT",
     "tile 64: PTTWAC 15.0 to 17.4, P-IPT 3.3 to 13.7 GB/s", "marshal-matrices"},
    {"003:4.1", "squares in place", "C2050: half of the peak of 144 GB/s", ORDERS},
    {"003:T4.3", "in place on a GPU and on a CPU: --device names each in turn",
     "K20 19.06 GB/s, 11.6 % of its copies; 2 x Xeon L5420 0.89, 18.2 %",
     "transpose-table", "transpose-stages"},
    {"004:1", "three axes on a flattened grid, out of place",
     "as good as the 2-D transposition", "transpose-axes-out", ""},
    {"003:4.4", "padding in place",
     "K20: 181 iterations of rows in parallel, 99 rows one by one",
     "transpose-nearsquare"},
    {"002:7", "AoS to SoA in place", "K20c, 8 bytes: median 34.3, at most 51 GB/s",
     "transpose-skinny"},
    {"002:3", "in place on a CPU (table 1): --device names one",
     "Core i7 950, 8 bytes: C2R 0.336 GB/s by one thread, 1.26 by eight; MKL 0.067",
     "transpose-random-cpu"},
    {"003:5.2", "applications by layout (5.3 the same on another GPU)",
     "lbm by ASTA and DA over 4 times on NVIDIA, some 3 on ATI", "apps"},
    {"003:5.4", "lbm's net speedup by iterations (5.5 Black-Scholes, 5.6 SpMV)",
     "ASTA breaks even within 4 iterations", "apps"},
    {"dl:conversions", "conversions between layouts", "",
     "marshal-asta marshal-mixed marshal-wide marshal-super marshal-da marshal-soa "
     "marshal-held marshal-maps",
     "marshal-asta marshal-super marshal-da marshal-soa marshal-held marshal-maps"},
    {"dl:transpositions", "transpositions in place and out of place", "",
     "transpose-random-6 transpose-random-linear transpose-random-1 transpose-square "
     "transpose-outofplace transpose-random-elements transpose-axes transpose-small "
     "transpose-batch transpose-long transpose-bare transpose-fixed transpose-big "
     "transpose-tiles-4-stage transpose-landscape transpose-landscape-out "
     "transpose-big-1 transpose-exact",
     "transpose-random transpose-tiles-4-stage transpose-tiles-4-stage-fused "
     "transpose-landscape transpose-landscape-out"},
};

#define FIGURE_OPTION_MAP(X)                                                             \
    X(list, "", "", "", "list the figures and what each needs")                          \
    BENCH_DEVICE(X)                                                                      \
    X(out, "FOLDER", "figures", "o",                                                     \
      "where tables and pictures go; a table that is there is not measured again")       \
    X(limit, "SECONDS", "", ".0-10000000",                                               \
      "stop after this time; exit code 3 if tables are left")                            \
    X(each, "SECONDS", "", ".0-10000000",                                                \
      "end the measuring of a table that takes longer")                                  \
    X(builders, "N", "1", "0-64",                                                        \
      "first build each table's kernels by this many processes, if the driver keeps "    \
      "them")                                                                            \
    X(small, "", "", "", "small sizes and few runs, to see that everything works")

struct figure_options {
    FIGURE_OPTION_MAP(BENCH_FIELD)
};

/* Whether a list by spaces has a word. */
static bool words_have(const char *list, const char *word)
{
    const size_t bytes = strlen(word);

    for (const char *at = list; (at = strstr(at, word)); at += bytes)
        if ((at == list || at[-1] == ' ') && (at[bytes] == ' ' || !at[bytes]))
            return true;
    return false;
}

/* Whether a list by commas names the figure, its paper or all; sets *known for each word
 * that names anything. */
static bool is_wanted(const struct figure *figure, const char *ids)
{
    char word[32];

    while (list_next(&ids, word, sizeof word)) {
        const size_t bytes = strlen(word);

        if (strcmp(word, "all") == 0 ||
            (strncmp(figure->id, word, bytes) == 0 &&
             (!figure->id[bytes] || figure->id[bytes] == ':')))
            return true;
    }
    return false;
}

static bool ids_are_known(const char *ids)
{
    char word[32];

    while (list_next(&ids, word, sizeof word)) {
        bool found = false;

        for (size_t f = 0; f < COUNT(figures); f++)
            found = found || is_wanted(&figures[f], word);
        if (!found) {
            fprintf(stderr,
                    "dl-bench figure: no figure is called %s; --list prints their "
                    "names\n",
                    word);
            return false;
        }
    }
    return true;
}

static void list_print(void)
{
    for (size_t f = 0; f < COUNT(figures); f++) {
        printf("%-9s %s\n", figures[f].id, figures[f].title);
        if (*figures[f].paper)
            printf("          the paper: %s\n", figures[f].paper);
        if (*drawn_of(&figures[f]))
            printf("          picture: %s\n", drawn_of(&figures[f]));
        for (size_t t = 0; t < COUNT(tables); t++)
            if (words_have(figures[f].tables, tables[t].name))
                printf("          %s.csv: %s%s\n", tables[t].name,
                       tables[t].command[0] == '.' ? "" : "dl-bench ", tables[t].command);
    }
    puts("Pictures need python3 with matplotlib; without it there are the tables.");
}

/* ---- measuring ---- */

struct making {
    struct figure_options options;
    char folder[PATH_MAX]; /* of dl-bench */
    double end_s, each_s;  /* now_s() then; of a table. HUGE_VAL: no limit */
    enum made { MADE, MADE_WRONG, NOT_MADE } made[COUNT(tables)]; /* if tried */
    bool tried[COUNT(tables)];
};

/* The words that --small adds to a command. */
static const char *small_of(const char *command)
{
    static const struct {
        const char *command, *options;
    } of[] = {{"tune --cases matrices", " --tiles 32 --reps 1 --part 0/6"},
              {"tune", " --bytes 256K --words 16 --tiles 16 --reps 1"},
              {"marshal", " --bytes 256K --words 16 --tiles 16 --reps 1"},
              {"transpose --sets landscape", " --bytes 1M"},
              {"transpose --sets kilos", " --bytes 1M"},
              {"transpose --sets involutions", " --bytes 1M"},
              {"transpose", " --bytes 64M --sizes 9 --reps 1"},
              {"grids", " --sizes 8,12 --size 8x8x8 --steps 2 --vary x"},
              {"steering", " --bytes 1M --reps 1"},
              {"../bench/gauss.sh", " --small"},
              {"coalesced", " --bytes 256K --words 4,16 --reps 1"},
              {"apps",
               " --small --reps 1 --steps 4 --rows spmv_bcsstk18 --layouts native,asta"}};

    for (size_t c = 0; c < COUNT(of); c++)
        if (strncmp(command, of[c].command, strlen(of[c].command)) == 0)
            return of[c].options;
    return "";
}

/* Starts this program with a command's words, its output in a file; more words may come
 * from `more`. */
static pid_t start(const struct making *making, const char *command_words,
                   const char *more, const char *csv, const char *log)
{
    const bool is_apps = strncmp(command_words, "apps", 4) == 0,
               is_script = *command_words == '.';
    const double left_s = fmin(making->end_s - now_s(), making->each_s);
    const char *small = making->options.small[0] ? small_of(command_words) : "";
    char program[PATH_MAX + 16], text[TEXT_MAX], seconds[32];
    struct words words = {.count = 0};

    /* A process that is measured can't look at the clock; timeout ends those that it has
     * started, too. */
    if (left_s < 1e6) {
        snprintf(seconds, sizeof seconds, "%.0f", fmax(1, ceil(left_s)));
        words_add(&words, "timeout", "--kill-after=5", seconds, NULL);
    }
    if (is_script) {
        const int bytes = (int)strcspn(command_words, " ");

        snprintf(program, sizeof program, "%s/%.*s", making->folder, bytes,
                 command_words);
        words_add(&words, "bash", program, csv, NULL);
        command_words += bytes;
    } else {
        snprintf(program, sizeof program, "%s/dl-bench", making->folder);
        words_add(&words, program, NULL);
    }
    snprintf(text, sizeof text, "%s%s%s", command_words, small, more);
    for (char *at = strtok(text, " "); at; at = strtok(NULL, " "))
        words_add(&words, at, NULL);
    if (*making->options.device)
        words_add(&words, "--device", making->options.device, NULL);
    if (!is_script)
        words_add(&words, is_apps ? "--out" : "--csv",
                  is_apps ? making->options.out : csv, NULL);
    return process_start(&words, log, log);
}

/* The kernels of the table, built by several processes; what they measure at the same
 * time is not kept. */
static void build(const struct making *making, const struct table *table)
{
    const bool of_marshal = strncmp(table->command, "tune", 4) == 0 ||
                            strncmp(table->command, "marshal", 7) == 0;
    const int count = atoi(making->options.builders);
    pid_t pids[BUILDERS_MAX];

    if (count < 2 || (!of_marshal && strncmp(table->command, "transpose", 9) != 0))
        return;
    for (int b = 0; b < count; b++) {
        char more[64];
        snprintf(more, sizeof more, " --part %d/%d --reps 1 --check no%s", b, count,
                 of_marshal ? " --bytes 64M" : "");
        pids[b] = start(making, table->command, more, "/dev/null", "/dev/null");
    }
    for (int b = 0; b < count; b++)
        process_wait(pids[b]);
}

static enum made table_measure(const struct making *making, const struct table *table)
{
    const char *out = making->options.out;
    const bool is_apps = strcmp(table->name, "apps") == 0;
    char path[PATH_MAX], part[PATH_MAX], log[PATH_MAX];
    double start_s = now_s();
    int code;

    snprintf(path, sizeof path, "%s/%s.csv", out, table->name);
    snprintf(part, sizeof part, "%s/%s.part", out, table->name);
    snprintf(log, sizeof log, "%s/%s.log", out, table->name);
    if (!is_apps && access(path, R_OK) == 0)
        return MADE;
    if (start_s >= making->end_s)
        return NOT_MADE;
    build(making, table);
    code = now_s() < making->end_s
               ? process_wait(start(making, table->command, "", part, log))
               : 128;
    printf("%-20s %6.1f s  %s\n", table->name, now_s() - start_s,
           code == 0  ? "ok"
           : code > 1 ? "not finished"
                      : "some rows are not ok");
    fflush(stdout);
    if (code > 1 || (!is_apps && rename(part, path) != 0)) {
        fprintf(stderr, "dl-bench figure: %s: see %s\n", table->name, log);
        return NOT_MADE;
    }
    return code ? MADE_WRONG : MADE;
}

/* Once in a run, however many figures show it. */
static enum made table_make(struct making *making, size_t t)
{
    if (!making->tried[t])
        making->made[t] = table_measure(making, &tables[t]);
    making->tried[t] = true;
    return making->made[t];
}

/* ---- drawing ---- */

/* The script that lies beside a build, or is installed with it. */
static bool script_find(const struct making *making, const char *name,
                        char path[PATH_MAX + 64])
{
    static const char *const places[] = {"../bench", "../share/dl"};

    for (size_t p = 0; p < COUNT(places); p++) {
        snprintf(path, PATH_MAX + 64, "%s/%s/%s", making->folder, places[p], name);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}

static bool draw(const struct making *making, const struct figure *figure)
{
    const char *out = making->options.out;
    const bool is_apps = strcmp(drawn_of(figure), "apps") == 0;
    char script[PATH_MAX + 64], drawn[256];
    struct words words = {.count = 0};

    if (!script_find(making, is_apps ? "apps_figures.py" : "figures.py", script))
        return false;
    if (is_apps) {
        words_add(&words, "python3", script, out, NULL);
    } else {
        /* Of figures that are one picture here, the first has the paper's word. */
        size_t first = 0;
        while (strcmp(drawn_of(&figures[first]), drawn_of(figure)) != 0)
            first++;
        words_add(&words, "python3", script, "--results", out, "--out", out, "--note",
                  figures[first].paper, NULL);
        snprintf(drawn, sizeof drawn, "%s", drawn_of(figure));
        for (char *at = strtok(drawn, " "); at; at = strtok(NULL, " "))
            words_add(&words, at, NULL);
    }
    return process_wait(process_start(&words, NULL, NULL)) == 0;
}

static bool figure_make(struct making *making, const struct figure *figure,
                        enum made *worst)
{
    enum made all = MADE;

    for (size_t t = 0; t < COUNT(tables); t++) {
        if (!words_have(figure->tables, tables[t].name))
            continue;
        enum made made = table_make(making, t);
        all = made > all ? made : all;
    }
    *worst = all > *worst ? all : *worst;
    if (all == NOT_MADE)
        return false;
    printf("%s: %s: %s\n", figure->id, figure->title,
           *figure->paper ? figure->paper : "no paper's text has its values");
    return !*drawn_of(figure) || draw(making, figure);
}

int figure_main(int argc, char **argv)
{
    static const struct bench_option options_known[] = {FIGURE_OPTION_MAP(BENCH_ROW)};
    static const struct bench_command command = {
        "usage: dl-bench figure ID[,ID...] [options]\n"
        "Measures, checks and draws figures of the papers that DL implements; ID is as "
        "003:4.18\n(T4.2: table 4.2), 003 (all of a paper's) or all.\n",
        options_known, COUNT(options_known), NULL};
    struct making making = {.end_s = HUGE_VAL, .each_s = HUGE_VAL};
    const char *ids = "";
    enum made worst = MADE;
    bool drawn = true;
    int code;

    if (argc > 2 && argv[2][0] != '-') {
        ids = argv[2];
        argv[2] = argv[1];
        argv++;
        argc--;
    }
    code = bench_options_read(&command, argc, argv, &making.options);
    if (code != BENCH_GO_ON)
        return code;
    if (*making.options.list) {
        list_print();
        return 0;
    }
    if (!*ids) {
        fputs("dl-bench figure: no figure is named; --list prints their names (see "
              "--help)\n",
              stderr);
        return 2;
    }
    if (!ids_are_known(ids))
        return 2;
    if (*making.options.limit)
        making.end_s = now_s() + atof(making.options.limit);
    if (*making.options.each)
        making.each_s = atof(making.options.each);
    if (!own_folder(making.folder) ||
        (mkdir(making.options.out, 0777) != 0 && access(making.options.out, W_OK) != 0)) {
        perror(making.options.out);
        return 1;
    }
    for (size_t f = 0; f < COUNT(figures); f++)
        if (is_wanted(&figures[f], ids))
            drawn = figure_make(&making, &figures[f], &worst) && drawn;
    printf("The tables are in %s%s.\n", making.options.out,
           worst == NOT_MADE ? "; some are not finished: the same command continues"
           : drawn           ? ", and the pictures"
                   : "; not all was drawn: python3 with matplotlib draws it, by "
                     "the same command");
    return worst == NOT_MADE ? 3 : worst == MADE_WRONG;
}
