/* discover_server: the operating system, the CPUs online and the memory of the machine. */
#include "collect/machine/discover_server.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/machine/host_address.h"
#include "collect/machine/meminfo.h"
#include "collect/machine/procstat.h"
#include "collect/procfs/scan.h"
#include "core/base/alloc_failed.h"
#include "core/base/sha256.h"

/* -- CPU model --------------------------------------------------------------------------------- */

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
static bool take_cpuinfo_value(struct scan line, const char *key, struct scan *value)
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
static bool copy_model_name(struct scan from, char out[DISCOVER_SERVER_CPU_SIZE])
{
	size_t n = 0;

	for (; from.p < from.end && n < DISCOVER_SERVER_CPU_SIZE - 1; from.p++) {
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

static bool read_midr_number(struct scan value, unsigned *out)
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

static bool arm_name(unsigned implementer, unsigned part, char out[DISCOVER_SERVER_CPU_SIZE])
{
	for (size_t i = 0; i < sizeof arm / sizeof *arm; i++)
		if (arm[i].implementer == implementer && arm[i].part == part) {
			snprintf(out, DISCOVER_SERVER_CPU_SIZE, "%s", arm[i].name);
			return true;
		}
	return false;
}

bool discover_server_cpu_model(const char *text, size_t n, char out[DISCOVER_SERVER_CPU_SIZE])
{
	struct scan s = scan_text(text, n), line, value;
	unsigned implementer = 0, part = 0;

	*out = '\0';
	while (scan_line(&s, &line)) {
		/* This line may be cut off. */
		if (line.end == text + n && n >= DISCOVER_SERVER_CPU_TEXT - 1)
			break;
		for (size_t i = 0; i < sizeof names / sizeof *names; i++)
			if (take_cpuinfo_value(line, names[i], &value) &&
			    copy_model_name(value, out))
				return true;
		if (take_cpuinfo_value(line, "CPU implementer", &value))
			(void)read_midr_number(value, &implementer);
		if (take_cpuinfo_value(line, "CPU part", &value) && read_midr_number(value, &part))
			break;
	}
	return implementer && arm_name(implementer, part, out);
}

/* -- host ID ----------------------------------------------------------------------------------- */

#define ID    16 /* bytes */
#define BLOCK 64 /* of SHA-256 */

/* Drawn once at random. Another one gives every machine another host ID. */
static const unsigned char application[ID] = {0x5e, 0x0b, 0x8d, 0x21, 0xc7, 0x3f, 0x4a, 0x96,
                                              0xb1, 0x64, 0xe8, 0x1d, 0x70, 0x29, 0xaf, 0x53};

/* Reads the 2 * n digits of text. */
static bool read_hex(const char *text, size_t n, unsigned char *out)
{
	for (size_t i = 0; i < n; i++) {
		int high = scan_hex(text[2 * i]), low = scan_hex(text[2 * i + 1]);
		if (high < 0 || low < 0)
			return false;
		out[i] = (unsigned char)(high * 16 + low);
	}
	return true;
}

/* The digest of the key, padded with a byte, and a message. */
static void digest(const unsigned char key[ID], unsigned char pad, const void *message, size_t n,
                   unsigned char out[SHA256_HEX / 2])
{
	unsigned char block[BLOCK];
	struct sha256 s;
	char hex[SHA256_HEX];

	for (size_t i = 0; i < BLOCK; i++)
		block[i] = (i < ID ? key[i] : 0) ^ pad;
	sha256_begin(&s);
	sha256_add(&s, block, sizeof block);
	sha256_add(&s, message, n);
	sha256_end(&s, hex);
	(void)read_hex(hex, SHA256_HEX / 2, out);
}

bool discover_server_host_id(const char *text, size_t n, char out[DISCOVER_SERVER_HOST_ID])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char id[ID], inner[SHA256_HEX / 2], outer[SHA256_HEX / 2], any = 0;

	*out = '\0';
	if (n < 2 * ID || (n > 2 * ID && text[2 * ID] != '\n') || !read_hex(text, ID, id))
		return false;
	for (size_t i = 0; i < ID; i++)
		any |= id[i];
	if (!any)
		return false;
	digest(id, 0x36, application, ID, inner);
	digest(id, 0x5c, inner, sizeof inner, outer);
	/* The bits of a UUID that say how it was made (RFC 9562): version 4. */
	outer[6] = (outer[6] & 0x0f) | 0x40;
	outer[8] = (outer[8] & 0x3f) | 0x80;
	for (size_t i = 0; i < ID; i++) {
		out[2 * i] = digits[outer[i] >> 4];
		out[2 * i + 1] = digits[outer[i] & 15];
	}
	out[DISCOVER_SERVER_HOST_ID - 1] = '\0';
	return true;
}

/* -- the server -------------------------------------------------------------------------------- */

#define TEXT_MAX ((size_t)1 << 20)

/* /proc/stat comes first, because the CPU times are measured there: LXCFS gives a container its own
 * view of the CPUs either in both files or in /proc/stat alone. */
static double count_cpus(const struct root *r, char *text)
{
	long n = root_read(r, "proc/stat", text, TEXT_MAX);
	long count = n > 0 ? procstat_cpus(text, (size_t)n) : 0;

	if (count > 0)
		return (double)count;
	n = root_read(r, "sys/devices/system/cpu/online", text, TEXT_MAX);
	return n > 0 ? scan_list(text, (size_t)n) : NAN;
}

/* Reads a table after another one, in the room that is left. */
static struct host_address_text read_table(const struct root *r, const char *path, char **at,
                                           size_t *room)
{
	struct host_address_text table = {*at, 0};
	long n = root_read(r, path, *at, *room);

	if (n > 0) {
		table.n = (size_t)n;
		*at += n;
		*room -= (size_t)n;
	}
	return table;
}

static const char *find_address(const struct root *r, char *text, struct snapshot *s)
{
	char address[HOST_ADDRESS_SIZE], *at = text;
	size_t room = TEXT_MAX;
	struct host_address_text route = read_table(r, "proc/net/route", &at, &room);
	struct host_address_text of = read_table(r, "proc/net/fib_trie", &at, &room);

	if (host_address_v4(route, of, address))
		return snapshot_strdup(s, address);
	at = text;
	room = TEXT_MAX;
	route = read_table(r, "proc/net/ipv6_route", &at, &room);
	of = read_table(r, "proc/net/if_inet6", &at, &room);
	return host_address_v6(route, of, address) ? snapshot_strdup(s, address) : NULL;
}

void discover_server_cpu(const struct root *r, struct snapshot *s)
{
	char text[DISCOVER_SERVER_CPU_TEXT], name[DISCOVER_SERVER_CPU_SIZE];
	int fd = root_openat(r, "proc/cpuinfo");
	long n = fd < 0 ? -1 : root_head_fd(fd, text, sizeof text);

	if (fd >= 0)
		close(fd);
	if (n > 0 && discover_server_cpu_model(text, (size_t)n, name))
		s->machine.cpu_model = snapshot_strdup(s, name);
}

int discover_server(const struct root *r, struct snapshot *s)
{
	char *text = alloc_failed_note(malloc(TEXT_MAX)), id[DISCOVER_SERVER_HOST_ID];
	long n;

	s->server.os = "Linux";
	s->server.gpu_name = "";
	s->server.allocation = "unknown";
	s->server.gpu_count = 0;
	s->server.gpu_memory_b = 0;
	s->server.vcpus = text ? count_cpus(r, text) : NAN;
	n = text ? root_read(r, "proc/meminfo", text, TEXT_MAX) : 0;
	s->server.memory_b = n > 0 ? meminfo_parse(text, (size_t)n, SCHEMA_1, NULL) : NAN;
	if (s->meta.discover_server) {
		n = text ? root_read(r, "etc/machine-id", text, TEXT_MAX) : 0;
		if (n > 0 && discover_server_host_id(text, (size_t)n, id))
			s->machine.host_id = snapshot_strdup(s, id);
		s->machine.ip = text ? find_address(r, text, s) : NULL;
	}
	s->server.known = !isnan(s->server.vcpus) || !isnan(s->server.memory_b);
	free(text);
	return s->server.known ? 0 : -1;
}
