/* s3_setting: endpoints' URLs; what is wrong with one is in test_s3_endpoint.c, too. */
#include <string.h>

#include "report/aws_keys/s3_setting.h"
#include "tests/unit/unit.h"

TEST(test_right)
{
	static const struct {
		const char *url, *host, *base;
		bool https, query, loopback;
	} cases[] = {
	    {"https://h", "h", "https://h", true, false, false},
	    {"HTTP://LocalHost:80/a/", "localhost", "http://LocalHost:80/a", false, false, true},
	    {"http://127.3.2.1", "127.3.2.1", "http://127.3.2.1", false, false, true},
	    {"http://[::1]:1?x", "::1", "http://[::1]:1?x", false, true, true},
	    {"http://[0:0::1]", "0:0::1", "http://[0:0::1]", false, false, true},
	    {"http://[fd00:EC2::23]/v1", "fd00:ec2::23", "http://[fd00:EC2::23]/v1", false, false,
	     false},
	    {"http://127.0.0.1.example.com", "127.0.0.1.example.com",
	     "http://127.0.0.1.example.com", false, false, false},
	    {"https://h/%41?a=b/", "h", "https://h/%41?a=b", true, true, false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct s3_url u;
		struct err e = {0};
		if (s3_setting_url(&u, cases[i].url, &e))
			fail_msg("%s: %s", cases[i].url, e.msg);
		assert_string_equal(u.host, cases[i].host);
		assert_string_equal(u.base, cases[i].base);
		assert_int_equal(u.https, cases[i].https);
		assert_int_equal(u.query, cases[i].query);
		assert_int_equal(s3_setting_is_loopback(&u), cases[i].loopback);
	}
}

TEST(test_wrong)
{
	static const char *const urls[] = {
	    "",
	    "h",
	    "ftp://h",
	    "https:/h",
	    "https://",
	    "https:///p",
	    "https://?q",
	    "https://.h",
	    "https://h h",
	    "https://h\\p",
	    "https://h%41",
	    "https://h\xc3\xbc",
	    "https://u@h",
	    "https://h/@",
	    "https://h:",
	    "https://h:x",
	    "https://h:-1",
	    "https://h:99999",
	    "https://h:1x",
	    "https://[]",
	    "https://[h]",
	    "https://[::1]x",
	    "https://[fe80::1%25eth0]",
	    "https://h/\t",
	};
	char longer[600];

	for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
		struct s3_url u;
		struct err e = {0};
		if (!s3_setting_url(&u, urls[i], &e))
			fail_msg("%s", urls[i]);
		assert_true(*e.msg);
	}
	for (size_t n = 511; n <= 512; n++) {
		struct s3_url u;
		memset(longer, 'a', n);
		memcpy(longer, "https://h/", 10);
		longer[n] = '\0';
		assert_int_equal(s3_setting_url(&u, longer, NULL), n < 512 ? 0 : -1);
	}
}
