/* meminfo: the machine's memory, from /proc/meminfo. */
#include "collect/machine/meminfo.h"

#include <math.h>
#include <stdbool.h>

#include "collect/procfs/scan.h"
#include "core/base/quantity.h"

/* Values that no column holds as they are have their cells after those of the columns. */
enum { MEM_TOTAL = METRIC_COUNT, SWAP_TOTAL, SWAP_FREE, S_RECLAIMABLE, CELLS };

static const struct {
	const char *key;
	int cell;
} meminfo_lines[] = {
    {"MemTotal:", MEM_TOTAL},
    {"MemFree:", METRIC_SYSTEM_MEMORY_FREE},
    {"MemAvailable:", METRIC_SYSTEM_MEMORY_AVAILABLE},
    {"Buffers:", METRIC_SYSTEM_MEMORY_BUFFERS},
    {"Cached:", METRIC_SYSTEM_MEMORY_CACHED},
    {"Active:", METRIC_SYSTEM_MEMORY_ACTIVE},
    {"Inactive:", METRIC_SYSTEM_MEMORY_INACTIVE},
    {"SwapTotal:", SWAP_TOTAL},
    {"SwapFree:", SWAP_FREE},
    {"Shmem:", METRIC_SYSTEM_MEMORY_SHMEM},
    {"SReclaimable:", S_RECLAIMABLE},
};

#define LINES (sizeof meminfo_lines / sizeof *meminfo_lines)

/* Reads a line if it has the key of meminfo_lines[i]. Returns false if it has another key. */
static bool read_meminfo_line(struct scan line, size_t i, double cell[CELLS], size_t *left)
{
	double *to = &cell[meminfo_lines[i].cell];
	uint64_t kib;

	if (*line.p != *meminfo_lines[i].key || !scan_literal(&line, meminfo_lines[i].key))
		return false;
	if (isnan(*to) && scan_u64(&line, &kib)) {
		*to = (double)kib * QUANTITY_KIB;
		--*left;
	}
	return true;
}

static double or_zero(double v)
{
	return isnan(v) ? 0 : v;
}

/* a - b; NAN where either is, or where b is larger: numbers of a container and of its host (lxcfs)
 * do not add up, and nothing says which of them is which. */
static double memory_left(double a, double b)
{
	return a - b < 0 ? (double)NAN : a - b;
}

static void fill_row(const double cell[CELLS], enum schema schema, double *row)
{
	double *cached = &row[METRIC_SYSTEM_MEMORY_CACHED];
	double *available = &row[METRIC_SYSTEM_MEMORY_AVAILABLE];
	double free_b = cell[METRIC_SYSTEM_MEMORY_FREE],
	       buffers = cell[METRIC_SYSTEM_MEMORY_BUFFERS];

	for (size_t i = 0; i < LINES; i++)
		if (meminfo_lines[i].cell < METRIC_COUNT)
			row[meminfo_lines[i].cell] = cell[meminfo_lines[i].cell];
	*cached += or_zero(cell[S_RECLAIMABLE]);
	/* Kernels before 3.14 have no MemAvailable; in a container it may be the host's. */
	if (isnan(*available) || *available > cell[MEM_TOTAL])
		*available = free_b + or_zero(buffers) + or_zero(*cached);
	row[METRIC_SYSTEM_SWAP_USED] = memory_left(cell[SWAP_TOTAL], cell[SWAP_FREE]);
	if (*available > cell[MEM_TOTAL])
		*available = NAN;
	row[METRIC_SYSTEM_MEMORY_USED] =
	    schema == SCHEMA_2 ? memory_left(cell[MEM_TOTAL], *available)
			       : memory_left(cell[MEM_TOTAL] - free_b - buffers, *cached);
}

double meminfo_parse(const char *text, size_t n, enum schema schema, double *row)
{
	struct scan s = scan_text(text, n), line;
	size_t left = LINES;
	double cell[CELLS];

	for (size_t i = 0; i < LINES; i++)
		cell[meminfo_lines[i].cell] = NAN;
	while (left > 0 && scan_line(&s, &line))
		for (size_t i = 0; i < LINES && line.p < line.end; i++)
			if (read_meminfo_line(line, i, cell, &left))
				break;
	if (row && !isnan(cell[MEM_TOTAL]))
		fill_row(cell, schema, row);
	return cell[MEM_TOTAL];
}
