/* s3_parts: how a large object is divided, and the list of its parts that completes it. */
#include "report/store/s3_parts.h"

#include <stdio.h>
#include <string.h>

#include "report/aws_keys/s3_xml.h"

uint64_t s3_parts_size(uint64_t total)
{
	const uint64_t mib = (uint64_t)1 << 20;
	uint64_t least = total / S3_PARTS_MAX + 1;

	return least <= STORE_PART ? STORE_PART : (least + mib - 1) / mib * mib;
}

size_t s3_parts_count(uint64_t total)
{
	uint64_t size = s3_parts_size(total);

	return (size_t)((total + size - 1) / size);
}

static void add_xml_text(struct buf *out, const char *text)
{
	for (const char *p = text; *p; p++)
		switch (*p) {
		case '&':
			buf_str(out, "&amp;");
			break;
		case '<':
			buf_str(out, "&lt;");
			break;
		case '>':
			buf_str(out, "&gt;");
			break;
		default:
			buf_char(out, *p);
		}
}

void s3_parts_xml(struct buf *out, const char (*tags)[STORE_TAG_MAX], size_t n)
{
	buf_str(out, "<CompleteMultipartUpload>");
	for (size_t i = 0; i < n; i++) {
		buf_printf(out, "<Part><PartNumber>%zu</PartNumber><ETag>&quot;", i + 1);
		add_xml_text(out, tags[i]);
		buf_str(out, "&quot;</ETag></Part>");
	}
	buf_str(out, "</CompleteMultipartUpload>");
}

static int note_upload_id(void *ctx, const char *path, const char *text, struct err *e)
{
	char *id = ctx;

	(void)e;
	if (strcmp(path, "InitiateMultipartUploadResult/UploadId") == 0 &&
	    strlen(text) < S3_PARTS_ID_MAX)
		memcpy(id, text, strlen(text) + 1);
	return 0;
}

int s3_parts_upload_id(const char *xml, size_t n, char id[S3_PARTS_ID_MAX], struct err *e)
{
	id[0] = '\0';
	if (s3_xml_walk(xml, n, note_upload_id, id, e))
		return -1;
	return *id ? 0 : err_set(e, "the server gives no id for an upload in parts");
}

static int note_completed(void *ctx, const char *path, const char *text, struct err *e)
{
	struct s3_completed *c = ctx;

	(void)e;
	if (strcmp(path, "CompleteMultipartUploadResult") == 0)
		c->whole = true;
	else if (strcmp(path, "CompleteMultipartUploadResult/ETag") == 0)
		snprintf(c->etag, sizeof c->etag, "%s", text);
	else if (strcmp(path, "CompleteMultipartUploadResult/ChecksumCRC64NVME") == 0)
		snprintf(c->crc64, sizeof c->crc64, "%s", text);
	return 0;
}

void s3_parts_completed(const char *xml, size_t n, struct s3_completed *out)
{
	*out = (struct s3_completed){.etag = ""};
	/* What came before the XML breaks off is of use all the same. */
	if (n)
		s3_xml_walk(xml, n, note_completed, out, NULL);
}
