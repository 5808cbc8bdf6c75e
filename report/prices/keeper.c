/* keeper: asks the Spare Cores Keeper API for the cheapest servers. */
#include "report/prices/keeper.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/alloc_failed.h"
#include "report/prices/keeper_fetch.h"
#include "report/prices/keeper_file.h"
#include "report/prices/keeper_parse.h"
#include "report/prices/keeper_query.h"
#include "report/prices/keeper_region.h"
#include "report/prices/keeper_result.h"
#include "report/prices/keeper_type.h"
#include "report/prices/speed.h"

/* -- compliance -------------------------------------------------------------------------------- */

struct confirmation {
	const char *vendor;
	bool confirmed;
};

static int read_confirmation(const char *json, size_t n, void *into, struct err *e)
{
	struct confirmation *c = into;

	return keeper_parse_confirms(json, n, c->vendor, &c->confirmed, e);
}

static int complies(struct keeper_fetch *f, const char *vendor, bool *out, struct err *e)
{
	const struct opts_list *frameworks = &f->q->of.compliance;

	*out = false;
	for (size_t i = 0; !*out && i < frameworks->n; i++) {
		struct confirmation one = {.vendor = vendor};
		struct keeper_fetch_call c = {
		    KEEPER_FETCH_SPECS, {.max = KEEPER_FETCH_URL_MAX}, read_confirmation, &one, 0};
		keeper_query_compliance_url(&c.url, f->q, vendor, frameworks->v[i]);
		if (keeper_fetch(f, &c, e))
			return -1;
		*out = one.confirmed;
	}
	return 0;
}

static void say_left_out(const struct opts_list *out, const struct opts_list *frameworks,
                         char why[512])
{
	struct buf b = {.max = 512};

	if (*why)
		buf_printf(&b, "%s ", why);
	buf_str(&b, "Left out because the service does not confirm compliance with ");
	for (size_t i = 0; i < frameworks->n; i++)
		buf_printf(&b, "%s%s", i ? " or " : "", frameworks->v[i]);
	for (size_t i = 0; i < out->n; i++)
		buf_printf(&b, "%s%s", i ? ", " : ": ", out->v[i]);
	buf_char(&b, '.');
	snprintf(why, 512, "%s", buf_cstr(&b));
	buf_free(&b);
}

/*
 * If both filters are given, the service keeps the vendors that comply; but if none of them does,
 * it drops the filter and returns servers of every vendor. So each vendor is asked about alone.
 *
 * Keeps the vendors that the service confirms for at least one of the frameworks, and appends a
 * sentence about the others to why. Does nothing unless the query has both filters. 0, or -1 with
 * a sentence if the service could not be asked.
 */
static int filter_compliance(struct keeper_fetch *f, struct opts_list *vendors, char why[512],
                             struct err *e)
{
	struct opts_list left_out = {.n = 0};
	size_t n = 0;

	if (!f->q->of.compliance.n)
		return 0;
	for (size_t i = 0; i < vendors->n; i++) {
		bool confirmed;
		if (complies(f, vendors->v[i], &confirmed, e))
			return -1;
		if (confirmed)
			vendors->v[n++] = vendors->v[i];
		else
			left_out.v[left_out.n++] = vendors->v[i];
	}
	vendors->n = n;
	if (left_out.n)
		say_left_out(&left_out, &f->q->of.compliance, why);
	return 0;
}

/* -- cheapest servers -------------------------------------------------------------------------- */

struct servers_wanted {
	struct keeper_query q; /* what rows are checked against */
	struct keeper_result *out;
};

static int read_servers(const char *json, size_t n, void *into, struct err *e)
{
	struct servers_wanted *w = into;

	return keeper_parse_servers(json, n, &w->q, w->out, e);
}

/* A region belongs to a vendor: if only regions are given, only servers of their vendors fit. */
static void narrow_vendors(struct keeper_query *q, const struct keeper_region_ids *ids)
{
	if (q->of.vendor.n)
		return;
	for (size_t i = 0; i < ids->n && q->of.vendor.n < OPTS_LIST_MAX; i++)
		q->of.vendor.v[q->of.vendor.n++] = ids->v[i].vendor_id;
}

