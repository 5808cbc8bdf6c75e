/*
 * snapshot: a recording of one run, as docs/snapshot.md describes the file.
 *
 * A struct snapshot is valid when zero. Its strings are copied by snapshot_strdup and live until
 * snapshot_free; a NULL string means the same as "". The members of its blocks are written and read
 * by the table in core/recording/snapshot_fields.def.
 */
#ifndef CORE_RECORDING_SNAPSHOT_H
#define CORE_RECORDING_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/numbers/frame.h"
#include "core/numbers/metric.h"
#include "core/numbers/phases.h"
#include "core/numbers/stats.h"
#include "core/recording/states.h"

#define SNAPSHOT_FORMAT     2 /* of the block rtrack; since 2 its statistics are weighted by time */
#define SNAPSHOT_LIST_MAX   64    /* gpu names, labels, notes */
#define SNAPSHOT_ARGS_MAX   4096  /* words of a command line */
#define SNAPSHOT_STRING_MAX 65536 /* bytes of one string; a longer one is cut and ends in "…" */

struct snapshot_pair {
	const char *key, *value;
};

struct snapshot_list {
	const char **v; /* grown by snapshot_list_add: at most SNAPSHOT_LIST_MAX */
	size_t n;
};

struct snapshot_pairs {
	struct snapshot_pair *v; /* grown by snapshot_pairs_add: at most SNAPSHOT_LIST_MAX */
	size_t n;
};

/* The limits of the job (docs/snapshot.md, limits). NAN: unknown, or no such limit. */
struct snapshot_limits {
	bool known;
	double cpus, cpus_quota, cpus_cpuset, cpus_affinity, cpus_online;
	const char *cpus_from, *memory_from; /* the file or call: "cpu.max"; "" if unknown */
	double memory_b, memory_high_b, swap_b, address_space_b;
	bool hidden; /* there are cgroups above that cannot be seen, and may limit too */
};

/* Values of snapshot_memory.how. */
#define SNAPSHOT_MEMORY_SAMPLED "sampled" /* the largest sample; nothing is known in between */
#define SNAPSHOT_MEMORY_BOUND   "bound"   /* at least so much, with what the kernel keeps */
#define SNAPSHOT_MEMORY_EXACT   "exact"   /* a bound, and the upper bound is the same within 1 % */

/* The job's memory between the samples, as far as the kernel's marks show it
 * (docs/snapshot.md, memory). Bytes; NAN: unknown. */
struct snapshot_memory {
	bool known; /* false: another tool, or a version before this block, wrote the file */
	double peak_b, peak_most_b; /* at least and at most */
	double mean_most_b;         /* at most, over time */
	const char *how;            /* one of the above; "" if nothing was measured */
};

/* One GPU over the whole run. Utilisation is 0 to 1. NAN: unknown. */
struct snapshot_gpu {
	const char *uuid, *name;
	double memory_b, memory_max_b, utilisation_mean, utilisation_max;
	double power_mean_w, power_max_w, temperature_max_c;
};

/* A wait for something that has a name: a file, the address of a peer, a program. */
struct snapshot_wait {
	const char *state, *name;
	double s;
};

/* Seconds of one state: the best estimate, and its bounds; NAN where the bounds are not known. */
struct snapshot_state {
	double value, least, most;
};

/* Where the time of the run went (docs/snapshot.md, states). */
struct snapshot_states {
	bool known;
	struct snapshot_state of[STATES_N];
	/* Seconds that are known exactly; by looks; within bounds only. NAN: from columns alone. */
	double exact_s, sampled_s, bound_s;
	const struct snapshot_wait *waits; /* in the arena */
	size_t n_waits;
};

#define SNAPSHOT_WAITS_MAX 64

/* The samples' knowledge of one process, or of a group of processes of one name. NAN: unknown. */
struct snapshot_process {
	double row;          /* in the table of processes (process_tree.h); NAN: it says its pid */
	const char *name;    /* "" if unknown; of a group: the names that found no room */
	const char *command; /* "" if unknown */
	const char *node; /* in a run of several nodes (report/runs/parts_processes.h); else NULL */
	double pid, ppid, start, end, exit_code;
	const char *signal; /* "KILL"; "" if none */
	double count;       /* processes in the group */
	double cpu_s, peak_rss_b, peak_pss_b, read_b, write_b;
	double cpu_exact;                  /* as in process_tree.h */
	double states_s[STATES_N];         /* NAN: not measured */
	const struct snapshot_wait *waits; /* its largest named waits. In the arena */
	size_t n_waits;
};

