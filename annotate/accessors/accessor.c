/* SPDX-License-Identifier: MIT */
/* Elements of a buffer: structs, unions, and rows of a flat buffer; and accessors of
 * them: their names, the text that they rest on, and that of each kind. */
#include "annotate/accessors/accessor.h"

#include <stdio.h>
#include <string.h>

#include "annotate/text/lex.h"

/* ---- elements ---- */

struct dl__leaves {
    struct dl_leaf *items;
    size_t count, room;
    struct {
        struct dl_leaf *items;
        size_t count, room;
    } gaps;               /* bytes that no member has, unless it is a union's */
    bool has_shifted_gap; /* padding that is not aligned, in a packed struct */
    const char *reason;   /* a clause: the type has no leaves; NULL: it has */
};

enum { LEAVES_MAX = 1 << 16, GAP_WIDTH_MAX = 16 };

static void leaves_add_union(struct dl__arena *arena, const struct dl__struct *s,
                             uint32_t base, struct dl__leaves *out);

const char *dl__struct_tag(struct dl__arena *arena, const struct dl__struct *s)
{
    const char *name = s->tag ? s->tag : s->name ? s->name : "anonymous";
    const char *space = strrchr(name, ' ');

    name = space ? space + 1 : name;
    return dl__arena_text(arena, name, strlen(name));
}

static void add_struct(struct dl__arena *arena, const struct dl__struct *s, uint32_t base,
                       struct dl__leaves *out);

static void leaves_add(struct dl__arena *arena, const struct dl__type *type,
                       uint32_t base, struct dl__leaves *out)
{
    struct dl_leaf leaf = {base, type->bytes};

    if (out->reason)
        return;
    if (type->is_volatile) {
        out->reason = "the struct has a volatile member";
    } else if (out->count >= LEAVES_MAX) {
        out->reason = "the struct has too many members, or elements of arrays";
    } else if (type->kind == DL__T_STRUCT) {
        add_struct(arena, type->identity, base, out);
    } else if (type->kind == DL__T_ARRAY && type->count == 0) {
        /* Its elements lie beyond the struct, in others' members. */
        out->reason = "the struct has an array without a length";
    } else if (type->kind == DL__T_ARRAY) {
        for (uint64_t i = 0; i < type->count && !out->reason; i++)
            leaves_add(arena, type->element, base + (uint32_t)i * type->element->bytes,
                       out);
    } else if (type->kind == DL__T_OTHER || !type->bytes ||
               type->bytes > DL_LEAF_BYTES_MAX) {
        out->reason =
            "the struct has a member that is not a scalar, vector, array or struct";
    } else {
        DL__PUSH(arena, out, leaf);
        if (type->kind == DL__T_VECTOR && type->count == 3)
            DL__PUSH(arena, &out->gaps,
                     ((struct dl_leaf){base + type->bytes / 4 * 3, type->bytes / 4}));
    }
}

/* How wide the first leaf of the padding [from, to) of a struct is: a power of two, up
 * to 16. */
static uint32_t gap_width(uint32_t from, uint32_t to)
{
    uint32_t width = 1;

    while (width < GAP_WIDTH_MAX && width * 2 <= to - from && from % (width * 2) == 0)
        width *= 2;
    return width;
}

/* The padding [from, to) of a struct that lies at `base`. It is cut by places in its own
 * struct, so that it is cut alike wherever that lies. */
static void leaves_add_gap(struct dl__arena *arena, uint32_t from, uint32_t to,
                           uint32_t base, struct dl__leaves *out)
{
    for (uint32_t width; from < to && !out->reason; from += width) {
        width = gap_width(from, to);
        out->has_shifted_gap |= (base + from) % width != 0;
        DL__PUSH(arena, out, ((struct dl_leaf){base + from, width}));
        DL__PUSH(arena, &out->gaps, ((struct dl_leaf){base + from, width}));
    }
}

/* Bytes of its scalars, `three` of a vector of three. */
static uint64_t scalar_bytes(const struct dl__type *type, unsigned three)
{
    uint64_t bytes = 0;

    if (type->kind == DL__T_ARRAY)
        return type->count * scalar_bytes(type->element, three);
    if (type->kind == DL__T_VECTOR && type->count == 3)
        return type->bytes / 4 * three;
    if (type->kind != DL__T_STRUCT)
        return type->bytes;
    for (size_t i = 0; i < type->identity->field_count; i++) {
        uint64_t field = scalar_bytes(type->identity->fields[i].type, three);

        if (!type->identity->is_union)
            bytes += field;
        else if (field > bytes)
            bytes = field;
    }
    return bytes;
}

bool dl__struct_has_padding(const struct dl__struct *s)
{
    const struct dl__type type = {.kind = DL__T_STRUCT, .identity = s};

    return scalar_bytes(&type, 4) != s->bytes;
}

bool dl__struct_has_open_bytes(const struct dl__struct *s)
{
    const struct dl__type type = {.kind = DL__T_STRUCT, .identity = s};

    return scalar_bytes(&type, 3) != s->bytes;
}

static void add_struct(struct dl__arena *arena, const struct dl__struct *s, uint32_t base,
                       struct dl__leaves *out)
{
    uint32_t end = 0;

    if (s->is_union) {
        leaves_add_union(arena, s, base, out);
        return;
    }
    if (s->has_bit_field)
        out->reason = "the struct holds a bit-field";
    for (size_t i = 0; i < s->field_count && !out->reason; i++) {
        const struct dl__field *field = &s->fields[i];

        leaves_add_gap(arena, end, field->offset_bytes, base, out);
        leaves_add(arena, field->type, base + field->offset_bytes, out);
        end = field->offset_bytes + field->type->bytes;
    }
    if (out->count)
        leaves_add_gap(arena, end, s->bytes, base, out);
}

struct dl_leaf *dl__struct_leaves(struct dl__arena *arena, const struct dl__struct *s,
                                  size_t *count, const char **reason)
{
    struct dl__leaves out = {0};

    if (!s->bytes)
        out.reason = "the struct is empty or incomplete";
    else
        add_struct(arena, s, 0, &out);
    if (!out.reason && !out.count)
        out.reason = "the struct is empty or incomplete";
    if (out.reason) {
        *reason = out.reason;
        return NULL;
    }
    *count = out.count;
    return out.items;
}

const struct dl_leaf *dl__struct_gaps(struct dl__arena *arena, const struct dl__struct *s,
                                      size_t *count)
{
    struct dl__leaves out = {0};

    add_struct(arena, s, 0, &out);
    *count = out.gaps.count;
    return out.gaps.items;
}

bool dl__steps_cross_union(const struct dl__struct *element, const struct dl__type *from,
                           const struct dl__step *steps, size_t count)
{
    const struct dl__struct *in = element;

    for (size_t i = 0; i < count && !from; i++) {
        const struct dl__type *type = steps[i].type;

        if (steps[i].field && in && in->is_union)
            return true;
        while (type->kind == DL__T_ARRAY)
            type = type->element;
        in = type->kind == DL__T_STRUCT ? type->identity : NULL;
    }
    return from && dl__struct_has_union(element);
}

struct dl_leaf dl__leaf_at(const struct dl_leaf *leaves, size_t count,
                           uint32_t offset_bytes)
{
    size_t low = 0, high = count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (leaves[middle].offset_bytes <= offset_bytes)
            low = middle;
        else
            high = middle;
    }
    return leaves[low];
}

