/* SPDX-License-Identifier: MIT */
/* One function of a kernel: its variables, its body, and the copies that calls of it get.
 */
#include "annotate/walk/function.h"

#include <string.h>

#include "annotate/forms/index.h"
#include "annotate/text/lex.h"
#include "annotate/text/limits.h"
#include "annotate/track/context.h"
#include "annotate/track/form.h"
#include "annotate/track/leaf_pointer.h"
#include "annotate/track/unit.h"
#include "annotate/track/place.h"

/* ---- variables ---- */

static struct dl__variable *add_variable(struct dl__unit *u, enum dl__variable_kind kind,
                                         size_t declared_at, const char *name,
                                         struct dl__root *root)
{
    struct dl__variable *v = DL__NEW(u->tracker->arena, struct dl__variable);

    v->kind = kind;
    v->declared_at = declared_at;
    v->name = name;
    v->root = root;
    v->next = u->variables;
    u->variables = v;
    return v;
}

/* A private array of pointers that are set one by one. */
static bool is_pointer_array(struct dl__unit *u, const struct dl__node *n,
                             const struct dl__type *type)
{
    struct dl__lexer lexer = {
        .text = u->tracker->ast->text, .bytes = n->end, .offset = n->parent->begin};
    bool is_private = type->kind == DL__T_ARRAY && type->element->kind == DL__T_POINTER;
    struct dl__token t;

    while (is_private && (t = dl__lex_next(&lexer)).kind != DL__END)
        is_private = !dl__token_is(&t, "__local") && !dl__token_is(&t, "local") &&
                     !(dl__token_is(&t, "=") && t.offset > n->name_at);
    return is_private;
}

/* Adds the local pointers that may come to point into a buffer, without a root yet. */
static void find_candidates(struct dl__unit *u, struct dl__node *n)
{
    if (n->kind == DL__N_VARIABLE) {
        const struct dl__type *type = dl__type_of(u, n);
        bool is_array = is_pointer_array(u, n, type);

        for (size_t i = 0; i < u->root_count; i++)
            if (!strcmp(n->name, u->roots[i].name))
                dl__refuse(u, n->name_at, "the name '%s' is declared again", n->name);
        type = is_array ? type->element : type;
        for (size_t i = 0; i < u->root_count && type->kind == DL__T_POINTER; i++) {
            if (dl__is_element(&u->roots[i], type->element) || u->roots[i].form->null) {
                struct dl__variable *v =
                    add_variable(u, DL__INDEX, n->declared_at, n->name, NULL);

                v->pointee = type->element;
                v->is_array = is_array;
                break;
            }
        }
    }
    for (size_t i = 0; i < n->child_count; i++)
        find_candidates(u, n->children[i]);
}

static bool give_root(struct dl__unit *u, struct dl__variable *v, struct dl__node *source)
{
    struct dl__root *root = dl__root_of(u, source), *far;
    struct dl__node *chosen = dl__strip(source);

    /* best = c ? best : p: that the other is no other is seen when it is rewritten. */
    if (!root && chosen->kind == DL__N_CONDITIONAL && chosen->child_count == 3) {
        bool changed = give_root(u, v, chosen->children[1]);

        return give_root(u, v, chosen->children[2]) || changed;
    }
    /* C lets a pointer become one of another type. */
    if (!root || v->root == root || !dl__is_element(root, v->pointee) ||
        (root->is_part && v->pointee->is_volatile) ||
        (v->is_array && (root->form->edit_base || root->is_part || root->is_far)))
        return false;
    far = !v->root ? root : v->is_array ? NULL : dl__far_of(u, v->root, root);
    if (!far)
        dl__refuse(u, source->begin, "'%s' can point into '%s' and into '%s'", v->name,
                   v->root->name, root->name);
    root = v->root;
    v->root = far;
    return root != far;
}

/* The same of a parameter, which points into its own buffer to begin with. */
static bool give_parameter_root(struct dl__unit *u, struct dl__variable *v,
                                struct dl__node *source)
{
    struct dl__root *root = dl__root_of(u, source), *before = v->root;
    struct dl__root *far = root && root != before ? dl__far_of(u, before, root) : NULL;

    if (far)
        v->root = far;
    return v->root != before;
}

