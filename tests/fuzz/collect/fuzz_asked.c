/* Fuzzes collect/job/asked*: the same bytes as a list of amounts, an environment, an ad, a list of hosts and
 * scontrol's line. Whatever is taken from them is plausible. */
#include <math.h>
#include <string.h>

#include "collect/job/asked_schedulers.h"
#include "tests/fuzz/fuzz.h"

static void check(const struct snapshot_asked *a)
{
	for (int i = 0; i < SNAPSHOT_ASKED_N; i++)
		must(isnan(a->of[i].value) ||
		     asked_sources_plausible((enum snapshot_asked_id)i, a->of[i].value));
}

static void read_texts(const char *text, size_t size)
{
	struct asked_job job;
	double hosts;

	(void)asked_schedulers_number(text, size);
	(void)asked_schedulers_item(text, size, 3);
	(void)asked_schedulers_ad(text, size, "RequestMemory");
	(void)asked_schedulers_hosts(text, size, false, "a.b", &hosts);
	(void)asked_schedulers_hosts(text, size, true, "a", &hosts);
	must(isnan(hosts) || hosts >= 0);
	job = asked_schedulers_scontrol(text, size);
	must(isnan(job.time_s) || asked_sources_plausible(SNAPSHOT_ASKED_TIME, job.time_s));
	must(isnan(job.memory_b) || asked_sources_plausible(SNAPSHOT_ASKED_MEMORY, job.memory_b));
	must(isnan(job.memory_per_cpu_b) ||
	     asked_sources_plausible(SNAPSHOT_ASKED_MEMORY, job.memory_per_cpu_b));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct job_env env = {.text = (const char *)data, .n = size};
	struct asked_input in = {.env = &env, .host = "a", .memory_b = 1e9, .covers_task = true};
	struct snapshot_asked a;
	char *text = malloc(size + 1);

	must(text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	asked_sources_clear(&a);
	(void)asked_sources_put_list(&a, text, SNAPSHOT_ASKED_OPTION, "--asked", NULL);
	check(&a);
	read_texts(text, size);
	if (size) {
		asked_sources_clear(&a);
		in.file = text;
		in.file_n = size;
		asked_schedulers_read(&in, &a);
		check(&a);
		must(asked_schedulers_tasks(&env) >= 1);
	}
	free(text);
	return 0;
}
