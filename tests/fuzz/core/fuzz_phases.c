/* phases: lines as marks, a second apart; what is kept is written and read again. */
#include <math.h>
#include <string.h>

#include "core/head/snapshot_head.h"
#include "core/numbers/phases.h"
#include "core/recording/snapshot_fields.h"
#include "tests/fuzz/fuzz.h"

static void check(const struct phases *p)
{
	must(p->n <= PHASES_MAX && p->pool_len <= PHASES_POOL);
	for (size_t i = 0; i < p->n; i++) {
		const struct phase *one = &p->v[i];
		must(one->name >= p->pool && one->name < p->pool + p->pool_len);
		must(*one->name && strlen(one->name) <= PHASES_NAME_MAX);
		for (const char *s = one->name; *s; s++)
			must((unsigned char)*s >= 0x20 && *s != 0x7f);
		must(one->end >= one->start);
		must(i == 0 || one->start >= one[-1].end);
	}
}

static void again(const struct phases *p)
{
	struct json_write j = {.failed = false};
	struct snapshot s = {.unfinished = false};

	json_write_object(&j, NULL);
	snapshot_fields_phases(&j, p);
	json_write_object_end(&j);
	must(json_write_finish(&j));
	snapshot_head_defaults(&s);
	must(snapshot_head(&s, "rtrack", j.b.s, j.b.len) == 0);
	must(p->n == 0 ? !s.phases || !s.phases->n : s.phases && s.phases->n == p->n);
	for (size_t i = 0; i < p->n; i++) {
		must(strcmp(s.phases->v[i].name, p->v[i].name) == 0);
		must(s.phases->v[i].start == p->v[i].start && s.phases->v[i].end == p->v[i].end);
	}
	must(p->n == 0 || s.phases->left_out == p->left_out);
	snapshot_free(&s);
	json_write_free(&j);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct phases *p = calloc(1, sizeof *p);
	const char *text = (const char *)data;
	double t = 0;

	must(p != NULL);
	for (size_t at = 0, n; at < size; at += n + 1, t++) {
		const char *end = memchr(text + at, '\n', size - at);
		n = end ? (size_t)(end - (text + at)) : size - at;
		phases_mark(p, t, text + at, n);
	}
	phases_close(p, t);
	check(p);
	again(p);
	free(p);
	return 0;
}
