/* wait_names: what the job waited for, by name. */
#include "collect/waits/wait_names.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/procfs/scan.h"
#include "collect/redact/redact.h"
#include "collect/waits/wait_polled.h"
#include "core/numbers/stats.h"
#include "core/recording/snapshot_fields.h"

#define SLOTS      1024 /* of the cache of descriptors: a power of two */
#define PER_S      8    /* names that are found out per second */
#define NET_B      (256 << 10)
#define CHUNK_B    16384
#define PROCESSES  64 /* whose descriptors are searched for the other end of a pipe */
#define FDS        64 /* of each */
#define SERVER_TOP 10000

/* -- texts of the kernel that say what a descriptor is: its sockets and its mounts ------------- */

static bool scan_hex32(struct scan *s, size_t digits, uint32_t *out)
{
	uint32_t v = 0;

	if ((size_t)(s->end - s->p) < digits)
		return false;
	for (size_t i = 0; i < digits; i++) {
		int d = scan_hex(s->p[i]);
		if (d < 0)
			return false;
		v = v << 4 | (uint32_t)d;
	}
	s->p += digits;
	*out = v;
	return true;
}

/* An address of 8 or 32 digits, each 8 in the order of this machine, and a port. */
static bool scan_address(struct scan *s, unsigned char address[16], size_t *n, uint32_t *port)
{
	uint32_t word;

	scan_blanks(s);
	for (*n = 0; *n < 16 && scan_hex32(s, 8, &word); *n += 4)
		memcpy(address + *n, &word, 4);
	return (*n == 4 || *n == 16) && scan_literal(s, ":") && scan_hex32(s, 4, port);
}

static void write_address(const unsigned char *a, size_t n, uint32_t port,
                          char out[WAIT_NAMES_PEER])
{
	static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
	size_t len = 1;

	if (n == 16 && memcmp(a, mapped, sizeof mapped) == 0) {
		a += 12;
		n = 4;
	}
	if (n == 4) {
		snprintf(out, WAIT_NAMES_PEER, "%u.%u.%u.%u:%u", a[0], a[1], a[2], a[3], port);
		return;
	}
	*out = '[';
	for (size_t i = 0; i < 16; i += 2)
		len += (size_t)snprintf(out + len, WAIT_NAMES_PEER - len, "%s%x", i ? ":" : "",
		                        (unsigned)(a[i] << 8 | a[i + 1]));
	snprintf(out + len, WAIT_NAMES_PEER - len, "]:%u", port);
}

static bool parse_inet_line(struct scan line, uint64_t inode, unsigned *local_port,
                            char peer[WAIT_NAMES_PEER])
{
	unsigned char local[16], remote[16];
	uint32_t port, remote_port;
	size_t n, remote_n;
	uint64_t found;

	if (!scan_skip(&line, 1) || !scan_address(&line, local, &n, &port) ||
	    !scan_address(&line, remote, &remote_n, &remote_port))
		return false;
	/* st, queues, timer, retrnsmt, uid, timeout */
	if (!scan_skip(&line, 6) || !scan_u64(&line, &found) || found != inode)
		return false;
	*local_port = port;
	*peer = '\0';
	if (remote_port)
		write_address(remote, remote_n, remote_port, peer);
	return true;
}

bool wait_names_parse_inet(const char *text, size_t n, uint64_t inode, unsigned *local_port,
                           char peer[WAIT_NAMES_PEER])
{
	struct scan s = scan_text(text, n), line;

	while (scan_line(&s, &line))
		if (parse_inet_line(line, inode, local_port, peer))
			return true;
	return false;
}

static bool is_remote_type(struct scan type)
{
	static const char *const types[] = {
	    "nfs", "nfs4", "cifs",   "smb3",      "smbfs",    "ceph",  "lustre", "9p",
	    "afs", "gpfs", "beegfs", "glusterfs", "orangefs", "pvfs2", "wekafs", "fuse"};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (scan_is(type, types[i]))
			return true;
	return scan_literal(&type, "fuse.");
}

