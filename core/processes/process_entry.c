/* process_entry: one process, or the sum of several, as a journal holds it. */
#include "core/processes/process_entry.h"

#include <math.h>
#include <string.h>

static size_t pack_bytes(unsigned char *out, size_t at, const void *v, size_t n)
{
	memcpy(out + at, v, n);
	return at + n;
}

static size_t unpack_bytes(const unsigned char *in, size_t at, void *v, size_t n)
{
	memcpy(v, in + at, n);
	return at + n;
}

/* .cpu_exact in 4 bytes, which older recorders left at 0: unknown. */
static uint32_t pack_exact(double exact)
{
	return isnan(exact) ? 0 : 1 + (exact > 0);
}

size_t process_entry_pack(const struct process_entry *e, unsigned char *out, size_t n)
{
	const uint8_t kind = (uint8_t)e->kind;
	const uint8_t name_n = (uint8_t)strnlen(e->name, PROCESS_ENTRY_NAME_MAX);
	const uint16_t command_n = (uint16_t)strnlen(e->command, PROCESS_ENTRY_COMMAND_MAX);
	size_t at = 0;

	if (PROCESS_ENTRY_FIXED + (size_t)name_n + command_n > n)
		return 0;
	at = pack_bytes(out, at, &kind, 1);
	at = pack_bytes(out, at, &name_n, 1);
	at = pack_bytes(out, at, &command_n, 2);
	at = pack_bytes(out, at, &e->id, 4);
	at = pack_bytes(out, at, &e->parent, 4);
	at = pack_bytes(out, at, &e->n, 4);
	at = pack_bytes(out, at, &e->pid, 4);
	at = pack_bytes(out, at, &e->status, 4);
	at = pack_bytes(out, at, &e->start_s, 8);
	at = pack_bytes(out, at, &e->end_s, 8);
	at = pack_bytes(out, at, &e->cpu_s, 8);
	at = pack_bytes(out, at, &e->memory_b, 8);
	at = pack_bytes(out, at, &(const uint32_t){pack_exact(e->cpu_exact)}, 4);
	at = pack_bytes(out, at, e->name, name_n);
	return pack_bytes(out, at, e->command, command_n);
}

static double not_below_0(double v)
{
	return isfinite(v) && v >= 0 ? v : (double)NAN;
}

bool process_entry_next(const unsigned char *bytes, size_t n, size_t *at, struct process_entry *out)
{
	uint8_t kind, name_n;
	uint16_t command_n;
	uint32_t exact;
	size_t i = *at;

	if (n < PROCESS_ENTRY_FIXED || i > n - PROCESS_ENTRY_FIXED)
		return false;
	i = unpack_bytes(bytes, i, &kind, 1);
	i = unpack_bytes(bytes, i, &name_n, 1);
	i = unpack_bytes(bytes, i, &command_n, 2);
	if (kind < PROCESS_ENTRY_RUNNING || kind > PROCESS_ENTRY_NOW ||
	    name_n > PROCESS_ENTRY_NAME_MAX || command_n > PROCESS_ENTRY_COMMAND_MAX ||
	    (size_t)name_n + command_n > n - PROCESS_ENTRY_FIXED - *at)
		return false;
	*out = (struct process_entry){.kind = (enum process_entry_kind)kind};
	i = unpack_bytes(bytes, i, &out->id, 4);
	i = unpack_bytes(bytes, i, &out->parent, 4);
	i = unpack_bytes(bytes, i, &out->n, 4);
	i = unpack_bytes(bytes, i, &out->pid, 4);
	i = unpack_bytes(bytes, i, &out->status, 4);
	i = unpack_bytes(bytes, i, &out->start_s, 8);
	i = unpack_bytes(bytes, i, &out->end_s, 8);
	i = unpack_bytes(bytes, i, &out->cpu_s, 8);
	i = unpack_bytes(bytes, i, &out->memory_b, 8);
	i = unpack_bytes(bytes, i, &exact, 4);
	i = unpack_bytes(bytes, i, out->name, name_n);
	*at = unpack_bytes(bytes, i, out->command, command_n);
	if (!isfinite(out->start_s))
		out->start_s = 0;
	if (!isfinite(out->end_s) || out->end_s < out->start_s)
		out->end_s = NAN;
	out->cpu_s = not_below_0(out->cpu_s);
	out->cpu_exact = exact == 1 || exact == 2 ? exact - 1 : (double)NAN;
	out->memory_b = not_below_0(out->memory_b);
	return true;
}

bool process_entry_is_now(const unsigned char *bytes, size_t n)
{
	return n == 0 || bytes[0] == PROCESS_ENTRY_NOW;
}
