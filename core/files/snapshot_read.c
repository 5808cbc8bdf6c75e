/* snapshot_read: recordings of every dialect. docs/snapshot.md describes them. */
#include "core/files/snapshot_read.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "core/base/gz.h"
#include "core/base/standard_input.h"
#include "core/files/journal.h"
#include "core/files/journal_running.h"
#include "core/files/recordings.h"
#include "core/files/snapshot_csv.h"
#include "core/head/detail_file.h"
#include "core/head/overview.h"
#include "core/head/snapshot_head.h"
#include "core/head/time_at_file.h"
#include "core/json/json_read.h"
#include "core/json/json_write.h"
#include "core/processes/process_join.h"
#include "core/processes/process_tree.h"
#include "core/recording/gaps.h"
#include "core/recording/snapshot_fields.h"
#include "core/recording/snapshot_rows.h"

#define BLOCK_MAX  ((size_t)4 << 20)
#define STRING_MAX ((size_t)1 << 20)
#define LOOK_MAX   ((uint64_t)16 << 20) /* bytes searched in a file that may not be a recording */
/* How a model of rtrack-report and rtrack-fleet begins (report/units/model_json.c). */
#define MODEL_BEGINNING "{\"format\":\"rtrack-"

/* The state of one reading. */
struct reader {
	struct json_read in;
	struct snapshot *s;
	struct buf key;
	int spelled[METRIC_COUNT]; /* snapshot_rows.h */
	unsigned seen;             /* which of members[] were found: bit i is row i */
	enum snapshot_want want;
	bool enough;   /* the head is all that was asked for, and it is read */
	bool left_out; /* members of the head: without the statistics, all must be read */
};

static const char *const members[] = {SNAPSHOT_KEY_META,    SNAPSHOT_KEY_SERVER,
                                      SNAPSHOT_KEY_CLOUD,   SNAPSHOT_KEY_RTRACK,
                                      SNAPSHOT_KEY_PROCESS, SNAPSHOT_KEY_SYSTEM};
#define MEMBERS  (sizeof members / sizeof *members)
#define HEAD     4 /* members before the metrics */
#define HEAD_ALL ((1u << HEAD) - 1)
#define WHOLE    1 /* result: the head alone is not enough, read the whole file */

/* Sets cells_max to what the budget has left, or to 1 if nothing is: 0 would mean no limit. */
static void limit_cells(struct snapshot *s)
{
	size_t used = 0;

	if (!s->budget)
		return;
	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		used += frame_cells(&s->rows[scope]);
	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		if (!s->rows[scope].rows)
			s->rows[scope].cells_max =
			    s->budget->cells > used ? s->budget->cells - used : 1;
}

/* Subtracts what was used from the budget. If that was why reading failed, the sentence says so. */
static int charge_budget(struct snapshot *s, uint64_t bytes, const char *name, int failed,
                         struct err *e)
{
	struct snapshot_budget *b = s->budget;
	bool full = false;
	size_t cells = 0;

	if (!b)
		return failed;
	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		cells += frame_cells(&s->rows[scope]);
		full = full || s->rows[scope].full;
	}
	if (failed < 0 && full)
		err_set(e,
		        "%s: with this recording, there are more than %zu numbers, too many for "
		        "one command",
		        name, SNAPSHOT_BUDGET_CELLS);
	else if (failed < 0 && bytes > b->bytes)
		err_set(e,
		        "%s: with this recording, there are more than %llu MiB of content, too "
		        "much for one command",
		        name, (unsigned long long)(SNAPSHOT_BUDGET_BYTES >> 20));
	b->cells -= cells < b->cells ? cells : b->cells;
	b->bytes -= bytes < b->bytes ? bytes : b->bytes;
	return failed;
}

/* -- the head ------------------------------------------------------------------------------------
 * Statistics are most of it. A history of 10,000 runs reads so many: without a tree that takes a
 * third of the time. */

static bool is_statistics(const char *key)
{
	const char *old = snapshot_fields_old_key(SNAPSHOT_STATISTICS);

	return strcmp(key, snapshot_fields_key(SNAPSHOT_STATISTICS)) == 0 ||
	       (old && strcmp(key, old) == 0);
}

static void set_statistic(struct stats *out, const struct snapshot_field *f, double v)
{
	*(double *)((char *)out + f->offset) = isfinite(v) ? v : (double)NAN;
}

static size_t statistics_count(double v)
{
	return v >= 0 && v <= FRAME_ROWS_MAX ? (size_t)v : 0;
}

