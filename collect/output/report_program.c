/* report_program: runs rtrack-report, which alone has the network. */
#include "collect/output/report_program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/command/phase_fifo.h"

#define NAME         "rtrack-report"
#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"
#define NOT_RUN      126

/* -- finding ----------------------------------------------------------------------------------- */

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

static bool find_beside(char path[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - sizeof NAME - 1);

	while (n > 0 && path[n - 1] != '/')
		n--;
	if (n <= 0)
		return false;
	memcpy(path + n, NAME, sizeof NAME);
	return is_program(path);
}

int report_program_find(char path[PATH_MAX], struct err *e)
{
	const char *dirs = getenv("PATH");

	if (find_beside(path))
		return 0;
	for (const char *p = dirs && *dirs ? dirs : DEFAULT_PATH; *p;) {
		size_t n = strcspn(p, ":");
		if (snprintf(path, PATH_MAX, "%.*s/" NAME, (int)n, p) < PATH_MAX && n &&
		    is_program(path))
			return 0;
		p += n + (p[n] == ':');
	}
	return err_set(e, NAME ", which does the uploads, is neither beside rtrack-collect nor "
	                       "in PATH");
}

/* -- in the process between -------------------------------------------------------------------- */

struct job_of_between {
	enum report_program_way way;
	const char *const *argv;
	const struct fd_limit *files;
};

/* Ends with the process between, so that it never becomes a child of the recorder. */
static void exec_report(const struct job_of_between *job, pid_t between)
{
	int end = job->way == REPORT_PROGRAM_ENDS ? SIGTERM : SIGKILL;

	(void)prctl(PR_SET_PDEATHSIG, end, 0, 0, 0);
	if (getppid() != between)
		_exit(NOT_RUN);
	/* Its messages go to the recorder. */
	(void)dup2(BACKGROUND_FD, STDERR_FILENO);
	(void)unsetenv(PHASE_FIFO_VARIABLE);
	if (job->files)
		fd_limit_restore(job->files);
	(void)execv(job->argv[0], (char *const *)(uintptr_t)job->argv);
	_exit(NOT_RUN);
}

/* Runs it, and reports how it ended: a zero byte, which no message has, and the status. Adopts and
 * reaps whatever it leaves behind, which the recorder would take for the job's. */
static void run_between(const void *ctx)
{
	const struct job_of_between *job = ctx;
	const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
	unsigned char end[2] = {0, NOT_RUN};
	pid_t self = getpid();
	int status = 0;
	pid_t pid, got;

	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	if (job->way == REPORT_PROGRAM_ENDS)
		(void)prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
	/* A job's end must not end its upload. */
	for (size_t i = 0; job->way != REPORT_PROGRAM_ENDS && i < sizeof ignored / sizeof *ignored;
	     i++)
		signal(ignored[i], SIG_IGN);
	pid = fork();
	if (pid == 0)
		exec_report(job, self);
	close(STDIN_FILENO);
	do {
		got = waitpid(-1, &status, 0);
		if (got == pid)
			end[1] = WIFEXITED(status) ? (unsigned char)WEXITSTATUS(status) : 0xff;
	} while (pid > 0 && got != pid && (got > 0 || errno == EINTR));
	while (write(BACKGROUND_FD, end, sizeof end) < 0 && errno == EINTR)
		;
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
}

/* -- in the recorder --------------------------------------------------------------------------- */

int report_program_start(struct report_program *p, const char *const *argv,
                         enum report_program_way way, const struct fd_limit *files, struct err *e)
{
	const struct job_of_between job = {way, argv, files};
	int ends[2] = {-1, -1}, failed;

	*p = (struct report_program){.in = -1};
	failed = way == REPORT_PROGRAM_FED && pipe2(ends, O_CLOEXEC);
	if (!failed)
		failed = background_start(&p->process, "rtrack-upload", true, ends[0], run_between,
		                          &job);
	if (ends[0] >= 0)
		close(ends[0]);
	if (failed) {
		err_set(e, "%s cannot be started: %s", argv[0], strerror(errno));
		if (ends[1] >= 0)
			close(ends[1]);
		p->process = (struct background){0};
		return -1;
	}
	(void)fcntl(p->process.fd, F_SETFL, O_NONBLOCK);
	p->in = ends[1];
	return 0;
}

int report_program_fd(const struct report_program *p)
{
	return p->ended ? -1 : background_fd(&p->process);
}

static void end_said_line(struct report_program *p, void (*say)(void *ctx, const char *line),
                          void *ctx)
{
	static const char prefix[] = NAME ": ";
	const char *line = p->line;

	p->line[p->n] = '\0';
	if (strncmp(line, prefix, strlen(prefix)) == 0)
		line += strlen(prefix);
	if (*line)
		say(ctx, line);
	p->n = 0;
}

static void take_byte(struct report_program *p, char c, void (*say)(void *ctx, const char *line),
                      void *ctx)
{
	if (p->in_status) {
		p->status = (unsigned char)c == 0xff ? -1 : (unsigned char)c;
		p->ended = true;
	} else if (c == '\0' || c == '\n') {
		p->in_status = c == '\0';
		end_said_line(p, say, ctx);
	} else if (p->n < sizeof p->line - 1) {
		p->line[p->n++] = c;
	}
}

void report_program_read(struct report_program *p, void (*say)(void *ctx, const char *line),
                         void *ctx)
{
	char bytes[512];
	ssize_t n = report_program_fd(p) < 0 ? -1 : read(p->process.fd, bytes, sizeof bytes);

	if (n == 0) {
		p->ended = true;
		p->status = -1;
	}
	for (ssize_t i = 0; i < n && !p->ended; i++)
		take_byte(p, bytes[i], say, ctx);
}

void report_program_hang_up(struct report_program *p)
{
	if (p->in >= 0)
		close(p->in);
	p->in = -1;
}

bool report_program_tell(struct report_program *p, const char *line)
{
	char text[PATH_MAX + 1];
	int n = snprintf(text, sizeof text, "%s\n", line);
	ssize_t put = -1;

	if (p->in < 0 || p->ended || n >= (int)sizeof text || strchr(line, '\n'))
		return false;
	do
		put = write(p->in, text, (size_t)n);
	while (put < 0 && errno == EINTR);
	report_program_hang_up(p);
	return put == n;
}

static void keep_line(void *ctx, const char *line)
{
	err_set(ctx, "%s", line);
}

int report_program_wait(struct report_program *p, struct err *said)
{
	while (!p->ended) {
		struct pollfd fd = {.fd = report_program_fd(p), .events = POLLIN};
		if (poll(&fd, 1, -1) > 0)
			report_program_read(p, keep_line, said);
	}
	return p->status;
}

void report_program_close(struct report_program *p, bool kill_it)
{
	report_program_hang_up(p);
	if (p->process.pid > 0 && kill_it && !p->ended)
		(void)kill(p->process.pid, SIGKILL); /* and rtrack-report with it */
	background_end(&p->process);
}
