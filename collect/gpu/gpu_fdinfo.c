/* gpu_fdinfo: the use counters of one open GPU file, from /proc/PID/fdinfo/FD. */
#include "collect/gpu/gpu_fdinfo.h"

#include <string.h>

#include "collect/procfs/scan.h"
#include "core/base/quantity.h"

#define REGIONS 8

/* One memory region. Drivers report up to three keys per region; the highest rank is best. */
struct region {
	char name[16];
	int rank; /* 0: unused */
	double b;
};

/* Reads NAME of "drm-KIND-NAME: value" and moves s past the colon. */
static bool scan_key_name(struct scan *s, const char *kind, char *name, size_t size)
{
	struct scan at = *s, word;
	const char *colon;

	if (!scan_literal(&at, kind))
		return false;
	colon = memchr(at.p, ':', (size_t)(at.end - at.p));
	if (!colon || colon == at.p)
		return false;
	word = (struct scan){at.p, colon};
	if (!scan_copy(word, name, size))
		return false;
	s->p = colon + 1;
	return true;
}

static struct gpu_fdinfo_engine *engine_of(struct gpu_fdinfo *f, const char *name)
{
	struct gpu_fdinfo_engine *e;

	for (size_t i = 0; i < f->engines; i++)
		if (strcmp(f->engine[i].name, name) == 0)
			return &f->engine[i];
	if (f->engines == GPU_FDINFO_ENGINES)
		return NULL;
	e = &f->engine[f->engines++];
	*e = (struct gpu_fdinfo_engine){.capacity = 1};
	memcpy(e->name, name, sizeof e->name);
	return e;
}

/* "drm-engine-capacity-" must be tried before "drm-engine-", its prefix. */
static bool engine_line(struct scan s, struct gpu_fdinfo *f)
{
	static const struct {
		const char *kind;
		int what;
	} kinds[] = {{"drm-engine-capacity-", 'c'},
	             {"drm-engine-", 'n'},
	             {"drm-total-cycles-", 't'},
	             {"drm-cycles-", 'y'}};
	char name[16] = "";
	struct gpu_fdinfo_engine *e;
	size_t i = 0;
	uint64_t v;

	while (i < 4 && !scan_key_name(&s, kinds[i].kind, name, sizeof name))
		i++;
	if (i == 4 || !scan_u64(&s, &v) || !(e = engine_of(f, name)))
		return false;
	if (kinds[i].what == 'c')
		e->capacity = v ? v : 1;
	else if (kinds[i].what == 'n')
		e->busy_ns = v, e->has_ns = true;
	else if (kinds[i].what == 't')
		e->total_cycles = v, e->has_total = true;
	else
		e->cycles = v, e->has_cycles = true;
	return true;
}

static double parse_size(struct scan s)
{
	uint64_t v;
	struct scan unit;

	if (!scan_u64(&s, &v))
		return 0;
	if (!scan_word(&s, &unit))
		return (double)v;
	if (scan_is(unit, "KiB"))
		return (double)v * QUANTITY_KIB;
	if (scan_is(unit, "MiB"))
		return (double)v * QUANTITY_MIB;
	return scan_is(unit, "GiB") ? (double)v * QUANTITY_GIB : (double)v;
}

/* Drivers call the GPU's own memory vram, vram0, local0 … */
static void memory_line(struct scan s, struct region *regions)
{
	static const char *const kinds[] = {"drm-total-", "drm-memory-", "drm-resident-"};
	char name[16] = "";
	int rank = 0;

	for (int i = 0; i < 3 && !rank; i++)
		if (scan_key_name(&s, kinds[i], name, sizeof name))
			rank = i + 1;
	if (!rank || (strncmp(name, "vram", 4) != 0 && strncmp(name, "local", 5) != 0))
		return;
	for (int i = 0; i < REGIONS; i++) {
		struct region *r = &regions[i];
		if (r->rank && strcmp(r->name, name) != 0)
			continue;
		if (rank > r->rank) {
			memcpy(r->name, name, sizeof r->name);
			r->rank = rank;
			r->b = parse_size(s);
		}
		return;
	}
}

static void copy_word(struct scan s, char *out, size_t size)
{
	struct scan word;

	if (scan_word(&s, &word))
		(void)scan_copy(word, out, size);
}

int gpu_fdinfo_parse(const char *text, size_t n, struct gpu_fdinfo *out)
{
	struct scan s = scan_text(text, n), line;
	struct region regions[REGIONS] = {{.rank = 0}};

	*out = (struct gpu_fdinfo){.has_client = false};
	while (scan_line(&s, &line)) {
		if (scan_literal(&line, "drm-driver:"))
			copy_word(line, out->driver, sizeof out->driver);
		else if (scan_literal(&line, "drm-pdev:"))
			copy_word(line, out->pdev, sizeof out->pdev);
		else if (scan_literal(&line, "drm-client-id:"))
			out->has_client = scan_u64(&line, &out->client);
		else if (!engine_line(line, out))
			memory_line(line, regions);
	}
	for (int i = 0; i < REGIONS; i++)
		out->vram_b += regions[i].b;
	return out->driver[0] ? 0 : -1;
}

static uint64_t counter_growth(uint64_t before, uint64_t now)
{
	return now > before ? now - before : 0;
}

static double engine_busy(const struct gpu_fdinfo_engine *before,
                          const struct gpu_fdinfo_engine *now, int64_t elapsed_ns)
{
	double busy = 0, whole = 0;

	if (now->has_ns) {
		busy = (double)counter_growth(before->busy_ns, now->busy_ns);
		whole = (double)elapsed_ns;
	} else if (now->has_cycles && now->has_total) {
		busy = (double)counter_growth(before->cycles, now->cycles);
		whole = (double)counter_growth(before->total_cycles, now->total_cycles);
	}
	if (!(whole > 0))
		return 0;
	busy /= whole * (double)now->capacity;
	return busy > 1 ? 1 : busy;
}

double gpu_fdinfo_busy(const struct gpu_fdinfo *before, const struct gpu_fdinfo *now,
                       int64_t elapsed_ns)
{
	static const struct gpu_fdinfo_engine none = {.capacity = 1};
	double most = 0;

	for (size_t i = 0; i < now->engines; i++) {
		const struct gpu_fdinfo_engine *old = &none;
		double busy;
		for (size_t k = 0; before && k < before->engines; k++)
			if (strcmp(before->engine[k].name, now->engine[i].name) == 0)
				old = &before->engine[k];
		busy = engine_busy(old, &now->engine[i], elapsed_ns);
		most = busy > most ? busy : most;
	}
	return most;
}
