/* discover_job: labels from an environment and a repository, only by the allow-list. */
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/job/discover_job.h"
#include "collect/job/git.h"
#include "collect/job/schedulers.h"
#include "tests/unit/root.h"
#include "tests/unit/unit.h"

#define HASH  "0123456789abcdef0123456789abcdef01234567"
#define HASH2 "89abcdef0123456789abcdef0123456789abcdef"
#define LONG  HASH "0123456789abcdef01234567"

/* -- the environment --------------------------------------------------------------------------- */

/* Returns the labels of an environment (variables separated by ';') as "k=v;k=v". */
static char *labels_of(const char *variables)
{
	char *text = strdup(variables);
	struct snapshot s = {.exit = {0}};
	struct root r = captured_root("cloud-silent");
	struct job_env env = {.text = text, .n = strlen(variables) + 1};
	struct buf b = {0};

	for (char *p = text; *p; p++)
		if (*p == ';')
			*p = '\0';
	discover_job_env(&r, &env, &s);
	for (size_t i = 0; i < s.job.labels.n; i++)
		buf_printf(&b, "%s%s=%s", i ? ";" : "", s.job.labels.v[i].key,
		           s.job.labels.v[i].value);
	snapshot_free(&s);
	root_close(&r);
	free(text);
	return b.len ? buf_take(&b) : strdup("");
}

