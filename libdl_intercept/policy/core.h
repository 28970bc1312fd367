/* SPDX-License-Identifier: MIT */
/* What the policy knows, and how it decides: pure C, driven by calls that bring it launches, costs and
 * times; tests drive it in virtual time. Seconds throughout.
 *
 *   kernel   one kernel of one program text on one device
 *   row      its launches of one size class: measured times by candidate
 *   buffer   one annotated buffer of the program's; the caller owns it
 *   group    buffers that launches bind together: they are decided together
 *
 * Threads: one at a time. */
#ifndef DL_INTERCEPT_POLICY_CORE_H
#define DL_INTERCEPT_POLICY_CORE_H

#include <stdatomic.h>

#include "estimate.h"
#include "ledger.h"
#include "samples.h"

/* Differences that times may have by chance. */
static const double dl__by_chance = 0.02;

enum {
    DL__MEMBERS_MAX = 16,
    DL__TURNS_MAX = 28, /* pairs of 8 devices */
    DL__WHY_BYTES = 320,
    DL__TEXT_BYTES = 16,
    DL__UNTOLD_MAX = 3,
    DL__TRIAL_LAUNCHES = 2,
    DL__CANDIDATES_ROOM = 8, /* what is ready is compared as one word */
    DL__LATELY = 64 /* launches of a group, before those and its looks count half */
};

/* What an earlier run measured. */
struct dl__remembered {
    double seconds, work; /* 0: nothing */
};

struct dl__policy_row {
    struct dl__policy_row *next; /* of the kernel */
    unsigned work_class, struct_class;
    struct dl__samples samples[DL__CANDIDATES];
    struct dl__remembered remembered[DL__CANDIDATES];
    unsigned long launches[DL__CANDIDATES];
    unsigned long
        sampled[DL__CANDIDATES];     /* how many there were at the last that was timed */
    unsigned untold[DL__CANDIDATES]; /* launches on trial since a time was told */
    /* Of a candidate that was slower: how much its being measured anew is worth by now, how often it has
     * been, and what was measured before, which bounds its cost until it is known again. */
    double doubt[DL__CANDIDATES];
    unsigned retrials[DL__CANDIDATES];
    bool doubted[DL__CANDIDATES];
    struct dl__samples before[DL__CANDIDATES];
    /* Launches that count as excess whole, until it is known what they would have taken natively. */
    unsigned long unjudged;
    double unjudged_work; /* of the smallest */
    bool pays; /* conversions for it were worth twice their cost, lately or remembered */
    bool changed; /* since it was remembered */
};

struct dl__policy_kernel {
    struct dl__policy_kernel *next;
    struct dl__policy_row *rows;
    unsigned char text[DL__TEXT_BYTES]; /* a hash of the program's text */
    char *name;
    bool contractable; /* its results may tell layouts apart: no time decides */
    bool fixed;        /* contractable, and its first launch has been */
    bool fixed_ready[DL__CANDIDATES_ROOM]; /* what was ready then: the others never are */
};

struct dl__member {
    struct dl__policy_row *row;
    double launches;           /* lately */
    double work;               /* of the last */
    struct dl__policy *policy; /* of the device that it runs on */
    struct dl__estimate estimate;
    bool contractable;
    bool ready[DL__CANDIDATES_ROOM];
};

/* Launches on one of two devices where the other had the group before. */
struct dl__turns {
    struct dl__policy *of[2];
    double lately;
    double
        hop[DL__CANDIDATES]; /* what one takes where each has the layout in its own way */
    unsigned long hop_at;    /* seen at the group's launch of that number */
};

struct dl__policy_group {
    struct dl__policy_group *into; /* merged into this one; NULL: not */
    unsigned references;           /* buffers, and groups merged into it */
    unsigned number;
    enum dl__candidate_id current;
    struct dl__member members[DL__MEMBERS_MAX];
    unsigned member_count;
    double rent[DL__CANDIDATES];  /* what each would have saved since the last touch */
    double moves[DL__CANDIDATES]; /* of all its buffers, there and back */
    double demand;       /* how many times its cost a conversion must be worth first */
    unsigned futile;     /* residences in a row that did not pay */
    double paid, gained; /* for, and since, the last conversions */
    double looks;        /* lately, by parts: what they take where it is converted */
    double looked;       /* the same since its last launch */
    bool counts_only;    /* a contractable kernel is among its members */
    unsigned long launches;
    /* By several devices (sides.c): of its last launch, and which turn was the last. */
    struct dl__policy *last;
    bool shared;
    struct dl__turns turns[DL__TURNS_MAX];
    unsigned turn_count, turn;
};

