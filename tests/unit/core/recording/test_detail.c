/* detail: names of series; and devices of a recording, from the journal to the file and back. */
#include <fcntl.h>
#include <stdio.h>

#include <cjson/cJSON.h>

#include "core/files/journal.h"
#include "core/files/snapshot_read.h"
#include "core/files/snapshot_write.h"
#include "core/head/detail_file.h"
#include "core/json/json_write.h"
#include "core/recording/gaps.h"
#include "tests/unit/core/recording/recording.h"
#include "tests/unit/unit.h"

#define HOSTILE "/mnt/a.b \"</script>\n\x1b[31m=cmd(1)"

TEST(names)
{
	static const struct {
		const char *name, *device; /* device NULL: no name of a series */
		enum detail_kind kind;
		size_t measure;
	} rows[] = {
	    {"cpu.0.usage", "0", DETAIL_CPU, 0},
	    {"interface.eth0.100.sent_bytes", "eth0.100", DETAIL_INTERFACE, 1},
	    {"file_system./.used_bytes", "/", DETAIL_FILE_SYSTEM, 0},
	    {"file_system." HOSTILE ".free_bytes", HOSTILE, DETAIL_FILE_SYSTEM, 1},
	    {"disk.nvme0n1.written_bytes", "nvme0n1", DETAIL_DISK, 1},
	    {"disk..read_bytes", "", DETAIL_DISK, 0},
	    {"disk.read_bytes", NULL, DETAIL_DISK, 0},
	    {"disk.", NULL, DETAIL_DISK, 0},
	    {"disk", NULL, DETAIL_DISK, 0},
	    {"diskette.a.read_bytes", NULL, DETAIL_DISK, 0},
	    {"disk.sda.usage", NULL, DETAIL_DISK, 0},
	    {"cpu.0.", NULL, DETAIL_CPU, 0},
	    {"", NULL, DETAIL_CPU, 0},
	};
	char out[DETAIL_SERIES_MAX];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		enum detail_kind kind;
		const char *device;
		size_t measure, n;
		bool is = detail_series_parse(rows[i].name, &kind, &measure, &device, &n);
		assert_int_equal(is, rows[i].device != NULL);
		if (!is)
			continue;
		assert_int_equal(kind, rows[i].kind);
		assert_int_equal(measure, rows[i].measure);
		assert_int_equal(n, strlen(rows[i].device));
		assert_memory_equal(device, rows[i].device, n);
		assert_string_equal(detail_series_name(kind, rows[i].device, measure, out),
		                    rows[i].name);
	}
}

TEST(names_in_a_journal)
{
	enum detail_kind kind;
	char out[DETAIL_SERIES_MAX];

	assert_string_equal(
	    detail_device_parse(detail_device_text(DETAIL_FILE_SYSTEM, "/a b", out), &kind),
	    "/a b");
	assert_int_equal(kind, DETAIL_FILE_SYSTEM);
	assert_null(detail_device_parse("tape 0", &kind));
	assert_null(detail_device_parse("", &kind));
	assert_int_equal(detail_cell_parse(detail_cell_name(7, out)), DETAIL_CELL(7));
	assert_int_equal(detail_cell_parse("detail_0"), DETAIL_CELL(0));
	assert_int_equal(detail_cell_parse("detail_639"), DETAIL_CELL(639));
	assert_int_equal(detail_cell_parse("detail_640"), METRIC_COUNT);
	assert_int_equal(detail_cell_parse("detail_"), METRIC_COUNT);
	assert_int_equal(detail_cell_parse("detail_-1"), METRIC_COUNT);
	assert_int_equal(detail_cell_parse("detail_1x"), METRIC_COUNT);
	assert_int_equal(detail_cell_parse("detail_99999999999999999999"), METRIC_COUNT);
}

/* -- a recording: two CPUs, a disk, and from row 4 on a file system ------------------------------ */

#define ROWS  10
#define CELLS 6

static const struct detail_device all[] = {{DETAIL_CPU, 0, "0"},
                                           {DETAIL_CPU, 1, "1"},
                                           {DETAIL_DISK, 2, "sda"},
                                           {DETAIL_FILE_SYSTEM, 4, HOSTILE}};

