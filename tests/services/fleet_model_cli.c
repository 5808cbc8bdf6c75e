/* fleet_model_cli: writes the model of a made-up fleet as JSON, for tests of its outputs.
 *
 * fleet_model_cli GROUPS FILE [money=0] [name=TEXT] [page=FILE] [top=N] [csv=FILE] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/groups/fleet_model.h"
#include "report/render/render.h"
#include "tests/unit/fleet/fleet_made.h"

static const char *value_of(int argc, char **argv, const char *name)
{
	size_t n = strlen(name);

	for (int i = 3; i < argc; i++)
		if (strncmp(argv[i], name, n) == 0 && argv[i][n] == '=')
			return argv[i] + n + 1;
	return NULL;
}

static void forget_money(struct fleet *f)
{
	f->usage.money = f->usage.recoverable = NAN;
	f->rest.money = f->rest.recoverable = NAN;
	for (size_t i = 0; i < f->n; i++)
		f->group[i].usage.money = f->group[i].usage.recoverable = NAN;
}

/* Every group gets this name, with its number after it. */
static void name_all(struct fleet *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++) {
		struct buf text = {0};
		buf_printf(&text, "%s%zu", name, i);
		free(f->group[i].key[0]);
		f->group[i].key[0] = buf_take(&text);
	}
}

int main(int argc, char **argv)
{
	struct fleet f;
	struct fleet_model_input in = {
	    .page.source = "2,000 recordings in /data/runs",
	    .page.since = "2026-11-01",
	    .money_basis = "Prices per hour of the machines' types, on demand, from Spare Cores "
			   "Keeper.",
	    .attribution = "Prices: Spare Cores Keeper, 2026-11-22",
	    .page.now = 1795300000,
	};
	struct err e = {0};
	cJSON *model;
	int failed;

	if (argc < 3) {
		fputs("fleet_model_cli GROUPS FILE [money=0] [name=TEXT] [page=FILE] [top=N] "
		      "[csv=FILE]\n",
		      stderr);
		return 2;
	}
	fleet_made(&f, strtoul(argv[1], NULL, 10));
	if (value_of(argc, argv, "money")) {
		forget_money(&f);
		in.money_basis = "No price of these machines is known.";
	}
	if (value_of(argc, argv, "name"))
		name_all(&f, value_of(argc, argv, "name"));
	in.page.file = value_of(argc, argv, "page");
	if (value_of(argc, argv, "top"))
		in.page.top = strtoul(value_of(argc, argv, "top"), NULL, 10);
	model = fleet_model(&f, &in);
	failed = !model || render_format(model, &output_formats[FORMAT_JSON], argv[2], NULL, &e);
	if (!failed && value_of(argc, argv, "csv"))
		failed = render_table_csv(model, value_of(argc, argv, "csv"), &e);
	if (failed)
		fprintf(stderr, "fleet_model_cli: %s\n", model ? e.msg : "no memory");
	cJSON_Delete(model);
	fleet_made_free(&f);
	return failed;
}
