/* mounts: space on the mounted file systems, each counted once. */
#include "collect/machine/mounts.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

#include "collect/procfs/scan.h"

#define MAJOR_RAM  1
#define MAJOR_LOOP 7

/* -- one line ---------------------------------------------------------------------------------- */

static void slice(struct scan word, const char **at, size_t *len)
{
	*at = word.p;
	*len = (size_t)(word.end - word.p);
}

int mounts_parse_line(const char *text, size_t n, struct mounts_line *out)
{
	struct scan s = scan_text(text, n), word;

	*out = (struct mounts_line){0};
	/* id parent major:minor root PATH options [tags …] - TYPE SOURCE options */
	if (!scan_skip(&s, 2) || !scan_int(&s, &out->major) || !scan_literal(&s, ":") ||
	    !scan_int(&s, &out->minor) || !scan_skip(&s, 1) || !scan_word(&s, &word))
		return -1;
	slice(word, &out->path, &out->path_len);
	do
		if (!scan_word(&s, &word))
			return -1;
	while (!scan_is(word, "-"));
	if (!scan_word(&s, &word))
		return -1;
	slice(word, &out->type, &out->type_len);
	if (!scan_word(&s, &word))
		return -1;
	slice(word, &out->source, &out->source_len);
	return 0;
}

static bool is_octal(const char *p)
{
	return p[0] >= '0' && p[0] <= '3' && p[1] >= '0' && p[1] <= '7' && p[2] >= '0' &&
	       p[2] <= '7';
}

/* Undoes the kernel's \040 for blanks; NUL-terminates. Returns the length, or size where it does
 * not fit. */
static size_t unescape(const char *in, size_t n, char *out, size_t size)
{
	size_t len = 0;

	for (size_t i = 0; i < n && len < size; len++) {
		if (in[i] == '\\' && n - i >= 4 && is_octal(in + i + 1)) {
			out[len] = (char)((in[i + 1] - '0') * 64 + (in[i + 2] - '0') * 8 +
			                  (in[i + 3] - '0'));
			i += 4;
		} else {
			out[len] = in[i++];
		}
	}
	if (len < size)
		out[len] = '\0';
	return len;
}

/* -- what counts ------------------------------------------------------------------------------- */

static bool mounts_among(const char *word, size_t len, const char *const *list)
{
	for (; *list; list++)
		if (strlen(*list) == len && memcmp(*list, word, len) == 0)
			return true;
	return false;
}

static bool slice_begins(const char *word, size_t len, const char *stem)
{
	return len >= strlen(stem) && memcmp(word, stem, strlen(stem)) == 0;
}

static bool is_network(const struct mounts_line *l)
{
	static const char *const types[] = {
	    "nfs",  "nfs4",   "cifs",  "smb3",  "smbfs",  "ceph",  "lustre",
	    "gpfs", "beegfs", "afs",   "panfs", "wekafs", "pvfs2", "orangefs",
	    "coda", "ncpfs",  "ocfs2", "gfs2",  "acfs",   "davfs", NULL};
	static const char *const served[] = {"fuse.sshfs", "fuse.glusterfs", "fuse.s3fs", NULL};

	return mounts_among(l->type, l->type_len, types) ||
	       mounts_among(l->type, l->type_len, served) ||
	       (l->major == 0 && slice_begins(l->source, l->source_len, "//"));
}

/* Another process or the host serves the file system, and may not answer. */
static bool is_served(const struct mounts_line *l)
{
	static const char *const types[] = {"9p", "virtiofs", "vboxsf", "vmhgfs", "drvfs", NULL};

	return slice_begins(l->type, l->type_len, "fuse.") ||
	       mounts_among(l->type, l->type_len, types) ||
	       (l->type_len == 4 && slice_begins(l->type, 4, "fuse")) ||
	       slice_begins(l->type, l->type_len, "fuseblk");
}

static bool is_no_storage(const struct mounts_line *l)
{
	static const char *const types[] = {"tmpfs", "ramfs",   "rootfs", "devtmpfs", "squashfs",
	                                    "erofs", "iso9660", "udf",    "cramfs",   "romfs",
	                                    "proc",  "sysfs",   NULL};

	return mounts_among(l->type, l->type_len, types) || l->major == MAJOR_RAM ||
	       slice_begins(l->source, l->source_len, "/dev/zram");
}

