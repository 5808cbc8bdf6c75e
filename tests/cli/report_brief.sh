# --brief: at most 1,500 characters, one line for each fact.
R=$(realpath "$B")/rtrack-report RUNS=$PWD/tests/fixtures/runs_report D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
brief() {
	SOURCE_DATE_EPOCH=1795246800 "$R" --offline --brief "$@" 2>&1
	echo "status $?"
}
echo '--- one that finished, with earlier ones'
brief --fail-if 'process_memory.max > 512MiB' --fail-if 'cost > 1USD' "$RUNS"
echo '--- one that was killed'
brief "$RUNS/killed.json"
echo '--- from a model, and no page'
"$R" --offline -j a.json "$RUNS/now.json"
brief --model a.json
ls
echo '--- whose peak is known between bounds, and from below only'
for most in 4294967296 null; do
	sed 's/"rtrack": *{/&"memory":{"peak_bytes":1073741824,"peak_at_most_bytes":'$most',"peak_known":"bound"},/' \
		"$RUNS/now.json" >bound.json
	brief bound.json | grep memory
	for face in text markdown; do
		SOURCE_DATE_EPOCH=1795246800 "$R" --offline --$face - bound.json 2>/dev/null |
			grep '1\.00 GiB' | sed 's/   */  /g'
	done
	"$R" --offline -j a.json bound.json
	"$R" --offline -o a.html bound.json
	# every peak of the page, other than as a part of a sentence, has its bound
	sed -n '/<body>/,$ { s/\xc2\xa0/ /g; p; }' a.html | grep -o '[^>]*1\.00 GiB[^<]*'
done
echo '--- never longer'
long=$(printf 'word %.0s' {1..400})
"$R" --offline --title "$long" --brief "$RUNS/now.json" | wc -m
