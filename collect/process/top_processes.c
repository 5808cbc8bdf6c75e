/* top_processes: who used it: the processes that were seen, in a table that does not grow. */
#include "collect/process/top_processes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/redact/redact.h"
#include "core/snapshot.h"
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

static void write_command(const struct process *process, struct json_write *j)
{
	struct redact redact = {.command.n_rows = 0};
	char *words[WORDS];
	struct buf text = {.max = 16384};
	char copy[TOP_PROCESSES_COMMAND_MAX];
	size_t n = 0;

	memcpy(copy, process->command, sizeof copy);
	for (size_t at = 0; at < process->command_len && n < WORDS; at += strlen(copy + at) + 1)
		words[n++] = copy + at;
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_char(&text, ' ');
		redact_word(&redact, words[i], &text);
	}
	if (process->cut || n == WORDS)
		buf_str(&text, n ? " …" : "…");
	if (n && !text.failed)
		json_write_str(j, "command", buf_cstr(&text));
	else
		json_write_null(j, "command");
	buf_free(&text);
}

/* -- writing ----------------------------------------------------------------------------------- */

static double rounded(double v, double unit)
{
	return isfinite(v) ? stats_round(v / unit, 0) * unit : v;
}

static void num(struct json_write *j, const char *key, double v, int digits)
{
	static const double scale[] = {1, 10, 100, 1e3};

	json_write_num(j, key, rounded(v * scale[digits], 1) / scale[digits]);
}

static void write_exit(const struct process *p, struct json_write *j)
{
	bool exited = p->reaped && WIFEXITED(p->status);
	bool killed = p->reaped && WIFSIGNALED(p->status);

	json_write_num(j, "exit_code", exited ? (double)WEXITSTATUS(p->status) : (double)NAN);
	json_write_str(j, "signal", killed ? snapshot_signal_name(WTERMSIG(p->status)) : NULL);
}

/* Every process has some memory while it lives: none is that no reading found it alive. */
static double measured(double memory_b)
{
	return memory_b > 0 ? memory_b : (double)NAN;
}

static void write_usage(struct json_write *j, double cpu_s, double rss_b, double pss_b,
                        double read_b, double write_b)
{
	num(j, "cpu_s", cpu_s, 3);
	num(j, "peak_rss_bytes", measured(rss_b), 0);
	num(j, "peak_pss_bytes", measured(pss_b), 0);
	num(j, "read_bytes", read_b, 0);
	num(j, "write_bytes", write_b, 0);
}

/* A process gives itself a name as it likes. */
static void write_name(const char *name, struct json_write *j)
{
	struct buf text = {.max = 1024};

	if (name)
		redact_text(name, TOP_PROCESSES_NAME_MAX, &text);
	json_write_str(j, "name", !name ? NULL : text.failed ? "***" : buf_cstr(&text));
	buf_free(&text);
}

static void write_one(const struct process *p, struct json_write *j, bool commands)
{
	json_write_object(j, NULL);
	json_write_num(j, "pid", p->pid);
	json_write_num(j, "ppid", p->ppid);
	write_name(p->name, j);
	if (commands)
		write_command(p, j);
	num(j, "start", p->start, 2);
	num(j, "end", p->end, 2);
	write_usage(j, p->cpu_s, p->peak_rss_b, p->peak_pss_b, p->read_b, p->write_b);
	write_exit(p, j);
	json_write_object_end(j);
}

static void write_groups(const struct top_processes *p, struct json_write *j)
{
	json_write_array(j, "others");
	for (size_t i = 0; i <= TOP_PROCESSES_NAMES; i++) {
		const struct group *g = &p->groups[i];
		if (g->count <= 0)
			continue;
		json_write_object(j, NULL);
		write_name(i < TOP_PROCESSES_NAMES ? g->name : NULL, j);
		json_write_num(j, "count", g->count);
		write_usage(j, g->cpu_s, g->peak_rss_b, g->peak_pss_b, g->read_b, g->write_b);
		json_write_object_end(j);
	}
	json_write_array_end(j);
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
	json_write_object(j, "processes");
	json_write_num(j, "seen", p->seen);
	num(j, "seen_cpu_s", p->cpu_s, 3);
	num(j, "unseen_cpu_s", unseen < 0 ? 0 : unseen, 3);
	json_write_array(j, "singly");
	for (size_t i = 0; i < p->n; i++)
		write_one(&p->kept[order[i]], j, commands);
	json_write_array_end(j);
	write_groups(p, j);
	json_write_object_end(j);
}
