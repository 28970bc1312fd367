/* SPDX-License-Identifier: MIT */
/* The policy: all that it knows, and how it decides; pure C, driven by calls that bring
 * it launches, findings on copies and times; tests drive it in virtual time. Seconds
 * throughout.
 *
 *   kernel   one kernel of one program text on one device
 *   row      its launches of one size class and group size: what is known of each
 *            candidate
 *   buffer   one buffer of structs; the caller owns it
 *   group    buffers that launches bind together: they are decided together
 *
 * A row's launches run as written until it is known what they do and take on a candidate:
 * by exploring (launches/explore.h), which is asked for with an answer, or by what an
 * earlier run has found. A group goes to a layout when what its launches would have saved
 * so far exceeds what its conversions there and back take, or when they are sure to: as
 * many launches as even the shortest of the last five runs had would save that.
 *
 * Threads: one at a time. */
#ifndef DL_INTERCEPT_POLICY_CORE_H
#define DL_INTERCEPT_POLICY_CORE_H

#include <float.h>
#include <stdbool.h>
#include <stdio.h>

#include "estimate.h"

/* As in math.h, without its library, which the program may not have. */
static inline double dl__min(double a, double b)
{
    return a < b ? a : b;
}

static inline double dl__max(double a, double b)
{
    return a > b ? a : b;
}

/* A time that may be believed. */
static inline bool dl__is_time(double seconds)
{
    return seconds > 0 && seconds <= DBL_MAX;
}

/* The last few measured times of one kernel on one candidate. Launches of a size class
 * differ in their work by up to two, so every answer is for a given work (work-items). */

enum { DL__SAMPLES_KEPT = 15 };

struct dl__samples {
    struct dl__sample {
        double seconds, work;
    } kept[DL__SAMPLES_KEPT];
    double rates[DL__SAMPLES_KEPT]; /* seconds for work 1 of these, in order */
    unsigned long count;            /* ever added; the last of them are kept */
};

/* Leaves out what is no time: 0, negative, not a number. */
void dl__samples_add(struct dl__samples *samples, double seconds, double work);
/* Returns how many are kept. */
static inline unsigned dl__samples_kept(const struct dl__samples *samples)
{
    return samples->count < DL__SAMPLES_KEPT ? (unsigned)samples->count
                                             : DL__SAMPLES_KEPT;
}

static inline bool dl__samples_known(const struct dl__samples *samples)
{
    return samples->count > 0;
}
/* The lower median, as if time were proportional to work. 0: nothing is known. */
static inline double dl__samples_median(const struct dl__samples *samples, double work)
{
    unsigned count = dl__samples_kept(samples);

    return count ? samples->rates[(count - 1) / 2] * work : 0;
}

/* The ledger: what exploring has cost the program, in wall time, and what it may still
 * cost. Pure arithmetic.
 *
 * Until a group has been decided once, all exploring takes at most a tenth of what the
 * program has run without it, and 100 ms; from then on a fiftieth and 20 ms. A fifth of
 * both is left alone, for times that vary. What a measured gain is bought for is never in
 * it. */

/* This is promised. */
#define DL__PROMISED_PART 0.10
#define DL__PROMISED_SECONDS 0.100
#define DL__PROMISED_PART_DECIDED 0.02
#define DL__PROMISED_SECONDS_DECIDED 0.020

struct dl__ledger {
    double begun;         /* by the clock that `now` is of */
    double spent;         /* seconds, for whatever group */
    double spent_decided; /* of which for groups that had been decided */
    double compared; /* of which for comparing launches on the program's buffers again */
    double compare_since; /* by the clock, what that is a part of; 0: no launch ran on a
                             candidate */
};

/* Returns the seconds that exploring may still cost now; below 0: none. */
double dl__ledger_left(const struct dl__ledger *ledger, double now, bool decided);
static inline void dl__ledger_spend(struct dl__ledger *ledger, double seconds,
                                    bool decided)
{
    ledger->spent += seconds;
    if (decided)
        ledger->spent_decided += seconds;
}

