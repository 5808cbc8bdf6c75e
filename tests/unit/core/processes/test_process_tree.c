/* process_tree: entries become rows, rows JSON, and JSON rows again; a hostile one becomes none. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/processes/process_tree_entries.h"
#include "core/processes/process_tree_write.h"
#include "tests/unit/unit.h"

#define AT_ONCE 8192

static struct process_entry *entries;
static size_t n_entries;

static int next(void *ctx, size_t at[2], struct process_entry *out, struct err *e)
{
	(void)ctx;
	(void)e;
	if (at[0] == n_entries)
		return 0;
	*out = entries[at[0]++];
	return 1;
}

static struct process_entry *put(enum process_entry_kind kind, uint32_t id, uint32_t parent,
                                 double start, double end, const char *name)
{
	struct process_entry *e;

	if (n_entries % AT_ONCE == 0)
		entries = realloc(entries, (n_entries + AT_ONCE) * sizeof *entries);
	e = &entries[n_entries++];
	*e = (struct process_entry){.kind = kind,
	                            .id = id,
	                            .parent = parent,
	                            .n = 1,
	                            .pid = (int)id + 100,
	                            .start_s = start,
	                            .end_s = end,
	                            .cpu_s = 0.25,
	                            .memory_b = NAN};
	snprintf(e->name, sizeof e->name, "%s", name);
	return e;
}

static const struct process_tree_entries from = {next, NULL};

static struct process_tree *make(struct snapshot *s)
{
	struct err e = {0};
	struct process_tree_index *x = process_tree_entries_open(&from, &e);
	struct process_tree_rows rows;
	struct process_tree *t;

	assert_non_null(x);
	rows = process_tree_entries_rows(x);
	t = process_tree_copy(s, &rows);
	process_tree_entries_close(x);
	free(entries);
	entries = NULL;
	n_entries = 0;
	assert_non_null(t);
	return t;
}

TEST(the_last_entry_counts)
{
	struct snapshot s = {0};
	struct process_tree *t;

	put(PROCESS_ENTRY_SOURCE, 0, 0, 0, NAN, "events");
	put(PROCESS_ENTRY_RUNNING, 1, 0, 0, NAN, "sh");
	put(PROCESS_ENTRY_RUNNING, 2, 1, 1, NAN, "make");
	put(PROCESS_ENTRY_ENDED, 3, 2, 1, 2, "cc")->status = -11;
	put(PROCESS_ENTRY_ENDED, 1, 0, 0, 5, "sh");
	t = make(&s);
	assert_string_equal(t->source, "events");
	assert_string_equal(t->why, "");
	assert_int_equal(t->kept, 3);
	assert_true(t->n == 3);
	assert_string_equal(t->of[0].name, "make");
	assert_true(isnan(t->of[0].end_s));
	assert_int_equal(t->of[0].parent, 2);
	assert_string_equal(t->of[1].name, "cc");
	assert_int_equal(t->of[1].parent, 0);
	assert_int_equal(t->of[1].status, -11);
	assert_true(t->of[2].end_s == 5);
	assert_int_equal(t->of[2].parent, -1);
	snapshot_free(&s);
}

/* A sum is exact if all of it is. A journal of an older recorder does not say it. */
TEST(exact_is_what_entries_say)
{
	struct snapshot s = {0};
	struct process_tree *t;

	put(PROCESS_ENTRY_ENDED, 2, 1, 1, 2, "cc")->cpu_exact = 1;
	put(PROCESS_ENTRY_RUNNING, 1, 0, 0, NAN, "sh");
	put(PROCESS_ENTRY_GROUP, 0, 1, 3, 4, "as")->cpu_exact = 1;
	put(PROCESS_ENTRY_GROUP, 0, 1, 3, 4, "as")->cpu_exact = 1;
	put(PROCESS_ENTRY_GROUP, 0, 1, 3, 4, "ld")->cpu_exact = 1;
	put(PROCESS_ENTRY_GROUP, 0, 1, 3, 4, "ld")->cpu_exact = NAN;
	t = make(&s);
	assert_true(t->says_exact);
	assert_true(t->of[0].cpu_exact > 0 && t->of[1].cpu_exact <= 0);
	assert_true(t->groups[0].cpu_exact > 0 && t->groups[1].cpu_exact <= 0);
	put(PROCESS_ENTRY_ENDED, 1, 0, 0, 2, "sh")->cpu_exact = NAN;
	t = make(&s);
	assert_true(!t->says_exact && isnan(t->of[0].cpu_exact));
	snapshot_free(&s);
}