static double device_cell(size_t i, size_t row)
{
	switch (i) {
	case 0:
		return row < 4 ? 0.95 : 0.25;
	case 1:
		return row == 2 ? (double)NAN : 0.5; /* offline */
	case 2:
		return 512 * (double)row;
	case 3:
		return NAN; /* never measured */
	case 4:
		return row < 4 ? (double)NAN : 1e9 + 1e6 * (double)row;
	default:
		return row < 4 ? (double)NAN : 3e9 - 1e6 * (double)row;
	}
}

static void fill_row(double *row, size_t i)
{
	for (int id = 0; id < METRIC_COUNT; id++)
		row[id] = cell((enum metric_id)id, i);
	/* Rows of half a second; the first begins at the start. */
	row[METRIC_PROCESS_TIMESTAMP] = row[METRIC_SYSTEM_TIMESTAMP] =
	    1760000000.125 + 0.5 * (double)(i + 1);
	for (size_t k = 0; k < CELLS; k++)
		row[DETAIL_CELL(k)] = device_cell(k, i);
}

struct made {
	char path[32];
	struct snapshot s;
	struct detail_devices devices;
	struct journal *j;
};

static void make_journal(struct made *m, size_t rows)
{
	double row[DETAIL_ROW_CELLS];
	int fd;

	strcpy(m->path, "/tmp/rtrack-test-XXXXXX");
	fd = mkstemp(m->path);
	assert_true(fd >= 0 && unlink(m->path) == 0);
	close(fd);
	m->s = (struct snapshot){.unfinished = false};
	fill(&m->s, 0, false);
	m->s.meta.track_processes = m->s.meta.track_system = true;
	m->devices = (struct detail_devices){.cells = CELLS};
	m->s.devices = &m->devices;
	m->j = journal_create(m->path, &m->s, NULL);
	assert_non_null(m->j);
	for (size_t i = 0; i < rows; i++) {
		while (m->devices.n < (i < 4 ? 3 : 4)) {
			m->devices.v[m->devices.n] = all[m->devices.n];
			assert_int_equal(journal_device(m->j, &m->devices.v[m->devices.n++], NULL),
			                 0);
		}
		fill_row(row, i);
		assert_int_equal(journal_append(m->j, row, 0, NULL), 0);
		if (i == 3)
			assert_int_equal(journal_mark(m->j, row[0], "a phase", 7, NULL), 0);
	}
}

static void drop_journal(struct made *m)
{
	journal_close(m->j, true);
	snapshot_free(&m->s);
}

static const struct detail_series *series_of(const struct detail *d, enum detail_kind kind,
                                             const char *device, size_t measure)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->v[i].kind == kind && d->v[i].measure == measure &&
		    strcmp(d->v[i].device, device) == 0)
			return &d->v[i];
	return NULL;
}

static void assert_close(double a, double b)
{
	if (!(fabs(a - b) <= 1e-9 * (1 + fabs(b))))
		fail_msg("%.17g is not %.17g", a, b);
}

/* The numbers by hand. */
static void check_detail(const struct detail *d)
{
	const struct detail_series *cpu, *other, *disk, *space;

	assert_non_null(d);
	assert_int_equal(d->n, 5);
	assert_int_equal(d->buckets, ROWS);
	cpu = series_of(d, DETAIL_CPU, "0", 0);
	other = series_of(d, DETAIL_CPU, "1", 0);
	disk = series_of(d, DETAIL_DISK, "sda", 0);
	space = series_of(d, DETAIL_FILE_SYSTEM, HOSTILE, 0);
	assert_true(cpu && other && disk && space);
	assert_null(series_of(d, DETAIL_DISK, "sda", 1));
	assert_close(cpu->mean, (4 * 0.95 + 6 * 0.25) / 10);
	assert_close(cpu->busy, 0.4);
	assert_close(cpu->max, 0.95);
	assert_true(isnan(cpu->sum) && isnan(cpu->first));
	assert_true(other->n == 9 && other->busy == 0 && isnan(other->points[2]));
	assert_close(disk->sum, 512 * 45);
	assert_close(disk->mean, 512 * 45 / 5.0);
	assert_close(disk->max, 512 * 9 / 0.5);
	assert_close(space->first, 1.004e9);
	assert_close(space->last, 1.009e9);
	assert_close(space->max, 1.009e9);
	assert_true(isnan(space->points[3]) && space->points[4] == 1.004e9);
	for (size_t i = 0; i < ROWS; i++)
		assert_close(disk->points[i], 1024 * (double)i);
}