/* A tile moves a leaf by multiples of its width and of the struct's size. */
static bool is_misaligned(const struct dl__type *type, uint32_t base, uint32_t bytes,
                          const struct dl__leaves *leaves)
{
    const struct dl__struct *s = type->identity;
    bool is = false;
    struct dl_leaf leaf;

    if (type->kind == DL__T_ARRAY) {
        for (uint64_t i = 0; i < type->count && !is; i++)
            is = is_misaligned(type->element, base + (uint32_t)i * type->element->bytes,
                               bytes, leaves);
        return is;
    }
    if (type->kind == DL__T_STRUCT) {
        for (size_t i = 0; i < s->field_count && !is; i++)
            is = is_misaligned(s->fields[i].type, base + s->fields[i].offset_bytes, bytes,
                               leaves);
        return is;
    }
    leaf = dl__leaf_at(leaves->items, leaves->count, base);
    return base % type->bytes || bytes % type->bytes || leaf.offset_bytes % type->bytes ||
           leaf.width_bytes % type->bytes;
}

bool dl__struct_is_packed(struct dl__arena *arena, const struct dl__struct *s)
{
    const struct dl__type type = {.kind = DL__T_STRUCT, .identity = s};
    struct dl__leaves leaves = {0};

    add_struct(arena, s, 0, &leaves);
    return !leaves.reason && leaves.count &&
           (leaves.has_shifted_gap || is_misaligned(&type, 0, s->bytes, &leaves));
}

/* The leaves of unions.
 *
 * Members that overlap move together: where a float4 lies on four floats the sixteen
 * bytes are one leaf, and the floats are reached inside it. An array must be reached by
 * any index, so its elements lie all in one leaf, or each in leaves of its own that lie
 * alike. */

enum { UNION_BYTES_MAX = 1 << 16, PASSES_MAX = 64 };

/* A union's bytes: those that members cover, and those at which a leaf may begin. */
struct cuts {
    uint32_t base, bytes;
    bool *covered, *begins; /* begins[bytes] stands for the end */
    bool changed, too_wide;
};

static void join(struct cuts *c, uint32_t from, uint32_t to)
{
    c->too_wide |= to - from > DL_LEAF_BYTES_MAX;
    for (uint32_t i = from; i < to; i++) {
        c->changed |= !c->covered[i] || (i > from && c->begins[i]);
        c->covered[i] = true;
        if (i > from)
            c->begins[i] = false;
    }
}

/* A scalar's leaf must keep it aligned wherever tiles move it. */
static void join_aligned(struct cuts *c, uint32_t at, uint32_t bytes)
{
    uint32_t from = at, to = at + bytes;

    join(c, from, to);
    while (from > 0 && !c->begins[from])
        from--;
    while (to < c->bytes && !c->begins[to])
        to++;
    if ((c->base + at) % bytes)
        return; /* it is not aligned now */
    while (from > 0 && (c->base + from) % bytes)
        from--;
    while (to < c->bytes && (to - from) % bytes)
        to++;
    join(c, from, to);
}

/* False: an index into the array would not lead from one element to the next. */
static bool lies_alike(const struct cuts *c, uint32_t at, const struct dl__type *array)
{
    uint32_t stride = array->element->bytes, end = at + (uint32_t)array->count * stride;
    bool alike = c->begins[at] && c->begins[end];

    for (uint32_t i = at; i < end && alike; i++)
        alike = c->begins[i] == c->begins[at + (i - at) % stride];
    return alike;
}

static bool is_one(const struct cuts *c, uint32_t from, uint32_t to)
{
    for (uint32_t i = from + 1; i < to; i++)
        if (c->begins[i])
            return false;
    return true;
}

static void cut(struct cuts *c, const struct dl__type *type, uint32_t at)
{
    if (c->too_wide)
        return;
    if (type->kind == DL__T_ARRAY) {
        for (uint64_t i = 0; i < type->count; i++)
            cut(c, type->element, at + (uint32_t)i * type->element->bytes);
        if (type->count > 1 && !is_one(c, at, at + type->bytes) &&
            !lies_alike(c, at, type))
            join(c, at, at + type->bytes);
    } else if (type->kind == DL__T_STRUCT) {
        for (size_t i = 0; i < type->identity->field_count; i++)
            cut(c, type->identity->fields[i].type,
                at + type->identity->fields[i].offset_bytes);
    } else {
        join_aligned(c, at, type->bytes);
    }
}

static void leaves_add_union(struct dl__arena *arena, const struct dl__struct *s,
                             uint32_t base, struct dl__leaves *out)
{
    const struct dl__type type = {.kind = DL__T_STRUCT, .identity = s};
    struct cuts c = {.base = base, .bytes = s->bytes};

    if (s->has_bit_field)
        out->reason = "the struct holds a bit-field";
    for (size_t i = 0; i < s->field_count && !out->reason; i++) {
        struct dl__leaves member = {0};

        leaves_add(arena, s->fields[i].type, base + s->fields[i].offset_bytes, &member);
        out->reason = member.reason;
    }
    if (!out->reason && s->bytes > UNION_BYTES_MAX)
        out->reason = "the struct holds a union that is too large";
    if (out->reason)
        return;
    c.covered = dl__arena_alloc(arena, (size_t)s->bytes + 1);
    c.begins = dl__arena_alloc(arena, (size_t)s->bytes + 1);
    memset(c.begins, true, (size_t)s->bytes + 1);
    for (unsigned pass = 0; !pass || (c.changed && !c.too_wide); pass++) {
        c.changed = false;
        cut(&c, &type, 0);
        c.too_wide |= pass == PASSES_MAX;
    }
    if (c.too_wide) {
        out->reason = "the struct holds a union whose members overlap in more than 128 "
                      "bytes that can't be told apart";
        return;
    }
    for (uint32_t from = 0, to; from < c.bytes; from = to) {
        bool covered = c.covered[from];

        to = from + 1;
        while (to < c.bytes && (covered ? !c.begins[to] : !c.covered[to]))
            to++;
        if (covered)
            DL__PUSH(arena, out, ((struct dl_leaf){base + from, to - from}));
        else
            leaves_add_gap(arena, from, to, base, out);
    }
}

bool dl__struct_has_union(const struct dl__struct *s)
{
    for (size_t i = 0; i < s->field_count; i++) {
        const struct dl__type *type = s->fields[i].type;

        while (type->kind == DL__T_ARRAY)
            type = type->element;
        if (type->kind == DL__T_STRUCT && dl__struct_has_union(type->identity))
            return true;
    }
    return s->is_union;
}

static bool are_leaves(const struct dl_leaf *leaves, size_t count,
                       const struct dl__type *type, uint32_t base)
{
    const struct dl__struct *s = type->identity;
    struct dl_leaf leaf = dl__leaf_at(leaves, count, base);
    bool are = true;

    if (type->kind == DL__T_ARRAY) {
        for (uint64_t i = 0; i < type->count && are; i++)
            are = are_leaves(leaves, count, type->element,
                             base + (uint32_t)i * type->element->bytes);
        return are;
    }
    if (type->kind != DL__T_STRUCT)
        return leaf.offset_bytes == base && leaf.width_bytes == type->bytes;
    for (size_t i = 0; i < s->field_count && are; i++)
        are = are_leaves(leaves, count, s->fields[i].type,
                         base + s->fields[i].offset_bytes);
    return are;
}

bool dl__leaves_are_members(struct dl__arena *arena, const struct dl__struct *s)
{
    const struct dl__type type = {.kind = DL__T_STRUCT, .identity = s};
    const char *reason;
    size_t count;
    const struct dl_leaf *leaves = dl__struct_leaves(arena, s, &count, &reason);

    return leaves && are_leaves(leaves, count, &type, 0);
}

uint32_t dl__struct_align(const struct dl__struct *s)
{
    uint32_t align = 1;

    for (size_t i = 0; i < s->field_count; i++) {
        const struct dl__type *type = s->fields[i].type;
        uint32_t own;

        while (type->kind == DL__T_ARRAY)
            type = type->element;
        own = type->kind == DL__T_STRUCT ? dl__struct_align(type->identity) : type->bytes;
        align = own > align ? own : align;
    }
    return align;
}

/* ---- the prelude ---- */

