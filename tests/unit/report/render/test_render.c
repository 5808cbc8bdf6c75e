/* render: files are written completely or not at all, whatever exists under their names. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include "report/render/render.h"
#include "tests/unit/report/model_of.h"
#include "tests/unit/unit.h"

static int render_json(const cJSON *model, const char *path, struct err *e)
{
	return render_format(model, &output_formats[FORMAT_JSON], path, &(struct render_page){0},
	                     e);
}

static int render_html(const cJSON *model, const char *path, struct err *e)
{
	return render_format(model, &output_formats[FORMAT_HTML], path, &(struct render_page){0},
	                     e);
}

static char *slurp(const char *path)
{
	struct buf b = {0};
	char part[4096];
	FILE *f = fopen(path, "r");
	size_t n;

	if (!f)
		return NULL;
	while ((n = fread(part, 1, sizeof part, f)) > 0)
		buf_add(&b, part, n);
	fclose(f);
	buf_str(&b, "");
	return b.s ? buf_take(&b) : strdup("");
}

static void holds(const char *path, const char *expected)
{
	char *text = slurp(path);

	assert_non_null(text);
	assert_string_equal(text, expected);
	free(text);
}

static size_t files_in(const char *folder)
{
	DIR *d = opendir(folder);
	size_t n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

static cJSON *parsed(const char *text)
{
	cJSON *model = cJSON_Parse(text);

	assert_non_null(model);
	return model;
}

TEST_WITH(json, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	cJSON *model = parsed("{\"a\": [1, \"</script>\"]}");
	const char *path = recordings_path(t, "m.json");
	mode_t mask = umask(027);
	struct stat st;

	assert_int_equal(render_json(model, path, &t->e), 0);
	umask(mask);
	holds(path, "{\"a\":[1,\"\\u003c/script\\u003e\"]}\n");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_int_equal(files_in(t->folder), 1);
	cJSON_Delete(model);
}

/* A link in the file's place is replaced: what it points to stays as it is. */
TEST_WITH(links, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	cJSON *model = parsed("{}");
	char target[512];
	struct stat st;

	strcpy(target, recordings_file(t, "precious", "keep me"));
	assert_int_equal(symlink(target, recordings_path(t, "m.json")), 0);
	assert_int_equal(symlink("nowhere", recordings_path(t, "n.json")), 0);
	assert_int_equal(render_json(model, recordings_path(t, "m.json"), &t->e), 0);
	assert_int_equal(render_json(model, recordings_path(t, "n.json"), &t->e), 0);
	holds(target, "keep me");
	holds(recordings_path(t, "m.json"), "{}\n");
	holds(recordings_path(t, "n.json"), "{}\n");
	assert_int_equal(lstat(t->path, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(files_in(t->folder), 3);
	cJSON_Delete(model);
}

/* What can't be written is named, and leaves nothing behind. */
TEST_WITH(failures, recordings_begin, recordings_end)
{
	static const struct {
		const char *path; /* within the folder, or absolute */
		const char *sentence;
	} cases[] = {
	    {"missing/m.json", "/missing/m.json: No such file or directory"},
	    {"file/m.json", "/file/m.json: Not a directory"},
	    {"folder", "/folder: Is a directory"},
	    {"folder/", "/folder/: Is a directory"},
	    {"folder/.", "/folder/.: Is a directory"},
	    {"/dev/full", "/dev/full: No space left on device"},
	    {"/proc/rtrack-test", "/proc/rtrack-test: "},
	};
	struct recordings *t = *state;
	cJSON *model = parsed("{}");

	recordings_file(t, "file", "keep me");
	mkdir(recordings_path(t, "folder"), 0700);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *path =
		    *cases[i].path == '/' ? cases[i].path : recordings_path(t, cases[i].path);
		t->e = (struct err){0};
		assert_int_equal(render_json(model, path, &t->e), -1);
		assert_non_null(strstr(t->e.msg, cases[i].sentence));
		assert_int_equal(render_html(model, path, &t->e), -1);
		assert_non_null(strstr(t->e.msg, cases[i].sentence));
	}
	assert_int_equal(files_in(t->folder), 2);
	holds(recordings_path(t, "file"), "keep me");
	cJSON_Delete(model);
}

/* A file that can't be written to its end is not there at all. */
TEST_WITH(no_space, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct rlimit before, little;
	cJSON *model = parsed("[\"longer than ten bytes\"]");
	int failed;

	recordings_file(t, "m.json", "keep me");
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	little = before;
	little.rlim_cur = 10;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
	failed = render_json(model, recordings_path(t, "m.json"), &t->e);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(failed, -1);
	assert_non_null(strstr(t->e.msg, "m.json: File too large"));
	holds(t->path, "keep me");
	assert_int_equal(files_in(t->folder), 1);
	cJSON_Delete(model);
}

TEST_WITH(read_only_folder, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	cJSON *model = parsed("{}");
	bool root = geteuid() == 0;
	int failed;

	recordings_file(t, "m.json", "keep me");
	assert_int_equal(chmod(t->folder, 0555), 0);
	if (root && seteuid(65534)) /* root writes everywhere */
		skip();
	failed = render_json(model, recordings_path(t, "m.json"), &t->e);
	assert_int_equal(root ? seteuid(0) : 0, 0);
	assert_int_equal(chmod(t->folder, 0700), 0);
	assert_int_equal(failed, -1);
	assert_non_null(strstr(t->e.msg, "m.json: Permission denied"));
	holds(t->path, "keep me");
	cJSON_Delete(model);
}

/* A template that fails leaves the file of the last time as it was. */
TEST_WITH(templates, recordings_begin, recordings_end)
{
	static const struct {
		const char *name, *text, *output; /* NULL: it fails */
		const char *sentence;
	} cases[] = {
	    {"a.txt", "{{x}}", "<b>&\n", ""},
	    {"a.html", "{{x}}", "&lt;b&gt;&amp;\n", ""},
	    {"a.json", "\"{{x}}\"", "\"\\u003cb\\u003e\\u0026\\n\"", ""},
	    {"a.xml", "{{x}}", "&lt;b&gt;&amp;\n", ""},
	    {"a.txt", "{{#x}}", NULL, "/a.txt:1:"},
	    {"b=c.txt", "{{x}}!", "<b>&\n!", ""},
	};
	struct recordings *t = *state;
	cJSON *model = parsed("{\"x\": \"<b>&\\n\"}");

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char spec[1200], out[512];
		struct err unknown = {0};
		strcpy(out, recordings_file(t, "out", "the last time"));
		snprintf(spec, sizeof spec, "%s=%s",
		         recordings_file(t, cases[i].name, cases[i].text), out);
		t->e = (struct err){0};
		assert_int_equal(render_template(model, spec, &unknown, &t->e),
		                 cases[i].output ? 0 : -1);
		holds(out, cases[i].output ? cases[i].output : "the last time");
		assert_non_null(strstr(t->e.msg, cases[i].sentence));
	}
	cJSON_Delete(model);
}

