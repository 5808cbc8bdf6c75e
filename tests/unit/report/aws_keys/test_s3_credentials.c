/* s3_credentials: the environment and the files; the services are in tests/services. */
#include <fcntl.h>
#include <math.h>

#include "core/base/buf.h"
#include "report/aws_keys/s3_credentials.h"
#include "tests/unit/report/store/aws_scene.h"
#include "tests/unit/report/store/home.h"
#include "tests/unit/unit.h"

ALL_TESTS_WITH(aws_scene_begin, aws_scene_end)

#define NOW 1793534400.0 /* 2026-11-01 12:00 UTC */
#define OFF "AWS_EC2_METADATA_DISABLED=true"
#define EXPORT(name)                                                                               \
	"; `aws configure export-credentials --profile " name                                      \
	" --format env` prints variables that it does"

struct scene {
	const char *variables[AWS_SCENE_VARIABLES];
	const char *credentials, *config;
	const char *result; /* "access secret token", or the sentence */
};

static const struct scene right[] = {
    {{OFF, "AWS_ACCESS_KEY_ID=A", "AWS_SECRET_ACCESS_KEY=s/+="}, NULL, NULL, "A s/+= "},
    {{OFF, "AWS_ACCESS_KEY_ID=A", "AWS_SECRET_ACCESS_KEY=s", "AWS_SESSION_TOKEN=t"},
     "[default]\naws_access_key_id=F\naws_secret_access_key=f\n",
     NULL,
     "A s t"},
    {{OFF, "AWS_ACCESS_KEY_ID=", "AWS_SECRET_ACCESS_KEY=s"},
     "[default]\naws_access_key_id = F\naws_secret_access_key = f\naws_session_token = t\n",
     "[default]\naws_access_key_id = C\naws_secret_access_key = c\n",
     "F f t"},
    {{OFF, "AWS_PROFILE=p"},
     "[default]\naws_access_key_id=F\naws_secret_access_key=f\n"
     "[p]\nregion=r\nAWS_ACCESS_KEY_ID=P\naws_secret_access_key=p # c\n",
     "[profile p]\naws_session_token=other\n",
     "P p "},
    {{OFF, "AWS_PROFILE=p"},
     "[default]\naws_access_key_id=F\naws_secret_access_key=f\n",
     "[profile p]\naws_access_key_id=C\naws_secret_access_key=c\n",
     "C c "},
    {{OFF, "AWS_CONFIG_FILE=~/.aws/token"},
     NULL,
     "[default]\naws_access_key_id=no\naws_secret_access_key=no\n",
     "T t "},
    {{OFF},
     "[default]\naws_access_key_id=F\naws_secret_access_key=f\n",
     "[default]\ncredential_process = /bin/x\n",
     "F f "},
    {{OFF, "AWS_ACCESS_KEY_ID=A", "AWS_SECRET_ACCESS_KEY=s",
      "AWS_CREDENTIAL_EXPIRATION=2026-11-01T12:00:01Z"},
     NULL,
     NULL,
     "A s "},
    {{OFF, "AWS_ACCESS_KEY_ID=A", "AWS_SECRET_ACCESS_KEY=s"},
     NULL,
     "[default]\nsso_role_name=x\n",
     "A s "},
    /* Only these two of a sign-on count, as for AWS' command line. */
    {{OFF},
     "[default]\naws_access_key_id=F\naws_secret_access_key=f\n",
     "[default]\nsso_session=x\nsso_start_url=x\n",
     "F f "},
};

TEST(test_right)
{
	char path[512];

	snprintf(path, sizeof path, "%s/.aws/token", aws_folder);
	aws_scene_write(path, "[default]\naws_access_key_id=T\naws_secret_access_key=t\n");
	for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
		struct s3_credentials *c;
		const struct s3_keys *k;
		struct err e = {0};
		struct buf b = {0};
		aws_scene_set(aws_folder, right[i].credentials, right[i].config,
		              right[i].variables);
		c = s3_credentials_new(&e);
		assert_non_null(c);
		k = s3_credentials_get(c, NOW, &e);
		if (!k)
			fail_msg("%zu: %s", i, e.msg);
		buf_printf(&b, "%s %s %s", k->access, k->secret, k->token);
		assert_string_equal(b.s, right[i].result);
		assert_false(s3_credentials_refresh(c));
		assert_ptr_equal(s3_credentials_get(c, NOW, &e), k);
		buf_free(&b);
		s3_credentials_free(c);
	}
}

