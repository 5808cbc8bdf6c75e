/* rtrack_row_read: the row at the beginning of a snapshot. */
#include <math.h>
#include <string.h>

#include "core/head/job_default_name.h"
#include "core/head/rtrack_row.h"
#include "core/json/json_read.h"
#include "core/numbers/time_at.h"

/* The key as the file has it. */
static const char *key_of_column(int i)
{
	return rtrack_row_columns[i].kind == RTRACK_ROW_KIND_TIME_AT ? RTRACK_ROW_TIME_AT_KEY
	                                                             : rtrack_row_columns[i].key;
}

/* The first with this key; RTRACK_ROW_COLUMNS for none. */
static int column_of_key(const char *key)
{
	int i = 0;

	while (i < RTRACK_ROW_COLUMNS && strcmp(key_of_column(i), key) != 0)
		i++;
	return i;
}

/* Keeps what was read as valid UTF-8. */
static const char *store_valid(struct rtrack_row *row, const struct buf *text)
{
	struct buf valid = {.max = sizeof row->store};
	const char *kept;

	buf_utf8(&valid, buf_cstr(text), text->len);
	kept = valid.failed ? "" : rtrack_row_store(row, buf_cstr(&valid));
	buf_free(&valid);
	return kept;
}

static int read_time_at(struct rtrack_row *row, struct json_read *in)
{
	bool first = true;
	int more;
	double v;

	if (json_read_open(in, '['))
		return -1;
	for (int i = 0; (more = json_read_more(in, '[', &first)) > 0; i++) {
		if (json_read_cell(in, &v))
			return -1;
		if (i < TIME_AT_POWERS)
			row->of[RTRACK_ROW_TIME_AT_1 + i].number = v > 0 ? v : (double)NAN;
	}
	return more;
}

/* i: the column, or RTRACK_ROW_COLUMNS for none. */
static int read_value(struct rtrack_row *row, int i, struct json_read *in, struct buf *text)
{
	bool string = json_read_peek(in) == '"';
	double v;

	if (i == RTRACK_ROW_TIME_AT_1 && json_read_peek(in) == '[')
		return read_time_at(row, in);

	if (i == RTRACK_ROW_COLUMNS || string != rtrack_row_is_text(i))
		return json_read_skip(in, NULL);
	if (!string) {
		if (json_read_cell(in, &v))
			return -1;
		row->of[i].number = v;
		return 0;
	}
	if (json_read_string(in, text))
		return -1;
	row->of[i].text = store_valid(row, text);
	return 0;
}

static int read_members(struct rtrack_row *row, struct json_read *in, struct buf *text)
{
	bool seen[RTRACK_ROW_COLUMNS + 1] = {false}, first = true;
	int i = -1, more;

	if (json_read_open(in, '{'))
		return -1;
	while ((more = json_read_more(in, '{', &first)) > 0) {
		/* They usually stand in the order of the table. */
		i = i + 1 < RTRACK_ROW_COLUMNS ? i + 1 : 0;
		if (!json_read_is_key(in, key_of_column(i))) {
			if (json_read_key(in, text))
				return -1;
			i = column_of_key(buf_cstr(text));
		}
		/* The first of two with the same key counts. */
		if (read_value(row, seen[i] ? RTRACK_ROW_COLUMNS : i, in, text))
			return -1;
		seen[i] = true;
		i = i == RTRACK_ROW_TIME_AT_1 ? RTRACK_ROW_TIME_AT_256 : i;
	}
	return more;
}

/* A recording without --name of an earlier version is called after its program alone. */
static void name_anew(struct rtrack_row *row)
{
	const char *name = row->of[RTRACK_ROW_NAME].text;
	struct buf b = {0};

	job_default_name_of_line(name, row->of[RTRACK_ROW_COMMAND].text, &b);
	if (!b.failed && strcmp(buf_cstr(&b), name) != 0)
		row->of[RTRACK_ROW_NAME].text = rtrack_row_store(row, buf_cstr(&b));
	buf_free(&b);
}

int rtrack_row_read(const char *text, size_t n, struct rtrack_row *row)
{
	static const char begin[] = "{\"" RTRACK_ROW_KEY "\":";
	const size_t skip = sizeof begin - 1;
	struct buf b = {.max = RTRACK_ROW_TEXT};
	struct json_read in;
	int failed;

	rtrack_row_clear(row);
	if (n <= skip || memcmp(text, begin, skip) != 0)
		return -1;
	n = n < RTRACK_ROW_TEXT ? n : RTRACK_ROW_TEXT;
	json_read_init_text(&in, text + skip, n - skip);
	failed = read_members(row, &in, &b);
	name_anew(row);
	buf_free(&b);
	return failed;
}
