/* alloc_failed: whether memory ran out, at any time. */
#include "core/base/alloc_failed.h"

#include <stddef.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

/* cJSON allocates through hooks that have no context argument. */
static bool ran_out;

void *alloc_failed_note(void *p)
{
	ran_out = ran_out || !p;
	return p;
}

bool alloc_failed(void)
{
	return ran_out;
}

static void *noted_malloc(size_t n)
{
	return alloc_failed_note(malloc(n));
}

void alloc_failed_watch(void)
{
	cJSON_Hooks hooks = {noted_malloc, free};

	cJSON_InitHooks(&hooks);
}
