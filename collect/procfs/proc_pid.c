/* proc_pid: the files of one process, /proc/PID/… */
#include "collect/procfs/proc_pid.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/procfs/scan.h"

#define EXITING 4 /* PF_EXITING of the kernel */

#define CHILDREN_WHOLE 3072 /* a shorter read was the last of a children file */

static int bad_message(void)
{
	errno = EBADMSG;
	return -1;
}

/* -- parsers ----------------------------------------------------------------------------------- */

/* A count, which some kernels print as a signed number; below 0 it is 0. */
static bool scan_count(struct scan *s, uint64_t *out)
{
	int64_t minus;

	if (scan_u64(s, out))
		return true;
	*out = 0;
	return scan_i64(s, &minus);
}

static bool scan_counts(struct scan *s, uint64_t *const *out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!scan_count(s, out[i]))
			return false;
	return true;
}

int proc_pid_stat_parse(const char *text, size_t n, struct proc_pid_stat *out)
{
	const char *open = n ? memchr(text, '(', n) : NULL;
	const char *close = n ? memrchr(text, ')', n) : NULL;
	struct scan s = scan_text(text, n), word, group, session, terminal;
	uint64_t *const faults[] = {&out->minflt, &out->cminflt, &out->majflt, &out->cmajflt};
	uint64_t *const times[] = {&out->utime, &out->stime, &out->cutime, &out->cstime};
	uint64_t threads, flags;

	*out = (struct proc_pid_stat){0};
	if (!scan_int(&s, &out->pid) || !open || !close || close <= open)
		return bad_message();
	scan_copy((struct scan){open + 1, close}, out->comm, sizeof out->comm);
	s.p = close + 1;
	if (!scan_word(&s, &word))
		return bad_message();
	out->state = *word.p;
	/* Skipped: the foreground group of the terminal */
	if (!scan_int(&s, &out->ppid) || !scan_word(&s, &group) || !scan_word(&s, &session) ||
	    !scan_word(&s, &terminal) || !scan_skip(&s, 1) || !scan_count(&s, &flags) ||
	    !scan_counts(&s, faults, 4) || !scan_counts(&s, times, 4))
		return bad_message();
	out->exiting = flags & EXITING;
	(void)scan_int(&group, &out->group);
	(void)scan_int(&session, &out->session);
	out->terminal = !scan_is(terminal, "0");
	/* Skipped: priority, nice; after num_threads itrealvalue, which is always 0 */
	if (!scan_skip(&s, 2) || !scan_count(&s, &threads) || !scan_skip(&s, 1) ||
	    !scan_count(&s, &out->starttime) || !scan_count(&s, &out->vsize) ||
	    !scan_i64(&s, &out->rss_pages))
		return bad_message();
	out->num_threads = threads < LONG_MAX ? (long)threads : LONG_MAX;
	/* Skipped: the limit of rss, the first and the last address of the code */
	if (!scan_skip(&s, 3) || !scan_count(&s, &out->stack))
		out->stack = 0;
	return 0;
}

int proc_pid_io_parse(const char *text, size_t n, struct proc_pid_io *out)
{
	struct scan s = scan_text(text, n), line;
	unsigned found = 0;

	*out = (struct proc_pid_io){.text_n = n};
	while (scan_line(&s, &line)) {
		if (scan_literal(&line, "read_bytes:"))
			found |= scan_u64(&line, &out->read_bytes) ? 1 : 0;
		else if (scan_literal(&line, "write_bytes:"))
			found |= scan_u64(&line, &out->write_bytes) ? 2 : 0;
		else if (scan_literal(&line, "cancelled_write_bytes:"))
			scan_count(&line, &out->cancelled_write_bytes);
		else if (scan_literal(&line, "rchar:"))
			scan_count(&line, &out->rchar);
		else if (scan_literal(&line, "wchar:"))
			scan_count(&line, &out->wchar);
	}
	return found == 3 ? 0 : bad_message();
}

