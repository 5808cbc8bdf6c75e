/* Fuzzes collect/process/top_processes.c: any bytes as a command line. */
#include <stdint.h>
#include <stdlib.h>

#include "collect/process/top_processes.h"
#include "core/base/buf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct top_processes *p = top_processes_open(2, NULL);
	struct top_process *one = p ? top_processes_at(p, 1) : NULL;
	struct buf text = {.max = 16384};

	if (!one)
		return 0;
	top_processes_set_command(one, (const char *)data, size, size % 2);
	if (one->command_len > sizeof one->command ||
	    (one->command_len && one->command[one->command_len - 1]))
		abort();
	(void)top_processes_command(one, &text);
	buf_free(&text);
	top_processes_close(p);
	return 0;
}
