/* snakemake_benchmark: benchmark files. */
#include "fleet/import/snakemake_benchmark.h"

#include "tests/unit/fleet/import/imported.h"

#define FILES  "tests/fixtures/import/snakemake/"
#define HEADER "s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load\tcpu_time\n"

/* Written by Snakemake 7.21. */
TEST(recorded)
{
	struct imported i;

	imported_file(&i, FILES "benchmarks/busy/one.tsv");
	assert_int_equal(i.kind, IMPORT_SNAKEMAKE);
	imported_expect(&i, 1, 0, 0);
	assert_string_equal(
	    buf_cstr(&i.jobs),
	    "!1: name=busy wall_s=3.2251 status=exited code=0 cpu_s=2.89 cores_mean=0.896096245077672 "
	    "memory_peak_bytes=112061317.12 memory_peak_known=sampled read_bytes=31457.28 "
	    "labels=workflow=snakemake\n");
	imported_free(&i);
	/* Four processes share 100 MB: RSS counts it four times. */
	imported_file(&i, FILES "benchmarks/fork.tsv");
	assert_string_equal(imported_value(&i, 0, "name"), "fork");
	assert_string_equal(imported_value(&i, 0, "memory_peak_bytes"), "116622622.72");
	imported_free(&i);
	/* Six programs, one after the other: of five of them the CPU time is lost, which shows. */
	imported_file(&i, FILES "benchmarks/parts.txt");
	assert_string_equal(imported_value(&i, 0, "name"), "parts");
	assert_string_equal(imported_value(&i, 0, "wall_s"), "5.5487");
	assert_string_equal(imported_value(&i, 0, "cpu_s"), "");
	assert_string_equal(imported_value(&i, 0, "cores_mean"), "");
	imported_free(&i);
	imported_file(&i, FILES "benchmarks/twice.tsv");
	imported_expect(&i, 2, 0, 0);
	assert_string_equal(imported_value(&i, 1, "wall_s"), "1.2071");
	imported_free(&i);
	/* It had ended before it was looked at. */
	imported_file(&i, FILES "quick.bench");
	assert_string_equal(
	    buf_cstr(&i.jobs),
	    "!1: name=quick wall_s=0.0071 status=exited code=0 labels=workflow=snakemake\n");
	imported_free(&i);
}

TEST(extended)
{
	struct imported i;

	imported_file(&i, FILES "extended.tsv");
	imported_expect(&i, 1, 0, 0);
	assert_string_equal(
	    buf_cstr(&i.jobs),
	    "!1: name=align wall_s=93784.5021 status=exited code=0 cpu_s=300110.4 cores_mean=3.19999992834637 "
	    "memory_peak_bytes=2097152000 memory_peak_known=sampled read_bytes=536870912 written_bytes=268959744 "
	    "asked_cpus=4 asked_cpus_source=snakemake asked_memory_bytes=4000000000 asked_memory_source=snakemake "
	    "asked_time_s=86400 labels=workflow=snakemake;snakemake.rule=align;snakemake.job_id=17;"
	    "snakemake.wildcards={'sample': 'a,b'}\n");
	imported_free(&i);
}

TEST(values)
{
	static const struct {
		const char *line;
		const char *cpu, *memory, *wall;
		size_t unknown, left_out;
	} cases[] = {
	    /* No PSS (macOS), or no access to it. */
	    {"10.0\t0:00:10\t100.00\t1\t0\t0\t0\t0\t50.00\t5.00\n", "5", "104857600", "10", 0, 0},
	    {"10.0\t0:00:10\t100.00\t1\t-\t-\t-\t-\t50.00\t-\n", "5", "104857600", "10", 0, 0},
	    {"10,0\t0:00:10\t100,50\t1\t1\t100,00\t0\t0\t50,00\t5,00\n", "5", "104857600", "10", 0,
	     0},
	    {"10.0\t0:00:10\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\n", "", "", "10", 0, 0},
	    {"10.0\t0:00:10\tnan\t\t\t\t\t\tNaN\t\n", "", "", "10", 0, 0},
	    /* Cores, not percent. */
	    {"10.0\t0:00:10\t1\t1\t1\t1\t0\t0\t0.50\t5.00\n", "5", "1048576", "10", 0, 0},
	    {"10.0\t0:00:10\t1\t1\t1\t1\t0\t0\t90.0\t5.00\n", "", "1048576", "10", 0, 0},
	    {"0.99\t0:00:00\t3.1\t1\t1\t1.9\t0\t0\t90.0\t0.90\n", "", "", "0.99", 0, 0},
	    {"10.0\t0:00:10\t-1\t1\t1\tmuch\t1e99\t0\t50\tx\n", "5", "", "10", 4, 0},
	    {"-10.0\t0:00:10\t1\t1\t1\t1\t1\t0\t50\t5\n", NULL, NULL, NULL, 1, 1},
	    {"\t0:00:10\t1\t1\t1\t1\t1\t0\t50\t5\n", NULL, NULL, NULL, 0, 1},
	    {"10.0\t0:00:10\t1\t1\t1\t1\t1\n", NULL, NULL, NULL, 0, 1},
	    {"10.0\t0:00:10\t1\t1\t1\t1\t1\t0\t50\t5.1", "5", "1048576", "10", 1, 0},
	};

	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct imported i;
		char text[512];
		snprintf(text, sizeof text, HEADER "%s", cases[k].line);
		imported_text(&i, "a.tsv", text);
		imported_expect(&i, cases[k].cpu != NULL, cases[k].unknown, cases[k].left_out);
		if (cases[k].cpu) {
			assert_string_equal(imported_value(&i, 0, "cpu_s"), cases[k].cpu);
			assert_string_equal(imported_value(&i, 0, "memory_peak_bytes"),
			                    cases[k].memory);
			assert_string_equal(imported_value(&i, 0, "wall_s"), cases[k].wall);
		}
		imported_free(&i);
	}
}

