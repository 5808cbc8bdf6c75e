/* gpu_drm: AMD's and Intel's GPUs, from /sys/class/drm and fdinfo. */
#include "collect/gpu/gpu_drm.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/gpu/gpu_fdinfo.h"
#include "collect/procfs/scan.h"

#define CARDS_MAX   32
#define CLIENTS_MAX 512 /* open GPU files of the tree */
#define FDS_MAX     256 /* descriptors of one process that are looked at */
#define LOOK_EVERY  4   /* readings, for files that a process opened meanwhile */
#define LOOKED_BITS 65536
#define INTEL_IGPU  "0000:00:02.0"

struct card {
	char path[32]; /* "sys/class/drm/card0" */
	char driver[16], slot[24], id[16];
	char hwmon[80]; /* its folder; "" for none */
	double asleep_ms;
	int64_t asleep_at; /* when that was read; 0: never */
};

/* A file that is open on a card. One that several descriptors share is known by the first. */
struct client {
	int pid, fd;
	size_t card;
	bool fresh;    /* found by this reading */
	unsigned lost; /* readings since that descriptor was closed: another may be open */
	struct gpu_fdinfo last;
};

struct gpu_drm {
	const struct root *r;
	size_t first, cards, clients;
	bool told; /* processes, before this reading */
	unsigned readings;
	int64_t at; /* of the reading before */
	/* Pids of the reading before, whose descriptors were listed; two that fall together make
	 * one wait until all are. */
	unsigned char looked[LOOKED_BITS / 8];
	struct card card[CARDS_MAX];
	struct client client[CLIENTS_MAX];
};

/* -- cards ------------------------------------------------------------------------------------- */

static double number(const struct root *r, const char *folder, const char *file)
{
	char path[160], text[64];
	struct scan s;
	double v;
	long n;

	if (snprintf(path, sizeof path, "%s/%s", folder, file) >= (int)sizeof path)
		return NAN;
	n = root_read(r, path, text, sizeof text);
	s = scan_text(text, n > 0 ? (size_t)n : 0);
	return scan_decimal(&s, &v) ? v : (double)NAN;
}

static bool is_ours(const char *driver)
{
	static const char *const drivers[] = {"amdgpu", "radeon", "i915", "xe"};

	for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
		if (strcmp(driver, drivers[i]) == 0)
			return true;
	return false;
}

static bool is_amd(const struct card *c)
{
	return strcmp(c->driver, "amdgpu") == 0 || strcmp(c->driver, "radeon") == 0;
}

/* The uevent of the device has what is needed to know it, without asking its driver. */
static int read_card(const struct root *r, const char *name, struct card *c)
{
	char path[64], text[1024];
	struct scan s, line;
	long n;

	*c = (struct card){.asleep_at = 0};
	snprintf(c->path, sizeof c->path, "sys/class/drm/%.15s", name);
	snprintf(path, sizeof path, "%s/device/uevent", c->path);
	n = root_read(r, path, text, sizeof text);
	s = scan_text(text, n > 0 ? (size_t)n : 0);
	while (scan_line(&s, &line)) {
		if (scan_literal(&line, "DRIVER="))
			(void)scan_copy(line, c->driver, sizeof c->driver);
		else if (scan_literal(&line, "PCI_SLOT_NAME="))
			(void)scan_copy(line, c->slot, sizeof c->slot);
		else if (scan_literal(&line, "PCI_ID="))
			(void)scan_copy(line, c->id, sizeof c->id);
	}
	return is_ours(c->driver) && c->slot[0] ? 0 : -1;
}

/* "card0"; its connectors are "card0-DP-1". */
static bool is_card(const char *name)
{
	if (strncmp(name, "card", 4) != 0 || !name[4] || strlen(name) > 11)
		return false;
	return name[4 + strspn(name + 4, "0123456789")] == '\0';
}

static int find_any(void *ctx, const char *name, bool is_dir)
{
	struct card c;

	(void)is_dir;
	return is_card(name) && read_card(ctx, name, &c) == 0;
}