bool wait_names_parse_mount(const char *text, size_t n, int id, bool *remote)
{
	struct scan s = scan_text(text, n), line, word;
	int found;

	while (scan_line(&s, &line)) {
		if (!scan_int(&line, &found) || found != id)
			continue;
		while (scan_word(&line, &word))
			if (scan_is(word, "-"))
				break;
		*remote = scan_word(&line, &word) && is_remote_type(word);
		return true;
	}
	return false;
}

/* -- the table --------------------------------------------------------------------------------- */

/* A descriptor whose name is known: by a hash of its link, which has the inode or the path. */
struct known_link {
	uint64_t hash;
	short name;          /* -1: it has none */
	unsigned char state; /* STATES_N: no other than the look said */
	bool own;            /* the process has both ends: to wake itself */
};

struct named_wait {
	char text[WAIT_NAMES_TEXT];
	char *redacted; /* NULL: not yet */
	float s[STATES_N];
};

struct wait_names {
	struct named_wait v[WAIT_NAMES_MAX];
	size_t n;
	struct known_link links[SLOTS];
	int64_t at;
	double left; /* names that may be found out now */
};

struct wait_names *wait_names_open(void)
{
	/* Untouched pages never become resident. */
	return calloc(1, sizeof(struct wait_names));
}

void wait_names_close(struct wait_names *n)
{
	for (size_t i = 0; n && i < n->n; i++)
		free(n->v[i].redacted);
	free(n);
}

/* -- finding out ------------------------------------------------------------------------------- */

/* Hands whole lines of a file to a parser, until it returns true or NET_B bytes are read. */
typedef bool (*take_lines)(void *ctx, const char *text, size_t n);

static bool find_in_file(const struct root *r, const char *path, take_lines take, void *ctx)
{
	char text[CHUNK_B];
	size_t left = 0, total = 0;
	int fd = root_openat(r, path);
	bool found = false;
	ssize_t n = 0;

	while (fd >= 0 && !found && total < NET_B && left < sizeof text &&
	       (n = read(fd, text + left, sizeof text - left)) > 0) {
		const char *end;
		total += (size_t)n;
		left += (size_t)n;
		end = memrchr(text, '\n', left);
		if (!end)
			continue;
		found = take(ctx, text, (size_t)(end + 1 - text));
		left -= (size_t)(end + 1 - text);
		memmove(text, end + 1, left);
	}
	if (fd >= 0)
		close(fd);
	return found;
}

struct socket_search {
	uint64_t inode;
	unsigned local_port;
	char peer[WAIT_NAMES_PEER];
};

static bool take_sockets(void *ctx, const char *text, size_t n)
{
	struct socket_search *s = ctx;

	return wait_names_parse_inet(text, n, s->inode, &s->local_port, s->peer);
}

/* Puts the peer's address into text. */
static void find_peer(const struct wait_names_asks *a, const char *link, char *text,
                      struct known_link *known)
{
	static const char *const tables[] = {"tcp", "tcp6", "udp", "udp6"};
	struct socket_search s = {.peer = ""};
	struct scan inode = scan_text(link + 8, strlen(link + 8));
	char path[48];

	if (!scan_u64(&inode, &s.inode))
		return;
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		snprintf(path, sizeof path, "proc/%d/net/%s", a->pid, tables[i]);
		if (find_in_file(a->r, path, take_sockets, &s))
			break;
	}
	memcpy(text, s.peer, sizeof s.peer);
	/* A server that reads waits for a request. */
	if (s.local_port > 0 && s.local_port < SERVER_TOP)
		known->state = STATES_EVENT;
}

struct pipe_search {
	const struct wait_names_asks *asks;
	const char *link;
	int pid;
	size_t seen;
	bool found;
};

static int look_for_pipe(void *ctx, const char *name, bool is_dir)
{
	struct pipe_search *p = ctx;
	struct scan s = scan_text(name, strlen(name));
	char link[64];
	int fd;

	(void)is_dir;
	if (!scan_int(&s, &fd) || p->seen++ == FDS)
		return p->seen > FDS;
	p->found =
	    wait_look_link(p->asks->r, p->pid, fd, link, sizeof link) && strcmp(link, p->link) == 0;
	return p->found;
}

