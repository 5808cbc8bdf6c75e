/* mail_report: the runs of a catalog → messages to their owners. */
#include "fleet/mail_report.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "fleet/groups/fleet_source.h"
#include "fleet/owners/mail_write.h"
#include "report/units/units.h"

#define SOURCES_SHOWN 3

static const char *owner_key(const struct fleet_options *o)
{
	return o->owner && strcmp(o->owner, "account") == 0 ? "account" : "user";
}

struct opts_list mail_report_keys(const struct fleet_options *o)
{
	return (struct opts_list){.v = {owner_key(o), "name"}, .n = 2};
}

/* A path or an address for a command line. An address with a query or a user may hold a secret. */
static void add_source_argument(struct buf *out, const char *name, const char *instead)
{
	char path[FLEET_SOURCE_MAX];
	bool secret = strstr(name, "://") && strpbrk(name, "?@");

	buf_char(out, ' ');
	if (secret || strcmp(name, "-") == 0 || fleet_source_path(name, path, NULL) ||
	    !mail_model_quote(out, path))
		buf_str(out, instead);
}

static void source_arguments(const struct fleet_options *o, struct buf *out)
{
	if (o->catalog) {
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

int mail_report_write(const struct fleet_options *o, const struct fleet *f, const char *money_basis,
                      const char *source, struct buf *done, struct err *e)
{
	struct mail_rules rules = mail_rules_default();
	struct mail_written written;
	struct buf arguments = {0};
	struct mail_write w = {.in = {.of = owner_key(o),
	                              .rules = &rules,
	                              .fleet = f,
	                              .currency = o->page.currency,
	                              .money_basis = isfinite(f->usage.money) ? money_basis : NULL,
	                              .source = source,
	                              .now = isnan(o->page.now) ? (double)time(NULL) : o->page.now},
	                       .folder = o->mail,
	                       .state = o->mail_state,
	                       .domain = o->mail_domain};
	int failed = o->mail_rules ? mail_rules_read(o->mail_rules, &rules, e) : 0;

	source_arguments(o, &arguments);
	w.in.arguments = buf_cstr(&arguments);
	if (!failed)
		failed = mail_write_all(&w, &written, e);
	if (!failed)
		say_mails(o, f, &written, done);
	buf_free(&arguments);
	return failed;
}
