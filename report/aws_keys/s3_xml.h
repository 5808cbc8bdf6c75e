/*
 * s3_xml: reads the XML answers of stores and of STS, element by element; the one door to libexpat.
 *
 * Answers come over the network, so everything is bounded: 16 levels, 32 KiB of text in an element.
 * A document type, and with it every entity but XML's own five, is refused.
 */
#ifndef REPORT_AWS_KEYS_S3_XML_H
#define REPORT_AWS_KEYS_S3_XML_H

#include <stddef.h>

#include "core/base/err.h"

/* Called at the end of each element. path: the names from the root on, without their prefixes:
 * "ListBucketResult/Contents/Key". text: of an element without others in it; else "", so that
 * "ListBucketResult/Contents" says that all of it has come. Both are valid until it returns. A
 * value other than 0 ends the walk, which returns -1 then, with *e as the function set it. */
typedef int s3_xml_text(void *ctx, const char *path, const char *text, struct err *e);

/* 0, or -1 with a sentence: "the answer is not valid XML (byte N)". Text is UTF-8 without NULs. */
int s3_xml_walk(const char *xml, size_t n, s3_xml_text *each, void *ctx, struct err *e);

#endif