/* Differences that times may have by chance. */
static const double dl__by_chance = 0.05;
/* A kernel that makes up less of a group's time is not explored. */
static const double dl__explored_part = 0.02;
/* One that makes up less than this is explored after the others. */
static const double dl__unknown_part = 0.1;
/* A rewritten kernel has more arguments to set, so the host takes this much longer for a
 * launch. */
static const double dl__host_seconds = 0.5e-6;
/* Nothing goes for less than this a launch, which is within what times of short
 * ones are wrong by. */
static const double dl__least_seconds = 1e-6;

enum {
    DL__MEMBERS_MAX = 16,
    DL__LOOKS_MAX = 8, /* sizes of looks that a group tells apart */
    DL__WHY_BYTES = 320,
    DL__KEPT_BYTES = 96, /* of a reason that is remembered */
    DL__TEXT_BYTES = 16,
    DL__UNTOLD_MAX = 3,
    DL__RUNS_KEPT = 5,
    DL__LOST_MAX = 3,    /* runs that explore what loses in each */
    DL__PROVEN = 5,      /* timed launches, which two slow ones do not outweigh */
    DL__SAMPLES_MIN = 3, /* the same, whose median replaces what copies promise: a first
                            one may take longer */
    DL__UNCHANGED_MAX =
        3, /* parts that change nothing, before a launch is explored whole */
    DL__KNOWN_LAUNCHES = 16 /* of a group: they show what it is launched with */
};

enum dl__tried {
    DL__UNTRIED,
    DL__MAY_RUN,
    DL__AS_WRITTEN /* it can't run so, or gives other bytes */
};

/* All that a row knows of a candidate. */
struct dl__tried_on {
    enum dl__tried state;
    struct dl__sample promised; /* on copies, or by an earlier run; 0 s: not known */
    bool earlier;               /* that: by an earlier run */
    bool by_text;               /* that: no device has told it */
    struct dl__sample before;   /* by earlier runs, on the program's buffers */
    unsigned before_count;      /* launches of which that is the median; 0: none */
    double beside; /* seconds of its own text on the same copies; 0: not known */
    struct dl__samples samples; /* of launches on the program's buffers */
    unsigned worse;             /* of these, in a row, than was promised by a fifth */
    unsigned attempts;          /* to explore it, which told nothing */
    unsigned differs;           /* as in dl__finding */
    bool unbound;               /* as in dl__finding; the next run sees to it again */
    char why[DL__KEPT_BYTES];   /* AS_WRITTEN, but not since it gives other bytes on
                                   copies; "": that, or not known */
    unsigned lost;              /* runs in a row that have explored it, and it lost */
    unsigned long launches;
    unsigned long compare_at; /* the launch that is compared next, from 1; 0: not known */
    double compared_seconds;  /* that the last comparison took; 0: there was none */
    uint64_t values;          /* of the first launch, as the ask has them */
    bool values_changed;      /* since */
};

/* How many launches of this run must agree against what is known of the candidate. */
static inline unsigned dl__tried_doubted(const struct dl__tried_on *on, unsigned usual)
{
    return on->before_count >= DL__PROVEN ? DL__PROVEN : usual;
}

/* True when it has lost on copies in an earlier run, which may have been a busy one, and
 * not in all that it may lose in. */
static inline bool dl__tried_again(const struct dl__tried_on *on)
{
    return on->state == DL__MAY_RUN && on->earlier && on->lost > 0 &&
           on->lost < DL__LOST_MAX && on->before_count == 0;
}

/* True when this run's launches take a fifth longer than those of earlier ones. */
static inline bool dl__tried_slower(const struct dl__tried_on *on)
{
    double seconds = on->samples.count >= DL__PROVEN
                         ? dl__samples_median(&on->samples, on->promised.work)
                         : on->promised.seconds;

    return seconds * on->before.work > 1.2 * on->before.seconds * on->promised.work;
}

/* A disturbance of launches as short as this takes as long as they do, and only ever adds
 * to their times: the lower times count. */
#define dl__short_seconds 50e-6

/* True when a time of copies changes with the program's own since; a short one that was
 * disturbed says nothing of the other. */
