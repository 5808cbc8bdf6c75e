// The worked examples of docs/advice.md, computed from their inputs by the written rules alone, in exact
// fractions: nothing here is shared with the program that tests/services/worked.test.mjs holds against it.
// `node tests/worked/examples.mjs` prints the three tables.
import { fileURLToPath } from 'node:url';

// -- exact numbers: [numerator, denominator], both BigInt, the denominator positive -----------------

// Of '0.36', '-2' or 1800.
export const fraction = (text) => {
	const [, sign, whole, part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(text));
	return [BigInt(sign + whole + part), 10n ** BigInt(part.length)];
};
export const add = ([a, b], [c, d]) => [a * d + c * b, b * d];
export const times = ([a, b], [c, d]) => [a * c, b * d];
export const over = ([a, b], [c, d]) => (c < 0n ? [-a * d, -b * c] : [a * d, b * c]);
export const minus = (a, b) => add(a, times(b, [-1n, 1n]));
export const less = ([a, b], [c, d]) => a * d < c * b;
export const larger = (a, b) => (less(a, b) ? b : a);
export const floor = ([a, b]) => a / b - (a % b < 0n ? 1n : 0n);
export const ceil = ([a, b]) => -floor([-a, b]);
const halfEven = (q) => {
	const down = floor(q), rest = minus(q, [down, 1n]);
	const half = less(rest, [1n, 2n]) ? -1 : less([1n, 2n], rest) ? 1 : 0;
	return half > 0 || (half === 0 && down % 2n !== 0n) ? down + 1n : down;
};
export const number = ([a, b]) => {
	// 18 digits after the point are more than a double holds.
	const scaled = halfEven([a * 10n ** 18n, b]);
	return Number(scaled) / 1e18;
};
// At most so many decimals, without zeros at the end.
export const decimal = (q, decimals) => {
	const n = halfEven(times(q, [10n ** BigInt(decimals), 1n]));
	const digits = String(n < 0n ? -n : n).padStart(decimals + 1, '0');
	const text = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '');
	return (n < 0n ? '−' : '') + text;
};
const rounded = (q, decimals) => {
	const scale = 10n ** BigInt(decimals);
	return [halfEven(times(q, [scale, 1n])), scale];
};

// -- the rules ---------------------------------------------------------------------------------------

// The next of 128, 256, 512, 1024, 2048 MiB, then whole GiB.
export function step(mib) {
	for (const small of [128n, 256n, 512n, 1024n, 2048n])
		if (!less([small, 1n], mib)) return small;
	return ceil(over(mib, [1024n, 1n])) * 1024n;
}
const atLeastOne = (n) => (n < 1n ? 1n : n);
const mean = (samples) =>
	over(samples.map(fraction).reduce(add), [BigInt(samples.length), 1n]);
const most = (samples) => samples.map(fraction).reduce(larger);
const headroom = fraction('1.2');

// Of samples of a second on 64 CPUs, so many as were asked for, the smallest number with which it takes a tenth longer at most: as
// long as a thread of each second, or its CPU seconds over the CPUs. Of a single sample that is not known.
function cpusByTime(samples) {
	const all = samples.map(fraction);
	const time = (n) => all.map((c) => larger([1n, 1n], over(c, [n, 1n]))).reduce(add);
	const most = times(time(64n), fraction('1.1'));
	let n = 1n;
	while (less(most, time(n))) n++;
	return n;
}

// What to ask for: {cpu, cpu_mean (by resource-tracker's rule), memory, gpu, vram}, MiB, as BigInt.
export function asks({ cpu, memory_kb, gpu = ['0'], vram_mib = 0, died_mib = 0 }) {
	const peak = over(fraction(memory_kb), [1024n, 1n]);
	const survive = died_mib ? step(times(fraction(died_mib), [2n, 1n])) : 0n;
	const memory = step(times(peak, headroom));
	const used = mean(gpu)[0] > 0n, cpu_mean = atLeastOne(halfEven(mean(cpu)));
	return {
		cpu: cpu.length > 1 ? cpusByTime(cpu) : cpu_mean,
		cpu_mean,
		memory: memory < survive ? survive : memory,
		gpu: used ? atLeastOne(halfEven(most(gpu))) : 0n,
		vram: vram_mib ? step(times(fraction(vram_mib), headroom)) : 0n,
	};
}

