# A long test: only make test-all runs it.
# Memory runs out at one allocation, or from one on: either one sentence and no file, or the usual files; and a
# recorded command never notices. Tries the first allocations and some of the rest; RTRACK_EXHAUSTIVE=1 tries all.
. tests/check.sh
preload badmem
RUNS=$PWD/tests/fixtures
[ -z "$asan" ] || skip_all 'a sanitizer has an allocator of its own'
cd "$D" || exit 1
unset COLUMNS
export R

# Run in the folder of a failure, beside stdout and stderr of it: what is wrong there.
cat >judge <<'END'
cd "$PWD" && ref=../../ref old=../../old normal=$(cat ../../normal) rule=$1 status=$2
bad() { echo "# $rule: $*" >>../../bad; }
# Each line is ours, and one of them says it.
said() { grep -qi 'no memory\|not enough memory\|cannot allocate memory\|out of memory' "$1" && ! grep -qv '^rtrack-' "$1"; }
if [ "$status" = 1 ]; then
	said stderr || bad "says: $(cat stderr)"
	for f in $(ls -A); do
		case $f in stderr) continue ;; esac
		cmp -s $f $old/$f || cmp -s $f $ref/$f || [ $f = stdout -a ! -s $f ] || bad "$f is neither old nor whole"
	done
elif [ "$status" = "$normal" ] || [ "$status" = 3 ] || [ "$status" = 4 ]; then
	diff -r . $ref >/dev/null || said stderr || grep -q 'no memory' * || bad "other output: $(diff -r . $ref | head -c 300)"
else
	bad "status $status: $(cat stderr)"
fi
END

[ -z "$RTRACK_EXHAUSTIVE" ] || echo '# every allocation'
# Runs it in the folder out, where old files stand.
starve() { # RULE COMMAND…
	local rule=$1
	shift
	rm -rf out log && cp -a old out
	(cd out && BADMEM=$rule BADMEM_JUDGE=$D/judge BADMEM_LOG=../log LD_PRELOAD=$so exec "$@") \
		>stdout 2>stderr </dev/null
	status=$?
}

each() { # NAME FIRST STEP COMMAND…: fails the first ones, and each STEP-th after them
	local name=$1 rule=each:$2:$3
	shift 3
	[ -z "$RTRACK_EXHAUSTIVE" ] || rule=each:0:1
	rm -f bad && echo >bad
	starve 0 "$@"
	echo $status >normal
	rm -rf ref && mv out ref && mv stdout stderr ref
	starve "$rule" "$@"
	check_equal "$name: status" $status "$(cat normal)"
	check_equal "$name: of $(sed -n 's/^total //p' log) allocations, those that fail" "$(cat bad)" ''
	rm out/std* 2>/dev/null
}

# -- the reporter ----------------------------------------------------------------------------------
rm -rf old && mkdir old history
"$R" -q -i 0.02 --no-discover-cloud --cgroup off --tag a=b -o job.json.gz -- sh -c '
	"$R" --mark one; sleep 0.05; "$R" --mark two; sh -c "sleep 0.05"'