static int fetch_servers(struct keeper_fetch *f, struct servers_wanted *w,
                         const struct keeper_query *narrowed, const struct keeper_region_ids *ids,
                         bool all, struct err *e)
{
	struct keeper_fetch_call c = {
	    KEEPER_FETCH_SERVERS, {.max = KEEPER_FETCH_URL_MAX}, read_servers, w, 0};

	keeper_query_servers_url(&c.url, narrowed, ids, all);
	return keeper_fetch(f, &c, e);
}

static void set_none_fits_reason(struct keeper_result *out)
{
	struct err e;

	if (out->looked_at)
		err_set(&e, "None of the %zu servers in the answer fits: %s.%s%.300s",
		        out->looked_at, out->asked, *out->filters_why ? " " : "", out->filters_why);
	else
		err_set(&e, "No server fits: %s.%s%.300s", out->asked, *out->filters_why ? " " : "",
		        out->filters_why);
	keeper_result_copy(out->why, sizeof out->why, e.msg);
}

static void set_unknown_reason(const struct keeper_query *q, struct err *e,
                               struct keeper_result *out)
{
	if (q->offline)
		err_set(e, "Prices were not requested (--offline).");
	else
		err_wrap(e, KEEPER_RESULT_UNKNOWN);
	keeper_result_copy(out->why, sizeof out->why, e->msg);
}

/* Whether so many calls may be made that are of use, but not necessary. */
static bool may_ask(const struct keeper_fetch *f, size_t calls)
{
	return !f->q->sizes || f->calls + calls + f->kept <= KEEPER_CALLS_MAX;
}

/* One call. If a full answer has too few servers that fit, asks again for as many rows as the
 * service returns at once: it may sort servers without a price first. left: calls of this kind
 * after it. */
static int fetch_part(struct keeper_fetch *f, struct servers_wanted *w,
                      const struct keeper_query *narrowed, const struct keeper_region_ids *ids,
                      size_t left, struct err *e)
{
	struct keeper_result *out = w->out, *more;

	if (fetch_servers(f, w, narrowed, ids, false, e))
		return -1;
	if (out->n >= keeper_query_count(f->q) || !may_ask(f, left + 1) ||
	    out->looked_at < keeper_query_limit(narrowed, false) ||
	    keeper_query_limit(narrowed, false) == keeper_query_limit(narrowed, true))
		return 0;
	more = alloc_failed_note(malloc(sizeof *more));
	if (!more)
		return 0;
	*more = *out;
	w->out = more;
	if (!fetch_servers(f, w, narrowed, ids, true, NULL))
		*out = *more;
	w->out = out;
	free(more);
	return 0;
}

/* Without a login, the service accepts one country and three regions in a call. */
#define REGIONS_AT_ONCE 3

static size_t count_region_calls(const struct keeper_query *q, const struct keeper_region_ids *all)
{
	size_t regions = all->n ? all->n : q->of.region.n;

	return regions ? (regions + REGIONS_AT_ONCE - 1) / REGIONS_AT_ONCE : 1;
}

/* How many calls ask for servers of one size. */
static size_t count_parts(const struct keeper_query *q, const struct keeper_region_ids *all)
{
	return (q->of.country.n ? q->of.country.n : 1) * count_region_calls(q, all);
}

/* How many of n regions the i-th call asks for. */
static size_t regions_in_call(size_t n, size_t i)
{
	size_t left = n - i * REGIONS_AT_ONCE;

	return left < REGIONS_AT_ONCE ? left : REGIONS_AT_ONCE;
}

static void narrow_query(struct keeper_query *narrowed, const struct keeper_query *q,
                         struct keeper_region_ids *ids, const struct keeper_region_ids *all,
                         size_t country, size_t region)
{
	size_t from = region * REGIONS_AT_ONCE;

	*narrowed = *q;
	ids->n = 0;
	if (q->of.country.n)
		narrowed->of.country = (struct opts_list){{q->of.country.v[country]}, 1};
	if (all->n) {
		ids->n = regions_in_call(all->n, region);
		memcpy(ids->v, all->v + from, ids->n * sizeof *ids->v);
	} else if (q->of.region.n) {
		narrowed->of.region.n = regions_in_call(q->of.region.n, region);
		memcpy(narrowed->of.region.v, q->of.region.v + from,
		       narrowed->of.region.n * sizeof *narrowed->of.region.v);
	}
}

