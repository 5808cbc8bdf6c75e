/* job_label: recognises the scheduler, CI or workflow engine of a job. */
#include "collect/job/job_label.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* -- the table --------------------------------------------------------------------------------- */

#define CI        "ci.provider"
#define SCHEDULER "scheduler"
#define WORKFLOW  "workflow"

const struct job_provider job_providers[] = {
    {CI,
     "github-actions",
     {"GITHUB_ACTIONS"},
     "true",
     {{"ci.run_url", "{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/actions/runs/{GITHUB_RUN_ID}"},
      {"ci.run_id", "{GITHUB_RUN_ID}"},
      {"ci.run_number", "{GITHUB_RUN_NUMBER}"},
      {"ci.attempt", "{GITHUB_RUN_ATTEMPT}"},
      {"ci.workflow", "{GITHUB_WORKFLOW}"},
      {"ci.job", "{GITHUB_JOB}"},
      {"ci.repository", "{GITHUB_REPOSITORY}"},
      {"ci.ref", "{GITHUB_HEAD_REF}"},
      {"ci.ref", "{GITHUB_REF_NAME}"},
      {"ci.commit", "{GITHUB_SHA}"},
      {"ci.event", "{GITHUB_EVENT_NAME}"},
      {"ci.runner", "{RUNNER_NAME}"}}},
    {CI,
     "gitlab",
     {"GITLAB_CI"},
     NULL,
     {{"ci.run_url", "{CI_JOB_URL}"},
      {"ci.run_id", "{CI_PIPELINE_ID}"},
      {"ci.job_id", "{CI_JOB_ID}"},
      {"ci.job", "{CI_JOB_NAME}"},
      {"ci.stage", "{CI_JOB_STAGE}"},
      {"ci.repository", "{CI_PROJECT_PATH}"},
      {"ci.ref", "{CI_COMMIT_REF_NAME}"},
      {"ci.commit", "{CI_COMMIT_SHA}"},
      {"ci.event", "{CI_PIPELINE_SOURCE}"},
      {"ci.runner", "{CI_RUNNER_DESCRIPTION}"}}},
    {CI,
     "jenkins",
     {"JENKINS_URL"},
     NULL,
     {{"ci.run_url", "{BUILD_URL}"},
      {"ci.run_number", "{BUILD_NUMBER}"},
      {"ci.job", "{JOB_NAME}"},
      {"ci.stage", "{STAGE_NAME}"},
      {"ci.ref", "{BRANCH_NAME}"},
      {"ci.ref", "{GIT_BRANCH}"},
      {"ci.commit", "{GIT_COMMIT}"},
      {"ci.runner", "{NODE_NAME}"}}},
    {CI,
     "buildkite",
     {"BUILDKITE"},
     "true",
     {{"ci.run_url", "{BUILDKITE_BUILD_URL}"},
      {"ci.run_id", "{BUILDKITE_BUILD_ID}"},
      {"ci.run_number", "{BUILDKITE_BUILD_NUMBER}"},
      {"ci.attempt", "{BUILDKITE_RETRY_COUNT}"},
      {"ci.workflow", "{BUILDKITE_PIPELINE_SLUG}"},
      {"ci.job_id", "{BUILDKITE_JOB_ID}"},
      {"ci.job", "{BUILDKITE_LABEL}"},
      {"ci.ref", "{BUILDKITE_BRANCH}"},
      {"ci.commit", "{BUILDKITE_COMMIT}"},
      {"ci.event", "{BUILDKITE_SOURCE}"},
      {"ci.runner", "{BUILDKITE_AGENT_NAME}"}}},
    {CI,
     "circleci",
     {"CIRCLECI"},
     "true",
     {{"ci.run_url", "{CIRCLE_BUILD_URL}"},
      {"ci.run_id", "{CIRCLE_WORKFLOW_ID}"},
      {"ci.run_number", "{CIRCLE_BUILD_NUM}"},
      {"ci.job", "{CIRCLE_JOB}"},
      {"ci.repository", "{CIRCLE_PROJECT_USERNAME}/{CIRCLE_PROJECT_REPONAME}"},
      {"ci.ref", "{CIRCLE_BRANCH}"},
      {"ci.commit", "{CIRCLE_SHA1}"}}},
    {CI,
     "azure-pipelines",
     {"TF_BUILD"},
     "true",
     {{"ci.run_url",
       "{SYSTEM_COLLECTIONURI}{SYSTEM_TEAMPROJECT}/_build/results?buildId={BUILD_BUILDID}"},
      {"ci.run_id", "{BUILD_BUILDID}"},
      {"ci.run_number", "{BUILD_BUILDNUMBER}"},
      {"ci.attempt", "{SYSTEM_JOBATTEMPT}"},
      {"ci.workflow", "{BUILD_DEFINITIONNAME}"},
      {"ci.job", "{SYSTEM_JOBDISPLAYNAME}"},
      {"ci.stage", "{SYSTEM_STAGENAME}"},
      {"ci.repository", "{BUILD_REPOSITORY_NAME}"},
      {"ci.ref", "{BUILD_SOURCEBRANCHNAME}"},
      {"ci.commit", "{BUILD_SOURCEVERSION}"},
      {"ci.event", "{BUILD_REASON}"},
      {"ci.runner", "{AGENT_NAME}"}}},
    {SCHEDULER,
     "slurm",
     {"SLURM_JOB_ID", "SLURM_JOBID"},
     NULL,
     {{"slurm.job_id", "{SLURM_JOB_ID}"},
      {"slurm.job_id", "{SLURM_JOBID}"},
      {"slurm.job_name", "{SLURM_JOB_NAME}"},
      {"slurm.array_job_id", "{SLURM_ARRAY_JOB_ID}"},
      {"slurm.array_task_id", "{SLURM_ARRAY_TASK_ID}"},
      {"slurm.step_id", "{SLURM_STEP_ID}"},
      {"slurm.proc_id", "{SLURM_PROCID}"},
      {"slurm.cluster", "{SLURM_CLUSTER_NAME}"},
      {"slurm.partition", "{SLURM_JOB_PARTITION}"},
      {"slurm.account", "{SLURM_JOB_ACCOUNT}"},
      {"slurm.qos", "{SLURM_JOB_QOS}"},
      {"slurm.node", "{SLURMD_NODENAME}"},
      {"slurm.nodes", "{SLURM_JOB_NUM_NODES}"},
      {"slurm.cpus_on_node", "{SLURM_CPUS_ON_NODE}"},
      {"slurm.cpus_per_task", "{SLURM_CPUS_PER_TASK}"},
      {"slurm.mem_per_node", "{SLURM_MEM_PER_NODE}"},
      {"slurm.mem_per_cpu", "{SLURM_MEM_PER_CPU}"},
      {"slurm.restart_count", "{SLURM_RESTART_COUNT}"}}},
    {SCHEDULER,
     "pbs",
     {"PBS_JOBID"},
     NULL,
     {{"pbs.job_id", "{PBS_JOBID}"},
      {"pbs.job_name", "{PBS_JOBNAME}"},
      {"pbs.queue", "{PBS_QUEUE}"},
      {"pbs.array_index", "{PBS_ARRAY_INDEX}"}}},
    {SCHEDULER,
     "lsf",
     {"LSB_JOBID"},
     NULL,
     {{"lsf.job_id", "{LSB_JOBID}"},
      {"lsf.job_name", "{LSB_JOBNAME}"},
      {"lsf.queue", "{LSB_QUEUE}"},
      {"lsf.array_index", "{LSB_JOBINDEX}"}}},
    {SCHEDULER,
     "aws-batch",
     {"AWS_BATCH_JOB_ID"},
     NULL,
     {{"aws_batch.job_id", "{AWS_BATCH_JOB_ID}"},
      {"aws_batch.attempt", "{AWS_BATCH_JOB_ATTEMPT}"},
      {"aws_batch.queue", "{AWS_BATCH_JQ_NAME}"},
      {"aws_batch.compute_environment", "{AWS_BATCH_CE_NAME}"},
      {"aws_batch.array_index", "{AWS_BATCH_JOB_ARRAY_INDEX}"}}},
    {SCHEDULER,
     "kubernetes",
     {"KUBERNETES_SERVICE_HOST"},
     NULL,
     {{"kubernetes.pod", "{POD_NAME}"},
      {"kubernetes.pod", "{K8S_POD_NAME}"},
      {"kubernetes.pod", "{HOSTNAME}"},
      {"kubernetes.namespace", "{POD_NAMESPACE}"},
      {"kubernetes.namespace", "{K8S_NAMESPACE}"},
      {"kubernetes.node", "{K8S_NODE_NAME}"},
      {"kubernetes.completion_index", "{JOB_COMPLETION_INDEX}"}}},
    {WORKFLOW,
     "nextflow",
     {"NXF_TASK_WORKDIR", "NXF_BOXID"},
     NULL,
     {{"nextflow.work_dir", "{NXF_TASK_WORKDIR}"},
      {"nextflow.version", "{NXF_VER}"},
      {"nextflow.workflow_id", "{TOWER_WORKFLOW_ID}"}}},
    {WORKFLOW,
     "snakemake",
     {"SNAKEMAKE_PROFILE", "SNAKEMAKE_RULE", "SNAKEMAKE_JOBID"},
     NULL,
     {{"snakemake.rule", "{SNAKEMAKE_RULE}"},
      {"snakemake.job_id", "{SNAKEMAKE_JOBID}"},
      {"snakemake.wildcards", "{SNAKEMAKE_WILDCARDS}"},
      {"snakemake.profile", "{SNAKEMAKE_PROFILE}"}}},
    {WORKFLOW,
     "airflow",
     {"AIRFLOW_CTX_DAG_ID"},
     NULL,
     {{"airflow.dag_id", "{AIRFLOW_CTX_DAG_ID}"},
      {"airflow.task_id", "{AIRFLOW_CTX_TASK_ID}"},
      {"airflow.run_id", "{AIRFLOW_CTX_DAG_RUN_ID}"},
      {"airflow.execution_date", "{AIRFLOW_CTX_EXECUTION_DATE}"},
      {"airflow.try_number", "{AIRFLOW_CTX_TRY_NUMBER}"}}},
    {WORKFLOW,
     "metaflow",
     {"METAFLOW_RUN_ID", "MF_PATHSPEC"},
     NULL,
     {{"metaflow.pathspec", "{MF_PATHSPEC}"},
      {"metaflow.flow", "{METAFLOW_FLOW_NAME}"},
      {"metaflow.run_id", "{METAFLOW_RUN_ID}"},
      {"metaflow.step", "{METAFLOW_STEP_NAME}"},
      {"metaflow.task_id", "{METAFLOW_TASK_ID}"},
      {"metaflow.retry_count", "{METAFLOW_RETRY_COUNT}"}}},
};

