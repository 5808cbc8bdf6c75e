/* run_upload: the upload of a recording whose output is in an object store. */
#include "collect/run_upload.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/output/job_file.h"
#include "collect/output/remote_output.h"
#include "collect/output/report_program.h"
#include "core/base/alloc_failed.h"

#define FAILED   1 /* the status of rtrack-report, but for what it refuses to do */
#define SECOND   INT64_C(1000000000)
#define PATIENCE (5 * SECOND) /* then it is said what is waited for */
#define APPEND_S 600          /* for --append-to: a call to a server that is gone need not return */

struct run_upload {
	struct remote_output to;
	char program[PATH_MAX];
	double every_s, limit_s;
	struct report_program pieces; /* the uploader */
	int64_t again;                /* when it is started again; 0: it is not */
	bool sending;                 /* the snapshot: what is said is the reason of a failure */
	struct err why;
	struct run *r;
};

int run_upload_open(struct run *r, struct err *e)
{
	const char *output = r->o->output ? r->o->output : SNAPSHOT_FILE_DEFAULT;
	enum remote_output_kind kind = remote_output_kind_of(output);
	struct run_upload *u;

	if (remote_output_check(output, e))
		return -1;
	if (r->o->upload_every_s > 0 && kind != REMOTE_OUTPUT_S3)
		return err_set(e, "--upload-every needs --output s3://BUCKET/KEY");
	if (r->o->upload_limit_s > 0 && kind == REMOTE_OUTPUT_NONE)
		return err_set(e, "--upload-limit needs --output s3://BUCKET/KEY or https://…");
	if (kind == REMOTE_OUTPUT_NONE)
		return 0;
	u = alloc_failed_note(calloc(1, sizeof *u));
	if (!u)
		return err_set(e, "no memory for the upload");
	r->upload = u;
	u->r = r;
	u->pieces.in = -1;
	u->every_s = r->o->upload_every_s > 0 ? r->o->upload_every_s : RUN_UPLOAD_EVERY_S;
	u->limit_s = r->o->upload_limit_s > 0 ? r->o->upload_limit_s : RUN_UPLOAD_LIMIT_S;
	if (remote_output_open(&u->to, output, e))
		return -1;
	return report_program_find(u->program, e);
}

struct remote_output *run_upload_output(struct run *r)
{
	return r->upload ? &r->upload->to : NULL;
}

static void say_line(void *ctx, const char *line)
{
	struct run_upload *u = ctx;
	struct err safe = {0};

	err_set(&safe, "%s", line);
	if (u->sending)
		u->why = safe;
	else
		run_state_say(u->r, safe.msg);
}

static void start_pieces(struct run *r, struct run_upload *u)
{
	char every[32];
	const char *const argv[] = {u->program,    "--put", r->file.journal, "--pieces", every,
	                            u->to.address, NULL};
	int before = u->pieces.process.pid;
	struct err e = {0};

	snprintf(every, sizeof every, "%g", u->every_s);
	report_program_close(&u->pieces, true);
	if (before && kill(before, 0) == 0)
		before = 0; /* not reaped: it stays excluded */
	if (report_program_start(&u->pieces, argv, REPORT_PROGRAM_FED, &r->files, &e))
		run_state_say(r, e.msg);
	else if (r->tree)
		tree_exclude_instead(r->tree, before, u->pieces.process.pid);
}

void run_upload_start(struct run *r)
{
	if (r->upload && r->upload->to.kind == REMOTE_OUTPUT_S3)
		start_pieces(r, r->upload);
}

int run_upload_fd(const struct run *r)
{
	return r->upload ? report_program_fd(&r->upload->pieces) : -1;
}

void run_upload_read(struct run *r)
{
	if (r->upload)
		report_program_read(&r->upload->pieces, say_line, r->upload);
}

/* -- the copy of the journal (--sync) ---------------------------------------------------------- */

struct copying {
	const char *journal, *file, *to;
	uint64_t n;
};

/* In a process of its own, which may wait for the file server. */
static void copy_journal(const void *ctx)
{
	const struct copying *of = ctx;

	alarm(APPEND_S);
	signal(SIGXFSZ, SIG_IGN); /* a failed write then returns an error */
	job_file_copy(of->journal, of->n, of->file, of->to);
}

/* Only as much as is there now: all of it is whole, and what is written meanwhile comes the next
 * time. As long as one process waits for the server there is no other. */
