/* Fuzzes collect/events/perf_events.c: a ring of the kernel's records, from any place in it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/events/perf_events.h"

#define RING_B 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first byte says where in the ring the records begin. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static unsigned char bytes[RING_B];
	struct perf_events_ring ring = {.data = bytes, .size = RING_B};
	struct perf_events_record r;
	size_t n = size > RING_B ? RING_B : size - (size > 0);

	if (!size)
		return 0;
	ring.tail = (uint64_t)data[0] * 16;
	ring.head = ring.tail + n;
	for (size_t i = 0; i < n; i++)
		bytes[(ring.tail + i) % RING_B] = i + 1 < size ? data[i + 1] : 0;
	for (uint64_t at = ring.tail; perf_events_ring_next(&ring, &r) > 0; at = ring.tail) {
		if (ring.tail < at + 8 || ring.tail > ring.head)
			abort();
		if (!memchr(r.name, '\0', sizeof r.name))
			abort();
		if (r.kind == PERF_EVENTS_OTHER && (r.pid || r.tid || r.value))
			abort();
	}
	return 0;
}