static void merge_result(struct keeper_result *out, const struct keeper_result *part, size_t max)
{
	for (size_t i = 0; i < part->n; i++)
		keeper_result_add(out, &part->server[i], max);
	out->looked_at += part->looked_at;
	memcpy(out->absurd, part->absurd, sizeof out->absurd);
	out->present = part->present;
}

/* One call for each country and each few regions. All must succeed, as any of them may have the
 * cheapest server. */
static int fetch_parts(struct keeper_fetch *f, const struct keeper_query *q,
                       const struct keeper_region_ids *all, struct keeper_result *out,
                       struct err *e)
{
	size_t regions = count_region_calls(q, all), parts = count_parts(q, all);
	struct servers_wanted w = {.q = *q, .out = alloc_failed_note(malloc(sizeof *w.out))};
	struct keeper_region_ids ids;
	struct keeper_query narrowed;
	int rc = w.out ? 0 : err_set(e, "no memory");

	narrow_vendors(&w.q, all);
	for (size_t i = 0; !rc && i < parts; i++) {
		*w.out = *out;
		narrow_query(&narrowed, q, &ids, all, i / regions, i % regions);
		rc = fetch_part(f, &w, &narrowed, &ids, parts - 1 - i, e);
		if (!rc)
			merge_result(out, w.out, keeper_query_count(q));
	}
	keeper_result_share_billing(out->server, out->n);
	free(w.out);
	return rc;
}

/* -- servers of all sizes ---------------------------------------------------------------------- */

/* The same query for sizes in turn. */
struct sized_query {
	struct keeper_query q;
	const struct keeper_region_ids *ids;
	struct keeper_pool *pool;
	struct keeper_result *one; /* the answer for a size */
	struct sized_answers {
		/* The CPUs that were asked for, and the smallest server of the answer, which is
		 * also the answer to any size between the two. */
		struct {
			double asked, least;
		} v[KEEPER_SIZES_MAX + 1];
		size_t n;
	} answers;
};

static struct keeper_server *find_pooled(struct keeper_pool *p, const struct keeper_server *s)
{
	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->v[i].server_id, s->server_id) &&
		    !strcmp(p->v[i].vendor_id, s->vendor_id))
			return &p->v[i];
	return NULL;
}

/* Each server once, at its lowest price. Without memory, those so far. */
static void pool_servers(struct keeper_pool *p, const struct keeper_result *r)
{
	struct keeper_server *grown = realloc(p->v, (p->n + r->n + 1) * sizeof *grown), *had;

	if (!alloc_failed_note(grown))
		return;
	p->v = grown;
	for (size_t i = 0; i < r->n; i++)
		if (!(had = find_pooled(p, &r->server[i])))
			p->v[p->n++] = r->server[i];
		else if (r->server[i].price_hour < had->price_hour)
			*had = r->server[i];
}

void keeper_pool_free(struct keeper_pool *p)
{
	free(p->v);
	*p = (struct keeper_pool){0};
}

static void note_answer(struct sized_answers *a, double asked, const struct keeper_result *r)
{
	double least = r->looked_at ? asked : (double)INFINITY;

	for (size_t i = 0; i < r->n; i++)
		least = i ? fmin(least, r->server[i].vcpus) : r->server[i].vcpus;
	a->v[a->n].asked = asked;
	a->v[a->n++].least = least;
}

static bool is_answered(const struct sized_answers *a, double size)
{
	for (size_t i = 0; i < a->n; i++)
		if (size >= a->v[i].asked && size <= a->v[i].least)
			return true;
	return false;
}

/* Whether the i-th of n is one of a few that are spread evenly from the first to the last. */
static bool is_one_of_few(size_t i, size_t n, size_t few)
{
	if (i == 0 || few >= n)
		return few > 0;
	return few > 1 && i * (few - 1) / (n - 1) > (i - 1) * (few - 1) / (n - 1);
}

static void ask_size(struct keeper_fetch *f, struct sized_query *s, double size,
                     struct keeper_result *out)
{
	struct keeper_result *one = s->one;
	struct err e = {0};

