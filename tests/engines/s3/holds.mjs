// holds.mjs TEXT PID…: whether the memory of each process has the text: "PID yes" or "PID no". Needs the right to trace it.

import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

const text = Buffer.from(process.argv[2]), piece = Buffer.alloc(1 << 20);

function holds(pid) {
	const memory = openSync(`/proc/${pid}/mem`, 'r');
	try {
		for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
			const [, from, to, rights] = line.match(/^([0-9a-f]+)-([0-9a-f]+) (....)/) ?? [];
			if (rights?.[0] !== 'r' || line.includes('[v'))
				continue;
			// Overlapping by the text's length, so that none is missed at a seam.
			for (let at = parseInt(from, 16), n; at < parseInt(to, 16); at += n - text.length + 1) {
				n = Math.min(piece.length, parseInt(to, 16) - at);
				if (readSync(memory, piece, 0, n, at) === n && piece.subarray(0, n).includes(text))
					return true;
				if (n < text.length || at + n === parseInt(to, 16))
					break;
			}
		}
		return false;
	} finally {
		closeSync(memory);
	}
}

for (const pid of process.argv.slice(3))
	console.log(`${pid} ${holds(pid) ? 'yes' : 'no'}`);
