/*
 * mustache_row: a row of the tables in test_mustache*.c, and its rendering.
 */
#ifndef TESTS_MUSTACHE_ROW_H
#define TESTS_MUSTACHE_ROW_H

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "report/render/mustache.h"
#include "tests/unit/unit.h"

struct row {
	const char *rule;
	const char *text;     /* the template */
	const char *model;    /* JSON */
	const char *want;     /* the output, or the sentence */
	const char *partials; /* JSON: name → text; NULL: none */
};

static inline const char *row_find(void *ctx, const char *name, size_t *len)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(ctx, name);

	if (!item)
		return NULL;
	*len = strlen(item->valuestring);
	return item->valuestring;
}

static inline int row_render(const struct row *r, enum escape_kind kind, struct buf *out,
                             struct err *e)
{
	cJSON *model = cJSON_Parse(r->model),
	      *texts = cJSON_Parse(r->partials ? r->partials : "{}");
	struct mustache_partials partials = {.find = row_find, .ctx = texts};
	size_t n = strlen(r->text);
	char *exact = malloc(n ? n : 1); /* without a NUL: a read beyond the end is seen */
	int rc;

	assert_non_null(model);
	assert_non_null(texts);
	assert_non_null(exact);
	memcpy(exact, r->text, n);
	rc = mustache_render(exact, n, "t.html", model, kind, &partials, out, e);
	free(exact);
	cJSON_Delete(model);
	cJSON_Delete(texts);
	return rc;
}

#endif
