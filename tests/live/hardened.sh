#!/bin/bash
# The programs have the hardening of the compiler and the linker, and a builder's own flags take effect.
. tests/check.sh
not() { ! "$@"; }
elf() { readelf -W "$@" 2>/dev/null; }
has() { grep -qE -- "$1" <<<"$what"; }

if ! command -v readelf >/dev/null; then
	skip_all 'no readelf'
fi
for p in collect report fleet; do
	f=$B/rtrack-$p
	what=$(elf -h "$f")
	check "$p: at any address (PIE)" has 'Type: +DYN'
	what=$(elf -l "$f")
	check "$p: no code on the stack" has 'GNU_STACK .* RW +0x'
	check "$p: nothing is code and can be written" not has 'LOAD .* RWE '
	check "$p: tables that the loader fills can't be written later (RELRO)" has GNU_RELRO
	what=$(elf -d "$f")
	check "$p: and all are filled at the start" has '\(FLAGS\).*BIND_NOW|\(BIND_NOW\)'
	check "$p: libraries are looked for where the system has them" not has 'RPATH|RUNPATH'
	check "$p: code is not patched" not has TEXTREL
	what=$(elf --dyn-syms "$f")
	check "$p: a stack that was written over is noticed" has __stack_chk_fail
	[ -n "$asan" ] || check "$p: and writes beyond what an array holds" has '__(mem|sn?printf|vsnprintf|read|fread|mem[a-z]+)_chk'
	what=$(elf --debug-dump=info "$f" | grep -m1 -o 'DW_AT_producer.*core/.*\|DW_AT_producer.*-fstack-protector.*')
	case $what in *-fstack*)
		check "$p: large frames are probed" has -fstack-clash-protection
		[ "$(uname -m)" != x86_64 ] || check "$p: branches have targets" has -fcf-protection
		;;
	esac
done

# Each library is memory of a recording: libm alone is 300 KiB.
needed=$(elf -d "$B/rtrack-collect" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort | xargs)
[ -n "$asan" ] || check_equal 'the recorder needs no other libraries' "$needed" 'libc.so.6 libcjson.so.1 libz.so.1'

flags() { make -n B=/nonexistent "$@" /nonexistent/core/base/err.o 2>&1 | grep -- ' -c '; }
what=$(flags)
check 'by itself: fortified' has '-D_FORTIFY_SOURCE=2 '
what=$(flags CFLAGS='-O3 -D_FORTIFY_SOURCE=3 -fno-stack-protector' CPPFLAGS=-DMINE=1)
check "the builder's flags are there" has '-DMINE=1 .*-O3 -D_FORTIFY_SOURCE=3'
check 'and their level of fortification' not has 'FORTIFY_SOURCE=2'
check 'and they come last' has '-fstack-protector-strong .*-fno-stack-protector'
what=$(flags CFLAGS=-O0)
check 'without optimisation nothing is fortified' not has FORTIFY
what=$(make -n B=/nonexistent LDFLAGS=-Wl,-z,mine /nonexistent/rtrack-report 2>&1 | grep -- '-o /nonexistent/rtrack-report ')
check "the builder's linker flags are there" has '-Wl,-z,mine .*-pie '
echo "1..$n"