static void add_saturated(uint64_t *sum, uint64_t v)
{
	*sum = v > UINT64_MAX - *sum ? UINT64_MAX : *sum + v;
}

/* Adds a value in KiB to a sum in bytes. */
static bool add_kib(struct scan *s, uint64_t *sum)
{
	uint64_t kib;

	if (!scan_u64(s, &kib))
		return false;
	add_saturated(sum, kib > UINT64_MAX / 1024 ? UINT64_MAX : kib * 1024);
	return true;
}

int proc_pid_smaps_parse(const char *text, size_t n, struct proc_pid_smaps *out)
{
	const struct {
		const char *key;
		uint64_t *sum;
	} fields[] = {
	    {"Rss:", &out->rss_b},
	    {"Pss:", &out->pss_b},
	    {"Private_Clean:", &out->private_b},
	    {"Private_Dirty:", &out->private_b},
	    {"SwapPss:", &out->swap_pss_b},
	    {"Anonymous:", &out->anonymous_b},
	    {"Pss_File:", &out->pss_mapped_b},
	    {"Pss_Shmem:", &out->pss_shmem_b},
	};
	struct scan s = scan_text(text, n), line;
	bool found = false;

	*out = (struct proc_pid_smaps){0};
	while (scan_line(&s, &line))
		for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
			if (scan_literal(&line, fields[i].key)) {
				bool read = add_kib(&line, fields[i].sum);

				found |= read && fields[i].sum == &out->pss_b;
				break;
			}
	add_saturated(&out->pss_mapped_b, out->pss_shmem_b);
	return found ? 0 : bad_message();
}

static bool scan_uid(struct scan *s, unsigned *out)
{
	uint64_t v;

	if (!scan_u64(s, &v) || v > UINT_MAX)
		return false;
	*out = (unsigned)v;
	return true;
}

/* Whether a hexadecimal set of signals, the highest first, contains one. */
static bool has_signal(struct scan line, int signal)
{
	struct scan word;
	unsigned nibble = (unsigned)(signal - 1) / 4;
	int digit;

	if (!scan_word(&line, &word) || (size_t)(word.end - word.p) <= nibble)
		return false;
	digit = scan_hex(word.end[-1 - (int)nibble]);
	return digit >= 0 && (digit >> (signal - 1) % 4 & 1);
}

int proc_pid_status_parse(const char *text, size_t n, struct proc_pid_status *out)
{
	struct scan s = scan_text(text, n), line;
	bool found = false;

	*out = (struct proc_pid_status){0};
	while (scan_line(&s, &line)) {
		if (scan_literal(&line, "Uid:"))
			found = scan_uid(&line, &out->uid) && scan_uid(&line, &out->euid);
		else if (scan_literal(&line, "VmPeak:"))
			add_kib(&line, &out->vm_peak_b);
		else if (scan_literal(&line, "VmHWM:"))
			add_kib(&line, &out->hwm_b);
		else if (scan_literal(&line, "VmRSS:"))
			add_kib(&line, &out->rss_b);
		else if (scan_literal(&line, "RssFile:"))
			out->has_split |= add_kib(&line, &out->mapped_b);
		else if (scan_literal(&line, "RssShmem:"))
			add_kib(&line, &out->shmem_b);
		else if (scan_literal(&line, "HugetlbPages:"))
			add_kib(&line, &out->hugetlb_b);
		else if (scan_literal(&line, "SigIgn:"))
			out->ignores_children = has_signal(line, SIGCHLD);
		else if (scan_literal(&line, "voluntary_ctxt_switches:"))
			scan_u64(&line, &out->ctx_voluntary);
		else if (scan_literal(&line, "nonvoluntary_ctxt_switches:"))
			scan_u64(&line, &out->ctx_involuntary);
	}
	add_saturated(&out->mapped_b, out->shmem_b);
	return found || out->has_split ? 0 : bad_message();
}

