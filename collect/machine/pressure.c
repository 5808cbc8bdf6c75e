/* pressure: how long tasks had to wait for a resource, and the load average. */
#include "collect/machine/pressure.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "collect/procfs/scan.h"

#define NONE METRIC_COUNT

/* A file and the columns of its two lines. */
static const struct {
	const char *path;
	enum metric_id some, full;
} pressure_files[PRESSURE_FILES] = {
    {"proc/pressure/cpu", METRIC_SYSTEM_PSI_CPU_SOME, NONE},
    {"proc/pressure/memory", METRIC_SYSTEM_PSI_MEMORY_SOME, METRIC_SYSTEM_PSI_MEMORY_FULL},
    {"proc/pressure/io", METRIC_SYSTEM_PSI_IO_SOME, METRIC_SYSTEM_PSI_IO_FULL},
};

/* The total of a line "some avg10=0.00 avg60=0.00 avg300=0.00 total=MICROSECONDS". */
static double total_s(struct scan line)
{
	const char *at = memrchr(line.p, '=', (size_t)(line.end - line.p));
	uint64_t us;

	if (!at || at - line.p < 5 || memcmp(at - 5, "total", 5) != 0)
		return NAN;
	line.p = at + 1;
	return scan_u64(&line, &us) ? (double)us / 1e6 : NAN;
}

int pressure_parse(const char *text, size_t n, struct pressure_total *out)
{
	struct scan s = scan_text(text, n), line;

	out->some_s = out->full_s = NAN;
	while (scan_line(&s, &line)) {
		if (scan_literal(&line, "some "))
			out->some_s = total_s(line);
		else if (scan_literal(&line, "full "))
			out->full_s = total_s(line);
	}
	return isnan(out->some_s) ? -1 : 0;
}

double pressure_parse_load(const char *text, size_t n)
{
	struct scan s = scan_text(text, n);
	double load;

	return scan_decimal(&s, &load) ? load : NAN;
}

/* A file that cannot be opened is not tried again. */
static void open_pressure_file(struct root_file *f, const struct root *r, const char *path,
                               int *failed)
{
	if (root_file_open(f, r, path) == 0)
		return;
	if (!*failed)
		*failed = errno;
	*f = (struct root_file){.r = NULL};
}

void pressure_open(struct pressure *p, const struct root *r)
{
	*p = (struct pressure){.failed = 0};
	for (size_t i = 0; i < PRESSURE_FILES; i++)
		open_pressure_file(&p->file[i], r, pressure_files[i].path, &p->failed);
	open_pressure_file(&p->loadavg, r, "proc/loadavg", &p->load_failed);
}

void pressure_read(struct pressure *p, double *row)
{
	struct pressure_total total;
	char text[512];
	long n;

	for (size_t i = 0; i < PRESSURE_FILES; i++) {
		n = p->file[i].r ? root_file_head(&p->file[i], text, sizeof text) : 0;
		if (n < 0 && !p->failed)
			p->failed = errno;
		if (pressure_parse(text, n > 0 ? (size_t)n : 0, &total) && n > 0 && !p->failed)
			p->failed = EBADMSG;
		row[pressure_files[i].some] = total.some_s;
		if (pressure_files[i].full != NONE)
			row[pressure_files[i].full] = total.full_s;
	}
	n = p->loadavg.r ? root_file_head(&p->loadavg, text, sizeof text) : 0;
	row[METRIC_SYSTEM_LOAD1] = pressure_parse_load(text, n > 0 ? (size_t)n : 0);
	if (p->loadavg.r && isnan(row[METRIC_SYSTEM_LOAD1]) && !p->load_failed)
		p->load_failed = n < 0 ? errno : EBADMSG;
}

void pressure_close(struct pressure *p)
{
	for (size_t i = 0; i < PRESSURE_FILES; i++)
		root_file_close(&p->file[i]);
	root_file_close(&p->loadavg);
}
