/* load_known: which recordings were read. */
#include "report/runs/load_known.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/fnv1a.h"

struct load_file_id load_known_id(struct input in)
{
	struct load_file_id id = {.at = in.at};
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
	return a->inode == b->inode && a->device == b->device && a->at == b->at &&
	       (a->address == b->address ||
	        (a->address && b->address && strcmp(a->address, b->address) == 0));
}

/* The slot of a file, or the free slot where it would go. Looking through all files for each would
 * take a tenth of the time of 10,000 runs. */
static struct load_file_id *slot_of_file(const struct load_known *k, const struct load_file_id *id)
{
	size_t at = (size_t)(id->inode * 0x9e3779b97f4a7c15ull >> 32) + (size_t)id->device;
	struct load_file_id *f;

	do {
		f = &k->v[at++ & (k->max - 1)];
	} while (f->inode && !are_one_recording(f, id));
	return f;
}

bool load_known_has(const struct load_known *k, const struct load_file_id *id)
{
	return id->inode && k->max && slot_of_file(k, id)->inode;
}

int load_known_add(struct load_known *k, const struct load_file_id *id)
{
	struct load_known wider = {.max = k->max ? 2 * k->max : 64, .n = k->n};

	if (!id->inode)
		return 0;
	if (2 * (k->n + 1) > k->max) {
		wider.v = calloc(wider.max, sizeof *wider.v);
		if (!wider.v)
			return -1;
		for (size_t i = 0; i < k->max; i++)
			if (k->v[i].inode)
				*slot_of_file(&wider, &k->v[i]) = k->v[i];
		free(k->v);
		*k = wider;
	}
	*slot_of_file(k, id) = *id;
	k->n++;
	return 0;
}

void load_known_free(struct load_known *k)
{
	free(k->v);
	*k = (struct load_known){0};
}
