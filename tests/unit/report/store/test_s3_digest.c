/* s3_digest: the examples of RFC 1321, the check value of CRC-64/NVME, and lengths around the ends of
 * blocks. */
#include <stdlib.h>
#include <string.h>

#include "report/store/s3_digest.h"
#include "tests/unit/unit.h"

static struct s3_sums digest(const void *p, size_t n, size_t step)
{
	struct s3_sums sums;
	struct s3_digest d;

	s3_digest_begin(&d);
	for (size_t at = 0; at < n; at += step)
		s3_digest_add(&d, (const char *)p + at, n - at < step ? n - at : step);
	s3_digest_end(&d, &sums);
	return sums;
}

TEST(examples_of_md5)
{
	static const struct {
		const char *text, *hex;
	} cases[] = {
	    {"", "d41d8cd98f00b204e9800998ecf8427e"},
	    {"a", "0cc175b9c0f1b6a831c399e269772661"},
	    {"abc", "900150983cd24fb0d6963f7d28e17f72"},
	    {"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
	    {"abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"},
	    {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
	     "d174ab98d277d9f5a5611c2c9f419d9f"},
	    {"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
	     "57edf4a22be3c955ac49da2e2107b67a"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(digest(cases[i].text, strlen(cases[i].text), 7).md5_hex,
		                    cases[i].hex);
}

TEST(check_value_of_crc64)
{
	static const unsigned char expected[8] = {0xae, 0x8b, 0x14, 0x86, 0x0a, 0x79, 0x98, 0x88};
	struct s3_sums sums = digest("123456789", 9, 9);

	assert_memory_equal(sums.crc64, expected, sizeof expected);
}

TEST(pieces_make_no_difference)
{
	char text[300];

	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (char)(i * 7);
	for (size_t n = 0; n <= sizeof text; n++) {
		struct s3_sums whole = digest(text, n, sizeof text);
		for (size_t step = 1; step < 131; step += 13) {
			struct s3_sums pieces = digest(text, n, step);
			assert_memory_equal(&pieces, &whole, sizeof whole);
		}
	}
	/* md5sum of 119 times 'x': padding takes another block from 120 - 64 on. */
	memset(text, 'x', sizeof text);
	assert_string_equal(digest(text, 55, 55).md5_hex, "04364420e25c512fd958a70738aa8f72");
	assert_string_equal(digest(text, 56, 56).md5_hex, "668a72d5ba17f08e62dabcafad6db14b");
}

TEST(found_in_headers)
{
	struct s3_sums sums = digest("hello", 5, 5);

	assert_true(s3_digest_named(&sums, " XUFAKrxLKna5cZ2REBfFkg=="));
	assert_true(s3_digest_named(&sums, " crc32c=mnG7TA==,md5=XUFAKrxLKna5cZ2REBfFkg=="));
	assert_false(s3_digest_named(&sums, " XUFAKrxLKna5cZ2REBfFkA=="));
	assert_false(s3_digest_named(&sums, ""));
}
