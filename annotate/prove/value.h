/* SPDX-License-Identifier: MIT */
#ifndef DL_ANNOTATE_PROVE_VALUE_H
#define DL_ANNOTATE_PROVE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Integer expressions as the values that they have at a random point.
 *
 * A variable, a load or a call in a text is one number modulo a prime, drawn from its
 * parts: two mentions of the same thing draw the same number. Sums, differences and
 * products of such numbers are those of the polynomials that the expressions are, so that
 * two expressions with one number are the same polynomial, but for a chance of their
 * degree in 2^61 (Schwartz and Zippel): equality is not looked for but computed.
 *
 * Every expression has three numbers. `exact` is that of its value in the whole numbers;
 * where unsigned arithmetic may have wrapped, that is a number of its own. `ring` is that
 * of its value modulo 2^R, R the bits of dl_index, where wrapping changes nothing. Signed
 * arithmetic does not overflow, as C has it, and an index of 64 bits does not wrap,
 * unless its bounds let it. */

#define DL__PRIME (((uint64_t)1 << 61) - 1)
typedef uint64_t dl__number;
typedef __int128 dl__bound;

dl__number dl__number_of(dl__bound value);

static inline dl__number dl__number_add(dl__number a, dl__number b)
{
    return (a + b) % DL__PRIME;
}

static inline dl__number dl__number_subtract(dl__number a, dl__number b)
{
    return (a + DL__PRIME - b) % DL__PRIME;
}

static inline dl__number dl__number_multiply(dl__number a, dl__number b)
{
    return (dl__number)((unsigned __int128)a * b % DL__PRIME);
}

/* Draws the number of what is made of a word and other numbers. */
dl__number dl__draw(const char *word, dl__number a, dl__number b, dl__number c);
/* The same of a text. */
dl__number dl__draw_text(const char *word, const char *text, size_t bytes);

struct dl__integer {
    dl__number exact, ring, word;
    dl__bound low, high; /* of its value, before it wraps */
    uint32_t multiple;   /* that value is a multiple of this one; 0 says as little as 1 */
    unsigned bits;
    bool is_signed;
    bool may_wrap; /* `exact` is its value before it wraps at 2^bits */
    bool is_vast;  /* a sum or product in it may pass 2^64: it need not be exact */
};

struct dl__integer dl__integer_constant(dl__bound value, unsigned bits, bool is_signed);
/* A value that is known by nothing but its number. */
struct dl__integer dl__integer_opaque(dl__number number, unsigned bits, bool is_signed);
/* The type's smallest and largest. */
void dl__integer_limits(unsigned bits, bool is_signed, dl__bound *low, dl__bound *high);
/* Its value, with `exact` and `ring` to be compared and drawn from. `index_bits` is R. */
struct dl__integer dl__integer_sealed(struct dl__integer a, unsigned index_bits);
struct dl__integer dl__integer_convert(struct dl__integer a, unsigned bits,
                                       bool is_signed, unsigned index_bits);
/* + - * of two of one type. */
struct dl__integer dl__integer_combine(char op, struct dl__integer a,
                                       struct dl__integer b);
bool dl__integer_is_constant(struct dl__integer a, int64_t *value);

static inline struct dl__integer dl__zero(void)
{
    return dl__integer_constant(0, 64, true);
}

#endif