static void sync_journal(struct run *r)
{
	const struct copying of = {r->file.journal, r->file.path, r->o->append_to,
	                           journal_size(r->journal)};
	struct pollfd ended = {.fd = background_fd(&r->sync.process), .events = POLLIN};
	int64_t now = clocks_now(CLOCK_MONOTONIC), every = (int64_t)(r->o->sync_s * (double)SECOND);
	int before = r->sync.process.pid;

	if (!r->sync.due)
		r->sync.due = r->schedule.start + every;
	if (now < r->sync.due || !journal_samples(r->journal) ||
	    (ended.fd >= 0 && poll(&ended, 1, 0) == 0))
		return;
	r->sync.due = now + every;
	background_end(&r->sync.process);
	(void)background_start(&r->sync.process, "rtrack-sync", true, -1, copy_journal, &of);
	if (r->tree)
		tree_exclude_instead(r->tree, before, r->sync.process.pid);
}

/* -- with each sample -------------------------------------------------------------------------- */

/* Not at once: what it left behind has ended by then, and nothing is started over and over. */
void run_upload_again(struct run *r)
{
	struct run_upload *u = r->upload;
	int64_t now = u ? clocks_now(CLOCK_MONOTONIC) : 0;

	if (r->o->sync_s > 0 && r->journal)
		sync_journal(r);
	if (!u || !u->pieces.ended || u->pieces.status > FAILED)
		return;
	if (!u->again) {
		u->again = now + (int64_t)(u->every_s * (double)SECOND);
	} else if (now >= u->again) {
		u->again = 0;
		start_pieces(r, u);
	}
}

/* -- the end ----------------------------------------------------------------------------------- */

static bool ends_wait(const struct signals *s)
{
	struct signalfd_siginfo info;

	while (signals_next(s, &info))
		if (info.ssi_signo == SIGINT || info.ssi_signo == SIGTERM ||
		    info.ssi_signo == SIGHUP || info.ssi_signo == SIGQUIT)
			return true;
	return false;
}

static void say_how_to_stop(struct run *r)
{
	struct buf to = {0};
	struct err line = {0};

	remote_output_show(&r->upload->to, &to);
	err_set(&line, "uploading to %s; Ctrl-C leaves the snapshot on disk", buf_cstr(&to));
	if (!r->o->quiet)
		run_state_say(r, line.msg);
	buf_free(&to);
}

/* Waits for the end of the uploader. Returns its status; -1 without one: then e says why, if it was
 * not killed by others. */
static int await_uploader(struct run *r, int64_t deadline, struct err *e)
{
	struct run_upload *u = r->upload;
	int64_t notice = clocks_now(CLOCK_MONOTONIC) + PATIENCE;

	while (!u->pieces.ended) {
		struct pollfd fds[] = {{.fd = report_program_fd(&u->pieces), .events = POLLIN},
		                       {.fd = r->signals.fd, .events = POLLIN}};
		int64_t now = clocks_now(CLOCK_MONOTONIC);
		int64_t next = notice && notice < deadline ? notice : deadline;

		if (now >= deadline)
			return err_set(e, "it took longer than %g s", u->limit_s);
		if (notice && now >= notice) {
			say_how_to_stop(r);
			notice = 0;
			continue;
		}
		(void)poll(fds, 2, (int)((next - now) / 1000000) + 1);
		if (fds[0].revents)
			run_upload_read(r);
		if (fds[1].revents && ends_wait(&r->signals))
			return err_set(e, "interrupted");
	}
	return u->pieces.status;
}

static int64_t upload_deadline(const struct run_upload *u)
{
	return clocks_now(CLOCK_MONOTONIC) + (int64_t)(u->limit_s * (double)SECOND);
}

/* Starts an uploader of the snapshot alone. */
static int start_whole(struct run *r, struct err *e)
{
	struct run_upload *u = r->upload;
	char limit[32];
	const char *const argv[] = {u->program, "--put",       r->file.path, "--time-limit",
	                            limit,      u->to.address, NULL};

	report_program_close(&u->pieces, true);
	snprintf(limit, sizeof limit, "%g", u->limit_s);
	return report_program_start(&u->pieces, argv, REPORT_PROGRAM_OUTLIVES, &r->files, e);
}

/* The uploader of the pieces knows best what it has uploaded. If it has ended, another one takes
 * over. */
