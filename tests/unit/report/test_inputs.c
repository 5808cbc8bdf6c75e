/* inputs: what a report makes from the overview of a long recording is what it makes from all of
 * its rows. Each recording is made up and written, and read once as it is and once without its
 * member "overview": then its rows have to be read. */
#include <math.h>

#include "core/base/gz.h"
#include "core/head/overview.h"
#include "report/chart/comparison.h"
#include "report/inputs.h"
#include "report/model/model_views.h"
#include "tests/unit/report/long_recording.h"
#include "tests/unit/report/model_of.h"
#include "tests/unit/report/random_recording.h"
#include "tests/unit/unit.h"

/* The inflated text, for free(3) by buf_free. */
static struct buf text_of(struct recordings *t, const char *name)
{
	struct buf b = {0};
	char piece[65536];
	int fd = open(recordings_path(t, name), O_RDONLY | O_CLOEXEC);
	struct gz_in *g = gz_in_new(fd, (uint64_t)1 << 30, &t->e);
	long n;

	assert_non_null(g);
	while ((n = gz_read(g, piece, sizeof piece, &t->e)) > 0)
		buf_add(&b, piece, (size_t)n);
	gz_in_free(g);
	close(fd);
	return b;
}

/* The same recording without its overview. */
static void write_without_overview(struct recordings *t, const char *from, const char *to)
{
	struct buf b = text_of(t, from);
	char *text = (char *)(uintptr_t)buf_cstr(&b), *member = strstr(text, "\"overview\":{");
	size_t depth = 0, n = 0;

	assert_non_null(member);
	n = strlen("\"overview\":");
	do {
		depth += member[n] == '{' || member[n] == '[';
		depth -= member[n] == '}' || member[n] == ']';
		assert_true(member[n++]);
	} while (depth); /* no string of it has a bracket */
	if (member[n] == ',')
		n++;
	else
		for (member--, n++; *member != ','; member--)
			n++;
	memmove(member, member + n, strlen(member + n) + 1);
	recordings_file(t, to, text);
	buf_free(&b);
}

static const struct report_options plain = {.offline = true, .keeper_cache = "", .history = 5};

/* What a model has to be made from. */
enum from { FROM_ROWS, FROM_HEAD, ANY };

/* The whole model of one recording, read as main.c does. */
static cJSON *model_of_file(struct recordings *t, const char *name, const struct report_options *o,
                            enum from overview)
{
	const struct view_options views = {.gpus = o->gpus};
	const struct keeper_query prices = report_options_prices(o, NULL);
	struct recommend *c = calloc(1, sizeof *c);
	struct comparison *compare = NULL;
	struct model_input in;
	cJSON *model;

	assert_non_null(c);
	assert_int_equal(load_input(&t->runs, input_of(recordings_path(t, name)), &t->e), 0);
	if (t->runs.n != 1)
		fail_msg("%s", t->runs.failed[0].err.msg);
	assert_int_equal(history_choose(&t->runs, o->history, &t->e), 0);
	if (inputs_load_rows(&t->runs.v[0], o, &t->e))
		fail_msg("%s", t->e.msg);
	if (overview != ANY)
		assert_int_equal(t->runs.v[0].snapshot.overview != NULL, overview == FROM_HEAD);
	if (o->compare)
		compare = comparison_new(&t->runs, &o->names, &t->e);
	recommend_runs(&t->runs, &(struct recommend_rules){.slowdown = CPU_RULE_SLOWDOWN}, &prices,
	               c, NULL);
	in = (struct model_input){.runs = &t->runs,
	                          .advice = &c->advice,
	                          .basis = c->basis,
	                          .keeper = &c->keeper,
	                          .compare = compare,
	                          .title = "made",
	                          .now = LONG_RECORDING_START + 1e6};
	model = model_build(&in);
	assert_int_equal(model_views_add(model, &in, &views, &t->e), 0);
	/* The name of the file is not part of what was recorded. */
	cJSON_DeleteItemFromObject(model, "inputs");
	cJSON_DeleteItemFromObject(cJSON_GetObjectItem(model, "run"), "file");
	/* What a page carries has steps of a thousandth of the peak, so its text may differ. */
	cJSON_DeleteItemFromObject(cJSON_GetObjectItem(model, "recording"), "packed");
	comparison_free(compare);
	free(c);
	return model;
}

/* -- comparing --------------------------------------------------------------------------------- */

