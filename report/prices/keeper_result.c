/* keeper_result: the answer to a keeper_query: the cheapest servers, in order of price. */
#include "report/prices/keeper_result.h"

#include <math.h>
#include <string.h>

static int by_price(const struct keeper_server *a, const struct keeper_server *b)
{
	int order;

	if (a->price_hour < b->price_hour || a->price_hour > b->price_hour)
		return a->price_hour < b->price_hour ? -1 : 1;
	order = strcmp(a->vendor_id, b->vendor_id);
	return order ? order : strcmp(a->server_id, b->server_id);
}

static bool is_same(const struct keeper_server *a, const struct keeper_server *b)
{
	return !strcmp(a->vendor_id, b->vendor_id) && !strcmp(a->server_id, b->server_id);
}

void keeper_result_add(struct keeper_result *out, const struct keeper_server *s, size_t max)
{
	size_t at = 0, had = 0;

	/* A server with prices in several countries is in the answer for each of them. */
	while (had < out->n && !is_same(&out->server[had], s))
		had++;
	if (had < out->n) {
		if (by_price(&out->server[had], s) <= 0)
			return;
		out->n--;
		memmove(&out->server[had], &out->server[had + 1], (out->n - had) * sizeof *s);
	}
	while (at < out->n && by_price(&out->server[at], s) < 0)
		at++;
	if (at == max)
		return;
	if (out->n < max)
		out->n++;
	memmove(&out->server[at + 1], &out->server[at], (out->n - 1 - at) * sizeof *s);
	out->server[at] = *s;
}

void keeper_result_share_billing(struct keeper_server *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++) {
			struct keeper_server *to = &v[i], *from = &v[k];
			if (strcmp(to->vendor_id, from->vendor_id) != 0)
				continue;
			keeper_result_learn(&to->billing_min_s, from->billing_min_s);
			keeper_result_learn(&to->billing_increment_s, from->billing_increment_s);
		}
}

struct keeper_server keeper_result_no_server(void)
{
	return (struct keeper_server){.vcpus = NAN,
	                              .memory_mib = NAN,
	                              .gpu_count = NAN,
	                              .gpu_memory_total_mib = NAN,
	                              .price_hour = NAN,
	                              .price_ondemand = NAN,
	                              .price_spot = NAN,
	                              .price_month = NAN,
	                              .score = NAN,
	                              .score_asked = NAN,
	                              .start_s = NAN,
	                              .billing_min_s = NAN,
	                              .billing_increment_s = NAN};
}

void keeper_result_learn(double *known, double v)
{
	if (isnan(*known))
		*known = v;
}

void keeper_result_copy(char *out, size_t size, const char *text)
{
	size_t n = strlen(text);

	if (n >= size)
		for (n = size - 1; n && ((unsigned char)text[n] & 0xc0) == 0x80;)
			n--;
	for (size_t i = 0; i < n; i++)
		out[i] = (unsigned char)text[i] < 0x20 || text[i] == 0x7f ? ' ' : text[i];
	out[n] = '\0';
}

const char *keeper_result_reason(const struct keeper_result *r)
{
	static const char beginning[] = KEEPER_RESULT_UNKNOWN ": ";
	size_t n = sizeof beginning - 1;

	return strncmp(r->why, beginning, n) == 0 ? r->why + n : r->why;
}
