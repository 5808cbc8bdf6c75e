/* fleet_make: makes N believable recordings of a fleet that does not exist, or their rows in a
 * catalog, for tests, benches and `make demo-fleet`. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/opts.h"
#include "core/files/snapshot_write.h"
#include "fleet/catalog/catalog.h"
#include "tests/bench/fleet/made_recording.h"

#define FOLDER 1000 /* recordings in a folder */
#define BATCH  512  /* rows of a transaction */
#define PATH   512

struct fleet_make_options {
	long seed, groups, samples, days;
	double end;
	const char *catalog;
	bool help;
};

#define AT(field) offsetof(struct fleet_make_options, field)

static const struct opt table[] = {
    {.name = "seed",
     .group = "Options",
     .kind = OPTS_INT,
     .at = AT(seed),
     .arg = "S",
     .min = 0,
     .max = 1e15,
     .help = "another fleet (default: 1); the same seed, N and groups make the same files"},
    {.name = "groups",
     .kind = OPTS_INT,
     .at = AT(groups),
     .arg = "G",
     .min = 1,
     .max = 1e7,
     .help = "jobs with G names, of Zipf's sizes (default: three times the root of N)"},
    {.name = "samples",
     .kind = OPTS_INT,
     .at = AT(samples),
     .arg = "N",
     .min = 1,
     .max = MADE_SAMPLES_MAX,
     .help = "samples of a recording at most (default: 230, for files of 12 KB on average)"},
    {.name = "end",
     .kind = OPTS_NUMBER,
     .at = AT(end),
     .arg = "UNIX",
     .min = 1e9,
     .max = 4e9,
     .help = "no run ends after UNIX, seconds (default: 1795219200, 2026-11-21 0:00 UTC)"},
    {.name = "days",
     .kind = OPTS_INT,
     .at = AT(days),
     .arg = "N",
     .min = 2,
     .max = 3650,
     .help = "runs start on so many days (default: 90)"},
    {.name = "catalog",
     .kind = OPTS_STRING,
     .at = AT(catalog),
     .arg = "DATABASE",
     .help = "write no files: put the rows of the recordings into this SQLite catalog"},
    {.name = "help", .letter = 'h', .kind = OPTS_FLAG, .at = AT(help), .help = "show this help"},
    {.name = NULL}};

static int usage(FILE *out)
{
	struct buf b = {0};

	fputs(
	    "usage: fleet_make [OPTION]... N FOLDER\n\n"
	    "Makes N recordings of a fleet that does not exist, FOLDER/000/NAME-0.json.gz and so\n"
	    "on, 1000 in a folder. A job of several nodes leaves a recording of each node, an\n"
	    "array one of each element.\n\n",
	    out);
	opts_help(table, 0, &b);
	fwrite(b.s, 1, b.len, out);
	buf_free(&b);
	return out == stdout ? 0 : 2;
}

static void name_file(const char *folder, const struct made_run *run, char path[PATH])
{
	unsigned long long number = run->number;

	snprintf(path, PATH, "%s/%03llu/%s-%llu.json.gz", folder, number / FOLDER, run->group->name,
	         number);
}

static int write_recording(const char *folder, struct made_recording *m, struct err *e)
{
	char path[PATH], *end;
	int fd, r;

	name_file(folder, &m->run, path);
	end = strrchr(path, '/');
	*end = '\0';
	if (mkdir(path, 0777) && errno != EEXIST)
		return err_set(e, "%s: %s", path, strerror(errno));
	*end = '/';
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return err_set(e, "%s: %s", path, strerror(errno));
	r = snapshot_write(&m->snapshot, &m->source, SCHEMA_1, fd, e);
	return close(fd) || r ? -1 : 0;
}

/* Worker w of n writes every nth recording, and makes the others only to get there. */
static int write_share(struct made_fleet *f, size_t recordings, const char *folder, long w, long n,
                       struct err *e)
{
	static struct made_recording m;

