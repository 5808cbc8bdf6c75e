/* Tests of core/base/edit_distance.c. */
#include <stdlib.h>
#include <string.h>

#include "core/base/edit_distance.h"
#include "tests/unit/unit.h"

TEST(distances)
{
	static const struct {
		const char *a, *b;
		size_t distance;
	} rows[] = {
	    {"", "", 0},         {"", "abc", 3},           {"abc", "", 3},
	    {"help", "help", 0}, {"hlep", "help", 1},      {"htlm", "html", 1},
	    {"htlm", "help", 2}, {"ofline", "offline", 1}, {"oflfine", "offline", 1},
	    {"ca", "abc", 3},    {"kitten", "sitting", 3}, {"ba", "ab", 1},
	};
	char longest[66];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_int_equal(edit_distance(rows[i].a, strlen(rows[i].a), rows[i].b),
		                 rows[i].distance);
		assert_int_equal(edit_distance(rows[i].b, strlen(rows[i].b), rows[i].a),
		                 rows[i].distance);
	}
	memset(longest, 'a', sizeof longest);
	longest[64] = '\0';
	assert_int_equal(edit_distance(longest, 64, longest), 0);
	longest[64] = 'a';
	longest[65] = '\0';
	assert_int_equal(edit_distance(longest, 65, longest), EDIT_DISTANCE_FAR);
}
