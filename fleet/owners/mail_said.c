/* mail_said: what owners were told, and when. */
#include "fleet/owners/mail_said.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fnv1a.h"
#include "core/base/quantity.h"
#include "core/json/json_read.h"
#include "core/json/json_write.h"
#include "fleet/owners/mail_rules.h"
#include "report/output/output_file.h"

#define OTHER_ASK  1.25 /* times as much is another ask */
#define MORE_LOST  2.0
#define JOBS_MAX   ((size_t)1 << 20)
#define LARGE      ((size_t)4 << 20) /* bytes; old lines are removed then */
#define FIRST_LINE "{\"format\":\"rtrack-mail-said\",\"version\":1}\n"

uint64_t mail_said_owner(const char *of, const char *owner)
{
	return fnv1a_add(fnv1a_add(FNV1A_BEGIN, of), owner);
}

/* -- what is news ------------------------------------------------------------------------------ */

static int said_order(const void *a, const void *b)
{
	const struct mail_said_job *p = a, *q = b;

	if (p->owner != q->owner)
		return p->owner < q->owner ? -1 : 1;
	if (p->job != q->job)
		return p->job < q->job ? -1 : 1;
	return (p->line > q->line) - (p->line < q->line);
}

/* The last one of this owner and job. NULL: none. */
static const struct mail_said_job *last_said(const struct mail_said *s,
                                             const struct mail_said_job *of)
{
	struct mail_said_job last = {.owner = of->owner, .job = of->job, .line = SIZE_MAX};
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (said_order(&s->v[middle], &last) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || s->v[low - 1].owner != of->owner || s->v[low - 1].job != of->job)
		return NULL;
	return &s->v[low - 1];
}

/* An amount that was or is unknown is not another one. */
static bool is_another_ask(double was, double is)
{
	if (isnan(was) || isnan(is))
		return false;
	return is > was * OTHER_ASK || was > is * OTHER_ASK;
}

bool mail_said_is_news(const struct mail_said *s, const struct mail_said_job *job, double again_s)
{
	const struct mail_said_job *said = last_said(s, job);

	/* A message from the future was written with a wrong clock. */
	if (!said || job->at - said->at >= again_s || said->at - job->at > QUANTITY_DAY_S ||
	    (job->rules & ~said->rules))
		return true;
	for (int i = MAIL_SAID_CPUS; i <= MAIL_SAID_TIME; i++)
		if (is_another_ask(said->v[i], job->v[i]))
			return true;
	for (int i = MAIL_SAID_CORE_H; i <= MAIL_SAID_GPU_H; i++)
		if (job->v[i] > said->v[i] * MORE_LOST)
			return true;
	return false;
}

/* -- the text ---------------------------------------------------------------------------------- */

static const char *const numbers[MAIL_SAID_NUMBERS] = {[MAIL_SAID_CPUS] = "cpus",
                                                       [MAIL_SAID_MEMORY] = "memory_bytes",
                                                       [MAIL_SAID_GPUS] = "gpus",
                                                       [MAIL_SAID_TIME] = "time_s",
                                                       [MAIL_SAID_CORE_H] = "unused_core_h",
                                                       [MAIL_SAID_GIB_H] = "unused_gib_h",
                                                       [MAIL_SAID_GPU_H] = "unused_gpu_h"};

void mail_said_line(struct buf *out, const char *of, const char *owner,
                    const struct mail_said_job *job, size_t n)
{
	struct json_write j = {.sink = NULL};
	char hash[17];

	json_write_object(&j, NULL);
	json_write_num(&j, "at", n ? job->at : 0);
	json_write_str(&j, "of", of);
	json_write_str(&j, "owner", owner);
	json_write_array(&j, "jobs");
	for (size_t i = 0; i < n && i < MAIL_SAID_JOBS_MAX; i++) {
		json_write_object(&j, NULL);
		snprintf(hash, sizeof hash, "%016" PRIx64, job[i].job);
		json_write_str(&j, "job", hash);
		json_write_array(&j, "rules");
		for (unsigned k = 0; k < MAIL_RULES; k++)
			if (job[i].rules & 1u << k)
				json_write_str(&j, NULL, mail_rules_name((enum mail_rule)k));
		json_write_array_end(&j);
		for (int k = 0; k < MAIL_SAID_NUMBERS; k++)
			json_write_num(&j, numbers[k], job[i].v[k]);
		json_write_object_end(&j);
	}
	json_write_array_end(&j);
	json_write_object_end(&j);
	out->failed = out->failed || !json_write_finish(&j);
	buf_add(out, buf_cstr(&j.b), j.b.len);
	buf_char(out, '\n');
	json_write_free(&j);
}

static int read_rules(struct json_read *j, struct buf *word, unsigned *rules)
{
	bool first = true;
	int more;

	if (json_read_open(j, '['))
		return -1;
	while ((more = json_read_more(j, '[', &first)) > 0) {
		if (json_read_string(j, word))
			return -1;
		for (unsigned k = 0; k < MAIL_RULES; k++)
			if (strcmp(buf_cstr(word), mail_rules_name((enum mail_rule)k)) == 0)
				*rules |= 1u << k;
	}
	return more;
}

