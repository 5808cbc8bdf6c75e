/* jobstats: comments that it wrote, damaged ones, and bombs. */
#include "fleet/import/jobstats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base64.h"
#include "core/base/gz.h"
#include "tests/unit/unit.h"

/* "JS1:" and the text, packed; n: of it. */
static void pack(struct buf *out, const char *text, size_t n)
{
	struct buf packed = {0};
	struct err e = {0};

	assert_int_equal(gz_pack(&packed, text, n, 9, &e), 0);
	buf_clear(out);
	buf_str(out, JOBSTATS_MARK);
	base64_add(out, packed.s, packed.len);
	buf_free(&packed);
}

static void expect(const struct jobstats *s, double nodes, double cpu_s, double node_b, double gpus)
{
	const double is[] = {s->nodes, s->cpu_s, s->node_b, s->gpus},
		     want[] = {nodes, cpu_s, node_b, gpus};

	for (size_t i = 0; i < 4; i++)
		if (!(fabs(is[i] - want[i]) <= 1e-9 * want[i]) && !(isnan(is[i]) && isnan(want[i])))
			fail_msg("value %zu: %g, not %g", i, is[i], want[i]);
}

TEST(texts)
{
	static const struct {
		const char *text;
		int failed;
		double nodes, cpu_s, node_b, gpus;
	} cases[] = {
	    {"{\"nodes\":{\"n1\":{\"cpus\":8,\"total_memory\":9e9,\"total_time\":28338.0,\"used_memory\":"
	     "27127336960}},\"total_time\":3601,\"gpus\":false}",
	     0, 1, 28338, 27127336960, NAN},
	    {"{\"gpus\":2,\"nodes\":{\"n1\":{\"gpu_utilization\":{\"0\":50,\"3\":25.5},\"total_time\":10,"
	     "\"used_memory\":5},\"n2\":{\"total_time\":20,\"used_memory\":7}}}",
	     0, 2, 30, 7, 0.755},
	    /* Of one node nothing was seen. */
	    {"{\"nodes\":{\"n1\":{\"total_time\":10,\"used_memory\":5},\"n2\":{}}}", 0, 2, NAN, 5,
	     NAN},
	    {"{\"nodes\":{\"n1\":{\"total_time\":-1,\"used_memory\":1e30}}}", 0, 1, NAN, NAN, NAN},
	    {"{\"nodes\":{}}", 0, NAN, NAN, NAN, NAN},
	    {"{}", 0, NAN, NAN, NAN, NAN},
	    {"[1,2]", -1, NAN, NAN, NAN, NAN},
	    {"{\"nodes\":[1]}", -1, NAN, NAN, NAN, NAN},
	    {"{\"nodes\":{\"n1\":{\"total_time\":10", -1, NAN, NAN, NAN, NAN},
	    {"", -1, NAN, NAN, NAN, NAN},
	};
	struct buf comment = {0};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct jobstats s;
		pack(&comment, cases[i].text, strlen(cases[i].text));
		assert_int_equal(jobstats_read(buf_cstr(&comment), &s), cases[i].failed);
		expect(&s, cases[i].nodes, cases[i].cpu_s, cases[i].node_b, cases[i].gpus);
	}
	buf_free(&comment);
}

TEST(comments)
{
	static const struct {
		const char *comment;
		int failed;
	} cases[] = {
	    {"", 0},          {"see ticket 7", 0},  {"JS1", 0},
	    {"JS1:", 0},      {"JS1:Short", 0},     {"JS1:None", 0},
	    {"JS1:Zm9v", -1}, {"JS1:H4sIAAAA", -1}, {"JS1:%%%%", -1},
	};
	struct jobstats s;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(jobstats_read(cases[i].comment, &s), cases[i].failed);
		expect(&s, NAN, NAN, NAN, NAN);
	}
}

/* 16 MiB in 16 KiB; a comment that is too long; one that is cut; one whose checksum is wrong. */
TEST(bombs_and_damage)
{
	static const char begin[] =
	    "{\"nodes\":{\"n1\":{\"total_time\":1,\"used_memory\":5}},\"x\":";
	size_t n = (size_t)16 << 20;
	char *text = malloc(n);
	struct buf comment = {0};
	struct jobstats s;

	assert_non_null(text);
	memset(text, ' ', n);
	memcpy(text, begin, sizeof begin - 1);
	memcpy(text + n - 2, "1}", 2);
	pack(&comment, text, n);
	assert_true(comment.len < JOBSTATS_TEXT_MAX);
	assert_int_equal(jobstats_read(buf_cstr(&comment), &s), -1);
	expect(&s, NAN, NAN, NAN, NAN);
	for (size_t i = sizeof begin - 1; i < n - 2; i++)
		text[i] = (char)('0' + rand() % 10);
	pack(&comment, text, (size_t)1 << 18);
	assert_true(comment.len > JOBSTATS_TEXT_MAX);
	assert_int_equal(jobstats_read(buf_cstr(&comment), &s), -1);
	memcpy(text + sizeof begin - 1, "1}", 2);
	pack(&comment, text, sizeof begin + 1);
	assert_int_equal(jobstats_read(buf_cstr(&comment), &s), 0);
	expect(&s, 1, 1, 5, NAN);
	comment.s[comment.len - 8] ^= 1; /* of the checksum and the length */
	assert_int_equal(jobstats_read(buf_cstr(&comment), &s), -1);
	comment.s[comment.len - 16] = '\0';
	assert_int_equal(jobstats_read(buf_cstr(&comment), &s), -1);
	expect(&s, NAN, NAN, NAN, NAN);
	buf_free(&comment);
	free(text);
}
