/* s3_xml: reads the XML answers of stores and of STS, element by element. */
#include "report/aws_keys/s3_xml.h"

#include <errno.h>
#include <expat.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "core/base/buf.h"

#define DEPTH_MAX 16
#define NAMES_MAX ((size_t)512)
#define TEXT_MAX  ((size_t)32 << 10)

struct walk {
	XML_Parser parser;
	s3_xml_text *each;
	void *ctx;
	struct err *e;
	struct buf path, text;
	size_t ends[DEPTH_MAX]; /* the length of the path before each open element */
	int depth;
	bool leaf;    /* no element began in the open one */
	bool stopped; /* with a sentence in *e */
};

static void stop_walk(struct walk *w)
{
	w->stopped = true;
	XML_StopParser(w->parser, XML_FALSE);
}

/* expat may still call back after it was stopped. */
static void XMLCALL on_element_start(void *ctx, const XML_Char *name, const XML_Char **attributes)
{
	struct walk *w = ctx;
	const char *colon = strchr(name, ':');

	(void)attributes;
	if (w->stopped)
		return;
	if (w->depth == DEPTH_MAX) {
		err_set(w->e, "the answer's XML is nested more than %d deep", DEPTH_MAX);
		stop_walk(w);
		return;
	}
	w->ends[w->depth++] = w->path.len;
	if (w->path.len)
		buf_char(&w->path, '/');
	buf_str(&w->path, colon ? colon + 1 : name);
	buf_clear(&w->text);
	w->leaf = true;
	if (w->path.failed) {
		err_set(w->e, "the answer's XML has a name that is too long");
		stop_walk(w);
	}
}

static void XMLCALL on_element_end(void *ctx, const XML_Char *name)
{
	struct walk *w = ctx;

	(void)name;
	if (w->stopped)
		return;
	if (w->each(w->ctx, buf_cstr(&w->path), w->leaf ? buf_cstr(&w->text) : "", w->e)) {
		stop_walk(w);
		return;
	}
	w->path.len = w->ends[--w->depth];
	w->path.s[w->path.len] = '\0';
	w->leaf = false;
	buf_clear(&w->text);
}

static void XMLCALL on_text(void *ctx, const XML_Char *s, int n)
{
	struct walk *w = ctx;

	if (w->stopped || !w->leaf)
		return;
	buf_add(&w->text, s, (size_t)n);
	if (w->text.failed) {
		err_set(w->e, "the answer's XML has a text of more than %zu KiB", TEXT_MAX >> 10);
		stop_walk(w);
	}
}

static void XMLCALL on_doctype(void *ctx, const XML_Char *name, const XML_Char *system,
                               const XML_Char *public, int internal)
{
	struct walk *w = ctx;

	(void)name;
	(void)system;
	(void)public;
	(void)internal;
	err_set(w->e, "the answer's XML has a document type, which is refused");
	stop_walk(w);
}

int s3_xml_walk(const char *xml, size_t n, s3_xml_text *each, void *ctx, struct err *e)
{
	struct walk w = {
	    .each = each, .ctx = ctx, .e = e, .path.max = NAMES_MAX, .text.max = TEXT_MAX + 1};
	int rc = -1;

	if (n == 0)
		return err_set(e, "the answer is empty");
	if (n > INT_MAX)
		return err_set(e, "the answer is too large");
	/* Only UTF-8, whatever the document says of itself. */
	w.parser = XML_ParserCreate("UTF-8");
	if (!w.parser)
		return err_set(e, "%s", strerror(ENOMEM));
	XML_SetUserData(w.parser, &w);
	XML_SetElementHandler(w.parser, on_element_start, on_element_end);
	XML_SetCharacterDataHandler(w.parser, on_text);
	XML_SetStartDoctypeDeclHandler(w.parser, on_doctype);
	if (XML_Parse(w.parser, xml, (int)n, XML_TRUE) == XML_STATUS_OK)
		rc = 0;
	else if (!w.stopped && XML_GetErrorCode(w.parser) == XML_ERROR_NO_MEMORY)
		err_set(e, "%s", strerror(ENOMEM));
	else if (!w.stopped)
		err_set(e, "the answer is not valid XML (byte %ld)",
		        (long)XML_GetCurrentByteIndex(w.parser));
	XML_ParserFree(w.parser);
	buf_free(&w.path);
	if (w.text.s) /* STS answers with keys */
		explicit_bzero(w.text.s, w.text.cap);
	buf_free(&w.text);
	return rc;
}