#define SNAPSHOT_GPUS_MAX      64
#define SNAPSHOT_PROCESSES_MAX 1024

/* As recordings have it; use .tree, which has it, too (process_join.h). */
struct snapshot_processes {
	bool known;
	double seen, seen_cpu_s, unseen_cpu_s;
	struct snapshot_process *top, *others; /* in the arena */
	size_t n_top, n_others;
};

/* The ask of the job on the recording's node (docs/snapshot.md, asked): CPUs, bytes, GPUs, seconds;
 * nodes and tasks are those of the whole job. */
enum snapshot_asked_id {
	SNAPSHOT_ASKED_CPUS,
	SNAPSHOT_ASKED_MEMORY,
	SNAPSHOT_ASKED_GPUS,
	SNAPSHOT_ASKED_TIME,
	SNAPSHOT_ASKED_NODES,
	SNAPSHOT_ASKED_TASKS,
	SNAPSHOT_ASKED_N
};

/* Values of snapshot_ask.source, from the strongest to the weakest. */
#define SNAPSHOT_ASKED_OPTION      "option"      /* --asked */
#define SNAPSHOT_ASKED_ENVIRONMENT "environment" /* RTRACK_ASKED */
#define SNAPSHOT_ASKED_SCHEDULER   "scheduler"
#define SNAPSHOT_ASKED_LIMIT       "limit"   /* nothing was asked: the limit that is set */
#define SNAPSHOT_ASKED_MACHINE     "machine" /* nothing was asked and nothing limits */

struct snapshot_ask {
	double value;       /* NAN: unknown; written as null, without the other members */
	const char *source; /* one of the above */
	const char *detail; /* the variable, file or call that has it: "SLURM_MEM_PER_NODE" */
	bool share;         /* one task's share of what the node got */
};

struct snapshot_asked {
	bool known;
	struct snapshot_ask of[SNAPSHOT_ASKED_N];
};

/* Which part of a job was recorded: one node, or one task (docs/snapshot.md, part). Numbers are NAN
 * and strings "" where unknown. */
struct snapshot_part {
	bool known;            /* the job has, or may have, several parts, or is of an array */
	const char *job;       /* key: the recordings with the same key are of one run */
	const char *node;      /* its name for the scheduler, or the host's */
	const char *covers;    /* "node": all of the job's tasks on the node; "task": one task */
	double nodes;          /* of the job */
	double task, tasks;    /* this task's rank, of so many; task NAN where a node is covered */
	const char *array_job; /* key of the array; "": none */
	double array_index;
};

/* Values of snapshot_input.via. */
#define SNAPSHOT_INPUT_ARGUMENT "argument"
#define SNAPSHOT_INPUT_STDIN    "stdin"
#define SNAPSHOT_INPUT_OPTION   "option" /* --input, RTRACK_INPUT */
#define SNAPSHOT_INPUT_STAGED   "staged" /* a link that leads out of the working directory */

/* A file that was there when the job began (docs/snapshot.md, inputs). */
struct snapshot_input {
	const char *name; /* redacted; "" if names were left out */
	double bytes;     /* before the command started */
	const char *via;  /* one of the above */
	const char *at;   /* where it stood: job_inputs.h */
	bool written;     /* it was changed meanwhile, so it is not counted */
};

#define SNAPSHOT_INPUTS_MAX 64

struct snapshot_inputs {
	bool known;               /* false: no program looked */
	struct snapshot_input *v; /* in the arena */
	size_t n;
	struct snapshot_inputs_more {
		double n, bytes; /* beyond the cap; n 0 or NAN: none; bytes NAN: not looked at */
	} more;
	/* Sums over all inputs, set by job_inputs_settle() or from a catalog's row. */
	double bytes;      /* NAN: unknown, or no input */
	const char *sizes; /* job_inputs.h; NULL or "": unknown */
};

/* How the tasks ended that --per-node recorded (docs/snapshot.md, tasks). */
struct snapshot_tasks {
	bool known;
	double n; /* of the node; in a run of several nodes, of those recorded */
	double succeeded, failed, unknown;
	double failed_rank; /* on its node, of the first that failed; NAN: unknown, or none */
};

