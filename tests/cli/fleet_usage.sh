# Wrong usage of rtrack-fleet: one sentence that says what would be right, and status 2. Nothing is written.
F=$(realpath "$B")/rtrack-fleet D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

try() {
	echo "$ rtrack-fleet $*"
	"$F" "$@" 2>&1
	echo "status $?"
}
try
try groups
try add runs
try forget runs
try add --catalog runs.db
try forget --catalog runs.db
try groups --catalog runs.db runs
try forget --catalog runs.db --add runs
try add --catalog runs.db -o page.html runs
try add --catalog runs.db --title t runs
try forget --catalog runs.db --now 5 runs
try forget --catalog runs.db --fail-if 'fleet.runs > 1' runs
try groups --catalog ''
try add --catalog - runs
try groups --catalog 'HTTPS://ann:secret@db.example:8443/site'
try groups --catalog 'clickhouse://ann:secret@db.example:8443/site'
try forget --catalog runs.db ''
try add --catalog runs.db --where user=ann a.json
try forget --catalog runs.db --since 30d a.json
try forget --files --older-than 90d --catalog runs.db .
try forget --files .
try forget --files --older-than 90d
try forget --files --older-than 90d missing
try forget --files --older-than 2d .
try forget --catalog runs.db --older-than old a.json
try ask --input 5GB --rate-cpu 1 a.json
try groups --compare a.json b.json
try groups -t @trace.txt runs
try groups --since soon runs
try groups --since 2026-02-30 runs
try groups --since 1d --until 2d runs
try groups --spot --rate-gpu 2 runs
try groups --rate-cpu free runs
try groups --top 1000 runs
try groups --where usr=ann runs
try groups --where 'wall_s >' runs
try groups --group-by name,usr runs
try groups --group-by a,b,c,d,e,f,g,h,i runs
try groups --fail-if 'memory_efficiency < 30%' runs
try groups --fail-if 'fleet.memory_eficiency < 30%' runs
try groups --fail-if 'fleet.runs > history' runs
try groups --catalog 'https://ann:secret@db.example:8443/site'
try groups -o '' runs
try runs --csv '' runs
try ci --ci-patch '' runs
try groups '' runs
try --help foo
try groups --help foo | head -n 2
try --help job | head -n 2
try job --help | grep -A2 -E -- '--(output|csv|group-by|fail-if|keeper-timeout) '
echo '--- a password in a mistyped address'
for place in https:/u:hunter2word@h/db //u:hunter2word@h u:hunter2word@h clickhouse:/u:hunter2word@h "$D/u:hunter2word@h"; do
	for verb in 'groups --catalog' 'forget --catalog' 'job 12 --catalog' groups 'groups --mail-state - --mail-dir' 'ci --runner-prices' -o; do
		"$F" $verb "$place" runs 2>&1
		"$F" $verb "$place" 2>&1
		"$F" $verb "$place" --offline a.json 2>&1
	done
	for option in -o -c --model --watch --csv '-t x.txt'= '--put a.json' '--put'; do
		"${F%fleet}report" $option "$place" --offline a.json 2>&1
	done
done | grep -c hunter2word
echo '--- what job hands on'
try job 12 runs -- a.json
try job 12 runs -- --vendor aws,gcp -- a.json
try job 12 runs -- --history 3
try job 12 runs -- --note=x
try job 12 runs -- --vendr aws
ls -A