/* All accessors and rewritten kernels rest on prelude.cl, with layout/formula.h in it,
 * and in texts with grids grids.cl. Every name in them is a keyword of OpenCL C, a type
 * that the language has, or begins with dl_ or DL_, the ends of formulas' names apart:
 * see names.c. */
extern const char dl_prelude_cl[], dl_grids_cl[];

static const char mark[] = "/* grids */\n"; /* where theirs stands */

static size_t bytes_before_grids(void)
{
    return (size_t)(strstr(dl_prelude_cl, mark) - dl_prelude_cl);
}

void dl__prelude_add(struct dl__buf *out, bool has_grids)
{
    size_t before = bytes_before_grids();

    dl__buf_add(out, dl_prelude_cl, before);
    dl__buf_puts(out, has_grids ? dl_grids_cl : "");
    dl__buf_puts(out, dl_prelude_cl + before + strlen(mark));
}

static bool follows(const char **at, const char *text, size_t bytes)
{
    bool there = !strncmp(*at, text, bytes);

    *at += there ? bytes : 0;
    return there;
}

const char *dl__prelude_find(const char *text, const char **behind)
{
    size_t before = bytes_before_grids();
    const char *rest = dl_prelude_cl + before + strlen(mark);

    for (const char *begin = text; (begin = strstr(begin, "/* Generated by")); begin++) {
        const char *at = begin;

        if (!follows(&at, dl_prelude_cl, before))
            continue;
        follows(&at, dl_grids_cl, strlen(dl_grids_cl));
        if (follows(&at, rest, strlen(rest))) {
            *behind = at;
            return begin;
        }
    }
    return NULL;
}

const char *const *dl__prelude_texts(void)
{
    static const char *const texts[] = {dl_prelude_cl, dl_grids_cl, NULL};

    return texts;
}

/* ---- names of accessors ---- */

/* Accessors call their arguments and variables so. */
static const char own_words[] =
    "dl_f dl_i dl_e dl_w dl_s dl_o dl_p dl_v dl_r dl_head dl_tail "
    "dl_arrays dl_at dl_b dl_by dl_c dl_event dl_k dl_l dl_n dl_stride dl_t dl_turns "
    "dl_units dl_z";

/* These stand before the name of a buffer or pointer, or before a number;
 * annotate/coalesce and annotate/print call their own so. */
static const char *const prefixes[] = {"dl_at_",   "dl_row_", "dl_w_",     "dl_head_",
                                       "dl_tail_", "dl_far_", "dl_group_", "dl_telling_"};

static bool is_number(const char *text)
{
    return *text && !text[strspn(text, "0123456789")];
}

bool dl__name_is_inner(const char *name)
{
    return dl__is_in(own_words, name, strlen(name)) ||
           ((!strncmp(name, "dl_k", 4) || !strncmp(name, "dl_l", 4)) &&
            is_number(name + 4));
}

bool dl__name_has_prefix(const char *name)
{
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
            return true;
    return false;
}

static bool is_of_prelude(const char *name)
{
    for (const char *const *text = dl__prelude_texts(); *text; text++)
        if (dl__text_has_word(*text, strlen(*text), name))
            return true;
    return false;
}

static bool is_taken(const struct dl__names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (!strcmp(name, names->items[i]))
            return true;
    return dl__name_is_inner(name) || is_of_prelude(name);
}

const char *dl__name_make(struct dl__names *names, struct dl__arena *arena,
                          const char *wanted)
{
    char *base = dl__arena_format(arena, "dl_%s", wanted), *name;

    if (dl__name_has_prefix(base))
        base = dl__arena_format(arena, "dl_of_%s", wanted);
    name = base;
    for (unsigned number = 2; is_taken(names, name); number++)
        name = dl__arena_format(arena, "%s_%u", base, number);
    DL__PUSH(arena, names, name);
    return name;
}

/* ---- The generated accessors: how rewritten code reaches a leaf. ---- */

/* ---- finding ---- */

static bool same_type(const struct dl__type *a, const struct dl__type *b)
{
    return a == b || (a && b && a->kind == b->kind && a->identity == b->identity &&
                      a->name && b->name && !strcmp(a->name, b->name));
}

static bool same(const struct dl__accessor *a, const struct dl__accessor *wanted)
{
    bool is = a->kind == wanted->kind && a->space == wanted->space &&
              a->element == wanted->element && a->step_count == wanted->step_count &&
              same_type(a->from, wanted->from) && a->is_byte == wanted->is_byte;

    for (size_t i = 0; i < wanted->step_count && is; i++)
        is = a->steps[i].field == wanted->steps[i].field;
    return is;
}

static bool same_form(const struct dl__vector_form *a, const struct dl__vector_form *b)
{
    return a == b ||
           (a && b && !strcmp(a->builtin, b->builtin) && !strcmp(a->view, b->view) &&
            !strcmp(a->value, b->value) && a->any == b->any && a->across == b->across &&
            a->by_struct == b->by_struct && a->start_bytes == b->start_bytes);
}

/* "V3" for `struct V3`, "float" */
static const char *tag_of(struct dl__arena *arena, const struct dl__type *type)
{
    return type->kind == DL__T_STRUCT ? dl__struct_tag(arena, type->identity)
           : type->name               ? type->name
                                      : "part";
}

static const char *make_name(struct dl__accessors *all, const struct dl__accessor *a,
                             const char *builtin)
{
    struct dl__buf name = {.arena = all->arena};

    dl__buf_puts(&name, dl__struct_tag(all->arena, a->element));
    if (a->from)
        dl__buf_printf(&name, "_%s", tag_of(all->arena, a->from));
    for (size_t i = 0; i < a->step_count; i++)
        if (a->steps[i].field && a->steps[i].field->name[0])
            dl__buf_printf(&name, "_%s", a->steps[i].field->name);
    dl__buf_puts(&name, a->kind->ending);
    if (builtin)
        dl__buf_printf(&name, "_%s", builtin);
    if (a->space == DL__CONSTANT)
        dl__buf_puts(&name, "_constant");
    if (a->space & DL__VOLATILE)
        dl__buf_puts(&name, "_volatile");
    return dl__name_make(&all->names, all->arena, name.items);
}

/* Every struct that a load or store assigns whole must have leaves only; arrays of
 * structs in it are copied member by member, so only the outermost type needs a name. */
struct dl__accessor *dl__accessor_get(struct dl__accessors *all,
                                      struct dl__accessor wanted,
                                      const struct dl__vector_form *form)
{
    const struct dl__type *type = wanted.type;
    struct dl__accessor *a = all->first;
    struct dl__step *copy;
    bool shares; /* a leaf may hold several members */

    while (a && !(same(a, &wanted) && same_form(a->vector, form)))
        a = a->next;
    if (a)
        return a;
    if (!type->name || dl__type_has_pointer(type) ||
        (wanted.kind->copies ? type->kind != DL__T_STRUCT
                             : type->kind != DL__T_SCALAR && type->kind != DL__T_VECTOR))
        return NULL;
    shares = wanted.is_byte ||
             (dl__struct_has_union(wanted.element) &&
              (!wanted.from || !dl__leaves_are_members(all->arena, wanted.element)));
    /* Which leaf a part lies in is known at run time only. */
    if (wanted.from && shares && wanted.kind->copies)
        return NULL;
    a = DL__NEW(all->arena, struct dl__accessor);
    *a = wanted;
    if (shares || (form && form->across)) {
        const char *reason;

        a->leaves = dl__struct_leaves(all->arena, a->element, &a->leaf_count, &reason);
    }
    copy = dl__arena_alloc(all->arena, (a->step_count + 1) * sizeof *copy);
    if (a->step_count)
        memcpy(copy, a->steps, a->step_count * sizeof *copy);
    a->steps = copy;
    if (form) {
        struct dl__vector_form *kept = DL__NEW(all->arena, struct dl__vector_form);

        *kept = *form;
        a->vector = kept;
    }
    a->name = make_name(all, a, form ? form->builtin : NULL);
    if (a->kind->wrapper)
        a->view = dl__name_make(&all->names, all->arena,
                                dl__arena_format(all->arena, "%s_view", a->name + 3));
    if (!all->tail)
        all->tail = &all->first;
    *all->tail = a;
    all->tail = &a->next;
    return a;
}

