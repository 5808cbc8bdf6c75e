/*
 * aws_scene: an environment and files of AWS' tools for one test.
 */
#ifndef TEST_REPORT_AWS_SCENE_H
#define TEST_REPORT_AWS_SCENE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* A new folder with an .aws folder in it. */
static inline char *aws_scene_folder(void)
{
	static char folder[256];
	const char *tmp = getenv("TMPDIR");
	char path[300];

	snprintf(folder, sizeof folder, "%s/aws-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/.aws", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	return folder;
}

static inline void aws_scene_remove(const char *folder)
{
	char path[512];

	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "%s/.aws/%s", folder,
		         (const char *[]){"credentials", "config", "token"}[i]);
		unlink(path);
	}
	snprintf(path, sizeof path, "%s/.aws", folder);
	rmdir(path);
	rmdir(folder);
	aws_scene_clear();
}

#endif
