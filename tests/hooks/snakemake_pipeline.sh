# Snakemake 7 with the recipe: the ten jobs of one run are one page, with the chain of those that ended last.
. tests/check.sh
. tests/hooks/recipe.bash
command -v snakemake >/dev/null || skip_all 'snakemake is not installed'
case $(snakemake --version) in 7.*) ;; *) skip_all 'snakemake is not version 7' ;; esac
mkdir "$D/work" && cd "$D/work" || exit 1
export RTRACK_RUNS=$PWD/runs HOME=$PWD XDG_CACHE_HOME=$PWD/cache
export PYTHONPATH=$ROOT/packaging/python PYTHONDONTWRITEBYTECODE=1
unset RTRACK_WORKFLOW_RUN
# Sample 3 is the slow one; merge fails when it is run the first time.
{ recipe snakemake && cat <<'RULES'; } >Snakefile
rule all:
    input: "merged"
rule prepare:
    output: expand("in.{s}", s=range(4))
    shell: "touch {output}"
rule part:
    input: "in.{s}"
    output: "part.{s}"
    threads: 2
    resources: mem_mb=500, runtime=10
    shell: "sleep $(( {wildcards.s} / 3 * 4 )); touch {output}"
rule count:
    input: "part.{s}"
    output: "count.{s}"
    shell: "sleep $(( {wildcards.s} / 3 * 4 )); touch {output}"
rule merge:
    input: expand("count.{s}", s=range(4))
    output: "merged"
    shell: "test -e once || {{ touch once; exit 3; }}; touch {output}"
RULES
snakemake -c8 --nocolor --retries 1 >log 2>err
check_equal 'the run: status' $? 0
check_equal 'the run: recordings, one of them of the attempt that failed' "$(ls runs | wc -l)" 11
rtrack-fleet pipeline --offline -o page.html --json page.json --text page.txt runs 2>err
check_equal 'the page: status' "$? $(cat err)" '0 '
json() { node -p "const m = JSON.parse(require('fs').readFileSync('page.json')); $1"; }
check 'the name of the run' grep -qE '^snakemake/[0-9]{8}-[0-9]{6}$' <<<"$(json 'm.run.name')"
check_equal 'tasks, processes, tasks that were retried' \
	"$(json 'm.tiles.slice(0, 2).map(({ text, note }) => `${text} ${note}`).join("; ")')" '10 0 failed, 1 retried; 4 '
# The quick samples are in it where the slow one started after one of them had ended.
check_equal 'the chain' "$(json 'm.chain.rows.map(({ name }) => name).filter(name => !/s=[012]/.test(name)).join("; ")')" \
	'prepare; part (s=3); count (s=3); merge, attempt 1; merge, attempt 2'
check_equal 'what a rule asked for' "$(json 'm.processes.rows.find(({ name }) => name === "part").asked')" '2 CPUs, 477 MiB, 10 min'
# Jobs as short as these are no base for a proposal; the profile is tried with made-up numbers.
printf 'set-threads:\n  - part=1\nset-resources:\n  - part:mem_mb=123\n  - part:runtime=7\n' >profile.yaml
mkdir profile && mv profile.yaml profile/config.yaml
rm -f part.* && snakemake --profile profile -c8 --nocolor -n part.0 >dry 2>&1
check 'a profile with such lists is what Snakemake reads' grep -q 'mem_mb=123' dry
echo "1..$n"
