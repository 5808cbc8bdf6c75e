/* replay: runs a fuzz target over files, and over the files of folders; prints TAP. */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int count;

static int bad(const char *path)
{
	printf("not ok %d - %s: %s\n", ++count, path, strerror(errno));
	return 1;
}

static int replay_file(const char *path, long size)
{
	FILE *f = fopen(path, "rb");
	/* Exactly as large as the file, so that a sanitizer sees what is read after it. */
	uint8_t *p = malloc(size > 0 ? (size_t)size : 1);
	size_t n = 0;

	if (f && p)
		n = fread(p, 1, (size_t)size, f);
	if (!f || !p || n != (size_t)size) {
		free(p);
		if (f)
			fclose(f);
		return bad(path);
	}
	fclose(f);
	printf("# input %s\n", path);
	fflush(stdout); /* before a crash */
	LLVMFuzzerTestOneInput(p, n);
	free(p);
	printf("ok %d - %s\n", ++count, path);
	return 0;
}

static int replay(const char *path);

static int replay_folder(const char *path)
{
	struct dirent **names;
	int n = scandir(path, &names, NULL, alphasort), failed = n < 0 ? bad(path) : 0;

	for (int i = 0; i < n; i++) {
		char file[4096];
		snprintf(file, sizeof file, "%s/%s", path, names[i]->d_name);
		if (names[i]->d_name[0] != '.')
			failed |= replay(file);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	return failed;
}

static int replay(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return bad(path);
	return S_ISDIR(st.st_mode) ? replay_folder(path) : replay_file(path, (long)st.st_size);
}

int main(int argc, char **argv)
{
	int failed = 0;

	for (int i = 1; i < argc; i++)
		failed |= replay(argv[i]);
	printf("1..%d\n", count);
	return failed || count == 0;
}
