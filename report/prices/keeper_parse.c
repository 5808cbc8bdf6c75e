/* keeper_parse: parsers of the Keeper API's answers: text in, values out. */
#include "report/prices/keeper_parse.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc_failed.h"
#include "core/base/buf.h"
#include "core/json/json_tree.h"
#include "report/prices/keeper_records.h"
#include "report/prices/keeper_result.h"
#include "report/prices/keeper_where.h"
#include "report/prices/speed.h"

#define DEPTH_MAX  32
#define AMOUNT_MAX 1e18    /* of any number: prices in any currency, scores, bytes */
#define PRICE_MOST 1000    /* dollars an hour, of a CPU */
#define UNITS_MOST 20000.0 /* of a currency for a dollar: no listed one has more */
#define MONTH_MOST 744     /* hours */

/* -- JSON -------------------------------------------------------------------------------------- */

int keeper_parse_check(const char *json, size_t n, const char *what, struct err *e)
{
	return json_tree_check(json, n, DEPTH_MAX, JSON_TREE_VALUES_MAX, what, e);
}

/* NULL with a sentence if it is not JSON. */
static cJSON *parse_answer(const char *json, size_t n, struct err *e)
{
	size_t blank = strspn(json, " \t\r\n");
	const char *end = NULL;
	cJSON *root;

	if (blank >= n) {
		err_set(e, "the answer is empty");
		return NULL;
	}
	if (json[blank] == '<') {
		err_set(e, "the answer is a web page, not JSON");
		return NULL;
	}
	if (keeper_parse_check(json, n, "the answer", e))
		return NULL;
	/* n + 1 includes the NUL: without it, cJSON reads one byte beyond the end. */
	root = cJSON_ParseWithLengthOpts(json, n + 1, &end, 1);
	if (!root)
		err_set(e, "the answer is not valid JSON (byte %zu)",
		        end ? (size_t)(end - json) : 0);
	return root;
}

static cJSON *parse_list(const char *json, size_t n, struct err *e)
{
	cJSON *root = parse_answer(json, n, e);

	if (!root || cJSON_IsArray(root))
		return root;
	cJSON_Delete(root);
	err_set(e, "the answer is not a list");
	return NULL;
}

static const cJSON *row_field(const cJSON *row, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(row, key);
}

static double row_number(const cJSON *row, const char *key)
{
	const cJSON *v = row_field(row, key);

	return cJSON_IsNumber(v) && fabs(v->valuedouble) <= AMOUNT_MAX ? v->valuedouble : NAN;
}

/* A number that is not negative; else NAN. */
static double row_amount(const cJSON *row, const char *key)
{
	double v = row_number(row, key);

	return v >= 0 ? v : NAN;
}

/* A number above 0, else NAN: a price or score of 0 is a missing one. */
static double row_price(const cJSON *row, const char *key)
{
	double v = row_number(row, key);

	return v > 0 ? v : NAN;
}

static const char *row_string(const cJSON *row, const char *key)
{
	const char *s = cJSON_GetStringValue(row_field(row, key));

	return s ? s : "";
}

/* Copies an identifier. False if it is missing, or too long: cut, it would be another one. */
static bool copy_id(char *out, size_t size, const cJSON *row, const char *key)
{
	const char *s = row_string(row, key);

	keeper_result_copy(out, size, s);
	return *s && strlen(s) < size;
}

/* -- /servers ---------------------------------------------------------------------------------- */

static void fill_billing(struct keeper_server *s, const cJSON *row)
{
	const cJSON *vendor = row_field(row, "vendor");

	s->billing_min_s = row_amount(vendor, "minimum_billing_seconds");
	s->billing_increment_s = row_amount(vendor, "billing_increment_seconds");
}

/* A price that no server has: not a number, negative, or too high. */
static bool is_absurd(const cJSON *price, double most)
{
	if (cJSON_IsNumber(price))
		return !(price->valuedouble >= 0 && price->valuedouble <= most);
	return price && !cJSON_IsNull(price);
}

static bool has_absurd_price(const cJSON *row, const char *currency)
{
	double usd = PRICE_MOST * fmax(1, row_price(row, "vcpus"));
	double most = strcasecmp(currency, "USD") ? usd * UNITS_MOST : usd;

	return is_absurd(row_field(row, "min_price_ondemand"), most) ||
	       is_absurd(row_field(row, "min_price_spot"), most) ||
	       is_absurd(row_field(row, "min_price_ondemand_monthly"), most * MONTH_MOST);
}

