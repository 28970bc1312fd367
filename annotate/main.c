/* SPDX-License-Identifier: MIT */
/* dl-annotate: rewrites an annotated OpenCL C file. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "annotate/annotate.h"
#include "annotate/survey.h"
#include "layout/words.h"

enum { EXIT_USAGE = 2, FILE_BYTES_MAX = 256 << 20 };

struct command {
    const char *in, *out, *annotations, *libclang, *survey, *csv;
    char *build_options;
    bool explain, check, coalesced, detect, prove;
};

static const char help[] =
    "usage: dl-annotate [option]... IN.cl -o OUT.cl\n"
    "       dl-annotate --explain|--check|--prove [option]... IN.cl\n"
    "       dl-annotate --survey FOLDER [--csv FILE] [build option]...\n"
    "\n"
    "Rewrites the kernels of IN.cl that have a `//DL: AoS: buffer[structs]` line above "
    "them, so\n"
    "that they can run on a tiled layout. OUT.cl builds and runs as IN.cl does.\n"
    "\n"
    "  -o FILE             where to write the text; - is standard output; --explain,\n"
    "                      --check and --prove do not need it\n"
    "  -D, -U, -I, -cl-*, -w, -Werror\n"
    "                      build options, as the program passes them to clBuildProgram\n"
    "  --coalesced         also write a version of each kernel for coalesced access, in\n"
    "                      which a work-group loads and stores whole structs together\n"
    "                      (experimental)\n"
    "  --detect            also rewrite kernels without annotations: pointers to\n"
    "                      structs, and flat buffers that are indexed as rows or arrays\n"
    "  --explain           say for each buffer how it is accessed and which accesses "
    "were\n"
    "                      rewritten\n"
    "  --check             parse the written text again, for every layout\n"
    "  --prove             prove that each rewritten access is equal to the program's;\n"
    "                      list those that could not be proved, and fail if there are "
    "any\n"
    "  --survey FOLDER     say what DL would do with the OpenCL texts in a folder: a\n"
    "                      table of kernels found and refused, by reason\n"
    "  --csv FILE          with --survey: also write a line for each buffer\n"
    "  --annotations FILE  a file with annotations: `KERNEL: AoS: buffer[structs]`\n"
    "  --libclang FILE     libclang to load instead of the newest of versions 14 to "
    "22\n"
    "  -h, --help; -V, --version\n"
    "\n"
    "AoS, tiles and the other words of its messages: dl-run --words\n";

/* `user` is the text that is rewritten. */
static void print_remark(void *user, const struct dl_remark *remark)
{
    static const char *const severities[] = {"remark", "warning", "error"};
    static bool words_were_said;
    const char *hint = dl_remark_hint(remark), *pointer = "";
    char excerpt[DL_EXCERPT_BYTES];

    if (remark->file)
        fprintf(stderr, "%s:", remark->file);
    if (remark->file && remark->line)
        fprintf(stderr, "%u:%u:", remark->line, remark->column);
    if (!words_were_said && dl_words_are_in(remark->text)) {
        pointer = " (" DL_WORDS_POINTER ")";
        words_were_said = true;
    }
    fprintf(stderr, "%s%s: %s%s%s%s%s\n",
            remark->file ? " " : "dl-annotate: ", severities[remark->severity],
            remark->text, hint ? "; to change: " : "", hint ? hint : "", pointer,
            remark->severity == DL_REMARK ? ""
                                          : dl_remark_excerpt(remark, user, "", excerpt));
}

static int usage(const char *what, const char *which)
{
    fprintf(stderr, "dl-annotate: error: %s%s (see dl-annotate --help)\n", what, which);
    return EXIT_USAGE;
}

/* Appends "-c" and "l-std=CL2.0" as one build option, quoted so that spaces in it
 * survive. */
static bool add_option(struct command *c, int letter, const char *rest)
{
    size_t old = c->build_options ? strlen(c->build_options) : 0;
    char *more = realloc(c->build_options, old + 2 * (rest ? strlen(rest) : 0) + 6);
    char *to;

    if (!more)
        return false;
    c->build_options = more;
    to = more + old + sprintf(more + old, " \"-%c", letter);
    for (; rest && *rest; rest++) {
        if (*rest == '"' || *rest == '\\')
            *to++ = '\\';
        *to++ = *rest;
    }
    strcpy(to, "\"");
    return true;
}

/* A build option of one dash, as getopt splits it; -1 to go on, else the exit status. */
static int take_build_option(struct command *c, int letter, const char *rest)
{
    if ((letter == 'c' && strncmp(rest, "l-", 2)) ||
        (letter == 'W' && strcmp(rest, "error"))) {
        char word[64];

        snprintf(word, sizeof word, "-%c%s", letter, rest);
        return usage("unknown option ", word);
    }
    return add_option(c, letter, rest) ? -1 : usage("out of memory", "");
}