int proc_pid_schedstat_parse(const char *text, size_t n, struct proc_pid_schedstat *out)
{
	struct scan s = scan_text(text, n);

	*out = (struct proc_pid_schedstat){0};
	if (!scan_u64(&s, &out->run_ns))
		return bad_message();
	if (!scan_u64(&s, &out->wait_ns) || !scan_u64(&s, &out->slices))
		out->wait_ns = out->slices = 0;
	return 0;
}

/* -- readers ----------------------------------------------------------------------------------- */

int proc_pid_stat_read(int fd, struct proc_pid_stat *out)
{
	char text[2048];
	long n = root_head_fd(fd, text, sizeof text);

	return n < 0 ? -1 : proc_pid_stat_parse(text, (size_t)n, out);
}

int proc_pid_io_read(int fd, struct proc_pid_io *out)
{
	char text[512];
	long n = root_head_fd(fd, text, sizeof text);

	return n < 0 ? -1 : proc_pid_io_parse(text, (size_t)n, out);
}

int proc_pid_smaps_read(int fd, struct proc_pid_smaps *out)
{
	char text[4096];
	long n = root_head_fd(fd, text, sizeof text);

	return n < 0 ? -1 : proc_pid_smaps_parse(text, (size_t)n, out);
}

int proc_pid_status_read(int fd, struct proc_pid_status *out)
{
	/* The lists of groups and memory nodes can be long, and the context switches come after
	 * them. */
	char text[16384];
	long n = root_head_fd(fd, text, sizeof text);

	return n < 0 ? -1 : proc_pid_status_parse(text, (size_t)n, out);
}

int proc_pid_schedstat_read(int fd, struct proc_pid_schedstat *out)
{
	char text[128];
	long n = root_head_fd(fd, text, sizeof text);

	return n < 0 ? -1 : proc_pid_schedstat_parse(text, (size_t)n, out);
}

