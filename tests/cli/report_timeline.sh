# The critical path in text and Markdown, and again from the page; of processes in another form a note.
R=$(realpath "$B")/rtrack-report D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

recording() { # PARENTS
	cat <<J
{"metadata": {"pid": 10, "interval": 1, "start_time": 1000, "stop_time": 1100}, "rtrack": {"tree": {"source": "events",
"why": "", "n": 5, "kept": 5, "names": ["make", "cc1", "ld", "gcc"], "commands": ["make -j2", "cc1 a.c"], "pid": [11, 12, 14, 13, 10],
"parent": $1, "start_s": [0, 1, 60, 60, 0], "end_s": [50, 60, 100, 100, 100], "cpu_s": [49, 59, 40, 0.01, 1],
"memory_bytes": [1048576, null, 2097152, null, null], "status": [1, 0, 0, 0, 0], "name": [1, 1, 2, 3, 0],
"command": [1, -1, -1, -1, 0], "groups": []}}, "process_metrics": {"timestamp": [1001, 1100], "cpu_usage": [2, 1]}}
J
}
show() { # FILE
	"$R" --offline --now 2000 --text a.txt --markdown a.md -o "$1.html" "$1"
	grep -hE -A1 'Critical path|one process alone|not known, or too' a.txt a.md
}

recording '[4, 4, 3, 4, -1]' >a.json
show a.json
echo '-- from the page'
show a.json.html
echo '-- circles and parents that are not there'
recording '[1, 0, 99, -7, 0.5]' >b.json
show b.json
echo '-- another form'
recording '[4, 4]' >c.json
show c.json