/* ---- printing ---- */

/* How a leaf is reached; the arguments follow, then `)`. With `any`, by an offset that
 * may leave the struct. */
static const char *accessor_at_macro(unsigned space, bool any)
{
    static const char *const macros[][2] = {
        {"DL_AT(", "DL_ANY_AT("},
        {"DL_AT_IN(__constant, ", "DL_ANY_AT_IN(__constant, "},
        {"DL_AT_IN(__global volatile, ", "DL_ANY_AT_IN(__global volatile, "}};

    return macros[space == DL__CONSTANT ? 1 : space & DL__VOLATILE ? 2 : 0][any];
}

const char *dl__type_text(const char *name)
{
    static const char *const map[][2] = {{"uchar", "unsigned char"},
                                         {"ushort", "unsigned short"},
                                         {"uint", "unsigned int"},
                                         {"ulong", "unsigned long"}};

    for (size_t i = 0; i < sizeof map / sizeof *map; i++)
        if (!strcmp(name, map[i][0]))
            return map[i][1];
    return name;
}

/* The argument that says where in the buffer, and the struct's index of it. */
static const char *accessor_place(const struct dl__accessor *a)
{
    return a->from ? "dl_part dl_p" : "dl_index dl_i";
}

/* The last arguments: array indices, and what tiles need. */
static void accessor_print_formals(struct dl__buf *out, unsigned index_count)
{
    for (unsigned k = 0; k < index_count; k++)
        dl__buf_printf(out, ", dl_index dl_k%u", k);
    dl__buf_puts(out, " DL_FORMALS");
}

/* Where a member lies: in a leaf of its own, or inside a leaf that a union's members
 * share. */

/* True when an index into the array, at its first element, moves inside a leaf. */
static bool stays_in_leaf(const struct dl__accessor *a, uint32_t offset_bytes,
                          const struct dl__type *array)
{
    struct dl_leaf leaf;

    if (a->from || !a->leaves || array->count < 2)
        return false;
    leaf = dl__leaf_at(a->leaves, a->leaf_count, offset_bytes);
    return offset_bytes + array->bytes <= leaf.offset_bytes + leaf.width_bytes;
}

/* The same of an array in it, whose elements `index` counts: " + dl_l0". */
static struct dl__spot spot_in_array(struct dl__arena *arena,
                                     const struct dl__accessor *a, struct dl__spot spot,
                                     const struct dl__type *array, const char *index)
{
    const char **to =
        stays_in_leaf(a, spot.offset_bytes, array) ? &spot.within : &spot.indices;

    *to = dl__arena_format(arena, "%s%s * %u", *to, index, array->element->bytes);
    return spot;
}

/* From a part on, ` + dl_p.dl_o` is the first index. */
static struct dl__spot accessor_spot(struct dl__arena *arena,
                                     const struct dl__accessor *a)
{
    struct dl__spot spot = {.indices = a->from ? " + dl_p.dl_o" : "", .within = ""};

    for (size_t i = 0; i < a->step_count; i++) {
        if (a->steps[i].field)
            spot.offset_bytes += a->steps[i].field->offset_bytes;
        else
            spot =
                spot_in_array(arena, a, spot, a->steps[i - 1].type,
                              dl__arena_format(arena, " + dl_k%u", spot.index_count++));
    }
    return spot;
}

/* A pointer to `bytes` of a leaf, as a `type`. */
static const char *spot_at(struct dl__arena *arena, const struct dl__accessor *a,
                           struct dl__spot spot, const char *type, uint32_t bytes)
{
    const char *macro = accessor_at_macro(a->space, *spot.indices);
    struct dl_leaf leaf = {spot.offset_bytes, bytes};

    if (a->leaves && !a->from)
        leaf = dl__leaf_at(a->leaves, a->leaf_count, spot.offset_bytes);
    if (leaf.offset_bytes == spot.offset_bytes && leaf.width_bytes == bytes)
        return dl__arena_format(arena, "%s%s, dl_f, %s, %u, %u%s, %u)", macro, type,
                                a->from ? "dl_p.dl_i" : "dl_i", a->element->bytes,
                                spot.offset_bytes, spot.indices, bytes);
    return dl__arena_format(
        arena, "((%s %s *)(%sunsigned char, dl_f, dl_i, %u, %u%s, %u) + %u%s))",
        dl__space_name(a->space), type, macro, a->element->bytes, leaf.offset_bytes,
        spot.indices, leaf.width_bytes, spot.offset_bytes - leaf.offset_bytes,
        spot.within);
}

/* The declarations of dl_w and dl_r: the width of the leaf that byte dl_o of a struct
 * lies in, and where in it. The accessor must have leaves. */
static void spot_print_leaf(struct dl__buf *out, const struct dl__accessor *a,
                            const char *indent)
{
    struct dl__buf width = {.arena = out->arena}, start = {.arena = out->arena};

    for (size_t first = 0, end; first < a->leaf_count; first = end) {
        const struct dl_leaf *leaf = &a->leaves[first];

        /* Leaves of one width that follow each other. */
        for (end = first + 1; end < a->leaf_count &&
                              a->leaves[end].width_bytes == leaf->width_bytes &&
                              a->leaves[end].offset_bytes ==
                                  a->leaves[end - 1].offset_bytes + leaf->width_bytes;)
            end++;
        if (end < a->leaf_count) {
            dl__buf_printf(&width, "dl_o < %u ? %u : ", a->leaves[end].offset_bytes,
                           leaf->width_bytes);
            dl__buf_printf(&start, "dl_o < %u ? %u : ", a->leaves[end].offset_bytes,
                           leaf->offset_bytes);
        } else {
            dl__buf_printf(&width, "%u", leaf->width_bytes);
            dl__buf_printf(&start, "%u", leaf->offset_bytes);
        }
    }
    dl__buf_printf(out,
                   "%sdl_index dl_w = %s;\n"
                   "%sdl_index dl_r = (dl_o - (%s)) %% dl_w;\n",
                   indent, width.items, indent, start.items);
}

/* The statements that return it in a struct whose leaves are shared, from a part on:
 * which leaf it is in, only the call says. */
static const char *spot_sought(struct dl__arena *arena, const struct dl__accessor *a,
                               struct dl__spot spot, const char *type)
{
    struct dl__buf leaf = {.arena = arena};

    spot_print_leaf(&leaf, a, "    ");
    return dl__arena_format(
        arena,
        "    dl_index dl_b = %u%s;\n"
        "    dl_index dl_o = dl_rest(dl_p.dl_i, %u, dl_b);\n"
        "%s"
        "    return (%s %s *)(%sunsigned char, dl_f, dl_owner(dl_p.dl_i, %u, dl_b), %u, "
        "dl_o - dl_r, dl_w) + dl_r);\n",
        spot.offset_bytes, spot.indices, a->element->bytes, leaf.items,
        dl__space_name(a->space), type, accessor_at_macro(a->space, false),
        a->element->bytes, a->element->bytes);
}

/* ---- The kinds of accessors: each prints the text of one function. ---- */

struct dl__flat {
    const char *type, *space, *name, *at_macro;
    unsigned width, element_bytes;
};

static const struct dl__accessor_kind array_uint;

/* ---- A scalar or vector in a struct. ---- */

