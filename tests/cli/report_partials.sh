# {{>name}} is a file beside the template, or else a built-in one; --model takes any JSON.
R=$(realpath "$B")/rtrack-report D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
mkdir "$D/t" "$D/other"
cd "$D" || exit
render() {
	"$R" "$@" 2>&1
	local status=$?
	[ $status = 0 ] || echo "status $status"
}
echo '{"data": "</script>", "packed": 1, "rows": [{"n": 1}, {"n": 2}]}' >m.json
echo '{{#rows}}
  {{>row}}
{{/rows}}
{{>none}}{{data}}' >t/a.html
echo '<i>{{n}}</i>{{>tail}}' >t/row
echo '{{data}}' >t/tail
echo '--- beside the template, wherever it is called from'
render --model m.json -t t/a.html
(cd t && render --model ../m.json -t a.html)
(cd other && ln -s ../t/a.html b.html && render --model ../m.json -t b.html=- )
echo '--- before a built-in one'
echo '[{{>footer.html}}]' >t/b.html
echo 'mine' >t/footer.html
render --model m.json -t t/b.html
rm t/footer.html
render --model m.json -t t/b.html | head -n 1
echo '--- nothing else'
echo secret >other/secret
echo '{{>../other/secret}}' >t/c.txt
render --model m.json -t t/c.txt
echo "{{>$D/other/secret}}" >t/c.txt
render --model m.json -t t/c.txt
ln -s ../other/secret t/link
echo '{{>link}}' >t/c.txt
render --model m.json -t t/c.txt
mkfifo t/pipe
exec 3<>t/pipe
echo '{{>pipe}}' >t/c.txt
render --model m.json -t t/c.txt
echo '--- any JSON'
echo '{{.}}' >t/d.txt
for json in '"text"' 7 true null '[1, {"data": "x"}]' '{"data": "x", "packed": "y"}'; do
	echo "$json" | render --model - -t t/d.txt
done
render --model m.json -t @gpu_tracker.json
render --model m.json -o page.html
grep -c '</script>' page.html
