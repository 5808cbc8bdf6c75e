/* sacct_program: Slurm's sacct, run as a process beside this one. */
#include "fleet/import/sacct_program.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/buf.h"

#define NAME        "sacct"
#define COLUMNS_MAX ((size_t)65536) /* bytes of the list of columns */
#define SAID_MAX    400             /* bytes of its message */

/* The columns that fleet/import/sacct.c reads. A name may hold "|", so it is the last, and comments
 * may, so they come before it. */
static const char *const columns[] = {
    "JobID",          "JobIDRaw", "Cluster",    "User",         "Account",
    "Partition",      "QOS",      "State",      "ExitCode",     "Submit",
    "Start",          "End",      "ElapsedRaw", "TimelimitRaw", "ReqTRES",
    "AllocTRES",      "ReqCPUS",  "AllocCPUS",  "ReqMem",       "NNodes",
    "NTasks",         "NodeList", "TotalCPU",   "MaxRSS",       "TRESUsageInTot",
    "TRESUsageInMax", "Restarts", "WorkDir",    "AdminComment", "JobName",
};

/* Its environment: this one, and the format of times. It belongs to the caller; NULL: no memory. */
static char **environment(void)
{
	static const char format[] = "SLURM_TIME_FORMAT=%s";
	size_t n = 0, kept = 0;
	char **v;

	while (environ[n])
		n++;
	v = calloc(n + 2, sizeof *v);
	for (size_t i = 0; v && i < n; i++)
		if (strncmp(environ[i], format, strcspn(format, "=") + 1) != 0)
			v[kept++] = environ[i];
	if (v)
		v[kept] = (char *)format;
	return v;
}

/* Starts it with its output in a pipe. 0, or an errno. */
static int spawn(struct sacct_program *p, int out, char *const argv[])
{
	char **env = environment();
	posix_spawn_file_actions_t files;
	int why = env ? posix_spawn_file_actions_init(&files) : ENOMEM;

	if (why) {
		free(env);
		return why;
	}
	if ((why = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY,
	                                            0)) ||
	    (why = posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO)) ||
	    (why = posix_spawn_file_actions_adddup2(&files, p->said, STDERR_FILENO)))
		goto out;
	why = posix_spawnp(&p->pid, argv[0], &files, NULL, argv, env);
out:
	posix_spawn_file_actions_destroy(&files);
	free(env);
	return why;
}

static int sacct_run(struct sacct_program *p, char *const argv[], struct err *e)
{
	int ends[2], failed;

	*p = (struct sacct_program){.said = memfd_create(NAME, MFD_CLOEXEC)};
	if (p->said < 0 || pipe2(ends, O_CLOEXEC)) {
		failed = errno;
	} else {
		failed = spawn(p, ends[1], argv);
		close(ends[1]);
		p->out = failed ? NULL : fdopen(ends[0], "r");
		if (!p->out)
			close(ends[0]);
		if (!failed && !p->out)
			failed = ENOMEM;
	}
	if (!failed)
		return 0;
	sacct_program_finish(p, NULL);
	return err_set(e, "--sacct-since: " NAME " cannot be run: %s", strerror(failed));
}

/* Its first message, without the end of the line. */
static void first_message(int said, char out[SAID_MAX])
{
	ssize_t n = pread(said, out, SAID_MAX - 1, 0);

	out[n > 0 ? n : 0] = '\0';
	out[strcspn(out, "\n")] = '\0';
}

int sacct_program_finish(struct sacct_program *p, struct err *e)
{
	char message[SAID_MAX] = "";
	int status = 0, failed = 0;

	if (p->out)
		fclose(p->out);
	while (p->pid && waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (p->said > 0) {
		first_message(p->said, message);
		close(p->said);
	}
	if (status && *message)
		failed = err_set(e, "--sacct-since: %s", message);
	else if (status)
		failed = err_set(e, "--sacct-since: " NAME " failed");
	*p = (struct sacct_program){0};
	return failed;
}

/* Whether a list of words has this one. */
static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	while (*list) {
		size_t length = strcspn(list, " \t\n");
		if (length == n && strncasecmp(list, word, n) == 0)
			return true;
		list += length;
		list += strspn(list, " \t\n");
	}
	return false;
}

/* Appends the columns that this version has, with commas between. */
static int sacct_choose_columns(struct buf *out, struct err *e)
{
	struct buf list = {.max = COLUMNS_MAX};
	struct sacct_program p;
	char text[4096];
	size_t n;
	int failed = sacct_run(&p, (char *[]){NAME, "--helpformat", NULL}, e);

	if (failed)
		return -1;
	while ((n = fread(text, 1, sizeof text, p.out)))
		buf_add(&list, text, n);
	failed = sacct_program_finish(&p, e);
	for (size_t i = 0; !failed && i < sizeof columns / sizeof *columns; i++)
		if (has_word(buf_cstr(&list), columns[i]))
			buf_printf(out, "%s%s", out->len ? "," : "", columns[i]);
	buf_free(&list);
	if (!failed && !out->len)
		failed = err_set(e, "--sacct-since: " NAME " names no columns");
	return failed;
}

int sacct_program_start(struct sacct_program *p, double since, struct err *e)
{
	time_t from = (time_t)since;
	struct buf list = {.max = COLUMNS_MAX};
	char start[32] = "";
	struct tm local;
	int failed;

	*p = (struct sacct_program){0};
	if (localtime_r(&from, &local))
		strftime(start, sizeof start, "%Y-%m-%dT%H:%M:%S", &local);
	failed = sacct_choose_columns(&list, e);
	if (!failed)
		failed = sacct_run(p,
		                   (char *[]){NAME, "--parsable2", "--duplicates", "--allusers",
		                              "--starttime", start, "--format", list.s, NULL},
		                   e);
	buf_free(&list);
	return failed;
}
