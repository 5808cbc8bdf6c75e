/* store_pieces: names, which recorder's pieces are found, put together and deleted. The store is an
 * array here. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/store/store_pieces.h"
#include "tests/unit/unit.h"

#define KEY "s3://b/run.json.gz"

/* -- a store of a few objects ------------------------------------------------------------------ */

static struct object {
	char address[100], text[400];
	size_t n;
	double modified;
} objects[40];
static size_t n_objects;
static const char *join_at; /* once an object with this text is read, its folder's pieces change */

static int by_address(const void *a, const void *b)
{
	return strcmp(((const struct object *)a)->address, ((const struct object *)b)->address);
}

static struct object *object_at(const char *address)
{
	for (size_t i = 0; i < n_objects; i++)
		if (strcmp(objects[i].address, address) == 0)
			return &objects[i];
	return NULL;
}

static void put(const char *address, const char *text, double modified)
{
	struct object *o = object_at(address);

	o = o ? o : &objects[n_objects++];
	snprintf(o->address, sizeof o->address, "%s", address);
	snprintf(o->text, sizeof o->text, "%s", text);
	o->n = strlen(text);
	o->modified = modified;
	qsort(objects, n_objects, sizeof *objects, by_address);
}

static void drop(const char *address)
{
	struct object *o = object_at(address);

	if (o)
		*o = objects[--n_objects];
	qsort(objects, n_objects, sizeof *objects, by_address);
}

int store_list(const struct store *s, const char *address, store_each *each, void *ctx,
               struct err *e)
{
	(void)s;
	for (size_t i = 0; i < n_objects; i++) {
		const struct store_object o = {.address = objects[i].address,
		                               .size = objects[i].n,
		                               .modified = objects[i].modified};
		if (strncmp(o.address, address, strlen(address)) == 0 && each(ctx, &o, e))
			return -1;
	}
	return 0;
}

int store_read(const struct store *s, const char *address, uint64_t at, const char *tag, void *p,
               size_t n, struct store_range *out, struct err *e)
{
	const struct object *o = object_at(address);

	(void)s;
	(void)tag;
	(void)e;
	*out = (struct store_range){.absent = !o};
	if (!o)
		return 0;
	out->size = o->n;
	out->n = at >= o->n ? 0 : o->n - at < n ? o->n - at : n;
	memcpy(p, o->text + at, out->n);
	return 0;
}

/* As when a recorder makes one piece of several, while they are read. */
static void join_pieces(void)
{
	put(KEY ".partial/0000000000000000", "head.aaaabbbbcccc", 30);
	drop(KEY ".partial/0000000000000005");
	drop(KEY ".partial/0000000000000009");
	drop(KEY ".partial/0000000000000013");
}

int store_heads(const struct store *s, const struct store_heads *h, struct err *e)
{
	const char *address;
	void *item;

	while (h->next(h->ctx, &address, &item)) {
		char bytes[sizeof objects->text];
		struct store_range r;
		const struct err none = {""};
		assert_int_equal(store_read(s, address, 0, "", bytes, sizeof bytes, &r, e), 0);
		h->each(h->ctx, item, bytes, &r, &none);
		if (join_at && strncmp(bytes, join_at, strlen(join_at)) == 0) {
			join_at = NULL;
			join_pieces();
		}
	}
	return 0;
}

int store_delete(const struct store *s, const char *address, struct err *e)
{
	(void)s;
	(void)e;
	drop(address);
	return 0;
}

static int empty(void **state)
{
	(void)state;
	n_objects = 0;
	join_at = NULL;
	return 0;
}

static const struct store *const store = &(const struct store){.worker = {0}};

/* -- names ------------------------------------------------------------------------------------- */

