/* confine: what the options ask for is left to this process, and no more. */
#include "confine.h"

#include <string.h>
#include <time.h>

#include "../core/nameless.h"
#include "face.h"
#include "keeper_cache.h"
#include "reach.h"
#include "sandbox.h"

static void read_inputs(struct reach *r, const struct options *o)
{
	if (o->model)
		reach_read(r, o->model);
	if (o->current)
		reach_read(r, o->current);
	for (int i = 0; i < o->n_files; i++)
		reach_read(r, o->files[i]);
}

static void write_output(struct reach *r, const char *path)
{
	if (path && strcmp(path, "-") != 0)
		reach_write(r, path);
}

static void use_template(struct reach *r, const char *spec)
{
	struct buf template = {0};
	const char *path;

	if (face_template(spec, &template, &path) == 0) {
		write_output(r, path);
		if (*buf_cstr(&template) != '@')
			reach_read(r, buf_cstr(&template));
	}
	buf_free(&template);
}

static void write_outputs(struct reach *r, const struct options *o)
{
	for (size_t i = 0; i < FACES; i++)
		write_output(r, options_face(o, &faces[i]));
	write_output(r, o->csv);
	for (size_t i = 0; i < o->templates.n; i++)
		use_template(r, o->templates.v[i]);
}

/* It is made now: later nothing beside it can be. */
static void keep_answers(struct reach *r, const struct options *o)
{
	char path[KEEPER_CACHE_PATH];
	const char *folder = o->keeper_cache;
	struct keeper_cache c;

	if (o->model)
		return;
	if (!folder)
		folder = keeper_cache_default(path) ? path : "";
	if (!*folder || keeper_cache_open(&c, folder, !o->offline, NULL))
		return;
	keeper_cache_close(&c);
	reach_folder(r, folder);
}

static void limit_files(const struct options *o)
{
	struct reach r;

	reach_begin(&r, REACH_ALL);
	read_inputs(&r, o);
	write_outputs(&r, o);
	keep_answers(&r, o);
#ifdef __SANITIZE_ADDRESS__
	reach_read(&r, "/proc"); /* where it looks for threads */
#endif
	reach_end(&r);
}

void confine(const struct options *o)
{
	tzset(); /* the C library reads a file for it */
	nameless_reserve();
	limit_files(o);
	sandbox_enter(SANDBOX_FILES);
}
