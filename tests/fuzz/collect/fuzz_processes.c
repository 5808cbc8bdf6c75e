/* Fuzzes collect/processes.c: any bytes as a command line and as a name. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../../collect/processes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct processes *p = processes_open(2, NULL);
	struct process *one = p ? processes_at(p, 1) : NULL;
	struct json j = {.b = {.s = NULL}};

	if (!one)
		return 0;
	one->pid = 1;
	memcpy(one->name, data, size < sizeof one->name ? size : sizeof one->name - 1);
	processes_set_command(one, (const char *)data, size, size % 2);
	if (one->command_len > sizeof one->command ||
	    (one->command_len && one->command[one->command_len - 1]))
		abort();
	json_object(&j, NULL);
	processes_write(p, &j, 1, true);
	json_object_end(&j);
	if (!json_finish(&j))
		abort();
	json_free(&j);
	processes_close(p);
	return 0;
}
