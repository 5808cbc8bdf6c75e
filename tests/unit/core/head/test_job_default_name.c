/* What a command is called that nobody named. */
#include "core/head/job_default_name.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#define WORDS_MAX 16

/* The name of the command whose words stand between bars in text. */
static void check_name(const char *text, const char *name)
{
	char copy[256], *rest = copy, *word;
	const char *argv[WORDS_MAX];
	struct buf out = {0};
	size_t n = 0;

	snprintf(copy, sizeof copy, "%s", text);
	while ((word = strsep(&rest, "|")))
		argv[n++] = word;
	job_default_name(argv, n, &out);
	if (strcmp(buf_cstr(&out), name) != 0)
		fail_msg("%s is called \"%s\", not \"%s\"", text, buf_cstr(&out), name);
	buf_free(&out);
}

static void check_line(const char *was, const char *line, const char *name)
{
	struct buf out = {0};

	job_default_name_of_line(was, line, &out);
	assert_string_equal(buf_cstr(&out), name);
	buf_free(&out);
}

TEST(scripts_name_their_interpreters)
{
	static const char *const of[][2] = {
	    {"python3|big.py", "big.py"},
	    {"/usr/bin/python3.11|-u|-W|ignore|-X|dev|src/big.py|--size|9", "src/big.py"},
	    {"python3|-Wignore|big.py", "big.py"},
	    {"python3|-Wmodule|big.py", "big.py"}, /* not -m */
	    {"python|-m|pkg.train|x", "pkg.train"},
	    {"python|-um|pkg.train|x", "pkg.train"},
	    {"pypy3|a.py", "a.py"},
	    {"Rscript|--vanilla|fit.R|4", "fit.R"},
	    {"perl|-w|-I|lib|-MList::Util=sum|count.pl", "count.pl"},
	    {"ruby|-rjson|-I|lib|a.rb", "a.rb"},
	    {"node|--max-old-space-size=100|--require|./hook.js|server.js", "server.js"},
	    {"julia|-t|4|--project=.|sim.jl", "sim.jl"},
	    {"bash|-euo|pipefail|./job.sh|x", "job.sh"},
	    {"sh|+x|--|-job.sh", "-job.sh"},
	    {"bash|--rcfile|my.rc|job.sh", "job.sh"},
	    {"java|-Xmx4g|-cp|a.jar:b.jar|com.example.Main|x", "com.example.Main"},
	    {"java|-jar|/opt/picard.jar|MarkDuplicates", "opt/picard.jar"},
	    {"R|--no-save|--file=fit.R", "fit.R"},
	    {"R|-f|fit.R", "fit.R"},
	    {"snakemake|--cores|4|-s|rules/map.smk|all", "rules/map.smk"},
	    {"snakemake|--snakefile|map.smk", "map.smk"},
	    {"make|-j|8|CC=clang|-C|src|check", "make -C src check"},
	    {"make|-j8|check", "make check"},
	};

	for (size_t i = 0; i < sizeof of / sizeof *of; i++)
		check_name(of[i][0], of[i][1]);
}

TEST(a_command_that_names_nothing_has_the_name_of_its_program)
{
	check_name("/usr/bin/samtools|sort|a.bam", "samtools");
	check_name("./train", "train");
	check_name("python3", "python3");
	check_name("python3|-", "python3");
	check_name("bash|-s", "bash");
	check_name("make|-j4", "make");
	check_name("snakemake|--cores|4", "snakemake");
	check_name("R|--no-save", "R");
	check_name("pythonic|a.py", "pythonic");
	check_name("shuf|a.sh", "shuf");
	check_name("", "");
	check_name("python3|-m", "python3");
	check_name("folder/", "folder/");
}

