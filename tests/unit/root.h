/* root: opens the root of a machine: a folder, or one of those in tests/fixtures/root/, which tests/run unpacks. */
#ifndef TESTS_ROOT_H
#define TESTS_ROOT_H

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "collect/procfs/root.h"
#include "tests/unit/unit.h"

/* The caller closes it. */
static inline struct root open_root(const char *dir)
{
	struct root r;

	assert_int_equal(root_open(&r, dir, NULL), 0);
	return r;
}

/* The captured machine of this name. */
static inline struct root captured_root(const char *name)
{
	const char *machines = getenv("MACHINES");
	char path[PATH_MAX];

	if (!machines)
		fail_msg("MACHINES is not set: start this test with tests/run");
	snprintf(path, sizeof path, "%s/%s", machines, name);
	return open_root(path);
}

#endif