/* Puts the name of the program at the other end into text. */
static void find_other_end(const struct wait_names_asks *a, const char *link, char *text)
{
	char path[32];
	long n;

	for (size_t i = 0; i < PROCESSES && a->pid_at; i++) {
		struct pipe_search p = {.asks = a, .link = link, .pid = a->pid_at(a->ctx, i)};
		if (p.pid == 0)
			return;
		if (p.pid < 0 || p.pid == a->pid)
			continue;
		snprintf(path, sizeof path, "proc/%d/fd", p.pid);
		(void)root_list(a->r, path, look_for_pipe, &p);
		if (!p.found)
			continue;
		snprintf(path, sizeof path, "proc/%d/comm", p.pid);
		n = root_read(a->r, path, text, WAIT_NAMES_TEXT);
		if (n > 0 && text[n - 1] == '\n')
			text[n - 1] = '\0';
		return;
	}
}

/* The two sockets of a pair are made together, and have inodes that follow each other. */
struct own_end_search {
	const struct wait_names_asks *asks;
	const char *kind; /* "pipe:[", "socket:[" */
	uint64_t inode;
	size_t seen, same, next;
};

static int look_for_own_end(void *ctx, const char *name, bool is_dir)
{
	struct own_end_search *o = ctx;
	struct scan s = scan_text(name, strlen(name));
	size_t kind = strlen(o->kind);
	char link[64];
	uint64_t inode;
	int fd;

	(void)is_dir;
	if (!scan_int(&s, &fd) || o->seen++ == FDS)
		return o->seen > FDS;
	if (!wait_look_link(o->asks->r, o->asks->pid, fd, link, sizeof link) ||
	    strncmp(link, o->kind, kind) != 0)
		return 0;
	s = scan_text(link + kind, strlen(link + kind));
	if (scan_u64(&s, &inode)) {
		o->same += inode == o->inode;
		o->next += inode == o->inode + 1 || inode + 1 == o->inode;
	}
	return 0;
}

static bool has_both_ends(const struct wait_names_asks *a, const char *link)
{
	bool pipe = strncmp(link, "pipe:[", 6) == 0;
	struct own_end_search o = {.asks = a, .kind = pipe ? "pipe:[" : "socket:["};
	struct scan s = scan_text(link + strlen(o.kind), strlen(link + strlen(o.kind)));
	char path[32];

	if (!scan_u64(&s, &o.inode))
		return false;
	snprintf(path, sizeof path, "proc/%d/fd", a->pid);
	(void)root_list(a->r, path, look_for_own_end, &o);
	return pipe ? o.same >= 2 : o.next > 0;
}

struct mount_search {
	int id;
	bool remote;
};

static bool take_mounts(void *ctx, const char *text, size_t n)
{
	struct mount_search *m = ctx;

	return wait_names_parse_mount(text, n, m->id, &m->remote);
}

/* Asks no file system, which may hang: only which one it is. */
static bool is_remote_file(const struct wait_names_asks *a, int fd)
{
	struct mount_search m = {.remote = false};
	char path[48], text[512];
	struct scan s, line;
	long n;

	snprintf(path, sizeof path, "proc/%d/fdinfo/%d", a->pid, fd);
	n = root_read(a->r, path, text, sizeof text);
	s = scan_text(text, n > 0 ? (size_t)n : 0);
	snprintf(path, sizeof path, "proc/%d/mountinfo", a->pid);
	while (scan_line(&s, &line))
		if (scan_literal(&line, "mnt_id:") && scan_int(&line, &m.id))
			return find_in_file(a->r, path, take_mounts, &m) && m.remote;
	return false;
}

static short enter_name(struct wait_names *n, const char *text)
{
	size_t i = 0;

	while (i < n->n && strcmp(n->v[i].text, text) != 0)
		i++;
	if (i == WAIT_NAMES_MAX)
		return -1;
	if (i == n->n) {
		memcpy(n->v[i].text, text, strlen(text) + 1);
		n->n++;
	}
	return (short)i;
}

