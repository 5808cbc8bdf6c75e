/* fleet_model_origins: where the runs of a fleet are from. */
#include "fleet/groups/fleet_model_parts.h"
#include "fleet/groups/fleet_model_words.h"
#include "report/units/model_json.h"
#include "report/units/units.h"

static const char *const words[IMPORT_ORIGINS] = {
    [IMPORT_RECORDED] = "recorded",
    [IMPORT_OF_SACCT] = "from Slurm's accounting",
    [IMPORT_OF_SEFF] = "from seff",
    [IMPORT_OF_NEXTFLOW] = "from traces of Nextflow",
    [IMPORT_OF_SNAKEMAKE] = "from benchmarks of Snakemake",
    [IMPORT_OF_TIME] = "from GNU time",
    [IMPORT_OF_DUCT] = "from con/duct",
    [IMPORT_RECORDED_AND_SACCT] = "recorded and accounted",
};

struct origin_counts {
	double runs, differ, cpu, memory, end, bound;
};

static struct origin_counts counts_of(const struct fleet *f, int origin)
{
	struct origin_counts n = {0};

	for (int what = 0; what < CATALOG_ORIGINS / CATALOG_DIFFERS; what++) {
		double runs = f->origins[origin + CATALOG_DIFFERS * what];
		n.runs += runs;
		n.differ += what % CATALOG_BOUND ? runs : 0;
		n.bound += what & CATALOG_BOUND ? runs : 0;
		n.cpu += what & CATALOG_DIFFERS_CPU ? runs : 0;
		n.memory += what & CATALOG_DIFFERS_MEMORY ? runs : 0;
		n.end += what & CATALOG_DIFFERS_END ? runs : 0;
	}
	return n;
}

static bool has_imports(const struct fleet *f)
{
	for (int i = IMPORT_RECORDED + 1; i < IMPORT_ORIGINS; i++)
		if (counts_of(f, i).runs > 0)
			return true;
	return false;
}

/* "; in 3 of the latter, …" */
static void say_both_origins(const struct origin_counts *n, struct buf *out)
{
	char count[UNITS_SIZE], cpu[UNITS_SIZE], memory[UNITS_SIZE], end[UNITS_SIZE];

	if (!(n->runs > 0))
		return;
	buf_str(out, " What a recording has goes before accounting, but for the end, the ask and "
	             "the account.");
	if (!(n->differ > 0)) {
		buf_str(out, " The two differ nowhere by more than sampling explains.");
		return;
	}
	buf_printf(out,
	           " In %s run%s they differ by more than sampling explains (CPU time %s, memory "
	           "%s, end %s).",
	           units_count(n->differ, count), n->differ == 1 ? "" : "s",
	           units_count(n->cpu, cpu), units_count(n->memory, memory),
	           units_count(n->end, end));
}

void fleet_model_origins_text(const struct fleet *f, struct buf *out)
{
	struct origin_counts both = counts_of(f, IMPORT_RECORDED_AND_SACCT);
	char count[UNITS_SIZE];
	double others = 0, bound = 0;

	if (!has_imports(f))
		return;
	buf_str(out, "Of these runs, ");
	for (int i = 0, said = 0; i < IMPORT_ORIGINS; i++) {
		double runs = counts_of(f, i).runs;
		if (!(runs > 0))
			continue;
		bound += counts_of(f, i).bound;
		others += i != IMPORT_RECORDED && i != IMPORT_RECORDED_AND_SACCT ? runs : 0;
		buf_printf(out, "%s%s %s %s", said++ ? ", " : "", units_count(runs, count),
		           runs == 1 ? "is" : "are", words[i]);
	}
	buf_char(out, '.');
	if (others > 0)
		buf_str(out, " Other programs give peaks, not means: there, memory is used at its "
		             "peak for the whole run, so at least as much is unused as is said.");
	if (bound > 0)
		buf_printf(
		    out,
		    " Of %s run%s accounting does not say how many tasks or which steps shared a "
		    "node (the columns NTasks, NNodes, NodeList, Start, End): the peak of memory "
		    "is a lower bound, from which no memory is proposed.",
		    units_count(bound, count), bound == 1 ? "" : "s");
	say_both_origins(&both, out);
}

void fleet_model_origins_add(cJSON *model, const struct fleet *f)
{
	static const struct fleet_model_input none;
	cJSON *origins = cJSON_AddObjectToObject(model, "origins"), *rows;
	struct buf text = {0};

	cJSON_AddBoolToObject(origins, "known", has_imports(f));
	fleet_model_origins_text(f, &text);
	model_json_take(origins, "text", &text);
	rows = cJSON_AddArrayToObject(origins, "rows");
	for (int i = 0; i < IMPORT_ORIGINS; i++) {
		struct origin_counts n = counts_of(f, i);
		cJSON *one;
		if (!(n.runs > 0))
			continue;
		one = model_json_row(rows);
		cJSON_AddStringToObject(one, "origin", import_origins[i]);
		cJSON_AddStringToObject(one, "label", words[i]);
		fleet_model_quantity(one, "runs", UNIT_COUNT, n.runs, &none);
		fleet_model_quantity(one, "memory_bound", UNIT_COUNT, n.bound, &none);
		fleet_model_quantity(one, "differ_cpu", UNIT_COUNT, n.cpu, &none);
		fleet_model_quantity(one, "differ_memory", UNIT_COUNT, n.memory, &none);
		fleet_model_quantity(one, "differ_end", UNIT_COUNT, n.end, &none);
	}
}
