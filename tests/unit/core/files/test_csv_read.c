/* csv_read: cells of CSV, in whatever pieces they come. */
#include <math.h>
#include <stdio.h>

#include "core/files/csv_read.h"
#include "tests/unit/core/base/scratch.h"
#include "tests/unit/unit.h"

/* "a|b/c|d": cells, and records; then "!" and the error. Of the content, the first `begun` bytes are
 * handed over, and the rest is read. */
static void cells_of(const char *text, size_t n, size_t begun, struct buf *out)
{
	struct csv_read *c = calloc(1, sizeof *c);
	int fd = scratch_bytes(text + begun, n - begun);
	struct gz_in *g = gz_in_new(fd, 1 << 24, NULL);
	struct err e = {0};
	int more = 0;

	assert_non_null(c);
	csv_read_init(c, g, text, begun, "f", &e);
	while (!*e.msg && (more = csv_read_record(c)) > 0) {
		buf_str(out, out->len ? "/" : "");
		for (size_t i = 0; (more = csv_read_cell(c)) > 0; i++) {
			buf_str(out, i ? "|" : "");
			buf_add(out, c->cell, c->n);
		}
	}
	assert_int_equal(more < 0, *e.msg != 0);
	assert_int_equal(csv_read_cell(c) < 0, *e.msg != 0);
	if (*e.msg)
		buf_printf(out, "!%s", e.msg);
	csv_read_free(c);
	free(c);
	gz_in_free(g);
	close(fd);
}

TEST(all_kinds_of_cells)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
	    {"", ""},
	    {"a", "a"},
	    {"a,b\n1,2\n", "a|b/1|2"},
	    {"a,b\r\n1,2\r\n", "a|b/1|2"},
	    {"a,b\r1,2", "a|b/1|2"},
	    {"\n\r\n\na\n\n\nb\n", "a/b"},
	    {"\xef\xbb\xbf"
	     "a,b\n",
	     "a|b"},
	    {",\n,,\n", "|/||"},
	    {"a,", "a|"},
	    {"\"a\",\"\",\"b \"\"c\"\"\"\n", "a||b \"c\""},
	    {"\"a,b\nc\",d\n", "a,b\nc|d"},
	    {"a\"b,c\"\"\n", "a\"b|c\"\""},
	    {"x,\"y\"z\n", "x!f: line 1: text after the closing quote of a cell"},
	    {"x\n\"y", "x/!f: line 2: the content ends in a quoted cell"},
	    {"\"a\nb\"\nc,\"d\"e", "a\nb/c!f: line 3: text after the closing quote of a cell"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t n = strlen(cases[i].text);
		for (size_t begun = 0; begun <= n; begun++) {
			struct buf got = {0};
			if (begun < 3 && cases[i].text[0] == '\xef')
				continue; /* a beginning is handed over as far as there is any */
			cells_of(cases[i].text, n, begun, &got);
			/* The cell in which an error is comes after its "|". */
			if (strchr(cases[i].want, '!')) {
				assert_non_null(strstr(buf_cstr(&got), strchr(cases[i].want, '!')));
			} else {
				assert_string_equal(buf_cstr(&got), cases[i].want);
			}
			buf_free(&got);
		}
	}
}

TEST(caps)
{
	struct buf text = {0}, got = {0};

	for (size_t i = 0; i < CSV_READ_CELL_MAX - 1; i++)
		buf_char(&text, 'x');
	cells_of(buf_cstr(&text), text.len, 0, &got);
	assert_int_equal(got.len, CSV_READ_CELL_MAX - 1);
	buf_str(&text, "xx");
	buf_clear(&got);
	cells_of(buf_cstr(&text), text.len, 0, &got);
	assert_string_equal(buf_cstr(&got), "!f: line 1: a cell that is too long");
	buf_clear(&text);
	buf_clear(&got);
	for (size_t i = 0; i < CSV_READ_CELLS_MAX; i++)
		buf_str(&text, ",");
	cells_of(buf_cstr(&text), text.len, text.len, &got);
	assert_non_null(strstr(buf_cstr(&got), "!f: line 1: too many cells"));
	buf_free(&text);
	buf_free(&got);
}

/* Cells at all places of the window's end. */
TEST(window_ends)
{
	struct buf text = {0};
	struct csv_read *c = calloc(1, sizeof *c);
	struct gz_in *g;
	size_t n = 0;
	double v, sum = 0;
	int fd;

	for (size_t i = 0; i < 60000; i++)
		buf_printf(&text, "%zu.5,\"%zu\"\n", i, i);
	fd = scratch_bytes(buf_cstr(&text), text.len);
	g = gz_in_new(fd, 1 << 24, NULL);
	csv_read_init(c, g, "", 0, "f", NULL);
	for (; csv_read_record(c) > 0; n++) {
		assert_int_equal(c->line, n + 1);
		while (csv_read_cell(c) > 0) {
			assert_true(csv_read_number(c, &v));
			sum += v;
		}
		assert_int_equal(c->cells, 2);
	}
	assert_int_equal(n, 60000);
	assert_true(sum == 60000.0 * 59999 + 30000);
	csv_read_free(c);
	free(c);
	gz_in_free(g);
	close(fd);
	buf_free(&text);
}

TEST(numbers)
{
	static const struct {
		const char *cell;
		double v; /* INFINITY: no number */
	} cases[] = {
	    {"1", 1},          {"-0.5", -0.5},     {" 7 ", 7},
	    {"1e-05", 1e-5},   {"", NAN},          {"NaN", NAN},
	    {"nan", NAN},      {"None", NAN},      {"null", NAN},
	    {"inf", NAN},      {"-Infinity", NAN}, {"NA", NAN},
	    {"1e999", NAN},    {"0x10", INFINITY}, {"abc", INFINITY},
	    {"1 2", INFINITY}, {"1,5", INFINITY},  {"1746129779.2048252", 1746129779.2048252}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct csv_read c = {.cell = cases[i].cell, .n = strlen(cases[i].cell)};
		double v = 42;
		bool is = csv_read_number(&c, &v);
		assert_int_equal(is, !isinf(cases[i].v));
		if (is)
			assert_true(isnan(cases[i].v) ? isnan(v) : v == cases[i].v);
	}
}
