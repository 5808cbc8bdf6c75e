# The same inputs at the same time give the same bytes, through a saved model as well.
R=$(realpath "$B")/rtrack-report RUNS=$PWD/tests/fixtures/runs_report D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
cp "$RUNS"/*.json . || exit
echo '{' >$'broken <b>\e\xff.json'
same() { if cmp "$1" "$2"; then echo "same: $1 $2"; fi; }
report() { "$R" --offline "$@" 2>/dev/null || [ $? = 4 ] || echo "status $?"; }

report --now 1795246800 -o a.html -j a.model *.json
report --now 1795246800 -o b.html -j b.model *.json
same a.html b.html
same a.model b.model
report --now 1795246800 -o c.html broken* killed.json earlier-2.json now.json failed.json earlier-1.json
same a.html c.html
SOURCE_DATE_EPOCH=1795246800 report -o d.html *.json
same a.html d.html

# What was saved renders alike, whenever.
report --model a.model -o e.html -j e.model
same a.html e.html
same a.model e.model
report --model - -o f.html <e.model
same a.html f.html
gzip -n e.model
report --model e.model.gz -o g.html
same a.html g.html
echo '{{title}}, {{generated.text}}' >t.txt
report --model a.model -t t.txt

# Any other JSON is a model of its own; what is none is a sentence.
echo '{"title": "<mine>", "charts": []}' >mine.json
report --model mine.json -t t.txt
"$R" --model mine.json -o - | grep -c '<title>&lt;mine&gt;: '
for bad in '{' '' '{} {}' '[1, 2'; do
	echo "$bad" >bad.json
	"$R" --model bad.json 2>&1
	echo "status $?"
done
"$R" --model /dev/zero 2>&1
"$R" --model nowhere 2>&1
[ ! -e report.html ] || echo written
