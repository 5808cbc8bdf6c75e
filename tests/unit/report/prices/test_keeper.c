/* keeper: the URLs of the requests, and the parsers of the answers. tests/services has the network.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/prices/keeper.h"
#include "report/prices/keeper_file.h"
#include "report/prices/keeper_parse.h"
#include "report/prices/keeper_query.h"
#include "report/prices/keeper_region.h"
#include "report/prices/keeper_result.h"
#include "report/prices/price_fetcher.h"
#include "tests/unit/unit.h"

#define ORDER "&order_by=min_price_ondemand&order_dir=asc&limit="

TEST(urls_of_servers)
{
	static const struct {
		struct keeper_query q;
		const char *url;
	} cases[] = {
	    {{.vcpus = 2, .memory_mib = 4096},
	     "https://keeper.sparecores.net/servers?vcpus_min=2&memory_min=4.000" ORDER "25"},
	    {{.base_url = "http://[::1]:80//", .vcpus = 1.2, .memory_mib = 128, .servers = 1},
	     "http://[::1]:80/servers?vcpus_min=2&memory_min=0.125" ORDER "21"},
	    /* no sizes; sizes never round to 0, and never up */
	    {{.base_url = "x", .vcpus = NAN, .memory_mib = NAN, .vram_mib = -1},
	     "x/servers?vcpus_min=1" ORDER "25"},
	    {{.base_url = "x", .memory_mib = 0.5},
	     "x/servers?vcpus_min=1&memory_min=0.125" ORDER "25"},
	    {{.base_url = "x", .memory_mib = 2047.999},
	     "x/servers?vcpus_min=1&memory_min=1.999" ORDER "25"},
	    {{.base_url = "x", .vcpus = 320, .servers = 9999},
	     "x/servers?vcpus_min=256" ORDER "250"},
	    {{.base_url = "x", .servers = 9999}, "x/servers?vcpus_min=1" ORDER "84"},
	    {{.base_url = "x", .gpu = 1, .vram_mib = 9216},
	     "x/servers?vcpus_min=1&gpu_min=1&gpu_memory_total=9.000" ORDER "25"},
	    {{.base_url = "x",
	      .of.vendor = {{"aws", "a&b=c"}, 2},
	      .of.region = {{"us-east-1", "gcp~1000"}, 2},
	      .of.country = {{"DE"}, 1},
	      .of.compliance = {{"soc2t2"}, 1},
	      .of.arch = {{"aarch64", "x86_64"}, 2},
	      .of.cpu_allocation = {{"Dedicated"}, 1},
	      .currency = "eur"},
	     "x/servers?vcpus_min=1&architecture=arm64&architecture=x86_64&vendor=aws&"
	     "vendor=a%26b%3Dc&countries=DE&compliance_framework=soc2t2&"
	     "cpu_allocation=Dedicated&regions=us-east-1&vendor_regions=gcp~1000&currency=EUR" ORDER
	     "25"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf b = {0};
		keeper_query_servers_url(&b, &cases[i].q, NULL, false);
		assert_string_equal(buf_cstr(&b), cases[i].url);
		buf_free(&b);
	}
}

TEST(other_urls)
{
	struct keeper_query q = {.base_url = "x/",
	                         .present_vendor = "aws",
	                         .present_type = "g4/dn ü",
	                         .of.region = {{"nbg1"}, 1},
	                         .currency = "EUR"};
	struct keeper_region_ids places = {.v = {{"hcloud", "2"}, {"gcp", "1000"}}, .n = 2};
	struct buf b = {0};

	keeper_query_prices_url(&b, &q);
	assert_string_equal(buf_cstr(&b), "x/server/aws/g4%2Fdn%20%C3%BC/prices?currency=EUR");
	buf_clear(&b);
	keeper_query_regions_url(&b, &q, &(struct opts_list){{"aws", "gcp"}, 2});
	assert_string_equal(buf_cstr(&b), "x/regions?vendor=aws&vendor=gcp");
	buf_clear(&b);
	keeper_query_regions_url(&b, &q, &(struct opts_list){.n = 0});
	assert_string_equal(buf_cstr(&b), "x/regions");
	buf_clear(&b);
	keeper_query_servers_url(&b, &q, &places, false);
	assert_string_equal(buf_cstr(&b), "x/servers?vcpus_min=1&vendor_regions=hcloud~2&"
	                                  "vendor_regions=gcp~1000&currency=EUR" ORDER "25");
	buf_clear(&b);
	q.spot = true;
	keeper_query_servers_url(&b, &q, NULL, true);
	assert_string_equal(buf_cstr(&b),
	                    "x/servers?vcpus_min=1&regions=nbg1&currency=EUR&best_price_allocation="
	                    "SPOT_ONLY&order_by=min_price_spot&order_dir=asc&limit=250");
	buf_clear(&b);
	keeper_query_specs_url(&b, &q);
	assert_string_equal(buf_cstr(&b), "x/v2/server/aws/g4%2Fdn%20%C3%BC");
	buf_clear(&b);
	keeper_query_benchmarks_url(&b, &q);
	assert_string_equal(buf_cstr(&b), "x/server/aws/g4%2Fdn%20%C3%BC/benchmarks");
	buf_free(&b);
}

