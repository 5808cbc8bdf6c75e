/*
 * snapshot: a recording of one run, as docs/snapshot.md describes the file.
 *
 * A struct snapshot is valid when zero. Its strings are set by snapshot_strdup and freed with it by
 * snapshot_free; a NULL string means the same as "".
 */
#ifndef CORE_SNAPSHOT_H
#define CORE_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/frame.h"
#include "core/metric.h"
#include "core/phases.h"
#include "core/stats.h"

#define SNAPSHOT_FORMAT     2     /* of the block rtrack: since 2 its statistics are over time */
#define SNAPSHOT_LIST_MAX   64    /* gpu names, labels, notes */
#define SNAPSHOT_ARGS_MAX   4096  /* words of a command line */
#define SNAPSHOT_STRING_MAX 65536 /* bytes of one string; longer ones are cut, and end in "…" */

struct snapshot_pair {
	const char *key, *value;
};

struct snapshot_list {
	const char *v[SNAPSHOT_LIST_MAX];
	size_t n;
};

struct snapshot_pairs {
	struct snapshot_pair v[SNAPSHOT_LIST_MAX];
	size_t n;
};

/* What the job may use (docs/snapshot.md, limits). NAN: not known, or no such limit. */
struct snapshot_limits {
	bool known;
	double cpus, cpus_quota, cpus_cpuset, cpus_affinity, cpus_online;
	const char *cpus_from, *memory_from; /* what tells it: "cpu.max"; "" if not told */
	double memory_b, memory_high_b, swap_b, address_space_b;
	bool hidden; /* there are cgroups above that can't be seen */
};

/* One GPU over the whole run; shares are 0 to 1. NAN: not known. */
struct snapshot_gpu {
	const char *uuid, *name;
	double memory_b, memory_max_b, utilisation_mean, utilisation_max;
	double power_mean_w, power_max_w, temperature_max_c;
};

/* One process, or all that have a name in common. Numbers that are not known are NAN. */
struct snapshot_process {
	const char *name;    /* "" if not told: of a group, those that found no room */
	const char *command; /* "" if not told */
	double pid, ppid, start, end, exit_code;
	const char *signal; /* "KILL"; "" if none */
	double count;       /* processes: of a group */
	double cpu_s, peak_rss_b, peak_pss_b, read_b, write_b;
};

#define SNAPSHOT_GPUS_MAX      64
#define SNAPSHOT_PROCESSES_MAX 1024

struct snapshot_processes {
	bool known;
	double seen, seen_cpu_s, unseen_cpu_s;
	struct snapshot_process *top, *others; /* in the arena */
	size_t n_top, n_others;
};

struct json_write;

/* Members that the collector adds to its block, with json_*: to the open object "totals", and after
 * the statistics. Either may be NULL. */
struct snapshot_more {
	void (*totals)(void *ctx, struct json_write *j);
	void (*members)(void *ctx, struct json_write *j);
	void *ctx;
};

struct gaps; /* gaps.h */

/* What of a journal could not be read. */
struct snapshot_damage {
	size_t places;
	uint64_t at, bytes, records; /* where the first begins; of all, records as far as known */
};

struct snapshot {
	/* metadata; numbers that the file does not tell are NAN */
	struct snapshot_meta {
		const char *version;        /* of the tool that wrote it, "" if not told */
		const char *implementation; /* "procfs" */
		double pid, interval, start_time, stop_time, duration;
		bool children, autostart, track_processes, track_system;
		bool discover_server, discover_cloud;
	} meta;
	struct snapshot_server {
		bool known;
		const char *os;         /* "" if not told */
		double vcpus, memory_b; /* NAN if not told */
		double gpu_count, gpu_memory_b;
		const char *gpu_name;
		struct snapshot_list gpu_names;
		const char *allocation; /* "dedicated", "shared", "unknown" */
	} server;
	struct snapshot_cloud {
		bool known;                                  /* some part of it was found */
		const char *vendor, *instance_type, *region; /* "unknown" where not found */
		double discovery_time;
	} cloud;
	/* our own block */
	struct snapshot_job {
		bool known;        /* false: made by another tool */
		const char *name;  /* of the job */
		const char **argv; /* masked; NULL where left out */
		size_t argc;
		const char *cwd, *host, *user; /* "" if not known */
		const char *arch; /* of the CPU, as uname(2) calls it; "" if not known */
		struct snapshot_pairs tags, labels;
	} job;
	struct {
		bool known;        /* false: not told, or the run is not finished */
		int code;          /* exit code; -1 where a signal ended it */
		int signal;        /* 0: none */
		const char *cause; /* "exited", "signaled", "detached", "stopped"; "" if not told */
	} exit;
	struct snapshot_totals {
		bool known; /* from wait4(2): the whole tree that was waited for */
		double wall_s, utime_s, stime_s, max_rss_b;
		/* Read only: the collector writes them by ->more. */
		double peak_rss_b, read_b, write_b;
		double minor_faults, major_faults, ctx_voluntary, ctx_involuntary;
		double cpu_wait_s, exact_cpu_s, sampled_cpu_s, sampled_cpu_difference;
		double cgroup_cpu_s, cgroup_utime_s, cgroup_stime_s, cgroup_cpu_some_s;
		double cgroup_memory_peak_b, cgroup_working_set_b, cgroup_read_b, cgroup_write_b;
		double oom_kills;
	} totals;
	struct snapshot_limits limits; /* read only, as are the next two */
	struct snapshot_gpu *gpus;     /* in the arena */
	size_t n_gpus;
	struct snapshot_processes processes;
	struct phases *phases; /* as the job marked them; NULL: none. In the arena, or borrowed */
	struct snapshot_more more; /* for writing */
	bool no_gpus; /* for writing a journal: none of the columns of one GPU will have a value */
	struct snapshot_list notes; /* what could not be measured, and why: sentences */

