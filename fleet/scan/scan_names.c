/* scan_names: the names of this machine's users. */
#include "fleet/scan/scan_names.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>

#include "core/base/fnv1a.h"

/* The IDs of a table are not 0. */
struct user {
	uint64_t key; /* 1 + the user's ID */
	char name[SCAN_OWNER];
};

struct name {
	uint64_t key; /* hash of the name */
	uint32_t id;
	bool several; /* users have it */
};

static uint64_t hash_of_name(const char *name)
{
	uint64_t hash = fnv1a_add(FNV1A_BEGIN, name);

	return hash ? hash : 1;
}

static bool add_user(struct scan_names *n, const struct passwd *p)
{
	struct name *name = id_table_find(&n->names, hash_of_name(p->pw_name));
	struct user *user;

	if (name)
		name->several = name->several || name->id != p->pw_uid;
	else if ((name = id_table_add(&n->names, hash_of_name(p->pw_name), sizeof *name)))
		name->id = p->pw_uid;
	if (!name || strlen(p->pw_name) >= SCAN_OWNER)
		return name != NULL;
	user = id_table_add(&n->ids, 1 + (uint64_t)p->pw_uid, sizeof *user);
	if (user && !*user->name)
		snprintf(user->name, sizeof user->name, "%s", p->pw_name);
	return user != NULL;
}

void scan_names_read(struct scan_names *n, const char *path)
{
	const struct passwd *p;
	FILE *f;

	if (n->read)
		return;
	n->read = true;
	f = fopen(path, "re");
	while (f && (p = fgetpwent(f)) && add_user(n, p))
		continue;
	if (f)
		fclose(f);
}

const char *scan_names_of(const struct scan_names *n, uint32_t id)
{
	const struct user *user = id_table_find(&n->ids, 1 + (uint64_t)id);

	return user ? user->name : NULL;
}

bool scan_names_of_another(const struct scan_names *n, const char *name, uint32_t id)
{
	const struct name *found = id_table_find(&n->names, hash_of_name(name));

	return found && (found->several || found->id != id);
}

void scan_names_free(struct scan_names *n)
{
	id_table_free(&n->ids);
	id_table_free(&n->names);
	*n = (struct scan_names){.read = false};
}