static void print(struct dl__buf *out, const struct dl__accessor *a)
{
    struct dl__spot spot = accessor_spot(out->arena, a);
    const char *space = dl__space_name(a->space);
    const char *type = dl__type_text(a->type->name), *reached = a->view ? a->view : type;

    if (a->view)
        dl__buf_printf(out, "typedef %s(%s) %s;\n", a->kind->wrapper, type, a->view);
    dl__buf_printf(out, "static %s %s *%s(%s const %s *dl_f, %s", space, reached, a->name,
                   space, dl__type_text(a->element->name), accessor_place(a));
    accessor_print_formals(out, spot.index_count);
    if (a->from && a->leaves)
        dl__buf_printf(out, ")\n{\n%s}\n", spot_sought(out->arena, a, spot, reached));
    else
        dl__buf_printf(out, ")\n{\n    return %s;\n}\n",
                       spot_at(out->arena, a, spot, reached, a->type->bytes));
}

/* The accessors that copy a struct, leaf by leaf, with its padding and the fourth
 * places of vectors of three: compilers copy these, too. */

enum { UNROLL_MAX = 64 };

struct copy {
    struct dl__buf *out;
    const struct dl__accessor *a;
    bool packed;
    const char *base; /* of the struct, a pointer */
    unsigned unions;  /* around the member */
    uint32_t start;   /* of what is copied, in the struct */
    unsigned loops;
};

static uint64_t leaf_count(const struct dl__type *type)
{
    uint64_t count = 0;

    if (type->kind == DL__T_ARRAY)
        return type->count * leaf_count(type->element);
    if (type->kind != DL__T_STRUCT)
        return 1;
    for (size_t i = 0; i < type->identity->field_count; i++)
        count += leaf_count(type->identity->fields[i].type);
    return count;
}

static void print_copy(struct copy *c, const struct dl__type *type, const char *member,
                       const char *loops, struct dl__spot spot);

static void print_assignment(struct copy *c, const char *member, const char *at)
{
    bool loads = c->a->kind == &dl__kinds.load;

    dl__buf_printf(c->out, "    %s = %s;\n", loads ? member : at, loads ? at : member);
}

static const char *wrapped(struct dl__arena *arena, const char *space, bool packed,
                           const char *type, const char *at)
{
    return dl__arena_format(arena, "((%s%s(%s) *)%s)->dl_v", space,
                            packed ? "DL_PACKED" : "DL_ALIASED", type, at);
}

/* The largest unit in which a leaf can be copied on both sides. */
static unsigned unit_of(const struct copy *c, const struct dl__struct *s,
                        struct dl_leaf leaf)
{
    unsigned unit = c->packed ? 1 : dl__struct_align(s);

    unit = unit > 16 ? 16 : unit;
    while (leaf.offset_bytes % unit || leaf.width_bytes % unit)
        unit /= 2;
    return unit;
}

const char *const dl__units[] = {[1] = "unsigned char",
                                 [2] = "unsigned short",
                                 [4] = "unsigned int",
                                 [8] = "uint2",
                                 [16] = "uint4"};

/* One unit of the struct's bytes, whatever they are. */
static void print_unit(struct copy *c, const char *loops, struct dl__spot spot,
                       unsigned unit)
{
    struct dl__arena *arena = c->out->arena;

    print_assignment(
        c,
        wrapped(arena, "", c->packed, dl__units[unit],
                dl__arena_format(arena, "((unsigned char *)%s + %u%s)", c->base,
                                 spot.offset_bytes - c->start, loops)),
        wrapped(arena, dl__arena_format(arena, "%s ", dl__space_name(c->a->space)),
                c->packed, dl__units[unit],
                spot_at(arena, c->a, spot, "unsigned char", unit)));
}

/* The padding [from, to) of a struct at `spot`. */
static void print_gap(struct copy *c, uint32_t from, uint32_t to, const char *loops,
                      struct dl__spot spot)
{
    spot.offset_bytes += from;
    for (uint32_t width; from < to; from += width, spot.offset_bytes += width) {
        width = gap_width(from, to);
        print_unit(c, loops, spot, width);
    }
}

/* A union whose members share leaves: its bytes are copied, whatever they are. */
static void print_bytes(struct copy *c, const struct dl__struct *s, const char *loops,
                        struct dl__spot spot)
{
    const struct dl__accessor *a = c->a;
    uint32_t first = spot.offset_bytes, end = first + s->bytes;

    for (size_t l = 0; l < a->leaf_count; l++) {
        struct dl_leaf leaf = a->leaves[l];
        uint32_t leaf_end = leaf.offset_bytes + leaf.width_bytes;
        unsigned unit = unit_of(c, s, leaf);

        /* Of a leaf that is wider than the union, what is the union's. */
        if (leaf_end <= first || leaf.offset_bytes >= end)
            continue;
        leaf_end = leaf_end < end ? leaf_end : end;
        spot.offset_bytes = leaf.offset_bytes > first ? leaf.offset_bytes : first;
        while (spot.offset_bytes % unit || end % unit)
            unit /= 2;
        for (; spot.offset_bytes < leaf_end; spot.offset_bytes += unit)
            print_unit(c, loops, spot, unit);
    }
}

/* True when its members lie on the same leaves: one of them stands for all. */
static bool lies_on_leaves(const struct copy *c, const struct dl__struct *s,
                           uint32_t offset_bytes)
{
    size_t first = 0;

    /* A part's accessor is made only where that is so. */
    for (size_t i = 0; i < s->field_count && c->a->leaves; i++) {
        struct dl__leaves member = {0};

        leaves_add(c->out->arena, s->fields[i].type,
                   offset_bytes + s->fields[i].offset_bytes, &member);
        for (size_t k = 0; k < member.count; k++) {
            struct dl_leaf leaf =
                dl__leaf_at(c->a->leaves, c->a->leaf_count, member.items[k].offset_bytes);

            if (leaf.offset_bytes != member.items[k].offset_bytes ||
                leaf.width_bytes != member.items[k].width_bytes)
                return false;
        }
        first = i ? first : member.count;
        if (member.count != first)
            return false;
    }
    return true;
}

static void print_struct(struct copy *c, const struct dl__struct *s, const char *member,
                         const char *loops, struct dl__spot spot)
{
    uint32_t end = 0;

    if (s->is_union && !lies_on_leaves(c, s, spot.offset_bytes)) {
        print_bytes(c, s, loops, spot);
        return;
    }
    c->unions += s->is_union;
    for (size_t i = 0; i < (s->is_union ? 1 : s->field_count); i++) {
        const struct dl__field *field = &s->fields[i];
        struct dl__spot inner = spot;

        print_gap(c, end, field->offset_bytes, loops, spot);
        inner.offset_bytes += field->offset_bytes;
        print_copy(c, field->type,
                   field->name[0]
                       ? dl__arena_format(c->out->arena, "%s.%s", member, field->name)
                       : member,
                   loops, inner);
        end = field->offset_bytes + field->type->bytes;
    }
    print_gap(c, end, s->bytes, loops, spot);
    c->unions -= s->is_union;
}

static void print_array(struct copy *c, const struct dl__type *type, const char *member,
                        const char *loops, struct dl__spot spot)
{
    struct dl__arena *arena = c->out->arena;
    uint32_t stride = type->element->bytes;
    const char *index;

    if (leaf_count(type) <= UNROLL_MAX) {
        for (uint64_t k = 0; k < type->count; k++, spot.offset_bytes += stride)
            print_copy(c, type->element,
                       dl__arena_format(arena, "%s[%u]", member, (unsigned)k), loops,
                       spot);
        return;
    }
    index = dl__arena_format(arena, "dl_l%u", c->loops++);
    dl__buf_printf(c->out, "    for (int %s = 0; %s < %u; %s++) {\n", index, index,
                   (unsigned)type->count, index);
    print_copy(
        c, type->element, dl__arena_format(arena, "%s[%s]", member, index),
        dl__arena_format(arena, "%s + %s * %u", loops, index, stride),
        spot_in_array(arena, c->a, spot, type, dl__arena_format(arena, " + %s", index)));
    dl__buf_puts(c->out, "    }\n");
}

