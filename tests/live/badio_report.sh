# A long test: only make test-all runs it.
#
# Reading or writing fails at any one system call while a report is written or a snapshot is recovered: one sentence
# names the file, and each output is either the old file or the complete new one.
. tests/check.sh
preload badio
RUN=$PWD/tests/fixtures/runs_faces/two-gpus.json
clean_up() { umount "$D/full" 2>/dev/null; }
export R
cd "$D" || exit 1
unset COLUMNS

one() { [ "$(wc -l <err)" = 1 ] && grep -q "$1" err || echo "says: $(cat err)"; }
P() { "$P" --offline --keeper-cache '' --now 1795246800 "$@"; }
faces=(-o a.html -j a.json --text a.txt --markdown a.md --openmetrics a.prom --junit a.xml --csv a.csv
	-t @gpu_tracker.json=g.json -t @trace.txt=t.txt)

# Where no output can be written at all.
for face in -o -j --text --markdown --openmetrics --junit --csv; do
	P $face /dev/full "$RUN" 2>err
	check_equal "$face to a full device" "$? $(one '^rtrack-report: /dev/full: No space left on device$')" '1 '
	P $face - "$RUN" >/dev/full 2>err
	check_equal "$face to standard output that is full" "$? $(one '^rtrack-report: standard output: No space left')" '1 '
done
for what in --help --list-metrics --version; do
	P $what >/dev/full 2>err
	check_equal "$what to standard output that is full" "$? $(one '^rtrack-report: standard output: No space left')" '1 '
	"$R" $what >/dev/full 2>err
	check_equal "$what of the recorder" "$? $(one '^rtrack-collect: standard output: No space left on device$')" '1 '
done

# A disk that is really full.
if [ "$(id -u)" = 0 ] && mkdir full && mount -t tmpfs -o size=128k tmpfs full 2>/dev/null; then
	cp "$RUN" job.json
	echo old >full/a.html
	P -j full/a.json job.json && head -c 30000 /dev/zero >full/rest 2>/dev/null
	P -o full/a.html job.json 2>err
	check_equal 'a report on a full disk' "$? $(one '^rtrack-report: full/a.html: No space left on device$')" '1 '
	check_equal 'leaves the old one, and nothing else' "$(cat full/a.html) $(ls -A full | tr '\n' ' ')" 'old a.html a.json rest '
	rm full/a.json full/rest
	# It fills up when there are some rows; the command waits for what is said, at most a minute.
	"$R" -q -i 0.01 --no-discover-cloud --cgroup off -o full/a.gz --csv process --csv-file full/a.csv \
		-- sh -c 'until [ "$(wc -l <full/a.csv)" -gt 9 ]; do sleep 0.01; done
		head -c 199999 /dev/zero >full/more 2>/dev/null
		for i in $(seq 600); do [ "$(wc -l <err)" -ge 2 ] && break; sleep 0.1; done
		rm full/more; exit 7' 2>err
	check_equal 'a recording on a disk that fills up: status' $? 7
	check_equal 'says which files, and no more' "$(grep -c '^rtrack-collect: .*full/a\.csv: .*No space left' err) $(
		grep -c '^rtrack-collect: the recording stops here.*full/a\.gz\.partial: No space left' err) $(wc -l <err)" '1 1 2'
	check_equal 'and what was recorded is there' "$("$P" --offline -j - full/a.gz | grep -c '"samples":[1-9]')" 1
	check_equal 'and its CSV ends with a whole line' "$(tail -c 1 full/a.csv | od -An -c | tr -d ' ')" '\n'
	umount full
else
	skip all 'no tmpfs may be mounted'
fi

# A sanitizer must be the first that is loaded.
if [ -n "$asan" ]; then
	echo "1..$n"
	exit
fi

