/* cpu_rule: the CPUs to ask for, from the time that runs take with them. */
#include "report/advice/cpu_rule.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/numbers/stats.h"
#include "report/units/units.h"

/* The time of one run, on average. */
static double rule_time(const struct cpu_rule *c, double cpus)
{
	return time_at_free_cpus(&c->sums, cpus).s / (c->runs ? (double)c->runs : 1);
}

void cpu_rule_make(struct cpu_rule *c, bool is_short)
{
	double asked_s = time_at_free_cpus(&c->sums, c->asked).s;

	c->known = time_at_known(&c->sums) && c->asked > 0 && isfinite(c->asked);
	if (!c->known)
		return;
	c->floor = is_short ? time_at_fewest(&c->sums, (1 + CPU_RULE_FELT) * asked_s) : 0;
	c->fewest = time_at_fewest(&c->sums, (1 + c->slowdown) * asked_s);
	c->cpus = fmax(c->fewest, c->floor);
}

static void add_time_with(const struct cpu_rule *c, double cpus, struct buf *out)
{
	char seconds[64];

	units_text(UNIT_SECONDS, rule_time(c, cpus), NULL, seconds);
	buf_printf(out, ", %s with %g", seconds, cpus);
}

void cpu_rule_formula(const struct cpu_rule *c, char *out, size_t size)
{
	struct buf text = {0};
	char seconds[64];

	units_text(UNIT_SECONDS, rule_time(c, c->asked), NULL, seconds);
	buf_printf(&text,
	           "the fewest with which it takes at most %g%% longer than with %g: %s with %g",
	           stats_round(100 * c->slowdown, 1), c->asked, seconds, c->asked);
	if (c->fewest != c->asked)
		add_time_with(c, c->fewest, &text);
	if (c->fewest > 1)
		add_time_with(c, c->fewest - 1, &text);
	if (c->floor > c->fewest)
		buf_printf(&text, "; it was short of CPU, so it keeps %g", c->floor);
	snprintf(out, size, "%s", buf_cstr(&text));
	buf_free(&text);
}

void cpu_rule_sentence(const struct cpu_rule *c, struct buf *out)
{
	char here[64], there[64], cpus[64];

	units_text(UNIT_SECONDS, rule_time(c, c->asked), NULL, here);
	units_text(UNIT_SECONDS, rule_time(c, c->cpus), NULL, there);
	units_cpus(c->cpus, cpus);
	if (c->cpus == c->asked)
		buf_printf(out, "With %s, as it had, it takes %s if they are free.", cpus, here);
	else if (strcmp(here, there) == 0)
		buf_printf(out, "%s %s as fast as %g: %s if %s free.", cpus,
		           c->cpus == 1 ? "is" : "are", c->asked, here,
		           c->cpus == 1 ? "it is" : "they are");
	else
		buf_printf(out,
		           "With %s instead of %g it would take %s instead of %s if they are free.",
		           cpus, c->asked, there, here);
}

static bool is_power_or_between(double n)
{
	double power = 1;

	while (power * 2 <= n)
		power *= 2;
	return n == power || n == power * 1.5;
}

size_t cpu_rule_list(const struct cpu_rule *c, double cpus[CPU_RULE_ROWS])
{
	double most = fmin(ceil(time_at_widest(&c->sums)), TIME_AT_WIDEST);
	size_t n = 0, drop;

	for (double k = 1; c->known && k <= fmax(most, c->asked); k++) {
		bool own = k == c->cpus || k == c->asked;
		if (!own && !(k <= most && (is_power_or_between(k) || k == most)))
			continue;
		if (n == CPU_RULE_ROWS) { /* the smallest that nobody asked for */
			for (drop = 1; cpus[drop] == c->cpus || cpus[drop] == c->asked; drop++)
				;
			for (; drop + 1 < n; drop++)
				cpus[drop] = cpus[drop + 1];
			n--;
		}
		cpus[n++] = k;
	}
	return n;
}

bool cpu_rule_is_worth(const struct cpu_rule *c)
{
	double runs = c->runs > 0 ? (double)c->runs : 1;

	return c->known && c->sums.wall_s >= CPU_RULE_SHOWN_S * runs &&
	       (double)c->sums.samples >= CPU_RULE_SHOWN_SAMPLES * runs &&
	       (ceil(time_at_widest(&c->sums)) > 1 || c->asked > 1);
}