const size_t job_providers_n = sizeof job_providers / sizeof *job_providers;

/* -- the environment --------------------------------------------------------------------------- */

const char *job_env_get(const struct job_env *env, const char *name)
{
	size_t n = strlen(name), at = 0;

	if (!env->text)
		return getenv(name);
	while (at < env->n) {
		const char *p = env->text + at, *end = memchr(p, '\0', env->n - at);
		if (!end)
			return NULL; /* cut off at the end */
		if ((size_t)(end - p) > n && p[n] == '=' && memcmp(p, name, n) == 0)
			return p + n + 1;
		at += (size_t)(end - p) + 1;
	}
	return NULL;
}

bool job_provider_there(const struct job_provider *p, const struct job_env *env)
{
	for (size_t i = 0; i < sizeof p->proof / sizeof *p->proof && p->proof[i]; i++) {
		const char *value = job_env_get(env, p->proof[i]);
		if (value && *value && (!p->value || strcasecmp(value, p->value) == 0))
			return true;
	}
	return false;
}

/* -- values ------------------------------------------------------------------------------------ */

struct label_value {
	char *out;
	size_t n;
	bool url;
};

static void append_value(struct label_value *t, const char *s, size_t n)
{
	for (size_t i = 0; i < n && (unsigned char)s[i] >= ' ' && s[i] != 0x7f; i++) {
		const char *as = t->url && s[i] == ' ' ? "%20" : NULL;
		size_t length = as ? 3 : 1;
		if (t->n + length >= JOB_LABEL_MAX)
			return;
		memcpy(t->out + t->n, as ? as : s + i, length);
		t->n += length;
	}
}

/* Appends the variable whose name begins at *at, and moves *at after its brace. Returns false if it
 * is empty. */
static bool append_variable(struct label_value *t, const char **at, const struct job_env *env)
{
	size_t n = strcspn(*at, "}");
	char name[64];
	const char *value;

	if (n >= sizeof name || !(*at)[n])
		return false;
	memcpy(name, *at, n);
	name[n] = '\0';
	*at += n + 1;
	value = job_env_get(env, name);
	if (!value || !*value)
		return false;
	append_value(t, value, strlen(value));
	return true;
}

bool job_label_expand(const char *from, const struct job_env *env, bool url,
                      char out[JOB_LABEL_MAX])
{
	struct label_value t = {.out = out, .url = url};
	bool whole = true;

	while (*from && whole) {
		size_t n = strcspn(from, "{");
		append_value(&t, from, n);
		from += n;
		if (*from == '{') {
			from++;
			whole = append_variable(&t, &from, env);
		}
	}
	out[t.n] = '\0';
	if (url && strncmp(out, "https://", 8) != 0 && strncmp(out, "http://", 7) != 0)
		whole = false;
	if (!whole)
		out[0] = '\0';
	return *out != '\0';
}
