/* keeper: asks the Spare Cores Keeper API which servers are cheapest, and what the present one
 * costs. */
#include "keeper.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "../core/buf.h"
#include "../core/http.h"
#include "keeper_parse.h"
#include "keeper_query.h"

#define URL_MAX ((size_t)64 << 10)

struct ask {
	const struct keeper_query *q;
	struct keeper_result *out;
	int64_t end_ms;  /* of the budget, on the monotonic clock */
	struct err dead; /* why the service cannot be reached: then it is asked nothing more */
};

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* The sentence of an answer that is not a 200. */
static int refuse(const char *url, const struct http_answer *a, struct err *e)
{
	char host[HTTP_HOST_MAX], detail[256];

	http_host(url, host);
	keeper_parse_detail(a->body, a->len, detail);
	if (a->status >= 300 && a->status < 400)
		return err_set(e,
		               "%s: answered with a redirect (status %ld), which is not followed",
		               host, a->status);
	return err_set(e, "%s: answered with status %ld%s%s", host, a->status, *detail ? ": " : "",
	               detail);
}

static int try_fetch(struct ask *k, const struct buf *url, struct http_answer *a, struct err *e)
{
	static const char *const headers[] = {"X-Application-ID: rtrack",
	                                      "Accept: application/json"};
	long left = (long)(k->end_ms - now_ms());
	struct http_request r = {
	    .url = buf_cstr(url), .headers = headers, .n_headers = 2, .budget_ms = left};

	if (url->failed)
		return err_set(e, "the request is too long");
	if (*k->dead.msg) {
		*e = k->dead;
		return -1;
	}
	if (left < 100)
		return err_set(e, "the service answers too slowly");
	if (http_get(&r, a, &k->dead)) {
		*e = k->dead;
		return -1;
	}
	return a->status == 200 ? 0 : refuse(r.url, a, e);
}

/* GETs url (freed here). 0 and an answer of status 200; or -1 with a sentence, and with the status,
 * but no body, where there was an answer. */
static int fetch(struct ask *k, struct buf *url, struct http_answer *a, struct err *e)
{
	long status;
	int rc;

	*a = (struct http_answer){0};
	rc = try_fetch(k, url, a, e);
	status = a->status;
	if (rc)
		http_answer_free(a);
	else if (isnan(k->out->retrieved_at))
		k->out->retrieved_at = (double)time(NULL);
	a->status = status;
	buf_free(url);
	return rc;
}

/* Asks for the regions of these vendors. */
static int fetch_regions(struct ask *k, const struct opts_list *vendors, struct http_answer *a)
{
	struct buf url = {.max = URL_MAX};
	struct err e;

	keeper_url_regions(&url, k->q, vendors);
	return fetch(k, &url, a, &e);
}

/* -- cheapest servers ----------------------------------------------------------------------------
 */

static bool has_plain_region(const struct opts_list *regions)
{
	for (size_t i = 0; i < regions->n; i++)
		if (!strchr(regions->v[i], '~'))
			return true;
	return false;
}

/* VENDOR~REGION goes as it is. */
static void split_place(const char *pair, struct keeper_places *out)
{
	char vendor[64];

	if (out->n == KEEPER_PLACES_MAX)
		return;
	snprintf(vendor, sizeof vendor, "%.*s", (int)strcspn(pair, "~"), pair);
	keeper_copy(out->v[out->n].vendor_id, sizeof out->v->vendor_id, vendor);
	keeper_copy(out->v[out->n].region_id, sizeof out->v->region_id, strchr(pair, '~') + 1);
	out->n++;
}

/* Regions may be given by name or alias, but /servers knows ids alone. Where a name is not found it
 * stays as it was given, and the service says what it thinks of it. */
