/* mail_report: the runs of a catalog → messages to their owners. */
#include "fleet/owners/mail_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "core/base/alloc_failed.h"
#include "core/base/fnv1a.h"
#include "fleet/catalog/clickhouse_address.h"
#include "fleet/groups/fleet_money.h"
#include "fleet/options/fleet_source.h"
#include "fleet/owners/mail_message.h"
#include "fleet/owners/mail_model.h"
#include "fleet/owners/mail_said.h"
#include "report/input/input.h"
#include "report/output/output_file.h"
#include "report/render/assets.h"
#include "report/render/mustache.h"
#include "report/render/partials.h"
#include "report/render/text_layout.h"
#include "report/units/units.h"

/* -- messages ---------------------------------------------------------------------------------- */

struct mail_write {
	struct mail_input in;
	const char *folder; /* of the messages */
	const char *state;  /* a file */
	const char *domain; /* NULL: none */
};

/* Counts of the owners whose jobs break rules. */
struct mail_written {
	size_t written;
	size_t told;       /* before: nothing is new */
	size_t nameless;   /* no message can be addressed to their names */
	struct err spared; /* why a message was not written: the last file that is not ours */
};

#define DAY_S    86400.0
#define WIDTH    76
#define MAIL_MAX ((size_t)1 << 20) /* bytes of a part */

/* -- messages: one ----------------------------------------------------------------------------- */

static int render_mail_part(const cJSON *model, const char *template, enum escape_kind kind,
                            struct buf *out, struct err *e)
{
	size_t n;
	const char *text = assets_find(NULL, template, &n);

	out->max = MAIL_MAX;
	return mustache_render(text, n, template, model, kind, &partials_built_in, out, e);
}

/* The name of the file was not chosen by the user, who may have a file of that name. A link is
 * replaced, not followed. */
static int spare_other_file(const char *path, struct err *e)
{
	char head[MAIL_MESSAGE_HEAD];
	struct stat st;

	if (lstat(path, &st) || S_ISLNK(st.st_mode))
		return 0;
	if (!S_ISREG(st.st_mode))
		return err_set(e, "%s: this is not a regular file, so it is not replaced", path);
	if (!st.st_size || mail_message_is_ours(head, input_beginning(path, head, sizeof head)))
		return 0;
	return err_set(e, "%s: this is not a message of rtrack-fleet, so it is not replaced", path);
}

/* 1: there is another file, with the sentence. */
static int write_message(const struct mail_write *w, const char *owner, const cJSON *model,
                         struct err *e)
{
	struct buf lines = {0}, text = {0}, html = {0}, message = {0}, path = {0};
	const cJSON *subject = cJSON_GetObjectItemCaseSensitive(model, "subject");
	const struct mail_message m = {.from = w->in.rules->from,
	                               .to = owner,
	                               .domain = w->domain,
	                               .subject = cJSON_GetStringValue(subject),
	                               .date = w->in.now,
	                               .text = &text,
	                               .html = &html};
	int rc = -1;

	if (render_mail_part(model, "mail.txt", ESCAPE_LINE, &lines, e) ||
	    render_mail_part(model, "mail.html", ESCAPE_HTML, &html, e))
		goto out;
	text_layout(&text, buf_cstr(&lines), lines.len, WIDTH, false);
	mail_message_write(&message, &m);
	buf_printf(&path, "%s/", w->folder);
	mail_message_file(&path, owner);
	message.failed = message.failed || text.failed || html.failed;
	if (spare_other_file(buf_cstr(&path), e)) {
		rc = 1;
		goto out;
	}
	rc = output_file_put(buf_cstr(&path), &message, e) ? -1 : 0;
out:
	buf_free(&lines);
	buf_free(&text);
	buf_free(&html);
	buf_free(&message);
	buf_free(&path);
	return rc;
}

/* -- messages: one owner ----------------------------------------------------------------------- */

static double known_ask(double v)
{
	return v >= 0 ? v : (double)NAN;
}

static struct mail_said_job said_of(const struct mail_write *w, uint64_t owner,
                                    const struct mail_job *job)
{
	const struct fleet_group *g = job->group;
	struct mail_said_job said = {.owner = owner,
	                             .job = fnv1a_add(FNV1A_BEGIN, g->key[1] ? g->key[1] : ""),
	                             .at = w->in.now,
	                             .rules = job->broken};

	said.v[MAIL_SAID_CPUS] = known_ask(g->proposed.cpus);
	said.v[MAIL_SAID_MEMORY] = known_ask(g->proposed.memory_b);
	said.v[MAIL_SAID_GPUS] = known_ask(g->proposed.gpus);
	said.v[MAIL_SAID_TIME] = known_ask(g->proposed.time_s);
	said.v[MAIL_SAID_CORE_H] = g->usage.cores.unused;
	said.v[MAIL_SAID_GIB_H] = g->usage.memory.unused;
	said.v[MAIL_SAID_GPU_H] = g->usage.gpus.unused;
	return said;
}

