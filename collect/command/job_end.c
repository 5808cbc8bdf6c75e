/* job_end: how a job ended and what its tasks used, as a launcher reports it. */
#include "collect/command/job_end.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

#include "collect/procfs/scan.h"
#include "core/base/larger.h"

#define WHOLE_MAX 9007199254740992.0 /* 2^53: doubles are whole numbers up to here */

/* Units of the line: whole numbers, as the kernel gives them. */
static const struct {
	const char *key;
	double unit, most;
} words[JOB_END_COUNT] = {
    [JOB_END_STATUS] = {"status", 1, 65535},
    [JOB_END_WALL] = {"wall_us", 1e-6, 3e9},
    [JOB_END_UTIME] = {"utime_us", 1e-6, 1e15},
    [JOB_END_STIME] = {"stime_us", 1e-6, 1e15},
    [JOB_END_MAX_RSS] = {"max_rss", 1, WHOLE_MAX},
    [JOB_END_READ] = {"read", 1, WHOLE_MAX},
    [JOB_END_WRITE] = {"write", 1, WHOLE_MAX},
    [JOB_END_MINOR_FAULTS] = {"minor_faults", 1, WHOLE_MAX},
    [JOB_END_MAJOR_FAULTS] = {"major_faults", 1, WHOLE_MAX},
    [JOB_END_CTX_VOLUNTARY] = {"voluntary", 1, WHOLE_MAX},
    [JOB_END_CTX_INVOLUNTARY] = {"involuntary", 1, WHOLE_MAX},
    [JOB_END_OOM_KILLS] = {"oom_kills", 1, 1e9},
    [JOB_END_MEMORY_PEAK] = {"memory_peak", 1, WHOLE_MAX},
    [JOB_END_CPU_SOME] = {"cpu_some_us", 1e-6, 1e15},
    [JOB_END_KILL_ABOVE] = {"kill_above", 1, WHOLE_MAX},
};

struct job_end job_end_none(void)
{
	struct job_end e;

	for (int i = 0; i < JOB_END_COUNT; i++)
		e.of[i] = NAN;
	return e;
}

static bool set_amount(struct job_end *e, int id, struct scan *number)
{
	uint64_t v;
	double amount;

	if (!scan_u64(number, &v) || number->p < number->end)
		return false;
	amount = (double)v * words[id].unit;
	if (!(amount <= words[id].most))
		return false;
	e->of[id] = amount;
	return true;
}

static bool take_pair(struct job_end *e, struct scan word)
{
	for (int i = 0; i < JOB_END_COUNT; i++) {
		struct scan rest = word;
		if (scan_literal(&rest, words[i].key) && scan_literal(&rest, "="))
			return set_amount(e, i, &rest);
	}
	return set_amount(e, JOB_END_STATUS, &word);
}

bool job_end_read(const char *text, size_t n, struct job_end *out)
{
	struct scan all = scan_text(text, n), s, word;
	bool any = false;

	*out = job_end_none();
	if (!scan_line(&all, &s))
		return false;
	while (scan_word(&s, &word))
		any |= take_pair(out, word);
	return any;
}

size_t job_end_write(const struct job_end *e, char *out, size_t size)
{
	size_t n = 0;

	for (int i = 0; i < JOB_END_COUNT; i++) {
		double amount = e->of[i] / words[i].unit;
		int more;
		if (!(amount >= 0 && e->of[i] <= words[i].most))
			continue;
		more = snprintf(out + n, size - n, "%s%s=%.0f", n ? " " : "", words[i].key, amount);
		if (more < 0 || (size_t)more >= size - n)
			return 0;
		n += (size_t)more;
	}
	if (n + 2 > size)
		return 0;
	out[n++] = '\n';
	out[n] = '\0';
	return n;
}

bool job_end_over_memory(const struct job_end *e, double peak_b)
{
	double known = e->of[JOB_END_STATUS];
	int status = known >= 0 ? (int)known : 0;
	bool killed = (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) ||
	              (WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGKILL);

	return killed && larger(peak_b, e->of[JOB_END_MAX_RSS]) >= e->of[JOB_END_KILL_ABOVE];
}