TEST(words)
{
	struct keeper_query q = {.vcpus = 2,
	                         .memory_mib = 512,
	                         .gpu = 1,
	                         .vram_mib = 1536,
	                         .of.vendor = {{"aws", "gcp"}, 2},
	                         .of.arch = {{"arm64"}, 1},
	                         .spot = true};
	struct keeper_result out = {0};

	keeper_query_words(&q, "", out.asked);
	assert_string_equal(out.asked, "at least 2 CPUs, 512 MiB of memory, 1 GPU, 1.5 GiB of GPU "
	                               "memory; architecture arm64; vendor aws or gcp; spot");
	keeper_query_words(&(struct keeper_query){.vcpus = NAN, .memory_mib = -4}, "", out.asked);
	assert_string_equal(out.asked, "at least 1 CPU");
}

/* -- rows of /servers -------------------------------------------------------------------------- */

#define ROW(vendor, id, cpus, mib, price, more)                                                    \
	"{\"vendor_id\":\"" vendor "\",\"server_id\":\"" id "\",\"vcpus\":" cpus                   \
	",\"memory_amount\":" mib ",\"min_price_ondemand\":" price more "}"

static struct keeper_result *servers(const char *json, const struct keeper_query *q)
{
	struct keeper_result *r = calloc(1, sizeof *r);
	struct err e = {0};

	assert_non_null(r);
	r->present = keeper_result_no_server();
	if (keeper_parse_servers(json, strlen(json), q, r, &e))
		fail_msg("%s", e.msg);
	return r;
}

/* Each row alone: whether it fits 2 CPUs, 4 GiB, vendor v, arm64, 1 GPU with 8 GiB. */
#define GPU(n, mib) ",\"gpu_count\":" n ",\"gpu_memory_total\":" mib
#define REST        ",\"cpu_architecture\":\"arm64\",\"cpu_allocation\":\"Dedicated\""
static const struct {
	const char *row;
	size_t n;
} row_cases[] = {
    {ROW("v", "s", "2", "4096", "0.1", GPU("1", "8192") REST), 1},
    {ROW("v", "s", "64", "9e9", "1e3", GPU("8.0", "99999") REST), 1},
    {ROW("v", "s", "2", "4096", "0.1", GPU("1", "8192") REST ",\"status\":\"active\""), 1},
    {ROW("v", "s", "2", "4096", "0.1", GPU("1", "8192") REST ",\"status\":\"inactive\""), 0},
    {ROW("w", "s", "2", "4096", "0.1", GPU("1", "8192") REST), 0},
    {ROW("v", "s", "1", "4096", "0.1", GPU("1", "8192") REST), 0},
    {ROW("v", "s", "null", "4096", "0.1", GPU("1", "8192") REST), 0},
    {ROW("v", "s", "\"2\"", "4096", "0.1", GPU("1", "8192") REST), 0},
    {ROW("v", "s", "2", "4095", "0.1", GPU("1", "8192") REST), 0},
    {ROW("v", "s", "2", "null", "0.1", GPU("1", "8192") REST), 0},
    {ROW("v", "s", "2", "4096", "null", GPU("1", "8192") REST), 0},
    {ROW("v", "s", "2", "4096", "0", GPU("1", "8192") REST), 0},
    {ROW("v", "s", "2", "4096", "1e999", GPU("1", "8192") REST), 0},
    {ROW("v", "s", "2", "4096", "\"Infinity\"", GPU("1", "8192") REST), 0},
    {ROW("v", "s", "2", "4096", "\"NaN\"", GPU("1", "8192") REST), 0},
    {ROW("v", "s", "2", "4096", "0.1", GPU("0", "8192") REST), 0},
    {ROW("v", "s", "2", "4096", "0.1", GPU("null", "8192") REST), 0},
    {ROW("v", "s", "2", "4096", "0.1", GPU("1", "8191") REST), 0},
    {ROW("v", "s", "2", "4096", "0.1", GPU("1", "null") REST), 0},
    {ROW("v", "s", "2", "4096", "0.1", GPU("1", "8192")), 0},
    {ROW("v", "s", "2", "4096", "0.1",
         GPU("1", "8192") ",\"cpu_architecture\":\"x86_64\",\"cpu_allocation\":\"Dedicated\""),
     0},
    {ROW("v", "s", "2", "4096", "0.1",
         GPU("1", "8192") ",\"cpu_architecture\":\"arm64\",\"cpu_allocation\":\"Shared\""),
     0},
    {ROW("v", "", "2", "4096", "0.1", GPU("1", "8192") REST), 0},
    {"null", 0},
    {"{}", 0},
    {"{\"vendor_id\":7,\"vendor\":\"x\"}", 0},
};

TEST(rows_are_checked)
{
	static const struct keeper_query q = {.vcpus = 2,
	                                      .memory_mib = 4096,
	                                      .gpu = 1,
	                                      .vram_mib = 8192,
	                                      .of.vendor = {{"v"}, 1},
	                                      .of.arch = {{"aarch64"}, 1},
	                                      .of.cpu_allocation = {{"dedicated"}, 1}};

	for (size_t i = 0; i < sizeof row_cases / sizeof *row_cases; i++) {
		char json[1024];
		struct keeper_result *r;
		snprintf(json, sizeof json, "[%s]", row_cases[i].row);
		r = servers(json, &q);
		if (r->n != row_cases[i].n)
			fail_msg("%s: %zu", row_cases[i].row, r->n);
		assert_int_equal(r->looked_at, 1);
		free(r);
	}
}