static void has_column(const char *text, const char *name, const char *cells)
{
	struct buf b = {0};

	json_write_quote(&b, name, strlen(name));
	buf_printf(&b, ":[%s]", cells);
	if (!strstr(strstr(text, "\"detail_metrics\""), buf_cstr(&b)))
		fail_msg("%s: not in %s", buf_cstr(&b), strstr(text, "\"detail_metrics\""));
	buf_free(&b);
}

static void check_file(int fd)
{
	struct snapshot s = {.unfinished = false};
	char *text = inflated(fd);
	struct err e = {{0}};

	has_column(text, "cpu.0.usage", "0.95,0.95,0.95,0.95,0.25,0.25,0.25,0.25,0.25,0.25");
	has_column(text, "cpu.1.usage", "0.5,0.5,null,0.5,0.5,0.5,0.5,0.5,0.5,0.5");
	has_column(text, "disk.sda.read_bytes", "0,512,1024,1536,2048,2560,3072,3584,4096,4608");
	has_column(text, "file_system." HOSTILE ".used_bytes",
	           "null,null,null,null,1004000000,1005000000,1006000000,1007000000,1008000000,"
	           "1009000000");
	assert_null(strstr(text, "disk.sda.written_bytes"));
	assert_null(strstr(text, "</script>"));
	if (snapshot_read(&s, fd, "f", &e))
		fail_msg("%s", e.msg);
	check_detail(s.detail);
	snapshot_free(&s);
	free(text);
}

TEST(from_journal_to_file)
{
	struct made m;
	struct snapshot_source rows;
	int fd = memfd_create("snapshot", MFD_CLOEXEC);
	struct err e = {{0}};

	make_journal(&m, ROWS);
	rows = journal_source(m.j, false);
	assert_int_equal(rows.rows, ROWS);
	if (snapshot_write(&m.s, &rows, SCHEMA_1, fd, &e))
		fail_msg("%s", e.msg);
	lseek(fd, 0, SEEK_SET);
	check_file(fd);
	close(fd);
	drop_journal(&m);
}

/* A killed recording: read for a report, and made a snapshot of. */
TEST(recovered)
{
	struct made m;
	struct snapshot s = {.unfinished = false};
	struct err e = {{0}};
	int fd, out;

	make_journal(&m, ROWS);
	fd = open(m.path, O_RDONLY);
	if (snapshot_read(&s, fd, "j", &e))
		fail_msg("%s", e.msg);
	check_detail(s.detail);
	assert_int_equal(s.phases->n, 1);
	out = written(&s, SCHEMA_2);
	check_file(out);
	close(out);
	close(fd);
	snapshot_free(&s);
	drop_journal(&m);
}

/* A record is lost: its row is left out, and the devices of the others stay where they are. */
TEST(damaged)
{
	struct made m;
	struct snapshot s = {.unfinished = false};
	size_t n, record = 16 + 8 * (size_t)(METRIC_COUNT + CELLS) + 4;
	char *bytes;
	int fd, broken;
	const struct detail_series *disk;

	make_journal(&m, ROWS);
	fd = open(m.path, O_RDONLY);
	bytes = scratch_slurp(fd, &n);
	bytes[n - 3 * record + 40] ^= 1; /* row 7 */
	broken = scratch_bytes(bytes, n);
	assert_int_equal(snapshot_read(&s, broken, "j", NULL), 0);
	assert_int_equal(s.rows[METRIC_SCOPE_SYSTEM].rows, ROWS - 1 + gaps_rows(&s));
	disk = series_of(s.detail, DETAIL_DISK, "sda", 0);
	assert_true(disk->n == ROWS - 1);
	assert_close(disk->sum, 512 * (45 - 7));
	snapshot_free(&s);
	close(broken);
	close(fd);
	free(bytes);
	drop_journal(&m);
}

