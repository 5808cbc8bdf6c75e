/* clickhouse_tsv: a row of an answer in ClickHouse's format TabSeparated. */
#include "fleet/catalog/clickhouse_tsv.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/json/json_number.h"

/* -- texts ------------------------------------------------------------------------------------- */

static char unescaped(char c)
{
	static const char letters[] = "bfrnt0", bytes[] = "\b\f\r\n\t";
	const char *at = strchr(letters, c);

	return c && at ? bytes[at - letters] : c;
}

/* Unescapes in place up to an unescaped `end`, or to the end of the line, and terminates. Returns
 * where it stopped, before that was overwritten, in *stop. */
static char *unescape_tsv(char *from, char end, char *stop)
{
	char *to = from, *p = from;

	for (; *p && *p != end; p++) {
		if (*p == '\\' && p[1])
			p++, *to++ = unescaped(*p);
		else
			*to++ = *p;
	}
	*stop = *p;
	*to = '\0';
	return p;
}

char *clickhouse_field(char **at)
{
	char *field = *at, stop;
	char *end = unescape_tsv(field, '\t', &stop);

	*at = stop ? end + 1 : NULL;
	return field;
}

/* -- numbers, maps and lists ------------------------------------------------------------------- */

static bool pass(char **p, char c)
{
	if (**p != c)
		return false;
	++*p;
	return true;
}

/* The characters after a number are those that json_number_word must not see. */
static bool take_number(char **p, double *out)
{
	size_t n = strcspn(*p, ",])\t");
	char next = (*p)[n];
	bool ok;

	(*p)[n] = '\0';
	ok = json_number_word(*p, out) && isfinite(*out);
	(*p)[n] = next;
	*p += n;
	return ok;
}

/* "\\N" and nan are unknown. */
static int read_tsv_number(char *field, double *out)
{
	if (strcmp(field, "N") == 0 || strcmp(field, "nan") == 0) {
		*out = NAN;
		return 0;
	}
	return json_number_word(field, out) ? 0 : -1;
}

/* One array of a map: column `column` of its entries. Sets or checks their number. */
static bool read_tsv_field(char **p, struct catalog_map *m, double *v, size_t room, size_t column)
{
	size_t stride = 1 + m->width, n = 0;

	if (!pass(p, '['))
		return false;
	for (; **p != ']'; n++) {
		if ((n && !pass(p, ',')) || n * stride + column >= room ||
		    !take_number(p, &v[n * stride + column]))
			return false;
	}
	if (column == 0)
		m->n = n;
	return pass(p, ']') && m->n == n;
}

/* "([1,2],[7,8],[0.5,0.25])": keys and columns of a map with this width. */
static int read_map(char **at, size_t width, double *v, size_t room, struct catalog_map *out)
{
	char *p = *at;

	*out = (struct catalog_map){.v = v, .width = width};
	if (!pass(&p, '('))
		return -1;
	for (size_t column = 0; column <= width; column++)
		if ((column && !pass(&p, ',')) || !read_tsv_field(&p, out, v, room, column))
			return -1;
	for (size_t i = 1; i < out->n; i++)
		if (!(catalog_map_key(out, i - 1) < catalog_map_key(out, i)))
			return -1;
	if (!pass(&p, ')') || (*p && *p != '\t'))
		return -1;
	*at = *p ? p + 1 : NULL;
	return 0;
}

/* "['a','b']" */
static int read_tsv_list(char **at, const char **v, size_t room, size_t *n)
{
	char *p = *at, stop;

	*n = 0;
	if (!pass(&p, '['))
		return -1;
	while (*p != ']') {
		if ((*n && !pass(&p, ',')) || *n == room || !pass(&p, '\''))
			return -1;
		v[(*n)++] = p;
		p = unescape_tsv(p, '\'', &stop);
		if (!stop)
			return -1;
		p++;
	}
	p++;
	if (*p && *p != '\t')
		return -1;
	*at = *p ? p + 1 : NULL;
	return 0;
}

/* -- a row ------------------------------------------------------------------------------------- */

static int take_output(const struct catalog_output *o, char **at, struct clickhouse_row *r,
                       struct catalog_result *out, size_t *numbers, size_t *texts)
{
	double *v = r->number + *numbers;
	size_t width = o->kind == CATALOG_OUT_DAYS ? CATALOG_DAY_SUMS : 1 + o->n;

	switch (o->kind) {
	case CATALOG_OUT_MAP:
	case CATALOG_OUT_QUARTERS:
	case CATALOG_OUT_SPOTS:
	case CATALOG_OUT_DAYS:
		if (read_map(at, width, v, r->numbers - *numbers, &out->map))
			return -1;
		*numbers += out->map.n * (1 + width);
		return 0;
	case CATALOG_OUT_TOP:
		out->list = r->text + *texts;
		if (read_tsv_list(at, r->text + *texts, r->texts - *texts, &out->n))
			return -1;
		*texts += out->n;
		return 0;
	case CATALOG_OUT_NEWEST:
		out->text = clickhouse_field(at);
		return 0;
	case CATALOG_OUT_MIN:
	case CATALOG_OUT_MAX:
		return read_tsv_number(clickhouse_field(at), &out->number);
	case CATALOG_OUT_PLAIN:
	case CATALOG_OUT_COLUMN:
		break;
	}
	out->text = clickhouse_field(at);
	if (catalog_columns[o->column].kind == CATALOG_TEXT)
		return 0;
	return read_tsv_number((char *)(uintptr_t)out->text, &out->number);
}

static bool grow_tsv(void *array, size_t *have, size_t need, size_t size)
{
	void **p = array;
	void *more;

	if (need <= *have)
		return true;
	more = alloc_failed_note(realloc(*p, need * size));
	if (!more)
		return false;
	*p = more;
	*have = need;
	return true;
}

/* Room for all that a line can hold: before each number and text but the first is a comma, or it
 * begins a field. */
static bool make_tsv_room(struct clickhouse_row *r, const char *line, size_t n)
{
	size_t values = 2;

	for (const char *p = line; *p; p++)
		values += *p == ',' || *p == '\t';
	return grow_tsv(&r->number, &r->numbers, values, sizeof *r->number) &&
	       grow_tsv(&r->text, &r->texts, values, sizeof *r->text) &&
	       grow_tsv(&r->v, &r->n, n, sizeof *r->v);
}

int clickhouse_row_read(struct clickhouse_row *r, char *line, size_t n_keys,
                        const struct catalog_output *output, size_t n_outputs)
{
	size_t n = n_keys + n_outputs, numbers = 0, texts = 0;
	char *at = line;

	if (!make_tsv_room(r, line, n))
		return -1;
	memset(r->v, 0, n * sizeof *r->v);
	for (size_t i = 0; i < n; i++) {
		r->v[i].number = NAN;
		if (!at)
			return -1;
		if (i < n_keys)
			r->v[i].text = clickhouse_field(&at);
		else if (take_output(&output[i - n_keys], &at, r, &r->v[i], &numbers, &texts))
			return -1;
	}
	return at ? -1 : 0;
}

void clickhouse_row_free(struct clickhouse_row *r)
{
	free(r->v);
	free(r->number);
	free(r->text);
	*r = (struct clickhouse_row){0};
}
