/* keeper_cli: queries a Keeper API and prints the result as JSON, for keeper*.test.mjs.
 *
 * keeper_cli URL VCPUS MEMORY_MIB [vendor=V] [region=R] [arch=A] [compliance=C] [currency=C]
 * [country=C] [cpu=KIND] [gpu=N] [vram=MIB] [servers=N] [present=VENDOR/TYPE/REGION] [cache=DIR]
 * [offline=1] [spot=1] [machine=VENDOR/TYPE/REGION …]
 *
 * With machines, it prints their prices per hour, in order, and where these are from. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/json/json_write.h"
#include "fleet/groups/keeper_machines.h"
#include "report/prices/keeper.h"
#include "report/prices/price_fetcher.h"

static const char *after(const char *arg, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(arg, name, n) && arg[n] == '=' ? arg + n + 1 : NULL;
}

static void add(struct opts_list *list, const char *word)
{
	if (list->n < OPTS_LIST_MAX)
		list->v[list->n++] = word;
}

static void read_present(struct keeper_query *q, char *text)
{
	q->present_vendor = strsep(&text, "/");
	q->present_type = strsep(&text, "/");
	q->present_region = strsep(&text, "/");
}

static void read_arg(struct keeper_query *q, char *arg)
{
	const char *v;

	if ((v = after(arg, "vendor")))
		add(&q->of.vendor, v);
	else if ((v = after(arg, "region")))
		add(&q->of.region, v);
	else if ((v = after(arg, "arch")))
		add(&q->of.arch, v);
	else if ((v = after(arg, "compliance")))
		add(&q->of.compliance, v);
	else if ((v = after(arg, "country")))
		add(&q->of.country, v);
	else if ((v = after(arg, "cpu")))
		add(&q->of.cpu_allocation, v);
	else if ((v = after(arg, "currency")))
		q->currency = v;
	else if ((v = after(arg, "cache")))
		q->cache_dir = v;
	else if (after(arg, "offline"))
		q->offline = true;
	else if (after(arg, "spot"))
		q->spot = true;
	else if ((v = after(arg, "timeout"))) /* in s; 0: the default */
		q->timeout_s = strtod(v, NULL);
	else if ((v = after(arg, "gpu")))
		q->gpu = strtod(v, NULL);
	else if ((v = after(arg, "vram")))
		q->vram_mib = strtod(v, NULL);
	else if ((v = after(arg, "servers")))
		q->servers = atoi(v);
	else if (after(arg, "present"))
		read_present(q, arg + strlen("present="));
}

static void put_server(struct json_write *j, const char *key, const struct keeper_server *s)
{
	json_write_object(j, key);
	json_write_str(j, "vendor", s->vendor_id);
	json_write_str(j, "vendor_name", s->vendor_name);
	json_write_str(j, "server", s->server_id);
	json_write_str(j, "name", s->name);
	json_write_str(j, "arch", s->arch);
	json_write_num(j, "cpus", s->vcpus);
	json_write_num(j, "memory", s->memory_mib);
	json_write_num(j, "gpus", s->gpu_count);
	json_write_num(j, "price", s->price_hour);
	json_write_num(j, "ondemand", s->price_ondemand);
	json_write_num(j, "spot", s->price_spot);
	json_write_num(j, "month", s->price_month);
	json_write_num(j, "score", s->score);
	json_write_num(j, "billing_min", s->billing_min_s);
	json_write_num(j, "billing_increment", s->billing_increment_s);
	json_write_object_end(j);
}

static void put(struct json_write *j, const struct keeper_result *r)
{
	json_write_object(j, NULL);
	json_write_bool(j, "known", r->known);
	json_write_str(j, "why", r->why);
	json_write_str(j, "wrong", r->wrong);
	json_write_str(j, "filters_why", r->filters_why);
	json_write_str(j, "asked", r->asked);
	json_write_str(j, "currency", r->currency);
	json_write_num(j, "retrieved_at", r->retrieved_at);
	json_write_bool(j, "present_known", r->present_known);
	json_write_num(j, "present_price", r->present.price_hour);
	put_server(j, "present", &r->present);
	json_write_num(j, "age", *r->age_why ? fmax(1, (double)time(NULL) - r->retrieved_at) : 0);
	json_write_str(j, "age_why", r->age_why);
	json_write_str(j, "cache_why", r->cache_why);
	json_write_str(j, "present_where", r->present_where);
	json_write_str(j, "present_why", r->present_why);
	json_write_array(j, "servers");
	for (size_t i = 0; i < r->n; i++)
		put_server(j, NULL, &r->server[i]);
	json_write_array_end(j);
	json_write_object_end(j);
}

static void copy_word(char *out, size_t size, const char *word)
{
	snprintf(out, size, "%s", word ? word : "");
}

/* Prints nothing and returns false if no argument names a machine. */
static bool put_machines(struct json_write *j, const struct keeper_query *q, char **argv)
{
	struct keeper_machines *k = keeper_machines_new(q);
	struct keeper_machines_count n;
	struct buf basis = {0};
	bool any = false;

	if (!k)
		return false;
	json_write_object(j, NULL);
	json_write_array(j, "prices");
	for (; *argv; argv++) {
		char *text = after(*argv, "machine") ? *argv + strlen("machine=") : NULL;
		struct catalog_machine m = {.vcpus = NAN, .memory_b = NAN, .gpus = NAN};
		if (!text)
			continue;
		copy_word(m.vendor, sizeof m.vendor, strsep(&text, "/"));
		copy_word(m.instance, sizeof m.instance, strsep(&text, "/"));
		copy_word(m.region, sizeof m.region, strsep(&text, "/"));
		json_write_num(j, NULL, keeper_machines_price(k, &m));
		any = true;
	}
	json_write_array_end(j);
	n = keeper_machines_counted(k);
	json_write_num(j, "types", (double)n.types);
	json_write_num(j, "unpriced", (double)n.unpriced);
	json_write_num(j, "lowest", (double)n.lowest);
	json_write_num(j, "unknown", (double)n.unknown);
	json_write_num(j, "retrieved_at", n.retrieved_at);
	keeper_machines_basis(k, &basis);
	json_write_str(j, "basis", buf_cstr(&basis));
	json_write_object_end(j);
	buf_free(&basis);
	keeper_machines_free(k);
	return any;
}

int main(int argc, char **argv)
{
	struct keeper_result *r = calloc(1, sizeof *r);
	struct price_fetcher fetcher = {0};
	struct keeper_query q = {.cache_dir = "", .fetcher = &fetcher};
	struct json_write j = {0};
	int rc = 1;

	if (argc < 4 || !r) {
		fprintf(stderr, "usage: keeper_cli URL VCPUS MEMORY_MIB [KEY=VALUE …]\n");
		goto out;
	}
	q.base_url = argv[1];
	q.vcpus = strtod(argv[2], NULL);
	q.memory_mib = strtod(argv[3], NULL);
	for (int i = 4; i < argc; i++)
		read_arg(&q, argv[i]);
	price_fetcher_start(&fetcher, q.base_url, q.timeout_s);
	if (put_machines(&j, &q, argv + 4)) {
		rc = 0;
	} else {
		json_write_free(&j);
		j = (struct json_write){0};
		rc = keeper_ask(&q, r, NULL) ? 4 : 0;
		put(&j, r);
	}
	if (json_write_finish(&j))
		puts(buf_cstr(&j.b));
out:
	price_fetcher_stop(&fetcher);
	json_write_free(&j);
	free(r);
	return rc;
}
