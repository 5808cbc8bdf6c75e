/* keeper_filters: what people write, in the service's spelling; and unknown values. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "report/prices/keeper_filters.h"
#include "tests/unit/unit.h"

TEST(spellings)
{
	static const struct {
		enum keeper_filter filter;
		const char *word, *value;
	} cases[] = {
	    {KEEPER_FILTER_VENDOR, "AWS", "aws"},
	    {KEEPER_FILTER_VENDOR, "hetzner", "hcloud"},
	    {KEEPER_FILTER_VENDOR, "ALIBABA", "alicloud"},
	    {KEEPER_FILTER_VENDOR, "google", "gcp"},
	    {KEEPER_FILTER_VENDOR, "Amazon", "aws"},
	    {KEEPER_FILTER_VENDOR, "amazon web services", "aws"},
	    {KEEPER_FILTER_VENDOR, "Microsoft", "azure"},
	    {KEEPER_FILTER_COUNTRY, "de", "DE"},
	    {KEEPER_FILTER_COUNTRY, "Deutschland", "DE"},
	    {KEEPER_FILTER_COUNTRY, "Österreich", "AT"},
	    {KEEPER_FILTER_COUNTRY, "日本", "JP"},
	    {KEEPER_FILTER_COUNTRY, "germany", "DE"},
	    {KEEPER_FILTER_COUNTRY, "United States", "US"},
	    {KEEPER_FILTER_COUNTRY, "uk", "GB"},
	    {KEEPER_FILTER_COUNTRY, "GB", "GB"},
	    {KEEPER_FILTER_COMPLIANCE, "HIPAA", "hipaa"},
	    {KEEPER_FILTER_COMPLIANCE, "soc2", "soc2t2"},
	    {KEEPER_FILTER_ARCH, "AMD64", "x86_64"},
	    {KEEPER_FILTER_ARCH, "aarch64", "arm64"},
	    {KEEPER_FILTER_CPU_ALLOCATION, "dedicated", "Dedicated"},
	    {KEEPER_FILTER_CURRENCY, "eur", "EUR"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(keeper_filters_value(cases[i].filter, cases[i].word, NULL),
		                    cases[i].value);
}

TEST(unknown_values)
{
	char word[200];
	const struct {
		enum keeper_filter filter;
		const char *word, *nearest;
	} cases[] = {
	    {KEEPER_FILTER_VENDOR, "hetzer", "hcloud"},
	    {KEEPER_FILTER_VENDOR, "gpc", "gcp"},
	    {KEEPER_FILTER_COMPLIANCE, "HIPPA", "hipaa"},
	    {KEEPER_FILTER_COUNTRY, "Atlantis", NULL},
	    {KEEPER_FILTER_COUNTRY, "XX", NULL},
	    {KEEPER_FILTER_COUNTRY, "Deutschlan", "DE"},
	    {KEEPER_FILTER_VENDOR, "gogle", "gcp"},
	    {KEEPER_FILTER_CURRENCY, "EUR,USD", NULL},
	    {KEEPER_FILTER_COUNTRY, "Switzerlnd", "CH"},
	    {KEEPER_FILTER_CURRENCY, "euro", "EUR"},
	    {KEEPER_FILTER_CURRENCY, "$", NULL},
	    {KEEPER_FILTER_ARCH, "x86_46", "x86_64"},
	    {KEEPER_FILTER_CPU_ALLOCATION, "", NULL},
	    {KEEPER_FILTER_VENDOR, word, NULL},
	    {KEEPER_FILTER_CPU_ALLOCATION, "burstble", "Burstable"},
	};

	memset(word, 'a', sizeof word - 1);
	word[sizeof word - 1] = '\0';
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err e = {0};
		char begin[160];
		assert_null(keeper_filters_value(cases[i].filter, cases[i].word, &e));
		snprintf(begin, sizeof begin, "unknown value \"%.64s\"%s%s%s", cases[i].word,
		         cases[i].nearest ? "; did you mean " : "",
		         cases[i].nearest ? cases[i].nearest : "", cases[i].nearest ? "?" : "");
		if (strncmp(e.msg, begin, strlen(begin)) != 0 ||
		    (!cases[i].nearest && strstr(e.msg, "did you mean")))
			fail_msg("%s: %s", cases[i].word, e.msg);
	}
}

/* Keeps the order, drops duplicates, and does not change correct values. */
TEST(lists)
{
	struct keeper_lists all = {.vendor = {{"AWS", "gcp", "aws", "Google"}, 3},
	                           .region = {{"any"}, 1}};
	struct opts_list *list = &all.vendor;
	struct err e = {0};

	assert_int_equal(keeper_filters_values(&all, &e), 0);
	assert_int_equal(list->n, 2);
	assert_string_equal(list->v[0], "aws");
	assert_string_equal(list->v[1], "gcp");
	assert_string_equal(all.region.v[0], "any");
	list->v[list->n++] = "asw";
	assert_int_equal(keeper_filters_values(&all, &e), -1);
	assert_string_equal(e.msg,
	                    "--vendor: unknown value \"asw\"; did you mean aws? (known: aws, gcp, "
	                    "azure, hcloud, upcloud, alicloud, ovh, vultr)");
}

/* Each code is of one country, and so is each name. */
TEST(tables)
{
	size_t codes = 0;
	char names[256];

	for (const struct keeper_filter_word *w = keeper_filters_countries; w->value; w++) {
		assert_true(strlen(w->value) == 2 && isupper((unsigned char)w->value[0]) &&
		            isupper((unsigned char)w->value[1]));
		codes++;
		assert_string_equal(keeper_filters_value(KEEPER_FILTER_COUNTRY, w->value, NULL),
		                    w->value);
		snprintf(names, sizeof names, "%s", w->names);
		for (char *name = strtok(names, "|"); name; name = strtok(NULL, "|"))
			assert_string_equal(keeper_filters_value(KEEPER_FILTER_COUNTRY, name, NULL),
			                    w->value);
	}
	assert_int_equal(codes, 249);
	for (const struct keeper_vendor *v = keeper_filters_vendors; v->id; v++) {
		assert_true(v->min_s > 0 && v->increment_s > 0);
		assert_ptr_equal(keeper_filters_vendor(v->id), v);
		assert_string_equal(keeper_filters_value(KEEPER_FILTER_VENDOR, v->id, NULL), v->id);
		assert_string_equal(keeper_filters_value(KEEPER_FILTER_VENDOR, v->short_name, NULL),
		                    v->id);
	}
	assert_null(keeper_filters_vendor("onprem"));
}
