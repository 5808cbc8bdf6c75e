/* program_name: which program this is. */
#include "core/base/program_name.h"

static const char *name = PROGRAM_NAME_REPORT;

void program_name_is_fleet(void)
{
	name = PROGRAM_NAME_FLEET;
}

const char *program_name(void)
{
	return name;
}
