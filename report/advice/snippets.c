/* snippets: one writer per tool, in the tool's own units. */
#include "report/advice/snippets.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* MB of 10⁶ bytes. */
static double decimal_mb(long mib)
{
	return ceil((double)mib * 1.048576);
}

/* The number between two texts; nothing if it is 0, which is unknown. */
static void put(struct buf *b, const char *before, long v, const char *after)
{
	if (v)
		buf_printf(b, "%s%ld%s", before, v, after);
}

/* Slurm's M is 1024² bytes; its time is in minutes. */
static void write_slurm(const struct advice *a, struct buf *b)
{
	if (a->nodes > 1)
		buf_printf(b, "#SBATCH --nodes=%ld\n", a->nodes);
	if (a->tasks > 1)
		buf_printf(b, "#SBATCH --ntasks-per-node=%ld\n", a->tasks);
	put(b,
	    "#SBATCH --cpus-per-task=", a->tasks > 1 ? (a->cpu + a->tasks - 1) / a->tasks : a->cpu,
	    "\n");
	put(b, "#SBATCH --mem=", a->memory_mib, "M\n");
	put(b, "#SBATCH --gres=gpu:", a->gpu, "\n");
	put(b, "#SBATCH --time=", a->time_min, "\n");
}

/* No CPU limit: it would throttle the job even while CPUs are idle. GPUs are requested by limit. */
static void write_kubernetes(const struct advice *a, struct buf *b)
{
	if (a->nodes > 1)
		buf_printf(b, "# in the spec of the Job: completions: %ld, parallelism: %ld\n",
		           a->nodes, a->nodes);
	put(b, "# in the spec of the Job: activeDeadlineSeconds: ", a->time_min * 60, "\n");
	buf_str(b, "resources:\n  requests:\n");
	put(b, "    cpu: \"", a->cpu, "\"\n");
	put(b, "    memory: ", a->memory_mib, "Mi\n");
	if (a->memory_mib || a->gpu)
		buf_str(b, "  limits:\n");
	put(b, "    memory: ", a->memory_mib, "Mi\n");
	put(b, "    nvidia.com/gpu: ", a->gpu, "\n");
}

/* -- memory as a function of the input --------------------------------------------------------- */

#define RETRIES "2" /* after a failure; each attempt asks for more where a tool can */

/* "37 + 6.2e-06 * ": five digits may be a little less than the number. unit: of a MiB. */
static void put_line(struct buf *b, const struct advice_line *l, double unit)
{
	buf_printf(b, "%.0f + %.5g * ", ceil(l->constant_mib * unit),
	           l->mib_per_byte * unit * 1.0001);
}

static double least_of_line(const struct advice_line *l, double unit)
{
	return ceil(l->least_mib * unit);
}

/* "reads: the largest input", as the end of a comment. */
static void put_meaning(struct buf *b, const char *name, const struct advice_line *l)
{
	buf_printf(b, "%s: %s", name, l->name);
}

/* Nextflow's MB is 1024² bytes. */
static void write_nextflow_items(const struct advice *a, const char *indent, struct buf *b)
{
	if (a->cpu)
		buf_printf(b, "%scpus = %ld\n", indent, a->cpu);
	if (a->line.of) {
		buf_printf(b, "%s// ", indent);
		put_meaning(b, "reads", &a->line);
		buf_printf(b, "\n%smemory = { 1.MB * task.attempt * Math.max(%.0f, Math.ceil(",
		           indent, least_of_line(&a->line, 1));
		put_line(b, &a->line, 1);
		buf_printf(b, "[reads].flatten()*.size().%s()) as long) }\n",
		           a->line.of == ADVICE_LINE_ALL ? "sum" : "max");
		buf_printf(b, "%serrorStrategy = 'retry'\n%smaxRetries = " RETRIES "\n", indent,
		           indent);
	} else if (a->memory_mib) {
		buf_printf(b, "%smemory = '%ld MB'\n", indent, a->memory_mib);
	}
	if (a->gpu)
		buf_printf(b, "%saccelerator = %ld\n", indent, a->gpu);
	if (a->time_min)
		buf_printf(b, "%stime = '%ld min'\n", indent, a->time_min);
}

