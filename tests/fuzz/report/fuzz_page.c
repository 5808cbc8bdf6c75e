/* fuzz_page: up to four recordings, separated by NULs, rendered in every output format; the first
 * byte selects the options. Text of the recordings must not end a tag, a string or a line. */
#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/json/json_write.h"
#include "report/advice/recommend.h"
#include "report/chart/comparison.h"
#include "report/model/model_views.h"
#include "report/options/report_options.h"
#include "report/prices/keeper_result.h"
#include "report/render/assets.h"
#include "report/render/csv_table.h"
#include "report/render/mustache.h"
#include "report/render/output_formats.h"
#include "report/render/partials.h"
#include "report/render/text_layout.h"
#include "report/stats/history.h"
#include "report/units/model_json.h"
#include "tests/fuzz/fuzz.h"

#define RUNS_MAX  4
#define DEPTH_MAX 64

/* -- what a page must be
 * ---------------------------------------------------------------------------
 */

struct tags {
	const char *open[DEPTH_MAX];
	size_t n;
	bool html;
};

static size_t name_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '-' || s[n] == ':')
		n++;
	return n;
}

static bool is_one_of(const char *s, const char *words)
{
	char word[32];
	size_t n = name_length(s);

	if (n + 3 > sizeof word)
		return false;
	snprintf(word, sizeof word, " %.*s ", (int)n, s);
	return strstr(words, word) != NULL;
}

/* Behind the tag that begins at s; its quotes are whole. */
static const char *behind_tag(const char *s)
{
	for (char quote = 0; *s && (quote || *s != '>'); s++) {
		if (quote)
			quote = *s == quote ? 0 : quote;
		else if (*s == '"' || *s == '\'')
			quote = *s;
		must(quote || s[1] != '<');
	}
	must(*s == '>');
	return s + 1;
}

/* HTML leaves out the ends of rows, cells and items, and has tags without an end. */
static void close_tag(struct tags *t, const char *name)
{
	size_t n = name_length(name);

	while (t->n && t->html && is_one_of(t->open[t->n - 1], " tr td th li p dt dd option ") &&
	       (name_length(t->open[t->n - 1]) != n || strncmp(t->open[t->n - 1], name, n) != 0))
		t->n--;
	must(t->n && name_length(t->open[t->n - 1]) == n);
	must(strncmp(t->open[--t->n], name, n) == 0);
}

/* A row, a cell or an item ends the one before it. */
static void close_before(struct tags *t, const char *name)
{
	const char *ended = "";

	if (is_one_of(name, " tr "))
		ended = " td th tr ";
	else if (is_one_of(name, " td th "))
		ended = " td th ";
	else if (is_one_of(name, " li "))
		ended = " li ";
	while (t->n && t->html && is_one_of(t->open[t->n - 1], ended))
		t->n--;
}

static const char *take_tag(struct tags *t, const char *s)
{
	const char *end = behind_tag(s);
	bool empty = end[-2] == '/' ||
	             (t->html && is_one_of(s + 1, " meta link img br hr input col rect path use "));

	if (s[1] == '/')
		close_tag(t, s + 2);
	else if (isalpha((unsigned char)s[1]) && !empty) {
		close_before(t, s + 1);
		must(t->n < DEPTH_MAX);
		t->open[t->n++] = s + 1;
		/* What stands in them is not markup. */
		if (t->html && is_one_of(s + 1, " script style "))
			must((end = strstr(end, s[2] == 'c' ? "</script" : "</style")));
	} else {
		must(isalpha((unsigned char)s[1]) || strncmp(s, "<!doctype", 9) == 0 ||
		     strncmp(s, "<!DOCTYPE", 9) == 0 || strncmp(s, "<?xml ", 6) == 0);
	}
	return end;
}

static void check_markup(const char *s, bool html)
{
	struct tags t = {.html = html};

	while ((s = strchr(s, '<')))
		s = take_tag(&t, s);
	while (t.n && html && is_one_of(t.open[t.n - 1], " html body "))
		t.n--;
	must(t.n == 0);
}

/* NAME{LABELS} VALUE, as the exposition format has it. */
static void check_sample(const char *s, const char *end)
{
	bool quoted = false;

	must(isalpha((unsigned char)*s));
	for (; s < end && (quoted || *s != ' '); s++) {
		if (quoted && *s == '\\')
			must(strchr("\\\"n", *++s));
		else if (*s == '"')
			quoted = !quoted;
		else
			must(quoted || isalnum((unsigned char)*s) || strchr("_{}=,:", *s));
	}
	must(!quoted && s < end);
	(void)strtod(s, (char **)&s);
	must(s == end);
}

