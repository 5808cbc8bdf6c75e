/* transfer: --put and --get: a file to an object store, and back. */
#include "report/output/transfer.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/tmpfile.h"
#include "report/output/output_file.h"
#include "report/runs/load_store.h"
#include "report/store/store_pieces.h"

#define TRANSFER_PART ((size_t)64 << 10)

static int fail_file(struct input in, struct err *e)
{
	return err_set(e, "%s: %s", in.place == INPUT_STANDARD ? "standard input" : in.name,
	               strerror(errno));
}

/* -- up ---------------------------------------------------------------------------------------- */

static int put_bytes(int fd, struct input in, double size, const struct store *s,
                     struct progress *p, struct err *e)
{
	char part[TRANSFER_PART];
	double done = 0;
	ssize_t n;

	while ((n = read(fd, part, sizeof part)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail_file(in, e);
		if (store_put_write(s, part, (size_t)n, e))
			return -1;
		done += (double)n;
		progress_show(p, done, size);
	}
	return 0;
}

static int put_file(int fd, struct input from, struct input to, const struct store *s,
                    struct progress *p, struct err *e)
{
	const struct store_put put = {.address = to.name};
	struct stat st;
	double size;

	if (fstat(fd, &st))
		return fail_file(from, e);
	if (S_ISDIR(st.st_mode))
		return err_set(e, "%s: is a directory, not a file", from.name);
	size = S_ISREG(st.st_mode) ? (double)st.st_size : 0;
	if (store_put_begin(s, &put, e))
		return -1;
	if (put_bytes(fd, from, size, s, p, e) == 0)
		return store_put_end(s, NULL, e);
	store_put_drop(s);
	return -1;
}

int transfer_put(struct input from, struct input to, const struct store *s, struct progress *p,
                 struct err *warning, struct err *e)
{
	bool standard = from.place == INPUT_STANDARD;
	int fd = standard ? STDIN_FILENO : open(from.name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	int failed;
	size_t n;

	if (fd < 0)
		return fail_file(from, e);
	failed = put_file(fd, from, to, s, p, e);
	if (!standard)
		close(fd);
	if (!failed && !standard && to.place == INPUT_S3 &&
	    store_pieces_delete_same(s, to.name, from.name, &n, warning))
		err_wrap(warning, "the file was uploaded, but its pieces were not deleted");
	return failed;
}

/* -- down -------------------------------------------------------------------------------------- */

static int get_object(struct store_source *from, struct output_file *out, struct progress *p,
                      struct err *e)
{
	struct gz_source source = store_source_gz(from);
	char part[TRANSFER_PART];
	uint64_t at = 0;
	long n;

	while ((n = source.read(source.ctx, at, part, sizeof part, e)) > 0) {
		if (output_file_write(out, part, (size_t)n, e))
			break;
		at += (uint64_t)n;
		progress_show(p, (double)at, (double)from->size);
	}
	if (n < 0)
		err_wrap(e, "%s", from->address);
	return n == 0 ? 0 : -1;
}

static int copy_file(int fd, struct output_file *out, struct err *e)
{
	char part[16384];
	ssize_t n;

	if (lseek(fd, 0, SEEK_SET) < 0)
		return err_set(e, "temporary file: %s", strerror(errno));
	while ((n = read(fd, part, sizeof part)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set(e, "temporary file: %s", strerror(errno));
		if (output_file_write(out, part, (size_t)n, e))
			return -1;
	}
	return 0;
}

static int get_pieces(const char *address, const struct store *s, struct output_file *out,
                      struct err *e)
{
	struct store_pieces pieces = {.n = 0};
	int fd, rc = -1;

	if (load_store_pieces(s, address, &pieces, e))
		return -1;
	if (!pieces.n)
		return err_set(e, "%s: there is no such object", address);
	fd = tmpfile_temporary();
	if (fd < 0)
		err_set(e, "%s: no temporary file: %s", address, strerror(errno));
	else if (store_pieces_fetch(s, &pieces, fd, e) == 0)
		rc = copy_file(fd, out, e);
	if (fd >= 0)
		tmpfile_close(fd);
	store_pieces_free(&pieces);
	return rc;
}

int transfer_get(const char *address, const char *file, const struct store *s, struct progress *p,
                 struct err *e)
{
	struct output_file out = {0};
	struct store_source from;
	bool absent = false;
	int rc = -1;

	if (store_source_open(&from, s, address, &absent, e) || output_file_open(&out, file, e))
		goto out;
	if (absent ? get_pieces(address, s, &out, e) : get_object(&from, &out, p, e))
		goto out;
	rc = output_file_close(&out, e);
out:
	output_file_drop(&out);
	store_source_close(&from);
	return rc;
}