static inline bool dl__row_is_scaled(const struct dl__tried_on *on, double native)
{
    return on->beside > 0 && native > 0 &&
           (native >= dl__short_seconds || native > on->beside);
}

struct dl__policy_row {
    struct dl__policy_row *next; /* of the kernel */
    const struct dl__policy_kernel *kernel;
    unsigned work_class, struct_class;
    uint64_t group_items; /* as the launch asks for them, packed; 0: left to the driver */
    struct dl__tried_on of[DL__CANDIDATES];
    unsigned long launches;     /* in this run */
    unsigned long explore_at;   /* not before this launch */
    enum dl__candidate_id best; /* by hindsight, for the group's launches of the last run;
                                   CANDIDATES: none */
    double returns; /* conversions there and back for each launch of that group, which the
                       host and what ran as written wanted in the last run; below 0: it
                       is not known */
    double touched; /* conversions there and back that the host alone would have wanted
                       behind its launches in the last run, in which that group stayed as
                       written; below 0: it did not, or it is not known */
    unsigned together;          /* rows of that group */
    double runs[DL__RUNS_KEPT]; /* launches of a group in each of the last runs, the
                                   newest first */
    unsigned run_count;
    double shortest; /* group of this run, of those that have ended; 0: none */
    bool changed;    /* since it was remembered */
    bool explained;  /* with a group of its launches */
};

/* True when what earlier runs have timed stays remembered: this run was slower, as on a
 * busy machine; or had fewer launches in a layout. As written a faster one always counts,
 * or what a busy run has measured would promise for good what is not there. */
static inline bool dl__tried_keeps(const struct dl__policy_row *row,
                                   enum dl__candidate_id c)
{
    const struct dl__tried_on *on = &row->of[c];

    return (c != DL__NATIVE && on->before_count > dl__samples_kept(&on->samples)) ||
           (on->before_count >= DL__PROVEN && dl__tried_slower(on));
}

struct dl__policy_kernel {
    struct dl__policy_kernel *next;
    struct dl__policy_row *rows;
    unsigned char text[DL__TEXT_BYTES]; /* a hash of the program's text */
    char *name;
    char differed[DL__KEPT_BYTES]; /* why it runs as written in this run, whatever its
                                      size; "": it need not */
    bool kept_is_said;  /* where earlier runs have found that it runs as written */
    unsigned unchanged; /* parts of launches, one after the other, that changed nothing */
};

/* Counts what launches of a row did in a group, since something. */
struct dl__usage {
    double launches;
    double turns;   /* that came behind one of another row */
    double touched; /* behind which the host wanted the buffers as written, or a part of
                       them, by what their conversions take */
    double hosted;  /* the same, in the layout that it has asked for */
};

/* Times of looks by parts (host/looks.h), as the device has told, at about as many bytes:
 * of all commands of a look, and of the program's own where the buffer is as written. */
struct dl__look {
    struct dl__look *next; /* of the policy */
    const struct dl__policy *policy;
    unsigned bytes_class;
    struct dl__samples of[DL__CANDIDATES];
    double before[DL__CANDIDATES];       /* the same in earlier runs, seconds a byte */
    unsigned long count[DL__CANDIDATES]; /* looks in this run */
};

/* Looks at a group's buffers, in bytes: since its last launch, and as in dl__usage. */
struct dl__looked {
    const struct dl__look *look;
    double since, lately, ever;
};

struct dl__member {
    struct dl__policy_row *row;
    double work; /* of the last */
    double part; /* of the group's conversions, those of its buffers */
    struct dl__estimate estimate;
    bool ready[DL__CANDIDATES];    /* its rewritten kernel is there */
    bool possible[DL__CANDIDATES]; /* there is such a form */
    unsigned char awaited; /* candidates that one of its next launches is explored on, or
                              as soon as they are built, by bits */
    bool exact;            /* as the ask has it */
    double waits_price;    /* the group's, as it is for the row's launches */
    struct dl__usage lately, ever; /* since the group was last settled; at all */
};