static const struct scene wrong[] = {
    {{OFF},
     NULL,
     NULL,
     "no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE (profile "
     "default has none, and AWS_EC2_METADATA_DISABLED is true)"},
    {{OFF, "AWS_ACCESS_KEY_ID=A"},
     "[default]\naws_access_key_id=F\naws_secret_access_key=hidden\n",
     NULL,
     "the environment has AWS_ACCESS_KEY_ID: AWS_SECRET_ACCESS_KEY is missing"},
    {{OFF, "AWS_ACCESS_KEY_ID=A", "AWS_SECRET_ACCESS_KEY=hidden\n"},
     NULL,
     NULL,
     "the environment has AWS_ACCESS_KEY_ID: AWS_SECRET_ACCESS_KEY has a blank, a newline or another "
     "character that it cannot have"},
    {{OFF, "AWS_ACCESS_KEY_ID=A", "AWS_SECRET_ACCESS_KEY=hidden",
      "AWS_CREDENTIAL_EXPIRATION=2026-11-01T12:00:00Z"},
     NULL,
     NULL,
     "the credentials expired at 2026-11-01 12:00:00 UTC"},
    {{OFF, "AWS_WEB_IDENTITY_TOKEN_FILE=/none"},
     NULL,
     NULL,
     "AWS_WEB_IDENTITY_TOKEN_FILE is set, but AWS_ROLE_ARN is not"},
    {{OFF, "AWS_WEB_IDENTITY_TOKEN_FILE=/none/token", "AWS_ROLE_ARN=arn:a"},
     NULL,
     NULL,
     "AssumeRoleWithWebIdentity of the role arn:a: /none/token: there is no such file"},
    {{OFF, "AWS_PROFILE=p"},
     "[default]\naws_access_key_id=F\n",
     "[p]\nregion=r\n",
     "AWS_PROFILE names the profile p, which neither HOME/.aws/config nor HOME/.aws/credentials has"},
    {{OFF},
     "[default]\naws_access_key_id=F\n",
     "[default]\naws_secret_access_key=hidden\n",
     "HOME/.aws/credentials: the profile default: aws_secret_access_key is missing"},
    {{OFF},
     "[default]\naws_secret_access_key=hidden\n",
     NULL,
     "HOME/.aws/credentials: the profile default: aws_access_key_id is missing"},
    {{OFF},
     "[default]\naws_access_key_id=F\naws_secret_access_key=hid\n  den\n",
     NULL,
     "HOME/.aws/credentials: the profile default: aws_secret_access_key has a blank, a newline or "
     "another character that it cannot have"},
    {{OFF},
     "[default]\naws_secret_access_key hidden\n",
     NULL,
     "HOME/.aws/credentials: line 2 is neither [section] nor KEY = VALUE"},
    {{OFF},
     NULL,
     "[default]\ncredential_process = /bin/x\naws_access_key_id=C\n",
     "HOME/.aws/config: the profile default has credential_process, which rtrack does not "
     "support" EXPORT("default")},
    {{OFF, "AWS_PROFILE=my p"},
     "[my p]\naws_access_key_id=F\naws_secret_access_key=hidden\n",
     "[profile \"my p\"]\nsso_account_id = s\n",
     "HOME/.aws/config: the profile my p has sso_account_id, which rtrack does not support" EXPORT(
	 "my p")},
    {{OFF},
     NULL,
     "[default]\nsso_role_name = s\n",
     "HOME/.aws/config: the profile default has sso_role_name, which rtrack does not "
     "support" EXPORT("default")},
    {{OFF},
     "[default]\nrole_arn = arn\nsource_profile = x\n",
     NULL,
     "HOME/.aws/credentials: the profile default has source_profile, which rtrack does not "
     "support" EXPORT("default")},
    {{OFF},
     NULL,
     "[default]\nrole_arn = arn\ncredential_source = Environment\n",
     "HOME/.aws/config: the profile default has credential_source, which rtrack does not "
     "support" EXPORT("default")},
    {{OFF},
     NULL,
     "[default]\nrole_arn = arn\nweb_identity_token_file = /none/t\n",
     "AssumeRoleWithWebIdentity of the role arn: /none/t: there is no such file"},
    {{OFF, "AWS_CONTAINER_CREDENTIALS_FULL_URI=http://example.com/hidden"},
     NULL,
     NULL,
     "AWS_CONTAINER_CREDENTIALS_FULL_URI: http:// is only allowed to this machine itself, "
     "169.254.170.2, 169.254.170.23 and [fd00:ec2::23]"},
    {{OFF, "AWS_CONTAINER_CREDENTIALS_FULL_URI=http://127.0.0.1:1/",
      "AWS_CONTAINER_AUTHORIZATION_TOKEN=hidden\r\nX: y"},
     NULL,
     NULL,
     "AWS_CONTAINER_AUTHORIZATION_TOKEN has a newline"},
    {{OFF, "AWS_CONTAINER_CREDENTIALS_FULL_URI=http://127.0.0.1:1/",
      "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE=/none"},
     NULL,
     NULL,
     "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: /none: there is no such file"},
};

TEST(test_wrong)
{
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct s3_credentials *c;
		struct err e = {0};
		struct buf said = {0};
		aws_scene_set(aws_folder, wrong[i].credentials, wrong[i].config,
		              wrong[i].variables);
		c = s3_credentials_new(&e);
		assert_non_null(c);
		assert_null(s3_credentials_get(c, NOW, &e));
		write_home(e.msg, aws_folder, &said);
		assert_string_equal(buf_cstr(&said), wrong[i].result);
		assert_null(strstr(e.msg, "hidden"));
		buf_free(&said);
		s3_credentials_free(c);
	}
}

