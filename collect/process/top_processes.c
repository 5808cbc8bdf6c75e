/* top_processes: the largest processes of a run, one by one, and the others summed by name. */
#include "collect/process/top_processes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/process/cpu_accounting.h"
#include "collect/redact/redact.h"
#include "core/base/larger.h"
#include "core/numbers/stats.h"
#include "core/recording/snapshot.h"
#include "core/recording/snapshot_fields.h"

#define KEPT  (2 * TOP_PROCESSES_TOP + 112) /* 112 more than are kept: one sorting for so many */
#define WORDS 64                            /* of a command line */

/* The processes of one name that are not kept. */
struct name_group {
	char name[TOP_PROCESSES_NAME_MAX];
	double count, cpu_s, read_b, write_b;
	double peak_rss_b, peak_pss_b; /* of the largest */
};

struct top_processes {
	struct top_process *living; /* by the caller's places */
	size_t places, high;
	struct top_process kept[KEPT]; /* ended; the first n */
	size_t n;
	struct name_group groups[TOP_PROCESSES_NAMES + 1]; /* the last: all other names */
	size_t n_groups;
	double seen, cpu_s; /* of all that have ended */
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

/* -- sums by name ------------------------------------------------------------------------------ */

static struct name_group *find_name_group(struct top_processes *p, const char *name)
{
	size_t i = 0;