struct dl__policy_buffer {
    struct dl__policy_group *group; /* NULL: not met yet */
    uint64_t bytes;
    uint32_t struct_bytes;
    enum dl__candidate_id lies; /* as far as the policy converts it */
    uint32_t
        tile; /* of so many structs there, which the caller sets; launches may want others */
    double moves[DL__CANDIDATES]; /* there and back */
    bool first;  /* the conversion that it owes is the first of its kind */
    double owed; /* charged for its way back, which has not been */
    /* Brought back for the group's launch of that number, and from what; 0: never. */
    unsigned long returned_at;
    enum dl__candidate_id returned_from;
};

struct dl__policy {
    struct dl_rates rates;
    struct dl__ledger ledger;
    struct dl__ledger counted; /* by static costs alone, of contractable kernels */
    double
        seen_seconds; /* that launches have taken, as expected, until it is worth loading anything */
    atomic_bool has_contractable; /* read beside other calls */
    struct dl__policy_kernel *kernels;
    /* Of the last runs before this one, each one's median: measured over estimated, work 1. */
    struct dl__samples moves_before[DL__CANDIDATES];
    struct dl__samples moves[DL__CANDIDATES]; /* the same of this run's conversions */
    uint64_t moved[DL__CANDIDATES];           /* struct sizes ever converted, by a hash */
    struct dl__samples looks;                 /* by parts, their bytes as work */
    struct dl__samples look_ratios;           /* measured over estimated, work 1 */
    unsigned long look_count;                 /* by parts, at what lies converted */
    /* Rises with all that decisions hang on, but launches; and with the touches of buffers that lie natively, by
     * others than launches. One at a time writes them; dl__lease_take reads them beside it. */
    _Atomic uint64_t version, touches;
    unsigned group_count;
    unsigned untold; /* times in a row that events did not tell */
    uint64_t random; /* for tests: 0, or the state of forced decisions */
};

/* A decision that stands as long as nothing is measured, converted or joined, and what each launch by it
 * adds to the accounts. */
struct dl__standing {
    uint64_t version;               /* the policy's, + 1; 0: none */
    struct dl__policy_group *group; /* which the buffers keep */
    struct dl__member *member;
    enum dl__candidate_id current; /* the group's */
    /* Candidates behind so many can't be had, by its only kernel's text. 0: all are looked at. */
    unsigned count;
    bool stays; /* the device runs it as written all the same (sides.c) */
    bool ready[DL__CANDIDATES_ROOM];
    double gain[DL__CANDIDATES]; /* to its rent */
    double slack
        [DL__CANDIDATES]; /* what launches and looks together may lose on it, a part */
    bool as_fast
        [DL__CANDIDATES]; /* known to gain too little for a change, whatever the rent */
    /* Where the group is looked at by parts (looks.c): what a launch takes, and the candidates that launches and looks
     * together would not gain on. */
    bool looks_priced;
    double chance; /* of that: dl__cost_doubt of a launch, against native */
    double each[DL__CANDIDATES];
    bool outweighed[DL__CANDIDATES];
    /* what the rent, and what may be spent, must reach before all is looked at anew */
    double worth[DL__CANDIDATES], needs[DL__CANDIDATES];
    double need; /* what may be spent must stay so much */
    bool priced; /* the following are known */
    enum dl__candidate_id candidate;
    double native, charged, gained, counted_native, counted_excess;
    bool on_trial;
    /* what it adds to the doubts of its row, and where they suffice */
    double doubt[DL__CANDIDATES], doubts_needed[DL__CANDIDATES];
    /* Launches that may be made before anything is looked at, and that have been (lease.c). */
    unsigned lease, taken;
    uint64_t touches; /* the policy's, when that was granted */
};

/* What a launch is to be decided by. The same may be asked again for a launch that is the same but for
 * `ready` and `timed`. */
struct dl__policy_ask {
    struct dl__policy_kernel *kernel;
    struct dl__policy_row *row;
    struct dl__policy_buffer **buffers; /* no two the same */
    size_t buffer_count;
    struct dl__estimate estimate;
    double work;                     /* work-items */
    uint32_t tile[DL__CANDIDATES];   /* of so many structs */
    bool ready[DL__CANDIDATES_ROOM]; /* can run now; native always can */
    bool timed;                      /* its event will tell a time */
    bool late;                      /* it has been launched before DL had read its text */
    struct dl__policy_group *group; /* as dl__policy_choose sets it */
    struct dl__standing standing;   /* zero at first */
};

