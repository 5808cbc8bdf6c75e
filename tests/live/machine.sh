# Both commands with little of everything: file descriptors, address space, stack, file size, CPU time, processes; and
# without /tmp, a place to write, standard streams, an environment, a current folder.
. tests/check.sh
# Copies: one test hides all of /tmp but $D, and the build may lie there.
cp "$B"/rtrack-collect "$B"/rtrack-report "$D" || exit 1
R=$D/rtrack-collect P=$D/rtrack-report
[ -z "$asan" ] || ulimit -c 0
chmod 777 "$D"
cd "$D" || exit 1
export R P D T

can() { "$@" true 2>/dev/null; }
one_sentence() { check_equal "$1: one sentence" "$(grep -c "^rtrack-$2: " err) of $(wc -l <err)" '1 of 1'; }
left() { find . -name 'a.*' ! -name a.gz ! -name a.html | tr '\n' ' '; }

# The command's status is its own, and the snapshot makes a page; under a command that ends by executing its
# arguments.
both() { # NAME COMMAND…
	rm -rf a.*
	"${@:2}" "$R" -q -i 0.05 --no-discover-cloud -o "$D/a.gz" -- sh -c 'sleep 0.1; exit 7' 2>err
	check_equal "$1: the command's status, and nothing is said" "$? $(cat err)" '7 '
	"${@:2}" "$P" --offline -o "$D/a.html" "$D/a.gz" 2>err
	check_equal "$1: the page, and nothing is said" "$? $(cat err)" '0 '
	check_equal "$1: it is whole, and nothing beside it" "$(grep -c '</html>' a.html) $(left)" '1 '
}
tried() { if can "${@:2}"; then both "$@"; else skip "$1"; fi; }

limited() { bash -c 'ulimit "$1" "$2"; exec "${@:3}"' - "$@"; }
both 'a stack of 256 KiB' limited -s 256
both '16 descriptors' limited -n 16
[ -n "$asan" ] || both '64 MiB of addresses' limited -v 65536
mkdir many
for i in 1 2 3 4 5 6 7 8 9; do zcat a.gz | sed -E '0,/"pid":[0-9]+/s//"pid":'$i/ | gzip >many/$i.json.gz; done
limited -n 16 "$P" --offline -o a.html many 2>err
check_equal '16 descriptors: a folder of nine' "$? $(cat err)" '0 '
for locale in tr_TR.UTF-8 de_DE.UTF-8 ja_JP.SJIS 'x;y' "$(printf '%2000s' '' | tr ' ' a)"; do
	both "a locale called ${locale:0:20}" env LC_ALL="$locale" LANG="$locale" LANGUAGE="$locale"
done
both 'no HOME, no PATH' env -u HOME -u PATH -u XDG_CACHE_HOME
both 'no TMPDIR' env TMPDIR=/nonexistent TMP=/nonexistent TEMP=/nonexistent
both 'the lowest priority' nice -n 19
tried 'an idle scheduler' chrt -i 0
both 'closed streams' bash -c 'exec "$@" <&- >&- 2>&-' -
both 'a file for input, at its end' bash -c 'exec "$@" </dev/null >/dev/full' -
tried 'no /tmp' unshare -m bash -c 'mount --bind "$D" /mnt && mount -t tmpfs -o size=4k,mode=000 none /tmp &&
	mkdir -p "$D" && mount --bind /mnt "$D" && exec "$@"' -
tried 'all read-only but the output' unshare -m bash -c 'mount --bind "$D" "$D" &&
	mount -o remount,ro,bind / && exec "$@"' -
if [ "$(id -u)" = 0 ]; then
	# As root, no mode is an obstacle.
	both 'umask 777' bash -c 'umask 777; exec "$@"' -
fi

# No place to write at all: a sentence, before the command runs; what it is to leave is left.
closed=(unshare -m bash -c 'mount --bind "$D" "$D" && mount -o remount,ro,bind "$D" && exec "$@"' -)
if can "${closed[@]}"; then
	"${closed[@]}" "$R" -q --no-discover-cloud -o "$D/b.gz" -- sh -c 'echo ran' >/dev/shm/rtrack.$$ 2>err
	check_equal 'nowhere to write: status' "$? $(cat /dev/shm/rtrack.$$)" '125 '
	rm -f /dev/shm/rtrack.$$
	one_sentence 'nowhere to write' collect
	check_equal 'nowhere to write: it says so' "$(grep -c 'b\.gz.*Read-only file system' err)" 1
	"${closed[@]}" "$P" --offline -o "$D/b.html" "$D/a.gz" 2>err
	check_equal 'nowhere to write: no page' $? 1
	one_sentence 'nowhere to write: the page' report
else
	skip 'nowhere to write'
fi

# A folder that was removed.
gone() { bash -c 'mkdir "$D/gone" && cd "$D/gone" && rmdir "$D/gone" && exec "$@"' - "$@"; }
gone "$R" -q -i 0.05 --no-discover-cloud -o "$D/a.gz" -- "$T/deed" burn 0.05 "$D/truth" 2>err
check_equal 'a folder that is gone: status, and nothing is said' "$? $(cat err)" '0 '
gone "$P" --offline -o "$D/a.html" "$D/a.gz" 2>err
check_equal 'a folder that is gone: the page' "$? $(cat err)" '0 '
gone "$R" -q --no-discover-cloud -- touch "$D/ran" 2>err
check_equal 'nowhere to be: status, and it did not run' "$? $(ls ran 2>/dev/null)" '125 '
one_sentence 'nowhere to be' collect
gone "$P" --offline "$D/a.gz" 2>err
check_equal 'nowhere to be: no page' $? 1
one_sentence 'nowhere to be: the page' report