TEST_WITH(bad_templates, recordings_begin, recordings_end)
{
	static const struct {
		const char *spec, *sentence;
	} cases[] = {
	    {"=out", "--template: \"=out\" is not TEMPLATE=FILE"},
	    {"in=", "--template: \"in=\" is not TEMPLATE=FILE"},
	    {"", "--template: \"\" is not TEMPLATE=FILE"},
	    {"@trace=/dev/null", "@trace: no such template"},
	    {"@=/dev/null", "@: no such template"},
	    {"/no/such=/dev/null", "/no/such: No such file or directory"},
	    {"/=/dev/null", "/: Is a directory"},
	    {"/dev/zero=/dev/null", "/dev/zero: larger than 16 MiB"},
	};
	struct recordings *t = *state;
	cJSON *model = parsed("{}");

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err unknown = {0};
		t->e = (struct err){0};
		assert_int_equal(render_template(model, cases[i].spec, &unknown, &t->e), -1);
		assert_string_equal(t->e.msg, cases[i].sentence);
	}
	cJSON_Delete(model);
}

TEST_WITH(unknown_names, recordings_begin, recordings_end)
{
	static const struct {
		const char *text, *warning; /* how it ends */
	} cases[] = {
	    {"{{x.text}} {{rows}}{{#rows}}{{n}}{{x.text}}{{/rows}}{{none.text}}{{empty}}", ""},
	    {"{{#new}}{{new}}{{/new}}{{^new}}-{{/new}}", ""},
	    {"a\n {{verdct}} {{other}}",
	     "/a.txt:2:2: the model has no \"verdct\"; it is left empty"},
	    {"{{x.txt}}", "/a.txt:1:1: the model has no \"x.txt\"; it is left empty"},
	    {"{{#rows}}{{m}}{{/rows}}", "/a.txt:1:10: the model has no \"m\"; it is left empty"},
	    /* Built-in partials have names for what only some runs have. */
	    {"{{>verdict.html}}", ""},
	};
	struct recordings *t = *state;
	cJSON *model = parsed("{\"x\": {\"text\": \"5\"}, \"rows\": [{\"n\": 1}], \"none\": null, "
	                      "\"empty\": \"\"}");

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char spec[1200];
		struct err unknown = {0};
		const char *end;

		snprintf(spec, sizeof spec, "%s=/dev/null",
		         recordings_file(t, "a.txt", cases[i].text));
		assert_int_equal(render_template(model, spec, &unknown, &t->e), 0);
		end = *cases[i].warning ? strstr(unknown.msg, "/a.txt") : unknown.msg;
		assert_string_equal(end ? end : "", cases[i].warning);
	}
	cJSON_Delete(model);
}