/* Adds its name to the list of those that are left out, once. */
static void leave_out_absurd(struct keeper_result *out, const struct keeper_server *s)
{
	char name[200];
	size_t n = strlen(out->absurd);

	snprintf(name, sizeof name, "%.64s %.128s", s->vendor_id,
	         *s->name ? s->name : s->server_id);
	if (strstr(out->absurd, name) || n + strlen(name) + 3 >= sizeof out->absurd)
		return;
	memcpy(out->absurd + n, ", ", n ? 2 : 0);
	memcpy(out->absurd + n + (n ? 2 : 0), name, strlen(name) + 1);
}

static bool fill_server(struct keeper_server *s, const cJSON *row, bool spot)
{
	*s = (struct keeper_server){0};
	keeper_result_copy(s->vendor_name, sizeof s->vendor_name,
	                   row_string(row_field(row, "vendor"), "name"));
	keeper_result_copy(s->name, sizeof s->name, row_string(row, "name"));
	keeper_result_copy(s->api_reference, sizeof s->api_reference,
	                   row_string(row, "api_reference"));
	keeper_result_copy(s->arch, sizeof s->arch, row_string(row, "cpu_architecture"));
	s->vcpus = row_amount(row, "vcpus");
	s->memory_mib = row_amount(row, "memory_amount");
	s->gpu_count = row_amount(row, "gpu_count");
	s->gpu_memory_total_mib = row_amount(row, "gpu_memory_total");
	s->price_ondemand = row_price(row, "min_price_ondemand");
	s->price_spot = row_price(row, "min_price_spot");
	s->price_month = row_price(row, "min_price_ondemand_monthly");
	s->price_hour = spot ? s->price_spot : s->price_ondemand;
	s->score = row_price(row, "score");
	s->score_asked = row_price(row, "selected_benchmark_score");
	s->start_s = row_amount(row, "average_time_to_start");
	fill_billing(s, row);
	return copy_id(s->vendor_id, sizeof s->vendor_id, row, "vendor_id") &&
	       copy_id(s->server_id, sizeof s->server_id, row, "server_id");
}

/* Whether the word is in the list; an empty list accepts everything. */
static bool is_in_filter(enum keeper_filter filter, const struct opts_list *list, const char *word)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strcasecmp(keeper_filters_spelled(filter, list->v[i]), word))
			return true;
	return list->n == 0;
}

static bool passes_filters(const cJSON *row, const struct keeper_lists *of)
{
	for (enum keeper_filter f = 0; f < KEEPER_FILTERS; f++)
		if (keeper_filters[f].field &&
		    !is_in_filter(f, keeper_filters_list(of, f),
		                  row_string(row, keeper_filters[f].field)))
			return false;
	return true;
}

/* An unknown value does not satisfy a minimum. */
static bool is_enough(double have, double wish)
{
	wish = keeper_query_amount(wish);
	return wish <= 0 || have >= wish;
}

static bool is_active(const cJSON *row)
{
	const char *status = row_string(row, "status");

	return !*status || !strcasecmp(status, "active");
}

/* Converted prices name their currency. */
static bool in_currency(const cJSON *row, const char *currency)
{
	const char *in = row_string(row, "currency");

	return !*in || !strcasecmp(in, currency);
}

static bool row_fits(const struct keeper_server *s, const cJSON *row, const struct keeper_query *q)
{
	return s->price_hour > 0 && is_enough(s->vcpus, q->vcpus) &&
	       is_enough(s->memory_mib, keeper_query_memory(q)) &&
	       is_enough(s->gpu_count, q->gpu) && is_enough(s->gpu_memory_total_mib, q->vram_mib) &&
	       passes_filters(row, &q->of) && keeper_where_fits(&q->where, row);
}

static bool is_present(const struct keeper_server *s, const struct keeper_query *q)
{
	return keeper_query_is_known(q->present_type) &&
	       (!strcasecmp(s->server_id, q->present_type) ||
	        !strcasecmp(s->api_reference, q->present_type));
}

/* Learns about the run's server from any row: its own calls do not have the vendor's billing terms,
 * and often not its score. Not every row of a vendor has them. */
