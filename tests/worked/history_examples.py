"""Change points by the rules of docs/history.md, with the standard library alone: it shares nothing with the program
but these rules. `history_examples.py inputs` prints pages of measures, `history_examples.py` what is found on them."""
import math
import random
import statistics
import sys

SHUFFLES, LEAST, STEP = 2000, 5, 0.05


class Pcg32:
    def __init__(self):
        self.state, self.increment = 0, (54 << 1) | 1
        self.next()
        self.state = (self.state + 42) % 2**64
        self.next()

    def next(self):
        old = self.state
        self.state = (old * 6364136223846793005 + self.increment) % 2**64
        shifted, rotate = (((old >> 18) ^ old) >> 27) % 2**32, old >> 59
        return ((shifted >> rotate) | (shifted << (-rotate % 32))) % 2**32

    def shuffle(self, v):
        for i in range(len(v), 1, -1):
            k = self.next() * i >> 32
            v[i - 1], v[k] = v[k], v[i - 1]


def widest(rank):
    n = len(rank)
    mean = (n + 1) / 2
    s2 = sum((r - mean) ** 2 for r in rank) / (n - 1)
    best, at, left = 0, 0, 0
    for t in range(1, n - LEAST + 1):
        left += rank[t - 1] - mean
        if t >= LEAST and left * left * n / (s2 * t * (n - t)) > best:
            best, at = left * left * n / (s2 * t * (n - t)), t
    return best, at


def spread(x):
    median = statistics.median(x)
    total = 0.0
    for v in x:
        total += abs(v - median)
    return total


def settle(x, at):
    """Ranks place a split too near to the middle: where the values are nearest to the medians of both sides."""
    def distance(t):
        return spread(x[:t]) + spread(x[t:])
    best, least = at, distance(at)
    for t in range(max(LEAST, at - 3), min(at + 3, len(x) - LEAST) + 1):
        if distance(t) < least:
            best, least = t, distance(t)
    return best


def split(x, shuffles, most):
    """(p, where); p is 1 if it is larger than most / shuffles."""
    if len(x) < 2 * LEAST:
        return 1, 0
    rank = [sum(b < a for b in x) + (sum(b == a for b in x) + 1) / 2 for a in x]
    if len(set(rank)) == 1:
        return 1, 0
    z2, at = widest(rank)
    if not z2:
        return 1, 0
    rng, wide = Pcg32(), 1
    for _ in range(shuffles - 1):
        if wide > most:
            break
        rng.shuffle(rank)
        wide += widest(rank)[0] >= z2
    return (wide / shuffles, settle(x, at)) if wide <= most else (1, 0)


def split_all(x, first, p, at):
    found = [(first + at, p)]
    for begin, side in ((0, x[:at]), (at, x[at:])):
        its = split(side, SHUFFLES, 1)
        if its[0] < 1:
            found += split_all(side, first + begin, *its)
    return sorted(found)


def clearness(x, begin, at, end):
    left, right = statistics.median(x[begin:at]), statistics.median(x[at:end])
    sides = [[v - left for v in x[begin:at]], [v - right for v in x[at:end]]]
    noise = 1.4826 * statistics.median(abs(d) for side in sides for d in side)
    if not noise:
        return abs(math.expm1(right - left)) / STEP
    near = [[max(min(d, 3 * noise), -3 * noise) for d in side] for side in sides]
    products = sum(a * b for side in near for a, b in zip(side, side[1:]))
    rho = products / sum(d * d for side in near for d in side) + 7 / (end - begin)
    rho = min(max(0, rho), 0.54)
    return min(abs(math.expm1(right - left)) / STEP, abs(right - left) / noise / ((1 + rho) / (1 - rho)) ** 1.5)


def clear(x, points):
    points = list(points)
    while points:
        edges = [0] + [at for at, _ in points] + [len(x)]
        least = [clearness(x, *three) for three in zip(edges, edges[1:], edges[2:])]
        if min(least) >= 1:
            break
        del points[least.index(min(least))]
    return points


