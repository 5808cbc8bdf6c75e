/* detail: the kinds of devices that --detail records, and the names of their series. */
#include "core/recording/detail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELL "detail_"

const struct detail_kind_of detail_kinds[DETAIL_KINDS] = {
    [DETAIL_CPU] = {"cpu", "CPUs", DETAIL_CPUS_MAX, 1, {{"usage", METRIC_KIND_RATE, 4}}},
    [DETAIL_INTERFACE] = {"interface",
                          "network interfaces",
                          DETAIL_OTHERS_MAX,
                          2,
                          {{"received_bytes", METRIC_KIND_DELTA, 0},
                           {"sent_bytes", METRIC_KIND_DELTA, 0}}},
    [DETAIL_FILE_SYSTEM] = {"file_system",
                            "file systems",
                            DETAIL_OTHERS_MAX,
                            2,
                            {{"used_bytes", METRIC_KIND_GAUGE, 0},
                             {"free_bytes", METRIC_KIND_GAUGE, 0}}},
    [DETAIL_DISK] = {"disk",
                     "disks",
                     DETAIL_OTHERS_MAX,
                     2,
                     {{"read_bytes", METRIC_KIND_DELTA, 0},
                      {"written_bytes", METRIC_KIND_DELTA, 0}}},
};

const char *detail_series_name(enum detail_kind kind, const char *device, size_t measure,
                               char out[DETAIL_SERIES_MAX])
{
	snprintf(out, DETAIL_SERIES_MAX, "%s.%s.%s", detail_kinds[kind].word, device,
	         detail_kinds[kind].measure[measure].name);
	return out;
}

/* The kind whose word stands at the beginning, before this character; else DETAIL_KINDS. */
static enum detail_kind kind_before(const char *text, char mark)
{
	int kind = 0;

	for (; kind < DETAIL_KINDS; kind++) {
		size_t n = strlen(detail_kinds[kind].word);
		if (strncmp(text, detail_kinds[kind].word, n) == 0 && text[n] == mark)
			break;
	}
	return (enum detail_kind)kind;
}

bool detail_series_parse(const char *name, enum detail_kind *kind, size_t *measure,
                         const char **device, size_t *n)
{
	const char *end = strrchr(name, '.');
	const struct detail_kind_of *k;

	*kind = kind_before(name, '.');
	if (*kind == DETAIL_KINDS)
		return false;
	k = &detail_kinds[*kind];
	*device = name + strlen(k->word) + 1;
	if (end < *device)
		return false;
	*n = (size_t)(end - *device);
	for (*measure = 0; *measure < k->cells; ++*measure)
		if (strcmp(end + 1, k->measure[*measure].name) == 0)
			return true;
	return false;
}

const char *detail_device_text(enum detail_kind kind, const char *device,
                               char out[DETAIL_SERIES_MAX])
{
	snprintf(out, DETAIL_SERIES_MAX, "%s %s", detail_kinds[kind].word, device);
	return out;
}

const char *detail_device_parse(const char *text, enum detail_kind *kind)
{
	*kind = kind_before(text, ' ');
	return *kind == DETAIL_KINDS ? NULL : text + strlen(detail_kinds[*kind].word) + 1;
}

const char *detail_cell_name(size_t cell, char out[32])
{
	snprintf(out, 32, CELL "%zu", cell);
	return out;
}

enum metric_id detail_cell_parse(const char *name)
{
	char *end;
	unsigned long cell;

	if (strncmp(name, CELL, strlen(CELL)) != 0 || name[strlen(CELL)] < '0' ||
	    name[strlen(CELL)] > '9')
		return METRIC_COUNT;
	cell = strtoul(name + strlen(CELL), &end, 10);
	return *end || cell >= DETAIL_CELLS_MAX ? METRIC_COUNT : DETAIL_CELL(cell);
}
