# CSV files as recordings: of resource-tracker's trackers, of --csv in each form, of gpu_tracker; alone, as one run, as history.
F=$(realpath "$B")/rtrack-fleet R=$(realpath "$B")/rtrack-report CSV=$PWD/tests/fixtures/runs_csv FACES=$PWD/tests/fixtures/runs_faces D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cp "$CSV"/*.csv "$FACES/two-gpus.json" "$D"
cd "$D" || exit
unset COLUMNS NO_COLOR
report() { "$R" --offline --now 1795246800 "$@" 2>&1; }
fleet() { "$F" "$@" --offline --now 1795246800 2>&1; }
files() { grep -o '"file":"[^"]*"' | tr '\n' ' '; echo; }

echo '--- a file of the job'
report --text - job.csv | sed -n '1,/^Ask/p'
echo '--- with the file of its machine, in any order, it is one run'
report --text - machine.csv job.csv | sed -n '1,/^Main/p'
report -j - machine.csv job.csv | files
report -j - --current machine.csv job.csv | files
report -j - job.csv machine.csv | grep -o '"notes":[^]]*]'
echo '--- their times do not overlap: two runs'
report -j - machine.csv job2.csv | files
echo '--- history, gates, many runs; gzip, standard input, a name that says nothing'
gzip -c job2.csv >a.bin
report -j - job.csv a.bin | files
report --text g.txt --fail-if 'process_memory.max > 1.5GiB' job.csv
echo "status $?"
report --compare --text - job.csv job2.csv | sed -n '/^Comparison/,/^  Memory, peak/p'
report --text - - <job.csv | head -n 1
COLUMNS=100 fleet groups --text - job.csv job2.csv | sed -n 2p
echo '--- a folder: CSV files are only read by their names'
mkdir folder && cp job.csv folder
report -j - folder
echo '--- what --csv writes comes back'
for form in '' '--schema 2' --bytes '--bytes --schema 2' '--bytes --human-names' \
	'--process-prefix= --system-prefix=m.' '--process-prefix=j"1,".'; do
	report --csv b.csv $form two-gpus.json
	report --schema 1 --csv c.csv b.csv
	report --schema 1 --csv d.csv two-gpus.json
	cmp c.csv d.csv && echo "same${form:+: $form}"
done
echo '--- gpu_tracker: what it measured, in its own text'
report -t @gpu_tracker.txt --ram-unit gigabytes --time-unit seconds gpu_tracker.csv
echo '--- what cannot be read'
try() {
	cat >e.csv
	report --text - e.csv | head -n 1
}
report --csv e.csv --human-names two-gpus.json && report --text - e.csv
printf 'timestamp,pid,memory\n1,2,3\n1,2\n3,2,1\n' | try
printf 'timestamp,pid,memory\n1,2,much\n' | try
printf 'timestamp,pid,memory\n' | try
printf 'code_block_name,position,timestamp\nx,START,1\n' | try
tail -n +3 gpu_tracker.csv | try
printf 'day,price\n1,2\n' | try
printf 'timestamp,price\n1,2\n' | try
printf 'timestamp,pid,\e[31m"</script>"\n1,2,3\n' | try
printf 'timestamp,pid,memory\n1,2,\e]0;x\a\n' | try
echo '--- the output of the last report is not a recording that must not be overwritten'
report --csv b.csv two-gpus.json && report --csv b.csv two-gpus.json; report --csv b.csv b.csv; true
