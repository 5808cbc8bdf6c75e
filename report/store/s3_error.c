/* s3_error: an answer of a store that reports an error, as one sentence. */
#include "report/store/s3_error.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/iso_time.h"
#include "report/aws_keys/s3_xml.h"

/* -- what the server says ---------------------------------------------------------------------- */

static int note_element(void *ctx, const char *path, const char *text, struct err *e)
{
	struct s3_error *x = ctx;
	const char *name = strrchr(path, '/');
	static const struct {
		const char *name;
		size_t at, size;
	} texts[] = {
#define TEXT(name, member) {name, offsetof(struct s3_error, member), sizeof x->member}
	    TEXT("Code", code),
	    TEXT("Message", message),
	    TEXT("Region", region),
	    TEXT("RequestId", request_id),
#undef TEXT
	};

	(void)e;
	if (!name || strncmp(path, "Error/", 6) != 0 || name != path + 5)
		return 0;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (strcmp(name + 1, texts[i].name) == 0)
			snprintf((char *)x + texts[i].at, texts[i].size, "%s", text);
	if (strcmp(name + 1, "ServerTime") == 0)
		x->server_time = iso_time_read(text);
	return 0;
}

void s3_error_parse(struct s3_error *x, const char *body, size_t n)
{
	*x = (struct s3_error){.server_time = NAN};
	/* Elements before the place where the XML breaks off are of use all the same. */
	if (n)
		s3_xml_walk(body, n, note_element, x, NULL);
}

bool s3_error_is(const struct s3_error *x, const char *code)
{
	return strcmp(x->code, code) == 0;
}

bool s3_error_expired(const struct s3_error *x)
{
	return s3_error_is(x, "ExpiredToken") || s3_error_is(x, "ExpiredTokenException") ||
	       s3_error_is(x, "TokenRefreshRequired");
}

/* -- without secrets --------------------------------------------------------------------------- */

#define LONG_WORD 16 /* the access keys of AWS have 20 characters, signatures 64 */

/* The length of the secret that begins here, or 0. */
static size_t secret_at(const char *p, const char *const *secrets)
{
	for (; secrets && *secrets; secrets++) {
		size_t n = strlen(*secrets);
		if (n && strncmp(p, *secrets, n) == 0)
			return n;
	}
	return 0;
}

static size_t long_word_at(const char *p)
{
	size_t n = 0;
	bool digits = false;

	for (; isalnum((unsigned char)p[n]) || (p[n] && strchr("+/=_%", p[n])); n++)
		digits |= isdigit((unsigned char)p[n]) || strchr("+/=%", p[n]);
	return digits && n >= LONG_WORD ? n : 0;
}

void s3_error_clean(const char *text, const char *const *secrets, char *out, size_t size)
{
	static const char gone[] = "…";
	size_t n = 0;
	bool in_word = false;

	for (const char *p = text; *p;) {
		size_t skip = secret_at(p, secrets);
		if (!skip && !in_word)
			skip = long_word_at(p);
		if (!skip && iscntrl((unsigned char)*p))
			skip = 1;
		if (n + (skip ? sizeof gone : 2) > size)
			break;
		in_word = !skip && isalnum((unsigned char)*p);
		if (skip) {
			memcpy(out + n, gone, sizeof gone - 1);
			n += sizeof gone - 1;
			p += skip;
		} else {
			out[n++] = *p++;
		}
	}
	out[n] = '\0';
}

/* -- what it means ----------------------------------------------------------------------------- */

static const struct {
	const char *verb, *permission;
} acts[] = {
    [S3_LISTING] = {"cannot be listed", "s3:ListBucket"},
    [S3_READING] = {"cannot be read", "s3:GetObject"},
    [S3_WRITING] = {"cannot be written", "s3:PutObject"},
    [S3_DELETING] = {"cannot be deleted", "s3:DeleteObject"},
    [S3_SENDING] = {"cannot be written", ""},
};

#define PERMISSION "\x01" /* stands for that of the act */

