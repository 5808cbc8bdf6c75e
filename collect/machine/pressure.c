/* pressure: how long tasks had to wait for a resource, and the load. */
#include "collect/machine/pressure.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "collect/procfs/scan.h"

static const char *const paths[PRESSURE_KINDS] = {
    [PRESSURE_CPU] = "proc/pressure/cpu",
    [PRESSURE_MEMORY] = "proc/pressure/memory",
    [PRESSURE_IO] = "proc/pressure/io",
};

/* The total of "some avg10=0.00 avg60=0.00 avg300=0.00 total=MICROSECONDS". */
static double total(struct scan line)
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
			out->some_s = total(line);
		else if (scan_literal(&line, "full "))
			out->full_s = total(line);
	}
	return isnan(out->some_s) ? -1 : 0;
}

double pressure_parse_load(const char *text, size_t n)
{
	struct scan s = scan_text(text, n);
	double load;

	return scan_decimal(&s, &load) ? load : NAN;
}

/* What is not there is not asked for again. */
static void open_one(struct root_file *f, const struct root *r, const char *path, int *failed)
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
	for (int i = 0; i < PRESSURE_KINDS; i++)
		open_one(&p->file[i], r, paths[i], &p->failed);
	open_one(&p->loadavg, r, "proc/loadavg", &p->load_failed);
}

void pressure_read(struct pressure *p, struct pressure_values *out)
{
	char text[512];
	long n;

	for (int i = 0; i < PRESSURE_KINDS; i++) {
		n = p->file[i].r ? root_file_head(&p->file[i], text, sizeof text) : 0;
		if (n < 0 && !p->failed)
			p->failed = errno;
		if (pressure_parse(text, n > 0 ? (size_t)n : 0, &out->total[i]) && n > 0 &&
		    !p->failed)
			p->failed = EBADMSG;
	}
	n = p->loadavg.r ? root_file_head(&p->loadavg, text, sizeof text) : 0;
	out->load1 = pressure_parse_load(text, n > 0 ? (size_t)n : 0);
	if (p->loadavg.r && isnan(out->load1) && !p->load_failed)
		p->load_failed = n < 0 ? errno : EBADMSG;
}

void pressure_close(struct pressure *p)
{
	for (int i = 0; i < PRESSURE_KINDS; i++)
		root_file_close(&p->file[i]);
	root_file_close(&p->loadavg);
}
