/* job_name: a job as people name it after its scheduler. */
#include "fleet/catalog/job_name.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RESTARTS_MAX 1e6

/* A part of a text. */
struct word {
	const char *s;
	size_t n;
};

static struct word word_of(const char *s)
{
	return (struct word){s, strlen(s)};
}

static bool same_words(struct word a, struct word b)
{
	return a.n == b.n && memcmp(a.s, b.s, a.n) == 0;
}

/* A whole number; NAN: it is none. */
static double digits_at(struct word w)
{
	double v = 0;

	for (size_t i = 0; i < w.n; i++) {
		if (!isdigit((unsigned char)w.s[i]))
			return NAN;
		v = 10 * v + (w.s[i] - '0');
	}
	return w.n && v < 1e15 ? v : (double)NAN;
}

/* -- keys -------------------------------------------------------------------------------------- */

/* "SCHEDULER/CLUSTER/JOB/…/RESTART"; what is missing has no length. */
struct key {
	struct word scheduler, cluster, job, restart;
};

/* The text up to the next slash, and the slash. */
static struct word next_field(const char **at)
{
	struct word field = {*at, strcspn(*at, "/")};

	*at += field.n + ((*at)[field.n] == '/');
	return field;
}

/* step: a field before the restarts that is passed over. */
static bool split_key(const char *text, bool step, struct key *out)
{
	const char *at = text, *end;

	*out = (struct key){.scheduler = next_field(&at)};
	out->cluster = next_field(&at);
	out->job = word_of(at);
	end = strrchr(at, '/');
	if (end) {
		out->restart = word_of(end + 1);
		out->job.n = (size_t)(end - at);
	}
	if (step) {
		size_t n = out->job.n;
		while (n && at[n - 1] != '/')
			n--;
		out->job.n = n ? n - 1 : out->job.n;
	}
	return out->scheduler.n && out->job.n;
}

/* The value of a label; "" where there is none. */
static struct word job_label_of(const char *labels, const char *key)
{
	size_t n = strlen(key), length;

	for (const char *at = labels; *at; at += length + (at[length] == ';')) {
		length = strcspn(at, ";");
		if (length > n && strncmp(at, key, n) == 0 && at[n] == '=')
			return (struct word){at + n + 1, length - n - 1};
	}
	return (struct word){"", 0};
}

/* Recordings of earlier versions have no job_id, and a job of one node no key. */
static bool read_labels(const char *labels, struct key *out)
{
	static const struct {
		const char *scheduler, *job, *cluster, *restart;
	} known[] = {{"slurm", "slurm.job_id", "slurm.cluster", "slurm.restart_count"},
	             {"pbs", "pbs.job_id", "", ""},
	             {"lsf", "lsf.job_id", "", ""},
	             {"sge", "sge.job_id", "sge.cell", ""},
	             {"aws-batch", "aws_batch.job_id", "", "aws_batch.attempt"}};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		out->job = job_label_of(labels, known[i].job);
		if (!out->job.n)
			continue;
		out->scheduler = word_of(known[i].scheduler);
		out->cluster = job_label_of(labels, known[i].cluster);
		out->restart = job_label_of(labels, known[i].restart);
		return true;
	}
	return false;
}

static bool row_key(const struct job_name_row *row, struct key *out)
{
	return (*row->job_id && split_key(row->job_id, false, out)) ||
	       (*row->job && split_key(row->job, true, out)) || read_labels(row->labels, out);
}

/* -- names ------------------------------------------------------------------------------------- */

static int keep_word(char *out, size_t size, struct word w)
{
	if (w.n >= size)
		return -1;
	memcpy(out, w.s, w.n);
	out[w.n] = '\0';
	return 0;
}

static size_t count_slashes(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '/';
	return n;
}

/* "12_3" and "12[3]". */
static void read_element(struct job_name *out)
{
	struct word job = word_of(out->job), index;
	size_t n = strcspn(out->job, "_[");

	out->index = NAN;
	if (!n || n == job.n)
		return;
	index = (struct word){job.s + n + 1, job.n - n - 1};
	if (job.s[n] == '[') {
		if (!index.n || index.s[index.n - 1] != ']')
			return;
		index.n--;
	}
	out->index = digits_at(index);
	if (isfinite(out->index))
		keep_word(out->array, sizeof out->array, (struct word){job.s, n});
}

