/* store_rights: what the worker may be asked for, for each kind of address of a command line. */
#include "report/store/store_rights.h"
#include "tests/unit/unit.h"

#define PIECE ".partial/0000000000000042"

enum { LIST = 1, READ = 2, PUT = 4, DELETE = 8 };

static unsigned allowed(const char *granted, unsigned may, const char *asked)
{
	const struct store_grant v[] = {
	    store_rights_grant("s3://other/runs/", STORE_MAY_READ),
	    store_rights_grant(granted, may),
	};
	struct store_rights r = {.v = v, .n = 2};

	assert_int_equal(store_rights_allow(&r, STORE_ASK_READ, asked),
	                 store_rights_allow(&r, STORE_ASK_HEAD, asked));
	return (store_rights_allow(&r, STORE_ASK_LIST, asked) ? LIST : 0) |
	       (store_rights_allow(&r, STORE_ASK_READ, asked) ? READ : 0) |
	       (store_rights_allow(&r, STORE_ASK_PUT, asked) ? PUT : 0) |
	       (store_rights_allow(&r, STORE_ASK_DELETE, asked) ? DELETE : 0);
}

TEST(test_rights)
{
	enum { R = STORE_MAY_READ, W = STORE_MAY_WRITE, P = STORE_MAY_PIECE };
	static const struct {
		const char *granted;
		unsigned may;
		const char *asked;
		unsigned allowed;
	} cases[] = {
	    /* an object, its pieces, and what is below it */
	    {"s3://b/k", R, "s3://b/k", LIST | READ},
	    {"s3://b/k", R, "s3://b/k" PIECE, READ},
	    {"s3://b/k", R, "s3://b/k.partial.2/0000000000000042", READ},
	    {"s3://b/k", R, "s3://b/k.partial", LIST},
	    {"s3://b/k", R, "s3://b/k.partial.2/", LIST},
	    {"s3://b/k", R, "s3://b/k/", LIST | READ},
	    {"s3://b/k", R, "s3://b/k/a", LIST | READ},
	    {"s3://b/k", R, "s3://b/k2", 0},
	    {"s3://b/k", R, "s3://b/k.partial2", 0},
	    {"s3://b/k", R, "s3://b/k.partial/secret", 0},
	    {"s3://b/k", R, "s3://b/k.partial.2/secret", 0},
	    {"s3://b/k", R, "s3://b/", 0},
	    {"s3://b/k", R, "s3://b", 0},
	    {"s3://b/k", R, "s3://c/k", 0},
	    {"s3://b/k", R, "https://b/k", 0},
	    {"s3://b/k", R, "", 0},
	    {"s3://b/k.partial", R, "s3://b/k.partial/", LIST | READ},
	    {"s3://b/k.partial", R, "s3://b/k", 0},
	    /* a prefix, a glob, a bucket */
	    {"s3://b/r/", R, "s3://b/r/", LIST | READ},
	    {"s3://b/r/", R, "s3://b/r/a/b" PIECE, LIST | READ},
	    {"s3://b/r/", R, "s3://b/r", 0},
	    {"s3://b/r/", R, "s3://b/s", 0},
	    {"s3://b/r/a*.json", R, "s3://b/r/a", LIST | READ},
	    {"s3://b/r/a*.json", R, "s3://b/r/a*.json", LIST | READ},
	    {"s3://b/r/a*.json", R, "s3://b/r/b", 0},
	    {"s3://b/r/*", R, "s3://b/r/b", LIST | READ},
	    {"s3://b/r/*", R, "s3://b/s", 0},
	    {"s3://b", R, "s3://b/", LIST | READ},
	    {"s3://b", R, "s3://b/k", LIST | READ},
	    {"s3://b", R, "s3://bb/k", 0},
	    {"s3://b", R, "s3://b.partial/0000000000000042", 0},
	    {"s3://b/", R, "s3://b/k", LIST | READ},
	    /* outputs: never a glob */
	    {"s3://b/k", W, "s3://b/k", PUT},
	    {"s3://b/k", W, "s3://b/k" PIECE, 0},
	    {"s3://b/k*", W, "s3://b/k*", PUT},
	    {"s3://b/k*", W, "s3://b/kk", 0},
	    {"https://h/k?sig=x", W, "https://h/k?sig=x", PUT},
	    {"https://h/k?sig=x", W, "https://h/k", 0},
	    {"https://h/k?sig=x", W, "https://h/k?sig=xy", 0},
	    /* --put */
	    {"s3://b/k", W | P, "s3://b/k", PUT},
	    {"s3://b/k", W | P, "s3://b/k" PIECE, READ | PUT | DELETE},
	    {"s3://b/k", W | P, "s3://b/k.partial.100/0000000000000042", READ | PUT | DELETE},
	    {"s3://b/k", W | P, "s3://b/k.partial.101/0000000000000042", 0},
	    {"s3://b/k", W | P, "s3://b/k.partial/", LIST},
	    {"s3://b/k", W | P, "s3://b/k.partial", LIST},
	    {"s3://b/k", W | P, "s3://b/j" PIECE, 0},
	    {"s3://b/k", W | P, "s3://b/k/j" PIECE, 0},
	    {"s3://b/k[1]", W | P, "s3://b/k[1]" PIECE, READ | PUT | DELETE},
	    {"https://h/k?s", W | P, "https://h/k?s", PUT},
	    {"https://h/k?s", W | P, "https://h/k?s" PIECE, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		unsigned is = allowed(cases[i].granted, cases[i].may, cases[i].asked);
		if (is != cases[i].allowed)
			fail_msg("%s: %s: %x", cases[i].granted, cases[i].asked, is);
	}
}

TEST(test_none)
{
	struct store_rights r = {.n = 0};

	assert_false(store_rights_allow(&r, STORE_ASK_READ, "s3://b/k"));
}
