/* made_group: the groups of a made-up fleet. */
#include "tests/bench/fleet/made_group.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/recording/snapshot.h"
#include "tests/bench/fleet/made_random.h"

#define BIT(kind) (1u << (kind))
#define GIB(n)    ((n)*MADE_GIB)
/* Of a virtual machine: what its kernel leaves, in whole MiB. */
#define USABLE(n) ((double)(int)((n)*0.968 * 1024) * 1048576)
#define NO_GPU    .gpus = 0, .gpu = ""

static const struct made_machine machines[] = {
    {"", "", "", "Debian GNU/Linux 12 (bookworm)", 64, GIB(251.5), NO_GPU,
     .kinds = BIT(MADE_HPC) | BIT(MADE_ADHOC), .hosts = 48},
    {"", "", "", "Debian GNU/Linux 12 (bookworm)", 128, GIB(1007.3), NO_GPU, .kinds = BIT(MADE_HPC),
     .hosts = 8},
    {"", "", "", "Ubuntu 22.04.4 LTS", 32, GIB(503.6), .gpus = 4, .vram_b = GIB(80),
     .gpu = "NVIDIA A100-SXM4-80GB", .kinds = BIT(MADE_ML), .hosts = 6},
    {"aws", "g4dn.xlarge", "us-east-1", "Amazon Linux 2023", 4, USABLE(16), .gpus = 1,
     .vram_b = GIB(15), .gpu = "Tesla T4", .kinds = BIT(MADE_ML), .hosts = 20},
    {"aws", "m5.2xlarge", "us-east-1", "Amazon Linux 2023", 8, USABLE(32), NO_GPU,
     .kinds = BIT(MADE_PIPELINE) | BIT(MADE_CI), .hosts = 200},
    {"aws", "c5.4xlarge", "us-east-1", "Amazon Linux 2023", 16, USABLE(32), NO_GPU,
     .kinds = BIT(MADE_PIPELINE), .hosts = 120},
    {"aws", "r5.4xlarge", "eu-west-1", "Amazon Linux 2023", 16, USABLE(128), NO_GPU,
     .kinds = BIT(MADE_PIPELINE), .hosts = 60},
    {"gcp", "n2-standard-16", "us-central1", "Debian GNU/Linux 12 (bookworm)", 16, USABLE(64),
     NO_GPU, .kinds = BIT(MADE_PIPELINE), .hosts = 80},
    {"gcp", "e2-standard-8", "europe-west1", "Debian GNU/Linux 12 (bookworm)", 8, USABLE(32),
     NO_GPU, .kinds = BIT(MADE_PIPELINE) | BIT(MADE_CI), .hosts = 80},
    {"azure", "Standard_D8s_v5", "westeurope", "Ubuntu 22.04.4 LTS", 8, USABLE(32), NO_GPU,
     .kinds = BIT(MADE_CI), .hosts = 40},
    {"hcloud", "cx23", "fsn1", "Debian GNU/Linux 12 (bookworm)", 2, USABLE(4), NO_GPU,
     .kinds = BIT(MADE_CI), .hosts = 12},
};

#define MACHINES (sizeof machines / sizeof *machines)

#define VERBS 6