/* Snakemake before 5.2 or so, and CRLF. */
TEST(older_columns)
{
	struct imported i;

	imported_text(&i, "benchmarks/x/y/z.txt",
	              "s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load\r\n"
	              "20.0\t0:00:20\t10\t1\t1\t8\t0.00\t0.00\t150.00\r\n");
	imported_expect(&i, 1, 0, 0);
	assert_string_equal(imported_value(&i, 0, "name"), "x");
	assert_string_equal(imported_value(&i, 0, "cpu_s"), "30");
	imported_free(&i);
}

TEST(names)
{
	static const struct {
		const char *path, *name;
	} cases[] = {
	    {"benchmarks/sort/a.tsv", "sort"},
	    {"/x/benchmarks/sort/1/a.tsv", "sort"},
	    {"out/Benchmark/sort/a.tsv", "sort"},
	    {"benchmarks/sort.tsv", "sort"},
	    {"benchmarks/sort.a.benchmark.txt", "sort.a"},
	    {"benchmarks/old/benchmarks/map/a.tsv", "map"},
	    {"out/a.bench", "a"},
	    {"a.bench", "a"},
	    {"a", "a"},
	    {".tsv", ".tsv"},
	    {"benchmarks/.tsv", ".tsv"},
	    {"x/", ""},
	    {"", ""},
	    {"/", ""},
	    {"benchmarks//a.txt", "a"},
	};
	char name[16];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snakemake_benchmark_name(cases[i].path, name, sizeof name);
		assert_string_equal(name, cases[i].name);
	}
	snakemake_benchmark_name("benchmarks/0123456789012345678/a", name, sizeof name);
	assert_string_equal(name, "012345678901234");
}

TEST(items_of_a_dict)
{
	static const struct {
		const char *dict, *key;
		double v; /* -1: none */
	} cases[] = {
	    {"{'mem_mb': 500}", "mem_mb", 500},
	    {"{'_cores': 1, 'mem_mb':500, 'mem_mib': 477}", "mem_mb", 500},
	    {"{\"mem_mb\": 1.5}", "mem_mb", 1.5},
	    {"{'mem_mib': 477}", "mem_mb", -1},
	    {"{'x_mem_mb': 1}", "mem_mb", -1},
	    {"{'mem_mb': '<TBD>'}", "mem_mb", -1},
	    {"{'mem_mb': -5}", "mem_mb", -1},
	    {"{'mem_mb", "mem_mb", -1},
	    {"mem_mb", "mem_mb", -1},
	    {"", "mem_mb", -1},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double v = snakemake_benchmark_item(cases[i].dict, cases[i].key);
		assert_true(cases[i].v < 0 ? isnan(v) : v == cases[i].v);
	}
}

TEST(what_is_not_a_benchmark)
{
	static const char *const texts[] = {
	    "s\th:m:s\n",
	    "h:m:s\tmax_rss\n",
	    "seconds\th:m:s\tmax_rss\n",
	    "a\ts\th:m:s max_rss\n",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_int_equal(import_kind_of(texts[i], strlen(texts[i])), IMPORT_NONE);
	assert_string_equal(import_origins[import_origin_of(IMPORT_SNAKEMAKE)], "snakemake");
}

/* Many files in one table: each line is of the file that it names. */
TEST(a_table_of_many)
{
	struct imported i;

	imported_text(&i, "all.tsv",
	              "s\th:m:s\tmax_rss\tfile_path\n"
	              "14.5\t0:00:14\t487.06\tbenchmarks/align/a.tsv\n"
	              "100.5\t0:01:40\t48.06\tbenchmarks/sort.tsv\n"
	              "100.5\t0:01:40\t48.06\t\n");
	imported_expect(&i, 3, 0, 0);
	assert_string_equal(imported_value(&i, 0, "name"), "align");
	assert_string_equal(imported_value(&i, 1, "name"), "sort");
	assert_string_equal(imported_value(&i, 2, "name"), "all");
	imported_free(&i);
}

/* Lines after the first 100,000 are left out, which is said even where an earlier value was not understood. */
TEST(a_file_without_end)
{
	struct imported i = {.bytes = 1};
	struct buf text = {0};

	buf_str(&text, HEADER "soon\t0:00:02\t1\t1\t1\t1\t1\t1\t1\t1\n");
	for (int n = 0; n < SNAKEMAKE_BENCHMARK_LINES + 6; n++)
		buf_str(&text, "2\t0:00:02\t1\t1\t1\t1\t1\t1\t1\t1\n");
	imported_from(&i, "b", fmemopen(text.s, text.len, "r"));
	imported_expect(&i, SNAKEMAKE_BENCHMARK_LINES - 1, 1, 1 + 7);
	assert_string_equal(i.in.example.msg, "b:100002: the lines after the first 100000 are not "
	                                      "read; give them as files of their own");
	imported_free(&i);
	buf_free(&text);
}
