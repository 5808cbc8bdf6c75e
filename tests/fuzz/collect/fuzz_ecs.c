/* Fuzzes collect/cloud/ecs.c: an answer of a task and of a container, and an address. */
#include <math.h>
#include <string.h>

#include "collect/cloud/ecs.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ecs_limits task = {NAN, NAN}, container = {NAN, NAN};
	char *text = malloc(size + 1);

	must(text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	ecs_read(text, size, true, &task);
	ecs_read(text, size, false, &container);
	must(!(task.cpus <= 0) && !(container.memory_b <= 0));
	must(!ecs_uri(text) || strncmp(text, "http://", 7) == 0);
	free(text);
	return 0;
}
