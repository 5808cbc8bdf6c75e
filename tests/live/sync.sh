# --sync: the journal is copied to the folder of --append-to while the job runs. If the node does not come back, the copy stands for the
# recording; else the recording takes its place, and a run never counts twice.
. tests/check.sh
clean_up() { kill -KILL $jobs $recorder 2>/dev/null; }
cd "$D" || exit
user=$(id -u) jobs='' recorder=''
of=$user/2026-11-29/7-n1
mkdir -p "spool/$of" "dir/$user"
copy=dir/$of.0.copy.json.gz.partial
# record STEP COMMAND…: as the plugin does; $recorder
record() {
	env SLURM_JOB_ID=7 SLURM_CLUSTER_NAME=c "${@:2}" &
	jobs+=" $!"
	"$R" -q --no-discover-cloud --pid $! --interval 0.25 -o "spool/$of/$1.json.gz" --append-to "dir/$of.json.gz" --sync 1s &
	recorder=$!
}
# The rows of the catalog: where they are, and whether they are unfinished (class 4 of docs/catalog.md).
rows() {
	"$F" add --catalog c.db dir >out 2>err || echo "status $?"
	python3 -c 'import sqlite3; print(*(a.split("/", 4)[4] + "?" * (b == 4) for a, b in sqlite3.connect("c.db").execute(
		"SELECT substr(source, instr(source, ?)), class FROM runs ORDER BY 1", ("/dir/",))))' 2>&1
}

record 0 sleep 600
first=$recorder
record 1 sleep 2.2
check 'a copy of the other step, too' wait_until test -s "dir/$of.1.copy.json.gz.partial"
wait "$recorder"
check 'the first copy grows' wait_until larger "$copy" $(($(stat -c %s "$copy") + 100))
check_equal 'its mode' "$(stat -c %a "$copy")" 600
check_equal 'a recording that is written removes its copy' "$(cd "dir/$user" && find . -type f | sort | xargs)" \
	'./2026-11-29/7-n1.0.copy.json.gz.partial ./2026-11-29/7-n1.json.gz'
check_equal 'a step that runs is not finished' "$(rows)" '7-n1.0.copy.json.gz.partial? 7-n1.json.gz'

# The node fails, and its disk is gone.
kill -KILL "$first"
wait "$first" 2>/dev/null
mv spool away
check 'the copy is the beginning of the journal' cmp -n "$(stat -c %s "$copy")" "$copy" "away/$of/0.json.gz.partial"
check_equal 'the copy is the run' "$(rows)" '7-n1.0.copy.json.gz.partial? 7-n1.json.gz'
"$P" --offline --json one.json -o one.html "$copy" 2>err
check_equal 'rtrack-report reads it' "$? $(node -e 'console.log(JSON.parse(require("fs").readFileSync("one.json")).status.word)')" '0 running'

# It comes back all the same.
cp "$copy" kept
mv away spool
check_equal 'the recording is brought' "$("$R" --recover spool --append-to dir 2>&1)" 'rtrack-collect: brought 1 recording to dir'
check_equal 'and takes the place of the copy' "$([ -e "$copy" ] || echo gone) $(rows)" 'gone 7-n1.json.gz 7-n1.json.gz/2?'
cp kept "$copy"
check_equal 'a copy that could not be removed does not count' "$(rows)" '7-n1.json.gz 7-n1.json.gz/2?'
check_equal 'also where nothing is known yet' "$(rm c.db && rows)" '7-n1.json.gz 7-n1.json.gz/2?'
echo "1..$n"