TEST(environments)
{
	static const struct {
		const char *env, *labels;
	} cases[] = {
	    {"", ""},
	    {"HOME=/root;PATH=/bin;CI=true", ""},
	    {"RTRACK_WORKFLOW_RUN=nightly 7", "workflow.run=nightly 7"},
	    {"RTRACK_WORKFLOW_RUN=", ""},
	    {"RTRACK_WORKFLOW_RUN=run/7;SNAKEMAKE_RULE=sort;SNAKEMAKE_JOBID=3",
	     "workflow=snakemake;snakemake.rule=sort;snakemake.job_id=3;workflow.run=run/7"},
	    {"GITHUB_ACTIONS=true;GITHUB_SERVER_URL=https://github.com;GITHUB_REPOSITORY=a/b;"
	     "GITHUB_RUN_ID=7;GITHUB_JOB=build;GITHUB_HEAD_REF=;GITHUB_REF_NAME=main;"
	     "GITHUB_TOKEN=ghs_1;ACTIONS_RUNTIME_TOKEN=x",
	     "ci.provider=github-actions;ci.run_url=https://github.com/a/b/actions/runs/"
	     "7;ci.run_id=7;ci.job=build;ci.repository=a/b;ci.ref=main"},
	    {"GITHUB_ACTIONS=true;GITHUB_HEAD_REF=fix;GITHUB_REF_NAME=1/merge",
	     "ci.provider=github-actions;ci.ref=fix"},
	    {"GITHUB_ACTIONS=false;GITHUB_RUN_ID=7", ""},
	    {"GITLAB_CI=true;CI_JOB_URL=https://gitlab.com/g/p/-/jobs/1;CI_JOB_ID=1;CI_JOB_TOKEN=t;"
	     "CI_PIPELINE_SOURCE=push;CI_COMMIT_TIMESTAMP=2026-11-29T22:11:29+01:00",
	     "ci.provider=gitlab;ci.run_url=https://gitlab.com/g/p/-/jobs/"
	     "1;ci.job_id=1;ci.commit_time=2026-11-29T22:11:29+01:00;ci.event=push"},
	    {"JENKINS_URL=http://j/;BUILD_URL=http://me:pw@j/job/x/1/;BUILD_NUMBER=1;NODE_NAME=n1",
	     "ci.provider=jenkins;ci.run_url=http://me:***@j/job/x/1/"
	     ";ci.run_number=1;ci.runner=n1"},
	    {"JENKINS_URL=http://j/;BUILD_URL=http://j/1?token=abcdef",
	     "ci.provider=jenkins;ci.run_url=http://j/1?token=***"},
	    {"JENKINS_URL=x;BUILD_URL=javascript:alert(1);JOB_NAME=a",
	     "ci.provider=jenkins;ci.job=a"},
	    {"BUILDKITE=true;BUILDKITE_BUILD_NUMBER=5;BUILDKITE_AGENT_ACCESS_TOKEN=x",
	     "ci.provider=buildkite;ci.run_number=5"},
	    {"CIRCLECI=true;CIRCLE_PROJECT_USERNAME=a;CIRCLE_PROJECT_REPONAME=b",
	     "ci.provider=circleci;ci.repository=a/b"},
	    {"CIRCLECI=true;CIRCLE_PROJECT_USERNAME=a", "ci.provider=circleci"},
	    {"TF_BUILD=True;SYSTEM_COLLECTIONURI=https://dev.azure.com/o/;SYSTEM_TEAMPROJECT=my "
	     "p;BUILD_BUILDID=3",
	     "ci.provider=azure-pipelines;ci.run_url=https://dev.azure.com/o/my%20p/_build/"
	     "results?buildId=3;ci.run_id=3"},
	    {"SLURM_JOB_ID=42;SLURM_JOB_NAME=train;SLURM_ARRAY_TASK_ID=3;SLURM_JOB_PARTITION=gpu;"
	     "SLURM_CPUS_ON_NODE=8;SLURM_JWT=eyJ",
	     "scheduler=slurm;slurm.job_id=42;slurm.job_name=train;slurm.array_task_id=3;"
	     "slurm.partition=gpu;slurm.cpus_on_node=8"},
	    {"SLURM_JOBID=42", "scheduler=slurm;slurm.job_id=42"},
	    {"PBS_JOBID=1.srv;PBS_QUEUE=q", "scheduler=pbs;pbs.job_id=1.srv;pbs.queue=q"},
	    {"LSB_JOBID=9;LSB_JOBINDEX=2", "scheduler=lsf;lsf.job_id=9;lsf.array_index=2"},
	    {"JOB_ID=77;SGE_TASK_ID=undefined;NSLOTS=4;QUEUE=all.q",
	     "scheduler=sge;sge.job_id=77;sge.queue=all.q"},
	    {"JOB_ID=77", ""},
	    {"_CONDOR_JOB_AD=/x/.job.ad;_CONDOR_SLOT=slot1_2",
	     "scheduler=htcondor;htcondor.slot=slot1_2"},
	    {"ECS_CONTAINER_METADATA_URI_V4=http://169.254.170.2/v4/1", "scheduler=ecs"},
	    {"AWS_BATCH_JOB_ID=j;AWS_BATCH_JQ_NAME=q;AWS_SECRET_ACCESS_KEY=s",
	     "scheduler=aws-batch;aws_batch.job_id=j;aws_batch.queue=q"},
	    {"KUBERNETES_SERVICE_HOST=10.0.0.1;HOSTNAME=pod-1;POD_NAMESPACE=ml",
	     "scheduler=kubernetes;kubernetes.pod=pod-1;kubernetes.namespace=ml"},
	    {"NXF_TASK_WORKDIR=/w/ab/12;NXF_VER=24.10.0",
	     "workflow=nextflow;nextflow.work_dir=/w/ab/12;nextflow.version=24.10.0"},
	    {"SNAKEMAKE_RULE=align;SNAKEMAKE_JOBID=4",
	     "workflow=snakemake;snakemake.rule=align;snakemake.job_id=4"},
	    {"AIRFLOW_CTX_DAG_ID=d;AIRFLOW_CTX_TASK_ID=t;AIRFLOW_CTX_DAG_RUN_ID=r;"
	     "AIRFLOW__CORE__FERNET_KEY=k",
	     "workflow=airflow;airflow.dag_id=d;airflow.task_id=t;airflow.run_id=r"},
	    {"MF_PATHSPEC=F/1/start/2", "workflow=metaflow;metaflow.pathspec=F/1/start/2"},
	    /* several at once */
	    {"SLURM_JOB_ID=1;NXF_TASK_WORKDIR=/w;GITHUB_ACTIONS=true",
	     "ci.provider=github-actions;scheduler=slurm;slurm.job_id=1;workflow=nextflow;"
	     "nextflow.work_dir=/w"},
	    {"KUBERNETES_SERVICE_HOST=h;AWS_BATCH_JOB_ID=j",
	     "scheduler=aws-batch;aws_batch.job_id=j"},
	    /* hostile values */
	    {"SLURM_JOB_ID=1;SLURM_JOB_NAME=a\nb",
	     "scheduler=slurm;slurm.job_id=1;slurm.job_name=a"},
	    {"SLURM_JOB_ID=1;SLURM_JOB_NAME=ghp_0123456789012345678901234567890123456",
	     "scheduler=slurm;slurm.job_id=1;slurm.job_name=***"},
	    {"SLURM_JOB_ID=1;SLURM_JOB_NAME=x --password abc",
	     "scheduler=slurm;slurm.job_id=1;slurm.job_name=x --password ***"},
	    {"SLURM_JOB_ID", ""},
	    {"SLURM_JOB_ID=", ""},
	    {"XSLURM_JOB_ID=1", ""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *got = labels_of(cases[i].env);
		assert_string_equal(got, cases[i].labels);
		free(got);
	}
}

/* With all variables of all providers set, the list does not overflow, and long values are cut. */
TEST(bounds)
{
	struct buf b = {0};
	char *got;

	for (size_t i = 0; i < schedulers_n; i++) {
		const struct scheduler *p = &schedulers[i];
		buf_printf(&b, "%s=%s;", p->proof[0], p->value ? p->value : "1");
		for (size_t k = 0; k < SCHEDULERS_LABELS && p->labels[k].label; k++) {
			const char *from = p->labels[k].from;
			buf_add(&b, from + 1, strcspn(from, "}") - 1);
			buf_char(&b, '=');
			for (int n = 0; n < 2000; n++)
				buf_char(&b, 'x');
			buf_char(&b, ';');
		}
	}
	got = labels_of(buf_cstr(&b));
	assert_true(strlen(got) < SNAPSHOT_LIST_MAX * (DISCOVER_JOB_MAX + 64));
	assert_null(strstr(got, "ci.run_url")); /* "xxx" is not a URL */
	free(got);
	buf_free(&b);
}

/* docs/labels.md documents every label, with all its variables. */
TEST(documented)
{
	char *text = calloc(1, 1 << 16), line[256];
	FILE *f = fopen("docs/labels.md", "r");

	assert_non_null(f);
	assert_true(fread(text, 1, (1 << 16) - 1, f) > 0);
	fclose(f);
	for (size_t i = 0; i < schedulers_n; i++) {
		const struct scheduler *p = &schedulers[i];
		for (size_t k = 0; k < SCHEDULERS_LABELS && p->labels[k].label; k++) {
			const char *from = strchr(p->labels[k].from, '{') + 1;
			snprintf(line, sizeof line, "`%s`", p->labels[k].label);
			if (!strstr(text, line))
				fail_msg("%s is not in docs/labels.md", line);
			snprintf(line, sizeof line, "%.*s", (int)strcspn(from, "}"), from);
			if (!strstr(text, line))
				fail_msg("%s is not in docs/labels.md", line);
		}
	}
	free(text);
}

TEST(nextflow_tasks)
{
	static const struct {
		const char *text, *task;
	} cases[] = {
	    {"#!/bin/bash\n### ---\n### name: 'ALIGN (s1)'\n### ...\n", "ALIGN (s1)"},
	    {"#!/bin/bash\n#BSUB -x\n# NEXTFLOW TASK: Hello 1\nset -e\n", "Hello 1"},
	    {"# NEXTFLOW TASK: cut", "cut"},
	    {"### name: '", ""},
	    {"### name: ''\n", ""},
	    {"echo '### name: x'\n", ""},
	    {"", ""},
	};
	char task[DISCOVER_JOB_MAX];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bool got = discover_job_task(cases[i].text, strlen(cases[i].text), task);
		assert_int_equal(got, *cases[i].task != '\0');
		assert_string_equal(task, cases[i].task);
	}
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0 && fclose(f) == 0);
}

