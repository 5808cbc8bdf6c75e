/* chart_lanes: the bars of small trees, worked out by hand; and pictures of large ones, which stay within their limits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/chart/chart_route.h"
#include "tests/unit/report/lived.h"

static const struct critical_path_job hundred = {.pid = 100, .duration_s = 100, .interval_s = 1};

/* The bars as text, "make 0: 0-100, cc × 3 1: 5-10": their lanes and times. */
static void expect_lanes(const struct lived_tree *l, const char *expected, const char *route)
{
	struct critical_path p;
	struct chart_lanes lanes;
	struct buf way = {0};
	char text[2048] = "";

	assert_int_equal(critical_path_of(&l->t, &hundred, &p), 0);
	assert_int_equal(chart_lanes_make(&l->t, &hundred, &p, &lanes), 0);
	for (size_t i = 0; i < lanes.n; i++) {
		const struct chart_lanes_bar *b = &lanes.bar[i];
		size_t n = strlen(text);
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", i ? ", " : "", b->name);
		if (b->at < 0)
			n += (size_t)snprintf(text + n, sizeof text - n, " × %g", b->n);
		snprintf(text + n, sizeof text - n, " %zu: %g-%g", b->lane, b->from_s, b->to_s);
	}
	assert_string_equal(text, expected);
	chart_route_path(&lanes, &p, 0, 100, 10, 8, &way);
	assert_string_equal(buf_cstr(&way), route);
	buf_free(&way);
	chart_lanes_free(&lanes);
	critical_path_free(&p);
}

TEST(children_stand_below_their_parents)
{
	struct lived_tree l;

	lived_begin(&l);
	lived(&l, "sh", -1, 0, 100);
	lived(&l, "a", 0, 0, 50);
	lived(&l, "deep", 1, 20, 40);
	lived(&l, "b", 0, 30, 60);  /* below deep */
	lived(&l, "c", 0, 60, 100); /* beside a */
	expect_lanes(&l, "sh 0: 0-100, c 1: 60-100, b 3: 30-60, a 1: 0-50, deep 2: 20-40",
	             "M0 8H300M300 38H600M600 18H1000");
}

TEST(wrappers_have_no_bar)
{
	struct lived_tree l;

	lived_begin(&l);
	lived(&l, "make", -1, 0, 100);
	lived(&l, "gcc", 0, 0, 50);
	lived(&l, "cc1", 1, 0, 49);
	l.of[1].cpu_s = 0;
	expect_lanes(&l, "make 0: 0-100, cc1 1: 0-49", "M0 18H490M490 8H1000");
}

/* Those of under 0.1 s that follow each other within 1 s, and sums of the recorder. */
TEST(short_ones_are_groups)
{
	struct lived_tree l;

	lived_begin(&l);
	lived(&l, "make", -1, 0, 100);
	for (int i = 0; i < 6; i++)
		lived(&l, i % 2 ? "cc1" : "as", 0, i, i + 0.06);
	l.groups[0] = (struct process_tree_group){
	    .name = "cc1", .parent = 0, .n = 100, .cpu_s = 3, .start_s = 5.5, .end_s = 80};
	l.groups[1] =
	    (struct process_tree_group){.name = "odd", .parent = -1, .n = 0, .end_s = NAN};
	l.t.n_groups = 2;
	expect_lanes(&l,
	             "make 0: 0-100, as 1: 0-0.06, as 1: 2-2.06, as 1: 4-4.06, cc1 1: 1-1.06, "
	             "cc1 1: 3-3.06, cc1 × 101 1: 5-80",
	             "M0 18H1M1 8H10M10 18H11M11 8H20M20 18H21M21 8H30M30 18H31M31 8H40M40 18H41"
	             "M41 8H50M50 18H51M51 8H1000");
	for (int i = 0; i < 6; i++) {
		l.of[i + 1].start_s = i / 2.0;
		l.of[i + 1].end_s = i / 2.0 + 0.06;
	}
	l.t.n_groups = 0;
	l.of[3].name = "ld";
	expect_lanes(
	    &l, "make 0: 0-100, as 1: 0-0.06, as 2: 2-2.06, cc1 × 3 1: 0.5-2.56, ld 2: 1-1.06",
	    "M0 18H1M1 8H5M5 18H6M6 8H10M10 28H11M11 8H15M15 18H16M16 8H20M20 28H21M21 8H25"
	    "M25 18H26M26 8H1000");
}