/* The selector is a regular expression in a Groovy text, where a backslash is written twice. */
static void write_selector(const char *name, size_t n, struct buf *b)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)name[i];
		if (c < 0x20 || c == 0x7f)
			buf_char(b, '.'); /* any character */
		else if (strchr("\\.[]{}()*+?^$|!", c))
			buf_printf(b, c == '\\' ? "\\\\\\\\" : "\\\\%c", c);
		else if (c == '\'')
			buf_str(b, "\\'");
		else
			buf_char(b, (char)c);
	}
}

static size_t process_length(const char *name)
{
	const char *tag = strstr(name, " (");
	size_t n = strlen(name);

	return tag && tag > name && name[n - 1] == ')' ? (size_t)(tag - name) : n;
}

void snippets_nextflow_process(const struct advice *a, struct buf *b)
{
	buf_str(b, "    withName: '");
	write_selector(a->process, process_length(a->process), b);
	buf_str(b, "' {\n");
	write_nextflow_items(a, "        ", b);
	buf_str(b, "    }\n");
}

static void write_nextflow(const struct advice *a, struct buf *b)
{
	buf_str(b, "process {\n");
	if (a->process)
		snippets_nextflow_process(a, b);
	else
		write_nextflow_items(a, "    ", b);
	buf_str(b, "}\n");
}

#define MB_OF_MIB 1.048576

static void put_snakemake_memory(const struct advice *a, struct buf *b)
{
	static const char *const bytes[] = {[ADVICE_LINE_ALL] = "input.size",
	                                    [ADVICE_LINE_LARGEST] = "max(f.size for f in input)",
	                                    [ADVICE_LINE_ONE] = "input[0].size"};

	if (!a->line.of) {
		buf_printf(b, "\n    mem_mb=%.0f", decimal_mb(a->memory_mib));
		return;
	}
	if (a->line.of == ADVICE_LINE_ONE)
		buf_printf(b, "\n    # input[0]: %s", a->line.name);
	buf_printf(b, "\n    mem_mb=lambda wildcards, input, attempt: attempt * max(%.0f, int(",
	           least_of_line(&a->line, MB_OF_MIB));
	put_line(b, &a->line, MB_OF_MIB);
	buf_printf(b, "%s) + 1)", bytes[a->line.of]);
}

/* Snakemake's mem_mb is 10⁶ bytes; its runtime is in minutes. */
static void write_snakemake(const struct advice *a, struct buf *b)
{
	put(b, "threads: ", a->cpu, "\n");
	if (a->memory_mib || a->gpu || a->time_min)
		buf_str(b, "resources:");
	if (a->memory_mib)
		put_snakemake_memory(a, b);
	put(b, a->memory_mib ? ",\n    gpu=" : "\n    gpu=", a->gpu, "");
	put(b, a->memory_mib || a->gpu ? ",\n    runtime=" : "\n    runtime=", a->time_min, "");
	if (a->memory_mib || a->gpu || a->time_min)
		buf_char(b, '\n');
}

/* Metaflow passes MB to AWS Batch as 1024² bytes and to Kubernetes as 10⁶: the larger number is
 * enough for both. */
static void write_metaflow(const struct advice *a, struct buf *b)
{
	buf_str(b, "@resources(");
	put(b, "cpu=", a->cpu, "");
	if (a->memory_mib)
		buf_printf(b, "%smemory=%.0f", a->cpu ? ", " : "", decimal_mb(a->memory_mib));
	put(b, ", gpu=", a->gpu, "");
	buf_str(b, ")\n");
	put(b, "@timeout(minutes=", a->time_min, ")\n");
}

static void write_requirement(struct buf *b, const char *type, long value, bool *any)
{
	if (!value)
		return;
	buf_printf(b, "%s\n      {\"type\": \"%s\", \"value\": \"%ld\"}", *any ? "," : "", type,
	           value);
	*any = true;
}

