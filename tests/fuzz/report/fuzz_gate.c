/* gate: any text as a condition on a run and on many, of which nothing or all is known. */
#include <math.h>
#include <string.h>

#include "report/advice/gate_text.h"
#include "tests/fuzz/fuzz.h"

static void judge_many(const char *text)
{
	double values[MEASURE_FLEET_NAMES];
	struct gate g;
	struct gate_result r;
	struct err e = {0};
	struct buf said = {0};

	if (gate_parse_fleet(text, &g, &e)) {
		must(*e.msg);
		return;
	}
	for (int known = 0; known < 2; known++) {
		for (int i = 0; i < MEASURE_FLEET_NAMES; i++)
			values[i] = known ? 7 : NAN;
		gate_judge_fleet(&g, values, &r);
		must((r.answer == GATE_NOT_JUDGED) == (*r.why != 0));
		gate_sentence(&g, &r, "EUR", &said);
		must(said.len > strlen("equals"));
		buf_free(&said);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct run all[2];
	struct runs runs = {.v = all, .n = 2};
	char *text = malloc(size + 1);
	struct gate g;
	struct gate_result r;
	struct err e = {0};
	struct buf said = {0};

	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	judge_many(text);
	all[1].used = true;
	if (gate_parse(text, &g, &e)) {
		must(*e.msg);
	} else {
		for (int known = 0; known < 2; known++) {
			all[0].duration = all[1].duration = known ? 5 : NAN;
			all[0].snapshot.asked.known = known;
			for (int i = 0; i < SNAPSHOT_ASKED_N; i++)
				all[0].snapshot.asked.of[i].value = 4;
			gate_judge(&g, &runs, known ? 1 : NAN, NULL, &r);
			must((r.answer == GATE_NOT_JUDGED) == (*r.why != 0));
			must(r.answer == GATE_NOT_JUDGED ||
			     (isfinite(r.left) && isfinite(r.right)));
			gate_sentence(&g, &r, "EUR", &said);
			must(said.len > strlen("equals"));
			buf_free(&said);
		}
	}
	free(text);
	return 0;
}