static const struct kind {
	double share; /* of all groups */
	const char *verb[VERBS];
	const char *source;
	double need_low_b, need_high_b, wall_low_s, wall_high_s, arrays, nodes;
} kinds[MADE_KINDS] = {
    [MADE_HPC] = {.share = 0.38,
                  .verb = {"simulate", "align", "assemble", "screen", "render", "relax"},
                  .source = SNAPSHOT_ASKED_SCHEDULER,
                  .need_low_b = GIB(1),
                  .need_high_b = GIB(120),
                  .wall_low_s = 600,
                  .wall_high_s = 30000,
                  .arrays = 0.25,
                  .nodes = 0.15},
    [MADE_PIPELINE] = {.share = 0.3,
                       .verb = {"extract", "import", "merge", "index", "aggregate", "export"},
                       .source = SNAPSHOT_ASKED_ENVIRONMENT,
                       .need_low_b = GIB(0.5),
                       .need_high_b = GIB(60),
                       .wall_low_s = 120,
                       .wall_high_s = 9000},
    [MADE_CI] = {.share = 0.16,
                 .verb = {"build", "test", "lint", "package", "bench", "deploy"},
                 .source = SNAPSHOT_ASKED_MACHINE,
                 .need_low_b = GIB(0.2),
                 .need_high_b = GIB(8),
                 .wall_low_s = 40,
                 .wall_high_s = 1500},
    [MADE_ML] = {.share = 0.11,
                 .verb = {"train", "finetune", "embed", "evaluate", "sample", "distill"},
                 .source = SNAPSHOT_ASKED_SCHEDULER,
                 .need_low_b = GIB(4),
                 .need_high_b = GIB(90),
                 .wall_low_s = 1800,
                 .wall_high_s = 60000,
                 .arrays = 0.1,
                 .nodes = 0.15},
    [MADE_ADHOC] = {.share = 0.05,
                    .verb = {"plot", "explore", "convert", "clean", "check", "count"},
                    .source = "",
                    .need_low_b = GIB(0.1),
                    .need_high_b = GIB(20),
                    .wall_low_s = 20,
                    .wall_high_s = 2000},
};

#define OBJECTS 32

static const char *const objects[OBJECTS] = {
    "genomes",  "reads",    "images",  "orders",   "events",  "climate",  "proteins", "ligands",
    "meshes",   "frames",   "logs",    "variants", "contigs", "spectra",  "catalogs", "tiles",
    "sessions", "invoices", "posts",   "audio",    "video",   "maps",     "sensors",  "prices",
    "weather",  "cells",    "tissues", "galaxies", "flows",   "seismics", "docs",     "archives"};

static const char *const teams[] = {"genomics", "physics", "platform", "vision",
                                    "climate",  "finance", "search"};

/* -- names ------------------------------------------------------------------------------------- */

void made_user_name(size_t user, char out[32])
{
	static const char *const names[] = {"ann",  "ben", "cleo", "dan",  "eva",  "finn", "gita",
	                                    "hugo", "ida", "jan",  "kim",  "lena", "mato", "nora",
	                                    "omar", "pia", "quin", "rosa", "sam",  "tess"};
	size_t n = sizeof names / sizeof *names;

	snprintf(out, 32, user < n ? "%s" : "%s%zu", names[user % n], user / n + 1);
}

void made_host_name(const struct made_machine *m, size_t i, char out[64])
{
	if (*m->vendor)
		snprintf(out, 64, "ip-10-%zu-%zu-%zu", (size_t)(m - machines), i / 200,
		         10 + i % 200);
	else
		snprintf(out, 64, "%s%02zu",
		         m->gpus > 0     ? "gpu"
		         : m->vcpus > 64 ? "fat"
		                         : "n",
		         i + 1);
}

/* No two numbers have the same name: within a kind, of a number's quotient and remainder. */
static void name_group(struct made_group *g)
{
	uint64_t q = g->number / VERBS, r = g->number % VERBS;
	const char *verb = kinds[g->kind].verb[r];
	const char *object = objects[(q + 5 * r + 11 * (uint64_t)g->kind) % OBJECTS];

	if (q < OBJECTS)
		snprintf(g->name, sizeof g->name, "%s-%s", verb, object);
	else
		snprintf(g->name, sizeof g->name, "%s-%s-%llu", verb, object,
		         (unsigned long long)(q / OBJECTS + 1));
}

/* -- what it asks for, and what it needs ------------------------------------------------------- */

double made_round_memory(double bytes)
{
	double step = MADE_GIB / 2;

	while (step * 8 < bytes)
		step *= 2;
	return ceil(bytes / step) * step;
}

static enum made_kind pick_kind(struct made_random *r)
{
	double share = made_share(r);
	int kind = 0;

	while (kind < MADE_KINDS - 1 && share >= kinds[kind].share)
		share -= kinds[kind++].share;
	return (enum made_kind)kind;
}

static const struct made_machine *pick_machine(struct made_random *r, enum made_kind kind)
{
	size_t i;

	do
		i = made_pick(r, MACHINES);
	while (!(machines[i].kinds & BIT(kind)));
	return &machines[i];
}

