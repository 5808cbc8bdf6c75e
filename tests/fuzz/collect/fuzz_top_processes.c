/* Fuzzes collect/process/top_processes.c: any bytes as a command line and as a name. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/process/top_processes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct top_processes *p = top_processes_open(2, NULL);
	struct top_process *one = p ? top_processes_at(p, 1) : NULL;
	struct json_write j = {.b = {.s = NULL}};

	if (!one)
		return 0;
	one->pid = 1;
	memcpy(one->name, data, size < sizeof one->name ? size : sizeof one->name - 1);
	top_processes_set_command(one, (const char *)data, size, size % 2);
	if (one->command_len > sizeof one->command ||
	    (one->command_len && one->command[one->command_len - 1]))
		abort();
	json_write_object(&j, NULL);
	top_processes_write(p, NULL, &j, 1, true);
	json_write_object_end(&j);
	if (!json_write_finish(&j))
		abort();
	json_write_free(&j);
	top_processes_close(p);
	return 0;
}
