/* cpu_model: what kind of CPU the machine has, from /proc/cpuinfo. */
#include "collect/machine/cpu_model.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/procfs/scan.h"

/* Where the kernel writes a name: x86 and 32-bit Arm, LoongArch, MIPS, POWER, RISC-V. */
static const char *const names[] = {"model name", "Model Name", "cpu model", "cpu", "uarch"};

/* MIDR_EL1: implementer and part number. */
static const struct {
	unsigned implementer, part;
	const char *name;
} arm[] = {
    {0x41, 0xd03, "Arm Cortex-A53"},
    {0x41, 0xd04, "Arm Cortex-A35"},
    {0x41, 0xd05, "Arm Cortex-A55"},
    {0x41, 0xd07, "Arm Cortex-A57"},
    {0x41, 0xd08, "Arm Cortex-A72"},
    {0x41, 0xd09, "Arm Cortex-A73"},
    {0x41, 0xd0a, "Arm Cortex-A75"},
    {0x41, 0xd0b, "Arm Cortex-A76"},
    {0x41, 0xd0c, "Arm Neoverse-N1"},
    {0x41, 0xd40, "Arm Neoverse-V1"},
    {0x41, 0xd49, "Arm Neoverse-N2"},
    {0x41, 0xd4f, "Arm Neoverse-V2"},
    {0x41, 0xd84, "Arm Neoverse-V3"},
    {0x41, 0xd8e, "Arm Neoverse-N3"},
    {0x43, 0x0af, "Cavium ThunderX2"},
    {0x46, 0x001, "Fujitsu A64FX"},
    {0x48, 0xd01, "HiSilicon TaiShan-v110"},
    {0xc0, 0xac3, "Ampere-1"},
    {0xc0, 0xac4, "Ampere-1a"},
};

/* Takes the value of a line "key : value" whose key is exactly this. */
static bool take_value(struct scan line, const char *key, struct scan *value)
{
	if (!scan_literal(&line, key))
		return false;
	while (line.p < line.end && (*line.p == ' ' || *line.p == '\t'))
		line.p++;
	if (!scan_literal(&line, ":"))
		return false;
	scan_blanks(&line);
	while (line.end > line.p && (line.end[-1] == ' ' || line.end[-1] == '\t'))
		line.end--;
	*value = line;
	return line.p < line.end;
}

/* Several blanks, which some names have, become one; control characters end the name. */
static bool copy_name(struct scan from, char out[CPU_MODEL_SIZE])
{
	size_t n = 0;

	for (; from.p < from.end && n < CPU_MODEL_SIZE - 1; from.p++) {
		if ((unsigned char)*from.p < ' ' || *from.p == 127)
			break;
		if (*from.p != ' ' || (n && out[n - 1] != ' '))
			out[n++] = *from.p;
	}
	while (n && out[n - 1] == ' ')
		n--;
	out[n] = '\0';
	return n > 0;
}

static bool read_number(struct scan value, unsigned *out)
{
	char text[16], *end;
	unsigned long v;

	if (!scan_copy(value, text, sizeof text))
		return false;
	v = strtoul(text, &end, 0);
	if (*end || v > 0xffff)
		return false;
	*out = (unsigned)v;
	return true;
}

static bool arm_name(unsigned implementer, unsigned part, char out[CPU_MODEL_SIZE])
{
	for (size_t i = 0; i < sizeof arm / sizeof *arm; i++)
		if (arm[i].implementer == implementer && arm[i].part == part) {
			snprintf(out, CPU_MODEL_SIZE, "%s", arm[i].name);
			return true;
		}
	return false;
}

bool cpu_model(const char *text, size_t n, char out[CPU_MODEL_SIZE])
{
	struct scan s = scan_text(text, n), line, value;
	unsigned implementer = 0, part = 0;

	*out = '\0';
	while (scan_line(&s, &line)) {
		/* A line that the end of what was read cut is no whole one. */
		if (line.end == text + n && n >= CPU_MODEL_TEXT - 1)
			break;
		for (size_t i = 0; i < sizeof names / sizeof *names; i++)
			if (take_value(line, names[i], &value) && copy_name(value, out))
				return true;
		if (take_value(line, "CPU implementer", &value))
			(void)read_number(value, &implementer);
		if (take_value(line, "CPU part", &value) && read_number(value, &part))
			break;
	}
	return implementer && arm_name(implementer, part, out);
}
