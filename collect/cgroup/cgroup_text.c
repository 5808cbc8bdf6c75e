/* cgroup_text: the values in the files of cgroups. */
#include "collect/cgroup/cgroup_text.h"

#include <math.h>

#include "collect/procfs/scan.h"
#include "core/base/larger.h"

/* Takes a number, "max" or "-1". */
static double take_limit(struct scan *s)
{
	uint64_t v;

	scan_blanks(s);
	if (scan_literal(s, "max") || scan_literal(s, "-1"))
		return INFINITY;
	if (!scan_u64(s, &v))
		return NAN;
	return (double)v >= CGROUP_TEXT_NO_LIMIT ? INFINITY : (double)v;
}

double cgroup_text_number(const char *text, size_t n)
{
	struct scan s = scan_text(text, n);

	return take_limit(&s);
}

double cgroup_text_key(const char *text, size_t n, const char *key)
{
	struct scan s = scan_text(text, n), line;
	uint64_t v;

	while (scan_line(&s, &line))
		if (scan_literal(&line, key) && scan_literal(&line, " ") && scan_u64(&line, &v))
			return (double)v;
	return NAN;
}

double cgroup_text_sum(const char *text, size_t n, const char *prefix)
{
	struct scan s = scan_text(text, n), line, word;
	double sum = NAN;
	uint64_t v;

	while (scan_line(&s, &line))
		if (scan_literal(&line, prefix) && scan_word(&line, &word)) {
			scan_blanks(&line);
			if (scan_u64(&line, &v))
				sum = larger(sum, 0) + (double)v;
		}
	return sum;
}

int cgroup_text_pids(const char *text, size_t n, int *pids, size_t max)
{
	struct scan s = scan_text(text, n), line;
	size_t count = 0;

	for (; scan_line(&s, &line); count++)
		if (count == max || !scan_int(&line, &pids[count]) || pids[count] < 0)
			return -1;
	return (int)count;
}

double cgroup_text_working_set(double usage_b, const char *stat, size_t n, bool v2)
{
	/* v1 counts the cgroups below only in the numbers that begin with "total". */
	double idle_b = cgroup_text_key(stat, n, v2 ? "inactive_file" : "total_inactive_file");

	return usage_b - idle_b < 0 ? 0 : usage_b - idle_b;
}

double cgroup_text_cpu_max(const char *text, size_t n)
{
	struct scan s = scan_text(text, n);
	double quota = take_limit(&s), period = 100000;
	uint64_t period_us;

	if (scan_u64(&s, &period_us))
		period = (double)period_us;
	return period > 0 ? quota / period : NAN;
}

/* The words after the device: rbytes=N wbytes=N rios=N … */
static void io_words(struct scan *line, double *read_b, double *write_b)
{
	struct scan word;
	uint64_t v;

	while (scan_word(line, &word)) {
		if (scan_literal(&word, "rbytes=") && scan_u64(&word, &v))
			*read_b += (double)v;
		else if (scan_literal(&word, "wbytes=") && scan_u64(&word, &v))
			*write_b += (double)v;
	}
}

/* The device whose numbers a line has. Some kernels (5.14 and around) write the names of devices
 * without numbers before it on one line: "253:0 253:1 8:0 rbytes=…". */
static bool io_device(struct scan *line, int *major, int *minor)
{
	struct scan word, rest = *line;
	bool found = false;

	while (scan_word(&rest, &word) && scan_int(&word, major) && scan_literal(&word, ":") &&
	       scan_int(&word, minor) && word.p == word.end) {
		*line = rest;
		found = true;
	}
	return found;
}

bool cgroup_text_io(const char *text, size_t n, cgroup_text_judge judge, const void *ctx,
                    double *read_b, double *write_b)
{
	struct scan s = scan_text(text, n), line;
	bool whole = true;

	*read_b = *write_b = 0;
	while (scan_line(&s, &line)) {
		int major, minor;

		if (!io_device(&line, &major, &minor))
			whole = false;
		else if (!judge || judge(ctx, major, minor))
			io_words(&line, read_b, write_b);
	}
	return whole;
}
