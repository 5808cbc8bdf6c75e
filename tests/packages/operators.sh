#!/bin/bash
# docs/operators.md, from top to bottom: its commands run in a clean Debian with systemd and a Slurm of one node.
. tests/check.sh
. tests/packages/root.bash
. tests/packages/booted.bash
page=$PWD/docs/operators.md
[ -e .git ] || skip_all 'make deb-spank packs what git tracks, and there is no git here'
command -v dpkg-buildpackage dh promtool >/dev/null || skip_all 'debhelper or prometheus is not installed'
[ -e /usr/include/slurm/spank.h ] || skip_all 'libslurm-dev is not installed'

# block NAME: the code below <!-- run: NAME … -->. blocks: all lines NAME AND WORDS, in their order.
block() {
	awk -v mark="<!-- run: $1 " '
		index($0, mark) == 1 { there = 1; next }
		there && /^```/ { if (inside) exit; inside = 1; next }
		inside { print; lines++ }
		END { exit !lines }' "$page"
}
blocks() { sed -nE 's/^<!-- run: (.*) -->$/\1/p' "$page"; }

# -- the page itself -------------------------------------------------------------------------------------------------
check_equal 'each command of the page is marked, but for those of the build host' \
	"$(awk '/^<!-- run: / { marked = 1; next } /^```(sh)?$/ && !inside { inside = 1; if (!marked) print FNR; marked = 0; next } /^```/ { inside = !inside }' "$page" |
		while read -r line; do sed -n "$((line + 1))p" "$page"; done)" "make deb deb-spank MAINTAINER='Cluster team <cluster@example.org>'"
check_equal 'every link leads to a file and a heading' "$(grep -oE '\]\([^)h][^)]*\)' "$page" | sed 's/^](//; s/)$//' | sort -u | while IFS='#' read -r file anchor; do
	[ -e "docs/${file:-operators.md}" ] || { echo "$file" && continue; }
	[ -z "$anchor" ] || sed -n 's/^#\{1,6\} //p' "docs/${file:-operators.md}" | tr 'A-Z ' 'a-z-' | tr -d "\`,:.()'" | grep -qxF -e "$anchor" || echo "$file#$anchor"
done)" ''

# -- the units, as files ---------------------------------------------------------------------------------------------
# The program that it names must be there, and a unit takes no blanks in its path.
ln -s "$F" "$D/program"
mkdir "$D/units" && sed "s,/usr/bin/rtrack-fleet,$D/program,; /^Documentation/d" packaging/systemd/rtrack-fleet.service >"$D/units/rtrack-fleet.service"
for unit in fleet.timer retention.service retention.timer; do
	sed "s,/usr/bin/rtrack-fleet,$D/program,; /^Documentation/d" packaging/systemd/rtrack-$unit >"$D/units/rtrack-$unit"
done
check_equal 'systemd-analyze verify has nothing to say' "$(systemd-analyze verify "$D"/units/* 2>&1)" ''
if systemd-analyze security --help | grep -q -e --offline; then
	for unit in fleet retention; do
		exposure=$(systemd-analyze security --offline=true --no-pager "$D/units/rtrack-$unit.service" | grep -oE 'exposure level .*: [0-9.]+' | grep -oE '[0-9.]+$')
		check_that "systemd-analyze security: exposure of $unit" "${exposure:-9} <= 2"
	done
else
	skip 'systemd-analyze security' 'no --offline'
fi

mkdir "$D/node" && for unit in rtrack-spool.service rtrack-spool.timer; do sed '/^Documentation/d' "packaging/systemd/$unit" >"$D/node/$unit"; done
check_equal 'nor of those of a node' "$(systemd-analyze verify "$D"/node/* 2>&1)" ''

# -- the packages ----------------------------------------------------------------------------------------------------
root_need
version=$(make -s version)
make deb-spank B="$build" >"$D/made" 2>&1
spank=$(realpath -m "$(tail -n 1 "$D/made")")
check 'make deb-spank makes a package, and says where it is' test -s "$spank" -a "${spank%.deb}" != "$spank" || cat "$D/made"
if command -v lintian >/dev/null; then
	# Two versions and a commit are in the name; the limit is for Debian's discs.
	check_equal 'the most pedantic lintian has nothing to say' "$(lintian --allow-root --fail-on none -I --pedantic \
		--suppress-tags package-has-long-file-name build/deb-spank/*.changes 2>&1)" ''
else
	skip 'lintian'
fi
slurm=$(dpkg-query -W -f '${source:Upstream-Version}' libslurm-dev)
check_equal 'it depends on the Slurm that it was built for' "$(dpkg-deb -f "$spank" Depends | grep -o 'rtrack .*')" \
	"rtrack (= $version), slurm-wlm-basic-plugins (>= $slurm), slurm-wlm-basic-plugins (<< ${slurm%.*}.$((${slurm##*.} + 1))~)"
# The packages rtrack and rtrack-fleet are built by deb.sh; here their files come from this build.
mkdir -p "$D/rtrack" "$D/rtrack-fleet/usr/bin" && flock "$B" make -s install B="$build" PREFIX=/usr DESTDIR="$D/rtrack" >"$D/made" 2>&1 || cat "$D/made"
mv "$D/rtrack/usr/bin/rtrack-fleet" "$D/rtrack-fleet/usr/bin"
mkdir -p "$D/rtrack/usr/share/doc/rtrack/examples" &&
	xargs -a packaging/debian/rtrack.examples cp -Rt "$D/rtrack/usr/share/doc/rtrack/examples"
stand_in() { # NAME DEPENDS
	mkdir "$D/$1/DEBIAN"
	printf '%s\n' "Package: $1" "Version: $version" "Architecture: $(dpkg --print-architecture)" 'Maintainer: nobody <nobody@example.org>' \
		"Depends: $2" 'Description: stand-in' >"$D/$1/DEBIAN/control"
	dpkg-deb -b --root-owner-group "$D/$1" "$D/$1_$version.deb" >"$D/made" 2>&1 || cat "$D/made"
}
stand_in rtrack 'libcurl4, libcjson1, libexpat1, zlib1g'
stand_in rtrack-fleet "rtrack (= $version), libsqlite3-0"

# -- a cluster of one node that is there already ---------------------------------------------------------------------
clean_up() { booted_stop; }
trap 'exit 130' INT TERM
cd "$D" || exit 1
check 'a clean root' root_fresh
check 'a Slurm and what a machine has' root_apt systemd dbus iproute2 slurm-wlm munge rsync curl \
	libcurl4 libcjson1 libsqlite3-0 libexpat1
# Of what is installed later, apt has the files already: there is no network in there.
root_run apt-get -q -y -d install prometheus-node-exporter >"$D/made" 2>&1 || cat "$D/made"
cp "$D"/rtrack*_"$version.deb" "$spank" "$root/root"
cat >"$root/etc/slurm/slurm.conf" <<'C'
ClusterName=test
SlurmctldHost=head(127.0.0.1)
SlurmUser=root
StateSaveLocation=/var/lib/slurm/slurmctld
SlurmdSpoolDir=/var/lib/slurm/slurmd
SlurmctldLogFile=/var/log/slurm/slurmctld.log
SlurmdLogFile=/var/log/slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
NodeName=head NodeAddr=127.0.0.1 CPUs=2 RealMemory=2000 State=UNKNOWN
PartitionName=p Nodes=ALL Default=YES DefMemPerCPU=200 State=UP
C
echo '127.0.0.1 localhost head' >"$root/etc/hosts"
echo head >"$root/etc/hostname"
# Stand-ins for what is not there: ssh to a node, a mail server.
printf '#!/bin/sh\nshift\nexec sh -c "$*"\n' >"$root/usr/local/bin/fake-ssh"
printf '#!/bin/sh\nexec cat >>/tmp/sent\n' >"$root/usr/local/bin/sendmail"
chmod 755 "$root"/usr/local/bin/*
mkdir "$root/etc/rtrack" && echo head >"$root/etc/rtrack/nodes"
booted_start >"$D/started" 2>&1 || { cat "$D/started" && skip 'systemd as the first process of a root' && echo "1..$n" && exit; }
passed 'systemd is the first process of a root'
idle() { [ "$(booted sinfo -h -t idle -o %D 2>/dev/null)" = 1 ]; }
check 'a Slurm of one node' wait_until idle
idle || { echo "1..$n" && exit 1; }

# -- the commands of the page ----------------------------------------------------------------------------------------
R=/usr/bin/rtrack-collect F=/usr/bin/rtrack-fleet
run_block() { # NAME [user] [needs=OPTION]
	local as=booted option
	case $2 in
	user) as=booted_user ;;
	needs=*)
		option=${2#needs=}
		booted sh -c "$F groups --help; $F mail --help" | grep -q -e "$option" || { skip "$1" "no $option yet" && return; }
		;;
	esac
	block "$1" >"$D/block" || failed "$1: no commands"
	if $as env RSYNC_RSH=fake-ssh bash -e -o pipefail -c "$(cat "$D/block")" >"$D/out" 2>"$D/err"; then
		passed "$1"
	else
		failed "$1" "status $?"
		sed 's/^/# /' "$D/out" "$D/err" | tail -n 20
	fi
}
files_of_user() { booted find /srv/rtrack/1000 -name '*.json.gz'; }
recorded() { [ "$(files_of_user | wc -l)" -ge "$1" ]; }
said() { grep -q -e "$1" "$D/out" "$D/err"; }
metric() { booted sed -n "s/^$1{} //p" /var/www/rtrack/rtrack.prom; }
mode() { booted stat -c '%U %G %a' "$1"; }

before_collect() {
	booted_user $R -q -o tmp.json.gz -- sleep 0.2
	booted sh -c 'install -d -o user -g user -m 700 /var/rtrack/1000 && mv /home/user/tmp.json.gz /var/rtrack/1000/rtrack-9.0-n7.json.gz && touch /var/rtrack/1000/b.json.gz.partial'
}
after_folder() { check_equal 'the folder: owner and mode' "$(mode /srv/rtrack)" 'root root 755'; }
after_squash() { check_equal 'a folder for the user' "$(mode /srv/rtrack/1000)" 'user user 700'; }
after_collect() {
	check_equal 'what has ended is here, and is its user'\''s' "$(mode /srv/rtrack/1000/rtrack-9.0-n7.json.gz)" 'user user 600'
	check_equal 'and still there, beside what runs' "$(booted ls /var/rtrack/1000 | paste -sd ' ')" 'b.json.gz.partial rtrack-9.0-n7.json.gz'
	booted rm -r /srv/rtrack/1000 /var/rtrack
}
after_plugin() {
	check 'the folder of the examples is that of the page' booted grep -q 'dir=/srv/rtrack ' /etc/slurm/plugstack.conf.d/rtrack.conf
	# Runs of fewer than ten samples do not count, and the test is in a hurry.
	booted sed -i 's/interval=10/interval=1/' /etc/slurm/plugstack.conf.d/rtrack.conf
}
after_spool() {
	check_equal 'the folder for journals, and its timer' "$(mode /var/spool/rtrack) $(booted systemctl is-active rtrack-spool.timer)" 'root root 755 active'
	check 'with the restrictions of the unit, a recording is brought' booted sh -ec 'install -d -o user -g user -m 700 /var/spool/rtrack/1000 /var/spool/rtrack/1000/2026-01-02 /var/spool/rtrack/1000/2026-01-02/9-n
		cd /var/spool/rtrack/1000/2026-01-02/9-n && runuser -u user -- rtrack-collect -q -i 0.1 -o 0.json.gz sleep 0.3 && systemctl start rtrack-spool.service
		test ! -e 0.json.gz && test "$(stat -c %U /srv/rtrack/1000/2026-01-02/9-n.json.gz)" = user && rm -r /srv/rtrack/1000 /var/spool/rtrack/1000'
}
after_check-plugin() {
	check 'srun has the option' said --rtrack
	booted_user srun sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; sleep 11'
	booted_user srun --rtrack=no true
	wait_until recorded 2
	check_equal 'two steps are recorded, and the one that did not want is not' "$(files_of_user | wc -l)" 2
	check_equal 'the folder of the user' "$(mode /srv/rtrack/1000) $(files_of_user | head -n 1 | xargs -I {} nsenter -t "$booted_pid" -m -r stat -c %a {})" 'user user 700 600'
}
after_page() {
	check_equal 'the page and the catalog: owners and modes' "$(mode /var/www/rtrack/index.html) $(mode /var/lib/rtrack)" 'rtrack rtrack 644 rtrack rtrack 750'
	check_equal 'the page has the two runs' "$(metric rtrack_fleet_runs)" 2
	check_equal 'the timer waits' "$(booted systemctl is-active rtrack-fleet.timer)" active
	check_equal 'the service has one right' "$(booted systemctl show -p AmbientCapabilities -p NoNewPrivileges --value rtrack-fleet.service | paste -sd ' ')" 'cap_dac_read_search yes'
	# What the unit lets nobody do, tried with its own lines.
	booted sh -c 'sed "s,^ExecStart=.*,ExecStart=/bin/sh -c \"touch /srv/rtrack/x /var/lib/x /tmp/y; cat /srv/rtrack/1000/*/*.gz | wc -c >/var/www/rtrack/try; ls -A /sys/class/net >>/var/www/rtrack/try\"," /etc/systemd/system/rtrack-fleet.service | sed "/^\t/d" >/run/systemd/system/try.service && systemctl daemon-reload; systemctl start try.service; rm /run/systemd/system/try.service'
	check_equal 'with them, nothing can be written elsewhere' "$(booted ls /srv/rtrack/x /var/lib/x /tmp/y 2>&1 | grep -c 'No such file')" 3
	check_that 'recordings can be read' "$(booted sed -n 1p /var/www/rtrack/try) > 1000"
	booted rm /var/www/rtrack/try
}
after_check-page() { check 'the journal says that it ran' said 'the fleet page'; }
# The Slurm in there has no slurmdbd.
run_accounting() { skip accounting 'no slurmdbd'; }
run_accounting-file() { skip accounting-file 'no slurmdbd'; }
before_cron() { block cron | cut -d ' ' -f 7- >"$D/cron"; }
run_cron() { check 'the command of the crontab' booted sh -ec "$(cat "$D/cron")"; }
after_rates() { check 'now there is money' booted grep -q '^rtrack_fleet_cost{currency="USD"} ' /var/www/rtrack/rtrack.prom; }
after_names() {
	booted sh -ec 'sed -i s/^user:/ann:/ /var/lib/rtrack/passwd && rm /var/lib/rtrack/runs.db && systemctl start rtrack-fleet.service'
	check 'names are those of the file' booted sh -c "$F groups --catalog /var/lib/rtrack/runs.db --offline --group-by user --text - | grep -w ann"
	booted sh -ec 'rm /etc/systemd/system/rtrack-fleet.service.d/names.conf && systemctl daemon-reload && rm /var/lib/rtrack/runs.db && systemctl start rtrack-fleet.service'
}
before_retention() {
	booted sh -c 'f=$(ls /srv/rtrack/1000/*/*.gz | head -n 1) && cp "$f" /srv/rtrack/1000/old.json.gz && cp -a "$f" /srv/rtrack/1000/new.json.gz && touch -d "-100 days" /srv/rtrack/1000/old.json.gz &&
		install -d -o 4711 -m 700 /srv/rtrack/4711 && cp "$f" /srv/rtrack/4711/a.json.gz; systemctl start rtrack-fleet.service'
}
after_retention() {
	check_equal 'what is old is removed, and nothing else' "$(booted find /srv/rtrack -name '*.gz' | wc -l) $(booted ls /srv/rtrack/1000/old.json.gz 2>&1 | grep -c 'No such')" '4 1'
	check 'the journal says it' said 'removed 1 file and 0 folders of days'
	booted rm /srv/rtrack/1000/new.json.gz
}
before_restore() { booted rm /var/lib/rtrack/runs.db; }
after_restore() { check 'the catalog is there again' booted test -s /var/lib/rtrack/runs.db; }
after_forget() { check 'the rows are gone' said 'removed 1 recording' && booted rm -r /srv/rtrack/4711; }
after_mails() { check 'a mail was sent' booted test ! -e /tmp/sent -o -s /tmp/sent; }
after_check-prometheus() { check_equal 'node_exporter has what the page has' "$(sed 's/.* //' "$D/out")" "$(metric rtrack_fleet_runs)"; }
before_check-prometheus() { wait_until booted sh -c 'curl -s http://localhost:9100/metrics | grep -q ^rtrack_fleet_runs'; }
after_clusters() { check 'the page of the cluster has its runs' booted grep -q 'test' /var/www/rtrack/clusters.html; }
after_users() { check 'a text, and a page of their own' booted_user grep -qi '^<!doctype html>' mine.html; }
after_remove-plugin() {
	check 'jobs run without it' booted_user srun true
	check_equal 'and have no option' "$(booted_user srun --help 2>&1 | grep -c rtrack)" 0
}
after_anew() { check_equal 'the catalog is there again' "$(metric rtrack_fleet_runs)" "$(files_of_user | wc -l)"; }

while read -r name words; do
	[ "$(type -t "before_$name")" != function ] || "before_$name"
	if [ "$(type -t "run_$name")" = function ]; then "run_$name"; else run_block "$name" "$words"; fi
	[ "$(type -t "after_$name")" != function ] || "after_$name"
done < <(blocks)
check_equal 'the alerts of the page are rules that Prometheus takes' \
	"$(awk '/^<!-- rules: alerts -->/ { there = 1 } there && /^```/ { if (inside) exit; inside = 1; next } inside' "$page" >"$D/rules.yml" &&
		promtool check rules "$D/rules.yml" 2>&1 | grep -oE '[0-9]+ rules found')" '2 rules found'
echo "1..$n"