// Seconds that a vendor bills at least, and in which steps.
const known = { aws: [60n, 1n], gcp: [60n, 1n], azure: [300n, 1n], alicloud: [600n, 1n] };
const perSecond = (price) => over(fraction(price), [3600n, 1n]);
const marginal = ({ price }, seconds) => times(perSecond(price), seconds);
function alone({ vendor, price, billing }, seconds) {
	const [least, increment] = billing?.map(BigInt) ?? known[vendor] ?? [3600n, 3600n];
	const billed = ceil(over(larger(seconds, [least, 1n]), [increment, 1n])) * increment;
	return times(perSecond(price), [billed, 1n]);
}
const saved = (now, then) => ({
	percent: rounded(times(over(minus(now, then), now), [100n, 1n]), 2),
	amount: rounded(minus(now, then), 6),
});

// What it costs: here and there, marginal and alone, and what is saved.
export function costs({ seconds, here, there }) {
	const s = fraction(seconds);
	const c = {
		here: marginal(here, s),
		here_alone: alone(here, s),
		there: marginal(there, s),
		there_alone: alone(there, s),
	};
	return { ...c, saved: saved(c.here, c.there), saved_alone: saved(c.here_alone, c.there_alone) };
}

// What the verdict says of a job that ran so many seconds on so many CPUs, kept so many cores busy on
// average, and whose threads waited so long; others: cores that the machine's other work used. A constant
// use, so that all CPUs were busy all of the time, or never.
export function waits({ seconds, cpus, cores, waited, others = '0' }) {
	const s = fraction(seconds), n = fraction(cpus), used = times(fraction(cores), s), w = fraction(waited);
	const share = over(w, add(w, used)), all = over(add(w, used), s), whole = [1n, 1n];
	// The share of the time in which a thread ran or waited is not recorded: at most this; without the wait, the work of that
	// time takes as much less as it was of what ran and waited.
	const ready = less(all, whole) ? all : whole, lost = times(ready, share);
	const wanted = over(fraction(cores), add(whole, times(lost, [-1n, 1n])));
	const felt = !less(lost, fraction('0.05')), short = felt && !less(share, fraction('0.2'));
	const full = !less(fraction(cores), times(n, fraction('0.9')));
	const crowd = !less(fraction(others), times(n, fraction('0.25')));
	// Not less than it would have used, in hundredths, rounded up.
	const needed = short ? ceil(rounded(wanted, 2)) : 0n, usual = atLeastOne(halfEven(fraction(cores)));
	const says = full ? 'limit'
		: short ? (!crowd ? 'ties' : less(n, wanted) ? 'more or less busy' : 'less busy')
		: !felt && less(fraction(cores), fraction('0.1')) ? 'idle' : 'none';
	return { share, wanted, says, cpus: needed > usual ? needed : usual };
}
export const words = {
	limit: 'The CPUs were the limit',
	ties: 'More CPUs may make it faster, unless it ties its threads to some',
	'more or less busy': 'more CPUs, or a machine that is less busy, may make it faster',
	'less busy': 'a machine that is less busy may make it faster',
	idle: 'It was idle most of the time',
	none: '(nothing on CPUs)',
};

// -- the examples ------------------------------------------------------------------------------------

