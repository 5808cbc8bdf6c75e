# Inputs that cannot be read: one sentence each that names the file, and no crash. Alone: status 1, nothing is
# written. With a good input: status 4, and the report is written and mentions the bad one.
R=$(realpath "$B")/rtrack-report GOOD=$PWD/tests/fixtures/runs_report/now.json D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

gzip -nc "$GOOD" | head -c 500 >cut.json.gz
gzip -nc "$GOOD" | head -c -4 >cut-at-its-end.json.gz
head -c 1000 "$GOOD" >cut.json
echo '{"process_metrics": [], "system_metrics": []}' >no-rows.json
echo '{"process_metrics": {"timestamp": [1, 2}}' >wrong.json
echo '<!doctype html>' >page.json
echo '{"squadName": "x"}' >other.json
head -c 300 /dev/zero >zeros.json
printf '%0100d' 0 | tr 0 '[' >deep.json
: >empty.json
mkdir empty-folder folder
echo '{' >folder/a.json
mkfifo pipe.json
ln -s loop.json loop.json

cat >inputs.txt <<'T'
inputs: {{#inputs}}{{file}} ({{error}}){{/inputs}}
any: {{has_inputs_left_out}}
T
for f in cut.json.gz cut-at-its-end.json.gz cut.json no-rows.json wrong.json page.json other.json \
	zeros.json deep.json empty.json empty-folder folder pipe.json loop.json /dev/zero missing.json; do
	echo "--- $f"
	"$R" --offline -o a.html "$f" 2>err
	echo "status $?"
	sed 's/after [0-9]* bytes/after N bytes/' err # it depends on the compressor
	[ ! -e a.html ] || echo written
	"$R" --offline -o b.html -t inputs.txt=inputs "$GOOD" "$f" 2>/dev/null
	echo "beside a good one: status $?"
	[ -s b.html ] || echo not written
	grep -qF "$f" b.html || echo not told of
	sed 's/after [0-9]* bytes/after N bytes/' inputs
	rm -f b.html
done
echo '--- all together'
"$R" --offline -t inputs.txt *.json *.gz 2>&1 >/dev/null | wc -l
"$R" --offline --current cut.json -o a.html "$GOOD" 2>&1
echo "status $?"
[ ! -e a.html ] || echo written