TEST(names)
{
	static const struct {
		const char *address, *folder; /* folder NULL: no piece */
		uint64_t at;
	} cases[] = {
	    {KEY ".partial/0000000000000000", KEY ".partial/", 0},
	    {KEY ".partial/0000000000052480", KEY ".partial/", 52480},
	    {KEY ".partial.2/9999999999999999", KEY ".partial.2/", 9999999999999999u},
	    {KEY ".partial.100/0000000000000001", KEY ".partial.100/", 1},
	    {"s3://b/.partial/0000000000000001", "s3://b/.partial/", 1},
	    {"s3://b/a.partial.partial/0000000000000001", "s3://b/a.partial.partial/", 1},
	    {KEY ".partial.101/0000000000000001", NULL, 0},
	    {KEY ".partial.1/0000000000000001", NULL, 0},
	    {KEY ".partial.02/0000000000000001", NULL, 0},
	    {KEY ".partial./0000000000000001", NULL, 0},
	    {KEY ".partial.-2/0000000000000001", NULL, 0},
	    {KEY ".partially/0000000000000001", NULL, 0},
	    {KEY ".partial/000000000000001", NULL, 0},
	    {KEY ".partial/00000000000000001", NULL, 0},
	    {KEY ".partial/000000000000000x", NULL, 0},
	    {KEY ".partial/-000000000000001", NULL, 0},
	    {KEY ".partial/a/0000000000000001", NULL, 0},
	    {"0000000000000001", NULL, 0},
	    {"", NULL, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char again[STORE_PIECES_ADDRESS];
		uint64_t at = 0;
		size_t n = 0;
		bool is = store_pieces_parse(cases[i].address, &n, &at);
		if (is != (cases[i].folder != NULL))
			fail_msg("%s", cases[i].address);
		if (!is)
			continue;
		assert_int_equal(n, strlen(cases[i].folder));
		assert_int_equal(at, cases[i].at);
		assert_int_equal(store_pieces_name(cases[i].folder, at, again), 0);
		assert_string_equal(again, cases[i].address);
	}
}

TEST(names_of_folders)
{
	static char address[STORE_PIECES_ADDRESS + 10];
	char out[STORE_PIECES_ADDRESS];

	assert_int_equal(store_pieces_folder(KEY, 1, out), 0);
	assert_string_equal(out, KEY ".partial/");
	assert_int_equal(store_pieces_folder(KEY, 100, out), 0);
	assert_string_equal(out, KEY ".partial.100/");
	memset(address, 'a', sizeof address - 1);
	assert_int_equal(store_pieces_folder(address, 1, out), -1);
}

/* -- finding and joining ----------------------------------------------------------------------- */

static void find(const char *address, struct store_pieces *p)
{
	struct err e = {""};

	if (store_pieces_find(store, address, p, &e))
		fail_msg("%s", e.msg);
}

static void joined(const struct store_pieces *p, const char *expect, size_t n)
{
	char path[] = "/tmp/rtrack-pieces-XXXXXX", got[400];
	int fd = mkstemp(path);
	struct err e = {""};

	assert_true(fd >= 0);
	unlink(path);
	assert_int_equal(write(fd, "what was here before", 20), 20);
	if (store_pieces_fetch(store, p, fd, &e))
		fail_msg("%s", e.msg);
	assert_int_equal(pread(fd, got, sizeof got, 0), n);
	assert_memory_equal(got, expect, n);
	close(fd);
}

TEST_WITH(nothing_is_found, empty, NULL)
{
	struct store_pieces p;

	put("s3://b/run.json.gz.partially/0000000000000000", "x", 1);
	put("s3://b/run.json.gz.partial", "x", 1);
	put("s3://b/run.json.gz.partial.partial/0000000000000000", "another key", 1);
	put("s3://b/run.json.gz.partial.3/0000000000000007", "without a first piece", 9);
	find(KEY, &p);
	assert_int_equal(p.n, 0);
	assert_int_equal(p.recorders, 0);
	find("s3://b/", &p);
	assert_int_equal(p.n, 0);
	store_pieces_free(&p);
}

TEST_WITH(the_newest_recorder_is_found, empty, NULL)
{
	struct store_pieces p;

	put(KEY ".partial/0000000000000000", "head.", 10);
	put(KEY ".partial/0000000000000005", "aaaa", 20);
	put(KEY ".partial.2/0000000000000000", "HEAD.", 11);
	put(KEY ".partial.2/0000000000000005", "AAAA", 21);
	put(KEY ".partial.2/0000000000000009", "BBBB", 19);
	put(KEY ".partial.10/0000000000000000", "TEN", 12);
	find(KEY, &p);
	assert_string_equal(p.folder, KEY ".partial.2/");
	assert_int_equal(p.n, 3);
	assert_int_equal(p.recorders, 3);
	assert_true(p.modified == 21);
	joined(&p, "HEAD.AAAABBBB", 13);
	store_pieces_free(&p);
	find(KEY ".partial/", &p);
	assert_int_equal(p.recorders, 1);
	joined(&p, "head.aaaa", 9);
	store_pieces_free(&p);
}

TEST_WITH(holes_and_overlaps, empty, NULL)
{
	struct store_pieces p;

	put(KEY ".partial/0000000000000000", "head.", 1);
	put(KEY ".partial/0000000000000009", "bbbb", 2);
	put(KEY ".partial/0000000000000011", "XY", 3);
	put(KEY ".partial/0000000000000020", "end", 4);
	find(KEY, &p);
	joined(&p, "head.\0\0\0\0bbXY\0\0\0\0\0\0\0end", 23);
	store_pieces_free(&p);
}

TEST_WITH(a_long_piece_below_short_ones, empty, NULL)
{
	struct store_pieces p;

	put(KEY ".partial/0000000000000000", "head.aaaabbbbcccc", 1);
	put(KEY ".partial/0000000000000005", "aaaa", 2);
	put(KEY ".partial/0000000000000009", "bbbb", 3);
	put(KEY ".partial/0000000000000017", "dddd", 4);
	find(KEY, &p);
	joined(&p, "head.aaaabbbbccccdddd", 21);
	store_pieces_free(&p);
}

TEST_WITH(pieces_that_change_while_they_are_read, empty, NULL)
{
	struct store_pieces p;

	put(KEY ".partial/0000000000000000", "head.", 1);
	put(KEY ".partial/0000000000000005", "aaaa", 2);
	put(KEY ".partial/0000000000000009", "bbbb", 3);
	put(KEY ".partial/0000000000000013", "cccc", 4);
	find(KEY, &p);
	join_at = "aaaa";
	joined(&p, "head.aaaabbbbcccc", 17);
	store_pieces_free(&p);
}

TEST_WITH(a_recording_that_ends_meanwhile, empty, NULL)
{
	char path[] = "/tmp/rtrack-pieces-XXXXXX";
	int fd = mkstemp(path);
	struct store_pieces p;
	struct err e = {""};

	unlink(path);
	put(KEY ".partial/0000000000000000", "head.", 1);
	find(KEY, &p);
	assert_int_equal(store_pieces_delete(store, &p, &e), 0);
	assert_int_equal(n_objects, 0);
	assert_int_equal(store_pieces_fetch(store, &p, fd, &e), -1);
	assert_non_null(strstr(e.msg, "has ended meanwhile"));
	store_pieces_free(&p);
	close(fd);
}

TEST_WITH(pieces_at_absurd_offsets, empty, NULL)
{
	char path[] = "/tmp/rtrack-pieces-XXXXXX";
	int fd = mkstemp(path);
	struct store_pieces p;
	struct err e = {""};

	unlink(path);
	put(KEY ".partial/0000000000000000", "head.", 1);
	put(KEY ".partial/9999999999999999", "far", 1);
	find(KEY, &p);
	assert_int_equal(store_pieces_fetch(store, &p, fd, &e), -1);
	assert_non_null(strstr(e.msg, "too large"));
	store_pieces_free(&p);
	close(fd);
}

/* -- deleting ---------------------------------------------------------------------------------- */

static void journal_of(char *out, size_t size, const char *host, int pid, double start)
{
	snprintf(out, size,
	         "rtrack-journal 1\n{\"metadata\":{\"pid\":%d,\"start_time\":%.6f},"
	         "\"rtrack\":{\"format\":2,\"job\":{\"host\":\"%s\"}},"
	         "\"columns\":[\"process_cpu_usage\"]}\n",
	         pid, start, host);
}

static void put_journal(const char *folder, const char *host, int pid, double start)
{
	char text[400], address[100];

	journal_of(text, sizeof text, host, pid, start);
	snprintf(address, sizeof address, KEY "%s/0000000000000000", folder);
	put(address, text, 1);
	snprintf(address, sizeof address, KEY "%s/%016zu", folder, strlen(text));
	put(address, "record", 2);
}

TEST_WITH(only_the_same_recording_is_deleted, empty, NULL)
{
	char path[] = "/tmp/rtrack-pieces-XXXXXX", text[400];
	int fd = mkstemp(path);
	struct err e = {""};
	size_t n;

	put_journal(".partial", "n1", 7, 1000);
	put_journal(".partial.2", "n2", 7, 1000);
	put_journal(".partial.3", "n1", 8, 1000);
	put_journal(".partial.4", "n1", 7, 900);
	put_journal(".partial.5", "n1", 7, 1000.5);
	put(KEY ".partial.6/0000000000000000", "not a journal", 1);
	put(KEY ".partial.7/0000000000000005", "without a first piece", 1);
	journal_of(text, sizeof text, "n1", 7, 1000.002);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	assert_int_equal(store_pieces_delete_same(store, KEY, path, &n, &e), 0);
	assert_int_equal(n, 2);
	assert_int_equal(n_objects, 10);
	assert_null(object_at(KEY ".partial/0000000000000000"));
	unlink(path);
}

TEST_WITH(a_file_that_is_no_recording_deletes_nothing, empty, NULL)
{
	char path[] = "/tmp/rtrack-pieces-XXXXXX";
	int fd = mkstemp(path);
	struct err e = {""};
	size_t n = 9;

	put_journal(".partial", "n1", 7, 1000);
	assert_int_equal(write(fd, "{}", 2), 2);
	close(fd);
	assert_int_equal(store_pieces_delete_same(store, KEY, path, &n, &e), 0);
	assert_int_equal(n, 0);
	assert_int_equal(n_objects, 2);
	unlink(path);
}
