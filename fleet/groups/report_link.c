/* report_link: the address of a recording's report, if it lies beside the recording. */
#include "fleet/groups/report_link.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fleet/catalog/catalog_row.h"
#include "report/input/input.h"

#define PARTS_MAX 256 /* folders of a path */

/* The parts of an absolute path, without "." and with ".." resolved by name, as a browser does. */
struct path_parts {
	const char *at[PARTS_MAX];
	size_t length[PARTS_MAX], n;
};

static bool add_path(struct path_parts *p, const char *path)
{
	while (*path) {
		size_t length = strcspn(path, "/");
		if (length == 2 && strncmp(path, "..", 2) == 0)
			p->n -= p->n > 0;
		else if (length && !(length == 1 && *path == '.')) {
			if (p->n == PARTS_MAX)
				return false;
			p->at[p->n] = path;
			p->length[p->n++] = length;
		}
		path += length + (path[length] == '/');
	}
	return true;
}

static bool is_same_part(const struct path_parts *a, const struct path_parts *b, size_t i)
{
	return a->length[i] == b->length[i] && memcmp(a->at[i], b->at[i], a->length[i]) == 0;
}

/* RFC 3986: what is not unreserved is encoded; so no part can be read as a scheme or a query. */
static void add_percent_encoded(struct buf *out, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
		if (letter || (c >= '0' && c <= '9') || strchr("-._~", c))
			buf_char(out, (char)c);
		else
			buf_printf(out, "%%%02X", c);
	}
}

static bool drop_end(struct buf *path, const char *end)
{
	size_t n = strlen(end);

	if (path->len <= n || strcmp(path->s + path->len - n, end) != 0)
		return false;
	path->len -= n;
	path->s[path->len] = '\0';
	return true;
}

/* The folder of the page, absolute, with a slash. */
static bool page_folder(const char *page, struct buf *out)
{
	const char *slash = strrchr(page, '/');
	char here[PATH_MAX];

	if (*page != '/') {
		if (!getcwd(here, sizeof here))
			return false;
		buf_printf(out, "%s/", here);
	}
	buf_add(out, page, slash ? (size_t)(slash + 1 - page) : 0);
	return !out->failed;
}

static void add_relative(struct buf *out, const struct path_parts *from,
                         const struct path_parts *to)
{
	size_t same = 0;

	while (same < from->n && same + 1 < to->n && is_same_part(from, to, same))
		same++;
	for (size_t i = same; i < from->n; i++)
		buf_str(out, "../");
	for (size_t i = same; i < to->n; i++) {
		add_percent_encoded(out, to->at[i], to->length[i]);
		buf_str(out, i + 1 < to->n ? "/" : "");
	}
}

void report_link(const char *source, const char *page, struct buf *out)
{
	struct buf report = {.max = PATH_MAX}, folder = {.max = PATH_MAX};
	struct path_parts from = {.n = 0}, to = {.n = 0};
	size_t before = out->len;
	struct stat st;

	if (!source || *source != '/' || !page || strcmp(page, "-") == 0)
		return;
	buf_add(&report, source, catalog_source_file(source));
	/* Or the run is known from its report. */
	if (!report.failed && (drop_end(&report, ".json.gz") || drop_end(&report, ".json")))
		buf_str(&report, ".html");
	else if (input_kind_of(source) != INPUT_PAGE)
		report.failed = true;
	if (!report.failed && stat(buf_cstr(&report), &st) == 0 && S_ISREG(st.st_mode) &&
	    page_folder(page, &folder) && add_path(&from, buf_cstr(&folder)) &&
	    add_path(&to, buf_cstr(&report)))
		add_relative(out, &from, &to);
	if (out->len - before > REPORT_LINK_MAX) {
		out->len = before;
		out->s[before] = '\0';
	}
	buf_free(&report);
	buf_free(&folder);
}
