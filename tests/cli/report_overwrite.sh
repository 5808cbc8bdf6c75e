# No output overwrites a recording or an input: one sentence, status 2, nothing is written.
R=$(realpath "$B")/rtrack-report RUN=$PWD/tests/fixtures/runs_report/now.json D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
mkdir "$D/runs"
cd "$D" || exit
cp "$RUN" runs/a.json
gzip -c "$RUN" >runs/b.json.gz
head -c 2000 runs/b.json.gz >runs/damaged.json.gz
printf 'rtrack-journal 1\n' >runs/c.json.gz.partial
ln runs/a.json hard.html
ln -s runs/b.json.gz soft.html
cp "$RUN" here.json
echo '{{title}}' >t.txt
cp -r . ../"${D##*/}.before"
trap 'rm -rf "$D" "$D.before"' EXIT
report() {
	echo "$ rtrack-report $*"
	SOURCE_DATE_EPOCH=1795246800 "$R" --offline "$@" 2>&1
	echo "status $?"
}

echo '--- what a shell makes of -o and a pattern'
report -o runs/*.json*
report -o runs/damaged.json.gz runs/a.json
report --csv runs/c.json.gz.partial runs/a.json
echo '--- an input, by any name'
report --json here.json here.json
report --json ./runs/../here.json here.json
report -o hard.html --current runs/a.json
report -o soft.html runs/b.json.gz
report -t t.txt=./t.txt here.json
echo '{"title": "x"}' >m.json
report -j m.json --model m.json
report -j m.json --model ./m.json
rm m.json
echo '--- two outputs, one file'
ln -s runs folder
report -o runs/new.html --text folder/new.html here.json
report -o new.html --text "$PWD/new.html" here.json | sed "s|$D|FOLDER|"
rm folder
echo '--- nothing was written'
diff -r . "$D.before" && echo same

echo '--- what was written before may be written again'
for i in 1 2; do
	report -o a.html -j a.model --text a.txt --csv a.csv --markdown a.md --junit a.xml --openmetrics a.prom \
		-t @gpu_tracker.json=a.json -t t.txt=b.txt here.json
done
report -o /dev/null --csv /dev/null here.json | sed 's/^\$.*//'

echo '--- the default page replaces only a page of rtrack'
echo 'my own' >report.html
report here.json
cat report.html
report -o report.html here.json
report here.json
: >report.html && report here.json
"${R%report}fleet" --offline -o report.html runs >/dev/null 2>&1; report here.json
