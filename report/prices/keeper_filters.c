/* keeper_filters: the values that the Keeper API accepts for the filters of servers. */
#include "report/prices/keeper_filters.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "core/edit_distance.h"
#include "report/prices/keeper_vendors.h"

#define WORD_MAX 64

static const struct keeper_filter_word compliance[] = {
    {"hipaa", NULL}, {"iso27001", NULL}, {"soc2t2", "soc2"}, {NULL, NULL}};

static const struct keeper_filter_word archs[] = {
    {"x86_64", "amd64"}, {"x86_64", "x86-64"}, {"arm64", "aarch64"}, {"i386", "i686"},
    {"arm64_mac", NULL}, {"x86_64_mac", NULL}, {NULL, NULL},
};

static const struct keeper_filter_word allocations[] = {
    {"Shared", NULL}, {"Burstable", NULL}, {"Dedicated", NULL}, {NULL, NULL}};

/* The service converts with the European Central Bank's reference rates: their currencies. */
static const struct keeper_filter_word currencies[] = {
    {"AUD", NULL}, {"BRL", NULL}, {"CAD", NULL}, {"CHF", NULL}, {"CNY", NULL}, {"CZK", NULL},
    {"DKK", NULL}, {"EUR", NULL}, {"GBP", NULL}, {"HKD", NULL}, {"HUF", NULL}, {"IDR", NULL},
    {"ILS", NULL}, {"INR", NULL}, {"ISK", NULL}, {"JPY", NULL}, {"KRW", NULL}, {"MXN", NULL},
    {"MYR", NULL}, {"NOK", NULL}, {"NZD", NULL}, {"PHP", NULL}, {"PLN", NULL}, {"RON", NULL},
    {"SEK", NULL}, {"SGD", NULL}, {"THB", NULL}, {"TRY", NULL}, {"USD", NULL}, {"ZAR", NULL},
    {NULL, NULL},
};

static const struct {
	const char *option;
	const struct keeper_filter_word *words; /* NULL: keeper_vendors */
	bool few;                               /* few enough to list all of them in an error */
} filters[] = {
    [KEEPER_FILTER_VENDOR] = {"vendor", NULL, true},
    [KEEPER_FILTER_COUNTRY] = {"country", keeper_countries, false},
    [KEEPER_FILTER_COMPLIANCE] = {"compliance", compliance, true},
    [KEEPER_FILTER_ARCH] = {"arch", archs, true},
    [KEEPER_FILTER_CPU_ALLOCATION] = {"cpu-allocation", allocations, true},
    [KEEPER_FILTER_CURRENCY] = {"currency", currencies, false},
};

/* The i-th word; a NULL value marks the end. */
static struct keeper_filter_word word_at(enum keeper_filter filter, size_t i)
{
	if (filters[filter].words)
		return filters[filter].words[i];
	return (struct keeper_filter_word){keeper_vendors[i].id, keeper_vendors[i].short_name};
}

static size_t to_lower(char out[WORD_MAX + 1], const char *word)
{
	size_t n = 0;

	for (; word[n] && n < WORD_MAX; n++)
		out[n] = (char)tolower((unsigned char)word[n]);
	out[n] = '\0';
	return n;
}

size_t keeper_filters_distance(const char *a, const char *b)
{
	char lower_a[WORD_MAX + 1], lower_b[WORD_MAX + 1];
	size_t n = to_lower(lower_a, a);

	return b && to_lower(lower_b, b) ? edit_distance(lower_a, n, lower_b) : EDIT_DISTANCE_FAR;
}

/* Returns some value even if all of them are far. */
static const char *nearest_value(enum keeper_filter filter, const char *word)
{
	const char *best = word_at(filter, 0).value;
	struct keeper_filter_word w;
	size_t least = EDIT_DISTANCE_FAR;

	for (size_t i = 0; (w = word_at(filter, i)).value; i++) {
		size_t by_value = keeper_filters_distance(word, w.value);
		size_t by_other = keeper_filters_distance(word, w.other);
		size_t d = by_value < by_other ? by_value : by_other;
		if (d >= least)
			continue;
		least = d;
		best = w.value;
	}
	return best;
}

static void report_unknown_value(enum keeper_filter filter, const char *word, struct err *e)
{
	struct keeper_filter_word w, before = {NULL, NULL};
	struct buf known = {.max = 1024};

	for (size_t i = 0; filters[filter].few && (w = word_at(filter, i)).value; i++) {
		if (!before.value || strcmp(before.value, w.value) != 0)
			buf_printf(&known, "%s%s", i ? ", " : " (known: ", w.value);
		before = w;
	}
	err_set(e, "unknown value \"%.64s\"; the nearest is %s%s%s", word,
	        nearest_value(filter, word), buf_cstr(&known), known.len ? ")" : "");
	buf_free(&known);
}

const char *keeper_filters_value(enum keeper_filter filter, const char *word, struct err *e)
{
	struct keeper_filter_word w;

	for (size_t i = 0; (w = word_at(filter, i)).value; i++)
		if (!strcasecmp(w.value, word) || (w.other && !strcasecmp(w.other, word)))
			return w.value;
	report_unknown_value(filter, word, e);
	return NULL;
}

int keeper_filters_values(enum keeper_filter filter, struct opts_list *list, struct err *e)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const char *value = keeper_filters_value(filter, list->v[i], e);
		size_t had = 0;
		if (!value)
			return err_wrap(e, "--%s", filters[filter].option);
		while (had < n && list->v[had] != value)
			had++;
		list->v[had] = value;
		n += had == n;
	}
	list->n = n;
	return 0;
}