static const struct {
	const char *code, *means;
} meanings[] = {
    {"AccessDenied", "the keys lack the permission " PERMISSION ", or are wrong"},
    {"AccountProblem", "there is a problem with the account"},
    {"AllAccessDisabled", "all access to this bucket is disabled"},
    {"AuthenticationFailed", "the signature in the address is wrong, or has expired"},
    {"AuthorizationFailure", "the signature in the address does not allow this"},
    {"AuthorizationHeaderMalformed", "the region is wrong: set AWS_REGION"},
    {"AuthorizationPermissionMismatch", "the signature in the address does not allow writing"},
    {"BadDigest", "what arrived is not what was sent"},
    {"EntityTooLarge", "it is larger than this store allows"},
    {"ExpiredToken", "the session token has expired"},
    {"IllegalLocationConstraintException", "the region is wrong: set AWS_REGION"},
    {"InsufficientStorage", "the store is full"},
    {"InternalError", "an error inside the server"},
    {"InvalidAccessKeyId", "the server does not know the access key"},
    {"InvalidBucketName", "the bucket's name is not valid"},
    {"InvalidObjectState", "it is in an archive and must be restored first"},
    {"InvalidRegion", "the region is wrong: set AWS_REGION"},
    {"InvalidToken", "the session token is not valid"},
    {"KeyTooLongError", "the key is too long"},
    {"MethodNotAllowed", "the server does not allow this"},
    {"NoSuchBucket", "there is no such bucket"},
    {"NoSuchKey", "there is no such object"},
    {"NoSuchUpload", "the server has forgotten the upload"},
    {"PermanentRedirect", "the bucket is in another region: set AWS_REGION"},
    {"PreconditionFailed", "the object is another one than before"},
    {"QuotaExceeded", "the quota is used up"},
    {"RequestTimeout", "the server received too little in time"},
    {"ServerBusy", "the server is too busy"},
    {"ServiceUnavailable", "the server is too busy"},
    {"SignatureDoesNotMatch", "the secret key is wrong"},
    {"SlowDown", "the server is too busy"},
    {"TooManyParts", "it has too many parts"},
    {"XAmzContentSHA256Mismatch", "what arrived is not what was sent"},
};

/* The sentences for answers without a code. */
static const struct {
	long status;
	const char *means;
} statuses[] = {
    {401, "the server does not accept the keys"},
    {403, "access is denied"},
    {404, "there is no such bucket or object"},
    {405, "the server does not allow this"},
    {411, "the server wants to know the length in another way"},
    {412, "the object is another one than before"},
    {413, "it is larger than the server allows"},
    {429, "the server is too busy"},
    {500, "an error inside the server"},
    {501, "the server does not know this kind of request"},
    {502, "a proxy cannot reach the server"},
    {503, "the server is too busy"},
    {504, "a proxy got no answer from the server"},
    {507, "the store is full"},
};

static void say_skew(const struct s3_refusal *r, const struct s3_error *x, char *out, size_t size)
{
	double server = isnan(x->server_time) ? r->server_now : x->server_time;
	double minutes = round((r->now - server) / 60);

	if (isnan(minutes) || minutes == 0)
		snprintf(out, size, "this machine's clock differs from the server's");
	else
		snprintf(out, size, "this machine's clock is %.0f minutes %s the server's",
		         fabs(minutes), minutes > 0 ? "ahead of" : "behind");
}

static const char *meaning_of(const struct s3_refusal *r, const struct s3_error *x)
{
	if (r->doing == S3_SENDING &&
	    (s3_error_is(x, "AccessDenied") || s3_error_is(x, "SignatureDoesNotMatch")))
		return "the signature in the address is wrong, has expired, or does not allow this";
	for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
		if (s3_error_is(x, meanings[i].code))
			return meanings[i].means;
	for (size_t i = 0; !*x->code && i < sizeof statuses / sizeof *statuses; i++)
		if (r->status == statuses[i].status)
			return statuses[i].means;
	if (r->status >= 300 && r->status < 400)
		return "the server sends us elsewhere; set AWS_ENDPOINT_URL or AWS_REGION";
	return NULL;
}

static void say_meaning(const struct s3_refusal *r, const struct s3_error *x, char *out,
                        size_t size)
{
	const char *means = meaning_of(r, x);
	size_t n;

	if (s3_error_is(x, "RequestTimeTooSkewed")) {
		say_skew(r, x, out, size);
	} else if (means) {
		n = strcspn(means, PERMISSION);
		snprintf(out, size, "%.*s%s%s", (int)n, means,
		         means[n] ? acts[r->doing].permission : "", means + n + !!means[n]);
	} else if (*x->message && r->doing != S3_SENDING) {
		s3_error_clean(x->message, r->secrets, out, size);
	} else {
		snprintf(out, size, "the server refuses the request");
	}
}

/* Ids are long words with digits: they are shown whole, or not at all. */
static bool is_request_id(const char *id, const char *const *secrets)
{
	for (; *id; id++)
		if (secret_at(id, secrets) || !isgraph((unsigned char)*id))
			return false;
	return true;
}

int s3_error_say(const struct s3_refusal *r, const struct s3_error *x, struct err *e)
{
	char code[sizeof x->code], means[320];
	const char *id = r->request_id && *r->request_id ? r->request_id : x->request_id;

	s3_error_clean(x->code, r->secrets, code, sizeof code);
	if (!is_request_id(id, r->secrets))
		id = "";
	say_meaning(r, x, means, sizeof means);
	return err_set(e, "%s: %s: %s (%ld%s%s%s%s)", r->place, acts[r->doing].verb, means,
	               r->status, *code ? " " : "", code, *id ? ", request " : "", id);
}
