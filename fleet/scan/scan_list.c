/* scan_list: files and folders → the paths of all recordings below them. */
#include "fleet/scan/scan_list.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fnv1a.h"
#include "core/files/journal.h"
#include "fleet/import/import_file.h"
#include "fleet/scan/scan_users.h"
#include "report/store/store_find.h"

/* -- one of equal paths ------------------------------------------------------------------------ */

static uint64_t hash_of_path(const struct scan_list *l, size_t i)
{
	char text[PATH_MAX];
	const char *path = scan_list_path(l, i, text);

	return path ? fnv1a_add(FNV1A_BEGIN, path) : 0;
}

static bool are_equal_paths(const struct scan_list *l, size_t i, size_t j)
{
	char first[PATH_MAX], second[PATH_MAX];
	const char *a = scan_list_path(l, i, first), *b = scan_list_path(l, j, second);

	return a && b && strcmp(a, b) == 0;
}

int scan_list_unique(struct scan_list *l, struct err *e)
{
	size_t slots = 64, kept = 0, at;
	uint32_t *slot; /* 1 + the number of a kept entry; 0: free */

	while (slots < 2 * l->n)
		slots *= 2;
	slot = calloc(slots, sizeof *slot);
	if (!slot)
		return err_set(e, "no memory to list the recordings");
	for (size_t i = 0; i < l->n; i++) {
		at = hash_of_path(l, i) & (slots - 1);
		while (slot[at] && !are_equal_paths(l, slot[at] - 1, i))
			at = (at + 1) & (slots - 1);
		if (slot[at])
			continue;
		l->v[kept] = l->v[i];
		slot[at] = (uint32_t)++kept;
	}
	l->n = kept;
	free(slot);
	return 0;
}

/* -- entries ----------------------------------------------------------------------------------- */

#define NO_PARENT UINT32_MAX
#define LINK_BIT  0x80000000u /* in an entry's folder, until the link is resolved */

/* The state of a call of scan_list_add. */
struct listing {
	struct scan_list *l;
	scan_list_failure *failure;
	void *ctx;
	size_t *failed;
};

static const char *name_at(const struct scan_list *l, uint32_t at)
{
	return l->names.s + at;
}

static int add_name(struct scan_list *l, const char *name, uint32_t *at, struct err *e)
{
	l->names.max = SCAN_LIST_NAMES_MAX;
	*at = (uint32_t)l->names.len;
	buf_add(&l->names, name, strlen(name) + 1);
	if (l->names.failed)
		return err_set(e, l->names.len + strlen(name) >= SCAN_LIST_NAMES_MAX
		                      ? "the names of the recordings take more than 1 GiB"
		                      : "no memory to list the recordings");
	return 0;
}

/* Room for one more of size bytes after the n that v has. */
static int make_list_room(void **v, size_t n, size_t *cap, size_t size, struct err *e)
{
	size_t wider = *cap + *cap / 2 + 64;
	void *p;

	if (n < *cap)
		return 0;
	if (n >= SCAN_LIST_MAX)
		return err_set(e, "more than %zu recordings", SCAN_LIST_MAX);
	p = reallocarray(*v, wider, size);
	if (!p)
		return err_set(e, "no memory to list the recordings");
	*v = p;
	*cap = wider;
	return 0;
}

static int add_entry(struct scan_list *l, uint32_t folder, const char *name, struct err *e)
{
	struct scan_list_entry entry = {.folder = folder};

	if (make_list_room((void **)&l->v, l->n, &l->cap, sizeof *l->v, e) ||
	    add_name(l, name, &entry.name, e))
		return -1;
	l->v[l->n++] = entry;
	return 0;
}

static int add_folder(struct scan_list *l, uint32_t parent, const char *name, uint32_t depth,
                      struct err *e)
{
	struct scan_list_folder f = {.parent = parent, .depth = depth, .owner = SCAN_USERS_ANYONE};

	if (make_list_room((void **)&l->folder, l->n_folders, &l->folders_cap, sizeof *l->folder,
	                   e) ||
	    add_name(l, name, &f.name, e))
		return -1;
	l->folder[l->n_folders++] = f;
	return 0;
}