TEST(fields_are_read)
{
	static const char json[] =
	    "[{\"vendor_id\":\"hcloud\",\"server_id\":\"109\",\"name\":\"cpx22\","
	    "\"api_reference\":\"cpx22\",\"cpu_architecture\":\"x86_64\",\"vcpus\":2,"
	    "\"memory_amount\":4096,\"gpu_count\":0.0,\"gpu_memory_total\":null,\"score\":1343.5,"
	    "\"min_price\":0.001,\"min_price_ondemand\":0.25,\"min_price_spot\":0.125,"
	    "\"min_price_ondemand_monthly\":99.5,\"vendor\":{\"name\":\"Hetz\\tner\","
	    "\"minimum_billing_seconds\":60,\"billing_increment_seconds\":1}},"
	    "{\"vendor_id\":\"v\",\"server_id\":\"1\",\"min_price_ondemand\":0.5,\"vendor\":null}]";
	struct keeper_result *r = servers(json, &(struct keeper_query){0});
	const struct keeper_server *s = r->server;

	assert_int_equal(r->n, 2);
	assert_string_equal(s->vendor_id, "hcloud");
	assert_string_equal(s->vendor_name, "Hetz ner");
	assert_string_equal(s->server_id, "109");
	assert_string_equal(s->name, "cpx22");
	assert_string_equal(s->api_reference, "cpx22");
	assert_string_equal(s->arch, "x86_64");
	assert_true(s->vcpus == 2 && s->memory_mib == 4096 && s->gpu_count == 0);
	assert_true(isnan(s->gpu_memory_total_mib));
	assert_true(s->score == 1343.5 && s->price_hour == 0.25);
	assert_true(s->price_ondemand == 0.25 && s->price_spot == 0.125 && s->price_month == 99.5);
	assert_true(s->billing_min_s == 60 && s->billing_increment_s == 1);
	assert_true(isnan(s[1].price_spot) && isnan(s[1].price_month));
	assert_true(isnan(s[1].vcpus) && isnan(s[1].score) && isnan(s[1].billing_min_s));
	assert_string_equal(s[1].vendor_name, "");
	free(r);
}

static bool same_number(double a, double b)
{
	return isnan(b) ? isnan(a) : a == b;
}

/* A row that does not fit may still have details of the run's server that its own calls lack. */
TEST(present_is_learned)
{
#define BILLS(min, step)                                                                           \
	",\"vendor\":{\"name\":\"V\",\"minimum_billing_seconds\":" min                             \
	",\"billing_increment_seconds\":" step "}"
	static const char *const json =
	    "[" ROW("w", "type-9", "8", "1", "0.1", ",\"score\":9" BILLS("1", "2")) "," ROW(
		"v", "s", "1", "1", "null",
		",\"score\":7" BILLS(
		    "60", "1")) "," ROW("v", "77", "4", "512", "null",
	                                ",\"api_reference\":\"Type-9\",\"score\":500.5" BILLS(
					    "60", "1")) "]";
	struct keeper_query q = {.vcpus = 2, .present_vendor = "v", .present_type = "type-9"};
	struct keeper_result *r = servers(json, &q);
	const struct keeper_server *s = &r->present;

	assert_int_equal(r->n, 1);
	assert_true(s->score == 500.5 && s->vcpus == 4 && s->memory_mib == 512);
	assert_true(s->billing_min_s == 60 && s->billing_increment_s == 1);
	free(r);
	q.present_vendor = "unknown";
	r = servers(json, &q);
	assert_true(isnan(r->present.score)); /* untouched */
	free(r);
}

/* Its prices are those of /prices; in a file, which does not have that, the lowest of its rows. */
TEST(present_prices_are_learned)
{
#define HERE(price, more) ROW("v", "s", "4", "512", price, more)
	static const struct {
		const char *row;
		double ondemand, spot;
	} cases[] = {
	    {HERE("0.5", ",\"min_price_spot\":0.2"), 0.5, 0.2},
	    {HERE("0.5", "") "," HERE("0.4", ",\"currency\":\"USD\",\"status\":\"active\""), 0.4,
	     NAN},
	    {HERE("0.5", ",\"status\":\"inactive\""), NAN, NAN},
	    {HERE("0.5", ",\"currency\":\"EUR\""), NAN, NAN},
	    {HERE("0.5", ",\"min_price_spot\":99999"), NAN, NAN},
	    {HERE("99999", ",\"min_price_spot\":0.2"), NAN, NAN},
	    {HERE("0.5", ",\"min_price_ondemand_monthly\":\"Infinity\""), NAN, NAN},
	    {HERE("0.5", ",\"min_price_ondemand_monthly\":3000000"), NAN, NAN},
	    {ROW("w", "s", "4", "512", "0.5", ""), NAN, NAN},
	};
	struct keeper_file file = {.saved_at = 0};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct keeper_query q = {.present_vendor = "v", .present_type = "s", .file = &file};
		struct keeper_result *r;
		char json[1024];
		snprintf(json, sizeof json, "[%s]", cases[i].row);
		r = servers(json, &q);
		if (!same_number(r->present.price_ondemand, cases[i].ondemand) ||
		    !same_number(r->present.price_spot, cases[i].spot))
			fail_msg("%s: %g, %g", json, r->present.price_ondemand,
			         r->present.price_spot);
		free(r);
		q.file = NULL;
		r = servers(json, &q);
		assert_true(isnan(r->present.price_ondemand) && isnan(r->present.price_spot));
		free(r);
	}
}