TEST(a_file_made_for_one_run_tells_nothing)
{
	check_name("bash|-e|/home/runner/_temp/1b4e28ba-2fa1-11d2-883f-0016d3cca427.sh", "bash");
	check_name("sh|-xe|/w/job@tmp/durable-1f2e/script.sh", "sh");
	check_name("/bin/bash|/var/spool/slurmd/job7/slurm_script", "bash");
	check_name("bash|/work/ab/1f3c5d7e9a0b2c4d6e8f0a1b2c3d4e/.command.sh", "bash");
	check_name("bash|.command.run", "bash");
	check_name("/bin/sh|-xe|/tmp/jenkins123.sh", "sh");
	check_name("/bin/sh|/opt/agent/temp/custom_script12345678", "sh");
	check_name("bash|/opt/sge/spool/node7/job_scripts/1234567", "bash");
	check_name("bash|/var/spool/pbs/mom_priv/jobs/1234567.server.SC", "bash");
	check_name("bash|/tmp/tmpab12cd34.sh", "bash");
	check_name("bash|/tmp/tmp.AbC123xYz0", "bash");
	check_name("bash|1b4e28ba-2fa1.sh", "1b4e28ba-2fa1.sh");
	check_name("bash|zb4e28ba-2fa1-11d2-883f-0016d3cca427.sh",
	           "zb4e28ba-2fa1-11d2-883f-0016d3cca427.sh");
}

TEST(scripts_have_their_folders)
{
	static const char *const of[][2] = {
	    {"python3|a/run.py", "a/run.py"},
	    {"python3|b/run.py", "b/run.py"},
	    {"python3|./run.py", "run.py"},
	    {"python3|../run.py", "../run.py"},
	    {"python3|.//a/./run.py", "a/run.py"},
	    {"python3|x/src/run.py", "x/src/run.py"},
	    {"python3|/run.py", "run.py"},
	    {"python3|/home/ann/a/run.py", "a/run.py"},
	    {"python3|/home/ann/a/src/run.py", "a/src/run.py"}, /* many projects have "src" */
	    {"python3|/home/ann/b/src/run.py", "b/src/run.py"},
	    {"python3|/a/b/../run.py", "b/../run.py"},
	    {"bash|/opt/etl/bin/run.sh", "etl/bin/run.sh"},
	    {"/usr/bin/python3|/usr/local/bin/pytest|tests", "pytest"}, /* a program */
	    {"bash|a/job.sh", "a/job.sh"},
	    {"a/job.sh|x", "a/job.sh"},
	    {"./job.sh", "job.sh"},
	    {"a/train|x", "train"}, /* not a script */
	    {"srun|-n|4|a/run.py", "a/run.py"},
	    {"snakemake|-s|a/Snakefile", "a/Snakefile"},
	    {"nextflow|run|https://github.com/nf-core/rnaseq", "nf-core/rnaseq"},
	    {"nextflow|run|wf/main.nf", "wf/main.nf"},
	    {"spark-submit|s3://bucket/v2/etl.py", "v2/etl.py"},
	    {"python3|-m|cProfile|a/run.py", "a/run.py"},
	    {"make|-C|a", "make -C a"},
	    {"make|-C|a|-C|b|all", "make -C a -C b all"},
	    {"make|-Ca|-f|b.mk|all", "make -C a -f b.mk all"},
	    {"make|--directory=a|--makefile|b.mk", "make -C a -f b.mk"},
	    {"make|results/S1.bam", "make results/S1.bam"},
	    /* folders that are made anew for each run */
	    {"python3|/scratch/1234567/run.py", "scratch/run.py"},
	    {"python3|/scratch/job00042/a/run.py", "a/run.py"},
	    {"python3|/scratch/slurm.12345/run.py", "scratch/run.py"},
	    {"python3|/work/ab/1f3c5d7e9a0b2c4d6e8f0a1b2c3d4e/run.py", "work/run.py"},
	    {"python3|/tmp/tmp.AbC123xYz0/run.py", "run.py"},
	    {"python3|/tmp/tmpab12cd34/run.py", "run.py"},
	    {"bash|/w/job@tmp/run.sh", "w/run.sh"},
	    {"python3|.snakemake/scripts/tmpab12.run.py", "run.py"},
	    {"python3|/w/.snakemake/scripts/tmpab12cd34.fit.model.py", "fit.model.py"},
	    /* but not years, steps and projects */
	    {"python3|2025/run.py", "2025/run.py"},
	    {"python3|job1/run.py", "job1/run.py"},
	    {"python3|/scratch/project_2001234/run.py", "project_2001234/run.py"},
	    {"python3|tmpl/run.py", "tmpl/run.py"},
	    {"python3|tmp_fix.py", "tmp_fix.py"},
	    {"bash|run_12.sh", "run_12.sh"},
	};

	for (size_t i = 0; i < sizeof of / sizeof *of; i++)
		check_name(of[i][0], of[i][1]);
}