/* The path of a folder, and after it name: from the end of out. NULL if it is too long. */
static const char *join_path(const struct scan_list *l, uint32_t folder, const char *name,
                             char out[PATH_MAX])
{
	char *at = out + PATH_MAX;
	size_t n = strlen(name) + 1; /* its NUL, and then the slash after each folder */

	for (;; folder = l->folder[folder].parent) {
		if (n + 1 > (size_t)(at - out))
			return NULL;
		at -= n;
		memcpy(at, name, n);
		if (folder == NO_PARENT)
			return at;
		name = name_at(l, l->folder[folder].name);
		n = strlen(name);
		if (strcmp(name, "/") == 0)
			continue;
		*--at = '/';
	}
}

const char *scan_list_path(const struct scan_list *l, size_t i, char out[PATH_MAX])
{
	return join_path(l, l->v[i].folder, name_at(l, l->v[i].name), out);
}

static void fail_path(const struct listing *g, const char *path, const char *why)
{
	struct err e = {0};

	err_set(&e, "%s: %s", path, why);
	g->failure(g->ctx, &e);
	++*g->failed;
}

/* By errno. Those of other people are only counted. */
static void fail_unreadable(const struct listing *g, const char *path)
{
	int why = errno;

	if (!input_count_others(&g->l->others, path))
		fail_path(g, path, strerror(why));
}

uint32_t scan_list_owner(const struct scan_list *l, size_t i, const struct stat *st)
{
	uint32_t folder = l->v[i].folder;

	return folder == NO_PARENT ? SCAN_USERS_ANYONE
	                           : scan_users_in(&l->folder[folder & ~LINK_BIT], st->st_uid);
}

bool scan_list_is_shared(const struct scan_list *l, size_t i)
{
	uint32_t folder = l->v[i].folder;

	return folder != NO_PARENT && scan_users_are_in(&l->folder[folder & ~LINK_BIT]);
}

/* -- files that are named, and those of links -------------------------------------------------- */

/* Adds a file by its path without links, in a folder of `owner`. Files of one folder mostly follow
 * each other. */
static int add_resolved(struct scan_list *l, char *path, uint32_t owner, struct err *e)
{
	char *slash = strrchr(path, '/');
	const char *name = slash + 1, *folder = slash == path ? "/" : path;
	size_t last = l->n_folders - 1;
	char text[PATH_MAX];
	const char *before = l->n_folders ? join_path(l, l->folder[last].parent,
	                                              name_at(l, l->folder[last].name), text)
	                                  : NULL;

	if (slash != path)
		*slash = '\0';
	if (!before || strcmp(before, folder) != 0 || l->folder[last].owner != owner) {
		if (add_folder(l, NO_PARENT, folder, SCAN_LIST_DEPTH, e))
			return -1;
		l->folder[l->n_folders - 1].owner = owner;
	}
	return add_entry(l, (uint32_t)l->n_folders - 1, name, e);
}

/* -- what can be imported ---------------------------------------------------------------------- */

static int add_import(struct scan_list *l, struct scan_list_entry entry, enum import_kind kind,
                      struct err *e)
{
	if (make_list_room((void **)&l->import, l->n_imports, &l->imports_cap, sizeof *l->import,
	                   e))
		return -1;
	entry.object = kind;
	l->import[l->n_imports++] = entry;
	return 0;
}

/* Moves those of the entries from `from` on that can be imported; of a folder's files, only those
 * whose name says that they may be. Links are not looked at. */
static int find_imports(const struct listing *g, size_t from, bool of_folder, struct err *e)
{
	struct scan_list *l = g->l;
	size_t kept = from;

	for (size_t i = from; i < l->n; i++) {
		struct scan_list_entry entry = l->v[i];
		const char *name = name_at(l, entry.name);
		bool link = entry.folder != NO_PARENT && entry.folder & LINK_BIT;
		bool may = !link && (!of_folder || input_may_be_imported(name));
		char text[PATH_MAX];
		const char *path = may ? scan_list_path(l, i, text) : NULL;
		enum import_kind kind = path ? import_file_kind(path) : IMPORT_NONE;
		const char *why = NULL;
		if (kind != IMPORT_NONE)
			why = scan_users_refuse(
			    entry.folder == NO_PARENT ? NULL : &l->folder[entry.folder], path);
		if (why)
			fail_path(g, path, why);
		else if (kind != IMPORT_NONE && !import_file_has_summary(kind, path) &&
		         add_import(l, entry, kind, e))
			return -1;
		if (kind == IMPORT_NONE && (!of_folder || input_is_listed_name(name)))
			l->v[kept++] = entry;
	}
	l->n = kept;
	return 0;
}