/* 30,000 compilers of two lengths, each the child of a driver that lives as long. */
TEST(short_ones_are_sums_of_kept_parents)
{
	struct snapshot s = {0};
	struct process_tree *t;
	double grouped = 0, cpu = 0;

	put(PROCESS_ENTRY_SOURCE, 0, 0, 0, NAN, "samples");
	snprintf(entries[0].command, sizeof entries[0].command, "no events");
	for (uint32_t i = 0; i < 15000; i++) {
		double length = i % 3 ? 0.01 : 1;
		put(PROCESS_ENTRY_ENDED, 3 + 2 * i, 2 + 2 * i, i, i + length, "cc1");
		put(PROCESS_ENTRY_ENDED, 2 + 2 * i, 1, i, i + length, "gcc");
	}
	put(PROCESS_ENTRY_GROUP, 0, 2 + 2 * 1, 3, 4, "as")->n = 12;
	put(PROCESS_ENTRY_ENDED, 1, 0, 0, 20000, "make");
	t = make(&s);
	assert_string_equal(t->source, "samples");
	assert_string_equal(t->why, "no events");
	assert_int_equal(t->kept, 10001);
	assert_true(t->n == 30001 + 12);
	assert_int_equal(t->n_groups, 3);
	for (size_t i = 0; i < t->n_groups; i++) {
		grouped += t->groups[i].n;
		cpu += t->groups[i].cpu_s;
		assert_string_equal(t->of[t->groups[i].parent].name, "make");
	}
	assert_true(grouped == 20012);
	assert_true(cpu > 5000.24 && cpu < 5000.26);
	assert_string_equal(t->of[0].name, "cc1");
	assert_string_equal(t->of[t->of[0].parent].name, "gcc");
	snapshot_free(&s);
}

static void read_text(struct snapshot *s, const char *text)
{
	struct json_read *in = malloc(sizeof *in);

	json_read_init_text(in, text, strlen(text));
	assert_int_equal(process_tree_read(s, in), 0);
	free(in);
}

static char *text_of(struct process_tree *t)
{
	struct json_write j = {0};
	struct err e = {0};
	struct process_tree_rows rows = process_tree_rows_of(t);
	char *text;

	json_write_object(&j, NULL);
	assert_int_equal(process_tree_write(&j, &rows, &e), 0);
	json_write_object_end(&j);
	assert_true(json_write_finish(&j));
	text = strdup(strchr(buf_cstr(&j.b), ':') + 1);
	text[strlen(text) - 1] = '\0';
	json_write_free(&j);
	return text;
}

TEST(json_comes_back)
{
	struct snapshot s = {0}, back = {0};
	char *text, *again;

	put(PROCESS_ENTRY_SOURCE, 0, 0, 0, NAN, "events");
	put(PROCESS_ENTRY_ENDED, 1, 0, 0, 9, "sh");
	snprintf(put(PROCESS_ENTRY_ENDED, 2, 1, 0.062, 1.5, "cc")->command, 20, "cc \"<a>\".c");
	put(PROCESS_ENTRY_ENDED, 3, 1, 2, NAN, "cc")->status = PROCESS_ENTRY_UNKNOWN;
	entries[n_entries - 1].cpu_s = 0.000934;
	put(PROCESS_ENTRY_GROUP, 0, 1, 3, 4, "as")->n = 2;
	entries[n_entries - 1].cpu_s = 0.001567;
	text = text_of(make(&s));
	read_text(&back, text);
	assert_non_null(back.tree);
	assert_string_equal(back.tree->of[1].command, "cc \"<a>\".c");
	assert_string_equal(back.tree->of[0].command, "");
	assert_true(back.tree->of[1].start_s == 0.062);
	assert_int_equal(back.tree->of[2].status, PROCESS_TREE_NO_STATUS);
	assert_true(isnan(back.tree->of[2].end_s));
	/* Rounded to 0.001 s, short ones would add up to more than the job. */
	assert_true(back.tree->of[2].cpu_s == 0.000934);
	assert_true(back.tree->groups[0].cpu_s == 0.001567);
	assert_true(back.tree->n == 5);
	assert_true(back.tree->groups[0].n == 2 && back.tree->groups[0].parent == 0);
	again = text_of(back.tree);
	assert_string_equal(again, text);
	free(text);
	free(again);
	snapshot_free(&s);
	snapshot_free(&back);
}