struct dl__policy_group {
    struct dl__policy_group *next, **link; /* of the policy that made it */
    struct dl__policy_group *into;         /* merged into this one; NULL: not */
    unsigned references;                   /* buffers, and groups merged into it */
    unsigned number;
    enum dl__candidate_id current; /* NATIVE, or a layout that converts */
    bool decided;
    bool waits_for_build; /* of a layout that is worth its conversions */
    bool asked_for;       /* of any launch, as there */
    struct dl__member members[DL__MEMBERS_MAX];
    unsigned member_count, last;                        /* of the last launch */
    double there[DL__CANDIDATES], back[DL__CANDIDATES]; /* of all its buffers */
    double gone_there[DL__CANDIDATES],
        gone_back[DL__CANDIDATES]; /* of these, of buffers that have ended since the last
                                      launch, for which the group's record is to hold */
    uint32_t tile[DL__CANDIDATES];
    double hops[DL__CANDIDATES]; /* launches lately that wanted other tiles than the one
                                    before */
    bool doubted;                /* what it lies in takes longer than was promised */
    unsigned long quiet; /* launches since its buffers were converted, or copied, last */
    double demand;       /* how many times its cost a conversion must be worth first */
    double looked;       /* seconds of looks by parts since the last launch */
    struct dl__looked looks[DL__LOOKS_MAX];
    unsigned look_count;
    double touched,
        hosted; /* since the last launch, as a part of the group's conversions */
    enum dl__candidate_id host;      /* that the host has asked for; NATIVE: none */
    unsigned long launches, look_at; /* at which all is weighed next */
    double paid;                     /* for the last conversions, as expected */
    double achieved; /* seconds that all launches have saved so far, less what conversions
                        took */
    enum dl__candidate_id first;     /* that it went to; NATIVE: none yet */
    unsigned long first_at, left_at; /* launches until then, until it left; 0: not yet */
    unsigned long switched_at;       /* launches until it went where it is */
    double priced;                   /* what exploring was to take, as estimated */
    double waits_price;    /* what exploring would take, where it may not; 0: it may */
    bool waits_for_longer; /* no run of this length may take that */
    double waits_until;    /* the seconds of a run from which it may take waits_price */
    double all_wait_until; /* the same with what its other rows wait for */
};

struct dl__policy_buffer {
    struct dl__policy_group *group; /* NULL: not met yet */
    uint64_t bytes;
    enum dl__candidate_id lies;
    double there[DL__CANDIDATES],
        back[DL__CANDIDATES];   /* measured on copies, or expected */
    unsigned long touched_at;   /* launches of the group until then, and one; 0: never */
    enum dl__candidate_id host; /* in which the host wants it; NATIVE: as written */
};

struct dl__policy {
    void *device; /* policy.c: whose it is, and of the process the next */
    struct dl__policy *next;
    struct dl_rates rates;
    struct dl__ledger *ledger; /* of the process */
    struct dl__policy_kernel *kernels;
    struct dl__policy_group *groups;
    /* How conversions compare with their estimates, work 1: of this run, and each of the
     * last runs' median. */
    struct dl__samples moves[DL__CANDIDATES], moves_before[DL__CANDIDATES];
    /* Seconds that exploring a candidate took beyond its price: for what a driver loads
     * or compiles, on a busy machine more. Half of it is forgotten from run to run. */
    struct dl__samples beyond;
    double beyond_before; /* 0: not known */
    struct dl__look *looks;
    uint64_t version; /* rises with all that decisions hang on, but launches */
    unsigned group_count;
    unsigned untold; /* times in a row that events did not tell */
    uint64_t random; /* for tests: 0, or the state of forced decisions */
};

/* Returns the seconds that are to be added to what exploring a candidate should take. */
static inline double dl__policy_beyond(const struct dl__policy *policy)
{
    return dl__samples_known(&policy->beyond) ? dl__samples_median(&policy->beyond, 1)
                                              : policy->beyond_before;
}

/* The next of the forced decisions. */
static inline uint64_t dl__policy_chance(struct dl__policy *policy)
{
    policy->random ^= policy->random << 13;
    policy->random ^= policy->random >> 7;
    policy->random ^= policy->random << 17;
    return policy->random / 4;
}

/* Describes a launch that is to be decided. The same may be asked again for a launch that
 * is the same but for `ready`, `explorable` and `timed`. */
