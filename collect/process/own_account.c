/* own_account: what one process used itself, without the children that it waited for. */
#include "collect/process/own_account.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static bool read_first_thread(const struct tracked_process *p, const struct root *r,
                              struct proc_pid_io *out)
{
	char path[48];
	int fd, failed;

	snprintf(path, sizeof path, "task/%d/io", p->pid);
	fd = proc_pid_open(r, p->pid, path);
	if (fd < 0)
		return false;
	failed = proc_pid_io_read(fd, out);
	close(fd);
	return !failed;
}

static uint64_t growth(uint64_t before, uint64_t now)
{
	return now > before ? now - before : 0;
}

static void add_growth(struct proc_pid_io *own, const struct proc_pid_io *before,
                       const struct proc_pid_io *now)
{
	own->read_bytes += growth(before->read_bytes, now->read_bytes);
	own->write_bytes += growth(before->write_bytes, now->write_bytes);
	own->cancelled_write_bytes +=
	    growth(before->cancelled_write_bytes, now->cancelled_write_bytes);
	own->rchar += growth(before->rchar, now->rchar);
	own->wchar += growth(before->wchar, now->wchar);
}

int own_account_io(struct own_account *a, struct tracked_process *p, const struct root *r)
{
	struct proc_pid_io first = a->first;
	uint64_t stamp;
	bool has_first, waited;

	if (p->idle)
		return p->io_denied ? -1 : 0;
	has_first = read_first_thread(p, r, &first);
	if (tracked_process_io(p, r)) {
		p->io = a->own;
		return -1;
	}
	/* After the bytes: a child that was reaped before they were read shows here. */
	(void)tracked_process_read(p, r);
	stamp = tracked_process_reap_stamp(p);
	waited = stamp != a->reap_stamp;
	a->threads |= p->stat.num_threads > 1 || !has_first;
	if (!a->threads || waited)
		add_growth(&a->own, &a->first, &first);
	else
		add_growth(&a->own, &a->all, &p->io);
	a->missed |= a->known && a->threads && waited;
	a->known = true;
	a->reap_stamp = stamp;
	a->first = first;
	a->all = p->io;
	p->io = a->own;
	return 0;
}

void own_account_bytes(const struct proc_pid_io *io, double v[CPU_ACCOUNTING_COUNT])
{
	v[CPU_ACCOUNTING_READ] = (double)io->read_bytes;
	v[CPU_ACCOUNTING_WRITE] = (double)io->write_bytes;
	v[CPU_ACCOUNTING_RCHAR] = (double)io->rchar;
	v[CPU_ACCOUNTING_WCHAR] = (double)io->wchar;
	v[CPU_ACCOUNTING_CANCELLED] = (double)io->cancelled_write_bytes;
}

static struct timeval timeval_of(double s)
{
	return (struct timeval){.tv_sec = (time_t)s,
	                        .tv_usec = (suseconds_t)((s - floor(s)) * 1e6)};
}

void own_account_end(struct own_account *a, const struct tracked_process *p, double tick_s,
                     struct rusage *usage, double total[CPU_ACCOUNTING_COUNT])
{
	double stime_s;

	if (!p) {
		a->unseen = true;
		return;
	}
	if (tracked_process_ended(p) && tracked_process_reap_stamp(p) == 0)
		return;
	a->mixed = true;
	stime_s = (double)p->stat.stime * tick_s;
	stime_s = stime_s < p->cpu_s ? stime_s : p->cpu_s;
	*usage = (struct rusage){.ru_utime = timeval_of(p->cpu_s - stime_s),
	                         .ru_stime = timeval_of(stime_s),
	                         .ru_minflt = (long)p->stat.minflt,
	                         .ru_majflt = (long)p->stat.majflt};
	total[CPU_ACCOUNTING_UTIME] = p->cpu_s - stime_s;
	total[CPU_ACCOUNTING_STIME] = stime_s;
	own_account_bytes(&p->io, total);
}

void own_account_totals(const struct own_account *a, struct snapshot_totals *t)
{
	if (a->mixed)
		t->ctx_voluntary = t->ctx_involuntary = NAN;
}

void own_account_notes(const struct own_account *a, struct snapshot *s)
{
	if (a->unseen)
		snapshot_note(s, "The command ended before its own usage could be read: what the "
		                 "children that it waited for used is counted too.");
	if (a->missed)
		snapshot_note(s, "The process has several threads and waits for children, whose "
		                 "storage bytes the kernel adds to its own: bytes that its other "
		                 "threads read and wrote at these times are missing.");
}
