/* s3_keys: answers of AWS' services with keys, and as no service should give them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "report/aws_keys/s3_keys.h"
#include "tests/unit/unit.h"

#define STS_BEFORE                                                                                 \
	"<AssumeRoleWithWebIdentityResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\">"  \
	"<AssumeRoleWithWebIdentityResult>"
#define STS_AFTER "</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>"

static void expect_keys(const struct s3_keys *k, const char *access, const char *secret,
                        const char *token, double expires)
{
	assert_string_equal(k->access, access);
	assert_string_equal(k->secret, secret);
	assert_string_equal(k->token, token);
	assert_true(k->expires == expires);
}

static int read_text(bool xml, struct s3_keys *k, const char *text, struct err *e)
{
	return xml ? s3_keys_read_sts(k, text, strlen(text), e)
	           : s3_keys_read_json(k, text, strlen(text), e);
}

TEST(test_right)
{
	struct s3_keys k;

	assert_int_equal(read_text(false, &k,
	                           "{\"Code\":\"Success\",\"LastUpdated\":\"2026-11-01T00:00:00Z\","
	                           "\"Type\":\"AWS-HMAC\",\"AccessKeyId\":\"ASIA1\","
	                           "\"SecretAccessKey\":\"a/b+c=\",\"Token\":\"t==\","
	                           "\"Expiration\":\"2026-11-01T12:00:00Z\"}",
	                           NULL),
	                 0);
	expect_keys(&k, "ASIA1", "a/b+c=", "t==", 1793534400);
	assert_int_equal(
	    read_text(false, &k, " {\"AccessKeyId\":\"A\",\"SecretAccessKey\":\"s\"}\n", NULL), 0);
	expect_keys(&k, "A", "s", "", INFINITY);
	assert_int_equal(
	    read_text(true, &k,
	              STS_BEFORE
	              "<AssumedRoleUser><Arn>a</Arn></AssumedRoleUser><Credentials>\n"
	              "<SessionToken>t</SessionToken><SecretAccessKey>s</SecretAccessKey>"
	              "<Expiration>2026-11-01T12:00:00.000Z</Expiration>"
	              "<AccessKeyId>ASIA</AccessKeyId></Credentials>" STS_AFTER,
	              NULL),
	    0);
	expect_keys(&k, "ASIA", "s", "t", 1793534400);
	s3_keys_wipe(&k);
	expect_keys(&k, "", "", "", 0);
}

static const struct {
	bool xml;
	const char *text, *sentence;
} wrong[] = {
    {false, "", "the answer is not as expected: the answer is not a JSON object"},
    {false, "[]", "the answer is not as expected: the answer is not a JSON object"},
    {false, "<html>", "the answer is not as expected: the answer is not a JSON object"},
    {false, "{} x", "the answer is not as expected: the answer is not a JSON object"},
    {false, "{}", "the answer is not as expected: AccessKeyId is missing"},
    {false, "{\"AccessKeyId\":\"A\",\"SecretAccessKey\":7}",
     "the answer is not as expected: SecretAccessKey is missing"},
    {false, "{\"Code\":\"Failed\",\"AccessKeyId\":\"A\",\"SecretAccessKey\":\"SECRET\"}",
     "the answer is not as expected: the answer says Failed"},
    {false, "{\"AccessKeyId\":\"A\",\"SecretAccessKey\":\"SECRET\\r\\nX: y\"}",
     "the answer is not as expected: SecretAccessKey has a blank, a newline or another character "
     "that it cannot have"},
    {false, "{\"AccessKeyId\":\"A\",\"SecretAccessKey\":\"SECRET\",\"Token\":\"a b\"}",
     "the answer is not as expected: Token has a blank, a newline or another character that it "
     "cannot have"},
    {false, "{\"AccessKeyId\":\"\xc3\xbc\",\"SecretAccessKey\":\"SECRET\"}",
     "the answer is not as expected: AccessKeyId has a blank, a newline or another character that "
     "it cannot have"},
    {false, "{\"AccessKeyId\":\"A\",\"SecretAccessKey\":\"SECRET\",\"Expiration\":\"tomorrow\"}",
     "the answer is not as expected: Expiration is not a time"},
    {false, "{\"a\":[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]}",
     "the answer is not as expected: the answer is nested deeper than 8 levels"},
    {true, "", "the answer is not as expected: the answer is empty"},
    {true, "{}", "the answer is not as expected: the answer is not valid XML (byte 0)"},
    {true, "<Other><AccessKeyId>A</AccessKeyId></Other>",
     "the answer is not as expected: AccessKeyId is missing"},
    {true, STS_BEFORE "<Credentials><AccessKeyId>A</AccessKeyId></Credentials>" STS_AFTER,
     "the answer is not as expected: SecretAccessKey is missing"},
    {true,
     STS_BEFORE "<Credentials><AccessKeyId>A</AccessKeyId><SecretAccessKey>SECRET</SecretAccessKey>"
                "<SessionToken>a&#10;b</SessionToken></Credentials>" STS_AFTER,
     "the answer is not as expected: SessionToken has a blank, a newline or another character that "
     "it cannot have"},
};

TEST(test_wrong)
{
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct s3_keys k;
		struct err e = {0};
		assert_int_equal(read_text(wrong[i].xml, &k, wrong[i].text, &e), -1);
		assert_string_equal(e.msg, wrong[i].sentence);
		assert_null(strstr(e.msg, "SECRET"));
		assert_string_equal(k.secret, "");
	}
}

TEST(test_too_long)
{
	struct buf b = {0};
	struct s3_keys k;
	struct err e = {0};

	buf_str(&b, "{\"AccessKeyId\":\"A\",\"SecretAccessKey\":\"s\",\"Token\":\"");
	for (int i = 0; i < S3_CREDENTIALS_TOKEN_MAX; i++)
		buf_char(&b, 'x');
	buf_str(&b, "\"}");
	assert_int_equal(s3_keys_read_json(&k, b.s, b.len, &e), -1);
	assert_string_equal(e.msg,
	                    "the answer is not as expected: Token has more than 16383 characters");
	buf_free(&b);
}

TEST(test_code)
{
	static const struct {
		const char *answer, *code;
	} cases[] = {
	    {"<ErrorResponse xmlns=\"x\"><Error><Type>Sender</Type><Code>ExpiredTokenException</Code>"
	     "<Message>SECRET</Message></Error></ErrorResponse>",
	     "ExpiredTokenException"},
	    {"<Error><Code>AccessDenied</Code></Error>", "AccessDenied"},
	    {"{\"code\":\"NoRole\",\"message\":\"SECRET\"}", "NoRole"},
	    {"{\"Code\":\"a.b_c:d-e\"}", "a.b_c:d-e"},
	    {"{\"code\":\"SECRET\\u001b[0m\"}", ""},
	    {"<Error><Code>a b</Code></Error>", ""},
	    {"<html>", ""},
	    {"", ""},
	    {"{", ""},
	};
	char out[S3_KEYS_CODE_MAX];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(
		    s3_keys_error_code(cases[i].answer, strlen(cases[i].answer), out),
		    cases[i].code);
}