enum mounts_kind mounts_kind_of(const struct mounts_line *l)
{
	/* Local file systems that have no block device of their own. */
	static const char *const local[] = {"btrfs", "zfs", "bcachefs", "ubifs", NULL};
	static const char *const pseudo[] = {"fuse.lxcfs", "fuse.gvfsd-fuse", "fuse.portal",
	                                     "fuse.snapfuse", NULL};
	bool on_root = l->path_len == 1 && l->path[0] == '/';

	if (is_no_storage(l) || mounts_among(l->type, l->type_len, pseudo))
		return MOUNTS_NOTHING;
	if (is_network(l))
		return MOUNTS_REMOTE;
	if (is_served(l))
		return on_root ? MOUNTS_ROOT : MOUNTS_REMOTE;
	if (l->major == MAJOR_LOOP && !on_root)
		return MOUNTS_NOTHING;
	if (l->major != 0 || mounts_among(l->type, l->type_len, local))
		return MOUNTS_LOCAL;
	return on_root ? MOUNTS_ROOT : MOUNTS_NOTHING;
}

/* -- the list ---------------------------------------------------------------------------------- */

/* Keeps a path. Returns 0, the empty path, where there is no room. */
static size_t keep_path(struct mounts *m, const char *text, size_t n)
{
	size_t at = m->paths_len, room = sizeof m->paths - at;
	size_t len = unescape(text, n, m->paths + at, room);

	if (len >= room)
		return 0;
	m->paths_len += len + 1;
	return at;
}

static struct mounts_entry *entry_of(struct mounts *m, const struct mounts_line *l,
                                     enum mounts_kind kind)
{
	for (size_t i = 0; i < m->n; i++) {
		if (kind == MOUNTS_ROOT && m->v[i].kind == MOUNTS_ROOT)
			return &m->v[i];
		if (m->v[i].major == l->major && m->v[i].minor == l->minor)
			return &m->v[i];
	}
	return NULL;
}

static void note_remote(struct mounts *m, const struct mounts_line *l)
{
	size_t type = l->type_len < 32 ? l->type_len : 32, len;

	if (m->remote++ > 0)
		return;
	memcpy(m->remote_first, l->type, type);
	memcpy(m->remote_first + type, " on ", 4);
	len = unescape(l->path, l->path_len, m->remote_first + type + 4,
	               sizeof m->remote_first - type - 4);
	if (len >= sizeof m->remote_first - type - 4)
		m->remote_first[sizeof m->remote_first - 1] = '\0';
}

static void set_pool(struct mounts *m, struct mounts_entry *e, const struct mounts_line *l)
{
	const char *slash = memchr(l->source, '/', l->source_len);
	size_t n = slash ? (size_t)(slash - l->source) : l->source_len;

	if (l->type_len != 3 || !slice_begins(l->type, 3, "zfs"))
		return;
	e->pool = keep_path(m, l->source, n);
	for (size_t i = 0; e->pool && i < m->n; i++)
		if (m->v[i].pool && strcmp(m->paths + m->v[i].pool, m->paths + e->pool) == 0)
			e->shares = true;
}

static void list_line(struct mounts *m, const struct mounts_line *l, mounts_check check, void *ctx)
{
	enum mounts_kind kind = mounts_kind_of(l);
	struct mounts_entry *known, now = {.major = l->major, .minor = l->minor, .kind = kind};
	size_t mark = m->paths_len;

	if (kind == MOUNTS_REMOTE)
		note_remote(m, l);
	if (kind == MOUNTS_REMOTE || kind == MOUNTS_NOTHING)
		return;
	known = entry_of(m, l, kind);
	if (known) {
		/* The last of several mounts on "/" is the visible one. */
		if (kind == MOUNTS_ROOT)
			known->major = l->major, known->minor = l->minor;
		return;
	}
	if (m->n == MOUNTS_MAX)
		return;
	now.path = keep_path(m, l->path, l->path_len);
	if (!now.path || (check && !check(ctx, m->paths + now.path, l))) {
		m->paths_len = mark;
		return;
	}
	set_pool(m, &now, l);
	m->v[m->n++] = now;
}

