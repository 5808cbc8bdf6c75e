/* scan_users: whose the files are in folders of several users. */
#include "fleet/scan/scan_users.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool scan_users_trusts(uint32_t user)
{
	return user == 0 || user == (uint32_t)geteuid();
}

uint32_t scan_users_in(const struct scan_list_folder *in, uint32_t file)
{
	if (in->owner != SCAN_USERS_ANYONE || !in->shared || scan_users_trusts(file))
		return in->owner;
	return file;
}

bool scan_users_are_in(const struct scan_list_folder *f)
{
	return f->shared || f->owner != SCAN_USERS_ANYONE;
}

static bool may_be_id(const char *name)
{
	return *name && name[strspn(name, "0123456789")] == '\0';
}

/* Whether a folder is named by the ID of its owner. Root and the reader have such a folder only
 * where nobody else may write; others cannot leave theirs by letting more users write. */
static bool is_users_folder(const char *name, const struct stat *st)
{
	char id[16];

	snprintf(id, sizeof id, "%u", (unsigned)st->st_uid);
	return strcmp(name, id) == 0 && S_ISDIR(st->st_mode) &&
	       (!scan_users_trusts(st->st_uid) || !(st->st_mode & (S_IWGRP | S_IWOTH)));
}

uint32_t scan_users_of_path(const char *path)
{
	char part[PATH_MAX];
	struct stat st;

	for (const char *at = path; *at == '/'; at += strcspn(at, "/")) {
		size_t n = strcspn(++at, "/");
		snprintf(part, sizeof part, "%.*s", (int)n, at);
		if (!may_be_id(part))
			continue;
		snprintf(part, sizeof part, "%.*s", (int)((size_t)(at - path) + n), path);
		if (stat(part, &st) == 0 && is_users_folder(strrchr(part, '/') + 1, &st))
			return st.st_uid;
	}
	return SCAN_USERS_ANYONE;
}

void scan_users_enter(struct scan_list_folder *f, const struct scan_list_folder *in,
                      const char *name, int fd)
{
	struct stat st;

	if (!in) {
		f->owner = scan_users_of_path(name);
		return;
	}
	f->owner = in->owner;
	f->shared = in->shared;
	if (f->owner != SCAN_USERS_ANYONE || fstat(fd, &st))
		return;
	if (is_users_folder(name, &st) || (f->shared && !scan_users_trusts(st.st_uid)))
		f->owner = st.st_uid;
}

bool scan_users_has(const char *name, int fd)
{
	struct stat st;

	return may_be_id(name) && fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       is_users_folder(name, &st);
}

const char *scan_users_refuse(const struct scan_list_folder *in, const char *path)
{
	struct stat st;

	if (!in || !scan_users_are_in(in))
		return NULL;
	if (in->owner != SCAN_USERS_ANYONE && !scan_users_trusts(in->owner))
		return "left out: in a user's folder only recordings count";
	if (lstat(path, &st) || !scan_users_trusts(st.st_uid))
		return "left out: beside folders of users, accounting counts only if root or who "
		       "reads it owns the file";
	return NULL;
}

bool scan_users_may_follow(const struct scan_list_folder *in, const char *path,
                           const struct stat *target)
{
	struct stat link;

	if (!scan_users_are_in(in))
		return true;
	return lstat(path, &link) == 0 && link.st_uid == target->st_uid &&
	       (in->owner == SCAN_USERS_ANYONE || target->st_uid == in->owner);
}
