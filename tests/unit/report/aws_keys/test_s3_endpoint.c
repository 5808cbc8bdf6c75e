/* s3_endpoint: hosts, styles and regions, from the environment and from profiles. */
#include "report/aws_keys/s3_endpoint.h"
#include "tests/unit/report/store/aws_scene.h"
#include "tests/unit/report/store/home.h"
#include "tests/unit/unit.h"

ALL_TESTS_WITH(aws_scene_begin, aws_scene_end)

struct scene {
	const char *variables[AWS_SCENE_VARIABLES];
	const char *config;
	const char *bucket, *result; /* the URL of key a/b, or the sentence */
	const char *region;          /* NULL: us-east-1 */
};

#define AWS(host) "https://" host "/a/b"

static const struct scene right[] = {
    /* AWS' own */
    {{0}, NULL, "bkt", AWS("bkt.s3.us-east-1.amazonaws.com"), NULL},
    {{"AWS_REGION=eu-west-1"}, NULL, "bkt", AWS("bkt.s3.eu-west-1.amazonaws.com"), "eu-west-1"},
    {{"AWS_DEFAULT_REGION=eu-west-1"},
     NULL,
     "bkt",
     AWS("bkt.s3.eu-west-1.amazonaws.com"),
     "eu-west-1"},
    {{"AWS_REGION=eu-west-2", "AWS_DEFAULT_REGION=eu-west-1"},
     "[default]\nregion = eu-west-3\n",
     "bkt",
     AWS("bkt.s3.eu-west-2.amazonaws.com"),
     "eu-west-2"},
    {{"AWS_REGION="},
     "[default]\nregion = eu-west-3\n",
     "bkt",
     AWS("bkt.s3.eu-west-3.amazonaws.com"),
     "eu-west-3"},
    {{"AWS_REGION=cn-north-1"},
     NULL,
     "bkt",
     AWS("bkt.s3.cn-north-1.amazonaws.com.cn"),
     "cn-north-1"},
    {{"AWS_REGION=us-gov-west-1"},
     NULL,
     "bkt",
     AWS("bkt.s3.us-gov-west-1.amazonaws.com"),
     "us-gov-west-1"},
    {{0}, NULL, "b.k.t", AWS("s3.us-east-1.amazonaws.com/b.k.t"), NULL},
    {{0}, NULL, "Bkt", AWS("s3.us-east-1.amazonaws.com/Bkt"), NULL},
    {{0}, NULL, "b_t", AWS("s3.us-east-1.amazonaws.com/b_t"), NULL},
    {{0}, NULL, "-bt", AWS("s3.us-east-1.amazonaws.com/-bt"), NULL},
    {{"AWS_USE_DUALSTACK_ENDPOINT=true"},
     NULL,
     "bkt",
     AWS("bkt.s3.dualstack.us-east-1.amazonaws.com"),
     NULL},
    {{"AWS_USE_FIPS_ENDPOINT=True", "AWS_USE_DUALSTACK_ENDPOINT=false"},
     NULL,
     "bkt",
     AWS("bkt.s3-fips.us-east-1.amazonaws.com"),
     NULL},
    {{0},
     "[default]\nuse_fips_endpoint=true\nuse_dualstack_endpoint=true\n",
     "bkt",
     AWS("bkt.s3-fips.dualstack.us-east-1.amazonaws.com"),
     NULL},
    {{0},
     "[default]\ns3=\n addressing_style = path\n",
     "bkt",
     AWS("s3.us-east-1.amazonaws.com/bkt"),
     NULL},
    /* endpoints */
    {{"AWS_ENDPOINT_URL=http://127.0.0.1:7480/"},
     NULL,
     "bkt",
     "http://127.0.0.1:7480/bkt/a/b",
     NULL},
    {{"AWS_ENDPOINT_URL_S3=https://h", "AWS_ENDPOINT_URL=https://no"},
     "[default]\nendpoint_url = https://no\n",
     "bkt",
     AWS("h/bkt"),
     NULL},
    {{"AWS_ENDPOINT_URL=HTTPS://Host:9000/some/path//", "AWS_REGION=Region.One_1"},
     NULL,
     "bkt",
     AWS("Host:9000/some/path/bkt"),
     "Region.One_1"},
    {{"AWS_ENDPOINT_URL=http://[::1]:80"}, NULL, "bkt", "http://[::1]:80/bkt/a/b", NULL},
    {{0}, "[default]\nendpoint_url = https://h\n", "bkt", AWS("h/bkt"), NULL},
    {{0},
     "[default]\nservices = my\nendpoint_url = https://no\n"
     "[services no]\ns3 =\n  endpoint_url = https://no\n"
     "[services my]\ns3 =\n  endpoint_url = https://h\nsts =\n  endpoint_url = https://no\n",
     "bkt",
     AWS("h/bkt"),
     NULL},
    {{"AWS_PROFILE=p"},
     "[default]\nregion=no\n[profile 'p']\nendpoint_url=https://h/p\nregion=r\n"
     "s3 =\n  addressing_style = virtual\n",
     "bkt",
     AWS("bkt.h/p"),
     "r"},
    {{"AWS_ENDPOINT_URL=https://h"},
     "[default]\ns3 =\n  addressing_style = virtual\n",
     "b.k",
     AWS("h/b.k"),
     NULL},
    {{"AWS_ENDPOINT_URL=http://h"},
     "[default]\ns3 =\n  addressing_style = virtual\n",
     "b.k",
     "http://b.k.h/a/b",
     NULL},
    {{"AWS_ENDPOINT_URL=https://no", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS=true"},
     NULL,
     "bkt",
     AWS("bkt.s3.us-east-1.amazonaws.com"),
     NULL},
};

TEST(test_right)
{
	for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
		const struct scene *s = &right[i];
		struct s3_endpoint p;
		char ca[PATH_MAX];
		struct err e = {0};
		struct buf url = {0};
		aws_scene_set(aws_folder, NULL, s->config, s->variables);
		if (s3_endpoint_find(&p, ca, &e))
			fail_msg("%zu: %s", i, e.msg);
		s3_endpoint_url(&p, s->bucket, "a/b", "", &url);
		assert_string_equal(buf_cstr(&url), s->result);
		assert_string_equal(p.region, s->region ? s->region : "us-east-1");
		assert_int_equal(p.clear, strncmp(s->result, "http:", 5) == 0);
		buf_free(&url);
	}
}

