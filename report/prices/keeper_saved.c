/* keeper_saved: an answer of keeper_ask as JSON. */
#include "report/prices/keeper_saved.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cjson/cJSON.h>

#define SERVERS "servers"
#define SIZED   "sized"
#define PRESENT "present"

/* A member of a struct: a text in it, of size bytes; else a number, or a flag. */
struct saved_field {
	const char *key;
	size_t at, size;
	bool flag;
};

#define TEXT(type, member)                                                                         \
	{                                                                                          \
#member, offsetof(type, member), sizeof((type *)0)->member, false                  \
	}
#define NUMBER(type, member)                                                                       \
	{                                                                                          \
#member, offsetof(type, member), 0, false                                          \
	}
#define FLAG(type, member)                                                                         \
	{                                                                                          \
#member, offsetof(type, member), 0, true                                           \
	}

#define SERVER_TEXT(member)   TEXT(struct keeper_server, member)
#define SERVER_NUMBER(member) NUMBER(struct keeper_server, member)
static const struct saved_field of_server[] = {
    SERVER_TEXT(vendor_id),
    SERVER_TEXT(vendor_name),
    SERVER_TEXT(server_id),
    SERVER_TEXT(name),
    SERVER_TEXT(api_reference),
    SERVER_TEXT(arch),
    SERVER_TEXT(region),
    SERVER_TEXT(zone),
    SERVER_TEXT(price_day),
    SERVER_NUMBER(vcpus),
    SERVER_NUMBER(memory_mib),
    SERVER_NUMBER(gpu_count),
    SERVER_NUMBER(gpu_memory_total_mib),
    SERVER_NUMBER(price_hour),
    SERVER_NUMBER(price_ondemand),
    SERVER_NUMBER(price_spot),
    SERVER_NUMBER(price_month),
    SERVER_NUMBER(score),
    SERVER_NUMBER(score_asked),
    SERVER_NUMBER(start_s),
    SERVER_NUMBER(billing_min_s),
    SERVER_NUMBER(billing_increment_s),
};

#define RESULT_TEXT(member) TEXT(struct keeper_result, member)
static const struct saved_field of_result[] = {
    RESULT_TEXT(question),
    RESULT_TEXT(currency),
    RESULT_TEXT(asked),
    RESULT_TEXT(why),
    RESULT_TEXT(filters_why),
    RESULT_TEXT(present_where),
    RESULT_TEXT(present_why),
    RESULT_TEXT(age_why),
    RESULT_TEXT(sized_why),
    RESULT_TEXT(measure.id),
    FLAG(struct keeper_result, measure.one),
    FLAG(struct keeper_result, known),
    FLAG(struct keeper_result, present_known),
    FLAG(struct keeper_result, spot),
    NUMBER(struct keeper_result, retrieved_at),
    NUMBER(struct keeper_result, file_at),
};
#define COUNT(array) (sizeof(array) / sizeof *(array))

static void write_saved(struct json_write *j, const struct saved_field *f, size_t n,
                        const void *record)
{
	for (size_t i = 0; i < n; i++) {
		const char *at = (const char *)record + f[i].at;
		if (f[i].size)
			json_write_str(j, f[i].key, at);
		else if (f[i].flag)
			json_write_bool(j, f[i].key, *(const bool *)at);
		else
			json_write_num(j, f[i].key, *(const double *)at);
	}
}

static void write_server(struct json_write *j, const char *key, const struct keeper_server *s)
{
	json_write_object(j, key);
	write_saved(j, of_server, COUNT(of_server), s);
	json_write_object_end(j);
}

static void write_servers(struct json_write *j, const char *key, const struct keeper_server *s,
                          size_t n)
{
	json_write_array(j, key);
	for (size_t i = 0; i < n; i++)
		write_server(j, NULL, &s[i]);
	json_write_array_end(j);
}

void keeper_saved_write(struct json_write *j, const struct keeper_result *r)
{
	json_write_object(j, NULL);
	write_saved(j, of_result, COUNT(of_result), r);
	write_server(j, PRESENT, &r->present);
	write_servers(j, SERVERS, r->server, r->n);
	write_servers(j, SIZED, r->sized, r->n_sized);
	json_write_object_end(j);
}

static void read_saved(const cJSON *o, const struct saved_field *f, size_t n, void *record)
{
	for (size_t i = 0; i < n; i++) {
		const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, f[i].key);
		char *at = (char *)record + f[i].at;
		if (f[i].size)
			keeper_result_copy(at, f[i].size, cJSON_IsString(v) ? v->valuestring : "");
		else if (f[i].flag)
			*(bool *)at = cJSON_IsTrue(v);
		else
			*(double *)at =
			    cJSON_IsNumber(v) && v->valuedouble >= 0 && isfinite(v->valuedouble)
				? v->valuedouble
				: (double)NAN;
	}
}

static size_t read_saved_servers(const cJSON *all, struct keeper_server *s, size_t max)
{
	const cJSON *one;
	size_t n = 0;

	cJSON_ArrayForEach (one, all)
		if (n < max)
			read_saved(one, of_server, COUNT(of_server), &s[n++]);
	return n;
}

static void read_result(const cJSON *o, struct keeper_result *out)
{
	*out = (struct keeper_result){.n = 0};
	read_saved(o, of_result, COUNT(of_result), out);
	read_saved(cJSON_GetObjectItemCaseSensitive(o, PRESENT), of_server, COUNT(of_server),
	           &out->present);
	out->n = read_saved_servers(cJSON_GetObjectItemCaseSensitive(o, SERVERS), out->server,
	                            KEEPER_SERVERS_MAX);
	out->n_sized = read_saved_servers(cJSON_GetObjectItemCaseSensitive(o, SIZED), out->sized,
	                                  KEEPER_SIZED_MAX);
	out->known = out->known && out->n && out->server[0].price_hour > 0;
	out->n = out->known ? out->n : 0;
	out->present_known = out->present_known && out->present.price_hour > 0;
}

int keeper_saved_read(const char *text, const struct keeper_query *q, struct keeper_result *out)
{
	cJSON *o = cJSON_Parse(text);
	char question[sizeof out->question];

	read_result(o, out);
	cJSON_Delete(o);
	keeper_query_question(q, question);
	return (out->known || out->present_known) && strcmp(out->question, question) == 0 ? 0 : -1;
}
