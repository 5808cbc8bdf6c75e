/* mem: what an allocation returned is handed on, and that one failed stays known. */
#include <cjson/cJSON.h>

#include "core/base/alloc_failed.h"
#include "tests/unit/unit.h"

/* A sanitizer would end the test where there is none left. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

TEST(what_fails_is_noted_and_stays_known)
{
	volatile size_t much = PTRDIFF_MAX / 2;
	int thing;
	void *p;

	alloc_failed_watch();
	p = cJSON_malloc(8);
	assert_non_null(p);
	cJSON_free(p);
	assert_ptr_equal(alloc_failed_note(&thing), &thing);
	assert_false(alloc_failed());
	assert_null(cJSON_malloc(much)); /* by cJSON's hooks */
	assert_true(alloc_failed());
	assert_null(alloc_failed_note(NULL));
	assert_ptr_equal(alloc_failed_note(&thing), &thing);
	assert_true(alloc_failed());
}
