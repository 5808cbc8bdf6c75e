#!/bin/bash
# --progress: a line on the terminal, or in its title beside a command, that never disturbs the job and is gone at the end.
. tests/check.sh
cd "$D" || exit 1
export R T PS1='go> '

# What a terminal shows after all that it got: its lines, without trailing blanks.
cat >shown.mjs <<'end'
import { readFileSync } from "fs";
const lines = [""];
let column = 0, row = 0;
const screen = readFileSync(process.argv[2], "utf8").replace(/\x1b\]2;[^\x07]*\x07/g, "");
for (const [, text, control] of screen.matchAll(/([^\r\n\x1b]+)|(\r|\n|\x1b\[[?0-9;]*[a-zA-Z])/g)) {
	if (text) {
		lines[row] = lines[row].padEnd(column).slice(0, column) + text + lines[row].slice(column + text.length);
		column += text.length;
	} else if (control === "\r") column = 0;
	else if (control === "\n") lines[++row] ??= "";
	else if (control === "\x1b[K") lines[row] = lines[row].slice(0, column);
}
console.log(lines.map((l) => l.trimEnd()).join("\n"));
end
# The lines of --progress that it got, one a line; and the titles.
drawn() { tr '\r' '\n' <screen | sed -n 's/\x1b\[K$//p' | grep .; }
titles() { grep -aoP '\x1b\]2;\K[^\x07]+' screen; }

dialogue 'a job with phases' 0 "$R" --progress -i 0.3 -o a.gz -- sh -c 'printf "loading"; "$R" --mark align
	until [ "$(grep -ao "phase: align" screen | wc -l)" -ge 4 ]; do sleep 0.2; done; printf ".\nok\n"' <<'S'
expect phase: align
S
titles >lines
check_that 'it shows lines, at most 4 a second' "$(wc -l <lines) >= 4 && $(wc -l <lines) <= 2 + 4 * $(zcat a.gz | grep -o '"duration":[0-9.]*' | head -n 1 | cut -d: -f2)"
check 'of time, cores, memory, what it waits for and the phase' grep -Eq '^[0-9]+ s  [0-9.]+ of [0-9.]+ cores?  [0-9.]+ (KiB|MiB)( of [0-9.]+ [KMGT]iB)?  .*sleeps [0-9]+%  phase: align$' lines
check_that 'never longer than 79 bytes' "$(awk '{ if (length > most) most = length } END { print most }' lines) <= 79"
check_equal 'and not a byte of them on the screen' "$(drawn | wc -l)" 0
node shown.mjs screen >shown
check_equal 'what the job prints stays, also an unfinished line' "$(head -n 2 shown | tr '\n' '|')" 'loading.|ok|'
check_equal 'the title is cleared, and that from before set again' "$(grep -aoP '\x1b\]2;\x07\x1b\[23;2t' screen | wc -l) $(grep -aoP '\x1b\[22;2t' screen | wc -l)" '1 1'

# shellcheck disable=SC2016
dialogue 'the machine alone' 0 sh -c '(until grep -aqs core screen; do sleep 0.1; done; stty cols 30 </dev/tty; echo yes >narrow) &
	exec "$R" --progress -q --no-discover-cloud -i 0.3 -o m.gz' <<'S'
expect core
await narrow yes
expect core
expect core
send \003
S
check_that 'a line, never wider than the terminal, also when that changes' "$(drawn | wc -l) >= 3 && $(drawn | awk '{ if (length > most) most = length } END { print most }') <= 79 && $(drawn | tail -n 1 | wc -m) <= 30"
node shown.mjs screen >shown
check_equal 'which is gone at the end' "$(grep -c core shown)" 0
check_equal 'has no states' "$(drawn | grep -c 'sleeps\|waits')" 0

# Nothing without a terminal, on one that can erase nothing, nor without the option.
"$R" --progress -q -i 0.1 -o n.gz -- sleep 1 2>err
check_equal 'nothing in a file' "$(wc -c <err)" 0
dialogue 'TERM=dumb' 0 env TERM=dumb "$R" --progress -q -i 0.1 -o d.gz -- sleep 1 </dev/null
check_equal 'nothing there' "$(wc -c <screen)" 0
dialogue 'without the option' 0 "$R" -q -i 0.1 -o d.gz -- sleep 1 </dev/null
check_equal 'nothing there either' "$(wc -c <screen)" 0

# Ctrl-S: the job goes on, all samples are taken, and we end, though the terminal takes nothing.
dialogue 'a terminal that is stopped stops nobody' 5 "$R" --progress -q -i 0.1 -o s.gz -- sh -c 'sleep 0.7; echo on >began
	size=$(wc -c <s.gz.partial); until [ "$(wc -c <s.gz.partial)" -gt $((size + 10000)) ]; do sleep 0.1; done
	grep flags /proc/self/fdinfo/2 >flags; echo yes >ended; exit 5' <<'S'
expect core
await began on
send \023
await ended yes
S
check_that 'nor its samples' "$(process_column s.gz cpu_usage | wc -l) >= 10"
check_equal "the job's own terminal still blocks ($(cat flags))" $((0$(tr -dc 0-9 <flags) & 04000)) 0

# In the background of a shell: nothing, and tostop does not stop us. After fg it is there again.
dialogue 'in the background' 0 bash --norc --noprofile -i <<'S'
send stty tostop\n
expect go>
send "$R" --progress -q -i 0.1 -o b.gz sleep 1.5 &\n
expect go>
send wait %1; echo sta""tus=$?\n
expect status=0
send exit\n
S
check_equal 'nothing is shown' "$(titles | grep -c core)" 0
dialogue 'Ctrl-Z, and fg' 130 bash --norc --noprofile -i <<'S'
send "$R" --progress -q -i 0.1 -o z.gz -- sleep 300\n
expect core
send \032
expect Stopped
send fg\n
expect sleep 300
expect core
send \003
expect go>
send exit\n
S
node shown.mjs screen >shown
check_equal 'the title is gone while the shell has the terminal' "$(grep -aoP '\x1b\[22;2t|\x1b\[23;2t' screen | tr -d '\033\n')" '[22;2t[23;2t[22;2t[23;2t'
echo "1..$n"
