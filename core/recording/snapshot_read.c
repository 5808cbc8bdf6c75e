/* snapshot_read: recordings of every dialect. docs/snapshot.md describes them. */
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
#include "core/json/json_read.h"
#include "core/json/json_write.h"
#include "core/recording/detail_keys.h"
#include "core/recording/gaps.h"
#include "core/recording/journal.h"
#include "core/recording/overview_keys.h"
#include "core/recording/snapshot_csv.h"
#include "core/recording/snapshot_fields.h"
#include "core/recording/snapshot_head.h"
#include "core/recording/snapshot_read.h"
#include "core/recording/snapshot_recognise.h"
#include "core/recording/snapshot_statistics.h"
#include "core/recording/snapshot_units.h"

#define BLOCK_MAX    ((size_t)4 << 20)
#define STRING_MAX   ((size_t)1 << 20)
#define ROW_KEYS_MAX 256

/* What is read of a file. */
struct reader {
	struct json_read in;
	struct snapshot *s;
	struct err *e;
	struct buf key;
	int spelled[METRIC_COUNT]; /* schema of the column's name; 0: the same in both */
	unsigned seen;             /* which of members[] were found: bit i is row i */
	enum snapshot_want want;
	bool enough; /* the head is all that was asked for, and it is read */
};

static const char *const members[] = {SNAPSHOT_KEY_META,    SNAPSHOT_KEY_SERVER,
                                      SNAPSHOT_KEY_CLOUD,   SNAPSHOT_KEY_RTRACK,
                                      SNAPSHOT_KEY_PROCESS, SNAPSHOT_KEY_SYSTEM};
#define MEMBERS  (sizeof members / sizeof *members)
#define HEAD     4 /* members before the metrics */
#define HEAD_ALL ((1u << HEAD) - 1)
#define WHOLE    1 /* result: the head alone is not enough, read the whole file */

/* The metric of a column's name, or NULL. Notes which schema the name belongs to. */
static const struct metric *find_column(struct reader *r, enum metric_scope scope, const char *name)
{
	int schema;
	const struct metric *m = metric_find(scope, name, &schema);

	if (!m)
		return NULL;
	r->spelled[m->id] = schema;
	if (schema == SCHEMA_2)
		r->s->schema = SCHEMA_2;
	return m;
}

static int push_cells(struct reader *r, const struct metric *m, const double *v, size_t n)
{
	if (frame_push_all(&r->s->rows[m->scope], m->id, v, n, r->e) == 0)
		return 0;
	r->in.failed = true;
	return err_wrap(r->e, "%s: %s", r->in.name, m->name[SCHEMA_1]);
}

static int read_column(struct reader *r, const struct metric *m)
{
	double v[256];
	bool first = true;
	int more;

	/* The last of two columns with the same name counts. */
	frame_clear(&r->s->rows[m->scope], m->id);
	if (json_read_open(&r->in, '['))
		return -1;
	while ((more = json_read_more(&r->in, '[', &first)) > 0) {
		size_t n;
		if (json_read_cell(&r->in, v) || push_cells(r, m, v, 1))
			return -1;
		while ((n = json_read_cells(&r->in, v, sizeof v / sizeof *v)) > 0)
			if (push_cells(r, m, v, n))
				return -1;
	}
	return more;
}

/* {"timestamp": [...], ...} */
static int read_columns(struct reader *r, enum metric_scope scope)
{
	bool first = true;
	int more;

	if (json_read_open(&r->in, '{'))
		return -1;
	while ((more = json_read_more(&r->in, '{', &first)) > 0) {
		const struct metric *m;
		if (json_read_key(&r->in, &r->key))
			return -1;
		m = find_column(r, scope, buf_cstr(&r->key));
		if (m ? read_column(r, m) : json_read_skip(&r->in, NULL))
			return -1;
	}
	return more;
}

/* Stores a cell in a row of its column; cells missing in earlier rows become NAN. */
static int put_cell(struct reader *r, const struct metric *m, size_t row, double v)
{
	struct frame *f = &r->s->rows[m->scope];

	while (frame_len(f, m->id) < row)
		if (frame_push(f, m->id, NAN, r->e))
			return -1;
	if (frame_len(f, m->id) == row)
		return frame_push(f, m->id, v, r->e);
	frame_replace(f, m->id, v); /* the last of two members with the same name counts */
	return 0;
}

/* Fast path: rows repeat their keys in the same order, so the key's position predicts its column.
 * */
struct guess {
	const struct metric *m[ROW_KEYS_MAX];
};

static const struct metric *guess_column(struct reader *r, enum metric_scope scope, struct guess *g,
                                         size_t place)
{
	const char *name = buf_cstr(&r->key);
	const struct metric *m = place < ROW_KEYS_MAX ? g->m[place] : NULL;

	if (m && (strcmp(name, m->name[SCHEMA_1]) == 0 || strcmp(name, m->name[SCHEMA_2]) == 0))
		return m;
	m = find_column(r, scope, name);
	if (place < ROW_KEYS_MAX)
		g->m[place] = m;
	return m;
}

static int read_row(struct reader *r, enum metric_scope scope, struct guess *g, size_t row)
{
	bool first = true;
	int more;
	size_t place = 0;

	if (json_read_open(&r->in, '{'))
		return -1;
	while ((more = json_read_more(&r->in, '{', &first)) > 0) {
		const struct metric *m;
		double v;
		if (json_read_key(&r->in, &r->key))
			return -1;
		m = guess_column(r, scope, g, place++);
		if (m ? json_read_cell(&r->in, &v) : json_read_skip(&r->in, NULL))
			return -1;
		if (m && put_cell(r, m, row, v)) {
			err_wrap(r->e, "%s", r->in.name);
			r->in.failed = true;
			return -1;
		}
	}
	return more;
}

