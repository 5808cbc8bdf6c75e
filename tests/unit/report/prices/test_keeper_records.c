/* keeper_records: rows come back with all that they have, within their limits, and belong to the servers of the list. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/prices/keeper_parse.h"
#include "report/prices/keeper_records.h"
#include "tests/unit/unit.h"

static size_t add(struct keeper_records *r, const char *json)
{
	cJSON *row = cJSON_Parse(json);
	size_t number;

	assert_non_null(row);
	number = keeper_records_add(r, row);
	cJSON_Delete(row);
	return number;
}

TEST(limits)
{
	struct keeper_records r = {0};
	char *large = malloc(KEEPER_RECORD_MAX + 1), deep[64];

	memset(large, '7', KEEPER_RECORD_MAX);
	large[KEEPER_RECORD_MAX] = '\0';
	large[0] = large[KEEPER_RECORD_MAX - 1] = '"';
	assert_int_equal(add(&r, large), 1); /* of exactly this size */
	large[1] = '\\';
	large[2] = 'n';
	assert_int_equal(add(&r, large), 2);
	large[1] = '\n'; /* is written as two bytes */
	large[2] = '7';
	assert_int_equal(add(&r, large), 0);
	snprintf(deep, sizeof deep, "%.17s7%.17s", "[[[[[[[[[[[[[[[[[", "]]]]]]]]]]]]]]]]]");
	assert_int_equal(add(&r, deep), 0);
	assert_int_equal(r.n, 2);
	assert_int_equal(r.bytes, 2 * KEEPER_RECORD_MAX);
	assert_null(keeper_records_get(&r, 0));
	assert_null(keeper_records_get(&r, 3));
	assert_null(keeper_records_get(NULL, 1));
	keeper_records_free(&r);
	assert_int_equal(r.n + r.bytes, 0);
	free(large);
}

#define ROW(id, price, more)                                                                       \
	"{\"vendor_id\":\"v\",\"server_id\":\"" id "\",\"vcpus\":2,\"min_price_ondemand\":" price  \
	"," more "}"

/* Only servers of the list have one, each its own; of a server that occurs twice, that of its price. */
TEST(of_the_servers_in_the_list)
{
	static const char json[] =
	    "[" ROW("a", "3", "\"x\":[1,{\"y\":null}]") "," ROW("b", "2", "\"x\":1") "," ROW(
		"a", "1", "\"x\":[2,{\"y\":0.1}]") "," ROW("c", "9", "\"x\":1") "]";
	struct keeper_records records = {0};
	const struct keeper_query q = {.servers = 2, .records = &records};
	struct keeper_result *r = calloc(1, sizeof *r);
	char *text;
	cJSON *row;

	assert_int_equal(keeper_parse_servers(json, strlen(json), &q, r, NULL), 0);
	assert_int_equal(r->n, 2);
	assert_int_equal(records.n, 3);
	row = keeper_records_get(&records, r->server[0].record);
	text = cJSON_PrintUnformatted(row);
	assert_string_equal(text, ROW("a", "1", "\"x\":[2,{\"y\":0.1}]"));
	free(text);
	cJSON_Delete(row);
	row = keeper_records_get(&records, r->server[1].record);
	assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(row, "server_id")), "b");
	cJSON_Delete(row);
	keeper_records_free(&records);
	free(r);
}