def search(page):
    """page: measures, each a list of (value, stratum, input, share of waiting). The logarithms, levels and change points of each."""
    xs, levels = [], []
    for rows in page:
        level = {r[1]: statistics.median(math.log(q[0]) for q in rows if q[1] == r[1]) for r in rows}
        xs.append([math.log(r[0]) - level[r[1]] for r in rows])
        levels.append(level)
    tests = sum(len(x) >= 2 * LEAST for x in xs)
    first = [split(x, SHUFFLES * tests, tests) for x in xs]
    found = [[] for _ in page]
    for rank, i in enumerate(sorted(range(len(page)), key=lambda i: first[i][0])):
        p = first[i][0]
        if p == 1 or p * SHUFFLES * (tests - rank) > 1 + 1e-9:
            break
        found[i] = clear(xs[i], split_all(xs[i], 0, *first[i]))
    return list(zip(xs, levels, found))


def line(points):
    """Least squares: (value at x, slope, r², mean of x)."""
    n = len(points)
    mx, my = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    sxx, syy = sum((x - mx) ** 2 for x, _ in points), sum((y - my) ** 2 for _, y in points)
    sxy = sum((x - mx) * (y - my) for x, y in points)
    if not sxx:
        return None, 0, 0, mx
    least = min(y for _, y in points)
    return lambda x: max(my + sxy / sxx * (x - mx), least), sxy / sxx, sxy**2 / sxx / syy if syy else 0, mx


def same_input(rows):
    """The rows as they would be with the last one's input; None if no line over the input is usable."""
    if len(rows) < 2 * LEAST or not all(len(r) > 2 for r in rows):
        return None
    at, slope, r2, mx = lambda x: 1, 0, 0, 0
    for turn in range(3):
        off = [math.log(r[0] / at(r[2])) for r in rows]
        level = {s[1]: statistics.median(o for o, r in zip(off, rows) if r[1] == s[1]) for s in rows}
        off = [o - level[r[1]] for o, r in zip(off, rows)]
        most = 2 * 1.4826 * statistics.median(map(abs, off))
        points = [(r[2], at(r[2]) * math.exp(max(min(o, most), -most) if turn else o)) for o, r in zip(off, rows)]
        at, slope, r2, mx = line(points)
        if not slope > 0:
            return None
    alone = any(len({x for k, (x, _) in enumerate(points) if k != i}) == 1 for i in range(len(points)))
    if r2 < 0.3 or alone or slope * mx > 3 * at(mx):
        return None
    return [(r[0] * at(rows[-1][2]) / at(r[2]), *r[1:]) for r in rows]


def unexplained(x, points, slopes):
    edges = [0] + [at for at, _ in points] + [len(x)]
    d = sum(spread(x[a:b]) for a, b in zip(edges, edges[1:])) / len(x)
    return 2 * len(x) * math.log(d + STEP) + (2 * len(points) + slopes) * math.log(len(x))


def find(page):
    """The change points of each measure, and whether they are of runs with the same input."""
    same = [same_input(rows) for rows in page]
    plain = search(page)
    again = search([q or rows for rows, q in zip(page, same)]) if any(same) else plain
    out = []
    for rows, q, (x, level, points), (x_same, level_same, points_same) in zip(page, same, plain, again):
        if q and unexplained(x_same, points_same, 1) < unexplained(x, points, 0):
            out.append((describe(q, x_same, level_same, points_same), True))
        else:
            out.append((describe(rows, x, level, points), False))
    return out


def describe(rows, x, level, points):
    edges = [0] + [at for at, _ in points] + [len(x)]
    out = []
    for (at, p), begin, end in zip(points, edges, edges[2:]):
        pairs = sorted(b - a for a in x[begin:at] for b in x[at:end])
        m, n = at - begin, end - at
        edge = m * n / 2 - 1.959964 * math.sqrt(m * n * (m + n + 1) / 12)
        cut = int(edge) - 1 if edge >= 1 else 0
        here = level[rows[-1][1]]
        machine = not {r[1] for r in rows[begin:at]} & {r[1] for r in rows[at:end]}
        step = math.expm1(statistics.median(pairs))
        waited = [statistics.median(r[3] if len(r) > 3 else 0 for r in part) for part in (rows[begin:at], rows[at:end])]
        longer = waited[1] - waited[0]
        busy = longer * step > 0 and abs(math.log1p(step)) <= 5 * abs(longer)
        out.append('%d p=%.6f %.6g->%.6g %.6f [%.6f,%.6f]%s%s' % (
            at, p, math.exp(here + statistics.median(x[begin:at])), math.exp(here + statistics.median(x[at:end])),
            step, math.expm1(pairs[cut]), math.expm1(pairs[-1 - cut]),
            ' machine' if machine else '', ' waited' if busy else ''))
    return out