int proc_pid_open(const struct root *r, int pid, const char *file)
{
	char path[64];

	if ((size_t)snprintf(path, sizeof path, "proc/%d/%s", pid, file) >= sizeof path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return root_openat(r, path);
}

int proc_pid_stat_of(const struct root *r, int pid, struct proc_pid_stat *out)
{
	int fd = proc_pid_open(r, pid, "stat"), failed;

	if (fd < 0)
		return -1;
	failed = proc_pid_stat_read(fd, out);
	close(fd);
	return failed;
}

int proc_pid_check(const struct root *r, int pid, struct err *e)
{
	int fd = proc_pid_open(r, pid, "stat");

	if (fd >= 0) {
		close(fd);
		return 0;
	}
	fd = root_openat(r, "proc/stat");
	if (fd < 0)
		return err_set(e, "process %d cannot be seen: /proc/stat: %s", pid,
		               strerror(errno));
	close(fd);
	if (r->other_pids)
		return err_set(e, "process %d cannot be seen: /proc is of another PID namespace",
		               pid);
	return err_set(e, "no process %d", pid);
}

/* -- descendants ------------------------------------------------------------------------------- */

static void list_child(struct proc_pid_list *list, long pid)
{
	if (pid <= 0 || pid > INT_MAX)
		return;
	if (list->n < list->max)
		list->pids[list->n++] = (int)pid;
	else
		list->cut = true;
}

void proc_pid_children_parse(struct proc_pid_list *list, const char *text, size_t n, long *partial,
                             bool last)
{
	for (size_t i = 0; i < n; i++) {
		if (text[i] >= '0' && text[i] <= '9') {
			if (*partial <= INT_MAX)
				*partial = *partial * 10 + (text[i] - '0');
			continue;
		}
		list_child(list, *partial);
		*partial = 0;
	}
	if (last) {
		list_child(list, *partial);
		*partial = 0;
	}
}

int proc_pid_children_read(int fd, struct proc_pid_list *list)
{
	char text[4096];
	off_t at = 0;
	long partial = 0;
	ssize_t n;

	while (!list->cut) {
		n = pread(fd, text, sizeof text, at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		/* The kernel fills a page per read until the next number does not fit. */
		proc_pid_children_parse(list, text, (size_t)n, &partial, n < CHILDREN_WHOLE);
		if (n < CHILDREN_WHOLE)
			break;
		at += n;
	}
	return 0;
}

struct thread_children {
	const struct root *r;
	int pid;
	struct proc_pid_list *list;
	bool any;
	size_t *left;
};

/* A thread that has ended has no children. */
static void list_thread_children(struct thread_children *t, int tid)
{
	char file[48];
	int fd;

	snprintf(file, sizeof file, "task/%d/children", tid);
	fd = proc_pid_open(t->r, t->pid, file);
	if (fd < 0)
		return;
	if (proc_pid_children_read(fd, t->list) == 0)
		t->any = true;
	close(fd);
}

static bool pid_of_name(const char *name, int *out)
{
	struct scan s = scan_text(name, strlen(name));

	return scan_int(&s, out) && s.p == s.end && *out > 0;
}

static int each_thread_dir(void *ctx, const char *name, bool is_dir)
{
	struct thread_children *t = ctx;
	int tid;

	if (is_dir && pid_of_name(name, &tid))
		list_thread_children(t, tid);
	return t->list->cut;
}

int proc_pid_children(const struct root *r, int pid, long num_threads, struct proc_pid_list *list)
{
	struct thread_children t = {.r = r, .pid = pid, .list = list};
	struct proc_pid_stat stat;

	if (num_threads > 1) {
		char path[32];

		snprintf(path, sizeof path, "proc/%d/task", pid);
		root_list(r, path, each_thread_dir, &t);
	} else {
		list_thread_children(&t, pid);
	}
	if (t.any)
		return 0;
	errno = proc_pid_stat_of(r, pid, &stat) ? ESRCH : ENOSYS;
	return -1;
}

static int each_other_thread(void *ctx, const char *name, bool is_dir)
{
	struct thread_children *t = ctx;
	int tid;

	if (is_dir && pid_of_name(name, &tid) && tid != t->pid) {
		list_thread_children(t, tid);
		--*t->left;
	}
	return t->list->cut || *t->left == 0;
}

void proc_pid_children_others(const struct root *r, int pid, int64_t *at, size_t *left,
                              struct proc_pid_list *list)
{
	struct thread_children t = {.r = r, .pid = pid, .list = list, .left = left};
	char path[32];

	snprintf(path, sizeof path, "proc/%d/task", pid);
	if (*left && root_list_part(r, path, at, each_other_thread, &t) < 0)
		*at = 0;
}

struct process_scan {
	const struct root *r;
	proc_pid_each each;
	void *ctx;
};

static int each_process_dir(void *ctx, const char *name, bool is_dir)
{
	struct process_scan *a = ctx;
	struct proc_pid_stat stat;
	int pid;

	if (!is_dir || !pid_of_name(name, &pid) || proc_pid_stat_of(a->r, pid, &stat))
		return 0;
	return a->each(a->ctx, &stat);
}

int proc_pid_scan(const struct root *r, proc_pid_each each, void *ctx)
{
	struct process_scan a = {r, each, ctx};

	return root_list(r, "proc", each_process_dir, &a);
}

struct dir_counts {
	long processes, dirs;
};

static int count_dir(void *ctx, const char *name, bool is_dir)
{
	struct dir_counts *t = ctx;
	int pid;

	if (is_dir && pid_of_name(name, &pid))
		t->processes++;
	else if (is_dir)
		t->dirs++;
	return 0;
}

long proc_pid_count(int fd, long *dirs)
{
	struct dir_counts t = {0};

	if (root_list_fd(fd, count_dir, &t) < 0)
		return -1;
	if (dirs)
		*dirs = t.dirs;
	return t.processes;
}