/* [{"timestamp": …, …}, …] */
static int read_row_array(struct reader *r, enum metric_scope scope)
{
	struct guess g = {{0}};
	bool first = true;
	int more;

	if (json_read_open(&r->in, '['))
		return -1;
	for (size_t row = 0; (more = json_read_more(&r->in, '[', &first)) > 0; row++)
		if (read_row(r, scope, &g, row))
			return -1;
	return more;
}

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

static int read_metrics(struct reader *r, enum metric_scope scope)
{
	int c = json_read_peek(&r->in), failed;

	limit_cells(r->s);
	if (c == '[')
		failed = read_row_array(r, scope);
	else if (c == '{')
		failed = read_columns(r, scope);
	else
		return json_read_skip(&r->in, NULL);
	if (failed)
		return -1;
	if (frame_square(&r->s->rows[scope], r->e)) {
		r->in.failed = true;
		return err_wrap(r->e, "%s", r->in.name);
	}
	return 0;
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
		bool overview, detail, copy;
		if (json_read_key(&r->in, &r->key))
			return -1;
		overview = strcmp(buf_cstr(&r->key), OVERVIEW_KEY) == 0;
		detail = strcmp(buf_cstr(&r->key), DETAIL_KEY) == 0;
		last = last || overview || detail;
		*stop = last && r->want == SNAPSHOT_WANT_HEAD;
		copy = overview ? r->want == SNAPSHOT_WANT_OVERVIEW : detail || !last;
		if (*stop)
			break;
		if (!r->s->summary && snapshot_statistics_is(buf_cstr(&r->key)) &&
		    json_read_peek(&r->in) == '{') {
			if (snapshot_statistics_read(r->s, &r->in, &r->key))
				return -1;
			continue;
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
		    r->s->summary && (r->want == SNAPSHOT_WANT_HEAD ||
		                      (r->want == SNAPSHOT_WANT_OVERVIEW && r->s->overview));
		r->s->head_only = r->enough;
		if (r->enough)
			return 0;
	}
	if (strcmp(members[i], SNAPSHOT_KEY_PROCESS) == 0)
		return read_metrics(r, METRIC_SCOPE_PROCESS);
	if (strcmp(members[i], SNAPSHOT_KEY_SYSTEM) == 0)
		return read_metrics(r, METRIC_SCOPE_SYSTEM);
	return read_head_text(r, members[i]);
}

static int read_json_snapshot(struct reader *r)
{
	bool first = true;
	int more;

	if (json_read_peek(&r->in) != '{')
		return r->in.failed ? -1
		                    : json_read_fail(&r->in, "not a snapshot: expected an object");
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
		return err_set(r->e, "%s: not a snapshot: none of its members is there",
		               r->in.name);
	return snapshot_units_to_base(r->s, r->spelled, r->e) || gaps_fill(r->s, r->e)
	           ? err_wrap(r->e, "%s", r->in.name)
	           : 0;
}

static uint64_t inflated_max(const struct snapshot *s)
{
	return s->budget && s->budget->bytes < SNAPSHOT_BYTES_MAX ? s->budget->bytes
	                                                          : SNAPSHOT_BYTES_MAX;
}

/* Reads what g gives, of fd (-1: none), and frees g; NULL: no memory. 0, -1, or with *s empty WHOLE
 * (a part of the head is behind the metrics, or missing) or SNAPSHOT_IS_JOURNAL, without a file. */
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
	r->e = e;
	r->key.max = STRING_MAX;
	s->schema = SCHEMA_1;
	snapshot_head_defaults(s);
	json_read_init(&r->in, g, name, e);
	r->want = want;
	journal = snapshot_recognise_journal(&r->in);
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
	/* The file's statistics leave out the rows of gaps, so compute them anew. */
	if (!failed && r->enough &&
	    ((r->seen & HEAD_ALL) != HEAD_ALL || gaps_rows(s) || !s->summary))
		failed = WHOLE;
	failed = charge_budget(s, gz_in_total(g), name, failed, e);
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

static int read_path(struct snapshot *s, const char *path, enum snapshot_want want, struct err *e)
{
	const char *name = standard_input_name(path);
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
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	r = read_fd(s, fd, name, S_ISREG(st.st_mode) ? want : SNAPSHOT_WANT_ROWS, e);
	s->budget = budget; /* a failed read has emptied the snapshot */
	if (r == WHOLE)
		r = lseek(fd, 0, SEEK_SET) < 0 ? err_set(e, "%s: %s", name, strerror(errno))
		                               : read_fd(s, fd, name, SNAPSHOT_WANT_ROWS, e);
	s->budget = NULL;
	close(fd);
	return r;
}

int snapshot_read_file(struct snapshot *s, const char *path, struct err *e)
{
	return read_path(s, path, SNAPSHOT_WANT_ROWS, e);
}

int snapshot_read_head(struct snapshot *s, const char *path, struct err *e)
{
	return read_path(s, path, SNAPSHOT_WANT_HEAD, e);
}

int snapshot_read_overview(struct snapshot *s, const char *path, struct err *e)
{
	return read_path(s, path, SNAPSHOT_WANT_OVERVIEW, e);
}