/* A row with unknown billing terms does not overwrite those of another row. */
TEST(billing_is_shared)
{
	static const char *const json =
	    "[" ROW("v", "s", "1", "1", "0.1", BILLS("60", "1")) "," ROW(
		"v", "t", "1", "1", "0.2",
		",\"vendor\":null") "," ROW("v", "u", "1", "1", "0.3",
	                                    BILLS("null", "null")) "," ROW("w", "x", "1", "1",
	                                                                   "0.4", "") "]";
	struct keeper_query q = {.vcpus = 1, .present_vendor = "V"};
	struct keeper_result *r = servers(json, &q);

	assert_int_equal(r->n, 4);
	for (size_t i = 0; i < 3; i++)
		assert_true(r->server[i].billing_min_s == 60 &&
		            r->server[i].billing_increment_s == 1);
	assert_true(isnan(r->server[3].billing_min_s));
	assert_true(r->present.billing_min_s == 60 && r->present.billing_increment_s == 1);
	free(r);
}

/* Rows, and all of one vendor: otherwise the service dropped the filter. */
TEST(confirmations)
{
	static const struct {
		const char *json;
		bool confirmed;
	} cases[] = {
	    {"[{\"vendor_id\":\"aws\"},{\"vendor_id\":\"AWS\"}]", true},
	    {"[{\"vendor_id\":\"aws\"},{\"vendor_id\":\"gcp\"}]", false},
	    {"[{\"vendor_id\":\"gcp\"}]", false},
	    {"[{\"vendor_id\":\"aws\"},null]", false},
	    {"[]", false},
	};
	bool confirmed = true;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(keeper_parse_confirms(cases[i].json, strlen(cases[i].json), "aws",
		                                       &confirmed, NULL),
		                 0);
		assert_int_equal(confirmed, cases[i].confirmed);
	}
	confirmed = true;
	assert_int_equal(keeper_parse_confirms("{}", 2, "aws", &confirmed, NULL), -1);
	assert_false(confirmed);
}

/* A server that occurs twice counts once, at its lower price. */
TEST(servers_are_ranked)
{
	static const struct {
		const char *id;
		double price;
	} rows[] = {{"b", 3}, {"a", 3}, {"c", 9}, {"c", 1}, {"a", 4}, {"d", 2}, {"b", 0.5}};
	struct keeper_result *r = calloc(1, sizeof *r);
	char order[8] = "";

	assert_non_null(r);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct keeper_server s = keeper_result_no_server();
		keeper_result_copy(s.vendor_id, sizeof s.vendor_id, "v");
		keeper_result_copy(s.server_id, sizeof s.server_id, rows[i].id);
		s.price_hour = rows[i].price;
		keeper_result_add(r, &s, 3);
	}
	for (size_t i = 0; i < r->n; i++)
		order[i] = *r->server[i].server_id;
	assert_string_equal(order, "bcd");
	free(r);
}

TEST(spot_is_compared)
{
#define SPOT(id, ondemand, spot) ROW("v", id, "1", "1", ondemand, ",\"min_price_spot\":" spot)
	static const char *const json =
	    "[" SPOT("a", "0.5", "0.2") "," SPOT("b", "0.3", "0.25") "," SPOT(
		"c", "0.1", "null") "," SPOT("d", "null",
	                                     "0.1") "," SPOT("e", "0.1",
	                                                     "\"Infinity\"") "," SPOT("f", "1",
	                                                                              "0") "]";
	struct keeper_result *r = servers(json, &(struct keeper_query){.spot = true});

	assert_int_equal(r->n, 3);
	assert_string_equal(r->server[0].server_id, "d");
	assert_true(isnan(r->server[0].price_ondemand) && r->server[0].price_hour == 0.1);
	assert_string_equal(r->server[1].server_id, "a");
	assert_true(r->server[1].price_hour == 0.2 && r->server[1].price_ondemand == 0.5);
	free(r);
}

/* Sorted by (price, vendor_id, server_id); keeps the cheapest if there are more than requested. */
TEST(cheapest_come_first)
{
#define CHEAP(vendor, id, price) ROW(vendor, id, "1", "1", price, "")
	static const char *const json =
	    "[" CHEAP("b", "2", "0.3") "," CHEAP("b", "1", "0.2") "," CHEAP(
		"a", "9", "0.2") "," CHEAP("a", "10", "0.2") "," CHEAP("c", "1", "0.1") "]";
	static const char *const order[] = {"c1", "a10", "a9", "b1", "b2"};

	for (int asked = 1; asked <= 5; asked++) {
		struct keeper_result *r = servers(json, &(struct keeper_query){.servers = asked});
		assert_int_equal(r->n, asked);
		assert_int_equal(r->looked_at, 5);
		for (size_t i = 0; i < r->n; i++) {
			char id[200];
			snprintf(id, sizeof id, "%s%s", r->server[i].vendor_id,
			         r->server[i].server_id);
			assert_string_equal(id, order[i]);
		}
		free(r);
	}
}

