/* snapshot_values: the members of a snapshot's objects, read into their structs. */
#include "core/head/snapshot_values.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/quantity.h"

const cJSON *snapshot_values_member(const cJSON *o, const char *key)
{
	return key ? cJSON_GetObjectItemCaseSensitive(o, key) : NULL;
}

/* resource-tracker 0.5 writes some numbers as strings, "" for none. */
double snapshot_values_number(const cJSON *v)
{
	char *end;
	double d;

	if (cJSON_IsNumber(v))
		return isfinite(v->valuedouble) ? v->valuedouble : NAN;
	if (!cJSON_IsString(v) || !*v->valuestring)
		return NAN;
	d = strtod(v->valuestring, &end);
	return *end || !isfinite(d) ? NAN : d;
}

static double read_number(const cJSON *o, const struct snapshot_field *f)
{
	const char *const keys[] = {f->key, f->schema_2, f->old_key};
	double v = NAN;

	for (size_t i = 0; o && isnan(v) && i < sizeof keys / sizeof *keys; i++)
		v = snapshot_values_number(snapshot_values_member(o, keys[i]));
	if (f->mib)
		v = isfinite(v * QUANTITY_MIB) ? v * QUANTITY_MIB : NAN;
	if (f->kind == SNAPSHOT_FIELD_AMOUNT)
		return v >= 0 ? v : NAN;
	if (f->kind == SNAPSHOT_FIELD_POSITIVE)
		return v > 0 ? v : NAN;
	return v;
}

static const char *text_of(struct snapshot *s, const cJSON *v, const char *otherwise)
{
	return cJSON_IsString(v) && *v->valuestring ? snapshot_strdup(s, v->valuestring)
	                                            : otherwise;
}

static void read_strings(struct snapshot *s, const cJSON *array, struct snapshot_list *out)
{
	const cJSON *v;

	cJSON_ArrayForEach (v, array)
		if (cJSON_IsString(v) && out->n < SNAPSHOT_LIST_MAX)
			snapshot_list_add(s, out, snapshot_strdup(s, v->valuestring));
}

static void read_pairs(struct snapshot *s, const cJSON *object, struct snapshot_pairs *out)
{
	const cJSON *v;

	cJSON_ArrayForEach (v, object)
		if (cJSON_IsString(v) && v->string && out->n < SNAPSHOT_LIST_MAX)
			snapshot_pairs_add(s, out, snapshot_strdup(s, v->string),
			                   snapshot_strdup(s, v->valuestring));
}

static void read_argv(struct snapshot *s, const cJSON *array, struct snapshot_job *job)
{
	int n = cJSON_GetArraySize(array);
	const cJSON *v;

	if (n > SNAPSHOT_ARGS_MAX)
		n = SNAPSHOT_ARGS_MAX;
	if (!cJSON_IsArray(array) || n == 0)
		return;
	job->argv = snapshot_alloc(s, (size_t)n * sizeof *job->argv);
	job->argc = 0;
	if (!job->argv)
		return;
	cJSON_ArrayForEach (v, array)
		if (job->argc < SNAPSHOT_ARGS_MAX)
			job->argv[job->argc++] =
			    snapshot_strdup(s, cJSON_IsString(v) ? v->valuestring : "");
}

static void read_field(struct snapshot *s, const cJSON *o, const struct snapshot_field *f,
                       void *record)
{
	void *at = (char *)record + f->offset;
	const cJSON *v = NULL;
	bool is_number = f->kind == SNAPSHOT_FIELD_NUMBER || f->kind == SNAPSHOT_FIELD_AMOUNT ||
	                 f->kind == SNAPSHOT_FIELD_POSITIVE;

	if (o && !is_number)
		v = snapshot_values_member(o, f->key);
	if (o && !is_number && !v)
		v = snapshot_values_member(o, f->old_key);
	switch (f->kind) {
	case SNAPSHOT_FIELD_TEXT:
	case SNAPSHOT_FIELD_TEXT_OR_NULL:
	case SNAPSHOT_FIELD_CUT_TEXT:
		*(const char **)at = text_of(s, v, "");
		break;
	case SNAPSHOT_FIELD_TEXT_OR_UNKNOWN:
		*(const char **)at = text_of(s, v, "unknown");
		break;
	case SNAPSHOT_FIELD_LIST:
		read_strings(s, v, at);
		break;
	case SNAPSHOT_FIELD_PAIRS:
		read_pairs(s, v, at);
		break;
	case SNAPSHOT_FIELD_ARGV:
		read_argv(s, v, record);
		break;
	case SNAPSHOT_FIELD_FLAG:
		*(bool *)at = cJSON_IsTrue(v);
		break;
	case SNAPSHOT_FIELD_FLAG_ON:
		*(bool *)at = !cJSON_IsFalse(v);
		break;
	case SNAPSHOT_FIELD_NUMBER:
	case SNAPSHOT_FIELD_AMOUNT:
	case SNAPSHOT_FIELD_POSITIVE:
		*(double *)at = read_number(o, f);
		break;
	case SNAPSHOT_FIELD_ALWAYS_NULL:
		break;
	}
}

/* Reads the members of a block from object o into *record, the block's struct. o may be NULL: then
 * every field gets what it has where the file says nothing. */
void snapshot_values_read(struct snapshot *s, enum snapshot_block block, const cJSON *o,
                          void *record)
{
	size_t n;
	const struct snapshot_field *f = snapshot_fields_of(block, &n);

	for (size_t i = 0; i < n; i++)
		read_field(s, o, &f[i], record);
}

const cJSON *snapshot_values_block(const cJSON *o, enum snapshot_block block)
{
	const cJSON *v = snapshot_values_member(o, snapshot_fields_key(block));

	return v ? v : snapshot_values_member(o, snapshot_fields_old_key(block));
}

/* Allocates *all for the elements of an array, at most max. Returns how many to read. */
size_t snapshot_values_alloc(struct snapshot *s, const cJSON *array, size_t max, size_t size,
                             void **all)
{
	int n = cJSON_IsArray(array) ? cJSON_GetArraySize(array) : 0;
	size_t taken = n > 0 ? (size_t)n : 0;

	if (taken > max)
		taken = max;

	*all = taken ? snapshot_alloc(s, taken * size) : NULL;
	return *all ? taken : 0;
}

size_t snapshot_values_array(struct snapshot *s, const cJSON *array, enum snapshot_block block,
                             void *all, size_t size, size_t max)
{
	const cJSON *o;
	size_t n = 0;

	cJSON_ArrayForEach (o, array)
		if (cJSON_IsArray(array) && n < max)
			snapshot_values_read(s, block, o, (char *)all + size * n++);
	return n;
}
