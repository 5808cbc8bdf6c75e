/* detail_keys: the numbers of a series in rtrack.detail. */
#include "core/recording/detail_keys.h"

const struct detail_number detail_numbers[DETAIL_NUMBERS] = {
    {"n", offsetof(struct detail_series, n), 0},
    {"mean", offsetof(struct detail_series, mean), 12},
    {"max", offsetof(struct detail_series, max), 12},
    {"sum", offsetof(struct detail_series, sum), 0},
    {"first", offsetof(struct detail_series, first), 0},
    {"last", offsetof(struct detail_series, last), 0},
    {"busy", offsetof(struct detail_series, busy), 6},
};