/* Says which option getopt could not take: `which` is '?' or ':'. Of a misspelt one most
 * users get the first letters right. */
static int complain(int which, char **argv, const struct option *longs)
{
    enum { LETTERS_MIN = 3 };
    char letter[] = {'-', (char)optopt, '\0'}, text[128];
    const char *word = argv[optind - 1];

    if (strncmp(word, "--", 2))
        word = letter;
    for (; which == '?' && word != letter && longs->name; longs++) {
        if (strncmp(word + 2, longs->name, LETTERS_MIN))
            continue;
        snprintf(text, sizeof text, "%.60s; did you mean --%s?", word, longs->name);
        return usage("unknown option ", text);
    }
    return usage(which == ':' ? "a value is missing after " : "unknown option ", word);
}

/* Returns -1 to go on, else the exit status. */
static int parse_command(int argc, char **argv, struct command *c)
{
    /* Which of these getopt has met: a flag, or one with a value. */
    enum { FLAGS = 256, VALUES = 512 };
    bool *const flags[] = {&c->explain, &c->check, &c->coalesced, &c->detect, &c->prove};
    const char **const values[] = {&c->annotations, &c->libclang, &c->survey, &c->csv};
    static const struct option longs[] = {
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},
        {"explain", no_argument, NULL, FLAGS},
        {"check", no_argument, NULL, FLAGS + 1},
        {"coalesced", no_argument, NULL, FLAGS + 2},
        {"detect", no_argument, NULL, FLAGS + 3},
        {"prove", no_argument, NULL, FLAGS + 4},
        {"annotations", required_argument, NULL, VALUES},
        {"libclang", required_argument, NULL, VALUES + 1},
        {"survey", required_argument, NULL, VALUES + 2},
        {"csv", required_argument, NULL, VALUES + 3},
        {NULL, 0, NULL, 0},
    };
    int option, status;

    opterr = 0;
    while ((option = getopt_long(argc, argv, ":hVo:D:U:I:wW:c:", longs, NULL)) != -1) {
        if (option == 'h') {
            fputs(help, stdout);
            return 0;
        }
        if (option == 'V') {
            puts("dl-annotate " DL_VERSION);
            return 0;
        }
        if (option == '?' || option == ':')
            return complain(option, argv, longs);
        if (option >= VALUES)
            *values[option - VALUES] = optarg;
        else if (option >= FLAGS)
            *flags[option - FLAGS] = true;
        else if (option == 'o')
            c->out = optarg;
        else if ((status = take_build_option(c, option, optarg)) >= 0)
            return status;
    }
    c->in = optind < argc ? argv[optind++] : NULL;
    if (optind < argc)
        return usage("more than one input file: ", argv[optind]);
    if (c->survey)
        return c->in ? usage("--survey reads no file by itself: ", c->in) : -1;
    if (c->csv)
        return usage("--csv is for --survey", "");
    if (!c->in)
        return usage("no input file", "");
    /* A file that is not there is the first thing to say. */
    if (!c->out && !c->explain && !c->check && !c->prove && access(c->in, R_OK) == 0)
        return usage("no output file: give -o FILE", "");
    return -1;
}

static char *read_all(const char *path)
{
    FILE *in = fopen(path, "rb");
    char *text = in ? malloc(FILE_BYTES_MAX) : NULL;
    size_t bytes = text ? fread(text, 1, FILE_BYTES_MAX, in) : 0;

    if (text && (ferror(in) || bytes == FILE_BYTES_MAX)) {
        errno = ferror(in) ? errno : EFBIG;
        free(text);
        text = NULL;
    }
    if (in)
        fclose(in);
    if (text)
        text[bytes] = '\0';
    return text;
}