	enum schema schema;             /* the spelling of the file it was read from */
	struct snapshot_budget *budget; /* set before reading; borrowed; NULL: the caps of a file */
	bool unfinished; /* read from a journal: the collector did not come to its end */
	struct snapshot_damage damage; /* of a journal */
	struct gaps *gaps; /* times without samples, each with a row; NULL: none. In the arena */
	bool head_only;    /* read without rows, phases and processes: summary is what there is */
	struct stats *summary; /* by metric, in base units, as the file tells them; NULL: untold */
	struct frame rows[METRIC_SCOPES]; /* of different number and slightly different times */

	void *arena;
};

/* n zeroed bytes that live as long as the snapshot, or NULL, which alloc_failed() tells of later.
 * */
void *snapshot_alloc(struct snapshot *s, size_t n);

/* A copy of s that lives as long as the snapshot, valid UTF-8, cut at SNAPSHOT_STRING_MAX. "" where
 * s is NULL or there is no memory. */
const char *snapshot_strdup(struct snapshot *s, const char *text);

/* Appends a note once: the same sentence is not added twice, and the list's cap is kept. */
void snapshot_note(struct snapshot *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void snapshot_free(struct snapshot *s);

/* How many GPUs the columns are about, and their memory: those of rtrack.gpus (--gpu may have left
 * some of the machine's out), else the machine's. NAN: not known. */
double snapshot_gpus(const struct snapshot *s);
double snapshot_gpus_memory(const struct snapshot *s);

/* The name of a signal without "SIG" ("TERM"), or "" for none known. */
const char *snapshot_signal_name(int signal);

/* The number of a signal by that name, or by its number as text; 0 for none. */
int snapshot_signal_number(const char *name);

/* -- writing ----------------------------------------------------------------------------------- */

/* Where the rows come from: the journal, or a frame in a test. fetch puts n cells of a column,
 * beginning at row from, into out, in base units. */
#define SNAPSHOT_AT_HAND                                                                           \
	32 /* rows that a source has at hand for any column, once fetched for one */

struct snapshot_source {
	size_t rows; /* of each scope that the metadata say was tracked */
	int (*fetch)(void *ctx, enum metric_id id, size_t from, size_t n, double *out,
	             struct err *e);
	void *ctx;
	size_t at_hand; /* rows that it has at hand for any column, once fetched for one; 0: it
	                   reads each column anew */
};

/* Writes the file to fd: one gzip member, keys in the order of docs/snapshot.md, all columns that
 * are documented and those of ours that hold any value; a documented column's NAN is written as 0,
 * and noted. Memory does not grow with the rows. 0, or -1. */
int snapshot_write(struct snapshot *s, const struct snapshot_source *rows, enum schema schema,
                   int fd, struct err *e);

struct json_write;
/* The members before the metrics, without statistics, into an object that is open: the journal's
 * header. */
void snapshot_write_head(struct snapshot *s, struct json_write *j, enum schema schema);

/* A source that reads from s->rows; the shorter scope is filled up with NAN. */
struct snapshot_source snapshot_frame_source(struct snapshot *s);

/* -- reading ----------------------------------------------------------------------------------- */

/* What the recordings of one command may still ask for together. Each read takes from it what it
 * used, failed or not. */
struct snapshot_budget {
	uint64_t bytes; /* of content, inflated */
	size_t cells;   /* numbers in the metric blocks */
};
#define SNAPSHOT_BUDGET_BYTES ((uint64_t)4 << 30)
#define SNAPSHOT_BUDGET_CELLS ((size_t)256 << 20) /* 50 days at 1 s, 1,000 runs of 2 hours */

/* Reads one recording of any dialect (or a journal) from fd into *s, which must be empty. name is
 * what to call the file in a sentence. Values are in base units whatever the spelling. On -1 the
 * sentence names the file and the byte or the key, and *s is empty. Caps: 2 GiB inflated, 32
 * levels, 1 MiB a string, FRAME_ROWS_MAX rows, and what s->budget has left. */
int snapshot_read(struct snapshot *s, int fd, const char *name, struct err *e);

/* Opens path (regular files and pipes only) and reads it. */
int snapshot_read_file(struct snapshot *s, const char *path, struct err *e);

/* The same, but of a regular file whose head is whole before its metrics, and tells the statistics
 * of all columns, reads no more than that head: then s->head_only is set. */
int snapshot_read_head(struct snapshot *s, const char *path, struct err *e);

/* Whether a regular file is a recording, damaged perhaps: a journal, or JSON that has one of the
 * metric blocks at its top. Nothing else that is written by a template looks like that. */
bool snapshot_recognise(const char *path);

#endif
