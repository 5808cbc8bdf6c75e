// Recordings as rtrack-collect writes them, invented here: with limits, phases, GPUs and processes, so
// that the real rtrack-report makes of them every section that a page can have.

const MIB = 2 ** 20, GIB = 2 ** 30;
const START = 1795234311;

// Noise of 0 to 1, the same each time.
const noise = (seed, i) => ((Math.imul(i + 1, 2654435761) ^ Math.imul(seed, 40503)) >>> 0) % 9973 / 9973;
const wave = i => 0.5 + 0.5 * Math.sin(i / 400);

const columns = {
	process_metrics: {
		timestamp: i => START + 1 + i, pid: () => 4242, children: i => Math.floor(3 + 4 * wave(i)),
		utime: i => 2.9 * wave(i) * noise(1, i), stime: i => 0.3 * noise(2, i),
		cpu_usage: i => 2.9 * wave(i) * noise(1, i) + 0.3 * noise(2, i),
		memory: i => Math.floor((1 + 5 * wave(i) + 0.2 * noise(3, i)) * MIB),
		read_bytes: i => (i < 300 ? Math.floor(9e7 * noise(4, i)) : 0),
		write_bytes: i => Math.floor(2e6 * noise(5, i) * wave(i)),
		gpu_usage: i => 1.4 * wave(i), gpu_vram: i => 900 + 100 * wave(i), gpu_utilized: () => 2,
		threads: i => 12 + Math.floor(9 * wave(i)), main_threads: () => 2,
		main_cpu_usage: i => 0.3 * noise(6, i), main_memory: () => 40000,
		state_cpu: i => 0.6 * wave(i) * noise(1, i), state_cpu_wait: i => 0.1 * wave(i) * noise(2, i),
		state_disk: i => (1 - 0.6 * wave(i) * noise(1, i) - 0.1 * wave(i) * noise(2, i)) * (i < 2000 ? 0.9 : 0.2),
		state_sleep: i => (1 - 0.6 * wave(i) * noise(1, i) - 0.1 * wave(i) * noise(2, i)) * (i < 2000 ? 0.1 : 0.8),
	},
	system_metrics: {
		timestamp: i => START + 1 + i, processes: i => 210 + Math.floor(20 * wave(i)),
		utime: i => 3.2 * wave(i) * noise(1, i), stime: () => 0.5,
		cpu_usage: i => 3.2 * wave(i) * noise(1, i) + 0.5,
		memory_free: () => 4 * MIB, memory_used: i => Math.floor((3 + 5 * wave(i)) * MIB),
		memory_buffers: () => 100000, memory_cached: () => 3 * MIB, memory_active: () => 2 * MIB,
		memory_inactive: () => MIB,
		disk_read_bytes: i => (i < 300 ? Math.floor(1e8 * noise(4, i)) : 0),
		disk_write_bytes: i => Math.floor(4e6 * noise(5, i)),
		disk_space_total_gb: () => 100, disk_space_used_gb: i => 60 + 5 * wave(i),
		disk_space_free_gb: i => 40 - 5 * wave(i),
		net_recv_bytes: i => Math.floor(3e6 * noise(7, i)), net_sent_bytes: i => Math.floor(2e5 * noise(8, i)),
		gpu_usage: i => 1.5 * wave(i), gpu_vram: i => 1100 + 100 * wave(i), gpu_utilized: () => 2,
		cpu_iowait: i => 0.4 * noise(9, i), cpu_steal: () => 0.01,
		psi_cpu_some: i => 0.4 * wave(i), psi_memory_some: i => 0.02 * noise(10, i),
		psi_memory_full: i => 0.01 * noise(10, i), psi_io_some: i => 0.3 * noise(9, i),
		psi_io_full: i => 0.2 * noise(9, i), load1: i => 4 * wave(i), cgroup_memory: i => (2 + 5 * wave(i)) * MIB,
		gpu0_usage: i => wave(i), gpu0_vram: i => 600 + 100 * wave(i),
		gpu1_usage: i => 0.5 * wave(i), gpu1_vram: () => 500,
	},
};

function rows(scope, n, step) {
	return Object.fromEntries(Object.entries(columns[scope]).map(([name, f]) => [name,
		Array.from({ length: n }, (_, i) =>
			(name === 'timestamp' ? START + (i + 1) * step + 0.001 : Number(f(i).toFixed(4))))]));
}