/* Gives candidates the root of what they are set from; true when one changed. */
static bool spread_roots(struct dl__unit *u, struct dl__node *n)
{
    bool changed = false;
    struct dl__variable *v = NULL;

    if (n->kind == DL__N_VARIABLE && n->child_count) {
        for (v = u->variables; v && v->declared_at != n->declared_at;)
            v = v->next;
        if (v && v->kind == DL__INDEX)
            changed |= give_root(u, v, n->children[n->child_count - 1]);
    } else if (n->kind == DL__N_BINARY && dl__op_is(n, "=") && n->child_count == 2) {
        v = dl__variable_of(u, dl__strip(n->children[0]));
        if (v && v->kind == DL__INDEX)
            changed |= give_root(u, v, n->children[1]);
        else if (v && v->kind == DL__ROOT)
            changed |= give_parameter_root(u, v, n->children[1]);
    }
    for (size_t i = 0; i < n->child_count; i++)
        changed |= spread_roots(u, n->children[i]);
    return changed;
}

static void find_changed_roots(struct dl__unit *u, struct dl__node *n)
{
    if ((dl__is_assignment(n) || dl__is_step(n)) && n->child_count) {
        struct dl__variable *v = dl__variable_of(u, dl__strip(n->children[0]));

        if (v && v->kind == DL__ROOT)
            v->root->has_index = true;
    }
    for (size_t i = 0; i < n->child_count; i++)
        find_changed_roots(u, n->children[i]);
}

static void find_leaf_variables(struct dl__unit *u, struct dl__node *n)
{
    if (n->kind == DL__N_VARIABLE && n->child_count) {
        const struct dl__type *type = dl__type_of(u, n);
        const struct dl__variable *v = u->variables;

        while (v && v->declared_at != n->declared_at)
            v = v->next;
        if (!v && type->kind == DL__T_POINTER &&
            !dl__root_of(u, n->children[n->child_count - 1]) &&
            dl__is_leaf_pointer(u, n->children[n->child_count - 1]))
            add_variable(u, DL__LEAF, n->declared_at, n->name, NULL)->leaf_bytes =
                type->element->bytes;
    }
    for (size_t i = 0; i < n->child_count; i++)
        find_leaf_variables(u, n->children[i]);
}

static void find_variables(struct dl__unit *u, struct dl__node *body)
{
    struct dl__variable **link;

    for (size_t i = 0; i < u->root_count; i++) {
        const struct dl__parameter *p = &u->function->parameters[u->roots[i].parameter];

        add_variable(u, DL__ROOT, p->name_at, p->name,
                     u->roots[i].first ? u->roots[i].first : &u->roots[i]);
    }
    find_candidates(u, body);
    find_changed_roots(u, body);
    do
        while (spread_roots(u, body))
            ;
    while (!u->new_name && dl__find_contexts(u, body));
    /* What never pointed into a buffer is none of ours. */
    for (link = &u->variables; *link;) {
        if ((*link)->root)
            link = &(*link)->next;
        else
            *link = (*link)->next;
    }
    find_leaf_variables(u, body);
    dl__find_array_pointers(u, body);
    dl__find_single_parts(u, body);
}

/* ---- units ---- */

/* A copy's parameter points to where the buffer is. OpenCL C 2.0 lets a helper leave that
 * open. */
static void edit_space(struct dl__unit *u, const struct dl__root *root,
                       const struct dl__parameter *p)
{
    struct dl__lexer lexer = {
        .text = u->tracker->ast->text, .bytes = p->name_at, .offset = p->begin};
    bool is_pointer = dl__text_at(u, dl__skip(u, p->name_at + strlen(p->name))) == '[';
    struct dl__token t, said = {0};

    if (p->type->address_space == DL__GLOBAL || p->type->address_space == DL__CONSTANT)
        return;
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        is_pointer |= dl__token_is(&t, "*");
        if (dl__token_is(&t, "__generic") || dl__token_is(&t, "generic"))
            said = t;
    }
    if (!is_pointer)
        dl__refuse(u, p->begin, "the generic pointer '%s' is declared through a typedef",
                   p->name);
    dl__replace(u, said.bytes ? said.offset : p->begin,
                said.bytes ? said.offset + said.bytes : p->begin,
                dl__format(u, "%s%s",
                           dl__space_name(root->space & ~(unsigned)DL__VOLATILE),
                           said.bytes ? "" : " "));
}