/* More lanes than there may be: all that are as long are one. */
TEST(many_at_once_are_a_group)
{
	struct lived_tree l;

	lived_begin(&l);
	lived(&l, "main", -1, 0, 100);
	for (int i = 0; i < 64; i++)
		lived(&l, "worker", 0, 10, 90);
	expect_lanes(&l, "main 0: 0-100, worker × 64 1: 10-90", "M0 8H100M100 18H900M900 8H1000");
}

TEST(names_without_colour)
{
	struct lived_tree l;
	struct critical_path p;
	struct chart_lanes lanes;
	char names[12][8];

	lived_begin(&l);
	lived(&l, "sh", -1, 0, 100);
	for (int i = 0; i < 12; i++) {
		snprintf(names[i], sizeof names[i], "p%d", i);
		lived(&l, i == 3 ? "" : names[i], 0, 5 * i, 5 * i + 2 + i / 10.0);
	}
	assert_int_equal(critical_path_of(&l.t, &hundred, &p), 0);
	assert_int_equal(chart_lanes_make(&l.t, &hundred, &p, &lanes), 0);
	assert_int_equal(lanes.programs, 13);
	assert_string_equal(lanes.program[0].name, "sh"); /* the rest of the path */
	assert_string_equal(lanes.program[1].name, "p11");
	assert_string_equal(lanes.program[12].name, "");
	for (size_t i = 0; i < lanes.n; i++) {
		const struct chart_lanes_bar *b = &lanes.bar[i];
		if (b->colour < CHART_LANES_COLOURS)
			assert_string_equal(lanes.program[b->colour].name, b->name);
		else
			assert_true(!*b->name || atoi(b->name + 1) < 5);
	}
	chart_lanes_free(&lanes);
	critical_path_free(&p);
}

TEST(random_pictures_keep_their_limits)
{
	struct lived_tree *l = malloc(sizeof *l);
	static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", ""};

	srand(26);
	for (int round = 0; round < 400 / EVERY(8); round++) {
		struct critical_path p;
		struct chart_lanes lanes;
		double n = 0;
		int kept = 1 + rand() % (LIVED_MAX - 1), deep = 1 + rand() % 60;
		lived_begin(l);
		for (int i = 0; i < kept; i++) {
			double start = rand() % 1200 / 10.0 - 10;
			long parent = i ? rand() % (i < deep ? i + 1 : deep + 1) - 1 : -1;
			lived(l, names[rand() % 10], parent, start,
			      rand() % 9 ? start + rand() % (rand() % 2 ? 3 : 600) / 10.0
			                 : (double)NAN);
		}
		assert_int_equal(critical_path_of(&l->t, &hundred, &p), 0);
		assert_int_equal(chart_lanes_make(&l->t, &hundred, &p, &lanes), 0);
		assert_true(lanes.lanes <= CHART_LANES_MAX);
		assert_true(lanes.n <= CHART_LANES_BARS + CHART_LANES_GROUPS);
		for (size_t i = 0; i < lanes.n; i++) {
			const struct chart_lanes_bar *b = &lanes.bar[i];
			n += b->n;
			assert_true(b->lane < lanes.lanes && b->from_s >= 0 &&
			            b->to_s >= b->from_s && b->to_s <= 100 && b->parent < (long)i);
			if (b->parent >= 0)
				assert_true(lanes.bar[b->parent].lane < b->lane);
			for (size_t k = 0; k < i; k++)
				assert_true(lanes.bar[k].lane != b->lane ||
				            lanes.bar[k].to_s <= b->from_s ||
				            lanes.bar[k].from_s >= b->to_s);
		}
		for (int i = 0; i < kept; i++)
			n += lanes.wrapper[i];
		assert_true(n == kept);
		chart_lanes_free(&lanes);
		critical_path_free(&p);
	}
	free(l);
}