/* Every number and every character. path is for the message. */
static void same_item(const cJSON *a, const cJSON *b, const char *path)
{
	const cJSON *p = a->child, *q = b->child;
	char deeper[512];

	if (a->type != b->type || (cJSON_IsNumber(a) && a->valuedouble != b->valuedouble) ||
	    (cJSON_IsString(a) && strcmp(a->valuestring, b->valuestring) != 0)) {
		char *x = cJSON_PrintUnformatted(a), *y = cJSON_PrintUnformatted(b);
		fail_msg("%s: %.200s is %.200s", path, x, y);
	}
	for (int i = 0; p && q; p = p->next, q = q->next, i++) {
		if (p->string)
			snprintf(deeper, sizeof deeper, "%.400s.%.100s", path, p->string);
		else
			snprintf(deeper, sizeof deeper, "%.400s.%d", path, i);
		if (p->string && strcmp(p->string, q->string) != 0)
			fail_msg("%s: there, %s", deeper, q->string);
		same_item(p, q, deeper);
	}
	if (p || q)
		fail_msg("%s: not equally many", path);
}

static void same_page(cJSON *a, cJSON *b, const char *name)
{
	same_item(a, b, name);
	cJSON_Delete(a);
	cJSON_Delete(b);
}

static const struct long_recording recordings[] = {
    {.name = "plain", .rows = 4001, .interval = 1},
    {.name = "a sample more than least", .rows = OVERVIEW_LEAST + 1, .interval = 0.1},
    {.name = "second schema", .rows = 2201, .interval = 1, .schema = SCHEMA_2},
    {.name = "the machine alone", .rows = 2300, .interval = 1, .machine_alone = true},
    {.name = "GPUs", .rows = 2400, .interval = 1, .gpus = 2},
    {.name = "GPUs, second schema",
     .rows = 2203,
     .interval = 1,
     .gpus = 2,
     .gpus_lost = 0.05,
     .schema = SCHEMA_2},
    {.name = "a quota", .rows = 2500, .interval = 1, .quota = 1.5},
    {.name = "one core", .rows = 2100, .interval = 1, .one_core = true},
    {.name = "idle", .rows = 2100, .interval = 1, .quiet = true},
    {.name = "missing cells", .rows = 3000, .interval = 1, .missing = 0.3},
    {.name = "hardly any cell", .rows = 3000, .interval = 1, .missing = 0.95},
    {.name = "suspended",
     .rows = 3000,
     .interval = 1,
     .asleep_at = 2345,
     .asleep_s = 3000,
     .phases = 4},
    {.name = "silent",
     .rows = 2200,
     .interval = 1,
     .silent_at = 1234,
     .silent_s = 40000,
     .phases = 3,
     .schema = SCHEMA_2},
    {.name = "phases", .rows = 4200, .interval = 0.5, .phases = 4, .missing = 0.1},
    {.name = "many samples", .rows = 12000, .interval = 1, .phases = 2, .gpus = 1},
};

TEST_WITH(test_is_the_same_as_from_rows, recordings_begin, recordings_end)
{
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof recordings / sizeof *recordings; i++) {
		cJSON *head, *rows;
		long_recording_write(t, &recordings[i], "made.json.gz");
		write_without_overview(t, "made.json.gz", "rows.json");
		head = model_of_file(t, "made.json.gz", &plain, FROM_HEAD);
		assert_false(load_has_rows(&t->runs.v[0]));
		load_free(&t->runs);
		rows = model_of_file(t, "rows.json", &plain, FROM_ROWS);
		assert_true(load_has_rows(&t->runs.v[0]));
		load_free(&t->runs);
		same_page(head, rows, recordings[i].name);
	}
}

/* CASE=test_random RTRACK_RANDOM="FIRST N ROWS": N others, of up to so many rows. A message has the
 * number of the recording, which makes it again. */
TEST_WITH(test_random_recordings, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	unsigned long first = 1, n = 12 / EVERY(2), rows_max = 2100, by_head = 0;
	const char *asked = getenv("RTRACK_RANDOM");

	if (asked)
		assert_int_equal(sscanf(asked, "%lu %lu %lu", &first, &n, &rows_max), 3);
	for (unsigned long seed = first; seed < first + n; seed++) {
		struct random_recording *r = random_recording_new(seed, rows_max);
		char name[32];
		cJSON *head, *rows;
		random_recording_write(t, r, "made.json.gz");
		random_recording_free(r);
		write_without_overview(t, "made.json.gz", "rows.json");
		head = model_of_file(t, "made.json.gz", &plain, ANY);
		by_head += !load_has_rows(&t->runs.v[0]);
		load_free(&t->runs);
		rows = model_of_file(t, "rows.json", &plain, FROM_ROWS);
		load_free(&t->runs);
		snprintf(name, sizeof name, "recording %lu", seed);
		same_page(head, rows, name);
	}
	assert_true(by_head >= n / 2);
}

/* Replaces the first `from` after `place`, which are both there. */
static void replace_text(struct recordings *t, const char *name, const char *place,
                         const char *from, const char *to)
{
	struct buf b = text_of(t, name), out = {0};
	const char *text = buf_cstr(&b), *at = strstr(text, place);

	assert_non_null(at);
	at = strstr(at, from);
	assert_non_null(at);
	buf_add(&out, text, (size_t)(at - text));
	buf_str(&out, to);
	buf_str(&out, at + strlen(from));
	recordings_file(t, name, buf_cstr(&out));
	buf_free(&out);
	buf_free(&b);
}

