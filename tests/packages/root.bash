# Clean Debian roots for the tests of packages. A test sources tests/check.sh first, then this.
#
#   root_need               ends the test (# SKIP) where no root can be made: another user, no debootstrap, not Debian
#   root_fresh [SUITE]      $root is a new copy of a minimal Debian (default: the release of this machine), with nothing
#                           installed but what is essential, and apt; false if there is none
#   root_for ARCH           from now on, roots are of this architecture of Debian's, run by qemu-user; false if its programs
#                           cannot run here: this takes a Linux since 6.7, or one that knows qemu-user (binfmt_misc)
#   root_empty              $root is a new, empty folder; nothing is needed for it but root
#   root_run COMMAND…       runs the command in $root, as root, in / there; its status
#   root_user COMMAND…      the same as a normal user, in their home (/home/user, user id 1000)
#   root_apt PACKAGE…       installs packages in $root, without what they recommend
#   root_files              lists all that is in $root, but for the records of apt and dpkg
#   root_remove             removes $root; at the end of a test, $D takes it along
#
# debootstrap takes a minute or two, of another architecture some; what it made is kept in build/roots/SUITE.tar. The mirror is the machine's own, as
# apt knows it. Each command has its own mounts and its own process ids: nothing of either is left when it ends.
roots=$(realpath -m build/roots)
root=
root_arch=                # of Debian's, where it is another than the machine's
root_enter= root_begin= # before a script: a namespace, and what makes its programs run there

# The lines "URI SUITE" of the machine's sources for the release SUITE and what belongs to it. Apt knows the origin only
# after an update.
root_mirrors() { # SUITE
	apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT) $(ORIGIN)' 'Created-By: Packages' |
		sort -u | awk -v own="$root_own" -v suite="$1" '
			$3 == "main" && ($4 == "Debian" || $4 == "$(ORIGIN)") && sub("^" own, "", $2) && $2 ~ /^(-updates|-security|)$/ { print $1, suite $2 }'
}

root_need() {
	[ "$(id -u)" = 0 ] || skip_all 'only root may make a root'
	command -v debootstrap unshare chroot apt-get >/dev/null || skip_all 'debootstrap is not installed'
	root_own=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
	[ -n "$(root_mirrors "$root_own")" ] || skip_all 'this machine knows no mirror of Debian'
}

# Runs a shell script with its own mounts and process ids. In a chroot that is not a mount point, the propagation of mounts
# cannot be changed: therefore each script unmounts what it mounts.
root_apart() { # SCRIPT ARGUMENT…
	local private=private
	unshare -m true 2>/dev/null || private=unchanged
	$root_enter unshare --mount --propagation $private --pid --fork --kill-child sh -c "$root_begin$1" root "${@:2}"
}

# A user namespace with the users of this one has a binfmt_misc of its own. The descriptor keeps it.
root_namespace() {
	local id
	unshare --user sleep 100 &
	wait_until eval '[ "$(readlink /proc/$!/ns/user)" != "$(readlink /proc/self/ns/user)" ]' || return 1
	for id in uid gid; do echo '0 0 4294967295' >/proc/$!/${id}_map || break; done
	exec 8</proc/$!/ns/user
	kill $!
}

root_for() { # ARCH
	local qemu magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
	local mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
	root_arch=$1
	[ "$1" = arm64 ] && qemu=$(command -v qemu-aarch64-static) || return 1
	! root_namespace 2>/dev/null || root_enter="nsenter --user=/proc/self/fd/8"
	root_begin="mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc &&
		printf %s ':aarch64:M::$magic:$mask:$qemu:OCF' >/proc/sys/fs/binfmt_misc/register || exit 125
	"
	root_apart true 2>/dev/null && return
	root_enter= root_begin=
	grep -qs ^enabled /proc/sys/fs/binfmt_misc/qemu-aarch64
}

