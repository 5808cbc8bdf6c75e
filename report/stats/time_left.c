/* time_left: how long a running job will still take, from how long earlier runs took. */
#include "report/stats/time_left.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc_failed.h"
#include "report/units/units.h"

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

struct time_left time_left_of(double *took, size_t n, double elapsed_s)
{
	struct time_left t = {.runs = n, .left_s = NAN};
	size_t over = 0, longer;

	if (!n || isnan(elapsed_s))
		return (struct time_left){0};
	qsort(took, n, sizeof *took, by_size);
	while (over < n && took[over] <= elapsed_s)
		over++;
	longer = n - over;
	t.longest_s = took[n - 1];
	if (longer)
		t.left_s =
		    (took[over + (longer - 1) / 2] + took[over + longer / 2]) / 2 - elapsed_s;
	return t;
}

double *time_left_history(const struct runs *r, size_t *n)
{
	double *took = r->n > 1 ? alloc_failed_note(calloc(r->n, sizeof *took)) : NULL;

	*n = 0;
	for (size_t i = 1; took && i < r->n; i++)
		if (r->v[i].used && r->v[i].duration > 0)
			took[(*n)++] = r->v[i].duration;
	if (took && !*n) {
		free(took);
		took = NULL;
	}
	return took;
}

/* As exact as such an estimate can be: to 5 s below two minutes, to a minute below two hours, else
 * to 5 minutes. */
static double roughly(double s)
{
	double step = s < 7200 ? 60 : 300;

	if (s < 120)
		step = 5;
	return fmax(round(s / step) * step, step);
}

void time_left_text(const struct time_left *t, struct buf *out)
{
	const char *runs = t->runs == 1 ? "run" : "runs";

	if (!t->runs)
		return;
	if (isnan(t->left_s)) {
		buf_printf(out, "longer than %s%zu earlier %s, which took %s%s",
		           t->runs > 1 ? "each of " : "", t->runs, runs,
		           t->runs > 1 ? "at most " : "", UNITS_SECONDS(t->longest_s));
		return;
	}
	buf_printf(out, "about %s left, from %zu earlier %s", UNITS_WHOLE(roughly(t->left_s)),
	           t->runs, runs);
}