/* The name of a Nextflow task is read from its script, unless that is not a regular file. */
TEST(nextflow_scripts)
{
	char top[] = "/tmp/rtrack-test-task-XXXXXX", path[80], env[80];
	struct root r;

	assert_non_null(mkdtemp(top));
	assert_int_equal(root_open(&r, NULL, NULL), 0);
	snprintf(path, sizeof path, "%s/.command.run", top);
	for (int i = 0; i < 4; i++) {
		int n = snprintf(env, sizeof env, "%s%s",
		                 i ? "NXF_TASK_WORKDIR=" : "NXF_SCRATCH=", top);
		struct job_env e = {.text = env, .n = (size_t)n + 1};
		struct snapshot s = {.exit = {0}};
		if (i == 2)
			write_file(path, "#!/bin/bash\n### ---\n### name: 'ALIGN (s1)'\n");
		if (i == 3)
			assert_true(unlink(path) == 0 && mkfifo(path, 0600) == 0);
		discover_job_env(&r, &e, &s);
		if (i == 2) {
			assert_true(s.job.labels.n > 0);
			assert_string_equal(s.job.labels.v[s.job.labels.n - 1].key,
			                    "nextflow.task");
			assert_string_equal(s.job.labels.v[s.job.labels.n - 1].value, "ALIGN (s1)");
		} else {
			for (size_t k = 0; k < s.job.labels.n; k++)
				assert_string_not_equal(s.job.labels.v[k].key, "nextflow.task");
		}
		snapshot_free(&s);
	}
	root_close(&r);
	assert_true(unlink(path) == 0 && rmdir(top) == 0);
}