TEST(deep_folders_are_cut_from_the_left)
{
	char path[600] = "";
	const char *argv[] = {"sh", path};
	struct buf out = {0};

	for (int i = 0; i < 40; i++)
		strcat(path, i < 30 ? "folder12/" : "f/");
	strcat(path, "run.sh");
	job_default_name(argv, 2, &out);
	assert_string_equal(buf_cstr(&out), "folder12/folder12/folder12/folder12/folder12/folder12/"
	                                    "f/f/f/f/f/f/f/f/f/f/run.sh");
	buf_free(&out);
}

TEST(a_text_is_told_from_another_by_its_hash)
{
	check_name("python3|-c|pass", "python3-a5b6a4e5");
	check_name("/usr/bin/python3|-uc|pass|x", "python3-a5b6a4e5");
	check_name("bash|-ec|pass|_|file", "bash-a5b6a4e5");
	check_name("bash|-ce|pass", "bash-a5b6a4e5");
	check_name("sh|-c|-e|pass", "sh-a5b6a4e5");
	check_name("perl|-lne|pass", "perl-a5b6a4e5");
	check_name("perl|-epass", "perl-a5b6a4e5");
	check_name("node|--eval=pass", "node-a5b6a4e5");
	check_name("node|-pe|pass", "node-a5b6a4e5");
	check_name("octave|--eval|pass", "octave-a5b6a4e5");
	check_name("sh|-c", "sh");
	check_name("sh|-c|/home/ann/nightly.sh", "ann/nightly.sh");
	check_name("bash|-c|./nightly.sh > log", "bash-d39a8425");
}

TEST(a_name_is_one_short_line)
{
	char long_name[1000];
	const char *argv[] = {"sh", long_name};
	struct buf out = {0};

	check_name("sh|a\nb\x1b.sh", "a_b_.sh");
	check_name("sh|\n", "_");
	check_name("sh|my script.sh", "my script.sh");
	memset(long_name, 'x', sizeof long_name);
	memcpy(long_name + 127, "\xc3\xa9", 2);
	long_name[sizeof long_name - 1] = '\0';
	assert_true(job_default_name(argv, 2, &out));
	assert_int_equal(out.len, 127);
	assert_false(job_default_name(argv, 1, &out)); /* "sh" tells nothing */
	buf_free(&out);
}

TEST(as_many_as_there_are)
{
	const char *argv[2002];
	struct buf out = {0};

	for (size_t i = 0; i < 2000; i++)
		argv[i] = "nice";
	argv[2000] = "python3";
	argv[2001] = "a.py";
	assert_true(job_default_name(argv, 2002, &out));
	assert_string_equal(buf_cstr(&out), "a.py");
	buf_free(&out);
}

