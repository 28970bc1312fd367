/* SPDX-License-Identifier: MIT */
/* The survey: a child reads each text, and tells what it has found through a pipe; the
 * table is made of that. */
#include "annotate/survey.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "annotate/annotate.h"
#include "annotate/annotations/annotation.h"
#include "annotate/base/arena.h"
#include "annotate/base/file.h"
#include "annotate/text/preprocess.h"

enum {
    TEXT_BYTES_MAX = 16 << 20,
    SECONDS_MAX = 20,
    GUESSES_MAX = 48,
    FOLDERS_MAX = 32, /* for includes, guessed */
    DEFINERS_MAX = 12,
    DEFINER_BYTES_MAX = 1 << 20,
    OPTIONS_BYTES = 16384
};
#define MEMORY_MAX ((rlim_t)4 << 30)

/* ---- what is told of a text ---- */

enum outcome { FOUND, NO_GAIN, LEFT, PASSED, NOT_READ, ANNOTATED, WRONG, PART, EMPTY };

static const char *const outcome_names[] = {"found",
                                            "no gain",
                                            "left",
                                            "passed over",
                                            "not read",
                                            "annotated",
                                            "wrong annotation",
                                            "part of another",
                                            "no kernel"};
enum { OUTCOMES = sizeof outcome_names / sizeof *outcome_names };

/* A buffer of a kernel; of a kernel that is left as a whole, or a text that can't be
 * read, one without a name. */
struct line {
    enum outcome outcome;
    char form;        /* 's'tructs, 'r'ows, 'a'rrays; '-': not known */
    char annotatable; /* 'y': taken when annotated; 'n'; '-': not asked */
    const char *kernel, *buffer, *place, *reason;
};

struct lines {
    struct line *items;
    size_t count, room;
};

/* All that is told goes with the process. */
static struct dl__arena memory;

static const char *copy_of(const char *text, size_t bytes)
{
    return dl__arena_text(&memory, text, bytes);
}

static void add_line(struct lines *all, struct line line)
{
    DL__PUSH(&memory, all, line);
}

/* A text without kernels has this line alone, and is not counted. */
static void add_empty(struct lines *all)
{
    all->count = 0;
    add_line(all, (struct line){EMPTY, '-', '-', "", "", "", ""});
}

static void add_unread(struct lines *all, const char *place, const char *reason)
{
    all->count = 0;
    add_line(all, (struct line){NOT_READ, '-', '-', "", "", place, reason});
}

/* ---- files ---- */

static struct {
    const char **items;
    size_t count, room;
} files;

static int add_file(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)status;
    if (kind == FTW_D && at->level && path[at->base] == '.')
        return FTW_SKIP_SUBTREE;
    if (kind == FTW_F)
        DL__PUSH(&memory, &files, copy_of(path, strlen(path)));
    return FTW_CONTINUE;
}

