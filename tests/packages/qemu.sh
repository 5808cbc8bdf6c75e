#!/bin/bash
# Only make test-release runs it.
# The programs for Arm, cross-built and run by qemu-user: they write the same bytes as those of this machine.
# The libraries are those of libc6:arm64. With `-L /usr/aarch64-linux-gnu` (libc6-dev-arm64-cross) qemu would take only the
# dynamic linker from there, and with a C library of another build, fork(2) runs for ever in the child.
. tests/check.sh
[ "$(uname -m)" = x86_64 ] || skip_all 'this machine is not x86-64'
command -v aarch64-linux-gnu-gcc >/dev/null || skip_all 'gcc-aarch64-linux-gnu is not installed'
qemu=$(command -v qemu-aarch64-static qemu-aarch64 | head -n 1)
[ -n "$qemu" ] || skip_all 'qemu-user-static is not installed'
for library in libcurl.so libcjson.so libsqlite3.so libexpat.so libz.so libcmocka.so; do
	[ -e /usr/lib/aarch64-linux-gnu/$library ] || skip_all "$library of arm64 is not installed"
done
unset CC CFLAGS
A=build/aarch64 native=$B
# The parts where machines differ: numbers and their text, files, addresses and signatures of S3. qemu-user 7.2 has no openat2(2),
# which others need (test_wait_look), and takes minutes for those that compute much (test_stats_stream,
# test_snapshot_write, test_journal_read).
units=$(ls tests/unit/core/{base,json,numbers}/test_*.c tests/unit/core/files/test_{csv_read,journal,journal_marks,snapshot_csv,snapshot_read}.c \
	tests/unit/core/recording/test_detail.c tests/unit/core/head/test_{overview_packed,rtrack_row}.c \
	tests/unit/collect/waits/test_wait_{names,slices,worked}.c tests/unit/collect/process/test_{pss,memory_mark}.c tests/unit/collect/machine/test_discover_server.c \
	tests/unit/report/aws_keys/test_*.c tests/unit/report/store/test_s3_*.c)
mkdir -p $A # tests/packages/arm*.sh use the same folder
check 'the programs and unit tests are cross-built' flock $A make -j"$(nproc)" ARCH=aarch64 B=$A WERROR=-Werror all $(sed "s,^,$A/,; s,\.c\$,," <<<"$units")
[ -x $A/rtrack-report ] || { echo "1..$n" && exit 1; }

for unit in $units; do
	unit=${unit%.c}
	check "${unit#tests/unit/}" "$qemu" "$A/$unit"
done

# Scripts in the place of the programs.
mkdir "$D/arm" "$D/x" "$D/a"
for program in rtrack-collect rtrack-report rtrack-fleet; do
	printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$qemu" "$PWD/$A/$program" >"$D/arm/$program"
	chmod +x "$D/arm/$program"
done
# Outputs that were recorded on another machine.
version=$(make -s version | sed 's/[.+]/[\\]*[&]/g')
golden() { # NAME
	local status
	B=$D/arm bash "tests/cli/$1.sh" >"$D/out" 2>"$D/err" </dev/null
	status=$?
	sed -i "s/\\b$version\\b/VERSION/g" "$D/out" "$D/err" # as tests/run does
	diff "tests/cli/$1.stdout" "$D/out" && diff "$(ls "tests/cli/$1.stderr" 2>/dev/null || echo /dev/null)" "$D/err" &&
		[ $status = "$(cat "tests/cli/$1.exit" 2>/dev/null || echo 0)" ]
}
for name in collect_csv collect_recover collect_root fleet_groups fleet_import fleet_runs report_advice report_faces report_gates \
	report_partials report_parts report_same_bytes report_store_usage; do
	check "cli/$name: as on x86-64" golden $name
done

