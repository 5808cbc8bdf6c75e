/* mail_rules: when an owner of jobs is told about one. */
#include "fleet/owners/mail_rules.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/edit_distance.h"
#include "core/base/quantity.h"

#define ONE_CORE 1.05 /* cores: what a job with one thread uses, and what starts it */
#define SAME_ASK 0.01 /* means and largest asks differ by less: all runs ask for the same */

const char *mail_rules_name(enum mail_rule rule)
{
	static const char *const names[MAIL_RULES] = {
	    [MAIL_RULE_MEMORY] = "memory",     [MAIL_RULE_CPU] = "cpu",
	    [MAIL_RULE_ONE_CORE] = "one_core", [MAIL_RULE_TIME] = "time",
	    [MAIL_RULE_GPU] = "gpu",           [MAIL_RULE_NODE] = "node"};

	return names[rule];
}

/* -- the file ---------------------------------------------------------------------------------- */

enum rules_kind { NUMBER, SHARE, SIZE, TEXT };

#define AT(field) offsetof(struct mail_rules, field)

static const struct {
	const char *key;
	enum rules_kind kind;
	size_t at, size; /* of a TEXT */
	double value;    /* the default */
} keys[] = {
    {"runs", NUMBER, AT(runs), 0, 5},
    {"again_days", NUMBER, AT(again_days), 0, 30},
    {"memory_unused_gib_hours", NUMBER, AT(memory_gib_h), 0, 1000},
    {"memory_used_below", SHARE, AT(memory_share), 0, 0.5},
    {"cpu_core_hours", NUMBER, AT(cpu_core_h), 0, 100},
    {"cpu_used_below", SHARE, AT(cpu_share), 0, 0.5},
    {"one_core_core_hours", NUMBER, AT(one_core_core_h), 0, 100},
    {"one_core_cpus", NUMBER, AT(one_core_cpus), 0, 2},
    {"time_core_hours", NUMBER, AT(time_core_h), 0, 100},
    {"time_used_below", SHARE, AT(time_share), 0, 0.25},
    {"gpu_gpu_hours", NUMBER, AT(gpu_gpu_h), 0, 10},
    {"gpu_used_below", SHARE, AT(gpu_share), 0, 0.01},
    {"node_cpus", NUMBER, AT(node_cpus), 0, 0},
    {"node_memory", SIZE, AT(node_memory_b), 0, 0},
    {"node_core_hours", NUMBER, AT(node_core_h), 0, 100},
    {"node_free_above", SHARE, AT(node_share), 0, 0.25},
    {"from", TEXT, AT(from), MAIL_RULES_FROM, 0},
    {"note", TEXT, AT(note), MAIL_RULES_NOTE, 0},
};

#define KEYS (sizeof keys / sizeof *keys)

static void *field_of(struct mail_rules *r, size_t key)
{
	return (char *)r + keys[key].at;
}

struct mail_rules mail_rules_default(void)
{
	struct mail_rules r = {.runs = 0};

	for (size_t i = 0; i < KEYS; i++)
		if (keys[i].kind != TEXT)
			*(double *)field_of(&r, i) = keys[i].value;
	return r;
}

static int refuse_rule(const char *word, size_t n, struct err *e)
{
	size_t least = n / 2 + 1 < EDIT_DISTANCE_FAR ? n / 2 + 1 : EDIT_DISTANCE_FAR;
	const char *best = NULL;

	for (size_t i = 0; i < KEYS; i++) {
		size_t d = edit_distance(word, n, keys[i].key);
		if (d < least) {
			least = d;
			best = keys[i].key;
		}
	}
	return err_set(e, "there is no \"%.*s\"%s%s%s", (int)(n < 64 ? n : 64), word,
	               best ? "; did you mean " : " (docs/owners.md lists the keys)",
	               best ? best : "", best ? "?" : "");
}

/* "1000", "50%", "256GiB". */
static int set_threshold(struct mail_rules *r, size_t key, const char *text, size_t n,
                         struct err *e)
{
	char value[QUANTITY_MAX + 1];
	double v = NAN;
	size_t taken = 0;
	const char *rest;

