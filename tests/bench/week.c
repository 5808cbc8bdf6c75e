/* week: a recording of so many samples (a week of seconds: 604800) through the recorder, the
 * journal and the snapshot's writer, with counters that are made up instead of read, and no
 * waiting. Prints our RSS after the first thousand rows, after the last, and the highest with the
 * snapshot written, in KiB; and the CPU seconds of both, and of the overview
 * alone, which is a part of the snapshot. week DIRECTORY [ROWS] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "collect/output/snapshot_file.h"
#include "collect/row_builder.h"
#include "core/base/version.h"
#include "core/head/overview_make.h"
#include "core/head/overview_write.h"
#include "core/processes/process_entry.h"
#include "core/recording/snapshot_source.h"
#include "core/recording/stats_stream.h"

static long status_kib(const char *key)
{
	FILE *f = fopen("/proc/self/status", "re");
	char line[256];
	long kib = 0;

	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, key, strlen(key)) == 0)
			kib = strtol(line + strlen(key), NULL, 10);
	if (f)
		fclose(f);
	return kib;
}

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* After s seconds: sums grow, states go up and down. */
static struct sample at(size_t s)
{
	const double t = (double)s, noise = (double)(s * 2654435761u % 1000) / 1000;
	struct sample v = {.at = (int64_t)s * 1000000000, .time = 1795234310 + t};

	gpu_reading_fill(&v.gpu, 0);
	v.tree.sum[CPU_ACCOUNTING_UTIME] = 0.9 * t + noise / 10;
	v.tree.sum[CPU_ACCOUNTING_STIME] = 0.05 * t;
	v.tree.sum[CPU_ACCOUNTING_READ] = 4096 * t;
	v.tree.all = v.tree.main =
	    (struct tree_gauges){.memory_b = 1e9 + 1e8 * noise, .rss_b = 2e9, .threads = 4};
	v.tree.alive = 1;
	v.values[METRIC_SYSTEM_UTIME] = t + noise / 10;
	v.values[METRIC_SYSTEM_MEMORY_FREE] = 1e9 * (1 + noise);
	v.values[METRIC_SYSTEM_MEMORY_USED] = 8e9 - v.values[METRIC_SYSTEM_MEMORY_FREE];
	v.values[METRIC_SYSTEM_DISK_READ_BYTES] = 8192 * t;
	return v;
}

/* With what watchers read: the processes now, as many as there is room for. */
static int record_all(struct row_builder *r, size_t rows, long *first_kib)
{
	const unsigned char bytes[600] = {PROCESS_ENTRY_NOW};
	struct sample s = at(0);
	struct err e;

	row_builder_start(r, &s);
	for (size_t i = 1; i < rows; i++) {
		s = at(i);
		row_builder_sample(r, &s, true, i > 2);
		if (journal_now_due(r->journal))
			(void)journal_now(r->journal, bytes, sizeof bytes, &e);
		if (i == 1000)
			*first_kib = status_kib("VmRSS:");
	}
	s = at(rows);
	row_builder_end(r, &s, true, 0);
	return r->journal_failed ? -1 : 0;
}

static int nowhere(void *ctx, const char *p, size_t n)
{
	(void)ctx;
	(void)p;
	(void)n;
	return 0;
}

/* CPU seconds of computing and writing the overview alone, once more. */
static int overview_cpu_s(const struct snapshot *s, const struct snapshot_source *source,
                          double *out, struct err *e)
{
	static struct stats stats[METRIC_COUNT];
	static bool write[METRIC_COUNT];
	const struct written rows = {s, source, SCHEMA_1, stats, write};
	const struct elapsed rule = elapsed_written(s);
	struct json_write j = {.sink = nowhere};
	struct snapshot arena = {0};
	const struct overview *o;
	int failed = 0;

	for (int id = 0; id < METRIC_COUNT && !failed; id++) {
		failed = stats_stream_of(source, &rule, (enum metric_id)id, &stats[id], e);
		write[id] = metrics[id].documented || stats[id].n;
	}
	*out = cpu_s();
	json_write_object(&j, NULL);
	failed = failed || overview_make(&arena, &rows, &o, e);
	if (!failed && o)
		overview_write(&j, o, SCHEMA_1, false);
	*out = cpu_s() - *out;
	json_write_free(&j);
	snapshot_free(&arena);
	return failed ? -1 : 0;
}

static int week(struct snapshot *s, struct snapshot_file *o, struct row_builder *r, size_t rows,
                struct err *e)
{
	long first_kib = 0, last_kib;
	struct snapshot_source source;
	double recorded, written, overview;
	long most_kib;

	r->journal = journal_create(o->journal, s, e);
	if (!r->journal)
		return -1;
	if (record_all(r, rows, &first_kib)) {
		*e = r->journal_error;
		return -1;
	}
	recorded = cpu_s();
	last_kib = status_kib("VmRSS:");
	source = journal_source(r->journal, false);
	s->meta.stop_time = s->meta.start_time + (double)rows;
	if (snapshot_file_write(o, s, &source, e))
		return -1;
	written = cpu_s() - recorded;
	most_kib = status_kib("VmHWM:");
	if (overview_cpu_s(s, &source, &overview, e))
		return -1;
	printf("%zu %ld %ld %ld %.2f %.2f %.2f\n", source.rows, first_kib, last_kib, most_kib,
	       recorded, written, overview);
	return 0;
}

int main(int argc, char **argv)
{
	static struct row_builder r;
	static struct snapshot_file o;
	size_t rows = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 604800;
	struct snapshot s = {.schema = SCHEMA_1, .no_gpus = true};
	struct err e = {0};
	int failed;

	if (argc < 2)
		return 2;
	snprintf(o.path, sizeof o.path, "%s/week.gz", argv[1]);
	snprintf(o.journal, sizeof o.journal, "%s/week.gz.partial", argv[1]);
	s.meta.version = rtrack_version;
	s.meta.interval = 1;
	s.meta.start_time = 1795234310;
	s.meta.track_processes = s.meta.track_system = true;
	r.interval = 1000000000;
	r.shape = (struct sample_shape){.pid = 7, .cpus = 4, .tree = true};
	failed = week(&s, &o, &r, rows, &e);
	if (failed)
		fprintf(stderr, "week: %s\n", e.msg);
	journal_close(r.journal, true);
	snapshot_free(&s);
	return failed ? 1 : 0;
}
