/* fleet_model_openmetrics: a fleet as metric families of OpenMetrics 1.0. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "fleet/groups/fleet_model_parts.h"
#include "fleet/groups/fleet_model_words.h"
#include "report/model/openmetrics_family.h"
#include "report/units/model_json.h"

#define HOUR_S 3600.0
#define GIB    1073741824.0

/* Names and units must stay: dashboards compare by them. Of the whole fleet the name begins with
 * rtrack_fleet_, of one group with rtrack_fleet_group_, so that no sum counts a run twice. */
static const struct fleet_family {
	const char *name, *unit, *help;
	size_t member; /* of struct fleet_group, a double */
	double factor; /* to its unit; 0: 1 */
	bool money;    /* in the currency */
	bool group;    /* of groups only */
	bool more;     /* 0 is unknown */
} families[] = {
#define AT(path) .member = offsetof(struct fleet_group, path)
    {"runs", NULL, "Runs, those that are left out of the other values too.", AT(runs)},
    {"counted_runs", NULL, "Runs that the other values are of.", AT(counted)},
    {"failed_runs", NULL, "Runs that failed or were killed, not for memory.", AT(failed)},
    {"oom_runs", NULL, "Runs that were killed because memory ran out.", AT(oom)},
    {"asked_cpu_seconds", "seconds", "CPUs asked for, times wall time.", AT(usage.cores.asked),
     .factor = HOUR_S},
    {"unused_cpu_seconds", "seconds", "CPUs asked for and not used, times wall time.",
     AT(usage.cores.unused), .factor = HOUR_S},
    {"asked_memory_byte_seconds", "byte_seconds", "Memory asked for, times wall time.",
     AT(usage.memory.asked), .factor = HOUR_S * GIB},
    {"unused_memory_byte_seconds", "byte_seconds",
     "Memory asked for and not used, times wall time.", AT(usage.memory.unused),
     .factor = HOUR_S * GIB},
    {"asked_gpu_seconds", "seconds", "GPUs asked for, times wall time.", AT(usage.gpus.asked),
     .factor = HOUR_S},
    {"unused_gpu_seconds", "seconds", "GPUs asked for and not used, times wall time.",
     AT(usage.gpus.unused), .factor = HOUR_S},
    {"cost", NULL, "Cost of what was asked for.", AT(usage.money), .money = true},
    {"recoverable_cost", NULL, "What the same runs would cost less with the proposed asks.",
     AT(usage.recoverable), .money = true},
    {"recommended_cpus", "cpus", "CPUs to ask for next time.", AT(proposed.cpus), .group = true,
     .more = true},
    {"recommended_memory_bytes", "bytes", "Memory to ask for next time.", AT(proposed.memory_b),
     .group = true, .more = true},
    {"recommended_gpus", "gpus", "GPUs to ask for next time.", AT(proposed.gpus), .group = true},
    {"recommended_time_seconds", "seconds", "Time to ask for next time.", AT(proposed.time_s),
     .group = true, .more = true},
    {"would_fail_runs", NULL, "Runs that would have failed with these.", AT(would_fail),
     .group = true},
    {"fail_at_most_ratio", "ratio",
     "The chance that the next run fails with these, at most (95 % confidence).", AT(fail_at_most),
     .group = true},
    {"backtest_runs", NULL,
     "Runs of the later half on which the rule for memory was tried, learnt on the earlier half.",
     AT(backtest.runs), .group = true},
    {"backtest_failed_runs", NULL, "Of these, runs that it would have failed.", AT(backtest.failed),
     .group = true},
};

static double family_value(const struct fleet_family *of, const struct fleet_group *g)
{
	double v = *(const double *)((const char *)g + of->member);

	return of->more && !(v > 0) ? (double)NAN : v * (of->factor > 0 ? of->factor : 1);
}

static struct openmetrics_family begin_of(cJSON *all, const struct fleet_family *of,
                                          const char *prefix, char name[96])
{
	snprintf(name, 96, "%s%s", prefix, of->name);
	return (struct openmetrics_family){
	    .all = all, .name = name, .type = "gauge", .unit = of->unit, .help = of->help};
}

static void add_fleet_value(struct openmetrics_family *f, const struct fleet_family *of,
                            const char *member, const struct fleet_group *g,
                            const struct fleet_model_input *in)
{
	const char *currency = in->currency && *in->currency ? in->currency : "USD";

	openmetrics_member(f, member, of->money ? "currency" : NULL, currency, family_value(of, g));
}

