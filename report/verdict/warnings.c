/* warnings: what a user who only looks at the terminal must not miss. */
#include "report/verdict/warnings.h"

#include "core/base/buf.h"
#include "core/base/quantity.h"
#include "core/base/standard_input.h"
#include "report/prices/keeper_file.h"
#include "report/runs/parts.h"
#include "report/units/others_text.h"
#include "report/units/units.h"

struct err warnings_future(const struct runs *r)
{
	const struct run *first = NULL;
	char at[UNITS_SIZE];
	struct err line = {0};
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].future && n++ == 0)
			first = &r->v[i];
	if (!first)
		return line;
	units_time_text(first->start, at);
	if (n > 1)
		err_set(&line, "%s and %zu more start in the future (%s)",
		        standard_input_name(first->file), n - 1, at);
	else
		err_set(&line, "%s: starts in the future (%s)", standard_input_name(first->file),
		        at);
	return line;
}

struct err warnings_copies(const struct runs *r)
{
	struct err line = {0};

	if (r->copies == 1)
		err_set(&line, "%s: it counts once", r->copy.msg);
	else if (r->copies)
		err_set(&line, "%s; %zu recordings are copies of others and do not count",
		        r->copy.msg, r->copies);
	return line;
}

struct err warnings_others(const struct runs *r)
{
	struct buf text = {0};
	struct err line = {0};

	others_text(&r->others, &text);
	if (text.len)
		err_set(&line, "%s", buf_cstr(&text));
	buf_free(&text);
	return line;
}

struct err warnings_missing_parts(const struct run *run)
{
	struct buf text = {0};
	struct err line = {0};

	if (!parts_missing(run->parts))
		return line;
	parts_recorded_text(run->parts, &text);
	err_set(&line, "only %s %s recorded", buf_cstr(&text), run->parts->n == 1 ? "was" : "were");
	buf_free(&text);
	return line;
}

struct err warnings_no_prices(const struct keeper_result *k, double now)
{
	struct err line = {0};

	if (!k->known)
		err_set(&line, "no prices: %s", keeper_result_reason(k));
	else if (k->file_at > 0 && k->file_at < now - KEEPER_FILE_OLD_S)
		err_set(&line,
		        "the file of prices is %.0f days old: save a new one with --keeper-save",
		        (now - k->file_at) / QUANTITY_DAY_S);
	else if (*k->absurd)
		err_set(&line, "servers are left out for a price that no server has: %s",
		        k->absurd);
	return line;
}
