/* mem: what an allocation returned is handed on, and that one failed stays known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "core/base/alloc_failed.h"

/* A sanitizer would end the test where there is none left. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static void what_fails_is_noted_and_stays_known(void **state)
{
	volatile size_t much = PTRDIFF_MAX / 2;
	int thing;
	void *p;

	(void)state;
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

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_fails_is_noted_and_stays_known)};

	return cmocka_run_group_tests_name("mem", tests, NULL, NULL);
}
