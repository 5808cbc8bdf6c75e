/* catalog_where: keys, conditions, and the sentences for wrong ones. */
#include <string.h>

#include "fleet/catalog/catalog_where.h"
#include "tests/unit/unit.h"

TEST(keys)
{
	static const struct {
		const char *text;
		int column;
		const char *pair, *says;
	} cases[] = {
	    {"name", RTRACK_ROW_NAME, "", NULL},
	    {"instance", RTRACK_ROW_INSTANCE, "", NULL},
	    {"array", RTRACK_ROW_ARRAY, "", NULL},
	    {"tag:team", RTRACK_ROW_TAGS, "team", NULL},
	    {"label:slurm.partition", RTRACK_ROW_LABELS, "slurm.partition", NULL},
	    {"tag:a:b", RTRACK_ROW_TAGS, "a:b", NULL},
	    {"usr", 0, "", "runs have no \"usr\"; did you mean user?"},
	    {"comand", 0, "", "runs have no \"comand\"; did you mean command?"},
	    {"tag", 0, "", "\"tag\" needs the name of a tag: tag:KEY"},
	    {"tag:", 0, "", "\"tag:\" needs the name of a tag: tag:KEY"},
	    {"tag:a;b", 0, "", "\"a;b\" is not the name of a tag"},
	    {"name:x", 0, "", "runs have no \"name:x\"; did you mean name?"},
	    {"wall_s", 0, "",
	     "runs have no \"wall_s\" (name, command, directory, host, user, account, "
	     "instance, vendor, region, job, array, workflow_run, origin, tag:KEY or "
	     "label:KEY)"},
	    {"", 0, "",
	     "runs have no \"\" (name, command, directory, host, user, account, instance, "
	     "vendor, region, job, array, workflow_run, origin, tag:KEY or label:KEY)"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct catalog_key key;
		struct err e = {.msg = ""};
		int failed = catalog_where_key(cases[i].text, &key, &e);
		assert_string_equal(e.msg, cases[i].says ? cases[i].says : "");
		assert_int_equal(failed, cases[i].says ? -1 : 0);
		if (failed)
			continue;
		assert_int_equal(key.column, cases[i].column);
		assert_string_equal(key.pair, cases[i].pair);
	}
}

TEST(conditions)
{
	static const struct {
		const char *text;
		int column;
		const char *pair, *op, *value;
		double number;
	} cases[] = {
	    {"user=ann", RTRACK_ROW_USER, "", "=", "ann", 0},
	    {" user = ann b", RTRACK_ROW_USER, "", "=", "ann b", 0},
	    {"user=", RTRACK_ROW_USER, "", "=", "", 0},
	    {"name!=a=b", RTRACK_ROW_NAME, "", "!=", "a=b", 0},
	    {"wall_s>=3600", RTRACK_ROW_WALL, "", ">=", NULL, 3600},
	    {"wall_s < 1.5e3 ", RTRACK_ROW_WALL, "", "<", NULL, 1500},
	    {"wall_s > 1h30m ", RTRACK_ROW_WALL, "", ">", NULL, 5400},
	    {"memory_peak_bytes>=2GiB", RTRACK_ROW_MEMORY_PEAK, "", ">=", NULL, 2147483648.0},
	    {"asked_cpus<=4", RTRACK_ROW_ASKED_CPUS, "", "<=", NULL, 4},
	    {"paid_s>-1", CATALOG_COLUMN_PAID_S, "", ">", NULL, -1},
	    {"tag:team=red", RTRACK_ROW_TAGS, "team", "=", "red", 0},
	    {"label:x > y", RTRACK_ROW_LABELS, "x", ">", "y", 0},
	    {"user='; DROP TABLE runs; --", RTRACK_ROW_USER, "", "=", "'; DROP TABLE runs; --", 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct catalog_condition c;
		struct err e = {.msg = ""};
		assert_int_equal(catalog_where_condition(cases[i].text, &c, &e), 0);
		assert_int_equal(c.key.column, cases[i].column);
		assert_string_equal(c.key.pair, cases[i].pair);
		assert_string_equal(c.op, cases[i].op);
		if (cases[i].value)
			assert_string_equal(c.value.text, cases[i].value);
		else
			assert_true(c.value.kind == CATALOG_NUMBER &&
			            c.value.number == cases[i].number);
	}
}

TEST(wrong_conditions)
{
	static const char *const cases[][2] = {
	    {"user", "\"user\" is not a condition like user=ann or wall_s>=3600"},
	    {"user!ann", "\"user!ann\" is not a condition like user=ann or wall_s>=3600"},
	    {"=1", "runs have no \"\" (docs/catalog.md lists the columns)"},
	    {"wal_s>1", "runs have no \"wal_s\"; did you mean wall_s?"},
	    {"wall_s>long",
	     "\"long\" is not a duration such as 30s, 15m, 1h30m or 2d, but wall_s is"},
	    {"memory_peak_bytes>1h",
	     "\"1h\" is not a size such as 512MiB, 32G or 500MB, but memory_peak_bytes is"},
	    {"code=1h", "\"1h\" is not a number, but code is"},
	    {"code>", "\"\" is not a number, but code is"},
	    {"code<inf", "\"inf\" is not a number, but code is"},
	    {"tag=red", "\"tag\" needs the name of a tag: tag:KEY"},
	    {"tag:0123456789012345678901234567890123456789012345678901234567890123=1",
	     "\"0123456789012345678901234567890123456789012345678901234567890123\" is not the name of a tag"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct catalog_condition c;
		struct err e = {.msg = ""};
		assert_int_equal(catalog_where_condition(cases[i][0], &c, &e), -1);
		assert_string_equal(e.msg, cases[i][1]);
	}
}