enum import_kind scan_list_import(const struct scan_list *l, size_t i, char out[PATH_MAX],
                                  const char **path)
{
	*path = join_path(l, l->import[i].folder, name_at(l, l->import[i].name), out);
	return (enum import_kind)l->import[i].object;
}

/* -- folders of days --------------------------------------------------------------------------- */

/* Whether a folder is a day's of a user, and closed. */
static bool is_closed_day(const struct scan_list *l, struct scan_list_folder *f, const char *path)
{
	const struct scan_list_folder *in = f->parent == NO_PARENT ? NULL : &l->folder[f->parent];

	return l->days && in && in->owner != SCAN_USERS_ANYONE &&
	       scan_days_is_closed(l->days, path, name_at(l, f->name), &f->changed_ns);
}

/* Folders in folders of days, and files behind links, may change without a change of the folder;
 * and what other programs wrote is read each time. */
static bool has_more_than_recordings(const struct scan_list *l, size_t entries, size_t imports,
                                     size_t folders)
{
	for (size_t i = entries; i < l->n; i++)
		if (l->v[i].folder & LINK_BIT)
			return true;
	return l->n_imports > imports || l->n_folders > folders;
}

void scan_list_keep_open(struct scan_list *l, size_t i)
{
	if (l->v[i].folder != NO_PARENT)
		l->folder[l->v[i].folder].changed_ns = 0;
}

int scan_list_each_closable(const struct scan_list *l, scan_list_closable *each, void *ctx,
                            struct err *e)
{
	char text[PATH_MAX];
	int stop = 0;

	for (size_t i = 0; i < l->n_folders && !stop; i++) {
		const struct scan_list_folder *f = &l->folder[i];
		const char *path =
		    f->changed_ns ? join_path(l, f->parent, name_at(l, f->name), text) : NULL;
		stop = path ? each(ctx, path, f->changed_ns, e) : 0;
	}
	return stop;
}

/* -- one folder -------------------------------------------------------------------------------- */

/* DT_UNKNOWN for what is neither: some file systems do not say the kind of a name. */
static unsigned char kind_of(int dir, const struct dirent *d)
{
	struct stat st;

	if (d->d_type != DT_UNKNOWN)
		return d->d_type;
	if (fstatat(dir, d->d_name, &st, AT_SYMLINK_NOFOLLOW))
		return DT_REG; /* its sentence comes when it is read */
	return (unsigned char)IFTODT(st.st_mode);
}

static int add_child(struct scan_list *l, int dir, uint32_t folder, const struct dirent *d,
                     struct err *e)
{
	uint32_t depth = l->folder[folder].depth;
	unsigned char kind;

	if (d->d_name[0] == '.')
		return 0;
	kind = kind_of(dir, d);
	if (kind == DT_DIR && depth + 1 < SCAN_LIST_DEPTH)
		return add_folder(l, folder, d->d_name, depth + 1, e);
	if (input_is_listed(d) ? kind == DT_REG || kind == DT_LNK
	                       : kind == DT_REG && input_may_be_imported(d->d_name))
		return add_entry(l, kind == DT_LNK ? folder | LINK_BIT : folder, d->d_name, e);
	return 0;
}

static int entries_by_name(const void *a, const void *b, void *names)
{
	const struct scan_list_entry *x = a, *y = b;

	return strcmp((const char *)names + x->name, (const char *)names + y->name);
}

static int folders_by_name(const void *a, const void *b, void *names)
{
	const struct scan_list_folder *x = a, *y = b;

	return strcmp((const char *)names + x->name, (const char *)names + y->name);
}

