/* load_page: what a page says of its run when it carries nothing but a row, and pages that are none. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/runs/load.h"
#include "report/runs/load_page.h"
#include "tests/unit/unit.h"

#define HEAD                                                                                       \
	"<!doctype html>\n<html lang=\"en\">\n<head>\n"                                            \
	"<meta name=\"generator\" content=\"rtrack-report 1.0\">\n"
#define ROW                                                                                        \
	"<script type=\"application/json\" id=\"rtrack-row\">"                                     \
	"{\"id\":\"98f273f1d2995b71\",\"scope\":\"process\",\"name\":\"job\",\"user\":\"ann\","    \
	"\"host\":\"n1\",\"start\":1000,\"wall_s\":50,\"samples\":40,\"status\":\"oom\","          \
	"\"code\":137,\"oom_kills\":1,\"cpu_s\":60,\"cores_mean\":1.25,\"cores_peak\":2,"          \
	"\"memory_mean_bytes\":1e6,\"memory_peak_bytes\":2e6,\"asked_cpus\":4,"                    \
	"\"asked_cpus_source\":\"scheduler\",\"vcpus\":8,\"vendor\":\"aws\"}</script>\n"

static int parse(struct run *run, const char *text, enum snapshot_want want, struct err *e)
{
	return load_page_parse(&run->snapshot, (struct page_text){text, strlen(text)}, "p.html",
	                       want, &run->page, e);
}

TEST(row_alone)
{
	struct run *run = calloc(1, sizeof *run);
	const struct snapshot *s = &run->snapshot;
	struct err e = {{0}};

	if (parse(run, HEAD ROW "<title>", SNAPSHOT_WANT_HEAD, &e) || load_measure(run, &e))
		fail_msg("%s", e.msg);
	assert_string_equal(run->page->id, "98f273f1d2995b71");
	assert_string_equal(s->job.name, "job");
	assert_string_equal(s->job.host, "n1");
	assert_string_equal(s->cloud.vendor, "aws");
	assert_int_equal(run->status, RUN_FAILED);
	assert_true(load_is_oom(run));
	assert_int_equal(s->exit.code, 137);
	assert_int_equal(run->samples, 40);
	assert_true(run->start == 1000 && run->duration == 50);
	assert_true(s->asked.known && s->asked.of[SNAPSHOT_ASKED_CPUS].value == 4);
	assert_string_equal(s->asked.of[SNAPSHOT_ASKED_CPUS].source, "scheduler");
	assert_true(isnan(s->asked.of[SNAPSHOT_ASKED_MEMORY].value));
	assert_true(run->stats[METRIC_PROCESS_CPU_USAGE].mean == 1.25);
	assert_true(run->stats[METRIC_PROCESS_CPU_USAGE].max == 2);
	assert_true(isnan(run->stats[METRIC_PROCESS_CPU_USAGE].p95));
	assert_true(run->stats[METRIC_PROCESS_MEMORY].mean == 1e6);
	assert_true(run->memory.peak_b == 2e6);
	assert_true(s->server.vcpus == 8 && isnan(s->server.memory_b));
	assert_int_equal(run->stats[METRIC_SYSTEM_CPU_USAGE].n, 0);
	snapshot_free(&run->snapshot);
	free(run);
}

TEST(refused)
{
	static const struct {
		const char *text;
		enum snapshot_want want;
		const char *why;
	} cases[] = {
	    {"", SNAPSHOT_WANT_HEAD, "p.html: an HTML page, but not one that rtrack-report made"},
	    {"<!doctype html>" ROW, SNAPSHOT_WANT_HEAD,
	     "p.html: an HTML page, but not one that rtrack-report made"},
	    {HEAD, SNAPSHOT_WANT_HEAD, "p.html: this page carries no run"},
	    {HEAD ROW, SNAPSHOT_WANT_OVERVIEW, "p.html: this page has no more of its run than a"},
	    {HEAD "<script id=\"rtrack-row\">{\"id\":</script>", SNAPSHOT_WANT_HEAD,
	     "p.html: the row in this page is damaged"},
	    {HEAD "<script id='rtrack-row'></script>", SNAPSHOT_WANT_HEAD,
	     "p.html: a page about a run of several recordings"},
	    {HEAD "<script id='rtrack-row'></script><script id='rtrack-recording'>H4sI</script>",
	     SNAPSHOT_WANT_OVERVIEW, "p.html: a page about a run of several recordings"},
	    {HEAD "<script xid=\"rtrack-row\"></script>", SNAPSHOT_WANT_HEAD,
	     "p.html: this page carries no run"},
	    {HEAD "<script id=\"rtrack-recording\"></script>", SNAPSHOT_WANT_HEAD,
	     "p.html: the recording in this page is damaged: it is not base64"},
	    {HEAD "<script id=\"rtrack-recording\">H4sI</script>", SNAPSHOT_WANT_HEAD, "p.html: "},
	    {HEAD "<script id=\"rtrack-recording\">W10K</script>", SNAPSHOT_WANT_HEAD,
	     "p.html: byte "}, /* [], not gzipped */
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct run *run = calloc(1, sizeof *run);
		struct err e = {{0}};
		if (parse(run, cases[i].text, cases[i].want, &e) != -1 || run->page ||
		    strncmp(e.msg, cases[i].why, strlen(cases[i].why)) != 0)
			fail_msg("%zu: %s", i, e.msg);
		free(run);
	}
}
