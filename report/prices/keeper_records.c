/* keeper_records: rows of the Keeper API's /servers, whole. */
#include "report/prices/keeper_records.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/json/json_tree.h"

#define DEPTH_MAX  16
#define VALUES_MAX 8192

size_t keeper_records_add(struct keeper_records *r, const cJSON *row)
{
	char *text = cJSON_PrintUnformatted(row), **grown;
	size_t n = text ? strlen(text) : 0;

	if (!text || n > KEEPER_RECORD_MAX || r->bytes + n > KEEPER_RECORDS_MAX ||
	    json_tree_check(text, n, DEPTH_MAX, VALUES_MAX, "a server", NULL) ||
	    !(grown = alloc_failed_note(realloc(r->v, (r->n + 1) * sizeof *grown)))) {
		free(text);
		return 0;
	}
	r->v = grown;
	r->v[r->n++] = text;
	r->bytes += n;
	return r->n;
}

static void drop_last(struct keeper_records *r)
{
	r->n--;
	r->bytes -= strlen(r->v[r->n]);
	free(r->v[r->n]);
}

static bool is_listed_server(const struct keeper_result *out, size_t record)
{
	for (size_t i = 0; i < out->n; i++)
		if (out->server[i].record == record)
			return true;
	return false;
}

void keeper_records_add_server(struct keeper_records *r, const cJSON *row, struct keeper_server *s,
                               struct keeper_result *out, size_t max)
{
	s->record = r ? keeper_records_add(r, row) : 0;
	keeper_result_add(out, s, max);
	if (s->record && !is_listed_server(out, s->record))
		drop_last(r);
}

cJSON *keeper_records_get(const struct keeper_records *r, size_t number)
{
	return r && number && number <= r->n ? cJSON_Parse(r->v[number - 1]) : NULL;
}

void keeper_records_free(struct keeper_records *r)
{
	while (r->n)
		drop_last(r);
	free(r->v);
	*r = (struct keeper_records){0};
}
