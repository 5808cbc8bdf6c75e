/* snapshot_read: any bytes as a recording; what passes must keep its promises, and be written
 * again. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/files/snapshot_read.h"
#include "core/files/snapshot_write.h"
#include "tests/fuzz/fuzz.h"

static int file_of(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

static void is_a_string(const char *s)
{
	must(s && strlen(s) <= SNAPSHOT_STRING_MAX + 3 * 65536);
}

static void check(const struct snapshot *s)
{
	const double numbers[] = {s->meta.pid,        s->meta.interval, s->meta.start_time,
	                          s->meta.stop_time,  s->meta.duration, s->server.vcpus,
	                          s->server.memory_b, s->totals.wall_s, s->cloud.discovery_time};

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		must(!isinf(numbers[i]));
	is_a_string(s->meta.version);
	is_a_string(s->server.os);
	is_a_string(s->cloud.vendor);
	is_a_string(s->job.host);
	must(s->job.argc <= SNAPSHOT_ARGS_MAX && (s->job.argc == 0 || s->job.argv));
	for (size_t i = 0; i < s->job.argc; i++)
		is_a_string(s->job.argv[i]);
	for (size_t i = 0; i < s->notes.n; i++)
		is_a_string(s->notes.v[i]);
	for (int id = 0; id < METRIC_COUNT; id++) {
		const struct frame *f = &s->rows[metrics[id].scope];
		must(!frame_col(f, id) || frame_len(f, id) == f->rows);
		for (size_t i = 0; frame_col(f, id) && i < f->rows; i++)
			must(!isinf(frame_col(f, id)[i]));
	}
}

static bool is_recognised(int fd)
{
	char path[32];

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return snapshot_recognise(path);
}

/* Writes it and reads that; the file's bytes are appended to text. */
static void write_and_read(struct snapshot *s, struct snapshot *back, struct buf *text)
{
	struct snapshot_source rows = snapshot_source_of(s);
	int fd = fuzz_file("", 0);
	char part[4096];
	ssize_t n;

	must(snapshot_write(s, &rows, s->schema, fd, NULL) == 0 && lseek(fd, 0, SEEK_SET) == 0);
	must(is_recognised(fd));
	while ((n = read(fd, part, sizeof part)) > 0)
		buf_add(text, part, (size_t)n);
	lseek(fd, 0, SEEK_SET);
	must(snapshot_read(back, fd, "again", NULL) == 0);
	close(fd);
}

/* What was taken can be written, and that is taken too. Once what was not measured stands as 0 in
 * the columns that must be there, it stays as it is. */
static void again(struct snapshot *s)
{
	struct snapshot back[3] = {{.unfinished = false}};
	struct buf text[3] = {{0}};

	for (size_t i = 0; i < 3; i++)
		write_and_read(i ? &back[i - 1] : s, &back[i], &text[i]);
	must(back[0].job.argc == s->job.argc || s->job.argc > 10);
	check(&back[0]);
	must(text[1].len == text[2].len && memcmp(text[1].s, text[2].s, text[1].len) == 0);
	for (size_t i = 0; i < 3; i++) {
		snapshot_free(&back[i]);
		buf_free(&text[i]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct snapshot s = {.unfinished = false};
	struct err e = {{0}};
	int fd = file_of(data, size);

	(void)is_recognised(fd);
	if (snapshot_read(&s, fd, "fuzz", &e) == 0) {
		check(&s);
		if (s.rows[0].rows <= 1000 && s.rows[1].rows <= 1000)
			again(&s);
		snapshot_free(&s);
	} else {
		must(strncmp(e.msg, "fuzz: ", 6) == 0 && !s.arena && !s.rows[0].rows);
	}
	close(fd);
	return 0;
}
