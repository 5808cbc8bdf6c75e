/* keeper_parse, keeper_cache: any bytes as an answer of the service, or as a cache file; accepted
 * values must keep the headers' promises. */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "report/prices/keeper_cache.h"
#include "report/prices/keeper_parse.h"
#include "report/prices/keeper_records.h"
#include "report/prices/keeper_region.h"
#include "report/prices/keeper_where.h"
#include "tests/fuzz/fuzz.h"

static void record(const struct keeper_records *records, const struct keeper_server *s)
{
	cJSON *row = keeper_records_get(records, s->record);
	const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(row, "vendor_id"));
	char cut[sizeof s->vendor_id];

	must(s->record <= records->n && (!row || id));
	if (row) {
		keeper_result_copy(cut, sizeof cut, id);
		must(strcmp(cut, s->vendor_id) == 0);
	}
	cJSON_Delete(row);
}

static void where(const char *text, size_t n)
{
	struct opts_list list = {{text}, n < 512};
	struct keeper_query q = {.where = list, .vcpus = NAN};
	struct buf words = {.max = 4096};

	if (keeper_where_check(&list, NULL) == 0) {
		keeper_where_replace(&q.where, (struct keeper_where_sizes){&q.vcpus, &q.memory_mib,
		                                                           &q.gpu, &q.vram_mib});
		must(isnan(q.vcpus) || q.vcpus >= 0);
		keeper_where_words(&list, &words);
		keeper_query_servers_url(&words, &q, NULL, false);
		must(!words.failed);
	}
	buf_free(&words);
}

static void servers(const char *json, size_t n, struct keeper_result *r)
{
	struct keeper_records records = {0};
	struct keeper_query q = {.vcpus = 2,
	                         .records = &records,
	                         .where = {{"storage_size=10", "cpu_manufacturer=AMD"}, n % 3},
	                         .memory_mib = 1024,
	                         .servers = 3,
	                         .spot = n % 2,
	                         .present_vendor = "aws",
	                         .present_type = "t9.medium"};

	must(keeper_where_check(&q.where, NULL) == 0);
	if (keeper_parse_servers(json, n, &q, r, NULL))
		must(r->n == 0 && records.n == 0);
	must(records.bytes <= KEEPER_RECORDS_MAX);
	must(r->n <= 3 && r->n <= r->looked_at);
	for (size_t i = 0; i < r->n; i++) {
		const struct keeper_server *s = &r->server[i];
		must(isfinite(s->price_hour) && s->price_hour > 0);
		must(isnan(s->score_asked) || (isfinite(s->score_asked) && s->score_asked > 0));
		must(!(s->price_spot <= 0 || s->price_ondemand <= 0 || s->price_month <= 0));
		must(s->vcpus >= 2 && s->memory_mib >= 1024);
		must(*s->vendor_id && *s->server_id);
		must(i == 0 || s->price_hour >= s[-1].price_hour);
		record(&records, s);
	}
	keeper_records_free(&records);
}

/* What is kept of a page is a page again, of as many rows. */
static void page(const char *json, size_t n)
{
	struct buf list = {.max = (size_t)64 << 20}, again = {0};
	size_t rows = 0, rows_again = 0;

	buf_char(&list, '[');
	if (keeper_parse_page(json, n, &list, &rows, NULL) == 0) {
		buf_char(&list, ']');
		must(!list.failed);
		must(keeper_parse_page(buf_cstr(&list), list.len, &again, &rows_again, NULL) == 0);
		must(rows == rows_again);
	}
	buf_free(&list);
	buf_free(&again);
}

static void prices(const char *json, size_t n)
{
	struct keeper_prices p;

	if (keeper_parse_prices(json, n, "USD", &p, NULL))
		return;
	must(p.n <= KEEPER_PRICES_MAX);
	for (size_t i = 0; i < p.n; i++)
		must(isfinite(p.v[i].price_hour) && p.v[i].price_hour > 0 && *p.v[i].region_id);
}

static void present(const char *json, size_t n)
{
	struct keeper_server s = {.vendor_id = "hcloud", .server_id = "902", .vcpus = NAN};
	const struct speed_measure m = {.id = "geekbench:score", .one = true};
	double at = -1;

	keeper_parse_specs(json, n, &s, NULL);
	must(isnan(s.vcpus) || s.vcpus > 0);
	s.score = s.score_asked = NAN;
	keeper_parse_scores(json, n, &m, &s, NULL);
	must(isnan(s.score) || (isfinite(s.score) && s.score > 0));
	must(isnan(s.score_asked) || (isfinite(s.score_asked) && s.score_asked > 0));
	must(keeper_cache_head(json, n, "https://h/servers?a=1", &at) <= n);
	must(at < 1e12);
}

static void place(const char *json, size_t n)
{
	struct keeper_server s = {
	    .vendor_id = "aws", .server_id = "g4dn.xlarge", .price_hour = 0.526};
	struct keeper_query q = {0};
	struct keeper_region_ids ids = {.n = 0};

	keeper_parse_place(json, n, &q, &ids, &s, NULL);
	must(!*s.price_day || strlen(s.price_day) == 10);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *json = malloc(size + 1);
	struct keeper_result *r = calloc(1, sizeof *r);
	struct keeper_region_list regions = {0};
	bool confirmed;
	char detail[256];

	if (json && r) {
		memcpy(json, data, size);
		json[size] = '\0';
		servers(json, size, r);
		page(json, size);
		where(json, size);
		prices(json, size);
		present(json, size);
		place(json, size);
		must(keeper_parse_regions(json, size, &regions, NULL) == 0 || regions.n == 0);
		must(regions.n <= KEEPER_REGION_LIST_MAX);
		for (size_t i = 0; i < regions.n; i++)
			must(*regions.v[i].vendor_id && *keeper_region_name(&regions.v[i]) &&
			     keeper_region_is_called(&regions.v[i], regions.v[i].region_id));
		must(keeper_parse_confirms(json, size, "aws", &confirmed, NULL) == 0 || !confirmed);
		keeper_parse_detail(json, size, detail);
		must(strlen(detail) < sizeof detail);
	}
	keeper_parse_free_regions(&regions);
	free(r);
	free(json);
	return 0;
}
