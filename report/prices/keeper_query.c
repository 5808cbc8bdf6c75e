/* keeper_query: what to ask the Keeper API for, and the same in words. */
#include "report/prices/keeper_query.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/buf.h"
#include "core/base/fnv1a.h"
#include "report/prices/keeper_filters.h"
#include "report/prices/keeper_result.h"
#include "report/prices/keeper_where.h"
#include "report/prices/speed.h"

#define WORDS_MAX   65536
#define SYSTEM_MIB  512.0
#define SYSTEM_PART 0.06
#define AMOUNT_MAX  1e9 /* CPUs, MiB, GPUs: keeps numbers readable */

bool keeper_query_is_known(const char *s)
{
	return s && *s && strcasecmp(s, "unknown") != 0;
}

double keeper_query_amount(double v)
{
	return isfinite(v) ? fmin(fmax(0, v), AMOUNT_MAX) : 0;
}

double keeper_query_memory(const struct keeper_query *q)
{
	double mib = keeper_query_amount(q->memory_mib);

	/* Room for the system: the larger of the two, of which one is a part of the server. */
	return q->room && mib > 0 ? fmax(mib + SYSTEM_MIB, mib / (1 - SYSTEM_PART)) : mib;
}

size_t keeper_query_count(const struct keeper_query *q)
{
	if (q->servers < 1)
		return 5;
	return q->servers < KEEPER_SERVERS_MAX ? (size_t)q->servers : KEEPER_SERVERS_MAX;
}

const char *keeper_query_currency(const struct keeper_query *q)
{
	return q->currency && *q->currency ? q->currency : "USD";
}

static void words_mib(struct buf *b, double mib, const char *of)
{
	if (mib >= 1024)
		buf_printf(b, ", %.10g GiB of %s", round(mib / 1024 * 100) / 100, of);
	else if (mib > 0)
		buf_printf(b, ", %.10g MiB of %s", round(mib * 100) / 100, of);
}

static void words_list(struct buf *b, const char *name, const struct opts_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (i)
			buf_printf(b, " or %s", list->v[i]);
		else
			buf_printf(b, "; %s %s", name, list->v[i]);
}

static void describe_query(struct buf *b, const struct keeper_query *q, const char *regions)
{
	double vcpus = fmax(1, ceil(keeper_query_amount(q->vcpus)));
	double gpus = ceil(keeper_query_amount(q->gpu));

	buf_printf(b, "at least %.0f CPU%s", vcpus, vcpus > 1 ? "s" : "");
	words_mib(b, keeper_query_amount(q->memory_mib), "memory");
	if (keeper_query_memory(q) > keeper_query_amount(q->memory_mib))
		buf_str(b, " and room for the system, 0.5 GiB or 6% of it");
	if (gpus > 0)
		buf_printf(b, ", %.0f GPU%s", gpus, gpus > 1 ? "s" : "");
	words_mib(b, keeper_query_amount(q->vram_mib), "GPU memory");
	for (enum keeper_filter f = 0; f < KEEPER_FILTERS; f++)
		if (f == KEEPER_FILTER_REGION && *regions)
			buf_printf(b, "; region %s", regions);
		else
			words_list(b, keeper_filters[f].name, keeper_filters_list(&q->of, f));
	keeper_where_words(&q->where, b);
	if (q->spot)
		buf_str(b, "; spot");
	if (q->workload && *q->workload)
		buf_printf(b, "; workload %s", q->workload);
}

void keeper_query_words(const struct keeper_query *q, const char *regions, char out[512])
{
	struct buf b = {.max = WORDS_MAX};

	describe_query(&b, q, regions);
	keeper_result_copy(out, 512, buf_cstr(&b));
	buf_free(&b);
}

void keeper_query_question(const struct keeper_query *q, char out[KEEPER_QUESTION_MAX])
{
	const char *present[] = {q->present_vendor, q->present_type, q->present_region};
	struct buf all = {.max = WORDS_MAX};
	char words[512];
	int n;

	describe_query(&all, q, "");
	keeper_result_copy(words, sizeof words, buf_cstr(&all));
	n = snprintf(out, KEEPER_QUESTION_MAX, "%s%s; %zu in %s", q->unsized ? "of no size; " : "",
	             words, keeper_query_count(q), keeper_query_currency(q));
	for (size_t i = 0; i < sizeof present / sizeof *present; i++)
		n += snprintf(out + n, KEEPER_QUESTION_MAX - (size_t)n, "; %.128s",
		              keeper_query_is_known(present[i]) ? present[i] : "");
	if (all.len >= sizeof words) /* two long questions may begin alike */
		snprintf(out + n, KEEPER_QUESTION_MAX - (size_t)n, "; %016" PRIx64,
		         fnv1a_add(FNV1A_BEGIN, buf_cstr(&all)));
	buf_free(&all);
}