/* Returns why the file must not be overwritten; NULL: it may. */
static const char *output_fault(const struct command *c)
{
    const size_t length = c->out ? strlen(c->out) : 0;
    struct stat in, out;

    if (!c->out || stat(c->out, &out) != 0 || !S_ISREG(out.st_mode))
        return NULL;
    if (stat(c->in, &in) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
        return "it is the input";
    return access(c->out, X_OK) == 0 &&
                   (length < 3 || strcmp(c->out + length - 3, ".cl") != 0)
               ? "it is a program"
               : NULL;
}

static int write_all(const char *path, const char *text)
{
    FILE *out = strcmp(path, "-") ? fopen(path, "wb") : stdout;
    bool bad = !out || fputs(text, out) < 0;

    if (out)
        bad |= (out == stdout ? fflush(out) : fclose(out)) != 0;
    if (bad)
        fprintf(stderr, "dl-annotate: error: can't write '%s': %s\n", path,
                strerror(errno));
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* `user` is the text that is rewritten. */
static void print_proof(void *user, const char *kernel, size_t accesses, size_t proved)
{
    (void)user;
    fprintf(stderr, "kernel '%s': %zu access%s, %zu proved\n", kernel, accesses,
            accesses == 1 ? "" : "es", proved);
}

static bool prove(char *text, const char *rewritten,
                  const struct dl_annotate_options *options)
{
    enum dl_status st =
        dl_annotate_prove(text, strlen(text), rewritten, strlen(rewritten), options,
                          print_remark, print_proof, text);

    if (st == DL_EREFUSED)
        fprintf(stderr, "dl-annotate: error: not everything was proved: check these "
                        "kernels with dl-run --verify\n");
    else if (st != DL_OK)
        fprintf(stderr, "dl-annotate: error: nothing was proved: %s\n",
                dl_status_text(st));
    return st == DL_OK;
}

static bool check(struct command *c, char *rewritten, struct dl_annotate_options *options)
{
    const char *slash = strrchr(c->in, '/');
    char folder[4096];
    enum dl_status st;

    /* The output includes what the input does, from where that stands. */
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - c->in) : 1,
             slash ? c->in : ".");
    if (!add_option(c, 'I', folder))
        return false;
    options->build_options = c->build_options;
    options->file_name = c->out && strcmp(c->out, "-") ? c->out : "<output>";
    st =
        dl_annotate_check(rewritten, strlen(rewritten), options, print_remark, rewritten);
    if (st != DL_OK)
        fprintf(stderr, "dl-annotate: error: the rewritten text is not sound: %s\n",
                dl_status_text(st));
    return st == DL_OK;
}

static int annotate(struct command *c)
{
    struct dl_annotate_options options = {.file_name = c->in,
                                          .build_options = c->build_options,
                                          .libclang = c->libclang,
                                          .explain = c->explain,
                                          .detect = c->detect,
                                          .coalesced = c->coalesced};
    struct dl_side_file *side = NULL;
    char *text = NULL, *rewritten = NULL;
    enum dl_status st;
    size_t bytes;
    int status = EXIT_FAILURE;

    if (output_fault(c)) {
        fprintf(stderr,
                "dl-annotate: error: '%s' is not overwritten: %s; name another "
                "file after -o\n",
                c->out, output_fault(c));
        goto out;
    }
    text = read_all(c->in);
    if (!text) {
        fprintf(stderr, "dl-annotate: error: can't read '%s': %s\n", c->in,
                strerror(errno));
        goto out;
    }
    if (c->annotations &&
        dl_side_file_load(c->annotations, print_remark, NULL, &side) != DL_OK)
        goto out;
    bytes = strlen(text); /* drivers read no further than to a NUL */
    options.side = side;
    if (!dl_annotate_wanted_with(text, bytes, &options)) {
        options.detect = true;
        if (!dl_annotate_wanted_with(text, bytes, &options))
            fprintf(stderr,
                    "dl-annotate: error: '%s' has no kernel: name a file of "
                    "OpenCL C; dl-run takes programs\n",
                    c->in);
        else
            fprintf(stderr,
                    "dl-annotate: error: '%s' has no //DL: annotation; --detect finds "
                    "buffers without: dl-annotate --detect --explain %s\n",
                    c->in, c->in);
        goto out;
    }
    st = dl_annotate_rewrite(text, bytes, &options, print_remark, text, &rewritten);
    if (st != DL_OK) {
        fprintf(stderr, "dl-annotate: error: nothing was rewritten: %s\n",
                st == DL_EREFUSED ? "the lines above say why"
                : st == DL_EPARSE ? "it can't be read, as the lines above "
                                    "say: correct it, or give the build options (-I, "
                                    "-D) with which it compiles"
                                  : dl_status_text(st));
        goto out;
    }
    if (c->prove && !prove(text, rewritten, &options))
        goto out;
    if (c->check && !check(c, rewritten, &options))
        goto out;
    status = c->out ? write_all(c->out, rewritten) : EXIT_SUCCESS;
out:
    free(rewritten);
    free(text);
    dl_side_file_free(side);
    return status;
}

/* In a child: libclang is known to crash on some malformed texts. */
static int annotate_in_child(struct command *c)
{
    const struct rlimit none = {0, 0};
    int status;
    pid_t child;

    child = fork();
    if (child < 0)
        return annotate(c);
    if (!child) {
        setrlimit(RLIMIT_CORE, &none);
        exit(annotate(c));
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return EXIT_FAILURE;
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    fprintf(stderr,
            "dl-annotate: error: nothing was rewritten: libclang crashed on '%s' (%s); "
            "check that the text compiles\n",
            c->in, strsignal(WTERMSIG(status)));
    return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    struct command c = {0};
    int status = parse_command(argc, argv, &c);

    if (status < 0)
        status = c.survey ? dl__survey(c.survey, c.csv, c.build_options, c.libclang)
                          : annotate_in_child(&c);
    free(c.build_options);
    return status;
}