def pages():
    rng = random.Random(20261129)
    noisy = lambda n, noise: [100 * math.exp(rng.gauss(0, noise)) for _ in range(n)]
    step = lambda v, at, by: [x * by if i >= at else x for i, x in enumerate(v)]
    same = lambda v: [(x, 0) for x in v]
    yield [same(noisy(60, 0.05)) for _ in range(5)]
    yield [same(step(noisy(60, 0.05), 51, 1.2)), same(noisy(60, 0.05)), same(step(noisy(60, 0.02), 30, 0.9))]
    yield [same(step(step(noisy(60, 0.03), 20, 1.3), 40, 0.8))]
    yield [same(step(noisy(n, 0.01), n // 2, 1.5)) for n in (5, 9, 10, 14, 20)]
    yield [[(v * (1.6 if i % 2 else 1), i % 2) for i, v in enumerate(step(noisy(48, 0.04), 40, 1.25))]]
    yield [[(v * (1.6 if i >= 25 else 1), i // 25) for i, v in enumerate(noisy(50, 0.04))]]
    yield [[(v, i // 20) for i, v in enumerate(step(noisy(50, 0.04), 35, 1.4))]]
    yield [same([round(v / 20) for v in step(noisy(50, 0.05), 40, 1.5)]), same([7.0] * 30)]
    ar = [0.0]
    for _ in range(59):
        ar.append(0.8 * ar[-1] + rng.gauss(0, 0.05))
    yield [same([100 * math.exp(a) for a in ar]), same(step(noisy(19, 0.05), 9, 2))]
    sized = lambda v, sizes: [(x * (30 + 4e-8 * b) / 100, 0, b) for x, b in zip(v, sizes)]
    block = [1e9 if i < 30 else 3e9 for i in range(60)]
    mixed = [rng.choice((1e9, 2.5e9)) for _ in range(60)]
    grown = [1e9 + 3e7 * i for i in range(60)]
    # Larger inputs alone; a step beside them; a step and inputs that it does not follow; inputs that hardly differ.
    yield [sized(noisy(60, 0.03), block), sized(noisy(60, 0.03), mixed), sized(noisy(60, 0.03), grown)]
    yield [sized(step(noisy(60, 0.03), 45, 1.2), mixed), sized(step(noisy(60, 0.04), 20, 0.8), grown)]
    yield [[(x, 0, b) for x, b in zip(step(noisy(60, 0.03), 40, 1.3), grown)]]
    yield [[(x, 0, b) for x, b in zip(step(noisy(60, 0.03), 30, 1.3), [1e9 + 1e5 * i for i in range(60)])]]
    outliers = [x * (1.5 if i % 9 == 4 else 1) for i, x in enumerate(noisy(55, 0.03))]
    yield [[(v * (1 + i % 2), i % 2, b) for i, (v, _, b) in enumerate(sized(outliers, block))]]
    # CPU time beside other programs: as much longer as they may make it, a step that is more, one the other way.
    waits = lambda v, at, a, b: [(x, 0, 1e9, b if i >= at else a) for i, x in enumerate(v)]
    yield [waits(step(noisy(60, 0.03), 40, 1.3), 40, 0.1, 0.6), waits(step(noisy(60, 0.03), 40, 2.5), 40, 0.5, 0.6),
           waits(step(noisy(60, 0.03), 40, 1.3), 40, 0.6, 0.1), waits(step(noisy(60, 0.03), 40, 0.8), 40, 0.6, 0.1)]
    # A step of more than six times the noise, whatever neighbours are like.
    like = [0.0]
    for _ in range(59):
        like.append(0.8 * like[-1] + rng.gauss(0, 0.05))
    yield [same(step([100 * math.exp(a) for a in like], 40, by)) for by in (1.2, 2.2)]
    yield [[(round(v / 12), 0, b) for v, _, b in sized(noisy(60, 0.05), grown)], sized(noisy(12, 0.03), grown)]


if __name__ == '__main__':
    for page in pages():
        if sys.argv[1:] == ['inputs']:
            for rows in page:
                print(' '.join(':'.join(map(repr, row)) for row in rows))
        else:
            for points, same in find(page):
                print(('; '.join(points) or '-') + (' same input' if same else ''))
        print()
