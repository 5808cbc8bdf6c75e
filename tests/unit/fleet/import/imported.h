/* imported: what an import gave, as text: a line for each job, "KEY: column=value column=value", "!" before a key that
 * is not global. */
#ifndef TESTS_UNIT_IMPORTED_H
#define TESTS_UNIT_IMPORTED_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/buf.h"
#include "fleet/import/import.h"
#include "tests/unit/unit.h"

struct imported {
	struct import in;
	enum import_kind kind;
	struct buf jobs;
	struct err e;
	int failed;
	size_t bytes; /* not kept, where only these count */
};

static inline int imported_each(void *ctx, const struct import_job *job, struct err *e)
{
	struct imported *i = ctx;

	(void)e;
	if (i->bytes)
		return 0;
	buf_printf(&i->jobs, "%s%s:", job->global ? "" : "!", job->key);
	if (!isnan(job->submit))
		buf_printf(&i->jobs, " submit=%.15g", job->submit);
	for (int c = 0; c < RTRACK_ROW_COLUMNS; c++) {
		if (c == RTRACK_ROW_SCOPE) {
			assert_string_equal(job->row->of[c].text, "process");
		} else if (rtrack_row_is_text(c)) {
			assert_true(isnan(job->row->of[c].number));
			if (*job->row->of[c].text)
				buf_printf(&i->jobs, " %s=%s", rtrack_row_columns[c].key,
				           job->row->of[c].text);
		} else if (!isnan(job->row->of[c].number)) {
			buf_printf(&i->jobs, " %s=%.15g", rtrack_row_columns[c].key,
			           job->row->of[c].number);
		}
	}
	buf_char(&i->jobs, '\n');
	return 0;
}

static inline void imported_from(struct imported *i, const char *name, FILE *f)
{
	char text[4096];
	size_t n;

	assert_non_null(f);
	n = fread(text, 1, sizeof text, f);
	rewind(f);
	i->kind = import_kind_of(text, n);
	i->in = (struct import){
	    .name = name, .f = f, .now = 1795500000, .each = imported_each, .ctx = i};
	i->failed = i->kind ? import_read(&i->in, i->kind, &i->e) : 0;
	fclose(f);
	assert_false(i->jobs.failed);
}

static inline void imported_text_n(struct imported *i, const char *name, const char *text, size_t n)
{
	*i = (struct imported){.failed = 0};
	imported_from(i, name, fmemopen((void *)(uintptr_t)text, n, "r"));
}

static inline void imported_text(struct imported *i, const char *name, const char *text)
{
	imported_text_n(i, name, text, strlen(text));
}

static inline void imported_file(struct imported *i, const char *path)
{
	*i = (struct imported){.failed = 0};
	imported_from(i, path, fopen(path, "r"));
}

/* The value of a column of the nth job, from 0; "" if it is unknown. Valid until the next call. */
static inline const char *imported_value(const struct imported *i, size_t nth, const char *column)
{
	static char value[1024];
	const char *line = buf_cstr(&i->jobs), *at, *end;
	char what[64];

	for (; nth && (line = strchr(line, '\n')); line++)
		if (!--nth) {
			line++;
			break;
		}
	assert_non_null(line);
	end = strchr(line, '\n');
	assert_non_null(end);
	snprintf(what, sizeof what, " %s=", column);
	at = strstr(line, what);
	if (!at || at > end)
		return "";
	at += strlen(what);
	/* Up to the next " key=". */
	for (end = at; *end != '\n'; end++)
		if (*end == ' ' && end[1 + strcspn(end + 1, "= \n")] == '=' &&
		    strspn(end + 1, "abcdefghijklmnopqrstuvwxyz_0123456789") ==
		        strcspn(end + 1, "= \n"))
			break;
	snprintf(value, sizeof value, "%.*s", (int)(end - at), at);
	return value;
}

/* Everything but that the import went well. */
static inline void imported_expect(const struct imported *i, size_t jobs, size_t unknown,
                                   size_t left_out)
{
	if (i->failed || i->in.jobs != jobs || i->in.unknown != unknown ||
	    i->in.left_out != left_out)
		print_message("%s%s\n%s", i->e.msg, i->in.example.msg, buf_cstr(&i->jobs));
	assert_int_equal(i->failed, 0);
	assert_int_equal(i->in.jobs, jobs);
	assert_int_equal(i->in.unknown, unknown);
	assert_int_equal(i->in.left_out, left_out);
}

static inline void imported_free(struct imported *i)
{
	buf_free(&i->jobs);
}

/* Local times of the file are those of this zone. */
static inline int imported_zone(void **state)
{
	(void)state;
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	return 0;
}

#endif
