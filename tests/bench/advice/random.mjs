// Random numbers that are the same each time, for made-up runs.
export class Random {
	constructor(seed) {
		this.state = seed >>> 0;
		for (let i = 0; i < 10; i++) this.uniform();
	}
	// From 0 to below 1 (mulberry32).
	uniform() {
		this.state = (this.state + 0x6d2b79f5) | 0;
		let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	}
	below(n) { return Math.floor(n * this.uniform()); }
	pick(v) { return v[this.below(v.length)]; }
	normal() { return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform()); }
	exponential() { return -Math.log(1 - this.uniform()); }
	pareto(alpha) { return (1 - this.uniform()) ** (-1 / alpha); }
	// Marsaglia and Tsang.
	gamma(k) {
		if (k < 1) return this.gamma(k + 1) * this.uniform() ** (1 / k);
		const d = k - 1 / 3, c = 1 / Math.sqrt(9 * d);
		for (;;) {
			const x = this.normal(), v = (1 + c * x) ** 3;
			if (v > 0 && Math.log(1 - this.uniform()) < x * x / 2 + d - d * v + d * Math.log(v)) return d * v;
		}
	}
	student(df) { return this.normal() / Math.sqrt((2 * this.gamma(df / 2)) / df); }
	list(n, make) { return Array.from({ length: n }, (_, i) => make(i)); }
}
