/* fleet_model_size: what of a fleet fits into its page, which has 1 MB in all. */
#include <string.h>

#include "report/model_fleet/fleet_model.h"

/* Bytes of base64. What names and paths of more than so many bytes each take in the rows and in the
 * groups with pictures is not left for this. */
#define PACKED_MAX   ((size_t)432 * 1024)
#define PACKED_LEAST ((size_t)64 * 1024)
#define SHORT        32

/* Bytes of markup, with room to spare: of a group that is opened, and of each text in it. */
#define GROUP_MARKUP 1024
#define TEXT_MARKUP  80

static size_t html_length(const cJSON *row, const char *key)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(row, key));
	size_t n = 0;

	for (; text && *text; text++)
		n += strchr("<>&\"'`", *text) ? sizeof "&quot;" - 1 : 1;
	return n;
}

/* Bytes beyond a short text. */
static size_t long_text(const cJSON *row, const char *key)
{
	size_t n = html_length(row, key);

	return n > SHORT ? n - SHORT : 0;
}

size_t fleet_model_packed_max(const cJSON *groups)
{
	const cJSON *row, *worst;
	size_t taken = 0, i = 0;

	cJSON_ArrayForEach (row, cJSON_GetObjectItemCaseSensitive(groups, "rows")) {
		const cJSON *detail = cJSON_GetObjectItemCaseSensitive(row, "detail");
		bool opened = i++ < FLEET_MODEL_PICTURES;
		taken += long_text(row, "name") * (opened ? 3 : 1);
		taken += opened ? long_text(row, "report") : 0;
		if (!opened)
			continue;
		cJSON_ArrayForEach (worst, cJSON_GetObjectItemCaseSensitive(detail, "worst"))
			taken += long_text(worst, "source") + long_text(worst, "host") +
			         long_text(worst, "user") + long_text(worst, "report");
	}
	return taken < PACKED_MAX - PACKED_LEAST ? PACKED_MAX - taken : PACKED_LEAST;
}

/* Of the rows of one part of a group that is opened. */
static size_t part_length(const cJSON *detail, const char *part)
{
	const cJSON *row, *value;
	size_t n = 0;

	cJSON_ArrayForEach (row, cJSON_GetObjectItemCaseSensitive(detail, part))
		cJSON_ArrayForEach (value, row)
			n +=
			    TEXT_MARKUP + (cJSON_IsObject(value) ? html_length(value, "text")
			                                         : html_length(row, value->string));
	return n;
}

static size_t opened_length(const cJSON *row, const cJSON *detail)
{
	return GROUP_MARKUP + 2 * html_length(row, "name") + html_length(row, "report") +
	       part_length(detail, "formulas") + part_length(detail, "worst") +
	       part_length(detail, "snippets");
}

void fleet_model_open_groups(cJSON *groups, size_t left)
{
	size_t i = 0;
	cJSON *row;

	cJSON_ArrayForEach (row, cJSON_GetObjectItemCaseSensitive(groups, "rows")) {
		const cJSON *detail = cJSON_GetObjectItemCaseSensitive(row, "detail");
		bool known = cJSON_IsObject(detail), pictures = i++ < FLEET_MODEL_PICTURES;
		size_t n = known && !pictures ? opened_length(row, detail) : 0;
		cJSON_AddBoolToObject(row, "opens", known && n <= left);
		left -= n <= left ? n : 0;
	}
}
