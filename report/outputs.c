/* outputs: writes what the command line asks for. */
#include "report/outputs.h"

#include "core/numbers/metric.h"
#include "report/render/render.h"

int outputs_write(const struct report_options *o, const cJSON *model, const struct runs *r,
                  struct err *note, struct err *e)
{
	struct csv_table_options csv = {
	    .bytes = o->bytes,
	    .human_names = o->human_names,
	    .prefix =
		{[METRIC_SCOPE_PROCESS] = o->job_prefix, [METRIC_SCOPE_SYSTEM] = o->machine_prefix},
	};

	struct render_page page = {.no_model = o->no_model};
	bool many = render_many(model) < OUTPUT_MANY;

	if (o->schema)
		csv.schema = *o->schema == '1' ? SCHEMA_1 : SCHEMA_2;
	if (o->csv && !r->n && !many)
		return err_set(e, "--model and --csv cannot be used together");
	for (size_t i = 0; i < FORMATS; i++)
		if (o->file[i] && render_format(model, &output_formats[i], o->file[i], &page, e))
			return -1;
	*note = page.said;
	if (o->csv && many && render_table_csv(model, o->csv, e))
		return -1;
	if (o->patch && render_ci_patch(model, o->patch, e))
		return -1;
	if (o->csv && r->n && render_csv(&r->v[0], &csv, o->csv, e))
		return -1;
	if (o->trace && r->n && render_trace(&r->v[0], o->trace, e))
		return -1;
	for (size_t i = 0; i < o->templates.n; i++) {
		struct err unknown = {0};
		if (render_template(model, o->templates.v[i], &unknown, e))
			return -1;
		if (*unknown.msg && *note->msg)
			err_wrap(&unknown, "%s", note->msg);
		if (*unknown.msg)
			*note = unknown;
	}
	return 0;
}
