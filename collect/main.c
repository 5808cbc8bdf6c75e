/* rtrack-collect: records what a job and its machine use. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include "collect/collect_options.h"
#include "collect/command/command.h"
#include "collect/command/per_node.h"
#include "collect/command/phase_fifo.h"
#include "collect/end/termination_log.h"
#include "collect/machine/clocks.h"
#include "collect/machine_info.h"
#include "collect/once.h"
#include "collect/output/stdout_output.h"
#include "collect/recover.h"
#include "collect/run.h"
#include "core/base/alloc_failed.h"
#include "core/base/buf.h"
#include "core/recording/snapshot.h"

#define SENTENCE_MAX 8192
#define STACK_B      1048576 /* what the recorder uses at most, and more */

/* A single write(2), so that lines of the command do not mix with this one. */
static void print_sentence(const char *sentence)
{
	char line[SENTENCE_MAX];
	int n = snprintf(line, sizeof line, "rtrack-collect: %s\n", sentence);

	if (n >= (int)sizeof line)
		n = (int)sizeof line - 1;
	if (n > 0 && write(STDERR_FILENO, line, (size_t)n) < 0)
		return; /* nowhere to report this */
}

/* If standard input, output or error is closed, our own files must not take its number: the command
 * would get them. */
static void fill_standard_fds(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

static int print_buf(struct buf *b)
{
	struct err e = {0};
	size_t done = 0;

	while (!b->failed && done < b->len) {
		ssize_t n = write(STDOUT_FILENO, b->s + done, b->len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	if (b->failed || done < b->len) {
		err_set(&e, "standard output: %s", b->failed ? "no memory" : strerror(errno));
		print_sentence(e.msg);
		buf_free(b);
		return 1;
	}
	buf_free(b);
	return 0;
}

/* Goes through err_set(), which replaces control characters: a file name may contain escape
 * sequences for the terminal. */
static void print_sanitized(struct buf *b)
{
	struct err safe = {0};

	err_set(&safe, "%s", b->failed ? "no memory for the summary" : buf_cstr(b));
	print_sentence(safe.msg);
	buf_clear(b);
}

static int print_information(const struct collect_options *o)
{
	struct buf b = {0};
	struct err e = {0};

	if (o->info || o->once) {
		if (o->info ? machine_info(o, &b, &e) : once_print(o, &b, &e)) {
			print_sentence(e.msg);
			buf_free(&b);
			return 1;
		}
		return print_buf(&b);
	}
	if (o->help)
		collect_options_help(&b);
	else if (o->version)
		buf_str(&b, "rtrack-collect " RTRACK_VERSION "\n");
	else
		metric_list(&b);
	return print_buf(&b);
}

static void append_peak_memory(struct buf *b, double bytes)
{
	double mib = bytes / 1048576;

	buf_str(b, ", peak memory ");
	if (mib < 10)
		buf_printf(b, "%.1f MiB", mib);
	else if (mib < 10240)
		buf_printf(b, "%.0f MiB", mib);
	else
		buf_printf(b, "%.1f GiB", mib / 1024);
}

static void append_ending(struct buf *b, const struct collect_options *o,
                          const struct run_result *r)
{
	if (o->mode == COLLECT_OPTIONS_SYSTEM)
		buf_str(b, "stopped after ");
	else if (o->mode == COLLECT_OPTIONS_PROCESS)
		buf_printf(b, "process %ld %s after ", o->pid,
		           r->detached ? "is no longer followed" : "ended");
	else if (r->signal && *snapshot_signal_name(r->signal))
		buf_printf(b, "killed by SIG%s after ", snapshot_signal_name(r->signal));
	else if (r->signal)
		buf_printf(b, "killed by signal %d after ", r->signal);
	else if (r->code)
		buf_printf(b, "ended with status %d after ", r->code);
	else
		buf_str(b, "finished in ");
	if (r->wall_s < 0.1)
		buf_printf(b, "%.3f s", r->wall_s);
	else
		buf_printf(b, r->wall_s < 100 ? "%.1f s" : "%.0f s", r->wall_s);
}

/* A name that a shell takes as it is, or in quotes. */
static void append_shell_word(struct buf *b, const char *word)
{
	const char *plain =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/+,:@%=-";

	if (*word && word[strspn(word, plain)] == '\0') {
		buf_str(b, word);
		return;
	}
	buf_char(b, '\'');
	for (; *word; word++)
		if (*word == '\'')
			buf_str(b, "'\\''");
		else
			buf_char(b, *word);
	buf_char(b, '\'');
}

/* For people, who may not know the other command yet. */
static void print_next_step(const struct collect_options *o, const struct run_result *r)
{
	struct buf b = {0};

	if (!r->written || stdout_output_is(o->output) || !isatty(STDERR_FILENO))
		return;
	buf_str(&b, "next: rtrack-report -o report.html ");
	if (*r->output == '-')
		buf_str(&b, "./");
	append_shell_word(&b, r->output);
	print_sanitized(&b);
	buf_free(&b);
}

static void print_summary(const struct collect_options *o, const struct run_result *r)
{
	struct buf b = {0};

	append_ending(&b, o, r);
	if (r->tasks.known && r->tasks.failed > 0)
		buf_printf(&b, ", %.0f of %.0f tasks failed", r->tasks.failed, r->tasks.n);
	else if (r->tasks.known && r->tasks.unknown > 0)
		buf_printf(&b, ", how %.0f of %.0f tasks ended is not known", r->tasks.unknown,
		           r->tasks.n);
	buf_printf(&b, ", %s%.2f cores on average", o->record_job ? "" : "the machine used ",
	           r->cores);
	if (r->peak_b > 0)
		append_peak_memory(&b, r->peak_b);
	if (r->written && !stdout_output_is(o->output))
		buf_printf(&b, "; snapshot: %s", r->output);
	print_sanitized(&b);
	buf_printf(&b, "%llu row%s, %llu skipped; recording took %.3f s of CPU time",
	           (unsigned long long)r->rows, r->rows == 1 ? "" : "s",
	           (unsigned long long)r->skipped, r->cpu_s);
	if (o->verbose)
		print_sanitized(&b);
	buf_free(&b);
}

/* As the other lines: without a capital and a full stop. */
static void print_why(const char *why)
{
	size_t n = strlen(why);
	struct buf b = {0};

	if (n < 2)
		return;
	buf_char(&b, (char)tolower((unsigned char)*why));
	buf_add(&b, why + 1, n - 1 - (why[n - 1] == '.'));
	print_sanitized(&b);
	buf_free(&b);
}

static int check_stdout(const struct collect_options *o, struct err *e)
{
	if (!stdout_output_is(o->output) || !isatty(STDOUT_FILENO))
		return 0;
	return err_set(e, "--output -: standard output is a terminal; redirect it, or name a file");
}

static int mark_phase(const char *name)
{
	struct err e = {0};

	if (phase_fifo_send(name, &e) == 0)
		return 0;
	print_sentence(e.msg);
	return 1;
}

/* --output -: 0, or the status of a failure. */
static int print_snapshot(const char *path)
{
	struct err e = {0};

	if (stdout_output_copy(path, STDOUT_FILENO, &e) == 0)
		return 0;
	print_sentence(e.msg);
	return 1;
}

static int name_printed(struct snapshot_file *file, struct err *e)
{
	const struct part none = part_none();
	time_t now = (time_t)(clocks_now(CLOCK_REALTIME) / 1000000000);
	const struct snapshot_file_values v = {
	    .host = "recovered", .pid = getpid(), .now = now, .part = &none, .name = ""};

	return stdout_output_name(file, &v, e);
}

static int recover_journal(const struct collect_options *o)
{
	struct snapshot_file output = {.path = ""}, printed = {.path = ""};
	bool prints = stdout_output_is(o->output);
	struct err e = {0}, lost = {0};
	struct buf b = {0}, where = {0};
	bool remote = recover_remote_is_asked(o);
	size_t rows;
	int failed;

	if (check_stdout(o, &e)) {
		print_sentence(e.msg);
		return COMMAND_NOT_STARTED;
	}
	if (prints && name_printed(&printed, &e)) {
		print_sentence(e.msg);
		return 1;
	}
	failed = remote ? recover_remote(o, &where, &rows, &lost, &e)
	                : recover(o->recover, prints ? printed.path : o->output, o->schema, &output,
	                          &rows, &lost, &e);
	if (prints)
		stdout_output_clean(printed.path);

	if (failed) {
		print_sentence(e.msg);
		buf_free(&where);
		return 1;
	}
	if (*lost.msg) {
		if (!remote)
			err_wrap(&lost, "%s is kept", o->recover);
		print_sentence(lost.msg);
	}
	if (prints)
		failed = print_snapshot(output.path);
	buf_printf(&b, "recovered %zu sample%s", rows, rows == 1 ? "" : "s");
	if (!prints)
		buf_printf(&b, "; snapshot: %s", remote ? buf_cstr(&where) : output.path);
	if (!o->quiet)
		print_sanitized(&b);
	buf_free(&b);
	buf_free(&where);
	return failed;
}

/* Another task of this node records this one too. Nothing was opened or changed yet. */
static int exec_task(char *const *command)
{
	int why = command_exec(command);
	struct err e = {0};

	command_explain(command[0], why, &e);
	print_sentence(e.msg);
	return command_status_of(why);
}

/* All that rtrack-collect does. Returns the status. */
static int collect(int argc, char **argv)
{
	struct collect_options o;
	struct run_result result;
	struct command_before before;
	struct err e = {0};

	/* Started by Slurm's plugin (spank/), outside of the job's cgroup: no process of the job's
	 * user may attach to us. The kernel sees to that already, unless fs.suid_dumpable is 1. */
	if (getgid() != getegid())
		(void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	alloc_failed_watch();
#ifdef M_MMAP_THRESHOLD
	/* glibc raises it with each large block that is freed. Later ones would then take its
	 * place, and be cleared: pages of tables that are never used would become resident. */
	(void)mallopt(M_MMAP_THRESHOLD, 65536);
#endif
	fill_standard_fds();
	if (collect_options_parse(&o, argc, argv, &e)) {
		print_sentence(e.msg);
		return COMMAND_NOT_STARTED;
	}
	if (o.help || o.version || o.list_metrics || o.info || o.once)
		return print_information(&o);
	if (o.mark || o.recover)
		return o.mark ? mark_phase(o.mark) : recover_journal(&o);
	if (o.per_node && o.command && per_node_is_other())
		return exec_task(o.command);
	if (check_stdout(&o, &e)) {
		print_sentence(e.msg);
		return COMMAND_NOT_STARTED;
	}
	command_save(&before);
	if (run(&o, print_sentence, &result, &e)) {
		if (result.cannot_record)
			err_wrap(&e, "the command runs without a recording");
		print_sentence(e.msg);
		if (!result.cannot_record)
			return result.status;
		result.status = command_run_unrecorded(&before, o.command, &e);
		print_sentence(e.msg);
		return result.status;
	}
	if (result.written && stdout_output_is(o.output) && print_snapshot(result.output))
		result.status = 1;
	termination_log_write(result.why);
	if (!o.quiet && !result.stderr_stalled) {
		print_summary(&o, &result);
		print_why(result.why);
		print_next_step(&o, &result);
	}
	return result.status;
}

/* -- the stack --------------------------------------------------------------------------------- */

struct stack_call {
	ucontext_t before, own;
	int argc, status;
	char **argv;
};

/* makecontext(3) passes numbers of 32 bits. */
static void make_call(unsigned high, unsigned low)
{
	struct stack_call *c = (struct stack_call *)((uintptr_t)high << 16 << 16 | low);

	c->status = collect(c->argc, c->argv);
}

/* NULL: the stack is large enough, or no other can be had. The lowest page catches an overflow. */
static void *make_stack(void)
{
	struct rlimit limit;
	char *stack;

	if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= STACK_B)
		return NULL;
	stack = mmap(NULL, STACK_B, PROT_READ | PROT_WRITE,
	             MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
	if (stack == MAP_FAILED)
		return NULL;
	(void)mprotect(stack, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE);
	return stack;
}

/* A limit on the stack (ulimit -s) is meant for the command. Under one that is too small for the
 * recorder, it runs on a stack of its own, and the command has the limit as it is. */
int main(int argc, char **argv)
{
	void *stack = make_stack();
	struct stack_call c = {.argc = argc, .argv = argv};
	uintptr_t here = (uintptr_t)&c;

	if (!stack || getcontext(&c.own))
		return collect(argc, argv);
	c.own.uc_stack.ss_sp = stack;
	c.own.uc_stack.ss_size = STACK_B;
	c.own.uc_link = &c.before;
	makecontext(&c.own, (void (*)(void))make_call, 2, (unsigned)(here >> 16 >> 16),
	            (unsigned)here);
	if (swapcontext(&c.before, &c.own))
		return collect(argc, argv);
	return c.status;
}
