#!/bin/bash
# Machines with several GPUs, played by a fake driver library, where a file system may be mounted in /proc.
. tests/check.sh
cd "$D" || exit 1
cp "$B/tests/fake/libnvidia-ml-fake.so" libnvidia-ml.so.1

# A machine of our own with that driver loaded, for what is run in it.
within() {
	unshare -m bash -c 'mount -t tmpfs none /proc/driver && mkdir /proc/driver/nvidia &&
		: >/proc/driver/nvidia/version && exec "$@"' within "$@"
}
if ! within true 2>/dev/null; then
	skip_all 'no file system may be mounted here'
fi

record() { # NAME, then rtrack-collect's arguments
	within env LD_LIBRARY_PATH="$D" FAKE_NVML="$(cat "machine.$1" 2>/dev/null || cat machine)" "$R" -q -i 0.1 -o "$1.gz" "${@:2}"
	zcat "$1.gz" >"$1"
}
# The columns of single GPUs, and the last value of one.
columns() { grep -o '"system_metrics":.*' "$1" | grep -o '"gpu[0-9]_[a-z]*":' | tr -d '":' | paste -sd ' '; }
is() { [ "$(grep -o '"system_metrics":.*' "$1" | grep -o "\"$2\":\[[^]]*" | grep -o '[^,[]*$')" = "$3" ] || return 1; }
says() { grep -qF "$2" "$1"; }

for of in 1 3 9; do
	{ echo "gpus $of"; for i in $(seq 0 8); do echo "util $i ${i}0; used $i $((100 * i))"; done; } >machine.$of
done
cp machine.9 machine
for of in 1 3 9; do record $of sleep 3 & done
record chosen --gpu GPU-5,GPU-3 sleep 3 &
wait
check 'one GPU' test "$(columns 1)" = 'gpu0_usage gpu0_vram'
check 'three' test "$(columns 3)" = 'gpu0_usage gpu0_vram gpu1_usage gpu1_vram gpu2_usage gpu2_vram'
check 'have what each did' is 3 gpu2_usage 0.2
check 'and used' is 3 gpu1_vram 100
check 'and their sum' is 3 gpu_usage 0.3
check 'without a word of further ones' test -z "$(grep -o 'columns of their own' 3)"
check 'of nine GPUs eight' test "$(columns 9 | wc -w)" = 16
check 'in their order' is 9 gpu7_usage 0.7
check 'the sum is of all' is 9 gpu_usage 3.6
check 'and so is said' says 9 'There are 9 GPUs; only the first 8 have columns of their own'
within env LD_LIBRARY_PATH="$D" FAKE_NVML="$(cat machine)" "$R" --once >once
check '--once waits for them' says once '"gpu_usage":3.6,"gpu_vram":3600,"gpu_utilized":8'
check 'the chosen ones are counted from 0' test "$(columns chosen | wc -w)" = 4
check 'in the order of the machine' is chosen gpu0_usage 0.3
"$R" -q -i 0.1 -o none.gz sleep 0.3
zcat none.gz >none
[ -e /proc/driver/nvidia/version ] || [ -e /dev/dri ] ||
	check 'none without GPUs' test -z "$(columns none)"

# The journal: a killed recording has them too.
echo 'gpus 3; util 1 50' >machine
within env LD_LIBRARY_PATH="$D" FAKE_NVML="$(cat machine)" "$R" -q -i 0.1 -o killed.gz \
	sh -c 'echo $PPID $$ >pids; exec sleep 60' 2>/dev/null &
full() { [ "$(stat -c %s killed.gz.partial 2>/dev/null || echo 0)" -gt 30000 ]; }
check 'a journal grows' wait_until full
kill -KILL $(cat pids)
wait $! 2>/dev/null
"$R" -q --recover killed.gz.partial
zcat killed.gz >killed
check 'what was killed had three' test "$(columns killed | wc -w)" = 6
check 'with their values' is killed gpu1_usage 0.5
echo "1..$n"
