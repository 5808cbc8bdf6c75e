/* store_address: addresses of stores, and keys as URLs have them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/input/store_address.h"
#include "tests/unit/unit.h"

TEST(test_kind)
{
	assert_int_equal(store_kind_of("s3://b/k"), STORE_S3);
	assert_int_equal(store_kind_of("s3://"), STORE_S3);
	assert_int_equal(store_kind_of("https://h/p?s"), STORE_HTTPS);
	assert_int_equal(store_kind_of("http://h/p"), STORE_NONE);
	assert_int_equal(store_kind_of("s3:/b"), STORE_NONE);
	assert_int_equal(store_kind_of("./s3://b"), STORE_NONE);
	assert_int_equal(store_kind_of("a.json.gz"), STORE_NONE);
	assert_int_equal(store_kind_of(""), STORE_NONE);
}

TEST(test_right)
{
	static const struct {
		const char *place, *bucket, *key;
	} cases[] = {
	    {"s3://b/runs/a.json.gz", "b", "runs/a.json.gz"},
	    {"s3://b", "b", ""},
	    {"s3://b/", "b", ""},
	    {"s3://my.bucket-1_X/a", "my.bucket-1_X", "a"},
	    {"s3://b//a", "b", "/a"},
	    {"s3://b/a//b/../c/./", "b", "a//b/../c/./"},
	    {"s3://b/a b+c%20d?e#f:@(\xc3\xbc", "b", "a b+c%20d?e#f:@(\xc3\xbc"},
	    {"s3://b/\xff\xfe", "b", "\xff\xfe"},
	    {"s3://...", "...", ""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct store_address a;
		struct err e = {0};
		if (store_address_parse(&a, cases[i].place, &e))
			fail_msg("%s", e.msg);
		assert_string_equal(a.bucket, cases[i].bucket);
		assert_string_equal(a.key, cases[i].key);
	}
}

TEST(test_wrong)
{
	static const struct {
		const char *place, *sentence;
	} cases[] = {
	    {"a.json.gz", "a.json.gz: this is not s3://BUCKET/KEY"},
	    {"", ": this is not s3://BUCKET/KEY"},
	    {"https://h/p?signature", "https://h/p: this is not s3://BUCKET/KEY"},
	    {"s3://", "s3://: no bucket can have this name (letters, digits, '-', '.', '_')"},
	    {"s3:///k", "s3:///k: no bucket can have this name (letters, digits, '-', '.', '_')"},
	    {"s3://./k", "s3://./k: no bucket can have this name (letters, digits, '-', '.', '_')"},
	    {"s3://../k",
	     "s3://../k: no bucket can have this name (letters, digits, '-', '.', '_')"},
	    {"s3://b?x/k",
	     "s3://b?x/k: no bucket can have this name (letters, digits, '-', '.', '_')"},
	    {"s3://KEY:SECRET@b/k",
	     "s3://***: no bucket can have this name (letters, digits, '-', '.', '_')"},
	    {"s3://b/a\nb", "s3://b/a\\x0ab: the key has a control character"},
	    {"s3://b/a\x7f", "s3://b/a\\x7f: the key has a control character"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct store_address a;
		struct err e = {0};
		assert_int_equal(store_address_parse(&a, cases[i].place, &e), -1);
		assert_string_equal(e.msg, cases[i].sentence);
		assert_string_equal(a.bucket, "");
	}
}

static char *repeat(const char *before, char c, size_t n)
{
	char *s = malloc(strlen(before) + n + 1);

	assert_non_null(s);
	memcpy(s, before, strlen(before));
	memset(s + strlen(before), c, n);
	s[strlen(before) + n] = '\0';
	return s;
}

TEST(test_lengths)
{
	static const struct {
		const char *before;
		size_t n;
		int rc;
	} cases[] = {
	    {"s3://", 255, 0},     {"s3://", 256, -1},        {"s3://b/", 1024, 0},
	    {"s3://b/", 1025, -1}, {"s3://b/", 10 << 20, -1}, {"s3://", 10 << 20, -1},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *place = repeat(cases[i].before, 'a', cases[i].n);
		struct store_address a;
		struct err e = {0};
		assert_int_equal(store_address_parse(&a, place, &e), cases[i].rc);
		assert_int_equal(*e.msg != '\0', cases[i].rc != 0);
		free(place);
	}
}

TEST(test_shown)
{
	static const struct {
		const char *place, *shown;
	} cases[] = {
	    {"s3://b/k?x#y", "s3://b/k?x#y"},
	    {"s3://b/a@b:c", "s3://b/a@b:c"},
	    {"s3://b/s:run@n?x=y", "s3://b/s:run@n?x=y"},
	    {"s3://KEY@b/k", "s3://***@b/k"},
	    {"s3://KEY:SE/CRET@b/k", "s3://***"},
	    {"https://h/p?X-Amz-Signature=1", "https://h/p"},
	    {"https://h?sig=1", "https://h"},
	    {"https://h/p#sig", "https://h/p"},
	    {"https://user:pass@h/p", "https://***@h/p"},
	    {"https://user:p@ss@h:1/p@q", "https://***@q"},
	    {"https://@", "https://@"},
	    {"run.json?x", "run.json?x"},
	    {"a@b", "a@b"},
	    {"", ""},
	};
	char out[STORE_SHOWN_MAX], *place = repeat("s3://b/", 'k', 5000);

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(store_address_shown(cases[i].place, out), cases[i].shown);
	store_address_shown(place, out);
	assert_int_equal(strlen(out), STORE_SHOWN_MAX - 1);
	assert_string_equal(out + strlen(out) - 3, "…");
	free(place);
}

TEST(test_glob)
{
	static const struct {
		const char *place;
		bool glob;
	} cases[] = {
	    {"s3://b/a*.gz", true},   {"s3://b/r/a?.gz", true}, {"s3://b/r/[ab]", true},
	    {"s3://b/*", true},       {"s3://b/a*/b", false},   {"s3://b/a*/", false},
	    {"s3://b/r/a.gz", false}, {"s3://b", false},        {"s3://b/a]", false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct store_address a;
		assert_int_equal(store_address_parse(&a, cases[i].place, NULL), 0);
		assert_int_equal(store_address_is_glob(&a), cases[i].glob);
	}
}

TEST(test_encode)
{
	struct buf b = {0};
	char all[256];

	store_address_encode(&b, "a b+c%20/\xc3\xbc(~)_-.*?&=#'!@:,;$[]\\|\"<>^`{}");
	assert_string_equal(
	    b.s, "a%20b%2Bc%2520/%C3%BC%28~%29_-.%2A%3F%26%3D%23%27%21%40%3A%2C%3B%24%5B%"
		 "5D%5C%7C%22%3C%3E%5E%60%7B%7D");
	buf_clear(&b);
	for (int i = 1; i < 256; i++)
		all[i - 1] = (char)i;
	all[255] = '\0';
	store_address_encode(&b, all);
	assert_int_equal(b.len, 66 + 1 + (255 - 66 - 1) * 3);
	buf_free(&b);
}
