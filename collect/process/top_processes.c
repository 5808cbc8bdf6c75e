/* top_processes: what samples know of the largest processes of a run. */
#include "collect/process/top_processes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/process/cpu_accounting.h"
#include "collect/redact/redact.h"
#include "core/numbers/stats.h"
#include "core/processes/process_join.h"
#include "core/recording/snapshot.h"

#define KEPT  (2 * TOP_PROCESSES_TOP + 112) /* 112 more than are kept: one sorting for so many */
#define WORDS 64                            /* of a command line */

struct top_processes {
	struct top_process *living; /* by the caller's places */
	size_t places, high;
	struct top_process kept[KEPT]; /* ended; the first n */
	size_t n;
	size_t by_pid[KEPT]; /* places of .kept, once they are chosen */
};

struct top_processes *top_processes_open(size_t places, struct err *e)
{
	struct top_processes *p = calloc(1, sizeof *p);

	if (p)
		p->living = calloc(places, sizeof *p->living);
	if (!p || !p->living) {
		top_processes_close(p);
		err_set(e, "no memory for the table of processes");
		return NULL;
	}
	p->places = places;
	return p;
}

struct top_process *top_processes_at(struct top_processes *p, size_t place)
{
	if (place >= p->high)
		p->high = place + 1;
	return &p->living[place];
}

void top_processes_close(struct top_processes *p)
{
	if (p)
		free(p->living);
	free(p);
}

/* -- the largest ------------------------------------------------------------------------------- */

static double top_cpu_s(const struct top_process *p)
{
	return p->cpu_s;
}

static double top_memory_b(const struct top_process *p)
{
	return p->peak_rss_b;
}

/* Sorts the places of the first n, the largest first; equals keep their order. A Shell sort, since
 * qsort(3) may allocate. */
static void rank_processes(const struct top_process *v, size_t n,
                           double (*of)(const struct top_process *), size_t order[KEPT])
{
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	for (size_t gap = n / 2; gap > 0; gap /= 2)
		for (size_t i = gap; i < n; i++) {
			size_t place = order[i], k = i;
			double value = of(&v[place]), above;
			for (; k >= gap; k -= gap) {
				above = of(&v[order[k - gap]]);
				if (above > value || (above >= value && order[k - gap] < place))
					break;
				order[k] = order[k - gap];
			}
			order[k] = place;
		}
}

static double top_pid(const struct top_process *p)
{
	return p->pid;
}

/* Keeps the top by CPU time and the top by memory. */
static void reduce_kept(struct top_processes *p)
{
	size_t order[KEPT], left = 0;
	bool keep[KEPT] = {false};

	for (int by = 0; by < 2; by++) {
		rank_processes(p->kept, p->n, by ? top_memory_b : top_cpu_s, order);
		for (size_t i = 0; i < p->n && i < TOP_PROCESSES_TOP; i++)
			keep[order[i]] = true;
	}
	for (size_t i = 0; i < p->n; i++)
		if (keep[i] && left++ != i)
			p->kept[left - 1] = p->kept[i];
	p->n = left;
}

static void keep_process(struct top_processes *p, const struct top_process *top)
{
	if (p->n == KEPT)
		reduce_kept(p);
	p->kept[p->n++] = *top;
}

void top_processes_end(struct top_processes *p, size_t place)
{
	if (p->living[place].pid)
		keep_process(p, &p->living[place]);
	p->living[place] = (struct top_process){0};
}

void top_processes_states(struct top_processes *p, size_t place,
                          const struct tracked_process *process)
{
	struct top_process *top = &p->living[place];

	memcpy(top->states_s, process->states_s, sizeof top->states_s);
	top->waits = process->waits;
}

/* -- command lines ----------------------------------------------------------------------------- */

/* Keeps whole words only: redaction knows a secret by its form, and would miss the first half of
 * one. */
void top_processes_set_command(struct top_process *top, const char *text, size_t n, bool whole)
{
	size_t fits = n < sizeof top->command ? n : sizeof top->command;

	top->cut = !whole || fits < n;
	/* A process may overwrite its command line (setproctitle) and leave no NUL at the end. If
	 * text is all of it, the last word is whole all the same. */
	if (!top->cut && fits > 0 && text[fits - 1] != '\0' && fits == n) {
		top->cut = fits == sizeof top->command;
		if (!top->cut) {
			memcpy(top->command, text, fits);
			top->command[fits] = '\0';
			top->command_len = fits + 1;
			return;
		}
	}
	while (fits > 0 && text[fits - 1] != '\0')
		fits--;
	memcpy(top->command, text, fits);
	top->command_len = fits;
}