/* The copy of a kernel that another kernel calls is a function like others. */
static void edit_kernel_word(struct dl__unit *u)
{
    const struct dl__function *f = u->function;
    struct dl__lexer lexer = {
        .text = u->tracker->ast->text, .bytes = f->name_at, .offset = f->item_at};
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (dl__token_is(&t, "__attribute__"))
            dl__refuse(u, t.offset, "the kernel '%s', which is called, has attributes",
                       f->name);
        if (dl__is_kernel_word(&t))
            dl__replace(u, t.offset, t.offset + t.bytes, "");
    }
}

/* A copy is inlined where that matters (DL_INLINE), whatever is said of the helper. */
static void edit_noinline(struct dl__unit *u)
{
    const struct dl__function *f = u->function;
    struct dl__lexer lexer = {
        .text = u->tracker->ast->text, .bytes = f->body_at, .offset = f->item_at};
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        if (dl__token_is(&t, "noinline") || dl__token_is(&t, "__noinline__"))
            dl__replace(u, t.offset, t.offset + t.bytes, "unused");
}

/* The parameter of a copy that the helper has not: a buffer that is handed on in a
 * struct. */
static const char *context_parameter(struct dl__unit *u, const struct dl__root *root)
{
    return root->parameter < u->copied->parameter_count
               ? ""
               : dl__format(u, ", %s %s *%s", dl__space_name(root->space),
                            dl__type_text(root->element_type->name), root->name);
}

static void edit_head(struct dl__unit *u)
{
    struct dl__function *f = u->function;

    for (size_t i = 0; i < u->root_count && u->new_name; i++)
        edit_space(u, &u->roots[i], &f->parameters[u->roots[i].parameter]);
    for (size_t i = 0; i < u->root_count; i++) {
        const struct dl__parameter *p = &f->parameters[u->roots[i].parameter];

        if (u->new_name)
            dl__replace(u, p->end, p->end,
                        dl__format(u, "%s%s", context_parameter(u, &u->roots[i]),
                                   u->roots[i].form->parameters(u, &u->roots[i])));
        else
            dl__replace(u, f->close_at, f->close_at,
                        dl__format(u, " DL_PARAMS(%s)", p->name));
    }
    for (size_t i = 0; i < u->root_count && !u->new_name; i++) {
        const char *entry = u->roots[i].form->entry(u, &u->roots[i]);

        if (*entry)
            dl__replace(u, f->body_at + 1, f->body_at + 1, entry);
    }
    for (size_t i = 0; i < u->root_count; i++) {
        const char *entry = dl__far_entry(u, &u->roots[i]);

        if (*entry)
            dl__replace(u, f->body_at + 1, f->body_at + 1, entry);
    }
    if (u->new_name) {
        const char *word = u->tracker->lacks_static ? "" : "static DL_INLINE ";

        if (u->returned)
            dl__replace(u, f->item_at, f->name_at,
                        dl__format(u, "%s%s ", word,
                                   u->returned->is_part  ? "dl_part"
                                   : u->returned->is_far ? "dl_far"
                                                         : "dl_index"));
        else
            dl__replace(u, f->item_at, f->item_at, f->is_static ? "DL_INLINE " : word);
        if (f->is_kernel)
            edit_kernel_word(u);
        if (!u->returned)
            edit_noinline(u);
        dl__replace(u, f->name_at, f->name_at + strlen(f->name), u->new_name);
    }
}

/* What is written through a pointer to a part is written. */
static void settle_written(struct dl__unit *u)
{
    bool far = false;

    for (const struct dl__root *p = u->far; p; p = p->next_part)
        far |= p->written;
    for (size_t i = 0; i < u->root_count; i++)
        u->roots[i].written |= far && u->roots[i].is_joined;
    for (size_t i = 0; i < u->root_count; i++)
        for (const struct dl__root *p = u->roots[i].parts; p; p = p->next_part)
            u->roots[i].written |= p->written;
}

static bool is_copied_call(const struct dl__unit *u, const struct dl__node *n)
{
    for (size_t i = 0; i < u->calls.count; i++)
        if (u->calls.items[i].node == n)
            return true;
    return false;
}

/* A copy that stands before the kernel can use nothing that is declared only between that
 * and the helper. Types see to themselves: the rewritten text would not parse. */
