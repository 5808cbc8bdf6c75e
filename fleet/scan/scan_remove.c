/* scan_remove: removes recordings in folders of users that are too old. */
#include "fleet/scan/scan_remove.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/quantity.h"
#include "fleet/scan/scan_days.h"
#include "fleet/scan/scan_users.h"
#include "report/input/input.h"

struct removing {
	double before;
	scan_remove_failure *failure;
	void *ctx;
	struct scan_removed *out;
};

static void fail_remove(const struct removing *r, const char *path, const char *name)
{
	int why = errno;
	struct err e = {0};

	err_set(&e, "%s%s%s: %s", path, *name ? "/" : "", name, strerror(why));
	r->failure(r->ctx, &e);
}

/* Whoever owns the folder can replace it by a link meanwhile: that is not followed. */
static DIR *open_in(int in, const char *name)
{
	int fd = openat(in, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

static void remove_file(const struct removing *r, int in, const char *path, const char *name)
{
	if (unlinkat(in, name, 0) == 0)
		r->out->files++;
	else if (errno != ENOENT)
		fail_remove(r, path, name);
}

static bool is_old_file(const struct removing *r, const struct stat *st)
{
	return (double)st->st_mtim.tv_sec < r->before;
}

static void remove_day(const struct removing *r, int in, const char *user, const char *name)
{
	char path[PATH_MAX];
	DIR *dir = open_in(in, name);
	struct dirent *d;
	struct stat st;

	snprintf(path, sizeof path, "%s/%s", user, name);
	if (!dir) {
		fail_remove(r, path, "");
		return;
	}
	while ((d = readdir(dir)))
		if (input_is_recording(d->d_name) &&
		    fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(st.st_mode))
			remove_file(r, dirfd(dir), path, d->d_name);
	closedir(dir);
	if (unlinkat(in, name, AT_REMOVEDIR) == 0)
		r->out->folders++;
	else if (errno == ENOTEMPTY || errno == EEXIST)
		r->out->kept++;
	else
		fail_remove(r, path, "");
}

static void remove_of_user(const struct removing *r, DIR *dir, const char *path)
{
	struct dirent *d;
	struct stat st;

	r->out->users++;
	while ((d = readdir(dir))) {
		double day = scan_days_of_name(d->d_name);
		if (*d->d_name == '.' || fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		if (S_ISDIR(st.st_mode) && day + QUANTITY_DAY_S <= r->before)
			remove_day(r, dirfd(dir), path, d->d_name);
		else if (S_ISREG(st.st_mode) && input_is_recording(d->d_name) &&
		         is_old_file(r, &st))
			remove_file(r, dirfd(dir), path, d->d_name);
	}
}

static void remove_of_users(const struct removing *r, DIR *dir, const char *path)
{
	char user[PATH_MAX + NAME_MAX + 2];
	struct dirent *d;
	DIR *of;

	while ((d = readdir(dir))) {
		if (!scan_users_has(d->d_name, dirfd(dir)))
			continue;
		snprintf(user, sizeof user, "%s/%s", path, d->d_name);
		of = open_in(dirfd(dir), d->d_name);
		if (of)
			remove_of_user(r, of, user);
		else
			fail_remove(r, user, "");
		if (of)
			closedir(of);
	}
}

int scan_remove(const char *path, double before, scan_remove_failure *failure, void *ctx,
                struct scan_removed *out, struct err *e)
{
	const struct removing r = {before, failure, ctx, out};
	size_t users = out->users;
	char real[PATH_MAX];
	DIR *dir = realpath(path, real) ? open_in(AT_FDCWD, real) : NULL;
	int in;

	if (!dir)
		return err_set(e, "%s: %s", path, strerror(errno));
	in = openat(dirfd(dir), "..", O_PATH | O_CLOEXEC);
	if (scan_users_has(strrchr(real, '/') + 1, in))
		remove_of_user(&r, dir, real);
	else
		remove_of_users(&r, dir, real);
	close(in);
	closedir(dir);
	return out->users > users ? 0
	                          : err_set(e,
	                                    "%s: neither a user's folder, named by the number of "
	                                    "its owner, nor one that has such folders",
	                                    path);
}
