/* mail_write: a fleet → a message for each owner who has something new to change. */
#include "fleet/owners/mail_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/fnv1a.h"
#include "fleet/owners/mail_message.h"
#include "fleet/owners/mail_said.h"
#include "report/output/output_file.h"
#include "report/render/assets.h"
#include "report/render/mustache.h"
#include "report/render/partials.h"
#include "report/render/text_layout.h"

#define DAY_S    86400.0
#define WIDTH    76
#define MAIL_MAX ((size_t)1 << 20) /* bytes of a part */

/* -- one message ------------------------------------------------------------------------------- */

static int render_mail_part(const cJSON *model, const char *template, enum escape_kind kind,
                            struct buf *out, struct err *e)
{
	size_t n;
	const char *text = assets_find(NULL, template, &n);

	out->max = MAIL_MAX;
	return mustache_render(text, n, template, model, kind, &partials_built_in, out, e);
}

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
	int failed = render_mail_part(model, "mail.txt", ESCAPE_LINE, &lines, e) ||
	             render_mail_part(model, "mail.html", ESCAPE_HTML, &html, e);

	if (!failed) {
		text_layout(&text, buf_cstr(&lines), lines.len, WIDTH, false);
		mail_message_write(&message, &m);
		buf_printf(&path, "%s/", w->folder);
		mail_message_file(&path, owner);
		message.failed = message.failed || text.failed || html.failed;
		failed = output_file_put(buf_cstr(&path), &message, e);
	}
	buf_free(&lines);
	buf_free(&text);
	buf_free(&html);
	buf_free(&message);
	buf_free(&path);
	return failed ? -1 : 0;
}

/* -- one owner --------------------------------------------------------------------------------- */

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
	if (failed || mail_said_add(said, w->in.of, owner, now, kept, e))
		return -1;
	out->written++;
	return 0;
}

/* -- all owners -------------------------------------------------------------------------------- */

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

int mail_write_all(const struct mail_write *w, struct mail_written *out, struct err *e)
{
	struct mail_job *job = alloc_failed_note(calloc(w->in.fleet->n + 1, sizeof *job));
	struct mail_said said = {.v = NULL};
	struct buf state = {0};
	size_t n = job ? find_jobs(w, job) : 0, of;
	int failed = job ? 0 : err_set(e, "no memory");

	*out = (struct mail_written){.written = 0};
	buf_printf(&state, "%s/" MAIL_WRITE_STATE, w->folder);
	if (!failed)
		failed = mail_said_open(&said, w->state ? w->state : buf_cstr(&state),
		                        w->in.now - w->in.rules->again_days * DAY_S, e);
	for (size_t i = 0; i < n && !failed; i += of) {
		for (of = 1; i + of < n && strcmp(owner_of(&job[i]), owner_of(&job[i + of])) == 0;)
			of++;
		failed = tell_owner(w, &said, owner_of(&job[i]), &job[i], of, out, e);
	}
	mail_said_close(&said);
	buf_free(&state);
	free(job);
	return failed ? -1 : 0;
}