static void find_places(struct ask *k, struct keeper_places *out)
{
	const struct opts_list *regions = &k->q->region;
	struct http_answer a;
	bool by_name = false;

	out->n = 0;
	if (!has_plain_region(regions) || fetch_regions(k, &k->q->vendor, &a))
		return;
	for (size_t i = 0; i < regions->n; i++) {
		size_t before = out->n;
		if (strchr(regions->v[i], '~'))
			split_place(regions->v[i], out);
		else if (keeper_parse_regions(a.body, a.len, regions->v[i], out, NULL) ||
		         out->n == before) {
			by_name = false;
			break;
		}
		for (; before < out->n; before++)
			by_name |= strcmp(out->v[before].region_id, regions->v[i]) != 0;
	}
	if (!by_name)
		out->n = 0;
	http_answer_free(&a);
}

static void say_none_fits(struct keeper_result *out)
{
	struct err e;

	if (out->looked_at)
		err_set(&e, "None of the %zu servers in the answer passes the check: %s.",
		        out->looked_at, out->asked);
	else
		err_set(&e, "No server fits: %s.", out->asked);
	keeper_copy(out->why, sizeof out->why, e.msg);
}

static void ask_servers(struct ask *k)
{
	struct buf url = {.max = URL_MAX};
	struct keeper_places places;
	struct http_answer a;
	struct err e = {0};

	find_places(k, &places);
	keeper_url_servers(&url, k->q, &places);
	if (fetch(k, &url, &a, &e) || keeper_parse_servers(a.body, a.len, k->q, k->out, &e)) {
		err_wrap(&e, "The cheapest servers are not known");
		keeper_copy(k->out->why, sizeof k->out->why, e.msg);
	} else if (!k->out->n)
		say_none_fits(k->out);
	k->out->known = k->out->n > 0;
	http_answer_free(&a);
}

/* -- the present server --------------------------------------------------------------------------
 */

static const struct keeper_price *in_region(const struct keeper_prices *p, const char *region_id)
{
	for (size_t i = 0; i < p->n; i++)
		if (!strcasecmp(p->v[i].region_id, region_id))
			return &p->v[i];
	return NULL;
}

static const struct keeper_price *cheapest(const struct keeper_prices *p)
{
	const struct keeper_price *best = &p->v[0];

	for (size_t i = 1; i < p->n; i++)
		if (p->v[i].price_hour < best->price_hour)
			best = &p->v[i];
	return best;
}

/* By the name that the machine knows its region by: some vendors' ids are numbers. */
static const struct keeper_price *in_named_region(struct ask *k, const struct keeper_prices *p)
{
	struct opts_list vendor = {.v = {k->q->present_vendor}, .n = 1};
	struct keeper_places places = {.n = 0};
	const struct keeper_price *best = NULL;
	struct http_answer a;

	if (fetch_regions(k, &vendor, &a))
		return NULL;
	keeper_parse_regions(a.body, a.len, k->q->present_region, &places, NULL);
	for (size_t i = 0; i < places.n; i++) {
		const struct keeper_price *here = in_region(p, places.v[i].region_id);
		if (here && (!best || here->price_hour < best->price_hour))
			best = here;
	}
	http_answer_free(&a);
	return best;
}

static void choose_price(struct ask *k, const struct keeper_prices *prices)
{
	const char *region = k->q->present_region;
	const struct keeper_price *p = NULL;
	struct err where = {0};

	if (keeper_told(region)) {
		p = in_region(prices, region);
		if (!p)
			p = in_named_region(k, prices);
		if (p)
			err_set(&where, "On-demand price in %.64s.", region);
		else
			err_set(&where,
			        "No price in %.64s is known: this is the cheapest of all "
			        "regions (%s).",
			        region, cheapest(prices)->region_id);
	} else
		err_set(&where, "The region is not known: this is the cheapest of all (%s).",
		        cheapest(prices)->region_id);
	k->out->present.price_hour = p ? p->price_hour : cheapest(prices)->price_hour;
	k->out->present_known = true;
	keeper_copy(k->out->present_where, sizeof k->out->present_where, where.msg);
}