/* The jobs that are shown decide: of the others only their number is. */
static int tell_owner(const struct mail_write *w, struct mail_said *said, const char *owner,
                      const struct mail_job *job, size_t n, struct mail_written *out, struct err *e)
{
	struct mail_said_job now[MAIL_SAID_JOBS_MAX];
	uint64_t hash = mail_said_owner(w->in.of, owner);
	size_t kept = n < MAIL_SAID_JOBS_MAX ? n : MAIL_SAID_JOBS_MAX;
	bool news = false;
	cJSON *model;
	int failed;

	if (!mail_message_is_name(owner)) {
		out->nameless++;
		return 0;
	}
	for (size_t i = 0; i < kept; i++) {
		now[i] = said_of(w, hash, &job[i]);
		news = news || (i < MAIL_MODEL_JOBS &&
		                mail_said_is_news(said, &now[i], w->in.rules->again_days * DAY_S));
	}
	if (!news) {
		out->told++;
		return 0;
	}
	model = mail_model(&w->in, owner, job, n);
	failed = model ? write_message(w, owner, model, e) : err_set(e, "no memory");
	cJSON_Delete(model);
	if (failed > 0) {
		out->spared = *e;
		return 0;
	}
	if (failed || mail_said_add(said, w->in.of, owner, now, kept, e))
		return -1;
	out->written++;
	return 0;
}

/* -- messages: all owners ---------------------------------------------------------------------- */

static const char *owner_of(const struct mail_job *job)
{
	return job->group->key[0] ? job->group->key[0] : "";
}

/* By owner; an owner's jobs stay in the order of the fleet: those with most to recover first. */
static int by_owner(const void *a, const void *b)
{
	const struct mail_job *p = a, *q = b;
	int order = strcmp(owner_of(p), owner_of(q));

	return order ? order : (p->group > q->group) - (p->group < q->group);
}

static size_t find_jobs(const struct mail_write *w, struct mail_job *job)
{
	const struct fleet *f = w->in.fleet;
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++) {
		unsigned broken = mail_rules_broken(w->in.rules, &f->group[i]);
		if (broken)
			job[n++] = (struct mail_job){&f->group[i], broken};
	}
	if (n)
		qsort(job, n, sizeof *job, by_owner);
	return n;
}

/* The fleet is grouped by owner, then name. Messages that were written before an error stay, and
 * are remembered. -1 with a sentence. */
static int mail_write_all(const struct mail_write *w, struct mail_written *out, struct err *e)
{
	struct mail_job *job = alloc_failed_note(calloc(w->in.fleet->n + 1, sizeof *job));
	struct mail_said said = {.v = NULL};
	size_t n = job ? find_jobs(w, job) : 0, of;
	int failed = job ? 0 : err_set(e, "no memory");

	*out = (struct mail_written){.written = 0};
	if (!failed)
		failed =
		    mail_said_open(&said, w->state, w->in.now - w->in.rules->again_days * DAY_S, e);
	for (size_t i = 0; i < n && !failed; i += of) {
		for (of = 1; i + of < n && strcmp(owner_of(&job[i]), owner_of(&job[i + of])) == 0;)
			of++;
		failed = tell_owner(w, &said, owner_of(&job[i]), &job[i], of, out, e);
	}
	mail_said_close(&said);
	free(job);
	return failed ? -1 : 0;
}

/* -- the report -------------------------------------------------------------------------------- */

#define SOURCES_SHOWN 3

static const char *owner_key(const struct fleet_options *o)
{
	return o->owner && strcmp(o->owner, "account") == 0 ? "account" : "user";
}

/* Whether an address has a password, a token or a query that may be a signature. */
static bool names_a_secret(const char *name)
{
	struct buf shown = {0};
	bool secret;

	buf_str(&shown, name);
	if (shown.len)
		err_hide_address(shown.s);
	secret = strstr(name, "://") && strcmp(buf_cstr(&shown), name) != 0;
	buf_free(&shown);
	return secret;
}

/* A path or an address for a command line. */
static void add_source_argument(struct buf *out, const char *name, const char *instead)
{
	char path[FLEET_SOURCE_MAX];

	buf_char(out, ' ');
	if (names_a_secret(name) || strcmp(name, "-") == 0 || fleet_source_path(name, path, NULL) ||
	    !mail_model_quote(out, path))
		buf_str(out, instead);
}

