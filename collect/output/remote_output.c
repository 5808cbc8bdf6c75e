/* remote_output: an output to an address. */
#include "collect/output/remote_output.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/shell_word.h"

#define S3       "s3://"
#define HTTPS    "https://"
#define BUCKET   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._"
#define KEY_MAX  990 /* bytes: S3 allows 1,024, and the names of pieces need the rest */
#define NAME_CUT 200 /* bytes of a local name: the journal's has a suffix */

enum remote_output_kind remote_output_kind_of(const char *output)
{
	if (strncmp(output, S3, strlen(S3)) == 0)
		return REMOTE_OUTPUT_S3;
	return strncmp(output, HTTPS, strlen(HTTPS)) == 0 ? REMOTE_OUTPUT_HTTPS
	                                                  : REMOTE_OUTPUT_NONE;
}

int remote_output_check(const char *output, struct err *e)
{
	size_t n = strcspn(output, ":/");

	if (remote_output_kind_of(output) != REMOTE_OUTPUT_NONE || n == 0 ||
	    strncmp(output + n, "://", 3) != 0)
		return 0;
	return err_set(e, "--output: an output may be a file, s3:// or https://, not %.*s://",
	               (int)(n < 20 ? n : 20), output);
}

static bool is_writable(const char *folder)
{
	return faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0;
}

int remote_output_open(struct remote_output *r, const char *output, struct err *e)
{
	const char *temporary = getenv("TMPDIR");

	*r = (struct remote_output){.kind = output ? remote_output_kind_of(output) : 0};
	if (r->kind == REMOTE_OUTPUT_NONE || is_writable("."))
		return 0;
	if (!temporary || !*temporary || !is_writable(temporary))
		temporary = "/tmp";
	if (!is_writable(temporary))
		return err_set(e, "neither this folder nor /tmp is writable: the recording is "
		                  "written to disk before it is uploaded");
	if (snprintf(r->folder, sizeof r->folder, "%s/", temporary) >= (int)sizeof r->folder)
		return err_set(e, "$TMPDIR: the name is too long");
	return 0;
}

/* -- names ------------------------------------------------------------------------------------- */

static int check_s3(const char *address, struct err *e)
{
	const char *bucket = address + strlen(S3), *slash = strchr(bucket, '/');
	size_t n = strcspn(bucket, "/");

	if (n == 0)
		return err_set(e, "%s: the name of a bucket is missing", address);
	/* Not shown: some tools take s3://KEY:SECRET@BUCKET. */
	if (strspn(bucket, BUCKET) < n)
		return err_set(e, "--output: s3://BUCKET/KEY: the name of a bucket has only "
		                  "letters, digits, '-', '.' and '_'");
	if (slash && strlen(slash + 1) > KEY_MAX)
		return err_set(e, "%s: the key is longer than %d bytes", address, KEY_MAX);
	for (const char *p = address; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 127)
			return err_set(e, "%s: a key with control characters", address);
	return 0;
}

static int check_https(const char *address, struct err *e)
{
	for (const char *p = address; *p; p++)
		if ((unsigned char)*p <= ' ' || *p == 127)
			return err_set(e, "--output: the address has a blank or a control "
			                  "character");
	/* Not shown: a password with '#' or '?' would not look like one. */
	if (address[strlen(HTTPS) + strcspn(address + strlen(HTTPS), "/?#")] != '/')
		return err_set(e, "--output: an https:// address has a path: https://HOST/PATH");
	return strlen(address) < PATH_MAX ? 0 : err_set(e, "--output: the address is too long");
}

/* Appends the default name to a bucket or a folder. */
static int complete_pattern(const char *output, struct buf *out, struct err *e)
{
	const char *slash = strchr(output + strlen(S3), '/');

	buf_str(out, output);
	if (!slash)
		buf_char(out, '/');
	if (!slash || output[strlen(output) - 1] == '/')
		buf_str(out, SNAPSHOT_FILE_DEFAULT);
	return out->failed ? err_set(e, "--output: no memory for the name") : 0;
}

static int set_address(struct remote_output *r, const char *output,
                       const struct snapshot_file_values *v, struct snapshot_file *file,
                       struct err *e)
{
	struct buf pattern = {0};
	int failed;

	if (r->kind == REMOTE_OUTPUT_HTTPS) {
		if (check_https(output, e))
			return -1;
		memcpy(r->address, output, strlen(output) + 1);
		return 0;
	}
	if (!v) {
		const char *slash = strrchr(output + strlen(S3), '/');
		if (!slash || !slash[1] || strlen(output) >= sizeof r->address)
			return err_set(e, "%s: the key of the recording is needed", output);
		memcpy(r->address, output, strlen(output) + 1);
		return check_s3(r->address, e);
	}
	failed = check_s3(output, e) || complete_pattern(output, &pattern, e) ||
	         snapshot_file_name(file, buf_cstr(&pattern), v, e) || check_s3(file->path, e);
	if (!failed)
		memcpy(r->address, file->path, sizeof r->address);
	buf_free(&pattern);
	return failed ? -1 : 0;
}

/* The last segment of the address, as the name of a file. */
static void local_name(const struct remote_output *r, char out[NAME_CUT + 1])
{
	size_t path = strcspn(r->address, r->kind == REMOTE_OUTPUT_HTTPS ? "?#" : "");
	size_t begin = path;
	size_t n;

	while (begin > 0 && r->address[begin - 1] != '/')
		begin--;
	n = path - begin;
	if (n > NAME_CUT)
		for (n = NAME_CUT; n > 0 && ((unsigned char)r->address[begin + n] & 0xc0) == 0x80;)
			n--;
	memcpy(out, r->address + begin, n);
	out[n] = '\0';
	if (strspn(out, ".") == n)
		snprintf(out, NAME_CUT + 1, "rtrack.json.gz");
}

int remote_output_name(struct remote_output *r, const char *output,
                       const struct snapshot_file_values *v, struct snapshot_file *file,
                       struct err *e)
{
	char name[NAME_CUT + 1];

	if (set_address(r, output, v, file, e))
		return -1;
	local_name(r, name);
	if (snprintf(r->local, sizeof r->local, "%s%s", r->folder, name) >= (int)sizeof r->local)
		return err_set(e, "%s%s: the name is too long", r->folder, name);
	return snapshot_file_free_name(file, r->local, e);
}

/* -- words ------------------------------------------------------------------------------------- */

void remote_output_show(const struct remote_output *r, struct buf *out)
{
	const char *from = r->address;
	size_t host;

	if (r->kind != REMOTE_OUTPUT_HTTPS) {
		buf_str(out, r->address);
		return;
	}
	from += strlen(HTTPS);
	for (host = strcspn(from, "/?#"); host > 0 && from[host - 1] != '@';)
		host--;
	buf_str(out, host ? HTTPS "***@" : HTTPS);
	buf_add(out, from + host, strcspn(from + host, "?#"));
}

void remote_output_recover(const struct remote_output *r, struct buf *out)
{
	buf_str(out, "rtrack-collect --recover ");
	shell_word_add(out, r->address);
}

void remote_output_command(const struct remote_output *r, const char *file, struct buf *out)
{
	buf_str(out, "rtrack-report --put ");
	shell_word_add(out, file);
	buf_char(out, ' ');
	if (r->kind == REMOTE_OUTPUT_HTTPS)
		buf_str(out, "ADDRESS (the one of --output)");
	else
		shell_word_add(out, r->address);
}
