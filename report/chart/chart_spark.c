/* chart_spark: a series as a sparkline. */
#include "report/chart/chart_spark.h"

#include <math.h>
#include <stdio.h>

#include "core/base/buf.h"
#include "report/chart/chart_path.h"

#define EDGE 3 /* space above the peak, for the dot that marks it */

/* The k-th of `length` parts of the run. */
static struct bucket bucket_of_part(const struct chart_view *v, const struct chart_series *s,
                                    size_t k, size_t length)
{
	size_t n = v->grid->n;
	struct bucket c = {0};

	for (size_t i = k * n / length; i < (k + 1) * n / length; i++)
		buckets_join(&c, &s->cells[i]);
	return c;
}

/* The block (0 to 7) whose height is v / max. */
static size_t block_of(double v, double max)
{
	double eighths = max > 0 && v > 0 ? ceil(v / max * 8 - 1e-9) : 1;

	return (size_t)fmin(fmax(eighths, 1), 8) - 1;
}

void chart_spark_add(cJSON *series, const struct chart_view *v, const struct chart_series *s)
{
	static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	size_t n = v->grid->n, length = n < CHART_SPARK_LENGTH ? n : CHART_SPARK_LENGTH;
	struct buf out = {0};

	for (size_t k = 0; k < length; k++) {
		struct bucket c = bucket_of_part(v, s, k, length);
		buf_str(&out, c.n ? blocks[block_of(c.max, s->max)] : " ");
	}
	model_json_take(series, "spark", &out);
}

static double spark_y(double v, double max)
{
	double share = v > 0 ? fmin(v / max, 1) : 0;

	return CHART_SPARK_HEIGHT - share * (CHART_SPARK_HEIGHT - EDGE);
}

void chart_spark_add_picture(cJSON *series, const struct chart_view *v,
                             const struct chart_series *s)
{
	size_t length = v->grid->n < CHART_SPARK_POINTS ? v->grid->n : CHART_SPARK_POINTS;
	struct chart_point p[CHART_SPARK_POINTS] = {0};
	double each = CHART_SPARK_WIDTH / fmax((double)length - 1, 1), highest = -1, peak_x = 0;
	struct buf area = {0};
	char mark[64];
	cJSON *picture = model_json_object_if(s->max > 0, series, "sparkline");

	if (!picture)
		return;
	for (size_t k = 0; k < length; k++) {
		struct bucket c = bucket_of_part(v, s, k, length);
		p[k].known = c.n > 0;
		p[k].x = length > 1 ? each * (double)k : CHART_SPARK_WIDTH / 2;
		p[k].top = p[k].y = spark_y(chart_edge_up(c.max), s->max);
		p[k].bottom = CHART_SPARK_HEIGHT;
		if (!c.n || c.max <= highest)
			continue;
		highest = c.max;
		peak_x = p[k].x;
	}
	chart_path_band(&area, p, length, each / 2, CHART_PATH_FINE);
	model_json_number(picture, "width", CHART_SPARK_WIDTH);
	model_json_number(picture, "height", CHART_SPARK_HEIGHT);
	cJSON_AddStringToObject(picture, "area", buf_cstr(&area));
	snprintf(mark, sizeof mark, "M0 %.3gh%d", spark_y(s->mean, s->max), CHART_SPARK_WIDTH);
	cJSON_AddStringToObject(picture, "mean", mark);
	snprintf(mark, sizeof mark, "M%.4g %dh0", peak_x, EDGE);
	cJSON_AddStringToObject(picture, "peak", mark);
	buf_free(&area);
}

void chart_spark_trend(struct buf *path, const double *v, size_t n)
{
	struct chart_point p[CHART_SPARK_POINTS] = {0};
	double most = 0;
	size_t known = 0;

	if (n > CHART_SPARK_POINTS)
		n = CHART_SPARK_POINTS;
	for (size_t i = 0; i < n; i++)
		most = v[i] > most ? v[i] : most;
	/* Parts without a value are left out: the line goes on to the next one. */
	for (size_t i = 0; most > 0 && i < n; i++)
		if (v[i] >= 0)
			p[known++] = (struct chart_point){
			    .known = true,
			    .x = CHART_SPARK_TREND_WIDTH * ((double)i + 0.5) / (double)n,
			    .y = 1 + (CHART_SPARK_TREND_HEIGHT - 2) * (1 - v[i] / most)};
	chart_path_line(path, p, known, CHART_PATH_FINE);
}
