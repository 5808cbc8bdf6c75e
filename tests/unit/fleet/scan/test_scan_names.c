/* scan_names: names of users, from a file like /etc/passwd. */
#include <stdio.h>
#include <time.h>

#include "fleet/scan/scan_names.h"
#include "tests/unit/report/recording.h"
#include "tests/unit/unit.h"

#define LONG_NAME "x23456789012345678901234567890123456789012345678901234567890123" /* 63 */

TEST_WITH(names_of_users, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct scan_names n = {.read = false};

	assert_null(scan_names_of(&n, 0));
	assert_false(scan_names_of_another(&n, "root", 1));
	recordings_file(t, "passwd",
	                "root:x:0:0:root:/root:/bin/sh\n"
	                "toor:x:0:0:again:/root:/bin/sh\n"
	                "# nothing\n"
	                "ann:x:1000:100::/:/bin/sh\n"
	                "ann:x:1001:100:twice:/:/bin/sh\n"
	                "bob:x:1002:100::/:/bin/sh\n"
	                "bob:x:1002:100:the same:/:/bin/sh\n" LONG_NAME
	                "4:x:1003:100:too long:/:/bin/sh\n"
	                "short:x:1003:100::/:/bin/sh\n" LONG_NAME ":x:1004:100::/:/bin/sh\n"
	                "last:x:4294967294:100::/:/bin/sh\n");
	scan_names_read(&n, t->path);
	assert_string_equal(scan_names_of(&n, 0), "root");
	assert_string_equal(scan_names_of(&n, 1001), "ann");
	assert_string_equal(scan_names_of(&n, 1003), "short");
	assert_string_equal(scan_names_of(&n, 1004), LONG_NAME);
	assert_string_equal(scan_names_of(&n, 4294967294), "last");
	assert_null(scan_names_of(&n, 4711));
	assert_false(scan_names_of_another(&n, "toor", 0));
	assert_true(scan_names_of_another(&n, "toor", 1));
	assert_true(scan_names_of_another(&n, "ann", 1000)); /* also of 1001 */
	assert_false(scan_names_of_another(&n, "bob", 1002));
	assert_true(scan_names_of_another(&n, LONG_NAME "4", 1004));
	assert_false(scan_names_of_another(&n, "nobody-here", 1000));
	assert_false(scan_names_of_another(&n, "", 1000));
	/* It is read once. */
	recordings_file(t, "passwd", "new:x:0:0::/:/bin/sh\n");
	scan_names_read(&n, t->path);
	assert_string_equal(scan_names_of(&n, 0), "root");
	scan_names_free(&n);
	assert_null(scan_names_of(&n, 0));
	scan_names_read(&n, t->path);
	assert_string_equal(scan_names_of(&n, 0), "new");
	scan_names_free(&n);
	scan_names_read(&n, "/nonexistent/passwd");
	assert_null(scan_names_of(&n, 0));
	scan_names_free(&n);
}

/* Of 20,000 users, each is asked for: minutes, where each would read the file. */
TEST_WITH(many_users, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct scan_names n = {.read = false};
	struct buf text = {.max = SIZE_MAX};
	char name[32];

	for (unsigned i = 0; i < 20000; i++)
		buf_printf(&text, "user%u:x:%u:100::/:/bin/sh\n", i, 10000 + i);
	recordings_file(t, "passwd", buf_cstr(&text));
	for (unsigned i = 0; i < 20000; i++) {
		scan_names_read(&n, t->path);
		snprintf(name, sizeof name, "user%u", i);
		assert_string_equal(scan_names_of(&n, 10000 + i), name);
		assert_false(scan_names_of_another(&n, name, 10000 + i));
	}
	scan_names_free(&n);
	buf_free(&text);
}