static const struct scene wrong[] = {
    {{"AWS_ENDPOINT_URL=https://user:SECRET@h"},
     NULL,
     NULL,
     "AWS_ENDPOINT_URL: a user name or a password in the URL is not used (credentials are taken as "
     "AWS' tools take them)",
     NULL},
    {{"AWS_ENDPOINT_URL=user:SECRET@h"},
     NULL,
     NULL,
     "AWS_ENDPOINT_URL: a user name or a password in the URL is not used (credentials are taken as "
     "AWS' tools take them)",
     NULL},
    {{"AWS_ENDPOINT_URL_S3=h:9000"},
     NULL,
     NULL,
     "AWS_ENDPOINT_URL_S3: this is not a URL that begins with https:// or http://",
     NULL},
    {{"AWS_ENDPOINT_URL=file:///etc"},
     NULL,
     NULL,
     "AWS_ENDPOINT_URL: this is not a URL that begins with https:// or http://",
     NULL},
    {{"AWS_ENDPOINT_URL=https://h/?token=SECRET"},
     NULL,
     NULL,
     "AWS_ENDPOINT_URL: an endpoint has no '?'",
     NULL},
    {{"AWS_ENDPOINT_URL=https://h/#SECRET"},
     NULL,
     NULL,
     "AWS_ENDPOINT_URL: the URL has a '#'",
     NULL},
    {{"AWS_ENDPOINT_URL=https://h\r\nX: y"},
     NULL,
     NULL,
     "AWS_ENDPOINT_URL: the URL has a character that no URL may have",
     NULL},
    {{"AWS_ENDPOINT_URL=https://"},
     NULL,
     NULL,
     "AWS_ENDPOINT_URL: the URL has no valid host",
     NULL},
    {{"AWS_ENDPOINT_URL=https://[::1"},
     NULL,
     NULL,
     "AWS_ENDPOINT_URL: the URL has no valid host",
     NULL},
    {{"AWS_ENDPOINT_URL=https://h:0/"},
     NULL,
     NULL,
     "AWS_ENDPOINT_URL: the URL's port is none",
     NULL},
    {{"AWS_ENDPOINT_URL=https://h:65536"},
     NULL,
     NULL,
     "AWS_ENDPOINT_URL: the URL's port is none",
     NULL},
    {{0},
     "[default]\nendpoint_url = gopher://h\n",
     NULL,
     "endpoint_url of the profile default: this is not a URL that begins with https:// or http://",
     NULL},
    {{"AWS_REGION=evil.com/"},
     NULL,
     NULL,
     "AWS_REGION: \"evil.com/\" is not the name of a region",
     NULL},
    {{"AWS_REGION=a.b"}, NULL, NULL, "AWS_REGION: \"a.b\" is not the name of a region", NULL},
    {{0},
     "[default]\nregion = eu west\n",
     NULL,
     "region of the profile default: \"eu west\" is not the name of a region",
     NULL},
    {{"AWS_USE_FIPS_ENDPOINT=yes"},
     NULL,
     NULL,
     "AWS_USE_FIPS_ENDPOINT is neither true nor false",
     NULL},
    {{"AWS_USE_FIPS_ENDPOINT=true", "AWS_ENDPOINT_URL=https://h"},
     NULL,
     NULL,
     "AWS_USE_FIPS_ENDPOINT is for AWS' own endpoints: it cannot be used together with an endpoint "
     "URL",
     NULL},
    {{"AWS_USE_DUALSTACK_ENDPOINT=true", "AWS_ENDPOINT_URL=https://h"},
     NULL,
     NULL,
     "AWS_USE_DUALSTACK_ENDPOINT is for AWS' own endpoints: it cannot be used together with an "
     "endpoint URL",
     NULL},
    {{0},
     "[default]\ns3 =\n  addressing_style = dns\n",
     NULL,
     "s3.addressing_style of the profile default is not auto, path or virtual",
     NULL},
    {{"AWS_PROFILE=none"},
     "[default]\nregion=r\n",
     NULL,
     "AWS_PROFILE names the profile none, which neither HOME/.aws/config nor HOME/.aws/credentials "
     "has",
     NULL},
    {{0},
     "[default]\nregion = r\naws_secret_access_key SECRET\n",
     NULL,
     "HOME/.aws/config: line 3 is neither [section] nor KEY = VALUE",
     NULL},
};