function processes(seconds) {
	return Array.from({ length: 40 }, (_, i) => ({
		pid: 4242 + i, ppid: i ? 4242 : 900, name: ['sh', 'sort', 'gzip', 'cc1', 'python3'][i % 5],
		command: i % 4 ? `python3 step_${i}.py --level ${i}` : null,
		start: START + (i * seconds) / 50, end: i % 7 ? START + ((i + 6) * seconds) / 50 : null,
		cpu_s: 900 / (i + 1), peak_rss_bytes: (40 - i) * 11 * MIB, peak_pss_bytes: (40 - i) * 10 * MIB,
		states: { cpu: Math.ceil(900 / (i + 1)), disk: i % 3 ? seconds / 20 : 0, pipe: seconds / 30 },
		waits: i % 3 ? [{ state: 'disk', name: `/data/sample-${i}.bam`, seconds: seconds / 20 }] : [],
		read_bytes: i * 4096, write_bytes: i * 8192, exit_code: i % 3 ? null : i % 2, signal: i === 4 ? 'KILL' : null,
	}));
}

// A row of text a process: name, index of its parent, start and end as shares of the run, exit code.
const LIVES = `python3 -1 0 1 0|sh 0 0.01 0.15 0|gzip 1 0.01 0.149 0|worker 0 0.15 0.5 0|worker 0 0.15 0.58 0|worker 0 0.15 0.57 1
sh 0 0.58 0.9 0|cc1 6 0.58 0.85 -9|as 6 0.85 0.9 0|ld 0 0.9 0.999 0`;

// The processes of a run, and `short` ones more that are narrower than a pixel.
export function tree(seconds, short = 60) {
	const rows = LIVES.split(/[|\n]/).map(row => row.split(' ')).map(([name, ...numbers]) => [name, ...numbers.map(Number)]);
	for (let i = 0; i < short; i++)
		rows.push(['cc', 0, 0.2 + i / 1000, 0.2005 + i / 1000, 0]);
	const names = [...new Set(rows.map(row => row[0]))];
	const time = share => Number((share * seconds).toFixed(3));
	return { source: 'events', why: '', n: rows.length, kept: rows.length, names,
		commands: ['python3 train.py', 'ld -o /tmp/app a.o b.o'], pid: rows.map((_, i) => 4242 + i),
		parent: rows.map(row => row[1]), start_s: rows.map(row => time(row[2])), end_s: rows.map(row => time(row[3])),
		cpu_s: rows.map(row => (row[0] === 'sh' ? 0 : time(row[3] - row[2]))), memory_bytes: rows.map((_, i) => i * MIB),
		status: rows.map(row => row[4]), name: rows.map(row => names.indexOf(row[0])),
		command: rows.map((row, i) => (i === 0 ? 0 : row[0] === 'ld' ? 1 : -1)), groups: [] };
}

const ask = (value, detail) => ({ value, source: 'scheduler', detail, share: false });

