/* overview_keys: what the writer and the reader of an overview share. */
#include "core/recording/overview_keys.h"

#include <stdio.h>

const struct overview_pair overview_pairs[OVERVIEW_PAIRS] = {
    {METRIC_PROCESS_RSS, METRIC_PROCESS_MAIN_RSS},
    {METRIC_PROCESS_RSS_PRIVATE, METRIC_PROCESS_MAIN_RSS_PRIVATE},
    {METRIC_PROCESS_RSS_SHARED, METRIC_PROCESS_MAIN_RSS_SHARED},
    {METRIC_PROCESS_CPU_USAGE, METRIC_PROCESS_MAIN_CPU_USAGE},
    {METRIC_PROCESS_THREADS, METRIC_PROCESS_MAIN_THREADS},
    {METRIC_PROCESS_GPU_VRAM, METRIC_PROCESS_MAIN_GPU_VRAM},
};

const char *overview_column_name(enum metric_id id, char out[OVERVIEW_NAME_MAX])
{
	snprintf(out, OVERVIEW_NAME_MAX, "%s_%s", metric_scope_name(metrics[id].scope),
	         metrics[id].name[SCHEMA_1]);
	return out;
}