static void check_scope(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__function *f = u->function;
    bool is_callee = n->parent && n->parent->kind == DL__N_CALL &&
                     n->parent->children[0] == n && is_copied_call(u, n->parent);

    if ((n->kind == DL__N_CALL || n->kind == DL__N_NAME) && !is_callee &&
        !is_copied_call(u, n) && n->declared_at != SIZE_MAX &&
        n->declared_at > u->tracker->kernel_at &&
        (n->declared_at < f->item_at || n->declared_at >= f->body_end))
        dl__refuse(
            u, n->begin,
            "'%s' uses '%s', which is declared after the kernel; declare it before",
            f->name, n->name);
    for (size_t i = 0; i < n->child_count; i++)
        check_scope(u, n->children[i]);
}

void dl__track_function(struct dl__unit *u)
{
    struct dl__function *f = u->function;
    struct dl__node *body;

    u->busy = true;
    if (!setjmp(u->refuse)) {
        for (size_t i = 0; i < u->root_count; i++) {
            const struct dl__parameter *p = &f->parameters[u->roots[i].parameter];

            if ((u->roots[i].space & ~(unsigned)DL__VOLATILE) != DL__GLOBAL &&
                u->roots[i].space != DL__CONSTANT)
                dl__refuse(u, p->begin,
                           "'%s' does not point to __global or __constant memory",
                           p->name);
        }
        body = dl__ast_body(u->tracker->ast, f);
        find_variables(u, body);
        u->returned = u->new_name ? dl__returned_root(u) : NULL;
        edit_head(u);
        dl__walk(u, body);
        settle_written(u);
        if (u->is_ahead)
            check_scope(u, body);
        if (!dl__edits_finish(&u->edits))
            dl__refuse(u, f->name_at, "the rewritten forms in '%s' overlap", f->name);
    }
    u->busy = false;
}

/* ---- Copies of helpers, one for each set of parameters that point into buffers. ---- */

/* True when a call gives the buffer itself for a parameter that stays what it was. */
static bool stays_at_base(struct dl__unit *u, struct dl__node *n, struct dl__function *f,
                          size_t parameter)
{
    struct dl__unit *inside = DL__NEW(u->tracker->arena, struct dl__unit);
    struct dl__node *declaration;

    inside->tracker = u->tracker;
    inside->function = f;
    return f->result->kind != DL__T_POINTER && parameter + 1 < n->child_count &&
           dl__is_base(u, n->children[parameter + 1]) &&
           !dl__is_changed(inside, f->parameters[parameter].name_at, &declaration);
}

/* The helper's parameters as roots of their own. */
static struct dl__root *roots_for(struct dl__unit *u, struct dl__node *n,
                                  struct dl__function *f, struct dl__root **by_parameter,
                                  size_t *count)
{
    struct dl__root *roots =
        dl__arena_alloc(u->tracker->arena, f->parameter_count * sizeof *roots);

    for (size_t i = 0; i < f->parameter_count && i < 64; i++) {
        const struct dl__root *of = by_parameter[i];
        struct dl__root *root;

        if (!of)
            continue;
        if (f->parameters[i].type->kind != DL__T_POINTER ||
            !dl__is_element(of, f->parameters[i].type->element) ||
            !f->parameters[i].name[0])
            dl__refuse(u, n->begin, "'%s' takes '%s' as a pointer of another type",
                       f->name, of->name);
        root = &roots[(*count)++];
        *root = *of;
        root->parameter = i;
        root->name = f->parameters[i].name;
        root->written = false;
        root->is_at_base = of->form->edit_base && stays_at_base(u, n, f, i);
        root->has_index = !root->is_at_base;
        root->space |= f->parameters[i].type->element->is_volatile ? DL__VOLATILE : 0u;
        root->first = NULL;
        /* Whichever buffer it is, there it is one; another argument may be another. */
        root->is_far = root->is_joined = root->is_cast = false;
        for (size_t k = *count - 1; k-- && of->form->null && !of->is_far;)
            if (by_parameter[roots[k].parameter] == of)
                root->first = &roots[k];
        root->owner = root->parts = root->next_part = NULL;
        if (of->form->shape_parameters)
            root->shape_parameters = of->form->shape_parameters(u, of, n, f);
    }
    return roots;
}

/* The buffers that the caller's structs have, behind the helper's own parameters. */
static struct dl__function *add_contexts(struct dl__unit *u, struct dl__node *n,
                                         struct dl__function *f,
                                         struct dl__root **by_parameter)
{
    if (!dl__takes_contexts(u, f))
        return f;
    if (f->parameter_count + u->contexts.count > 64)
        dl__refuse(u, n->begin, "'%s' has too many parameters", f->name);
    for (size_t i = 0; i < u->contexts.count; i++)
        by_parameter[f->parameter_count + i] = u->contexts.items[i].root;
    return dl__with_contexts(u, f);
}