static int upload_snapshot(struct run *r, struct err *e)
{
	struct run_upload *u = r->upload;
	int64_t deadline = upload_deadline(u);
	int status = -1;

	run_upload_read(r);
	u->sending = true;
	while (ends_wait(&r->signals)) /* those that ended the recording */
		;
	if (report_program_tell(&u->pieces, r->file.path))
		status = await_uploader(r, deadline, e);
	if (status < 0 && !*e->msg) {
		if (start_whole(r, e))
			return -1;
		status = await_uploader(r, deadline, e);
	}
	if (status == 0)
		return 0;
	if (!*e->msg)
		*e = u->why;
	return *e->msg ? -1 : err_set(e, "rtrack-report was killed");
}

static const char *behind(const char *text, const char *beginning)
{
	size_t n = strlen(beginning);

	return strncmp(text, beginning, n) == 0 ? text + n : text;
}

/* Not cut as a sentence is: the command must be whole. */
static void say_kept(struct run *r, const struct err *why)
{
	struct buf line = {0}, to = {0}, command = {0};
	struct err first = {0};
	const char *reason = behind(why->msg, "--put: ");

	remote_output_show(&r->upload->to, &to);
	remote_output_command(&r->upload->to, r->file.path, &command);
	reason = behind(behind(reason, buf_cstr(&to)), ": ");
	reason = behind(reason, "cannot be written: ");
	err_set(&first, "%s was not uploaded: %.500s", buf_cstr(&to), reason);
	buf_printf(&line, "%s; the snapshot stays on disk, and this uploads it: %s", first.msg,
	           buf_cstr(&command));
	run_state_say(r, line.failed ? first.msg : buf_cstr(&line));
	buf_free(&line);
	buf_free(&to);
	buf_free(&command);
}

/* A full disk, as a rule. The pieces are all that outlives the machine then. */
static void upload_rest(struct run *r)
{
	struct run_upload *u = r->upload;
	struct buf line = {0};
	struct err ignored = {0};

	if (u->pieces.in < 0 || u->pieces.ended)
		return;
	while (ends_wait(&r->signals))
		;
	report_program_hang_up(&u->pieces);
	if (await_uploader(r, upload_deadline(u), &ignored))
		return;
	buf_str(&line, "what was recorded is in the store as well; this makes a snapshot of it: ");
	remote_output_recover(&u->to, &line);
	if (!line.failed)
		run_state_say(r, buf_cstr(&line));
	buf_free(&line);
}

/* --append-to: the recording is on the disk, whatever this meets. Only the recorder of a command
 * has a status that somebody waits for. */
static void append_to_job(struct run *r, struct run_result *result)
{
	struct err e = {0};
	int failed;

	if (!r->o->append_to || !result->written)
		return;
	if (r->o->mode != COLLECT_OPTIONS_COMMAND)
		alarm(APPEND_S);
	failed = job_file_append(r->file.path, r->o->append_to, &e);
	if (!failed && r->o->sync_s > 0)
		job_file_remove_copy(r->file.path, r->o->append_to);
	alarm(0);
	if (failed >= 0) {
		snprintf(result->output, sizeof result->output, "%s", r->o->append_to);
		return;
	}
	err_wrap(&e, "%s stays", r->file.path);
	r->say(e.msg);
	if (r->o->mode != COLLECT_OPTIONS_COMMAND)
		result->status = 1;
}

void run_upload_finish(struct run *r, struct run_result *result)
{
	struct run_upload *u = r->upload;
	struct err why = {0};
	struct buf to = {0};

	if (!u) {
		append_to_job(r, result);
		return;
	}
	if (!result->written) {
		upload_rest(r);
		return;
	}
	if (upload_snapshot(r, &why)) {
		report_program_close(&u->pieces, true);
		say_kept(r, &why);
		if (r->o->mode != COLLECT_OPTIONS_COMMAND)
			result->status = 1;
		return;
	}
	if (*u->why.msg)
		run_state_say(r, u->why.msg); /* a warning */
	unlink(r->file.path);
	remote_output_show(&u->to, &to);
	snprintf(result->output, sizeof result->output, "%s", buf_cstr(&to));
	buf_free(&to);
}

/* Without a snapshot the uploader uploads the rest of the journal, and ends by itself. */
void run_upload_close(struct run *r)
{
	background_end(&r->sync.process);
	if (!r->upload)
		return;
	report_program_close(&r->upload->pieces, false);
	free(r->upload);
	r->upload = NULL;
}
