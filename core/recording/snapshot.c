/* snapshot: the memory of a recording, its notes and signal names. */
#include "core/recording/snapshot.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/buf.h"
#include "core/base/larger.h"
#include "core/base/utf8.h"

/* How far a bound must be above a number of bytes. */
#define APART   1.1
#define APART_B 16777216.0

/* The arena: each allocation is a link of a list that is freed as a whole. */
struct link {
	struct link *next;
	char text[];
};

void *snapshot_alloc(struct snapshot *s, size_t n)
{
	struct link *l = alloc_failed_note(calloc(1, sizeof *l + n));

	if (!l)
		return NULL;
	l->next = s->arena;
	s->arena = l;
	return l->text;
}

void snapshot_drop(struct snapshot *s, const void *block)
{
	for (struct link *l = s->arena, *before = NULL; l; before = l, l = l->next)
		if ((const void *)l->text == block) {
			if (before)
				before->next = l->next;
			else
				s->arena = l->next;
			free(l);
			break;
		}
}

const char *snapshot_strdup(struct snapshot *s, const char *text)
{
	struct buf b = {0};
	size_t n = text ? strlen(text) : 0;
	char *copy;

	if (!n)
		return "";
	buf_utf8(&b, text, utf8_cut(text, n, SNAPSHOT_STRING_MAX));
	if (n > SNAPSHOT_STRING_MAX)
		buf_str(&b, "…");
	copy = b.failed ? NULL : snapshot_alloc(s, b.len + 1);
	if (copy)
		memcpy(copy, buf_cstr(&b), b.len + 1);
	buf_free(&b);
	return copy ? copy : "";
}

/* v with room for one more than n elements; NULL without memory, or at the cap. */
static void *room_for_one(struct snapshot *s, void *v, size_t n, size_t size)
{
	void *more;

	if (n == SNAPSHOT_LIST_MAX)
		return NULL;
	/* Room for 4, 8, 16 …: it is full whenever n is such a number. */
	if (n != 0 && (n < 4 || (n & (n - 1)) != 0))
		return v;
	more = snapshot_alloc(s, (n ? 2 * n : 4) * size);
	if (more && n)
		memcpy(more, v, n * size);
	return more;
}

void snapshot_list_add(struct snapshot *s, struct snapshot_list *list, const char *text)
{
	const char **v = room_for_one(s, list->v, list->n, sizeof *v);

	if (!v)
		return;
	v[list->n] = text;
	*list = (struct snapshot_list){v, list->n + 1};
}

void snapshot_pairs_add(struct snapshot *s, struct snapshot_pairs *pairs, const char *key,
                        const char *value)
{
	struct snapshot_pair *v = room_for_one(s, pairs->v, pairs->n, sizeof *v);

	if (!v)
		return;
	v[pairs->n] = (struct snapshot_pair){key, value};
	*pairs = (struct snapshot_pairs){v, pairs->n + 1};
}

void snapshot_note(struct snapshot *s, const char *fmt, ...)
{
	char text[512];
	struct buf valid = {0};
	const char *note = "";
	bool there = false;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	buf_utf8(&valid, text, strlen(text));
	for (size_t i = 0; i < s->notes.n; i++)
		there = there || strcmp(s->notes.v[i], buf_cstr(&valid)) == 0;
	if (!there && s->notes.n < SNAPSHOT_LIST_MAX)
		note = snapshot_strdup(s, valid.failed ? "" : buf_cstr(&valid));
	if (*note) /* else there was no memory, which alloc_failed() reports */
		snapshot_list_add(s, &s->notes, note);
	buf_free(&valid);
}

void snapshot_free(struct snapshot *s)
{
	struct link *next;

	for (struct link *l = s->arena; l; l = next) {
		next = l->next;
		free(l);
	}
	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		frame_free(&s->rows[scope]);
	for (size_t i = 0; i < s->n_detail_rows; i++)
		frame_free(&s->detail_rows[i]);
	free(s->detail_rows);
	*s = (struct snapshot){0};
}

void snapshot_memory_of(const struct snapshot *s, double sampled_b, struct snapshot_memory *out)
{
	const struct snapshot_totals *t = &s->totals;
	double marks = t->known ? larger(t->peak_rss_b, t->max_rss_b) : NAN;

	*out = (struct snapshot_memory){
	    .known = s->memory.known, .peak_most_b = NAN, .mean_most_b = NAN, .how = ""};
	if (s->memory.known)
		*out = s->memory;
	else if (s->meta.children)
		out->peak_b = marks;
	/* An estimate of a sample may be above what the job's cgroup ever held. */
	sampled_b = lesser(sampled_b, out->peak_most_b);
	if (!(out->peak_b >= sampled_b))
		out->peak_b = sampled_b > 0 ? sampled_b : (double)NAN;
	if (isnan(out->peak_b))
		out->how = "";
	else if (!out->how || !*out->how)
		out->how = marks > 0 ? SNAPSHOT_MEMORY_BOUND : SNAPSHOT_MEMORY_SAMPLED;
	if (out->peak_most_b < out->peak_b)
		out->peak_most_b = out->peak_b;
}

bool snapshot_memory_apart(double most_b, double b)
{
	return most_b > b * APART && most_b > b + APART_B;
}

bool snapshot_states_of_columns(const struct stats *columns, struct snapshot_states *out)
{
	*out = (struct snapshot_states){.exact_s = NAN, .sampled_s = NAN, .bound_s = NAN};
	for (int k = 0; k < STATES_N; k++) {
		const struct stats *column = &columns[states_metric((enum states_id)k)];
		out->of[k] = (struct snapshot_state){column->n ? column->sum : 0, NAN, NAN};
		out->known |= column->n > 0;
	}
	return out->known;
}

bool snapshot_states_of(const struct snapshot *s, struct snapshot_states *out)
{
	*out = s->states;
	return out->known || (s->summary && snapshot_states_of_columns(s->summary, out));
}

const char *snapshot_signal_name(int signal)
{
	const char *name = signal > 0 ? sigabbrev_np(signal) : NULL;

	return name ? name : "";
}

int snapshot_signal_number(const char *name)
{
	char *end;
	long n = strtol(name, &end, 10);

	for (int i = 1; i < NSIG; i++)
		if (*name && strcmp(snapshot_signal_name(i), name) == 0)
			return i;
	/* Real-time signals have no name and are written as their number. */
	return *name && !*end && n > 0 && n < NSIG ? (int)n : 0;
}

bool snapshot_tracks(const struct snapshot *s, enum metric_scope scope)
{
	return scope == METRIC_SCOPE_PROCESS ? s->meta.track_processes : s->meta.track_system;
}

double snapshot_gpus(const struct snapshot *s)
{
	return s->n_gpus ? (double)s->n_gpus : s->server.gpu_count;
}

double snapshot_gpus_memory(const struct snapshot *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->n_gpus; i++)
		sum += s->gpus[i].memory_b;
	return s->n_gpus && !isnan(sum) ? sum : s->server.gpu_memory_b;
}
