/* SPDX-License-Identifier: MIT */
/* Numbers with dots in any locale of the program: other programs read DL's files.
 *
 *   locale_t before = dl_c_locale_enter();
 *   ... printf ...
 *   dl_c_locale_leave(before);
 *
 * Only the calling thread changes its locale, and only until it leaves. The C locale is
 * static in the C library: there is nothing to free.
 */
#ifndef DL_LAYOUT_C_LOCALE_H
#define DL_LAYOUT_C_LOCALE_H

#include <locale.h>

static inline locale_t dl_c_locale_enter(void)
{
    return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

static inline void dl_c_locale_leave(locale_t before)
{
    uselocale(before);
}

#endif
