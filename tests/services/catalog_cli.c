/* catalog_cli: drives a catalog for the tests, on made-up runs.
 *
 * catalog_cli PLACE put FIRST N NAMES     puts runs FIRST … FIRST + N - 1 of NAMES names, 512 at once
 * catalog_cli PLACE cells [group-by=K] [where=C]…
 * catalog_cli PLACE days | count | check FIRST N | forget SOURCE | bench N NAMES
 *
 * PLACE "": in memory. bench puts, then asks. Prints results, or one sentence with status 1. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "fleet/catalog/catalog.h"
#include "report/sandbox/seccomp.h"
#include "tests/unit/fleet/catalog/catalog_made.h"

#define BATCH 512

struct made {
	char source[96], name[32], user[16], host[32], labels[64], command[64];
	struct rtrack_row row;
};

static void make_run(struct made *m, unsigned long i, unsigned long names)
{
	unsigned long h = i * 2654435761u;

	made_row(&m->row);
	snprintf(m->source, sizeof m->source, "/data/runs/2026/%02lu/run-%08lu.json.gz", i % 31, i);
	snprintf(m->name, sizeof m->name, "job-%lu", h % names);
	snprintf(m->user, sizeof m->user, "user%lu", h / 7 % 40);
	snprintf(m->host, sizeof m->host, "node%lu.cluster", h / 11 % 200);
	snprintf(m->labels, sizeof m->labels, "slurm.partition=p%lu;git.branch=main", h / 13 % 5);
	snprintf(m->command, sizeof m->command, "python train.py --epochs %lu", h % 100);
	m->row.of[RTRACK_ROW_NAME].text = m->name;
	m->row.of[RTRACK_ROW_USER].text = m->user;
	m->row.of[RTRACK_ROW_HOST].text = m->host;
	m->row.of[RTRACK_ROW_LABELS].text = m->labels;
	m->row.of[RTRACK_ROW_COMMAND].text = m->command;
	m->row.of[RTRACK_ROW_DIRECTORY].text = "/home/someone/project";
	m->row.of[RTRACK_ROW_INSTANCE].text = h / 17 % 3 ? "m5.2xlarge" : "c5.2xlarge";
	m->row.of[RTRACK_ROW_START].number = 1760000000 + (double)i * 7.25;
	m->row.of[RTRACK_ROW_WALL].number = 60 + (double)(h / 3 % 100000) / 7;
	m->row.of[RTRACK_ROW_CPU].number =
	    m->row.of[RTRACK_ROW_WALL].number * (0.2 + (double)(h / 5 % 400) / 100);
	m->row.of[RTRACK_ROW_MEMORY_MEAN].number = 1e8 + (double)(h % 1000003) * 4096;
	m->row.of[RTRACK_ROW_MEMORY_PEAK].number = 2e8 + (double)(h % 1000003) * 6144;
}

static int put_runs(struct catalog *c, unsigned long first, unsigned long n, unsigned long names,
                    struct err *e)
{
	static struct made made[BATCH];
	struct catalog_run run[BATCH];

	for (unsigned long done = 0; done < n;) {
		size_t k = 0;
		for (; k < BATCH && done < n; k++, done++) {
			make_run(&made[k], first + done, names);
			run[k] = (struct catalog_run){.source = {.path = made[k].source,
			                                         .size = 100,
			                                         .mtime_ns = 7,
			                                         .tag = ""},
			                              .row = &made[k].row};
		}
		if (catalog_put(c, run, k, e))
			return -1;
	}
	return 0;
}

/* -- results ----------------------------------------------------------------------------------- */

struct totals {
	double cells, runs, days, started;
	bool print;
};

static int each_cell(void *ctx, const struct catalog_cell *cell, struct err *e)
{
	struct totals *t = ctx;
	double runs = 0;

	(void)e;
	for (size_t i = 0; i < cell->classes.n; i++)
		runs += catalog_map_at(&cell->classes, i, CATALOG_SUM_RUNS);
	t->cells++;
	t->runs += runs;
	if (t->print)
		printf("%s|%s|%.0f|%zu|%.17g|%s\n", cell->group[0], cell->machine->instance, runs,
		       cell->memory.n, cell->last, cell->newest);
	return 0;
}

static int each_day(void *ctx, const struct catalog_day *day, struct err *e)
{
	struct totals *t = ctx;

	(void)e;
	t->days++;
	t->started += day->started;
	if (t->print)
		printf("%ld|%.6g|%.0f\n", (long)day->day, day->run_s, day->started);
	return 0;
}

