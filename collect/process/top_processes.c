/* top_processes: who used it: the processes that were seen, in a table that does not grow. */
#include "collect/process/top_processes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/redact/redact.h"
#include "core/snapshot.h"
#include "core/snapshot_fields.h"
#include "core/stats.h"

#define KEPT  (2 * TOP_PROCESSES_TOP + 112) /* the spare ones spare most sortings */
#define WORDS 64

/* What is summed by name. */
struct group {
	char name[TOP_PROCESSES_NAME_MAX];
	double count, cpu_s, read_b, write_b;
	double peak_rss_b, peak_pss_b; /* of the largest */
};

struct top_processes {
	struct process *living; /* places */
	size_t places, high;
	struct process kept[KEPT];
	size_t n;
	struct group groups[TOP_PROCESSES_NAMES + 1]; /* the last: all other names */
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

struct process *top_processes_at(struct top_processes *p, size_t place)
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

/* -- what is not told singly ------------------------------------------------------------------- */

static double larger(double a, double b)
{
	return b > a ? b : a;
}

static struct group *group_of(struct top_processes *p, const char *name)
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

static void sum_up(struct top_processes *p, const struct process *process)
{
	struct group *g = group_of(p, process->name);

	g->count++;
	g->cpu_s += process->cpu_s;
	g->read_b += isnan(process->read_b) ? 0 : process->read_b;
	g->write_b += isnan(process->write_b) ? 0 : process->write_b;
	g->peak_rss_b = larger(g->peak_rss_b, process->peak_rss_b);
	g->peak_pss_b = larger(g->peak_pss_b, process->peak_pss_b);
}

/* -- which are --------------------------------------------------------------------------------- */

static double cpu_of(const struct process *p)
{
	return p->cpu_s;
}

static double memory_of(const struct process *p)
{
	return p->peak_rss_b;
}

/* Puts the places of the first n in order, the largest first; of equals the first comes first. Not
 * by qsort(3), which allocates. */
static void rank(const struct process *v, size_t n, double (*of)(const struct process *),
                 size_t order[KEPT])
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

static void reduce(struct top_processes *p)
{
	size_t order[KEPT], left = 0;
	bool keep[KEPT] = {false};

	for (int by = 0; by < 2; by++) {
		rank(p->kept, p->n, by ? memory_of : cpu_of, order);
		for (size_t i = 0; i < p->n && i < TOP_PROCESSES_TOP; i++)
			keep[order[i]] = true;
	}
	for (size_t i = 0; i < p->n; i++)
		if (!keep[i])
			sum_up(p, &p->kept[i]);
		else if (left++ != i)
			p->kept[left - 1] = p->kept[i];
	p->n = left;
}

static void take(struct top_processes *p, const struct process *process)
{
	if (p->n == KEPT)
		reduce(p);
	p->kept[p->n++] = *process;
	p->seen++;
	p->cpu_s += process->cpu_s;
}

void top_processes_end(struct top_processes *p, size_t place)
{
	if (p->living[place].pid)
		take(p, &p->living[place]);
	p->living[place] = (struct process){0};
}

double top_processes_cpu(const struct top_processes *p)
{
	double sum = p->cpu_s;

	for (size_t i = 0; i < p->high; i++)
		sum += p->living[i].cpu_s;
	return sum;
}

/* -- command lines ----------------------------------------------------------------------------- */

/* A word that is cut could show a part of a secret that is not known by its form any more. */
void top_processes_set_command(struct process *process, const char *text, size_t n, bool whole)
{
	size_t fits = n < sizeof process->command ? n : sizeof process->command;

	process->cut = !whole || fits < n;
	/* A process may write over its words, and leave no NUL at the end. */
	if (!process->cut && fits > 0 && text[fits - 1] != '\0' && fits == n) {
		process->cut = fits == sizeof process->command;
		if (!process->cut) {
			memcpy(process->command, text, fits);
			process->command[fits] = '\0';
			process->command_len = fits + 1;
			return;
		}
	}
	while (fits > 0 && text[fits - 1] != '\0')
		fits--;
	memcpy(process->command, text, fits);
	process->command_len = fits;
}

void top_processes_read_command(struct process *process, const struct root *r)
{
	char text[TOP_PROCESSES_COMMAND_MAX + 2];
	int fd = proc_pid_open(r, process->pid, "cmdline");
	long n = fd < 0 ? -1 : root_head_fd(fd, text, sizeof text);

	if (fd >= 0)
		close(fd);
	process->asked = true;
	if (n > 0)
		top_processes_set_command(process, text, (size_t)n, n <= TOP_PROCESSES_COMMAND_MAX);
}

void top_processes_note(struct top_processes *p, size_t place, const struct tracked_process *m,
                        double start, const struct root *r)
{
	struct process *process = top_processes_at(p, place);
	bool first = process->pid == 0, other;

	if (first)
		*process = (struct process){.pid = m->pid, .start = start, .end = NAN};
	process->ppid = m->stat.ppid;
	process->cpu_s = m->cpu_s;
	process->peak_rss_b = m->peak_rss_b;
	process->peak_pss_b = m->peak_pss_b;
	process->read_b = m->io_denied ? (double)NAN : (double)m->io.read_bytes;
	process->write_b = m->io_denied ? (double)NAN : (double)m->io.write_bytes;
	other = strncmp(process->name, m->stat.comm, sizeof process->name - 1) != 0;
	if (other)
		memcpy(process->name, m->stat.comm, sizeof process->name - 1);
	/* Most of those that are seen once are gone soon. */
	if (!first && (other || !process->asked) && !tracked_process_ended(m))
		top_processes_read_command(process, r);
}

/* The command, redacted, in *text; NULL where it was not read. */
static const char *command_text(const struct process *process, struct buf *text)
{
	struct redact redact = {.command.n_rows = 0};
	char *words[WORDS];
	char copy[TOP_PROCESSES_COMMAND_MAX];
	size_t n = 0;

	memcpy(copy, process->command, sizeof copy);
	for (size_t at = 0; at < process->command_len && n < WORDS; at += strlen(copy + at) + 1)
		words[n++] = copy + at;
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_char(text, ' ');
		redact_word(&redact, words[i], text);
	}
	if (process->cut || n == WORDS)
		buf_str(text, n ? " …" : "…");
	return n && !text->failed ? buf_cstr(text) : NULL;
}