/* A job definition; memory is in MiB. */
static void write_aws_batch(const struct advice *a, struct buf *b)
{
	bool any = false;

	buf_str(b, "{\n");
	if (a->nodes > 1)
		buf_printf(b,
		           "  \"type\": \"multinode\",\n  \"nodeProperties\": {\"numNodes\": %ld, "
		           "\"mainNode\": 0,\n  \"nodeRangeProperties\": [{\"targetNodes\": "
		           "\"0:\",\n  \"container\": {\n    \"resourceRequirements\": [",
		           a->nodes);
	else
		buf_str(b, "  \"containerProperties\": {\n    \"resourceRequirements\": [");
	write_requirement(b, "VCPU", a->cpu, &any);
	write_requirement(b, "MEMORY", a->memory_mib, &any);
	write_requirement(b, "GPU", a->gpu, &any);
	buf_str(b, a->nodes > 1 ? "\n    ]\n  }}]}" : "\n    ]\n  }");
	put(b, ",\n  \"timeout\": {\"attemptDurationSeconds\": ", a->time_min * 60, "}");
	buf_str(b, "\n}\n");
}

/* -- machines of fixed sizes ------------------------------------------------------------------- */

struct hosted_runner {
	const char *name;
	long cpus, gb, gpus, vram_gb; /* GB taken as 10⁹ bytes, the smaller reading */
};

/* The first one that is large enough, or NULL. */
static const struct hosted_runner *smallest_runner(const struct hosted_runner *m, size_t n,
                                                   const struct advice *a)
{
	for (size_t i = 0; i < n; i++)
		if (m[i].cpus >= a->cpu && (double)m[i].gb * 1000 >= decimal_mb(a->memory_mib) &&
		    m[i].gpus >= a->gpu && (double)m[i].vram_gb * 1000 >= decimal_mb(a->vram_mib))
			return &m[i];
	return NULL;
}

static void runner_text(const struct hosted_runner *m, struct buf *b)
{
	buf_printf(b, "%ld CPUs, %ld GB", m->cpus, m->gb);
	if (m->gpus)
		buf_printf(b, ", %ld GPU of %ld GB", m->gpus, m->vram_gb);
}

/* Linux on x64, in private repositories; in public ones the first runner has twice as much. Larger
 * runners have names that their organisation chooses. */
static void write_github(const struct advice *a, struct buf *b)
{
	static const struct hosted_runner sizes[] = {
	    {"ubuntu-latest", 2, 8, 0, 0}, {NULL, 4, 16, 0, 0},   {NULL, 8, 32, 0, 0},
	    {NULL, 16, 64, 0, 0},          {NULL, 32, 128, 0, 0}, {NULL, 64, 256, 0, 0},
	    {NULL, 96, 384, 0, 0},         {NULL, 4, 28, 1, 16},
	};
	const struct hosted_runner *m = smallest_runner(sizes, sizeof sizes / sizeof *sizes, a);

	if (!m) {
		buf_str(b, "runs-on: [self-hosted, linux] # GitHub hosts none that is so large\n");
	} else {
		if (m->name)
			buf_printf(b, "runs-on: %s # ", m->name);
		else
			buf_printf(b,
			           "runs-on: ubuntu-%ld-cores%s # your name of a larger runner: ",
			           m->cpus, m->gpus ? "-gpu" : "");
		runner_text(m, b);
		buf_char(b, '\n');
	}
	put(b, "timeout-minutes: ", a->time_min, "\n");
}

/* Runners of GitLab.com; the variables are for runners on one's own Kubernetes cluster. */
static void write_gitlab(const struct advice *a, struct buf *b)
{
	static const struct hosted_runner sizes[] = {
	    {"saas-linux-small-amd64", 2, 8, 0, 0},
	    {"saas-linux-medium-amd64", 4, 16, 0, 0},
	    {"saas-linux-large-amd64", 8, 32, 0, 0},
	    {"saas-linux-xlarge-amd64", 16, 64, 0, 0},
	    {"saas-linux-2xlarge-amd64", 32, 128, 0, 0},
	    {"saas-linux-medium-amd64-gpu-standard", 4, 15, 1, 16},
	};
	const struct hosted_runner *m = smallest_runner(sizes, sizeof sizes / sizeof *sizes, a);

	if (m) {
		buf_printf(b, "tags: [%s] # ", m->name);
		runner_text(m, b);
		buf_char(b, '\n');
	} else {
		buf_str(b, "# GitLab.com hosts no runner that is so large\n");
	}
	if (a->time_min)
		buf_printf(b, "timeout: %ld minute%s\n", a->time_min, a->time_min == 1 ? "" : "s");
	buf_str(b, "variables: # on Kubernetes\n");
	put(b, "  KUBERNETES_CPU_REQUEST: \"", a->cpu, "\"\n");
	if (a->memory_mib)
		buf_printf(b,
		           "  KUBERNETES_MEMORY_REQUEST: %ldMi\n  KUBERNETES_MEMORY_LIMIT: %ldMi\n",
		           a->memory_mib, a->memory_mib);
}