/* {"n": 3, "min": 0, …}, mostly in the order of the n fields f. */
static int read_statistics_of(struct stats *out, const struct snapshot_field *f, size_t n,
                              double scale, struct json_read *in, struct buf *key)
{
	bool first = true;
	size_t next = 0;
	double v;
	int more;

	*out = stats_none();
	if (json_read_is_number(in, SNAPSHOT_KEY_N, &first, &v))
		out->n = statistics_count(v);
	for (; next < n && json_read_is_number(in, f[next].key, &first, &v); next++)
		set_statistic(out, &f[next], v * scale);
	while ((more = json_read_more(in, '{', &first)) > 0) {
		size_t i = next;
		if (i == n || !json_read_is_key(in, f[i].key)) {
			if (json_read_key(in, key))
				return -1;
			for (i = 0; i < n && strcmp(buf_cstr(key), f[i].key) != 0;)
				i++;
		}
		if (json_read_cell(in, &v))
			return -1;
		if (i < n) {
			set_statistic(out, &f[i], v * scale);
			next = i + 1;
		} else if (strcmp(buf_cstr(key), SNAPSHOT_KEY_N) == 0) {
			out->n = statistics_count(v);
		}
	}
	return more;
}

static int read_statistics(struct snapshot *s, struct json_read *in, struct buf *key)
{
	size_t n;
	const struct snapshot_field *f = snapshot_fields_of(SNAPSHOT_STATISTICS, &n);
	enum metric_id id = METRIC_PROCESS_TIMESTAMP;
	bool first = true;
	int more;

	s->summary = snapshot_alloc(s, METRIC_COUNT * sizeof *s->summary);
	if (!s->summary)
		return json_read_skip(in, NULL);
	for (int i = 0; i < METRIC_COUNT; i++)
		s->summary[i] = stats_none();
	if (json_read_open(in, '{'))
		return -1;
	while ((more = json_read_more(in, '{', &first)) > 0) {
		char name[METRIC_NAME_MAX];
		bool skip;
		/* They usually stand in the order of the table. */
		id += id < METRIC_COUNT;
		if (id == METRIC_COUNT || !json_read_is_key(in, metric_column_name(id, name))) {
			if (json_read_key(in, key))
				return -1;
			id = metric_of_column(buf_cstr(key));
		}
		skip = id == METRIC_COUNT || metrics[id].unit == METRIC_UNIT_TIME ||
		       json_read_peek(in) != '{';
		if (skip
		        ? json_read_skip(in, NULL)
		        : json_read_open(in, '{') ||
		              read_statistics_of(&s->summary[id], f, n,
		                                 metric_scale(metrics[id].unit, SCHEMA_1), in, key))
			return -1;
		if (!skip)
			s->unmeasured[id] = s->summary[id].n == 0;
	}
	return more;
}

/* Whether a member of rtrack is copied. *last: it is the overview, the detail, the tree, or after
 * one of them, where a head ends. */
static bool is_copied(const struct reader *r, const char *key, bool *last)
{
	if (strcmp(key, OVERVIEW_KEY) == 0) {
		*last = true;
		return r->want == SNAPSHOT_WANT_OVERVIEW;
	}
	if (strcmp(key, DETAIL_KEY) == 0 || strcmp(key, PROCESS_TREE_KEY) == 0) {
		*last = true;
		return true;
	}
	return !*last;
}

/* Whether a member of rtrack is one that is not taken from a head alone (snapshot_head.c). */
static bool is_for_rows(const struct reader *r, const char *key)
{
	static const enum snapshot_block blocks[] = {SNAPSHOT_PHASE, SNAPSHOT_GPU, SNAPSHOT_STATES,
	                                             SNAPSHOT_PROCESSES};

	if (r->want != SNAPSHOT_WANT_HEAD || !r->s->summary)
		return false;
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
		const char *old = snapshot_fields_old_key(blocks[i]);
		if (strcmp(key, snapshot_fields_key(blocks[i])) == 0 ||
		    (old && strcmp(key, old) == 0))
			return true;
	}
	return false;
}

/* Reads the statistics of rtrack, and copies its other members to text, up to the overview and the
 * detail; those as well if they are wanted. *stop: no more is wanted. */