/* -- URLs -------------------------------------------------------------------------------------- */

#define VCPUS_MAX   256.0            /* above, the service answers 422 */
#define LIMIT_MAX   KEEPER_PAGE_ROWS /* the most that the service returns at once */
#define LIMIT_EXTRA 20               /* as the check may drop some rows */
#define PLACE_ROWS  50

size_t keeper_query_limit(const struct keeper_query *q, bool all)
{
	/* Above VCPUS_MAX the service cannot filter, so most of its rows are dropped here. */
	return all || keeper_query_amount(q->vcpus) > VCPUS_MAX
	           ? LIMIT_MAX
	           : keeper_query_count(q) + LIMIT_EXTRA;
}

static void add_encoded(struct buf *b, const char *s)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789-._~";

	for (; *s; s++)
		if (strchr(plain, *s))
			buf_char(b, *s);
		else
			buf_printf(b, "%%%02X", (unsigned char)*s);
}

static const char *query_of(const struct keeper_query *q)
{
	return q->base_url && *q->base_url ? q->base_url : KEEPER_URL;
}

size_t keeper_query_base(const struct keeper_query *q)
{
	const char *base = query_of(q);
	size_t n = strlen(base);

	while (n && base[n - 1] == '/')
		n--;
	return n;
}

static void add_base(struct buf *b, const struct keeper_query *q)
{
	buf_add(b, query_of(q), keeper_query_base(q));
}

static void add_list_params(struct buf *b, enum keeper_filter filter, const struct opts_list *list)
{
	for (size_t i = 0; keeper_filters[filter].param && i < list->n; i++) {
		buf_printf(b, "&%s=", keeper_filters[filter].param);
		add_encoded(b, keeper_filters_spelled(filter, list->v[i]));
	}
}

static void add_where_params(struct buf *b, const struct opts_list *where)
{
	for (size_t i = 0; i < where->n; i++) {
		const char *text = where->v[i];
		if (!keeper_where_is_sent(text))
			continue;
		buf_char(b, '&');
		buf_add(b, text, strcspn(text, "=") + 1);
		add_encoded(b, strchr(text, '=') + 1);
	}
}

/* Rounds down to three decimals: rounding up would miss a server of exactly this size. Never to 0,
 * which would mean no filter. */
static void add_gib_param(struct buf *b, const char *name, double mib)
{
	double gib = floor(mib / 1024 * 1000) / 1000;

	if (mib > 0)
		buf_printf(b, "&%s=%.3f", name, gib > 0 ? gib : 0.125);
}

static void add_region_params(struct buf *b, const struct keeper_query *q,
                              const struct keeper_region_ids *ids)
{
	for (size_t i = 0; ids && i < ids->n; i++) {
		buf_str(b, "&vendor_regions=");
		add_encoded(b, ids->v[i].vendor_id);
		buf_char(b, '~');
		add_encoded(b, ids->v[i].region_id);
	}
	for (size_t i = 0; !(ids && ids->n) && i < q->of.region.n; i++) {
		buf_str(b, strchr(q->of.region.v[i], '~') ? "&vendor_regions=" : "&regions=");
		add_encoded(b, q->of.region.v[i]);
	}
}

/* The service accepts capitals only. */
static void add_currency_param(struct buf *b, char before, const struct keeper_query *q)
{
	if (!q->currency || !*q->currency)
		return;
	buf_printf(b, "%ccurrency=", before);
	for (const char *c = q->currency; *c; c++)
		add_encoded(b, (char[]){(char)toupper((unsigned char)*c), '\0'});
}

static void add_measure_params(struct buf *b, const struct speed_measure *m)
{
	if (!*m->id)
		return;
	buf_str(b, "&benchmark_id=");
	add_encoded(b, m->id);
	if (!*speed_config(m))
		return;
	buf_str(b, "&benchmark_config=");
	add_encoded(b, speed_config(m));
}

