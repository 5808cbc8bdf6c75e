/* overwrite: refuses outputs that would destroy an input or a recording. */
#include "report/options/overwrite.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/alloc_failed.h"
#include "core/files/snapshot_read.h"
#include "report/input/store_address.h"
#include "report/render/output_formats.h"

struct target {
	const char *path;
	const char *name; /* its name in its folder if it does not exist yet, else ""; an address */
	dev_t device;     /* of the file, or of its folder if it does not exist yet; else 0 */
	ino_t inode;
};

struct targets {
	struct target v[REPORT_OPTIONS_OUTPUTS_MAX];
	size_t n;
};

/* A file that does not exist yet is identified by its folder and its name. */
static bool identify_new_file(struct target *t)
{
	const char *slash = strrchr(t->path, '/');
	char folder[PATH_MAX];
	struct stat st;
	int n = slash ? (int)(slash - t->path) + 1 : 1;

	if (n >= PATH_MAX)
		return false;
	snprintf(folder, sizeof folder, "%.*s", n, slash ? t->path : ".");
	if (stat(folder, &st))
		return false;
	t->name = slash ? slash + 1 : t->path;
	t->device = st.st_dev;
	t->inode = st.st_ino;
	return true;
}

static bool identify_target(struct target *t, const char *path)
{
	struct stat st;

	*t = (struct target){.path = path, .name = ""};
	if (strcmp(path, "-") == 0)
		return false;
	if (store_kind_of(path) != STORE_NONE) {
		t->name = path;
		return true;
	}
	if (stat(path, &st))
		return identify_new_file(t);
	t->device = st.st_dev;
	t->inode = st.st_ino;
	return S_ISREG(st.st_mode);
}

static bool is_same_file(const struct target *a, const struct target *b)
{
	return a->inode == b->inode && a->device == b->device && strcmp(a->name, b->name) == 0;
}

static int find_targets(struct targets *all, const struct report_options *o, struct err *e)
{
	const char *paths[REPORT_OPTIONS_OUTPUTS_MAX];
	char one[STORE_SHOWN_MAX], two[STORE_SHOWN_MAX];
	size_t n = report_options_outputs(o, paths);

	for (size_t i = 0; i < n; i++) {
		struct target *t = &all->v[all->n];
		if (!identify_target(t, paths[i]))
			continue;
		for (size_t k = 0; k < all->n; k++)
			if (is_same_file(t, &all->v[k]))
				return err_set(e, "two outputs go to the same file: %s and %s",
				               store_address_shown(all->v[k].path, one),
				               store_address_shown(t->path, two));
		all->n++;
	}
	return 0;
}

static int spare_input(const struct targets *all, const char *path, struct err *e)
{
	char shown[STORE_SHOWN_MAX];
	struct target input;

	if (!path || !identify_target(&input, path))
		return 0;
	for (size_t i = 0; i < all->n; i++)
		if (is_same_file(&input, &all->v[i]))
			return err_set(e,
			               "%s: an output may not overwrite an input (give the output "
			               "another file name)",
			               store_address_shown(all->v[i].path, shown));
	return 0;
}

static int spare_template(const struct targets *all, const char *spec, struct err *e)
{
	struct buf name = {0};
	const char *file;
	int failed = 0;

	if (output_format_template(spec, &name, &file) == 0 && *buf_cstr(&name) != '@')
		failed = spare_input(all, buf_cstr(&name), e);
	buf_free(&name);
	return failed;
}

static int spare_inputs(const struct targets *all, const struct report_options *o, struct err *e)
{
	if (spare_input(all, o->model.name, e) || spare_input(all, o->current.name, e))
		return -1;
	for (size_t i = 0; i < o->n_inputs; i++)
		if (spare_input(all, o->input[i].name, e))
			return -1;
	for (size_t i = 0; i < o->templates.n; i++)
		if (spare_template(all, o->templates.v[i], e))
			return -1;
	return 0;
}

/* A catalog, or a file beside one from which SQLite would restore it (its file formats:
 * sqlite.org/fileformat2.html). */
static bool is_database(const char *path)
{
	static const char *const begins[] = {"SQLite format 3", "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7",
	                                     "\x37\x7f\x06\x82", "\x37\x7f\x06\x83"};
	char head[16];
	struct stat st;
	size_t n;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	n = input_beginning(path, head, sizeof head);
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (n >= strlen(begins[i]) && memcmp(head, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

static int spare_databases(const struct targets *all, struct err *e)
{
	for (size_t i = 0; i < all->n; i++)
		if (!*all->v[i].name && is_database(all->v[i].path))
			return err_set(e,
			               "%s: an output may not overwrite a database (give the "
			               "output another file name)",
			               all->v[i].path);
	return 0;
}

static int spare_recordings(const struct targets *all, struct err *e)
{
	for (size_t i = 0; i < all->n; i++)
		if (!*all->v[i].name && snapshot_recognise(all->v[i].path))
			return err_set(
			    e,
			    "%s: an output may not overwrite a recording (give the output "
			    "another file name)",
			    all->v[i].path);
	return 0;
}

/* The name of the default page was not chosen by the user, who may have a file of that name. */
static int spare_other_page(const struct report_options *o, struct err *e)
{
	const char *page = o->file[FORMAT_HTML];
	struct stat st;

	if (!o->page_by_default || stat(page, &st) || S_ISDIR(st.st_mode))
		return 0;
	if (!S_ISREG(st.st_mode))
		return err_set(e, "%s: not a regular file: name the page with --output", page);
	if (!st.st_size || input_html_of(input_of(page)) >= INPUT_OUR_HTML)
		return 0;
	return err_set(e,
	               "%s: this is not a page of rtrack, so it is not overwritten: name the page "
	               "with --output",
	               page);
}

static int spare_files(const struct targets *all, const char *const *file, size_t n, struct err *e)
{
	for (size_t i = 0; i < n; i++)
		if (spare_input(all, file[i], e))
			return -1;
	return 0;
}

int overwrite_check(const struct report_options *o, const char *const *also, size_t n,
                    struct err *e)
{
	struct targets *all = alloc_failed_note(calloc(1, sizeof *all));
	int failed;

	if (!all)
		return err_set(e, "no memory");
	failed = find_targets(all, o, e) || spare_inputs(all, o, e) ||
	         spare_files(all, also, n, e) || spare_recordings(all, e) ||
	         spare_databases(all, e) || spare_other_page(o, e);
	free(all);
	return failed ? -1 : 0;
}

int overwrite_check_files(const struct report_options *o, const char *const *file, size_t n,
                          struct err *e)
{
	struct targets *all = alloc_failed_note(calloc(1, sizeof *all));
	int failed;

	if (!all)
		return err_set(e, "no memory");
	failed = find_targets(all, o, e) || spare_files(all, file, n, e);
	free(all);
	return failed ? -1 : 0;
}
