/* SPDX-License-Identifier: MIT */
/* Programs that were built with AddressSanitizer, and are linked with its library.
 *
 * The runtime refuses to start when any library is loaded before it, lest one has taken a
 * function that it wants to watch. This library takes none of those but dlsym, which the
 * runtime does not watch. The runtime asks for its defaults by this name; the program's
 * own function, or ASAN_OPTIONS, comes before. */

__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "verify_asan_link_order=0";
}