	while (i < p->n_groups && strcmp(p->groups[i].name, name) != 0)
		i++;
	if (i == p->n_groups && i < TOP_PROCESSES_NAMES) {
		p->n_groups++;
		memcpy(p->groups[i].name, name, sizeof p->groups[i].name);
	}
	return &p->groups[i];
}

static void add_to_name_group(struct top_processes *p, const struct top_process *top)
{
	struct name_group *g = find_name_group(p, top->name);

	g->count++;
	g->cpu_s += top->cpu_s;
	g->read_b += isnan(top->read_b) ? 0 : top->read_b;
	g->write_b += isnan(top->write_b) ? 0 : top->write_b;
	g->peak_rss_b = larger(g->peak_rss_b, top->peak_rss_b);
	g->peak_pss_b = larger(g->peak_pss_b, top->peak_pss_b);
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

/* Keeps the top by CPU time and the top by memory, and sums the rest by name. */
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
		if (!keep[i])
			add_to_name_group(p, &p->kept[i]);
		else if (left++ != i)
			p->kept[left - 1] = p->kept[i];
	p->n = left;
}

static void keep_process(struct top_processes *p, const struct top_process *top)
{
	if (p->n == KEPT)
		reduce_kept(p);
	p->kept[p->n++] = *top;
	p->seen++;
	p->cpu_s += top->cpu_s;
}

void top_processes_end(struct top_processes *p, size_t place)
{
	if (p->living[place].pid)
		keep_process(p, &p->living[place]);
	p->living[place] = (struct top_process){0};
}

double top_processes_cpu(const struct top_processes *p)
{
	double sum = p->cpu_s;

	for (size_t i = 0; i < p->high; i++)
		sum += p->living[i].cpu_s;
	return sum;
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
		*top = (struct top_process){.pid = process->pid, .start = start, .end = NAN};
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

/* -- writing ----------------------------------------------------------------------------------- */

static double rounded_to(double v, int digits)
{
	static const double scale[] = {1, 10, 100, 1e3};
	double scaled = v * scale[digits];

	return (isfinite(scaled) ? stats_round(scaled, 0) : scaled) / scale[digits];
}

/* A live process has some memory, so 0 means that no reading found it alive: not measured. */
static double nan_if_none(double memory_b)
{
	return memory_b > 0 ? rounded_to(memory_b, 0) : (double)NAN;
}

/* A process can set its name to anything, so secrets are removed from it as well. */
static const char *redacted_name(const char *name, struct buf *text)
{
	redact_text(name, TOP_PROCESSES_NAME_MAX, text);
	return text->failed ? "***" : buf_cstr(text);
}

static void write_process(const struct top_process *p, const struct wait_names *names,
                          struct json_write *j, bool commands)
{
	struct buf name = {.max = 1024}, command = {.max = 16384};
	bool exited = p->reaped && WIFEXITED(p->status);
	bool killed = p->reaped && WIFSIGNALED(p->status);
	double states_s[STATES_N];

	json_write_object(j, NULL);
	snapshot_fields_write(
	    j, SNAPSHOT_PROCESS, SCHEMA_1,
	    &(struct snapshot_process){
		.pid = p->pid,
		.ppid = p->ppid,
		.name = redacted_name(p->name, &name),
		.command = commands ? top_processes_command(p, &command) : snapshot_field_left_out,
		.start = rounded_to(p->start, 2),
		.end = rounded_to(p->end, 2),
		.cpu_s = rounded_to(p->cpu_s, 3),
		.peak_rss_b = nan_if_none(p->peak_rss_b),
		.peak_pss_b = nan_if_none(p->peak_pss_b),
		.read_b = rounded_to(p->read_b, 0),
		.write_b = rounded_to(p->write_b, 0),
		.exit_code = exited ? (double)WEXITSTATUS(p->status) : (double)NAN,
		.signal = killed ? snapshot_signal_name(WTERMSIG(p->status)) : NULL,
	    });
	for (int k = 0; k < STATES_N; k++)
		states_s[k] = (double)p->states_s[k];
	snapshot_fields_process_states(j, states_s);
	if (names)
		wait_names_write_top(names, &p->waits, j);
	json_write_object_end(j);
	buf_free(&name);
	buf_free(&command);
}

/* name NULL: the sum of all groups that found no room. */
static void write_name_group(const struct name_group *g, const char *name, struct json_write *j)
{
	struct buf text = {.max = 1024};

	snapshot_fields_element(j, SNAPSHOT_PROCESS_GROUP,
	                        &(struct snapshot_process){
				    .name = name ? redacted_name(name, &text) : NULL,
				    .count = g->count,
				    .cpu_s = rounded_to(g->cpu_s, 3),
				    .peak_rss_b = nan_if_none(g->peak_rss_b),
				    .peak_pss_b = nan_if_none(g->peak_pss_b),
				    .read_b = rounded_to(g->read_b, 0),
				    .write_b = rounded_to(g->write_b, 0),
				});
	buf_free(&text);
}

void top_processes_write(struct top_processes *p, const struct wait_names *names,
                         struct json_write *j, double cpu_s, bool commands)
{
	size_t order[KEPT];
	double unseen;

	for (size_t i = 0; i < p->high; i++)
		top_processes_end(p, i);
	reduce_kept(p);
	unseen = cpu_s - p->cpu_s;
	rank_processes(p->kept, p->n, top_cpu_s, order);
	json_write_object(j, snapshot_fields_key(SNAPSHOT_PROCESSES));
	snapshot_fields_write(j, SNAPSHOT_PROCESSES, SCHEMA_1,
	                      &(struct snapshot_processes){
				  .seen = p->seen,
				  .seen_cpu_s = rounded_to(p->cpu_s, 3),
				  .unseen_cpu_s = rounded_to(unseen < 0 ? 0 : unseen, 3),
			      });
	json_write_array(j, snapshot_fields_key(SNAPSHOT_PROCESS));
	for (size_t i = 0; i < p->n; i++)
		write_process(&p->kept[order[i]], names, j, commands);
	json_write_array_end(j);
	json_write_array(j, snapshot_fields_key(SNAPSHOT_PROCESS_GROUP));
	for (size_t i = 0; i <= TOP_PROCESSES_NAMES; i++)
		if (p->groups[i].count > 0)
			write_name_group(&p->groups[i],
			                 i < TOP_PROCESSES_NAMES ? p->groups[i].name : NULL, j);
	json_write_array_end(j);
	json_write_object_end(j);
}