static void learn_present(struct keeper_result *out, const struct keeper_server *s,
                          const struct keeper_query *q)
{
	if (!keeper_query_is_known(q->present_vendor) ||
	    strcasecmp(s->vendor_id, q->present_vendor))
		return;
	keeper_result_learn(&out->present.billing_min_s, s->billing_min_s);
	keeper_result_learn(&out->present.billing_increment_s, s->billing_increment_s);
	if (*s->vendor_name)
		memcpy(out->present.vendor_name, s->vendor_name, sizeof s->vendor_name);
	if (!is_present(s, q))
		return;
	out->present.vcpus = s->vcpus;
	out->present.memory_mib = s->memory_mib;
	out->present.score = s->score;
	keeper_result_learn(&out->present.score_asked, s->score_asked);
	keeper_result_learn(&out->present.start_s, s->start_s);
	if (*s->arch)
		memcpy(out->present.arch, s->arch, sizeof s->arch);
}

/* A file has no other prices of the run's server. Those of rows are the lowest of all regions. */
static void learn_present_prices(struct keeper_result *out, const struct keeper_server *s,
                                 const struct keeper_query *q)
{
	if (!q->file || !keeper_query_is_known(q->present_vendor) ||
	    strcasecmp(s->vendor_id, q->present_vendor) != 0 || !is_present(s, q))
		return;
	out->present.price_ondemand = fmin(out->present.price_ondemand, s->price_ondemand);
	out->present.price_spot = fmin(out->present.price_spot, s->price_spot);
}

int keeper_parse_servers(const char *json, size_t n, const struct keeper_query *q,
                         struct keeper_result *out, struct err *e)
{
	cJSON *root = parse_list(json, n, e);
	const cJSON *row;

	out->n = out->looked_at = 0;
	if (!root)
		return -1;
	cJSON_ArrayForEach (row, root) {
		struct keeper_server s;
		out->looked_at++;
		if (!fill_server(&s, row, q->spot))
			continue;
		learn_present(out, &s, q);
		if (has_absurd_price(row, keeper_query_currency(q))) {
			leave_out_absurd(out, &s);
			continue;
		}
		if (!is_active(row) || !in_currency(row, keeper_query_currency(q)))
			continue;
		learn_present_prices(out, &s, q);
		if (row_fits(&s, row, q))
			keeper_records_add_server(q->records, row, &s, out, keeper_query_count(q));
	}
	keeper_result_share_billing(out->server, out->n);
	cJSON_Delete(root);
	return 0;
}

/* What a report reads of a row; others have most of its size. */
static bool is_read(const char *key)
{
	static const char *const keys[] = {"vendor_id",
	                                   "server_id",
	                                   "name",
	                                   "api_reference",
	                                   "vendor",
	                                   "status",
	                                   "currency",
	                                   "vcpus",
	                                   "memory_amount",
	                                   "gpu_count",
	                                   "gpu_memory_total",
	                                   "gpu_memory_min",
	                                   "gpu_manufacturer",
	                                   "gpu_family",
	                                   "gpu_model",
	                                   "cpu_architecture",
	                                   "cpu_allocation",
	                                   "cpu_manufacturer",
	                                   "cpu_family",
	                                   "storage_size",
	                                   "storage_type",
	                                   "average_time_to_start",
	                                   "score",
	                                   "selected_benchmark_score",
	                                   "min_price_ondemand",
	                                   "min_price_spot",
	                                   "min_price_ondemand_monthly",
	                                   "minimum_billing_seconds",
	                                   "billing_increment_seconds"};

	for (size_t i = 0; key && i < sizeof keys / sizeof *keys; i++)
		if (strcmp(key, keys[i]) == 0)
			return true;
	return false;
}

/* cJSON rounds when it prints. */
static bool keep_exact(cJSON *row, cJSON *number)
{
	char text[40];
	cJSON *raw;

	snprintf(text, sizeof text, "%.17g", number->valuedouble);
	raw = cJSON_CreateRaw(text);
	if (!raw)
		return false;
	raw->string = number->string; /* as items that are replaced by name have it */
	number->string = NULL;
	return cJSON_ReplaceItemViaPointer(row, number, raw);
}

static bool keep_read(cJSON *row)
{
	bool kept = true;
	cJSON *next;

	for (cJSON *one = row->child; kept && one; one = next) {
		next = one->next;
		if (!is_read(one->string) || cJSON_IsNull(one))
			cJSON_Delete(cJSON_DetachItemViaPointer(row, one));
		else if (cJSON_IsObject(one))
			kept = keep_read(one);
		else if (cJSON_IsNumber(one) && isfinite(one->valuedouble))
			kept = keep_exact(row, one);
	}
	return kept;
}