	s->q.vcpus = size;
	one->n = one->looked_at = 0;
	one->present = out->present;
	memcpy(one->absurd, out->absurd, sizeof out->absurd);
	if (fetch_parts(f, &s->q, s->ids, one, &e)) {
		if (!*out->sized_why)
			snprintf(out->sized_why, sizeof out->sized_why,
			         "Servers with at least %.0f CPUs are missing: %.180s.", size,
			         e.msg);
		return;
	}
	pool_servers(s->pool, one);
	note_answer(&s->answers, size, one);
	out->present = one->present;
	memcpy(out->absurd, one->absurd, sizeof out->absurd);
}

/* The sizes that fit into the calls left: a few that are spread evenly, then, as some of them may
 * answer others, too, the others. */
static void ask_all_sizes(struct keeper_fetch *f, struct sized_query *s, struct keeper_result *out)
{
	const struct keeper_query *q = f->q;
	size_t each = count_parts(q, s->ids), few = 0;

	while (few < q->sizes && may_ask(f, (few + 1) * each))
		few++;

	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < q->sizes; i++) {
			if (!is_answered(&s->answers, q->size[i]) && may_ask(f, each) &&
			    (pass || is_one_of_few(i, q->sizes, few)))
				ask_size(f, s, q->size[i], out);
		}
}

/* -- the list ---------------------------------------------------------------------------------- */

/* Some scores need a login, and a service may not know a benchmark. */
static bool is_refused_score(long status)
{
	return status == 401 || status == 403 || status == 422;
}

static bool has_scores(const struct keeper_result *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->server[i].score_asked > 0)
			return true;
	return false;
}

/* The measure to ask for next. If a refusal were one call too many, that is none, which no service
 * refuses. */
static struct speed_measure next_measure(const struct keeper_fetch *f, const struct keeper_query *q,
                                         const struct keeper_region_ids *ids, bool refused)
{
	struct speed_measure next = speed_fallback(&q->measure);

	return may_ask(f, count_parts(q, ids) + refused) ? next
	                                                 : (struct speed_measure){.one = false};
}

/* Asks again, for the scores of another benchmark, if those of q's measure are refused, or if no
 * server has one. rc: of the answer so far. */
static int fall_back(struct keeper_fetch *f, struct keeper_query *q,
                     const struct keeper_region_ids *ids, struct keeper_result *out, int rc,
                     struct err *e)
{
	struct keeper_result *had = alloc_failed_note(malloc(sizeof *had));

	while (had && *q->measure.id &&
	       (rc ? is_refused_score(f->status) : out->n && !has_scores(out))) {
		q->measure = next_measure(f, q, ids, rc != 0);
		out->present.score_asked = NAN; /* was another measure's */
		if (!rc && !*q->measure.id)
			break;
		*had = *out;
		out->n = out->looked_at = 0;
		if (fetch_parts(f, q, ids, out, e) == 0) {
			rc = 0;
		} else if (!rc) {
			*out = *had; /* without scores, but with prices */
			break;
		}
	}
	free(had);
	return rc;
}

/* Narrows q's vendors to those that comply, and drops its measure if the service refuses it. False
 * if the servers are not known. */
static bool ask_servers(struct keeper_fetch *f, struct keeper_query *q, struct keeper_result *out,
                        const struct keeper_region_ids *ids)
{
	struct err e = {0};
	bool any;
	int rc;

	if (f->q->unsized) {
		keeper_result_copy(out->why, sizeof out->why, f->q->unsized);
		return false;
	}
	rc = filter_compliance(f, &q->of.vendor, out->filters_why, &e);
	any = q->of.vendor.n || !f->q->of.vendor.n;
	/* If no vendor complies, do not ask: the service would drop the vendor filter. */
	if (!rc && any)
		rc = fetch_parts(f, q, ids, out, &e);
	if (any)
		rc = fall_back(f, q, ids, out, rc, &e);
	out->measure = q->measure;
	if (rc) {
		out->n = 0;
		set_unknown_reason(f->q, &e, out);
	} else if (!out->n)
		set_none_fits_reason(out);
	out->known = out->n > 0;
	return !rc && any;
}

/* False if the service has no such region. */
static bool ask_regions(struct keeper_fetch *f, struct keeper_result *out,
                        struct keeper_region_ids *ids)
{
	struct buf words = {.max = 4096};
	struct err e = {0};
	enum keeper_region_found found = keeper_region_ask(f, ids, &words, &e);