void mounts_list(struct mounts *m, const char *text, size_t n, mounts_check check, void *ctx)
{
	struct scan s = scan_text(text, n), line;
	struct mounts_line l;

	m->n = 0;
	m->remote = 0;
	m->remote_first[0] = '\0';
	m->paths[0] = '\0';
	m->paths_len = 1;
	while (scan_line(&s, &line))
		if (mounts_parse_line(line.p, (size_t)(line.end - line.p), &l) == 0)
			list_line(m, &l, check, ctx);
}

bool mounts_check_stat(void *ctx, const char *path, const struct mounts_line *l)
{
	struct stat st;

	(void)ctx;
	if (stat(path, &st) < 0)
		return false;
	/* Subvolumes of btrfs show a device number that is not the file system's. */
	if (l->major == 0)
		return true;
	return st.st_dev == makedev((unsigned)l->major, (unsigned)l->minor);
}

/* -- the space --------------------------------------------------------------------------------- */

struct numbers {
	uint64_t block, blocks, bfree, bavail, files;
};

typedef bool (*ask)(void *ctx, const char *path, struct numbers *out);

static void add_space(struct mounts_space *sum, const struct numbers *n, bool shares)
{
	double block = (double)n->block;
	double used = n->blocks > n->bfree ? (double)(n->blocks - n->bfree) * block : 0;

	sum->used_b += used;
	sum->total_b += shares ? used : (double)n->blocks * block;
	sum->free_b += shares ? 0 : (double)n->bavail * block;
}

static void note_space(const struct mounts *m, const char *path, const struct numbers *n)
{
	double block = (double)n->block;

	devices_set(m->devices, DETAIL_FILE_SYSTEM, path,
	            n->blocks > n->bfree ? (double)(n->blocks - n->bfree) * block : 0,
	            (double)n->bavail * block);
}

static bool alike(const struct numbers *a, const struct numbers *b)
{
	return a->block == b->block && a->blocks == b->blocks && a->files == b->files;
}

static int sum_all(const struct mounts *m, ask ask_one, void *ctx, struct mounts_space *out)
{
	struct numbers root = {0}, n;
	bool has_root = false, any = false, is_root;

	*out = (struct mounts_space){0};
	for (size_t i = 0; i < m->n && !has_root; i++)
		if (m->v[i].kind == MOUNTS_ROOT)
			has_root = ask_one(ctx, m->paths + m->v[i].path, &root);
	for (size_t i = 0; i < m->n; i++) {
		if (m->v[i].kind == MOUNTS_ROOT || !ask_one(ctx, m->paths + m->v[i].path, &n))
			continue;
		any = true;
		add_space(out, &n, m->v[i].shares);
		/* statvfs of an overlay gives the numbers of its upper layer's file system. */
		is_root = has_root && alike(&n, &root);
		note_space(m, is_root ? "/" : m->paths + m->v[i].path, &n);
		has_root = has_root && !is_root;
	}
	if (has_root) {
		add_space(out, &root, false);
		note_space(m, "/", &root);
	}
	return any || has_root ? 0 : -1;
}

static bool ask_statvfs(void *ctx, const char *path, struct numbers *out)
{
	struct statvfs v;

	(void)ctx;
	if (statvfs(path, &v) < 0)
		return false;
	*out = (struct numbers){v.f_frsize ? v.f_frsize : v.f_bsize, v.f_blocks, v.f_bfree,
	                        v.f_bavail, v.f_files};
	return true;
}

int mounts_space(const struct mounts *m, struct mounts_space *out)
{
	return sum_all(m, ask_statvfs, NULL, out);
}

static bool ask_text(void *ctx, const char *path, struct numbers *out)
{
	struct scan s = *(const struct scan *)ctx, line, word;
	char name[4096];

	while (scan_line(&s, &line)) {
		if (!scan_word(&line, &word) ||
		    unescape(word.p, (size_t)(word.end - word.p), name, sizeof name) >=
		        sizeof name ||
		    strcmp(name, path) != 0)
			continue;
		*out = (struct numbers){0};
		if (scan_u64(&line, &out->block) && scan_u64(&line, &out->blocks) &&
		    scan_u64(&line, &out->bfree) && scan_u64(&line, &out->bavail)) {
			scan_u64(&line, &out->files);
			return true;
		}
	}
	return false;
}

int mounts_space_text(const struct mounts *m, const char *text, size_t n, struct mounts_space *out)
{
	struct scan s = scan_text(text, n);

	return sum_all(m, ask_text, &s, out);
}
