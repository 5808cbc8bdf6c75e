/* ci_prices: tables of runners, the one that is built in too, and what jobs are billed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/ci/ci_prices.h"
#include "report/render/assets.h"
#include "tests/unit/unit.h"

#define ROW                                                                                        \
	"github-actions\tbig,large.er_1-x\tlarger\t8\t32\tx64\t0.022\t60\t0\t2026-05-09\thttps://a.invalid/\n"

static int parse(struct ci_prices *p, const char *text, struct err *e)
{
	return ci_prices_parse(p, text, strlen(text), e);
}

TEST(one_row)
{
	struct ci_prices p;
	struct err e = {0};

	assert_int_equal(parse(&p, "# a comment\n\n" ROW, &e), 0);
	assert_int_equal(p.n, 1);
	assert_string_equal(p.v[0].label, "big");
	assert_int_equal(p.v[0].kind, CI_LARGER);
	assert_true(p.v[0].vcpus == 8 && p.v[0].memory_b == 32 * 1073741824.0);
	assert_true(p.v[0].usd_minute == 0.022 && p.v[0].billed_s == 60 && p.v[0].most_s == 0);
	assert_true(p.v[0].known == 1778284800);
	assert_true(ci_prices_named(&p.v[0], "big", 3) &&
	            ci_prices_named(&p.v[0], "large.er_1-x!", 12));
	assert_false(ci_prices_named(&p.v[0], "bi", 2) || ci_prices_named(&p.v[0], "", 0));
	assert_false(ci_prices_named(&p.v[0], "big,large.er_1-x", 3 + 1));
	ci_prices_free(&p);
}

TEST(lines_without_their_end_or_with_cr)
{
	struct ci_prices p;

	assert_int_equal(ci_prices_parse(&p, ROW, sizeof ROW - 2, NULL), 0);
	assert_int_equal(p.n, 1);
	ci_prices_free(&p);
	assert_int_equal(parse(&p, "a\tb\town\t1\t1\tx64\t0\t1\t0\t2026-01-01\ts\r\n", NULL), 0);
	assert_string_equal(p.v[0].source, "s");
	ci_prices_free(&p);
}

TEST(broken)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
	    {"", "there is no runner in it"},
	    {"# nothing\n", "there is no runner in it"},
	    {ROW "a\tb\n", "line 2: a line has 11 columns, with tabs between"},
	    {"a\tb\town\t1\t1\tx64\t0\t1\t0\t2026-01-01\ts\tmore\n",
	     "line 1: a line has 11 columns, with tabs between"},
	    {"a\tb c\town\t1\t1\tx64\t0\t1\t0\t2026-01-01\ts\n",
	     "line 1: labels: \"b c\" is not a list of labels of letters, digits, \".\", \"_\" and \"-\""},
	    {"a\tb,,c\town\t1\t1\tx64\t0\t1\t0\t2026-01-01\ts\n",
	     "line 1: labels: \"b,,c\" is not a list of labels of letters, digits, \".\", \"_\" and \"-\""},
	    {"a\tb\tsmall\t1\t1\tx64\t0\t1\t0\t2026-01-01\ts\n",
	     "line 1: kind: \"small\" is not standard, public, larger, slim or own"},
	    {"a\tb\town\t0\t1\tx64\t0\t1\t0\t2026-01-01\ts\n",
	     "line 1: vcpus: \"0\" is not a number from 0.1 to 4096"},
	    {"a\tb\town\t1\tnan\tx64\t0\t1\t0\t2026-01-01\ts\n",
	     "line 1: memory_gib: \"nan\" is not a number from 0.1 to 65536"},
	    {"a\tb\town\t1\t1\tx64\t-1\t1\t0\t2026-01-01\ts\n",
	     "line 1: usd: \"-1\" is not a number from 0 to 1000"},
	    {"a\tb\town\t1\t1\tx64\t1e9\t1\t0\t2026-01-01\ts\n",
	     "line 1: usd: \"1e9\" is not a number from 0 to 1000"},
	    {"a\tb\town\t1\t1\tx64\t0\t0\t0\t2026-01-01\ts\n",
	     "line 1: billed_s: \"0\" is not a number from 1 to 86400"},
	    {"a\tb\town\t1\t1\tx64\t0\t1\t0\t30d\ts\n",
	     "line 1: known: \"30d\" is not a date such as 2026-05-09"},
	    {"a\tb\town\t1\t1\tx64\t0\t1\t0\t2026-13-01\ts\n",
	     "line 1: known: \"2026-13-01\" is not a date such as 2026-05-09"},
	    {"a\tb\town\t1\t1\tx64\t0\t1\t0\t2026-01-01\t\n",
	     "line 1: source: it has 1 to 191 bytes"},
	    {"\tb\town\t1\t1\tx64\t0\t1\t0\t2026-01-01\ts\n",
	     "line 1: provider: it has 1 to 31 bytes"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ci_prices p;
		struct err e = {0};
		assert_int_equal(parse(&p, cases[i].text, &e), -1);
		assert_string_equal(e.msg, cases[i].why);
		ci_prices_free(&p);
	}
}

TEST(as_many_as_there_may_be)
{
	static char text[(CI_PRICES_MAX + 1) * sizeof ROW];
	struct ci_prices p;
	struct err e = {0};

	for (size_t i = 0; i < CI_PRICES_MAX; i++)
		memcpy(text + i * (sizeof ROW - 1), ROW, sizeof ROW);
	assert_int_equal(parse(&p, text, &e), 0);
	assert_int_equal(p.n, CI_PRICES_MAX);
	ci_prices_free(&p);
	memcpy(text + CI_PRICES_MAX * (sizeof ROW - 1), ROW, sizeof ROW);
	assert_int_equal(parse(&p, text, &e), -1);
	assert_string_equal(e.msg, "line 501: more than 500 runners");
	ci_prices_free(&p);
}

TEST(billing)
{
	struct ci_runner github = {.usd_minute = 0.006, .billed_s = 60};
	struct ci_runner gitlab = {.usd_minute = 0.01, .billed_s = 1};

	assert_true(ci_prices_minutes(&github, 1) == 1 && ci_prices_minutes(&github, 60) == 1);
	assert_true(ci_prices_minutes(&github, 60.5) == 2 &&
	            ci_prices_minutes(&github, 3600) == 60);
	assert_true(ci_prices_minutes(&github, 0) == 1);
	/* A sum that should be a whole number of minutes. */
	assert_true(ci_prices_minutes(&github, 60.00000001) == 1);
	assert_true(fabs(ci_prices_usd(&github, 61) - 0.012) < 1e-12);
	assert_true(fabs(ci_prices_minutes(&gitlab, 90) - 1.5) < 1e-12);
	assert_true(fabs(ci_prices_usd(&gitlab, 90) - 0.015) < 1e-12);
	assert_true(isnan(ci_prices_usd(&gitlab, NAN)) || ci_prices_usd(&gitlab, NAN) > 0);
}

/* Each provider has one price for each label and kind; larger machines cost more. */
TEST(the_table_that_is_built_in)
{
	size_t n = 0;
	const char *text = assets_find(NULL, "ci_runners.tsv", &n);
	struct ci_prices p;
	struct err e = {0};

	assert_non_null(text);
	assert_int_equal(ci_prices_parse(&p, text, n, &e), 0);
	for (size_t i = 0; i < p.n; i++) {
		const struct ci_runner *a = &p.v[i];
		assert_true(strcmp(a->arch, "x64") == 0 || strcmp(a->arch, "arm64") == 0);
		assert_true(strncmp(a->source, "https://", 8) == 0);
		for (size_t k = i + 1; k < p.n; k++) {
			const struct ci_runner *b = &p.v[k];
			if (strcmp(a->provider, b->provider) != 0)
				continue;
			assert_true(a->kind != b->kind || strcmp(a->label, b->label) != 0);
			if (a->kind == b->kind && strcmp(a->arch, b->arch) == 0 &&
			    a->usd_minute > 0)
				assert_true(a->vcpus < b->vcpus && a->memory_b < b->memory_b &&
				            a->usd_minute < b->usd_minute);
		}
	}
	ci_prices_free(&p);
}