/* A link to a file stands for that file. One that leads nowhere is named. */
static int resolve_link(const struct listing *g, struct scan_list_entry link, struct err *e)
{
	char text[PATH_MAX], target[PATH_MAX];
	const char *path = join_path(g->l, link.folder & ~LINK_BIT, name_at(g->l, link.name), text);
	const struct scan_list_folder *in = &g->l->folder[link.folder & ~LINK_BIT];
	uint32_t owner;
	struct stat st;

	if (!path) {
		fail_path(g, name_at(g->l, link.name), strerror(ENAMETOOLONG));
		return 0;
	}
	if (stat(path, &st) || (S_ISREG(st.st_mode) && !realpath(path, target))) {
		fail_unreadable(g, path);
		return 0;
	}
	if (!S_ISREG(st.st_mode))
		return 0;
	if (!scan_users_may_follow(in, path, &st)) {
		fail_path(g, path, "left out: a link to a file of another user");
		return 0;
	}
	g->l->links++;
	owner = scan_users_in(in, st.st_uid);
	if (owner == SCAN_USERS_ANYONE)
		owner = scan_users_of_path(target);
	return add_resolved(g->l, target, owner, e);
}

/* The links among the entries from `from` on, which are moved to the end. */
static int resolve_links(const struct listing *g, size_t from, struct err *e)
{
	struct scan_list *l = g->l;
	struct scan_list_entry *link = NULL;
	size_t n = 0, kept = from;
	int failed = 0;

	for (size_t i = from; i < l->n; i++)
		n += (l->v[i].folder & LINK_BIT) != 0;
	if (!n)
		return 0;
	link = reallocarray(NULL, n, sizeof *link);
	if (!link)
		return err_set(e, "no memory to list the recordings");
	n = 0;
	for (size_t i = from; i < l->n; i++)
		if (l->v[i].folder & LINK_BIT)
			link[n++] = l->v[i];
		else
			l->v[kept++] = l->v[i];
	l->n = kept;
	for (size_t i = 0; i < n && !failed; i++)
		failed = resolve_link(g, link[i], e);
	free(link);
	return failed;
}

/* Lists what is directly in a folder. */
static int list_folder(const struct listing *g, uint32_t folder, struct err *e)
{
	struct scan_list *l = g->l;
	struct scan_list_folder *f = &l->folder[folder]; /* until others are added */
	size_t entries = l->n, imports = l->n_imports, folders = l->n_folders;
	char text[PATH_MAX];
	const char *path = join_path(l, f->parent, name_at(l, f->name), text);
	bool closed = path && is_closed_day(l, f, path);
	int fd = path && !closed ? open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *d;
	bool full = false;
	int failed = 0;

	if (closed) {
		l->closed++;
		return 0;
	}
	if (!dir) {
		if (path)
			fail_unreadable(g, path);
		else
			fail_path(g, name_at(l, l->folder[folder].name), strerror(ENAMETOOLONG));
		if (fd >= 0)
			close(fd);
		f->changed_ns = 0;
		return 0;
	}
	scan_users_enter(f, f->parent == NO_PARENT ? NULL : &l->folder[f->parent],
	                 name_at(l, f->name), fd);
	for (errno = 0; !failed && !full && (d = readdir(dir)); errno = 0) {
		if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
			continue;
		full = l->budget && !scan_budget_file(l->budget, l->folder[folder].owner);
		if (!full)
			failed = add_child(l, fd, folder, d, e);
	}
	if (full)
		l->folder[folder].changed_ns = errno = 0;
	if (!failed && errno) {
		fail_path(g, path, strerror(errno));
		l->folder[folder].changed_ns = 0;
	}
	for (size_t i = folders; i < l->n_folders && !l->folder[folder].shared; i++)
		l->folder[folder].shared = scan_users_has(name_at(l, l->folder[i].name), fd);
	closedir(dir);
	if (failed)
		return -1;
	if (l->n > entries)
		qsort_r(l->v + entries, l->n - entries, sizeof *l->v, entries_by_name, l->names.s);
	if (l->n_folders > folders)
		qsort_r(l->folder + folders, l->n_folders - folders, sizeof *l->folder,
		        folders_by_name, l->names.s);
	if (find_imports(g, entries, true, e))
		return -1;
	if (has_more_than_recordings(l, entries, imports, folders))
		l->folder[folder].changed_ns = 0;
	return resolve_links(g, entries, e);
}

/* -- all of them ------------------------------------------------------------------------------- */

static size_t count_left_out(const struct listing *g)
{
	return *g->failed + g->l->others.files + g->l->others.folders;
}

