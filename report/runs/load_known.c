/* load_known: which recordings were read. */
#include "report/runs/load_known.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/fnv1a.h"
#include "report/runs/load_store.h"

static ino_t hash_of_address(const char *address)
{
	return fnv1a_add(FNV1A_BEGIN, address) | 1;
}

void load_known_identify(struct run *run, const char *path)
{
	struct stat st;

	if (load_is_address(path)) {
		run->address = path;
		run->inode = hash_of_address(path);
	} else if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
		run->device = st.st_dev;
		run->inode = st.st_ino;
	}
}

static bool are_one_recording(const struct load_file *a, const struct load_file *b)
{
	return a->inode == b->inode && a->device == b->device &&
	       (a->address == b->address ||
	        (a->address && b->address && strcmp(a->address, b->address) == 0));
}

/* The slot of a file, or the free slot where it would go. */
static struct load_file *slot_of_file(const struct runs *r, const struct load_file *file)
{
	size_t at = (size_t)(file->inode * 0x9e3779b97f4a7c15ull >> 32) + (size_t)file->device;
	struct load_file *f;

	do {
		f = &r->known[at++ & (r->known_max - 1)];
	} while (f->inode && !are_one_recording(f, file));
	return f;
}

static struct load_file file_of(const struct run *run)
{
	return (struct load_file){run->device, run->inode, run->address};
}

bool load_known_has(const struct runs *r, const struct run *run)
{
	struct load_file file = file_of(run);

	return run->inode && r->known_max && slot_of_file(r, &file)->inode;
}

/* The table doubles when half full. */
int load_known_add(struct runs *r, const struct run *run)
{
	struct runs wider = {.known_max = r->known_max ? 2 * r->known_max : 64};
	struct load_file file = file_of(run);

	if (!run->inode)
		return 0;
	if (2 * (r->n + 1) > r->known_max) {
		wider.known = calloc(wider.known_max, sizeof *wider.known);
		if (!wider.known)
			return -1;
		for (size_t i = 0; i < r->known_max; i++)
			if (r->known[i].inode)
				*slot_of_file(&wider, &r->known[i]) = r->known[i];
		free(r->known);
		r->known = wider.known;
		r->known_max = wider.known_max;
	}
	*slot_of_file(r, &file) = file;
	return 0;
}
