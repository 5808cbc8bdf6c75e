# A command that cannot run: rtrack-collect exits with the status that a shell gives for it. As root this runs as another
# user, because root may search every directory.
R=$(realpath "$B")/rtrack-collect D=$(mktemp -d) n=0
trap 'rm -rf "$D"' EXIT
chmod 755 "$D"
as=()
if [ "$(id -u)" = 0 ]; then
	as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	if ! "${as[@]}" test -x "$D" 2>/dev/null; then
		echo 'ok 1 - # SKIP root, and another user cannot run here (no setpriv, or a private TMPDIR)'
		echo 1..1
		exit
	fi
fi
cd "$D" || exit 1
mkdir -p locked empty bin/directory later out
chmod 777 out
cp "$R" rtrack-collect
printf '#!/bin/sh\nexit 3\n' >locked/hidden
printf '#!/bin/sh\nexit 4\n' | tee bin/denied bin/denied-here later/denied >later/hidden
printf '#!/no/such/interpreter\n' >bin/no-interpreter
printf '\177ELF\1\1\1\0\0\0 no program of this machine\n' >bin/foreign
printf 'exit 5\n' >bin/no-first-line
: >bin/empty-file
ln -s loop bin/loop
chmod 755 rtrack-collect locked/* later/* bin/no-interpreter bin/foreign bin/no-first-line bin/empty-file
chmod 644 bin/denied bin/denied-here
chmod 000 locked

collect() { "${as[@]}" env PATH="$1" ./rtrack-collect -q -i 0.05 --no-discover-cloud --cgroup off -o out/%p.gz -- "$2"; }
status() { # NAME PATH COMMAND STATUS [SENTENCE]
	local got said
	n=$((n + 1))
	said=$(collect "$2" "$3" 2>&1 >/dev/null)
	got=$?
	if [ "$got" = "$4" ] && [ "$said" = "${5:+rtrack-collect: $5}" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1 (status $got, not $4: $said)"
	fi
}
# The same, where all shells agree.
shells() { # NAME PATH COMMAND STATUS SENTENCE
	local shell got
	status "$@"
	for shell in sh bash; do
		n=$((n + 1))
		"${as[@]}" /usr/bin/env PATH="$2" /bin/$shell -c "$3" 2>/dev/null
		got=$?
		if [ $got = "$4" ]; then echo "ok $n - $1: $shell"; else echo "not ok $n - $1: $shell ($got, not $4)"; fi
	done
}

all=$D/locked:$D/bin
shells 'in no directory of PATH' "$D/empty:$D/bin" none 127 'none: command not found'
shells 'in no directory, and one may not be searched' "$all" none 127 'none: command not found'
shells 'only in a directory that may not be searched' "$all" hidden 127 'hidden: command not found'
shells 'a directory of that name in PATH' "$D/bin" directory 127 'directory: command not found'
shells 'a link to itself in PATH' "$D/bin" loop 127 'loop: command not found'
shells 'found after a directory that may not be searched' "$all:$D/later" hidden 4 ''
shells 'found after a file that may not be executed' "$D/bin:$D/later" denied 4 ''
shells 'by its path, in a directory that may not be searched' "$all" "$D/locked/hidden" 126 "$D/locked/hidden: Permission denied"
shells 'by its path, not executable' "$all" ./bin/denied 126 './bin/denied: Permission denied'
shells 'by its path, a directory' "$all" ./bin/directory 126 './bin/directory: Permission denied'
shells 'by its path, not there' "$all" ./bin/none 127 './bin/none: No such file or directory'
shells 'a program of another machine' "$all" foreign 126 'foreign: Exec format error'
shells 'a script without a first line for the kernel' "$all" no-first-line 5 ''
shells 'an empty file' "$all" empty-file 0 ''
# bash and POSIX say 126; dash says 127.
status 'in PATH, but not executable' "$all" denied-here 126 'denied-here: Permission denied'
# dash, and bash since 5.2, say 127; bash before, 126.
status 'a script whose interpreter is not there' "$all" ./bin/no-interpreter 127 './bin/no-interpreter: its interpreter /no/such/interpreter: No such file or directory'
printf '#!/bin/sh\r\nexit 3\r\n' >bin/windows && chmod 755 bin/windows
status 'a script with lines of Windows' "$all" windows 127 "windows: its interpreter /bin/sh\x0d: No such file or directory (the script's lines end in CR LF)"
status 'an empty name' "$all" '' 127 ': command not found'
# Without a recording (too few files may be open), it is the same.
n=$((n + 1))
said=$("${as[@]}" bash -c 'ulimit -n 5; PATH=$1 exec ./rtrack-collect -q -o out/%p.gz -- hidden' - "$all" 2>&1)
got=$?
if [ $got = 127 ] && [ "${said##*$'\n'}" = 'rtrack-collect: hidden: command not found' ]; then
	echo "ok $n - without a recording"
else
	echo "not ok $n - without a recording ($got: $said)"
fi
chmod 755 locked
echo "1..$n"
