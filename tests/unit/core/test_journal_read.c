/* journal_read: cut anywhere, or damaged, it gives the whole records before that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "../../../core/journal.h"
#include "recording.h"

#define RECORDS 5

struct bytes {
	char *p;
	size_t n, header, record;
};

/* A journal of five samples, as bytes. */
static int set_up(void **state)
{
	char path[] = "/tmp/rtrack-test-XXXXXX";
	struct bytes *b = calloc(1, sizeof *b);
	struct snapshot s = {.unfinished = false};
	double row[METRIC_COUNT];
	struct journal *j;
	int fd = mkstemp(path);

	if (!b || fd < 0 || unlink(path))
		return -1;
	close(fd);
	fill(&s, 0, false);
	j = journal_create(path, &s, NULL);
	if (!j)
		return -1;
	for (size_t i = 0; i < RECORDS; i++) {
		for (int id = 0; id < METRIC_COUNT; id++)
			row[id] = cell((enum metric_id)id, i);
		if (journal_append(j, row, 0, NULL))
			return -1;
	}
	fd = open(path, O_RDONLY);
	b->p = scratch_slurp(fd, &b->n);
	b->record = 16 + 8 * (size_t)METRIC_COUNT + 4;
	b->header = b->n - RECORDS * b->record;
	close(fd);
	journal_close(j, true);
	snapshot_free(&s);
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	struct bytes *b = *state;

	free(b->p);
	free(b);
	return 0;
}

/* How many samples are read; -1: an error. What was read must be right. */
static long samples_of(const char *p, size_t n)
{
	struct snapshot s = {.unfinished = false};
	struct err e = {{0}};
	int fd = scratch_bytes(p, n);
	long rows = -1;

	if (snapshot_read(&s, fd, "o.partial", &e)) {
		assert_true(strncmp(e.msg, "o.partial: ", 11) == 0);
	} else {
		rows = (long)s.rows[METRIC_SCOPE_SYSTEM].rows;
		assert_int_equal(s.rows[METRIC_SCOPE_PROCESS].rows, rows);
		for (int id = 0; id < METRIC_COUNT && rows; id++)
			for (size_t i = 0; i < (size_t)rows; i++)
				assert_true(
				    frame_col(&s.rows[metrics[id].scope], (enum metric_id)id)[i] ==
				    cell((enum metric_id)id, i));
	}
	snapshot_free(&s);
	close(fd);
	return rows;
}

static void layout(void **state)
{
	struct bytes *b = *state;
	const char *r = b->p + b->header + 2 * b->record;
	uint32_t magic, flags, crc;
	uint64_t seq;

	assert_memory_equal(b->p, "rtrack-journal 1\n{\"metadata\":{", 30);
	assert_int_equal(b->p[b->header - 1], '\n');
	memcpy(&magic, r, 4);
	memcpy(&flags, r + 4, 4);
	memcpy(&seq, r + 8, 8);
	memcpy(&crc, r + b->record - 4, 4);
	assert_int_equal(magic, 0x52545231);
	assert_int_equal(flags, 0);
	assert_int_equal(seq, 2);
	assert_int_equal(crc, crc32(0, (const unsigned char *)r, (unsigned)b->record - 4));
	assert_memory_equal(r + 16, &(double){cell(METRIC_PROCESS_TIMESTAMP, 2)}, 8);
}

static void cut_anywhere(void **state)
{
	struct bytes *b = *state;

	assert_int_equal(samples_of(b->p, b->n), RECORDS);
	for (size_t n = b->header + 3 * b->record; n < b->n; n++)
		assert_int_equal(samples_of(b->p, n), (n - b->header) / b->record);
	assert_int_equal(samples_of(b->p, b->header), 0);
	for (size_t n = 0; n < b->header; n += n < 40 || n + 40 > b->header ? 1 : 13)
		assert_int_equal(samples_of(b->p, n), -1);
}

/* A write that the machine did not come to end with: zeros, and rubbish. */
static void unwritten_tail(void **state)
{
	struct bytes *b = *state;
	char *p = malloc(b->n + 10000);

	for (int fill_with = 0; fill_with < 256; fill_with += 85) {
		memcpy(p, b->p, b->n);
		memset(p + b->n, fill_with, 10000);
		assert_int_equal(samples_of(p, b->n + 10000), RECORDS);
		memset(p + b->n - 1, fill_with ^ 1, 1);
		assert_int_equal(samples_of(p, b->n + 10000), RECORDS - 1);
	}
	/* The last record once more is not the next one. */
	memcpy(p, b->p, b->n);
	memcpy(p + b->n, b->p + b->n - b->record, b->record);
	assert_int_equal(samples_of(p, b->n + b->record), RECORDS);
	free(p);
}

