/* unit: a unit test is a file of cases, which run in its order:
 *
 *	TEST(one_line)
 *	{
 *		assert_int_equal(…);
 *	}
 *
 * unit.c has the main of all unit tests. */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define TEST(name) TEST_WITH(name, NULL, NULL)

/* A case with a setup, which may leave something for it in *state, and a teardown: int f(void **state), 0 if all is
 * well. Either may be NULL. The number of a constructor is its turn; those up to 100 are taken. */
#define TEST_WITH(name, setup, teardown)                                                           \
	static void name(void **state);                                                            \
	__attribute__((constructor(1000 + __LINE__))) static void add_##name(void)                 \
	{                                                                                          \
		unit_add((struct CMUnitTest){#name, name, setup, teardown, NULL});                 \
	}                                                                                          \
	static void name(__attribute__((unused)) void **state)

/* The same once for all cases of the file. */
#define ALL_TESTS_WITH(setup, teardown)                                                            \
	__attribute__((constructor)) static void add_around_all(void)                              \
	{                                                                                          \
		unit_around_all(setup, teardown);                                                  \
	}

/* How much of many of a kind is tried: each, or under a sanitizer, which is slow and finds the same in fewer, every nth. */
#ifdef __SANITIZE_ADDRESS__
#define EVERY(nth) (nth)
#else
#define EVERY(nth) 1
#endif

void unit_add(struct CMUnitTest test);
void unit_around_all(CMFixtureFunction setup, CMFixtureFunction teardown);

#endif
