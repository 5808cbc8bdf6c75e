# Rows as CSV, to standard output or a file, live: the sum of the rows is what the run used.
R=$(realpath "$B")/rtrack-collect D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

"$R" -q -i 3600 -o a.gz --csv process true | sed -E 's/[0-9.]+/N/g'
"$R" -q -i 3600 -o a.gz --csv process --schema 2 -- sh -c 'sleep 0.2; echo "the command prints too"' | sed -E '/^[0-9]/s/[0-9.]+/N/g'
"$R" -q -i 3600 -o a.gz --csv system --csv-file a.csv -- echo 'only this'
sed -E '/^[0-9]/s/[0-9.]+/N/g' a.csv
"$R" -q -o a.gz --csv process --all-columns --csv-file b.csv true
head -n 1 b.csv | tr , '\n' | head -n 3
echo "-- a reader that goes away changes nothing"
{ "$R" -o a.gz -q --csv process -i 0.05 -- sh -c 'sleep 0.3; exit 4'; echo "status $?" >&2; } | head -n 1
echo "-- a full disk, before the start"
"$R" -q -o a.gz --csv process --csv-file /dev/full -- touch ran
echo "status $?"
[ -e ran ] || echo 'nothing ran'
