/* jobstats: what Princeton's jobstats stored of a job in Slurm's AdminComment. */
#include "fleet/import/jobstats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base64.h"
#include "core/base/larger.h"
#include "core/json/json_read.h"

#define AMOUNT_MAX 1e18
#define KEY_MAX    4096

struct reading {
	struct json_read *j;
	struct buf key;
	struct jobstats *out;
	bool has_gpus;
};

static const struct jobstats nothing = {NAN, NAN, NAN, NAN};

bool jobstats_is(const char *comment)
{
	return strncmp(comment, JOBSTATS_MARK, sizeof JOBSTATS_MARK - 1) == 0;
}

static double jobstats_amount(double v)
{
	return v >= 0 && v <= AMOUNT_MAX ? v : NAN;
}

/* {"0": 98.6, "1": 12}: percents of GPUs. */
static int read_stats_gpus(struct reading *r)
{
	bool first = true;
	double v;
	int more;

	if (json_read_open(r->j, '{'))
		return -1;
	while ((more = json_read_more(r->j, '{', &first)) > 0) {
		if (json_read_key(r->j, &r->key) || json_read_cell(r->j, &v))
			return -1;
		v = jobstats_amount(v / 100);
		/* One that is not known makes the sum unknown. */
		r->out->gpus = r->has_gpus ? r->out->gpus + v : v;
		r->has_gpus = true;
	}
	return more;
}

static int read_stats_node(struct reading *r)
{
	double cpu = NAN, peak = NAN;
	bool first = true;
	int more;

	if (json_read_open(r->j, '{'))
		return -1;
	while ((more = json_read_more(r->j, '{', &first)) > 0) {
		int failed;
		if (json_read_key(r->j, &r->key))
			return -1;
		if (strcmp(buf_cstr(&r->key), "total_time") == 0)
			failed = json_read_cell(r->j, &cpu);
		else if (strcmp(buf_cstr(&r->key), "used_memory") == 0)
			failed = json_read_cell(r->j, &peak);
		else if (strcmp(buf_cstr(&r->key), "gpu_utilization") == 0)
			failed = read_stats_gpus(r);
		else
			failed = json_read_skip(r->j, NULL);
		if (failed)
			return -1;
	}
	r->out->nodes++;
	r->out->cpu_s += jobstats_amount(cpu);
	r->out->node_b = larger(r->out->node_b, jobstats_amount(peak));
	return more;
}

static int read_stats_nodes(struct reading *r)
{
	bool first = true;
	int more;

	r->out->nodes = r->out->cpu_s = 0;
	if (json_read_open(r->j, '{'))
		return -1;
	while ((more = json_read_more(r->j, '{', &first)) > 0)
		if (json_read_key(r->j, &r->key) || read_stats_node(r))
			return -1;
	return more;
}

static int read_summary(struct reading *r)
{
	bool first = true;
	int more;

	if (json_read_open(r->j, '{'))
		return -1;
	while ((more = json_read_more(r->j, '{', &first)) > 0) {
		if (json_read_key(r->j, &r->key))
			return -1;
		if (strcmp(buf_cstr(&r->key), "nodes") == 0 ? read_stats_nodes(r)
		                                            : json_read_skip(r->j, NULL))
			return -1;
	}
	return more;
}

static long read_stats_packed(void *ctx, uint64_t at, void *p, size_t n, struct err *e)
{
	const struct buf *packed = ctx;

	(void)e;
	if (at >= packed->len)
		return 0;
	n = n < packed->len - at ? n : packed->len - (size_t)at;
	memcpy(p, packed->s + at, n);
	return (long)n;
}

int jobstats_read(const char *comment, struct jobstats *out)
{
	struct buf packed = {.max = JOBSTATS_TEXT_MAX};
	const struct gz_source from = {.read = read_stats_packed, .ctx = &packed};
	struct reading r = {.out = out, .key = {.max = KEY_MAX}};
	struct gz_in *g = NULL;
	struct err e = {0};
	size_t n;
	int rc = -1;

	*out = nothing;
	if (!jobstats_is(comment))
		return 0;
	comment += sizeof JOBSTATS_MARK - 1;
	if (strcmp(comment, "Short") == 0 || strcmp(comment, "None") == 0 || !*comment)
		return 0;
	n = strnlen(comment, JOBSTATS_TEXT_MAX + 1);
	if (n > JOBSTATS_TEXT_MAX || base64_read(&packed, comment, n))
		goto out;
	g = gz_in_from(&from, JOBSTATS_BYTES_MAX, &e);
	r.j = malloc(sizeof *r.j);
	if (!g || !r.j)
		goto out;
	json_read_init(r.j, g, JOBSTATS_MARK, &e);
	rc = read_summary(&r) || json_read_end(r.j) ? -1 : 0;
out:
	if (rc || !(out->nodes > 0))
		*out = nothing;
	free(r.j);
	gz_in_free(g);
	buf_free(&r.key);
	buf_free(&packed);
	return rc;
}
