/* job_inputs: what the inputs of a run come to. */
#include "core/head/job_inputs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fnv1a.h"

#define CUT "…"
/* The letters of an input's name; others are written as "#" and a hash. */
#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

static bool is_short_at(const char *at)
{
	return *at && strlen(at) < JOB_INPUTS_AT_MAX && strspn(at, PLAIN) == strlen(at);
}

/* "at=bytes" */
static int spell(const struct snapshot_input *in, char *out, size_t size)
{
	if (is_short_at(in->at))
		return snprintf(out, size, "%s=%.0f", in->at, in->bytes);
	return snprintf(out, size, "#%08" PRIx32 "=%.0f", (uint32_t)fnv1a_add(FNV1A_BEGIN, in->at),
	                in->bytes);
}

void job_inputs_settle(struct snapshot *s)
{
	struct snapshot_inputs *in = &s->inputs;
	char sizes[JOB_INPUTS_SIZES_MAX + 1] = "", one[64];
	size_t n = 0, counted = 0;
	bool cut = false;

	in->bytes = 0;
	in->sizes = "";
	for (size_t i = 0; i < in->n; i++) {
		const struct snapshot_input *input = &in->v[i];
		int length;
		if (input->written || !(input->bytes >= 0) || !input->at)
			continue;
		counted++;
		in->bytes += input->bytes;
		length = spell(input, one, sizeof one);
		cut |= n + 1 + (size_t)length + strlen(CUT) > JOB_INPUTS_SIZES_MAX;
		if (!cut)
			n += (size_t)snprintf(sizes + n, sizeof sizes - n, "%s%s", n ? ";" : "",
			                      one);
	}
	if (in->more.n > 0)
		in->bytes += in->more.bytes;
	if (!counted)
		in->bytes = NAN;
	if (!counted || isnan(in->bytes))
		return;
	if (cut || in->more.n > 0)
		snprintf(sizes + n, sizeof sizes - n, "%s" CUT, n ? ";" : "");
	in->sizes = snapshot_strdup(s, sizes);
}

void job_inputs_copy(struct snapshot *to, const struct snapshot_inputs *from)
{
	struct snapshot_input *v = snapshot_alloc(to, (from->n + 1) * sizeof *v);

	to->inputs = *from;
	to->inputs.sizes = snapshot_strdup(to, from->sizes);
	to->inputs.n = v ? from->n : 0;
	to->inputs.v = v;
	for (size_t i = 0; i < to->inputs.n; i++) {
		v[i] = from->v[i];
		v[i].name = snapshot_strdup(to, from->v[i].name);
		v[i].via = snapshot_strdup(to, from->v[i].via);
		v[i].at = snapshot_strdup(to, from->v[i].at);
	}
}

bool job_inputs_sizes_next(const char **text, struct job_inputs_size *out)
{
	const char *at = *text;
	size_t n = at ? strcspn(at, "=;") : 0;
	char *end;

	/* Commands to paste have the name: other bytes of a foreign recording stay out. */
	if (!n || n >= sizeof out->at || strspn(at, PLAIN "#") < n || at[n] != '=' ||
	    at[n + 1] < '0' || at[n + 1] > '9')
		return false;
	memcpy(out->at, at, n);
	out->at[n] = '\0';
	out->bytes = strtod(at + n + 1, &end);
	*text = *end == ';' ? end + 1 : end;
	/* A row that is too long cuts its texts anywhere, numbers too. */
	return (*end == ';' || !*end) && isfinite(out->bytes);
}

bool job_inputs_sizes_whole(const char *text)
{
	return text && *text && text[strspn(text, PLAIN "#=;")] == '\0';
}
