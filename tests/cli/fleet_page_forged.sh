# A page that claims to be a run beside the run's recording: the recording counts, once, and nothing of the page.
F=$(realpath "$B")/rtrack-fleet R=$(realpath "$B")/rtrack-report RUN=$PWD/tests/fixtures/runs_report/now.json D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
report() { "$R" --offline --now 1795246800 "$@" 2>&1; }
fleet() { "$F" "$@" --offline --now 1795246800 2>&1; }
mkdir runs
cp "$RUN" runs/run.json
report -o page.html "$RUN"
fleet groups -t <(echo '{{#groups.rows}}{{name}}: {{runs.text}} run, {{failed.text}} failed{{/groups.rows}}') runs
forge() { sed -E "/id=\"rtrack-row\"/s/$1/$2/" page.html >runs/a.html && ! cmp -s page.html runs/a.html; }
for what in '"code":0 "code":3' '"name":"[^"]*" "name":"other"' '"start":1 "start":2'; do
	forge ${what% *} "${what#* }" && echo "--- ${what#* }"
	fleet groups -t <(echo '{{#groups.rows}}{{name}}: {{runs.text}} run, {{failed.text}} failed{{/groups.rows}}') runs
	rm -f c.db
	fleet add --catalog c.db runs/a.html
	fleet add --catalog c.db runs
	fleet groups --catalog c.db -t <(echo '{{#groups.rows}}{{name}}: {{runs.text}} run, {{failed.text}} failed{{/groups.rows}}')
done
echo '--- a run of the same name at another time counts'
sed -E '/id="rtrack-row"/{s/"start":1/"start":2/; s/"id":"[0-9a-f]*"/"id":"0123456789abcdef"/}' page.html >runs/a.html
fleet groups -t <(echo '{{#groups.rows}}{{name}}: {{runs.text}} runs{{/groups.rows}}') runs
