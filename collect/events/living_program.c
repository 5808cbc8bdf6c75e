/* living_program: the name and the command line of a process that lives. */
#include "collect/events/living_program.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/procfs/proc_pid.h"
#include "collect/redact/redact.h"

static void redact_comm(struct living_program *p, struct buf *text)
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
	redact_comm(p, text);
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
	redact_comm(program, text);
}
