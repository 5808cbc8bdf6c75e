/* recover_remote: makes a snapshot of the pieces of a recording in an object store. */
#include "collect/recover_remote.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/output/remote_output.h"
#include "collect/output/report_program.h"
#include "collect/recover.h"
#include "core/recording/journal.h"

struct remote_recovery {
	struct remote_output to;
	struct snapshot_file file;
	char program[PATH_MAX];
	char journal[PATH_MAX];
};

bool recover_remote_is_asked(const struct collect_options *o)
{
	return remote_output_kind_of(o->recover) == REMOTE_OUTPUT_S3 ||
	       (o->output && remote_output_kind_of(o->output) == REMOTE_OUTPUT_S3);
}

int recover_remote_check(const struct collect_options *o, struct err *e)
{
	const char *slash = strrchr(o->recover, '/');

	if (remote_output_kind_of(o->recover) == REMOTE_OUTPUT_S3) {
		if (o->output)
			return err_set(e, "--recover of s3:// uploads the snapshot to the same "
			                  "key: --output cannot be used with it");
		if (slash < o->recover + sizeof "s3://" || !slash[1])
			return err_set(e, "%s: the key of the recording is needed", o->recover);
	}
	return 0;
}

static int run_report(const struct remote_recovery *w, const char *option, const char *file,
                      struct err *e)
{
	const char *const argv[] = {w->program, option, file, w->to.address, NULL};
	struct report_program p;
	struct err said = {0};
	int status;

	if (report_program_start(&p, argv, REPORT_PROGRAM_ENDS, NULL, e))
		return -1;
	status = report_program_wait(&p, &said);
	report_program_close(&p, false);
	if (status == 0)
		return 0;
	return err_set(e, "%s", *said.msg ? said.msg : "rtrack-report failed");
}

/* Where the key has an object, that is downloaded. */
static int check_unfinished(const struct remote_recovery *w, struct err *e)
{
	const size_t magic = strlen(JOURNAL_MAGIC);
	char begin[sizeof JOURNAL_MAGIC];
	int fd = open(w->journal, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, begin, magic);

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return err_set(e, "%s: %s", w->journal, strerror(errno));
	if ((size_t)n == magic && memcmp(begin, JOURNAL_MAGIC, magic) == 0)
		return 0;
	unlink(w->journal);
	return err_set(e, "%s is there, so there is nothing to recover", w->to.address);
}

/* Chooses local names that no file has, and downloads the pieces. */
static int fetch_pieces(struct remote_recovery *w, const struct collect_options *o, struct err *e)
{
	struct snapshot_file journal = {.path = ""};

	if (remote_output_open(&w->to, o->recover, e) ||
	    remote_output_name(&w->to, o->recover, NULL, &w->file, e))
		return -1;
	if (snprintf(w->journal, sizeof w->journal, "%s.partial", w->to.local) >=
	    (int)sizeof w->journal)
		return err_set(e, "%s: the name is too long", w->to.local);
	if (snapshot_file_free_name(&journal, w->journal, e))
		return -1;
	memcpy(w->journal, journal.path, sizeof w->journal);
	return run_report(w, "--get", w->journal, e) || check_unfinished(w, e) ? -1 : 0;
}

static int name_upload(struct remote_recovery *w, const struct collect_options *o, struct err *e)
{
	if (strlen(o->recover) >= sizeof w->journal)
		return err_set(e, "%s: the name is too long", o->recover);
	memcpy(w->journal, o->recover, strlen(o->recover) + 1);
	return remote_output_open(&w->to, o->output, e) ||
	               remote_output_name(&w->to, o->output, NULL, &w->file, e)
	           ? -1
	           : 0;
}

static int upload_recovered(struct remote_recovery *w, struct err *e)
{
	struct buf command = {0};
	int failed = run_report(w, "--put", w->file.path, e);

	remote_output_command(&w->to, w->file.path, &command);
	if (failed)
		err_wrap(e, "the recording was recovered, but not uploaded; this uploads it: %s",
		         buf_cstr(&command));
	else
		unlink(w->file.path);
	buf_free(&command);
	return failed;
}

int recover_remote(const struct collect_options *o, struct buf *where, size_t *rows,
                   struct err *lost, struct err *e)
{
	struct remote_recovery *w = calloc(1, sizeof *w);
	bool download = remote_output_kind_of(o->recover) == REMOTE_OUTPUT_S3;
	int failed = w ? report_program_find(w->program, e) : err_set(e, "no memory");
	char path[PATH_MAX];

	if (!failed)
		failed = download ? fetch_pieces(w, o, e) : name_upload(w, o, e);
	if (!failed) {
		/* Named, because its name was chosen, and no file has it. */
		memcpy(path, w->file.path, sizeof path);
		failed = recover(w->journal, path, o->schema, &w->file, rows, lost, e);
		if (failed && download)
			err_wrap(e, "what was downloaded is in %s", w->journal);
	}
	if (!failed)
		failed = upload_recovered(w, e);
	if (!failed)
		remote_output_show(&w->to, where);
	if (!failed && *lost->msg)
		err_wrap(lost, "%s is kept", w->journal);
	free(w);
	return failed;
}