/* A signal that the recorder got and passed on, or that reached the job as well. */
struct snapshot_end_signal {
	const char *signal; /* "TERM" */
	const char *from;   /* the sender's name; "" if it was gone already, "kernel", "terminal" */
	double pid, uid;    /* of the sender; NAN: unknown */
	double before_s;    /* seconds before the end */
};

/* A file system of the job without room. */
struct snapshot_end_disk {
	const char *path;
	double bytes, inodes; /* free for the job's user; inodes NAN: the file system counts none */
	bool at_start;        /* it was full before the command */
};

#define SNAPSHOT_END_SIGNALS 4
#define SNAPSHOT_END_DISKS   4

/* Values of snapshot_evidence.oom_of; "": not known. */
#define SNAPSHOT_OOM_CONTAINER "container"
#define SNAPSHOT_OOM_STEP      "step" /* of Slurm */
#define SNAPSHOT_OOM_JOB       "job"  /* of Slurm */
#define SNAPSHOT_OOM_CGROUP    "cgroup"
#define SNAPSHOT_OOM_MACHINE   "machine"

/* Values of snapshot_evidence.oom_victim; "": not known. */
#define SNAPSHOT_VICTIM_COMMAND "command" /* among others */
#define SNAPSHOT_VICTIM_OTHER   "other"

/* The evidence for why the run ended (docs/snapshot.md, end). Numbers are NAN and texts "" where
 * unknown. */
struct snapshot_evidence {
	double oom_kills;         /* processes of the job, by the kernel's OOM killer */
	double oom_kills_shared;  /* in a cgroup that the job shares with others */
	double oom_kills_machine; /* of the whole machine */
	double oom_before_s;    /* the last of the job or of its cgroup: at least so long before */
	double killed_others;   /* processes of the job but the command that SIGKILL ended */
	const char *oom_victim; /* whom the kernel killed: one of the above */
	bool slurm_step;        /* Slurm calls it OUT_OF_MEMORY after any OOM kill in it */
	const char *oom_of;     /* whose memory ran out: one of the above */
	const char *oom_cgroup; /* the path of that cgroup */
	double oom_limit_b;
	double launcher_limit_b;    /* the launcher ended it for using more */
	double memory_b, growth_bs; /* of the job, when last seen; bytes a second */
	const char *largest;        /* the name of its largest process then */
	double largest_b;
	double time_used_s, time_limit_s;           /* of what was asked for */
	bool time_enforced;                         /* by a scheduler */
	double cpu_used_s, cpu_limit_s, cpu_hard_s; /* of the command's process: RLIMIT_CPU */
	double file_limit_b, file_written_b;        /* RLIMIT_FSIZE; in all, to any file or pipe */
	double address_limit_b, address_used_b;     /* RLIMIT_AS */
	double processes_limit, processes_most;     /* RLIMIT_NPROC; of the job at a time */
	double forks_refused, forks_limit;          /* by pids.max of the job's cgroup */
	bool core_dumped;
	struct snapshot_end_signal signals[SNAPSHOT_END_SIGNALS]; /* the last is the latest */
	size_t n_signals;
	struct snapshot_end_disk full[SNAPSHOT_END_DISKS];
	size_t n_full;
	double disk_left_b; /* the least room of all file systems that were looked at */
	struct snapshot_end_death {
		bool known;
		const char *name, *signal;
		double pid, before_s;
		/* RLIMIT_CPU and RLIMIT_FSIZE that it had reached; 0: none; NAN: unknown */
		double cpu_limit_s, file_limit_b;
	} death; /* the last process but the command that a signal ended */
};

struct snapshot_end {
	bool known;                         /* the recorder looked */
	const char *cause;                  /* a word of end_cause.h */
	const char *sentence;               /* by end_cause_of; "" where it ended well */
	struct snapshot_evidence *evidence; /* in the arena; NULL: none */
};

struct json_write;      /* json_write.h */
struct snapshot_budget; /* snapshot_read.h */

/* Members that only the collector can write: into the open object "totals", into "rtrack" after the
 * gaps, and as its last one the tree: 0, or -1 with a sentence. Any may be NULL. */
struct snapshot_more {
	void (*totals)(void *ctx, struct json_write *j);
	void (*members)(void *ctx, struct json_write *j);
	int (*tree)(void *ctx, struct json_write *j, struct err *e);
	void *ctx;
};

