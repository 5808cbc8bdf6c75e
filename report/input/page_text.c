/* page_text: finds what a page of rtrack-report carries in its HTML. */
#include "report/input/page_text.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "core/base/program_name.h"

#define GENERATOR "name=\"generator\" content=\""

#define TAG_MAX ((size_t)1024) /* bytes of a tag that rtrack-report wrote */

static struct page_text text_behind(struct page_text page, const char *at)
{
	return (struct page_text){at, page.n - (size_t)(at - page.s)};
}

static const char *find_marker(struct page_text page, const char *marker)
{
	return page.s ? memmem(page.s, page.n, marker, strlen(marker)) : NULL;
}

/* -- what it is -------------------------------------------------------------------------------- */

bool page_text_is_html(struct page_text page)
{
	static const char bom[] = "\xef\xbb\xbf", begin[] = "<!doctype html";
	size_t n = sizeof begin - 1;

	if (page.n >= sizeof bom - 1 && memcmp(page.s, bom, sizeof bom - 1) == 0)
		page = text_behind(page, page.s + sizeof bom - 1);
	while (page.n && isspace((unsigned char)*page.s))
		page = text_behind(page, page.s + 1);
	return page.n > n && strncasecmp(page.s, begin, n) == 0;
}

bool page_text_is_ours(struct page_text page)
{
	if (page.n > PAGE_TEXT_HEAD)
		page.n = PAGE_TEXT_HEAD;
	return page_text_is_html(page) && (find_marker(page, GENERATOR PROGRAM_NAME_REPORT " ") ||
	                                   find_marker(page, GENERATOR PROGRAM_NAME_FLEET " "));
}

/* -- elements ---------------------------------------------------------------------------------- */

/* The text between the next `begin` and `end`; *page is moved after it. */
static bool take_between(struct page_text *page, const char *begin, const char *end,
                         struct page_text *out)
{
	const char *from = find_marker(*page, begin), *to;

	if (!from)
		return false;
	*out = text_behind(*page, from + strlen(begin));
	to = find_marker(*out, end);
	if (!to)
		return false;
	out->n = (size_t)(to - out->s);
	*page = text_behind(*page, to + strlen(end));
	return true;
}

/* Whether a tag has this attribute with this value. */
static bool tag_has(struct page_text tag, const char *attribute, const char *value)
{
	size_t n = strlen(attribute), m = strlen(value);
	const char *at;

	if (tag.n > TAG_MAX)
		return false;
	while ((at = find_marker(tag, attribute))) {
		bool begins = at > tag.s && isspace((unsigned char)at[-1]);
		tag = text_behind(tag, at + n);
		if (begins && tag.n >= m + 3 && tag.s[0] == '=' &&
		    (tag.s[1] == '"' || tag.s[1] == '\'') && tag.s[m + 2] == tag.s[1] &&
		    memcmp(tag.s + 2, value, m) == 0)
			return true;
	}
	return false;
}

struct page_text page_text_by_id(struct page_text page, const char *id)
{
	struct page_text tag, content;

	while (take_between(&page, "<script", ">", &tag) &&
	       take_between(&page, "", "</script>", &content))
		if (tag_has(tag, "id", id))
			return content;
	return (struct page_text){NULL, 0};
}
