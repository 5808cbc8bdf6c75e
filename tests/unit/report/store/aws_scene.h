/*
 * aws_scene: an environment and files of AWS' tools for one test.
 */
#ifndef TEST_REPORT_AWS_SCENE_H
#define TEST_REPORT_AWS_SCENE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/unit.h"

extern char **environ;

#define AWS_SCENE_VARIABLES 8

/* Removes all variables that AWS' tools read. */
static inline void aws_scene_clear(void)
{
	for (size_t i = 0; environ[i];) {
		char name[128];
		size_t n = strcspn(environ[i], "=");
		if (strncmp(environ[i], "AWS_", 4) == 0 && n < sizeof name) {
			memcpy(name, environ[i], n);
			name[n] = '\0';
			unsetenv(name);
		} else {
			i++;
		}
	}
}

static inline void aws_scene_write(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* Puts the files (NULL: none) into the folder, which becomes HOME, and sets "NAME=VALUE" variables. */
static inline void aws_scene_set(const char *folder, const char *credentials, const char *config,
                                 const char *const *variables)
{
	char path[512];

	aws_scene_clear();
	setenv("HOME", folder, 1);
	snprintf(path, sizeof path, "%s/.aws/credentials", folder);
	unlink(path);
	if (credentials)
		aws_scene_write(path, credentials);
	snprintf(path, sizeof path, "%s/.aws/config", folder);
	unlink(path);
	if (config)
		aws_scene_write(path, config);
	for (size_t i = 0; i < AWS_SCENE_VARIABLES && variables[i]; i++) {
		char name[128];
		size_t n = strcspn(variables[i], "=");
		assert_true(n < sizeof name);
		memcpy(name, variables[i], n);
		name[n] = '\0';
		setenv(name, variables[i] + n + 1, 1);
	}
}

/* Setup and teardown of a file of cases (ALL_TESTS_WITH): aws_folder has an .aws folder in it. */
static char aws_folder[256];

static inline int aws_scene_begin(void **state)
{
	const char *tmp = getenv("TMPDIR");
	char path[300];

	(void)state;
	snprintf(aws_folder, sizeof aws_folder, "%s/aws-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(aws_folder))
		return -1;
	snprintf(path, sizeof path, "%s/.aws", aws_folder);
	return mkdir(path, 0700);
}

static inline int aws_scene_end(void **state)
{
	char path[512];

	(void)state;
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "%s/.aws/%s", aws_folder,
		         (const char *[]){"credentials", "config", "token"}[i]);
		unlink(path);
	}
	snprintf(path, sizeof path, "%s/.aws", aws_folder);
	rmdir(path);
	rmdir(aws_folder);
	aws_scene_clear();
	return 0;
}

#endif
