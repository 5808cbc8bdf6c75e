/* s3_keys: what a request is signed with, and how it is read from the answers of AWS' services. */
#include "report/aws_keys/s3_keys.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/iso_time.h"
#include "core/json/json_tree.h"
#include "report/aws_keys/s3_xml.h"

#define JSON_DEPTH 8

void s3_keys_wipe(struct s3_keys *k)
{
	explicit_bzero(k, sizeof *k);
}

void s3_keys_wipe_buf(struct buf *b)
{
	if (b->s)
		explicit_bzero(b->s, b->cap);
	buf_free(b);
}

void s3_keys_wipe_text(char **text)
{
	if (*text)
		explicit_bzero(*text, strlen(*text));
	free(*text);
	*text = NULL;
}

static int copy_secret(char *out, size_t size, const char *v, const char *name, struct err *e)
{
	size_t n = strlen(v);

	if (n >= size)
		return err_set(e, "%s has more than %zu characters", name, size - 1);
	for (size_t i = 0; i < n; i++)
		if (v[i] <= ' ' || v[i] >= 0x7f)
			return err_set(e,
			               "%s has a blank, a newline or another character that "
			               "it cannot have",
			               name);
	memcpy(out, v, n + 1);
	return 0;
}

int s3_keys_set(struct s3_keys *k, const struct s3_keys_found *f, struct err *e)
{
	bool access = f->access && *f->access, secret = f->secret && *f->secret;

	*k = (struct s3_keys){.expires = INFINITY};
	if (!access || !secret)
		return err_set(e, "%s is missing", f->names[access]);
	if (copy_secret(k->access, sizeof k->access, f->access, f->names[0], e) ||
	    copy_secret(k->secret, sizeof k->secret, f->secret, f->names[1], e) ||
	    (f->token && copy_secret(k->token, sizeof k->token, f->token, f->names[2], e))) {
		s3_keys_wipe(k);
		return -1;
	}
	return 0;
}

static int set_expiry(struct s3_keys *k, const char *text, struct err *e)
{
	k->expires = text && *text ? iso_time_read(text) : INFINITY;
	if (!isnan(k->expires))
		return 0;
	s3_keys_wipe(k);
	return err_set(e, "Expiration is not a time");
}

/* -- JSON -------------------------------------------------------------------------------------- */

static cJSON *parse_keys_json(const char *json, size_t n, struct err *e)
{
	cJSON *root;

	if (json_tree_check(json, n, JSON_DEPTH, JSON_TREE_VALUES_MAX, "the answer", e))
		return NULL;
	/* n + 1 includes the NUL: without it, cJSON reads one byte beyond the end. */
	root = cJSON_ParseWithLengthOpts(json, n + 1, NULL, 1);
	if (cJSON_IsObject(root))
		return root;
	cJSON_Delete(root);
	err_set(e, "the answer is not a JSON object");
	return NULL;
}

static const char *json_key_text(const cJSON *root, const char *key)
{
	return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, key));
}

static void wipe_json(cJSON *root)
{
	for (cJSON *v = root ? root->child : NULL; v; v = v->next)
		if (cJSON_IsString(v))
			explicit_bzero(v->valuestring, strlen(v->valuestring));
	cJSON_Delete(root);
}

int s3_keys_read_json(struct s3_keys *k, const char *json, size_t n, struct err *e)
{
	cJSON *root = parse_keys_json(json, n, e);
	const char *code = json_key_text(root, "Code");
	char word[S3_KEYS_CODE_MAX];
	int rc = -1;

	*k = (struct s3_keys){.expires = NAN};
	if (!root)
		return err_wrap(e, "the answer is not as expected");
	if (code && strcasecmp(code, "Success") != 0)
		err_set(e, "the answer says %s", s3_keys_error_code(json, n, word));
	else if (!s3_keys_set(k,
	                      &(struct s3_keys_found){
				  .access = json_key_text(root, "AccessKeyId"),
				  .secret = json_key_text(root, "SecretAccessKey"),
				  .token = json_key_text(root, "Token"),
				  .names = {"AccessKeyId", "SecretAccessKey", "Token"},
			      },
	                      e))
		rc = set_expiry(k, json_key_text(root, "Expiration"), e);
	wipe_json(root);
	return rc ? err_wrap(e, "the answer is not as expected") : 0;
}

/* -- XML --------------------------------------------------------------------------------------- */

enum { STS_ACCESS, STS_SECRET, STS_TOKEN, STS_EXPIRES, STS_N };

struct sts {
	struct buf text[STS_N];
};

static int keep_sts(void *ctx, const char *path, const char *text, struct err *e)
{
	static const char where[] =
	    "AssumeRoleWithWebIdentityResponse/AssumeRoleWithWebIdentityResult/Credentials/";
	static const char *const names[STS_N] = {"AccessKeyId", "SecretAccessKey", "SessionToken",
	                                         "Expiration"};
	struct sts *s = ctx;

	(void)e;
	if (strncmp(path, where, sizeof where - 1) != 0)
		return 0;
	for (int i = 0; i < STS_N; i++)
		if (strcmp(path + sizeof where - 1, names[i]) == 0) {
			buf_clear(&s->text[i]);
			buf_str(&s->text[i], text);
		}
	return 0;
}

int s3_keys_read_sts(struct s3_keys *k, const char *xml, size_t n, struct err *e)
{
	struct sts s = {.text[0].len = 0};
	int rc = -1;

	*k = (struct s3_keys){.expires = NAN};
	if (!s3_xml_walk(xml, n, keep_sts, &s, e) &&
	    !s3_keys_set(k,
	                 &(struct s3_keys_found){
			     .access = buf_cstr(&s.text[STS_ACCESS]),
			     .secret = buf_cstr(&s.text[STS_SECRET]),
			     .token = buf_cstr(&s.text[STS_TOKEN]),
			     .names = {"AccessKeyId", "SecretAccessKey", "SessionToken"},
			 },
	                 e))
		rc = set_expiry(k, buf_cstr(&s.text[STS_EXPIRES]), e);
	for (int i = 0; i < STS_N; i++)
		s3_keys_wipe_buf(&s.text[i]);
	return rc ? err_wrap(e, "the answer is not as expected") : 0;
}

/* -- errors ------------------------------------------------------------------------------------ */

static int keep_code(void *ctx, const char *path, const char *text, struct err *e)
{
	char *out = ctx;

	(void)e;
	if (strcmp(path, "ErrorResponse/Error/Code") == 0 || strcmp(path, "Error/Code") == 0)
		snprintf(out, S3_KEYS_CODE_MAX, "%s", text);
	return 0;
}

static void code_of_json(const char *json, size_t n, char *out)
{
	cJSON *root = parse_keys_json(json, n, NULL);
	const char *code = json_key_text(root, "Code");

	if (!code)
		code = json_key_text(root, "code");
	snprintf(out, S3_KEYS_CODE_MAX, "%s", code ? code : "");
	wipe_json(root);
}

const char *s3_keys_error_code(const char *answer, size_t n, char out[S3_KEYS_CODE_MAX])
{
	*out = '\0';
	if (n && answer[strspn(answer, " \t\r\n")] == '{')
		code_of_json(answer, n, out);
	else
		s3_xml_walk(answer, n, keep_code, out, NULL);
	/* Codes are words. Whatever else stands there may be anything. */
	for (const char *c = out; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._:-", *c))
			*out = '\0';
	return out;
}