struct gaps;           /* gaps.h */
struct time_at;        /* time_at.h */
struct process_tree;   /* process_tree.h */
struct overview;       /* overview.h */
struct detail_devices; /* detail.h */
struct detail;         /* detail_sums.h */

/* The damage of a journal: what could not be read. */
struct snapshot_damage {
	size_t places;
	uint64_t at, bytes, records; /* offset of the first place; sums over all places, of records
	                                as far as known */
};

struct snapshot {
	/* Numbers that the file does not have are NAN. */
	struct snapshot_meta {
		const char *version;        /* of the tool that wrote it; "" if unknown */
		const char *implementation; /* "procfs" */
		double pid, interval, start_time, stop_time, duration;
		bool children, autostart, track_processes, track_system;
		bool discover_server, discover_cloud;
	} meta;
	struct snapshot_server {
		bool known;
		const char *os;         /* "" if unknown */
		double vcpus, memory_b; /* NAN if unknown */
		double gpu_count, gpu_memory_b;
		const char *gpu_name;
		struct snapshot_list gpu_names;
		const char *allocation; /* "dedicated", "shared", "unknown" */
	} server;
	struct snapshot_cloud {
		bool known;                                  /* the vendor or the type was found */
		const char *vendor, *instance_type, *region; /* "unknown" where not found */
		double discovery_time;
	} cloud;
	/* The block "rtrack", which no other tool writes. */
	struct snapshot_machine { /* NULL or "" if unknown */
		const char *cpu_model;
		const char *host_id;        /* discover_server.h */
		const char *ip;             /* of the interface of the default route */
		const char *zone, *account; /* of the cloud */
	} machine;
	struct snapshot_job {
		bool known;        /* false: another tool wrote the file */
		const char *name;  /* of the job */
		const char **argv; /* redacted; NULL if left out */
		size_t argc;
		const char *cwd, *host, *user; /* "" if unknown */
		const char *arch;              /* CPU architecture as of uname(2); "" if unknown */
		struct snapshot_pairs tags, labels;
	} job;
	struct {
		bool known;        /* false: unknown, or the run is not finished */
		int code;          /* exit code; -1 if a signal ended it */
		int signal;        /* 0: none */
		const char *cause; /* docs/snapshot.md, exit.cause; "" if unknown */
	} exit;
	struct snapshot_end end;
	struct snapshot_totals {
		bool known; /* then the first four are from wait4(2), of all processes waited for */
		double wall_s, utime_s, stime_s, max_rss_b;
		/* The collector writes them by ->more; for the row, it sets exact_cpu_s, read_b,
		 * write_b and oom_kills before. */
		double peak_rss_b, peak_virtual_b, read_b, write_b, rchar_b, wchar_b;
		double minor_faults, major_faults, ctx_voluntary, ctx_involuntary;
		double cpu_wait_s, exact_cpu_s, sampled_cpu_s, sampled_cpu_difference;
		double counted_cpu_s; /* by events; not in the file */
		double cgroup_cpu_s, cgroup_utime_s, cgroup_stime_s;
		double cgroup_cpu_some_s, cgroup_cpu_full_s, cgroup_io_some_s, cgroup_io_full_s;
		double cgroup_memory_some_s, cgroup_memory_full_s;
		double cgroup_memory_peak_b, cgroup_working_set_b, cgroup_read_b, cgroup_write_b;
		double oom_kills;
	} totals;
	struct snapshot_memory memory;
	struct snapshot_asked asked;
	struct snapshot_part part;
	struct snapshot_inputs inputs;
	struct snapshot_tasks tasks;
	struct snapshot_limits limits; /* read only, as are the next two; but .cpus is used for the
	                                  overview, where above 0 */
	struct snapshot_gpu *gpus;     /* in the arena */
	size_t n_gpus;
	struct snapshot_processes processes;
	struct snapshot_states states; /* as the file has it; use snapshot_states_of() */
	struct snapshot_contention {   /* of a row alone; else time_at has it */
		bool known;
		double waited_s, stolen_s;
	} contention;
	const struct time_at *time_at; /* with other CPUs; NULL: not known. In the arena, or
	                                  borrowed */
	struct phases *phases;     /* marked by the job; NULL: none. In the arena, or borrowed */
	struct snapshot_more more; /* for writing */
	bool no_gpus;              /* for writing a journal: leave out the columns of single GPUs */
	bool plain;                /* for writing: without compression */
	double short_below_s; /* for writing: only a sum (core/files/recordings.h) of what took less
	                         than this; 0: a recording */
	struct snapshot_list notes; /* sentences: what could not be measured, and why */