/* Without memory, a row would be missing, or inexact. */
static bool add_page_row(struct buf *list, cJSON *row)
{
	char *text = keep_read(row) ? cJSON_PrintUnformatted(row) : NULL;

	if (text)
		buf_printf(list, "%s%s", list->len <= 1 ? "" : ",", text); /* 1: its bracket */
	cJSON_free(text);
	return text;
}

int keeper_parse_page(const char *json, size_t n, struct buf *list, size_t *rows, struct err *e)
{
	cJSON *root = parse_list(json, n, e), *row;
	int rc = root ? 0 : -1;

	cJSON_ArrayForEach (row, root) {
		if (!rc && !add_page_row(list, row))
			rc = err_set(e, "no memory");
		*rows += 1;
	}
	cJSON_Delete(root);
	return !rc && list->failed ? err_set(e, "the answers are too large") : rc;
}

int keeper_parse_confirms(const char *json, size_t n, const char *vendor, bool *out, struct err *e)
{
	cJSON *root = parse_list(json, n, e);
	const cJSON *row;

	*out = root && cJSON_GetArraySize(root) > 0;
	cJSON_ArrayForEach (row, root) {
		*out = *out && !strcasecmp(row_string(row, "vendor_id"), vendor);
	}
	cJSON_Delete(root);
	return root ? 0 : -1;
}

/* -- prices of one server ---------------------------------------------------------------------- */

/* The price of the lowest tier, which stands in for a missing price. */
static double first_tier(const cJSON *row)
{
	double price = NAN, lowest = INFINITY;
	const cJSON *tier;

	cJSON_ArrayForEach (tier, row_field(row, "price_tiered")) {
		double lower = row_amount(tier, "lower");
		if (lower < lowest) {
			lowest = lower;
			price = row_amount(tier, "price");
		}
	}
	return price;
}

static double price_of(const cJSON *row)
{
	double price = row_amount(row, "price");

	return price > 0 ? price : first_tier(row);
}

static bool is_wanted_price(const cJSON *row, const char *currency)
{
	return !strcasecmp(row_string(row, "unit"), "hour") &&
	       !strcasecmp(row_string(row, "operating_system"), "linux") && is_active(row) &&
	       in_currency(row, currency);
}

static struct keeper_price *prices_of_region(struct keeper_prices *out, const char *region_id)
{
	for (size_t i = 0; i < out->n; i++)
		if (!strcmp(out->v[i].region_id, region_id))
			return &out->v[i];
	if (out->n == KEEPER_PRICES_MAX)
		return NULL;
	out->v[out->n] = (struct keeper_price){.price_hour = NAN, .spot = NAN};
	keeper_result_copy(out->v[out->n].region_id, sizeof out->v->region_id, region_id);
	return &out->v[out->n++];
}

static void add_region_price(struct keeper_prices *out, const cJSON *row)
{
	const char *allocation = row_string(row, "allocation");
	bool spot = !strcasecmp(allocation, "spot");
	double v = price_of(row);
	char id[sizeof out->v->region_id];
	struct keeper_price *p;

	if (!(v > 0) || (!spot && strcasecmp(allocation, "ondemand")) ||
	    !copy_id(id, sizeof id, row, "region_id") || !(p = prices_of_region(out, id)))
		return;
	if (spot)
		p->spot = fmin(p->spot, v);
	else
		p->price_hour = fmin(p->price_hour, v);
}

/* A region with only spot prices cannot be compared. */
static void drop_spot_only(struct keeper_prices *out)
{
	size_t n = 0;

	for (size_t i = 0; i < out->n; i++)
		if (out->v[i].price_hour > 0)
			out->v[n++] = out->v[i];
	out->n = n;
}

int keeper_parse_prices(const char *json, size_t n, const char *currency, struct keeper_prices *out,
                        struct err *e)
{
	cJSON *root = parse_list(json, n, e);
	const cJSON *row;

	out->n = 0;
	if (!root)
		return -1;
	cJSON_ArrayForEach (row, root) {
		if (is_wanted_price(row, currency))
			add_region_price(out, row);
	}
	drop_spot_only(out);
	cJSON_Delete(root);
	return 0;
}

