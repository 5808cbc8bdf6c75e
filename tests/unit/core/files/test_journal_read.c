/* journal_read: cut anywhere, or damaged, it gives all records that are whole. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "core/files/journal.h"
#include "core/files/snapshot_read.h"
#include "core/recording/gaps.h"
#include "tests/unit/core/recording/recording.h"
#include "tests/unit/unit.h"

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

/* How many samples are read, but those of `lost` (a bit for each record); -1: an error. What was
 * read must be right. */
static long samples_but(const char *p, size_t n, unsigned lost, struct snapshot_damage *damage)
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
		for (int id = 0; id < METRIC_COUNT && rows; id++) {
			const double *v = frame_col(&s.rows[metrics[id].scope], (enum metric_id)id);
			for (size_t i = 0, record = 0; i < (size_t)rows; i++) {
				if (gaps_has(&s, i)) {
					assert_true(isnan(v[i]) ||
					            metrics[id].unit == METRIC_UNIT_TIME);
					continue;
				}
				while (lost >> record & 1)
					record++;
				assert_true(v[i] == cell((enum metric_id)id, record));
				record++;
			}
		}
		rows -= (long)gaps_rows(&s);
	}
	if (damage)
		*damage = s.damage;
	snapshot_free(&s);
	close(fd);
	return rows;
}

static long samples_of(const char *p, size_t n)
{
	return samples_but(p, n, 0, NULL);
}

TEST_WITH(layout, set_up, tear_down)
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

TEST_WITH(cut_anywhere, set_up, tear_down)
{
	struct bytes *b = *state;
	struct snapshot_damage damage;

	assert_int_equal(samples_of(b->p, b->n), RECORDS);
	for (size_t n = b->header + 3 * b->record; n < b->n; n += EVERY(7)) {
		assert_int_equal(samples_but(b->p, n, 0, &damage), (n - b->header) / b->record);
		assert_int_equal(damage.places, 0); /* the write that a crash cut short */
	}
	assert_int_equal(samples_of(b->p, b->header), 0);
	for (size_t n = 0; n < b->header; n += n < 40 || n + 40 > b->header ? 1 : 13)
		assert_int_equal(samples_of(b->p, n), -1);
}

/* A write that the machine did not come to end with: zeros, and rubbish. */
TEST_WITH(unwritten_tail, set_up, tear_down)
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

