/* recordings: any bytes as a file of several; and as contents, which are all found again. */
#include <string.h>

#include "core/base/gz.h"
#include "core/files/recordings.h"
#include "core/files/snapshot_read.h"
#include "tests/fuzz/fuzz.h"

/* They follow each other without gaps, within the file, and each can be read or is refused. */
static void as_file(const uint8_t *data, size_t size)
{
	struct recordings v = {.fd = fuzz_file(data, size)};
	struct err e = {{0}};
	uint64_t end = 0;
	char path[32];
	int got;

	while ((got = recordings_next(&v, &e)) > 0) {
		struct snapshot s = {.budget = NULL};
		must(v.at == end && v.n > 0 && (v.at + v.n <= size || !size));
		end = v.at + v.n;
		if (snapshot_read_at(&s, fuzz_path(v.fd, path), v.at, SNAPSHOT_WANT_HEAD, &e))
			must(*e.msg);
		snapshot_free(&s);
	}
	must(v.at == end && (got < 0 ? *e.msg != 0 : end >= size));
	close(v.fd);
}

/* Each byte 0xff ends a content. The last one is cut by a byte, which loses that one alone. */
static void as_contents(const uint8_t *data, size_t size)
{
	struct buf file = {0};
	size_t contents = 0, found = 0;
	struct recordings v = {.fd = -1};
	struct err e = {{0}};
	int got;

	for (size_t at = 0, n; at < size && contents < 100; at += n + 1, contents++) {
		const uint8_t *stop = memchr(data + at, 0xff, size - at);
		struct buf one = {0};
		n = stop ? (size_t)(stop - (data + at)) : size - at;
		must(gz_pack(&one, (const char *)data + at, n, 1, &e) == 0);
		must(gz_member_state(&file, buf_cstr(&one), one.len) == 0);
		buf_free(&one);
	}
	if (!contents)
		return;
	v.fd = fuzz_file(buf_cstr(&file), file.len - 1);
	while ((got = recordings_next(&v, &e)) > 0)
		found++;
	must(got < 0 && found == contents - 1);
	close(v.fd);
	buf_free(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	as_file(data, size);
	as_contents(data, size);
	return 0;
}