struct dl__policy_ask {
    struct dl__policy_kernel *kernel;
    struct dl__policy_row *row;
    struct dl__policy_buffer **buffers; /* no two the same */
    size_t buffer_count;
    bool timed_first; /* the last launch ran as written to be timed */
    struct dl__estimate estimate;
    double work;      /* work-items */
    uint64_t structs; /* of its longest buffer */
    uint64_t group_items;
    uint32_t tile[DL__CANDIDATES]; /* structs in a tile; 0: there is no such form */
    bool ready[DL__CANDIDATES];    /* can run now; native always can */
    bool asked_for;                /* it takes enough time for another form to be built */
    double tried_from;             /* launches that take so much, or none can */
    double too_short; /* seconds of a launch as measured, of which no layout could save
                         what counts; 0: one may */
    bool timed;       /* its event will tell a time */
    bool annotated;   /* somebody answers for what it does on other layouts */
    bool exact;       /* it may round otherwise, and must not */
    bool strict;      /* nor may any byte differ */
    unsigned char explorable; /* candidates that can be explored now, by bits, perhaps
                                 before they can run */
    uint64_t values; /* a number that is another one where arguments that are no buffers
                        have other values */
    bool watches_values; /* out: other values are to be asked about */
    /* seconds of exploring besides its launches: at all, and for each candidate */
    double explore_seconds, explore_each[DL__CANDIDATES];
    bool explored_whole; /* with its buffers' conversions there and back, so that takes as
                            long at least */
    double copy_seconds; /* copying all that it writes once */
    struct dl__policy_group *group; /* as dl__policy_choose sets it */
    /* As dl__policy_choose sets them for dl__policy_again: */
    uint64_t version;
    enum dl__candidate_id candidate;
    unsigned long until; /* launches of the row on the candidate; 0: each is decided */
    double saves;        /* seconds, a launch on the candidate */
};

/* The seconds that launches of a group would have saved on a candidate. */
struct dl__saving {
    double saved;
    double at_best; /* if what has not been explored there may run there, too */
    double whole;   /* of so much */
    double unknown; /* of which nobody knows */
    double launches;
    double least;   /* to be gone to from the program's own, it has to save more */
    double touched; /* of the returns, those that the host wanted */
    double returns; /* conversions there and back that the host and what runs as written
                       wanted */
    double looks;   /* seconds that looks by parts take longer, which are in it */
};

struct dl__policy_answer {
    enum dl__candidate_id candidate;
    unsigned explore; /* candidates to be explored with this launch, by bits */
    bool hold;      /* the group is being explored, or what it gains by is being built, by
                       launches that are worth waiting for */
    double seconds; /* that it takes as written, as far as is known or the text says */
    bool sample;    /* its event is wanted */
    bool compare;   /* with what the program's own kernel gives */
    const char *reason; /* why its group has another layout than `from` now; NULL: it has
                           not */
    enum dl__candidate_id from;
    /* The number that decided: the seconds that launches since the last decision have
     * saved in the layout that was left, or would have in the one that was gone to; or
     * else those that launches to come will, as earlier runs say (0: no such number). */
    struct dl__saving lately;
    double to_come;
};

/* A launch that was made, a conversion, or a look by parts, until its time is known. */
struct dl__policy_ticket {
    struct dl__policy_row *row;       /* NULL: it is not a launch */
    struct dl__look *look;            /* NULL: it is not a look by parts */
    enum dl__candidate_id candidate;  /* NATIVE and neither: nothing is to be told */
    double work;                      /* work-items, bytes, or seconds as estimated */
    struct dl__policy_buffer *buffer; /* of a conversion; NULL: it has ended */
    bool back;                        /* it is one to the program's layout */
    bool is_cold; /* the device's caches hold what a conversion or copies have left */
};