/* What these are in the copy. */
static void give_contexts(const struct dl__unit *u, struct dl__unit *c)
{
    for (size_t i = 0; i < c->root_count; i++) {
        size_t at = c->roots[i].parameter;
        struct dl__context context;

        if (at < c->copied->parameter_count)
            continue;
        context = u->contexts.items[at - c->copied->parameter_count];
        context.root = &c->roots[i];
        context.declared_at = c->function->parameters[at].name_at;
        DL__PUSH(u->tracker->arena, &c->contexts, context);
    }
}

static bool same_contexts(const struct dl__unit *u, const struct dl__unit *c)
{
    for (size_t i = 0; i < c->contexts.count; i++)
        if (u->contexts.count != c->contexts.count ||
            u->contexts.items[i].type != c->contexts.items[i].type ||
            u->contexts.items[i].is_moved != c->contexts.items[i].is_moved ||
            strcmp(u->contexts.items[i].member, c->contexts.items[i].member) != 0)
            return false;
    return true;
}

static bool same_roots(const struct dl__unit *c, const struct dl__root *roots,
                       size_t count)
{
    bool same = c->root_count == count;

    for (size_t i = 0; same && i < count; i++)
        same = c->roots[i].parameter == roots[i].parameter &&
               c->roots[i].form == roots[i].form &&
               c->roots[i].element == roots[i].element &&
               c->roots[i].is_part == roots[i].is_part &&
               c->roots[i].is_at_base == roots[i].is_at_base &&
               !c->roots[i].first == !roots[i].first &&
               (!roots[i].first ||
                c->roots[i].first->parameter == roots[i].first->parameter) &&
               c->roots[i].is_single == roots[i].is_single &&
               dl__is_element(&c->roots[i], roots[i].element_type) &&
               c->roots[i].space == roots[i].space &&
               c->roots[i].shape_parameters == roots[i].shape_parameters;
    return same;
}

struct dl__unit *dl__clone_for(struct dl__unit *u, struct dl__node *n,
                               struct dl__function *f, struct dl__root **by_parameter)
{
    struct dl__tracker *t = u->tracker;
    struct dl__unit **link = &t->clones, *c;
    struct dl__function *g;
    struct dl__root *roots;
    size_t count = 0;

    if (!f->is_defined)
        dl__refuse(u, n->begin, "'%s' takes a pointer into a buffer but has no body here",
                   f->name);
    g = add_contexts(u, n, f, by_parameter);
    roots = roots_for(u, n, g, by_parameter, &count);
    /* What can't stand before one kernel can stand before another. */
    while ((c = *link) != NULL && !(c->copied == f && same_roots(c, roots, count) &&
                                    same_contexts(u, c) && !(c->is_ahead && c->refused)))
        link = &c->next;
    if (!c) {
        if (t->depth >= DL__CLONE_DEPTH_MAX)
            dl__refuse(u, n->begin, "helpers call each other too deeply");
        c = DL__NEW(t->arena, struct dl__unit);
        c->tracker = t;
        c->function = g;
        c->copied = f;
        c->roots = roots;
        c->root_count = count;
        give_contexts(u, c);
        c->is_ahead = f->item_at > t->kernel_at;
        c->new_name = dl__name_make(&t->accessors.names, t->arena, f->name);
        *link = c;
        t->depth++;
        dl__track_function(c);
        t->depth--;
    }
    if (c->busy)
        dl__refuse(u, n->begin, "'%s' calls itself", f->name);
    if (c->refused)
        dl__refuse(u, c->refused_at, "%s", c->reason);
    for (size_t i = 0; i < count; i++) {
        by_parameter[c->roots[i].parameter]->written |= c->roots[i].written;
        by_parameter[c->roots[i].parameter]->is_joined |= c->roots[i].is_joined;
    }
    DL__PUSH(t->arena, &u->calls, ((struct dl__clone_call){n, c}));
    for (size_t i = 0; i < u->clones.count; i++)
        if (u->clones.items[i] == c)
            return c;
    DL__PUSH(t->arena, &u->clones, c);
    return c;
}
