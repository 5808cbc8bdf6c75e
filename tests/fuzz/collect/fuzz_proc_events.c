/* Fuzzes collect/events/proc_events.c: messages of the proc connector, and their rate. */
#include <stdint.h>
#include <stdlib.h>

#include "collect/events/proc_events.h"

#define MESSAGE 76

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct proc_events_rate rate = {0};

	for (size_t at = 0; at <= size; at += MESSAGE) {
		struct proc_event e =
		    proc_events_parse(data + at, size - at < MESSAGE ? size - at : MESSAGE);
		if (e.kind != PROC_EVENT_OTHER && size - at < MESSAGE)
			abort();
		if ((e.status & ~0xff7f) || (e.kind <= PROC_EVENT_ACK && e.pid))
			abort();
		/* Fewer events than the limit are never too many. */
		if (proc_events_too_many(&rate, e.at) && size / MESSAGE <= PROC_EVENTS_RATE)
			abort();
	}
	return 0;
}