	keeper_query_words(f->q, buf_cstr(&words), out->asked);
	buf_free(&words);
	if (found == KEEPER_REGION_UNKNOWN)
		keeper_result_copy(out->wrong, sizeof out->wrong, e.msg);
	if (found == KEEPER_REGION_UNCHECKED)
		snprintf(out->filters_why, sizeof out->filters_why,
		         "The regions could not be checked: %.400s.", e.msg);
	return found != KEEPER_REGION_UNKNOWN;
}

/* -- where a server has its price -------------------------------------------------------------- */

struct place_wanted {
	const struct keeper_query *q;
	const struct keeper_region_ids *ids;
	struct keeper_server s;
};

static int read_place(const char *json, size_t n, void *into, struct err *e)
{
	struct place_wanted *w = into;

	return keeper_parse_place(json, n, w->q, w->ids, &w->s, e);
}

/* Whether one call, without a login, has all places that the query allows. */
static bool is_place_askable(const struct keeper_query *q, const struct keeper_region_ids *ids,
                             const struct keeper_server *s)
{
	size_t regions = 0;

	for (size_t i = 0; i < ids->n; i++)
		regions += !strcmp(ids->v[i].vendor_id, s->vendor_id);
	return q->of.country.n <= 1 && regions <= REGIONS_AT_ONCE && (ids->n || !q->of.region.n);
}

static void set_place(struct keeper_server *v, size_t n, const struct keeper_server *of)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(v[i].vendor_id, of->vendor_id) ||
		    strcmp(v[i].server_id, of->server_id) || v[i].price_hour != of->price_hour)
			continue;
		memcpy(v[i].region, of->region, sizeof v->region);
		memcpy(v[i].zone, of->zone, sizeof v->zone);
		memcpy(v[i].price_day, of->price_day, sizeof v->price_day);
	}
}

/* If the filters leave one region of its vendor, the price is there, whatever else is known. */
static void set_only_region(const struct keeper_region_ids *ids, struct keeper_server *s)
{
	const char *only = "";
	size_t regions = 0;

	for (size_t i = 0; i < ids->n; i++)
		if (!strcmp(ids->v[i].vendor_id, s->vendor_id)) {
			only = ids->v[i].region_id;
			regions++;
		}
	if (regions == 1 && !keeper_region_is_number(only))
		keeper_result_copy(s->region, sizeof s->region, only);
}

/* Without an answer, the place stays unknown. */
static void ask_place(struct keeper_fetch *f, const struct keeper_region_ids *ids,
                      const struct keeper_server *s, struct keeper_result *out)
{
	struct place_wanted w = {.q = f->q, .ids = ids, .s = *s};
	struct keeper_fetch_call c = {
	    KEEPER_FETCH_PRICES, {.max = KEEPER_FETCH_URL_MAX}, read_place, &w, 0};

	set_only_region(ids, &w.s);
	if (f->calls < KEEPER_CALLS_MAX && is_place_askable(f->q, ids, s)) {
		keeper_query_place_url(&c.url, f->q, ids, s);
		keeper_fetch(f, &c, NULL);
	}
	set_place(out->server, out->n, &w.s);
	set_place(out->sized, out->n_sized, &w.s);
}

static void ask_places(struct keeper_fetch *f, const struct keeper_region_ids *ids,
                       const struct keeper_pool *pool, struct keeper_result *out)
{
	const struct keeper_server *proposed = NULL, *cheapest = &out->server[0];

	if (pool->n && pool->choose)
		proposed = pool->choose(pool->ctx, pool, out);
	if (proposed)
		ask_place(f, ids, proposed, out);
	if (out->known && !*cheapest->region &&
	    !(proposed && !strcmp(proposed->vendor_id, cheapest->vendor_id) &&
	      !strcmp(proposed->server_id, cheapest->server_id)))
		ask_place(f, ids, cheapest, out);
}

/* -- the whole query --------------------------------------------------------------------------- */

