/* fleet_privdrop: keeps only the privileges that the command line needs. */
#include "fleet/options/fleet_privdrop.h"

#include <string.h>

#include "fleet/catalog/clickhouse_address.h"
#include "fleet/options/fleet_source.h"
#include "report/options/privdrop.h"

static void allow_inputs(struct landlock *r, const struct fleet_options *o)
{
	landlock_read(r, "/etc/passwd"); /* scan_names_read */
	if (o->page.patch || o->ci_root)
		landlock_read(r, o->ci_root ? o->ci_root : ".");
	if (o->runner_prices)
		landlock_read(r, o->runner_prices);
	privdrop_inputs(r, &o->page);
}

/* Files beside this one come and go. */
static void allow_files_beside(struct landlock *r, const char *file)
{
	char path[FLEET_SOURCE_MAX];
	char *slash;

	if (fleet_source_path(file, path, NULL))
		return;
	slash = strrchr(path, '/');
	slash[slash == path] = '\0';
	landlock_folder(r, path);
}

static void allow_catalog(struct landlock *r, const char *place)
{
	if (place && !clickhouse_is_address(place))
		allow_files_beside(r, place);
}

static void allow_mail(struct landlock *r, const struct fleet_options *o)
{
	if (!o->mail)
		return;
	landlock_folder(r, o->mail);
	if (o->mail_rules)
		landlock_read(r, o->mail_rules);
	if (o->mail_state)
		allow_files_beside(r, o->mail_state);
}

void fleet_privdrop(const struct fleet_options *o)
{
	struct landlock r;

	privdrop_begin(&r);
	allow_inputs(&r, o);
	for (size_t i = 0; o->files && i < o->page.n_inputs; i++)
		landlock_remove(&r, o->page.input[i].name);
	privdrop_outputs(&r, &o->page);
	if (o->verb == FLEET_GROUPS || o->verb == FLEET_RUNS || o->verb == FLEET_MAIL)
		privdrop_cache(&r, &o->page);
	allow_catalog(&r, o->catalog);
	allow_mail(&r, o);
	privdrop_end(&r);
}

void fleet_privdrop_searching(const struct fleet_options *o)
{
	struct landlock r;

	privdrop_begin(&r);
	allow_inputs(&r, o);
	allow_catalog(&r, o->catalog);
	privdrop_end(&r);
}