static int read_hash(struct json_read *j, struct buf *word, uint64_t *hash)
{
	static const char digits[] = "0123456789abcdef";
	const char *digit;

	if (json_read_string(j, word))
		return -1;
	*hash = 0;
	for (const char *c = buf_cstr(word); *c && (digit = strchr(digits, *c)); c++)
		*hash = *hash << 4 | (uint64_t)(digit - digits);
	return word->len == 16 && strspn(buf_cstr(word), digits) == 16
	           ? 0
	           : json_read_fail(j, "not the hash of a job");
}

static int read_job_value(struct json_read *j, struct buf *word, struct mail_said_job *job)
{
	for (int k = 0; k < MAIL_SAID_NUMBERS; k++)
		if (strcmp(buf_cstr(word), numbers[k]) == 0)
			return json_read_cell(j, &job->v[k]);
	if (strcmp(buf_cstr(word), "job") == 0)
		return read_hash(j, word, &job->job);
	return strcmp(buf_cstr(word), "rules") == 0 ? read_rules(j, word, &job->rules)
	                                            : json_read_skip(j, NULL);
}

static int read_said_job(struct json_read *j, struct buf *word, struct mail_said_job *job)
{
	bool first = true;
	int more;

	*job = (struct mail_said_job){.job = 0};
	for (int k = 0; k < MAIL_SAID_NUMBERS; k++)
		job->v[k] = NAN;
	if (json_read_open(j, '{'))
		return -1;
	while ((more = json_read_more(j, '{', &first)) > 0)
		if (json_read_key(j, word) || read_job_value(j, word, job))
			return -1;
	return more;
}

static int keep_job(struct mail_said *s, const struct mail_said_job *job, struct json_read *j)
{
	size_t wider = 2 * s->cap + 64;
	struct mail_said_job *v = s->v;

	if (s->n == s->cap) {
		v = s->n < JOBS_MAX ? reallocarray(v, wider, sizeof *v) : NULL;
		if (!v)
			return json_read_fail(j, "too much was said to be kept in memory");
		s->v = v;
		s->cap = wider;
	}
	s->v[s->n++] = *job;
	return 0;
}

static int read_said_jobs(struct mail_said *s, struct json_read *j, struct buf *word)
{
	struct mail_said_job job;
	bool first = true;
	int more;

	if (json_read_open(j, '['))
		return -1;
	while ((more = json_read_more(j, '[', &first)) > 0)
		if (read_said_job(j, word, &job) || keep_job(s, &job, j))
			return -1;
	return more;
}

/* Reads the keys of a message, in the order in which they are written or in another one. */
static int read_said(struct mail_said *s, struct json_read *j, struct buf *word, size_t line)
{
	struct buf of = {.max = 64}, owner = {.max = MAIL_SAID_LINE_MAX};
	size_t from = s->n;
	double at = NAN;
	bool first = true;
	int more = json_read_open(j, '{');

	while (more == 0 && (more = json_read_more(j, '{', &first)) > 0) {
		if (json_read_key(j, word))
			more = -1;
		else if (strcmp(buf_cstr(word), "at") == 0)
			more = json_read_cell(j, &at);
		else if (strcmp(buf_cstr(word), "of") == 0)
			more = json_read_string(j, &of);
		else if (strcmp(buf_cstr(word), "owner") == 0)
			more = json_read_string(j, &owner);
		else
			more = strcmp(buf_cstr(word), "jobs") == 0 ? read_said_jobs(s, j, word)
			                                           : json_read_skip(j, NULL);
		if (more)
			break;
	}
	if (!more && (json_read_end(j) || !(at >= 0) || !of.len))
		more = json_read_fail(j, "not a message that was said");
	for (size_t i = from; i < s->n; i++) {
		s->v[i].owner = mail_said_owner(buf_cstr(&of), buf_cstr(&owner));
		s->v[i].at = at;
		s->v[i].line = line;
	}
	buf_free(&of);
	buf_free(&owner);
	return more ? -1 : 0;
}

long mail_said_parse(struct mail_said *s, const char *text, size_t n, const char *name,
                     struct err *e)
{
	struct json_read *j = malloc(sizeof *j);
	struct buf word = {.max = MAIL_SAID_LINE_MAX};
	size_t first = sizeof FIRST_LINE - 1, at = first;
	const char *newline;
	int failed = 0;

	if (!j)
		failed = err_set(e, "%s: no memory", name);
	else if (n && (n < first || memcmp(text, FIRST_LINE, first) != 0))
		failed =
		    err_set(e, "%s: not a file in which rtrack-fleet keeps what was said", name);
	for (size_t line = 2; !failed && at < n; line++) {
		struct err why = {0};
		if (!(newline = memchr(text + at, '\n', n - at)))
			break;
		json_read_init_text(j, "", 0);
		if ((size_t)(newline - text) - at <= MAIL_SAID_LINE_MAX)
			json_read_init_text(j, text + at, (size_t)(newline - text) - at);
		j->name = "";
		j->e = &why;
		if (read_said(s, j, &word, line))
			failed = err_set(e,
			                 "%s: line %zu cannot be read; without it, messages would "
			                 "be sent again",
			                 name, line);
		at = (size_t)(newline - text) + 1;
	}
	if (s->n)
		qsort(s->v, s->n, sizeof *s->v, said_order);
	buf_free(&word);
	free(j);
	if (failed)
		return -1;
	return n ? (long)at : 0;
}