TEST(test_forget)
{
	static const char *const variables[AWS_SCENE_VARIABLES] = {
	    OFF, "AWS_ACCESS_KEY_ID=A", "AWS_SECRET_ACCESS_KEY=secret", "AWS_SESSION_TOKEN=token",
	    "AWS_CONTAINER_AUTHORIZATION_TOKEN=auth"};
	struct s3_credentials *c;
	const char *secret;

	aws_scene_set(aws_folder, NULL, NULL, variables);
	c = s3_credentials_new(NULL);
	secret = getenv("AWS_SECRET_ACCESS_KEY");
	assert_string_equal(secret, "secret");
	s3_credentials_forget();
	assert_string_equal(secret, "");
	assert_null(getenv("AWS_SECRET_ACCESS_KEY"));
	assert_null(getenv("AWS_SESSION_TOKEN"));
	assert_null(getenv("AWS_CONTAINER_AUTHORIZATION_TOKEN"));
	assert_string_equal(getenv("AWS_ACCESS_KEY_ID"), "A");
	assert_string_equal(s3_credentials_get(c, NOW, NULL)->secret, "secret");
	assert_string_equal(s3_credentials_get(c, NOW, NULL)->token, "token");
	s3_credentials_free(c);
	s3_credentials_free(NULL);
}

/* Files that are none, too large, or another user's. */
TEST(test_files)
{
	static const char *const variables[AWS_SCENE_VARIABLES] = {OFF};
	struct s3_credentials *c;
	char path[512];
	struct err e = {0};
	int fd;
	double at = NOW;

	aws_scene_set(aws_folder, NULL, NULL, variables);
	snprintf(path, sizeof path, "%s/.aws/config", aws_folder);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (1 << 20) + 1), 0);
	c = s3_credentials_new(&e);
	assert_null(s3_credentials_get(c, at += 11, &e));
	assert_non_null(strstr(e.msg, "/.aws/config: larger than 1024 KiB"));
	assert_int_equal(ftruncate(fd, 0), 0);
	close(fd);
	setenv("AWS_CONFIG_FILE", aws_folder, 1);
	assert_null(s3_credentials_get(c, at += 11, &e));
	assert_non_null(strstr(e.msg, ": Is a directory"));
	unsetenv("AWS_CONFIG_FILE");
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_null(s3_credentials_get(c, at += 11, &e)); /* does not hang */
	assert_non_null(strstr(e.msg, "no credentials"));
	unlink(path);
	if (geteuid() != 0) {
		aws_scene_set(aws_folder, "[default]\n", NULL, variables);
		snprintf(path, sizeof path, "%s/.aws/credentials", aws_folder);
		chmod(path, 0);
		assert_null(s3_credentials_get(c, at += 11, &e));
		assert_non_null(strstr(e.msg, ".aws/credentials: Permission denied"));
	}
	s3_credentials_free(c);
}

#define FULL "AWS_CONTAINER_CREDENTIALS_FULL_URI: "
#define ONLY                                                                                       \
	FULL "http:// is only allowed to this machine itself, 169.254.170.2, 169.254.170.23 and "  \
	     "[fd00:ec2::23]"

/* Which URLs are asked for a secret. */
TEST(test_container_url)
{
	static const struct {
		const char *relative, *full, *url, *sentence;
	} cases[] = {
	    {"/v2/credentials/a-b?x=1", NULL, "http://169.254.170.2/v2/credentials/a-b?x=1", NULL},
	    {"/a", "https://h/b", "http://169.254.170.2/a", NULL},
	    {NULL, "https://h/b?c", "https://h/b?c", NULL},
	    {NULL, "http://127.0.0.1:1/b", "http://127.0.0.1:1/b", NULL},
	    {NULL, "http://localhost/b", "http://localhost/b", NULL},
	    {NULL, "http://[::1]/b", "http://[::1]/b", NULL},
	    {NULL, "http://169.254.170.2/b", "http://169.254.170.2/b", NULL},
	    {NULL, "http://169.254.170.23/v1", "http://169.254.170.23/v1", NULL},
	    {NULL, "http://[fd00:ec2::23]/v1", "http://[fd00:ec2::23]/v1", NULL},
	    {NULL, "http://169.254.169.254/", NULL, ONLY},
	    {NULL, "http://192.168.1.1/", NULL, ONLY},
	    {NULL, "http://169.254.170.2.example.com/", NULL, ONLY},
	    {NULL, "http://example.com/", NULL, ONLY},
	    {NULL, "file:///etc/passwd", NULL,
	     FULL "this is not a URL that begins with https:// or http://"},
	    {"v2/a", NULL, NULL, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI does not begin with '/'"},
	    {".example.com/", NULL, NULL,
	     "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI does not begin with '/'"},
	    {"/a b", NULL, NULL,
	     "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: the URL has a character that no URL may have"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf url = {0};
		struct err e = {0};
		int rc = s3_credentials_container_url(cases[i].relative, cases[i].full, &url, &e);
		assert_int_equal(rc, cases[i].sentence ? -1 : 0);
		assert_string_equal(e.msg, cases[i].sentence ? cases[i].sentence : "");
		if (!rc)
			assert_string_equal(url.s, cases[i].url);
		buf_free(&url);
	}
}