static int by_path(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static bool ends(const char *path, const char *ending)
{
    size_t bytes = strlen(path), end = strlen(ending);

    return bytes >= end && !strcmp(path + bytes - end, ending);
}

/* `kernel void`, `void kernel`, `kernel __attribute__`, or the same with a `KERNEL`. */
static bool has_kernels(const char *text)
{
    for (const char *at = text; (at = strcasestr(at, "kernel")) != NULL; at += 6) {
        const char *behind = at + 6 + strspn(at + 6, "_"), *before = at;
        const char *next = behind + strspn(behind, " \t\r\n");

        while (before > text && before[-1] == '_')
            before--;
        while (before > text && strchr(" \t\r\n", before[-1]))
            before--;
        if ((at == text || strchr(" \t\n\r_;}", at[-1])) && next > behind &&
            (!strncmp(next, "void", 4) || !strncmp(next, "__attribute__", 13) ||
             (before - text >= 4 && !memcmp(before - 4, "void", 4))))
            return true;
    }
    return false;
}

enum sight { NONE, MAY_HAVE, HAS };

/* Says whether a file has kernels, by its own words. Others may come from what it
 * includes or from a macro: only the preprocessor can tell. */
static enum sight see_kernels(const char *path, const char *build_options)
{
    const struct dl_annotate_options options = {.build_options = build_options,
                                                .detect = true};
    enum sight sight = NONE;
    const char *reason;
    size_t bytes;
    char *text;

    if (!ends(path, ".cl") && !ends(path, ".ocl") && !ends(path, ".opencl"))
        return NONE;
    text = dl__file_read(path, TEXT_BYTES_MAX, &bytes, &reason);
    if (text && has_kernels(text))
        sight = HAS;
    else if (text && dl_annotate_wanted_with(text, bytes, &options))
        sight = MAY_HAVE;
    free(text);
    return sight;
}

static bool goes_on(void *user, const struct dl__file *file)
{
    (void)user;
    return !has_kernels(file->text);
}

/* True when a file that can't be preprocessed has a kernel, or one that it includes. */
static bool includes_kernels(const char *path, const char *build_options)
{
    const struct dl_annotate_options options = {.file_name = path,
                                                .build_options = build_options};
    struct dl__arena arena = {0};
    volatile bool found = false;
    const char *reason;
    size_t bytes;
    char *const text = dl__file_read(path, TEXT_BYTES_MAX, &bytes, &reason);

    if (text && !setjmp(arena.fail))
        found = !dl__each_text(&arena, text, bytes, &options, goes_on, NULL);
    dl__arena_free(&arena);
    free(text);
    return found;
}

/* ---- a child: guesses ---- */

struct child {
    const char *path, *libclang;
    char options[OPTIONS_BYTES];
    struct lines candidates, said;
    const char *error, *error_place; /* why the text does not parse */
    const char *last, *last_place;   /* what was remarked last */
    unsigned guesses, folders, definers;
    bool is_alone;       /* it is not looked for files that include it */
    bool is_sure;        /* its own words have kernels */
    bool is_expanded;    /* the preprocessor could read it */
    bool has_kernels;    /* it has some then */
    struct lines wholes; /* files that include it, where it lacks something */
    const char *front;   /* includes of other files, in front of the text */
    const char *before;  /* the same without the last of them; NULL: it stays */
    const char *tried;   /* all that were in it */
};

static bool add_option(struct child *c, const char *format, const char *text,
                       size_t bytes)
{
    char option[4096];
    size_t used = strlen(c->options), more;

    snprintf(option, sizeof option, format, (int)bytes, text);
    more = strlen(option);
    if (used + more + 1 >= sizeof c->options || strstr(c->options, option))
        return false;
    memcpy(c->options + used, option, more + 1);
    return true;
}

/* The folder from which a file of the survey is found under a name. */
static bool guess_folder(struct child *c, const char *name)
{
    char ending[516];

    if (c->folders >= FOLDERS_MAX)
        return false;
    snprintf(ending, sizeof ending, "/%s", name);
    for (size_t i = 0; i < files.count; i++)
        if (ends(files.items[i], ending) &&
            add_option(c, " -I\"%.*s\"", files.items[i],
                       strlen(files.items[i]) - strlen(ending))) {
            c->folders++;
            return true;
        }
    return false;
}

static bool is_name_char(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* True when the text defines a type, a macro or a function of the name. */
static bool defines(const char *text, const char *name)
{
    size_t bytes = strlen(name);

    for (const char *at = text; (at = strstr(at, name)) != NULL; at += bytes) {
        const char *behind = at + bytes, *before = at;

        if ((at > text && is_name_char(at[-1])) || is_name_char(*behind))
            continue;
        while (before > text && strchr(" \t\r\n", before[-1]))
            before--;
        behind += strspn(behind, " \t\r\n");
        if ((before > text && before[-1] == '}' && *behind == ';') ||
            (before - text >= 7 && !strncmp(before - 7, "#define", 7)))
            return true;
        if (*behind == '(' && before > text && is_name_char(before[-1])) {
            behind += strcspn(behind, ")");
            behind += *behind == ')';
            behind += strspn(behind, " \t\r\n");
            if (*behind == '{')
                return true;
        }
    }
    return false;
}

/* The last file that came in front does harm. */
static bool take_back(struct child *c)
{
    bool twice = strstr(c->error, "redefinition of '") ||
                 strstr(c->error, "conflicting types for '");

    if (!c->before || (!twice && !strncmp(c->error_place, c->path, strlen(c->path))))
        return false;
    c->front = c->before;
    c->before = NULL;
    return true;
}

static bool may_be_text(const char *path)
{
    static const char *const endings[] = {".cl", ".h", ".clh", ".ocl", ".hpp", ".opencl"};

    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++)
        if (ends(path, endings[e]))
            return true;
    return false;
}

/* True when the file `by` has an `#include "..."` of the other. */
static bool includes(const char *by, const char *path)
{
    const char *reason, *slash = strrchr(by, '/');
    char *text, folder[PATH_MAX], other[PATH_MAX], whole[PATH_MAX];
    size_t bytes;
    bool found = false;

    if (!realpath(path, whole))
        return false;
    text = dl__file_read(by, DEFINER_BYTES_MAX, &bytes, &reason);
    for (const char *at = text; at && !found && (at = strstr(at, "#include \"")); at++) {
        const char *name = at + strlen("#include \"");

        found =
            snprintf(folder, sizeof folder, "%.*s%.*s", (int)(slash ? slash + 1 - by : 0),
                     by, (int)strcspn(name, "\"\n"), name) < (int)sizeof folder &&
            realpath(folder, other) && !strcmp(other, whole);
    }
    free(text);
    return found;
}

/* A text that lacks what another file defines may be a part of those that include it. */
static bool is_part(struct child *c)
{
    for (size_t i = 0; i < files.count && !c->is_alone && !c->definers; i++)
        if (may_be_text(files.items[i]) && strcmp(files.items[i], c->path) != 0 &&
            includes(files.items[i], c->path))
            add_line(&c->wholes,
                     (struct line){PART, '-', '-', "", "", files.items[i], ""});
    return c->wholes.count > 0;
}

/* A program may make its text of several files: one that defines what this one lacks
 * comes in front. */
static bool guess_definer(struct child *c, const char *name)
{
    for (size_t i = 0; i < files.count && c->definers < DEFINERS_MAX; i++) {
        bool found;
        char path[PATH_MAX];
        const char *reason, *include;
        char *text;
        size_t bytes;

        if (!may_be_text(files.items[i]) || !strcmp(files.items[i], c->path) ||
            !realpath(files.items[i], path))
            continue;
        include = dl__arena_format(&memory, "#include \"%s\"\n", path);
        if (strstr(c->tried, include))
            continue;
        text = dl__file_read(files.items[i], DEFINER_BYTES_MAX, &bytes, &reason);
        found = text && defines(text, name);
        free(text);
        if (!found)
            continue;
        c->definers++;
        c->before = c->front;
        c->front = dl__arena_format(&memory, "%s%s", include, c->before);
        c->tried = dl__arena_format(&memory, "%s%s", include, c->tried);
        return true;
    }
    return false;
}

/* True when another option may help the text to parse. */
static bool guess(struct child *c)
{
    static const struct {
        const char *before, *option;
    } guesses[] = {{"undeclared identifier '", " -D%.*s=16"},
                   {"unknown type name '", " -D%.*s=float"},
                   {"implicit declaration of function '", " -D%.*s(...)=0"}};
    const char *at = strstr(c->error, "' is not found"), *name;

    if (c->guesses++ >= GUESSES_MAX)
        return false;
    if (at) {
        name = memrchr(c->error, '\'', (size_t)(at - c->error));
        name = name ? name + 1 : c->error;
        return guess_folder(c, copy_of(name, (size_t)(at - name))) || take_back(c);
    }
    if (take_back(c))
        return true;
    for (size_t i = 0; i < sizeof guesses / sizeof *guesses; i++) {
        size_t bytes;

        at = strstr(c->error, guesses[i].before);
        if (!at)
            continue;
        at += strlen(guesses[i].before);
        bytes = strcspn(at, "'");
        return !is_part(c) && (guess_definer(c, copy_of(at, bytes)) ||
                               add_option(c, guesses[i].option, at, bytes));
    }
    return false;
}

/* ---- a child: what is said ---- */

static const char *place_of(const struct dl_remark *r, const char *path)
{
    return dl__arena_format(&memory, "%s:%u:%u", r->file ? r->file : path, r->line,
                            r->column);
}

/* `'NAME'` behind a word; the bytes up to the closing quote. */
static const char *quoted(const char *text, const char *word, size_t *bytes)
{
    const char *at = strncmp(text, word, strlen(word)) ? NULL : text + strlen(word);

    if (at)
        *bytes = strcspn(at, "'");
    return at;
}

static enum outcome outcome_of(const char *verdict, const char *reason)
{
    if (!strncmp(verdict, " is passed over", 15))
        return PASSED;
    return strstr(reason, "neighbouring work-items use the same") ||
                   strstr(reason, "the kernel does not use it")
               ? NO_GAIN
               : LEFT;
}

static const char cannot_read[] = "libclang can't read it";

static void note_left(struct child *c, const struct dl_remark *r)
{
    const char *kernel, *buffer = NULL, *at, *reason;
    size_t kernel_bytes, buffer_bytes = 0, bytes;

    kernel = quoted(r->text, "kernel '", &kernel_bytes);
    if (!kernel)
        return;
    at = kernel + kernel_bytes;
    buffer = quoted(at, "', buffer '", &buffer_bytes);
    at = buffer ? buffer + buffer_bytes : at;
    at += *at == '\'';
    reason = strstr(at, ": ");
    if (!reason ||
        (strncmp(at, " is left as it is", 17) && strncmp(at, " is passed over", 15) &&
         strncmp(at, " is not rewritten", 17)))
        return;
    reason += 2;
    /* A message of libclang's may quote a semicolon; DL's own reasons end at theirs. */
    bytes =
        strcspn(reason, strncmp(reason, cannot_read, sizeof cannot_read - 1) ? ";" : "");
    add_line(&c->said, (struct line){outcome_of(at, reason), '-', '-',
                                     copy_of(kernel, kernel_bytes),
                                     copy_of(buffer ? buffer : "", buffer_bytes),
                                     place_of(r, "-"), copy_of(reason, bytes)});
}

/* True of an annotation that is wrong. */
static bool note_wrong(struct child *c, const struct dl_remark *r)
{
    const char *end = strstr(r->text, "; kernel '"), *kernel;
    size_t bytes = 0;

    if (r->severity != DL_WARNING || !end)
        return false;
    kernel = quoted(end, "; kernel '", &bytes);
    if (strncmp(kernel + bytes, "' runs as written", 17) != 0)
        return false;
    add_line(&c->said,
             (struct line){WRONG, '-', '-', copy_of(kernel, bytes), "",
                           place_of(r, c->path),
                           dl__arena_format(&memory, "the annotation is wrong: %.*s",
                                            (int)(end - r->text), r->text)});
    return true;
}

static void note_remark(void *user, const struct dl_remark *r)
{
    struct child *c = user;

    note_left(c, r);
    if (note_wrong(c, r))
        return;
    c->last = copy_of(r->text, strlen(r->text));
    c->last_place = place_of(r, c->path);
    if (r->severity == DL_REMARK && !strstr(r->text, "the program") &&
        !strstr(r->text, "is not found") && !strstr(r->text, cannot_read))
        return;
    if (*c->error && !strstr(r->text, "does not parse") &&
        !strstr(r->text, "the program's kernels")) /* which no option would help */
        return;
    c->error = copy_of(r->text, strlen(r->text));
    c->error_place = place_of(r, c->path);
}

/* ---- a child: one text ---- */

static struct line *find_line(struct lines *all, const char *kernel, const char *buffer)
{
    for (size_t i = 0; i < all->count; i++)
        if (!strcmp(all->items[i].kernel, kernel) &&
            !strcmp(all->items[i].buffer, buffer))
            return &all->items[i];
    return NULL;
}

static void note_candidate(void *user, const char *kernel, const char *buffer, char form)
{
    struct child *c = user;

    add_line(&c->candidates,
             (struct line){LEFT, form, '-', copy_of(kernel, strlen(kernel)),
                           copy_of(buffer, strlen(buffer)), "-",
                           "nothing is said of it"});
}

static bool has_buffer(const struct dl_notes *notes, const char *kernel,
                       const char *buffer)
{
    for (size_t k = 0; k < notes->kernel_count; k++)
        for (size_t b = 0; b < notes->kernels[k].buffer_count; b++)
            if (!strcmp(notes->kernels[k].name, kernel) &&
                !strcmp(notes->kernels[k].buffers[b].name, buffer))
                return true;
    return false;
}

static void note_expanded(void *user, const char *text, size_t bytes)
{
    struct dl__lexer lexer = {.text = text, .bytes = bytes};
    struct child *c = user;
    struct dl__token t;

    if (*c->front) /* it may have kernels of its own */
        return;
    c->is_expanded = true;
    c->has_kernels = false;
    while (!c->has_kernels && (t = dl__lex_next(&lexer)).kind != DL__END)
        c->has_kernels = dl__is_kernel_word(&t);
}

static bool lacks_kernels(const struct child *c)
{
    return !c->is_sure && c->is_expanded && !c->has_kernels;
}

static enum dl_status rewrite(struct child *c, const char *text,
                              const struct dl_side_file *side, struct dl_notes **notes)
{
    struct dl_annotate_options options = {.file_name = c->path,
                                          .build_options = c->options,
                                          .libclang = c->libclang,
                                          .side = side,
                                          .ms_max = SECONDS_MAX * 1000};
    char *out = NULL;
    enum dl_status st;

    options.detect = !side;
    options.on_candidate = side ? NULL : note_candidate;
    options.on_expanded = side ? NULL : note_expanded;
    options.on_candidate_user = options.on_expanded_user = c;
    *notes = NULL;
    st = dl_annotate_rewrite(text, strlen(text), &options, side ? NULL : note_remark, c,
                             &out);
    if (st == DL_OK)
        dl_annotate_scan(out, strlen(out), NULL, NULL, notes);
    free(out);
    return st;
}

/* Whether a buffer that was left is taken where a person vouches for it. */
static char is_annotatable(struct child *c, const char *text, const struct line *line)
{
    struct dl__side_entry entry = {
        .kernel = (char *)line->kernel,
        .body = dl__arena_format(&memory, " AoS: %s[]", line->buffer),
        .line = 1};
    struct dl__macros *names = DL__NEW(&memory, struct dl__macros);
    struct dl_side_file side = {
        .path = "", .entries = &entry, .entry_count = 1, .kernels = {names, names}};
    struct dl_notes *notes = NULL;
    bool is_taken;

    names->arena = &memory;
    dl__macro_define(names, entry.kernel, strlen(entry.kernel));
    rewrite(c, text, &side, &notes);
    is_taken = notes && has_buffer(notes, line->kernel, line->buffer);
    dl_notes_free(notes);
    return is_taken ? 'y' : 'n';
}

/* Says of each candidate, and of each kernel that can't be read, what became of it.
 * Nothing is left in silence: a line would say so. */
static void settle(struct child *c, const char *text, const struct dl_notes *notes)
{
    for (size_t i = 0; i < c->candidates.count; i++) {
        struct line *line = &c->candidates.items[i], *said;

        said = find_line(&c->said, line->kernel, line->buffer);
        said = said ? said : find_line(&c->said, line->kernel, "");
        if (notes && has_buffer(notes, line->kernel, line->buffer)) {
            line->outcome = FOUND;
            line->reason = "";
            continue;
        }
        if (said) {
            line->outcome = said->outcome;
            line->place = said->place;
            line->reason = said->reason;
        } else if (*c->error) { /* of all kernels of the text */
            line->place = c->error_place;
            line->reason = c->error;
        }
        if (line->outcome == LEFT && line->form == 's')
            line->annotatable = is_annotatable(c, text, line);
    }
    for (size_t k = 0; notes && k < notes->kernel_count; k++)
        if (!notes->kernels[k].detected)
            add_line(&c->candidates,
                     (struct line){
                         ANNOTATED, '-', '-',
                         copy_of(notes->kernels[k].name, strlen(notes->kernels[k].name)),
                         "", "-", ""});
    for (size_t i = 0; i < c->said.count; i++) {
        struct line said = c->said.items[i];

        if (said.outcome == WRONG)
            add_line(&c->candidates, said);
        said.outcome = LEFT;
        said.buffer = "";
        if (!strncmp(said.reason, cannot_read, sizeof cannot_read - 1))
            add_line(&c->candidates, said);
    }
}

static void read_text(struct child *c)
{
    struct dl_notes *notes = NULL;
    const char *reason;
    size_t bytes;
    char *text = dl__file_read(c->path, TEXT_BYTES_MAX, &bytes, &reason);
    const char *whole; /* and what comes in front of it */
    enum dl_status st;

    if (!text)
        return;
    do {
        c->candidates.count = c->said.count = 0;
        dl_notes_free(notes);
        c->error = c->error_place = c->last = c->last_place = "";
        whole = *c->front ? dl__arena_format(&memory, "%s#line 1 \"%s\"\n%s", c->front,
                                             c->path, text)
                          : text;
        st = rewrite(c, whole, NULL, &notes);
    } while (*c->error && !lacks_kernels(c) && guess(c));
    if (lacks_kernels(c) ||
        (!c->is_sure && !c->is_expanded && !includes_kernels(c->path, c->options)))
        add_empty(&c->candidates);
    else if (c->wholes.count)
        c->candidates = c->wholes;
    else if (st == DL_OK || st == DL_EREFUSED)
        settle(c, whole, notes);
    else if (*c->error)
        add_unread(&c->candidates, c->error_place, c->error);
    else /* the preprocessor gave up, and said why last */
        add_unread(&c->candidates, c->last_place,
                   *c->last ? c->last : dl_status_text(st));
    dl_notes_free(notes);
    free(text);
}

static int run_child(const char *path, const char *build_options, const char *libclang,
                     bool is_sure, bool is_alone, int to)
{
    const struct rlimit seconds = {SECONDS_MAX, SECONDS_MAX + 1}, core = {0, 0};
    static struct child c;
    FILE *out = fdopen(to, "w");

    setrlimit(RLIMIT_CPU, &seconds);
#ifndef __SANITIZE_ADDRESS__ /* whose own memory is larger than that */
    setrlimit(RLIMIT_AS, &(struct rlimit){MEMORY_MAX, MEMORY_MAX});
#endif
    setrlimit(RLIMIT_CORE, &core);
    c.front = c.tried = "";
    c.path = path;
    c.libclang = libclang;
    c.is_sure = is_sure;
    c.is_alone = is_alone;
    snprintf(c.options, sizeof c.options, "%s", build_options ? build_options : "");
    if (!setjmp(memory.fail))
        read_text(&c);
    for (size_t i = 0; out && i < c.candidates.count; i++) {
        const struct line *line = &c.candidates.items[i];

        fprintf(out, "%d%c%c%s\t%s\t%s\t%s\n", line->outcome, line->form,
                line->annotatable, line->kernel, line->buffer, line->place, line->reason);
    }
    return out && !fclose(out) ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- the parent ---- */

/* Adds a line of a child's, unless it is damaged. */
static void take_line(struct lines *all, char *text)
{
    struct line line = {.form = text[1], .annotatable = text[2]};
    const char **const fields[] = {&line.kernel, &line.buffer, &line.place, &line.reason};
    char *at = text + 3, *end;

    if (strlen(text) < 3 || text[0] < '0' || text[0] >= '0' + OUTCOMES)
        return;
    line.outcome = (enum outcome)(text[0] - '0');
    for (size_t i = 0; i < 4; i++, at = end + 1) {
        end = at + strcspn(at, i < 3 ? "\t" : "\n");
        *fields[i] = copy_of(at, (size_t)(end - at));
        if (!*end)
            return;
    }
    add_line(all, line);
}

static void survey_text(const char *path, const char *build_options, const char *libclang,
                        bool is_sure, bool is_alone, struct lines *all)
{
    int ends_of[2], status = 0, number;
    char *text = NULL;
    size_t room = 0;
    pid_t child;
    FILE *in;

    if (pipe2(ends_of, O_CLOEXEC))
        return;
    fflush(NULL);
    child = fork();
    if (!child) {
        close(ends_of[0]);
        _exit(run_child(path, build_options, libclang, is_sure, is_alone, ends_of[1]));
    }
    close(ends_of[1]);
    in = fdopen(ends_of[0], "r");
    while (in && getline(&text, &room, in) > 0)
        take_line(all, text);
    free(text);
    if (in)
        fclose(in);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (child >= 0 && WIFEXITED(status) && !WEXITSTATUS(status))
        return;
    if (!is_sure && !includes_kernels(path, build_options))
        add_empty(all);
    else
        add_unread(all, path,
                   number == SIGXCPU || number == SIGKILL
                       ? "it takes more than 20 s to read"
                   : number ? "libclang crashed"
                            : "it takes too much memory to read");
}

/* ---- the table ---- */

/* Kernels with candidates of one kind. */
struct share {
    size_t kernels, wholly, partly, no_gain, refused;
};

struct cause {
    const char *reason; /* without names */
    const char *place;
    size_t buffers, annotatable;
};

struct table {
    size_t texts, not_read, annotated, wrong;
    struct share structs, flat, unread;
    struct {
        struct cause *items;
        size_t count, room;
    } causes;
    struct lines parts; /* a kernel: of what is a part; a place: of what includes it */
    struct {
        struct told {
            const char *path;
            bool is_read;
        } * items;
        size_t count, room;
    } told; /* all that were surveyed and have kernels */
    FILE *csv;
};

static void count_kernel(struct share *share, const size_t outcomes[OUTCOMES])
{
    size_t taken = outcomes[FOUND], left = outcomes[LEFT];

    if (!taken && !left && !outcomes[NO_GAIN])
        return;
    share->kernels++;
    share->wholly += taken && !left;
    share->partly += taken && left;
    share->no_gain += !taken && !left;
    share->refused += !taken && left;
}

/* 'name' becomes '...'. */
static const char *without_names(const char *reason)
{
    struct dl__buf out = {.arena = &memory};

    dl__buf_puts(&out, "");
    for (; *reason; reason++) {
        bool opens = *reason == '\'' &&
                     (!out.count || strchr(" (", out.items[out.count - 1])) &&
                     (reason[1] == '_' || (reason[1] | 32) >= 'a');
        const char *end = opens ? strchr(reason + 1, '\'') : NULL;

        if (end)
            dl__buf_puts(&out, "'...");
        reason = end ? end : reason;
        dl__buf_add(&out, reason, 1);
    }
    return out.items;
}

static void count_cause(struct table *t, const struct line *line)
{
    struct cause new = {.reason = without_names(line->reason), .place = line->place};
    size_t i = 0;

    while (i < t->causes.count && strcmp(t->causes.items[i].reason, new.reason))
        i++;
    if (i == t->causes.count)
        DL__PUSH(&memory, &t->causes, new);
    t->causes.items[i].buffers++;
    t->causes.items[i].annotatable += line->annotatable == 'y';
}

static void print_csv_line(FILE *csv, const char *path, const struct line *line)
{
    const char *const words[] = {path,
                                 line->kernel,
                                 line->buffer,
                                 line->form == 's'   ? "structs"
                                 : line->form == 'r' ? "rows"
                                 : line->form == 'a' ? "arrays"
                                                     : "",
                                 outcome_names[line->outcome],
                                 line->annotatable == 'y'   ? "yes"
                                 : line->annotatable == 'n' ? "no"
                                                            : "",
                                 line->place,
                                 line->reason};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        fputs(i ? ",\"" : "\"", csv);
        for (const char *at = words[i]; *at; at++) {
            if (*at == '"')
                fputc('"', csv);
            fputc(*at, csv);
        }
        fputc('"', csv);
    }
    fputc('\n', csv);
}

static void count_text(struct table *t, const char *path, const struct lines *all)
{
    t->texts++;
    for (size_t i = 0; i < all->count; i++) {
        const struct line *line = &all->items[i];
        enum { STRUCTS, FLAT, UNREAD, FORMS };
        size_t counts[FORMS][OUTCOMES] = {{0}};
        bool first = true;

        if (t->csv)
            print_csv_line(t->csv, path, line);
        t->not_read += line->outcome == NOT_READ;
        t->annotated += line->outcome == ANNOTATED;
        t->wrong += line->outcome == WRONG;
        if (line->outcome == NOT_READ || line->outcome == LEFT || line->outcome == WRONG)
            count_cause(t, line);
        for (size_t k = 0; k < all->count; k++) {
            const struct line *other = &all->items[k];

            if (strcmp(other->kernel, line->kernel) != 0)
                continue;
            first &= k >= i;
            counts[other->form == 's'   ? STRUCTS
                   : other->form == '-' ? UNREAD
                                        : FLAT][other->outcome]++;
        }
        if (first) {
            count_kernel(&t->structs, counts[STRUCTS]);
            count_kernel(&t->flat, counts[FLAT]);
            count_kernel(&t->unread, counts[UNREAD]);
        }
    }
}

static void print_share(const char *what, const struct share *share)
{
    printf("%-22s %7zu %7zu %7zu %7zu %7zu\n", what, share->kernels, share->wholly,
           share->partly, share->no_gain, share->refused);
}

static int by_buffers(const void *left, const void *right)
{
    const struct cause *a = left, *b = right;

    return (a->buffers < b->buffers) - (a->buffers > b->buffers);
}

static void print_table(struct table *t, const char *folder)
{
    printf("%s: texts with kernels: %zu, not read: %zu\n", folder, t->texts, t->not_read);
    if (t->annotated)
        printf("annotated kernels, not in the table: %zu\n", t->annotated);
    if (t->wrong)
        printf("wrong annotations, whose kernels run as written: %zu\n", t->wrong);
    putchar('\n');
    printf("%-22s %7s %7s %7s %7s %7s\n", "kernels with", "all", "wholly", "in part",
           "no gain", "refused");
    print_share("structs", &t->structs);
    print_share("rows or arrays", &t->flat);
    if (t->unread.kernels)
        print_share("what can't be read", &t->unread);
    if (!t->causes.count)
        return;
    qsort(t->causes.items, t->causes.count, sizeof *t->causes.items, by_buffers);
    printf("\nbuffers left, texts not read%s, by reason (taken when annotated; the first "
           "place):\n",
           t->wrong ? ", wrong annotations" : "");
    for (size_t i = 0; i < t->causes.count; i++) {
        const struct cause *c = &t->causes.items[i];

        printf("%7zu (%zu) %s\n            %s\n", c->buffers, c->annotatable, c->reason,
               c->place);
    }
    if (t->unread.kernels || t->not_read)
        puts("\nA text that can't be read may need the program's build options (-I, -D), "
             "or "
             "texts that\nthe program puts before it: dl-run --advise reads what a "
             "program "
             "builds.");
}

static void survey_file(struct table *t, const char *path, const char *build_options,
                        const char *libclang, bool is_sure, bool is_alone)
{
    struct lines all = {0};
    enum outcome first;

    survey_text(path, build_options, libclang, is_sure, is_alone, &all);
    first = all.count ? all.items[0].outcome : FOUND;
    if (first == EMPTY)
        return;
    DL__PUSH(&memory, &t->told,
             ((struct told){path, first != PART && first != NOT_READ}));
    if (first != PART)
        count_text(t, path, &all);
    for (size_t i = 0; first == PART && i < all.count; i++) {
        all.items[i].kernel = path;
        DL__PUSH(&memory, &t->parts, all.items[i]);
    }
}

static bool was_told(const struct table *t, const char *path, bool and_read)
{
    for (size_t i = 0; i < t->told.count; i++)
        if (!strcmp(t->told.items[i].path, path) &&
            (t->told.items[i].is_read || !and_read))
            return true;
    return false;
}

/* The files that include texts, and then the texts of which no such file can be read. */
static void survey_parts(struct table *t, const char *build_options, const char *libclang)
{
    for (size_t i = 0; i < t->parts.count; i++)
        if (!was_told(t, t->parts.items[i].place, false))
            survey_file(t, t->parts.items[i].place, build_options, libclang, true, false);
    for (size_t i = 0; i < t->parts.count; i++) {
        const char *part = t->parts.items[i].kernel;
        enum sight sight = see_kernels(part, build_options);
        bool done = false;

        for (size_t k = 0; k < t->parts.count && !done; k++)
            done = !strcmp(t->parts.items[k].kernel, part) &&
                   (k < i || was_told(t, t->parts.items[k].place, true));
        if (!done && sight != NONE)
            survey_file(t, part, build_options, libclang, sight == HAS, true);
    }
}

static int survey(const char *folder, const char *csv, const char *build_options,
                  const char *libclang)
{
    struct table t = {0};
    bool bad = false;

    if (nftw(folder, add_file, 32, FTW_PHYS | FTW_ACTIONRETVAL)) {
        fprintf(stderr, "dl-annotate: error: can't read '%s': %s\n", folder,
                strerror(errno));
        return EXIT_FAILURE;
    }
    qsort(files.items, files.count, sizeof *files.items, by_path);
    t.csv = csv ? fopen(csv, "w") : NULL;
    if (csv && !t.csv) {
        fprintf(stderr, "dl-annotate: error: can't write '%s': %s\n", csv,
                strerror(errno));
        return EXIT_FAILURE;
    }
    if (t.csv)
        fputs("text,kernel,buffer,form,outcome,when annotated,place,reason\n", t.csv);
    for (size_t i = 0; i < files.count; i++) {
        enum sight sight = see_kernels(files.items[i], build_options);

        if (sight != NONE)
            survey_file(&t, files.items[i], build_options, libclang, sight == HAS, false);
    }
    survey_parts(&t, build_options, libclang);
    print_table(&t, folder);
    if (t.csv) {
        bad = ferror(t.csv);
        bad |= fclose(t.csv) != 0;
    }
    if (bad)
        fprintf(stderr, "dl-annotate: error: can't write '%s'\n", csv);
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}

int dl__survey(const char *folder, const char *csv, const char *build_options,
               const char *libclang)
{
    volatile int status = EXIT_FAILURE;

    memory.ms_max = UINT_MAX;
    if (setjmp(memory.fail))
        fprintf(stderr, "dl-annotate: error: out of memory\n");
    else
        status = survey(folder, csv, build_options, libclang);
    dl__arena_free(&memory);
    return status;
}
