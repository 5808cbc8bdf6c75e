/* s3_profile: settings files as people and AWS' tools write them. */
#include <string.h>

#include "core/base/buf.h"
#include "report/aws_keys/s3_profile.h"
#include "tests/unit/unit.h"

static void write_setting(void *ctx, const char *section, const char *key, const char *value)
{
	if (*key)
		buf_printf(ctx, "[%s]%s=%s|", section, key, value);
}

TEST(test_right)
{
	static const struct {
		const char *text, *settings;
	} cases[] = {
	    {"", ""},
	    {"\n# c\n  ; c\n[default]\n", ""},
	    {"[default]\nregion = eu-west-1\n", "[default]region=eu-west-1|"},
	    {"[default]\nregion=eu-west-1", "[default]region=eu-west-1|"},
	    {"\xef\xbb\xbf[ default ]\r\nREGION : a\r\n\r\n", "[default]region=a|"},
	    {"[a]\nk = v # c\nl = v;w #\nm = # c\nn = a#b\n", "[a]k=v|[a]l=v;w|[a]m=|[a]n=a#b|"},
	    {"[a] # c ]\n  k = 1\n  l = 2\n[b]\nk=3\n", "[a]k=1|[a]l=2|[b]k=3|"},
	    {"[a]\ns3 =\n  addressing_style = path\n  # c\n\n  Other=1\nregion=r\n",
	     "[a]s3.addressing_style=path|[a]s3.other=1|[a]s3=|[a]region=r|"},
	    {"[a]\n  s3 =\n    x = 1\n  y = 2\n", "[a]s3.x=1|[a]s3=|[a]y=2|"},
	    {"[a]\nk = one\n  two = 2\n", "[a]k=one\ntwo = 2|"},
	    {"[a]\nk=1\n[a]\nk=2\nk=3\n", "[a]k=1|[a]k=2|[a]k=3|"},
	    {"[a]\nk = a=b:c\n", "[a]k=a=b:c|"},
	    {"[profile \"b c\"]\nk=\xc3\xbc\n", "[profile \"b c\"]k=\xc3\xbc|"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out = {0};
		struct err e = {0};
		if (s3_profile_walk(cases[i].text, strlen(cases[i].text), write_setting, &out, &e))
			fail_msg("%s: %s", cases[i].text, e.msg);
		assert_string_equal(buf_cstr(&out), cases[i].settings);
		buf_free(&out);
	}
}

TEST(test_wrong)
{
	static const struct {
		const char *text;
		size_t n; /* 0: all of it */
		const char *sentence;
	} cases[] = {
	    {"secret\n", 0, "line 1 stands before the first [section]"},
	    {"k = 1\n", 0, "line 1 stands before the first [section]"},
	    {"[a]\n\nsecret\n", 0, "line 3 is neither [section] nor KEY = VALUE"},
	    {"[a]\n= secret\n", 0, "line 2 is neither [section] nor KEY = VALUE"},
	    {"[a\n", 0, "line 1 has a '[' without a ']'"},
	    {"[a]\ns3 =\n  secret\n", 0, "line 3 is not KEY = VALUE"},
	    {"[a]\nk = \0v\n", 10, "line 2 has a NUL byte"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out = {0};
		struct err e = {0};
		size_t n = cases[i].n ? cases[i].n : strlen(cases[i].text);
		assert_int_equal(s3_profile_walk(cases[i].text, n, write_setting, &out, &e), -1);
		assert_string_equal(e.msg, cases[i].sentence);
		buf_free(&out);
	}
}

TEST(test_section)
{
	assert_true(s3_profile_is("profile a", "profile", "a"));
	assert_true(s3_profile_is("profile \t 'a b'", "profile", "a b"));
	assert_true(s3_profile_is("profile \"a b\"", "profile", "a b"));
	assert_true(s3_profile_is("profile a b", "profile", "a b"));
	assert_false(s3_profile_is("profile ab", "profile", "a"));
	assert_false(s3_profile_is("profilea", "profile", "a"));
	assert_false(s3_profile_is("profile", "profile", ""));
	assert_false(s3_profile_is("services a", "profile", "a"));
	assert_false(s3_profile_is("profile \"", "profile", ""));
	assert_false(s3_profile_is("a", "profile", "a"));
}

TEST(test_url_right)
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
		if (s3_profile_url(&u, cases[i].url, &e))
			fail_msg("%s: %s", cases[i].url, e.msg);
		assert_string_equal(u.host, cases[i].host);
		assert_string_equal(u.base, cases[i].base);
		assert_int_equal(u.https, cases[i].https);
		assert_int_equal(u.query, cases[i].query);
		assert_int_equal(s3_profile_is_loopback(&u), cases[i].loopback);
	}
}

TEST(test_url_wrong)
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
		if (!s3_profile_url(&u, urls[i], &e))
			fail_msg("%s", urls[i]);
		assert_true(*e.msg);
	}
	for (size_t n = 511; n <= 512; n++) {
		struct s3_url u;
		memset(longer, 'a', n);
		memcpy(longer, "https://h/", 10);
		longer[n] = '\0';
		assert_int_equal(s3_profile_url(&u, longer, NULL), n < 512 ? 0 : -1);
	}
}