static void add_fleet_totals(cJSON *all, const struct fleet *f, const struct fleet_model_input *in)
{
	const struct fleet_group sum = {.runs = f->runs,
	                                .counted = f->counted,
	                                .failed = f->failed,
	                                .oom = f->oom,
	                                .usage = f->usage};
	struct openmetrics_family groups = {
	    .all = all, .name = "rtrack_fleet_groups", .type = "gauge", .help = "Groups of runs."};
	char name[96];

	openmetrics_member(&groups, NULL, NULL, NULL, f->all_groups);
	for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
		struct openmetrics_family one = begin_of(all, &families[i], "rtrack_fleet_", name);
		if (!families[i].group)
			add_fleet_value(&one, &families[i], NULL, &sum, in);
	}
}

static void add_efficiency(cJSON *all, const struct fleet *f)
{
	const struct {
		const char *resource;
		const struct fleet_hours *hours;
	} of[] = {{"cpu", &f->usage.cores}, {"memory", &f->usage.memory}, {"gpu", &f->usage.gpus}};
	struct openmetrics_family one = {.all = all,
	                                 .name = "rtrack_fleet_efficiency_ratio",
	                                 .type = "gauge",
	                                 .unit = "ratio",
	                                 .help = "What was used, as a share of what was asked for.",
	                                 .label = "resource"};

	for (size_t i = 0; i < sizeof of / sizeof *of; i++)
		openmetrics_member(&one, of[i].resource, NULL, NULL,
		                   of[i].hours->used / of[i].hours->asked);
}

/* -- groups ------------------------------------------------------------------------------------ */

/* The names as labels, and of a name that an earlier group has, too, which one it is: OpenMetrics
 * allows no two samples with the same labels. Names that differ only in what an output replaces
 * count as the same. */
struct label {
	char *name, *plain;
	char same[32];
};

static void fill_label(struct label *v, size_t i, const struct fleet *f)
{
	struct buf whole = {0}, name = {0}, plain = {0};
	size_t same = 1;

	fleet_model_name(f, &f->group[i], &whole);
	model_json_cut_text(&name, buf_cstr(&whole), FLEET_MODEL_NAME);
	for (size_t k = 0; k < name.len; k++)
		buf_char(&plain, name.s[k] < 0x20 || name.s[k] > 0x7e ? '?' : name.s[k]);
	v[i].name = alloc_failed_note(buf_take(&name));
	v[i].plain = alloc_failed_note(buf_take(&plain));
	for (size_t k = 0; v[i].plain && k < i; k++)
		same += v[k].plain && strcmp(v[k].plain, v[i].plain) == 0;
	if (same > 1)
		snprintf(v[i].same, sizeof v[i].same, "%zu", same);
	buf_free(&whole);
}

static void add_group_families(cJSON *all, const struct fleet *f,
                               const struct fleet_model_input *in)
{
	size_t most = in->top ? in->top : FLEET_MODEL_TOP, n = f->n < most ? f->n : most;
	struct label *v = alloc_failed_note(calloc(n + 1, sizeof *v));
	char name[96];

	for (size_t i = 0; v && i < n; i++)
		fill_label(v, i, f);
	for (size_t k = 0; v && k < sizeof families / sizeof *families; k++) {
		struct openmetrics_family one =
		    begin_of(all, &families[k], "rtrack_fleet_group_", name);
		one.key = "group";
		one.label = "same_name";
		for (size_t i = 0; i < n; i++) {
			one.of = v[i].name;
			add_fleet_value(&one, &families[k], v[i].same, &f->group[i], in);
		}
	}
	for (size_t i = 0; v && i < n; i++) {
		free(v[i].name);
		free(v[i].plain);
	}
	free(v);
}

void fleet_model_add_openmetrics(cJSON *model, const struct fleet *f,
                                 const struct fleet_model_input *in)
{
	cJSON *all = cJSON_AddArrayToObject(model, "openmetrics");
	struct openmetrics_family gates = {.all = all};

	add_fleet_totals(all, f, in);
	add_efficiency(all, f);
	add_group_families(all, f, in);
	openmetrics_gates(&gates, in->gates);
}
