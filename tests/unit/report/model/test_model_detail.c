/* model_detail: which devices stand out, and what the page says of them. */
#include "tests/unit/report/model_expect.h"
#include "tests/unit/unit.h"

#define META "\"metadata\":{\"interval\":1,\"start_time\":1000,\"stop_time\":1004}"
#define ROWS                                                                                       \
	"\"system_metrics\":{\"timestamp\":[1001,1002,1003,1004],\"cpu_usage\":[1,1,1,1],"         \
	"\"utime\":[1,1,1,1],\"stime\":[0,0,0,0]}"

static cJSON *of_series(struct recordings *t, const char *series)
{
	struct buf b = {0};
	cJSON *model;

	buf_printf(&b,
	           "{" META ",\"rtrack\":{\"detail\":{\"from\":1000.5,\"step\":1,\"buckets\":4,"
	           "\"series\":[%s]}}," ROWS "}",
	           series);
	assert_non_null(recordings_load(t, "run.json", buf_cstr(&b)));
	buf_free(&b);
	model = model_of(&t->runs, NULL);
	assert_non_null(model);
	return model;
}

static void add_cpu(struct buf *b, size_t number, double mean, double busy)
{
	buf_printf(b,
	           "%s{\"name\":\"cpu.%zu.usage\",\"n\":4,\"mean\":%g,\"max\":1,\"busy\":%g,"
	           "\"points\":[%g,%g,null,%g]}",
	           b->len ? "," : "", number, mean, busy, mean, mean, mean);
}

#define SERIES(name, mean, max, more)                                                              \
	"{\"name\":\"" name "\",\"n\":4,\"mean\":" mean ",\"max\":" max "," more                   \
	",\"points\":[1,2,3,4]}"

TEST_WITH(cpus, recordings_begin, recordings_end)
{
	static const struct expected cases[] = {
	    {"detail.known", "true"},
	    {"detail.kinds.0.id", "\"cpus\""},
	    {"detail.kinds.0.devices", "256"},
	    /* 7 and 200 are pinned; 9 is the busiest, though never busy for long. */
	    {"detail.kinds.0.stand_out", "3"},
	    {"detail.kinds.0.rows.0.name", "\"9\""},
	    {"detail.kinds.0.rows.1.name", "\"7\""},
	    {"detail.kinds.0.rows.1.stands_out", "true"},
	    {"detail.kinds.0.rows.1.cells.0",
	     "{\"value\":60,\"text\":\"60%\",\"unit\":\"%\",\"label\":\"Mean\"}"},
	    {"detail.kinds.0.rows.1.cells.2.text", "\"50%\""},
	    {"detail.kinds.0.rows.3.stands_out", "false"},
	    {"detail.kinds.0.rest", "\"248 others that were used less.\""},
	    {"detail.kinds.0.charts.0.key.0.label", "\"Mean of all CPUs, and their range\""},
	    {"detail.kinds.0.charts.0.key.3.label", "\"CPU 200\""},
	    {"detail.kinds.0.charts.0.left_out", "0"},
	};
	struct recordings *t = *state;
	struct buf b = {0};
	cJSON *model;

	for (size_t i = 0; i < 256; i++)
		add_cpu(&b, i,
		        i == 9     ? 0.7
		        : i == 7   ? 0.6
		        : i == 200 ? 0.5
		                   : 0.1,
		        i == 7 || i == 200 ? 0.5 : 0);
	model = of_series(t, buf_cstr(&b));
	EXPECT_ALL(model, cases);
	assert_int_equal(cJSON_GetArraySize(model_at(model, "detail.kinds.0.charts.0.svg.lines")),
	                 4);
	assert_int_equal(cJSON_GetArraySize(model_at(model, "detail.kinds.0.rows")), 8);
	cJSON_Delete(model);
	buf_free(&b);
}

/* Where all are busy none stands out but the busiest; and of many that do, eight are drawn. */
TEST_WITH(many_cpus, recordings_begin, recordings_end)
{
	static const struct {
		double mean, busy;
		const char *stand_out, *left_out;
		int lines;
	} rows[] = {{0.8, 0.6, "1", "0", 2}, {0.6, 0.6, "12", "4", 9}};
	struct recordings *t = *state;

	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		struct buf b = {0};
		cJSON *model;
		for (size_t i = 0; i < 12; i++)
			add_cpu(&b, i, rows[k].mean + 0.001 * (double)i, rows[k].busy);
		load_free(&t->runs);
		t->runs = (struct runs){.n = 0};
		model = of_series(t, buf_cstr(&b));
		expect(model, "detail.kinds.0.stand_out", rows[k].stand_out);
		expect(model, "detail.kinds.0.charts.0.left_out", rows[k].left_out);
		assert_int_equal(
		    cJSON_GetArraySize(model_at(model, "detail.kinds.0.charts.0.svg.lines")),
		    rows[k].lines);
		cJSON_Delete(model);
		buf_free(&b);
	}
}

