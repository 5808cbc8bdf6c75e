# Inputs that were given to the wrong option, or too few of them: one sentence says what is right.
F=$(realpath "$B")/rtrack-fleet R=$(realpath "$B")/rtrack-report C=$(realpath "$B")/rtrack-collect D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cp "$(dirname "$0")/../fixtures/"{runs_report/*.json,import/slurm/sacct.txt} "$D"
cd "$D" || exit
first=$(ls ./*.json | head -n 1) && mv "$first" a.json
report() {
	echo "$ rtrack-report $*"
	"$R" --offline "$@" 2>&1
	echo "status $?"
}
fleet() {
	echo "$ rtrack-fleet $*"
	"$F" "$@" --offline 2>&1
	echo "status $?"
}
echo '--- --model'
report --model a.json -o x.html
gzip -k a.json && report --model a.json.gz -o x.html
report -o page.html -j model.json a.json
report --model page.html -o x.html
"$C" -q -i 0.05 -o b.json.gz -- sh -c '
	until [ "$(tail -n +3 b.json.gz.partial | wc -c)" -gt 0 ]; do sleep 0.05; done
	cp b.json.gz.partial c.json.gz.partial'
report --model c.json.gz.partial -o x.html
report --model missing.html -o x.html
report -t a.json
report --model model.json -o x.html
echo '--- --compare'
report --compare a.json -o y.html
report --compare a.json a.json -o y.html
report --compare a.json missing.json -o y.html
ls y.html
echo '--- a recording that has not ended'
report c.json.gz -o z.html -t @gpu_tracker.json=g.json
report --current c.json.gz a.json -o z.html
report d.json.gz -o z.html
report --model c.json.gz -o z.html
cp a.json c.json.gz && report c.json.gz -o z.html
echo '--- what another program wrote'
report sacct.txt -o z.html
echo '--- a copy of a recording counts once'
mkdir runs && cp a.json runs/b.json && cp a.json runs/c.json && cp earlier-*.json runs 2>/dev/null
echo '{{history.text}}{{#history.rows}}{{file}} {{/history.rows}}{{run.file}}' >h.txt
report -t h.txt runs
report -t h.txt -c runs/c.json runs
report -t h.txt --parts off -c c.json.gz runs/c.json
echo '{{#tiles}}{{id}} {{text}}; {{/tiles}}' >fleet.txt
fleet groups runs/b.json runs/c.json runs/b.json -t fleet.txt
mkdir other && cp a.json other/d.json && cp runs/c.json other/e.json
fleet groups runs other -t fleet.txt
