/* s3_web_identity: the keys of a role, from STS, for a token in a file. */
#include "report/aws_keys/s3_web_identity.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "report/aws_keys/s3_ask.h"
#include "report/aws_keys/s3_endpoint.h"
#include "report/aws_keys/s3_file.h"
#include "report/aws_keys/s3_setting.h"
#include "report/aws_keys/s3_wipe.h"
#include "report/input/store_address.h"

#define TOKEN_FILE_MAX ((size_t)64 << 10)
#define TRY_MS         5000
#define TRIES          3

int s3_web_identity_token(const char *path, struct buf *out, struct err *e)
{
	bool absent;

	if (s3_file_read(path, TOKEN_FILE_MAX, out, &absent, e))
		return -1;
	if (absent)
		return err_set(e, "%s: there is no such file", path);
	while (out->len && memchr(" \t\r\n", out->s[out->len - 1], 4))
		out->s[--out->len] = '\0';
	if (!out->len)
		return err_set(e, "%s: the file is empty", path);
	for (size_t i = 0; i < out->len; i++)
		if (out->s[i] < ' ' || out->s[i] >= 0x7f)
			return err_set(e, "%s: byte %zu cannot be part of a token", path, i);
	return 0;
}

static int add_endpoint(struct buf *url, const struct s3_profile *p, struct err *e)
{
	char region[S3_SETTING_REGION_MAX];
	struct s3_url u;
	bool found;

	if (s3_setting_endpoint(p, "AWS_ENDPOINT_URL_STS", S3_PROFILE_STS_ENDPOINT, &u, &found,
	                        e) ||
	    (!found && s3_setting_region(p, true, region, e)))
		return -1;
	if (found)
		buf_printf(url, "%s/", u.base);
	else
		buf_printf(url, "https://sts.%s.%s/", region, s3_endpoint_suffix(region));
	return 0;
}

static void add_field(struct buf *form, const char *name, const char *value)
{
	buf_printf(form, "&%s=", name);
	store_address_encode(form, value);
}

static int add_form(struct buf *form, const struct s3_web_identity *w, double now, struct err *e)
{
	struct buf token = {0};
	char session[64];
	int rc = s3_web_identity_token(w->token_file, &token, e);

	snprintf(session, sizeof session, "rtrack-report-%.0f", now);
	buf_str(form, "Action=AssumeRoleWithWebIdentity&Version=2011-06-15");
	add_field(form, "RoleArn", w->role);
	add_field(form, "RoleSessionName", w->session ? w->session : session);
	add_field(form, "WebIdentityToken", buf_cstr(&token));
	s3_wipe_buf(&token);
	return rc;
}

int s3_web_identity_get(const struct s3_web_identity *w, const struct s3_profile *p, double now,
                        struct s3_keys *k, struct err *e)
{
	struct buf url = {0}, form = {0}, body = {0};
	struct s3_ask q = {
	    .method = "POST",
	    .headers = {"Content-Type: application/x-www-form-urlencoded", "Accept: text/xml"},
	    .try_ms = TRY_MS,
	    .tries = TRIES};
	char ca[PATH_MAX];
	long status;
	int rc = -1;

	if (add_endpoint(&url, p, e) || s3_setting_ca(p, ca, e))
		goto out;
	q.ca_file = *ca ? ca : NULL;
	if (add_form(&form, w, now, e))
		goto failed;
	q.url = buf_cstr(&url);
	q.sent = buf_cstr(&form);
	if (url.failed || form.failed)
		err_set(e, "%s", strerror(ENOMEM));
	else if (!s3_ask(&q, &body, &status, e))
		rc = s3_keys_read_sts(k, buf_cstr(&body), body.len, e);
failed:
	if (rc)
		err_wrap(e, "AssumeRoleWithWebIdentity of the role %.300s", w->role);
out:
	buf_free(&url);
	s3_wipe_buf(&form);
	s3_wipe_buf(&body);
	return rc;
}
