/* Tests of collect/machine/host_id.c. */
#include <string.h>

#include "collect/machine/host_id.h"
#include "tests/unit/unit.h"

/* As "systemd-id128 machine-id --app-specific=" and Python's hmac make it. */
TEST(known_values)
{
	char out[HOST_ID_SIZE];

	assert_true(host_id("0123456789abcdef0123456789abcdef\n", 33, out));
	assert_string_equal(out, "998566965a4d4459893c70037c5e2736");
	assert_true(host_id("0123456789ABCDEF0123456789ABCDEF", 32, out));
	assert_string_equal(out, "998566965a4d4459893c70037c5e2736");
	assert_true(host_id("0123456789abcdef0123456789abcdee\n", 33, out));
	assert_string_not_equal(out, "998566965a4d4459893c70037c5e2736");
}

TEST(no_id)
{
	static const char *const rows[] = {
	    "",
	    "\n",
	    "uninitialized\n",
	    "0123456789abcdef0123456789abcde\n",
	    "0123456789abcdef0123456789abcdef0\n",
	    "0123456789abcdef0123456789abcdeg\n",
	    "00000000000000000000000000000000\n",
	    "01234567-89ab-cdef-0123-456789abcdef\n",
	};
	char out[HOST_ID_SIZE];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_false(host_id(rows[i], strlen(rows[i]), out));
		assert_string_equal(out, "");
	}
}
