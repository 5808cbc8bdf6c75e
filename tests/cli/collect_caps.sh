# What exceeds the limits of a recording is left out, and a note says so.
R=$(realpath "$B")/rtrack-collect D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
notes() { zcat a.gz | grep -o '"notes":\[[^]]*\]' | grep -o '"[^"]*\(words\|marks\)[^"]*"'; }
"$R" -q -o a.gz -- true $(seq 5000)
notes
zcat a.gz | grep -o '"4094","4095"[^]]*'
"$R" -q -i 0.05 -o a.gz -- bash -c 'for i in {1..5000}; do echo "part $i"; done >"$RTRACK_MARK"; sleep 0.5'
notes
zcat a.gz | grep -o '"name":"part [0-9]*"' | sed -n '1p;$p'