static void find_out(struct wait_names *n, const struct wait_names_asks *a, const char *link,
                     int fd, struct known_link *known)
{
	char text[WAIT_NAMES_TEXT] = "";

	if (strncmp(link, "socket:[", 8) == 0)
		find_peer(a, link, text, known);
	else if (strncmp(link, "pipe:", 5) == 0)
		find_other_end(a, link, text);
	else if (*link == '/') {
		memcpy(text, link, strlen(link) + 1);
		if (is_remote_file(a, fd))
			known->state = STATES_NET_DISK;
	}
	known->name = *text ? enter_name(n, text) : -1;
	known->own = !*text && *link != '/' && has_both_ends(a, link);
}

/* FNV-1a. */
static uint64_t hash_of(const char *text)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return h ? h : 1;
}

static bool may_find_out(struct wait_names *n, int64_t at)
{
	n->left += n->at ? (double)(at - n->at) / 1e9 * PER_S : PER_S;
	n->left = n->left < PER_S ? n->left : PER_S;
	n->at = at;
	if (n->left < 1)
		return false;
	n->left--;
	return true;
}

/* NULL: its name may not be found out now. */
static const struct known_link *known_of(struct wait_names *n, const struct wait_names_asks *a,
                                         const char *link, int fd, int64_t at)
{
	uint64_t hash = hash_of(link);
	struct known_link *known = &n->links[hash % SLOTS];

	if (known->hash == hash)
		return known;
	if (!may_find_out(n, at))
		return NULL;
	*known = (struct known_link){.hash = hash, .name = -1, .state = STATES_N};
	find_out(n, a, link, fd, known);
	return known;
}

/* Whether a descriptor can bring work from outside the process. *peer gets the name of that which a
 * socket is connected to. */
enum brings { BRINGS_NOTHING, BRINGS_TIME, BRINGS_OF_PEER, BRINGS_ANY };
static enum brings brings_what(struct wait_names *n, const struct wait_names_asks *a, int fd,
                               int64_t at, short *peer)
{
	const struct known_link *known;
	char link[WAIT_NAMES_TEXT];

	if (!wait_look_link(a->r, a->pid, fd, link, sizeof link))
		return BRINGS_ANY;
	if (strcmp(link, "anon_inode:[eventfd]") == 0)
		return BRINGS_NOTHING;
	if (strcmp(link, "anon_inode:[timerfd]") == 0)
		return BRINGS_TIME;
	if (strncmp(link, "socket:[", 8) != 0 && strncmp(link, "pipe:[", 6) != 0)
		return BRINGS_ANY;
	known = known_of(n, a, link, fd, at);
	if (known && known->own)
		return BRINGS_NOTHING;
	if (!known || *link != 's' || known->name < 0 || known->state == STATES_EVENT)
		return BRINGS_ANY;
	*peer = known->name;
	return BRINGS_OF_PEER;
}

/* For poll, select and epoll: sets the state where all descriptors bring the same. Returns the name
 * of the first peer, or -1. */
static short find_polled(struct wait_names *n, const struct wait_names_asks *a,
                         struct wait_look *look, int64_t at)
{
	int fds[WAIT_POLLED_MAX], count = wait_polled(a->r, a->pid, &look->call, fds);
	short first = -1, peer = -1;
	bool timer = false;

	for (int i = 0; i < count; i++) {
		enum brings what = brings_what(n, a, fds[i], at, &peer);
		if (what == BRINGS_ANY)
			return -1;
		if (what == BRINGS_OF_PEER && first < 0)
			first = peer;
		timer |= what == BRINGS_TIME;
	}
	if (first >= 0)
		look->state = STATES_NET;
	else if (timer)
		look->state = STATES_SLEEP;
	return first;
}

