/* keeper_where: which parameters there are, what takes the place of the job's needs, and which rows pass. */
#include <math.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "report/prices/keeper_query.h"
#include "report/prices/keeper_where.h"
#include "tests/unit/unit.h"

#define KNOWN                                                                                      \
	"vcpus_min, memory_min, gpu_min, gpu_memory_total, vcpus_max, storage_size, "              \
	"gpu_memory_min, cpu_manufacturer, cpu_family, storage_type, gpu_manufacturer, "           \
	"gpu_family, gpu_model)"

TEST(names_and_values)
{
	static const struct {
		struct opts_list where;
		const char *error; /* NULL: none */
	} cases[] = {
	    {{{"cpu_manufacturer=AMD", "cpu_manufacturer=Intel", "gpu_min=0"}, 3}, NULL},
	    {{{"memory_min=3.5", "storage_size=0.5", "vcpus_max=8.0", "gpu_model=a=b"}, 4}, NULL},
	    {{{"vcpus_mix=2"}, 1}, "unknown name \"vcpus_mix\" (known: " KNOWN},
	    {{{"=2"}, 1}, "unknown name \"\" (known: " KNOWN},
	    {{{"gpu_min"}, 1}, "\"gpu_min\" is not NAME=VALUE (known names: " KNOWN},
	    {{{"gpu_min=1.5"}, 1}, "gpu_min: \"1.5\" is not a whole number from 0 to 1000000000"},
	    {{{"memory_min=-1"}, 1}, "memory_min: \"-1\" is not a number from 0 to 1000000000"},
	    {{{"memory_min="}, 1}, "memory_min: \"\" is not a number from 0 to 1000000000"},
	    {{{"memory_min=."}, 1}, "memory_min: \".\" is not a number from 0 to 1000000000"},
	    {{{"memory_min=1.2.3"}, 1},
	     "memory_min: \"1.2.3\" is not a number from 0 to 1000000000"},
	    {{{"memory_min=4GiB"}, 1}, "memory_min: \"4GiB\" is not a number from 0 to 1000000000"},
	    {{{"vcpus_min=1e2"}, 1},
	     "vcpus_min: \"1e2\" is not a whole number from 0 to 1000000000"},
	    {{{"storage_size=nan"}, 1},
	     "storage_size: \"nan\" is not a number from 0 to 1000000000"},
	    {{{"storage_size=0x10"}, 1},
	     "storage_size: \"0x10\" is not a number from 0 to 1000000000"},
	    {{{"storage_size=1000000001"}, 1},
	     "storage_size: \"1000000001\" is not a number from 0 to 1000000000"},
	    {{{"gpu_min=1", "gpu_min=2"}, 2}, "gpu_min is given twice"},
	    {{{"cpu_family="}, 1}, "cpu_family: give a name of at most 64 bytes"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err e = {0};
		assert_int_equal(keeper_where_check(&cases[i].where, &e), cases[i].error ? -1 : 0);
		assert_string_equal(e.msg, cases[i].error ? cases[i].error : "");
	}
}

static void replace(struct keeper_query *q)
{
	keeper_where_replace(&q->where, (struct keeper_where_sizes){&q->vcpus, &q->memory_mib,
	                                                            &q->gpu, &q->vram_mib});
}

TEST(minimums_replace_what_the_job_needs)
{
	struct keeper_query q = {.vcpus = 8, .memory_mib = NAN, .gpu = 2, .vram_mib = 512};
	struct buf url = {0};
	char words[512];

	replace(&q);
	assert_true(q.vcpus == 8 && isnan(q.memory_mib) && q.gpu == 2 && q.vram_mib == 512);
	q.where =
	    (struct opts_list){{"vcpus_min=2", "memory_min=1.5", "gpu_min=0", "gpu_memory_total=16",
	                        "cpu_manufacturer=A&D", "vcpus_max=4", "cpu_manufacturer=Intel"},
	                       7};
	replace(&q);
	assert_true(q.vcpus == 2 && q.memory_mib == 1536 && q.gpu == 0 && q.vram_mib == 16384);
	q.base_url = "x";
	keeper_query_servers_url(&url, &q, NULL, false);
	assert_string_equal(
	    buf_cstr(&url),
	    "x/servers?vcpus_min=2&memory_min=1.500&gpu_memory_total=16.000&cpu_manufacturer=A%26D&"
	    "vcpus_max=4&cpu_manufacturer=Intel&order_by=min_price_ondemand&order_dir=asc&limit=25");
	buf_free(&url);
	keeper_query_words(&q, "", words);
	assert_string_equal(words, "at least 2 CPUs, 1.5 GiB of memory, 16 GiB of GPU memory; "
	                           "vcpus_max=4; cpu_manufacturer=A&D or Intel");
}

/* A service that drops a filter changes nothing. */
TEST(rows_are_checked)
{
	static const struct {
		struct opts_list where;
		const char *row;
		bool fits;
	} cases[] = {
	    {{.n = 0}, "{}", true},
	    {{{"storage_size=100"}, 1}, "{\"storage_size\":100}", true},
	    {{{"storage_size=100"}, 1}, "{\"storage_size\":99.9}", false},
	    {{{"storage_size=100"}, 1}, "{\"storage_size\":null}", false},
	    {{{"storage_size=100"}, 1}, "{\"storage_size\":\"100\"}", false},
	    {{{"storage_size=0"}, 1}, "{}", true},
	    {{{"gpu_memory_min=2"}, 1}, "{\"gpu_memory_min\":2048}", true},
	    {{{"gpu_memory_min=2"}, 1}, "{\"gpu_memory_min\":2047}", false},
	    {{{"vcpus_max=4"}, 1}, "{\"vcpus\":4}", true},
	    {{{"vcpus_max=4"}, 1}, "{\"vcpus\":5}", false},
	    {{{"vcpus_max=4"}, 1}, "{}", false},
	    {{{"cpu_manufacturer=AMD"}, 1}, "{\"cpu_manufacturer\":\"AMD\"}", true},
	    {{{"cpu_manufacturer=AMD"}, 1}, "{\"cpu_manufacturer\":\"Intel\"}", false},
	    {{{"cpu_manufacturer=AMD"}, 1}, "{\"cpu_manufacturer\":null}", false},
	    {{{"cpu_manufacturer=AMD"}, 1}, "7", false},
	    {{{"cpu_manufacturer=AMD", "cpu_manufacturer=Intel"}, 2},
	     "{\"cpu_manufacturer\":\"Intel\"}",
	     true},
	    {{{"cpu_manufacturer=AMD", "gpu_model=T4"}, 2},
	     "{\"cpu_manufacturer\":\"AMD\",\"gpu_model\":\"A10\"}",
	     false},
	    {{{"memory_min=4"}, 1}, "{\"memory_amount\":4095}", false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		cJSON *row = cJSON_Parse(cases[i].row);
		if (keeper_where_fits(&cases[i].where, row) != cases[i].fits)
			fail_msg("%s %s", cases[i].where.v[0], cases[i].row);
		cJSON_Delete(row);
	}
}