static int add_tree(const struct listing *g, const char *path, struct err *e)
{
	struct scan_list *l = g->l;
	size_t found = l->n + l->n_imports + l->closed, first = l->n_folders,
	       failed = count_left_out(g);

	if (add_folder(l, NO_PARENT, path, 0, e))
		return -1;
	/* Grows while it is read. The folders of links are not read. */
	for (size_t i = first; i < l->n_folders; i++)
		if (l->folder[i].depth < SCAN_LIST_DEPTH && list_folder(g, (uint32_t)i, e))
			return -1;
	if (l->n + l->n_imports + l->closed == found && count_left_out(g) == failed) {
		fail_path(g, path, "a folder without recordings");
		l->empty++;
	}
	return 0;
}

int scan_list_add(struct scan_list *l, struct input in, scan_list_failure *failure, void *ctx,
                  size_t *failed, struct err *e)
{
	const struct listing g = {l, failure, ctx, failed};
	enum input_html html;
	char target[PATH_MAX];
	struct stat st;

	size_t entries = l->n;

	if (in.place == INPUT_STANDARD)
		return add_entry(l, NO_PARENT, in.name, e) || find_imports(&g, entries, false, e)
		           ? -1
		           : 0;
	if (stat(in.name, &st) || !realpath(in.name, target)) {
		fail_unreadable(&g, in.name);
		return 0;
	}
	if (S_ISDIR(st.st_mode))
		return add_tree(&g, target, e);
	if (!S_ISREG(st.st_mode)) {
		fail_path(&g, in.name, "is not a regular file");
		return 0;
	}
	html = input_kind_of(target) == INPUT_PAGE ? input_html_of(in) : INPUT_OUR_PAGE;
	if (html != INPUT_OUR_PAGE) {
		fail_path(&g, in.name,
		          html == INPUT_OUR_HTML
		              ? "this page carries no run (it is about many runs, or "
		                "was made with --no-model or by an older version)"
		              : "an HTML page, but not one that rtrack-report made");
		return 0;
	}
	return add_resolved(l, target, scan_users_of_path(target), e) ||
	               find_imports(&g, entries, false, e)
	           ? -1
	           : 0;
}

int scan_list_add_object(struct scan_list *l, const struct store_found *f, struct err *e)
{
	struct scan_list_object o = {.size = f->size, .modified = f->modified, .pieces = f->pieces};
	char path[PATH_MAX];
	size_t n = strlen(f->address);

	if (n >= sizeof path)
		return err_set(e, "%s: the address is too long", f->address);
	memcpy(path, f->address, n + 1);
	if (make_list_room((void **)&l->object, l->n_objects, &l->objects_cap, sizeof *l->object,
	                   e) ||
	    add_name(l, f->tag, &o.tag, e) || add_resolved(l, path, SCAN_USERS_ANYONE, e))
		return -1;
	l->object[l->n_objects++] = o;
	l->v[l->n - 1].object = (uint32_t)l->n_objects;
	return 0;
}

enum input_place scan_list_place(const struct scan_list *l, size_t i)
{
	if (l->v[i].object)
		return INPUT_S3;
	return l->v[i].folder == NO_PARENT ? INPUT_STANDARD : INPUT_FILE;
}

const struct scan_list_object *scan_list_object(const struct scan_list *l, size_t i)
{
	return l->v[i].object ? &l->object[l->v[i].object - 1] : NULL;
}

const char *scan_list_tag(const struct scan_list *l, const struct scan_list_object *o)
{
	return name_at(l, o->tag);
}

bool scan_list_stands_in(const char *path)
{
	return input_kind_of(path) == INPUT_PAGE || journal_is_copy(path);
}

static bool is_page(const struct scan_list *l, size_t i)
{
	return scan_list_stands_in(name_at(l, l->v[i].name));
}

bool scan_list_pages_last(struct scan_list *l)
{
	size_t pages = 0, kept = 0;
	struct scan_list_entry *page;

	for (size_t i = 0; i < l->n; i++)
		pages += is_page(l, i);
	page = pages ? malloc(pages * sizeof *page) : NULL;
	if (!page)
		return pages > 0;
	pages = 0;
	for (size_t i = 0; i < l->n; i++)
		if (is_page(l, i))
			page[pages++] = l->v[i];
		else
			l->v[kept++] = l->v[i];
	memcpy(l->v + kept, page, pages * sizeof *page);
	free(page);
	return true;
}

void scan_list_free(struct scan_list *l)
{
	free(l->v);
	free(l->import);
	free(l->folder);
	free(l->object);
	buf_free(&l->names);
	*l = (struct scan_list){0};
}