/* Says what exploring a candidate has found. */
struct dl__finding {
    enum dl__candidate_id candidate;
    enum dl__tried state; /* UNTRIED: nothing, this time */
    bool soon;            /* it may well tell something soon */
    bool unbound;         /* the launch's buffers can't have the layout */
    unsigned differs; /* AS_WRITTEN: the argument whose bytes do, and one; 0: it can't be
                         compared. MAY_RUN: likewise, but those don't count; 0: none do */
    bool unchanged;   /* a part of the launch has changed nothing */
    double native_seconds, seconds; /* 0: not known */
    double there_seconds, back_seconds;
    bool stands_in;  /* these by others than their own kernels, which are being built */
    const char *why; /* nothing could be found, or compared; NULL: it was */
};

/* Of a process. */
struct dl__policy_kernel *dl__policy_kernel_get(struct dl__policy *policy,
                                                const unsigned char *text,
                                                const char *name); /* NULL: no memory */
struct dl__policy_row *dl__policy_row_get(struct dl__policy_kernel *kernel, double work,
                                          uint64_t structs,
                                          uint64_t group_items); /* NULL: no memory */
/* Adds how many kernels were launched in this run, counting each size, and how many of
 * them are known to be so short that timing them would take a good part of their time,
 * and have never run on another layout. */
void dl__policy_count_short(const struct dl__policy *policy, size_t *launched,
                            size_t *known_short);

/* Decides a launch at `now`. Puts its buffers into one group; counts nothing. */
void dl__policy_choose(struct dl__policy *policy, struct dl__policy_ask *ask, double now,
                       struct dl__policy_answer *answer);
/* Candidates, by bits, whose rewritten kernels the launch has a use for: the most
 * promising one that is to be explored, and what gains, or lies so.
 *   later  out, the others that are to be explored */
unsigned dl__policy_asks_for(struct dl__policy *policy, struct dl__policy_ask *ask,
                             unsigned *later);
/* The launch was made on `candidate`. */
struct dl__policy_ticket dl__policy_launched(struct dl__policy_ask *ask,
                                             enum dl__candidate_id candidate);
/* It was explored, which took this wall time. */
void dl__policy_explored(struct dl__policy *policy, struct dl__policy_ask *ask,
                         const struct dl__finding *findings, size_t count,
                         double spent_seconds);
/* It was compared on the candidate, and had been made; 0 seconds: it can't be, and has
 * not. `native_seconds` is what its own kernel took then; 0: that is not known. */
void dl__policy_compared(struct dl__policy *policy, struct dl__policy_ask *ask,
                         enum dl__candidate_id candidate, double spent_seconds,
                         double native_seconds);
/* The kernel gave other bytes than its own text, or can't be compared, for this reason:
 * it runs as written from now on. */
void dl__policy_differed(struct dl__policy *policy, struct dl__policy_ask *ask,
                         const char *why);
/* The chosen candidate was not ready in time. */
void dl__policy_unready(struct dl__policy *policy, struct dl__policy_ask *ask,
                        enum dl__candidate_id candidate);
/* Keeps the time of the launch's event; 0: it has none, and never will. */
void dl__policy_measured(struct dl__policy *policy,
                         const struct dl__policy_ticket *ticket, double seconds);
/* An event that should have told a time did not, or told nonsense. True: once too often,
 * from now on none are asked. */
static inline bool dl__policy_untold(struct dl__policy *policy)
{
    policy->version++;
    return ++policy->untold == DL__UNTOLD_MAX;
}

/* One more launch like the last that was decided by the ask, which is made on the same
 * candidate, and is counted. False: it is to be decided. */
bool dl__policy_again(const struct dl__policy *policy, struct dl__policy_ask *ask);

/* ---- what happens to buffers (decide.c) ---- */

/* A buffer was converted for a launch, or brought back (NATIVE): `by_launch`, for one of
 * the group's own, else for a command that DL does not transform. */
struct dl__policy_ticket dl__policy_moved(struct dl__policy *policy,
                                          struct dl__policy_buffer *buffer,
                                          enum dl__candidate_id to, bool by_launch);
/* A command that DL does not transform uses it as it lies. `part_bytes`: it looks at so
 * many bytes of it by parts, or would if it were converted; 0: it needs all of it. */
void dl__policy_touched(struct dl__policy *policy, struct dl__policy_buffer *buffer,
                        uint64_t part_bytes);
/* True when a command should look at this number of bytes of it by parts; otherwise it
 * should be brought back, which is paid for already. */
