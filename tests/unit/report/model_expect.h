/*
 * model_expect: what tests say of a model: its parts as JSON, and that each key is documented.
 *
 * Include cmocka.h before.
 */
#ifndef TESTS_UNIT_REPORT_MODEL_EXPECT_H
#define TESTS_UNIT_REPORT_MODEL_EXPECT_H

#include "tests/unit/report/model_of.h"

struct expected {
	const char *path, *value;
};

static inline void expect(const cJSON *model, const char *path, const char *expected)
{
	char *got = model_text(model, path);

	if (strcmp(got, expected) != 0)
		print_error("%s\n", path);
	assert_string_equal(got, expected);
	free(got);
}

static inline void expect_all(const cJSON *model, const struct expected *cases, size_t n)
{
	for (size_t i = 0; i < n; i++)
		expect(model, cases[i].path, cases[i].value);
}

#define EXPECT_ALL(model, cases) expect_all(model, cases, sizeof cases / sizeof *cases)

/* The text of a file, which the caller frees. */
static inline char *slurp(const char *path)
{
	struct buf b = {0};
	char part[4096];
	FILE *f = fopen(path, "r");
	size_t n;

	assert_non_null(f);
	while ((n = fread(part, 1, sizeof part, f)) > 0)
		buf_add(&b, part, n);
	fclose(f);
	return buf_take(&b);
}

/* Every key of the tree stands in the text as `key` or "key". The names of columns, and those of a
 * snapshot's head, stand elsewhere. */
static inline void all_told(const cJSON *tree, const char *doc)
{
	const cJSON *child;

	cJSON_ArrayForEach (child, tree) {
		const char *key = child->string;
		char code[128], quoted[128];
		bool elsewhere =
		    key && (strcmp(key, "columns") == 0 || strcmp(key, "statistics") == 0 ||
		            strcmp(key, "recording") == 0);
		if (key) {
			snprintf(code, sizeof code, "`%s`", key);
			snprintf(quoted, sizeof quoted, "\"%s\"", key);
			if (!strstr(doc, code) && !strstr(doc, quoted))
				fail_msg("docs/model.md does not have %s", key);
		}
		if (!elsewhere)
			all_told(child, doc);
	}
}

#endif