TEST(launchers_are_looked_through)
{
	static const char *const of[][2] = {
	    {"env|A=1|python3|a.py", "a.py"},
	    {"env|-u|HOME|-C|/tmp|./solver", "solver"},
	    {"env", "env"},
	    {"env|-S|python3 -u  big.py", "big.py"},
	    {"env|-S|python3 -u|big.py|x", "big.py"},
	    {"env|-iS|A=1 ./solver -x|y", "solver"},
	    {"env|-Snice ./solver", "solver"},
	    {"env|--split-string=./solver x", "solver"},
	    {"env|-S|env -S nice|./solver", "env-391cc439"},
	    {"env|-S|", "env"},
	    {"setpriv|--reuid=1000|--clear-groups|./solver", "solver"},
	    {"setpriv|--reuid|1000|--no-new-privs|--|python3|a.py", "a.py"},
	    {"env|SCRIPT=a.py|python3|b.py", "b.py"},
	    {"timeout|60|make|test", "make test"},
	    {"timeout|-k|5|--signal=INT|60|./solver|python3", "solver"},
	    {"nice|-n|10|./job.sh", "job.sh"},
	    {"nice|-15|./solver", "solver"},
	    {"ionice|-c2|-n|7|./solver", "solver"},
	    {"nohup|nice|-n|5|time|-o|t.txt|./solver", "solver"},
	    {"/usr/bin/time|-v|bwa|mem|ref.fa", "bwa"},
	    {"stdbuf|-oL|./solver", "solver"},
	    {"taskset|-c|0-3|./solver", "solver"},
	    {"numactl|--interleave=all|-N|0|./solver", "solver"},
	    {"chrt|-b|0|./solver", "solver"},
	    {"sudo|-u|ann|-E|A=1|--|./solver|x", "solver"},
	    {"runuser|-u|ann|--|./solver", "solver"},
	    {"xargs|-0|-n|1|-P|4|gzip|-9", "gzip"},
	    {"xargs|-I|{}|sh|-c|pass", "sh-a5b6a4e5"},
	    {"xargs|-n1", "xargs"},
	    {"flock|-w|9|/tmp/lock|./solver", "solver"},
	    {"systemd-run|--user|--scope|-p|MemoryMax=1G|./solver", "solver"},
	    {"parallel|--jobs|4|--bar|gzip|{}|:::|a|b", "gzip"},
	    /* of MPI */
	    {"mpirun|-np|4|python3|-m|solver", "solver"},
	    {"mpirun|--oversubscribe|-n|4|--mca|btl|tcp,self|-x|A|./wave|a.in", "wave"},
	    {"mpiexec|-genv|OMP_NUM_THREADS|1|-ppn|4|lmp|-in|a.lmp", "lmp"},
	    {"mpiexec.hydra|-n|4|./wave", "wave"},
	    {"mpirun|-np|1|./a|:|-np|2|./b", "a"},
	    {"mpirun|--new-switch|./wave|in.dat", "wave"},
	    {"srun|-n4|./wave", "wave"},
	    {"srun|-n|4|--mpi=pmix|--cpus-per-task|8|--exclusive|-p|long|./tide|x", "tide"},
	    {"srun|--pty|bash|job.sh", "job.sh"},
	    {"aprun|-n|4|-N|2|./wave", "wave"},
	    {"jsrun|-n|4|-a|1|./wave", "wave"},
	    {"torchrun|--standalone|--nproc_per_node|4|train.py|--lr|1", "train.py"},
	    {"torchrun|--nproc-per-node=4|-m|pkg.train", "pkg.train"},
	    {"accelerate|launch|--mixed_precision|fp16|train.py", "train.py"},
	    {"deepspeed|--num_gpus|2|train.py", "train.py"},
	    {"python3|-m|torch.distributed.run|--nproc_per_node=2|train.py", "train.py"},
	    {"python3|-m|cProfile|-o|a.prof|train.py", "train.py"},
	    {"python3|-m|pytest|tests/a.py", "pytest"},
	    /* of environments */
	    {"conda|run|-n|bio|--no-capture-output|python|a.py", "a.py"},
	    {"conda|run|-n|bio|samtools|sort|a.bam", "samtools"},
	    {"micromamba|run|-p|/opt/e|Rscript|fit.R", "fit.R"},
	    {"conda|install|python|a.py", "conda"},
	    {"uv|run|train.py", "train.py"},
	    {"uv|run|--with|numpy|--python|3.12|python|train.py", "train.py"},
	    {"uv|run|-m|pkg.train", "pkg.train"},
	    {"uv|pip|install|x", "uv"},
	    {"poetry|run|python|-m|pkg.train", "pkg.train"},
	    {"poetry|-C|app|run|fit|x", "fit"},
	    {"pipenv|run|python|a.py", "a.py"},
	    {"pixi|run|-e|test|python|a.py", "a.py"},
	    {"bundle|exec|ruby|a.rb", "a.rb"},
	    /* of containers */
	    {"apptainer|exec|image.sif|Rscript|a.R", "a.R"},
	    {"singularity|exec|--nv|-B|/d:/d|image.sif|samtools|sort", "samtools"},
	    {"apptainer|-q|run|--bind|/d|star.sif|--x", "star.sif"},
	    {"docker|run|--rm|-v|/d:/d|--cpus|2|quay.io/a/bwa:1.2|mem|ref.fa", "bwa:1.2"},
	    {"podman|run|-it|python:3.12|python|a.py", "a.py"},
	    {"docker|ps|-a", "docker"},
	};

	for (size_t i = 0; i < sizeof of / sizeof *of; i++)
		check_name(of[i][0], of[i][1]);
}

