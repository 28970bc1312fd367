/* SPDX-License-Identifier: MIT */
/* Names and texts of dl_status. */
#include "dl_status.h"

const char *dl_status_name(enum dl_status status)
{
    switch (status) {
#define X(name, text)                                                                    \
    case DL_##name:                                                                      \
        return "DL_" #name;
        DL_STATUS_MAP(X)
#undef X
    }
    return "DL_?";
}

const char *dl_status_text(enum dl_status status)
{
    switch (status) {
#define X(name, text)                                                                    \
    case DL_##name:                                                                      \
        return text;
        DL_STATUS_MAP(X)
#undef X
    }
    return "an unknown status";
}