TEST_WITH(others, recordings_begin, recordings_end)
{
	static const struct expected cases[] = {
	    {"detail.kinds.0.id", "\"interfaces\""},
	    {"detail.kinds.0.stand_out", "1"},
	    {"detail.kinds.0.rows.0.name", "\"eth0\""},
	    {"detail.kinds.0.rows.0.cells.0.value", "9000"},
	    {"detail.kinds.0.rows.0.cells.3.text", "\"400 B/s\""},
	    {"detail.kinds.0.rows.1.stands_out", "false"},
	    {"detail.kinds.0.charts.0.key",
	     "[{\"label\":\"eth0 received\",\"colour\":\"#0b62b5\",\"dash\":\"\"}]"},
	    {"detail.kinds.1.id", "\"file_systems\""},
	    {"detail.kinds.1.stand_out", "2"},
	    {"detail.kinds.1.rows.0.name", "\"/full\""},
	    {"detail.kinds.1.rows.0.cells.0.value", "97"},
	    {"detail.kinds.1.rows.1.name", "\"/grown \\u003cb\\u003e\""},
	    {"detail.kinds.1.rows.2.name", "\"/quiet\""},
	    {"detail.kinds.1.rows.3.cells.0.text", "\"not measured\""},
	    {"detail.kinds.2.id", "\"disks\""},
	    {"detail.kinds.2.stand_out", "0"},
	    {"detail.kinds.2.rule", "\"Nothing was read or written.\""},
	    {"detail.kinds.2.charts", "[]"},
	    {"detail.kinds.2.rest", "\"\""},
	};
	struct recordings *t = *state;
	cJSON *model =
	    of_series(
		t,
		SERIES(
		    "interface.eth0.received_bytes", "300",
		    "400", "\"sum\":9000") "," SERIES("interface.eth0.sent_bytes", "300", "400",
	                                              "\"sum\":900") "," SERIES("interface.eth1.received_bytes", "3", "4", "\"sum\":900") "," SERIES("file_system./quiet.used_bytes", "50", "50", "\"first\":50,\"last\":50") "," SERIES("file_system./quiet.free_bytes", "50", "50", "\"first\":50,\"last\":50") "," SERIES("file_system./grown <b>.used_bytes", "51", "52", "\"first\":50,\"last\":52") "," SERIES("file_system./grown <b>.free_bytes", "49", "50",
	                                                                                                                                                                                                                                                                                                                                                                                                             "\"first\":50,\"last\":48") "," SERIES("file_system./full.used_bytes", "96", "97",
	                                                                                                                                                                                                                                                                                                                                                                                                                                                    "\"first\":96,\"last\":97") "," SERIES("file_system./full.free_bytes",
	                                                                                                                                                                                                                                                                                                                                                                                                                                                                                           "4",
	                                                                                                                                                                                                                                                                                                                                                                                                                                                                                           "4",
	                                                                                                                                                                                                                                                                                                                                                                                                                                                                                           "\"first\":4,\"last\":3") "," SERIES("file_system./lone.used_bytes",
	                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                "4", "4", "\"first\":4,\"last\":3") "," SERIES("disk.sda.read_bytes", "0",
	                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                               "0",
	                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                               "\"sum\":0"));

	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}

static const char *sentence(const cJSON *model)
{
	const cJSON *one;

	cJSON_ArrayForEach (one, model_at(model, "verdict"))
		if (strcmp(cJSON_GetStringValue(model_at(one, "id")), "file_systems") == 0)
			return cJSON_GetStringValue(model_at(one, "text"));
	return NULL;
}

TEST_WITH(a_file_system_filled_up, recordings_begin, recordings_end)
{
	static const struct {
		const char *first, *last, *free, *text;
	} rows[] = {
	    {"1073741824", "10307921510", "107374182",
	     "The file system on /s filled up to 99% during the run: 8.60 GiB more was used on it."},
	    {"10307921510", "10307921510", "107374182", NULL}, /* it was full before */
	    {"1073741824", "9000000000", "1000000000", NULL},
	};
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf b = {0};
		cJSON *model;
		buf_printf(&b,
		           "{\"name\":\"file_system./s.used_bytes\",\"n\":4,\"mean\":1,\"max\":%s,"
		           "\"first\":%s,\"last\":%s,\"points\":[1,1,1,1]},"
		           "{\"name\":\"file_system./s.free_bytes\",\"n\":4,\"mean\":1,\"max\":%s,"
		           "\"first\":%s,\"last\":%s,\"points\":[1,1,1,1]}",
		           rows[i].last, rows[i].first, rows[i].last, rows[i].free, rows[i].free,
		           rows[i].free);
		load_free(&t->runs);
		t->runs = (struct runs){.n = 0};
		model = of_series(t, buf_cstr(&b));
		if (rows[i].text)
			assert_string_equal(sentence(model), rows[i].text);
		else
			assert_null(sentence(model));
		cJSON_Delete(model);
		buf_free(&b);
	}
}

TEST_WITH(without_detail, recordings_begin, recordings_end)
{
	static const char *const texts[] = {
	    "{" META ",\"rtrack\":{}," ROWS "}",
	    "{" META ",\"rtrack\":{\"detail\":null}," ROWS "}",
	    "{" META
	    ",\"rtrack\":{\"detail\":{\"from\":1,\"step\":1,\"buckets\":1,\"series\":[]}}," ROWS
	    "}",
	};
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		cJSON *model;
		load_free(&t->runs);
		t->runs = (struct runs){.n = 0};
		assert_non_null(recordings_load(t, "run.json", texts[i]));
		model = model_of(&t->runs, NULL);
		expect(model, "detail", "{\"known\":false}");
		cJSON_Delete(model);
	}
}

/* Each key is in docs/model.md. */
TEST_WITH(documented, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct buf b = {0};
	cJSON *model;
	char *doc = slurp("docs/model.md");

	add_cpu(&b, 0, 0.5, 0.5);
	model = of_series(t, buf_cstr(&b));
	all_told(model_at(model, "detail"), doc);
	cJSON_Delete(model);
	buf_free(&b);
	free(doc);
}