TEST(workflows_and_other_interpreters)
{
	static const char *const of[][2] = {
	    {"nextflow|run|main.nf|-profile|test", "main.nf"},
	    {"nextflow|-q|-log|a.log|run|-r|3.1|-resume|nf-core/rnaseq|--input|a.csv",
	     "nf-core/rnaseq"},
	    {"nextflow|run|.", "nextflow"},
	    {"nice|nextflow|pull|nf-core/rnaseq", "nextflow"},
	    {"nextflow|pull|nf-core/rnaseq", "nextflow"},
	    {"cwltool|--outdir|out|--parallel|map.cwl|job.yml", "map.cwl"},
	    {"toil-cwl-runner|--jobStore|js|map.cwl|job.yml", "map.cwl"},
	    {"miniwdl|run|map.wdl|x=1", "map.wdl"},
	    {"cromwell|run|-i|in.json|map.wdl", "map.wdl"},
	    {"matlab|-nodisplay|-batch|fit", "fit"},
	    {"matlab|-nodisplay|-r|pass|-logfile|a.log", "pass"},
	    {"matlab|-batch|run('a.m')", "matlab-aaad4264"},
	    {"matlab|-nodisplay", "matlab"},
	    {"octave|--no-gui|fit.m", "fit.m"},
	    {"R|CMD|BATCH|--no-save|fit.R|out.txt", "fit.R"},
	    {"R|--no-save|--args|4", "R"},
	    {"java|--add-opens|java.base/java.lang=ALL-UNNAMED|-jar|a.jar", "a.jar"},
	    {"spark-submit|--master|yarn|--verbose|--conf|a=b|etl.py|2026", "etl.py"},
	    {"deno|run|--allow-net|a.ts", "a.ts"},
	    {"ipython|a.py", "a.py"},
	    {"go|run|main.go", "main.go"},
	    {"go|build|./cmd", "go"},
	    {"make|clean|-j|8|all", "make clean all"},
	    {"ninja|-C|build|install", "ninja -C build install"},
	};

	for (size_t i = 0; i < sizeof of / sizeof *of; i++)
		check_name(of[i][0], of[i][1]);
}

static void check_anew(const char *was, const char *name)
{
	const char *const argv[] = {"python3", "a/run.py"};
	struct buf out = {0};

	job_default_name_anew(was, argv, 2, &out);
	assert_string_equal(buf_cstr(&out), name);
	buf_free(&out);
}

TEST(older_recordings_are_named_anew)
{
	check_anew("python3", "a/run.py");
	check_anew("run.py", "a/run.py");
	check_anew("a/run.py", "a/run.py");
	check_anew("mine", "mine");
	check_anew(NULL, "");
	assert_true(job_default_name_was("python3", "/usr/bin/python3"));
	assert_false(job_default_name_was("train", "/usr/bin/python3"));
	assert_false(job_default_name_was("", ""));
	check_line("python3", "/usr/bin/python3 -u big.py 9", "big.py");
	check_line("run.py", "python3 a/run.py", "a/run.py");
	check_line("run.py", "a/run.py x", "a/run.py");
	check_line("make check", "make -C src check", "make -C src check");
	check_line("make", "make -C src", "make -C src");
	check_line(".command.run", "bash /w/.command.run", "bash");
	check_line("a/run.py", "python3 a/run.py", "a/run.py");
	check_line("nightly", "python3 big.py", "nightly");
	check_line("srun", "srun -n 4 ./wave x", "wave");
	check_line("samtools", "samtools sort a.bam", "samtools");
	check_line("env", "env", "env");
	check_line("python3", "python3 -c import x; x.y()", "python3");
	check_line("bash", "bash", "bash");
	check_line("", "", "");
}
