# Wrong usage: one sentence that says what would be right, and status 2. Nothing is written.
F=$(realpath "$B")/rtrack-fleet R=$(realpath "$B")/rtrack-report D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

try() {
	echo "$ rtrack-report $*"
	"$R" "$@" 2>&1
	echo "status $?"
}
try_fleet() {
	echo "$ rtrack-fleet $*"
	"$F" "$@" 2>&1
	echo "status $?"
}
try
try --offline
try --ofline a.json
try --hstory=3 a.json
try --c a.json
try -x a.json
try --history lots a.json
try --history=-1 a.json
try --servers 0 a.json
try --status dead a.json
try --output
try --markdown --offline a.json
try --markdown --ofline a.json
try --text -j a.json
try --markdown=--offline --offline a.json
try --oflfine a.json
try --htlm a.json
ln -s "$OLDPWD"/tests/fixtures/runs_report/now.json run.json
try --text run.json
try -o run.json
try --compare --text - --csv run.json
try_fleet groups --csv run.json
try_fleet job 7 --text run.json
rm run.json
try --fleet --mine a.json
try --catalog runs.db --add runs
try --fail-if 'fleet.runs > 1' a.json
try --model m.json a.json
try --model m.json --current a.json
try --offline=no a.json
try --model m.json --csv c.csv --bytes
try --model m.json --title t
try --name a a.json b.json
try --model m.json --time-unit days
try --vendor aws,hetznr a.json
try --compliance hippa a.json
try --country ' , ' a.json
try --currency euro a.json
try --region gpc~us-east1 a.json
try --bytes a.json
try --schema 2 a.json
try --schema 3 --csv - a.json
try --process-prefix job. a.json
try --system-prefix '' a.json
try --model m.json --csv c.csv --system-prefix ''
try --ram-unit GB a.json
try -t @trace a.json
try -t = a.json
try --text a --markdown ./a a.json
try --text - -j - a.json
try $'--\e[31mred' a.json
SOURCE_DATE_EPOCH=yesterday try a.json
ls -A
try --version
try --help | sed -n '2,9p;$p'
try --help put
try --help foo
try --help ./foo | head -n 2
try a.json --help | head -n 2
try --model '' -o x.html
try --current '' a.json
try '' -o x.html
try --watch '' -o x.html
try -o '' a.json
try --text '' a.json
try --trace '' a.json
try --list-metrics | sed -n '2p;$p'
"$R" --help >/dev/full
echo "status $?"
