# Where a report is written, and what remains when it cannot be written.
R=$(realpath "$B")/rtrack-report RUN=$PWD/tests/fixtures/runs_report/now.json D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
report() {
	"$R" --offline --now 1795246800 --arch x86_64 "$@"
	local status=$?
	[ $status = 0 ] || echo "status $status"
}
begins() { head -n 1 "$1"; }

echo '--- by default, report.html'
report "$RUN"
ls -A
begins report.html
echo '--- nothing but what is asked for'
rm report.html
report -j model.json "$RUN"
echo '{{title}}: {{status.word}}' >t.txt
report -t t.txt -t t.txt=out.txt "$RUN"
ls -A
cat out.txt
head -c 33 model.json
echo
echo '--- standard output'
report -o - "$RUN" | begins /dev/stdin
report -j - "$RUN" | cmp - model.json && echo same
report -o /dev/stdout "$RUN" | begins /dev/stdin
report -o /dev/null "$RUN"
"$R" --offline -o - "$RUN" 2>&1 >&-
"$R" --offline -o - "$RUN" 2>&1 >/dev/full
echo "status $?"
echo '--- where it cannot be'
report -o /dev/full "$RUN" 2>&1
report -o nowhere/a.html "$RUN" 2>&1
report -o out.txt/a.html "$RUN" 2>&1
report -o . "$RUN" 2>&1
report -o "$D/" "$RUN" 2>&1 | sed "s|$D|FOLDER|"
report -o '' "$RUN" 2>&1
report -o a.html -j nowhere/m.json "$RUN" 2>&1
rm a.html
report -t missing.txt=out.txt "$RUN" 2>&1
echo '{{#open}}' >wrong.html
report -t wrong.html=out.txt "$RUN" 2>&1
cat out.txt
ls -A
echo '--- the last report survives a failure'
echo the last one >report.html
echo '{' >broken.json
report -o report.html broken.json 2>&1
"$R" --model broken.json -o report.html 2>&1
echo "status $?"
cat report.html
echo '--- a link is replaced, what it points to is not touched'
ln -s report.html link.html
report -o link.html "$RUN"
cat report.html
begins link.html
[ ! -L link.html ] && echo a file now
ln link.html hard.html
report -o hard.html --title Other "$RUN"
cmp -s link.html hard.html || echo hard.html alone is new
ls -A