/* Strings are cut at a character boundary; a row whose identifier is too long is dropped. */
TEST(long_strings)
{
	char json[4096], word[301];
	struct keeper_result *r;

	for (size_t i = 0; i < 300; i += 2)
		memcpy(word + i, "ü", 2);
	word[300] = '\0';
	snprintf(json, sizeof json,
	         "[" ROW("v", "s", "1", "1", "1", ",\"name\":\"x%s\"") "," ROW("%s", "s", "1", "1",
	                                                                       "1", "") "]",
	         word, word);
	r = servers(json, &(struct keeper_query){0});
	assert_int_equal(r->n, 1);
	assert_int_equal(strlen(r->server[0].name), 127);
	assert_memory_equal(r->server[0].name + 125, "ü", 3);
	free(r);
}

TEST(bad_answers)
{
	static const struct {
		const char *json, *says;
	} cases[] = {
	    {"", "the answer is empty"},
	    {" \n", "the answer is empty"},
	    {"<!doctype html><p>Hi", "the answer is a web page, not JSON"},
	    {"[{\"vendor_id\":\"v\",", "the answer is not valid JSON"},
	    {"[{\"a\":1,", "the answer is not valid JSON"},
	    {"[] x", "the answer is not valid JSON"},
	    {"[\"", "the answer is not valid JSON"},
	    {"[\"\\", "the answer is not valid JSON"},
	    {"\x1f\x8b\x08", "the answer is not valid JSON"},
	    {"{\"detail\":\"x\"}", "the answer is not a list"},
	    {"null", "the answer is not a list"},
	};
	struct keeper_result *r = calloc(1, sizeof *r);

	assert_non_null(r);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err e = {0};
		assert_int_equal(keeper_parse_servers(cases[i].json, strlen(cases[i].json),
		                                      &(struct keeper_query){0}, r, &e),
		                 -1);
		if (strncmp(e.msg, cases[i].says, strlen(cases[i].says)) != 0)
			fail_msg("%s: %s", cases[i].json, e.msg);
		assert_int_equal(r->n, 0);
	}
	free(r);
}

/* Memory stays bounded: too many levels or values are an error. */
TEST(heavy_answers)
{
	size_t n = 1100000;
	char *json = malloc(n + 1);
	struct keeper_prices prices;
	struct err e = {0};

	assert_non_null(json);
	memset(json, '[', n);
	json[n] = '\0';
	assert_int_equal(keeper_parse_prices(json, n, "USD", &prices, &e), -1);
	assert_string_equal(e.msg, "the answer is nested deeper than 32 levels");
	for (size_t i = 1; i < n; i++)
		json[i] = i % 2 ? '1' : ',';
	json[n - 1] = ']';
	assert_int_equal(keeper_parse_prices(json, n, "USD", &prices, &e), -1);
	assert_string_equal(e.msg, "the answer has more than 500000 values");
	memset(json + 1, '[', n - 3);
	json[1] = json[n - 2] = '"';
	assert_int_equal(keeper_parse_prices(json, n, "USD", &prices, &e), 0);
	free(json);
}

/* -- prices, regions, errors ------------------------------------------------------------------- */

#define PRICE(region, price, more) "{\"region_id\":\"" region "\",\"price\":" price more "}"
#define IS(allocation, unit, os, status, currency)                                                 \
	",\"allocation\":\"" allocation "\",\"unit\":\"" unit "\",\"operating_system\":\"" os      \
	"\",\"status\":\"" status "\",\"currency\":\"" currency "\""
#define GOOD IS("ondemand", "hour", "Linux", "active", "USD")

/* What a report reads of a row, exactly as it came. */
TEST(pages_are_joined)
{
	static const char *const pages[] = {
	    "[{\"vendor_id\":\"v\",\"x\":1,\"vcpus\":1,\"vcpus\":2,\"status\":null,"
	    "\"min_price_ondemand\":0.30000000000000004,\"vendor\":{\"name\":\"V\",\"y\":2,"
	    "\"minimum_billing_seconds\":60}}]",
	    "[]", "[{\"score\":1e-7},7]"};
	struct buf list = {0};
	size_t rows = 0;

	buf_char(&list, '[');
	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
		assert_int_equal(keeper_parse_page(pages[i], strlen(pages[i]), &list, &rows, NULL),
		                 0);
	assert_string_equal(buf_cstr(&list),
	                    "[{\"vendor_id\":\"v\",\"vcpus\":1,\"vcpus\":2,"
	                    "\"min_price_ondemand\":0.30000000000000004,\"vendor\":{\"name\":"
	                    "\"V\",\"minimum_billing_seconds\":60}},"
	                    "{\"score\":9.9999999999999995e-08},7");
	assert_int_equal(rows, 3);
	assert_int_equal(keeper_parse_page("{}", 2, &list, &rows, NULL), -1);
	buf_free(&list);
}

