/* Tests of collect/machine/discover_server.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/machine/discover_server.h"
#include "tests/unit/root.h"
#include "tests/unit/unit.h"

TEST(machines)
{
	static const struct {
		const char *machine;
		double vcpus, memory_b;
	} rows[] = {
	    {"idle-vm", 2, 24684096 * 1024.0},
	    {"cpus-64", 64, 527876184 * 1024.0},
	    {"container", 4, 16393216 * 1024.0},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct snapshot s = {0};
		struct root r = captured_root(rows[i].machine);

		assert_int_equal(discover_server(&r, &s), 0);
		assert_true(s.server.known);
		assert_string_equal(s.server.os, "Linux");
		assert_string_equal(s.server.allocation, "unknown");
		assert_string_equal(s.server.gpu_name, "");
		assert_true(s.server.vcpus == rows[i].vcpus);
		assert_true(s.server.memory_b == rows[i].memory_b);
		assert_true(s.server.gpu_count == 0 && s.server.gpu_memory_b == 0);
		snapshot_free(&s);
		root_close(&r);
	}
}

/* A kernel whose /proc/stat may not be read has its CPUs in /sys, as a list. */
TEST(cpu_lists)
{
	static const struct {
		const char *text;
		double cpus;
	} rows[] = {
	    {"0\n", 1},         {"0-3\n", 4},  {"0-3,8,10-11\n", 7}, {"0-1,4", 3},
	    {"3-1\n", NAN},     {"0-\n", NAN}, {"cpu0\n", NAN},      {"0-1,\n", NAN},
	    {"0-1048577", NAN}, {"\n", NAN},
	};
	static const char *const dirs[] = {"/sys", "/sys/devices", "/sys/devices/system",
	                                   "/sys/devices/system/cpu"};
	char top[] = "/tmp/rtrack-test-cpus-XXXXXX", path[80];
	struct root r;

	assert_non_null(mkdtemp(top));
	for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++) {
		snprintf(path, sizeof path, "%s%s", top, dirs[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	snprintf(path, sizeof path, "%s%s/online", top, dirs[3]);
	assert_int_equal(root_open(&r, top, NULL), 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct snapshot s = {0};
		FILE *f = fopen(path, "we");
		assert_non_null(f);
		assert_true(fputs(rows[i].text, f) >= 0 && fclose(f) == 0);
		(void)discover_server(&r, &s);
		if (!(s.server.vcpus == rows[i].cpus ||
		      (isnan(s.server.vcpus) && isnan(rows[i].cpus))))
			fail_msg("%s: %g CPUs", rows[i].text, s.server.vcpus);
		snapshot_free(&s);
	}
	root_close(&r);
	assert_int_equal(unlink(path), 0);
	for (size_t i = sizeof dirs / sizeof *dirs; i--;) {
		snprintf(path, sizeof path, "%s%s", top, dirs[i]);
		assert_int_equal(rmdir(path), 0);
	}
	assert_int_equal(rmdir(top), 0);
}

TEST(nothing_there)
{
	char dir[] = "/tmp/rtrack-test-server-XXXXXX";
	struct snapshot s = {0};
	struct root r;

	assert_non_null(mkdtemp(dir));
	assert_int_equal(root_open(&r, dir, NULL), 0);
	assert_int_equal(discover_server(&r, &s), -1);
	assert_false(s.server.known);
	assert_true(isnan(s.server.vcpus));
	snapshot_free(&s);
	root_close(&r);
	rmdir(dir);
}

TEST(live)
{
	struct snapshot s = {0};
	struct root r;

	assert_int_equal(root_open(&r, NULL, NULL), 0);
	assert_int_equal(discover_server(&r, &s), 0);
	assert_true(s.server.vcpus >= 1);
	assert_true(s.server.memory_b > 0);
	snapshot_free(&s);
	root_close(&r);
}

/* -- host IDs ---------------------------------------------------------------------------------- */

/* As "systemd-id128 machine-id --app-specific=" and Python's hmac make it. */
TEST(host_ids)
{
	char out[DISCOVER_SERVER_HOST_ID];

	assert_true(discover_server_host_id("0123456789abcdef0123456789abcdef\n", 33, out));
	assert_string_equal(out, "998566965a4d4459893c70037c5e2736");
	assert_true(discover_server_host_id("0123456789ABCDEF0123456789ABCDEF", 32, out));
	assert_string_equal(out, "998566965a4d4459893c70037c5e2736");
	assert_true(discover_server_host_id("0123456789abcdef0123456789abcdee\n", 33, out));
	assert_string_not_equal(out, "998566965a4d4459893c70037c5e2736");
}

TEST(no_host_ids)
{
	static const char *const rows[] = {
	    "",
	    "\n",
	    "uninitialized\n",
	    "0123456789abcdef0123456789abcde\n",
	    "0123456789abcdef0123456789abcdef0\n",
	    "0123456789abcdef0123456789abcdeg\n",
	    "00000000000000000000000000000000\n",
	    "01234567-89ab-cdef-0123-456789abcdef\n",
	};
	char out[DISCOVER_SERVER_HOST_ID];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_false(discover_server_host_id(rows[i], strlen(rows[i]), out));
		assert_string_equal(out, "");
	}
}

/* -- CPU models -------------------------------------------------------------------------------- */

TEST(cpu_models)
{
	static const struct {
		const char *text, *name;
	} rows[] = {
	    {"processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\n"
	     "model name\t: AMD EPYC 7R13 Processor\ncpu MHz\t\t: 2650.0\n",
	     "AMD EPYC 7R13 Processor"},
	    {"model name\t: Intel(R) Xeon(R) CPU           E5-2670 0 @ 2.60GHz \n",
	     "Intel(R) Xeon(R) CPU E5-2670 0 @ 2.60GHz"},
	    {"processor\t: 0\nBogoMIPS\t: 243.75\nCPU implementer\t: 0x41\nCPU architecture: 8\n"
	     "CPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n",
	     "Arm Neoverse-N1"},
	    {"CPU implementer\t: 0xc0\nCPU part\t: 0xac3\n", "Ampere-1"},
	    {"processor\t: 0\ncpu\t\t: POWER9, altivec supported\nclock\t\t: 2300.0MHz\n",
	     "POWER9, altivec supported"},
	    {"processor\t: 0\nhart\t\t: 1\nisa\t\t: rv64imafdc\nuarch\t\t: sifive,u74-mc\n",
	     "sifive,u74-mc"},
	    {"system type\t\t: generic-loongson-machine\n\nprocessor\t\t: 0\n"
	     "Model Name\t\t: Loongson-3A5000\n",
	     "Loongson-3A5000"},
	};
	char out[DISCOVER_SERVER_CPU_SIZE];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_true(discover_server_cpu_model(rows[i].text, strlen(rows[i].text), out));
		assert_string_equal(out, rows[i].name);
	}
}