struct dl__policy_answer {
    enum dl__candidate_id candidate;
    bool sample;  /* its event is wanted */
    bool decided; /* `why` says what has changed */
    char why[DL__WHY_BYTES];
};

/* A launch that was made, until its time is known. */
struct dl__policy_ticket {
    struct dl__policy_row *row; /* NULL: nothing to be told */
    const struct dl__policy_kernel *kernel;
    enum dl__candidate_id candidate;
    double work, charged, native; /* as the ledger has it */
    double factor;                /* that it may take longer than native, at most */
};

/* Of a process. */
struct dl__policy_kernel *dl__policy_kernel_get(struct dl__policy *policy,
                                                const unsigned char *text,
                                                const char *name); /* NULL: no memory */
struct dl__policy_row *dl__policy_row_get(struct dl__policy_kernel *kernel, double work,
                                          uint64_t structs); /* NULL: no memory */
/* True when an earlier run has measured it natively and on something else. */
bool dl__row_is_remembered(const struct dl__policy_row *row);
void dl__policy_free(struct dl__policy *policy);

/* Decides a launch. Puts its buffers into one group. */
void dl__policy_choose(struct dl__policy *policy, struct dl__policy_ask *ask,
                       struct dl__policy_answer *answer);
/* The same where what was decided for the last launch like it stands: `tiled` says what that was. False: it
 * does not, and nothing has been counted. `*counted`: it has been, and dl__policy_launched is not called. */
bool dl__policy_choose_again(struct dl__policy *policy, struct dl__policy_ask *ask,
                             bool tiled, bool *sample, bool *counted);
/* What was chosen could not be had in time, and the launch runs as written: back to native until it
 * can. */
void dl__policy_unready(struct dl__policy *policy, struct dl__policy_ask *ask,
                        enum dl__candidate_id candidate);
/* The launch was made on `candidate`. */
struct dl__policy_ticket dl__policy_launched(struct dl__policy *policy,
                                             struct dl__policy_ask *ask,
                                             enum dl__candidate_id candidate);
/* True when the bound leaves so much: to copy so many bytes, and to run the launch so often as
 * written. */
bool dl__policy_affords(const struct dl__policy *policy, const struct dl__policy_ask *ask,
                        uint64_t bytes, unsigned runs);
/* So much was spent for the launch, besides. */
void dl__policy_spent(struct dl__policy *policy, const struct dl__policy_ask *ask,
                      double seconds);
/* True when the launch waits for times of its own kind: its next ones run as written until they are told. */
bool dl__policy_wants_times(const struct dl__policy_ask *ask);
/* Its time; 0: it can't be told, ever. */
void dl__policy_measured(struct dl__policy *policy, struct dl__policy_ticket *ticket,
                         double seconds);

/* An event that should have told a time did not, or told nonsense. True: once too often, from now on
 * none are asked. */
bool dl__policy_untold(struct dl__policy *policy);

/* What a conversion, or a look by parts, was charged for. */
struct dl__move_charge {
    enum dl__candidate_id candidate;
    double charged;
    double estimated; /* of which its size says; 0: its time tells nothing of others' */
    uint64_t looked_bytes; /* 0: a conversion */
};

/* A buffer was converted to `candidate`, for a launch. */
struct dl__move_charge dl__policy_moved(struct dl__policy *policy,
                                        struct dl__policy_buffer *buffer,
                                        enum dl__candidate_id candidate);
/* It was brought back; `by_launch`: for a launch of the group's own, else for a command that DL does
 * not transform. */
struct dl__move_charge dl__policy_returned(struct dl__policy *policy,
                                           struct dl__policy_buffer *buffer,
                                           bool by_launch);
/* A conversion's time, or a look's. */
void dl__policy_move_measured(struct dl__policy *policy,
                              const struct dl__move_charge *charge, double seconds);
/* A command that DL does not transform uses it where it lies natively. */
void dl__policy_touched(struct dl__policy *policy, struct dl__policy_buffer *buffer);
/* The same of one that would look at so many bytes of it by parts if it were converted. */
void dl__policy_touched_part(struct dl__policy *policy, struct dl__policy_buffer *buffer,
                             uint64_t bytes);
/* True when a command is to look at so many bytes of it by parts; else it is to be brought back,
 * which is paid for already. `*timed`: out, the command's event is wanted. */
bool dl__policy_may_look(struct dl__policy *policy, struct dl__policy_buffer *buffer,
                         uint64_t bytes, bool *timed);
/* It was looked at so. */
struct dl__move_charge dl__policy_looked(struct dl__policy *policy,
                                         const struct dl__policy_buffer *buffer,
                                         uint64_t bytes);