/* A row of many members takes no more time for each than one of few. */
TEST(a_long_row_is_kept)
{
	struct buf json = {0}, list = {0};
	size_t rows = 0;

	buf_str(&json, "[{\"name\":\"x\"");
	for (size_t i = 0; i < 200000; i++)
		buf_str(&json, i < 100000 ? ",\"score\":1" : ",\"vcpus\":1");
	buf_str(&json, "}]");
	buf_char(&list, '[');
	assert_int_equal(keeper_parse_page(buf_cstr(&json), json.len, &list, &rows, NULL), 0);
	assert_int_equal(list.len, json.len - 1);
	buf_free(&json);
	buf_free(&list);
}

TEST(prices_by_region)
{
	static const char *const rows[] = {
	    PRICE("r1", "0.5", GOOD),
	    PRICE("r1", "0.4", GOOD),
	    PRICE("r1", "0.45", GOOD),
	    PRICE("r1", "0.01", IS("spot", "hour", "Linux", "active", "USD")),
	    PRICE("r9", "0.01",
	          IS("spot", "hour", "Linux", "active", "USD")), /* a spot price only */
	    PRICE("r1", "0.001", IS("reserved", "hour", "Linux", "active", "USD")),
	    PRICE("r1", "0.02", IS("ondemand", "month", "Linux", "active", "USD")),
	    PRICE("r1", "0.03", IS("ondemand", "hour", "Windows", "active", "USD")),
	    PRICE("r1", "0.04", IS("ondemand", "hour", "Linux", "inactive", "USD")),
	    PRICE("r1", "0.05", IS("ondemand", "hour", "Linux", "active", "EUR")),
	    PRICE("r1", "null", GOOD),
	    PRICE("r1", "0", GOOD),
	    PRICE("r1", "\"NaN\"", GOOD),
	    PRICE("r2", "0.7", IS("ondemand", "hour", "LINUX", "active", "usd")),
	    PRICE("r3", "null",
	          GOOD ",\"price_tiered\":[{\"lower\":624,\"upper\":\"Infinity\",\"price\":0.1},"
	               "{\"lower\":0.0,\"upper\":623.0,\"price\":0.9}]"),
	    "7,null,[],{}",
	};
	char json[8192] = "[";
	struct keeper_prices p;
	struct err e = {0};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		strcat(json, i ? "," : "");
		strcat(json, rows[i]);
	}
	strcat(json, "]");
	assert_int_equal(keeper_parse_prices(json, strlen(json), "USD", &p, &e), 0);
	assert_int_equal(p.n, 3);
	assert_string_equal(p.v[0].region_id, "r1");
	assert_true(p.v[0].price_hour == 0.4 && p.v[0].spot == 0.01);
	assert_true(p.v[1].price_hour == 0.7 && isnan(p.v[1].spot));
	assert_string_equal(p.v[2].region_id, "r3");
	assert_true(p.v[2].price_hour == 0.9);
	assert_int_equal(keeper_parse_prices(json, strlen(json), "EUR", &p, &e), 0);
	assert_int_equal(p.n, 1);
	assert_true(p.v[0].price_hour == 0.05);
}

#define PLACED(vendor, server, region, zone, price, more)                                          \
	"{\"vendor_id\":\"" vendor "\",\"server_id\":\"" server "\",\"region_id\":\"" region       \
	"\",\"zone_id\":\"" zone "\",\"price\":" price more "}"
#define NAMED                                                                                      \
	",\"region\":{\"api_reference\":\"us-central1\"},\"zone\":{\"name\":\"us-central1-a\"}"
#define SEEN ",\"observed_at\":\"2026-07-01T06:12:44.8\""