/* -- the file ---------------------------------------------------------------------------------- */

static int open_locked(struct mail_said *s, struct err *e)
{
	int fd =
	    open(s->path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, 0666);
	struct stat st, there;

	if (fd < 0)
		return err_set(e, "%s: %s", s->path, strerror(errno));
	s->fd = fd;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return err_set(e, "%s: is not a regular file", s->path);
	if (flock(fd, LOCK_EX | LOCK_NB))
		return err_set(e, "%s: %s", s->path,
		               errno == EWOULDBLOCK ? "another rtrack-fleet is using it"
		                                    : strerror(errno));
	/* It may have been replaced before it was locked. */
	if (stat(s->path, &there) || there.st_ino != st.st_ino || there.st_dev != st.st_dev)
		return err_set(e, "%s: another rtrack-fleet is using it", s->path);
	if ((size_t)st.st_size > MAIL_SAID_BYTES_MAX)
		return err_set(e, "%s: larger than 64 MiB", s->path);
	return 0;
}

static int read_said_state(const struct mail_said *s, struct buf *text, struct err *e)
{
	char part[16384];
	ssize_t got;

	text->max = MAIL_SAID_BYTES_MAX + sizeof part;
	while ((got = read(s->fd, part, sizeof part)) > 0)
		buf_add(text, part, (size_t)got);
	if (got < 0)
		return err_set(e, "%s: %s", s->path, strerror(errno));
	return text->failed ? err_set(e, "%s: no memory", s->path) : 0;
}

/* Every line begins with its time: {"at":1795000000,… */
static bool is_recent(const char *line, double forget)
{
	double at;

	return strncmp(line, "{\"at\":", 6) != 0 || !quantity_number(line + 6, &at) || at >= forget;
}

static void keep_recent(const char *text, size_t n, double forget, struct buf *out)
{
	const char *end = text + n, *next;

	buf_str(out, FIRST_LINE);
	for (text += sizeof FIRST_LINE - 1; text < end; text = next) {
		next = (const char *)memchr(text, '\n', (size_t)(end - text)) + 1;
		if (is_recent(text, forget))
			buf_add(out, text, (size_t)(next - text));
	}
}

static int append_said(const struct mail_said *s, const char *text, size_t n, struct err *e)
{
	while (n) {
		ssize_t w = write(s->fd, text, n);
		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return err_set(e, "%s: %s", s->path, strerror(w ? errno : ENOSPC));
		text += w;
		n -= (size_t)w;
	}
	return 0;
}

/* Replaces the file by its recent lines, and opens the new one. */
static int shorten(struct mail_said *s, const struct buf *text, size_t whole, double forget,
                   struct err *e)
{
	struct buf recent = {.max = MAIL_SAID_BYTES_MAX};
	int failed;

	keep_recent(buf_cstr(text), whole, forget, &recent);
	failed = output_file_put(s->path, &recent, e);
	buf_free(&recent);
	if (failed)
		return -1;
	close(s->fd);
	s->fd = 0;
	return open_locked(s, e);
}

int mail_said_open(struct mail_said *s, const char *path, double forget, struct err *e)
{
	struct buf text = {0};
	long whole = -1;
	int failed;

	*s = (struct mail_said){.path = path};
	failed = open_locked(s, e) || read_said_state(s, &text, e);
	if (!failed)
		whole = mail_said_parse(s, buf_cstr(&text), text.len, path, e);
	if (whole < 0)
		failed = -1;
	else if (!text.len)
		failed = append_said(s, FIRST_LINE, sizeof FIRST_LINE - 1, e);
	else if ((size_t)whole > LARGE)
		failed = shorten(s, &text, (size_t)whole, forget, e);
	else if ((size_t)whole < text.len && ftruncate(s->fd, whole))
		failed = err_set(e, "%s: %s", path, strerror(errno));
	buf_free(&text);
	return failed ? -1 : 0;
}

int mail_said_add(struct mail_said *s, const char *of, const char *owner,
                  const struct mail_said_job *job, size_t n, struct err *e)
{
	struct buf line = {.max = MAIL_SAID_LINE_MAX};
	int failed;

	mail_said_line(&line, of, owner, job, n);
	failed = line.failed ? err_set(e, "%s: no memory", s->path)
	                     : append_said(s, buf_cstr(&line), line.len, e);
	buf_free(&line);
	return failed;
}

void mail_said_close(struct mail_said *s)
{
	if (s->fd > 0)
		close(s->fd);
	free(s->v);
	*s = (struct mail_said){.v = NULL};
}
