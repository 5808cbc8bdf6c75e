/* keeper_where: further parameters of the Keeper API's /servers. */
#include "report/prices/keeper_where.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "core/base/quantity.h"

#define NUMBER_MAX 1e9

enum kind { AT_LEAST, AT_MOST, IS_ONE_OF };

static const struct parameter {
	const char *name;
	const char *field; /* of a row */
	enum kind kind;
	double factor; /* of a number: what 1 is in the field's unit */
	bool whole;    /* the service accepts integers only */
	bool replaces; /* keeper_where_replace */
} parameters[] = {
    {"vcpus_min", "vcpus", AT_LEAST, 1, true, true},
    {"memory_min", "memory_amount", AT_LEAST, (QUANTITY_GIB / QUANTITY_MIB), false, true},
    {"gpu_min", "gpu_count", AT_LEAST, 1, true, true},
    {"gpu_memory_total", "gpu_memory_total", AT_LEAST, (QUANTITY_GIB / QUANTITY_MIB), false, true},
    {"vcpus_max", "vcpus", AT_MOST, 1, true, false},
    {"storage_size", "storage_size", AT_LEAST, 1, false, false},
    {"gpu_memory_min", "gpu_memory_min", AT_LEAST, (QUANTITY_GIB / QUANTITY_MIB), false, false},
    {"cpu_manufacturer", "cpu_manufacturer", IS_ONE_OF, 0, false, false},
    {"cpu_family", "cpu_family", IS_ONE_OF, 0, false, false},
    {"storage_type", "storage_type", IS_ONE_OF, 0, false, false},
    {"gpu_manufacturer", "gpu_manufacturer", IS_ONE_OF, 0, false, false},
    {"gpu_family", "gpu_family", IS_ONE_OF, 0, false, false},
    {"gpu_model", "gpu_model", IS_ONE_OF, 0, false, false},
};
#define PARAMETERS (sizeof parameters / sizeof *parameters)

static bool has_parameter(const char *text, const struct parameter *p)
{
	size_t n = strlen(p->name);

	return strncmp(text, p->name, n) == 0 && text[n] == '=';
}

static const struct parameter *parameter_of(const char *text)
{
	for (size_t i = 0; i < PARAMETERS; i++)
		if (has_parameter(text, &parameters[i]))
			return &parameters[i];
	return NULL;
}

static const char *where_value(const char *text)
{
	return strchr(text, '=') + 1;
}

/* NAN for anything but a number from 0 to NUMBER_MAX, without an exponent, as the service takes no
 * such integers. */
static double where_number(const char *value)
{
	double v;
	size_t n = quantity_number(value, &v);

	return n && !value[strcspn(value, "eE")] && !value[n] && v >= 0 && v <= NUMBER_MAX
	           ? v
	           : (double)NAN;
}

/* -- checks ------------------------------------------------------------------------------------ */

static int unknown_name(const char *text, struct err *e)
{
	struct buf known = {.max = 1024};
	size_t n = strcspn(text, "=");

	for (size_t i = 0; i < PARAMETERS; i++)
		buf_printf(&known, "%s%s", i ? ", " : "", parameters[i].name);
	if (strchr(text, '='))
		err_set(e, "unknown name \"%.*s\" (known: %s)", (int)(n < 64 ? n : 64), text,
		        buf_cstr(&known));
	else
		err_set(e, "\"%.64s\" is not NAME=VALUE (known names: %s)", text, buf_cstr(&known));
	buf_free(&known);
	return -1;
}

static int check_value(const struct parameter *p, const char *value, struct err *e)
{
	double v = where_number(value);

	if (p->kind == IS_ONE_OF) {
		if (!*value || strlen(value) > KEEPER_WHERE_VALUE_MAX)
			return err_set(e, "%s: give a name of at most %d bytes", p->name,
			               KEEPER_WHERE_VALUE_MAX);
		return 0;
	}
	if (isnan(v) || (p->whole && v > floor(v)))
		return err_set(e, "%s: \"%.64s\" is not a %s from 0 to 1000000000", p->name, value,
		               p->whole ? "whole number" : "number");
	return 0;
}

int keeper_where_check(const struct opts_list *where, struct err *e)
{
	for (size_t i = 0; i < where->n; i++) {
		const struct parameter *p = parameter_of(where->v[i]);
		if (!p)
			return unknown_name(where->v[i], e);
		if (check_value(p, where_value(where->v[i]), e))
			return -1;
		for (size_t k = 0; k < i && p->kind != IS_ONE_OF; k++)
			if (parameter_of(where->v[k]) == p)
				return err_set(e, "%s is given twice", p->name);
	}
	return 0;
}

/* -- use --------------------------------------------------------------------------------------- */

void keeper_where_replace(const struct opts_list *where, struct keeper_where_sizes sizes)
{
	double *const in_order[] = {sizes.cpus, sizes.memory, sizes.gpus, sizes.gpu_memory};

	for (size_t i = 0; i < where->n; i++) {
		const struct parameter *p = parameter_of(where->v[i]);
		if (p->replaces) /* the first of the table */
			*in_order[p - parameters] =
			    where_number(where_value(where->v[i])) * p->factor;
	}
}

/* Whether one of the list's values of this parameter is the field's; true without any. */
static bool is_any_value(const struct opts_list *where, const struct parameter *p,
                         const char *field)
{
	bool asked = false;

	for (size_t i = 0; i < where->n; i++) {
		if (!has_parameter(where->v[i], p))
			continue;
		if (field && !strcasecmp(where_value(where->v[i]), field))
			return true;
		asked = true;
	}
	return !asked;
}

static bool is_within(const struct parameter *p, double wish, const cJSON *field)
{
	double have = cJSON_IsNumber(field) ? field->valuedouble : (double)NAN;

	if (p->kind == AT_MOST)
		return have <= wish;
	return wish <= 0 || have >= wish;
}

bool keeper_where_fits(const struct opts_list *where, const cJSON *row)
{
	for (size_t i = 0; i < where->n; i++) {
		const struct parameter *p = parameter_of(where->v[i]);
		const cJSON *field = cJSON_GetObjectItemCaseSensitive(row, p->field);
		if (p->kind == IS_ONE_OF
		        ? !is_any_value(where, p, cJSON_GetStringValue(field))
		        : !is_within(p, where_number(where_value(where->v[i])) * p->factor, field))
			return false;
	}
	return true;
}

bool keeper_where_is_sent(const char *text)
{
	return !parameter_of(text)->replaces;
}

void keeper_where_words(const struct opts_list *where, struct buf *out)
{
	for (size_t p = 0; p < PARAMETERS; p++) {
		size_t n = 0;
		for (size_t i = 0; i < where->n && !parameters[p].replaces; i++) {
			if (!has_parameter(where->v[i], &parameters[p]))
				continue;
			if (n++)
				buf_printf(out, " or %s", where_value(where->v[i]));
			else
				buf_printf(out, "; %s", where->v[i]);
		}
	}
}
