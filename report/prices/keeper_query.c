/* keeper_query: what to ask the Keeper API for, and the same in words. */
#include "report/prices/keeper_query.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/buf.h"
#include "report/prices/keeper_filters.h"
#include "report/prices/keeper_server.h"
#include "report/prices/keeper_text.h"

#define AMOUNT_MAX 1e9 /* CPUs, MiB, GPUs: keeps numbers readable */

bool keeper_query_is_known(const char *s)
{
	return s && *s && strcasecmp(s, "unknown") != 0;
}

const char *keeper_query_arch(const char *name)
{
	const char *known = keeper_filters_value(KEEPER_FILTER_ARCH, name, NULL);

	return known ? known : name;
}

double keeper_query_amount(double v)
{
	return !isfinite(v) || v < 0 ? 0 : v < AMOUNT_MAX ? v : AMOUNT_MAX;
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
		buf_printf(b, "%s%s", i ? " or " : name, list->v[i]);
}

void keeper_query_words(const struct keeper_query *q, const char *regions, char out[512])
{
	struct buf b = {.max = 4096};
	double vcpus = fmax(1, ceil(keeper_query_amount(q->vcpus)));
	double gpus = ceil(keeper_query_amount(q->gpu));

	buf_printf(&b, "at least %.0f CPU%s", vcpus, vcpus > 1 ? "s" : "");
	words_mib(&b, keeper_query_amount(q->memory_mib), "memory");
	if (gpus > 0)
		buf_printf(&b, ", %.0f GPU%s", gpus, gpus > 1 ? "s" : "");
	words_mib(&b, keeper_query_amount(q->vram_mib), "GPU memory");
	words_list(&b, "; architecture ", &q->arch);
	words_list(&b, "; vendor ", &q->vendor);
	if (*regions)
		buf_printf(&b, "; region %s", regions);
	else
		words_list(&b, "; region ", &q->region);
	words_list(&b, "; country ", &q->country);
	words_list(&b, "; compliance ", &q->compliance);
	words_list(&b, "; CPU allocation ", &q->cpu_allocation);
	if (q->spot)
		buf_str(&b, "; spot");
	keeper_text_copy(out, 512, buf_cstr(&b));
	buf_free(&b);
}

void keeper_query_question(const struct keeper_query *q, char out[KEEPER_QUESTION_MAX])
{
	const char *present[] = {q->present_vendor, q->present_type, q->present_region};
	char words[512];
	int n;

	keeper_query_words(q, "", words);
	n = snprintf(out, KEEPER_QUESTION_MAX, "%s; %zu in %s", words, keeper_query_count(q),
	             keeper_query_currency(q));
	for (size_t i = 0; i < sizeof present / sizeof *present; i++)
		n += snprintf(out + n, KEEPER_QUESTION_MAX - (size_t)n, "; %.128s",
		              keeper_query_is_known(present[i]) ? present[i] : "");
}