static int no_job(const char *text, struct err *e)
{
	return err_set(e,
	               "\"%.100s\" is not the ID of a job, such as 12345, 12345/1 (its second "
	               "start), 12_3 (an element of an array) or slurm/CLUSTER/12345",
	               text);
}

int job_name_parse(const char *text, struct job_name *out, struct err *e)
{
	size_t slashes = count_slashes(text);
	const char *at = text, *end = strrchr(text, '/');
	struct word job = word_of(text), restart = {"", 0};
	int failed = 0;

	*out = (struct job_name){.any_cluster = true, .index = NAN, .restart = NAN};
	if (slashes == 1 || slashes == 3) {
		restart = word_of(end + 1);
		job.n = (size_t)(end - text);
		out->restart = digits_at(restart);
		failed = !(out->restart <= RESTARTS_MAX);
	}
	if (slashes == 2 || slashes == 3) {
		failed = keep_word(out->scheduler, sizeof out->scheduler, next_field(&at)) ||
		         keep_word(out->cluster, sizeof out->cluster, next_field(&at)) || failed;
		out->any_cluster = false;
		job.n -= (size_t)(at - text);
		job.s = at;
	}
	if (failed || slashes > 3 || !job.n || keep_word(out->job, sizeof out->job, job))
		return no_job(text, e);
	read_element(out);
	return 0;
}

/* "123" is "123.server" and "123[].server", too: servers and the sign of an array are left out. */
static bool is_name_of(struct word job, const char *name)
{
	size_t n = strlen(name);

	if (!n || job.n < n || memcmp(job.s, name, n) != 0)
		return false;
	return job.n == n || job.s[n] == '.' || (job.s[n] == '[' && !strchr(name, '['));
}

static bool is_of_array(const struct job_name *name, const struct job_name_row *row)
{
	struct key array;
	bool element = isfinite(name->index);

	if (!*row->array_job || !split_key(row->array_job, false, &array))
		return false;
	/* An array's key has no number of restarts. */
	if (array.restart.n)
		array.job.n += array.restart.n + 1;
	return is_name_of(array.job, element ? name->array : name->job) &&
	       (!element || row->array_index == name->index);
}

bool job_name_is(const struct job_name *name, const struct job_name_row *row)
{
	struct key key;

	if (!*name->scheduler && *row->id && strcmp(row->id, name->job) == 0)
		return true;
	if (!row_key(row, &key))
		return false;
	if (*name->scheduler && !same_words(key.scheduler, word_of(name->scheduler)))
		return false;
	if (!name->any_cluster && !same_words(key.cluster, word_of(name->cluster)))
		return false;
	if (isfinite(name->restart) && job_name_restart(row) != name->restart)
		return false;
	return is_name_of(key.job, name->job) || is_of_array(name, row);
}

double job_name_restart(const struct job_name_row *row)
{
	struct key key;
	double n = row_key(row, &key) ? digits_at(key.restart) : (double)NAN;

	return n <= RESTARTS_MAX ? n : 0;
}

void job_name_key(const struct job_name_row *row, struct buf *out)
{
	struct key key;

	if (row_key(row, &key))
		buf_printf(out, "%.*s/%.*s/%.*s", (int)key.scheduler.n, key.scheduler.s,
		           (int)key.cluster.n, key.cluster.s, (int)key.job.n, key.job.s);
}

void job_name_text(const struct job_name_row *row, struct buf *out)
{
	struct key key, array;

	if (!row_key(row, &key))
		return;
	if (*row->array_job && row->array_index >= 0 &&
	    same_words(key.scheduler, word_of("slurm")) &&
	    split_key(row->array_job, false, &array) && !array.restart.n)
		buf_printf(out, "%.*s_%.0f", (int)array.job.n, array.job.s, row->array_index);
	else
		buf_add(out, key.job.s, key.job.n);
	if (job_name_restart(row) > 0)
		buf_printf(out, "/%.0f", job_name_restart(row));
}
