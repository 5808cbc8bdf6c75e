/* s3_instance: the keys of the role of an EC2 instance, from its metadata service. */
#include "report/aws_keys/s3_instance.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "report/aws_keys/s3_ask.h"
#include "report/aws_keys/s3_setting.h"
#include "report/aws_keys/s3_wipe.h"
#include "report/input/store_address.h"

#define TRY_MS   1000
#define TRIES    2
#define TOKEN    "X-aws-ec2-metadata-token"
#define ROLE_MAX 256

struct metadata {
	char base[512];
	struct buf token; /* as a header; secret */
};

bool s3_instance_is_allowed(void)
{
	const char *off = s3_profile_env("AWS_EC2_METADATA_DISABLED");

	return !off || strcasecmp(off, "true") != 0;
}

static int find_service(struct metadata *m, const struct s3_profile *p, struct err *e)
{
	struct s3_setting s = {.value = NULL};
	struct s3_url u;

	if (s3_setting_env(&s, "AWS_EC2_METADATA_SERVICE_ENDPOINT") ||
	    s3_setting_profile(&s, p, S3_PROFILE_METADATA)) {
		if (s3_url_parse(&u, s.value, e))
			return err_wrap(e, "%s", s.from);
		memcpy(m->base, u.base, sizeof m->base);
		return 0;
	}
	if (!s3_setting_env(&s, "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"))
		s3_setting_profile(&s, p, S3_PROFILE_METADATA_MODE);
	if (s.value && strcasecmp(s.value, "IPv4") != 0 && strcasecmp(s.value, "IPv6") != 0)
		return err_set(e, "%s is neither IPv4 nor IPv6", s.from);
	snprintf(m->base, sizeof m->base, "%s",
	         s.value && strcasecmp(s.value, "IPv6") == 0 ? "http://[fd00:ec2::254]"
	                                                     : "http://169.254.169.254");
	return 0;
}

static int ask_metadata(const struct metadata *m, const char *method, const char *path,
                        const char *header, struct buf *body, long *status, struct err *e)
{
	struct buf url = {0};
	struct s3_ask q = {.method = method, .headers = {header}, .try_ms = TRY_MS, .tries = TRIES};
	int rc;

	*status = 0;
	buf_printf(&url, "%s%s", m->base, path);
	q.url = buf_cstr(&url);
	rc = url.failed ? err_set(e, "%s", strerror(ENOMEM)) : s3_ask(&q, body, status, e);
	buf_free(&url);
	return rc;
}

/* The first line of an answer that is one word. */
static const char *take_answer_word(struct buf *body, size_t max)
{
	size_t n = strcspn(buf_cstr(body), "\r\n");

	if (!n || n > max)
		return NULL;
	body->s[n] = '\0';
	for (size_t i = 0; i < n; i++)
		if (body->s[i] <= ' ' || body->s[i] >= 0x7f)
			return NULL;
	return body->s;
}

static int take_token(struct metadata *m, struct err *e)
{
	struct buf body = {0};
	const char *token = NULL;
	long status;
	int rc = ask_metadata(m, "PUT", "/latest/api/token", TOKEN "-ttl-seconds: 21600", &body,
	                      &status, e);

	if (!rc && !(token = take_answer_word(&body, 1024)))
		rc = err_set(e, "its answer is no token");
	if (!rc)
		buf_printf(&m->token, TOKEN ": %s", token);
	s3_wipe_buf(&body);
	return rc;
}

static int take_instance_role(const struct metadata *m, struct buf *path, struct err *e)
{
	struct buf body = {0};
	const char *role = NULL;
	long status;
	int rc;

	buf_str(path, "/latest/meta-data/iam/security-credentials/");
	rc = ask_metadata(m, "GET", path->s, m->token.s, &body, &status, e);
	if (status == 404)
		err_set(e, "this instance has no role");
	else if (!rc && !(role = take_answer_word(&body, ROLE_MAX)))
		rc = err_set(e, "its answer is no name of a role");
	if (!rc)
		store_address_encode(path, role);
	buf_free(&body);
	return rc;
}

int s3_instance_get(const struct s3_profile *p, struct s3_keys *k, struct err *e)
{
	struct metadata m = {.base = ""};
	struct buf path = {0}, body = {0};
	long status;
	int rc = -1;

	if (find_service(&m, p, e))
		return -1;
	if (!take_token(&m, e) && !take_instance_role(&m, &path, e) &&
	    !ask_metadata(&m, "GET", buf_cstr(&path), m.token.s, &body, &status, e))
		rc = s3_keys_read_json(k, buf_cstr(&body), body.len, e);
	if (rc)
		err_wrap(e, "the instance's metadata service");
	s3_wipe_buf(&m.token);
	s3_wipe_buf(&body);
	buf_free(&path);
	return rc;
}
