# Snakemake 7 with a shell that records: each rule's recording has the rule's name and what it asked for; no rule changes.
. tests/check.sh
. tests/hooks/recipe.bash
command -v snakemake >/dev/null || skip_all 'snakemake is not installed'
case $(snakemake --version) in 7.*) ;; *) skip_all 'snakemake is not version 7' ;; esac
mkdir "$D/a b" && cd "$D/a b" || exit 1
export RTRACK_RUNS=$PWD/runs HOME=$PWD XDG_CACHE_HOME=$PWD/cache
export PYTHONPATH=$ROOT/packaging/python PYTHONDONTWRITEBYTECODE=1
unset RTRACK_WORKFLOW_RUN
cat >rules <<'EOF'
rule all:
    input: expand("out/{s}.count", s=["a", "b"])
rule sort:
    input: "{s}.txt"
    output: "out/{s}.sorted"
    threads: 2
    resources: mem_mb=500, runtime=10
    shell: "sort {input} > {output}; echo $OMP_NUM_THREADS > {output}.threads"
rule count:
    input: rules.sort.output
    output: "out/{s}.count"
    params: what="it's"
    benchmark: "out/{s}.bench"
    shell: "wc -l < {input} | tr -d ' ' > {output} && echo {wildcards.s} {params.what:q} {config[who]} >> {output}"
rule bad:
    output: "bad"
    shell: "touch {output}; false | cat; touch never"
rule script:
    output: "written"
    run:
        cmd, wildcards = "echo from run", None  # names of shell() and of Snakemake
        def write(to):
            for line in shell(cmd, iterable=True): shell("echo {line} > {to}")
        write(output)
rule python:
    output: "by_python"
    params: stem="100%"
    script: "write.py"
EOF
echo 'open(snakemake.output[0], "w").write(snakemake.params.stem)' >write.py
{ recipe snakemake && echo 'config["who"] = "me"' && cat rules; } >Snakefile
printf 'b\na\n' >a.txt && printf 'd\nc\ne\n' >b.txt
run() { snakemake -c2 --nocolor "$@" >log 2>err; }

run
check_equal 'three rules: status' $? 0
check_equal 'three rules: what they wrote' "$(paste -sd ' ' out/a.count out/b.count) $(cat out/a.sorted.threads)" \
	"2 a it's me
3 b it's me 2"
check_equal 'three rules: a recording of each job, with its rule and what the rule asked for' "$(facts runs/*)" \
	"$(machine=$(($(awk '/^MemTotal/ { print $2 }' /proc/meminfo) * 1024))
		for _ in 1 2; do echo "count 0 cpus=1 memory=$machine time=null"; done
		for _ in 1 2; do echo 'sort 0 cpus=2 memory=500000000 time=600'; done)"
check_equal 'three rules: the label of the rule' \
	"$(zcat runs/sort* | grep -o '"snakemake.rule":"[^"]*"' | sort -u)" '"snakemake.rule":"sort"'
check 'the benchmark of a rule is still written' grep -q '^s' out/a.bench
rtrack-fleet groups --offline -o fleet.html --json fleet.json runs 2>err
check_equal 'the fleet page takes the folder' "$? $(ls fleet.html)" '0 fleet.html'
rm -rf runs/*
run bad
check_equal 'a rule that fails: status' $? 1
check_equal 'a rule that fails: its output is removed, strict mode is kept' "$(ls bad never 2>/dev/null)" ''
check_equal 'a rule that fails: its recording' "$(facts runs/* | cut -d ' ' -f 1,2)" 'bad 1'
# Snakemake 7 itself cannot do this where a path has a blank.
mkdir "$D/plain" && cp Snakefile write.py "$D/plain" && cd "$D/plain" || exit 1
unset RTRACK_RUNS
run -n written
check_equal 'a dry run records nothing' "$? $(ls -d rtrack 2>/dev/null)" '0 '
run written
check_equal 'a rule that runs Python: its shell commands are recorded, into rtrack/' \
	"$? $(cat written) $(names_of rtrack/*)" '0 from run script script'
rm -rf rtrack
run by_python
check_equal 'a script of a rule is recorded as the rule' "$? $(cat by_python) $(names_of rtrack/*)" '0 100% python'
rm -rf written rtrack
export RTRACK_RUNS='a b/50%h'
run --directory elsewhere written
check_equal 'in another folder, whose name has a blank and a sign of ours' \
	"$? $(cat elsewhere/written) $(names_of elsewhere/a\ b/50%h/*)" '0 from run script script'
echo "1..$n"