void keeper_query_servers_url(struct buf *out, const struct keeper_query *q,
                              const struct keeper_region_ids *ids, bool all)
{
	double vcpus = ceil(keeper_query_amount(q->vcpus));

	add_base(out, q);
	buf_printf(out, "/servers?vcpus_min=%.0f", fmax(1, fmin(vcpus, VCPUS_MAX)));
	add_gib_param(out, "memory_min", keeper_query_memory(q));
	if (keeper_query_amount(q->gpu) > 0)
		buf_printf(out, "&gpu_min=%.0f", ceil(keeper_query_amount(q->gpu)));
	add_gib_param(out, "gpu_memory_total", keeper_query_amount(q->vram_mib));
	for (enum keeper_filter f = 0; f < KEEPER_FILTERS; f++)
		add_list_params(out, f, keeper_filters_list(&q->of, f));
	add_region_params(out, q, ids);
	add_where_params(out, &q->where);
	add_currency_param(out, '&', q);
	add_measure_params(out, &q->measure);
	if (q->spot)
		buf_str(out, "&best_price_allocation=SPOT_ONLY");
	buf_printf(out, "&order_by=%s&order_dir=asc&limit=%zu",
	           q->spot ? "min_price_spot" : "min_price_ondemand", keeper_query_limit(q, all));
}

void keeper_query_page_url(struct buf *out, const struct keeper_query *q,
                           const struct keeper_region_ids *ids, size_t page)
{
	struct keeper_query all = *q;

	all.vcpus = 1;
	all.memory_mib = all.gpu = all.vram_mib = NAN;
	all.of.arch.n = all.of.cpu_allocation.n = all.where.n = 0;
	all.spot = false;
	if (!q->of.compliance.n) /* else the service would drop it from frameworks (keeper.c) */
		all.of.vendor.n = 0;
	keeper_query_servers_url(out, &all, ids, true);
	buf_printf(out, "&page=%zu", page);
}

/* If the vendor does not comply, the service drops the vendor filter. This query then returns the
 * smallest and cheapest servers, which are of many vendors, so the difference shows. Any further
 * filter could narrow the answer down to the vendor's own servers by chance. */
void keeper_query_compliance_url(struct buf *out, const struct keeper_query *q, const char *vendor,
                                 const char *framework)
{
	add_base(out, q);
	buf_str(out, "/servers?vcpus_min=1&vendor=");
	add_encoded(out, vendor);
	buf_str(out, "&compliance_framework=");
	add_encoded(out, framework);
	buf_printf(out, "&order_by=min_price_ondemand&order_dir=asc&limit=%d", LIMIT_MAX);
}

/* The service finds any server whose name has this in it, of any operating system: the cheapest of
 * them come first. */
void keeper_query_place_url(struct buf *out, const struct keeper_query *q,
                            const struct keeper_region_ids *ids, const struct keeper_server *s)
{
	add_base(out, q);
	buf_str(out, "/server_prices?vendor=");
	add_encoded(out, s->vendor_id);
	buf_str(out, "&partial_name_or_id=");
	add_encoded(out, *s->api_reference ? s->api_reference : s->server_id);
	buf_printf(out, "&allocation=%s", q->spot ? "spot" : "ondemand");
	for (size_t i = 0; i < ids->n; i++)
		if (!strcmp(ids->v[i].vendor_id, s->vendor_id)) {
			buf_str(out, "&regions=");
			add_encoded(out, ids->v[i].region_id);
		}
	add_list_params(out, KEEPER_FILTER_COUNTRY, &q->of.country);
	add_currency_param(out, '&', q);
	buf_printf(out, "&order_by=price&order_dir=asc&limit=%d", PLACE_ROWS);
}

static void add_present_path(struct buf *out, const struct keeper_query *q, const char *call)
{
	add_base(out, q);
	buf_str(out, call);
	add_encoded(out, q->present_vendor);
	buf_char(out, '/');
	add_encoded(out, q->present_type);
}

void keeper_query_specs_url(struct buf *out, const struct keeper_query *q)
{
	add_present_path(out, q, "/v2/server/");
}

void keeper_query_benchmarks_url(struct buf *out, const struct keeper_query *q)
{
	add_present_path(out, q, "/server/");
	buf_str(out, "/benchmarks");
}

void keeper_query_prices_url(struct buf *out, const struct keeper_query *q)
{
	add_present_path(out, q, "/server/");
	buf_str(out, "/prices");
	add_currency_param(out, '?', q);
}

void keeper_query_regions_url(struct buf *out, const struct keeper_query *q,
                              const struct opts_list *vendors)
{
	add_base(out, q);
	buf_str(out, "/regions");
	for (size_t i = 0; i < vendors->n; i++) {
		buf_str(out, i ? "&vendor=" : "?vendor=");
		add_encoded(out, vendors->v[i]);
	}
}
