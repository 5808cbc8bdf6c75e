/* slurm_values: the quantities that Slurm's programs print. */
#include "report/import/slurm_values.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "core/base/quantity.h"

#define DAY_S      86400.0
#define HOUR_S     3600.0
#define MINUTE_S   60.0
#define AMOUNT_MAX 1e18 /* as in catalogs: a larger number is nonsense */
#define GPU        "gres/gpu"

static bool is_unknown(const char *text)
{
	static const char *const words[] = {"",        "Unknown",         "None", "N/A",   "NONE",
	                                    "INVALID", "Partition_Limit", "n/a",  "(null)"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasecmp(text, words[i]) == 0)
			return true;
	return false;
}

/* Digits with a fraction or without. Where they end, or NULL. */
static const char *digits(const char *text, double *out)
{
	size_t n = isdigit((unsigned char)*text) ? quantity_number(text, out) : 0;

	return n && *out <= AMOUNT_MAX ? text + n : NULL;
}

int slurm_values_number(const char *text, double *out)
{
	const char *end = digits(text, out);

	if (end && !*end)
		return 0;
	*out = NAN;
	return is_unknown(text) ? 0 : -1;
}

/* The letter behind a number; its factor, or 0. */
static double factor_of(char letter)
{
	static const char letters[] = "KMGTPE";
	const char *at = letter ? strchr(letters, toupper((unsigned char)letter)) : NULL;

	return at ? pow(1024, (double)(at - letters + 1)) : 0;
}

/* Where a size ends, or NULL. */
static const char *size(const char *text, double bare, double *out)
{
	const char *end = digits(text, out);
	double factor = end ? factor_of(*end) : 0;

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
	return is_unknown(text) ? 0 : -1;
}

int slurm_values_asked_bytes(const char *text, double cpus, double nodes, double *out)
{
	const char *end = size(text, 1024 * 1024.0, out);
	double of = 1;

	if (end && (*end == 'c' || *end == 'n'))
		of = *end++ == 'c' ? cpus : nodes;
	if (end && !*end) {
		*out *= of;
		zero_is_unknown(out);
		return 0;
	}
	*out = NAN;
	return is_unknown(text) ? 0 : -1;
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
		*out = v[n - 1] + v[n - 2] * MINUTE_S;
		if (n == 3)
			*out += v[0] * HOUR_S;
		if (dash)
			*out += days * DAY_S;
		return 0;
	}
	return is_unknown(text) ? 0 : -1;
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
		*out = days * DAY_S + v[0] * HOUR_S + (n == 2 ? v[1] * MINUTE_S : 0);
		return 0;
	}
	return strcasecmp(text, "UNLIMITED") == 0 || strcasecmp(text, "INFINITE") == 0 ? 0 : -1;
}

/* n digits, within the bounds. Where they end, or NULL. */
static const char *part(const char *s, int n, char after, int min, int max, int *out)
{
	*out = 0;
	for (int i = 0; i < n; i++, s++) {
		if (!isdigit((unsigned char)*s))
			return NULL;
		*out = *out * 10 + (*s - '0');
	}
	return *s == after && *out >= min && *out <= max ? s + (after != '\0') : NULL;
}

static bool local_time(const char *s, struct tm *t)
{
	*t = (struct tm){.tm_isdst = -1};
	if (!(s = part(s, 4, '-', 1970, 9999, &t->tm_year)) ||
	    !(s = part(s, 2, '-', 1, 12, &t->tm_mon)) ||
	    !(s = part(s, 2, 'T', 1, 31, &t->tm_mday)) ||
	    !(s = part(s, 2, ':', 0, 23, &t->tm_hour)) ||
	    !(s = part(s, 2, ':', 0, 59, &t->tm_min)) || !part(s, 2, '\0', 0, 60, &t->tm_sec))
		return false;
	t->tm_year -= 1900;
	t->tm_mon--;
	return true;
}

int slurm_values_time(const char *text, double *out)
{
	struct tm t;

	if (local_time(text, &t)) {
		*out = (double)mktime(&t);
		zero_is_unknown(out);
		return 0;
	}
	if (slurm_values_number(text, out))
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
	return is_unknown(text) ? 0 : -1;
}

/* The next resource of a list; false at the end. */
struct resource {
	const char *name, *value;
	size_t n_name, n_value;
};

static bool next_resource(const char **list, struct resource *r)
{
	if (!**list)
		return false;
	r->name = *list;
	r->n_name = strcspn(*list, "=,");
	r->value = *list + r->n_name + (r->name[r->n_name] == '=');
	r->n_value = strcspn(r->value, ",");
	*list = r->value + r->n_value;
	*list += **list == ',';
	return true;
}

const char *slurm_values_tres(const char *list, const char *name, size_t *n)
{
	struct resource r;

	while (next_resource(&list, &r))
		if (r.n_name == strlen(name) && memcmp(r.name, name, r.n_name) == 0) {
			*n = r.n_value;
			return r.value;
		}
	return NULL;
}

int slurm_values_gpus(const char *list, double *out)
{
	double all = NAN, sum = NAN, v;
	struct resource r;

	*out = NAN;
	while (next_resource(&list, &r)) {
		const char *end;
		if (r.n_name < strlen(GPU) || memcmp(r.name, GPU, strlen(GPU)) != 0)
			continue;
		if (r.n_name > strlen(GPU) && r.name[strlen(GPU)] != ':')
			continue; /* gres/gpumem, gres/gpuutil */
		end = digits(r.value, &v);
		if (!end || end != r.value + r.n_value)
			return -1;
		if (r.n_name == strlen(GPU))
			all = v;
		else
			sum = isnan(sum) ? v : sum + v;
	}
	*out = isnan(all) ? sum : all;
	return 0;
}