/* The namespace of a pod is read from a file. */
TEST(pod_namespaces)
{
	static const char *const dirs[] = {"/var", "/var/run", "/var/run/secrets",
	                                   "/var/run/secrets/kubernetes.io",
	                                   "/var/run/secrets/kubernetes.io/serviceaccount"};
	char top[] = "/tmp/rtrack-test-pod-XXXXXX", path[120],
	     env[] = "KUBERNETES_SERVICE_HOST=10.0.0.1";
	struct job_env e = {.text = env, .n = sizeof env};
	struct snapshot s = {.exit = {0}};
	struct root r;

	assert_non_null(mkdtemp(top));
	for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++) {
		snprintf(path, sizeof path, "%s%s", top, dirs[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	strcat(path, "/namespace");
	write_file(path, "team-a\nsecond line\n");
	assert_int_equal(root_open(&r, top, NULL), 0);
	discover_job_env(&r, &e, &s);
	assert_true(s.job.labels.n > 0);
	assert_string_equal(s.job.labels.v[s.job.labels.n - 1].key, "kubernetes.namespace");
	assert_string_equal(s.job.labels.v[s.job.labels.n - 1].value, "team-a");
	snapshot_free(&s);
	root_close(&r);
	assert_int_equal(unlink(path), 0);
	for (size_t i = sizeof dirs / sizeof *dirs; i--;) {
		snprintf(path, sizeof path, "%s%s", top, dirs[i]);
		assert_int_equal(rmdir(path), 0);
	}
	assert_int_equal(rmdir(top), 0);
}

/* -- git --------------------------------------------------------------------------------------- */

TEST(refs)
{
	static const struct {
		const char *text;
		enum git_ref kind;
		const char *out;
	} cases[] = {
	    {HASH "\n", GIT_HASH, HASH},
	    {LONG "\n", GIT_HASH, LONG},
	    {"ref: refs/heads/main\n", GIT_SYMBOLIC, "refs/heads/main"},
	    {"ref:\trefs/heads/a/b\r\n", GIT_SYMBOLIC, "refs/heads/a/b"},
	    {"ref: refs/heads/.invalid\n", GIT_NONE, ""}, /* the reftable format */
	    {"ref: refs/../../etc/passwd\n", GIT_NONE, ""},
	    {"ref: /etc/passwd\n", GIT_NONE, ""},
	    {"ref: refs//x\n", GIT_NONE, ""},
	    {"ref: refs/heads/\n", GIT_NONE, ""},
	    {"ref: refs/heads/a b\n", GIT_NONE, ""},
	    {"ref: refs/heads/a\033[0m\n", GIT_NONE, ""},
	    {"ref: heads/x\n", GIT_NONE, ""},
	    {"0123\n", GIT_NONE, ""},
	    {"0123456789ABCDEF0123456789abcdef01234567", GIT_NONE, ""},
	    {"root:x:0:0:root:/root:/bin/bash\n", GIT_NONE, ""},
	    {"", GIT_NONE, ""},
	    {"ref:", GIT_NONE, ""},
	};
	char out[GIT_REF_MAX];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(git_parse_ref(cases[i].text, strlen(cases[i].text), out),
		                 cases[i].kind);
		assert_string_equal(out, cases[i].out);
	}
}

TEST(times_of_commits)
{
	static const struct {
		const char *text;
		double t;
	} cases[] = {
	    {"tree " HASH "\nparent " HASH2 "\nauthor A <a@b> 1700000000 +0100\n"
	     "committer B > C <b@c> 1795986689 -0230\n\nmessage\n",
	     1795986689},
	    {"tree " HASH "\ncommitter <> 5 +0000\n\n", 5},
	    {"tree " HASH "\n\ncommitter A <a@b> 1795986689 +0000\n", NAN}, /* in the message */
	    {"tree " HASH "\ncommitter A <a@b> 1795986689 +0000", NAN},     /* cut */
	    {"tree " HASH "\ncommitter A <a@b> -5 +0000\n", NAN},
	    {"tree " HASH "\ncommitter A <a@b> 99999999999999 +0000\n", NAN},
	    {"tree " HASH "\ncommitter A <a@b> 1795986689\n", NAN},
	    {"tree " HASH "\ncommitter A <a@b>\n", NAN},
	    {"tree " HASH "\ncommitter 1795986689 +0000\n", NAN},
	    {"", NAN},
	};
	char object[400];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t n = strlen(cases[i].text);
		int head = snprintf(object, sizeof object, "commit %zu", n) + 1;
		double t;
		memcpy(object + head, cases[i].text, n);
		t = git_parse_commit(object, (size_t)head + n);
		assert_true(t == cases[i].t || (isnan(t) && isnan(cases[i].t)));
		object[0] = 'b'; /* another kind of object */
		assert_true(isnan(git_parse_commit(object, (size_t)head + n)));
	}
	assert_true(isnan(git_parse_commit("", 0)));
}

