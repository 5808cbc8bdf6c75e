# What documents repeat of the tables of the code.
tests/tables

# Where there is no table: each name in the documents is one of the code, but for those that are made of two.
code=$(grep -rhoE '"[a-z_0-9.]+"' core collect report fleet --include=*.c --include=*.h --include=*.def | tr -d '"' | tr . '\n')
for page in docs/model.md docs/fleet_model.md docs/snapshot.md; do
	sed '/<!-- BEGIN/,/<!-- END/d' $page | grep -oE '`[a-z_]+`' | tr -d '`' | sort -u | grep -vxF "$code" |
		grep -vxE 'cpu_phases|memory_phases|descendants_n_threads|rtrack_run_info|z|cond_key|process_pid|ru_maxrss|system_processes' |
		sed "s,^,$page: not in the code: ,"
done
# And each key that a recording has is in the document. (That those of a model are is a matter of its unit tests.)
grep -hoE 'json_write_[a-z_]+\([^,]*, "[a-z_]+"' core/{recording,head,files}/*.c collect/{gpu,cgroup,process,output}/*.c |
	sed 's/.*"\(.*\)"/\1/' | sort -u | while read -r key; do
	grep -qE "[\`\"]$key[\`\"]" docs/snapshot.md || echo "docs/snapshot.md: nothing of $key"
done
