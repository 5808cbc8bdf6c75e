# Wrong usage of --fleet, --add, --forget: one sentence that says what would be right, and status 2. Nothing is written.
R=$(realpath "$B")/rtrack-report D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

try() {
	echo "$ rtrack-report $*"
	"$R" "$@" 2>&1
	echo "status $?"
}
try --fleet
try --add runs
try --forget runs
try --catalog runs.db runs
try --catalog runs.db --add
try --catalog runs.db --forget
try --catalog runs.db --fleet runs
try --catalog runs.db --add --forget runs
try --catalog runs.db --fleet --forget runs
try --catalog runs.db --add -o page.html runs
try --catalog runs.db --add --title t runs
try --catalog runs.db --forget --now 5 runs
try --catalog runs.db --forget --fail-if 'fleet.runs > 1' runs
try --catalog '' --fleet
try --catalog - --add runs
try --catalog 'HTTPS://ann:secret@db.example:8443/site' --fleet
try --catalog 'clickhouse://ann:secret@db.example:8443/site' --fleet
try --catalog runs.db --forget ''
try --where user=ann a.json
try --since 30d a.json
try --rate-cpu 1 a.json
try --fleet --compare a.json b.json
try --fleet --csv - --process-prefix '' a.json
try --fleet --history 3 runs
try --fleet --vendor aws runs
try --fleet -t @trace.txt runs
try --fleet --model m.json
try --fleet --since soon runs
try --fleet --since 2026-02-30 runs
try --fleet --since 1d --until 2d runs
try --fleet --spot --rate-gpu 2 runs
try --fleet --rate-cpu free runs
try --fleet --top 1000 runs
try --fleet --where usr=ann runs
try --fleet --where 'wall_s >' runs
try --fleet --group-by name,usr runs
try --fleet --group-by a,b,c,d,e,f,g,h,i runs
try --fleet --fail-if 'memory_efficiency < 30%' runs
try --fleet --fail-if 'fleet.memory_eficiency < 30%' runs
try --fleet --fail-if 'fleet.runs > history' runs
try --fail-if 'fleet.runs > 1' a.json
try --catalog 'https://ann:secret@db.example:8443/site' --fleet
ls -A