# Makes the tar of SUITE. debootstrap cannot bear a blank in a path, so it works in /mnt of its own mounts.
root_bootstrap() { # SUITE
	local into mirror status tar=$roots/$1${root_arch:+-$root_arch}.tar
	local log=${tar%.tar}.log
	into=$(mktemp -d "${tar%.tar}.XXXXXX") && chmod 755 "$into" || return 1
	read -r mirror _ < <(root_mirrors "$1" | grep " $1$")
	eval "$(apt-config shell http_proxy Acquire::http::Proxy)"
	http_proxy=${http_proxy-} root_enter= root_begin= root_apart '
		mount --bind "$1" /mnt || exit 1
		case $3 in https:*) more=--include=ca-certificates ;; esac
		debootstrap --variant=minbase ${more-} ${4:+--foreign --arch="$4"} "$2" /mnt "$3"
		status=$?
		umount -q -R /mnt
		exit $status' "$into" "$1" "$mirror" "$root_arch" >"$log" 2>&1 &&
		{ [ -z "$root_arch" ] || root=$into root_run env container=lxc /debootstrap/debootstrap --second-stage >>"$log" 2>&1; } &&
		root_settings "$1" "$into" && root=$into root_run apt-get -q update >>"$log" 2>&1 &&
		rm -rf "$into"/var/cache/apt/archives/*.deb && tar -C "$into" -cf "$tar.new" . && mv "$tar.new" "$tar"
	status=$?
	rm -rf --one-file-system "$into"
	[ $status = 0 ] || tail -n 20 "$log" | sed 's/^/# /'
	return $status
}

# The machine's mirrors, its ways to the network, and a user.
root_settings() { # SUITE FOLDER
	root_mirrors "$1" | sed 's/.*/deb & main/' >"$2/etc/apt/sources.list"
	apt-config dump Acquire | grep -E '^Acquire::(http|https|Check-Valid-Until|Check-Date)\b' >"$2/etc/apt/apt.conf.d/machine"
	printf '%s "%s";\n' APT::Install-Recommends 0 Acquire::Languages none >>"$2/etc/apt/apt.conf.d/machine"
	cp -L /etc/resolv.conf /etc/hosts "$2/etc" 2>/dev/null
	echo 'user:x:1000:1000::/home/user:/bin/bash' >>"$2/etc/passwd"
	echo 'user:x:1000:' >>"$2/etc/group"
	install -d -o 1000 -g 1000 "$2/home/user"
}

root_fresh() { # [SUITE]
	local suite=${1:-$root_own} tar
	tar=$roots/$suite${root_arch:+-$root_arch}.tar
	mkdir -p "$roots"
	# Tests run side by side: one makes it, the others wait.
	(
		flock 9
		[ -s "$tar" ] || root_bootstrap "$suite"
	) 9>"${tar%.tar}.lock" || return 1
	root_empty && tar -C "$root" -xf "$tar" && cp -L /etc/resolv.conf /etc/hosts "$root/etc"
}

root_empty() {
	root_remove
	root=$(mktemp -d "$D/root.XXXXXX") && chmod 755 "$root"
}

root_remove() {
	[ -z "$root" ] || rm -rf --one-file-system "$root"
	root=
}

# What a command finds there: /proc and /sys (read-only), the devices that debootstrap made, and hardly any environment.
root_as() { # UID HOME COMMAND…
	[ -d "$root" ] && mkdir -p "$root/proc" "$root/sys" || return 125
	root_apart '
		root=$1 uid=$2 home=$3
		shift 3
		mount -t proc proc "$root/proc" || exit 125
		mount -t sysfs -o ro sysfs "$root/sys" 2>/dev/null
		[ ! -d "$root$home" ] || dir=$home
		env -i HOME="$home" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 TZ=UTC \
			TERM=dumb DEBIAN_FRONTEND=noninteractive \
			chroot --userspec="$uid:$uid" --groups="$uid" "$root" ${dir+env -C "$home"} "$@"
		status=$?
		umount -q "$root/sys"
		umount -q -l "$root/proc"
		exit $status' "$root" "$@"
}
root_run() { root_as 0 / "$@"; }
root_user() { root_as 1000 /home/user "$@"; }

root_apt() { # PACKAGE…
	root_run apt-get -q update && root_run apt-get -q -y install "$@"
}

root_files() {
	(cd "$root" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./tmp -o -path ./var/lib/dpkg -o -path ./var/lib/apt \
		-o -path ./var/cache -o -path ./var/log \) -prune -o -printf '%y %p\n' | sort)
}
