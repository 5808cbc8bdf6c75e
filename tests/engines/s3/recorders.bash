# rtrack-collect -o s3://: pieces while it runs, the recording when it ends, and what happens when the upload fails.
s3 make recorders
record=("$R" -i 0.1 --no-discover-cloud --upload-every 1)
mkdir rec && cd rec || exit 1
rows() { tail -n +2 "$1" | wc -l; }

# -- from the beginning to the end -----------------------------------------------------------------------------------------------------
"${record[@]}" -o s3://recorders/a/first.json.gz -- sh -c 'sleep 0.5; exit 7' >out 2>err
check_equal "the command's status" $? 7
cat out err >>../everything
check_equal 'the recording is there, alone' "$(s3 list recorders a/)" '"a/first.json.gz"'
check_equal 'no file is left' "$(ls -A | grep -v '^out$\|^err$')" ''
check 'a report of it' page --json r.json s3://recorders/a/first.json.gz
check_equal 'says how it ended' "$(grep -o '"exit":"7"' r.json | head -1)" '"exit":"7"'
check_equal 'its type' "$(s3 type recorders a/first.json.gz)" application/gzip
"${record[@]}" -q -o s3://recorders/b/ -- true 2>>../everything
check_equal 'a folder: named after host, process and time' "$(s3 list recorders b/ | grep -cE '^"b/rtrack-.*-[0-9]+-.*\.json\.gz"$')" 1
"${record[@]}" -q -o 's3://recorders/c/%h 1%%.json.gz' -- true 2>>../everything
check_equal 'letters in the key' "$(s3 list recorders c/)" "\"c/$(hostname) 1%.json.gz\""

mkdir alone && cp "$R" alone
PATH=/usr/bin:/bin alone/rtrack-collect -o s3://recorders/x.json.gz -- touch ran >out 2>err
check_equal 'without rtrack-report: an error at the start' "$? $(ls ran 2>/dev/null)" '125 '
check 'which names it' has err rtrack-report

# -- pieces while it runs ----------------------------------------------------------------------------------------------------------------
begin long.out "${record[@]}" -o s3://recorders/long.json.gz -- sleep 600
running_id=$session
three_pieces() { [ "$(s3 list recorders long.json.gz.partial/ | wc -l)" -ge 3 ]; }
check 'pieces appear' wait_until three_pieces
check_equal 'the first one is at 0' "$(s3 list recorders long.json.gz.partial/ | head -1)" '"long.json.gz.partial/0000000000000000"'
check 'a report of the pieces, by the name of the recording' page --csv pieces.csv s3://recorders/long.json.gz
check_that 'has their samples' "$(rows pieces.csv) >= 10"
check 'a report of all below a prefix' page --json all.json s3://recorders/
check 'a fleet with it' fleet fleet.json s3://recorders/
check 'get joins them' get joined s3://recorders/long.json.gz
check 'to the journal' cmp -n "$(stat -c %s joined)" joined long.json.gz.partial
check_equal 'no secret in a command line' "$(for pid in $(tree "$running_id"); do tr '\0' ' ' <"/proc/$pid/cmdline"; done | grep -c 'secret-of')" 0
# The uploader's library counts nothing in the collector's memory.
check_equal 'the collector has no network library' "$(grep -c 'libcurl\|libssl' "/proc/$(process_of "$running_id" rtrack-collect)/maps")" 0
kill -TERM "$(process_of "$running_id" 'rtrack-collect -i')"
wait "$running_id"
cat long.out >>../everything
check_equal 'SIGTERM: the recording is there, without its pieces' "$(s3 list recorders long)" '"long.json.gz"'
page --csv whole.csv s3://recorders/long.json.gz
check 'the samples of the pieces are those of the whole' begins_with whole.csv pieces.csv