/* Whether everybody may read this file: its mode and those of the folders above it say so. */
static bool is_for_all(const char *name)
{
	char path[FLEET_SOURCE_MAX];
	struct stat st;

	if (clickhouse_is_address(name) || fleet_source_path(name, path, NULL) || stat(path, &st) ||
	    !(st.st_mode & S_IROTH))
		return false;
	for (char *slash; (slash = strrchr(path, '/')) && slash > path;) {
		*slash = '\0';
		if (stat(path, &st) || !(st.st_mode & S_IXOTH))
			return false;
	}
	return true;
}

/* Nothing is appended where no owner could follow it: the catalog alone has the runs, and not
 * everybody may read it. */
static void source_arguments(const struct fleet_options *o, struct buf *out)
{
	if (o->catalog && is_for_all(o->catalog)) {
		buf_str(out, "--catalog");
		add_source_argument(out, o->catalog, "DATABASE");
		return;
	}
	for (size_t i = 0; i < o->page.n_inputs && i < SOURCES_SHOWN; i++) {
		struct buf place = {0};
		add_source_argument(&place, o->page.input[i].name, "SOURCE");
		buf_str(out, buf_cstr(&place) + (i == 0));
		buf_free(&place);
	}
	if (o->page.n_inputs > SOURCES_SHOWN)
		buf_str(out, " ...");
	if (o->sacct_since_text)
		buf_printf(out, "%s--sacct-since ", out->len ? " " : "");
	if (o->sacct_since_text && !mail_model_quote(out, o->sacct_since_text))
		buf_str(out, "WHEN");
}

static void say_mails(const struct fleet_options *o, const struct fleet *f,
                      const struct mail_written *w, struct buf *out)
{
	buf_printf(out, "wrote %s message%s into %s", UNITS_COUNT((double)w->written),
	           w->written == 1 ? "" : "s", o->mail);
	if (w->told)
		buf_printf(out, "; nothing new for %s more", UNITS_COUNT((double)w->told));
	if (w->nameless)
		buf_printf(out, "; %s %s%s without a name that can be written to",
		           UNITS_COUNT((double)w->nameless), owner_key(o),
		           w->nameless == 1 ? "" : "s");
	if (f->rest_groups > 0)
		buf_printf(out, "; the %s jobs with least to recover were not looked at",
		           UNITS_COUNT(f->rest_groups));
	buf_char(out, '\n');
}

static int write_mails(const struct fleet_sources *s, const struct fleet *f, struct buf *done,
                       struct err *e)
{
	const struct fleet_options *o = s->o;
	const char *basis = buf_cstr(&s->money->basis);
	struct mail_rules rules = mail_rules_default();
	struct mail_written written;
	struct buf arguments = {0};
	struct mail_write w = {.in = {.of = owner_key(o),
	                              .rules = &rules,
	                              .fleet = f,
	                              .currency = o->page.currency,
	                              .money_basis = isfinite(f->usage.money) ? basis : NULL,
	                              .source = s->text,
	                              .now = isnan(o->page.now) ? (double)time(NULL) : o->page.now},
	                       .folder = o->mail,
	                       .state = o->mail_state,
	                       .domain = o->mail_domain};
	int rc = -1;

	source_arguments(o, &arguments);
	w.in.arguments = arguments.len ? buf_cstr(&arguments) : NULL;
	if (o->mail_rules && mail_rules_read(o->mail_rules, &rules, e))
		goto out;
	if (mail_write_all(&w, &written, e))
		goto out;
	say_mails(o, f, &written, done);
	if (*written.spared.msg)
		*e = written.spared;
	rc = *written.spared.msg ? 1 : 0;
out:
	buf_free(&arguments);
	return rc;
}

int mail_report_make(const struct fleet_sources *s, struct fleet_report *out, struct err *e)
{
	const struct opts_list keys = {.v = {owner_key(s->o), "name"}, .n = 2};
	const struct fleet_report_watch *watch = s->failed->watch;
	struct fleet_input in = fleet_money_input(s);
	struct catalog_query query = *s->query;
	struct fleet f = {0};
	struct err line = {0};
	int rc = -1, spared;

	query.group_by = &keys;
	in.query = &query;
	if (fleet_make(&f, &in, e))
		goto out;
	fleet_money_basis(s);
	spared = write_mails(s, &f, &out->done, e);
	if (spared < 0)
		goto out;
	if (out->model || spared) {
		err_set(&line, "%.*s", (int)out->done.len - 1, buf_cstr(&out->done));
		watch->say(watch->ctx, &line);
	}
	rc = spared ? -1 : 0;
out:
	fleet_free(&f);
	return rc;
}
