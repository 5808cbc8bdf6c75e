/* wait_slices: the table of worked examples in docs/snapshot.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/waits/wait_slices.h"
#include "tests/unit/unit.h"

#define S INT64_C(1000000000)

static char page[262144];

/* Cuts the next cell out of a row: what is between its bar and the next one. */
static char *next_cell(char **row)
{
	char *cell = *row + strspn(*row, "| "), *end = strstr(cell, " |");

	assert_non_null(end);
	*end = '\0';
	*row = end + 2;
	return cell;
}

/* "cpu 0.25, disk 0.75; 2 × (child 1)" */
static void add_threads(struct wait_slices *w, char *cell)
{
	char *part, *rest = NULL, *inner;

	for (part = strtok_r(cell, ";", &rest); part; part = strtok_r(NULL, ";", &rest)) {
		struct wait_share share = {.from = S, .to = 2 * S};
		long n = strtol(part, &inner, 10);
		char *state, *more = NULL;
		inner = strchr(part, '(') ? strchr(part, '(') : part;
		for (state = strtok_r(inner, ",()", &more); state;
		     state = strtok_r(NULL, ",()", &more)) {
			char word[16];
			double s;
			assert_int_equal(sscanf(state, " %15s %lf", word, &s), 2);
			if (strcmp(word, "child") != 0) {
				assert_true(states_find(word) < STATES_N);
				share.s[states_find(word)] = s;
			}
		}
		for (long i = 0; i < (n ? n : 1); i++)
			wait_slices_add(w, &share);
	}
}

/* "cpu 0.25 (0.25 to 0.25), disk …": each of these, and no others. */
static void expect_states(const struct wait_sums *s, char *cell)
{
	double value[STATES_N] = {0}, least[STATES_N] = {0}, most[STATES_N] = {0};
	char *one, *rest = NULL, word[16];

	for (one = strtok_r(cell, ",", &rest); one; one = strtok_r(NULL, ",", &rest)) {
		double v, a, b;
		int k;
		assert_int_equal(sscanf(one, " %15s %lf (%lf to %lf)", word, &v, &a, &b), 4);
		k = (int)states_find(word);
		assert_true(k < STATES_N);
		value[k] = v;
		least[k] = a;
		most[k] = b;
	}
	for (int k = 0; k < STATES_N; k++)
		if (!(fabs(s->value[k] - value[k]) < 6e-5 && fabs(s->least[k] - least[k]) < 6e-5 &&
		      fabs(s->most[k] - most[k]) < 6e-5))
			fail_msg("%s: %g (%g to %g), not %g (%g to %g)",
			         states_word((enum states_id)k), s->value[k], s->least[k],
			         s->most[k], value[k], least[k], most[k]);
}

TEST(the_table)
{
	const struct wait_accounts none = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	FILE *f = fopen("docs/snapshot.md", "r");
	size_t n = f ? fread(page, 1, sizeof page - 1, f) : 0, rows = 0;
	char *row = strstr(page, "\n| example | each thread |");

	assert_true(n > 0 && n < sizeof page - 1 && fclose(f) == 0);
	assert_non_null(row);
	for (row = strstr(row, "|---"); (row = strchr(row, '\n')) && row[1] == '|'; rows++) {
		struct wait_sums s = {.exact = 0};
		struct wait_slices w;
		row++;
		(void)next_cell(&row);
		wait_slices_start(&w, S);
		wait_slices_cut(&w, 2 * S);
		add_threads(&w, next_cell(&row));
		wait_slices_close(&w, &none, &s);
		expect_states(&s, next_cell(&row));
	}
	assert_true(rows > 5);
}