static int copy_own(struct reader *r, struct buf *text, bool *stop)
{
	bool first = true, last = false;
	int more;

	*stop = false;
	if (json_read_open(&r->in, '{'))
		return -1;
	while ((more = json_read_more(&r->in, '{', &first)) > 0) {
		bool copy;
		if (json_read_key(&r->in, &r->key))
			return -1;
		copy = is_copied(r, buf_cstr(&r->key), &last);
		*stop = last && r->want == SNAPSHOT_WANT_HEAD;
		if (*stop)
			break;
		if (!r->s->summary && is_statistics(buf_cstr(&r->key)) &&
		    json_read_peek(&r->in) == '{') {
			if (read_statistics(r->s, &r->in, &r->key))
				return -1;
			continue;
		}
		if (copy && strcmp(buf_cstr(&r->key), PROCESS_TREE_KEY) == 0) {
			if (process_tree_read(r->s, &r->in))
				return -1;
			continue;
		}
		if (copy && strcmp(buf_cstr(&r->key), TIME_AT_FILE_KEY) == 0) {
			if (time_at_file_read(r->s, &r->in, &r->key))
				return -1;
			continue;
		}
		if (copy && is_for_rows(r, buf_cstr(&r->key))) {
			r->left_out = true;
			copy = false;
		}
		if (copy) {
			buf_char(text, text->len ? ',' : '{');
			json_write_quote(text, buf_cstr(&r->key), r->key.len);
			buf_char(text, ':');
		}
		if (json_read_skip(&r->in, copy ? text : NULL))
			return -1;
	}
	buf_str(text, text->len ? "}" : "{}");
	if (text->failed)
		return json_read_fail(&r->in, "a value that is too long");
	return more < 0 ? -1 : 0;
}

static int read_head_text(struct reader *r, const char *key)
{
	struct buf text = {.max = BLOCK_MAX};
	bool own = strcmp(key, SNAPSHOT_KEY_RTRACK) == 0 && json_read_peek(&r->in) == '{';
	int failed = own ? copy_own(r, &text, &r->enough) : json_read_skip(&r->in, &text);

	if (!failed && snapshot_head(r->s, key, buf_cstr(&text), text.len))
		failed = json_read_fail(&r->in, "wrong JSON in the block that ends here");
	buf_free(&text);
	return failed;
}

static int read_rows(struct reader *r, enum metric_scope scope)
{
	limit_cells(r->s);
	return snapshot_rows_read(&(struct snapshot_rows){&r->in, r->s, &r->key, r->spelled},
	                          scope);
}

static int read_member(struct reader *r)
{
	size_t i = 0;

	if (json_read_key(&r->in, &r->key))
		return -1;
	while (i < MEMBERS && strcmp(buf_cstr(&r->key), members[i]) != 0)
		i++;
	if (i == MEMBERS)
		return json_read_skip(&r->in, NULL);
	/* It would be unclear which of the two counts, and both would use memory. */
	if (r->seen & 1u << i)
		return json_read_fail(&r->in, "a member of the snapshot that appears twice");
	r->seen |= 1u << i;
	if (members[i] == members[HEAD] || members[i] == members[HEAD + 1]) {
		r->enough =
		    r->left_out ||
		    (r->s->summary && (r->want == SNAPSHOT_WANT_HEAD ||
		                       (r->want == SNAPSHOT_WANT_OVERVIEW && r->s->overview)));
		r->s->head_only = r->enough;
		if (r->enough)
			return 0;
	}
	if (strcmp(members[i], SNAPSHOT_KEY_PROCESS) == 0)
		return read_rows(r, METRIC_SCOPE_PROCESS);
	if (strcmp(members[i], SNAPSHOT_KEY_SYSTEM) == 0)
		return read_rows(r, METRIC_SCOPE_SYSTEM);
	return read_head_text(r, members[i]);
}

/* Whether the file, of which nothing was read yet, begins with this text. */
static bool begins_with(struct json_read *in, const char *text)
{
	size_t n = strlen(text);

	return json_read_peek(in) == text[0] && in->base + in->at == 0 && in->end >= n &&
	       memcmp(in->window, text, n) == 0;
}

