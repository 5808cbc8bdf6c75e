#!/bin/bash
# What bash, zsh and fish complete. Each runs on a terminal, and inserts into its line all that it would offer.
. tests/check.sh
flock "$B" make -s completions B="$build" ${CC:+CC="$CC"} >"$D.out" 2>&1 || { cat "$D.out" && exit 1; }
export C=$B/completions
cd "$D" || exit 1
export HOME=$D XDG_CONFIG_HOME=$D/config XDG_DATA_HOME=$D/data PATH=$B:$PATH
mkdir files && cd files || exit 1
mkdir runs && touch a.json.gz b.partial 's p.json.gz' other.txt '$(touch pwned).json.gz' model.html

# The options of --help, letters and names; and a line for each with its help, separated by a tab.
options() { $1 --help | sed -nE 's/^  (-[A-Za-z], |    )(--[a-z0-9-]+).*/\1\2/p' | tr -d ' ' | tr ',' '\n' | sort; }
helps() {
	$1 --help | awk '
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
		{ out() }
		END { out() }' | sort
}
# Each with a verb; without one, rtrack-fleet takes the options of groups.
mapfile -t verbs < <(rtrack-fleet --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/rtrack-fleet \1/p')
check_that 'rtrack-fleet has verbs' "${#verbs[@]} >= 9"
commands=(rtrack-collect rtrack-report "${verbs[@]}")
for command in "${commands[@]}"; do
	check_that "--help of $command lists options with help" \
		"$(options "$command" | wc -l) > 6 && $(helps "$command" | grep -cP '^--[a-z-]+\t.{10}') == $(options "$command" | grep -c ^--)"
done

# Types each line of standard input into a shell and prints what it has made of it: its last word completed, several
# times if there are several ways, sorted.
typed() { # SHELL ARGUMENT…
	local steps=$'expect ready\nexpect here>\n'
	: >../lines
	while IFS= read -r line; do
		steps+="send ${line//\\/\\\\}\\030a\\030p"$'\nexpect shown\nexpect here>\n'
	done
	timeout 300 "$T/pty" env TERM=xterm "$@" <<<"${steps}send exit\\r" >../screen 2>../err || echo "status $?"
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
bind 'set bell-style none' 'set enable-bracketed-paste off' '"\C-xa": insert-completions'
show() { printf '%s\n' "$READLINE_LINE" >>../lines; READLINE_LINE=; READLINE_POINT=0; echo shown; }
bind -x '"\C-xp": show'
for f in "$C"/bash/*; do . "$f"; done
echo ready
J
{ echo '. /usr/share/bash-completion/bash_completion' && cat ../rc.bash; } >../rc2.bash
lines() {
	cat <<'J'
rtrack-collect --schema =>rtrack-collect --schema 1 2 
rtrack-collect --schema==>rtrack-collect --schema=1 2 
rtrack-collect --cgr=>rtrack-collect --cgroup 
rtrack-collect --cgroup a=>rtrack-collect --cgroup auto 
rtrack-collect --info==>rtrack-collect --info=json text 
rtrack-collect --recover =>rtrack-collect --recover b.partial runs 
rtrack-collect --root =>rtrack-collect --root runs 
rtrack-report o=>rtrack-report other.txt 
rtrack-report a=>rtrack-report a.json.gz 
rtrack-report s=>rtrack-report s\ p.json.gz 
rtrack-report "s=>rtrack-report "s p.json.gz" 
rtrack-report =>rtrack-report \$\(touch\ pwned\).json.gz a.json.gz b.partial model.html runs s\ p.json.gz 
rtrack-report --current=b=>rtrack-report --current=b.partial 
rtrack-report --curr b=>rtrack-report --curr b.partial 
rtrack-report --model m=>rtrack-report --model model.html 
rtrack-fleet ask --input o=>rtrack-fleet ask --input other.txt 
rtrack-fleet ask --for sl=>rtrack-fleet ask --for slurm 
rtrack-fleet pi=>rtrack-fleet pipeline 
rtrack-fleet r=>rtrack-fleet runs 
rtrack-fleet groups a=>rtrack-fleet groups a.json.gz 
rtrack-fleet runs --sor=>rtrack-fleet runs --sort 
rtrack-fleet groups --sor=>rtrack-fleet groups --sor
rtrack-fleet --mail-r=>rtrack-fleet --mail-rules 
rtrack-fleet --sinc=>rtrack-fleet --since 
rtrack-fleet --mail-dir =>rtrack-fleet --mail-dir runs 
rtrack-fleet --catalog o=>rtrack-fleet --catalog other.txt 
rtrack-fleet --help fo=>rtrack-fleet --help forget 
rtrack-report --fail-if time_at=>rtrack-report --fail-if time_at_4cpus 
rtrack-report --vendor up=>rtrack-report --vendor upcloud 
rtrack-report --fail-if process_memory.=>rtrack-report --fail-if process_memory.max 
rtrack-fleet -o x --fail-if=fleet.m=>rtrack-fleet -o x --fail-if=fleet.memory_efficiency fleet.money 
rtrack-report -- --vendor=up=>rtrack-report -- --vendor=up
rtrack-report --help wa=>rtrack-report --help watch 
rtrack-collect -i 2 -o s3://x/y --tag a=b cat s=>rtrack-collect -i 2 -o s3://x/y --tag a=b cat s\ p.json.gz 
rtrack-collect -qi 2 -- cat oth=>rtrack-collect -qi 2 -- cat other.txt 
rtrack-collect -o x rtrack-rep=>rtrack-collect -o x rtrack-report 
J
}
name=bash
compare bash --noprofile --rcfile ../rc.bash -i < <(
	lines
	echo 'rtrack-report --offline -qt @s=>rtrack-report --offline -qt \@snakemake.tsv '
)
if [ -e /usr/share/bash-completion/bash_completion ]; then
	name='bash with bash-completion'
	compare bash --noprofile --rcfile ../rc2.bash -i < <(lines && cat <<'J'
rtrack-report --offline -qt @s=>rtrack-report --offline -qt @snakemake.tsv 
rtrack-collect -o x -- rtrack-report --compa=>rtrack-collect -o x -- rtrack-report --compare 
J
	)
else
	skip 'bash with bash-completion' 'it is not installed'
fi
for command in "${commands[@]}"; do
	check_equal "bash: every option of $command" "$(echo "$command -" | typed bash --noprofile --rcfile ../rc.bash -i |
		tr ' ' '\n' | grep -- ^- | sort)" "$(options "$command")"
done
check 'bash: no file name is run as a command' test ! -e pwned

# -- zsh: the same, by a widget; the help texts are what it lists ------------------------------------------------------
cat >../.zshrc <<'J'
PS1='here> '
fpath=($C/zsh $fpath)
autoload -Uz compinit && compinit -u -D
unsetopt zle_bracketed_paste beep
stty cols 500
zle -C every complete-word _generic
zstyle ':completion:every:*' completer _all_matches _complete
zstyle ':completion:every:*' insert true
zstyle ':completion:*' list-separator '=='
LISTMAX=10000
bindkey -e
bindkey '^Xa' every
bindkey '^Xl' list-choices
show() { print -r -- "$BUFFER" >>../lines; BUFFER=; print shown; zle reset-prompt }
zle -N show && bindkey '^Xp' show
print ready
J
if command -v zsh >/dev/null; then
	name=zsh
	export ZDOTDIR=$D
	compare zsh -i <<'J'
rtrack-collect --schema =>rtrack-collect --schema 1 2 
rtrack-collect --info==>rtrack-collect --info=json --info=text 
rtrack-collect --recover b=>rtrack-collect --recover b.partial 
rtrack-report s=>rtrack-report s\ p.json.gz 
rtrack-report --vendor up=>rtrack-report --vendor upcloud 
rtrack-fleet pi=>rtrack-fleet pipeline 
rtrack-fleet runs --sor=>rtrack-fleet runs --sort=
rtrack-fleet groups --sor=>rtrack-fleet groups --sor
rtrack-fleet --sinc=>rtrack-fleet --since=
rtrack-fleet ask --mail-d=>rtrack-fleet ask --mail-d
rtrack-fleet groups s=>rtrack-fleet groups s\ p.json.gz 
rtrack-report -- --vendor=up=>rtrack-report -- --vendor=up
rtrack-report --help wa=>rtrack-report --help watch 
rtrack-collect -i 2 -- cat oth=>rtrack-collect -i 2 -- cat other.txt 
rtrack-collect -o x -- rtrack-report --compa=>rtrack-collect -o x -- rtrack-report --compare 
J
	for command in "${commands[@]}"; do
		check_equal "zsh: every option of $command" "$({ echo "$command -" && echo "$command --"; } | typed zsh -i |
			tr ' ' '\n' | sed 's/=$//' | grep -- ^-. | sort -u)" "$(options "$command")"
		printf '%s\n' 'expect here>' "send $command --\\030l" 'sleep 3000' 'send \025exit\r' |
			timeout 300 "$T/pty" env TERM=xterm zsh -i >../screen 2>../err
		# Lines are cut at the width of the terminal; where the list is short, the line is shown again behind it.
		check_equal "zsh: the help of every option of $command" "$(tr -d '\r' <../screen | sed -E "s/\x1b\[[0-9;?]*[a-zA-Z]//g; s/$command --\$//" |
			grep -aoE -- '--[a-z-]+ *== .*' | sed -E 's/ *== /\t/' | cut -c1-60 | sort -u)" "$(helps "$command" | cut -c1-60)"
	done
else
	skip zsh 'it is not installed'
fi

# -- fish says what it would offer ------------------------------------------------------------------------------------
offered() { fish -c 'complete -C $argv[1]' "$1" 2>&1 | cut -f1 | sort | tr '\n' ' '; }
if command -v fish >/dev/null; then
	mkdir -p "$XDG_CONFIG_HOME/fish" && ln -s "$C/fish" "$XDG_CONFIG_HOME/fish/completions"
	for command in "${commands[@]}"; do
		check_equal "fish: the help of every option of $command" "$(fish -c 'complete -C $argv[1]' "$command --" | grep -v $'^[^\t]*=\t' | sort)" \
			"$(helps "$command")"
		check_equal "fish: every letter of $command" "$(offered "$command -" | tr ' ' '\n' | grep -- '^-[^-]')" \
			"$(options "$command" | grep -- '^-[^-]')"
	done
	while IFS= read -r line; do
		check_equal "fish: $line" "$(offered "${line%%=>*}")" "${line#*=>}"
	done <<'J'
rtrack-collect --schema =>1 2 
rtrack-collect --info==>--info=json --info=text 
rtrack-collect --recover b=>b.partial 
rtrack-report s=>s p.json.gz 
rtrack-report --vendor up=>upcloud 
rtrack-report --help wa=>watch 
rtrack-fleet pi=>pipeline 
rtrack-fleet r=>runs runs/ 
rtrack-fleet runs --sor=>--sort 
rtrack-fleet groups --sor=>
rtrack-fleet --sinc=>--since 
rtrack-fleet --help fo=>forget 
rtrack-collect -i 2 -- cat oth=>other.txt 
rtrack-collect -o x -- rtrack-report --compa=>--compare 
J
	check_equal 'fish: recordings and folders come first' "$(fish -c 'complete -C "rtrack-report "' | tail -n 1)" other.txt
else
	skip fish 'it is not installed'
fi
check 'no file name is run as a command' test ! -e pwned
echo "1..$n"