fixtures=$PWD/tests/fixtures
cd "$D" || exit 1
export SOURCE_DATE_EPOCH=1795246800
# both NAME ARGUMENT…: the program of each machine, in x and in a; they say and write the same, and end with the same status
both() { # PROGRAM ARGUMENT…
	(cd x && "$native/$1" "${@:2}" >said 2>&1; echo $? >>said)
	(cd a && "$D/arm/$1" "${@:2}" >said 2>&1; echo $? >>said)
	diff -r x a
}
page() { # NAME INPUT…
	check "$1: the same page, model, text and table" both rtrack-report --offline --now 1795246800 --arch arm64 -o page.html --json page.json \
		--text page.txt --openmetrics page.prom "${@:2}"
	check_that "$1: a page" "$(stat -c %s a/page.html 2>/dev/null || echo 0) > 50000"
	rm -f x/* a/*
}
for input in runs/schema1-rows.json runs/schema2-columns.json.gz runs_faces/two-gpus.json runs_states/disk.json runs_report/killed.json; do
	page "$input" "$fixtures/$input"
done
page 'a job with its history' "$fixtures"/runs_report/{now,earlier-1,earlier-2}.json

# -- the recorder, journals, recovery --------------------------------------------------------------------
job='awk "BEGIN { for (i = 0; i < 3000000; i++) s += i }"; times >times; exit 3'
"$D/arm/rtrack-collect" -q -i 0.1 -o job.json.gz -- sh -c "$job" 2>err
check_equal 'the recorder ends as its command' $? 3
used=$(tail -n 1 times | tr ms '  ' | awk '{ print $1 * 60 + $2 + $3 * 60 + $4 }')
check_near "the command's CPU time" "$(zcat job.json.gz | grep -oE '"cpu_s":[0-9.]+' | head -n 1 | cut -d: -f2)" "$used" 0.1 0.1
page 'a recording made on Arm' "$D/job.json.gz"
journal() { # PROGRAM FILE
	"$1" -q -i 0.05 -o "$2" -- sh -c 'while [ ! -e stop ]; do sleep 0.05; done' &
	wait_until larger "$2.partial" 12000
	kill -KILL $! && wait $! 2>/dev/null
	touch stop && sleep 0.2 && rm stop
}
for machine in arm x86_64; do
	program=$D/arm/rtrack-collect
	[ $machine = arm ] || program=$native/rtrack-collect
	journal "$program" "$machine.gz"
	cp $machine.gz.partial x && cp $machine.gz.partial a
	page "the journal of a recorder of $machine that was killed" "$D/$machine.gz.partial"
	cp $machine.gz.partial x && cp $machine.gz.partial a
	check "the journal of $machine is recovered, with the same bytes" both rtrack-collect --recover $machine.gz.partial
	check "and is a recording" test -s a/$machine.gz -a ! -e a/$machine.gz.partial
	rm -f x/* a/*
done

# -- many recordings, catalogs ---------------------------------------------------------------------------
"$native/tests/bench/fleet_make" 150 runs >/dev/null
fleet() { # NAME ARGUMENT…
	check "$1" both rtrack-fleet groups --offline --rate-cpu 0.04 --rate-memory 0.005 -o fleet.html --json fleet.json --csv fleet.csv "${@:2}"
	check_that "$1: with all runs" "$(stat -c %s a/fleet.html 2>/dev/null || echo 0) > 50000"
	rm -f x/fleet.* a/fleet.*
}
fleet 'the page of many runs' "$D/runs"
"$native/rtrack-fleet" add --catalog x86_64.db runs >/dev/null 2>&1
"$D/arm/rtrack-fleet" add --catalog arm.db runs >/dev/null 2>&1
for machine in x86_64 arm; do
	fleet "from a catalog that was made on $machine" --catalog "$D/$machine.db"
done

# -- addresses of stores: nobody answers there, and each program says so -----------------------------------
unset "${!AWS_@}"
export AWS_EC2_METADATA_DISABLED=true AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b AWS_REGION=eu-central-1 AWS_ENDPOINT_URL=http://127.0.0.1:9
for address in s3://bucket/run.json.gz 's3://Bad_Bucket/x' s3://bucket/runs/ s3:// https://127.0.0.1:9/run.json.gz; do
	check "$address" both rtrack-report --offline -o page.html "$address"
	check "$address is no recording here" grep -qE '^[1-9]' a/said
done
echo "1..$n"
