/* living: the processes of the job that live now, by pid. */
#include "collect/events/living.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/procfs/proc_pid.h"
#include "collect/redact/redact.h"

#define NONE (-1)

void living_open(struct living_table *t)
{
	t->free_place = t->free_program = NONE;
	for (int i = 0; i < LIVING_CHAINS; i++)
		t->chains[i] = NONE;
}

static int *chain_of_pid(struct living_table *t, int pid)
{
	return &t->chains[(unsigned)pid % LIVING_CHAINS];
}

struct living *living_find(struct living_table *t, int pid)
{
	int at = *chain_of_pid(t, pid);

	while (at != NONE && t->of[at].pid != pid)
		at = t->of[at].next;
	return at == NONE ? NULL : &t->of[at];
}

struct living *living_parent(struct living_table *t, const struct living *p)
{
	struct living *parent = p->parent ? living_find(t, p->ppid) : NULL;

	return parent && parent->id == p->parent ? parent : NULL;
}

struct living *living_add(struct living_table *t, int pid, struct living *parent, double start_s)
{
	int place = t->free_place;
	struct living *p;

	t->n++;
	if (place != NONE)
		t->free_place = t->of[place].next;
	else if (t->high < LIVING_MAX)
		place = t->high++;
	else {
		t->beyond++;
		return NULL;
	}
	p = &t->of[place];
	*p = (struct living){.id = ++t->ids,
	                     .parent = parent ? parent->id : 0,
	                     .next = *chain_of_pid(t, pid),
	                     .start_s = start_s,
	                     .cpu_s = NAN,
	                     .memory_b = NAN,
	                     .status = PROCESS_ENTRY_UNKNOWN,
	                     .gone_s = NAN,
	                     .threads = LIVING_UNCOUNTED,
	                     .inherited_s = NAN};
	if (parent) {
		p->program = parent->program;
		if (p->program)
			p->program->users++;
		parent->children++;
		parent->forked = true;
	}
	p->pid = pid;
	p->ppid = parent ? parent->pid : 0;
	*chain_of_pid(t, pid) = place;
	return p;
}

static void leave_program(struct living_table *t, struct living *p)
{
	struct living_program *program = p->program;

	p->program = NULL;
	if (!program || --program->users)
		return;
	program->next = t->free_program;
	t->free_program = (int)(program - t->programs);
}

struct living_program *living_exec(struct living_table *t, struct living *p)
{
	int place;

	leave_program(t, p);
	place = t->free_program;
	if (place != NONE)
		t->free_program = t->programs[place].next;
	else if (t->high_program < LIVING_NAMES)
		place = t->high_program++;
	else
		return NULL;
	p->program = &t->programs[place];
	*p->program = (struct living_program){.users = 1, .top.pid = p->pid};
	return p->program;
}

void living_remove(struct living_table *t, struct living *p)
{
	int place = (int)(p - t->of), *at = chain_of_pid(t, p->pid);

	while (*at != place)
		at = &t->of[*at].next;
	*at = p->next;
	for (int i = 0; i < t->n_zombies;)
		if (t->zombies[i].parent == p->id)
			t->zombies[i] = t->zombies[--t->n_zombies];
		else
			i++;
	leave_program(t, p);
	p->pid = 0;
	p->next = t->free_place;
	t->free_place = place;
}

/* -- the name and the command line of a process that lives ------------------------------------- */

void living_program_redact(struct living_program *p, struct buf *text)
{
	buf_clear(text);
	redact_text(p->top.name, sizeof p->top.name, text);
	(void)snprintf(p->name, sizeof p->name, "%s", text->failed ? "***" : buf_cstr(text));
}

void living_program_read(struct living_program *p, const struct root *r, bool commands,
                         bool hurries, struct buf *text)
{
	int fd;
	long n;

	/* First what is gone first. */
	if (commands && !hurries)
		top_processes_read_command(&p->top, r);
	fd = proc_pid_open(r, p->top.pid, "comm");
	n = fd < 0 ? -1 : root_head_fd(fd, p->top.name, sizeof p->top.name);
	if (fd >= 0)
		close(fd);
	if (n > 0 && p->top.name[n - 1] == '\n')
		p->top.name[n - 1] = '\0';
	living_program_redact(p, text);
}

void living_program_take(struct living_table *t, struct living *p, const struct top_process *top,
                         bool commands, struct buf *text)
{
	struct living_program *program = p->program;
	bool other = !program || strcmp(top->name, program->top.name) != 0;

	if (!*top->name || (!other && (program->top.command_len || !top->command_len)))
		return;
	if (!program || program->users > 1)
		program = living_exec(t, p);
	if (!program)
		return;
	memcpy(program->top.name, top->name, sizeof program->top.name);
	if (commands) {
		memcpy(program->top.command, top->command, sizeof program->top.command);
		program->top.command_len = top->command_len;
		program->top.cut = top->cut;
	}
	living_program_redact(program, text);
}
