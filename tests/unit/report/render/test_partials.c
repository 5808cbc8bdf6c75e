/* partials: files of the template's folder first, then built-in templates, and nothing outside. */
#include <cjson/cJSON.h>

#include "report/render/mustache.h"
#include "report/render/output_formats.h"
#include "report/render/partials.h"
#include "tests/unit/report/recording.h"
#include "tests/unit/unit.h"

static void renders(struct recordings *t, const char *template, const char *want)
{
	struct buf out = {0};
	struct partials p;
	cJSON *model = cJSON_Parse("{\"x\":\"<&>\",\"deep\":{\"y\":2}}");

	t->e = (struct err){0};
	partials_open(&p, recordings_file(t, "t.html", template));
	if (mustache_render(template, strlen(template), "t.html", model, ESCAPE_HTML, &p.find, &out,
	                    &t->e))
		assert_string_equal(t->e.msg, want);
	else
		assert_string_equal(buf_cstr(&out), want);
	partials_free(&p);
	cJSON_Delete(model);
	buf_free(&out);
}

TEST_WITH(found, recordings_begin, recordings_end)
{
	struct recordings *t = *state;

	recordings_file(t, "head", "[{{x}}]");
	recordings_file(t, "outer.html", "a\n{{>inner.html}}\n");
	recordings_file(t, "inner.html", "{{deep.y}}");
	recordings_file(t, "empty", "");
	recordings_file(t, "raw.css", "{{x}}");
	recordings_file(t, "verdict.html", "mine");
	recordings_file(t, "tree.html", "{{#n}}{{v}}{{#c}}{{>tree.html}}{{/c}}{{/n}}");
	recordings_file(t, ".hidden", "no");
	renders(t, "({{>head}})", "([&lt;&amp;&gt;])");
	renders(t, "{{>head}}{{>head}}{{{x}}}", "[&lt;&amp;&gt;][&lt;&amp;&gt;]<&>");
	renders(t, " {{>outer.html}}\n", " a\n 2");
	renders(t, "({{>empty}}{{>none}})", "()");
	renders(t, "{{>raw.css}}", "{{x}}");
	renders(t, "{{>verdict.html}}", "mine"); /* before the built-in one of that name */
	renders(t, "({{>tree.html}})", "()");
	renders(t, "({{>.hidden}}{{>..}}{{>.}})", "()");
}

/* What is not a file of the folder is refused with the place of the tag. */
TEST_WITH(refused, recordings_begin, recordings_end)
{
	static const struct {
		const char *template, *sentence;
	} cases[] = {
	    {"{{>../t.html}}",
	     "t.html:1:1: a partial's name may not contain /: it is a file in the template's folder"},
	    {"\n {{>/etc/passwd}}",
	     "t.html:2:2: a partial's name may not contain /: it is a file in the template's folder"},
	    {"{{>below/a}}",
	     "t.html:1:1: a partial's name may not contain /: it is a file in the template's folder"},
	    {"{{>link}}", "t.html:1:1: partial link: symbolic links are not followed"},
	    {"{{>pipe}}", "t.html:1:1: partial pipe: not a regular file"},
	    {"{{>below}}", "t.html:1:1: partial below: not a regular file"},
	    {"{{>again}}", "again:1:1: more than 64 nested partials"},
	    {"{{>long}}{{>more}}",
	     "t.html:1:10: partial more: the partials of a template may have at most 16 MiB in all"},
	};
	struct recordings *t = *state;
	char target[600];

	snprintf(target, sizeof target, "%s", recordings_file(t, "target", "secret"));
	assert_int_equal(symlink(target, recordings_path(t, "link")), 0);
	assert_int_equal(mkfifo(recordings_path(t, "pipe"), 0600), 0);
	assert_int_equal(mkdir(recordings_path(t, "below"), 0700), 0);
	recordings_file(t, "below/a", "secret");
	recordings_file(t, "again", "{{>again}}");
	recordings_file(t, "long", "");
	assert_int_equal(truncate(t->path, PARTIALS_BYTES_MAX), 0);
	recordings_file(t, "more", "x");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		renders(t, cases[i].template, cases[i].sentence);
}

/* A link to a template means the folder where the template lies. */
TEST_WITH(linked, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	char template[600];
	struct partials p;
	size_t n = 0;

	recordings_file(t, "head", "beside the template");
	snprintf(template, sizeof template, "%s", recordings_file(t, "t.txt", ""));
	assert_int_equal(mkdir(recordings_path(t, "below"), 0700), 0);
	recordings_file(t, "below/head", "beside the link");
	assert_int_equal(symlink(template, recordings_path(t, "below/t.txt")), 0);
	partials_open(&p, recordings_path(t, "below/t.txt"));
	assert_string_equal(p.find.find(p.find.ctx, "head", &n), "beside the template");
	assert_int_equal(n, strlen("beside the template"));
	partials_free(&p);
	/* what is not a file has no folder */
	partials_open(&p, "/dev/null");
	assert_null(p.find.find(p.find.ctx, "full", &n));
	assert_non_null(p.find.find(p.find.ctx, "verdict.html", &n));
	assert_string_equal(p.why.msg, "");
	partials_free(&p);
}

/* A string where a built-in template inserts a tree is written as JSON, whoever includes it. */
TEST_WITH(trees_only, recordings_begin, recordings_end)
{
	static const char json[] =
	    "{\"points\":\"</script><img>\","
	    "\"charts\":[{\"known\":true,\"packed\":{\"packed\":\"</script><img>\"}},"
	    "{\"known\":true,\"data\":\"</script><img>\"}],"
	    "\"gpu_tracker\":{\"max_ram\":\"a\\\"b\",\"max_gpu_ram\":\"\",\"cpu_utilization\":"
	    "\"x\",\"gpu_utilization\":\"y\",\"compute_time\":\"</script>\"}}";
	static const struct {
		const char *name, *holds;
	} cases[] = {
	    {"charts.html", "id=\"points\">&lt;/script&gt;&lt;img&gt;</script>"},
	    {"gpu_tracker.json", "\"max_ram\": \"a\\\"b\""},
	};
	static const char own[] = "{{#gpu_tracker}}{{{compute_time}}}{{/gpu_tracker}}";
	struct recordings *t = *state;
	struct buf text = {0};
	cJSON *model = cJSON_Parse(json);

	assert_non_null(model);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char template[64];
		struct buf out = {0};
		struct partials p;
		snprintf(template, sizeof template, "{{>%s}}", cases[i].name);
		partials_open(&p, recordings_file(t, "t.html", template));
		assert_int_equal(mustache_render(template, strlen(template), "t.html", model,
		                                 ESCAPE_HTML, &p.find, &out, &t->e),
		                 0);
		assert_non_null(strstr(buf_cstr(&out), cases[i].holds));
		assert_null(strstr(buf_cstr(&out), "<img>"));
		partials_free(&p);
		buf_free(&out);
	}
	/* the user's own template has what it asks for */
	assert_int_equal(mustache_render(own, sizeof own - 1, "t", model, ESCAPE_HTML,
	                                 &partials_built_in, &text, &t->e),
	                 0);
	assert_string_equal(buf_cstr(&text), "</script>");
	buf_free(&text);
	cJSON_Delete(model);
}