/* Columns are spread to a file for long runs, and the points are then means of many rows. */
TEST(long_run)
{
	enum { LONG_ROWS = 9000 };
	struct made m;
	struct snapshot s = {.unfinished = false};
	struct snapshot_source rows;
	int fd = memfd_create("snapshot", MFD_CLOEXEC);
	const struct detail_series *disk;

	make_journal(&m, LONG_ROWS);
	rows = journal_source(m.j, false);
	assert_int_equal(snapshot_write(&m.s, &rows, SCHEMA_1, fd, NULL), 0);
	lseek(fd, 0, SEEK_SET);
	assert_int_equal(snapshot_read(&s, fd, "f", NULL), 0);
	assert_int_equal(s.detail->buckets, BUCKETS_MAX);
	disk = series_of(s.detail, DETAIL_DISK, "sda", 0);
	assert_close(disk->sum, 512 * 8999.0 * 4500);
	assert_true(disk->points[0] < disk->points[239] && disk->points[0] > 0);
	snapshot_free(&s);
	close(fd);
	drop_journal(&m);
}

/* -- any other text ----------------------------------------------------------------------------- */

static struct detail *read_text(struct snapshot *s, const char *text)
{
	cJSON *o = cJSON_Parse(text);
	struct detail *d = detail_file_read(s, o);

	assert_non_null(o);
	cJSON_Delete(o);
	return d;
}

#define HEAD "{\"from\":1,\"step\":1,\"buckets\":2,\"series\":["

TEST(hostile)
{
	static const char *const none[] = {
	    "{}",
	    "[]",
	    "3",
	    "null",
	    "{\"from\":1,\"step\":1,\"buckets\":2}",
	    "{\"from\":1,\"step\":1,\"buckets\":501,\"series\":[]}",
	    "{\"from\":1,\"step\":0,\"buckets\":2,\"series\":[]}",
	    "{\"from\":-1,\"step\":1,\"buckets\":2,\"series\":[]}",
	    "{\"from\":1,\"step\":1e13,\"buckets\":2,\"series\":[]}",
	    "{\"from\":1,\"step\":1,\"buckets\":\"2\",\"series\":[]}",
	};
	static const char *const passed_over[] = {
	    "7",
	    "null",
	    "{}",
	    "{\"name\":3,\"mean\":1,\"max\":1,\"points\":[1,2]}",
	    "{\"name\":\"tape.0.usage\",\"mean\":1,\"max\":1,\"points\":[1,2]}",
	    "{\"name\":\"cpu.0.usage\",\"mean\":1,\"max\":1,\"points\":[1]}",
	    "{\"name\":\"cpu.0.usage\",\"mean\":1,\"max\":1,\"points\":3}",
	    "{\"name\":\"cpu.0.usage\",\"mean\":2,\"max\":1,\"points\":[1,2]}",
	    "{\"name\":\"cpu.0.usage\",\"max\":1,\"points\":[1,2]}",
	    "{\"name\":\"cpu.0.usage\",\"mean\":1,\"max\":1,\"busy\":1.5,\"points\":[1,2]}",
	    "{\"name\":\"cpu.0.usage\",\"mean\":-1,\"max\":1,\"points\":[1,2]}",
	};
	struct snapshot s = {.unfinished = false};
	struct buf b = {0};
	struct detail *d;

	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		assert_null(read_text(&s, none[i]));
	for (size_t i = 0; i < sizeof passed_over / sizeof *passed_over; i++) {
		buf_printf(&b,
		           HEAD "%s,{\"name\":\"cpu.1.usage\",\"n\":2,\"mean\":0.5,\"max\":1,"
		                "\"points\":[\"x\",0.25]}]}",
		           passed_over[i]);
		d = read_text(&s, buf_cstr(&b));
		buf_free(&b);
		assert_int_equal(d->n, 1);
		assert_string_equal(d->v[0].device, "1");
		assert_true(isnan(d->v[0].points[0]) && d->v[0].points[1] == 0.25);
	}
	buf_str(&b, HEAD);
	for (size_t i = 0; i < 2000; i++)
		buf_printf(&b,
		           "%s{\"name\":\"cpu.%zu.usage\",\"mean\":1,\"max\":1,\"points\":[1,1]}",
		           i ? "," : "", i);
	buf_str(&b, "]}");
	d = read_text(&s, buf_cstr(&b));
	assert_int_equal(d->n, DETAIL_CELLS_MAX);
	buf_free(&b);
	snapshot_free(&s);
}