#define COLUMNS(parent)                                                                            \
	"{\"source\":\"events\",\"n\":3,\"names\":[\"a\"],\"commands\":[],\"pid\":[1,2,3],"        \
	"\"parent\":" parent ",\"start_s\":[0,0,0],\"end_s\":[1,1,null],\"cpu_s\":[0,-1,1],"       \
	"\"memory_bytes\":[null,1,2],\"status\":[0,256,-9],\"name\":[0,7,-1],"                     \
	"\"command\":[0,-1,1e9],\"groups\":[]}"

TEST(circles_are_cut)
{
	struct snapshot s = {0};

	read_text(&s, COLUMNS("[1,2,0]"));
	assert_non_null(s.tree);
	for (size_t i = 0; i < 3; i++) {
		int steps = 0;
		for (long at = (long)i; at >= 0; at = s.tree->of[at].parent)
			assert_true(++steps <= 3);
	}
	assert_string_equal(s.tree->of[0].name, "a");
	assert_string_equal(s.tree->of[1].name, "");
	assert_true(isnan(s.tree->of[1].cpu_s));
	assert_int_equal(s.tree->of[1].status, PROCESS_TREE_NO_STATUS);
	assert_int_equal(s.tree->of[2].status, -9);
	read_text(&s, COLUMNS("[0,1,2]"));
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(s.tree->of[i].parent, -1);
	read_text(&s, COLUMNS("[-1,0,99]"));
	assert_int_equal(s.tree->of[1].parent, 0);
	assert_int_equal(s.tree->of[2].parent, -1);
	snapshot_free(&s);
}

TEST(other_forms_are_none)
{
	static const char *const texts[] = {"null",
	                                    "[]",
	                                    "{}",
	                                    "{\"source\":1}",
	                                    COLUMNS("[0,1]"),
	                                    COLUMNS("{}"),
	                                    COLUMNS("[0,1,2],\"parent\":[0,1,2]"),
	                                    COLUMNS("[0,1,2],\"groups\":[1]"),
	                                    COLUMNS("[0,1,2],\"n\":2"),
	                                    COLUMNS("[0,1,2],\"names\":[5]")};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct snapshot s = {0};
		read_text(&s, texts[i]);
		assert_null(s.tree);
		snapshot_free(&s);
	}
}

TEST(classes_are_ordered)
{
	uint32_t in_class[PROCESS_TREE_ENTRIES_CLASSES] = {0};
	unsigned last = 0;

	for (double s = 1e-6; s < 1e9; s *= 1.03) {
		unsigned c = process_tree_entries_class(5, 5 + s);
		assert_true(c >= last && c < PROCESS_TREE_ENTRIES_CLASSES - 1);
		last = c;
	}
	assert_int_equal(process_tree_entries_class(0, NAN), PROCESS_TREE_ENTRIES_CLASSES - 1);
	in_class[3] = 5;
	in_class[9] = 2;
	assert_int_equal(process_tree_entries_least(in_class, 7), 0);
	assert_int_equal(process_tree_entries_least(in_class, 6), 4);
	assert_int_equal(process_tree_entries_least(in_class, 1), 10);
}
