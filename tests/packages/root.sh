#!/bin/bash
# The clean roots that the other tests of packages stand on (tests/packages/root.bash).
. tests/check.sh
. tests/packages/root.bash
root_need
# Of a root that was made.
mounts() { cut -d ' ' -f 5 /proc/self/mountinfo | grep -F "/${1##*/}/"; }

check 'a clean Debian is made' root_fresh
check_equal 'it is of this release' "$(root_run sh -c '. /etc/os-release && echo $VERSION_CODENAME')" "$root_own"
check 'nothing is installed but what is essential' root_run sh -c '! dpkg -l gcc make curl python3 2>/dev/null | grep ^ii'
check_equal 'a user has a home' "$(root_user sh -c 'id -u; pwd; touch mine && ls; echo $HOME')" $'1000\n/home/user\nmine\n/home/user'
check 'the user may not write elsewhere' root_user sh -c '! touch /etc/mine 2>/dev/null'
check_equal 'arguments arrive as they are' "$(root_run printf '[%s]' 'a b' "c'd" '$e')" "[a b][c'd][\$e]"
root_run sh -c 'exit 7'
check_equal 'a status arrives' $? 7
root_run sh -c 'sleep 100 & echo $! >/tmp/pid'
check_equal 'a process that is left behind ends' "$(readlink /proc/[0-9]*/root | grep -F "$root")" ''
old=$root
files=$(root_files)
root_run touch /usr/bin/new
check_equal 'the list of files shows what is new' "$(diff <(echo "$files") <(root_files))" "$(printf '%s\n' '> f ./usr/bin/new' |
	{ n=$(root_files | grep -n ' ./usr/bin/new$' | cut -d: -f1) && echo "$((n - 1))a$n" && cat; })"
check 'a second one is made' root_fresh
check 'it is another' test "$root" != "$old" -a ! -e "$old" -a ! -e "$root/usr/bin/new"
check_equal 'no mount is left' "$(mounts "$old"; mounts "$root")" ''
root_empty
check_equal 'an empty one is empty' "$(ls -A "$root")" ''
root_remove
echo "1..$n"
