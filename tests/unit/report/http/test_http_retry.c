/* http_retry: which answers are tried again, and after which pause. */
#include <string.h>

#include "report/http/http_retry.h"
#include "tests/unit/unit.h"

TEST(busy)
{
	static const char slow[] = "<Error><Code>SlowDown</Code></Error>";
	static const struct {
		long status;
		const char *body;
		bool busy;
	} cases[] = {
	    {200, "", false},  {206, "", false},   {301, "", false},   {307, "", false},
	    {400, "", false},  {403, "", false},   {404, "", false},   {408, "", false},
	    {412, "", false},  {429, "", true},    {500, "", true},    {501, "", false},
	    {502, "", true},   {503, "", true},    {504, "", true},    {505, "", false},
	    {400, slow, true}, {200, slow, false}, {206, slow, false}, {404, "SlowDown", false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct http_reply a = {
		    .status = cases[i].status, .body = cases[i].body, .len = strlen(cases[i].body)};
		if (http_retry_answer(&a) != cases[i].busy)
			fail_msg("%ld %s", cases[i].status, cases[i].body);
	}
}

/* Twice as long with each try, at random; what the server asks for if that is longer, within an hour. */
TEST(pauses)
{
	for (int tries = 1; tries < 40; tries++) {
		long most = 0, limit = 200L << (tries > 10 ? 9 : tries - 1);
		for (int i = 0; i < 200; i++) {
			long ms = http_retry_pause_ms(tries, 0);
			assert_in_range(ms, 0, limit);
			most = ms > most ? ms : most;
		}
		assert_true(most > limit / 2);
	}
	assert_int_equal(http_retry_pause_ms(1, 2), 2000);
	assert_int_equal(http_retry_pause_ms(1, -1) > 200, 0);
	assert_int_equal(http_retry_pause_ms(1, 1000000), 3600000);
}
