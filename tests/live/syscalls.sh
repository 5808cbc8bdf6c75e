#!/bin/bash
# The tables of system calls, as the compiler of each machine has them, against the headers of its kernel.
. tests/check.sh
compiler() { # MACHINE
	local cc
	for cc in gcc "$1-linux-gnu-gcc"; do
		[[ $($cc -dumpmachine 2>/dev/null) != "$1"-* ]] || { echo $cc && return; }
	done
	return 1
}
# The numbers that the kernel has for the names of standard input; of those that it does not have, nothing.
kernel_numbers() { # COMPILER
	{ echo '#include <asm/unistd.h>' && sed 's/.*/here __NR_&/'; } | $1 -E -P - | sed -n 's/^here \([0-9]*\)$/\1/p' | sort -n
}
# The numbers in the rows of tables.
table_numbers() { # COMPILER FILE
	$1 -iquote . -D_GNU_SOURCE -E -P "$2" | tr -d '\n' | grep -oE '\{\s*[0-9]+, (ALWAYS|EQUAL|SOME_BITS|NO_BITS|STATES?_|WAIT_)' |
		grep -oE '[0-9]+,' | tr -d , | sort -n
}
# MAY(x), MAY_IF(x, …), NOT(x), {SYS_x, …}; the sanitizer's rows are not in a release.
seccomp_names() {
	sed -n '/^#ifdef __SANITIZE/,/^#endif/d; /^#define/,/}/d; s/^ *\(MAY\|MAY_IF\|MAY_SELF\|NOT\|NOT_IF\)(\([a-z0-9_]*\).*/\2/p
		s/^ *{SYS_\([a-z0-9_]*\),.*/\1/p' report/sandbox/seccomp.c
}
wait_names() { grep -oE 'SYSCALL(_OF)?\([a-z0-9_]+' collect/waits/wait_tables.def | grep -vE '\((name|prefix)$' | sed 's/.*(//'; }

check_that 'there are names of calls to check' "$(seccomp_names | wc -l) > 150 && $(wait_names | wc -l) > 50"
check_equal 'no call is twice in the table of waits' "$(wait_names | sort | uniq -d)" ''
for machine in x86_64 aarch64; do
	cc=$(compiler $machine) || { skip "the calls of $machine" "no compiler for $machine" && continue; }
	check_equal "$machine: the filters have each call of the kernel that they name, by its number" \
		"$(table_numbers $cc report/sandbox/seccomp.c)" "$(seccomp_names | kernel_numbers $cc)"
	check_equal "$machine: the waits have each call of the kernel that they name, by its number" \
		"$(table_numbers $cc collect/waits/wait_look.c)" "$(wait_names | kernel_numbers $cc)"
	check_equal "$machine: Landlock's calls" \
		"$(printf 'landlock_%s\n' create_ruleset add_rule restrict_self | kernel_numbers $cc | xargs)" '444 445 446'
done
[ -z "$cc" ] || ! compiler x86_64 >/dev/null || check_equal 'what threads wait in on x86_64, but not on Arm' "$(wait_names | sort | while read -r name; do
	[ -z "$(echo "$name" | kernel_numbers "$(compiler x86_64)")" ] || [ -n "$(echo "$name" | kernel_numbers "$cc")" ] || echo "$name"
done | xargs)" 'epoll_wait pause poll select vfork'
echo "1..$n"