/* -- where a server has its price -------------------------------------------------------------- */

#define ROUNDED 1e-4 /* of converted prices */

static bool is_in_regions(const cJSON *row, const struct keeper_region_ids *ids)
{
	for (size_t i = 0; i < ids->n; i++)
		if (!strcmp(row_string(row, "vendor_id"), ids->v[i].vendor_id) &&
		    !strcmp(row_string(row, "region_id"), ids->v[i].region_id))
			return true;
	return ids->n == 0;
}

static bool is_price_of(const cJSON *row, const struct keeper_server *s, bool spot)
{
	return !strcmp(row_string(row, "vendor_id"), s->vendor_id) &&
	       !strcmp(row_string(row, "server_id"), s->server_id) &&
	       !strcasecmp(row_string(row, "allocation"), spot ? "spot" : "ondemand");
}

/* A region or zone by the name in its vendor's API: its id, unless that is a number. */
static void copy_place(char out[64], const cJSON *row, const char *id, const char *object)
{
	const cJSON *o = row_field(row, object);
	const char *const names[] = {row_string(row, id), row_string(o, "api_reference"),
	                             row_string(o, "name")};

	*out = '\0';
	for (size_t i = 0; !*out && i < sizeof names / sizeof *names; i++)
		if (names[i][strspn(names[i], "0123456789")] && strlen(names[i]) < 64)
			keeper_result_copy(out, 64, names[i]);
}

/* The day of "2026-07-01T06:12:44". */
static void copy_day(char out[12], const char *time)
{
	static const char form[] = "dddd-dd-dd";
	bool day = strlen(time) >= sizeof form - 1;

	for (size_t i = 0; day && form[i]; i++)
		day = form[i] == 'd' ? time[i] >= '0' && time[i] <= '9' : time[i] == form[i];
	snprintf(out, 12, "%.10s", day ? time : "");
}

int keeper_parse_place(const char *json, size_t n, const struct keeper_query *q,
                       const struct keeper_region_ids *ids, struct keeper_server *s, struct err *e)
{
	cJSON *root = parse_list(json, n, e);
	const cJSON *row, *best = NULL;
	double least = INFINITY;

	if (!root)
		return -1;
	cJSON_ArrayForEach (row, root) {
		if (is_wanted_price(row, keeper_query_currency(q)) &&
		    is_price_of(row, s, q->spot) && is_in_regions(row, ids) && price_of(row) > 0 &&
		    price_of(row) < least) {
			best = row;
			least = price_of(row);
		}
	}
	if (best && fabs(least - s->price_hour) <= fmax(ROUNDED, s->price_hour / 100)) {
		copy_place(s->region, best, "region_id", "region");
		copy_place(s->zone, best, "zone_id", "zone");
		if (!strcmp(s->zone, s->region))
			*s->zone = '\0';
		copy_day(s->price_day, row_string(best, "observed_at"));
	}
	cJSON_Delete(root);
	return 0;
}

/* -- specs and score of the run's server ------------------------------------------------------- */

static bool is_asked_for(const cJSON *row, const struct keeper_server *s)
{
	return !strcasecmp(row_string(row, "vendor_id"), s->vendor_id) &&
	       (!strcasecmp(row_string(row, "server_id"), s->server_id) ||
	        !strcasecmp(row_string(row, "api_reference"), s->server_id));
}

int keeper_parse_specs(const char *json, size_t n, struct keeper_server *s, struct err *e)
{
	cJSON *root = parse_answer(json, n, e);
	int rc = root ? 0 : -1;

	if (root && !is_asked_for(root, s))
		rc = err_set(e, "the answer is about another server");
	if (!rc) {
		keeper_result_learn(&s->vcpus, row_price(root, "vcpus"));
		keeper_result_learn(&s->memory_mib, row_price(root, "memory_amount"));
		keeper_result_learn(&s->gpu_count, row_amount(root, "gpu_count"));
		keeper_result_learn(&s->gpu_memory_total_mib, row_amount(root, "gpu_memory_total"));
		keeper_result_learn(&s->score, row_price(root, "score"));
		keeper_result_learn(&s->start_s, row_amount(root, "average_time_to_start"));
		keeper_result_copy(s->arch, sizeof s->arch, row_string(root, "cpu_architecture"));
		if (*row_string(root, "name"))
			keeper_result_copy(s->name, sizeof s->name, row_string(root, "name"));
	}
	cJSON_Delete(root);
	return rc;
}