/* The region, zone and date are those of the price that is compared, and of no other. */
TEST(where_a_server_has_its_price)
{
	static const char json[] =
	    "[" PLACED("aws", "m5", "us-east-1", "use1-az6", "0.5", GOOD SEEN) "," PLACED("aws", "m5", "eu-1", "eu1-az1", "0.4", GOOD) "," PLACED(
		"aws", "m5.metal", "us-2", "z",
		"0.1",
		GOOD) "," PLACED("aws", "m5", "us-2", "z", "0.1",
	                         IS("ondemand", "hour", "Windows", "active",
	                            "USD")) "," PLACED("aws", "m5", "us-2", "z", "0.1",
	                                               IS("ondemand", "hour", "Linux", "inactive",
	                                                  "USD")) "," PLACED("aws", "m5", "us-2",
	                                                                     "us2-az1", "0.1",
	                                                                     IS("spot", "hour",
	                                                                        "Linux", "active",
	                                                                        "USD")) "," PLACED("gcp",
	                                                                                           "7",
	                                                                                           "1000",
	                                                                                           "2000",
	                                                                                           "0.3",
	                                                                                           GOOD NAMED
	                                                                                               SEEN) "," PLACED("azure",
	                                                                                                                "d4",
	                                                                                                                "eastus",
	                                                                                                                "eastus",
	                                                                                                                "0.2",
	                                                                                                                GOOD
	                                                                                                                ",\"observed_at\":\"soon\"") "]";
	static const struct {
		const char *vendor, *server, *only;
		double price;
		bool spot;
		const char *region, *zone, *day;
	} cases[] = {
	    {"aws", "m5", "", 0.4, false, "eu-1", "eu1-az1", ""},
	    {"aws", "m5", "us-east-1", 0.5, false, "us-east-1", "use1-az6", "2026-07-01"},
	    {"aws", "m5", "us-east-1", 0.4, false, "", "", ""}, /* another price */
	    {"aws", "m5", "", 0.1, true, "us-2", "us2-az1", ""},
	    {"gcp", "7", "", 0.3, false, "us-central1", "us-central1-a", "2026-07-01"},
	    {"azure", "d4", "", 0.2, false, "eastus", "", ""},
	    {"hcloud", "cx", "", 0.2, false, "", "", ""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct keeper_query q = {.spot = cases[i].spot};
		struct keeper_region_ids ids = {.n = *cases[i].only != '\0'};
		struct keeper_server s = {.price_hour = cases[i].price};
		struct err e = {0};
		snprintf(s.vendor_id, sizeof s.vendor_id, "%s", cases[i].vendor);
		snprintf(s.server_id, sizeof s.server_id, "%s", cases[i].server);
		snprintf(ids.v[0].vendor_id, sizeof ids.v[0].vendor_id, "%s", cases[i].vendor);
		snprintf(ids.v[0].region_id, sizeof ids.v[0].region_id, "%s", cases[i].only);
		assert_int_equal(keeper_parse_place(json, strlen(json), &q, &ids, &s, &e), 0);
		assert_string_equal(s.region, cases[i].region);
		assert_string_equal(s.zone, cases[i].zone);
		assert_string_equal(s.price_day, cases[i].day);
	}
}

TEST(regions_by_name)
{
	static const char json[] =
	    "[{\"vendor_id\":\"hcloud\",\"region_id\":\"2\",\"name\":\"nbg1-dc3\","
	    "\"api_reference\":\"ref\",\"aliases\":[null,7,\"NBG1\"]},"
	    "{\"vendor_id\":\"gcp\",\"region_id\":\"1000\",\"name\":\"us-central1\","
	    "\"aliases\":null},{\"region_id\":\"nbg1\"},null,"
	    "{\"vendor_id\":\"x\",\"region_id\":\"3\",\"name\":\"nbg1\"}]";
	static const struct {
		const char *name, *first;
		size_t n;
	} cases[] = {
	    {"nbg1", "2", 2},           {"2", "2", 1}, {"NBG1-DC3", "2", 1}, {"ref", "2", 1},
	    {"us-central1", "1000", 1}, {"", "", 0},   {"nowhere", "", 0},
	};

	struct keeper_region_list all = {0};

	assert_int_equal(keeper_parse_regions(json, strlen(json), &all, NULL), 0);
	assert_int_equal(all.n, 3); /* two rows have no vendor, or are not objects */
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *first = "";
		size_t n = 0;
		for (size_t k = 0; k < all.n; k++) {
			if (!keeper_region_is_called(&all.v[k], cases[i].name))
				continue;
			first = n++ ? first : all.v[k].region_id;
		}
		assert_int_equal(n, cases[i].n);
		assert_string_equal(first, cases[i].first);
	}
	assert_string_equal(keeper_region_name(&all.v[1]), "us-central1");
	assert_int_equal(keeper_parse_regions("{", 1, &all, NULL), -1);
	assert_int_equal(all.n, 0);
	keeper_parse_free_regions(&all);
	assert_true(keeper_region_is_number("1380") && !keeper_region_is_number("") &&
	            !keeper_region_is_number("eu-1"));
}

TEST(specs_of_the_present)
{
	static const struct {
		const char *json;
		int rc;
		double cpus, score;
	} cases[] = {
	    {"{\"vendor_id\":\"v\",\"server_id\":\"t\",\"vcpus\":2,\"score\":9.5}", 0, 2, 9.5},
	    {"{\"vendor_id\":\"V\",\"api_reference\":\"T\",\"vcpus\":2}", 0, 2, 5},
	    {"{\"vendor_id\":\"v\",\"server_id\":\"t\",\"vcpus\":\"2\",\"score\":-1}", 0, NAN, 5},
	    {"{\"vendor_id\":\"w\",\"server_id\":\"t\",\"vcpus\":2}", -1, NAN, 5},
	    {"{\"vendor_id\":\"v\",\"server_id\":\"u\",\"vcpus\":2}", -1, NAN, 5},
	    {"[]", -1, NAN, 5},
	    {"null", -1, NAN, 5},
	    {"<html>", -1, NAN, 5},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct keeper_server s = {.vendor_id = "v", .server_id = "t", .vcpus = NAN};
		s.score = i ? 5 : NAN; /* known values stay */
		assert_int_equal(keeper_parse_specs(cases[i].json, strlen(cases[i].json), &s, NULL),
		                 cases[i].rc);
		assert_true(isnan(cases[i].cpus) ? isnan(s.vcpus) : s.vcpus == cases[i].cpus);
		assert_true(s.score == cases[i].score);
	}
}