bool gpu_drm_present(const struct root *r)
{
	struct root copy = *r;

	return root_list(r, "sys/class/drm", find_any, &copy) == 1;
}

static int add_card(void *ctx, const char *name, bool is_dir)
{
	struct gpu_drm *d = ctx;

	(void)is_dir;
	if (is_card(name) && read_card(d->r, name, &d->card[d->cards]) == 0)
		d->cards++;
	return d->cards == CARDS_MAX;
}

static int by_slot(const void *a, const void *b)
{
	return strcmp(((const struct card *)a)->slot, ((const struct card *)b)->slot);
}

static int find_hwmon(void *ctx, const char *name, bool is_dir)
{
	struct card *c = ctx;

	(void)is_dir;
	if (strncmp(name, "hwmon", 5) != 0 || strlen(name) > 15)
		return 0;
	snprintf(c->hwmon, sizeof c->hwmon, "%s/device/hwmon/%.15s", c->path, name);
	return 1;
}

/* One line of a file of the device; "" where there is none. */
static void line_of(const struct root *r, const struct card *c, const char *file, char out[64])
{
	char path[64];
	long n;

	snprintf(path, sizeof path, "%s/device/%s", c->path, file);
	n = root_read(r, path, out, 64);
	if (n < 0)
		out[0] = '\0';
	out[strcspn(out, "\n")] = '\0';
}

/* The serial number names a card wherever it is put in; the slot names it in this machine. */
static void describe(const struct gpu_drm *g, const struct card *c, struct gpu_device *d)
{
	char text[64];

	line_of(g->r, c, "unique_id", text);
	if (strspn(text, "0123456789abcdef") == strlen(text) && strspn(text, "0") < strlen(text))
		snprintf(d->uuid, sizeof d->uuid, "GPU-%s", text);
	else
		snprintf(d->uuid, sizeof d->uuid, "PCI-%s", c->slot);
	line_of(g->r, c, "product_name", text);
	if (text[0])
		snprintf(d->name, sizeof d->name, "%s", text);
	else
		snprintf(d->name, sizeof d->name, "%s GPU %s", is_amd(c) ? "AMD" : "Intel", c->id);
}

static double memory_of(const struct gpu_drm *g, const struct card *c, const char *file)
{
	char folder[64];

	if (strcmp(c->slot, INTEL_IGPU) == 0)
		return 0;
	snprintf(folder, sizeof folder, "%s/device", c->path);
	return number(g->r, folder, file);
}

struct gpu_drm *gpu_drm_open(const struct root *r, struct gpu_reading *t)
{
	struct gpu_drm *g = calloc(1, sizeof *g);

	if (!g)
		return NULL;
	g->r = r;
	g->first = t->devices;
	(void)root_list(r, "sys/class/drm", add_card, g);
	qsort(g->card, g->cards, sizeof *g->card, by_slot);
	for (size_t i = 0; i < g->cards; i++) {
		struct gpu_device *d = gpu_reading_device(t);
		char path[64];
		if (!d) {
			g->cards = i;
			break;
		}
		snprintf(path, sizeof path, "%s/device/hwmon", g->card[i].path);
		(void)root_list(r, path, find_hwmon, &g->card[i]);
		describe(g, &g->card[i], d);
		d->memory_b = memory_of(g, &g->card[i], "mem_info_vram_total");
		d->awake_only = !is_amd(&g->card[i]);
	}
	if (g->cards)
		return g;
	gpu_drm_close(g);
	return NULL;
}

void gpu_drm_close(struct gpu_drm *g)
{
	free(g);
}

/* -- what a card tells ------------------------------------------------------------------------- */

/* The sleep of the GPU's first part, which draws and computes: i915 names it in two ways, xe in
 * one. */
static double asleep(const struct gpu_drm *g, const struct card *c)
{
	static const char *const files[] = {"gt/gt0/rc6_residency_ms", "power/rc6_residency_ms",
	                                    "device/tile0/gt0/gtidle/idle_residency_ms"};
	double ms = NAN;

	for (size_t i = 0; i < sizeof files / sizeof *files && isnan(ms); i++)
		ms = number(g->r, c->path, files[i]);
	return ms;
}