short wait_names_find(struct wait_names *n, const struct wait_names_asks *a, struct wait_look *look,
                      int64_t at)
{
	char link[WAIT_NAMES_TEXT];
	const struct known_link *known;

	if (look->state == STATES_EVENT && look->fd < 0)
		return find_polled(n, a, look, at);
	if (look->fd < 0 || !wait_look_link(a->r, a->pid, look->fd, link, sizeof link))
		return -1;
	known = known_of(n, a, link, look->fd, at);
	if (!known)
		return -1;
	if ((known->state == STATES_EVENT && look->state == STATES_NET) ||
	    (known->state == STATES_NET_DISK && look->state == STATES_DISK))
		look->state = known->state;
	return known->name;
}

/* -- sums -------------------------------------------------------------------------------------- */

void wait_names_add(struct wait_names *n, short name, enum states_id state, double s,
                    struct wait_names_top *top)
{
	int least = 0;

	if (name < 0 || !(s > 0))
		return;
	n->v[name].s[state] += (float)s;
	for (int i = 0; top && i < WAIT_NAMES_KEPT; i++) {
		if (top->s[i] > 0 && top->name[i] == name) {
			top->s[i] += (float)s;
			return;
		}
		if (top->s[i] < top->s[least])
			least = i;
	}
	/* A newcomer takes the place of the least, unless that is larger. */
	if (top && (double)top->s[least] < s) {
		top->name[least] = name;
		top->s[least] = (float)s;
	} else if (top) {
		top->s[least] -= (float)s;
	}
}

static enum states_id main_state(const struct named_wait *w)
{
	int most = 0;

	for (int k = 1; k < STATES_N; k++)
		if (w->s[k] > w->s[most])
			most = k;
	return (enum states_id)most;
}

/* Redacts each name once, however many processes have it. */
static const char *redacted_name(struct named_wait *w)
{
	struct buf text = {.max = 4096};

	if (w->redacted)
		return w->redacted;
	redact_text(w->text, sizeof w->text, &text);
	if (!text.failed)
		w->redacted = strdup(buf_cstr(&text));
	buf_free(&text);
	return w->redacted ? w->redacted : "***";
}

static struct snapshot_wait as_recorded(struct named_wait *w, enum states_id state, float s)
{
	return (struct snapshot_wait){
	    .state = states_word(state), .name = redacted_name(w), .s = stats_round((double)s, 3)};
}

/* The largest of a state below a limit, in time or else in place; -1: none. */
static int next_of(const struct wait_names *n, int state, float below, int after)
{
	int best = -1;

	for (int i = 0; i < (int)n->n; i++) {
		float s = n->v[i].s[state];
		bool follows = s < below || (s <= below && i > after);
		if (s >= 0.0005f && follows && (best < 0 || s > n->v[best].s[state]))
			best = i;
	}
	return best;
}

void wait_names_write(struct wait_names *n, struct json_write *j)
{
	json_write_array(j, snapshot_fields_key(SNAPSHOT_WAIT));
	for (int k = 0; k < STATES_N; k++) {
		int at = next_of(n, k, INFINITY, -1);
		for (int i = 0; i < WAIT_NAMES_TOP && at >= 0; i++) {
			const struct snapshot_wait w =
			    as_recorded(&n->v[at], (enum states_id)k, n->v[at].s[k]);
			snapshot_fields_element(j, SNAPSHOT_WAIT, &w);
			at = next_of(n, k, n->v[at].s[k], at);
		}
	}
	json_write_array_end(j);
}

size_t wait_names_largest(struct wait_names *n, const struct wait_names_top *top,
                          struct snapshot_wait out[WAIT_NAMES_TOP])
{
	struct wait_names_top left = *top;
	size_t found = 0;

	while (found < WAIT_NAMES_TOP) {
		int most = 0;
		struct named_wait *w;
		for (int k = 1; k < WAIT_NAMES_KEPT; k++)
			if (left.s[k] > left.s[most])
				most = k;
		if (left.s[most] < 0.0005f)
			break;
		w = &n->v[left.name[most]];
		out[found++] = as_recorded(w, main_state(w), left.s[most]);
		left.s[most] = 0;
	}
	return found;
}
