/*
 * scene: recordings that are made of parts, and what the verdict says of them, for tests.
 */
#ifndef TESTS_UNIT_REPORT_SCENE_H
#define TESTS_UNIT_REPORT_SCENE_H

#include "tests/unit/report/model_of.h"

static inline const cJSON *scene_sentence(const cJSON *model, const char *id)
{
	const cJSON *one;

	cJSON_ArrayForEach (one, model_at(model, "verdict"))
		if (strcmp(cJSON_GetStringValue(model_at(one, "id")), id) == 0)
			return one;
	return NULL;
}

/* What the verdict says of something, or NULL. */
static inline const char *scene_text(const cJSON *model, const char *id)
{
	return cJSON_GetStringValue(model_at(scene_sentence(model, id), "text"));
}

/* A text of NULL: there is none. */
static inline void scene_expect(const cJSON *model, const char *id, const char *level,
                                const char *text)
{
	const cJSON *one = scene_sentence(model, id);

	if (!text) {
		assert_null(one);
		return;
	}
	assert_non_null(one);
	assert_string_equal(scene_text(model, id), text);
	assert_string_equal(cJSON_GetStringValue(model_at(one, "level")), level);
}

/* A recording of ten samples in ten seconds, on a machine of 4 CPUs and 8 GiB, that its parts make;
 * "" is nothing. */
struct scene {
	const char *rtrack;  /* members of that block */
	const char *process; /* columns */
	const char *system;
	const char *id, *level, *text;
};

#define TEN(v)          #v ", " #v ", " #v ", " #v ", " #v ", " #v ", " #v ", " #v ", " #v ", " #v
#define COLUMN(name, v) "\"" name "\": [" TEN(v) "]"
#define QUIET_MACHINE                                                                              \
	COLUMN("psi_cpu_some", 0.01)                                                               \
	", " COLUMN("psi_memory_some", 0) ", " COLUMN("psi_io_some", 0.02)
#define QUIET           QUIET_MACHINE ", " COLUMN("throttled", 0)
#define LIMITS(members) "\"limits\": {" members "}"
#define QUOTA           "\"cpus\": 0.25, \"cpus_from\": \"cpu.max\", \"cpus_quota\": 0.25"
#define MEMORY          "\"memory_bytes\": 268435456, \"memory_from\": \"memory.max\""
#define ENDED           "\"exit\": {\"code\": 0, \"cause\": \"exited\"}"
#define OOM             "\"exit\": {\"signal\": \"KILL\", \"cause\": \"oom\"}"
#define GPUS(a, b)                                                                                 \
	"\"gpus\": [{\"utilisation_mean\": " #a ", \"utilisation_max\": " #a                       \
	"}, {\"utilisation_mean\": " #b ", \"utilisation_max\": " #b "}]"

static inline void scene_load(struct recordings *t, const struct scene *s)
{
	struct buf b = {0};

	buf_printf(&b, "{\"metadata\": {\"interval\": 1, \"start_time\": 10, \"stop_time\": 20}, "
	               "\"server_info\": {\"vcpus\": 4, \"memory_mb\": 8192}, ");
	if (s->rtrack)
		buf_printf(&b, "\"rtrack\": {%s}, ", s->rtrack);
	buf_printf(&b, "\"process_metrics\": {%s%s}, ",
	           *s->process ? "\"timestamp\": [11, 12, 13, 14, 15, 16, 17, 18, 19, 20], " : "",
	           s->process);
	buf_printf(&b,
	           "\"system_metrics\": {\"timestamp\": [11, 12, 13, 14, 15, 16, 17, 18, 19, "
	           "20]%s%s}}",
	           *s->system ? ", " : "", s->system);
	assert_non_null(recordings_load(t, "a.json", buf_cstr(&b)));
	buf_free(&b);
}

static inline void scene_try(struct recordings *t, const struct scene *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		cJSON *model;
		scene_load(t, &s[i]);
		model = model_of(&t->runs, NULL);
		scene_expect(model, s[i].id, s[i].level, s[i].text);
		cJSON_Delete(model);
		load_free(&t->runs);
	}
}
#define TRY(scenes) scene_try(*state, scenes, sizeof scenes / sizeof *scenes)

#endif