static double awake_share(const struct gpu_drm *g, struct card *c, int64_t now)
{
	double ms = asleep(g, c), share = NAN;

	if (c->asleep_at && now > c->asleep_at)
		share = 1 - (ms - c->asleep_ms) * 1e6 / (double)(now - c->asleep_at);
	c->asleep_ms = ms;
	c->asleep_at = now;
	return share < 0 ? 0 : share > 1 ? 1 : share;
}

static void read_device(struct gpu_drm *g, size_t i, int64_t now, struct gpu_device *d)
{
	struct card *c = &g->card[i];
	double milli, micro;
	char folder[64];

	snprintf(folder, sizeof folder, "%s/device", c->path);
	d->used_b = memory_of(g, c, "mem_info_vram_used");
	if (is_amd(c)) {
		d->utilisation = number(g->r, folder, "gpu_busy_percent") / 100;
		d->utilisation = d->utilisation > 1 ? 1 : d->utilisation;
	} else {
		d->utilisation = awake_share(g, c, now);
	}
	d->by_process = true;
	if (!c->hwmon[0])
		return;
	micro = number(g->r, c->hwmon, "power1_average");
	if (isnan(micro))
		micro = number(g->r, c->hwmon, "power1_input");
	milli = number(g->r, c->hwmon, "temp1_input");
	d->power_w = micro / 1e6;
	d->temperature_c = milli / 1e3;
}

/* -- what processes tell ----------------------------------------------------------------------- */

static int read_fdinfo(const struct gpu_drm *g, int pid, int fd, struct gpu_fdinfo *out)
{
	char path[64], text[4096];
	int at, err;
	long n;

	snprintf(path, sizeof path, "proc/%d/fdinfo/%d", pid, fd);
	at = root_openat(g->r, path);
	if (at < 0)
		return -1;
	n = root_head_fd(at, text, sizeof text);
	err = errno;
	close(at);
	errno = err;
	return n > 0 ? gpu_fdinfo_parse(text, (size_t)n, out) : -1;
}

/* Which card a descriptor is open on; one that tells none is on the only one. */
static int card_of(const struct gpu_drm *g, const struct gpu_fdinfo *f)
{
	for (size_t i = 0; i < g->cards; i++)
		if (strcmp(g->card[i].slot, f->pdev) == 0)
			return (int)i;
	return !f->pdev[0] && g->cards == 1 ? 0 : -1;
}

/* Whether it is one of the known; one that was lost goes on under this descriptor. */
static bool is_known(struct gpu_drm *g, int pid, int fd, size_t card, const struct gpu_fdinfo *f)
{
	for (size_t i = 0; i < g->clients; i++) {
		struct client *c = &g->client[i];
		if (!c->lost && c->pid == pid && c->fd == fd)
			return true;
		if (c->card != card || !f->has_client || !c->last.has_client ||
		    c->last.client != f->client)
			continue;
		if (c->lost) {
			c->pid = pid;
			c->fd = fd;
			c->lost = 0;
		}
		return true;
	}
	return false;
}

static void add_client(struct gpu_drm *g, int pid, int fd)
{
	struct gpu_fdinfo f;
	int card;

	if (g->clients == CLIENTS_MAX || read_fdinfo(g, pid, fd, &f))
		return;
	card = card_of(g, &f);
	if (card < 0 || is_known(g, pid, fd, (size_t)card, &f))
		return;
	g->client[g->clients++] =
	    (struct client){.pid = pid, .fd = fd, .card = (size_t)card, .fresh = true, .last = f};
}

struct look {
	struct gpu_drm *g;
	int pid, left;
};

static int look_at(void *ctx, const char *name, bool is_dir)
{
	struct look *l = ctx;
	struct scan s = scan_text(name, strlen(name));
	int fd;

	(void)is_dir;
	if (scan_int(&s, &fd) && s.p == s.end)
		add_client(l->g, l->pid, fd);
	return --l->left <= 0;
}

