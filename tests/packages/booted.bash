# A clean Debian that is running: systemd is its first process. A test sources tests/packages/root.bash first, then this.
#
#   booted_start            starts systemd in $root, with its own processes, mounts, host name (head) and network (loopback
#                           alone, with the address 192.0.2.1 too: Slurm wants one that is not of 127.0.0.0/8); false where
#                           that is not possible. Debian's systemd, dbus and iproute2 are installed there
#   booted COMMAND…         runs a command there, as root
#   booted_user COMMAND…    the same as the user of the root, in their home
#   booted_stop             ends all of it
#
# The host may have cgroups of both kinds: systemd gets a hierarchy of its own kind, below a folder that goes at the end.
booted_pid='' booted_group=''

booted_start() {
	local top=/sys/fs/cgroup kind=cgroup
	if [ -d $top/systemd ]; then top=$top/systemd; elif [ -e $top/cgroup.procs ]; then kind=cgroup2; else return 1; fi
	booted_group=$top/rtrack-booted-$$
	mkdir "$booted_group" || return 1
	# shellcheck disable=SC2016
	(
		echo $BASHPID >"$booted_group/cgroup.procs" || exit 1
		exec unshare --mount --propagation private --pid --uts --ipc --net --cgroup --fork --kill-child sh -c '
			mount --bind "$1" "$1" && cd "$1" && hostname head && mount -t proc proc proc && mount -t sysfs -o ro sysfs sys &&
				mount -t tmpfs -o mode=755 tmpfs run && mount -t tmpfs -o mode=1777 tmpfs tmp &&
				chroot . /sbin/ip link set lo up && chroot . /sbin/ip address add 192.0.2.1/32 dev lo || exit 1
			if [ "$2" = cgroup2 ]; then mount -t cgroup2 cgroup2 sys/fs/cgroup; else
				mount -t tmpfs -o mode=755 tmpfs sys/fs/cgroup && mkdir sys/fs/cgroup/systemd &&
					mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
			fi || exit 1
			pivot_root . mnt && umount -l mnt || exit 1
			exec env -i container=rtrack PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --log-target=console
		' sh "$root" $kind
	) >"$D/booted.log" 2>&1 </dev/null &
	booted_fork=$!
	for _ in {1..600}; do
		# unshare is the shell that became it; its only child is the first process there.
		booted_pid=$(pgrep -P $booted_fork -x systemd) && booted systemctl is-system-running 2>/dev/null | grep -qE '^(running|degraded)$' && return
		kill -0 $booted_fork 2>/dev/null || break
		sleep 0.1
	done
	sed 's/^/# /' "$D/booted.log" | tail -n 20
	return 1
}

booted_as() { # UID HOME COMMAND…
	nsenter -t "$booted_pid" -m -p -u -i -n -C -r env -i HOME="$2" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		LC_ALL=C.UTF-8 TZ=UTC TERM=dumb DEBIAN_FRONTEND=noninteractive setpriv --reuid "$1" --regid "$1" --clear-groups \
		env -C "$2" "${@:3}" </dev/null
}
booted() { booted_as 0 /root "$@"; }
booted_user() { booted_as 1000 /home/user "$@"; }

booted_stop() {
	[ -z "$booted_fork" ] || kill -KILL "$booted_fork" 2>/dev/null
	[ -z "$booted_fork" ] || wait "$booted_fork" 2>/dev/null
	for _ in {1..50}; do
		find "$booted_group" -depth -type d -exec rmdir {} + 2>/dev/null
		[ -e "$booted_group" ] || break
		sleep 0.1
	done
	booted_fork='' booted_pid=''
}
booted_fork=''
