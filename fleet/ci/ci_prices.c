/* ci_prices: the table of runners of CI systems and their prices. */
#include "fleet/ci/ci_prices.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/quantity.h"
#include "fleet/options/when.h"

#define VCPUS_MAX   4096
#define GIB_MAX     65536
#define USD_MAX     1000
#define BILLED_MAX  86400
#define MINUTES_MAX 1e6
#define CELL_MAX    192

static const char *const kinds[CI_KINDS] = {"standard", "public", "larger", "slim", "own"};

enum { PROVIDER, LABELS, KIND, VCPUS, MEMORY, ARCH, USD, BILLED, MINUTES, KNOWN, SOURCE, CELLS };
static const char *const heads[CELLS] = {"provider",   "labels", "kind",  "vcpus",
                                         "memory_gib", "arch",   "usd",   "billed_s",
                                         "minutes",    "known",  "source"};

/* -- cells ------------------------------------------------------------------------------------- */

static int number_cell(const char *cell, int head, double least, double most, double *out,
                       struct err *e)
{
	size_t n = quantity_number(cell, out);

	if (!n || cell[n] || !(*out >= least) || !(*out <= most))
		return err_set(e, "%s: \"%.40s\" is not a number from %g to %g", heads[head], cell,
		               least, most);
	return 0;
}

/* The characters of a label, which are plain in YAML and in a page. */
static bool is_label(const char *s, size_t n)
{
	return n && n < CI_PRICES_LABEL && s[0] != '-' &&
	       strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") >= n;
}

static int labels_cell(const char *cell, struct ci_runner *out, struct err *e)
{
	const char *at = cell;

	if (strlen(cell) + 3 > sizeof out->labels)
		return err_set(e, "labels: longer than %zu bytes", sizeof out->labels - 3);
	for (;; at++) {
		size_t n = strcspn(at, ",");
		if (!is_label(at, n))
			return err_set(e,
			               "labels: \"%.64s\" is not a list of labels of letters, "
			               "digits, \".\", \"_\" and \"-\"",
			               cell);
		if (at == cell)
			snprintf(out->label, sizeof out->label, "%.*s", (int)n, at);
		at += n;
		if (!*at)
			break;
	}
	snprintf(out->labels, sizeof out->labels, ",%s,", cell);
	return 0;
}

static int kind_cell(const char *cell, enum ci_kind *out, struct err *e)
{
	for (int i = 0; i < CI_KINDS; i++)
		if (strcmp(cell, kinds[i]) == 0) {
			*out = (enum ci_kind)i;
			return 0;
		}
	return err_set(e, "kind: \"%.40s\" is not standard, public, larger, slim or own", cell);
}

static int text_cell(const char *cell, int head, char *out, size_t size, struct err *e)
{
	if (!*cell || strlen(cell) >= size)
		return err_set(e, "%s: it has 1 to %zu bytes", heads[head], size - 1);
	memcpy(out, cell, strlen(cell) + 1);
	return 0;
}

/* A date alone: of an age nobody knows since when. */
static int day_cell(const char *cell, double *out, struct err *e)
{
	if (strlen(cell) != sizeof "2026-05-09" - 1 || when_parse(cell, 0, out, NULL))
		return err_set(e, "known: \"%.40s\" is not a date such as 2026-05-09", cell);
	return 0;
}

