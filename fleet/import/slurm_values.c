/* slurm_values: the quantities that Slurm's programs print. */
#include "fleet/import/slurm_values.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "core/base/quantity.h"
#include "fleet/import/import_row.h"

#define AMOUNT_MAX 1e18 /* as in catalogs: a larger number is nonsense */
#define GPU        "gres/gpu"

#define DIGITS_SHORT 15 /* exact in a double */

static bool is_values_unknown(const char *text)
{
	static const char *const words[] = {"",        "Unknown",         "None", "N/A",   "NONE",
	                                    "INVALID", "Partition_Limit", "n/a",  "(null)"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasecmp(text, words[i]) == 0)
			return true;
	return false;
}

/* Digits with a fraction or without. Where they end, or NULL. There are thirty of them in a line of
 * sacct, most of them short. */
static const char *digits(const char *text, double *out)
{
	const char *s = text;
	uint64_t v = 0;
	size_t n;

	for (; *s >= '0' && *s <= '9' && s - text < DIGITS_SHORT; s++)
		v = v * 10 + (uint64_t)(*s - '0');
	*out = (double)v;
	if (s > text && !isdigit((unsigned char)*s) && *s != '.' && *s != 'e' && *s != 'E')
		return s;
	n = isdigit((unsigned char)*text) ? quantity_number(text, out) : 0;
	return n && *out <= AMOUNT_MAX ? text + n : NULL;
}

int slurm_values_number(const char *text, double *out)
{
	const char *end = digits(text, out);

	if (end && !*end)
		return 0;
	*out = NAN;
	return is_values_unknown(text) ? 0 : -1;
}

/* The letter behind a number; its factor, or 0. */
static double slurm_factor_of(char letter)
{
	static const char letters[] = "KMGTPEkmgtpe";
	static const double factors[] = {0x1p10, 0x1p20, 0x1p30, 0x1p40, 0x1p50, 0x1p60};
	const char *at = letter ? strchr(letters, letter) : NULL;

	return at ? factors[(at - letters) % 6] : 0;
}

/* Where a size ends, or NULL. */
static const char *size(const char *text, double bare, double *out)
{
	const char *end = digits(text, out);
	double factor = end ? slurm_factor_of(*end) : 0;

	if (end)
		*out *= factor > 0 ? factor : bare;
	return end && factor > 0 ? end + 1 : end;
}

static void zero_is_unknown(double *v)
{
	if (!(*v > 0))
		*v = NAN;
}

int slurm_values_bytes(const char *text, double bare, double *out)
{
	const char *end = size(text, bare, out);

	if (end && !*end) {
		zero_is_unknown(out);
		return 0;
	}
	*out = NAN;
	return is_values_unknown(text) ? 0 : -1;
}

int slurm_values_asked_bytes(const char *text, double cpus, double nodes, double *out)
{
	const char *end = size(text, QUANTITY_MIB, out);
	double of = 1;

	if (end && (*end == 'c' || *end == 'n'))
		of = *end++ == 'c' ? cpus : nodes;
	if (end && !*end) {
		*out *= of;
		zero_is_unknown(out);
		return 0;
	}
	*out = NAN;
	return is_values_unknown(text) ? 0 : -1;
}

/* The fields between colons, at most three: how many; 0: they are none. */
static int fields(const char *text, double v[3])
{
	int n = 0;

	do {
		text = n < 3 ? digits(text, &v[n]) : NULL;
		n++;
	} while (text && *text == ':' && text++);
	return text && !*text ? n : 0;
}

int slurm_values_clock(const char *text, double *out)
{
	double v[3], days = 0;
	const char *dash = strchr(text, '-'), *rest = digits(text, &days);
	int n = fields(dash ? dash + 1 : text, v);

	*out = NAN;
	if (dash ? n == 3 && rest == dash : n == 2 || n == 3) {
		*out = v[n - 1] + v[n - 2] * QUANTITY_MINUTE_S;
		if (n == 3)
			*out += v[0] * QUANTITY_HOUR_S;
		if (dash)
			*out += days * QUANTITY_DAY_S;
		return 0;
	}
	return is_values_unknown(text) ? 0 : -1;
}

int slurm_values_limit(const char *text, double *out)
{
	double v[3], days;
	const char *rest;
	int n;

	if (slurm_values_clock(text, out) == 0)
		return 0;
	rest = digits(text, &days);
	n = rest && *rest == '-' ? fields(rest + 1, v) : 0;
	if (n == 1 || n == 2) {
		*out = days * QUANTITY_DAY_S + v[0] * QUANTITY_HOUR_S +
		       (n == 2 ? v[1] * QUANTITY_MINUTE_S : 0);
		return 0;
	}
	return strcasecmp(text, "UNLIMITED") == 0 || strcasecmp(text, "INFINITE") == 0 ? 0 : -1;
}

int slurm_values_time(const char *text, double *out)
{
	*out = NAN;
	/* "2026-11-23T10:00:00" */
	if (strlen(text) == 19 && text[10] == 'T' ? import_row_time(text, out)
	                                          : slurm_values_number(text, out))
		return -1;
	zero_is_unknown(out);
	return 0;
}

int slurm_values_exit(const char *text, double *code, double *signal)
{
	const char *rest = digits(text, code);

	if (rest && *rest == ':' && slurm_values_number(rest + 1, signal) == 0 && !isnan(*signal))
		return 0;
	*code = *signal = NAN;
	return is_values_unknown(text) ? 0 : -1;
}

bool slurm_values_resource(const char **list, struct slurm_values_resource *r)
{
	const char *s = *list;

	if (!*s)
		return false;
	for (r->name = s; *s && *s != '=' && *s != ','; s++)
		;
	r->n_name = (size_t)(s - r->name);
	s += *s == '=';
	for (r->value = s; *s && *s != ','; s++)
		;
	r->n_value = (size_t)(s - r->value);
	*list = s + (*s == ',');
	return true;
}

bool slurm_values_is(const struct slurm_values_resource *r, const char *name)
{
	return r->n_name == strlen(name) && memcmp(r->name, name, r->n_name) == 0;
}

int slurm_values_gpus(const struct slurm_values_resource *r, struct slurm_values_gpus *g)
{
	const char *type = r->name + sizeof GPU - 1, *end;
	double v;

	if (r->n_name < sizeof GPU - 1 || memcmp(r->name, GPU, sizeof GPU - 1) != 0 ||
	    (*type != ':' && *type != '='))
		return 0; /* gres/gpumem, gres/gpuutil */
	end = digits(r->value, &v);
	if (!end || end != r->value + r->n_value)
		return -1;
	if (*type == '=')
		g->all = v;
	else
		g->typed = isnan(g->typed) ? v : g->typed + v;
	return 0;
}