static void init_result(const struct keeper_query *q, struct keeper_result *out)
{
	*out = (struct keeper_result){.retrieved_at = NAN,
	                              .file_at = q->file ? q->file->saved_at : (double)NAN,
	                              .spot = q->spot,
	                              .records = q->records};
	out->present = keeper_result_no_server();
	out->measure = q->measure;
	keeper_query_question(q, out->question);
	keeper_result_copy(out->currency, sizeof out->currency, keeper_query_currency(q));
	for (char *c = out->currency; *c; c++)
		*c = (char)toupper((unsigned char)*c);
}

#define PRESENT_CALLS 3 /* of the run's server: its prices, specs and scores */
#define PLACE_CALLS   1 /* of the proposed server */

/* The list has all that fit until they are pooled; then as many as the query wants. */
static void ask_both(struct keeper_fetch *f, const struct keeper_region_ids *ids,
                     struct keeper_result *out, struct keeper_pool *pool)
{
	struct sized_query s = {.q = *f->q, .ids = ids, .pool = pool};
	bool sized = f->q->sizes && pool;
	size_t count = keeper_query_count(f->q);

	if (sized)
		s.q.servers = KEEPER_SERVERS_MAX;
	f->kept = keeper_type_is_askable(f->q) ? PRESENT_CALLS : PLACE_CALLS;
	sized = ask_servers(f, &s.q, out, ids) && sized;
	if (sized) {
		pool_servers(pool, out);
		note_answer(&s.answers, fmax(1, ceil(keeper_query_amount(f->q->vcpus))), out);
	}
	out->n = out->n < count ? out->n : count;
	keeper_type_ask_present(f, out);
	f->kept = PLACE_CALLS;
	s.one = sized ? alloc_failed_note(malloc(sizeof *s.one)) : NULL;
	if (s.one) {
		ask_all_sizes(f, &s, out);
		keeper_result_share_billing(pool->v, pool->n);
	}
	free(s.one);
}

/* A warning for who reads the list. */
static void say_absurd(struct keeper_result *out)
{
	struct buf b = {.max = sizeof out->filters_why};

	if (!*out->absurd)
		return;
	if (*out->filters_why)
		buf_printf(&b, "%.300s ", out->filters_why);
	buf_printf(&b, "Left out for a price that no server has: %.190s.", out->absurd);
	keeper_result_copy(out->filters_why, sizeof out->filters_why, buf_cstr(&b));
	buf_free(&b);
}

int keeper_ask(const struct keeper_query *q, struct keeper_result *out, struct keeper_pool *pool)
{
	struct keeper_fetch f;
	struct keeper_region_ids ids;

	init_result(q, out);
	keeper_fetch_begin(&f, q, KEEPER_FETCH_BUDGET_S);
	if (ask_regions(&f, out, &ids)) {
		ask_both(&f, &ids, out, pool);
		if (pool)
			ask_places(&f, &ids, pool, out);
	}
	say_absurd(out);
	out->retrieved_at = f.oldest;
	keeper_result_copy(out->age_why, sizeof out->age_why, f.age_why.msg);
	keeper_result_copy(out->cache_why, sizeof out->cache_why, f.cache_why.msg);
	keeper_fetch_end(&f);
	return out->known || out->present_known ? 0 : -1;
}

/* -- all servers, for a file ------------------------------------------------------------------- */

#define PAGES_MAX     100 /* of servers */
#define FEWER         ": save fewer, with --region or --country"
#define SAVE_BUDGET_S 300.0

/* The rows of the pages so far, as one list. */
struct all_rows {
	struct buf list;
	size_t rows;
};

static int read_servers_page(const char *json, size_t n, void *into, struct err *e)
{
	struct all_rows *all = into;

	return keeper_parse_page(json, n, &all->list, &all->rows, e);
}

/* The pages until one is not full. */
static int ask_pages(struct keeper_fetch *f, const struct keeper_query *q,
                     const struct keeper_region_ids *ids, struct all_rows *all, struct err *e)
{
	for (size_t page = 1; page <= PAGES_MAX; page++) {
		struct keeper_fetch_call c = {
		    KEEPER_FETCH_SERVERS, {.max = KEEPER_FETCH_URL_MAX}, read_servers_page, all, 0};
		size_t had = all->rows;
		keeper_query_page_url(&c.url, q, ids, page);
		if (keeper_fetch(f, &c, e))
			return -1;
		if (all->rows < had + KEEPER_PAGE_ROWS)
			return 0;
	}
	return err_set(e, "there are more than %d servers" FEWER, PAGES_MAX * KEEPER_PAGE_ROWS);
}

