// The Chromium that tests, pictures and benchmarks use: $CHROMIUM, or what Debian installs. The headless shell is the same
// engine without the parts of a desktop browser, and takes half the CPU time.
import { existsSync } from 'node:fs';

export const CHROMIUM = process.env.CHROMIUM
	|| ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync);

// For a page whose charts are all to be drawn at once: each is said to be near, after the first paint.
export function allNear() {
	window.IntersectionObserver = class {
		#targets = [];
		#tell;
		constructor(tell) {
			this.#tell = tell;
			requestAnimationFrame(() => setTimeout(() =>
				this.#tell(this.#targets.map(target => ({ target, isIntersecting: true })))));
		}
		observe(target) {
			this.#targets.push(target);
		}
		unobserve() {}
	};
}