TEST(test_wrong)
{
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct s3_endpoint p;
		char ca[PATH_MAX];
		struct err e = {0};
		struct buf said = {0};
		aws_scene_set(aws_folder, NULL, wrong[i].config, wrong[i].variables);
		assert_int_equal(s3_endpoint_find(&p, ca, &e), -1);
		write_home(e.msg, aws_folder, &said);
		assert_string_equal(buf_cstr(&said), wrong[i].result);
		assert_null(strstr(e.msg, "SECRET"));
		buf_free(&said);
	}
}

TEST(test_certificates)
{
	static const struct {
		const char *variable, *config, *ca; /* or the sentence */
	} cases[] = {
	    {NULL, NULL, ""},
	    {"AWS_CA_BUNDLE=/dev/null", "[default]\nca_bundle = /dev/zero\n", "/dev/null"},
	    {"AWS_CA_BUNDLE=", "[default]\nca_bundle = /dev/zero\n", "/dev/zero"},
	    {"AWS_CA_BUNDLE=/nowhere", NULL, "AWS_CA_BUNDLE: /nowhere: No such file or directory"},
	    {NULL, "[default]\nca_bundle = /nowhere\n",
	     "ca_bundle of the profile default: /nowhere: No such file or directory"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *variables[AWS_SCENE_VARIABLES] = {cases[i].variable};
		struct s3_endpoint p;
		char ca[PATH_MAX];
		struct err e = {0};
		aws_scene_set(aws_folder, NULL, cases[i].config, variables);
		assert_string_equal(s3_endpoint_find(&p, ca, &e) ? e.msg : ca, cases[i].ca);
	}
}

static void expect_url(const struct s3_endpoint *p, const char *bucket, const char *key,
                       const char *query, const char *url)
{
	struct buf b = {0};

	s3_endpoint_url(p, bucket, key, query, &b);
	assert_string_equal(buf_cstr(&b), url);
	buf_free(&b);
}

TEST(test_urls)
{
	struct s3_endpoint aws = {.region = "r-1"}, own = {.base = "http://h:1/p", .clear = true};

	expect_url(&aws, "bkt", NULL, "", "https://bkt.s3.r-1.amazonaws.com/");
	expect_url(&aws, "bkt", NULL, "list-type=2&prefix=a%2Fb",
	           "https://bkt.s3.r-1.amazonaws.com/?list-type=2&prefix=a%2Fb");
	expect_url(&aws, "b.kt", NULL, "a=", "https://s3.r-1.amazonaws.com/b.kt?a=");
	expect_url(&aws, "bkt", "/a//../b c", "", "https://bkt.s3.r-1.amazonaws.com//a//../b%20c");
	expect_url(&own, "bkt", NULL, "", "http://h:1/p/bkt");
	expect_url(&own, "bkt", "a+b%", "uploads=", "http://h:1/p/bkt/a%2Bb%25?uploads=");
	expect_url(&own, "bkt", "", "", "http://h:1/p/bkt/");
}

TEST(test_move)
{
	struct s3_endpoint aws = {.region = "us-east-1"},
			   own = {.base = "https://h", .region = "a"};

	assert_false(s3_endpoint_move(&aws, ""));
	assert_false(s3_endpoint_move(&aws, "us-east-1"));
	assert_false(s3_endpoint_move(&aws, "x.evil.com"));
	assert_false(s3_endpoint_move(&aws, "x/y"));
	assert_false(s3_endpoint_move(&aws, "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz-"
	                                    "abcdefghijklm"));
	assert_string_equal(aws.region, "us-east-1");
	assert_true(s3_endpoint_move(&aws, "eu-west-1"));
	assert_false(s3_endpoint_move(&aws, "eu-west-1"));
	expect_url(&aws, "bkt", NULL, "", "https://bkt.s3.eu-west-1.amazonaws.com/");
	assert_true(s3_endpoint_move(&own, "b.c_d"));
	expect_url(&own, "bkt", NULL, "", "https://h/bkt");
}
