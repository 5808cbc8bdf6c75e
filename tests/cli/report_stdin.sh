# "-" among the inputs: a recording on standard input, whatever its kind, for a report, a history, many runs and a saved model.
F=$(realpath "$B")/rtrack-fleet R=$(realpath "$B")/rtrack-report RUN=$PWD/tests/fixtures/runs_faces/two-gpus.json
FOLDER=$PWD/tests/fixtures/runs_report D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
unset COLUMNS NO_COLOR
report() { SOURCE_DATE_EPOCH=1795246800 "$R" --offline "$@" 2>&1; }
fleet() { SOURCE_DATE_EPOCH=1795246800 "$F" "$@" --offline 2>&1; }

"$R" --offline --now 1795246800 -j named.json "$RUN"
file() { sed 's/"file":"two-gpus.json"/"file":"standard input"/' "$1"; }
file named.json >want.json
echo '--- a pipe, a file, gzip: the same as by its name'
cat "$RUN" | report -j a.json -
report -j b.json - <"$RUN"
gzip -c "$RUN" | report -j c.json --current -
for one in a b c; do cmp want.json $one.json && echo same; done
echo '--- among others, by which it is known'
cat "$RUN" | report -j - "$FOLDER" --current - | grep -o '"file":"[^"]*"' | head -n 3
cat "$RUN" | report --compare --text - "$FOLDER"/*.json - | sed -n '/^# *Comparison/,/^$/p;/standard input/p' | head -n 4
echo '--- many runs'
cat "$RUN" | fleet groups --text - - | sed -n 2p
cat "$RUN" | COLUMNS=300 fleet groups --text - "$FOLDER" - | sed -n 2p | sed "s|$FOLDER|FOLDER|"
echo '--- a model'
report --model - --text - <want.json | head -n 1
echo '--- a page: as it is, as a run among others, and as one of many'
report -o p.html "$RUN"
report -j p.json p.html
report -j q.json - <p.html && sed "s/standard input/p.html/" q.json | cmp - p.json && echo same
cat p.html | report -j - "$FOLDER" --current - | grep -o '"file":"[^"]*"' | head -n 1
cat p.html | fleet groups --text - - | sed -n 2p
head -c 3000 p.html | report -
echo '--- a page of that name is not standard input'
sed 's/<title>/<title>other /' p.html >./-
cat "$RUN" | report -j c.json - && cmp want.json c.json && echo same
rm ./- p.* q.*
echo '--- a file of that name'
cp "$RUN" ./-
report --text - ./- </dev/null | head -n 1
echo '--- where it cannot be'
: | report -
head -c 2000 "$RUN" | report -
echo '[1]' | report -
report - </
report - <&-
report - - <"$RUN"
report --current - - <"$RUN"
fleet add --catalog runs.db - <"$RUN"
fleet forget --catalog runs.db - <"$RUN"
script -qec "'$R' -" /dev/null </dev/null | tr -d '\r'
ls -A
