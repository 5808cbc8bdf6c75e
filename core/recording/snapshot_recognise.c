/* snapshot_recognise: what kind of file it is, from its beginning. */
#include "core/recording/snapshot_recognise.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/recording/journal.h"
#include "core/recording/snapshot_fields.h"

#define LOOK_MAX   ((uint64_t)16 << 20) /* bytes searched in a file that may not be a recording */
#define STRING_MAX ((size_t)1 << 20)

bool snapshot_recognise_journal(struct json_read *in)
{
	size_t n = strlen(JOURNAL_MAGIC);

	return json_read_peek(in) == JOURNAL_MAGIC[0] && in->base + in->at == 0 && in->end >= n &&
	       memcmp(in->window, JOURNAL_MAGIC, n) == 0;
}

static bool has_metrics(struct json_read *in, struct buf *key)
{
	bool first = true;

	if (snapshot_recognise_journal(in))
		return true;
	if (json_read_peek(in) != '{' || json_read_open(in, '{'))
		return false;
	while (json_read_more(in, '{', &first) > 0 && json_read_key(in, key) == 0) {
		if (strcmp(buf_cstr(key), SNAPSHOT_KEY_PROCESS) == 0 ||
		    strcmp(buf_cstr(key), SNAPSHOT_KEY_SYSTEM) == 0)
			return true;
		if (json_read_skip(in, NULL))
			break;
	}
	return false;
}

bool snapshot_recognise(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct json_read *in = fd < 0 ? NULL : calloc(1, sizeof *in);
	struct gz_in *g = in ? gz_in_new(fd, LOOK_MAX, NULL) : NULL;
	struct buf key = {.max = STRING_MAX};
	struct stat st;
	bool found = false;

	if (g && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		json_read_init(in, g, path, NULL);
		found = has_metrics(in, &key);
		buf_free(&key);
	}
	gz_in_free(g);
	free(in);
	if (fd >= 0)
		close(fd);
	return found;
}
