/* chart_path: short texts, at most half a pixel from the data, and no peak is cut. */
#include "report/chart/chart_path.h"
#include "tests/unit/report/chart_made.h"
#include "tests/unit/unit.h"

#define GAP (-1)

static size_t points(struct chart_point *p, const double *y, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (struct chart_point){
		    .x = (double)i * 4, .y = y[i], .top = y[i], .bottom = y[i], .known = y[i] >= 0};
	return n;
}

TEST(lines)
{
	static const struct {
		double y[8];
		size_t n;
		const char *d;
	} cases[] = {
	    {{0}, 0, ""},
	    {{GAP, GAP}, 2, ""},
	    {{5, 5}, 2, "M0 5l4 0"},
	    {{5, 5, 5, 5, 9}, 5, "M0 5l12 0 4 4"},
	    {{8, 6, 4, 2, 0}, 5, "M0 8l16-8"},
	    {{8, 2, 8}, 3, "M0 8l4-6 4 6"},
	    {{5, 7, GAP, 7, 5}, 5, "M0 5l4 2M12 7l4-2"},
	    {{GAP, 7, GAP}, 3, "M2 7l4 0"},
	    {{3}, 1, "M-2 3l4 0"},
	};
	struct chart_point p[8];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf b = {0};
		chart_path_line(&b, p, points(p, cases[i].y, cases[i].n), CHART_PATH_FINE);
		assert_string_equal(buf_cstr(&b), cases[i].d);
		buf_clear(&b);
		chart_path_band(&b, p, cases[i].n, 2,
		                CHART_PATH_FINE); /* equals the line: omitted */
		assert_string_equal(buf_cstr(&b), "");
		buf_free(&b);
	}
}

TEST(bands)
{
	struct chart_point p[4];
	struct buf b = {0};

	points(p, (double[]){50, 50, 50, 50}, 4);
	p[1].top = 10;
	p[2].bottom = 90;
	chart_path_band(&b, p, 4, 2, CHART_PATH_FINE);
	assert_string_equal(buf_cstr(&b), "M0 50l4-40 4 40 4 0 0 0-4 40-4-40-4 0z");
	buf_clear(&b);
	/* a point between two gaps has a width */
	p[0].known = p[2].known = p[3].known = false;
	chart_path_band(&b, p, 4, 2, CHART_PATH_FINE);
	assert_string_equal(buf_cstr(&b), "M2 10l4 0 0 40-4 0z");
	buf_free(&b);
}

/* A break is a gap although both sides have values. */
TEST(broken)
{
	struct chart_point p[4];
	struct buf b = {0};

	points(p, (double[]){1, 2, 8, 9}, 4);
	p[1].broken = true;
	chart_path_line(&b, p, 4, CHART_PATH_FINE);
	assert_string_equal(buf_cstr(&b), "M0 1l4 1M8 8l4 1");
	buf_free(&b);
}

static double random_number(unsigned *seed)
{
	*seed = *seed * 1103515245u + 12345u;
	return (*seed >> 8 & 0xffff) / 65535.0;
}

/* y of a part of a path at x; up: the upper edge. */
static double at(const struct made_path *p, double x, bool up)
{
	double best = up ? INFINITY : -INFINITY;

	for (size_t i = 0; i + 1 < p->n; i++) {
		double x1 = p->v[i].x, x2 = p->v[i + 1].x, y1 = p->v[i].y, y2 = p->v[i + 1].y;
		if (p->v[i].part != p->v[i + 1].part || x < fmin(x1, x2) || x > fmax(x1, x2))
			continue;
		double y = x1 == x2 ? (up ? fmin(y1, y2) : fmax(y1, y2))
		                    : y1 + (y2 - y1) * (x - x1) / (x2 - x1);
		best = up ? fmin(best, y) : fmax(best, y);
	}
	return best;
}

TEST(never_lies)
{
	static struct made_path read;
	struct chart_point p[160];
	unsigned seed = 1;

	for (int turn = 0; turn < 200; turn++) {
		double y = 150, rough = random_number(&seed) * 40;
		struct buf b = {0};
		for (size_t i = 0; i < 160; i++) {
			y = fmin(300, fmax(40, y + (random_number(&seed) - 0.5) * rough));
			p[i] = (struct chart_point){.x = (double)i * 7.2 + 3.6,
			                            .y = y,
			                            .top = y - random_number(&seed) * rough,
			                            .bottom = y + random_number(&seed) * rough,
			                            .known = true};
		}
		p[0].bottom += 3; /* there is a band, however smooth the rest */
		chart_path_line(&b, p, 160, CHART_PATH_FINE);
		assert_true(made_path(&read, buf_cstr(&b)));
		for (size_t i = 0; i < 160; i++)
			assert_true(fabs(at(&read, round(p[i].x), true) - p[i].y) <= 1.01);
		buf_clear(&b);
		chart_path_band(&b, p, 160, 3, CHART_PATH_FINE);
		assert_true(made_path(&read, buf_cstr(&b)));
		for (size_t i = 0; i < 160; i++) {
			double top = at(&read, round(p[i].x), true);
			double bottom = at(&read, round(p[i].x), false);
			assert_true(top <= p[i].top + 1e-9 && top >= p[i].top - 2.01);
			assert_true(bottom >= p[i].bottom - 1e-9 && bottom <= p[i].bottom + 2.01);
		}
		buf_free(&b);
	}
}