/* All pages, as one answer in q->save. */
static int save_pages(struct keeper_fetch *f, const struct keeper_query *q,
                      const struct keeper_region_ids *ids, struct err *e)
{
	struct all_rows all = {.list = {.max = KEEPER_FILE_MAX}};
	struct buf first = {.max = KEEPER_FETCH_URL_MAX};
	struct err why = {0};
	int rc;

	keeper_query_page_url(&first, q, ids, 1);
	buf_char(&all.list, '[');
	rc = ask_pages(f, q, ids, &all, e);
	buf_char(&all.list, ']');
	if (!rc &&
	    keeper_parse_check(buf_cstr(&all.list), all.list.len, "the list of servers", &why))
		rc = err_set(e, "%s" FEWER, why.msg);
	if (!rc)
		keeper_file_add(q->save, buf_cstr(&first) + keeper_query_base(q), true,
		                buf_cstr(&all.list), all.list.len);
	buf_free(&first);
	buf_free(&all.list);
	return rc;
}

/* The scores of a measure, for each country and each few regions. One that is refused is left out:
 * a report falls back to another. */
static int save_measure(struct keeper_fetch *f, struct keeper_query *q,
                        const struct keeper_region_ids *all, const struct speed_measure *m,
                        struct err *e)
{
	size_t regions = count_region_calls(q, all), parts = count_parts(q, all);
	struct keeper_region_ids ids;
	struct keeper_query narrowed;

	q->measure = *m;
	for (size_t i = 0; i < parts; i++) {
		narrow_query(&narrowed, q, &ids, all, i / regions, i % regions);
		if (save_pages(f, &narrowed, &ids, e) == 0)
			continue;
		return *m->id && is_refused_score(f->status) ? 0 : -1;
	}
	return 0;
}

static int save_all(struct keeper_fetch *f, struct keeper_query *q, struct err *e)
{
	const struct speed_measure measures[] = {speed_measure(q->workload, true),
	                                         speed_measure(q->workload, false),
	                                         {.id = "stress_ng:best1", .one = true}};
	struct buf words = {.max = 4096};
	struct keeper_region_ids ids;
	char left_out[512] = "";
	int rc = keeper_region_ask(f, &ids, &words, e) ? -1 : 0;

	buf_free(&words);
	if (!rc)
		rc = filter_compliance(f, &q->of.vendor, left_out, e);
	if (!rc && f->q->of.vendor.n && !q->of.vendor.n)
		rc = err_set(e, "%s", left_out);
	for (size_t i = 0; !rc && i < sizeof measures / sizeof *measures; i++) {
		bool had = false;
		for (size_t k = 0; k < i; k++)
			had |= !strcmp(measures[k].id, measures[i].id) &&
			       measures[k].one == measures[i].one;
		if (!had)
			rc = save_measure(f, q, &ids, &measures[i], e);
	}
	return rc;
}

int keeper_save(const struct keeper_query *q, struct buf *out, struct err *e)
{
	struct keeper_file file = {.saved_at = (double)time(NULL)};
	struct keeper_query all = *q, narrowed;
	struct keeper_fetch f;
	int rc;

	all.save = &file;
	all.cache_dir = ""; /* what is saved is from now */
	keeper_fetch_begin(&f, &all, SAVE_BUDGET_S);
	narrowed = all;
	rc = save_all(&f, &narrowed, e);
	keeper_fetch_end(&f);
	if (!rc)
		rc = keeper_file_pack(&file, out, e);
	keeper_file_free(&file);
	return rc;
}

void keeper_attribution(double retrieved_at, char out[160])
{
	char when[64] = "at an unknown time";
	struct tm tm;

	if (retrieved_at >= 0 && retrieved_at < 4e11) { /* the year has at most five digits */
		time_t t = (time_t)retrieved_at;
		if (gmtime_r(&t, &tm))
			strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S UTC", &tm);
	}
	snprintf(out, 160,
	         "Prices and server data: Spare Cores Navigator, CC BY-SA 4.0, retrieved %s", when);
}