/* As for servers, the service's score is the best one. */
static double best_score(const cJSON *rows, const struct speed_measure *m)
{
	const cJSON *row;
	double best = NAN;

	cJSON_ArrayForEach (row, rows) {
		const char *cores = row_string(row_field(row, "config"), "cores");
		if (is_active(row) && speed_is_of(m, row_string(row, "benchmark_id"), cores))
			best = fmax(best, row_price(row, "score"));
	}
	return best;
}

int keeper_parse_scores(const char *json, size_t n, const struct speed_measure *m,
                        struct keeper_server *s, struct err *e)
{
	static const struct speed_measure stress_ng = {.id = "stress_ng:bestn"};
	cJSON *root = parse_list(json, n, e);

	if (!root)
		return -1;
	keeper_result_learn(&s->score, best_score(root, &stress_ng));
	keeper_result_learn(&s->score_asked, best_score(root, m));
	cJSON_Delete(root);
	return 0;
}

/* -- /regions ---------------------------------------------------------------------------------- */

static bool fill_region(struct keeper_region *r, const cJSON *row)
{
	struct buf others = {.max = sizeof r->aliases - 1};
	const cJSON *alias;
	char one[64];

	keeper_result_copy(r->name, sizeof r->name, row_string(row, "name"));
	keeper_result_copy(r->api_reference, sizeof r->api_reference,
	                   row_string(row, "api_reference"));
	keeper_result_copy(r->city, sizeof r->city, row_string(row, "city"));
	cJSON_ArrayForEach (alias, row_field(row, "aliases")) {
		const char *s = cJSON_GetStringValue(alias);
		if (!s || !*s || strlen(s) >= sizeof one ||
		    others.len + strlen(s) + 1 >= sizeof r->aliases)
			continue;
		keeper_result_copy(one, sizeof one, s);
		buf_printf(&others, "%s\n", one);
	}
	snprintf(r->aliases, sizeof r->aliases, "%s", buf_cstr(&others));
	buf_free(&others);
	return copy_id(r->vendor_id, sizeof r->vendor_id, row, "vendor_id") &&
	       copy_id(r->region_id, sizeof r->region_id, row, "region_id");
}

int keeper_parse_regions(const char *json, size_t n, struct keeper_region_list *out, struct err *e)
{
	cJSON *root = parse_list(json, n, e);
	size_t size = root ? (size_t)cJSON_GetArraySize(root) : 0;
	const cJSON *row;

	keeper_parse_free_regions(out);
	if (!root)
		return -1;
	size = size < KEEPER_REGION_LIST_MAX ? size : KEEPER_REGION_LIST_MAX;
	out->v = alloc_failed_note(calloc(size + 1, sizeof *out->v));
	cJSON_ArrayForEach (row, root) {
		if (out->v && out->n < size)
			out->n += fill_region(&out->v[out->n], row);
	}
	cJSON_Delete(root);
	return 0;
}

void keeper_parse_free_regions(struct keeper_region_list *r)
{
	free(r->v);
	*r = (struct keeper_region_list){0};
}

/* -- errors ------------------------------------------------------------------------------------ */

/* The last item of loc is the parameter's name. */
static void add_detail(struct buf *b, const cJSON *item)
{
	const cJSON *loc = row_field(item, "loc");
	const char *name =
	    cJSON_GetStringValue(cJSON_GetArrayItem(loc, cJSON_GetArraySize(loc) - 1));
	const char *msg = row_string(item, "msg");

	if (!*msg)
		return;
	if (b->len)
		buf_str(b, "; ");
	if (name && *name)
		buf_printf(b, "%s: ", name);
	buf_str(b, msg);
}

void keeper_parse_detail(const char *json, size_t n, char out[256])
{
	cJSON *root = parse_answer(json, n, NULL);
	const cJSON *detail = row_field(root, "detail");
	const char *s = cJSON_GetStringValue(detail);
	struct buf b = {.max = 4096};
	const cJSON *item;

	if (!s)
		cJSON_ArrayForEach (item, detail) {
			add_detail(&b, item);
		}
	keeper_result_copy(out, 256, s ? s : buf_cstr(&b));
	buf_free(&b);
	cJSON_Delete(root);
}