void top_processes_read_command(struct top_process *top, const struct root *r)
{
	char text[TOP_PROCESSES_COMMAND_MAX + 2];
	int fd = proc_pid_open(r, top->pid, "cmdline");
	long n = fd < 0 ? -1 : root_head_fd(fd, text, sizeof text);

	if (fd >= 0)
		close(fd);
	top->asked = true;
	if (n > 0)
		top_processes_set_command(top, text, (size_t)n, n <= TOP_PROCESSES_COMMAND_MAX);
}

void top_processes_note(struct top_processes *p, size_t place,
                        const struct tracked_process *process, double start, const struct root *r)
{
	struct top_process *top = top_processes_at(p, place);
	bool first = top->pid == 0, renamed;

	if (first)
		*top = (struct top_process){.pid = process->pid, .start = start};
	top->ppid = process->stat.ppid;
	top->cpu_s = process->cpu_s;
	top->peak_rss_b = process->peak_rss_b;
	top->peak_pss_b = process->peak_pss_b;
	top->read_b = process->io_denied ? (double)NAN : (double)process->io.read_bytes;
	top->write_b = process->io_denied
	                   ? (double)NAN
	                   : cpu_accounting_written((double)process->io.write_bytes,
	                                            (double)process->io.cancelled_write_bytes);
	renamed = strncmp(top->name, process->stat.comm, sizeof top->name - 1) != 0;
	if (renamed)
		memcpy(top->name, process->stat.comm, sizeof top->name - 1);
	/* Not at first sight: most short processes are seen only once, and the file would be read
	 * for each of them. */
	if (!first && (renamed || !top->asked) && !tracked_process_ended(process))
		top_processes_read_command(top, r);
}

const char *top_processes_command(const struct top_process *top, struct buf *text)
{
	struct redact redact = {.n_rows = 0};
	char *words[WORDS];
	char copy[TOP_PROCESSES_COMMAND_MAX];
	size_t n = 0;

	memcpy(copy, top->command, sizeof copy);
	for (size_t at = 0; at < top->command_len && n < WORDS; at += strlen(copy + at) + 1)
		words[n++] = copy + at;
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_char(text, ' ');
		redact_word(&redact, words[i], text);
	}
	if (top->cut || n == WORDS)
		buf_str(text, n ? " …" : "…");
	return n && !text->failed ? buf_cstr(text) : NULL;
}

/* -- at the end -------------------------------------------------------------------------------- */

void top_processes_choose(struct top_processes *p)
{
	for (size_t i = 0; i < p->high; i++)
		top_processes_end(p, i);
	reduce_kept(p);
	rank_processes(p->kept, p->n, top_pid, p->by_pid);
}

const struct top_process *top_processes_find(struct top_processes *p, size_t row, int pid,
                                             double start)
{
	double nearest_s = PROCESS_JOIN_SAME_S;
	struct top_process *found = NULL;
	size_t low = 0, high = p->n;

	while (low < high) { /* the largest number is the first */
		size_t middle = (low + high) / 2;
		if (p->kept[p->by_pid[middle]].pid > pid)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < p->n && p->kept[p->by_pid[low]].pid == pid; low++) {
		struct top_process *top = &p->kept[p->by_pid[low]];
		double apart_s = fabs(top->start - start);
		if ((!top->row || top->row == row + 1) && apart_s < nearest_s) {
			nearest_s = apart_s;
			found = top;
		}
	}
	if (found)
		found->row = row + 1;
	return found;
}

static double rounded_to(double v, int decimals)
{
	return isfinite(v) ? stats_round(v, decimals) : v;
}

/* A live process has some memory, so 0 means that no reading found it alive: not measured. */
static double nan_if_none(double memory_b)
{
	return memory_b > 0 ? rounded_to(memory_b, 0) : (double)NAN;
}

struct snapshot_process top_processes_known(const struct top_process *top)
{
	bool exited = top->reaped && WIFEXITED(top->status);
	bool killed = top->reaped && WIFSIGNALED(top->status);
	struct snapshot_process p = {
	    .cpu_s = rounded_to(top->cpu_s, 3),
	    .peak_rss_b = nan_if_none(top->peak_rss_b),
	    .peak_pss_b = nan_if_none(top->peak_pss_b),
	    .read_b = rounded_to(top->read_b, 0),
	    .write_b = rounded_to(top->write_b, 0),
	    .exit_code = exited ? (double)WEXITSTATUS(top->status) : (double)NAN,
	    .signal = killed ? snapshot_signal_name(WTERMSIG(top->status)) : "",
	};

	for (int k = 0; k < STATES_N; k++)
		p.states_s[k] = (double)top->states_s[k];
	return p;
}