# What is wrong after a run under RULE: OLD has the files of before, REF those of a run that nothing befell.
rm -rf old ref && mkdir old ref
under() { # RULE COMMAND…
	local rule=$1 f
	shift
	rm -rf d log && cp -a old d
	(cd d && BADIO=$rule BADIO_LOG=../log LD_PRELOAD=$so exec "$@") >out 2>err
	status=$?
	for f in $(ls -A d); do
		cmp -s d/$f old/$f || cmp -s d/$f ref/$f || echo "$f is neither old nor whole"
	done
	[ "$(ls -A d | wc -l)" -ge "$(ls -A old | wc -l)" ] || cmp -s out ref.out || echo "lost: $(ls -A d)"
}

# Each call fails once, as long as there is one more.
each() { # CALL ERROR STATUS COMMAND…
	local call=$1 error=$2 expected=$3 bad='' i found
	shift 3
	for i in $(seq 60); do
		found=$(under "$call:$error:$i" "$@"; echo $status >status)
		[ -s log ] || break
		[ "$(cat status)" = "$expected" ] || found="$found status $(cat status)"
		if [ "$expected" = 0 ]; then
			[ -z "$found" ] && diff -r d ref >/dev/null && cmp -s err ref.err || found="$found other: $(cat err)"
		else
			found="$found$(one '^rtrack-[a-z]*: [a-z./]*\(job\.json\|a\.[a-z]*\|g\.json\|t\.txt\|b.gz.partial\).*: ')"
		fi
		[ "$call:$i" = fsync:2 ] && [ "$(cat status)" = 0 ] && continue # the folder's, which not all can
		# The first four look whether the two old outputs are recordings or databases: what cannot be read is none. The next
		# two read a head: without it the recording is read whole.
		case $call:$error:$i in read:EIO:[1-6]) [ "$(cat status)" = 0 ] && continue ;; esac
		[ -z "$found" ] || bad="$bad $call:$error:$i: $found;"
	done
	check_equal "$error at each of $((i - 1)) calls of $call" "$bad" ''
	[ "$i" -gt 1 ] || check_equal "$call is called" "$i" 'more than 1'
}

echo old >old/a.html
echo old >old/a.csv
cp "$RUN" job.json
cp -a old d && (cd d && P "${faces[@]}" ../job.json) >ref.out 2>ref.err && rm -rf ref && mv d ref
report=("$P" --offline --keeper-cache '' --now 1795246800 "${faces[@]}" ../job.json)
each open ENOSPC 1 "${report[@]}"
each chmod EIO 1 "${report[@]}"
each write ENOSPC 1 "${report[@]}"
each close EIO 1 "${report[@]}"
each rename EDQUOT 1 "${report[@]}"
each read EIO 1 "${report[@]}"
for call in write read close; do each $call EINTR 0 "${report[@]}"; done
each write SHORT 0 "${report[@]}"
each read SHORT 0 "${report[@]}"

# A journal stays until the snapshot stands.
"$R" -q -i 0.01 --no-discover-cloud --cgroup off -o b.gz -- sh -c '"$R" --mark one; touch began; exec sleep 9' &
until [ -e began ] && [ "$(wc -c <b.gz.partial)" -gt 90000 ]; do kill -0 $! || break; done
kill -KILL $!
wait $! 2>/dev/null
rm -rf old d ref && mkdir old && mv b.gz.partial old/b.gz.partial && cp -a old d
recover=("$R" --recover b.gz.partial -o a.gz)
(cd d && "${recover[@]}") >ref.out 2>ref.err
check_equal 'a journal is recovered' "$? $(ls d)" '0 a.gz'
mv d ref
echo old >old/a.gz
each open EDQUOT 1 "${recover[@]}"
each write ENOSPC 1 "${recover[@]}"
each write EIO 1 "${recover[@]}"
each fsync EIO 1 "${recover[@]}"
each close EIO 1 "${recover[@]}"
each rename EIO 1 "${recover[@]}"
each pread EIO 1 "${recover[@]}"
for call in write fsync close pread read; do each $call EINTR 0 "${recover[@]}"; done
each pread SHORT 0 "${recover[@]}"
each write SHORT 0 "${recover[@]}"
echo "1..$n"