/* A third of all asks fit; the others are two to twenty times the need. */
static void ask_memory(struct made_group *g, struct made_random *r)
{
	double sort = made_share(r), factor = made_scale(r, 4, 20), ask;

	if (sort < 0.33)
		factor = made_between(r, 1.15, 1.5);
	else if (sort < 0.7)
		factor = made_between(r, 1.6, 4);
	g->need_b = fmin(made_scale(r, kinds[g->kind].need_low_b, kinds[g->kind].need_high_b),
	                 0.8 * g->machine->memory_b);
	ask = made_round_memory(g->need_b * factor);
	g->asked_memory_b = fmin(ask, g->machine->memory_b);
}

static void ask_cpus(struct made_group *g, struct made_random *r)
{
	static const double asks[] = {1, 2, 2, 4, 4, 8, 8, 16, 16, 32, 64};
	double sort = made_share(r);

	do
		g->asked_cpus = asks[made_pick(r, sizeof asks / sizeof *asks)];
	while (g->asked_cpus > g->machine->vcpus);
	if (g->kind == MADE_CI)
		g->asked_cpus = g->machine->vcpus;
	if (sort < 0.4) /* it uses what it asks for */
		g->cores = g->asked_cpus * made_between(r, 0.75, 0.97);
	else if (sort < 0.65)
		g->cores = g->asked_cpus * made_between(r, 0.25, 0.6);
	else if (sort < 0.9) /* one thread, whatever it asks for */
		g->cores = made_between(r, 0.85, 0.99);
	else /* it waits for the disk or the network */
		g->cores = g->asked_cpus * made_between(r, 0.03, 0.15);
}

static void ask_time(struct made_group *g, struct made_random *r)
{
	double hours = 0.25;

	g->wall_s = made_scale(r, kinds[g->kind].wall_low_s, kinds[g->kind].wall_high_s);
	g->wall_spread = made_between(r, 0.05, 0.4);
	while (hours * 3600 < g->wall_s * (1.3 + 2 * g->wall_spread))
		hours *= 2;
	g->asked_time_s = hours * (made_share(r) < 0.3 ? 4 : 1) * 3600;
	if (strcmp(g->source, SNAPSHOT_ASKED_SCHEDULER) != 0)
		g->asked_time_s = NAN;
}

static void forget_asks(struct made_group *g)
{
	if (!*g->source)
		g->asked_cpus = g->asked_memory_b = g->asked_gpus = NAN;
	if (strcmp(g->source, SNAPSHOT_ASKED_MACHINE) == 0)
		g->asked_memory_b = g->machine->memory_b;
}

void made_group(struct made_group *g, uint64_t seed, uint64_t number)
{
	struct made_random r = made_stream(seed, 'g', number);
	double sort;

	memset(g, 0, sizeof *g);
	g->number = number;
	g->kind = pick_kind(&r);
	name_group(g);
	g->machine = pick_machine(&r, g->kind);
	g->source = kinds[g->kind].source;
	g->user = made_pick(&r, MADE_USERS);
	g->more_users = made_pick(&r, 4);
	g->team = teams[g->user % (sizeof teams / sizeof *teams)];
	ask_memory(g, &r);
	ask_cpus(g, &r);
	ask_time(g, &r);
	g->asked_gpus = g->machine->gpus > 0 ? ceil(made_share(&r) * g->machine->gpus) : NAN;
	g->gpu_share = made_between(&r, 0.05, 0.95);
	g->need_spread = made_between(&r, 0.02, 0.2);
	sort = made_share(&r);
	g->growth = sort < 0.2    ? made_between(&r, 1.2, 2.2)
	            : sort < 0.27 ? made_between(&r, 0.5, 0.9)
	                          : 1;
	g->read_b = made_scale(&r, 1e4, 2e8);
	g->fails = made_share(&r) < 0.06 ? made_between(&r, 0.2, 0.4) : made_between(&r, 0, 0.06);
	g->arrays = made_share(&r) < kinds[g->kind].arrays;
	g->nodes = !g->arrays && made_share(&r) < kinds[g->kind].nodes
	               ? 2 + 2 * (double)made_pick(&r, 2)
	               : 1;
	g->shape = (int)made_pick(&r, 4);
	forget_asks(g);
}
