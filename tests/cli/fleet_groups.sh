# Many runs: from files, through a catalog, and what is said of files that cannot be read.
F=$(realpath "$B")/rtrack-fleet R=$(realpath "$B")/rtrack-report D=$(realpath "$(mktemp -d)")
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

# run FILE NAME USER START MEMORY_PEAK [STATUS CODE]: one hour on 8 CPUs and 64 GiB, of which one CPU was busy
run() {
	printf '{"rtrack_row":{"id":"%s","scope":"job","name":"%s","user":"%s","host":"n1","start":%s,"wall_s":3600,"samples":3600,"status":"%s","code":%s,"oom_kills":0,"cpu_s":3600,"cores_mean":1,"cores_peak":2,"memory_mean_bytes":%s,"memory_peak_bytes":%s,"asked_cpus":8,"asked_memory_bytes":68719476736,"asked_time_s":7200,"vcpus":16,"machine_memory_bytes":137438953472}}\n' \
		"${1##*/}" "$2" "$3" "$4" "${6:-finished}" "${7:-0}" "$5" "$5" >"$1"
}
mkdir -p runs/old
for i in 1 2 3 4 5 6 7; do
	run runs/train-$i.json train ann $((1795000000 + i * 4000)) ${i}000000000
	run runs/old/prep-$i.json prep bob $((1794000000 + i * 4000)) 2000000000
done
run runs/old/failed.json prep bob 1794900000 2000000000 failed 1

show() { # PROGRAM ARGUMENT…
	echo "$ $(basename "$1") ${*:2}"
	SOURCE_DATE_EPOCH=1795100000 "$@" --offline >out 2>&1
	echo "status $?" >>out
	sed "s,$D,FOLDER,g" out
	rm out
}
fleet() { show "$F" "$@"; }
report() { show "$R" "$@"; }
top() {
	sed '/^$/d' | head -n "$1"
}
echo '--- from a folder'
fleet groups --rate-cpu 0.05 --text - runs | top 8
fleet groups runs
ls
echo '--- standard output has the page alone'
"$F" groups --offline -o - runs | grep -c '<!doctype html>'
echo '--- groups, conditions, a period'
fleet groups --group-by user --csv - runs | cut -d, -f1-4
fleet groups --where user=ann --csv - runs | cut -d, -f1-4
fleet groups --since 5d --csv - runs | cut -d, -f1-4
fleet groups --until 2026-11-15 --csv - runs | cut -d, -f1-4
fleet groups --text - runs/old/failed.json | grep -A2 '^Proposed'
fleet groups --where user=nobody --csv - runs | cut -d, -f1-4
echo '--- rows from a model, which has those of a fleet alone'
"$F" groups --offline --now 1795100000 --json m.json --csv a.csv runs
report --model m.json --csv b.csv
cmp a.csv b.csv && echo the same
echo '{"format":"rtrack-report","version":1}' >one.json
report --model one.json --csv -
rm m.json a.csv b.csv one.json
echo '--- a catalog'
fleet add --catalog c.db runs
fleet add --catalog c.db runs
touch -d @1795000001 runs/train-1.json
fleet add --catalog c.db runs
run runs/new.json train ann 1795050000 9000000000
fleet groups --catalog c.db --add --csv - runs | cut -d, -f1-4
fleet forget --catalog c.db ./runs/old/
rm runs/new.json
fleet forget --catalog c.db runs/new.json runs/never.json
fleet groups --catalog c.db --csv - | cut -d, -f1-4
fleet groups --catalog none.db
fleet forget --catalog none.db runs
fleet groups --catalog runs/train-1.json
ls
echo '--- conditions'
fleet groups --csv x.csv --fail-if 'fleet.memory_efficiency < 30%' --fail-if 'fleet.runs > 100' runs
fleet groups --csv x.csv --fail-if 'fleet.recoverable > 1 USD' runs
echo '--- nothing was asked for: the machine'
mkdir machine
for i in 1 2 3; do
	sed 's/"asked_cpus":8/"asked_cpus":8,"asked_cpus_source":"machine","asked_memory_source":"machine"/' "runs/train-$i.json" >machine/$i.json
done
cp runs/old/failed.json machine
fleet groups --text - machine | top 9
"$F" groups --offline -o - machine | grep '"note"' | sed 's/<[^>]*>/ /g'
cp runs/train-4.json machine
fleet groups --text - --rate-cpu 0.05 machine | top 9
rm -r machine
echo '--- files that cannot be read'
echo garbage >runs/bad.json
fleet groups --csv x.csv runs
fleet groups --csv x.csv --fail-if 'fleet.runs > 1' runs
for verb in groups runs; do
	"$F" $verb --offline -o - runs 2>/dev/null | sed -n "/may be missing/,/<\/ul>/s,$D,FOLDER,p"
done
fleet add --catalog c.db runs missing.json
fleet groups --csv x.csv runs/bad.json
mkdir empty
fleet groups empty
fleet add --catalog c.db empty
fleet job 12 empty
fleet job 12 empty runs/bad.json
mkdir -p "spool/$(id -u)"
cp runs/train-[12].json "spool/$(id -u)"
fleet add --catalog c.db --user-files 1 spool | sed "s/of user [^ ]*/of user ME/"
rm -r spool
for i in $(seq 10 40); do echo garbage >runs/bad-$i.json; done
fleet groups --csv x.csv runs
echo '--- what is there is not overwritten'
fleet groups -o c.db --catalog c.db
fleet groups -o runs/train-2.json runs/train-1.json runs/train-2.json
