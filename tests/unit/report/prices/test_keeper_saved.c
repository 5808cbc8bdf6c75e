/* keeper_saved: an answer comes back to the same query, and to no other. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/prices/keeper_saved.h"
#include "tests/unit/unit.h"

static struct keeper_result *answer_to(const struct keeper_query *q)
{
	struct keeper_result *r = calloc(1, sizeof *r);

	keeper_query_question(q, r->question);
	r->known = r->present_known = true;
	snprintf(r->currency, sizeof r->currency, "%s", "USD");
	snprintf(r->asked, sizeof r->asked, "%s", "at least 2 CPUs");
	snprintf(r->present_where, sizeof r->present_where, "%s",
	         "On-demand price in a \"region\".");
	r->retrieved_at = 1795234311;
	r->present = keeper_result_no_server();
	r->present.price_hour = 3;
	snprintf(r->present.server_id, sizeof r->present.server_id, "%s", "big");
	for (r->n = 0; r->n < 3; r->n++) {
		r->server[r->n] = keeper_result_no_server();
		r->server[r->n].price_hour = 0.1 * (double)(r->n + 1);
		snprintf(r->server[r->n].vendor_id, sizeof r->server[r->n].vendor_id, "%s",
		         "hcloud");
	}
	for (r->n_sized = 0; r->n_sized < 2; r->n_sized++) {
		r->sized[r->n_sized] = r->server[r->n_sized];
		r->sized[r->n_sized].score_asked = 1000;
	}
	snprintf(r->sized_why, sizeof r->sized_why, "%s", "Some are missing.");
	return r;
}

TEST(comes_back_to_the_same_query)
{
	struct keeper_query q = {.vcpus = 2, .memory_mib = 512, .present_vendor = "aws"};
	struct keeper_result *r = answer_to(&q), *again = calloc(1, sizeof *again);
	struct json_write j = {.sink = NULL};

	keeper_saved_write(&j, r);
	assert_true(json_write_finish(&j));
	assert_int_equal(keeper_saved_read(buf_cstr(&j.b), &q, again), 0);
	assert_true(again->known && again->present_known && !again->spot);
	assert_int_equal(again->n, 3);
	assert_true(again->server[2].price_hour == r->server[2].price_hour);
	assert_true(isnan(again->server[2].vcpus));
	assert_string_equal(again->server[1].vendor_id, "hcloud");
	assert_int_equal(again->n_sized, 2);
	assert_true(again->sized[1].score_asked == 1000);
	assert_string_equal(again->sized_why, r->sized_why);
	assert_string_equal(again->present.server_id, "big");
	assert_string_equal(again->present_where, r->present_where);
	assert_true(again->retrieved_at == 1795234311);
	q.vcpus = 3;
	assert_int_equal(keeper_saved_read(buf_cstr(&j.b), &q, again), -1);
	q.vcpus = 2;
	q.present_vendor = "gcp";
	assert_int_equal(keeper_saved_read(buf_cstr(&j.b), &q, again), -1);
	q.present_vendor = "aws";
	q.currency = "EUR";
	assert_int_equal(keeper_saved_read(buf_cstr(&j.b), &q, again), -1);
	json_write_free(&j);
	free(r);
	free(again);
}

/* What is asked in so many words that they are cut is still told apart. */
TEST(long_questions_differ)
{
	static char value[2][80];
	struct keeper_query q = {.vcpus = 2};
	char one[KEEPER_QUESTION_MAX], two[KEEPER_QUESTION_MAX];

	for (size_t i = 0; i < 2; i++)
		snprintf(value[i], sizeof value[i], "gpu_model=%060zu", i);
	for (; q.where.n < 12; q.where.n++)
		q.where.v[q.where.n] = value[0];
	keeper_query_question(&q, one);
	q.where.v[11] = value[1];
	keeper_query_question(&q, two);
	assert_string_not_equal(one, two);
	q.where.n = 1;
	keeper_query_question(&q, one);
	q.where.n = 0;
	keeper_query_question(&q, two);
	assert_string_not_equal(one, two);
}

TEST(nonsense_is_no_answer)
{
	static const char *const cases[] = {
	    "",
	    "[]",
	    "7",
	    "{}",
	    "{\"known\":true}",
	    "{\"known\":true,\"servers\":[7]}",
	    "{\"known\":true,\"question\":\"at least 1 CPU; 5 in USD; ; ; \",\"servers\":[]}"};
	const struct keeper_query q = {.vcpus = 1};
	struct keeper_result *r = calloc(1, sizeof *r);

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (keeper_saved_read(cases[i], &q, r) != -1)
			fail_msg("%s", cases[i]);
	free(r);
}
