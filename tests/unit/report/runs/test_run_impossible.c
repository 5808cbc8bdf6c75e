/* run_impossible: each rule from both sides of its threshold. */
#include <math.h>

#include "report/runs/run_impossible.h"
#include "tests/unit/unit.h"

#define NOW 1800000000.0
#define GIB 1073741824.0

TEST(rules)
{
	static const struct {
		struct run_claims
		    of; /* start, wall, CPU s, memory; CPUs, memory, asked CPUs, asked memory */
		double now;
		const char *why;
	} cases[] = {
	    {{NOW - 100, 100, 400, GIB, 4, GIB, 4, NAN}, NOW, NULL},
	    {{NOW, 86400, 1, 1, 4, GIB, 4, NAN}, NOW, NULL},
	    {{NOW, 86401, 1, 1, 4, GIB, 4, NAN}, NOW, "it ends in the future"},
	    {{NOW - 1, 1e15, 1, 1, 4, GIB, 4, NAN}, NOW, "it ends in the future"},
	    {{NOW - 1, 1e15, 1, 1, 4, GIB, 4, NAN}, 0, NULL},
	    {{NOW + 86401, -5, 1, 1, 4, GIB, 4, NAN}, NOW, "it ends in the future"},
	    {{0, 100, 441, 1, 4, GIB, 4, NAN}, NOW, NULL},
	    {{0, 100, 442, 1, 4, GIB, 4, NAN}, NOW, "it used more CPU time than its machine has"},
	    {{0, 0, 442, 1, 4, GIB, 4, NAN}, NOW, NULL},
	    {{0, 100, 1, 1.5 * GIB, 4, GIB, 4, NAN}, NOW, NULL},
	    {{0, 100, 1, 1.51 * GIB, 4, GIB, 4, NAN},
	     NOW,
	     "it used more memory than its machine has"},
	    {{0, 100, 1, 1, 4, GIB, 99999, 1023 * 1024 * GIB}, NOW, NULL},
	    {{0, 3.4, 1, 1, 4, GIB, 4, 1024 * 1024 * GIB},
	     NOW,
	     "it asked for more memory than any machine has"},
	    {{0, 100, 1, 1, 4, GIB, 100000, NAN},
	     NOW,
	     "it asked for more CPUs than any machine has"},
	    {{NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN}, NOW, NULL},
	    {{NAN, 100, 1e9, 1e15, NAN, NAN, NAN, NAN}, NOW, NULL},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *why = run_impossible(&cases[i].of, cases[i].now);
		if (cases[i].why) {
			assert_non_null(why);
			assert_string_equal(why, cases[i].why);
		} else {
			assert_null(why);
		}
	}
}