static void print_copy(struct copy *c, const struct dl__type *type, const char *member,
                       const char *loops, struct dl__spot spot)
{
    struct dl__arena *arena = c->out->arena;
    bool packed = c->packed && type->bytes > 1;
    bool of_three = type->kind == DL__T_VECTOR && type->count == 3;
    bool is_aliased = packed || of_three || c->unions;
    const char *name, *at;

    if (type->kind == DL__T_STRUCT || type->kind == DL__T_ARRAY) {
        if (type->kind == DL__T_STRUCT)
            print_struct(c, type->identity, member, loops, spot);
        else
            print_array(c, type, member, loops, spot);
        return;
    }
    name = dl__type_text(type->name);
    if (of_three)
        name = dl__arena_format(arena, "%.*s4", (int)strlen(name) - 1, name);
    /* Without cl_khr_fp16 a half can't be assigned. */
    if (!strcmp(name, "half")) {
        name = "unsigned short";
        is_aliased = true;
    }
    if (strcmp(name, dl__type_text(type->name)) != 0)
        member = wrapped(arena, "", packed, name, dl__arena_format(arena, "&%s", member));
    at = spot_at(arena, c->a, spot, packed ? "unsigned char" : name, type->bytes);
    print_assignment(
        c, member,
        is_aliased
            ? wrapped(arena, dl__arena_format(arena, "%s ", dl__space_name(c->a->space)),
                      packed, name, at)
            : dl__arena_format(arena, "*%s", at));
}

static void copy_print(struct dl__buf *out, const struct dl__accessor *a)
{
    struct dl__spot spot = accessor_spot(out->arena, a);
    struct copy copy = {.out = out, .a = a, .start = spot.offset_bytes};
    /* By value it may lose bytes that are no member's on its way: it comes by a pointer,
     * as a whole. */
    bool open = dl__struct_has_open_bytes(a->type->identity);
    const char *type = a->type->name;

    copy.packed = dl__struct_is_packed(out->arena, a->element);
    copy.unions = dl__steps_cross_union(a->element, a->from, a->steps, a->step_count);
    copy.base = open ? "dl_s" : "&dl_s";
    dl__buf_printf(out, "static %s %s(%s const %s *dl_f, %s", open ? "void" : type,
                   a->name, dl__space_name(a->space), a->element->name,
                   accessor_place(a));
    accessor_print_formals(out, spot.index_count);
    dl__buf_printf(out,
                   open                         ? ", %s *dl_s)\n{\n"
                   : a->kind == &dl__kinds.load ? ")\n{\n    %s dl_s;\n"
                                                : ", %s dl_s)\n{\n",
                   type);
    print_copy(&copy, a->type, open ? "(*dl_s)" : "dl_s", "", spot);
    dl__buf_puts(out, open ? "}\n" : "    return dl_s;\n}\n");
}

/* The accessors that stand for vload and vstore: one element after the other. */

/* Where lane `lane` of the vector lies: in a struct an address, in a flat buffer a call.
 */
static const char *lane_at(struct dl__arena *arena, const struct dl__accessor *a,
                           struct dl__spot spot, unsigned lane, bool packed)
{
    const struct dl__vector_form *form = a->vector;
    unsigned bytes = a->type->bytes;
    const char **to;

    if (form->any)
        return dl__arena_format(arena,
                                "(%s %s *)%s(dl_f, %sdl_e + dl_o * %u + %u%s DL_PASS)",
                                dl__space_name(a->space), dl__type_text(form->view),
                                form->any->name, form->any->kind->before_index,
                                form->lanes, lane, form->any->kind->behind_index);
    spot.offset_bytes += lane * bytes;
    if (form->across)
        return spot_at(arena, a, spot, dl__type_text(form->view), bytes);
    to = *spot.within ? &spot.within : &spot.indices;
    *to = dl__arena_format(arena, "%s + dl_o * %u", *to, form->lanes * bytes);
    return spot_at(arena, a, spot, packed ? "unsigned char" : dl__type_text(form->view),
                   bytes);
}

static const char *lane_value(struct dl__arena *arena, const struct dl__accessor *a,
                              const char *at, const char *stored, bool packed)
{
    const struct dl__vector_form *form = a->vector;

    if (form->lane_builtin && stored)
        return dl__arena_format(arena, "%s(%s, 0, %s)", form->lane_builtin, stored, at);
    if (form->lane_builtin)
        return dl__arena_format(arena, "%s(0, %s)", form->lane_builtin, at);
    if (packed || form->across ||
        dl__steps_cross_union(a->element, NULL, a->steps, a->step_count) ||
        strcmp(form->view, a->type->name))
        at = dl__arena_format(arena, "((%s %s(%s) *)%s)->dl_v", dl__space_name(a->space),
                              packed ? "DL_PACKED" : "DL_ALIASED",
                              dl__type_text(form->view), at);
    else
        at = dl__arena_format(arena, form->any ? "*(%s)" : "*%s", at);
    return stored ? dl__arena_format(arena, "%s = %s", at, stored) : at;
}

static void vector_print(struct dl__buf *out, const struct dl__accessor *a)
{
    const struct dl__vector_form *form = a->vector;
    struct dl__spot spot = accessor_spot(out->arena, a);
    const char *space = dl__space_name(a->space);
    bool stores = a->kind == &dl__kinds.scatter, packed;

    spot.offset_bytes += form->start_bytes;
    packed = a->type->bytes > 1 && dl__struct_is_packed(out->arena, a->element);
    if (stores && form->value_last)
        dl__buf_printf(out, "static void %s(", a->name);
    else if (stores)
        dl__buf_printf(out, "static void %s(%s dl_v, ", a->name,
                       dl__type_text(form->value));
    else
        dl__buf_printf(out, "static %s %s(", dl__type_text(form->value), a->name);
    dl__buf_printf(out, "dl_index dl_o, %s const %s *dl_f, %s", space,
                   dl__type_text(a->element->name),
                   form->any ? form->any->kind->formals : accessor_place(a));
    accessor_print_formals(out, spot.index_count);
    if (form->value_last)
        dl__buf_printf(out, ", %s dl_v", dl__type_text(form->value));
    dl__buf_puts(out, ")\n{\n");
    if (form->by_struct)
        dl__buf_puts(out, "    dl_i += dl_o;\n");
    if (!stores)
        dl__buf_printf(out, "    return (%s)(", dl__type_text(form->value));
    for (unsigned lane = 0; lane < form->lanes; lane++) {
        const char *at = lane_at(out->arena, a, spot, lane, packed);
        const char *stored =
            form->lanes == 1
                ? "dl_v"
                : dl__arena_format(out->arena, "dl_v.s%c", "0123456789abcdef"[lane]);

        if (stores)
            dl__buf_printf(out, "    %s;\n",
                           lane_value(out->arena, a, at, stored, packed));
        else
            dl__buf_printf(out, "%s%s", lane ? ", " : "",
                           lane_value(out->arena, a, at, NULL, packed));
    }
    dl__buf_puts(out, stores ? "}\n" : ");\n}\n");
}

/* The accessors that stand for async_work_group_copy: the work-group's items copy
 * units of the leaves one by one, and meet at a barrier. */

struct block {
    struct dl__buf *out;
    const struct dl__accessor *a;
    const struct dl__vector_form *form;
    const char *space, *value;
    bool stores;
    unsigned row;      /* units in a struct or row; 0: dl_w */
    unsigned per;      /* units in what the program counts */
    unsigned unit;     /* bytes of one, in a struct */
    const char *place; /* formals that say where in the buffer */
};

static struct block block_of(struct dl__buf *out, const struct dl__accessor *a)
{
    const struct dl__vector_form *form = a->vector;
    struct block b = {.out = out,
                      .a = a,
                      .form = form,
                      .space = dl__space_name(a->space),
                      .value = dl__type_text(form->value),
                      .stores = a->kind == &dl__kinds.block_out,
                      .per = form->lanes,
                      .place = "dl_part dl_p"};

