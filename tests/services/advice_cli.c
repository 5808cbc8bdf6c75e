/* advice_cli: what the advice is made of, for cases on standard input, one a line; the answers on standard output, one a line.
 * Other numbers than finite ones are written and read as nan, inf and -inf.
 *
 *   rule LAMBDA TODAY NEED[!LIMIT] ...        for many runs ahead; ! killed with that limit; in the order of their starts
 *     -> ASK CHANCE GROWTH TAIL WEAK
 *   fit X X:Y[!] ...                          ! it needed more
 *     -> USABLE A B R2 BOUND ASK GUESS
 *   advice LAMBDA X X:NEED[!LIMIT] ...        for the next run; LAMBDA 0: by default
 *     -> ASK BY                               memory_by
 *   time CPUS H,C,W,B,B_LEAST,B_MOST ...
 *     -> S LEAST MOST WIDEST
 *   bound FAILED RUNS
 *     -> CHANCE */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers/time_at.h"
#include "report/advice/memory_advice.h"
#include "report/advice/memory_rule.h"
#include "report/history/memory_fit.h"
#include "report/stats/fail_bound.h"

#define CASES 4096

/* The next word of the line, or NULL. */
static char *next(char **line)
{
	char *word;

	do
		word = strsep(line, " \n");
	while (word && !*word);
	return word;
}

static double number(char **line)
{
	const char *word = next(line);

	return word ? strtod(word, NULL) : (double)NAN;
}

static int smaller_first(const void *a, const void *b)
{
	const struct memory_value *x = a, *y = b;

	return (x->b > y->b) - (x->b < y->b);
}

/* From the first half of the needs to the second. */
static double growth_of(const struct memory_value *v, size_t n)
{
	struct memory_half half[2] = {{0}};

	for (size_t i = 0; i < n; i++) {
		struct memory_half *h = &half[i >= n / 2];
		double log_b = log(v[i].b);
		h->runs++;
		h->sum += log_b;
		h->squares += log_b * log_b;
	}
	return memory_growth(&half[0], &half[1]);
}

static void rule(char *line)
{
	static struct memory_value v[CASES];
	struct memory_rule out;
	struct memory_situation ahead = {.lambda = number(&line)};
	size_t n = 0;

	ahead.today_b = number(&line);
	for (char *word; n < CASES && (word = next(&line));) {
		char *mark;
		double need_b = strtod(word, &mark);
		struct memory_need need = {
		    .need_b = need_b, .limit_b = NAN, .killed = *mark == '!'};
		if (need.killed)
			need.limit_b = strtod(mark + 1, NULL);
		v[n] = (struct memory_value){memory_rule_need(&need), 1, need.killed};
		if (isnan(v[n].b))
			continue;
		ahead.killed_b = need.killed ? fmax(ahead.killed_b, v[n].b) : 0;
		if (need.killed)
			ahead.killed_most_b = fmax(ahead.killed_most_b, v[n].b);
		n++;
	}
	ahead.growth = growth_of(v, n);
	qsort(v, n, sizeof *v, smaller_first);
	memory_rule_make(v, n, &ahead, &out);
	printf("%.17g %.17g %.17g %.17g %d\n", out.ask_b, out.chance, out.growth, out.tail,
	       out.weak);
}

static void fit(char *line)
{
	static struct memory_point v[CASES];
	struct memory_fit out;
	double x = number(&line);
	size_t n = 0;

	for (char *word; n < CASES && (word = next(&line)); n++) {
		char *mark;
		v[n].x = strtod(word, &mark);
		v[n].y = strtod(mark + 1, &mark);
		v[n].more = *mark == '!';
	}
	memory_fit_make(v, n, &out);
	printf("%d %.17g %.17g %.17g %.17g %.17g %d\n", out.usable, out.a, out.b, out.r2, out.bound,
	       out.usable ? memory_fit_ask(&out, x) : (double)NAN,
	       out.usable && memory_fit_is_guess(&out, x));
}

static void whole_advice(char *line)
{
	static struct memory_run v[CASES];
	static struct memory_advice out;
	double lambda = number(&line), x = number(&line);
	struct memory_run with = {.need = {.input_b = x}};
	size_t n = 0;

	for (char *word; n < CASES && (word = next(&line)); n++) {
		struct memory_need *need = &v[n].need;
		char *mark;
		v[n] = (struct memory_run){.wall_s = NAN};
		*need = (struct memory_need){.limit_b = NAN, .start = (double)n};
		need->input_b = strtod(word, &mark);
		need->need_b = strtod(mark + 1, &mark);
		if (*mark == '!')
			need->killed = true, need->limit_b = strtod(mark + 1, NULL);
	}
	memory_advice_make(
	    v, n, &(struct memory_request){.today_b = NAN, .lambda = lambda, .with = &with}, &out);
	printf("%.17g %d\n", out.ask_b, (int)out.by);
}

static void time_at(char *line)
{
	struct time_at t = {0};
	struct time_at_range r;
	double cpus = number(&line);

	for (char *word; (word = next(&line));) {
		double v[6];
		for (size_t i = 0; i < 6; i++) {
			v[i] = strtod(word, &word);
			word += *word == ',';
		}
		time_at_add(&t, &(struct time_at_sample){.h = v[0],
		                                         .c = v[1],
		                                         .w = v[2],
		                                         .w_most = NAN,
		                                         .b = v[3],
		                                         .b_least = v[4],
		                                         .b_most = v[5]});
	}
	r = time_at_free_cpus(&t, cpus);
	printf("%.17g %.17g %.17g %.17g\n", r.s, r.least, r.most, time_at_widest(&t));
}

int main(void)
{
	char *text = NULL;
	size_t cap = 0;

	while (getline(&text, &cap, stdin) > 0) {
		char *line = text;
		const char *what = next(&line);
		if (!what)
			continue;
		if (strcmp(what, "rule") == 0) {
			rule(line);
		} else if (strcmp(what, "fit") == 0) {
			fit(line);
		} else if (strcmp(what, "advice") == 0) {
			whole_advice(line);
		} else if (strcmp(what, "time") == 0) {
			time_at(line);
		} else if (strcmp(what, "bound") == 0) {
			double failed = number(&line);
			printf("%.17g\n", fail_bound(failed, number(&line)));
		} else {
			fprintf(stderr, "advice_cli: unknown: %s\n", what);
			return 2;
		}
	}
	free(text);
	return 0;
}
