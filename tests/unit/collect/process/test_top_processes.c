/* Tests of collect/process/top_processes.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "collect/process/top_processes.h"
#include "tests/unit/unit.h"

static void end_one(struct top_processes *p, int pid, const char *name, double cpu_s, double rss_b)
{
	struct top_process *one = top_processes_at(p, 3);

	*one = (struct top_process){.pid = pid,
	                            .ppid = 1,
	                            .start = 10,
	                            .end = 11.5,
	                            .cpu_s = cpu_s,
	                            .peak_rss_b = rss_b,
	                            .read_b = 1,
	                            .write_b = NAN};
	snprintf(one->name, sizeof one->name, "%s", name);
	top_processes_end(p, 3);
}

static cJSON *written(struct top_processes *p, double cpu_s, bool commands)
{
	struct json_write j = {.b = {.s = NULL}};
	cJSON *o;

	json_write_object(&j, NULL);
	top_processes_write(p, NULL, &j, cpu_s, commands);
	json_write_object_end(&j);
	assert_true(json_write_finish(&j));
	o = cJSON_Parse(buf_cstr(&j.b));
	json_write_free(&j);
	assert_non_null(o);
	return o;
}

static double number(const cJSON *o, const char *key)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);

	return cJSON_IsNumber(v) ? v->valuedouble : (double)NAN;
}

static const cJSON *member(const cJSON *o, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(o, key);
}

TEST(nobody)
{
	struct top_processes *p = top_processes_open(8, NULL);
	cJSON *o = written(p, 2, true);
	const cJSON *all = member(o, "processes");

	assert_true(number(all, "seen") == 0 && number(all, "unseen_cpu_s") == 2);
	assert_int_equal(cJSON_GetArraySize(member(all, "top")), 0);
	cJSON_Delete(o);
	top_processes_close(p);
}

/* 100,000 processes of 1,000 names: the ten busiest and the ten largest stay. */
TEST(of_many_the_largest_stay)
{
	struct top_processes *p = top_processes_open(8, NULL);
	double cpu = 0, count = 0, sum = 0;
	int burners = 0, large = 0;
	const cJSON *all, *v;
	cJSON *o;

	for (int i = 1; i <= 100000; i++) {
		bool burns = i % 10000 == 1, is_large = i % 10000 == 2;
		char name[32];
		snprintf(name, sizeof name, "%s%d",
		         burns      ? "burns"
		         : is_large ? "large"
		                    : "n",
		         i % 1000);
		end_one(p, i, name, burns ? 100 : 0.001 * (i % 7), is_large ? 1e12 : 1e6 + i);
		cpu += burns ? 100 : 0.001 * (i % 7);
	}
	assert_true(fabs(top_processes_cpu(p) - cpu) < 1e-6);
	o = written(p, cpu + 5, true);
	all = member(o, "processes");
	assert_true(number(all, "seen") == 100000);
	assert_true(fabs(number(all, "unseen_cpu_s") - 5) < 0.01);
	assert_true(cJSON_GetArraySize(member(all, "top")) <= 2 * TOP_PROCESSES_TOP);
	assert_true(cJSON_GetArraySize(member(all, "others")) <= TOP_PROCESSES_NAMES + 1);
	cJSON_ArrayForEach (v, member(all, "top")) {
		burners += strncmp(member(v, "name")->valuestring, "burns", 5) == 0;
		large += strncmp(member(v, "name")->valuestring, "large", 5) == 0;
		count++;
		sum += number(v, "cpu_s");
	}
	assert_int_equal(burners, 10);
	assert_int_equal(large, 10);
	cJSON_ArrayForEach (v, member(all, "others")) {
		count += number(v, "count");
		sum += number(v, "cpu_s");
	}
	assert_true(count == 100000);
	assert_true(fabs(sum - cpu) < 0.5);
	assert_true(cJSON_IsNull(
	    member(v = cJSON_GetArrayItem(member(all, "others"), TOP_PROCESSES_NAMES), "name")));
	cJSON_Delete(o);
	top_processes_close(p);
}

TEST(one_with_everything)
{
	struct top_processes *p = top_processes_open(8, NULL);
	struct top_process *one = top_processes_at(p, 0);
	const cJSON *v;
	cJSON *o;

	*one = (struct top_process){
	    .pid = 7, .ppid = 1, .name = "x) R 1 (y", .start = 1.5, .end = NAN};
	one->reaped = true;
	one->status = 3 << 8;
	top_processes_set_command(one, "mysql\0--password=hunter2\0-v", 28, true);
	o = written(p, 0, true);
	v = cJSON_GetArrayItem(member(member(o, "processes"), "top"), 0);
	assert_string_equal(member(v, "name")->valuestring, "x) R 1 (y");
	assert_string_equal(member(v, "command")->valuestring, "mysql --password=*** -v");
	assert_true(number(v, "exit_code") == 3);
	assert_true(cJSON_IsNull(member(v, "signal")) && cJSON_IsNull(member(v, "end")));
	/* never seen alive: its memory is null, not 0 */
	assert_true(cJSON_IsNull(member(v, "peak_rss_bytes")));
	assert_true(cJSON_IsNull(member(v, "peak_pss_bytes")));
	cJSON_Delete(o);
	top_processes_close(p);
}

TEST(commands_are_left_out_where_that_is_asked)
{
	struct top_processes *p = top_processes_open(8, NULL);
	struct top_process *one = top_processes_at(p, 0);
	cJSON *o;

	*one = (struct top_process){.pid = 7, .name = "x", .reaped = true, .status = 9};
	top_processes_set_command(one, "a\0b", 4, true);
	o = written(p, NAN, false);
	assert_null(
	    member(cJSON_GetArrayItem(member(member(o, "processes"), "top"), 0), "command"));
	assert_string_equal(
	    member(cJSON_GetArrayItem(member(member(o, "processes"), "top"), 0), "signal")
		->valuestring,
	    "KILL");
	assert_true(cJSON_IsNull(member(member(o, "processes"), "unseen_cpu_s")));
	cJSON_Delete(o);
	top_processes_close(p);
}

TEST(whole_words_of_a_command)
{
	static char text[600];
	struct top_process p = {0};

	memset(text, 'x', sizeof text);
	top_processes_set_command(&p, text, sizeof text, false); /* one word, too long */
	assert_true(p.command_len == 0 && p.cut);
	text[9] = '\0';
	top_processes_set_command(&p, text, sizeof text, false);
	assert_true(p.command_len == 10 && p.cut);
	top_processes_set_command(&p, "title: no NUL", 13, true);
	assert_true(p.command_len == 14 && !p.cut);
	assert_string_equal(p.command, "title: no NUL");
	memset(text, 'y', TOP_PROCESSES_COMMAND_MAX);
	top_processes_set_command(&p, text, TOP_PROCESSES_COMMAND_MAX,
	                          true); /* no room for its NUL */
	assert_true(p.command_len == 0 && p.cut);
	top_processes_set_command(&p, "", 0, true);
	assert_true(p.command_len == 0 && !p.cut);
}
