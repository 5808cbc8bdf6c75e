/* ask_input: the inputs of the next run beside those of the runs before. */
#include "fleet/ask/ask_input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Whether a run has this very input. */
static bool has(const struct memory_run *run, const struct job_inputs_size *of)
{
	const char *text = run->sizes;
	struct job_inputs_size one;

	while (job_inputs_sizes_next(&text, &one))
		if (strcmp(one.at, of->at) == 0 && one.bytes == of->bytes)
			return true;
	return false;
}

/* Looks at the runs whose single inputs are known. */
static bool is_same_in_all(const struct memory_run *v, size_t n, const struct job_inputs_size *of)
{
	size_t known = 0;

	for (size_t i = 0; i < n; i++) {
		if (!job_inputs_sizes_whole(v[i].sizes))
			continue;
		known++;
		if (!has(&v[i], of))
			return false;
	}
	return known > 1;
}

/* False without room. */
static bool put_size(char *text, const char *at, double bytes)
{
	size_t n = strlen(text), room = JOB_INPUTS_SIZES_MAX + 1 - n;

	return (size_t)snprintf(text + n, room, "%s%s=%.0f", n ? ";" : "", at, bytes) < room;
}

/* The text gets what changes from run to run; returns how many these are. Of a run whose sizes were
 * cut, none. */
static size_t leave_out_same(const struct memory_run *v, size_t n, size_t i,
                             char text[JOB_INPUTS_SIZES_MAX + 1])
{
	const char *at = v[i].sizes;
	struct job_inputs_size one;
	size_t left = 0;

	*text = '\0';
	while (job_inputs_sizes_whole(v[i].sizes) && job_inputs_sizes_next(&at, &one))
		if (!is_same_in_all(v, n, &one))
			left += put_size(text, one.at, one.bytes);
	return left;
}

/* Too many inputs for their text: all of them are named, or none. */
static bool only_sums_are_known(const struct memory_run *v, size_t n)
{
	bool sums = false;

	for (size_t i = 0; i < n; i++) {
		if (job_inputs_sizes_whole(v[i].sizes))
			return false;
		sums |= v[i].need.input_b >= 0;
	}
	return sums;
}

static void forget_places(struct memory_run *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i].sizes = NULL;
}

/* Only after all were compared. */
static void take_changing(struct memory_run *v, size_t n, char (*text)[JOB_INPUTS_SIZES_MAX + 1])
{
	for (size_t i = 0; i < n; i++) {
		const char *at = text[i];
		struct job_inputs_size one;
		v[i].sizes = text[i];
		v[i].need.input_b = *at ? 0 : (double)NAN;
		while (job_inputs_sizes_next(&at, &one))
			v[i].need.input_b += one.bytes;
	}
}

size_t ask_input_match(struct memory_run *v, size_t n, const double *bytes, size_t n_bytes,
                       char (*text)[JOB_INPUTS_SIZES_MAX + 1], struct memory_run *next)
{
	size_t changing = 0, latest = n;
	const char *at = NULL;
	struct job_inputs_size one;
	bool placed;

	*next = (struct memory_run){.need = {.input_b = 0}};
	for (size_t i = 0; i < n_bytes; i++)
		next->need.input_b += bytes[i];
	if (only_sums_are_known(v, n)) {
		forget_places(v, n);
		return 1;
	}
	for (size_t i = 0; i < n; i++) {
		size_t left = leave_out_same(v, n, i, text[i]);
		if (left && (latest == n || v[i].need.start >= v[latest].need.start)) {
			latest = i;
			changing = left;
			at = text[i];
		}
	}
	take_changing(v, n, text);
	*text[n] = '\0';
	placed = n_bytes == changing;
	for (size_t i = 0; placed && i < n_bytes; i++)
		placed = job_inputs_sizes_next(&at, &one) && put_size(text[n], one.at, bytes[i]);
	next->sizes = text[n];
	if (!placed) { /* which is which is not known: only their sum counts */
		forget_places(v, n);
		next->sizes = NULL;
	}
	return changing;
}