/* The file ends in the middle of its rows: a reader of them would refuse it. */
TEST_WITH(test_reads_nothing_behind_the_head, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct buf text;
	char *rows;
	cJSON *whole;

	long_recording_write(t, &recordings[0], "made.json");
	text = text_of(t, "made.json");
	recordings_file(t, "made.json", buf_cstr(&text));
	whole = model_of_file(t, "made.json", &plain, FROM_HEAD);
	load_free(&t->runs);
	rows = strstr((char *)(uintptr_t)buf_cstr(&text), "\"process_metrics\"");
	assert_non_null(rows);
	rows[40] = '\0';
	recordings_file(t, "made.json", buf_cstr(&text));
	buf_free(&text);
	same_page(whole, model_of_file(t, "made.json", &plain, FROM_HEAD), "cut");
	assert_int_equal(load_again(&t->runs.v[0], SNAPSHOT_WANT_ROWS, &t->e), -1);
}

/* Options that need rows change nothing else. */
TEST_WITH(test_reads_rows_where_asked, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct report_options csv = plain, compare = plain, gpus = plain;
	const struct report_options *all[] = {&csv, &compare, &gpus};

	csv.csv = "rows.csv";
	compare.compare = true;
	gpus.gpus.v[gpus.gpus.n++] = "GPU-b";
	long_recording_write(t, &recordings[4], "made.json.gz");
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		static const char *const changes[] = {"inputs", "compare", "gpu_tracker"};
		cJSON *head = model_of_file(t, "made.json.gz", &plain, FROM_HEAD), *rows;
		assert_false(load_has_rows(&t->runs.v[0]));
		load_free(&t->runs);
		rows = model_of_file(t, "made.json.gz", all[i], FROM_ROWS);
		assert_true(load_has_rows(&t->runs.v[0]));
		load_free(&t->runs);
		for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
			cJSON_DeleteItemFromObject(head, changes[k]);
			cJSON_DeleteItemFromObject(rows, changes[k]);
		}
		same_page(head, rows, "with rows");
	}
}

/* An overview that was made for other limits, or that has no such column, is not a reason to show a
 * wrong number. */
TEST_WITH(test_reads_rows_where_the_overview_lacks, recordings_begin, recordings_end)
{
	static const struct {
		const char *place, *from, *to;
	} edits[] = {
	    {"\"limits\":", "\"cpus\":1.5", "\"cpus\":2.5"},
	    {"\"overview\":", "\"process_memory\":", "\"process_memories\":"},
	    {"\"overview\":", "\"part\":\"process_main_rss\"", "\"part\":\"process_swap\""},
	    {"\"overview\":", "\"name\":\"load\"", "\"name\":\"unload\""},
	};
	struct recordings *t = *state;
	const struct long_recording made = {
	    .name = "lacks", .rows = 3000, .interval = 1, .quota = 1.5, .phases = 2};

	for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
		cJSON *head, *rows;
		long_recording_write(t, &made, "made.json");
		replace_text(t, "made.json", edits[i].place, edits[i].from, edits[i].to);
		write_without_overview(t, "made.json", "rows.json");
		head = model_of_file(t, "made.json", &plain, FROM_ROWS);
		assert_true(load_has_rows(&t->runs.v[0]));
		load_free(&t->runs);
		rows = model_of_file(t, "rows.json", &plain, FROM_ROWS);
		load_free(&t->runs);
		same_page(head, rows, edits[i].to);
	}
}

/* The head's statistics are those of a long recording, but not of rows that someone has cut. */
TEST_WITH(test_statistics_of_other_rows_do_not_count, recordings_begin, recordings_end)
{
	static const struct {
		const char *n;
		size_t measured;
	} edits[] = {{"\"n\":3000", 0}, {"\"n\":2999", 3000}};
	const struct long_recording made = {.name = "cut", .rows = 3000, .interval = 1};
	struct recordings *t = *state;
	struct report_options csv = plain;

	csv.csv = "rows.csv";
	for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
		long_recording_write(t, &made, "made.json");
		replace_text(t, "made.json", "\"samples\":", "\"n\":3000", edits[i].n);
		replace_text(t, "made.json", "\"statistics\":", "\"process_cpu_usage\"",
		             "\"other\"");
		cJSON_Delete(model_of_file(t, "made.json", &csv, FROM_ROWS));
		assert_int_equal(t->runs.v[0].stats[METRIC_PROCESS_CPU_USAGE].n, edits[i].measured);
		load_free(&t->runs);
	}
}
