/* now: one look, as text and as JSON; what it measures is tried in tests/live/now.sh. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/now.h"
#include "tests/unit/unit.h"

TEST(text_and_json)
{
	struct buf text = {0}, json = {0};
	char user[64];
	struct err e = {0};

	assert_int_equal(now_print(false, false, &text, &e), 0);
	snprintf(user, sizeof user, "user %u: ", (unsigned)getuid());
	assert_int_equal(strncmp(buf_cstr(&text), user, strlen(user)), 0);
	assert_int_equal(text.s[text.len - 1], '\n');
	assert_int_equal(now_print(true, false, &json, &e), 0);
	assert_int_equal(strncmp(buf_cstr(&json), "{\"version\":\"", 12), 0);
	assert_ptr_equal(strchr(buf_cstr(&json), '\n'), json.s + json.len - 1);
	assert_null(strstr(buf_cstr(&json), "\"command\":\""));
	buf_free(&text);
	buf_free(&json);
}
