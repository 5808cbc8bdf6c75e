# Ports of loopback for the servers of this folder's tests.
#
#   free_ports COUNT   prints the first of so many free ports that follow each other
free_ports() {
	local base i
	for _ in {1..50}; do
		base=$((19000 + RANDOM % 13000)) # below those that the kernel gives to clients
		for ((i = 0; i < $1; i++)); do
			! (exec 3<>"/dev/tcp/127.0.0.1/$((base + i))") 2>/dev/null || continue 2
		done
		echo $base
		return
	done
	return 1
}
