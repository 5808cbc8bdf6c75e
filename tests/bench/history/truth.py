"""Histories whose truth is known, run by run: python3 truth.py CHANGE_POINTS_CLI [HISTORIES]. Prints false alarms per
1,000 runs and measure where nothing changed, of eight kinds of noise, and how a step of 20 % is found. Seeded."""
import math
import random
import subprocess
import sys

CLI, HISTORIES = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20
BEFORE, NEW, WINDOW = 10, 70, 60


def plain(noise):
    return lambda rng, n: [(100 * math.exp(rng.gauss(0, noise)), 0) for _ in range(n)]


def ci_like(rng, n):
    return [(100 * math.exp(rng.gauss(0, 0.03)) * (rng.uniform(1.2, 1.6) if rng.random() < 0.1 else 1), 0) for _ in range(n)]


def machines(many):
    def make(rng, n):
        kinds = [rng.randrange(many) for _ in range(n)]
        return [(100 * (1 + 0.6 * k) * math.exp(rng.gauss(0, 0.05)), k) for k in kinds]
    return make


def autoregressive(rho):
    def make(rng, n):
        x, out = 0, []
        for _ in range(n):
            x = rho * x + rng.gauss(0, 0.05)
            out.append((100 * math.exp(x), 0))
        return out
    return make


def bursts(rng, n):
    """A machine that is 15 % slower for five runs now and then."""
    slow, out = 0, []
    for _ in range(n):
        slow = 5 if slow <= 0 and rng.random() < 0.04 else slow - 1
        out.append((100 * (1.15 if slow > 0 else 1) * math.exp(rng.gauss(0, 0.04)), 0))
    return out


def drift(rng, n):
    return [(100 * (1 + 0.0005 * i) * math.exp(rng.gauss(0, 0.05)), 0) for i in range(n)]


def rounded(rng, n):
    return [(max(1, round(8 * math.exp(rng.gauss(0, 0.05)))), 0) for _ in range(n)]


# Sizes of inputs, in GB: the values follow them.
SIZES = {'one size': lambda rng, i: 1, 'two sizes': lambda rng, i: rng.choice((1, 3)), 'log-uniform': lambda rng, i: 10 ** rng.uniform(-1, 1),
         'a jump': lambda rng, i: 1 if i < 45 else 3, 'growing': lambda rng, i: 1 + i / 40}


def with_inputs(sizes, make):
    def of(rng, n):
        return [(v * (0.3 + 0.4 * x), s, x * 1e9) for i, (v, s) in enumerate(make(rng, n)) for x in (sizes(rng, i),)]
    return of


KINDS = {'2 %': plain(0.02), '5 %': plain(0.05), '15 %': plain(0.15), 'CI-like': ci_like, 'two machines': machines(2),
         'three machines': machines(3), 'AR(1), 0.5': autoregressive(0.5), 'slow drift': drift, 'whole seconds': rounded}

MORE = {'AR(1), 0.7': autoregressive(0.7), 'bursts': bursts}


def found(histories):
    """The change points of each history as it is at each new run: [history][run] of sets of places."""
    text = '\n\n'.join(' '.join(':'.join(map(repr, row)) for row in h[max(0, end - WINDOW):end])
                       for h in histories for end in range(BEFORE + 1, len(h) + 1)) + '\n\n'
    lines = iter(subprocess.run([CLI], input=text, capture_output=True, text=True, check=True).stdout.split('\n\n'))
    out = []
    for h in histories:
        runs = []
        for end in range(BEFORE + 1, len(h) + 1):
            line = next(lines).strip()
            first = max(0, end - WINDOW)
            runs.append([first + int(p.split()[0]) for p in line.split('; ') if p[0] != '-' and 'machine' not in p])
        out.append(runs)
    return out


def false_alarms(rng, make, histories):
    """Per 1,000 runs."""
    alarms = 0
    for runs in found([make(rng, BEFORE + NEW) for _ in range(histories)]):
        seen = []
        for places in runs:
            for at in places:
                alarms += all(abs(at - s) > 2 for s in seen)
                seen.append(at)
    return 1000 * alarms / (histories * NEW)


def main():
    rng, worst = random.Random(39), 0
    print(' %-16s %s' % ('nothing changed', 'alarms per 1,000 runs'))
    for name, make in KINDS.items():
        rate = false_alarms(rng, make, HISTORIES)
        worst = max(worst, rate if name not in ('slow drift', 'AR(1), 0.5') else 0)
        print(' %-16s %6.2f' % (name, rate))
    print(' %-16s %s' % ('but the inputs', ' '.join('%12s' % name[:12] for name in KINDS)))
    for size, sizes in SIZES.items():
        rates = [false_alarms(rng, with_inputs(sizes, make), max(1, HISTORIES // 10)) for make in KINDS.values()]
        print(' %-16s %s' % (size, ' '.join('%12.2f' % rate for rate in rates)))
    print(' %-16s %s' % ('a step', 'found within 9, 15 runs; runs until then; placed within 2'))
    for name, by in (('5 %', 1.2), ('CI-like', 1.2), ('two machines', 1.2), ('AR(1), 0.5', 1.2), ('two sizes', 1.2),
                     ('AR(1), 0.5', 1.5), ('AR(1), 0.7', 1.5), ('bursts', 1.5)):
        after, near = [], 0
        make = {**KINDS, **MORE}.get(name) or with_inputs(SIZES[name], KINDS['5 %'])
        histories = [[(row[0] * (by if i >= 50 else 1), *row[1:]) for i, row in enumerate(make(rng, 70))]
                     for _ in range(HISTORIES)]
        for runs in found(histories):
            hits = [(end, at) for end, places in enumerate(runs, BEFORE + 1) for at in places if abs(at - 50) <= 5]
            if hits:
                after.append(hits[0][0] - 50)
                near += abs(hits[0][1] - 50) <= 2
        within = lambda most: 100 * sum(a <= most for a in after) / HISTORIES
        print(' %-16s %3.0f %% %3.0f %%  %s  %3.0f %%' % ('+%.0f %%, %s' % (100 * by - 100, name), within(9), within(15),
              sorted(after)[len(after) // 2] if after else '-', 100 * near / max(1, len(after))))
    return worst > 1


if __name__ == '__main__':
    sys.exit(main())
