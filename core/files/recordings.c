/* recordings: a file that has one recording, or several. */
#include "core/files/recordings.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/gz.h"
#include "core/base/larger.h"
#include "core/json/json_read.h"

/* A FIFO has one reader only: it is not opened here. */
int recordings_open(struct recordings *v, const char *path)
{
	struct stat st;

	*v = (struct recordings){.fd = -1};
	if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
		v->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	return v->fd < 0 ? -1 : 0;
}

void recordings_close(struct recordings *v)
{
	if (v->fd >= 0)
		close(v->fd);
	v->fd = -1;
}

/* -- sums of short steps ----------------------------------------------------------------------- */

#define SHORT_MAX       512  /* bytes of a member that may be one; a recording is larger */
#define SHORT_VALUE_MAX 1e18 /* so that no sum of a file is infinite */

static int read_short(struct json_read *in, struct recordings_short *sum)
{
	const struct {
		const char *key;
		double *to;
	} fields[] = {{"n", &sum->n},
	              {"cpu_s", &sum->cpu_s},
	              {"longest_s", &sum->longest_s},
	              {"memory_peak_bytes", &sum->memory_peak_b},
	              {"below_s", &sum->below_s},
	              {"pid", &sum->pid},
	              {"start_time", &sum->start_time}};
	struct buf key = {.max = 64};
	bool first = true;
	int more = 0;

	*sum = (struct recordings_short){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	if (json_read_open(in, '{') || json_read_more(in, '{', &first) != 1 ||
	    !json_read_is_key(in, RECORDINGS_SHORT_KEY) || json_read_open(in, '{'))
		return -1;
	first = true;
	while ((more = json_read_more(in, '{', &first)) > 0) {
		double v;
		if (json_read_key(in, &key) || json_read_cell(in, &v))
			break;
		for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
			if (strcmp(buf_cstr(&key), fields[i].key) == 0 && v >= 0 &&
			    v <= SHORT_VALUE_MAX)
				*fields[i].to = v;
	}
	buf_free(&key);
	return more == 0 && sum->n >= 1 ? 0 : -1;
}

static bool read_as_short(struct recordings *v)
{
	unsigned char raw[SHORT_MAX];
	char text[4 * SHORT_MAX];
	struct gz_head *gz;
	struct json_read *in;
	long n;
	bool found;

	if (v->n > sizeof raw || pread(v->fd, raw, v->n, (off_t)v->at) != (ssize_t)v->n)
		return false;
	gz = gz_head_new(NULL);
	n = gz ? gz_head_read(gz, raw, v->n, text, sizeof text) : -1;
	gz_head_free(gz);
	in = n > 0 ? malloc(sizeof *in) : NULL;
	if (!in)
		return false;
	json_read_init_text(in, text, (size_t)n);
	found = read_short(in, &v->sum) == 0;
	free(in);
	return found;
}

void recordings_short_add(struct recordings_short *to, const struct recordings_short *more)
{
	if (to->n == 0) {
		*to = *more;
		return;
	}
	to->n += more->n;
	to->cpu_s += more->cpu_s;
	to->longest_s = larger(to->longest_s, more->longest_s);
	to->memory_peak_b = larger(to->memory_peak_b, more->memory_peak_b);
	to->below_s = larger(to->below_s, more->below_s);
	to->pid = to->start_time = NAN;
}

/* -- the file ---------------------------------------------------------------------------------- */

int recordings_next(struct recordings *v, struct err *e)
{
	unsigned char head[GZ_MEMBER_HEAD];
	uint64_t size, n;
	struct stat st;
	ssize_t got;

	v->at += v->n;
	v->n = 0;
	if (fstat(v->fd, &st))
		return err_set(e, "%s", strerror(errno));
	size = (uint64_t)st.st_size;
	/* One that states no size is the whole file, as a journal that grows meanwhile. */
	if (v->at && (!v->several || v->at >= size))
		return 0;
	got = pread(v->fd, head, sizeof head, (off_t)v->at);
	if (got < 0)
		return err_set(e, "%s", strerror(errno));
	n = gz_member_size(head, (size_t)got);
	if (!v->at && !n)
		n = size ? size : 1; /* an empty file is one recording, which has no samples */
	else if (n < GZ_MEMBER_HEAD || n > size - v->at)
		return err_set(e,
		               "its last recording is not whole: the last %llu bytes, from byte "
		               "%llu on, are left out",
		               (unsigned long long)(size - v->at), (unsigned long long)v->at);
	v->n = n;
	v->several = v->several || gz_member_size(head, (size_t)got) != 0;
	return v->several && read_as_short(v) ? RECORDINGS_SHORT : 1;
}

const char *recordings_name(const char *name, uint64_t at, struct err *to)
{
	if (!at)
		return name;
	err_set(to, "%s, recording at byte %llu", name, (unsigned long long)at);
	return to->msg;
}
