# What a job was given to read is recorded with its size before it starts: words of its command line, standard input,
# RTRACK_INPUT, links that lead out of the working directory. Nothing is opened, and the job notices nothing.
. tests/check.sh
unset RTRACK_INPUT
cd "$D" || exit
head -c 1000 /dev/zero >a
head -c 20000 /dev/zero >b
head -c 300 /dev/zero >'a secret'
mkdir task out
# collect COMMAND…: records into r.json
collect() { "$R" -q --no-discover-cloud -o "$D/r.json" "$@" 2>"$D/err"; }
# inputs: one a line, "name bytes via at written"
inputs() {
	grep -o '"inputs":\[[^]]*\]' "$D/r.json" | grep -oE '\{[^}]*\}' |
		sed -E 's/^\{"name":"(.*)","bytes":(.*),"via":"(.*)","at":"(.*)","written":(.*)\}$/\1 \2 \3 \4 \5/'
}
row() { grep -oE "\"$1\":[^,}]*" "$D/r.json" | head -1 | cut -d: -f2-; }

collect -- true a b
check_equal 'words of the command line' "$(inputs)" 'a 1000 argument 1 false
b 20000 argument 2 false'
check_equal 'and their sum' "$(row input_bytes) $(row input_sizes)" '21000 "1=1000;2=20000"'
collect -- true -x --in=a if=b nosuch . /dev/null a
check_equal 'behind "=", once' "$(inputs)" 'a 1000 argument --in false
b 20000 argument if false'
collect -- true --reads a -v
check_equal 'after an option' "$(inputs)" 'a 1000 argument --reads false'
collect -- true
check_equal 'none' "$(inputs)$(row input_bytes)" null
check 'is a list that is empty' grep -q '"inputs":\[\]' r.json
collect -- ./a
check_equal 'the program itself is none' "$(inputs)" ''
collect -- true a <b
check_equal 'standard input' "$(inputs | sed 's/^.*\///')" 'a 1000 argument 1 false
b 20000 stdin stdin false'
RTRACK_INPUT=b:nosuch collect --input a -- true
check_equal 'RTRACK_INPUT and --input' "$? $(inputs)" '0 a 1000 option 1 false
b 20000 option 2 false'
check 'what is not there is noted' grep -q 'The input nosuch is not a file' r.json
collect --no-inputs -- true a
check_equal '--no-inputs' "$(inputs)$(row input_bytes)" null
check 'says nothing of them' test "$(grep -c '"inputs"' r.json)" = 0
collect --no-command -- true --reads a
check_equal '--no-command: sizes alone' "$(inputs)" ' 1000 argument 2 false'

# Outputs of an earlier run.
cp a old
cp a log
collect -- sh -c 'echo x >"$1"; echo x >>"$2"' sh old log b -o a
check_equal 'what the job writes does not count' "$(inputs)" 'old 1000 argument 4 true
log 1000 argument 5 true
b 20000 argument 6 false'
check_equal 'in the sum' "$(row input_bytes)" 20000
cp a old
collect --input old -- sh -c 'echo x >>old'
check_equal 'unless it is named, even if it grows' "$(inputs)" 'old 1000 option 1 false'
cp a gone
collect -- sh -c 'rm "$1"' sh gone
check_equal 'one that the job removes was read' "$(inputs)" 'gone 1000 argument 4 false'
cp a old
collect -- true old >>old
check_equal 'standard output is none' "$(inputs)" ''

# Staged, as Nextflow does it.
cd task || exit
ln -s ../a reads.fq
ln -s "$D/b" genome.fa
ln -s ../out folder
ln -s nosuch broken
echo x >here
ln -s here inside
ln -s "$D/task/here" inside2
collect -- true genome.fa
check_equal 'staged links' "$(inputs)" 'genome.fa 20000 argument 1 false
reads.fq 1000 staged reads.fq false'
cd .. || exit

# Secrets.
cp b bcdefg
collect -- true --password a --token=bcdefg "https://u:geheim@h/" 'a secret'
check_equal 'a word that was redacted has no name' "$(inputs)" '*** 1000 argument --password false
*** 20000 argument --token false
a secret 300 argument 5 false'
head -c 7 /dev/zero >ghp_0123456789abcdefghijklmnopqrstuvwxyz
RTRACK_INPUT=ghp_0123456789abcdefghijklmnopqrstuvwxyz collect -- true
check_equal 'nor a token' "$(inputs) $(grep -c ghp_0 r.json)" '*** 7 option 1 false 0'

# Many words, and what cannot be looked at.
mkfifo fifo
mkdir dark
cp a dark/a
chmod 0 dark
seq 1 10000 >words
check 'a FIFO, a folder that may not be read' timeout 20 "$R" -q -o "$D/r.json" -- true fifo dark/a
chmod 700 dark
for i in $(seq 100); do echo x >"f$i"; done
collect -- true f? f?? f100
check_equal '64 at most' "$(inputs | wc -l) $(row input_bytes)" '64 200'
check 'the others are counted' grep -q '"inputs_left_out":{"n":36,"bytes":72}' r.json
# shellcheck disable=SC2046
collect -- true a $(cat words) b
check_equal '10,000 words' "$?" 0
# On a busy machine looking at all of them may take too long: then the sum is not known.
case $(grep -c 'Finding the inputs' r.json),$(row input_bytes) in
0,21000 | 1,null) passed 'all or none count' ;;
*) failed 'all or none count' "$(row input_bytes)" ;;
esac

# A recording that was killed has them.
"$R" -q --no-discover-cloud -i 0.05 -o k.json -- sh -c 'read x <fifo' sh a 2>err &
wait_until test -s k.json.partial
wait_until larger k.json.partial "$(($(wc -c <k.json.partial) + 20000))"
kill -KILL $!
wait $! 2>/dev/null
"$R" -q --recover k.json.partial -o r.json
check_equal 'a journal has them' "$(inputs)" 'a 1000 argument 4 false'
echo x >fifo

# A command that sizes itself.
collect -i 0.05 --asked memory=32GiB -- sh -c 'sleep 0.6' java -Xmx12g
check 'a job that sizes itself is named' sh -c "'$P' --offline --text - r.json | grep -q 'Its command has -Xmx12g'"
collect -i 0.05 --asked memory=128MiB -- sh -c 'sleep 0.6' java -Xmx12g
check 'not where the advice is not to ask for less' sh -c "! '$P' --offline --text - r.json | grep -q 'Its command has'"
echo "1..$n"