/* -- writing ----------------------------------------------------------------------------------- */

static double rounded(double v, double unit)
{
	return isfinite(v) ? stats_round(v / unit, 0) * unit : v;
}

static double rounded_to(double v, int digits)
{
	static const double scale[] = {1, 10, 100, 1e3};

	return rounded(v * scale[digits], 1) / scale[digits];
}

/* Every process has some memory while it lives: none is that no reading found it alive. */
static double measured(double memory_b)
{
	return memory_b > 0 ? rounded_to(memory_b, 0) : (double)NAN;
}

/* A process gives itself a name as it likes. */
static const char *name_text(const char *name, struct buf *text)
{
	redact_text(name, TOP_PROCESSES_NAME_MAX, text);
	return text->failed ? "***" : buf_cstr(text);
}

static void write_process(const struct process *p, struct json_write *j, bool commands)
{
	struct buf name = {.max = 1024}, command = {.max = 16384};
	bool exited = p->reaped && WIFEXITED(p->status);
	bool killed = p->reaped && WIFSIGNALED(p->status);

	snapshot_fields_element(
	    j, SNAPSHOT_PROCESS,
	    &(struct snapshot_process){
		.pid = p->pid,
		.ppid = p->ppid,
		.name = name_text(p->name, &name),
		.command = commands ? command_text(p, &command) : snapshot_field_left_out,
		.start = rounded_to(p->start, 2),
		.end = rounded_to(p->end, 2),
		.cpu_s = rounded_to(p->cpu_s, 3),
		.peak_rss_b = measured(p->peak_rss_b),
		.peak_pss_b = measured(p->peak_pss_b),
		.read_b = rounded_to(p->read_b, 0),
		.write_b = rounded_to(p->write_b, 0),
		.exit_code = exited ? (double)WEXITSTATUS(p->status) : (double)NAN,
		.signal = killed ? snapshot_signal_name(WTERMSIG(p->status)) : NULL,
	    });
	buf_free(&name);
	buf_free(&command);
}

/* name NULL: the sum of all groups that found no room. */
static void write_group(const struct group *g, const char *name, struct json_write *j)
{
	struct buf text = {.max = 1024};

	snapshot_fields_element(j, SNAPSHOT_PROCESS_GROUP,
	                        &(struct snapshot_process){
				    .name = name ? name_text(name, &text) : NULL,
				    .count = g->count,
				    .cpu_s = rounded_to(g->cpu_s, 3),
				    .peak_rss_b = measured(g->peak_rss_b),
				    .peak_pss_b = measured(g->peak_pss_b),
				    .read_b = rounded_to(g->read_b, 0),
				    .write_b = rounded_to(g->write_b, 0),
				});
	buf_free(&text);
}

void top_processes_write(struct top_processes *p, struct json_write *j, double cpu_s, bool commands)
{
	size_t order[KEPT];
	double unseen;

	for (size_t i = 0; i < p->high; i++)
		top_processes_end(p, i);
	reduce(p);
	unseen = cpu_s - p->cpu_s;
	rank(p->kept, p->n, cpu_of, order);
	json_write_object(j, snapshot_block_key(SNAPSHOT_PROCESSES));
	snapshot_fields_write(j, SNAPSHOT_PROCESSES, SCHEMA_1,
	                      &(struct snapshot_processes){
				  .seen = p->seen,
				  .seen_cpu_s = rounded_to(p->cpu_s, 3),
				  .unseen_cpu_s = rounded_to(unseen < 0 ? 0 : unseen, 3),
			      });
	json_write_array(j, snapshot_block_key(SNAPSHOT_PROCESS));
	for (size_t i = 0; i < p->n; i++)
		write_process(&p->kept[order[i]], j, commands);
	json_write_array_end(j);
	json_write_array(j, snapshot_block_key(SNAPSHOT_PROCESS_GROUP));
	for (size_t i = 0; i <= TOP_PROCESSES_NAMES; i++)
		if (p->groups[i].count > 0)
			write_group(&p->groups[i],
			            i < TOP_PROCESSES_NAMES ? p->groups[i].name : NULL, j);
	json_write_array_end(j);
	json_write_object_end(j);
}