cp "$RUNS"/runs_report/*.json "$RUNS"/runs_faces/two-gpus.json history
for f in a.html a.json a.csv; do echo old >old/$f; done
report() { # NAME STEP ARG…
	local name=$1 step=$2
	shift 2
	each "$name" 50 "$step" "$P" --offline --keeper-cache '' --now 1795246800 "$@"
}
report 'every face of a recording' 1985 -o a.html -j a.json --text a.txt --markdown a.md --openmetrics a.prom \
	--junit a.xml --csv a.csv -t @gpu_tracker.json=g.json -t @snakemake.tsv=s.tsv -t @trace.txt=t.txt \
	--fail-if 'process_memory.max > 1TiB' --fail-if 'duration > 5min' "$D/job.json.gz"
report 'a folder, with gates on its history' 1985 -o a.html -j a.json --fail-if 'duration > history * 1.2' \
	"$D/history"
report 'runs that are compared' 1985 --compare -o a.html --text - "$D/job.json.gz" "$D/history/two-gpus.json"
"$P" --offline --keeper-cache '' --now 1795246800 -j model.json "$D/history/two-gpus.json"
each 'a model that was saved' 50 1985 "$P" --offline --now 1795246800 -o a.html --markdown a.md --model "$D/model.json"
"$R" -q --detail -i 0.02 --no-discover-cloud --cgroup off -o detail.json -- sleep 0.1
report 'the devices of a recording' 1985 -o a.html -j a.json --text a.txt "$D/detail.json"
"$P" --offline --csv made.csv "$D/history/two-gpus.json"
report 'a CSV file' 1985 -o a.html -j a.json --text a.txt "$D/made.csv"
"$P" --offline --keeper-cache '' --now 1795246800 -o page.html "$D/job.json.gz"
"$P" --offline --keeper-cache '' --now 1795246800 -o two-gpus.html "$D/history/two-gpus.json"
report 'a page' 1985 -o a.html -j a.json --text a.txt "$D/page.html"
report 'pages and a recording' 1985 --compare -o a.html --text a.txt "$D/page.html" "$D/two-gpus.html" "$D/job.json.gz"
report 'the help' 5 --help

# SQLite's locks and workers do not survive a fork at each allocation, so a command fails at one.
some() { # NAME STEP JUDGE COMMAND…: JUDGE prints what is wrong
	local name=$1 step=$2 judge=$3 i=0 normal total many=0 rule
	shift 3
	rm -rf old && mkdir old && echo >bad
	starve 0 "$@"
	normal=$status total=$(sed -n 's/^total //p' log)
	rm -rf ref && mv out ref
	while [ $((i += i < 10 || ${RTRACK_EXHAUSTIVE:-0} ? 1 : step)) -le "$total" ]; do
		for rule in "$i" "$i+"; do
			starve "$rule" timeout 20 "$@"
			many=$((many + 1))
			# A worker without memory leaves out its files.
			[ "$status" = "$normal" ] || { [ "$status" = 1 ] && [ "$(grep -ci 'memory' stderr)" = 1 ]; } ||
				{ [ "$status" = 4 ] && ! grep -v 'no memory\|Cannot allocate memory\|the process that read it has ended' stderr; } ||
				echo "# $rule: status $status: $(cat stderr)" >>bad
			! grep -v '^rtrack-fleet: ' stderr >>bad
			"$judge" "$rule" >>bad
		done
	done
	check_equal "$name: $many of $total allocations that fail" "$(cat bad)" ''
}
whole_or_none() { [ "$status" != 1 ] || [ -z "$(ls -A out)" ] || echo "# $1: left: $(ls -A out)"; }
forgotten() { "$F" forget --catalog "$1/runs.db" / 2>&1; }
added_after_all() {
	"$F" add --catalog out/runs.db "$D/history" >/dev/null 2>&1
	cp -r ref as_ever
	[ "$(forgotten out)" = "$(forgotten as_ever)" ] || echo "# $1: then other rows"
	rm -rf as_ever
}
some 'recordings are added' 395 added_after_all "$F" add --catalog runs.db "$D/history"
"$F" add --catalog runs.db history >/dev/null 2>&1
some 'the fleet page' 1985 whole_or_none "$F" groups --offline --keeper-cache '' --catalog "$D/runs.db" -j a.json
some 'by a label' 1985 whole_or_none "$F" groups --rate-cpu 1 --catalog "$D/runs.db" --group-by tag:a,host --text a.txt

# -- the collector ---------------------------------------------------------------------------------
# What a snapshot says of its job and machine, without numbers.
# Which states a run of 20 ms has is chance, and whether a thread of it was seen at work (busiest_thread is known with them).
facts() {
	zcat "$1" | sed -E 's/"states":\{("seconds":[^[]*\[[^]]*\]|[^}]*)\},?//g; s/"(process_)?(state_[a-z_]*|busiest_thread)"//g' |
		grep -o '"server_info":.*"exit":\|"[a-z_]*":' | sed 's/[0-9.]\+/0/g' | sort -u
}
reads() { "$P" --offline -j - "$1" 2>/dev/null | grep -q '"samples":[1-9]'; }

# The machine is described after the command has started. Without memory from there on, there is no sample to keep.
is_before_samples() { # RULE
	[ "${1%+}" -lt $((total * 3 / 4)) ] && [ ! -e out/a.gz.partial ] && ! grep -q 'kept in' stderr
}
# What is wrong with a recording whose memory ran out.
recorded() { # RULE
	local said
	grep -q '^rtrack-collect: .*\(memory\|Cannot allocate\)' stderr && said=1
	! grep -v '^rtrack-collect: ' stderr
	if [ $status = 125 ] || grep -q 'the command runs without a recording' stderr; then
		[ -n "$said" ] || echo "$status, and says: $(cat stderr)"
		[ "$(wc -l <stderr)" = 1 ] || echo "says: $(cat stderr)"
		[ "$status:$(cat stdout)" = 125: ] || [ "$status:$(cat stdout)" = 7:out ] ||
			echo "status $status, output: $(cat stdout)"
		[ "$(ls -A out)" = "$(ls -A old)" ] && cmp out/a.gz old/a.gz || echo "left: $(ls -A out)"
		return
	fi
	[ $status = 7 ] || echo "status $status: $(cat stderr)"
	[ "$(cat stdout)" = out ] || echo "output: $(cat stdout)"
	if cmp -s out/a.gz old/a.gz; then
		reads out/a.gz.partial || is_before_samples "$1" || echo 'no journal'
		[ -n "$said" ] || echo 'not written, and nothing is said'
	else
		reads out/a.gz || echo 'a snapshot without samples'
		[ -z "$(ls -A out | grep -v '^a\(\.2\)\?\.gz$\|^csv$')" ] || echo "left: $(ls -A out)"
		[ -n "$said" ] || [ "$(facts out/a.gz)" = "$facts" ] ||
			echo "other facts: $(diff <(echo "$facts") <(facts out/a.gz) | cut -c1-200)"
	fi
}

rm -rf old && mkdir old && cp job.json.gz old/a.gz
record() {
	starve "$1" "$R" -q -i 0.05 --no-discover-cloud --cgroup off --tag a=b --csv process --csv-file csv \
		-o a.gz -- sh -c 'echo out; exit 7'
}
record 0
facts=$(facts out/a.gz) total=$(sed -n 's/^total //p' log) bad='' many=0
check_equal 'a recording: status' "$status" 7
i=0
while [ $((i += i < 10 || ${RTRACK_EXHAUSTIVE:-0} ? 1 : 79)) -le "$total" ]; do
	for rule in "$i" "$i+"; do
		record "$rule"
		found=$(recorded "$rule")
		many=$((many + 1))
		[ -z "$found" ] || bad="$bad
# $rule: $found"
	done
done
check_equal "$many failures in a recording of $total allocations" "$bad" ''

# -- what it knows of the machine, as of captured files that do not change --------------------------
rm -rf old && mkdir old
each 'what is known of the machine' 50 7 "$R" --info=json --no-discover-cloud --root "$MACHINES/idle-vm"

# A journal goes when all of it is in the snapshot.
"$R" -q -i 0.01 --no-discover-cloud --cgroup off -o b.gz -- sh -c '"$R" --mark one; touch began; exec sleep 9' &
until [ -e began ] && [ "$(wc -c <b.gz.partial)" -gt 30000 ]; do kill -0 $! || break; done
kill -KILL $!
wait $! 2>/dev/null
rm -rf old && mkdir old && mv b.gz.partial old/b.gz.partial
each 'a journal that is recovered' 50 39 "$R" --recover b.gz.partial -o a.gz
check_equal 'and goes then' "$(ls -A out)" a.gz
echo "1..$n"