TEST(score_of_benchmarks)
{
#define BENCH(id, score, status)                                                                   \
	"{\"benchmark_id\":\"" id "\",\"score\":" score ",\"status\":\"" status "\"}"
	static const char json[] = "[" BENCH("stress_ng:best1", "9999", "active") "," BENCH(
	    "stress_ng:bestn", "40.5",
	    "active") "," BENCH("stress_ng:bestn", "41.5",
	                        "") "," BENCH("stress_ng:bestn", "77",
	                                      "inactive") "," BENCH("stress_ng:bestn", "null",
	                                                            "active") ",7]";
	struct speed_measure m = {.id = "stress_ng:best1"};
	struct keeper_server s = keeper_result_no_server(), known = {.score = 7, .score_asked = 8};

	assert_int_equal(keeper_parse_scores("[]", 2, &m, &s, NULL), 0);
	assert_true(isnan(s.score) && isnan(s.score_asked));
	assert_int_equal(keeper_parse_scores("{}", 2, &m, &s, NULL), -1);
	assert_true(isnan(s.score) && isnan(s.score_asked));
	assert_int_equal(keeper_parse_scores(json, strlen(json), &m, &s, NULL), 0);
	assert_true(s.score == 41.5 && s.score_asked == 9999);
	assert_int_equal(keeper_parse_scores(json, strlen(json), &m, &known, NULL), 0);
	assert_true(known.score == 7 && known.score_asked == 8);
}

TEST(details)
{
	static const struct {
		const char *json, *says;
	} cases[] = {
	    {"{\"detail\":\"Server not found\"}", "Server not found"},
	    {"{\"detail\":[{\"loc\":[\"query\",\"vcpus_min\"],\"msg\":\"too many\"},"
	     "{\"loc\":[],\"msg\":\"odd\"},{\"loc\":[\"query\",7],\"msg\":\"seven\"},{\"msg\":1},3]"
	     "}",
	     "vcpus_min: too many; odd; seven"},
	    {"{\"detail\":7}", ""},
	    {"{\"Detail\":\"x\"}", ""},
	    {"", ""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char out[256];
		keeper_parse_detail(cases[i].json, strlen(cases[i].json), out);
		assert_string_equal(out, cases[i].says);
	}
}

/* -- without a network ------------------------------------------------------------------------- */

TEST(offline)
{
	struct keeper_result *r = calloc(1, sizeof *r);
	char question[KEEPER_QUESTION_MAX];

	assert_non_null(r);
	assert_int_equal(
	    keeper_ask(&(struct keeper_query){.offline = true, .cache_dir = ""}, r, NULL), -1);
	assert_false(r->known || r->present_known);
	assert_string_equal(r->why, "Prices were not requested (--offline).");
	assert_string_equal(r->currency, "USD");
	assert_true(isnan(r->retrieved_at) && isnan(r->present.price_hour));
	/* Any server would fit, so that none is asked for, and an answer to another query is none. */
	keeper_ask(&(struct keeper_query){.offline = true, .cache_dir = "", .unsized = "Unknown."},
	           r, NULL);
	assert_false(r->known);
	assert_string_equal(r->why, "Unknown.");
	keeper_query_question(&(struct keeper_query){.vcpus = 1}, question);
	assert_string_not_equal(r->question, question);
	free(r);
}

/* An address that is not allowed is not asked, and its user name and password are not printed. */
TEST(forbidden_addresses)
{
	static const struct {
		const char *url, *says;
	} cases[] = {
	    {"http://user:secret@example.com",
	     "The cheapest servers are unknown: example.com: only https:// is allowed "
	     "(http:// only on this machine)"},
	    {"http://127.0.0.1.example.com:81",
	     "The cheapest servers are unknown: 127.0.0.1.example.com:81: only https:// is allowed "
	     "(http:// only on this machine)"},
	    {"ftp://u:secret@127.0.0.1/",
	     "The cheapest servers are unknown: 127.0.0.1: only https:// is allowed "
	     "(http:// only on this machine)"},
	    {"secret words", "The cheapest servers are unknown: this is not a complete URL "
	                     "(https://HOST/…)"},
	};
	struct keeper_result *r = calloc(1, sizeof *r);

	assert_non_null(r);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct price_fetcher fetcher;
		struct keeper_query q = {
		    .base_url = cases[i].url, .cache_dir = "", .fetcher = &fetcher};
		price_fetcher_start(&fetcher, q.base_url, 0);
		assert_int_equal(keeper_ask(&q, r, NULL), -1);
		price_fetcher_stop(&fetcher);
		assert_string_equal(r->why, cases[i].says);
		assert_string_equal(
		    r->present_why,
		    "This machine's cloud server type is unknown, and so is its price.");
	}
	free(r);
}

TEST(attribution)
{
	char text[160];

	keeper_attribution(1795234311.5, text);
	assert_string_equal(text, "Prices and server data: Spare Cores Navigator, CC BY-SA 4.0, "
	                          "retrieved 2026-11-21 04:11:51 UTC");
	keeper_attribution(NAN, text);
	assert_string_equal(text, "Prices and server data: Spare Cores Navigator, CC BY-SA 4.0, "
	                          "retrieved at an unknown time");
}
