/* gpu_drm: AMD and Intel GPUs, from /sys/class/drm and fdinfo. */
#include "collect/gpu/gpu_drm.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/gpu/gpu_fdinfo.h"
#include "collect/procfs/scan.h"

#define CARDS_MAX    32
#define CLIENTS_MAX  512 /* open GPU files of the job */
#define FDS_MAX      256 /* file descriptors that are scanned per process */
#define SCAN_EVERY   4   /* readings: then known processes are scanned again for new GPU files */
#define SCANNED_BITS 65536
#define INTEL_IGPU   "0000:00:02.0"

struct card {
	char path[32]; /* "sys/class/drm/card0" */
	char driver[16], slot[24], id[16];
	char hwmon[80]; /* path of its hwmon directory; "": none */
	double asleep_ms;
	int64_t asleep_at; /* when asleep_ms was read; 0: never */
};

/* An open file of a GPU. Descriptors that share an open file description count once. */
struct client {
	int pid, fd;
	size_t card;
	bool fresh;    /* found in this reading */
	unsigned lost; /* readings since the descriptor was closed; a duplicate may still be open */
	struct gpu_fdinfo last;
};

struct gpu_drm {
	const struct root *r;
	size_t first, cards, clients;
	bool had_pids; /* an earlier reading was given processes */
	unsigned readings;
	int64_t at; /* time of the previous reading */
	/* PIDs whose descriptors the previous reading knew, as a bit set by hash. On a collision
	 * a new process waits for the next scan of all. */
	unsigned char scanned[SCANNED_BITS / 8];
	struct card card[CARDS_MAX];
	struct client client[CLIENTS_MAX];
};

/* -- cards ------------------------------------------------------------------------------------- */

static double read_number(const struct root *r, const char *folder, const char *file)
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

static bool is_gpu_driver(const char *driver)
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

/* The device's uevent file identifies it without a call into its driver. */
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
	return is_gpu_driver(c->driver) && c->slot[0] ? 0 : -1;
}

/* "card0" is a GPU, "card0-DP-1" one of its connectors. */
static bool is_card(const char *name)
{
	if (strncmp(name, "card", 4) != 0 || !name[4] || strlen(name) > 11)
		return false;
	return name[4 + strspn(name + 4, "0123456789")] == '\0';
}

static int is_gpu_card(void *ctx, const char *name, bool is_dir)
{
	struct card c;

	(void)is_dir;
	return is_card(name) && read_card(ctx, name, &c) == 0;
}

