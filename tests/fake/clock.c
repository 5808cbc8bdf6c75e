/* clock: preloaded into one of the tests' commands, clocks that are set, and a machine that sleeps.
 *
 * CLOCK holds rules, separated by spaces: set:AT:S sets the time of day by S seconds, AT seconds
 * after the file that CLOCK_FROM names was first seen (none: after the start); sleep:AT:S suspends
 * the machine then, for S seconds; slew:0:PPM has all clocks run faster by so many millionths, as
 * NTP does. Only the program that CLOCK_OF names is concerned (none: rtrack-collect), and so no
 * command of its. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static double ask(clockid_t clock)
{
	struct timespec t = {0};

	syscall(SYS_clock_gettime, clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* What a rule adds to a clock, so many seconds after the first look. */
static double ruled(const char *rule, double since, bool day, bool awake)
{
	size_t name = strcspn(rule, ":");
	char *end;
	double at = strtod(rule + name + 1, &end), s = strtod(end + 1, NULL);

	if (since < at)
		return 0;
	if (strncmp(rule, "slew", name) == 0)
		return since * s / 1e6;
	if (strncmp(rule, "set", name) == 0)
		return day ? s : 0;
	return awake ? 0 : s;
}

static double added(clockid_t clock)
{
	static double first;
	const char *rule = getenv("CLOCK"), *from = getenv("CLOCK_FROM"), *of = getenv("CLOCK_OF");
	double now = ask(CLOCK_MONOTONIC), sum = 0;
	bool day = clock == CLOCK_REALTIME, awake = clock == CLOCK_MONOTONIC;

	if (!rule || (!day && !awake && clock != CLOCK_BOOTTIME) ||
	    strcmp(program_invocation_short_name, of ? of : "rtrack-collect") != 0)
		return 0;
	if (first == 0 && (!from || syscall(SYS_access, from, F_OK) == 0))
		first = now;
	if (first == 0)
		return 0;
	for (; *rule; rule += strcspn(rule, " "), rule += strspn(rule, " "))
		sum += ruled(rule, now - first, day, awake);
	return sum;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
	int r = (int)syscall(SYS_clock_gettime, clock, t);
	long long ns = (long long)(added(clock) * 1e9) + t->tv_nsec;

	t->tv_sec += ns / 1000000000;
	t->tv_nsec = ns % 1000000000;
	if (t->tv_nsec < 0) {
		t->tv_nsec += 1000000000;
		t->tv_sec--;
	}
	return r;
}

time_t time(time_t *out)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	if (out)
		*out = t.tv_sec;
	return t.tv_sec;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
	struct timespec now;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &now);
	*t = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
	return 0;
}