static int read_json_snapshot(struct reader *r)
{
	bool first = true;
	int more;

	if (json_read_peek(&r->in) != '{') {
		if (r->in.failed)
			return -1;
		/* A recorder that was killed before it wrote the head leaves such a journal. */
		if (r->in.base + r->in.end == 0)
			return err_set(r->in.e, "%s: holds no samples: it is empty", r->in.name);
		return json_read_fail(&r->in, "not a snapshot: expected an object");
	}
	if (begins_with(&r->in, MODEL_BEGINNING))
		return err_set(r->in.e,
		               "%s: not a snapshot: a model that --json wrote, which only "
		               "rtrack-report --model reads",
		               r->in.name);
	if (json_read_open(&r->in, '{'))
		return -1;
	while ((more = json_read_more(&r->in, '{', &first)) > 0) {
		if (read_member(r))
			return -1;
		if (r->enough)
			return 0;
	}
	if (more || json_read_end(&r->in))
		return -1;
	r->s->head_only = false;
	r->s->overview = NULL; /* the rows are there */
	if (!r->seen)
		return err_set(r->in.e, "%s: not a snapshot: none of its members is there",
		               r->in.name);
	return snapshot_rows_to_base(r->s, r->spelled, r->in.e) || gaps_fill(r->s, r->in.e)
	           ? err_wrap(r->in.e, "%s", r->in.name)
	           : 0;
}

/* -- the file ---------------------------------------------------------------------------------- */

static bool is_journal(struct json_read *in)
{
	return begins_with(in, JOURNAL_MAGIC);
}

static uint64_t inflated_max(const struct snapshot *s)
{
	return s->budget && s->budget->bytes < SNAPSHOT_BYTES_MAX ? s->budget->bytes
	                                                          : SNAPSHOT_BYTES_MAX;
}

/* Reads what g gives, of fd (-1: none), and frees g; NULL: no memory. 0, -1, or with *s empty WHOLE
 * (a part of the head is after the metrics, or missing) or SNAPSHOT_IS_JOURNAL, without a file. */
static int read_from(struct snapshot *s, struct gz_in *g, int fd, const char *name,
                     enum snapshot_want want, struct err *e)
{
	struct reader *r = g ? malloc(sizeof *r) : NULL;
	bool journal, csv;
	int failed;

	if (!r) {
		gz_in_free(g);
		return err_set(e, "%s: no memory to read it", name);
	}
	memset(&r->s, 0, sizeof *r - offsetof(struct reader, s)); /* not the window */
	r->s = s;
	r->key.max = STRING_MAX;
	s->schema = SCHEMA_1;
	snapshot_head_defaults(s);
	json_read_init(&r->in, g, name, e);
	r->want = want;
	journal = is_journal(&r->in);
	csv = !journal && !r->in.base && snapshot_csv_recognise(r->in.window, r->in.end);
	s->head_only = want == SNAPSHOT_WANT_HEAD && !journal && !csv;
	limit_cells(s);
	if (csv)
		failed = snapshot_csv_read(s, g, r->in.window, r->in.end, name, e);
	else if (!journal)
		failed = read_json_snapshot(r);
	else if (fd < 0)
		failed = SNAPSHOT_IS_JOURNAL;
	else
		failed = lseek(fd, 0, SEEK_SET) < 0
		             ? err_set(e, "%s: a journal must be a file, not a pipe", name)
		             : journal_read(s, fd, name, e);
	if (!failed && gz_in_is_stated(g) && (fd < 0 || lseek(fd, 0, SEEK_CUR) < 0))
		failed = err_set(e,
		                 "%s: a file that may have several recordings must be a file, "
		                 "not a pipe or an object in a store",
		                 name);
	/* The file's statistics leave out the rows of gaps, so compute them again. */
	if (!failed && r->enough &&
	    ((r->seen & HEAD_ALL) != HEAD_ALL || gaps_rows(s) || !s->summary))
		failed = WHOLE;
	if (!failed && r->left_out && !r->enough)
		failed = WHOLE;
	failed = charge_budget(s, gz_in_total(g), name, failed, e);
	if (!failed && !s->head_only)
		process_join(s);
	gz_in_free(g);
	buf_free(&r->key);
	free(r);
	if (failed)
		snapshot_free(s);
	if (failed > 0)
		return failed;
	if (failed && alloc_failed()) /* text is cut short, which looks like damage */
		err_set(e, "%s: no memory to read it", name);
	return failed ? -1 : 0;
}

static bool has_metrics(struct json_read *in, struct buf *key)
{
	bool first = true;

	if (is_journal(in))
		return true;
	if (json_read_peek(in) != '{' || json_read_open(in, '{'))
		return false;
	while (json_read_more(in, '{', &first) > 0 && json_read_key(in, key) == 0) {
		if (strcmp(buf_cstr(key), SNAPSHOT_KEY_PROCESS) == 0 ||
		    strcmp(buf_cstr(key), SNAPSHOT_KEY_SYSTEM) == 0)
			return true;
		if (json_read_skip(in, NULL))
			break;
	}
	return false;
}