static void check_openmetrics(const char *s)
{
	size_t n = strlen(s);

	must(n >= 6 && strcmp(s + n - 6, "# EOF\n") == 0);
	while (*s) {
		const char *end = strchr(s, '\n');
		must(end != NULL);
		if (*s != '#')
			check_sample(s, end);
		s = end + 1;
	}
}

static void check_json(const char *s)
{
	cJSON *t = cJSON_ParseWithOpts(s, NULL, 1);

	must(t != NULL);
	cJSON_Delete(t);
}

/* Two lines with as many cells. */
static void check_table(const char *s)
{
	size_t cells[2] = {0}, lines = 0;

	for (; *s; s++) {
		must(lines < 2);
		cells[lines] += *s == '\t';
		lines += *s == '\n';
	}
	must(lines == 2 && cells[0] == cells[1]);
}

static void check_format(size_t format, const struct buf *out)
{
	const char *s = buf_cstr(out);

	must(!out->failed && strlen(s) == out->len);
	for (size_t i = 0; i < out->len; i++)
		must((unsigned char)s[i] >= 0x20 || s[i] == '\n' || s[i] == '\t');
	must(!strchr(s, 0x7f) && !strstr(s, "\xe2\x80\xae") && !strstr(s, "\xc2\x9b"));
	if (format == FORMAT_HTML || format == FORMAT_JUNIT)
		check_markup(s, format == FORMAT_HTML);
	else if (format == FORMAT_OPENMETRICS)
		check_openmetrics(s);
	else if (format == FORMAT_GPU_TRACKER || format == FORMAT_JSON)
		check_json(s);
	else if (format == FORMAT_SNAKEMAKE)
		check_table(s);
}

/* -- how it is made
 * --------------------------------------------------------------------------------
 */

static void render(const cJSON *model, size_t format, struct buf *out)
{
	struct json_write j = {.exponents = true};
	struct err e = {{0}};
	const char *text;
	size_t n = 0;

	if (!output_formats[format].template) {
		model_json_write(&j, NULL, model);
		must(json_write_finish(&j));
		*out = j.b;
		return;
	}
	text = assets_find(NULL, output_formats[format].template, &n);
	must(mustache_render(text, n, "t", model, output_formats[format].kind, &partials_built_in,
	                     out, &e) == 0);
}

static void render_all(const cJSON *model, size_t width)
{
	for (size_t i = 0; i < FORMATS; i++) {
		struct buf out = {0}, page = {0};
		render(model, i, &out);
		check_format(i, &out);
		if (output_formats[i].laid_out)
			text_layout(&page, buf_cstr(&out), out.len, width, true);
		must(!page.failed);
		buf_free(&page);
		buf_free(&out);
	}
}

/* The model as --json writes it and --model reads it makes the same page. */
static void render_again(const cJSON *model)
{
	struct buf json = {0}, one = {0}, two = {0};
	cJSON *again;

	render(model, FORMAT_JSON, &json);
	again = cJSON_ParseWithOpts(buf_cstr(&json), NULL, 1);
	must(again != NULL);
	render(model, FORMAT_HTML, &one);
	render(again, FORMAT_HTML, &two);
	must(one.len == two.len && memcmp(buf_cstr(&one), buf_cstr(&two), one.len) == 0);
	cJSON_Delete(again);
	buf_free(&json);
	buf_free(&one);
	buf_free(&two);
}

static int count_part(void *ctx, const char *p, size_t n, struct err *e)
{
	(void)e;
	for (size_t i = 0; i < n; i++)
		*(size_t *)ctx += p[i] == '\n';
	return 0;
}

static void check_csv(const struct run *run)
{
	const struct csv_table_options o = {.bytes = run->samples % 2, .human_names = false};
	size_t lines = 0;

	must(csv_table_write(run, &o, count_part, &lines, NULL) == 0);
	must(lines >= 1 && lines <= 1 + run->snapshot.rows[0].rows + run->snapshot.rows[1].rows);
}