    if (form->any) {
        b.place = form->any->kind->formals;
        b.row = strstr(b.place, "dl_w") ? 0 : (unsigned)a->element->fields->type->count;
    } else {
        b.unit = form->start_bytes;
        b.row = a->element->bytes / b.unit;
    }
    return b;
}

/* Without tiles the program's own call copies. Its event is wanted with tiles, too. */
static void print_own_call(const struct block *b, const char *at, const char *count)
{
    const char *own = dl__arena_format(b->out->arena, "(__global %s%s *)%s",
                                       b->stores ? "" : "const ", b->value, at);

    dl__buf_printf(b->out, "    return %s(%s, %s, %s%s, dl_event);\n", b->form->builtin,
                   b->stores ? own : "dl_l", b->stores ? "dl_l" : own, count,
                   b->form->by_struct ? ", dl_stride" : "");
}

static void print_head(const struct block *b)
{
    struct dl__buf *out = b->out;
    const struct dl__accessor *any = b->form->any;
    const char *local = dl__arena_format(out->arena, "__local %s%s *dl_l",
                                         b->stores ? "const " : "", b->value);

    dl__buf_printf(out,
                   "static DL_INLINE event_t %s(%s%s%s const %s *dl_f, %s DL_FORMALS",
                   b->a->name, b->stores ? "" : local, b->stores ? "" : ", ", b->space,
                   dl__type_text(b->a->element->name), b->place);
    dl__buf_printf(out,
                   "%s%s, dl_index dl_n, %sevent_t dl_event)\n{\n#ifndef DL_TILING\n",
                   b->stores ? ", " : "", b->stores ? local : "",
                   b->form->by_struct ? "dl_index dl_stride, " : "");
    print_own_call(
        b,
        any ? dl__arena_format(out->arena, "%s(dl_f, %sdl_e%s)", any->name,
                               any->kind->before_index, any->kind->behind_index)
            : dl__arena_format(out->arena,
                               "((%s unsigned char *)(dl_f + dl_p.dl_i) + dl_p.dl_o)",
                               b->space),
        "dl_n");
}

/* Where unit dl_k of the copy lies in the buffer. */
static const char *unit_at(const struct block *b)
{
    struct dl__arena *arena = b->out->arena;
    const char *number = "dl_k";

    if (b->form->by_struct)
        number = dl__arena_format(arena, "dl_k / %u * dl_stride * %u + dl_k %% %u",
                                  b->per, b->per, b->per);
    if (b->form->any)
        return dl__arena_format(arena, "%s(dl_f, %sdl_e + (%s)%s DL_PASS)",
                                b->form->any->name, b->form->any->kind->before_index,
                                number, b->form->any->kind->behind_index);
    dl__buf_printf(b->out,
                   "            dl_index dl_b = dl_p.dl_o + (%s) * %u;\n"
                   "            dl_index dl_o = dl_b %% %u;\n",
                   number, b->unit, b->a->element->bytes);
    spot_print_leaf(b->out, b->a, "            ");
    return dl__arena_format(
        arena,
        "(%sunsigned char, dl_f, dl_p.dl_i + dl_b / %u, %u, dl_o - dl_r, dl_w) + dl_r)",
        accessor_at_macro(b->a->space, false), b->a->element->bytes,
        b->a->element->bytes);
}

/* Neighbouring items take neighbouring structs or rows, whose leaves are neighbours in a
 * tile, where there are enough of them. */
static void block_print(struct dl__buf *out, const struct dl__accessor *a)
{
    struct block block = block_of(out, a), *b = &block;
    const char *row =
        b->row ? dl__arena_format(out->arena, "%u", b->row) : "(dl_w + (dl_w == 0))";
    const char *at, *global, *local;

    print_head(b);
    if (b->form->by_struct)
        row = "1"; /* whole structs apart, they are neighbours as they come */
    dl__buf_printf(
        out,
        "#else\n"
        "    dl_index dl_t = get_local_id(0) + get_local_size(0) * (get_local_id(1) + "
        "get_local_size(1) * get_local_id(2));\n"
        "    dl_index dl_z = get_local_size(0) * get_local_size(1) * "
        "get_local_size(2);\n"
        "    dl_index dl_units = dl_n * %u;\n"
        "    dl_index dl_turns = dl_units >= dl_z * %s ? %s : 1;\n\n"
        "    for (dl_index dl_c = 0; dl_c < dl_turns; dl_c++) {\n"
        "        for (dl_index dl_k = dl_c + dl_t * dl_turns; dl_k < dl_units; dl_k += "
        "dl_z * dl_turns) {\n",
        b->per, row, row);
    at = unit_at(b);
    global = dl__arena_format(out->arena, "((%s DL_ALIASED(%s) *)%s)->dl_v", b->space,
                              b->form->view, at);
    local = dl__arena_format(out->arena, "((__local %sDL_ALIASED(%s) *)dl_l)[dl_k].dl_v",
                             b->stores ? "const " : "", b->form->view);
    dl__buf_printf(out,
                   "            %s = %s;\n"
                   "        }\n"
                   "    }\n"
                   "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n",
                   b->stores ? global : local, b->stores ? local : global);
    print_own_call(b, "dl_f", "0");
    dl__buf_puts(out, "#endif\n}\n");
}

static struct dl__flat flat_of(const struct dl__accessor *a)
{
    return (struct dl__flat){.type = dl__type_text(a->element->name),
                             .space = dl__space_name(a->space),
                             .name = a->name,
                             .at_macro = accessor_at_macro(a->space, false),
                             .width = (unsigned)a->element->fields->type->count,
                             .element_bytes = a->type->bytes};
}

/* The head of an accessor with these arguments after the buffer, up to the body of its
 * tilings; `whole` is the element's index. */
static void flat_print_head(struct dl__buf *out, const struct dl__flat *f,
                            const char *arguments, const char *whole)
{
    dl__buf_printf(out,
                   "static %s %s *%s(%s const %s *dl_f, %s DL_FORMALS)\n{\n"
                   "#ifndef DL_TILING\n"
                   "    return (%s %s *)dl_f + %s;\n"
                   "#else\n",
                   f->space, f->type, f->name, f->space, f->type, arguments, f->space,
                   f->type, whole);
}

static void print_any(struct dl__buf *out, const struct dl__accessor *a)
{
    const struct dl__flat made = flat_of(a), *f = &made;

    flat_print_head(out, f, "dl_index dl_e", "dl_e");
    dl__buf_printf(out,
                   "    dl_index dl_i = dl_e / %u;\n\n"
                   "    if (dl_i >= dl_head + dl_tail)\n"
                   "        return (%s %s *)dl_f + (dl_signed)dl_e;\n"
                   "    return %s%s, dl_f, dl_i, %u, dl_e %% %u * %u, %u);\n"
                   "#endif\n}\n",
                   f->width, f->space, f->type, f->at_macro, f->type,
                   f->width * f->element_bytes, f->width, f->element_bytes,
                   f->element_bytes);
}

/* ---- The accessors of flat buffers of rows, whose width comes with the call. ---- */

#define FORMALS "dl_index dl_i, dl_index dl_e, dl_index dl_w"

static void row_print(struct dl__buf *out, const struct dl__accessor *a);

/* Of parts that are a row's where the offset lies in it; of an index that wraps at 2^32.
 */
static const struct dl__accessor_kind row_plain = {.ending = "", .print = row_print},
                                      row_uint = {.ending = "_uint", .print = row_print};

/* An element that is not in its row, which the compiler can often tell from the loop
 * around it, is looked up by its index. Parts that could have wrapped need not be a
 * row's. What lies after the last whole row, or in front of the first, is where it was.
 */
