/* SPDX-License-Identifier: MIT */
/* Macros that expanders get wrong, for test_preprocess.c. Not compiled. */
#define object 1 + 2
#define f(x) [x]
#define g f
#define h(x, y) x##y
#define str(x) #x
#define xstr(x) str(x)
#define empty
#define recursive recursive + 1
#define ping pong
#define pong ping
#define self(x) x self(x)
#define two(a, b) a | b
#define comma ,
#define lparen (
#define call(m, ...) m(__VA_ARGS__)
#define gnu(fmt, args...) p(fmt, ##args)
#define va(...) v(__VA_ARGS__)
#define opt(a, ...) o(a, ##__VA_ARGS__)
#define nothing()
#define glue(a, b) a##b
#define xglue(a, b) glue(a, b)
#define paste3(a, b, c) a##b##c
#define neg -1
#define nested(x) f(f(x))
#define obj_paste x##y
#define late(x) x EARLY
#define EARLY early
#define name(x) x##_t #x

object;
f(object);
g(1);
g(2);
g(3);
g;
f;
f();
f((1, 2));
nested(nested(4));
h(a, b) h(, b) h(a, ) h(, ) h(1, 2) h(ob, ject);
str(a "b\n" 'c' d) xstr(object) str() xstr(f(1)) str("\\");
empty;
empty empty x empty;
f(empty) f(empty empty);
recursive;
ping;
pong;
self(1);
self(self(2));
f(f)(3);
two(1, 2);
call(two, 3, 4);
f(comma) gnu("a");
gnu("a", 1, 2);
va();
va(1);
va(1, 2, 3);
opt(1);
opt(1, 2);
opt(1, );
nothing() nothing();
x nothing() y;
glue(obj, ect) xglue(obj, ect) xglue(xg, lue)(1, 2);
paste3(a, , c) paste3(, , ) paste3(1, ., 5);
x - neg x - neg - neg neg - neg + neg;
obj_paste late(1) name(foo) name(bar baz);
f lparen 1); g lparen 2); call lparen f, 3);
two(1,
    2 // comment
      /* two
         lines */
    ) after;
f(a) f(b) f(c);
1.5e+neg 0x1p-neg a.neg->neg;
#if object == 3 && defined(f) && !defined nowhere
yes
#if 0
no #if
#error not reached
#elif (1 ? 2 : 3) == 2 && -1 < 0u == 0 && 'a' == 97
yes
#else
no
#endif
#elif unknown(3)
no
#else
no
#endif
#ifdef empty
#undef empty
empty
#endif
#ifndef empty
#define empty now
empty
#endif
#define f(x) <x>
f(f(2))
/* clang-format off */
#if 1 + 1 ==                                                                             \
        2 /* a                                                                      \
    comment */    \
    && 1
/* clang-format on */
split
#endif
"f(1) /* no */" '"' "\"" f("a,b") /* f(1) */ // f(1)
#define long_one(a, b) a + b
long_one(1, 2) long_one((3, 4), 5)
#/* null */
#define NOARGS(a) a NOARGS
NOARGS(1)(2)(3)
#define cat(a, b) a b
#define twice cat(1,
twice 2)
#define HAS_THIS (defined HAS_THIS_TOO || defined(NO_SUCH_THING))
#define HAS_THIS_TOO
#if HAS_THIS && !(defined NO_SUCH_THING)
int defined_by_a_macro;
#endif
