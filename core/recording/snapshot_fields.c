/* snapshot_fields: the keys of a snapshot's head, and how its objects are written. */
#include "core/recording/snapshot_fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/quantity.h"
#include "core/base/utf8.h"
#include "core/recording/gaps.h"

#define BLOCK(id, type, ...) typedef type struct_of_##id;
#include "core/recording/snapshot_fields.def"

static const struct {
	const char *key, *old_key;
} blocks[SNAPSHOT_BLOCKS] = {
#define BLOCK(id, type, ...) [SNAPSHOT_##id] = {__VA_ARGS__},
#include "core/recording/snapshot_fields.def"
};

static const struct snapshot_field fields[] = {
#define FIELD(block_, member, kind_, ...)                                                          \
	{.kind = SNAPSHOT_FIELD_##kind_,                                                           \
	 .offset = offsetof(struct_of_##block_, member),                                           \
	 __VA_ARGS__},
#include "core/recording/snapshot_fields.def"
};
#define FIELDS (sizeof fields / sizeof *fields)

/* The block of each row of fields[]: thousands of heads look their blocks up. */
static const unsigned char block_of[] = {
#define FIELD(block_, ...) SNAPSHOT_##block_,
#include "core/recording/snapshot_fields.def"
};

const char snapshot_field_left_out[] = "";

const char *const snapshot_asked_keys[SNAPSHOT_ASKED_N] = {
    [SNAPSHOT_ASKED_CPUS] = "cpus",   [SNAPSHOT_ASKED_MEMORY] = "memory_bytes",
    [SNAPSHOT_ASKED_GPUS] = "gpus",   [SNAPSHOT_ASKED_TIME] = "time_s",
    [SNAPSHOT_ASKED_NODES] = "nodes", [SNAPSHOT_ASKED_TASKS] = "tasks",
};

const char *snapshot_fields_key(enum snapshot_block block)
{
	return blocks[block].key;
}

const char *snapshot_fields_old_key(enum snapshot_block block)
{
	return blocks[block].old_key;
}

const struct snapshot_field *snapshot_fields_of(enum snapshot_block block, size_t *n)
{
	const unsigned char *at = memchr(block_of, (int)block, FIELDS);
	size_t first = at ? (size_t)(at - block_of) : FIELDS, end;

	for (end = first; end < FIELDS && block_of[end] == block; end++)
		;
	*n = end - first;
	return &fields[first];
}

static const char *text_or(const char *s, const char *otherwise)
{
	return s && *s ? s : otherwise;
}

/* text, cut to max bytes where it is longer, and ended in "…" then. */
static void write_cut_text(struct json_write *j, const char *key, const char *text, size_t max)
{
	size_t n;
	char cut[SNAPSHOT_TEXT_MAX + sizeof "…"];

	text = text_or(text, "");
	if (strlen(text) <= max || max > SNAPSHOT_TEXT_MAX) {
		json_write_str(j, key, text);
		return;
	}
	n = utf8_cut(text, strlen(text), max);
	memcpy(cut, text, n);
	memcpy(cut + n, "…", sizeof "…");
	json_write_str(j, key, cut);
}

static void write_list(struct json_write *j, const char *key, const struct snapshot_list *l)
{
	json_write_array(j, key);
	for (size_t i = 0; i < l->n; i++)
		write_cut_text(j, NULL, l->v[i], SNAPSHOT_TAG_MAX);
	json_write_array_end(j);
}

static void write_pairs(struct json_write *j, const char *key, const struct snapshot_pairs *p)
{
	json_write_object(j, key);
	for (size_t i = 0; i < p->n; i++) {
		const char *name = text_or(p->v[i].key, "");
		if (strlen(name) <= SNAPSHOT_TAG_MAX)
			write_cut_text(j, name, p->v[i].value, SNAPSHOT_TAG_MAX);
	}
	json_write_object_end(j);
}

static void write_argv(struct json_write *j, const char *key, const struct snapshot_job *job)
{
	size_t left = SNAPSHOT_ARGV_MAX;

	if (!job->argv) {
		json_write_null(j, key);
		return;
	}
	json_write_array(j, key);
	for (size_t i = 0; i < job->argc; i++) {
		const char *word = text_or(job->argv[i], "");
		size_t n = strlen(word);
		if (n > left || i == SNAPSHOT_ARGS_MAX - 1) {
			write_cut_text(j, NULL, word,
			               left < SNAPSHOT_TEXT_MAX ? left : SNAPSHOT_TEXT_MAX);
			break;
		}
		json_write_str(j, NULL, word);
		left -= n;
	}
	json_write_array_end(j);
}

static void write_number(struct json_write *j, const char *key, const struct snapshot_field *f,
                         double v)
{
	if (f->zero && !isfinite(v))
		v = 0;
	json_write_num(j, key, f->mib ? v / QUANTITY_MIB : v);
}

static void write_field(struct json_write *j, const struct snapshot_field *f, enum schema schema,
                        const void *record)
{
	const char *key = schema == SCHEMA_2 && f->schema_2 ? f->schema_2 : f->key;
	const void *at = (const char *)record + f->offset;
	const char *const *text = at;

	switch (f->kind) {
	case SNAPSHOT_FIELD_TEXT:
		json_write_str(j, key, text_or(*text, ""));
		break;
	case SNAPSHOT_FIELD_TEXT_OR_NULL:
		if (*text != snapshot_field_left_out)
			json_write_str(j, key, *text);
		break;
	case SNAPSHOT_FIELD_TEXT_OR_UNKNOWN:
		json_write_str(j, key, text_or(*text, "unknown"));
		break;
	case SNAPSHOT_FIELD_CUT_TEXT:
		write_cut_text(j, key, *text, SNAPSHOT_TEXT_MAX);
		break;
	case SNAPSHOT_FIELD_LIST:
		write_list(j, key, at);
		break;
	case SNAPSHOT_FIELD_PAIRS:
		write_pairs(j, key, at);
		break;
	case SNAPSHOT_FIELD_ARGV:
		write_argv(j, key, record);
		break;
	case SNAPSHOT_FIELD_FLAG:
	case SNAPSHOT_FIELD_FLAG_ON:
		json_write_bool(j, key, *(const bool *)at);
		break;
	case SNAPSHOT_FIELD_NUMBER:
	case SNAPSHOT_FIELD_AMOUNT:
	case SNAPSHOT_FIELD_POSITIVE:
		write_number(j, key, f, *(const double *)at);
		break;
	case SNAPSHOT_FIELD_ALWAYS_NULL:
		json_write_null(j, key);
		break;
	}
}

void snapshot_fields_write(struct json_write *j, enum snapshot_block block, enum schema schema,
                           const void *record)
{
	size_t n;
	const struct snapshot_field *f = snapshot_fields_of(block, &n);

	for (size_t i = 0; i < n; i++)
		write_field(j, &f[i], schema, record);
}

void snapshot_fields_object(struct json_write *j, enum snapshot_block block, enum schema schema,
                            const void *record)
{
	json_write_object(j, blocks[block].key);
	snapshot_fields_write(j, block, schema, record);
	json_write_object_end(j);
}

void snapshot_fields_element(struct json_write *j, enum snapshot_block block, const void *record)
{
	json_write_object(j, NULL);
	snapshot_fields_write(j, block, SCHEMA_1, record);
	json_write_object_end(j);
}

void snapshot_fields_asked(struct json_write *j, const struct snapshot_asked *a)
{
	if (!a->known) {
		json_write_null(j, blocks[SNAPSHOT_ASK].key);
		return;
	}
	json_write_object(j, blocks[SNAPSHOT_ASK].key);
	for (int i = 0; i < SNAPSHOT_ASKED_N; i++) {
		if (!isfinite(a->of[i].value)) {
			json_write_null(j, snapshot_asked_keys[i]);
			continue;
		}
		json_write_object(j, snapshot_asked_keys[i]);
		snapshot_fields_write(j, SNAPSHOT_ASK, SCHEMA_1, &a->of[i]);
		json_write_object_end(j);
	}
	json_write_object_end(j);
}

void snapshot_fields_part(struct json_write *j, const struct snapshot_part *p)
{
	if (!p->known) {
		json_write_null(j, blocks[SNAPSHOT_PART].key);
		return;
	}
	json_write_object(j, blocks[SNAPSHOT_PART].key);
	snapshot_fields_write(j, SNAPSHOT_PART, SCHEMA_1, p);
	if (p->array_job && *p->array_job)
		snapshot_fields_object(j, SNAPSHOT_PART_ARRAY, SCHEMA_1, p);
	else
		json_write_null(j, blocks[SNAPSHOT_PART_ARRAY].key);
	json_write_object_end(j);
}

void snapshot_fields_inputs(struct json_write *j, const struct snapshot_inputs *in)
{
	if (!in->known)
		return;
	json_write_array(j, blocks[SNAPSHOT_INPUT].key);
	for (size_t i = 0; i < in->n; i++)
		snapshot_fields_element(j, SNAPSHOT_INPUT, &in->v[i]);
	json_write_array_end(j);
	if (in->more.n > 0)
		snapshot_fields_object(j, SNAPSHOT_INPUTS_MORE, SCHEMA_1, &in->more);
}

void snapshot_fields_phases(struct json_write *j, const struct phases *p)
{
	json_write_array(j, blocks[SNAPSHOT_PHASE].key);
	for (size_t i = 0; p && i < p->n; i++)
		snapshot_fields_element(j, SNAPSHOT_PHASE, &p->v[i]);
	json_write_array_end(j);
	if (p && p->left_out)
		json_write_num(j, SNAPSHOT_KEY_PHASES_LEFT_OUT, (double)p->left_out);
}

void snapshot_fields_gaps(struct json_write *j, const struct snapshot *s)
{
	if (!gaps_rows(s))
		return;
	json_write_array(j, blocks[SNAPSHOT_GAP].key);
	for (size_t i = 0; i < s->gaps->n; i++) {
		const struct gap *g = &s->gaps->v[i];
		snapshot_fields_element(
		    j, SNAPSHOT_GAP,
		    &(struct gap){.from = stats_round(g->from, 3), .to = stats_round(g->to, 3)});
	}
	json_write_array_end(j);
}

void snapshot_fields_process_states(struct json_write *j, const double states_s[STATES_N])
{
	bool begun = false;

	for (int k = 0; k < STATES_N; k++) {
		double s = stats_round(states_s[k], 3);
		if (!(s > 0))
			continue;
		if (!begun)
			json_write_object(j, SNAPSHOT_KEY_STATES);
		begun = true;
		json_write_num(j, states_word((enum states_id)k), s);
	}
	if (begun)
		json_write_object_end(j);
}

void snapshot_fields_states(struct json_write *j, const struct snapshot_states *s,
                            void (*waits)(void *ctx, struct json_write *j), void *ctx)
{
	if (!s->known)
		return;
	json_write_object(j, blocks[SNAPSHOT_STATES].key);
	json_write_object(j, blocks[SNAPSHOT_STATE].key);
	for (int k = 0; k < STATES_N; k++) {
		const struct snapshot_state *of = &s->of[k];
		struct snapshot_state rounded = {
		    stats_round(of->value, 3), stats_round(of->least, 3), stats_round(of->most, 3)};
		if (!(rounded.value > 0))
			continue;
		json_write_object(j, states_word((enum states_id)k));
		snapshot_fields_write(j, SNAPSHOT_STATE, SCHEMA_1, &rounded);
		json_write_object_end(j);
	}
	json_write_object_end(j);
	snapshot_fields_write(j, SNAPSHOT_STATES, SCHEMA_1,
	                      &(struct snapshot_states){.exact_s = stats_round(s->exact_s, 3),
	                                                .sampled_s = stats_round(s->sampled_s, 3),
	                                                .bound_s = stats_round(s->bound_s, 3)});
	if (waits) {
		waits(ctx, j);
	} else {
		json_write_array(j, blocks[SNAPSHOT_WAIT].key);
		for (size_t i = 0; i < s->n_waits; i++)
			snapshot_fields_element(j, SNAPSHOT_WAIT, &s->waits[i]);
		json_write_array_end(j);
	}
	json_write_object_end(j);
}

void snapshot_fields_exit(struct json_write *j, const struct snapshot *s)
{
	const char *name = s->exit.signal ? snapshot_signal_name(s->exit.signal) : NULL;
	char number[16];

	snprintf(number, sizeof number, "%d", s->exit.signal);
	snapshot_fields_object(
	    j, SNAPSHOT_EXIT, SCHEMA_1,
	    &(struct snapshot_exit_text){
		.code = s->exit.known && !s->exit.signal ? (double)s->exit.code : (double)NAN,
		.signal = name && !*name ? number : name,
		.cause = s->exit.cause});
}

void snapshot_fields_end(struct json_write *j, const struct snapshot_end *end)
{
	const struct snapshot_evidence *e = end->evidence;

	if (!end->known)
		return;
	json_write_object(j, blocks[SNAPSHOT_END].key);
	snapshot_fields_write(j, SNAPSHOT_END, SCHEMA_1, end);
	if (!e) {
		json_write_object_end(j);
		return;
	}
	json_write_object(j, blocks[SNAPSHOT_END_EVIDENCE].key);
	snapshot_fields_write(j, SNAPSHOT_END_EVIDENCE, SCHEMA_1, e);
	json_write_array(j, blocks[SNAPSHOT_END_SIGNAL].key);
	for (size_t i = 0; i < e->n_signals; i++)
		snapshot_fields_element(j, SNAPSHOT_END_SIGNAL, &e->signals[i]);
	json_write_array_end(j);
	json_write_array(j, blocks[SNAPSHOT_END_DISK].key);
	for (size_t i = 0; i < e->n_full; i++)
		snapshot_fields_element(j, SNAPSHOT_END_DISK, &e->full[i]);
	json_write_array_end(j);
	if (e->death.known)
		snapshot_fields_object(j, SNAPSHOT_END_DEATH, SCHEMA_1, &e->death);
	else
		json_write_null(j, blocks[SNAPSHOT_END_DEATH].key);
	json_write_object_end(j);
	json_write_object_end(j);
}
