/* fleet_options: which names --mail-domain takes. */
#include "fleet/options/fleet_options.h"
#include "tests/unit/unit.h"

static int parse(const char *domain)
{
	char *argv[] = {"rtrack-fleet",  "mail",         "--mail-dir", ".",
	                "--mail-domain", (char *)domain, "runs",       NULL};
	struct fleet_options o;
	struct err e = {.msg = ""};
	int failed = fleet_options_parse(&o, 7, argv, &e);

	fleet_options_free(&o);
	return failed;
}

TEST(domains)
{
	static const char *const good[] = {"example.org", "localhost"};
	static const char *const bad[] = {"example.org\nBcc: x", "", "a..b", "a@b", "-a", "a."};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		assert_int_equal(parse(good[i]), 0);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(parse(bad[i]), -1);
}