static void row_print(struct dl__buf *out, const struct dl__accessor *a)
{
    const struct dl__flat made = flat_of(a), *f = &made;
    bool wraps = a->kind == &row_uint, is_constant = f->width > 1;
    const char *at = is_constant
                         ? f->at_macro
                         : dl__arena_format(out->arena, "DL_ROW_AT(%s, ", f->space);

    flat_print_head(out, f, FORMALS,
                    wraps ? "(unsigned int)(dl_i * dl_w + dl_e)"
                          : "(dl_i * dl_w + dl_e)");
    if (is_constant)
        dl__buf_printf(out, "    dl_w = %u;\n", f->width);
    dl__buf_printf(out,
                   "    if (%sdl_e >= dl_w%s) {\n"
                   "        dl_e = %s(dl_i * dl_w + dl_e);\n"
                   "        dl_i = dl_e / dl_w;\n"
                   "        if (dl_i >= dl_head + dl_tail)\n"
                   "            return (%s %s *)dl_f + (dl_signed)dl_e;\n"
                   "        dl_e -= dl_i * dl_w;\n"
                   "    }\n"
                   "    return %s%s, dl_f, dl_i, dl_w * %u, dl_e * %u, %u);\n"
                   "#endif\n}\n",
                   a->kind == &row_plain ? "" : "dl_i >= dl_head + dl_tail || ",
                   wraps ? " || dl_i * dl_w + dl_e > 0xffffffffu" : "",
                   wraps ? "(unsigned int)" : "", f->space, f->type, at, f->type,
                   f->element_bytes, f->element_bytes, f->element_bytes);
}

static void print_inside(struct dl__buf *out, const struct dl__accessor *a)
{
    const struct dl__flat made = flat_of(a), *f = &made;

    flat_print_head(out, f, "dl_index dl_i, dl_index dl_e",
                    dl__arena_format(out->arena, "(dl_i * %u + dl_e)", f->width));
    dl__buf_printf(out,
                   "    return %s%s, dl_f, dl_i, %u, dl_e * %u, %u);\n"
                   "#endif\n}\n",
                   f->at_macro, f->type, f->width * f->element_bytes, f->element_bytes,
                   f->element_bytes);
}

/* The accessors of discrete arrays, element dl_e of array dl_i, whose length dl_w
 * comes with the call. In tiles, the arrays are the leaves of structs. */

/* dl_tail is how many arrays there are. dl_head is 0 where the buffer is in the program's
 * own layout: a launch says so of each buffer, and then dl_w may be anything. Most
 * elements are in a whole tile, and in the array that they are counted from: one
 * comparison. All others are looked up by their index; one that is in none of the arrays
 * is where it was. */
static void array_print(struct dl__buf *out, const struct dl__accessor *a)
{
    const struct dl__flat made = flat_of(a), *f = &made;
    bool wraps = a->kind == &array_uint;
    const char *whole =
        wraps ? "(unsigned int)(dl_i * dl_w + dl_e)" : "(dl_i * dl_w + dl_e)";
    const char *arrays =
        f->width > 1 ? dl__arena_format(out->arena, "%u", f->width) : "dl_arrays";

    flat_print_head(out, f, FORMALS, whole);
    if (f->width <= 1)
        dl__buf_puts(out, "    dl_index dl_arrays = dl_tail;\n\n");
    dl__buf_printf(out,
                   "    if (dl_e < dl_head && dl_i < %s%s)\n"
                   "        return DL_HEAD_AT(%s, %s, dl_f, dl_e, %s * %u, dl_i * %u, "
                   "%u);\n"
                   "    dl_e = %s;\n"
                   "    dl_i = dl_head ? dl_e / dl_w : %s;\n"
                   "    if (dl_i >= %s)\n"
                   "        return (%s %s *)dl_f + (dl_signed)dl_e;\n"
                   "    dl_e -= dl_i * dl_w;\n"
                   "    dl_tail = dl_w - dl_head;\n"
                   "    return %s%s, dl_f, dl_e, %s * %u, dl_i * %u, %u);\n"
                   "#endif\n}\n",
                   arrays, wraps ? " && dl_i * dl_w + dl_e <= 0xffffffffu" : "", f->space,
                   f->type, arrays, f->element_bytes, f->element_bytes, f->element_bytes,
                   whole, arrays, arrays, f->space, f->type, f->at_macro, f->type, arrays,
                   f->element_bytes, f->element_bytes, f->element_bytes);
}

/* The same without a branch, for a length that the text has as a constant, so that to
 * divide by it is cheap. Elements narrower than 4 bytes are widened as soon as they are
 * loaded, and what stands behind a branch waits for that: 19 loads of a cell took twice
 * as long on an H200. The select is of elements, which need 32 bits where bytes need 64,
 * and is made by an element's index, which needs no division. Arrays on CPUs keep the
 * branch, which their vectors rely on. */
static void array_narrow_print(struct dl__buf *out, const struct dl__accessor *a)
{
    const struct dl__flat made = flat_of(a), *f = &made;

    dl__buf_puts(out, "#if defined DL_TILING && !defined DL_ARRAYS\n");
    dl__buf_printf(
        out,
        "static %s %s *%s(%s const %s *dl_f, %s DL_FORMALS)\n{\n"
        "    dl_index dl_arrays = %s, dl_at = dl_i * dl_w + dl_e;\n"
        "    dl_signed dl_n = dl_w ? dl_w : 1, dl_by = (dl_signed)dl_e / dl_n;\n\n"
        "    dl_by -= (dl_signed)dl_e %% dl_n < 0;\n"
        "    dl_e -= dl_by * dl_n;\n"
        "    return (%s %s *)dl_f +\n"
        "           (dl_signed)(dl_at < (dl_head ? dl_arrays * dl_w : 0)\n"
        "                           ? DL_FORMULA_OF(DL_TILING, _at)(\n"
        "                                 dl_e, dl_arrays, dl_i + dl_by, 1, DL_TILE,\n"
        "                                 dl_head, dl_w - dl_head)\n"
        "                           : dl_at);\n"
        "}\n#else\n",
        f->space, f->type, f->name, f->space, f->type, FORMALS,
        f->width > 1 ? dl__arena_format(out->arena, "%u", f->width) : "dl_tail", f->space,
        f->type);
    array_print(out, a);
    dl__buf_puts(out, "#endif\n");
}

static const struct dl__accessor_kind array_uint = {.ending = "_array_uint",
                                                    .print = array_print};

/* ---- all kinds ---- */

const struct dl__accessor_kinds dl__kinds = {
    .address = {.ending = "", .print = print},
    .packed = {.ending = "", .wrapper = "DL_PACKED", .print = print},
    .aliased = {.ending = "", .wrapper = "DL_ALIASED", .print = print},
    .load = {.ending = "_load", .copies = true, .print = copy_print},
    .store = {.ending = "_store", .copies = true, .print = copy_print},
    .gather = {.ending = "", .print = vector_print},
    .scatter = {.ending = "", .print = vector_print},
    .block_in = {.ending = "", .print = block_print},
    .block_out = {.ending = "", .print = block_print},
    .any = {.ending = "_any",
            .print = print_any,
            .formals = "dl_index dl_e",
            .before_index = "",
            .behind_index = ""},
    .row_inside = {.ending = "_in", .print = print_inside},
    .row_wide = {.ending = "_wide",
                 .print = row_print,
                 .formals = FORMALS,
                 .before_index = "dl_i, ",
                 .behind_index = ", dl_w"},
    .array = {.ending = "_array",
              .print = array_print,
              .formals = FORMALS,
              .before_index = "dl_i, ",
              .behind_index = ", dl_w"},
    .array_narrow = {.ending = "_array_narrow", .print = array_narrow_print},
    .rows = {&row_plain, &dl__kinds.row_wide, &row_uint},
    .arrays = {&dl__kinds.array, &dl__kinds.array, &array_uint},
};