static int read_runner(char cell[CELLS][CELL_MAX], struct ci_runner *out, struct err *e)
{
	double minutes, gib;

	*out = (struct ci_runner){.vcpus = 0};
	if (text_cell(cell[PROVIDER], PROVIDER, out->provider, sizeof out->provider, e) ||
	    labels_cell(cell[LABELS], out, e) || kind_cell(cell[KIND], &out->kind, e) ||
	    number_cell(cell[VCPUS], VCPUS, 0.1, VCPUS_MAX, &out->vcpus, e) ||
	    number_cell(cell[MEMORY], MEMORY, 0.1, GIB_MAX, &gib, e) ||
	    text_cell(cell[ARCH], ARCH, out->arch, sizeof out->arch, e) ||
	    number_cell(cell[USD], USD, 0, USD_MAX, &out->usd_minute, e) ||
	    number_cell(cell[BILLED], BILLED, 1, BILLED_MAX, &out->billed_s, e) ||
	    number_cell(cell[MINUTES], MINUTES, 0, MINUTES_MAX, &minutes, e) ||
	    day_cell(cell[KNOWN], &out->known, e) ||
	    text_cell(cell[SOURCE], SOURCE, out->source, sizeof out->source, e))
		return -1;
	out->memory_b = gib * QUANTITY_GIB;
	out->most_s = minutes * 60;
	return 0;
}

/* -- lines ------------------------------------------------------------------------------------- */

static int split_line(const char *line, size_t n, char cell[CELLS][CELL_MAX], struct err *e)
{
	for (int i = 0; i < CELLS; i++) {
		const char *tab = memchr(line, '\t', n);
		size_t width = tab ? (size_t)(tab - line) : n;
		if (width >= CELL_MAX || memchr(line, '\0', width))
			return err_set(e, "%s: longer than %d bytes, or with a NUL", heads[i],
			               CELL_MAX - 1);
		memcpy(cell[i], line, width);
		cell[i][width] = '\0';
		if (!tab != (i + 1 == CELLS))
			return err_set(e, "a line has %d columns, with tabs between", CELLS);
		line += width + 1;
		n -= tab ? width + 1 : width;
	}
	return 0;
}

static int keep_runner(struct ci_prices *out, const struct ci_runner *one, struct err *e)
{
	struct ci_runner *v;

	if (out->n == CI_PRICES_MAX)
		return err_set(e, "more than %zu runners", CI_PRICES_MAX);
	if (out->n % 64 == 0) {
		v = alloc_failed_note(realloc(out->v, (out->n + 64) * sizeof *v));
		if (!v)
			return err_set(e, "no memory");
		out->v = v;
	}
	out->v[out->n++] = *one;
	return 0;
}

int ci_prices_parse(struct ci_prices *out, const char *text, size_t n, struct err *e)
{
	char cell[CELLS][CELL_MAX];
	struct ci_runner one;
	const char *end = text + n;
	int line = 1;

	*out = (struct ci_prices){.n = 0};
	for (const char *at = text; at < end; line++) {
		const char *lf = memchr(at, '\n', (size_t)(end - at));
		size_t width = (size_t)((lf ? lf : end) - at);
		const char *next = at + width + 1;
		if (width && at[width - 1] == '\r')
			width--;
		if (width && *at != '#' &&
		    (split_line(at, width, cell, e) || read_runner(cell, &one, e) ||
		     keep_runner(out, &one, e)))
			return err_wrap(e, "line %d", line);
		at = lf ? next : end;
	}
	return out->n ? 0 : err_set(e, "there is no runner in it");
}

void ci_prices_free(struct ci_prices *p)
{
	free(p->v);
	*p = (struct ci_prices){.n = 0};
}

/* -- what it says ------------------------------------------------------------------------------ */

bool ci_prices_named(const struct ci_runner *r, const char *label, size_t n)
{
	for (const char *at = r->labels; n && (at = strchr(at, ',')) && at[1]; at++)
		if (strncmp(at + 1, label, n) == 0 && at[1 + n] == ',')
			return true;
	return false;
}

/* The sum of times that were added in any order may be a little above a whole number. */
#define ROUNDING 1e-6

double ci_prices_minutes(const struct ci_runner *r, double wall_s)
{
	return fmax(1, ceil(wall_s / r->billed_s - ROUNDING)) * r->billed_s / 60;
}

double ci_prices_usd(const struct ci_runner *r, double wall_s)
{
	return ci_prices_minutes(r, wall_s) * r->usd_minute;
}
