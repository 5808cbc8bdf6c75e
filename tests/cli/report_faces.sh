# The other outputs of a report, from a recording whose numbers can be worked out by hand, and from a saved model.
R=$(realpath "$B")/rtrack-report RUN=$PWD/tests/fixtures/runs_faces/two-gpus.json
MODEL=$PWD/tests/fixtures/model/ordinary.json D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
unset COLUMNS NO_COLOR
report() { SOURCE_DATE_EPOCH=1795246800 "$R" --offline "$@"; }

echo '--- any number in one run, and no page that was not asked for'
report --markdown a.md --text a.txt --openmetrics a.prom --csv a.csv -j a.json \
	-t @gpu_tracker.json=g.json -t @snakemake.tsv=s.tsv -t @trace.txt=t.txt "$RUN"
echo "status $?"
ls -A
echo '--- OpenMetrics'
cat a.prom
echo '--- CSV'
cat a.csv
report --csv - --bytes "$RUN" | cut -d, -f 1,7,15,27-28
report --csv - --human-names "$RUN" | head -n 1 | tr , '\n' | head -n 8
report --csv - --process-prefix 'job "1", ' --system-prefix '' "$RUN" | head -n 1 | tr , '\n' | sed -n '1,3p;/pid/,/utime/p'
echo '--- gpu_tracker, Snakemake, Nextflow'
cat g.json s.tsv t.txt
report -t @gpu_tracker.json --ram-unit kilobytes --gpu-ram-unit bytes --time-unit seconds \
	--expected-cores 2 --gpu GPU-b "$RUN"
report -t @gpu_tracker.txt --ram-unit kilobytes --gpu-ram-unit bytes --time-unit seconds \
	--expected-cores 2 --gpu GPU-b "$RUN"
report -t @gpu_tracker.json --gpu GPU-b,GPU-z "$RUN" 2>&1
echo "status $?"
echo '--- the same by way of a model that was saved'
report --model a.json --markdown b.md --text b.txt --openmetrics b.prom -t @gpu_tracker.json=h.json
cmp a.md b.md && cmp a.txt b.txt && cmp a.prom b.prom && cmp g.json h.json && echo same
echo '--- Markdown'
"$R" --model "$MODEL" --markdown -
echo '--- text'
"$R" --model "$MODEL" --text -
sed -n '/^Main process/,/^Ask/p' a.txt
sed -n '/^. Phase/,/^$/p' a.md
echo '--- text, narrow'
COLUMNS=44 "$R" --model "$MODEL" --text - | sed -n '/^Usage/,$p'
echo '--- where it cannot be'
report --text /dev/full "$RUN" 2>&1
report --csv nowhere/a.csv "$RUN" 2>&1
report --csv . "$RUN" 2>&1
ls -A | wc -l
