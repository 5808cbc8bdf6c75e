/* id_table: each ID has one item, however many there are, and whatever their low bits. */
#include "fleet/scan/id_table.h"
#include "tests/unit/unit.h"

struct thing {
	uint64_t id;
	size_t value;
};

static void adds_and_finds(uint64_t step)
{
	struct id_table t = {.n = 0};
	struct thing *x;
	size_t n = 0, sum = 0;

	assert_null(id_table_find(&t, 1));
	assert_null(id_table_each(&t, &n));
	for (uint64_t i = 1; i <= 1000; i++) {
		x = id_table_add(&t, i * step, sizeof *x);
		assert_int_equal(x->value, 0);
		x->value = i;
		x = id_table_add(&t, i * step, sizeof *x);
		assert_int_equal(x->value, i);
	}
	assert_int_equal(t.n, 1000);
	for (uint64_t i = 1; i <= 1000; i++) {
		x = id_table_find(&t, i * step);
		assert_non_null(x);
		assert_int_equal(x->value, i);
	}
	assert_null(id_table_find(&t, 1001 * step));
	for (size_t i = 0; (x = id_table_each(&t, &i)); n++)
		sum += x->value;
	assert_int_equal(n, 1000);
	assert_int_equal(sum, 500500);
	id_table_free(&t);
	assert_null(id_table_find(&t, step));
	id_table_free(&t);
}

TEST(any_ids)
{
	adds_and_finds(1);
	adds_and_finds((uint64_t)1 << 32);
	adds_and_finds((uint64_t)1 << 54);
	adds_and_finds(0x9e3779b97f4a7c15u);
}