bool gpu_drm_present(const struct root *r)
{
	struct root copy = *r;

	return root_list(r, "sys/class/drm", is_gpu_card, &copy) == 1;
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

/* The first line of a file of the device; "" if it cannot be read. */
static void read_device_line(const struct root *r, const struct card *c, const char *file,
                             char out[64])
{
	char path[64];
	long n;

	snprintf(path, sizeof path, "%s/device/%s", c->path, file);
	n = root_read(r, path, out, 64);
	if (n < 0)
		out[0] = '\0';
	out[strcspn(out, "\n")] = '\0';
}

/* The UUID is the serial number, which stays with the card, or else the PCI slot. */
static void describe_card(const struct gpu_drm *g, const struct card *c, struct gpu_device *d)
{
	char text[64];

	read_device_line(g->r, c, "unique_id", text);
	if (strspn(text, "0123456789abcdef") == strlen(text) && strspn(text, "0") < strlen(text))
		snprintf(d->uuid, sizeof d->uuid, "GPU-%s", text);
	else
		snprintf(d->uuid, sizeof d->uuid, "PCI-%s", c->slot);
	read_device_line(g->r, c, "product_name", text);
	if (text[0])
		snprintf(d->name, sizeof d->name, "%s", text);
	else
		snprintf(d->name, sizeof d->name, "%s GPU %s", is_amd(c) ? "AMD" : "Intel", c->id);
}

static double read_vram(const struct gpu_drm *g, const struct card *c, const char *file)
{
	char folder[64];

	if (strcmp(c->slot, INTEL_IGPU) == 0)
		return 0;
	snprintf(folder, sizeof folder, "%s/device", c->path);
	return read_number(g->r, folder, file);
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
		describe_card(g, &g->card[i], d);
		d->memory_b = read_vram(g, &g->card[i], "mem_info_vram_total");
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

/* -- values of a GPU --------------------------------------------------------------------------- */

/* The sleep time of the first GT, which renders and computes. i915 has had two paths, xe has
 * one. */
static double read_asleep_ms(const struct gpu_drm *g, const struct card *c)
{
	static const char *const files[] = {"gt/gt0/rc6_residency_ms", "power/rc6_residency_ms",
	                                    "device/tile0/gt0/gtidle/idle_residency_ms"};
	double ms = NAN;

	for (size_t i = 0; i < sizeof files / sizeof *files && isnan(ms); i++)
		ms = read_number(g->r, c->path, files[i]);
	return ms;
}

static double awake_since_last(const struct gpu_drm *g, struct card *c, int64_t now)
{
	double ms = read_asleep_ms(g, c), share = NAN;

	if (c->asleep_at && now > c->asleep_at)
		share = 1 - (ms - c->asleep_ms) * 1e6 / (double)(now - c->asleep_at);
	c->asleep_ms = ms;
	c->asleep_at = now;
	if (share < 0)
		return 0;
	return share > 1 ? 1 : share;
}

static void read_card_values(struct gpu_drm *g, size_t i, int64_t now, struct gpu_device *d)
{
	struct card *c = &g->card[i];
	double milli, micro;
	char folder[64];

	snprintf(folder, sizeof folder, "%s/device", c->path);
	d->used_b = read_vram(g, c, "mem_info_vram_used");
	if (is_amd(c)) {
		d->utilisation = read_number(g->r, folder, "gpu_busy_percent") / 100;
		d->utilisation = d->utilisation > 1 ? 1 : d->utilisation;
	} else {
		d->utilisation = awake_since_last(g, c, now);
	}
	d->by_process = true;
	if (!c->hwmon[0])
		return;
	micro = read_number(g->r, c->hwmon, "power1_average");
	if (isnan(micro))
		micro = read_number(g->r, c->hwmon, "power1_input");
	milli = read_number(g->r, c->hwmon, "temp1_input");
	d->power_w = micro / 1e6;
	d->temperature_c = milli / 1e3;
}

/* -- use by processes -------------------------------------------------------------------------- */

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

/* The GPU of a file; if fdinfo has no drm-pdev, the only GPU. */
static int card_of(const struct gpu_drm *g, const struct gpu_fdinfo *f)
{
	for (size_t i = 0; i < g->cards; i++)
		if (strcmp(g->card[i].slot, f->pdev) == 0)
			return (int)i;
	return !f->pdev[0] && g->cards == 1 ? 0 : -1;
}

/* Whether the file is known already. A lost client continues under this descriptor. */
static bool is_known_client(struct gpu_drm *g, int pid, int fd, size_t card,
                            const struct gpu_fdinfo *f)
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
	if (card < 0 || is_known_client(g, pid, fd, (size_t)card, &f))
		return;
	g->client[g->clients++] =
	    (struct client){.pid = pid, .fd = fd, .card = (size_t)card, .fresh = true, .last = f};
}

struct fd_scan {
	struct gpu_drm *g;
	int pid, left;
};

static int scan_fd(void *ctx, const char *name, bool is_dir)
{
	struct fd_scan *l = ctx;
	struct scan s = scan_text(name, strlen(name));
	int fd;

	(void)is_dir;
	if (scan_int(&s, &fd) && s.p == s.end)
		add_client(l->g, l->pid, fd);
	return --l->left <= 0;
}

static bool was_scanned(const unsigned char *bits, int pid)
{
	unsigned at = (unsigned)pid % SCANNED_BITS;

	return bits[at / 8] >> at % 8 & 1;
}

/* Scans the descriptors of new processes, and of all processes every SCAN_EVERY readings. */
static void scan_pids(struct gpu_drm *g, const int *pids, size_t n, struct gpu_reading *t)
{
	bool all = g->readings % SCAN_EVERY == 0;

	for (size_t i = 0; i < n; i++) {
		struct fd_scan l = {.g = g, .pid = pids[i], .left = FDS_MAX};
		char path[64];
		if (!all && was_scanned(g->scanned, pids[i]))
			continue;
		snprintf(path, sizeof path, "proc/%d/fdinfo", pids[i]);
		if (root_list(g->r, path, scan_fd, &l) < 0 && errno == EACCES)
			t->denied = true;
	}
	memset(g->scanned, 0, sizeof g->scanned);
	for (size_t i = 0; i < n; i++) {
		unsigned at = (unsigned)pids[i] % SCANNED_BITS;
		g->scanned[at / 8] |= (unsigned char)(1u << at % 8);
	}
}

/* A counter that went backwards keeps its old value until it has caught up. */
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

static void add_client_use(struct gpu_drm *g, struct client *c, double busy, struct gpu_reading *t)
{
	struct gpu_process *p = gpu_reading_process(t, (int)(g->first + c->card), c->pid);

	if (!p)
		return;
	p->used_b += c->last.vram_b;
	p->utilisation = p->utilisation + busy < 1 ? p->utilisation + busy : 1;
}

/* False if the descriptor was closed, or now refers to another file. */
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
	add_client_use(g, c, busy, t);
	return true;
}

/* A lost client is forgotten after the next scan of all processes. */
static void read_clients(struct gpu_drm *g, int64_t elapsed, struct gpu_reading *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < g->clients; i++) {
		struct client *c = &g->client[i];
		if (!read_client(g, c, elapsed, t) && ++c->lost > SCAN_EVERY)
			continue;
		if (kept != i)
			g->client[kept] = *c;
		kept++;
	}
	g->clients = kept;
}

void gpu_drm_read(struct gpu_drm *g, const int *pids, size_t n, int64_t now, struct gpu_reading *t)
{
	int64_t elapsed = g->at ? now - g->at : 0;

	for (size_t i = 0; i < g->cards; i++)
		read_card_values(g, i, now, &t->device[g->first + i]);
	read_clients(g, elapsed, t);
	scan_pids(g, pids, n, t);
	/* Charge a new client's usage to this interval, except on the first scan. */
	for (size_t i = 0; i < g->clients; i++) {
		struct client *c = &g->client[i];
		if (!c->fresh)
			continue;
		c->fresh = false;
		add_client_use(g, c, g->had_pids ? gpu_fdinfo_busy(NULL, &c->last, elapsed) : 0, t);
	}
	g->had_pids |= n > 0;
	g->at = now;
	g->readings++;
}