bool dl__policy_may_look(struct dl__policy *policy,
                         const struct dl__policy_buffer *buffer, uint64_t bytes);
/* True when the time of the next command is wanted that looks at this number of bytes of
 * it by parts, or would if it were converted. The command is counted. */
bool dl__policy_times_look(struct dl__policy *policy,
                           const struct dl__policy_buffer *buffer, uint64_t bytes);
/* All of the buffer has been overwritten: it lies as written, without a way back.
 *   as_written  also if it had been converted: the next launch would have to convert it
 */
void dl__policy_dropped(struct dl__policy *policy, struct dl__policy_buffer *buffer,
                        bool as_written);
/* It ends. */
void dl__policy_buffer_end(struct dl__policy *policy, struct dl__policy_buffer *buffer);
/* ---- rows.c ---- */

static inline unsigned dl__work_class(double number)
{
    unsigned class = 0;

    for (; number >= 2 && class < 63; number /= 2)
        class ++;
    return class;
}
/* True when it is that of launches with about this number of work-items. */
static inline bool dl__row_is_of(const struct dl__policy_row *row, double work)
{
    return row->work_class == dl__work_class(work);
}

/* Says why it is AS_WRITTEN. */
static inline void dl__tried_why(struct dl__tried_on *on, const char *why)
{
    snprintf(on->why, sizeof on->why, "%s", why ? why : "");
}

/* It runs on no candidate, for the kernel's reason. */
static inline void dl__row_as_written(struct dl__policy_row *row)
{
    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        row->of[c].state = DL__AS_WRITTEN;
        dl__tried_why(&row->of[c], row->kernel->differed);
    }
    row->changed = true;
}

/* Returns the seconds of a launch; 0: not known. NATIVE: as written, as fast as that goes
 * in place. */
double dl__row_seconds(const struct dl__policy_row *row, enum dl__candidate_id candidate,
                       double work);
/* The same of the program's own text, as the text says where nothing is known. */
double dl__row_native(const struct dl__policy_row *row,
                      const struct dl__estimate *estimate, double work);
/* True when its time is what an earlier run has measured. */
static inline bool dl__row_is_earlier(const struct dl__policy_row *row,
                                      enum dl__candidate_id c)
{
    const struct dl__tried_on *on = &row->of[c];

    return on->earlier && on->samples.count < dl__tried_doubted(on, DL__SAMPLES_MIN);
}
/* Returns the layout that is best for the row where `best` is for its group in this run:
 * a few slow launches do not outweigh many of earlier runs. */
static inline enum dl__candidate_id dl__row_best(const struct dl__policy_row *row,
                                                 enum dl__candidate_id best)
{
    return row->best < DL__CANDIDATES && row->of[row->best].state == DL__MAY_RUN &&
                   dl__tried_keeps(row, row->best) &&
                   dl__tried_slower(&row->of[row->best])
               ? row->best
               : best;
}
/* True when no layout can save what counts of a launch that takes so long as written. */
static inline bool dl__is_too_short(double native_seconds)
{
    return native_seconds > 0 && native_seconds <= dl__host_seconds + dl__least_seconds;
}
/* As many launches of a group as even the shortest of the last runs had; 0: not known. */
double dl__row_horizon(const struct dl__policy_row *row);
/* ---- groups (decide.c) ---- */

static inline struct dl__policy_group *dl__group_of(struct dl__policy_group *group)
{
    while (group && group->into)
        group = group->into;
    return group;
}

/* ---- what a group's launches would have saved (decide.c) ---- */

/* Returns the seconds of converting all of the group's buffers there and back. */
static inline double dl__both_ways(const struct dl__policy_group *group,
                                   enum dl__candidate_id c)
{
    return group->there[c] + group->back[c];
}

/* True when nothing is known of what it could gain. */
static inline bool dl__is_unexplored(const struct dl__member *member)
{
    bool any = false, tried = false;

    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        any |= member->possible[c];
        tried |= member->possible[c] && member->row->of[c].state != DL__UNTRIED;
    }
    return any && !tried;
}