	for (size_t i = 0; i < recordings; i++) {
		const struct made_run *run = made_fleet_next(f);
		int failed;
		if ((long)(i % (size_t)n) != w)
			continue;
		made_recording(&m, run);
		failed = write_recording(folder, &m, e);
		snapshot_free(&m.snapshot);
		if (failed)
			return -1;
	}
	return 0;
}

static int write_files(struct made_fleet *f, size_t recordings, const char *folder, struct err *e)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN), failed = 0;
	int status;

	if (mkdir(folder, 0777) && errno != EEXIST)
		return err_set(e, "%s: %s", folder, strerror(errno));
	for (long w = 0; w < n; w++) {
		pid_t pid = fork();
		if (pid < 0)
			return err_set(e, "fork: %s", strerror(errno));
		if (pid)
			continue;
		if (!write_share(f, recordings, folder, w, n, e))
			_exit(0);
		fprintf(stderr, "fleet_make: %s\n", e->msg);
		_exit(1);
	}
	for (long w = 0; w < n; w++)
		failed += wait(&status) < 0 || status != 0;
	return failed ? err_set(e, "%ld of %ld writers failed", failed, n) : 0;
}

/* -- into a catalog ---------------------------------------------------------------------------- */

struct batch {
	struct made_recording recording[BATCH];
	struct rtrack_row row[BATCH];
	char path[BATCH][PATH];
	struct catalog_run run[BATCH];
};

static void fill_batch(struct batch *b, size_t i, struct made_fleet *f, const char *folder)
{
	struct made_recording *m = &b->recording[i];

	made_recording(m, made_fleet_next(f));
	made_recording_row(m, &b->row[i]);
	name_file(folder, &m->run, b->path[i]);
	b->run[i] = (struct catalog_run){
	    .source = {.path = b->path[i],
	               .size = 2000 + 45 * (int64_t)m->run.samples,
	               .mtime_ns = (int64_t)(m->run.start + m->run.wall_s) * 1000000000,
	               .tag = ""},
	    .row = &b->row[i]};
}

static int write_rows(struct made_fleet *f, size_t recordings, const char *folder,
                      const char *database, struct err *e)
{
	struct catalog *c = catalog_open(database, CATALOG_WRITE, NULL, e);
	struct batch *b = c ? malloc(sizeof *b) : NULL;
	int failed = b ? 0 : -1;

	if (c && !b)
		err_set(e, "no memory");
	for (size_t done = 0; done < recordings && !failed; done += BATCH) {
		size_t n = recordings - done < BATCH ? recordings - done : BATCH;
		for (size_t i = 0; i < n; i++)
			fill_batch(b, i, f, folder);
		failed = catalog_put(c, b->run, n, e);
		for (size_t i = 0; i < n; i++)
			snapshot_free(&b->recording[i].snapshot);
	}
	free(b);
	catalog_close(c);
	return failed;
}

int main(int argc, char **argv)
{
	struct fleet_make_options o = {.seed = 1, .samples = 230, .days = 90, .end = 1795219200};
	struct made_fleet f = {0};
	struct err e = {0};
	struct opts_parsed parsed;
	int rest, failed;
	long n;

	if (opts_parse(table, &o, argc, argv, 0, &parsed, &e)) {
		fprintf(stderr, "fleet_make: %s\n", e.msg);
		return 2;
	}
	if (o.help)
		return usage(stdout);
	rest = parsed.rest;
	if (argc - rest != 2 || (n = strtol(argv[rest], NULL, 10)) < 1)
		return usage(stderr);
	failed = made_fleet_open(&f, (uint64_t)o.seed, (size_t)o.groups, (size_t)n, &e);
	if (!failed) {
		f.samples = (size_t)o.samples;
		f.end = o.end;
		f.period = 86400.0 * (double)o.days;
		failed = o.catalog ? write_rows(&f, (size_t)n, argv[rest + 1], o.catalog, &e)
		                   : write_files(&f, (size_t)n, argv[rest + 1], &e);
	}
	made_fleet_close(&f);
	if (failed)
		fprintf(stderr, "fleet_make: %s\n", e.msg);
	return failed ? 1 : 0;
}
