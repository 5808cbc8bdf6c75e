/* mem: whether memory ran out, at any time. */
#include "mem.h"

#include <stddef.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

/* cJSON asks for memory by functions that are not told for whom. */
static bool ran_out;

void *mem_noted(void *p)
{
	ran_out = ran_out || !p;
	return p;
}

bool mem_ran_out(void)
{
	return ran_out;
}

static void *noted_malloc(size_t n)
{
	return mem_noted(malloc(n));
}

void mem_watch(void)
{
	cJSON_Hooks hooks = {noted_malloc, free};

	cJSON_InitHooks(&hooks);
}