/* What it held is of no use any more, or it ends: there is no way back. */
void dl__policy_dropped(struct dl__policy *policy, struct dl__policy_buffer *buffer);
/* It ends. */
void dl__policy_buffer_end(struct dl__policy *policy, struct dl__policy_buffer *buffer);

/* decide.c's own, which groups.c, costs.c and looks.c have. */
/* What may be spent for a launch of the row. */
double dl__policy_left(const struct dl__policy *policy, const struct dl__policy_row *row,
                       bool counts_only);
struct dl__policy_group *dl__group_of(struct dl__policy_group *group);
/* True of a launch that runs as written where its group is on a candidate that converts nothing, and has no text for
 * it. */
static inline bool dl__member_passes(const struct dl__member *member,
                                     enum dl__candidate_id c)
{
    return dl__candidate_get(c)->in_place && member->estimate.of[c].verdict == DL__NEVER;
}
/* What to set `count` of a launch's standing decision to. */
static inline unsigned dl__standing_count(const struct dl__policy_group *group,
                                          const struct dl__policy_ask *ask)
{
    unsigned count = DL__CANDIDATES;

    while (group->member_count == 1 && count > 1 &&
           ask->estimate.of[count - 1].verdict == DL__NEVER && !ask->ready[count - 1] &&
           group->rent[count - 1] == 0)
        count--;
    return count;
}
/* NULL: no memory. */
struct dl__policy_group *dl__group_join(struct dl__policy *policy,
                                        struct dl__policy_ask *ask);
void dl__group_release(struct dl__policy_group *group);
struct dl__member *dl__group_note(struct dl__policy *policy,
                                  struct dl__policy_group *group,
                                  const struct dl__policy_ask *ask);
/* The same of a launch that is as one before. */
void dl__group_note_again(struct dl__policy_group *group, struct dl__member *member,
                          const struct dl__policy_ask *ask, unsigned launches);

double dl__looks_halved(double looks);
/* looks.c: what a launch that stands takes on each candidate, and what the group's looks by parts make of that. */
void dl__looks_price(struct dl__policy_ask *ask);
/* False: with the looks since then something else could be decided. */
bool dl__looks_let_it_stand(struct dl__policy_ask *ask);

/* sides.c: groups of several devices. The member is launched. */
void dl__side_note(struct dl__policy_group *group, const struct dl__member *member);
/* `from` becomes part of the group. */
void dl__sides_merge(struct dl__policy_group *group, const struct dl__policy_group *from);
/* Turns of long ago count less. */
void dl__sides_forget_some(struct dl__policy_group *group);
/* True when the device runs as written what the others have on the candidate. */
bool dl__side_stays(const struct dl__policy_group *group, const struct dl__policy *policy,
                    enum dl__candidate_id candidate);
/* The same of a launch that has been decided, where its group lies. */
bool dl__side_stays_now(const struct dl__policy *policy,
                        const struct dl__policy_ask *ask);
/* What conversions between devices take on the candidate: lately, of each launch. */
double dl__sides_moves_each(const struct dl__policy_group *group,
                            enum dl__candidate_id candidate);
/* What all members' launches lately, looks by parts and moves between devices would have saved on `to`; `*whole`:
 * of so much. */
double dl__sides_balance(const struct dl__policy_group *group, enum dl__candidate_id from,
                         enum dl__candidate_id to, double *whole);
/* True when that is more than may be by chance, where the group is now and had better be as written. */
bool dl__sides_lose(const struct dl__policy_group *group);
/* What may be spent for a launch of the row. */
double dl__sides_left(const struct dl__policy_group *group,
                      const struct dl__policy *policy, const struct dl__policy_row *row);
/* Back from a candidate, at most: whichever device does it. */
double dl__sides_way_back(const struct dl__policy *policy,
                          const struct dl__policy_buffer *buffer,
                          enum dl__candidate_id candidate, bool counts_only);
/* What the group's launches have stood on is not so any more: for any device. */
void dl__sides_changed(const struct dl__policy_group *group, struct dl__policy *policy);
/* What one has spent that only others of the group had left is put on their accounts. */
void dl__sides_share(struct dl__policy_group *group, struct dl__policy *policy);
/* A buffer of the group, still as it lies, is brought back for a launch; one is converted for a launch. */
void dl__side_returned(const struct dl__policy_group *group,
                       struct dl__policy_buffer *buffer);
void dl__side_moved(struct dl__policy_group *group,
                    const struct dl__policy_buffer *buffer,
                    enum dl__candidate_id candidate, double both_ways);

