/* s3_error: an answer of a store that is not a success, as one sentence. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/store/s3_error.h"
#include "tests/unit/unit.h"

#define ACCESS "AKIATEST"
#define SECRET "secretsecret"
#define TOKEN  "the/token+of=the session"

static const char *const secrets[] = {SECRET, ACCESS, TOKEN, NULL};

static void say(const struct s3_refusal *more, const char *body, struct err *e)
{
	struct s3_refusal r = *more;
	struct s3_error x;

	r.place = "s3://b/k";
	r.secrets = secrets;
	s3_error_parse(&x, body, strlen(body));
	assert_int_equal(s3_error_say(&r, &x, e), -1);
}

TEST(test_meanings)
{
	static const struct {
		enum s3_doing doing;
		long status;
		const char *body, *sentence;
	} cases[] = {
	    {S3_LISTING, 403, "<Error><Code>AccessDenied</Code></Error>",
	     "s3://b/k: cannot be listed: the keys lack the permission s3:ListBucket, or are wrong (403 "
	     "AccessDenied)"},
	    {S3_WRITING, 403,
	     "<Error><Code>AccessDenied</Code><RequestId>tx1-2</RequestId></Error>",
	     "s3://b/k: cannot be written: the keys lack the permission s3:PutObject, or are wrong (403 "
	     "AccessDenied, request tx1-2)"},
	    {S3_SENDING, 403, "<Error><Code>AccessDenied</Code></Error>",
	     "s3://b/k: cannot be written: the signature in the address is wrong, has expired, or "
	     "does not allow this (403 AccessDenied)"},
	    {S3_READING, 404, "<Error><Code>NoSuchBucket</Code></Error>",
	     "s3://b/k: cannot be read: there is no such bucket (404 NoSuchBucket)"},
	    {S3_DELETING, 507, "<html>full</html>",
	     "s3://b/k: cannot be deleted: the store is full (507)"},
	    {S3_READING, 599, "", "s3://b/k: cannot be read: the server refuses the request (599)"},
	    {S3_READING, 302, "",
	     "s3://b/k: cannot be read: the server sends us elsewhere; set AWS_ENDPOINT_URL or "
	     "AWS_REGION (302)"},
	    {S3_READING, 400,
	     "<Error><Code>NewCode</Code><Message>Your hat is\n  wrong.</Message></Error>",
	     "s3://b/k: cannot be read: Your hat is…  wrong. (400 NewCode)"},
	    {S3_SENDING, 400, "<Error><Code>NewCode</Code><Message>sig=abc</Message></Error>",
	     "s3://b/k: cannot be written: the server refuses the request (400 NewCode)"},
	};
	struct err e;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		say(&(struct s3_refusal){.doing = cases[i].doing,
		                         .status = cases[i].status,
		                         .server_now = NAN,
		                         .now = 0},
		    cases[i].body, &e);
		assert_string_equal(e.msg, cases[i].sentence);
	}
}

TEST(test_clock)
{
	static const char body[] = "<Error><Code>RequestTimeTooSkewed</Code>"
				   "<ServerTime>2026-11-22T12:00:00Z</ServerTime></Error>",
			  short_body[] = "<Error><Code>RequestTimeTooSkewed</Code></Error>";
	const double noon = 1795348800;
	struct s3_refusal r = {.status = 403, .server_now = NAN, .now = noon + 3600};
	struct err e;

	say(&r, body, &e);
	assert_non_null(strstr(e.msg, "this machine's clock is 60 minutes ahead of the server's"));
	r.now = noon - 1200;
	say(&r, body, &e);
	assert_non_null(strstr(e.msg, "this machine's clock is 20 minutes behind the server's"));
	say(&r, short_body, &e);
	assert_non_null(strstr(e.msg, "this machine's clock differs from the server's (403"));
	r.server_now = noon;
	say(&r, short_body, &e);
	assert_non_null(strstr(e.msg, "clock is 20 minutes behind"));
}

/* Wherever the server repeats them. */
TEST(test_no_secret)
{
	static const char *const bodies[] = {
	    "<Error><Code>%s</Code></Error>",
	    "<Error><Code>New</Code><Message>%s</Message></Error>",
	    "<Error><Code>New</Code><Message>a%sb</Message></Error>",
	    "<Error><Code>New</Code><RequestId>%s</RequestId></Error>",
	    "<Error><Code>SignatureDoesNotMatch</Code><Message>%s</Message>"
	    "<StringToSign>%s</StringToSign></Error>",
	};
	char body[512];
	struct err e;

	for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
		for (size_t k = 0; secrets[k]; k++) {
			struct s3_refusal r = {.status = 400, .request_id = "", .now = 0};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
			snprintf(body, sizeof body, bodies[i], secrets[k], secrets[k]);
#pragma GCC diagnostic pop
			say(&r, body, &e);
			assert_null(strstr(e.msg, secrets[k]));
			r.request_id = secrets[k];
			say(&r, "", &e);
			assert_null(strstr(e.msg, secrets[k]));
		}
}

TEST(test_clean)
{
	static const struct {
		const char *text, *clean;
	} cases[] = {
	    {"The key is not valid.", "The key is not valid."},
	    {"The key AKIATEST does not exist", "The key … does not exist"},
	    {"xAKIATESTx", "x…x"},
	    {"AKIAIOSFODNN7EXAMPLE", "…"},
	    {"x-amz-server-side-encryption", "x-amz-server-side-encryption"},
	    {"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "…"},
	    {"a\x1b[1mb", "a…[1mb"},
	    {"", ""},
	};
	char out[64], small[8];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		s3_error_clean(cases[i].text, secrets, out, sizeof out);
		assert_string_equal(out, cases[i].clean);
	}
	s3_error_clean("0123456 and more", NULL, small, sizeof small);
	assert_string_equal(small, "0123456");
}

TEST(test_parse)
{
	static const char nested[] = "<Error><X><Code>No</Code></X><Code>Yes</Code>"
				     "<Region>eu-west-1</Region></Error>";
	struct s3_error x;

	s3_error_parse(&x, nested, sizeof nested - 1);
	assert_string_equal(x.code, "Yes");
	assert_string_equal(x.region, "eu-west-1");
	assert_true(isnan(x.server_time));
	s3_error_parse(&x, "<Error><Code>ExpiredToken</Code><Mess", 37);
	assert_true(s3_error_expired(&x));
	s3_error_parse(&x, "<Other><Code>ExpiredToken</Code></Other>", 40);
	assert_string_equal(x.code, "");
	s3_error_parse(&x, "not XML", 7);
	assert_string_equal(x.code, "");
}
