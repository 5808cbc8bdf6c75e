# Change points, twice: by the program's functions, and by an independent script on the same inputs.
D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
W=$PWD/tests/worked/history_examples.py
python3 "$W" inputs >"$D/inputs" && python3 "$W" >"$D/expected" || exit
"$B/tests/cli/change_points_cli" <"$D/inputs" >"$D/found"
diff "$D/expected" "$D/found" && cat "$D/found"
