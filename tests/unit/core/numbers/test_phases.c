/* phases: what marks make of a run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers/phases.h"
#include "core/recording/snapshot_fields.h"
#include "tests/unit/unit.h"

static int open_phases(void **state)
{
	*state = calloc(1, sizeof(struct phases));
	return *state ? 0 : -1;
}

static int close_phases(void **state)
{
	free(*state);
	return 0;
}

static void mark(struct phases *p, double t, const char *line)
{
	phases_mark(p, t, line, strlen(line));
}

/* "NAME START-END " of all; an end that is not known is "-". */
static const char *told(const struct phases *p)
{
	static char text[4096];
	size_t at = 0;

	text[0] = '\0';
	for (size_t i = 0; i < p->n; i++)
		at += (size_t)snprintf(text + at, sizeof text - at,
		                       isnan(p->v[i].end) ? "%s %g- " : "%s %g-%g ", p->v[i].name,
		                       p->v[i].start, p->v[i].end);
	return text;
}

TEST_WITH(lines_make_phases, open_phases, close_phases)
{
	static const struct {
		const char *lines[6]; /* at times 1, 2, … */
		const char *told;
		size_t unmatched;
	} cases[] = {
	    {{"a"}, "a 1- ", 0},
	    {{"a", "b"}, "a 1-2 b 2- ", 0},
	    {{"a", "a end", "b"}, "a 1-2 b 3- ", 0},
	    {{"a", "b", "a", "a end"}, "a 1-2 b 2-3 a 3-4 ", 0},
	    {{"a", "a"}, "a 1-2 a 2- ", 0},
	    {{"a end"}, "", 1},
	    {{"a", "b end", "a end", "a end"}, "a 1-3 ", 2},
	    {{"  a b\t", "a b   end "}, "a b 1-2 ", 0},
	    {{"end"}, "end 1- ", 0},
	    {{"", "   "}, "", 0},
	    {{"x\x01y", "\xff"}, "x?y 1-2 \xef\xbf\xbd 2- ", 0},
	    {{"end end"}, "", 1},
	    {{"end", "end end"}, "end 1-2 ", 0},
	};
	struct phases *p = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		memset(p, 0, sizeof *p);
		for (int k = 0; k < 6 && cases[i].lines[k]; k++)
			mark(p, k + 1, cases[i].lines[k]);
		assert_string_equal(told(p), cases[i].told);
		assert_int_equal(p->unmatched, cases[i].unmatched);
	}
}

TEST_WITH(the_last_is_closed, open_phases, close_phases)
{
	struct phases *p = *state;

	phases_close(p, 1);
	assert_int_equal(p->n, 0);
	mark(p, 2, "a");
	phases_close(p, 3);
	phases_close(p, 4);
	assert_string_equal(told(p), "a 2-3 ");
}

TEST_WITH(room_is_bounded, open_phases, close_phases)
{
	struct phases *p = *state;
	char name[PHASES_NAME_MAX * 2], number[16];

	for (int i = 0; i < PHASES_MAX + 10; i++)
		mark(p, i, i % 2 ? "odd" : "even");
	assert_int_equal(p->n, PHASES_MAX);
	assert_int_equal(p->left_out, 10);
	assert_int_equal(p->pool_len, 9);

	/* Different long names fill the pool before the list is full. */
	memset(p, 0, sizeof *p);
	memset(name, 'x', sizeof name);
	name[sizeof name - 1] = '\0';
	for (int i = 0; i < 1000; i++) {
		snprintf(number, sizeof number, "%06d", i);
		memcpy(name, number, 6);
		mark(p, i, name);
	}
	assert_true(p->n > 400 && p->n < 1000);
	assert_int_equal(p->n + p->left_out, 1000);
	assert_int_equal(strlen(p->v[0].name), PHASES_NAME_MAX);
	/* The last that was kept ends where the first without room began. */
	assert_true(p->v[p->n - 1].end == (double)p->n);
}

TEST_WITH(a_long_name_is_not_torn, open_phases, close_phases)
{
	struct phases *p = *state;
	char name[512] = "";

	while (strlen(name) < 400)
		strncat(name, "日本語", sizeof name - strlen(name) - 1);
	mark(p, 1, name);
	assert_int_equal(strlen(p->v[0].name) % 3, 0);
}

TEST_WITH(json_tells_all, open_phases, close_phases)
{
	struct phases *p = *state;
	struct json_write j = {.b = {.s = NULL}};

	json_write_object(&j, NULL);
	mark(p, 1, "a\"<");
	p->left_out = 3;
	snapshot_fields_phases(&j, p);
	json_write_object_end(&j);
	assert_true(json_write_finish(&j));
	assert_string_equal(buf_cstr(&j.b),
	                    "{\"phases\":[{\"name\":\"a\\\"\\u003c\",\"start\":1,\"end\":null}],"
	                    "\"phases_left_out\":3}");
	json_write_free(&j);
}
