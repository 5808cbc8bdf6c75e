/* load_known: which recordings were read. */
#include "report/runs/load_known.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/fnv1a.h"

struct load_file_id load_known_id(struct input in)
{
	struct load_file_id id = {.inode = 0};
	struct stat st;

	if (in.place == INPUT_STANDARD)
		return id; /* it is given once */
	if (in.place == INPUT_S3 || in.place == INPUT_HTTPS) {
		id.address = in.name;
		id.inode = fnv1a_add(FNV1A_BEGIN, in.name) | 1;
	} else if (stat(in.name, &st) == 0 && S_ISREG(st.st_mode)) {
		id.device = st.st_dev;
		id.inode = st.st_ino;
	}
	return id;
}

static bool are_one_recording(const struct load_file_id *a, const struct load_file_id *b)
{
	return a->inode == b->inode && a->device == b->device &&
	       (a->address == b->address ||
	        (a->address && b->address && strcmp(a->address, b->address) == 0));
}

bool load_known_has(const struct load_known *k, const struct load_file_id *id)
{
	for (size_t i = 0; id->inode && i < k->n; i++)
		if (are_one_recording(&k->v[i], id))
			return true;
	return false;
}

int load_known_add(struct load_known *k, const struct load_file_id *id)
{
	struct load_file_id *v = k->v;

	if (!id->inode)
		return 0;
	/* Doubles whenever it is full: n is then a power of 2, or 0. */
	if (!(k->n & (k->n - 1)))
		v = reallocarray(k->v, k->n ? 2 * k->n : 1, sizeof *v);
	if (!v)
		return -1;
	k->v = v;
	v[k->n++] = *id;
	return 0;
}

void load_known_free(struct load_known *k)
{
	free(k->v);
	*k = (struct load_known){0};
}