static char dir[64];

static char *path_of(const char *name)
{
	static char path[512];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	return path;
}

/* Writes a file below dir and creates its directories. %D in the text is replaced by dir. */
static void put(const char *name, const char *text)
{
	char *path = path_of(name), *sign = strstr(text, "%D");
	FILE *f;

	for (char *p = path + strlen(dir) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0700);
		*p = '/';
	}
	f = fopen(path, "w");
	assert_non_null(f);
	if (sign)
		fprintf(f, "%.*s%s%s", (int)(sign - text), text, dir, sign + 2);
	else
		fputs(text, f);
	fclose(f);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static int make_dir(void **state)
{
	(void)state;
	snprintf(dir, sizeof dir, "/tmp/rtrack-git-XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	(void)state;
	return nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void check(const char *where, const char *commit, const char *branch)
{
	struct git git;

	assert_int_equal(git_read(path_of(where), &git), commit ? 0 : -1);
	assert_string_equal(git.commit, commit ? commit : "");
	assert_string_equal(git.branch, branch ? branch : "");
}

TEST_WITH(repositories, make_dir, remove_dir)
{
	put("a/.git/HEAD", "ref: refs/heads/main\n");
	put("a/.git/refs/heads/main", HASH "\n");
	put("a/src/deep/x", "");
	check("a", HASH, "main");
	check("a/src/deep", HASH, "main");
	put("a/.git/HEAD", HASH2 "\n");
	check("a", HASH2, "");
	put("a/.git/HEAD", "ref: refs/heads/new\n");
	check("a", "", "new");
	put("a/.git/packed-refs", "# pack-refs with: peeled fully-peeled sorted \n" HASH
	                          " refs/heads/newer\n" HASH2 " refs/heads/new\n^" HASH "\n");
	check("a", HASH2, "new");
	put("a/.git/refs/heads/alias", "ref: refs/heads/main\n");
	put("a/.git/HEAD", "ref: refs/heads/alias\n");
	check("a", HASH, "alias");
	put("a/.git/refs/heads/loop", "ref: refs/heads/loop\n");
	put("a/.git/HEAD", "ref: refs/heads/loop\n");
	check("a", "", "loop");
	put("a/.git/HEAD", "nothing\n");
	check("a", NULL, NULL);
}

/* An object as git writes it: "commit 84", NUL, "committer A <a@b> 1795986689 +0100", … */
static void put_object(const char *name)
{
	static const unsigned char object[] = {
	    120, 156, 75,  206, 207, 205, 205, 44,  81,  176, 48,  97,  40,  41,  74,  77,
	    85,  48,  48,  52,  50,  54,  49,  53,  51,  183, 176, 76,  76,  74,  78,  73,
	    77,  195, 197, 231, 74,  6,   235, 43,  73,  45,  82,  112, 84,  176, 73,  116,
	    72,  178, 83,  48,  52,  183, 52,  181, 180, 48,  51,  179, 176, 84,  208, 54,
	    48,  52,  48,  224, 226, 170, 224, 2,   0,   245, 208, 25,  8};
	FILE *f;

	put(name, "");
	f = fopen(path_of(name), "w");
	assert_non_null(f);
	assert_int_equal(fwrite(object, sizeof object, 1, f), 1);
	fclose(f);
}

TEST_WITH(time_of_a_loose_object, make_dir, remove_dir)
{
	const char *const object = "a/.git/objects/01/23456789abcdef0123456789abcdef01234567";
	struct snapshot s = {.exit = {0}};
	char cwd[128];

	put("a/.git/HEAD", HASH "\n");
	put("a/src/x", "");
	assert_true(isnan(git_commit_time(path_of("a"), HASH))); /* it may be in a pack */
	put(object, "not zlib");
	assert_true(isnan(git_commit_time(path_of("a"), HASH)));
	put_object(object);
	assert_true(git_commit_time(path_of("a"), HASH) == 1795986689);
	assert_true(git_commit_time(path_of("a/src"), HASH) == 1795986689);
	assert_true(isnan(git_commit_time(path_of("a"), HASH2)));
	assert_true(isnan(git_commit_time(path_of("a"), "../../../etc/passwd")));
	snprintf(cwd, sizeof cwd, "%s", path_of("a/src"));
	s.job.cwd = cwd;
	discover_job_commit_time(&s); /* without the label of a commit */
	assert_int_equal(s.job.labels.n, 0);
	snapshot_pairs_add(&s, &s.job.labels, "git.commit", HASH);
	discover_job_commit_time(&s);
	assert_int_equal(s.job.labels.n, 2);
	assert_string_equal(s.job.labels.v[1].key, "git.commit_time");
	assert_string_equal(s.job.labels.v[1].value, "2026-11-29T21:11:29Z");
	snapshot_free(&s);
}

TEST_WITH(worktrees_and_submodules, make_dir, remove_dir)
{
	put("a/.git/HEAD", "ref: refs/heads/main\n");
	put("a/.git/refs/heads/main", HASH "\n");
	put("a/.git/packed-refs", HASH2 " refs/heads/side\n");
	put("a/.git/worktrees/w/HEAD", "ref: refs/heads/side\n");
	put("a/.git/worktrees/w/commondir", "../..\n");
	put("w/.git", "gitdir: %D/a/.git/worktrees/w\n");
	put("w/sub/x", "");
	check("w", HASH2, "side");
	check("w/sub", HASH2, "side");
	put("a/.git/modules/m/HEAD", HASH "\n");
	put("a/m/.git", "gitdir: ../.git/modules/m\n");
	check("a/m", HASH, "");
	/* A link that leads nowhere hides nothing: git's own word would be an error, ours is above.
	 */
	put("a/n/.git", "gitdir: ../gone\n");
	check("a/n", HASH, "main");
}

TEST_WITH(hostile_repositories, make_dir, remove_dir)
{
	char line[600];

	put("secret", "hunter2\n");
	put("a/.git/HEAD", "ref: refs/heads/main\n");
	put("a/.git/refs/heads/x", "");
	assert_int_equal(symlink("../../../../secret", path_of("a/.git/refs/heads/main")), 0);
	check("a", "", "main");
	remove(path_of("a/.git/refs/heads/main"));
	assert_int_equal(mkfifo(path_of("a/.git/refs/heads/main"), 0600), 0);
	check("a", "", "main"); /* a FIFO: does not wait for a writer */
	remove(path_of("a/.git/HEAD"));
	assert_int_equal(mkfifo(path_of("a/.git/HEAD"), 0600), 0);
	check("a", NULL, NULL);
	memset(line, 'a', sizeof line - 1);
	memcpy(line, "ref: refs/heads/", 16);
	line[sizeof line - 1] = '\0';
	put("b/.git/HEAD", line);
	check("b", NULL, NULL);
	check("none", NULL, NULL);
}

/* More lines than fit into one chunk, one of them longer than a chunk. */
TEST_WITH(long_packed_refs, make_dir, remove_dir)
{
	FILE *f;

	put("a/.git/HEAD", "ref: refs/heads/last\n");
	put("a/.git/packed-refs", "");
	f = fopen(path_of("a/.git/packed-refs"), "w");
	assert_non_null(f);
	for (int i = 0; i < 5000; i++)
		fprintf(f, HASH " refs/tags/v%d\n", i);
	for (int i = 0; i < 200000; i++)
		fputc('x', f);
	fprintf(f, "\n" HASH2 " refs/heads/last\n");
	fclose(f);
	check("a", HASH2, "last");
}

TEST_WITH(of_the_working_directory, make_dir, remove_dir)
{
	struct snapshot s = {.exit = {0}};
	struct root r;
	bool commit = false, branch = false;

	put("a/.git/HEAD", "ref: refs/heads/main\n");
	put("a/.git/refs/heads/main", HASH "\n");
	assert_int_equal(root_open(&r, NULL, NULL), 0);
	s.job.cwd = path_of("a");
	discover_job(&r, &(struct job_env){.text = NULL}, &s);
	for (size_t i = 0; i < s.job.labels.n; i++) {
		commit |= strcmp(s.job.labels.v[i].key, "git.commit") == 0 &&
		          strcmp(s.job.labels.v[i].value, HASH) == 0;
		branch |= strcmp(s.job.labels.v[i].key, "git.branch") == 0 &&
		          strcmp(s.job.labels.v[i].value, "main") == 0;
	}
	assert_true(commit && branch);
	snapshot_free(&s);
	root_close(&r);
}