static void flipped_bits(void **state)
{
	struct bytes *b = *state;

	for (size_t record = 0; record < RECORDS; record += 2)
		for (size_t i = 0; i < b->record; i++) {
			char *c = b->p + b->header + record * b->record + i;
			*c = (char)(*c ^ 1 << i % 8);
			assert_int_equal(samples_of(b->p, b->n), record);
			*c = (char)(*c ^ 1 << i % 8);
		}
	/* The header has no checksum: it is read, or refused, but nothing worse. */
	for (size_t i = 0; i < b->header; i++) {
		struct snapshot s = {.unfinished = false};
		int fd;
		b->p[i] = (char)(b->p[i] ^ 1 << i % 8);
		fd = scratch_bytes(b->p, b->n);
		snapshot_read(&s, fd, "o.partial", NULL);
		snapshot_free(&s);
		close(fd);
		b->p[i] = (char)(b->p[i] ^ 1 << i % 8);
	}
}

static void add_record(struct buf *b, uint64_t seq, uint32_t flags, const double *v, size_t n)
{
	size_t from = b->len;
	uint32_t magic = 0x52545231, crc;

	buf_add(b, &magic, 4);
	buf_add(b, &flags, 4);
	buf_add(b, &seq, 8);
	buf_add(b, v, n * 8);
	crc = (uint32_t)crc32(0, (unsigned char *)b->s + from, (unsigned)(b->len - from));
	buf_add(b, &crc, 4);
}

/* Columns in another order, and some that are not known, as another version may write them. */
static void columns_of_another_version(void **state)
{
	static const double rows[2][4] = {{1, 2, 3, 4}, {5, (double)INFINITY, 7, 8}};
	struct snapshot s = {.unfinished = false};
	struct buf b = {0};
	int fd;

	(void)state;
	buf_str(&b, JOURNAL_MAGIC "{\"columns\":[\"system_utime\",\"process_memory_mib\",7,"
	                          "\"process_later\"],\"metadata\":{\"start_time\":null}}\n");
	add_record(&b, 0, 0, rows[0], 4);
	add_record(&b, 1, 4, rows[1], 4); /* a flag that is not known */
	fd = scratch_bytes(b.s, b.len);
	assert_int_equal(snapshot_read(&s, fd, "o.partial", NULL), 0);
	assert_int_equal(s.rows[METRIC_SCOPE_SYSTEM].rows, 2);
	assert_true(frame_col(&s.rows[METRIC_SCOPE_SYSTEM], METRIC_SYSTEM_UTIME)[1] == 5);
	assert_true(frame_col(&s.rows[METRIC_SCOPE_PROCESS], METRIC_PROCESS_MEMORY)[0] == 2);
	assert_true(isnan(frame_col(&s.rows[METRIC_SCOPE_PROCESS], METRIC_PROCESS_MEMORY)[1]));
	assert_true(isnan(s.meta.stop_time));
	snapshot_free(&s);
	close(fd);
	buf_free(&b);
}

static void too_many_columns(void **state)
{
	struct snapshot s = {.unfinished = false};
	struct err e = {{0}};
	struct buf b = {0};
	int fd;

	(void)state;
	buf_str(&b, JOURNAL_MAGIC "{\"columns\":[0");
	for (int i = 0; i < METRIC_COUNT; i++)
		buf_str(&b, ",0");
	buf_str(&b, "]}\n");
	fd = scratch_bytes(b.s, b.len);
	assert_int_equal(snapshot_read(&s, fd, "o.partial", &e), -1);
	assert_string_equal(e.msg, "o.partial: a journal without a whole header");
	close(fd);
	buf_free(&b);
}

/* Of a block that is there twice the last one counts, and neither overruns the other. */
static void blocks_twice(void **state)
{
	struct snapshot s = {.unfinished = false};
	struct buf b = {0};
	int fd;

	(void)state;
	buf_str(&b, JOURNAL_MAGIC "{\"columns\":[],\"rtrack\":{\"job\":{\"argv\":[0");
	for (int i = 0; i < 5000; i++)
		buf_str(&b, ",\"word\"");
	buf_str(&b, "]}},\"rtrack\":{\"job\":{\"argv\":[\"one\"]}}}\n");
	fd = scratch_bytes(b.s, b.len);
	assert_int_equal(snapshot_read(&s, fd, "o.partial", NULL), 0);
	assert_int_equal(s.job.argc, 1);
	assert_string_equal(s.job.argv[0], "one");
	snapshot_free(&s);
	close(fd);
	buf_free(&b);
}

/* A byte order that is not ours shows in the first record. */
static void foreign_byte_order(void **state)
{
	struct bytes *b = *state;
	char *r = b->p + b->header;
	char swapped[4] = {r[3], r[2], r[1], r[0]};

	memcpy(r, swapped, 4);
	assert_int_equal(samples_of(b->p, b->n), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(layout),
	    TEST(cut_anywhere),
	    TEST(unwritten_tail),
	    TEST(flipped_bits),
	    cmocka_unit_test(columns_of_another_version),
	    cmocka_unit_test(too_many_columns),
	    cmocka_unit_test(blocks_twice),
	    TEST(foreign_byte_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
