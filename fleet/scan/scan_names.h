/*
 * scan_names: the names of this machine's users, from /etc/passwd, which is read once: getpwuid(3)
 * may ask the network.
 *
 *	struct scan_names names = {.read = false};
 *	scan_names_read(&names, "/etc/passwd");
 *	name = scan_names_of(&names, st.st_uid);
 *	scan_names_free(&names);
 */
#ifndef FLEET_SCAN_SCAN_NAMES_H
#define FLEET_SCAN_SCAN_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "fleet/scan/id_table.h"

#define SCAN_OWNER 64 /* bytes of a user's name */

/* {0} is valid: no names. */
struct scan_names {
	bool read;
	struct id_table ids, names;
};

/* Once; a file that cannot be read, or for which there is no memory, has no names. */
void scan_names_read(struct scan_names *n, const char *path);

/* The first name of a user that is shorter than SCAN_OWNER; NULL: there is none. Valid until
 * scan_names_free. */
const char *scan_names_of(const struct scan_names *n, uint32_t id);

/* Whether another user has this name. One that nobody has here may be this user's elsewhere. */
bool scan_names_of_another(const struct scan_names *n, const char *name, uint32_t id);

void scan_names_free(struct scan_names *n);

#endif