/* Returns what the group's launches would have saved on the candidate: lately, or ever.
 */
struct dl__saving dl__group_saving(const struct dl__policy_group *group,
                                   enum dl__candidate_id candidate, bool ever);
/* Of all its launches, the candidate that would have been best, its conversions paid.
 * CANDIDATES: nobody knows, or going from one to another at the right moments was better.
 */
enum dl__candidate_id dl__group_hindsight(const struct dl__policy_group *group);
/* Conversions there and back that each of its launches wanted, were it in the layout, and
 * looks by parts as parts of one; below 0: it is not a layout. */
double dl__group_returns(const struct dl__policy_group *group, enum dl__candidate_id c);

/* The same that the host wanted behind the member's launches, if the group has stayed as
 * written; below 0: it has not. */
static inline double dl__group_touched(const struct dl__policy_group *group,
                                       const struct dl__member *member)
{
    return group->first == DL__NATIVE ? member->ever.touched : -1;
}

/* ---- what looks by parts take (look_prices.c) ---- */

/* Those at about as many bytes; NULL: out of memory. */
struct dl__look *dl__look_get(struct dl__policy *policy, uint64_t bytes);
/* Returns the seconds of one, all its commands; 0: not known. */
static inline double dl__look_seconds(const struct dl__look *look,
                                      enum dl__candidate_id c, double bytes)
{
    /* A first one may have compiled its kernels; against earlier runs, the machine may be
     * busy. */
    const unsigned long needed = look->before[c] > 0 ? DL__PROVEN : 2;

    return look->of[c].count >= needed ? dl__samples_median(&look->of[c], bytes)
                                       : look->before[c] * bytes;
}
/* Returns how much longer one takes where the buffer lies on the candidate than as
 * written; NATIVE: wherever it would lie. */
double dl__look_cost(const struct dl__look *look, enum dl__candidate_id c, double bytes);
/* True when that is not measured: one was not timed, there or as written. */
static inline bool dl__look_is_estimated(const struct dl__look *look,
                                         enum dl__candidate_id c)
{
    return dl__look_seconds(look, c, 1) <= 0 ||
           dl__look_seconds(look, DL__NATIVE, 1) <= 0;
}
/* The command that dl__policy_times_look wants the time of is enqueued. */
static inline struct dl__policy_ticket
dl__policy_looked(struct dl__policy *policy, const struct dl__policy_buffer *buffer,
                  uint64_t bytes)
{
    return (struct dl__policy_ticket){.look = dl__look_get(policy, bytes),
                                      .candidate = buffer->lies,
                                      .work = (double)bytes};
}

/* As expected before any was measured, against `now` and `before`. */
static inline double dl__ratio_of(const struct dl__samples *now,
                                  const struct dl__samples *before)
{
    if (dl__samples_known(now))
        return dl__samples_median(now, 1);
    return dl__samples_known(before) ? dl__samples_median(before, 1) : 1;
}

/* ---- decisions as bytes (remember.c) ---- */

struct dl__pack;
/* Adds everything known of the kernels with this text. */
void dl__remember_write(struct dl__policy *policy, const unsigned char *text,
                        struct dl__pack *out);
/* Adds what was written to the kernels with this hash; `others`: of what other processes
 * have kept meanwhile, only what this one has not measured itself. */
void dl__remember_read(struct dl__policy *policy, const unsigned char *text,
                       const void *said, size_t bytes, bool others);
/* True when a kernel with this text has something new to remember. */
bool dl__remember_changed(const struct dl__policy *policy, const unsigned char *text);

/* ---- what a decision rests on, in words and numbers (say.c) ---- */

/* Why it runs on `chosen`. */
void dl__say_why(const struct dl__policy_ask *ask, enum dl__candidate_id chosen,
                 char *why, size_t bytes);
/* The group of the launch has changed, as the answer has it. */
void dl__say_decision(const struct dl__policy_ask *ask,
                      const struct dl__policy_answer *answer, char *why, size_t bytes);
/* Says what has become of it, and what it waits for. False: it was said of groups like
 * it, or it had no launches. */
bool dl__say_group(struct dl__policy_group *group, char *why, size_t bytes);

#endif
