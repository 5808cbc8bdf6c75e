// How the charts write numbers, on their axes and at the cursor.
const KIB = 1024;
const IEC = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
const ROUND = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5, 1e6];

function iec(v, base, suffix, digits) {
	return `${digits(v / KIB ** base)} ${IEC[base]}${suffix}`;
}

function iecBase(v) {
	let base = 0;
	while (Math.abs(v) >= KIB && base < IEC.length - 1) {
		v /= KIB;
		base++;
	}
	return base;
}

// A unit: `least` is the top of the axis when all values are 0; the axis does not pass `most` unless the
// data do; `text` writes one value, `ticks` the labels of an axis, `steps` are the distances between ticks.
function iecUnit(suffix) {
	const three = v => (v >= 100 ? v.toFixed(0) : v.toPrecision(3));
	const few = v => (Number.isInteger(v) ? String(v) : three(v));
	return {
		least: KIB,
		steps: Array.from({ length: 60 }, (_, i) => 2 ** i),
		text: v => iec(v, iecBase(v), suffix, v < KIB ? few : three),
		ticks: all => all.map(v => (v ? iec(v, iecBase(all[all.length - 1]), suffix,
			w => +w.toFixed(3)) : '0')),
	};
}

// As many letters as the axis has room for.
const LETTERS_MAX = 10;

function plainUnit(one, many, digits, steps) {
	const named = (text, v) => (many ? `${text} ${v === 1 ? one : many}` : text);
	return {
		least: 1, steps,
		text: v => named(v.toFixed(digits), v),
		ticks: all => {
			const texts = all.map(v => String(+v.toPrecision(4)));
			return all.every((v, i) => named(texts[i], v).length <= LETTERS_MAX)
				? all.map((v, i) => (v ? named(texts[i], v) : '0')) : texts;
		},
	};
}

const units = {
	bytes: iecUnit(''),
	'bytes/s': iecUnit('/s'),
	cores: plainUnit('core', 'cores', 2),
	GPUs: plainUnit('GPU', 'GPUs', 2),
	'%': { least: 1, most: 100, text: v => `${+v.toFixed(2)}%`,
		ticks: all => all.map(v => `${+v.toFixed(3)}%`) },
	count: plainUnit('', '', 0, ROUND),
};

export function unitOf(name) {
	return Object.hasOwn(units, name) ? units[name] : plainUnit('', '', 2);
}
