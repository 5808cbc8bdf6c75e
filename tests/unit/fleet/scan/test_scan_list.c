/* scan_list: which files of a folder are listed, in which order, and under which path. */
#include "fleet/scan/scan_list.h"
#include "report/store/store_find.h"
#include "tests/unit/report/recording.h"
#include "tests/unit/unit.h"

struct listed {
	struct scan_list list;
	struct buf sentences;
	size_t failed;
};

static void note_sentence(void *ctx, const struct err *why)
{
	struct listed *l = ctx;

	buf_printf(&l->sentences, "%s\n", why->msg);
}

static void list_path(struct listed *l, const char *path)
{
	struct err e = {0};

	if (scan_list_add(&l->list, input_of(path), note_sentence, l, &l->failed, &e))
		fail_msg("%s", e.msg);
}

/* The paths, without the folder, as one text. */
static void paths_are(struct recordings *t, const struct listed *l, const char *expected)
{
	char folder[PATH_MAX], text[PATH_MAX];
	struct buf b = {0};

	assert_non_null(realpath(t->folder, folder));
	for (size_t i = 0; i < l->list.n; i++) {
		const char *path = scan_list_path(&l->list, i, text);
		assert_non_null(path);
		assert_memory_equal(path, folder, strlen(folder));
		buf_printf(&b, "%s ", path + strlen(folder) + 1);
	}
	assert_string_equal(buf_cstr(&b), expected);
	buf_free(&b);
}

static void free_listed(struct listed *l)
{
	scan_list_free(&l->list);
	buf_free(&l->sentences);
}

static void make_folder(struct recordings *t, const char *name)
{
	assert_int_equal(mkdir(recordings_path(t, name), 0700), 0);
}

static void make_link(struct recordings *t, const char *target, const char *name)
{
	assert_int_equal(symlink(target, recordings_path(t, name)), 0);
}

TEST_WITH(a_tree, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct listed l = {.failed = 0};

	make_folder(t, "b");
	make_folder(t, "a");
	make_folder(t, "a/deep");
	make_folder(t, ".hidden");
	make_folder(t, "folder.json");
	recordings_file(t, "z.json", "");
	recordings_file(t, "m.json.gz", "");
	recordings_file(t, "k.json.gz.partial", "");
	recordings_file(t, "k.json.gz.partial.2", "");
	recordings_file(t, "notes.txt", "");
	recordings_file(t, ".secret.json", "");
	recordings_file(t, ".hidden/h.json", "");
	recordings_file(t, "b/2.json", "");
	recordings_file(t, "b/1.json", "");
	recordings_file(t, "a/deep/3.json", "");
	recordings_file(t, "folder.json/4.json", "");
	assert_int_equal(mkfifo(recordings_path(t, "fifo.json"), 0600), 0);
	make_link(t, "/dev/zero", "device.json");
	make_link(t, "..", "a/up");
	make_link(t, ".", "a/self.json");
	make_link(t, "nowhere", "a/lost.json");
	make_link(t, "../b/1.json", "a/link.json");
	make_link(t, "../notes.txt", "a/notes.json");
	list_path(&l, t->folder);
	paths_are(t, &l,
	          "k.json.gz.partial k.json.gz.partial.2 m.json.gz z.json b/1.json notes.txt "
	          "b/1.json b/2.json folder.json/4.json a/deep/3.json ");
	assert_int_equal(l.failed, 1);
	assert_non_null(strstr(buf_cstr(&l.sentences), "/a/lost.json: No such file or directory"));
	assert_int_equal(scan_list_unique(&l.list, &t->e), 0);
	paths_are(t, &l,
	          "k.json.gz.partial k.json.gz.partial.2 m.json.gz z.json b/1.json notes.txt "
	          "b/2.json folder.json/4.json a/deep/3.json ");
	free_listed(&l);
}

/* Files by any name, relative paths, through links; none of them twice. */
TEST_WITH(files, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct listed l = {.failed = 0};
	char relative[PATH_MAX];

	make_folder(t, "b");
	make_link(t, "b", "c");
	recordings_file(t, "b/any name", "");
	recordings_file(t, "b/1.json", "");
	list_path(&l, recordings_path(t, "c/any name"));
	list_path(&l, recordings_path(t, "b/1.json"));
	snprintf(relative, sizeof relative, "/../%s/./c", t->folder);
	list_path(&l, relative);
	assert_int_equal(l.list.n, 3);
	assert_int_equal(scan_list_unique(&l.list, &t->e), 0);
	paths_are(t, &l, "b/any name b/1.json ");
	assert_int_equal(l.failed, 0);
	free_listed(&l);
}

/* It is not said, too, that there is nothing in it. */
TEST_WITH(one_sentence_for_a_folder, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct listed l = {.failed = 0};

	make_folder(t, "a");
	make_link(t, "nowhere", "a/lost.json");
	list_path(&l, t->folder);
	assert_int_equal(l.failed, 1);
	free_listed(&l);
}