	if (n <= QUANTITY_MAX) {
		memcpy(value, text, n);
		value[n] = '\0';
		taken = quantity_number(value, &v);
	}
	rest = value + taken;
	if (keys[key].kind == SIZE) {
		if (quantity_size(text, n, QUANTITY_WITH_UNIT, &v))
			return err_set(e, "%s: \"%.*s\" is not " QUANTITY_SIZE, keys[key].key,
			               (int)(n < 64 ? n : 64), text);
	} else if (keys[key].kind == SHARE) {
		if (!taken || strcmp(rest, "%") != 0 || !(v <= 100))
			return err_set(e, "%s: \"%.*s\" is not a percentage such as 50%%",
			               keys[key].key, (int)(n < 64 ? n : 64), text);
		v /= 100;
	} else if (!taken || *rest || !(v <= 1e15)) {
		return err_set(e, "%s: \"%.*s\" is not a number", keys[key].key,
		               (int)(n < 64 ? n : 64), text);
	}
	*(double *)field_of(r, key) = v;
	return 0;
}

/* From is a header as it is; rtrack cannot check more of an address. */
static int set_rules_text(struct mail_rules *r, size_t key, const char *text, size_t n,
                          struct err *e)
{
	char *field = field_of(r, key);

	if (n >= keys[key].size)
		return err_set(e, "%s: longer than %zu bytes", keys[key].key, keys[key].size - 1);
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f ||
		    (field == r->from && (unsigned char)text[i] > 0x7f))
			return err_set(e, "%s: a character that may not stand there",
			               keys[key].key);
	memcpy(field, text, n);
	field[n] = '\0';
	return 0;
}

static bool is_rules_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* One line without its end, and without blanks around it. */
static int parse_rule(struct mail_rules *r, const char *s, size_t n, struct err *e)
{
	const char *equals, *value;
	size_t word, rest;

	if (!n || *s == '#')
		return 0;
	equals = memchr(s, '=', n);
	if (!equals)
		return err_set(e, "\"%.*s\" is not KEY = VALUE", (int)(n < 64 ? n : 64), s);
	word = (size_t)(equals - s);
	value = equals + 1;
	rest = n - word - 1;
	while (word && is_rules_blank(s[word - 1]))
		word--;
	while (rest && is_rules_blank(*value)) {
		value++;
		rest--;
	}
	for (size_t i = 0; i < KEYS; i++)
		if (strlen(keys[i].key) == word && memcmp(keys[i].key, s, word) == 0)
			return keys[i].kind == TEXT ? set_rules_text(r, i, value, rest, e)
			                            : set_threshold(r, i, value, rest, e);
	return refuse_rule(s, word, e);
}

int mail_rules_parse(const char *text, size_t n, struct mail_rules *out, struct err *e)
{
	const char *end = text + n;

	for (size_t line = 1; text < end; line++) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *stop = newline ? newline : end, *next = newline ? newline + 1 : end;
		while (text < stop && is_rules_blank(*text))
			text++;
		while (stop > text && is_rules_blank(stop[-1]))
			stop--;
		if (parse_rule(out, text, (size_t)(stop - text), e))
			return err_wrap(e, "line %zu", line);
		text = next;
	}
	return 0;
}

int mail_rules_read(const char *path, struct mail_rules *out, struct err *e)
{
	char *text = malloc(MAIL_RULES_MAX + 1);
	int fd = text ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) : -1, failed = 0;
	size_t n = 0;
	ssize_t got = 0;

	if (fd < 0)
		failed = err_set(e, "%s: %s", path, text ? strerror(errno) : "no memory");
	while (fd >= 0 && n <= MAIL_RULES_MAX &&
	       (got = read(fd, text + n, MAIL_RULES_MAX + 1 - n)) > 0)
		n += (size_t)got;
	if (got < 0)
		failed = err_set(e, "%s: %s", path, strerror(errno));
	else if (n > MAIL_RULES_MAX)
		failed = err_set(e, "%s: larger than 64 KiB", path);
	else if (!failed && mail_rules_parse(text, n, out, e))
		failed = err_wrap(e, "%s", path);
	if (fd >= 0)
		close(fd);
	free(text);
	return failed;
}

