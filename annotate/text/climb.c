/* SPDX-License-Identifier: MIT */
/* Precedence climbing. */
#include "annotate/text/climb.h"

static const struct dl__climb_operator *take_operator(const struct dl__climber *climber,
                                                      void *parser, int lowest)
{
    for (size_t i = 0; i < climber->operator_count; i++)
        if (climber->operators[i].level >= lowest &&
            climber->take(parser, climber->operators[i].text))
            return &climber->operators[i];
    return NULL;
}

struct dl__climb_value dl__climb(const struct dl__climber *climber, void *parser,
                                 int lowest)
{
    struct dl__climb_value left = climber->operand(parser);

    while (!climber->has_failed(parser)) {
        const struct dl__climb_operator *op = take_operator(climber, parser, lowest);

        if (!op)
            break;
        left =
            climber->apply(parser, op, left, dl__climb(climber, parser, op->level + 1));
    }
    return left;
}
