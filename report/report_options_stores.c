/* report_options_stores: where things come from and go to: standard input, outputs, stores. */
#include <stdbool.h>
#include <string.h>

#include "core/base/standard_input.h"
#include "report/input/store_address.h"
#include "report/render/output_formats.h"
#include "report/report_options.h"
#include "report/runs/load.h"
#include "report/store/store_rights.h"

static bool is_standard_input(const char *path)
{
	return path && strcmp(path, STANDARD_INPUT) == 0;
}

int report_options_standard_input(const struct report_options *o)
{
	int n = is_standard_input(o->model) + is_standard_input(o->current);

	for (int i = 0; i < o->n_files; i++)
		n += is_standard_input(o->files[i]);
	return o->put || o->get ? 0 : n;
}

_Static_assert(FORMATS + 1 + OPTS_LIST_MAX <= REPORT_OPTIONS_OUTPUTS_MAX,
               "room for each format, the CSV and each template");

size_t report_options_outputs(const struct report_options *o,
                              const char *v[REPORT_OPTIONS_OUTPUTS_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < FORMATS; i++)
		if ((v[n] = o->file[i]))
			n++;
	if (o->csv)
		v[n++] = o->csv;
	for (size_t i = 0; i < o->templates.n; i++) {
		struct buf name = {0};
		if (output_format_template(o->templates.v[i], &name, &v[n]) == 0)
			n++;
		buf_free(&name);
	}
	return n;
}

static bool is_s3(const char *place)
{
	return place && store_kind_of(place) == STORE_S3;
}

static bool is_stored(const char *place)
{
	return place && store_kind_of(place) != STORE_NONE;
}

struct grants {
	struct store_grant *v; /* NULL: they are only counted */
	size_t n;
};

static void add_grant(struct grants *g, const char *place, unsigned may)
{
	if (g->v)
		g->v[g->n] = store_rights_grant(place, may);
	g->n++;
}

size_t report_options_stores(const struct report_options *o, struct store_grant *v)
{
	const char *outputs[REPORT_OPTIONS_OUTPUTS_MAX];
	unsigned may = o->put ? STORE_MAY_WRITE | STORE_MAY_PIECE : STORE_MAY_READ;
	size_t n = report_options_outputs(o, outputs);
	struct grants g = {.v = v};

	if (is_s3(o->current))
		add_grant(&g, o->current, STORE_MAY_READ);
	for (int i = 0; i < o->n_files && !o->forget; i++)
		if (is_s3(o->files[i]) || (o->put && is_stored(o->files[i])))
			add_grant(&g, o->files[i], may);
	for (size_t i = 0; i < n; i++)
		if (is_stored(outputs[i]))
			add_grant(&g, outputs[i], STORE_MAY_WRITE);
	return g.n;
}

/* -- what an address may be -------------------------------------------------------------------- */