const MIB = 1024; // kB
export const resources = [
	{ name: 'a small job', cpu: ['1', '1', '1.2'], memory_kb: 50 * MIB },
	{ name: '933 MiB, which × 1.2 pass 1 GiB', cpu: ['1', '2'], memory_kb: 933 * MIB },
	{ name: 'memory is recorded in kB: 4,096,000 are 4000 MiB', cpu: ['4'], memory_kb: 4096000 },
	{ name: 'below 512 MiB there are steps, too', cpu: ['0.4'], memory_kb: 100 * MIB },
	{ name: 'just a step: 106 MiB', cpu: ['1'], memory_kb: 106 * MIB },
	{ name: 'just past it: 107 MiB', cpu: ['1'], memory_kb: 107 * MIB },
	{ name: 'exactly a step: 2560 MiB × 1.2 are 3 GiB', cpu: ['8'], memory_kb: 2560 * MIB },
	{ name: 'and 1 kB more', cpu: ['8'], memory_kb: 2560 * MIB + 1 },
	{ name: '2.5 cores: a half goes to the even number', cpu: ['2', '3'], memory_kb: 200 * MIB },
	{ name: '3.5 cores: it does here, too', cpu: ['3', '4'], memory_kb: 200 * MIB },
	{ name: '0.4 cores: at least one', cpu: ['0.2', '0.6'], memory_kb: 300 * MIB },
	{ name: 'one core for most of the time', cpu: ['1', '1', '1', '8'], memory_kb: 10000 * MIB },
	{
		name: 'killed at 256 MiB, where the samples saw 100',
		cpu: ['1'],
		memory_kb: 100 * MIB,
		died_mib: 256,
	},
	{
		name: 'GPU memory in MiB: 7000 are asked for as 9 GiB',
		cpu: ['2'],
		memory_kb: 3000 * MIB,
		gpu: ['0', '0.4', '0.6'],
		vram_mib: 7000,
	},
	{
		name: 'a GPU mean that rounds to 0.00 is not 0',
		cpu: ['1'],
		memory_kb: 900 * MIB,
		gpu: ['0', '0', '0', '0', '0', '0', '0', '0', '0', '0.04'],
		vram_mib: 300,
	},
	{
		name: 'a GPU that holds memory, and computes nothing',
		cpu: ['1'],
		memory_kb: 900 * MIB,
		gpu: ['0', '0'],
		vram_mib: 500,
	},
	{
		name: '2.5 GPUs at the peak',
		cpu: ['2'],
		memory_kb: 60000 * MIB,
		gpu: ['1', '2.5'],
		vram_mib: 70000,
	},
];

export const money = [
	{
		name: 'ten seconds where hours are billed: 360 times',
		seconds: '10',
		here: { vendor: 'hcloud', price: '0.36' },
		there: { vendor: 'hcloud', price: '0.18' },
	},
	{
		name: 'one second past an hour',
		seconds: '3601',
		here: { vendor: 'hcloud', price: '0.36' },
		there: { vendor: 'aws', price: '0.3' },
	},
	{
		name: 'a minute at least, then seconds',
		seconds: '10',
		here: { vendor: 'aws', price: '0.72' },
		there: { vendor: 'gcp', price: '0.48' },
	},
	{
		name: 'part of a second is a second',
		seconds: '60.25',
		here: { vendor: 'aws', price: '3.6' },
		there: { vendor: 'azure', price: '1.8' },
	},
	{
		name: 'five minutes, and ten',
		seconds: '299',
		here: { vendor: 'azure', price: '1.2' },
		there: { vendor: 'alicloud', price: '0.9' },
	},
	{
		name: 'cheaper by the hour, dearer alone',
		seconds: '600',
		here: { vendor: 'aws', price: '0.5' },
		there: { vendor: 'hcloud', price: '0.1' },
	},
	{
		name: 'nothing cheaper: extra cost',
		seconds: '7200',
		here: { vendor: 'upcloud', price: '0.017' },
		there: { vendor: 'aws', price: '0.04' },
	},
	{
		name: 'the service says: minutes',
		seconds: '61',
		here: { vendor: 'gcp', price: '0.6' },
		there: { vendor: 'upcloud', price: '0.3', billing: [60, 60] },
	},
	{
		name: 'a day',
		seconds: '86400',
		here: { vendor: 'alicloud', price: '1.05' },
		there: { vendor: 'gcp', price: '0.7' },
	},
	{
		name: 'a price that is not a round number',
		seconds: '1234.5',
		here: { vendor: 'aws', price: '0.0416' },
		there: { vendor: 'gcp', price: '0.033503' },
	},
];

