/* privdrop: keeps only the privileges that the options need. */
#include "report/options/privdrop.h"

#include <string.h>
#include <time.h>

#include "core/base/tmpfile.h"
#include "report/input/store_address.h"
#include "report/prices/keeper_cache.h"
#include "report/render/output_formats.h"
#include "report/sandbox/seccomp.h"
#include "report/watch/watch_jobs.h"

/* The worker of the stores reads addresses; "-" is open. */
static void allow_input(struct landlock *r, struct input in)
{
	if (in.place == INPUT_FILE || in.place == INPUT_FOLDER)
		landlock_read(r, in.name);
}

/* The folder of a journal: the snapshot will be there, and the journal may be gone already. */
static void allow_folder_of(struct landlock *r, const char *journal)
{
	const char *slash = strrchr(journal, '/');
	struct buf folder = {0};

	buf_add(&folder, slash ? journal : ".", slash ? (size_t)(slash - journal) + 1 : 1);
	landlock_read(r, buf_cstr(&folder));
	buf_free(&folder);
}

/* The folder of a recording that will be: its journal comes and goes there. */
static void allow_watched(struct landlock *r, struct input in)
{
	struct buf folder = {0};

	if (in.place != INPUT_S3)
		watch_jobs_folder(in, &folder);
	if (folder.len)
		landlock_read(r, buf_cstr(&folder));
	buf_free(&folder);
}

void privdrop_inputs(struct landlock *r, const struct report_options *o)
{
	if (o->pieces_s > 0)
		allow_folder_of(r, o->put.name);
	for (size_t i = 0; o->watch && i < o->n_inputs; i++)
		allow_watched(r, o->input[i]);
	allow_input(r, o->model);
	allow_input(r, o->current);
	allow_input(r, o->put);
	for (size_t i = 0; i < o->n_inputs; i++)
		allow_input(r, o->input[i]);
	if (o->keeper_file)
		landlock_read(r, o->keeper_file);
}

static void allow_output(struct landlock *r, const char *path)
{
	if (path && store_kind_of(path) == STORE_NONE && strcmp(path, "-") != 0)
		landlock_write(r, path);
}

static void allow_template(struct landlock *r, const char *spec)
{
	struct buf template = {0};
	const char *path;

	if (output_format_template(spec, &template, &path) == 0) {
		allow_output(r, path);
		if (*buf_cstr(&template) != '@')
			landlock_read(r, buf_cstr(&template));
	}
	buf_free(&template);
}

void privdrop_outputs(struct landlock *r, const struct report_options *o)
{
	for (size_t i = 0; i < FORMATS; i++)
		allow_output(r, o->file[i]);
	allow_output(r, o->csv);
	allow_output(r, o->trace);
	allow_output(r, o->patch);
	allow_output(r, o->get);
	allow_output(r, o->keeper_save);
	for (size_t i = 0; i < o->templates.n; i++)
		allow_template(r, o->templates.v[i]);
}

/* Creates the cache folder now: afterwards nothing can be created outside the allowed folders. */
void privdrop_cache(struct landlock *r, const struct report_options *o)
{
	char path[KEEPER_CACHE_PATH];
	const char *folder = o->keeper_cache;
	struct keeper_cache c;

	if (!folder)
		folder = keeper_cache_default(path) ? path : "";
	if (!*folder || keeper_cache_open(&c, folder, !o->offline, NULL))
		return;
	keeper_cache_close(&c);
	landlock_folder(r, folder);
}

void privdrop_begin(struct landlock *r)
{
	tzset(); /* reads /etc/localtime, which is out of reach afterwards */
	tmpfile_reserve();
	landlock_begin(r, LANDLOCK_ALL);
}

void privdrop_end(struct landlock *r)
{
#ifdef __SANITIZE_ADDRESS__
	landlock_read(r, "/proc"); /* the leak checker lists threads there */
#endif
	landlock_end(r);
	seccomp_enter(SECCOMP_FILES);
}

void privdrop_reading(const void *options)
{
	struct landlock r;

	tzset(); /* the same */
	landlock_begin(&r, LANDLOCK_ALL);
	privdrop_inputs(&r, options);
	privdrop_end(&r);
}

void privdrop(const struct report_options *o)
{
	struct landlock r;

	privdrop_begin(&r);
	privdrop_inputs(&r, o);
	privdrop_outputs(&r, o);
	if (o->mode == REPORT_RECORDINGS || o->mode == REPORT_COMPARE || o->mode == REPORT_WATCH)
		privdrop_cache(&r, o);
	privdrop_end(&r);
}