/* The page of a model that was saved is the page of the model. */
TEST_WITH(saved, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct keeper_result *k = calloc(1, sizeof *k);
	cJSON *model, *again;
	char *page;

	assert_non_null(k);
	model_prices_of(k);
	assert_int_equal(load_input(&t->runs, input_of(RUNS), &t->e), 0);
	recordings_load(t, "bad\xff\n<script>\xe2\x80\xa8.json", "{");
	model = model_of(&t->runs, k);
	assert_int_equal(render_json(model, recordings_path(t, "m.json"), &t->e), 0);
	again = model_json_read(t->path, &t->e);
	assert_non_null(again);
	assert_int_equal(render_html(model, recordings_path(t, "a.html"), &t->e), 0);
	page = slurp(t->path);
	assert_int_equal(render_html(again, recordings_path(t, "b.html"), &t->e), 0);
	holds(t->path, page);
	assert_non_null(strstr(page, "<title>train: finished"));
	free(page);
	cJSON_Delete(model);
	cJSON_Delete(again);
	free(k);
}

TEST_WITH(too_deep, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	cJSON *model = cJSON_CreateArray(), *at = model;

	for (int i = 0; i < 100; i++) {
		cJSON *child = cJSON_CreateArray();
		cJSON_AddItemToArray(at, child);
		at = child;
	}
	assert_int_equal(render_json(model, recordings_path(t, "m.json"), &t->e), -1);
	assert_non_null(strstr(t->e.msg, "m.json: the model is nested too deeply"));
	assert_int_equal(files_in(t->folder), 0);
	cJSON_Delete(model);
}

/* The Markdown summary never exceeds the limit of a GitHub comment, and no line is split. */
TEST_WITH(cut, recordings_begin, recordings_end)
{
	static const char end[] = "\n*The rest is left out: a comment cannot be longer.*\n";
	static const size_t lengths[] = {1, 50, 700, 70000};
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		cJSON *model = parsed("{\"title\": \"many\"}"), *verdict, *one;
		char *word = calloc(1, lengths[i] + 1), *text;
		assert_non_null(word);
		memset(word, '@', lengths[i]);
		verdict = cJSON_AddArrayToObject(model, "verdict");
		for (int n = 0; n < 9000; n++) {
			cJSON_AddItemToArray(verdict, one = cJSON_CreateObject());
			cJSON_AddStringToObject(one, "text", n == 0 ? "the first" : word);
		}
		assert_int_equal(render_format(model, &output_formats[FORMAT_MARKDOWN],
		                               recordings_path(t, "m.md"), &(struct render_page){0},
		                               &t->e),
		                 0);
		text = slurp(t->path);
		assert_true(strlen(text) <= 65536 &&
		            strlen(text) > (lengths[i] > 5000 ? 70 : 50000));
		assert_string_equal(text + strlen(text) - strlen(end), end);
		text[strlen(text) - strlen(end)] = '\0';
		assert_memory_equal(text, "### many: \n\n- the first\n", 24);
		for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
			if (strstr(line, "&#64;"))
				assert_int_equal(strlen(line), 2 + lengths[i] * 12);
		free(text);
		free(word);
		cJSON_Delete(model);
	}
}

/* A format of a model that has nothing of what it shows is a file that its reader understands. */
TEST_WITH(nothing, recordings_begin, recordings_end)
{
	static const struct {
		int format;
		const char *text;
	} cases[] = {
	    {FORMAT_OPENMETRICS, "# EOF\n"},
	    {FORMAT_GPU_TRACKER, "null\n"},
	    {FORMAT_SNAKEMAKE, "s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\t"
	                       "mean_load\tcpu_time\n"},
	    {FORMAT_TRACE, "task_id\thash\tnative_id\tname\tstatus\texit\tsubmit\tduration\t"
	                   "realtime\t%cpu\tpeak_rss\tpeak_vmem\trchar\twchar\n"},
	};
	struct recordings *t = *state;
	cJSON *model = parsed("{}");

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *path = recordings_path(t, "out");
		assert_int_equal(render_format(model, &output_formats[cases[i].format], path,
		                               &(struct render_page){0}, &t->e),
		                 0);
		holds(path, cases[i].text);
	}
	cJSON_Delete(model);
}

/* A recording that can't be written to its end leaves the file of the last time. */
TEST_WITH(csv, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	const struct csv_table_options plain = {0};
	struct run *run = recordings_load(
	    t, "r.json", "{\"process_metrics\": {\"timestamp\": [1, 2], \"cpu_usage\": [1, 2]}}");
	char *text;

	assert_non_null(run);
	assert_int_equal(render_csv(run, &plain, "/dev/full", &t->e), -1);
	assert_string_equal(t->e.msg, "/dev/full: No space left on device");
	assert_int_equal(render_csv(run, &plain, recordings_path(t, "no/c.csv"), &t->e), -1);
	assert_int_equal(render_csv(run, &plain, recordings_path(t, "c.csv"), &t->e), 0);
	text = slurp(t->path);
	assert_memory_equal(text, "\"timestamp\",\"process_pid\"", 25);
	free(text);
	assert_int_equal(files_in(t->folder), 2);
}