	enum schema schema;                    /* of the file that it was read from */
	struct snapshot_budget *budget;        /* set before reading; borrowed; NULL: no budget */
	bool (*wants)(const struct metric *m); /* the same: the columns to read; NULL: all */
	bool from_csv;                         /* read from CSV, which has nothing but rows */
	bool unfinished; /* the collector did not end the recording: it was read from a journal */
	bool running;    /* and it still writes it (journal_running.h) */
	struct snapshot_damage damage; /* of a journal */
	struct process_tree *tree;     /* all processes; NULL: not known. In the arena */
	struct gaps *gaps;             /* times without samples; NULL: none. In the arena */
	bool head_only;        /* read without rows, phases and processes: only summary is there */
	struct stats *summary; /* the file's statistics, by metric, in base units; NULL: none */
	bool unmeasured[METRIC_COUNT]; /* by the file's statistics: its cells are only filled in */
	struct overview *overview;     /* read in place of the rows; NULL: not read. In the arena */
	struct frame rows[METRIC_SCOPES]; /* rows and time stamps of scopes may differ */

	/* --detail. A snapshot that is read has only its summary, a journal all of it. */
	struct detail_devices *devices; /* for writing; NULL: none. In the arena, or borrowed */
	struct frame *detail_rows;      /* of a journal, without rows for gaps: frame i has the next
	                                   METRIC_COUNT cells */
	size_t n_detail_rows;
	struct detail *detail; /* NULL: none. In the arena */

	void *arena;
};

/* n zeroed bytes that live as long as the snapshot. NULL without memory, noted by alloc_failed().
 * */
void *snapshot_alloc(struct snapshot *s, size_t n);

/* Frees one of these blocks before the snapshot. NULL: nothing. */
void snapshot_drop(struct snapshot *s, const void *block);

/* A copy of text that lives as long as the snapshot, made valid UTF-8 and cut at
 * SNAPSHOT_STRING_MAX. "" if text is NULL, or without memory. */
const char *snapshot_strdup(struct snapshot *s, const char *text);

/* Appends a string that lives as long as the snapshot. None beyond the list's cap. */
void snapshot_list_add(struct snapshot *s, struct snapshot_list *list, const char *text);

/* Appends a pair of strings that live as long as the snapshot. None beyond the list's cap. */
void snapshot_pairs_add(struct snapshot *s, struct snapshot_pairs *pairs, const char *key,
                        const char *value);

/* Appends a note. The same sentence is not added twice, nor any beyond the list's cap. */
void snapshot_note(struct snapshot *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void snapshot_free(struct snapshot *s);

/* Whether the recorder tracked the scope. */
bool snapshot_tracks(const struct snapshot *s, enum metric_scope scope);

/* The number of GPUs that the columns cover, and their memory: the GPUs in rtrack.gpus (--gpu may
 * choose some of the machine's), or without that block all of the machine's. NAN: unknown. */
double snapshot_gpus(const struct snapshot *s);
double snapshot_gpus_memory(const struct snapshot *s);

/* Sets the job's peak memory, and how it is known; sampled_b is the largest sample. A recording
 * without the block "memory" has the largest of that and the kernel's marks of single processes. */
void snapshot_memory_of(const struct snapshot *s, double sampled_b, struct snapshot_memory *out);

/* Whether an upper bound is so far above a number of bytes that it is worth reporting: sums of PSS
 * and the RSS of one process count shared pages differently, by a few per cent and the size of some
 * libraries. Pure. */
bool snapshot_memory_apart(double most_b, double b);

/* Where the time went: as the file has it, or of a recovered recording the sums of its columns.
 * False if it is not known. */
bool snapshot_states_of(const struct snapshot *s, struct snapshot_states *out);

/* The same from the statistics of all columns, by metric. */
bool snapshot_states_of_columns(const struct stats *columns, struct snapshot_states *out);

/* The name of a signal without "SIG" ("TERM"); "" if it has none. */
const char *snapshot_signal_name(int signal);

/* The number of a signal, from that name or from its number as text; 0 if unknown. */
int snapshot_signal_number(const char *name);

#endif
