# Where the snapshot goes: plain JSON where the name ends in .json, and standard output.
R=$(realpath "$B")/rtrack-collect P=$(realpath "$B")/rtrack-report D=$(mktemp -d)
. tests/cli/until_sampled.bash
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
mkdir tmp
export TMPDIR=$D/tmp
kind() { case $(head -c 14 | tr -d '\0') in '{"rtrack_row":') echo plain ;; $'\x1f\x8b'*) echo gzip ;; *) echo other ;; esac; }
clean() { sed -E "s|peak memory .* MiB|peak memory N MiB|; s/process [0-9]+/process PID/; s|$D|DIR|g; s/rtrack-[A-Za-z0-9]{6}\//rtrack-XXXXXX\//; s/(rtrack-)[^/]*\.json/\1NAME.json/; s/[0-9.]+ (s|cores|MiB)\b/N \1/g"; }
echo '--- names'
for name in a.json a.json.gz a.gz a.JSON json %p.json; do
	"$R" -q -o "$name" true
	file=$(find . -maxdepth 1 -type f)
	echo "$name: $(kind <"$file")"
	rm -f "$file"
done
echo '--- plain JSON is read as the other is'
"$R" -q -i 0.1 --name x --no-discover-server -o a.json sleep 0.3
echo '{{run.name}}: {{status.text}}' >t.txt
"$P" --offline -t t.txt a.json
mkdir folder
cp a.json folder
"$P" --offline -j folder/model.json a.json
"$R" --info=json >folder/info.json
"$P" --offline -t t.txt folder
echo '--- standard output'
sleep 600 &
followed=$!
(sampled 'tmp/rtrack-*/*.partial' && kill $followed) &
"$R" -o - -p $followed 2>err | kind
clean <err | sed "s/, peak memory N MiB//" # which a slow recorder cannot read any more
until_sampled 'tmp/rtrack-*/*.partial' "$R" -q -i 0.1 -o - >c.json
"$P" --offline -t t.txt c.json
"$R" -o - true
echo "status $?"
"$R" -o - -p $$ --csv process
echo "status $?"
"$R" -o - -p 4194305
echo "status $?"
TMPDIR=$D/none timeout -s INT 60 "$R" -o - 2>&1 | clean
ls tmp
echo '--- whose reader goes away'
until_sampled 'tmp/rtrack-*/*.partial' "$R" -q -i 0.1 -o - 2>err >/dev/full
clean <err
ls tmp | sed 's/rtrack-.*/rtrack-XXXXXX/'
"$P" --offline -t t.txt tmp/rtrack-*/*.json
echo '--- recovered'
"$R" -q -i 0.05 -o b.json -- sh -c 'head -n 2 b.json.partial >early
	until [ "$(tail -n +3 b.json.partial | wc -c)" -gt 0 ]; do sleep 0.05; done
	cp b.json.partial c.json.partial; cp b.json.partial d.partial'
rm -f c.json
"$R" -q --recover c.json.partial
kind <c.json
"$R" -q --recover d.partial -o - | kind
ls
echo '--- appended to itself'
"$R" -q -o steps.json.gz --append-to ./steps.json.gz true && rm steps.json.gz
"$R" -q -o e.json.gz --append-to steps.json.gz true && ln -s steps.json.gz link.json.gz
cp steps.json.gz steps
for i in steps link; do
	timeout 60 "$R" -q -o $i.json.gz --append-to steps.json.gz true
	echo "status $?"
done
cmp steps steps.json.gz && ls
