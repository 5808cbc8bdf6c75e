/* keeper_file: which requests have the same answer, and an answer comes back. */
#include <stdio.h>
#include <string.h>

#include "report/prices/keeper_file.h"
#include "report/prices/keeper_query.h"
#include "tests/unit/unit.h"

static const char *key_of(void (*url)(struct buf *, const struct keeper_query *),
                          const struct keeper_query *q, bool servers, char out[512])
{
	struct buf b = {0}, key = {0};

	url(&b, q);
	keeper_file_key(buf_cstr(&b) + keeper_query_base(q), servers, &key);
	snprintf(out, 512, "%s", buf_cstr(&key));
	buf_free(&b);
	buf_free(&key);
	return out;
}

static void servers_url(struct buf *out, const struct keeper_query *q)
{
	keeper_query_servers_url(out, q, NULL, false);
}

static void page_url(struct buf *out, const struct keeper_query *q)
{
	keeper_query_page_url(out, q, NULL, 1);
}

static void compliance_url(struct buf *out, const struct keeper_query *q)
{
	keeper_query_compliance_url(out, q, "aws", "hipaa");
}

static void place_url(struct buf *out, const struct keeper_query *q)
{
	keeper_query_place_url(out, q, &(struct keeper_region_ids){.n = 0},
	                       &(struct keeper_server){.vendor_id = "aws", .server_id = "s"});
}

TEST(keys)
{
	/* The address has paths of the service's, too. */
	static const char *const bases[] = {"", "https://proxy/server/keeper",
	                                    "https://proxy/servers?x=/regions/"};

	for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
		struct keeper_query q = {.base_url = bases[i],
		                         .vcpus = 7,
		                         .present_vendor = "aws",
		                         .present_type = "s",
		                         .measure = {.id = "geekbench:score"},
		                         .of.vendor = {{"aws"}, 1}};
		char one[512], other[512];
		assert_string_equal(key_of(servers_url, &q, true, one),
		                    "/servers&benchmark_id=geekbench%3Ascore&benchmark_config="
		                    "%7B%22cores%22%3A%20%22multi%22%7D");
		assert_string_equal(key_of(page_url, &q, true, other), one);
		assert_string_equal(key_of(keeper_query_prices_url, &q, false, one),
		                    "/server/aws/s/prices");
		assert_string_equal(key_of(keeper_query_specs_url, &q, false, one),
		                    "/v2/server/aws/s");
		key_of(place_url, &q, false, one);
		assert_int_equal(strncmp(one, "/server_prices?vendor=aws&", 26), 0);
		/* Whether a vendor complies is another question than which servers it has. */
		q.measure = (struct speed_measure){.one = false};
		q.of.compliance = (struct opts_list){{"hipaa"}, 1};
		key_of(servers_url, &q, true, one);
		assert_string_equal(key_of(page_url, &q, true, other), one);
		assert_string_not_equal(key_of(compliance_url, &q, false, other), one);
	}
}

TEST(answers_come_back)
{
	struct keeper_file f = {.saved_at = 0};
	bool other;
	size_t n;

	keeper_file_add(&f, "/servers?vcpus_min=1&benchmark_id=a", true, "[1]", 3);
	keeper_file_add(&f, "/servers?vcpus_min=1&benchmark_id=b", true, "[2]", 3);
	keeper_file_add(&f, "/servers?vcpus_min=1&benchmark_id=a", true, "[33]", 4);
	assert_string_equal(
	    keeper_file_get(&f, "/servers?vcpus_min=9&benchmark_id=a&limit=7", true, &n, &other),
	    "[33]");
	assert_int_equal(n, 4);
	assert_non_null(keeper_file_get(&f, "/servers?vcpus_min=9", true, &n, &other));
	assert_null(keeper_file_get(&f, "/servers?benchmark_id=c", true, &n, &other));
	assert_true(other);
	assert_null(keeper_file_get(&f, "/servers?countries=DE", true, &n, &other));
	assert_false(other);
	keeper_file_free(&f);
}

static int parse(const char *text, size_t n, struct keeper_file *f, struct err *e)
{
	*f = (struct keeper_file){.text.max = KEEPER_FILE_MAX};
	buf_add(&f->text, text, n);
	return keeper_file_parse(f, e);
}

/* Each text with its NULs. */
#define CASE(text) text, sizeof text - 1
#define HEAD       "rtrack-keeper-file 1 1795234311\n"

TEST(texts_are_parsed)
{
	static const struct {
		const char *text;
		size_t n;
		const char *why; /* NULL: good */
	} cases[] = {
	    {CASE(HEAD), NULL},
	    {CASE(HEAD "3 /servers\n[1]\0\n"), NULL},
	    {CASE(HEAD "3 /servers\n[1]\0\n0 /regions\n\0\n"), NULL},
	    {CASE(""), "not a file of --keeper-save"},
	    {CASE("hello\n"), "not a file of --keeper-save"},
	    {CASE("rtrack-keeper-file 1 1795234311"), "not a file of --keeper-save"},
	    {CASE("rtrack-keeper-file 2 1795234311\n"), "not a file of --keeper-save"},
	    {CASE("rtrack-keeper-file 1 \n"), "its date cannot be read"},
	    {CASE("rtrack-keeper-file 1 1e99\n"), "its date cannot be read"},
	    {CASE(HEAD "x"), "it is damaged (byte 32)"},
	    {CASE(HEAD "2 /servers\n[1]\0\n"), "it is damaged (byte 32)"},
	    {CASE(HEAD "4 /servers\n[1]\0\n"), "it is damaged (byte 32)"},
	    {CASE(HEAD "99999999999999999999 /servers\n[1]\0\n"), "it is damaged (byte 32)"},
	    {CASE(HEAD "3e0 /servers\n[1]\0\n"), "it is damaged (byte 32)"},
	    {CASE(HEAD "3 /servers\n[1]\0"), "it is damaged (byte 32)"},
	    {CASE(HEAD "3 /servers\n[1]\0\n3 /regions\n[1"), "it is damaged (byte 48)"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct keeper_file f;
		struct err e = {0};
		int rc = parse(cases[i].text, cases[i].n, &f, &e);
		if (rc != (cases[i].why ? -1 : 0) || (rc && strcmp(e.msg, cases[i].why) != 0))
			fail_msg("case %zu: %d, %s", i, rc, e.msg);
		keeper_file_free(&f);
	}
}

/* What was added is parsed again. */
TEST(what_is_saved_is_read)
{
	struct keeper_file f = {.saved_at = 1795234311}, again;
	bool other;
	size_t n;

	keeper_file_add(&f, "/regions", false, "[]", 2);
	keeper_file_add(&f, "/servers?vcpus_min=1", true, "[1]", 3);
	assert_int_equal(parse(f.text.s, f.text.len, &again, NULL), 0);
	assert_true(again.saved_at == f.saved_at);
	assert_string_equal(keeper_file_get(&again, "/servers?vcpus_min=3", true, &n, &other),
	                    "[1]");
	assert_string_equal(keeper_file_get(&again, "/regions", false, &n, &other), "[]");
	keeper_file_free(&f);
	keeper_file_free(&again);
}
