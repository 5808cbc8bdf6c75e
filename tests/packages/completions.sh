#!/bin/bash
# What bash, zsh and fish complete. Each runs on a terminal, and inserts into its line all that it would offer.
. tests/check.sh
make -s completions B="$B" ${CC:+CC="$CC"} >"$D.out" 2>&1 || { cat "$D.out" && exit 1; }
export C=$B/completions
cd "$D" || exit 1
export HOME=$D XDG_CONFIG_HOME=$D/config XDG_DATA_HOME=$D/data PATH=$B:$PATH
mkdir files && cd files || exit 1
mkdir runs && touch a.json.gz b.partial 's p.json.gz' other.txt '$(touch pwned).json.gz' model.html

# The options of --help, letters and names; and a line for each with its help, separated by a tab.
options() { "$1" --help | sed -nE 's/^  (-[A-Za-z], |    )(--[a-z0-9-]+).*/\1\2/p' | tr -d ' ' | tr ',' '\n' | sort; }
helps() {
	"$1" --help | awk '
		function out() { if (name != "") print name "\t" help; name = "" }
		/^  (-[A-Za-z], |    )--/ {
			out()
			at = match(substr($0, 7), /   */)
			help = at ? substr($0, 6 + at + RLENGTH) : ""
			name = substr($0, 7)
			sub(/[^a-z0-9-].*/, "", name)
			next
		}
		/^          / && name != "" { sub(/^ +/, ""); help = help (help == "" ? "" : " ") $0; next }
		{ out() }' | sort
}
for command in rtrack-collect rtrack-report; do
	check_that "--help of $command lists options with help" \
		"$(options $command | wc -l) > 30 && $(helps $command | grep -cP '^--[a-z-]+\t.{10}') == $(options $command | grep -c ^--)"
done

# Types each line of standard input into a shell and prints what it has made of it: its last word completed, several
# times if there are several ways, sorted.
typed() { # SHELL ARGUMENT…
	local steps=$'expect ready\nexpect here>\n'
	: >../lines
	while IFS= read -r line; do
		steps+="send ${line//\\/\\\\}\\030a\\030p"$'\nexpect shown\nexpect here>\n'
	done
	timeout 50 "$T/pty" env TERM=xterm "$@" <<<"${steps}send exit\\r" >../screen 2>../err || echo "status $?"
	cat ../lines
}
# Whether each shell completes the lines of a table: LINE=>WHAT IT IS THEN; what begins the line is not repeated.
compare() { # SHELL ARGUMENT…
	local got table
	table=$(cat)
	mapfile -t got < <(sed 's/=>.*//' <<<"$table" | typed "$@")
	while IFS= read -r line; do
		check_equal "$name: $line" "${got[0]}" "${line#*=>}"
		got=("${got[@]:1}")
	done <<<"$table"
}

cat >../rc.bash <<'J'
PS1='here> '
bind 'set bell-style none' 'set enable-bracketed-paste off' '"\C-xa": insert-completions' '"\C-xu": unix-line-discard'
show() { printf '%s\n' "$READLINE_LINE" >>../lines; READLINE_LINE=; READLINE_POINT=0; echo shown; }
bind -x '"\C-xp": show'
for f in "$C"/bash/*; do . $f; done
echo ready
J

common() {
	cat <<'J'
rtrack-collect --schema =>rtrack-collect --schema 1 2 
rtrack-collect --schema==>rtrack-collect --schema=1 2 
rtrack-collect --cgr=>rtrack-collect --cgroup 
rtrack-collect --cgroup a=>rtrack-collect --cgroup auto 
rtrack-collect --info==>rtrack-collect --info=json text 
rtrack-collect --recover =>rtrack-collect --recover b.partial runs 
rtrack-collect --root =>rtrack-collect --root runs/
rtrack-report o=>rtrack-report other.txt 
rtrack-report a=>rtrack-report a.json.gz 
rtrack-report s=>rtrack-report s\ p.json.gz 
rtrack-report "s=>rtrack-report "s p.json.gz" 
rtrack-report --current=b=>rtrack-report --current=b.partial 
rtrack-report --model m=>rtrack-report --model model.html 
rtrack-report --offline -qt @s=>rtrack-report --offline -qt @snakemake.tsv 
rtrack-report --vendor up=>rtrack-report --vendor upcloud 
rtrack-report --fail-if process_memory=>rtrack-report --fail-if process_memory.max 
rtrack-report -o x --fail-if=fleet.m=>rtrack-report -o x --fail-if=fleet.memory_efficiency fleet.money 
rtrack-report -- --vendor=up=>rtrack-report -- --vendor=up
rtrack-collect -i 2 -o s3://x/y --tag a=b cat s=>rtrack-collect -i 2 -o s3://x/y --tag a=b cat s\ p.json.gz 
rtrack-collect -qi 2 -- cat oth=>rtrack-collect -qi 2 -- cat other.txt 
rtrack-collect -o x rtrack-rep=>rtrack-collect -o x rtrack-report 
J
}
name=bash
common | compare bash --noprofile --rcfile ../rc.bash -i
name='bash with bash-completion'
{ echo '. /usr/share/bash-completion/bash_completion' && cat ../rc.bash; } >../rc2.bash
{ common && cat <<'J'; } | compare bash --noprofile --rcfile ../rc2.bash -i
rtrack-collect -o x -- rtrack-report --compa=>rtrack-collect -o x -- rtrack-report --compare 
J
cat -v ../screen
