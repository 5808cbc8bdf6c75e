# What Snakemake 7, GNU time and rtrack's own templates write, imported: against what the jobs are known to have used.
. tests/check.sh
import=$B/tests/services/import_cli
command -v snakemake >/dev/null || skip_all 'snakemake is not installed'
case $(snakemake --version) in 7.*) ;; *) skip_all 'snakemake is not version 7' ;; esac
[ -x /usr/bin/time ] || skip_all 'GNU time is not installed'
cd "$D" || exit 1
export HOME=$PWD XDG_CACHE_HOME=$PWD/cache
cat >Snakefile <<'EOF'
rule all:
    input: "out/busy", "out/fork", "out/quick", "out/twice"
rule busy:
    output: "out/busy"
    benchmark: "benchmarks/busy/one.tsv"
    shell: "python3 -c 'import time; b = bytearray(100 << 20)\nwhile time.process_time() < 3: pass' && touch {output}"
rule fork:
    output: "out/fork"
    benchmark: "benchmarks/fork.tsv"
    shell: "python3 -c 'import os, time; b = bytes(100 << 20)\nc = bytes([1]) * (100 << 20)\nfor i in range(3): os.fork() or (time.sleep(3), os._exit(0))\ntime.sleep(3)' && touch {output}"
rule quick:
    output: "out/quick"
    benchmark: "out/quick.bench"
    shell: "touch {output}"
rule twice:
    output: "out/twice"
    benchmark: repeat("benchmarks/twice.tsv", 2)
    shell: "sleep 1.2 && touch {output}"
rule bad:
    output: "out/bad"
    benchmark: "benchmarks/bad.tsv"
    shell: "sleep 1; false"
EOF
value() { sed -n "${3:-1}p" <<<"$1" | tr '\t' '\n' | sed -n "s/^$2=//p"; }

snakemake -c1 --nocolor >log 2>err
check_equal 'the pipeline ends well' $? 0
got=$("$import" benchmarks/busy/one.tsv)
check_equal 'a job that computes: its name is that of the folder' "$(value "$got" name)" busy
# Beside load its two numbers can contradict each other: more was seen from look to look than at the last one.
cpu=$(value "$got" cpu_s)
if [ -n "$cpu" ]; then
	check_near 'a job that computes: its CPU time' "$cpu" 3 .3
else
	check_that 'a job that computes: its CPU time is unknown' "$(awk 'NR == 2 { print $9 / 100 * $1 " > " $10 }' benchmarks/busy/one.tsv)"
fi
check_that 'a job that computes: its time' "$(value "$got" wall_s) >= 3"
check_near 'a job that computes: its memory' "$(value "$got" memory_peak_bytes)" $((110 << 20)) .1
got=$("$import" benchmarks/fork.tsv)
check_near 'memory that four processes share counts once' "$(value "$got" memory_peak_bytes)" $((115 << 20)) .2
got=$("$import" out/quick.bench)
check_equal 'a short job: nothing is known but its time' \
	"$(value "$got" name) $(value "$got" cpu_s)$(value "$got" memory_peak_bytes)$(value "$got" read_bytes)" 'quick '
check_equal 'repetitions are jobs' "$("$import" benchmarks/twice.tsv | tail -n 1)" 'snakemake: 2 jobs, 0 unknown, 0 left out'
snakemake -c1 --nocolor out/bad >log 2>&1
check_equal 'of a job that fails there is no file' "$? $(ls benchmarks/bad.tsv 2>/dev/null)" '1 '

{
	/usr/bin/time -v python3 -c 'import time; b = bytearray(100 << 20)
while time.process_time() < 1: pass'
	/usr/bin/time -v sh -c 'kill -9 $$'
	/usr/bin/time -v no-such-program
	LC_ALL=C.UTF-8 /usr/bin/time -v sleep 0.2
} 2>time.log
got=$("$import" time.log)
check_equal 'time: all blocks are found' "$(tail -n 1 <<<"$got")" 'time: 4 jobs, 0 unknown, 0 left out'
check_near 'time: CPU' "$(value "$got" cpu_s)" 1 .3
check_near 'time: memory' "$(value "$got" memory_peak_bytes)" $((110 << 20)) .1
check_equal 'time: a signal' "$(value "$got" status 2) $(value "$got" signal 2) $(value "$got" code 2)" 'signaled KILL '
check_equal 'time: a program that is not there' "$(value "$got" name 3) $(value "$got" code 3)" 'no-such-program 127'
check_that 'time: seconds' "$(value "$got" wall_s 4) >= 0.2 && $(value "$got" wall_s 4) < 10"

"$R" -q --interval 0.2 -o run.json.gz --name mine -- python3 -c 'import time; b = bytearray(50 << 20)
while time.process_time() < 2: pass' 2>err
"$P" --offline --template @trace.txt run.json.gz >trace.txt 2>>err
"$P" --offline --template @snakemake.tsv run.json.gz >mine.tsv 2>>err
got=$(TZ=UTC0 "$import" trace.txt mine.tsv)
check_equal "rtrack's own templates are read" "$(grep -E '^[a-z]+: ' <<<"$got" | paste -sd ' ')" \
	'nextflow: 1 jobs, 0 unknown, 0 left out snakemake: 1 jobs, 0 unknown, 0 left out'
check_equal "rtrack's own trace: name, status, code" "$(value "$got" name) $(value "$got" status) $(value "$got" code)" \
	'mine exited 0'
check_near "rtrack's own trace: CPU" "$(value "$got" cpu_s)" 2 .3
check_near "rtrack's own trace: when it began" "$(value "$got" start)" "$(date +%s)" 0 60
check_near "rtrack's own benchmark: CPU" "$(value "$got" cpu_s 3)" 2 .2
check_near "rtrack's own benchmark: memory" "$(value "$got" memory_peak_bytes 3)" $((60 << 20)) .25
echo "1..$n"
