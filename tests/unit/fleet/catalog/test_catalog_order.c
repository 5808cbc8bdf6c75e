/* catalog_order: what --sort may say. */
#include <string.h>

#include "fleet/catalog/catalog_order.h"
#include "tests/unit/unit.h"

TEST(orders)
{
	static const double rates[] = {0, 1, 0}, no_rates[3];
	static const struct {
		const char *sort;
		int column, over;
		bool up;
	} cases[] = {
	    {"start", RTRACK_ROW_START, -1, true},
	    {"-start", RTRACK_ROW_START, -1, false},
	    {"-memory_peak", RTRACK_ROW_MEMORY_PEAK, -1, false},
	    {"cpu_efficiency", CATALOG_COLUMN_USED_CORE_S, CATALOG_COLUMN_ASKED_CORE_S, true},
	    {"read_bytes", RTRACK_ROW_READ, -1, true},
	};
	static const char *const bad[] = {"",       "-",          "--start", "size",
	                                  "report", "start desc", "START"};
	struct catalog_order order;
	struct err e;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(catalog_order_parse(cases[i].sort, rates, &order, &e), 0);
		assert_int_equal(order.column, cases[i].column);
		assert_int_equal(order.over, cases[i].over);
		assert_int_equal(order.up, cases[i].up);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(catalog_order_parse(bad[i], rates, &order, &e), -1);
	assert_int_equal(catalog_order_parse("-cost", rates, &order, &e), 0);
	assert_true(order.rate[1] > 0 && !order.up);
	assert_int_equal(catalog_order_parse("cost", no_rates, &order, &e), -1);
}

TEST(listed)
{
	static const double rates[] = {1, 0, 0};
	struct catalog_order order;
	struct err e;
	size_t n = 0;

	for (; catalog_order_listed(n); n++)
		assert_int_equal(catalog_order_parse(catalog_order_listed(n), rates, &order, &e),
		                 0);
	assert_true(n > 20);
	assert_int_equal(catalog_order_parse("report", rates, &order, &e), -1);
	assert_non_null(strstr(e.msg, " name, "));
	assert_non_null(strstr(e.msg, " cost, "));
	assert_null(strstr(e.msg, " report, "));
}