# -- one key, several recorders ------------------------------------------------------------------------------------------------------------
for count in 2 10; do
	sessions=()
	for ((i = 0; i < count; i++)); do
		mkdir -p "many$i" && cd "many$i" || exit 1
		begin out "${record[@]}" -q -o s3://recorders/same.json.gz --name "number $i" -- sh -c 'until [ -e ../go ]; do sleep 0.1; done'
		sessions+=("$session")
		cd ..
	done
	all_begun() { [ "$(s3 list recorders same.json.gz.partial | grep -c '/0000000000000000"')" = "$count" ]; }
	check "$count recorders with one key have pieces of their own" wait_until all_begun
	check_equal "$count folders" "$(s3 list recorders same.json.gz.partial | grep -o 'partial[.0-9]*/' | sort -u | wc -l)" "$count"
	touch go
	ended=0
	for id in "${sessions[@]}"; do wait "$id" && ended=$((ended + 1)); done
	rm go
	cat many*/out >>../everything
	check_equal "all $count end" $ended "$count"
	check 'the recording is there' has_object recorders same.json.gz
	# A recorder that meets another's recording when it asks for its own keeps what it has, and says so. As on disk, none
	# replaces another's.
	met=$(cat many*/out | grep -c 'not known to be stored')
	check_that 'pieces stay only of those who met another' \
		"$(s3 list recorders same.json.gz.partial | grep -o 'partial[.0-9]*/' | sort -u | wc -l) <= $met"
	check_that 'and their files' "$(find many* -name '*.gz*' | wc -l) <= $met"
	rm -rf many*
	s3 delete recorders same
done

# -- the upload is refused at the end ------------------------------------------------------------------------------------------------------
sent_as_printed() { # NAME KEY: the printed command, run as it is, sends the file
	local command
	command=$(grep -o 'rtrack-report --put .*' err | head -1)
	check "$1: the command is printed" test -n "$command"
	check "$1: the recording stays" test -n "$(find . -maxdepth 1 -name "$2")"
	check "$1: the command sends it" bash -c "$command"
	check_equal "$1: it is there, without pieces" "$(s3 list recorders "k/$2")" "\"k/$2\""
	page --json x.json "s3://recorders/k/$2"
	check_equal "$1: whole" $? 0
}
AWS_SECRET_ACCESS_KEY=wrong-secret-of-mine "${record[@]}" --upload-limit 20 -o s3://recorders/k/refused.json.gz -- sh -c 'exit 3' >out 2>err
check_equal "a wrong key: the command's status" $? 3
cat out err >>../everything
check 'the code is reported' has err SignatureDoesNotMatch
sent_as_printed 'a wrong key' refused.json.gz
name="it's (1) + 2.json.gz"
"${record[@]}" --upload-limit 20 -o "s3://nosuchbucket/$name" -- true >out 2>err
check 'no such bucket: told' has err NoSuchBucket
cp err nobucket
check 'the recording stays' page --json x.json "$name"
check_equal 'a command that a shell takes' "$(bash -c "rtrack-report() { printf '%s\n' \"\$@\"; }; $(grep -o 'rtrack-report --put .*' nobucket)")" "--put
$name
s3://nosuchbucket/$name"
cat out err nobucket >>../everything

begin down.out "${record[@]}" --upload-limit 4 -o s3://recorders/k/down.json.gz -- sh -c 'until [ -e go ]; do sleep 0.1; done; exit 5'
wait_until has_object recorders k/down.json.gz.partial/
s3_down
touch go
wait "$session"
check_equal "a server that went away: the command's status" $? 5
cp down.out err && cat err >>../everything
rm go
s3_up
sent_as_printed 'a server that went away' down.json.gz
begin back.out "${record[@]}" -o s3://recorders/k/back.json.gz -- sh -c 'until [ -e go ]; do sleep 0.1; done'
wait_until has_object recorders k/back.json.gz.partial/
s3_down
sleep 2
s3_up
touch go
wait "$session"
rm go
cat back.out >>../everything
check_equal 'a server that comes back: all is there' "$(s3 list recorders k/back)" '"k/back.json.gz"'

# -- pieces that hang, and a disk that is taken away ---------------------------------------------------------------------------------------
for kind in first-put put; do
	rules "[{\"kind\":\"$kind\",\"path\":\"partial\",\"fault\":\"hang\"}]"
	hung=$SECONDS
	proxied "${record[@]}" -q -o "s3://recorders/hang/$kind.json.gz" -- sleep 3 2>err
	check_equal "a $kind that hangs: the status" "$? $(cat err)" '0 '
	check_that "a $kind that hangs does not hold up the end" "$SECONDS - $hung <= 8"
	check_that "a $kind hung" "$(seen faults) >= 1"
done
rules
check_equal 'the recordings are there, without pieces' "$(s3 list recorders hang/ | tr -d '\n')" '"hang/first-put.json.gz""hang/put.json.gz"'
s3 put recorders stray.json.gz.partial/0000000000009999 ../a.json.gz
begin stray.out "${record[@]}" -q -o s3://recorders/stray.json.gz -- sleep 600
no_stray() { has_object recorders stray.json.gz.partial/0000000000000000 && ! has_object recorders stray.json.gz.partial/0000000000009999; }
check 'a piece of another recording after ours is deleted' wait_until no_stray
end_tree "$session"
mkdir gone && cd gone || exit 1
"${record[@]}" -o s3://recorders/gone.json.gz -- sh -c 'sleep 2; rm -r ../gone' 2>../err
check_equal 'the folder is removed meanwhile: the status' $? 0
cd .. || exit 1
cat err >>../everything
command=$(grep -o 'rtrack-collect --recover .*' err | head -1)
check 'the command that recovers it' bash -c "$command"
page --csv gone.csv s3://recorders/gone.json.gz
check_that 'with all samples' "$(rows gone.csv) >= 19"
check_equal 'alone' "$(s3 list recorders gone)" '"gone.json.gz"'
"$R" --recover s3://recorders/gone.json.gz 2>err
check_equal 'a finished recording is not recovered' "$? $(grep -c 'nothing to recover' err)" '1 1'
check_equal 'and nothing of it is left' "$(ls -A | grep -c gone.json)" 0
cd .. || exit 1
