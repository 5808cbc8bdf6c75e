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

/* -- on the terminal ----------------------------------------------------------------------------- */

int watch_report_screen(const struct report_options *o, const struct store *s, struct buf *said,
                        struct err *e)
{
	const struct watch_past from = {.source = o->input,
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

/* -- outputs ------------------------------------------------------------------------------------- */

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

static volatile sig_atomic_t stopped; /* by a signal */

static void note_stop(int number)
{
	stopped = number;
}

/* One time. The signals of the terminal reach the child too, which has to end its page. */
static int write_once(watch_report_write *write, const void *options, struct watch_page *page,
                      double *cpu_s, struct err *e)
{
	struct rusage used = {0};
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		signal(SIGINT, SIG_IGN);
		signal(SIGTERM, SIG_IGN);
		_exit(write(options, page, e));
	}
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

int watch_report_pages(watch_report_write *write, const struct report_options *o, struct err *e)
{
	struct watch_page *page =
	    mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct sigaction note = {.sa_handler = note_stop};
	int status = 1;

	if (page == MAP_FAILED) {
		err_set(e, "no memory: %s", strerror(errno));
		return status;
	}
	sigaction(SIGINT, &note, NULL);
	sigaction(SIGTERM, &note, NULL);
	sigaction(SIGHUP, &note, NULL);
	do {
		struct timespec pause;
		double cpu_s, left_s;
		page->stop = stopped != 0;
		status = write_once(write, o, page, &cpu_s, e);
		if (*e->msg || page->state == WATCH_PAGE_LAST || page->stop)
			break;
		page->times += page->state == WATCH_PAGE_RUNS;
		left_s = fmax(page->every_s, PATIENCE * cpu_s);
		page->every_s = ceil(left_s);
		pause.tv_sec = (time_t)left_s;
		pause.tv_nsec = (long)(1e9 * (left_s - floor(left_s)));
		if (!stopped)
			nanosleep(&pause, NULL); /* ends early by a signal */
	} while (true);
	munmap(page, sizeof *page);
	return status;
}