static bool ends_in(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

/* The address of one object, not of many. */
static int check_object(const char *option, const char *place, struct err *e)
{
	struct store_address a;
	char shown[STORE_SHOWN_MAX];
	size_t n;

	if (store_address_parse(&a, place, e))
		return err_wrap(e, "%s", option);
	n = strlen(a.key);
	if (n && a.key[n - 1] != '/')
		return 0;
	return err_set(e, "%s: %s: the name of the object is missing: s3://BUCKET/KEY", option,
	               store_address_shown(place, shown));
}

/* Libcurl takes more than https://, and the signature of a URL would go in the clear. */
static int check_url(const char *option, const char *place, struct err *e)
{
	const char *host = place + strlen("https://");
	char shown[STORE_SHOWN_MAX];

	if (*host && !strchr("/?#", *host) && host[strcspn(host, "/?#")] == '/')
		return 0;
	return err_set(e, "%s: %s: this is not https://HOST/PATH", option,
	               store_address_shown(place, shown));
}

/* The bytes of "gs" in "gs://b/k", where a file cannot have been meant; 0: a file. */
static size_t other_scheme(const char *place)
{
	size_t n = strcspn(place, ":/");

	return strncmp(place + n, "://", 3) != 0 ? 0 : n < 20 ? n : 20;
}

static int check_scheme(const char *option, const char *place, struct err *e)
{
	size_t n = other_scheme(place);

	return n ? err_set(e, "%s: an output may be a file, s3:// or https://, not %.*s://", option,
	                   (int)n, place)
	         : 0;
}

int report_options_stores_output(const char *option, const char *place, bool is_json, struct err *e)
{
	const char *name = load_file_name(place);
	char shown[STORE_SHOWN_MAX];

	if (store_kind_of(place) == STORE_NONE)
		return check_scheme(option, place, e);
	if (store_kind_of(place) == STORE_HTTPS)
		return check_url(option, place, e);
	if (check_object(option, place, e))
		return -1;
	/* As on disk, but without a request: the name of an object says it. */
	if (!load_is_recording_name(name) || (is_json && ends_in(name, ".json")))
		return 0;
	return err_set(
	    e,
	    "%s: %s: an output may not overwrite a recording, and this is the name of one "
	    "(give the output another name)",
	    option, store_address_shown(place, shown));
}

int report_options_stores_inputs(const struct report_options *o, struct err *e)
{
	struct store_address a;
	char shown[STORE_SHOWN_MAX];

	if (is_stored(o->model))
		return err_set(e, "--model: a model is a file");
	if (o->current && store_kind_of(o->current) == STORE_HTTPS)
		return err_set(e, "--current: %s: https:// can only be written",
		               store_address_shown(o->current, shown));
	if (is_s3(o->current) && check_object("--current", o->current, e))
		return -1;
	for (int i = 0; i < o->n_files; i++) {
		const char *place = o->files[i];
		if (store_kind_of(place) == STORE_HTTPS)
			return err_set(e,
			               "%s: https:// can only be written; recordings are read from "
			               "files and s3://",
			               store_address_shown(place, shown));
		if (is_s3(place) && store_address_parse(&a, place, e))
			return -1;
		if (!is_s3(place) && other_scheme(place))
			return err_set(e,
			               "recordings are read from files and s3://, not from %.*s://",
			               (int)other_scheme(place), place);
	}
	return 0;
}

/* -- --put and --get --------------------------------------------------------------------------- */

static int check_transfer_address(const struct report_options *o, const char *what, struct err *e)
{
	char shown[STORE_SHOWN_MAX];
	const char *place;

	if (o->n_files != 1)
		return err_set(e, "%s needs one ADDRESS, such as s3://BUCKET/KEY%s", what,
		               o->n_files ? ", and no other argument" : "");
	place = o->files[0];
	if (store_kind_of(place) == STORE_S3)
		return check_object(what, place, e);
	if (store_kind_of(place) == STORE_HTTPS && o->get)
		return err_set(e, "--get: %s: https:// can only be written",
		               store_address_shown(place, shown));
	if (store_kind_of(place) == STORE_HTTPS && o->pieces_s > 0)
		return err_set(e, "--pieces needs an s3:// address");
	if (store_kind_of(place) == STORE_HTTPS)
		return check_url(what, place, e);
	/* The query of a URL may be a secret. */
	return err_set(e, "%s: \"%.*s\" is not an address: s3://BUCKET/KEY%s", what,
	               (int)strcspn(place, "?"), place,
	               o->put ? ", or https:// with a signed query" : "");
}

/* The query of a URL in the wrong place must not end in a sentence about a file. */
static int check_transfer_file(const char *what, const char *file, struct err *e)
{
	size_t n = strcspn(file, ":/");

	if (!*file)
		return err_set(e, "%s: the name of the file is empty", what);
	if (strncmp(file + n, "://", 3) != 0)
		return 0;
	return err_set(e, "%s: the first name is that of a file, not %.*s://…", what,
	               (int)(n < 20 ? n : 20), file);
}

int report_options_transfer_check(const struct report_options *o, struct err *e)
{
	const char *what = o->put ? "--put" : "--get";

	if (check_transfer_file(what, o->put ? o->put : o->get, e))
		return -1;
	if (o->pieces_s > 0 && strcmp(o->put, "-") == 0)
		return err_set(e, "--pieces: a journal must be a file");
	return check_transfer_address(o, what, e);
}
