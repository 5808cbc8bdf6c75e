/* fleet_source: the names of what the runs of a fleet are from. */
#include "fleet/options/fleet_source.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/shell_word.h"
#include "core/base/standard_input.h"
#include "report/units/units.h"

#define SHOWN 3 /* SOURCEs that are named */

static bool is_url(const char *path)
{
	return strstr(path, "://");
}

/* Adds names of a path that does not exist to the folder that does; "..", which cannot be looked
 * up there, removes one. */
static int add_names(char out[FLEET_SOURCE_MAX], const char *names)
{
	for (size_t n; *names; names += n) {
		size_t len = strlen(out);
		names += strspn(names, "/");
		n = strcspn(names, "/");
		if (n == 0 || (n == 1 && *names == '.'))
			continue;
		if (n == 2 && names[0] == '.' && names[1] == '.') {
			*(strrchr(out, '/') == out ? out + 1 : strrchr(out, '/')) = '\0';
			continue;
		}
		if (len + 1 + n >= FLEET_SOURCE_MAX)
			return -1;
		if (len > 1)
			out[len++] = '/';
		memcpy(out + len, names, n);
		out[len + n] = '\0';
	}
	return 0;
}

int fleet_source_path(const char *path, char out[FLEET_SOURCE_MAX], struct err *e)
{
	char folder[FLEET_SOURCE_MAX];
	size_t n = strlen(path);

	if (n >= FLEET_SOURCE_MAX)
		return err_set(e, "%.64s…: the path is too long", path);
	if (is_url(path)) {
		memcpy(out, path, n + 1);
		if (path[n - 1] == '/')
			out[n - 1] = '\0'; /* s3://b/runs/ is what is below s3://b/runs */
		return 0;
	}
	memcpy(folder, path, n + 1);
	while (n && !realpath(folder, out)) {
		while (n && folder[n - 1] == '/')
			n--;
		while (n && folder[n - 1] != '/')
			n--;
		folder[n] = '\0';
	}
	if (!n && !realpath(*path == '/' ? "/" : ".", out))
		return err_set(e, "%s: the working directory is gone", path);
	if (add_names(out, path + n))
		return err_set(e, "%.64s…: the path is too long", path);
	return 0;
}

/* Without what may be a secret in an address. */
static void place_text(const char *place, struct buf *out)
{
	size_t before = out->len;

	buf_str(out, place);
	if (out->len > before) {
		err_hide_passwords(out->s + before);
		out->len = before + strlen(out->s + before);
	}
}

void fleet_source_text(const char *catalog, const struct input *input, size_t n, double recordings,
                       struct buf *out)
{
	char count[UNITS_SIZE];

	if (catalog) {
		buf_str(out, "the catalog ");
		place_text(catalog, out);
		return;
	}
	buf_printf(out, "%s recording%s in ", units_count(recordings, count),
	           recordings == 1 ? "" : "s");
	for (size_t i = 0; i < n && i < SHOWN; i++) {
		buf_str(out, i ? ", " : "");
		place_text(standard_input_name(input[i].name), out);
	}
	if (n > SHOWN)
		buf_printf(out, " and %s more", units_count((double)(n - SHOWN), count));
}

/* -- words of a command line ------------------------------------------------------------------- */

#define QUOTED_MAX ((size_t)512)

bool fleet_source_quote(const char *text, struct buf *out)
{
	if (strlen(text) > QUOTED_MAX || !shell_word_is_visible(text))
		return false;
	shell_word_add(out, text);
	return true;
}

void fleet_source_words(const char *catalog, const struct input *input, size_t n, struct buf *out)
{
	size_t before = out->len;
	bool whole = n <= SHOWN;

	if (catalog) {
		buf_str(out, "--catalog ");
		if (is_url(catalog) || !fleet_source_quote(catalog, out))
			buf_str(out, "DATABASE");
		return;
	}
	for (size_t i = 0; i < n && whole; i++) {
		buf_str(out, i ? " " : "");
		whole = !is_url(input[i].name) && strcmp(input[i].name, "-") != 0 &&
		        fleet_source_quote(input[i].name, out);
	}
	if (whole)
		return;
	out->len = before;
	buf_str(out, "SOURCE...");
}
