/* home.h: sentences with the path of a test's own folder written as HOME. */
#ifndef TESTS_UNIT_REPORT_STORE_HOME_H
#define TESTS_UNIT_REPORT_STORE_HOME_H

#include <string.h>

#include "core/base/buf.h"

static void write_home(const char *msg, const char *folder, struct buf *out)
{
	const char *at;

	for (; (at = strstr(msg, folder)); msg = at + strlen(folder)) {
		buf_add(out, msg, (size_t)(at - msg));
		buf_str(out, "HOME");
	}
	buf_str(out, msg);
}

#endif