export const waiting = [
	{ name: 'sleep, on a busy machine', seconds: '10', cpus: 2, cores: '0.001', waited: '0.02', others: '1.9' },
	{ name: 'as little CPU, but it wanted more', seconds: '10', cpus: 2, cores: '0.05', waited: '8', others: '1.9' },
	{ name: 'four burners on 2 CPUs, alone', seconds: '10', cpus: 2, cores: '2', waited: '20' },
	{ name: 'four burners on 2 CPUs, beside two others', seconds: '10', cpus: 2, cores: '1.33', waited: '26.7', others: '0.67' },
	{ name: 'one burner beside three others', seconds: '10', cpus: 2, cores: '0.5', waited: '5', others: '1.5' },
	{ name: 'four threads tied to one of 8 CPUs', seconds: '10', cpus: 8, cores: '1', waited: '30', others: '0.1' },
	{ name: 'just a fifth of the time', seconds: '10', cpus: 4, cores: '2', waited: '5', others: '2' },
	{ name: 'a little less', seconds: '10', cpus: 4, cores: '2', waited: '4.9', others: '2' },
	{ name: 'half of the time, but of next to nothing', seconds: '10', cpus: 4, cores: '0.02', waited: '0.2' },
];

// -- the tables --------------------------------------------------------------------------------------

export const row = (cells) => `| ${cells.join(' | ')} |`;
export const head = (cells, numbers) => [row(cells), `|${cells.map((_, i) => (i < numbers ? '---|' : '---:|')).join('')}`];

export function resourceTable() {
	const lines = head(['example', 'cores, mean', 'memory, peak', 'GPUs, mean', 'GPUs, peak',
		'GPU memory, peak', 'CPUs by the mean', 'CPUs', 'memory', 'GPUs', 'GPU memory'], 1);
	for (const e of resources) {
		const a = asks(e), gpu = e.gpu ?? ['0'];
		lines.push(row([e.name, decimal(mean(e.cpu), 3), `${e.memory_kb} kB`, decimal(mean(gpu), 3),
			decimal(most(gpu), 3), `${e.vram_mib ?? 0} MiB`, a.cpu_mean, `**${a.cpu}**`, `**${a.memory} MiB**`,
			`**${a.gpu}**`, `**${a.vram} MiB**`]));
	}
	return lines.join('\n');
}

export function moneyTable() {
	const server = (s) => `${s.vendor} at ${s.price}/h`;
	const both = ({ percent, amount }) => `${decimal(amount, 6)} (${decimal(percent, 2)} %)`;
	const lines = head(['example', 'here', 'there', 'time', 'here', 'there', 'saved', 'here, alone',
		'there, alone', 'saved, alone'], 3);
	for (const e of money) {
		const c = costs(e);
		lines.push(row([e.name, server(e.here), server(e.there), `${e.seconds} s`,
			decimal(c.here, 9), decimal(c.there, 9), both(c.saved), decimal(c.here_alone, 9),
			decimal(c.there_alone, 9), both(c.saved_alone)]));
	}
	return lines.join('\n');
}

export function waitTable() {
	const lines = head(['example', 'CPUs', 'cores, mean', 'others', 'time', 'waited', 'of the time it could have run',
		'cores wanted', 'next time', 'what is said'], 1);
	for (const e of waiting) {
		const w = waits(e);
		lines.push(row([e.name, e.cpus, e.cores, e.others ?? '0', `${e.seconds} s`, `${e.waited} s`,
			`${decimal(times(w.share, [100n, 1n]), 1)} %`, `**${decimal(w.wanted, 2)}**`,
			`**${w.cpus} CPU${w.cpus === 1n ? '' : 's'}**`, words[w.says]]));
	}
	return lines.join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url))
	console.log([resourceTable(), moneyTable(), waitTable()].join('\n\n'));