/* A type that is a step in a path ("..") would ask for another page. */
static bool is_askable(const char *word)
{
	return keeper_told(word) && strcmp(word, ".") != 0 && strcmp(word, "..") != 0 &&
	       strlen(word) < 128;
}

static int fetch_prices(struct ask *k, struct keeper_prices *prices, struct err *e)
{
	struct buf url = {.max = URL_MAX};
	struct http_answer a;
	int rc;

	keeper_url_prices(&url, k->q);
	rc = fetch(k, &url, &a, e);
	if (!rc)
		rc = keeper_parse_prices(a.body, a.len, k->out->currency, prices, e);
	else if (a.status == 404)
		err_set(e, "the service knows no such server");
	if (!rc && !prices->n)
		rc = err_set(e, "no on-demand Linux price in %s is known", k->out->currency);
	http_answer_free(&a);
	return rc;
}

static void ask_present(struct ask *k)
{
	const struct keeper_query *q = k->q;
	struct keeper_server *s = &k->out->present;
	struct keeper_prices prices = {.n = 0};
	struct err e = {0};

	if (!is_askable(q->present_vendor) || !is_askable(q->present_type)) {
		keeper_copy(k->out->present_why, sizeof k->out->present_why,
		            "This machine's cloud server type is not known, and so is its price.");
		return;
	}
	keeper_copy(s->vendor_id, sizeof s->vendor_id, q->present_vendor);
	keeper_copy(s->server_id, sizeof s->server_id, q->present_type);
	keeper_copy(s->name, sizeof s->name, q->present_type);
	keeper_copy(s->api_reference, sizeof s->api_reference, q->present_type);
	if (!fetch_prices(k, &prices, &e)) {
		choose_price(k, &prices);
		return;
	}
	err_wrap(&e, "The price of %.60s %.120s is not known", q->present_vendor, q->present_type);
	keeper_copy(k->out->present_why, sizeof k->out->present_why, e.msg);
}

/* -- all of it -----------------------------------------------------------------------------------
 */

static void set_up(const struct keeper_query *q, struct keeper_result *out)
{
	const char *currency = q->currency && *q->currency ? q->currency : "USD";

	*out = (struct keeper_result){.retrieved_at = NAN};
	out->present = (struct keeper_server){.vcpus = NAN,
	                                      .memory_mib = NAN,
	                                      .gpu_count = NAN,
	                                      .gpu_memory_total_mib = NAN,
	                                      .price_hour = NAN,
	                                      .score = NAN,
	                                      .billing_min_s = NAN,
	                                      .billing_increment_s = NAN};
	keeper_copy(out->currency, sizeof out->currency, currency);
	for (char *c = out->currency; *c; c++)
		*c = (char)toupper((unsigned char)*c);
	keeper_words(q, out);
}

int keeper_ask(const struct keeper_query *q, struct keeper_result *out)
{
	struct ask k = {.q = q, .out = out, .end_ms = now_ms() + KEEPER_BUDGET_MS};

	set_up(q, out);
	if (q->offline) {
		keeper_copy(out->why, sizeof out->why, "Prices were not asked for (--offline).");
		keeper_copy(out->present_why, sizeof out->present_why, out->why);
		return -1;
	}
	ask_servers(&k);
	ask_present(&k);
	return out->known || out->present_known ? 0 : -1;
}

void keeper_attribution(double retrieved_at, char out[160])
{
	char when[64] = "at an unknown time";
	time_t t = 0;
	struct tm tm;

	if (retrieved_at >= 0 && retrieved_at < 4e11) { /* years of at most five digits */
		t = (time_t)retrieved_at;
		if (gmtime_r(&t, &tm))
			strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S UTC", &tm);
	}
	snprintf(out, 160,
	         "Prices and server data: Spare Cores Navigator, CC BY-SA 4.0, retrieved %s", when);
}
