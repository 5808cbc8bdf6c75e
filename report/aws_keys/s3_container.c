/* s3_container: keys from the service that a container's platform runs. */
#include "report/aws_keys/s3_container.h"

#include <string.h>

#include "report/aws_keys/s3_ask.h"
#include "report/aws_keys/s3_profile.h"
#include "report/aws_keys/s3_url.h"
#include "report/aws_keys/s3_web_identity.h"
#include "report/aws_keys/s3_wipe.h"

#define TRY_MS 2000
#define TRIES  3

static const char relative_name[] = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
		  full_name[] = "AWS_CONTAINER_CREDENTIALS_FULL_URI",
		  token_file_name[] = "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE";

bool s3_container_is_set(void)
{
	return s3_profile_env(relative_name) || s3_profile_env(full_name);
}

static bool is_aws_service(const struct s3_url *u)
{
	/* ECS; EKS, with both kinds of addresses. */
	static const char *const hosts[] = {"169.254.170.2", "169.254.170.23", "fd00:ec2::23"};

	for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
		if (strcmp(u->host, hosts[i]) == 0)
			return true;
	return s3_url_is_loopback(u);
}

int s3_container_url(const char *relative, const char *full, struct buf *url, struct err *e)
{
	size_t before = url->len;
	struct s3_url u;

	if (relative && *relative != '/')
		return err_set(e, "%s does not begin with '/'", relative_name);
	if (relative)
		buf_printf(url, "http://169.254.170.2%s", relative);
	else
		buf_str(url, full);
	if (s3_url_parse(&u, buf_cstr(url) + before, e))
		return err_wrap(e, "%s", relative ? relative_name : full_name);
	if (!u.https && !is_aws_service(&u))
		return err_set(e,
		               "%s: http:// is only allowed to this machine itself, 169.254.170.2, "
		               "169.254.170.23 and [fd00:ec2::23]",
		               full_name);
	return 0;
}

static int add_authorization(struct buf *header, const char *token, struct err *e)
{
	static const char name[] = "Authorization: ";
	const char *file = s3_profile_env(token_file_name);
	struct buf text = {0};
	int rc = 0;

	if (file)
		rc = s3_web_identity_token(file, &text, e);
	else if (token)
		buf_str(&text, token);
	if (rc)
		err_wrap(e, "%s", token_file_name);
	else if (text.len && strpbrk(text.s, "\r\n"))
		rc = err_set(e, "AWS_CONTAINER_AUTHORIZATION_TOKEN has a newline");
	else if (text.len)
		buf_printf(header, "%s%s", name, text.s);
	s3_wipe_buf(&text);
	return rc;
}

int s3_container_get(const char *token, struct s3_keys *k, struct err *e)
{
	struct buf url = {0}, header = {0}, body = {0};
	struct s3_ask q = {.method = "GET", .try_ms = TRY_MS, .tries = TRIES};
	long status;
	int rc = -1;

	if (s3_container_url(s3_profile_env(relative_name), s3_profile_env(full_name), &url, e) ||
	    add_authorization(&header, token, e))
		goto out;
	q.url = buf_cstr(&url);
	q.headers[0] = header.s;
	if (!s3_ask(&q, &body, &status, e))
		rc = s3_keys_read_json(k, buf_cstr(&body), body.len, e);
	if (rc)
		err_wrap(e, "the container's credentials service");
out:
	buf_free(&url);
	s3_wipe_buf(&header);
	s3_wipe_buf(&body);
	return rc;
}