bool snapshot_recognise(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct json_read *in = fd < 0 ? NULL : calloc(1, sizeof *in);
	struct gz_in *g = in ? gz_in_new(fd, LOOK_MAX, NULL) : NULL;
	struct buf key = {.max = STRING_MAX};
	struct stat st;
	bool found = false;

	if (g && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		json_read_init(in, g, path, NULL);
		found = has_metrics(in, &key);
		buf_free(&key);
	}
	gz_in_free(g);
	free(in);
	if (fd >= 0)
		close(fd);
	return found;
}

bool snapshot_read_may_be(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	unsigned char head[2] = {0};
	ssize_t n;

	if (fd < 0)
		return errno != ENOENT;
	n = pread(fd, head, sizeof head, 0);
	close(fd);
	return n < 0 || (head[0] == 0x1f && head[1] == 0x8b) || snapshot_recognise(path);
}

static int read_fd(struct snapshot *s, int fd, const char *name, enum snapshot_want want,
                   struct err *e)
{
	return read_from(s, gz_in_new(fd, inflated_max(s), e), fd, name, want, e);
}

int snapshot_read(struct snapshot *s, int fd, const char *name, struct err *e)
{
	return read_fd(s, fd, name, SNAPSHOT_WANT_ROWS, e);
}

int snapshot_read_text(struct snapshot *s, const char *text, size_t n, const char *name,
                       struct err *e)
{
	int failed =
	    read_from(s, gz_in_text(text, n, inflated_max(s), e), -1, name, SNAPSHOT_WANT_ROWS, e);

	s->budget = NULL;
	return failed == SNAPSHOT_IS_JOURNAL ? err_set(e, "%s: a journal must be a file", name)
	                                     : failed;
}

int snapshot_read_from(struct snapshot *s, const struct gz_source *from, const char *name,
                       enum snapshot_want want, struct err *e)
{
	struct snapshot_budget *budget = s->budget;
	int r = read_from(s, gz_in_from(from, inflated_max(s), e), -1, name, want, e);

	s->budget = budget; /* a failed read has emptied the snapshot */
	if (r == WHOLE)
		r = read_from(s, gz_in_from(from, inflated_max(s), e), -1, name, SNAPSHOT_WANT_ROWS,
		              e);
	s->budget = budget;
	return r;
}

int snapshot_read_path(struct snapshot *s, const char *path, enum snapshot_want want, struct err *e)
{
	return snapshot_read_at(s, path, 0, want, e);
}

int snapshot_read_at(struct snapshot *s, const char *path, uint64_t at, enum snapshot_want want,
                     struct err *e)
{
	struct err of = {{0}};
	const char *name = recordings_name(standard_input_name(path), at, &of);
	struct stat st;
	int fd = standard_input_open(path), r;
	struct snapshot_budget *budget = s->budget;

	if (fd < 0)
		return err_set(e, "%s: %s", name, strerror(errno));
	if (fstat(fd, &st) || !(S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode))) {
		close(fd);
		return err_set(e, "%s: %s", name,
		               S_ISDIR(st.st_mode) ? "is a directory, not a snapshot"
		                                   : "is not a regular file");
	}
	/* O_NONBLOCK was only for open(2), which would hang on a FIFO without a writer. */
	if (S_ISFIFO(st.st_mode))
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	if (at && lseek(fd, (off_t)at, SEEK_SET) < 0) {
		r = err_set(e, "%s: %s", name, strerror(errno));
		close(fd);
		return r;
	}
	r = read_fd(s, fd, name, S_ISREG(st.st_mode) ? want : SNAPSHOT_WANT_ROWS, e);
	s->budget = budget; /* a failed read has emptied the snapshot */
	if (r == WHOLE)
		r = lseek(fd, (off_t)at, SEEK_SET) < 0
		        ? err_set(e, "%s: %s", name, strerror(errno))
		        : read_fd(s, fd, name, SNAPSHOT_WANT_ROWS, e);
	s->budget = NULL;
	/* A recovered snapshot is unfinished too, but has a cause. */
	if (!r && s->unfinished && !(s->exit.cause && *s->exit.cause))
		s->running = journal_running(fd, name, s);
	close(fd);
	return r;
}

int snapshot_read_file(struct snapshot *s, const char *path, struct err *e)
{
	return snapshot_read_path(s, path, SNAPSHOT_WANT_ROWS, e);
}
