/* tree: a folder that a test fills with files, and that is removed with all of them. */
#ifndef TREE_H
#define TREE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/unit.h"

static char tree[256];

/* Writes a file below it, and makes the folders that the file is in. */
static inline void tree_put(const char *file, const char *text)
{
	char path[1024];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", tree, file);
	for (char *s = path + strlen(tree) + 1; (s = strchr(s, '/')); s++) {
		*s = '\0';
		mkdir(path, 0755);
		*s = '/';
	}
	f = fopen(path, "we");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static inline int tree_make(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	snprintf(tree, sizeof tree, "%s/tree.XXXXXX", tmp ? tmp : "/tmp");
	return mkdtemp(tree) ? 0 : -1;
}

static inline int tree_remove(void **state)
{
	char command[300];

	(void)state;
	snprintf(command, sizeof command, "rm -r '%s'", tree);
	return system(command);
}

#endif
