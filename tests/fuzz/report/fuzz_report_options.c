/* fuzz_report_options: the command line of rtrack-report. The input is its words, each ended by a
 * NUL; then the Keeper's URLs are built from the parsed options. */
#include <math.h>
#include <string.h>

#include "report/options/report_options.h"
#include "report/prices/keeper_filters.h"
#include "report/prices/keeper_query.h"
#include "report/prices/keeper_result.h"
#include "tests/fuzz/fuzz.h"

#define WORDS_MAX 100

/* No option's value ends the URL or begins another part of it. */
static void check_urls(const struct report_options *o)
{
	struct keeper_query q = report_options_prices(o, NULL);
	struct keeper_result *r = calloc(1, sizeof *r);
	struct buf b[4] = {{0}};

	must(r != NULL);
	q.base_url = "https://k";
	q.vcpus = (double)o->expected_cores;
	q.memory_mib = o->now;
	q.present_vendor = o->title ? o->title : "v";
	q.present_type = o->current.name ? o->current.name : "t";
	keeper_query_servers_url(&b[0], &q, NULL, false);
	keeper_query_prices_url(&b[1], &q);
	keeper_query_specs_url(&b[2], &q);
	keeper_query_regions_url(&b[3], &q, &o->server.vendor);
	for (size_t i = 0; i < 4; i++) {
		const char *path = buf_cstr(&b[i]) + strlen("https://k");
		must(strncmp(buf_cstr(&b[i]), "https://k/", 10) == 0);
		for (const char *s = path; *s; s++)
			must(*s > ' ' && *s < 0x7f && !strchr("#\"<>\\^`{|}@", *s));
		must(strchr(path, '?') == strrchr(path, '?'));
		buf_free(&b[i]);
	}
	keeper_query_words(&q, "", r->asked);
	must(strlen(r->asked) < sizeof r->asked);
	free(r);
}

static void check(const struct report_options *o, int argc)
{
	must(o->history >= 0 && o->history <= 10000 && o->servers >= 1 && o->servers <= 64);
	must(isnan(o->now) || (o->now >= 0 && o->now <= 253402300799.0));
	must(o->n_inputs < (size_t)argc);
	for (size_t i = 0; i < o->n_inputs; i++)
		must(o->input[i].name != NULL);
	if (o->help || o->version || o->list_metrics)
		return;
	must(o->model.name || o->n_inputs || o->current.name);
	for (size_t i = 0; i < o->server.vendor.n; i++)
		must(keeper_filters_value(KEEPER_FILTER_VENDOR, o->server.vendor.v[i], NULL) ==
		     o->server.vendor.v[i]);
	must(!o->currency || !*o->currency ||
	     keeper_filters_value(KEEPER_FILTER_CURRENCY, o->currency, NULL) == o->currency);
	must(!o->model.name || (!o->n_inputs && !o->current.name && !o->csv));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *words = malloc(size + 1), *argv[WORDS_MAX + 2] = {"rtrack-report"};
	struct report_options *o = malloc(sizeof *o);
	struct err e = {{0}};
	int argc = 1;

	must(words && o);
	if (size)
		memcpy(words, data, size);
	words[size] = '\0';
	for (size_t at = 0; at < size && argc <= WORDS_MAX; at += strlen(words + at) + 1)
		argv[argc++] = words + at;
	if (report_options_parse(o, argc, argv, &e)) {
		must(*e.msg);
	} else {
		check(o, argc);
		check_urls(o);
	}
	report_options_free(o);
	free(o);
	free(words);
	return 0;
}
