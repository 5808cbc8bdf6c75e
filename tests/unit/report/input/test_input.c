/* input: what names stand for, by themselves and by what is there. */
#include "core/base/standard_input.h"
#include "report/input/input.h"
#include "tests/unit/report/recording.h"
#include "tests/unit/unit.h"

TEST(kinds)
{
	static const struct {
		const char *name;
		enum input_kind kind;
		bool recording, listed;
	} cases[] = {
	    {"a.json", INPUT_SNAPSHOT, true, true},
	    {"runs.html/a.json.gz", INPUT_SNAPSHOT, true, true},
	    {"s3://b/a.json", INPUT_SNAPSHOT, true, true},
	    {".a.json", INPUT_SNAPSHOT, false, false},
	    {".json", INPUT_UNKNOWN, false, false},
	    {"a.json.partial", INPUT_JOURNAL, true, true},
	    {"a.json.partial.12", INPUT_JOURNAL, true, true},
	    {"a.json.partial.", INPUT_UNKNOWN, false, false},
	    {"a.json.partial.2x", INPUT_UNKNOWN, false, false},
	    {"a.html", INPUT_PAGE, false, true},
	    {"a.htm", INPUT_PAGE, false, true},
	    {".a.html", INPUT_PAGE, false, false},
	    {"a.html.gz", INPUT_PACKED_PAGE, false, false},
	    {"a.csv", INPUT_UNKNOWN, false, false},
	    {"s3://b/runs/", INPUT_UNKNOWN, false, false},
	    {"-", INPUT_UNKNOWN, false, false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *name = cases[i].name;
		struct dirent d = {.d_type = DT_REG};
		snprintf(d.d_name, sizeof d.d_name, "%s", name);
		if (input_kind_of(name) != cases[i].kind ||
		    input_is_recording(name) != cases[i].recording ||
		    (!strchr(name, '/') && input_is_listed(&d) != cases[i].listed))
			fail_msg("%s: %d", name, input_kind_of(name));
	}
}

TEST_WITH(places, recordings_begin, recordings_end)
{
	struct recordings *t = *state;

	assert_int_equal(input_of("s3://b/a.json").place, INPUT_S3);
	assert_int_equal(input_of("./s3://b/a.json").place, INPUT_FILE);
	assert_int_equal(input_of("https://h/a.json").place, INPUT_HTTPS);
	assert_int_equal(input_of("-").place, INPUT_STANDARD);
	assert_int_equal(input_of("./-").place, INPUT_FILE);
	assert_int_equal(input_of("").place, INPUT_FILE);
	assert_int_equal(input_of(NULL).place, INPUT_NONE);
	assert_int_equal(input_of(t->folder).place, INPUT_FOLDER);
	assert_int_equal(input_of(recordings_path(t, "missing")).place, INPUT_FILE);
	assert_int_equal(input_of("/dev/null").place, INPUT_FILE);
}

TEST_WITH(contents, recordings_begin, recordings_end)
{
#define MADE_BY(program) "<!DOCTYPE html><meta name=\"generator\" content=\"" program " 1\">"
#define OURS             MADE_BY("rtrack-report")
	static const struct {
		const char *name, *text;
		enum input_html html;
		enum input_kind kind;
	} cases[] = {
	    {"a.html", OURS "<script id=\"rtrack-row\">1</script>", INPUT_OUR_PAGE, INPUT_PAGE},
	    {"b.csv", "\n" OURS "<script id='rtrack-row'></script>", INPUT_OUR_PAGE, INPUT_PAGE},
	    {"c", OURS, INPUT_OUR_HTML, INPUT_PAGE},
	    {"c.html", MADE_BY("rtrack-fleet"), INPUT_OUR_HTML, INPUT_PAGE},
	    {"other.html", MADE_BY("rtrack-other"), INPUT_HTML, INPUT_PAGE},
	    {"d.html", "<!doctype HTML><p>", INPUT_HTML, INPUT_PAGE},
	    {"e.html", "timestamp,cpu_usage\n", INPUT_NOT_HTML, INPUT_UNKNOWN},
	    {"f.csv", "", INPUT_NOT_HTML, INPUT_UNKNOWN},
	    {"g.json", OURS, INPUT_OUR_HTML, INPUT_SNAPSHOT},
	    {"h.html.gz", "x", INPUT_NOT_HTML, INPUT_PACKED_PAGE},
	};
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct input in = input_of(recordings_file(t, cases[i].name, cases[i].text));
		if (input_html_of(in) != cases[i].html || input_look(in) != cases[i].kind)
			fail_msg("%s: %d %d", in.name, input_html_of(in), input_look(in));
	}
	assert_int_equal(input_html_of(input_of("/dev/zero")), INPUT_NOT_HTML);
	assert_int_equal(input_look(input_of(recordings_path(t, "missing"))), INPUT_UNKNOWN);
	assert_int_equal(input_look(input_of("s3://b/a.html")), INPUT_PAGE);
}

TEST_WITH(unfinished, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	char *journal;

	recordings_file(t, "a.json.partial", "");
	journal = input_unfinished(input_of(recordings_path(t, "a.json")));
	assert_non_null(journal);
	assert_string_equal(input_file_name(journal), "a.json.partial");
	free(journal);
	assert_null(input_unfinished(input_of(recordings_path(t, "b.json"))));
	recordings_file(t, "a.json", "");
	assert_null(input_unfinished(input_of(t->path)));
	assert_null(input_unfinished(input_of("s3://b/a.json")));
}
