/* report_options_stores: where things come from and go to: standard input, outputs, stores. */
#include <stdbool.h>
#include <string.h>

#include "report/input/store_address.h"
#include "report/options/report_options.h"
#include "report/render/output_formats.h"
#include "report/store/store_rights.h"

size_t report_options_standard_input(const struct report_options *o)
{
	size_t n = o->model.place == INPUT_STANDARD || o->current.place == INPUT_STANDARD;

	for (size_t i = 0; i < o->n_inputs; i++)
		n += o->input[i].place == INPUT_STANDARD;
	return o->mode == REPORT_PUT || o->mode == REPORT_GET ? 0 : n;
}

_Static_assert(FORMATS + 3 + OPTS_LIST_MAX <= REPORT_OPTIONS_OUTPUTS_MAX,
               "room for each format, the CSV, the time line, the patch and each template");

size_t report_options_outputs(const struct report_options *o,
                              const char *v[REPORT_OPTIONS_OUTPUTS_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < FORMATS; i++)
		if ((v[n] = o->file[i]))
			n++;
	if (o->csv)
		v[n++] = o->csv;
	if (o->trace)
		v[n++] = o->trace;
	if (o->patch)
		v[n++] = o->patch;
	for (size_t i = 0; i < o->templates.n; i++) {
		struct buf name = {0};
		if (output_format_template(o->templates.v[i], &name, &v[n]) == 0)
			n++;
		buf_free(&name);
	}
	return n;
}

size_t report_options_stores(const struct report_options *o, struct store_grant *v)
{
	const char *outputs[REPORT_OPTIONS_OUTPUTS_MAX];
	bool put = o->mode == REPORT_PUT;
	unsigned may = put ? STORE_MAY_WRITE | STORE_MAY_PIECE : STORE_MAY_READ;
	size_t n_outputs = report_options_outputs(o, outputs), n = 0;

	if (o->current.place == INPUT_S3)
		v[n++] = store_rights_grant(o->current.name, STORE_MAY_READ);
	for (size_t i = 0; i < o->n_inputs; i++)
		if (o->input[i].place == INPUT_S3 || (put && o->input[i].place == INPUT_HTTPS))
			v[n++] = store_rights_grant(o->input[i].name, may);
	for (size_t i = 0; i < n_outputs; i++)
		if (store_kind_of(outputs[i]) != STORE_NONE)
			v[n++] = store_rights_grant(outputs[i], STORE_MAY_WRITE);
	return n;
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

	if (strncmp(place + n, "://", 3) != 0)
		return 0;
	return n < 20 ? n : 20;
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
	char shown[STORE_SHOWN_MAX];

	if (!*place)
		return err_set(e, "%s: the name of the file is empty", option);
	if (store_kind_of(place) == STORE_NONE)
		return check_scheme(option, place, e);
	if (store_kind_of(place) == STORE_HTTPS)
		return check_url(option, place, e);
	if (check_object(option, place, e))
		return -1;
	/* As on disk, but without a request: the name of an object says it. */
	if (!input_is_recording(place) || (is_json && ends_in(place, ".json")))
		return 0;
	return err_set(
	    e,
	    "%s: %s: an output may not overwrite a recording, and this is the name of one "
	    "(give the output another name)",
	    option, store_address_shown(place, shown));
}

int report_options_stores_inputs(const struct report_options *o, bool names, struct err *e)
{
	struct store_address a;
	char shown[STORE_SHOWN_MAX];

	if (report_options_standard_input(o) > 1)
		return err_set(e, "standard input (\"-\") can be given only once");
	if (o->model.name && !*o->model.name)
		return err_set(e, "--model: the name of the file is empty");
	if (o->current.name && !*o->current.name)
		return err_set(e, "--current: the name of the file is empty");
	if (o->model.place == INPUT_S3 || o->model.place == INPUT_HTTPS)
		return err_set(e, "--model: a model is a file");
	if (o->current.place == INPUT_HTTPS)
		return err_set(e, "--current: %s: https:// can only be written",
		               store_address_shown(o->current.name, shown));
	if (o->current.place == INPUT_S3 && check_object("--current", o->current.name, e))
		return -1;
	for (size_t i = 0; i < o->n_inputs; i++) {
		struct input in = o->input[i];
		if (!*in.name)
			return err_set(e, "the name of an input is empty");
		if (in.place == INPUT_HTTPS)
			return err_set(e,
			               "%s: https:// can only be written; recordings are read from "
			               "files and s3://",
			               store_address_shown(in.name, shown));
		if (in.place == INPUT_S3 && store_address_parse(&a, in.name, e))
			return -1;
		/* A catalog has sources that are no address (scan_sources.h). */
		if (in.place != INPUT_S3 && !names && other_scheme(in.name))
			return err_set(e,
			               "recordings are read from files and s3://, not from %.*s://",
			               (int)other_scheme(in.name), in.name);
	}
	return 0;
}

/* -- --put and --get --------------------------------------------------------------------------- */

static int check_transfer_address(const struct report_options *o, const char *what, struct err *e)
{
	char shown[STORE_SHOWN_MAX];
	struct input to = *o->input;

	if (o->n_inputs != 1)
		return err_set(e, "%s needs one ADDRESS, such as s3://BUCKET/KEY%s", what,
		               o->n_inputs ? ", and no other argument" : "");
	if (to.place == INPUT_S3)
		return check_object(what, to.name, e);
	if (to.place == INPUT_HTTPS && o->get)
		return err_set(e, "--get: %s: https:// can only be written",
		               store_address_shown(to.name, shown));
	if (to.place == INPUT_HTTPS && o->pieces_s > 0)
		return err_set(e, "--pieces needs an s3:// address");
	if (to.place == INPUT_HTTPS)
		return check_url(what, to.name, e);
	/* The query of a URL may be a secret. */
	return err_set(e, "%s: \"%.*s\" is not an address: s3://BUCKET/KEY%s", what,
	               (int)strcspn(to.name, "?"), to.name,
	               o->put.name ? ", or https:// with a signed query" : "");
}

/* The query of a URL in the wrong place must not end in a sentence about a file. */
static int check_transfer_file(const char *what, const char *file, struct err *e)
{
	size_t n = other_scheme(file);

	if (!*file)
		return err_set(e, "%s: the name of the file is empty", what);
	return n ? err_set(e, "%s: the first name is that of a file, not %.*s://…", what, (int)n,
	                   file)
	         : 0;
}

int report_options_transfer_check(const struct report_options *o, struct err *e)
{
	const char *what = o->put.name ? "--put" : "--get";

	if (check_transfer_file(what, o->put.name ? o->put.name : o->get, e))
		return -1;
	if (o->pieces_s > 0 && o->put.place == INPUT_STANDARD)
		return err_set(e, "--pieces: a journal must be a file");
	return check_transfer_address(o, what, e);
}
