/* end_signals: the signals that came to the recorder, who sent them and when. */
#include "collect/end/end_signals.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/redact/redact.h"

#define TERMINAL "the terminal"
#define KERNEL   "the kernel"

/* Whether a signal cannot end a process, unless the process asks for it. */
static bool ends_nothing(int signal)
{
	static const int harmless[] = {SIGCHLD, SIGCONT, SIGURG,  SIGWINCH,
	                               SIGTSTP, SIGTTIN, SIGTTOU, SIGSTOP};

	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
		if (harmless[i] == signal)
			return true;
	return false;
}

/* The kernel raises these for what a process itself did: here, the recorder. */
static bool is_of_recorder(const struct signalfd_siginfo *info)
{
	int signal = (int)info->ssi_signo;

	return (signal == SIGPIPE || signal == SIGXFSZ || signal == SIGXCPU) &&
	       (info->ssi_code > 0 || info->ssi_pid == (uint32_t)getpid());
}

/* before: the signal before, NULL: none. Of a flood, only the first sender is looked up. */
static void name_sender(struct end_signals_one *one, const struct end_signals_one *before,
                        const struct root *r, const struct signalfd_siginfo *info)
{
	char path[32];
	long n;

	if (info->ssi_code > 0) {
		bool typed = one->signal == SIGINT || one->signal == SIGQUIT;
		one->pid = 0;
		snprintf(one->from, sizeof one->from, "%s",
		         typed || one->signal == SIGHUP ? TERMINAL : KERNEL);
		return;
	}
	if (before && before->pid == one->pid && *before->from) {
		memcpy(one->from, before->from, sizeof one->from);
		return;
	}
	snprintf(path, sizeof path, "proc/%d/comm", one->pid);
	n = one->pid > 0 ? root_take_fd(root_openat(r, path), one->from, sizeof one->from) : 0;
	one->from[n > 0 ? (size_t)n - 1 : 0] = '\0'; /* it ends in a newline */
}

void end_signals_add(struct end_signals *s, const struct root *r,
                     const struct signalfd_siginfo *info, int64_t at)
{
	struct end_signals_one *one = &s->last[s->n % SNAPSHOT_END_SIGNALS];

	if (ends_nothing((int)info->ssi_signo) || is_of_recorder(info))
		return;
	*one = (struct end_signals_one){.signal = (int)info->ssi_signo,
	                                .pid = (int)info->ssi_pid,
	                                .uid = info->ssi_uid,
	                                .at = at};
	name_sender(one, s->n ? &s->last[(s->n - 1) % SNAPSHOT_END_SIGNALS] : NULL, r, info);
	s->n++;
}

void end_signals_fill(const struct end_signals *s, int64_t end, struct snapshot *snapshot)
{
	struct snapshot_evidence *e = snapshot->end.evidence;
	size_t n = s->n < SNAPSHOT_END_SIGNALS ? s->n : SNAPSHOT_END_SIGNALS;

	e->n_signals = n;
	for (size_t i = 0; i < n; i++) {
		const struct end_signals_one *one = &s->last[(s->n - n + i) % SNAPSHOT_END_SIGNALS];
		const char *known = snapshot_signal_name(one->signal);
		struct buf name = {0};
		char number[16];
		snprintf(number, sizeof number, "%d", one->signal);
		redact_text(one->from, sizeof one->from, &name);
		e->signals[i] = (struct snapshot_end_signal){
		    .signal = *known ? known : snapshot_strdup(snapshot, number),
		    .from = snapshot_strdup(snapshot, name.failed ? "" : buf_cstr(&name)),
		    .pid = one->pid > 0 ? one->pid : (double)NAN,
		    .uid = one->pid > 0 ? one->uid : (double)NAN,
		    .before_s = end > one->at ? (double)(end - one->at) / 1e9 : 0};
		buf_free(&name);
	}
}
