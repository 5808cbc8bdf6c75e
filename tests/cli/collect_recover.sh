# What --recover refuses, with one sentence each, and leaves unchanged.
R=$(realpath "$B")/rtrack-collect D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
try() {
	echo "$ rtrack-collect $*"
	"$R" "$@" 2>&1
	echo "status $?"
}
# A journal as it is before its first sample, and whole: the command copies it, for it is taken away.
"$R" -q -i 0.05 -o a.gz -- sh -c 'head -n 2 a.gz.partial >early.partial
	until [ "$(tail -n +3 a.gz.partial | wc -c)" -gt 0 ]; do sleep 0.05; done
	cp a.gz.partial whole.partial; cp a.gz.partial journal; cp journal .partial'
try --recover none.partial
: >empty.partial
try --recover empty.partial
try --recover early.partial
try --recover journal
try --recover .partial
try --recover a.gz -o b.gz
try --recover whole.partial -o none/b.gz
try --recover whole.partial -o a.gz -q true
try --recover whole.partial -o whole.partial
try --recover whole.partial -o ./whole.partial
cp whole.partial a.gz.partial
cp a.gz before
try --recover a.gz.partial
cmp a.gz before && rm before a.gz.partial
ln -s /dev/null to-null
try --recover whole.partial -o to-null
rm to-null
ls -A
cp journal journal.kept
try --recover journal -o b.gz | sed 's/recovered [0-9]* samples*/recovered N samples/'
# One that is named is replaced.
cp journal.kept journal
try --recover journal -o b.gz | sed 's/recovered [0-9]* samples*/recovered N samples/'
try --recover whole.partial | sed 's/recovered [0-9]* samples*/recovered N samples/'
ls -A
# What is recovered has a row for catalogs, too, at its beginning.
zcat b.gz | head -c 2100 | grep -oE '^\{"rtrack_row":\{"id"|"status":"[a-z]*"|"name":"[^"]*"' | head -n 3