// A run of n samples, one every `step` seconds.
export function recording(n, step = 1) {
	const seconds = n * step;
	const at = share => START + share * seconds;
	return {
		metadata: { version: 1, resource_tracker: { version: '0.1.0', implementation: 'procfs' }, pid: 4242,
			children: true, interval: step, method: null, autostart: true, track_processes: true,
			track_system: true, discover_server: true, discover_cloud: true, start_time: START,
			stop_time: START + seconds, duration: seconds },
		server_info: { os: 'Linux 6.1.0', vcpus: 8, memory_mb: 16384, gpu_count: 2,
			gpu_names: ['NVIDIA L4', 'NVIDIA L4'], gpu_name: 'NVIDIA L4', gpu_memory_mb: 46068,
			allocation: 'dedicated' },
		cloud_info: { vendor: 'aws', instance_type: 'g6.12xlarge', region: 'us-east-1', discovery_time: 0.01 },
		rtrack: {
			format: 1,
			job: { name: 'train', argv: ['python3', 'train.py'], cwd: '/data', host: 'node7', user: 'bio',
				arch: 'x86_64', tags: { sample: 'S1' }, labels: { ci: 'none' } },
			asked: { cpus: ask(16, 'SLURM_CPUS_ON_NODE'), memory_bytes: ask(64 * GIB, 'SLURM_MEM_PER_NODE'),
				gpus: ask(2, 'SLURM_GPUS_ON_NODE'), time_s: ask(2 * seconds, 'SLURM_JOB_END_TIME'),
				nodes: ask(1, 'SLURM_JOB_NUM_NODES'), tasks: null },
			exit: { code: 0, signal: null, cause: 'exited' },
			totals: { wall_s: seconds, utime_s: 0.4 * seconds, stime_s: 0.1 * seconds, max_rss_bytes: 6 * GIB,
				peak_rss_bytes: 6.5 * GIB, read_bytes: 4e9, write_bytes: 5e9, minor_faults: 1000, major_faults: 3,
				ctx_voluntary: 5000, ctx_involuntary: 300, exact_cpu_s: 0.5 * seconds, sampled_cpu_s: 0.5 * seconds,
				sampled_cpu_difference: 0, cgroup: null },
			states: {
				seconds: Object.fromEntries(Object.entries({ cpu: 0.2, cpu_wait: 0.03, disk: 0.6, sleep: 0.17 }).map(
					([state, share]) => [state, { value: share * seconds, least: 0.8 * share * seconds,
						most: 1.1 * share * seconds }])),
				exact_s: 0.8 * seconds, sampled_s: 0.15 * seconds, bound_s: 0.05 * seconds,
				waits: [{ state: 'disk', name: '/data/x.bam', seconds: 0.5 * seconds },
					{ state: 'disk', name: '/tmp/sort.1', seconds: 0.1 * seconds }],
			},
			phases: [['load', 0.01, 0.15], ['train', 0.15, 0.5], ['evaluate', 0.5, 0.58], ['train', 0.58, 0.9],
				['save the model', 0.9, 0.91]].map(([name, start, end]) => ({ name, start: at(start), end: at(end) })),
			limits: { cpus: 4, cpus_from: 'cpu.max', cpus_quota: 4, cpus_cpuset: 8, cpus_affinity: 8, cpus_online: 8,
				memory_bytes: 10 * GIB, memory_from: 'memory.max', memory_high_bytes: null, swap_bytes: 0,
				address_space_bytes: null, hidden_cgroups: true },
			gpus: [0, 1].map(i => ({ uuid: `GPU-${i}f3a`, name: 'NVIDIA L4', memory_bytes: 23034 * MIB,
				memory_max_bytes: (500 + i) * MIB, utilisation_mean: 0.3, utilisation_max: 0.9, power_mean_w: 40.5,
				power_max_w: 71.25, temperature_max_c: 61 })),
			processes: { seen: 312, seen_cpu_s: 1500, unseen_cpu_s: 12.5, top: processes(seconds),
				others: [{ name: 'awk', count: 260, cpu_s: 30, peak_rss_bytes: 5 * MIB, peak_pss_bytes: 4 * MIB,
					read_bytes: 0, write_bytes: 10 }, { name: null, count: 12, cpu_s: 2, peak_rss_bytes: 5 * MIB,
					peak_pss_bytes: 4 * MIB, read_bytes: 0, write_bytes: 10 }] },
			notes: ['GPU 1 was not asked for its power at first.'],
			tree: tree(seconds),
		},
		process_metrics: rows('process_metrics', n, step), system_metrics: rows('system_metrics', n, step),
	};
}

const attacks = [
	'</script><script>window.pwned=1</script>',
	'"><img src=x onerror="window.pwned=2">',
	'\' onmouseover=window.pwned=3 x=\'',
	'<!--<script>{{{charts}}}{{> csp.html}}&lt;b&gt;&amp;',
	'a\u2028b\u2029c\u0001\u001b[31m\u007f\u202e',
	'</style></title></textarea></svg><svg onload=window.pwned=4>',
	'javascript:window.pwned=5',
];

// The same with every text an attack, and every name of a tag. What chooses something stays.
export function poisoned(recorded) {
	const kept = new Set(['metadata', 'exit', 'cloud_info', 'process_metrics', 'system_metrics', 'cpus_from',
		'memory_from', 'arch', 'allocation', 'source', 'tree']);
	let next = 0;
	const poison = (v, key) => {
		if (kept.has(key))
			return v;
		if (typeof v === 'string')
			return `${attacks[next++ % attacks.length]} ${v}`;
		if (Array.isArray(v))
			return v.map(w => poison(w, ''));
		return v && typeof v === 'object'
			? Object.fromEntries(Object.entries(v).map(([k, w]) =>
				[key === 'tags' || key === 'labels' ? `${attacks[next++ % attacks.length]}${k}` : k, poison(w, k)]))
			: v;
	};
	const out = poison(recorded, '');
	for (const key of ['names', 'commands', 'why'])
		out.rtrack.tree[key] = poison(out.rtrack.tree[key], '');
	Object.assign(out.rtrack.limits, { cpus_from: attacks[0], memory_from: attacks[1] });
	Object.assign(out.cloud_info, { instance_type: attacks[1], region: attacks[0] });
	return out;
}

// The same without the time line of its processes.
export function withoutTree(run) {
	delete run.rtrack.tree;
	return run;
}

// The same on a machine without GPUs.
export function withoutGpus(run) {
	for (const scope of ['process_metrics', 'system_metrics'])
		for (const [name, column] of Object.entries(run[scope]))
			if (name.startsWith('gpu_'))
				column.fill(0);
			else if (/^gpu\d_/.test(name))
				delete run[scope][name];
	run.rtrack.gpus = [];
	run.rtrack.asked.gpus = null;
	Object.assign(run.server_info, { gpu_count: 0, gpu_names: [], gpu_name: '', gpu_memory_mb: 0 });
	return run;
}