TEST_WITH(flipped_bits, set_up, tear_down)
{
	struct bytes *b = *state;
	struct snapshot_damage damage;

	for (size_t record = 0; record < RECORDS; record += 2)
		for (size_t i = 0; i < b->record; i += EVERY(7)) {
			char *c = b->p + b->header + record * b->record + i;
			*c = (char)(*c ^ 1 << i % 8);
			assert_int_equal(samples_but(b->p, b->n, 1u << record, &damage),
			                 RECORDS - 1);
			assert_int_equal(damage.places, 1);
			assert_int_equal(damage.at, b->header + record * b->record);
			assert_int_equal(damage.bytes, b->record);
			assert_int_equal(damage.records, record < RECORDS - 1);
			*c = (char)(*c ^ 1 << i % 8);
		}
	/* The header has no checksum: it is read, or refused, but nothing worse. */
	for (size_t i = 0; i < b->header; i += EVERY(3)) {
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
TEST(columns_of_another_version)
{
	static const double rows[2][4] = {{1, 2, 3, 4}, {5, (double)INFINITY, 7, 8}};
	struct snapshot s = {.unfinished = false};
	struct buf b = {0};
	int fd;

	buf_str(&b, JOURNAL_MAGIC "{\"columns\":[\"system_utime\",\"process_memory_mib\",7,"
	                          "\"process_later\"],\"metadata\":{\"start_time\":null}}\n");
	add_record(&b, 0, 0, rows[0], 4);
	add_record(&b, 1, 8, rows[1], 4); /* a flag that is not known */
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

TEST(too_many_columns)
{
	struct snapshot s = {.unfinished = false};
	struct err e = {{0}};
	struct buf b = {0};
	int fd;

	buf_str(&b, JOURNAL_MAGIC "{\"columns\":[0");
	for (int i = 0; i < METRIC_COUNT + DETAIL_CELLS_MAX; i++)
		buf_str(&b, ",0");
	buf_str(&b, "]}\n");
	fd = scratch_bytes(b.s, b.len);
	assert_int_equal(snapshot_read(&s, fd, "o.partial", &e), -1);
	assert_string_equal(e.msg, "o.partial: the header of the journal is incomplete or invalid");
	close(fd);
	buf_free(&b);
}

/* Of a block that is there twice the last one counts, and neither overruns the other. */
TEST(blocks_twice)
{
	struct snapshot s = {.unfinished = false};
	struct buf b = {0};
	int fd;

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

/* In all records. */
TEST_WITH(foreign_byte_order, set_up, tear_down)
{
	struct bytes *b = *state;

	for (size_t record = 0; record < RECORDS; record++) {
		char *r = b->p + b->header + record * b->record;
		char swapped[4] = {r[3], r[2], r[1], r[0]};
		memcpy(r, swapped, 4);
	}
	assert_int_equal(samples_of(b->p, b->n), 0);
}

/* -- damage ------------------------------------------------------------------------------------ */

/* Bytes that are missing, or too many, put all that come after out of their places. */
TEST_WITH(bytes_that_are_missing_or_too_many, set_up, tear_down)
{
	struct bytes *b = *state;
	size_t at = b->header + b->record + 100;
	char *p = malloc(b->n + 5000);
	struct snapshot_damage damage;

	assert_non_null(p);
	for (size_t n = 1; n < 2000; n = n * 3 + 1) {
		size_t records = (100 + n) / b->record + 1;
		unsigned lost = ((1u << records) - 1) << 1;
		memcpy(p, b->p, at);
		memcpy(p + at, b->p + at + n, b->n - at - n);
		assert_int_equal(samples_but(p, b->n - n, lost, &damage), RECORDS - (long)records);
		assert_int_equal(damage.records, records);
		assert_int_equal(damage.bytes, records * b->record - n);
		memset(p + at, 0x52, n);
		memcpy(p + at + n, b->p + at, b->n - at);
		assert_int_equal(samples_but(p, b->n + n, 2, &damage), RECORDS - 1);
		assert_int_equal(damage.records, 1);
		assert_int_equal(damage.bytes, b->record + n);
		assert_int_equal(damage.at, b->header + b->record);
	}
	free(p);
}

TEST_WITH(damage_in_two_places, set_up, tear_down)
{
	struct bytes *b = *state;
	struct snapshot_damage damage;
	struct snapshot s = {.unfinished = false};
	struct err told = {{0}};
	char expect[200];
	int fd;

	b->p[b->header + 20] ^= 1;
	b->p[b->header + 2 * b->record + 20] ^= 1;
	assert_int_equal(samples_but(b->p, b->n, 1u | 4u, &damage), RECORDS - 2);
	assert_int_equal(damage.places, 2);
	assert_int_equal(damage.records, 2);
	fd = scratch_bytes(b->p, b->n);
	assert_int_equal(snapshot_read(&s, fd, "o.partial", NULL), 0);
	journal_tell_damage(&s, &told);
	snprintf(
	    expect, sizeof expect,
	    "The journal is damaged in 2 places, the first at byte %zu: 2 records, %zu bytes could "
	    "not be read, and their samples and marks are missing",
	    b->header, 2 * b->record);
	assert_string_equal(told.msg, expect);
	assert_int_equal(s.notes.n, 1);
	assert_true(strncmp(s.notes.v[0], expect, strlen(expect)) == 0);
	snapshot_free(&s);
	close(fd);
}

/* Where a record seems to begin everywhere, so much is looked at and no more: what comes after
 * 256 MiB of that is not found. */
TEST_WITH(a_file_that_keeps_us_busy, set_up, tear_down)
{
	struct bytes *b = *state;
	const size_t vain = ((size_t)256 << 20) / (b->record + 15), size = vain * 16;
	const uint32_t magic = 0x52545231;
	const uint64_t seq = UINT64_MAX;
	char *p = malloc(b->n + size + 64);
	struct snapshot_damage damage;

	assert_non_null(p);
	for (int more = -4; more <= 4; more += 8) {
		size_t last = b->header + 3 * b->record, n = last + (vain + (size_t)more) * 16;
		memcpy(p, b->p, last);
		for (size_t i = last; i < n; i += 16) {
			memcpy(p + i, &magic, 4);
			memset(p + i + 4, 0, 4);
			memcpy(p + i + 8, &seq, 8);
		}
		memcpy(p + n, b->p + last, b->n - last);
		n += b->n - last;
		assert_int_equal(samples_but(p, n, 0, &damage), more < 0 ? RECORDS : 3);
		assert_int_equal(damage.bytes, n - last - (more < 0 ? 2 * b->record : 0));
	}
	free(p);
}

/* A journal of rows of one second each, with records left out or damaged. */
static void rows_of_a_second(struct buf *b, unsigned lost)
{
	buf_str(b, JOURNAL_MAGIC
	        "{\"columns\":[\"process_timestamp\",\"process_utime\",\"process_stime\","
	        "\"process_cpu_usage\",\"process_memory\",\"system_timestamp\",\"system_utime\","
	        "\"system_stime\",\"system_cpu_usage\"],"
	        "\"metadata\":{\"interval\":1,\"start_time\":1000,\"track_processes\":true,"
	        "\"track_system\":true}}\n");
	for (uint64_t i = 0; i < 10; i++) {
		double t = 1001 + (double)i;
		const double row[] = {t, 0.5, 0.25, 0.75, 4096 * (double)(i + 1), t, 1, 0.5, 1.5};
		add_record(b, i, 0, row, sizeof row / sizeof *row);
		if (lost >> i & 1)
			b->s[b->len - 1] = (char)(b->s[b->len - 1] ^ 1);
	}
}

static void expect_gap(const struct snapshot *s, size_t i, double from, double to, size_t row)
{
	const struct frame *tree = &s->rows[METRIC_SCOPE_PROCESS];

	assert_true(fabs(s->gaps->v[i].from - from) < 1e-9);
	assert_true(fabs(s->gaps->v[i].to - to) < 1e-9);
	assert_int_equal(s->gaps->v[i].row, row);
	assert_true(gaps_has(s, row) && !gaps_has(s, row - 1) && !gaps_has(s, row + 1));
	assert_true(frame_col(tree, METRIC_PROCESS_TIMESTAMP)[row] == s->gaps->v[i].to);
	assert_true(isnan(frame_col(tree, METRIC_PROCESS_MEMORY)[row]));
	/* The row after it stands for its own second. */
	assert_true(frame_col(tree, METRIC_PROCESS_TIMESTAMP)[row + 1] == to + 1);
}

static void check_gaps(const struct snapshot *s)
{
	assert_int_equal(gaps_rows(s), 2);
	assert_int_equal(s->rows[METRIC_SCOPE_PROCESS].rows, 10 - 3 + 2);
	assert_int_equal(s->rows[METRIC_SCOPE_SYSTEM].rows, 10 - 3 + 2);
	expect_gap(s, 0, 1002, 1004, 2);
	expect_gap(s, 1, 1007, 1008, 6);
}

/* Also in a snapshot that is made of it, whose rows are those that there are. */
TEST(time_without_rows)
{
	struct snapshot s = {.unfinished = false}, back = {.unfinished = false};
	struct buf b = {0};
	struct err e = {{0}};
	int fd, to;
	char *text;

	rows_of_a_second(&b, 1u << 2 | 1u << 3 | 1u << 7);
	fd = scratch_bytes(b.s, b.len);
	assert_int_equal(snapshot_read(&s, fd, "o.partial", NULL), 0);
	check_gaps(&s);
	assert_true(s.meta.stop_time == 1010);
	to = written(&s, SCHEMA_1);
	text = inflated(to);
	assert_non_null(
	    strstr(text, "\"gaps\":[{\"from\":1002,\"to\":1004},{\"from\":1007,\"to\":1008}]"));
	assert_non_null(strstr(text, "\"memory\":[4,8,20,24,28,36,40]"));
	assert_non_null(strstr(text, "\"samples\":{\"process\":{\"n\":7,"));
	assert_null(strstr(text, "process_memory was not measured"));
	free(text);
	lseek(to, 0, SEEK_SET);
	assert_int_equal(snapshot_read(&back, to, "o", &e), 0);
	check_gaps(&back);
	close(to);
	close(fd);
	snapshot_free(&back);
	snapshot_free(&s);
	buf_free(&b);
}

TEST(a_lost_mark_is_no_gap)
{
	struct snapshot s = {.unfinished = false};
	struct buf b = {0};
	const double mark[9] = {1003.5};
	int fd;

	rows_of_a_second(&b, 0);
	b.len -= 20 + 9 * 8;
	add_record(&b, 9, 2, mark, 9);
	b.s[b.len - 1] = (char)(b.s[b.len - 1] ^ 1);
	add_record(&b, 10, 0, (double[]){1010, 0.5, 0.25, 0.75, 1, 1010, 1, 0.5, 1.5}, 9);
	fd = scratch_bytes(b.s, b.len);
	assert_int_equal(snapshot_read(&s, fd, "o.partial", NULL), 0);
	assert_int_equal(s.damage.records, 1);
	assert_int_equal(gaps_rows(&s), 0);
	assert_int_equal(s.rows[METRIC_SCOPE_PROCESS].rows, 10);
	snapshot_free(&s);
	close(fd);
	buf_free(&b);
}
