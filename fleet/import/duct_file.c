/* duct_file: the members of con/duct's JSON that are used. */
#include "fleet/import/duct_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"
#include "core/json/json_read.h"

#define FILE_MAX   ((uint64_t)1 << 30) /* bytes */
#define TEXT_MAX   ((size_t)1 << 20)   /* of a string */
#define PATH_BYTES 96                  /* of names with points between */
#define LEVELS     2                   /* of objects that are looked into */

static const char *const number_paths[DUCT_FILE_NUMBERS] = {
    [DUCT_FILE_EXIT_CODE] = "execution_summary.exit_code",
    [DUCT_FILE_WALL] = "execution_summary.wall_clock_time",
    [DUCT_FILE_PEAK_RSS] = "execution_summary.peak_rss",
    [DUCT_FILE_AVERAGE_RSS] = "execution_summary.average_rss",
    [DUCT_FILE_SAMPLES] = "execution_summary.num_samples",
    [DUCT_FILE_START] = "execution_summary.start_time",
    [DUCT_FILE_CPUS] = "system.cpu_total",
    [DUCT_FILE_MEMORY] = "system.memory_total",
    [DUCT_FILE_GPUS] = "gpu",
    [DUCT_FILE_TOTALS_RSS] = "totals.rss",
    [DUCT_FILE_AVERAGES_RSS] = "averages.rss",
    [DUCT_FILE_AVERAGES_SAMPLES] = "averages.num_samples",
};

static const char *const text_paths[DUCT_FILE_TEXTS] = {
    [DUCT_FILE_COMMAND] = "command",
    [DUCT_FILE_HOST] = "system.hostname",
    [DUCT_FILE_USER] = "system.user",
    [DUCT_FILE_DIRECTORY] = "execution_summary.working_directory",
    [DUCT_FILE_TIMESTAMP] = "timestamp",
    [DUCT_FILE_SLURM_JOB] = "env.SLURM_JOB_ID",
    [DUCT_FILE_SLURM_CLUSTER] = "env.SLURM_CLUSTER_NAME",
    [DUCT_FILE_SLURM_RESTARTS] = "env.SLURM_RESTART_COUNT",
    [DUCT_FILE_SLURM_ACCOUNT] = "env.SLURM_JOB_ACCOUNT",
    [DUCT_FILE_SLURM_PARTITION] = "env.SLURM_JOB_PARTITION",
    [DUCT_FILE_SLURM_NODES] = "env.SLURM_JOB_NUM_NODES",
    [DUCT_FILE_SLURM_TASKS] = "env.SLURM_NTASKS",
    [DUCT_FILE_SLURM_CPUS] = "env.SLURM_CPUS_ON_NODE",
    [DUCT_FILE_SLURM_MEMORY] = "env.SLURM_MEM_PER_NODE",
};

const char *duct_file_path(enum duct_file_number i)
{
	return number_paths[i];
}

/* Where a path is in a list; n: it is not. */
static size_t path_index(const char *path, const char *const *paths, size_t n)
{
	size_t i = 0;

	while (i < n && strcmp(paths[i], path) != 0)
		i++;
	return i;
}

/* -- one value --------------------------------------------------------------------------------- */

struct reader {
	struct json_read j;
	struct buf key, text;
	char path[PATH_BYTES];
	int level;
	struct duct_file *d;
};

static int walk_members(struct reader *r);

static int count_elements(struct reader *r, double *n)
{
	bool first = true;
	int more;

	*n = 0;
	if (json_read_open(&r->j, '['))
		return -1;
	while ((more = json_read_more(&r->j, '[', &first)) > 0) {
		if (json_read_skip(&r->j, NULL))
			return -1;
		++*n;
	}
	return more;
}