/* What a Keeper may have said, with the names that the recording has. */
static void set_prices(struct keeper_result *k, const struct run *run, unsigned flags)
{
	const char *text = run->snapshot.job.known ? run->snapshot.job.name : "";

	k->known = k->present_known = true;
	k->n = k->looked_at = 3;
	k->retrieved_at = 1e9;
	k->spot = flags & 2;
	for (size_t i = 0; i < k->n + 1; i++) {
		struct keeper_server *s = i < k->n ? &k->server[i] : &k->present;
		*s = (struct keeper_server){.vcpus = (double)i + 1,
		                            .memory_mib = i ? 1024 : NAN,
		                            .gpu_count = NAN,
		                            .gpu_memory_total_mib = NAN,
		                            .price_hour = 0.1 + (double)i,
		                            .price_ondemand = i ? 0.2 : NAN,
		                            .price_spot = i ? NAN : 1e300,
		                            .price_month = NAN,
		                            .score = NAN,
		                            .billing_min_s = NAN,
		                            .billing_increment_s = NAN};
		keeper_result_copy(s->vendor_id, sizeof s->vendor_id, *text ? text : "aws");
		keeper_result_copy(s->server_id, sizeof s->server_id, text);
		keeper_result_copy(s->name, sizeof s->name, text);
		keeper_result_copy(s->vendor_name, sizeof s->vendor_name, text);
	}
	keeper_result_copy(k->present_where, sizeof k->present_where, text);
	snprintf(k->currency, sizeof k->currency, "%s", flags & 4 ? "EUR" : "USD");
}

static void report(struct runs *r, const struct report_options *o, unsigned flags)
{
	const struct keeper_query q = report_options_prices(o, NULL);
	struct recommend *c = calloc(1, sizeof *c);
	struct comparison *compare = NULL;
	const struct view_options views = {.ram_unit = flags & 2 ? "megabytes" : NULL};
	struct gate_results gates = {0};
	struct err e = {{0}};
	cJSON *model;

	must(c != NULL);
	/* A file whose head alone was read may be broken after it. */
	if (history_choose(r, o->history, &e) || load_again(&r->v[0], SNAPSHOT_WANT_ROWS, &e)) {
		must(*e.msg);
		free(c);
		return;
	}
	if (flags & 1)
		must((compare = comparison_new(r, &o->names, &e)));
	load_tell_status(&r->v[0], o->status);
	recommend_runs(r, &(struct recommend_rules){.slowdown = CPU_RULE_SLOWDOWN}, &q, c, NULL);
	if (flags & 32)
		set_prices(&c->keeper, &r->v[0], flags);
	must(gate_results_of(&o->fail_if, r, &c->keeper, NULL, &gates, &e) == 0);
	const struct model_input in = {
	    .runs = r,
	    .advice = &c->advice,
	    .basis = c->basis,
	    .keeper = &c->keeper,
	    .compare = compare,
	    .now = 1e9,
	    .runs_per_month = flags & 4 ? 30 : 0,
	    .gates = &gates,
	};
	model = model_build(&in);
	must(model && model_views_add(model, &in, &views, &e) == 0);
	render_all(model, flags % 100);
	if (flags & 16)
		render_again(model);
	check_csv(&r->v[0]);
	cJSON_Delete(model);
	gate_results_free(&gates);
	comparison_free(compare);
	free(c);
}

static size_t load(struct runs *r, const uint8_t *data, size_t size, int fd[RUNS_MAX])
{
	size_t files = 0;
	char path[32];

	for (size_t at = 0, n; at < size && files < RUNS_MAX; at += n + 1) {
		const uint8_t *nul = memchr(data + at, 0, size - at);
		n = nul ? (size_t)(nul - (data + at)) : size - at;
		fd[files] = fuzz_file(data + at, n);
		must(load_input(r, input_of(fuzz_path(fd[files++], path)), NULL) == 0);
	}
	return files;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned flags = size ? data[0] : 0;
	struct report_options *o = calloc(1, sizeof *o);
	struct runs r = {0};
	int fd[RUNS_MAX];
	size_t files;

	must(o != NULL);
	*o = (struct report_options){
	    .history = 5, .servers = 5, .offline = true, .keeper_cache = ""};
	if (flags & 64)
		o->group_by =
		    (struct opts_list){{"command,host,tag:a", "label:git.branch,user"}, 2};
	r.group_by = &o->group_by;
	o->status = flags & 8 ? "failed" : NULL;
	o->fail_if = (struct opts_list){
	    {"process_memory.max > limit * 90%", "duration > history * 1.2", "cost > 1"}, 3};
	files = size ? load(&r, data + 1, size - 1, fd) : 0;
	for (size_t i = 0; i < r.n_failed; i++)
		must(*r.failed[i].err.msg);
	if (r.n)
		report(&r, o, flags);
	load_free(&r);
	while (files)
		close(fd[--files]);
	free(o);
	return 0;
}