/* -- only with a line over the input ----------------------------------------------------------- */

/* WDL 1.1, in which MiB are 1024² bytes. */
static void write_wdl(const struct advice *a, struct buf *b)
{
	buf_str(b, "runtime {\n");
	put(b, "  cpu: ", a->cpu, "\n");
	buf_str(b, "  # ");
	put_meaning(b, "reads", &a->line);
	buf_printf(b, "\n  memory: \"~{max(%.0f, ceil(", least_of_line(&a->line, 1));
	put_line(b, &a->line, 1);
	buf_str(b, "size(reads)))} MiB\"\n  maxRetries: " RETRIES "\n}\n");
}

/* ramMin is in MiB. */
static void write_cwl(const struct advice *a, struct buf *b)
{
	buf_str(b, "requirements:\n  InlineJavascriptRequirement: {}\n  ResourceRequirement:\n");
	put(b, "    coresMin: ", a->cpu, "\n");
	buf_str(b, "    # ");
	put_meaning(b, "reads", &a->line);
	buf_printf(b, "\n    ramMin: $(Math.max(%.0f, Math.ceil(", least_of_line(&a->line, 1));
	put_line(b, &a->line, 1);
	buf_str(b,
	        a->line.of == ADVICE_LINE_ALL
	            ? "[].concat(inputs.reads).reduce(function(n, f) { return n + f.size }, 0))))\n"
	            : "inputs.reads.size)))\n");
}

/* In a script that gets the job's inputs as its arguments. */
static void write_sbatch(const struct advice *a, struct buf *b)
{
	buf_str(b, "# \"$@\": ");
	buf_printf(b, "%s\nsbatch --mem=\"$(stat -Lc %%s \"$@\" | awk '{ %s } END { m = ",
	           a->line.of == ADVICE_LINE_ALL ? "the inputs" : a->line.name,
	           a->line.of == ADVICE_LINE_ALL ? "x += $1" : "if ($1 > x) x = $1");
	put_line(b, &a->line, 1);
	buf_printf(b, "x; if (m < %.0f) m = %.0f; printf \"%%.0fM\", m + 0.5 }')\" ",
	           least_of_line(&a->line, 1), least_of_line(&a->line, 1));
	put(b, "--cpus-per-task=", a->cpu, " ");
	buf_str(b, "job.sh \"$@\"\n");
}

static const struct {
	const char *id, *label;
	void (*write)(const struct advice *a, struct buf *b);
	bool of_line;
} writers[SNIPPETS_MAX] = {
    {"slurm", "Slurm", write_slurm, false},
    {"kubernetes", "Kubernetes", write_kubernetes, false},
    {"nextflow", "Nextflow", write_nextflow, false},
    {"snakemake", "Snakemake", write_snakemake, false},
    {"metaflow", "Metaflow", write_metaflow, false},
    {"aws_batch", "AWS Batch", write_aws_batch, false},
    {"github", "GitHub Actions", write_github, false},
    {"gitlab", "GitLab CI", write_gitlab, false},
    {"wdl", "WDL", write_wdl, true},
    {"cwl", "CWL", write_cwl, true},
    {"sbatch", "sbatch, by the input", write_sbatch, true},
};

size_t snippets_make(const struct advice *a, struct snippet *out, size_t max)
{
	size_t n = 0;

	if (!a->cpu && !a->memory_mib)
		return 0;
	for (size_t i = 0; i < SNIPPETS_MAX && n < max; i++) {
		struct buf b = {.max = sizeof out->text};
		/* Without a name it would be of every process. */
		if (writers[i].write == write_nextflow && a->process && !*a->process)
			continue;
		if (writers[i].of_line && !a->line.of)
			continue;
		writers[i].write(a, &b);
		out[n].id = writers[i].id;
		out[n].label = writers[i].label;
		/* Without the last newline. */
		snprintf(out[n].text, sizeof out->text, "%.*s", b.len ? (int)b.len - 1 : 0,
		         buf_cstr(&b));
		buf_free(&b);
		n++;
	}
	return n;
}