TEST_WITH(what_cannot_be_listed, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct listed l = {.failed = 0};
	char name[NAME_MAX + 1];
	struct buf deep = {0};

	make_folder(t, "empty");
	list_path(&l, recordings_path(t, "empty"));
	assert_non_null(strstr(buf_cstr(&l.sentences), "/empty: a folder without recordings\n"));
	list_path(&l, recordings_path(t, "missing"));
	assert_non_null(strstr(buf_cstr(&l.sentences), "/missing: No such file or directory\n"));
	assert_int_equal(mkfifo(recordings_path(t, "fifo"), 0600), 0);
	list_path(&l, t->path);
	list_path(&l, "/dev/null");
	assert_non_null(strstr(buf_cstr(&l.sentences), "/dev/null: is not a regular file\n"));
	list_path(&l, "");
	assert_int_equal(l.failed, 5);
	assert_int_equal(l.list.n, 0);
	/* A recording in each of 40 folders, one in the other: the first 32 are listed. */
	buf_str(&deep, t->folder);
	for (int i = 0; i < 40; i++) {
		buf_str(&deep, "/d");
		assert_int_equal(mkdir(buf_cstr(&deep), 0700), 0);
		snprintf(name, sizeof name, "%s/r.json", buf_cstr(&deep) + strlen(t->folder) + 1);
		recordings_file(t, name, "");
	}
	buf_free(&deep);
	list_path(&l, recordings_path(t, "d"));
	assert_int_equal(l.list.n, SCAN_LIST_DEPTH);
	free_listed(&l);
}

/* A path that is too long to be opened is not a path. */
TEST_WITH(a_long_path, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct listed l = {.failed = 0};
	char name[251], *before = getcwd(NULL, 0);

	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	make_folder(t, "long");
	assert_int_equal(chdir(t->path), 0);
	for (int i = 0; i < 17; i++) {
		assert_int_equal(mkdir(name, 0700), 0);
		assert_int_equal(chdir(name), 0);
	}
	list_path(&l, recordings_path(t, "long"));
	assert_int_equal(l.list.n, 0);
	assert_int_equal(l.failed, 1); /* the folder that is too deep */
	for (int i = 0; i < 17; i++) {
		assert_int_equal(chdir(".."), 0);
		assert_int_equal(rmdir(name), 0);
	}
	assert_int_equal(chdir(before), 0);
	free(before);
	free_listed(&l);
}

TEST(the_root)
{
	struct listed l = {.failed = 0};
	char text[PATH_MAX];

	list_path(&l, "/etc/passwd");
	list_path(&l, "/etc/group");
	assert_string_equal(scan_list_path(&l.list, 0, text), "/etc/passwd");
	assert_string_equal(scan_list_path(&l.list, 1, text), "/etc/group");
	assert_int_equal(l.list.n_folders, 1);
	free_listed(&l);
}

static void add_object(struct listed *l, const char *address, uint64_t size, const char *tag)
{
	const struct store_found f = {
	    .address = address, .size = size, .modified = 5, .tag = tag, .pieces = size > 100};
	struct err e = {0};

	assert_int_equal(scan_list_add_object(&l->list, &f, &e), 0);
}

/* An address stays as it is, byte for byte, and what the listing said of it stays with it. */
TEST(objects)
{
	static const char *const address[] = {"s3://b/a.json",    "s3://b/r/x.json",
	                                      "s3://b/r/y.json",  "s3://b//x.json",
	                                      "s3://b/r//x.json", "s3://b/r/"};
	struct listed l = {.failed = 0};
	char text[PATH_MAX];
	struct err e = {0};

	list_path(&l, "/etc/passwd");
	for (size_t i = 0; i < sizeof address / sizeof *address; i++)
		add_object(&l, address[i], 7 + i, i % 2 ? "odd" : "even");
	add_object(&l, "s3://b/r/x.json", 500, "again");
	assert_null(scan_list_object(&l.list, 0));
	for (size_t i = 0; i < sizeof address / sizeof *address; i++) {
		const struct scan_list_object *o = scan_list_object(&l.list, i + 1);
		assert_string_equal(scan_list_path(&l.list, i + 1, text), address[i]);
		assert_int_equal(o->size, 7 + i);
		assert_true(o->modified == 5);
		assert_false(o->pieces);
		assert_string_equal(scan_list_tag(&l.list, o), i % 2 ? "odd" : "even");
	}
	assert_true(scan_list_object(&l.list, l.list.n - 1)->pieces);
	assert_int_equal(scan_list_unique(&l.list, &e), 0);
	assert_int_equal(l.list.n, 7);
	assert_int_equal(scan_list_object(&l.list, 2)->size, 8); /* the first counts */
	free_listed(&l);
}
