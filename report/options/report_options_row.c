/* report_options_row: the files that options write, and an input that stands in their place. */
#include <stddef.h>

#include "core/files/snapshot_read.h"
#include "report/options/report_options.h"

const char *report_options_row_output(const struct report_options *o, const struct opt *row)
{
	const char *at = (const char *)o + row->at;
	bool is_output = row->at == offsetof(struct report_options, csv) ||
	                 row->at == offsetof(struct report_options, trace) ||
	                 row->at == offsetof(struct report_options, patch);

	for (size_t i = 0; i < FORMATS && !is_output; i++)
		is_output =
		    row->at == offsetof(struct report_options, file) + i * sizeof(const char *);
	return is_output ? *(const char *const *)(const void *)at : NULL;
}

int report_options_row_no_input(const struct report_options *o, const char *otherwise,
                                struct err *e)
{
	for (const struct opt *row = o->table; row->name; row++) {
		const char *file = report_options_row_output(o, row);
		bool page = file && file == o->file[FORMAT_HTML];

		if (file && snapshot_recognise(file))
			return err_set(e,
			               "no input: %s is a recording, but stands where --%s has the "
			               "file to write; type --%s %s %s",
			               file, row->name, row->name, page ? "report.html" : "-",
			               file);
	}
	for (size_t i = 0; i < o->templates.n; i++) {
		const char *template = o->templates.v[i];

		if (snapshot_recognise(template))
			return err_set(e,
			               "no input: %s is a recording, but stands where --template "
			               "has the template",
			               template);
	}
	return err_set(e, "%s", otherwise);
}
