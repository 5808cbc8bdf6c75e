/* Tests of collect/machine/cpu_model.c. */
#include <string.h>

#include "collect/machine/cpu_model.h"
#include "tests/unit/unit.h"

TEST(machines)
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
	char out[CPU_MODEL_SIZE];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_true(cpu_model(rows[i].text, strlen(rows[i].text), out));
		assert_string_equal(out, rows[i].name);
	}
}

TEST(unknown)
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
	char out[CPU_MODEL_SIZE];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_false(cpu_model(rows[i], strlen(rows[i]), out));
		assert_string_equal(out, "");
	}
}

TEST(hostile)
{
	char out[CPU_MODEL_SIZE], text[CPU_MODEL_TEXT];
	const char *escape = "model name\t: a\x1b[31mb\n";

	assert_true(cpu_model(escape, strlen(escape), out));
	assert_string_equal(out, "a");
	/* A name without end, and one that the end of what was read cut. */
	memset(text, 'x', sizeof text);
	memcpy(text, "model name\t: ", 13);
	assert_false(cpu_model(text, sizeof text - 1, out));
	text[1000] = '\n';
	assert_true(cpu_model(text, sizeof text - 1, out));
	assert_int_equal(strlen(out), CPU_MODEL_SIZE - 1);
}
