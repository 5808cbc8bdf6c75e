# --no-process and --no-system: what is not recorded is not read, and every output is without it.
. tests/check.sh
cd "$D" || exit 1
member() { zcat a.gz | grep -oE "\"$1\":[^,}]*" | head -n 1 | cut -d: -f2; }
files() { # OPTION…: the files that are read after the start
	strace -qq -f -e trace=openat,open -o trace "$R" -q -i 0.1 --no-discover-cloud -o a.gz "$@"
	grep -oE '"[^"]*"' trace | tr -d '"' | sort -u
}
if command -v strace >/dev/null && strace -qq -o trace true 2>/dev/null && [ ! "$asan" ]; then
	files --no-process -- sleep 0.5 >read
	check_equal 'no process is read' "$(grep -cE 'smaps_rollup|schedstat|children|cmdline' read)" 0
	check_equal 'but the machine' "$(grep -cE 'diskstats|net/dev' read)" 2
	files --no-system -- sleep 0.5 >read
	# loadavg has the last pid, too, which says whether there may be new processes.
	check_equal 'no machine is read' "$(grep -cE 'diskstats|net/dev$|proc/pressure' read)" 0
	check_that 'but the process' "$(grep -c smaps_rollup read) > 0"
	files --no-children -- sh -c 'sleep 0.3; :' >read
	check_equal 'no list of children is read' "$(grep -c children read)" 0
	files --no-discover-server -- sleep 0.2 >read
	check_equal 'what the machine is is not read' "$(grep -cE 'cpuinfo|machine-id|fib_trie' read)" 0
else
	skip 'what is read' 'no strace here'
fi
for schema in 1 2; do
	"$R" -q -i 0.1 --schema $schema --no-process -o a.gz -- sh -c 'sleep 0.5; exit 4'
	check_equal 'without the job: its status' "$?$(member code)" 44
	check_equal 'no totals, no processes' "$(member totals)$(zcat a.gz | grep -c '"tree":{')" null0
	check 'no rows of it' has <(zcat a.gz) '"process_metrics":{},'
	check_equal 'and the scope of the row' "$(member scope)" '"system"'
	check 'which reads' "$P" --offline --text text a.gz
	check 'and says so' has text 'Only the machine was recorded'
	check 'without advice' has text 'What the job used was not recorded'
	"$R" -q -i 0.1 --schema $schema --no-system -o a.gz -- sleep 0.5
	check 'without the machine: no rows of it' has <(zcat a.gz) '"system_metrics":{}}'
	check_that 'but of the job' "$(process_column a.gz memory'(_mib)?' | wc -l) > 3"
	check 'which reads' "$P" --offline -j model.json a.gz
	check 'and knows no use of the machine' has model.json '"process_cpu_usage"'
done
for option in --no-process --no-system --no-children; do
	{ "$R" -q -i 0.05 "$option" -o b.gz -- sh -c 'sleep 0.4; kill -KILL $PPID'; } 2>/dev/null
	check "$option: killed, and recovered" "$R" --recover b.gz.partial
	check 'the recovered one reads' "$P" --offline --text text b.gz
	rm -f b.gz
done
# Without the job there are no children either.
"$R" -q --no-process --no-children -o a.gz -- sh -c 'exit 4'
check_equal 'without the job, its children are nothing more' "$?$(member code)" 44
# Nobody waits for what cannot be.
sleep 0.5 &
"$R" -q -i 0.1 --no-process -o a.gz -p $!
check_equal 'a process that is followed without being recorded' "$(member cause)" '"exited"'
"$R" -q --no-process -o none.gz -p 4194305 2>err
check_equal 'or is not there' "$?$(ls none.gz 2>/dev/null)" 1
echo "1..$n"
