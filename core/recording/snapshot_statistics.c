/* snapshot_statistics: reads the statistics in the head of a snapshot, as they are inflated. */
#include "core/recording/snapshot_statistics.h"

#include <math.h>
#include <string.h>

#include "core/recording/snapshot_fields.h"

bool snapshot_statistics_is(const char *key)
{
	const char *old = snapshot_block_old_key(SNAPSHOT_STATISTICS);

	return strcmp(key, snapshot_block_key(SNAPSHOT_STATISTICS)) == 0 ||
	       (old && strcmp(key, old) == 0);
}

/* The keys of a column, and which is expected: they mostly come in the order of writing. */
struct keys {
	const struct snapshot_field *f;
	size_t n, next;
};

static void put_value(struct keys *k, struct stats *out, const char *key, double v)
{
	for (size_t i = 0; i < k->n; i++) {
		const struct snapshot_field *f = &k->f[(k->next + i) % k->n];
		if (strcmp(key, f->key) == 0) {
			*(double *)((char *)out + f->offset) = isfinite(v) ? v : (double)NAN;
			k->next += i + 1;
			return;
		}
	}
}

/* {"n": 3, "min": 0, …} */
static int read_statistics_of(struct keys *k, struct stats *out, double scale, struct json_read *in,
                              struct buf *key)
{
	bool first = true;
	int more;

	*out = stats_none();
	k->next = 0;
	if (json_read_open(in, '{'))
		return -1;
	while ((more = json_read_more(in, '{', &first)) > 0) {
		const char *name = k->f[k->next % k->n].key;
		double v;
		if (!json_read_is_key(in, name)) {
			if (json_read_key(in, key))
				return -1;
			name = buf_cstr(key);
		}
		if (json_read_cell(in, &v))
			return -1;
		if (strcmp(name, SNAPSHOT_KEY_N) == 0)
			out->n = v >= 0 && v <= FRAME_ROWS_MAX ? (size_t)v : 0;
		else
			put_value(k, out, name, v * scale);
	}
	return more;
}

int snapshot_statistics_read(struct snapshot *s, struct json_read *in, struct buf *key)
{
	struct keys keys = {.f = snapshot_fields_of(SNAPSHOT_STATISTICS, &keys.n)};
	bool first = true;
	int more;

	s->summary = snapshot_alloc(s, METRIC_COUNT * sizeof *s->summary);
	if (!s->summary)
		return json_read_skip(in, NULL);
	for (int id = 0; id < METRIC_COUNT; id++)
		s->summary[id] = stats_none();
	if (json_read_open(in, '{'))
		return -1;
	while ((more = json_read_more(in, '{', &first)) > 0) {
		enum metric_id id;
		bool skip;
		if (json_read_key(in, key))
			return -1;
		id = metric_of_column(buf_cstr(key));
		skip = id == METRIC_COUNT || metrics[id].unit == METRIC_UNIT_TIME ||
		       json_read_peek(in) != '{';
		if (skip ? json_read_skip(in, NULL)
		         : read_statistics_of(&keys, &s->summary[id],
		                              metric_scale(metrics[id].unit, SCHEMA_1), in, key))
			return -1;
	}
	return more;
}
