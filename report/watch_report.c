/* watch_report: --watch. */
#include "report/watch_report.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "report/options/privdrop.h"
#include "report/watch/watch.h"

#define PATIENCE                                                                                   \
	100 /* what took CPU time t is written again after so many times t: 1 % of a core */

/* -- on the terminal --------------------------------------------------------------------------- */

int watch_report_screen(const struct report_options *o, const struct store *s, struct buf *said,
                        struct err *e)
{
	const struct watch_from from = {.source = o->input,
	                                .n_sources = o->n_inputs,
	                                .store = s,
	                                .group_by = &o->group_by,
	                                .use = o->history};
	struct watch_terminal t = {.is_open = false};
	int failed;

	if (watch_terminal_open(&t, e))
		return -1;
	privdrop(o);
	failed = watch(&from, &t, said, e);
	watch_terminal_close(&t);
	return failed;
}

/* -- outputs ----------------------------------------------------------------------------------- */

int watch_report_choose(const struct report_options *o, const struct store *s,
                        struct watch_page *page, struct watch_sources *from, struct err *e)
{
	*from = (struct watch_sources){.n = 0};
	from->input = alloc_failed_note(calloc(o->n_inputs, sizeof *from->input));
	from->folder = alloc_failed_note(calloc(o->n_inputs, sizeof *from->folder));
	if (!from->input || !from->folder)
		return err_set(e, "no memory");
	if (watch_page_choose(page, s, o->input, o->n_inputs, &from->recording, e))
		return -1;
	from->current = input_of(buf_cstr(&from->recording));
	/* The history of a recording is in its folder. */
	for (size_t i = 0; i < o->n_inputs; i++) {
		struct buf *folder = &from->folder[i];
		if (o->input[i].place == INPUT_S3)
			buf_str(folder, o->input[i].name);
		else
			watch_jobs_folder(o->input[i], folder);
		from->input[from->n++] = input_of(buf_cstr(folder));
	}
	return 0;
}

void watch_report_free(struct watch_sources *from)
{
	for (size_t i = 0; i < from->n; i++)
		buf_free(&from->folder[i]);
	buf_free(&from->recording);
	free(from->folder);
	free(from->input);
	*from = (struct watch_sources){.n = 0};
}

/* One time, in a process of its own. */
static int write_once(watch_report_write *write, const struct report_options *o,
                      struct watch_page *page, double *cpu_s, struct err *e)
{
	struct rusage used = {0};
	pid_t pid = fork();
	int status = 0;

	if (pid == 0)
		_exit(write(o, page, e));
	while (pid > 0 && wait4(pid, &status, 0, &used) < 0 && errno == EINTR)
		;
	*cpu_s = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	         1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
	if (pid < 0)
		err_set(e, "no process for the page: %s", strerror(errno));
	else if (!WIFEXITED(status))
		err_set(e, "the process that wrote the page was ended by signal %d",
		        WTERMSIG(status));
	return *e->msg ? 1 : WEXITSTATUS(status);
}

/* The signals that end it only end its pauses; its children have them blocked, too. */
static void hold_signals(sigset_t *held)
{
	sigemptyset(held);
	sigaddset(held, SIGINT);
	sigaddset(held, SIGTERM);
	sigaddset(held, SIGHUP);
	sigprocmask(SIG_BLOCK, held, NULL);
}

int watch_report_pages(watch_report_write *write, const struct report_options *o, struct err *e)
{
	struct watch_page *page =
	    mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = 1;
	sigset_t held;

	if (page == MAP_FAILED) {
		err_set(e, "no memory: %s", strerror(errno));
		return status;
	}
	hold_signals(&held);
	for (;;) {
		struct timespec pause = {0};
		double cpu_s;
		status = write_once(write, o, page, &cpu_s, e);
		if (*e->msg || page->state == WATCH_PAGE_LAST || page->stop)
			break;
		page->every_s = ceil(fmax(page->every_s, PATIENCE * cpu_s));
		pause.tv_sec = (time_t)page->every_s;
		page->stop = sigtimedwait(&held, NULL, &pause) > 0;
	}
	munmap(page, sizeof *page);
	return status;
}