/* Expected time of a launch; measured, remembered or static, in this order. `*measured`, if not
 * NULL: that it is not static. */
double dl__cost_expected(const struct dl__policy_row *row,
                         const struct dl__estimate *estimate,
                         enum dl__candidate_id candidate, double work, bool counts_only,
                         bool *measured);
/* True when an earlier run gained a fifth or more over native. */
bool dl__cost_was_better(const struct dl__policy_row *row);
/* How far the difference of what two candidates take may be off by chance, as this run has measured them. */
double dl__cost_doubt(const struct dl__policy_row *row, enum dl__candidate_id a,
                      enum dl__candidate_id b, double work, bool counts_only);
/* True when no layout can make a launch that takes `now` much faster. */
bool dl__cost_is_near_least(const struct dl__estimate *estimate, double now);
/* Of a launch that takes so much now, where it runs on that: a smaller gain is none. */
double dl__cost_least_gain(double now, enum dl__candidate_id current);
double dl__cost_native_low(const struct dl__policy_kernel *kernel,
                           const struct dl__policy_row *row, double work,
                           bool counts_only);
double dl__cost_high(const struct dl__policy_kernel *kernel,
                     const struct dl__policy_row *row,
                     const struct dl__estimate *estimate, enum dl__candidate_id candidate,
                     double work, bool counts_only);
/* True when what is remembered of a candidate promises so little that it can't count as a gain before this run has
 * measured what the launch takes natively, which costs next to nothing. */
bool dl__cost_wants_native(const struct dl__policy_row *row,
                           enum dl__candidate_id candidate, double work);
/* The candidates, by bits, that an earlier run measured to be slower than another, or than native. */
unsigned dl__cost_were_slower(const struct dl__policy_row *row);
/* What a launch adds to the doubts of its row: standing->doubt and doubts_needed. */
void dl__doubt_price(const struct dl__policy *policy, const struct dl__policy_ask *ask,
                     enum dl__candidate_id candidate, struct dl__standing *standing);
/* Adds it, for so many. */
void dl__doubt_launched(struct dl__policy *policy, struct dl__policy_row *row,
                        const struct dl__standing *standing, unsigned launches);
/* True when the launch is to be timed, and counted as that: the first few, on trial all, and then one in so
 * many. */
bool dl__is_sampled(const struct dl__policy_ask *ask, enum dl__candidate_id candidate);
/* One launch in so many is timed, after so many. */
unsigned dl__sampled_every(unsigned long launches);
/* A launch by what stands was made: some more may be, if nothing can come of them. */
void dl__lease_grant(const struct dl__policy *policy, struct dl__policy_ask *ask);
/* True when one more was made. Besides other calls, but for those with the same ask. */
static inline bool dl__lease_take(const struct dl__policy *policy,
                                  struct dl__policy_ask *ask, bool tiled)
{
    struct dl__standing *standing = &ask->standing;

    if (standing->lease == 0 ||
        standing->version !=
            atomic_load_explicit(&policy->version, memory_order_relaxed) + 1 ||
        standing->touches !=
            atomic_load_explicit(&policy->touches, memory_order_relaxed) ||
        tiled != (standing->current != DL__NATIVE))
        return false;
    standing->lease--;
    standing->taken++;
    return true;
}
/* Adds those that were to the accounts. */
void dl__lease_settle(struct dl__policy *policy, struct dl__policy_ask *ask);
/* True when times are to tell whether the candidate is faster, and have not: of what the text says clearly, of
 * what an earlier run has found to gain enough, and where no time decides, none is. */
bool dl__is_on_trial(const struct dl__policy_ask *ask, enum dl__candidate_id candidate);
/* The same, and as many launches as may be are waiting for their times. */
bool dl__trial_is_full(const struct dl__policy_ask *ask, enum dl__candidate_id candidate);
/* One way, at most. */
double dl__cost_move(const struct dl__policy *policy,
                     const struct dl__policy_buffer *buffer,
                     enum dl__candidate_id candidate, bool counts_only);
/* A look by parts, at most, beyond what the command takes natively. */
double dl__cost_look(const struct dl__policy *policy, uint64_t bytes, bool counts_only);
/* How conversions compare with dl__estimate_move, as far as is known. */
double dl__cost_move_ratio(const struct dl__policy *policy,
                           enum dl__candidate_id candidate, bool counts_only);
/* True when no struct of this size has been converted so. */
bool dl__move_is_first(const struct dl__policy *policy,
                       const struct dl__policy_buffer *buffer,
                       enum dl__candidate_id candidate);

#endif
