# Names that attack the page, the JSON, each kind of template, or the terminal do no harm.
R=$(realpath "$B")/rtrack-report D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

evil='</script><script>alert(1)</script><!--\u2028\"'"'"'`\u001b[31m|=cmd*_[x](javascript:1)&amp;{{title}}\u0000 cut'
cat >evil.json <<E
{"server_info": {"os": "$evil"}, "cloud_info": {"vendor": "$evil", "instance_type": "$evil"},
"rtrack": {"job": {"name": "$evil", "argv": ["$evil", "\n"], "host": "$evil", "user": "$evil",
"cwd": "$evil", "tags": {"$evil": "$evil"}}, "exit": {"signal": "$evil", "cause": "$evil"},
"notes": ["$evil"]}, "metadata": {"resource_tracker": {"version": "$evil"}},
"process_metrics": {"$evil": [1], "timestamp": [1, 2], "cpu_usage": [1, 2]}}
E
echo '{"process_metrics": {"timestamp": [1, 2], "cpu_usage": [1, 2]}}' >plain.json

"$R" --offline --now 1 -o plain.html plain.json
"$R" --offline --now 1 -o evil.html -j evil.model evil.json
count() { grep -ao "$1" "$2" | wc -l; }
[ "$(count '<script' plain.html)" = "$(count '<script' evil.html)" ] && echo 'no script more'
[ "$(count '<!--' plain.html)" = "$(count '<!--' evil.html)" ] && echo 'no comment more'
for f in evil.html evil.model; do
	grep -q 'alert(1)' $f && echo "the attack is in $f"
	echo "$(count $'[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]' $f) control characters"
done
count $'[<>&\u2028]' evil.model

for kind in txt md html xml json tsv prom; do
	echo '"{{title}}" {{run.host}}' >t.$kind
	echo "--- $kind"
	"$R" --offline -t t.$kind evil.json >out
	cat -v out
	iconv -f UTF-8 -t UTF-8 out >/dev/null && echo valid
done

echo '--- what a terminal obeys, and what turns the direction of writing'
echo '{"rtrack": {"job": {"name": "\u009b31m\u202egnp.exe"}}, "process_metrics": [{"cpu_usage": 1}]}' >sly.json
for kind in txt md html xml tsv prom; do
	echo '{{title}}' >t.$kind
	"$R" --offline -t t.$kind sly.json | cat -v
done
"$R" --offline --now 1 -o sly.html sly.json
count $'[\u009b\u202e]' sly.html

echo '--- file names'
bad=$'x\e[31m\n<img src=x onerror=alert(1)>\xff\xe2\x80\xa8"\'.json'
echo '{' >"$bad"
"$R" --offline -o bad.html "$bad" 2>&1 | cat -v
"$R" --offline -o bad.html plain.json "$bad" 2>err
echo "status $?"
cat -v err
count '<img' bad.html
cp plain.json "good$bad"
echo '{{title}} {{run.file}}' >t.txt
"$R" --offline -o good.html -t t.txt "good$bad" | cat -v
count '<img' good.html
"$R" --offline -o $'no\ewhere/x.html' plain.json 2>&1 | cat -v
"$R" --offline --title $'</title><script>\e' -t t.txt -o title.html plain.json | cat -v
[ "$(count '<script' plain.html)" = "$(count '<script' title.html)" ] && echo 'no script more'

echo '--- a megabyte of it'
long=$(head -c 1000000 /dev/zero | tr '\0' '<')
plain=$(stat -c %s plain.html)
for field in name host user cwd; do
	cat >long.json <<E
{"rtrack": {"job": {"$field": "$long", "argv": ["$long"]}}, "cloud_info": {"vendor": "$long"},
"server_info": {"os": "$long"}, "process_metrics": {"timestamp": [1], "cpu_usage": [1]}}
E
	"$R" --offline --now 1 -o long.html -j long.model long.json
	echo "$field: status $?"
	[ "$(stat -c %s long.html)" -lt $((plain + 40000)) ] || echo the page is too long
	[ "$(stat -c %s long.model)" -lt 100000 ] || echo the model is too long
done