static double cpu_s(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static int print_results(struct catalog *c, const struct catalog_query *q, struct err *e)
{
	static const char *const only[] = {"job-1", "job-2", "job-3"};
	struct catalog_query some = *q;
	struct catalog_detail details[3] = {{.n_spots = 0}};
	struct totals t = {.cells = 0};
	struct rusage u;
	double t0 = cpu_s(), t1, t2;
	int failed;

	some.only = only;
	some.n_only = q->group_by->n ? 0 : 3;
	failed = catalog_overview(c, q, each_cell, each_day, &t, e);
	t1 = cpu_s();
	if (!failed)
		failed = catalog_details(c, &some, details, e);
	for (size_t i = 0; i < 3; i++) {
		if (details[i].n_worst)
			fprintf(stderr, "%s: %zu spots, worst %s\n", only[i], details[i].n_spots,
			        details[i].worst[0].source);
		catalog_detail_free(&details[i]);
	}
	t2 = cpu_s();
	getrusage(RUSAGE_SELF, &u);
	printf(
	    "cells %.0f runs %.0f days %.0f started %.0f cpu %.3f  details cpu %.3f  rss %ld KiB\n",
	    t.cells, t.runs, t.days, t.started, t1 - t0, t2 - t1, u.ru_maxrss);
	return failed;
}

static int check_runs(struct catalog *c, unsigned long first, unsigned long n, struct err *e)
{
	struct made m;
	unsigned long missing = 0;

	for (unsigned long i = first; i < first + n; i++) {
		struct catalog_source s = {.path = m.source, .size = 100, .mtime_ns = 7, .tag = ""};
		bool is;
		make_run(&m, i, 1);
		if (catalog_missing(c, &s, 1, &is, e))
			return -1;
		missing += is;
	}
	printf("%lu missing\n", missing);
	return 0;
}

static int run_command(struct catalog *c, int n, char **arg, struct err *e)
{
	struct opts_list by = {.n = 0}, where = {.n = 0};
	struct catalog_query q = {.group_by = &by, .where = &where};
	struct totals t = {.print = true};
	unsigned long number[3] = {0, 1, 1};
	size_t removed = 0;

	for (int i = 1; i < n; i++) {
		if (strncmp(arg[i], "group-by=", 9) == 0)
			by.v[by.n++] = arg[i] + 9;
		else if (strncmp(arg[i], "where=", 6) == 0)
			where.v[where.n++] = arg[i] + 6;
		else if (i <= 3)
			number[i - 1] = strtoul(arg[i], NULL, 10);
	}
	if (strcmp(*arg, "put") == 0)
		return put_runs(c, number[0], number[1], number[2], e);
	if (strcmp(*arg, "check") == 0)
		return check_runs(c, number[0], number[1], e);
	if (strcmp(*arg, "cells") == 0)
		return catalog_overview(c, &q, each_cell, NULL, &t, e);
	if (strcmp(*arg, "days") == 0)
		return catalog_overview(c, &q, NULL, each_day, &t, e);
	if (strcmp(*arg, "bench") == 0) {
		double t0 = cpu_s();
		if (put_runs(c, 0, number[0], number[1], e))
			return -1;
		struct rusage u;
		getrusage(RUSAGE_SELF, &u);
		printf("put cpu %.3f rss %ld KiB  ", cpu_s() - t0, u.ru_maxrss);
	}
	if (strcmp(*arg, "forget") == 0) {
		if (catalog_forget(c, arg[1], 0, &removed, e))
			return -1;
		printf("%zu removed\n", removed);
		return 0;
	}
	return print_results(c, &q, e);
}

int main(int argc, char **argv)
{
	struct err e = {.msg = ""};
	bool writes;
	struct catalog *c;
	int failed = 1;

	if (argc < 3)
		return 2;
	writes = !*argv[1] || strcmp(argv[2], "put") == 0 || strcmp(argv[2], "forget") == 0;
	if (getenv("CATALOG_CLI_SANDBOX"))
		seccomp_enter(SECCOMP_FILES);
	c = catalog_open(*argv[1] ? argv[1] : NULL, writes ? CATALOG_WRITE : CATALOG_READ, NULL,
	                 &e);
	if (c)
		failed = run_command(c, argc - 2, argv + 2, &e) ? 1 : 0;
	catalog_close(c);
	if (*e.msg)
		printf("%s\n", e.msg);
	return failed;
}