static bool has_bit(const unsigned char *bits, int pid)
{
	unsigned at = (unsigned)pid % LOOKED_BITS;

	return bits[at / 8] >> at % 8 & 1;
}

/* Lists the descriptors of processes that are new, and of all now and then. */
static void look(struct gpu_drm *g, const int *pids, size_t n, struct gpu_reading *t)
{
	bool all = g->readings % LOOK_EVERY == 0;

	for (size_t i = 0; i < n; i++) {
		struct look l = {.g = g, .pid = pids[i], .left = FDS_MAX};
		char path[64];
		if (!all && has_bit(g->looked, pids[i]))
			continue;
		snprintf(path, sizeof path, "proc/%d/fdinfo", pids[i]);
		if (root_list(g->r, path, look_at, &l) < 0 && errno == EACCES)
			t->denied = true;
	}
	memset(g->looked, 0, sizeof g->looked);
	for (size_t i = 0; i < n; i++) {
		unsigned at = (unsigned)pids[i] % LOOKED_BITS;
		g->looked[at / 8] |= (unsigned char)(1u << at % 8);
	}
}

/* A counter that fell stays where it was until it has caught up. */
static void keep_highest(const struct gpu_fdinfo *before, struct gpu_fdinfo *now)
{
	for (size_t i = 0; i < now->engines; i++)
		for (size_t k = 0; k < before->engines; k++) {
			struct gpu_fdinfo_engine *e = &now->engine[i];
			const struct gpu_fdinfo_engine *old = &before->engine[k];
			if (strcmp(e->name, old->name) != 0)
				continue;
			e->busy_ns = e->busy_ns > old->busy_ns ? e->busy_ns : old->busy_ns;
			e->cycles = e->cycles > old->cycles ? e->cycles : old->cycles;
		}
}

static void account(struct gpu_drm *g, struct client *c, double busy, struct gpu_reading *t)
{
	struct gpu_process *p = gpu_reading_process(t, (int)(g->first + c->card), c->pid);

	if (!p)
		return;
	p->used_b += c->last.vram_b;
	p->utilisation = p->utilisation + busy < 1 ? p->utilisation + busy : 1;
}

/* False where it is not there any more, or another is. */
static bool read_client(struct gpu_drm *g, struct client *c, int64_t elapsed, struct gpu_reading *t)
{
	struct gpu_fdinfo now;
	double busy;

	if (c->lost || read_fdinfo(g, c->pid, c->fd, &now) || card_of(g, &now) != (int)c->card ||
	    (now.has_client && now.client != c->last.client))
		return false;
	keep_highest(&c->last, &now);
	busy = gpu_fdinfo_busy(&c->last, &now, elapsed);
	c->last = now;
	account(g, c, busy, t);
	return true;
}

/* One that is lost is forgotten after the next look at all. */
static void read_clients(struct gpu_drm *g, int64_t elapsed, struct gpu_reading *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < g->clients; i++) {
		struct client *c = &g->client[i];
		if (!read_client(g, c, elapsed, t) && ++c->lost > LOOK_EVERY)
			continue;
		if (kept != i)
			g->client[kept] = *c;
		kept++;
	}
	g->clients = kept;
}

/* What a new client has used already was since the last look, but for those of the first. */
static void count_fresh(struct gpu_drm *g, int64_t elapsed, struct gpu_reading *t)
{
	for (size_t i = 0; i < g->clients; i++) {
		struct client *c = &g->client[i];
		if (!c->fresh)
			continue;
		c->fresh = false;
		account(g, c, g->told ? gpu_fdinfo_busy(NULL, &c->last, elapsed) : 0, t);
	}
}

void gpu_drm_read(struct gpu_drm *g, const int *pids, size_t n, int64_t now, struct gpu_reading *t)
{
	int64_t elapsed = g->at ? now - g->at : 0;

	for (size_t i = 0; i < g->cards; i++)
		read_device(g, i, now, &t->device[g->first + i]);
	read_clients(g, elapsed, t);
	look(g, pids, n, t);
	count_fresh(g, elapsed, t);
	g->told |= n > 0;
	g->at = now;
	g->readings++;
}
