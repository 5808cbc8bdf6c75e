/* time_at_file_read: any JSON; what is taken gives times that can be true, and is written and read alike. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/head/time_at_file.h"
#include "tests/fuzz/fuzz.h"

static const struct time_at *read_member(struct snapshot *s, const char *text, size_t n)
{
	struct json_read *in = malloc(sizeof *in);
	struct buf key = {.max = 64};
	bool first = true;
	int failed;

	must(in);
	s->time_at = NULL;
	json_read_init_text(in, text, n < JSON_READ_WINDOW ? n : JSON_READ_WINDOW);
	failed = json_read_open(in, '{');
	while (!failed && json_read_more(in, '{', &first) > 0) {
		failed = json_read_key(in, &key);
		if (!failed && strcmp(buf_cstr(&key), TIME_AT_FILE_KEY) == 0)
			failed = time_at_file_read(s, in, &key);
		else if (!failed)
			failed = json_read_skip(in, NULL);
	}
	buf_free(&key);
	free(in);
	return s->time_at;
}

static void write_member(const struct time_at *t, struct json_write *j)
{
	json_write_object(j, NULL);
	time_at_file_write(j, t);
	json_write_object_end(j);
	must(json_write_finish(j));
}

static void check_times(const struct time_at *t)
{
	double before = INFINITY, widest = time_at_widest(t), fewest;

	for (double cpus = 0.5; cpus <= 1024; cpus *= 2) {
		struct time_at_range at = time_at_free_cpus(t, cpus);
		must(isfinite(at.s) && at.least <= at.s && at.s <= at.most && at.least >= 0);
		must(at.s <= before);
		before = at.s;
	}
	must(widest >= 1 && widest <= TIME_AT_CPUS_MAX);
	fewest = time_at_fewest(t, before);
	must(fewest >= 1 && fewest <= ceil(widest));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_write first = {.sink = NULL}, second = {.sink = NULL};
	struct snapshot s = {0};
	const struct time_at *t = read_member(&s, (const char *)data, size);

	if (t && time_at_known(t))
		check_times(t);
	if (t) {
		write_member(t, &first);
		t = read_member(&s, buf_cstr(&first.b), first.b.len);
		must(t);
		write_member(t, &second);
		must(strcmp(buf_cstr(&first.b), buf_cstr(&second.b)) == 0);
	}
	json_write_free(&first);
	json_write_free(&second);
	snapshot_free(&s);
	return 0;
}
