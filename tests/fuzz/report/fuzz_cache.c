/* keeper_cache: any bytes as a cache file. It is served only if it is a cache file for this URL, and
 * not from the future. */
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>

#include "report/prices/keeper_cache.h"
#include "tests/fuzz/fuzz.h"

#define URL "https://k/servers?a=1"

static char folder[64], file[400];
static struct keeper_cache cache;

static void remove_all(void)
{
	keeper_cache_close(&cache);
	unlink(file);
	rmdir(folder);
}

/* The cache creates the file first, so that it has the right name. */
static void make(void)
{
	struct dirent *d;
	DIR *all;

	if (*folder)
		return;
	snprintf(folder, sizeof folder, "%s/rtrack-fuzz-XXXXXX",
	         access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	must(mkdtemp(folder) && keeper_cache_open(&cache, folder, true, NULL) == 0);
	keeper_cache_put(&cache, URL, "[]", 2, 1000);
	must((all = opendir(folder)) != NULL);
	while ((d = readdir(all)))
		if (d->d_name[0] != '.')
			snprintf(file, sizeof file, "%s/%s", folder, d->d_name);
	closedir(all);
	must(*file);
	atexit(remove_all);
}

static void put(const uint8_t *data, size_t size)
{
	int fd = open(file, O_WRONLY | O_TRUNC | O_CLOEXEC);

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct keeper_cached got = {.body = NULL}, other = {.body = NULL};
	double at = NAN;

	make();
	put(data, size);
	keeper_cache_get(&cache, URL, 2000, &got);
	keeper_cache_get(&cache, "https://k/servers?a=2", 2000, &other);
	must(!other.body);
	if (got.body) {
		size_t head = keeper_cache_head((const char *)data, size, URL, &at);
		must(got.at >= 0 && got.at <= 2000 && got.at == at);
		must(head && got.len == size - head && got.body[got.len] == '\0');
		must(memcmp(got.body, data + head, got.len) == 0);
	}
	free(got.body);
	return 0;
}