# Files may grow to some KiB only, and nobody dies of SIGXFSZ.
rm -rf a.*
said='for i in $(seq 600); do [ ! -s err ] || break; sleep 0.1; done; exit 7'
: >err
limited -f 4 "$R" -q -i 0.05 --no-discover-cloud -o a.gz -- sh -c "$said" 2>&1 | cat >err
check_equal 'files of 4 KiB: one sentence' "$(grep -c 'recording stops here, the command goes on: .*File too large' err) of $(wc -l <err)" '1 of 1'
limited -f 4 "$R" -q -i 0.05 --no-discover-cloud -o a.gz -- sh -c "$said" 2>err
check_equal 'files of 4 KiB: the command goes on' $? 7
"$P" --offline -o a.html a.gz 2>err
check_equal 'files of 4 KiB: what was recorded is there' $? 0
check_equal 'files of 4 KiB: it is noted, once' "$(zcat a.gz | grep -o 'The recording stopped early: [^"]*')" \
	'The recording stopped early: a.gz.partial: File too large.'
rm -f a.html
limited -f 8 "$P" --offline -o a.html a.gz 2>&1 | cat >err
one_sentence 'a page over the size' report
check_equal 'a page over the size: nothing is left of it' "$(ls a.html* 2>/dev/null)" ''
limited -f 8 "$P" --offline -o a.html a.gz 2>/dev/null
check_equal 'a page over the size: status' $? 1
limited -f 8 "$P" --offline -o - a.gz 2>/dev/null >page
check_equal 'a page over the size on standard output: status' $? 1
{ "$R" -q -i 0.02 --no-discover-cloud -o b.gz -- sh -c 'sleep 0.6; kill -9 $PPID'; } 2>/dev/null
limited -f 1 "$R" -q --recover b.gz.partial 2>/dev/null
check_equal 'a recovery over the size: status, and the journal stays' "$? $(ls b.gz*)" '1 b.gz.partial'

# What the command may use of CPU time holds for us too.
limited -t 1 "$R" -q -i 0.05 --no-discover-cloud -o a.gz -- sh -c 'while :; do :; done' 2>/dev/null
status=$?
check_equal 'CPU time of the command is used up: its status' "$([ $status = 137 ] || [ $status = 152 ] && echo killed)" killed
check_equal 'and its cause' "$(zcat a.gz | grep -c '"signaled"')" 1
if [ -z "$asan" ]; then
	# So many processes, so often, that it is ours that is used up. The command waits for that.
	: >err
	(ulimit -t 1 && exec "$R" -q -i 0.01 --no-discover-cloud -o a.gz -- sh -c '"$T/crowd" 1500 0 60 truth &
		for i in $(seq 600); do [ ! -s err ] || break; sleep 0.1; done; kill $!; exit 7' 2>err)
	check_equal 'our own is used up: the command goes on' $? 7
	check_equal 'our own is used up: one sentence' "$(grep -c 'recording stops here, the command goes on: .*RLIMIT_CPU' err) of $(wc -l <err)" '1 of 1'
	"$P" --offline -o a.html a.gz 2>err
	check_equal 'our own is used up: what was recorded is there' "$? $(zcat a.gz | grep -c 'stopped early: most of the allowed CPU')" '0 1'
	(ulimit -S -t 1 && "$R" -q -i 0.01 --no-discover-cloud -o a.gz -- sh -c 'ulimit -St' >limit 2>err)
	check_equal 'a soft limit is the command'"'"'s as it was' "$(cat limit) $(cat err)" '1 '
fi

# No process may be started: of another user, who may not come to our programs everywhere.
other=(setpriv --reuid 65531 --regid 65531 --clear-groups)
if [ -z "$asan" ] && [ "$(id -u)" = 0 ] && # a sanitizer starts one at the end
	"${other[@]}" bash -c '"$R" --version && "$P" --version' >/dev/null 2>&1; then
	rm -rf a.*
	"${other[@]}" bash -c 'ulimit -u 1; exec "$@"' - "$R" -q -o "$D/a.gz" -- touch "$D/ran" 2>err
	check_equal 'no process may be started: the command runs without a recording' "$? $(ls ran a.gz* 2>/dev/null)" '0 ran'
	rm -f ran
	one_sentence 'no process may be started' collect
	"${other[@]}" bash -c 'ulimit -u 2; exec "$@"' - "$R" -q -i 0.05 -o "$D/a.gz" -- sh -c 'exit 7' 2>err
	check_equal 'one may: the command it is' "$? $(cat err)" '7 '
	chmod 644 a.gz
	"${other[@]}" bash -c 'ulimit -u 1; exec "$@"' - "$P" --offline -o "$D/a.html" "$D/a.gz" 2>err
	check_equal 'no process may be started: the page' "$? $(cat err)" '0 '
	rm -rf a.*
	"${other[@]}" bash -c 'umask 777; exec "$@"' - "$R" -q -i 0.05 --no-discover-cloud -o "$D/a.gz" -- \
		sh -c 'sleep 0.1; exit 7' 2>err
	check_equal 'umask 777 as another: status' "$? $(cat err)" '7 '
else
	skip 'no process may be started'
fi
echo "1..$n"