/* -- a job ------------------------------------------------------------------------------------- */

static bool wastes_memory(const struct mail_rules *r, const struct fleet_group *g)
{
	return g->usage.memory.unused >= r->memory_gib_h &&
	       g->memory.p95 < r->memory_share * g->asked.memory_b && g->proposed.memory_b > 0 &&
	       g->proposed.memory_b < g->asked.memory_b;
}

static bool wastes_cpus(const struct mail_rules *r, const struct fleet_group *g)
{
	const struct fleet_hours *h = &g->usage.cores;

	return h->asked >= r->cpu_core_h && h->used < r->cpu_share * h->asked &&
	       g->proposed.cpus > 0 && g->proposed.cpus < g->asked.cpus;
}

static bool has_one_core(const struct mail_rules *r, const struct fleet_group *g)
{
	return r->one_core_cpus > 0 && g->usage.cores.asked >= r->one_core_core_h &&
	       g->cores.p95 <= ONE_CORE && g->asked.cpus >= fmax(r->one_core_cpus, 2) &&
	       g->proposed.cpus > 0 && g->proposed.cpus < g->asked.cpus;
}

static bool wastes_time(const struct mail_rules *r, const struct fleet_group *g)
{
	return g->usage.cores.asked >= r->time_core_h &&
	       g->wall.p95 < r->time_share * g->asked.time_s && g->proposed.time_s > 0 &&
	       g->proposed.time_s < g->asked.time_s;
}

static bool wastes_gpus(const struct mail_rules *r, const struct fleet_group *g)
{
	const struct fleet_hours *h = &g->usage.gpus;

	return h->asked >= r->gpu_gpu_h && h->used < r->gpu_share * h->asked &&
	       g->proposed.gpus >= 0 && g->proposed.gpus < g->asked.gpus;
}

/* The scarcer resource of a node limits how many jobs fit. */
struct mail_rules_fit mail_rules_fit(const struct mail_rules *r, const struct fleet_ask *ask)
{
	double cpus = r->node_cpus > 0 && ask->cpus > 0 ? ask->cpus / r->node_cpus : 0;
	double memory =
	    r->node_memory_b > 0 && ask->memory_b > 0 ? ask->memory_b / r->node_memory_b : 0;
	double share = fmax(cpus, memory), n;

	if (!(share > 0) || share > 1)
		return (struct mail_rules_fit){.at_once = 0};
	n = floor(1 / share + 1e-9);
	return (struct mail_rules_fit){
	    .at_once = n,
	    .free = fmax(0, 1 - n * share),
	    .cpus = floor(r->node_cpus / (n + 1)),
	    .memory_b = floor(r->node_memory_b / (n + 1)),
	};
}

static bool all_ask_same(double mean, double most)
{
	return isnan(mean) || isnan(most) || fabs(most - mean) <= SAME_ASK * most;
}

static bool fits_no_node(const struct mail_rules *r, const struct fleet_group *g)
{
	struct mail_rules_fit fit = mail_rules_fit(r, &g->most);

	return r->node_share > 0 && g->usage.cores.asked >= r->node_core_h &&
	       all_ask_same(g->asked.cpus, g->most.cpus) &&
	       all_ask_same(g->asked.memory_b, g->most.memory_b) && fit.at_once > 0 &&
	       fit.free > r->node_share;
}

unsigned mail_rules_broken(const struct mail_rules *r, const struct fleet_group *g)
{
	bool one_core = has_one_core(r, g);

	if (!(g->counted >= r->runs))
		return 0;
	return (unsigned)wastes_memory(r, g) << MAIL_RULE_MEMORY |
	       (unsigned)(!one_core && wastes_cpus(r, g)) << MAIL_RULE_CPU |
	       (unsigned)one_core << MAIL_RULE_ONE_CORE |
	       (unsigned)wastes_time(r, g) << MAIL_RULE_TIME |
	       (unsigned)wastes_gpus(r, g) << MAIL_RULE_GPU |
	       (unsigned)fits_no_node(r, g) << MAIL_RULE_NODE;
}