/* The first value of a path counts. Texts are cut; numbers that are texts are numbers. */
static int walk_value(struct reader *r)
{
	size_t number = path_index(r->path, number_paths, DUCT_FILE_NUMBERS);
	size_t text = path_index(r->path, text_paths, DUCT_FILE_TEXTS);
	int sign = json_read_peek(&r->j);
	double ignored;

	if (sign == '{' && r->level < LEVELS && strcmp(r->path, "processes") != 0)
		return walk_members(r);
	if (text < DUCT_FILE_TEXTS && sign == '"') {
		if (json_read_string(&r->j, &r->text))
			return -1;
		if (!*r->d->text[text]) {
			size_t n =
			    utf8_cut(buf_cstr(&r->text), r->text.len, DUCT_FILE_TEXT_MAX - 1);
			memcpy(r->d->text[text], buf_cstr(&r->text), n);
			r->d->text[text][n] = '\0';
		}
		return 0;
	}
	if (number == DUCT_FILE_NUMBERS)
		return json_read_skip(&r->j, NULL);
	if (sign == '[')
		return count_elements(r,
		                      number == DUCT_FILE_GPUS ? &r->d->number[number] : &ignored);
	return json_read_cell(&r->j, isnan(r->d->number[number]) && number != DUCT_FILE_GPUS
	                                 ? &r->d->number[number]
	                                 : &ignored);
}

static int walk_members(struct reader *r)
{
	size_t before = strlen(r->path), n;
	bool first = true;
	int more;

	if (json_read_open(&r->j, '{'))
		return -1;
	r->level++;
	while ((more = json_read_more(&r->j, '{', &first)) > 0) {
		if (json_read_key(&r->j, &r->key))
			return -1;
		n = (size_t)snprintf(r->path + before, sizeof r->path - before, "%s%s",
		                     before ? "." : "", buf_cstr(&r->key));
		/* No path that is wanted is so long. */
		if (n >= sizeof r->path - before)
			r->path[0] = '\0';
		if (walk_value(r))
			return -1;
		r->path[before] = '\0';
	}
	r->level--;
	return more;
}

/* -- an object --------------------------------------------------------------------------------- */

struct source {
	FILE *f;
	bool line, ended;
};

static long read_source(void *ctx, uint64_t at, void *p, size_t n, struct err *e)
{
	struct source *s = ctx;
	char *to = p;
	size_t i = 0;
	int c;

	(void)at, (void)e; /* import_read says what went wrong with the file */
	while (i < n && !s->ended) {
		c = getc_unlocked(s->f);
		s->ended = c == EOF || (s->line && c == '\n');
		if (!s->ended)
			to[i++] = (char)c;
	}
	return (long)i;
}

static void forget(struct duct_file *d)
{
	for (int i = 0; i < DUCT_FILE_NUMBERS; i++)
		d->number[i] = NAN;
	for (int i = 0; i < DUCT_FILE_TEXTS; i++)
		d->text[i][0] = '\0';
}

static int skip_mark(FILE *f)
{
	int c = getc_unlocked(f);

	if (c != 0xef)
		return ungetc(c, f);
	getc_unlocked(f);
	return getc_unlocked(f);
}

int duct_file_read(FILE *f, bool line, struct duct_file *d, struct err *e)
{
	struct source s = {.f = f, .line = line};
	struct gz_source from = {.read = read_source, .ctx = &s};
	struct reader *r;
	struct gz_in *g = NULL;
	int result = -1;

	forget(d);
	if (skip_mark(f) == EOF)
		return 0;
	r = calloc(1, sizeof *r);
	g = r ? gz_in_from(&from, FILE_MAX, e) : NULL;
	if (!g) {
		free(r);
		return err_set(e, "not enough memory");
	}
	json_read_init(&r->j, g, "JSON", e);
	r->key.max = r->text.max = TEXT_MAX;
	r->d = d;
	if (json_read_peek(&r->j))
		result = walk_members(r) || json_read_end(&r->j) ? -1 : 1;
	else
		result = r->j.failed ? -1 : 0;
	buf_free(&r->key);
	buf_free(&r->text);
	gz_in_free(g);
	free(r);
	while (line && !s.ended) {
		int c = getc_unlocked(f);
		s.ended = c == EOF || c == '\n';
	}
	return result;
}