TEST(unknown_cpu_models)
{
	static const char *const rows[] = {
	    "",
	    "processor\t: 0\n",
	    "model name\t:\n",
	    "model name\t: \t \n",
	    "model name x\t: y\n",
	    "cpu family\t: 6\ncpu MHz\t: 2\n",
	    "CPU implementer\t: 0x41\nCPU part\t: 0xfff\n",
	    "CPU part\t: 0xd0c\n",
	    "CPU implementer\t: 0x41x\nCPU part\t: 0xd0c\n",
	    "CPU implementer\t: 99999999999999999999\nCPU part\t: 0xd0c\n",
	    "Hardware\t: BCM2835\n",
	};
	char out[DISCOVER_SERVER_CPU_SIZE];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_false(discover_server_cpu_model(rows[i], strlen(rows[i]), out));
		assert_string_equal(out, "");
	}
}

TEST(hostile_cpu_models)
{
	char out[DISCOVER_SERVER_CPU_SIZE], text[DISCOVER_SERVER_CPU_TEXT];
	const char *escape = "model name\t: a\x1b[31mb\n";

	assert_true(discover_server_cpu_model(escape, strlen(escape), out));
	assert_string_equal(out, "a");
	/* A name without end, and one that the end of what was read cut. */
	memset(text, 'x', sizeof text);
	memcpy(text, "model name\t: ", 13);
	assert_false(discover_server_cpu_model(text, sizeof text - 1, out));
	text[1000] = '\n';
	assert_true(discover_server_cpu_model(text, sizeof text - 1, out));
	assert_int_equal(strlen(out), DISCOVER_SERVER_CPU_SIZE - 1);
}
