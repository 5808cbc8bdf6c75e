"""Histories of real programs: python3 programs.py BUILD FOLDER [RUNS]. A bench of its own, not one of tests/bench/run. Records each program RUNS times (45), in turns, so that
what the machine does meets all of them; some with inputs of other sizes, some beside programs that burn CPUs, some with
a change from a known run on. Then prints what the report of each new run says. Takes half an hour. Seeded, but for the machine."""
import gzip
import json
import os
import random
import shutil
import subprocess
import sys

BUILD, FOLDER, RUNS = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 45
CHANGE, FIRST = 30, 11
PLAIN = dict(inputs=False, burners=lambda rng, i: 0, change=None)
COUNT = 'import sys; n = {}; [n.__setitem__(w, n.get(w, 0) + 1) for line in open(sys.argv[1], "rb") for w in line.split()]'
KEEP = 'import sys; a = [w for line in open(sys.argv[1], "rb") for w in line.split()]; n = {w: a for w in a}'
LM = 'set.seed(1); x <- matrix(rnorm(3e5), 3000); for (i in 1:%d) lm.fit(x[, -1], x[, 1])'
TABLE = ['.mode csv', '.import @ t', 'select count(distinct c1) from t', 'create index i on t(c2)']
ROOT = os.path.dirname(os.path.abspath(__file__)) + '/../../..'
SOURCES = ' '.join(f'{ROOT}/report/{f}.c' for f in ('stats/history', 'history/change_points'))
GCC = 'for f in ' + SOURCES + '; do gcc -I' + ROOT + ' %s -c -o /dev/null $f; done'


def program(words, changed=None, **more):
    """WORDS before and from the change on; @ is the input."""
    return {**PLAIN, 'words': words, 'changed': changed, 'change': CHANGE if changed else None, **more}


PROGRAMS = {
    'gzip': program(['gzip', '-6', '-c', '@']),
    'gzip, inputs': program(['gzip', '-6', '-c', '@'], inputs=True),
    'gzip, -9 from 30': program(['gzip', '-6', '-c', '@'], ['gzip', '-9', '-c', '@']),
    'gzip, a third beside 3 burners': program(['gzip', '-6', '-c', '@'], burners=lambda rng, i: 3 if rng.random() < 0.35 else 0),
    'gzip, beside 4 burners from 30': program(['gzip', '-6', '-c', '@'], burners=lambda rng, i: 4 if i >= CHANGE else 0),
    'xz, inputs': program(['xz', '-1', '-c', '@'], inputs=True),
    'xz, inputs, -2 from 30': program(['xz', '-1', '-c', '@'], ['xz', '-2', '-c', '@'], inputs=True),
    'zstd, 2 threads': program(['zstd', '-q', '-9', '-T2', '-c', '@']),
    'sort, inputs': program(['sort', '--parallel=1', '@'], inputs=True),
    'sort, inputs, -S 8M from 30': program(['sort', '--parallel=1', '@'], ['sort', '--parallel=1', '-S', '8M', '@'], inputs=True),
    'sqlite': program(['sqlite3', ':memory:', *TABLE]),
    'sqlite, inputs, index from 30': program(['sqlite3', ':memory:', *TABLE], ['sqlite3', ':memory:', *TABLE, 'create index j on t(c1)'], inputs=True),
    'python, inputs': program([sys.executable, '-c', COUNT, '@'], inputs=True),
    'python, keeps a list from 30': program([sys.executable, '-c', COUNT, '@'], [sys.executable, '-c', KEEP, '@']),
    'gcc': program(['sh', '-c', GCC % '-O1']),
    'gcc, -O2 from 30': program(['sh', '-c', GCC % '-O1'], ['sh', '-c', GCC % '-O2']),
    'R': program(['Rscript', '-e', LM % 10]),
    'R, a fifth more from 30': program(['Rscript', '-e', LM % 10], ['Rscript', '-e', LM % 13]),
}


def make_pools():
    """Text of this machine, and a table: inputs are parts of them."""
    rng, text, table = random.Random(1), bytearray(), bytearray()
    files = sorted(os.path.join(d, f) for root in ('/usr/include', '/usr/lib/python3.11', '/usr/share/perl')
                   for d, _, files in os.walk(root) for f in files if f.endswith(('.h', '.py', '.pm', '.pl')))
    while len(text) < 120e6:
        with open(rng.choice(files), 'rb') as f:
            text += f.read(1 << 18)
    while len(table) < 40e6:
        table += b''.join(b'%d,%d,%s\n' % (rng.randrange(10**6), rng.randrange(10**9), b'word' * rng.randrange(5)) for _ in range(10000))
    return {'txt': bytes(text), 'csv': bytes(table)}


def write_input(path, pool, size, rng):
    begin = pool.index(b'\n', rng.randrange(int(len(pool) - size - 1e6))) + 1
    with open(path, 'wb') as out:
        out.write((b'c1,c2,c3\n' if path.endswith('.csv') else b'') + pool[begin:pool.index(b'\n', begin + int(size)) + 1])


def record(place, i, name, one, rng):
    kind = 'csv' if one['words'][0] == 'sqlite3' else 'txt'
    path = os.path.join(FOLDER, 'input.' + kind)
    size = {'sort': 24e6, 'zstd': 30e6, 'sqlite3': 6e6, 'xz': 6e6}.get(one['words'][0], 12e6)
    if one['inputs']:
        write_input(path, POOLS[kind], size * 2 ** rng.uniform(-1, 1), rng)
    else:
        write_input(path, POOLS[kind], size, random.Random(name))
    words = [w.replace('@', path) for w in (one['changed'] if one['changed'] and i >= CHANGE else one['words'])]
    burners = [subprocess.Popen([sys.executable, '-c', 'while 1: pass']) for _ in range(one['burners'](rng, i))]
    env = {k: v for k, v in os.environ.items() if not k.startswith(('CI', 'SLURM', 'RTRACK'))}
    got = subprocess.run([f'{BUILD}/rtrack-collect', '-i', '0.25', '--no-discover-cloud', *(['--input', path] if kind == 'csv' else []), '--name', 'job', '--tag', f'burners={len(burners)}',
                              '-o', os.path.join(place, f'{i:03}.json.gz'), '--', *(w.format(path) if '@' in w else w for w in words)],
                             stdout=subprocess.DEVNULL, env=env)
    for b in burners:
        b.kill()
        b.wait()
    if got.returncode:
        raise SystemExit(f'{name}: status {got.returncode}')


def record_all():
    global POOLS
    POOLS, rngs = make_pools(), {name: random.Random('x' + name) for name in PROGRAMS}
    for i in range(RUNS):
        for name, one in PROGRAMS.items():
            place = os.path.join(FOLDER, name.replace(' ', '_'))
            os.makedirs(place, exist_ok=True)
            if not os.path.exists(os.path.join(place, f'{i:03}.json.gz')):
                record(place, i, name, one, rngs[name])


MEASURES = ('duration', 'cpu', 'cpu_s', 'memory', 'bytes')


def report(place, i):
    """The history that a report of run i shows."""
    text = subprocess.run([f'{BUILD}/rtrack-report', '--offline', '--json', '-', '-c', os.path.join(place, f'{i:03}.json.gz'), place],
                          capture_output=True, check=True).stdout
    return json.loads(text)['trend']


def starts_of(place, runs):
    out = []
    for i in range(runs):
        with gzip.open(os.path.join(place, f'{i:03}.json.gz')) as f:
            row = json.load(f)['rtrack_row']
        out.append((row['start'], row))
    return out


def judge(name, one):
    """A line of the table, and what is to be added up."""
    place = os.path.join(FOLDER, name.replace(' ', '_'))
    runs = sorted(f for f in os.listdir(place) if f.endswith('.json.gz'))
    starts = starts_of(place, len(runs))
    seen, found, sums = {m: [] for m in MEASURES}, {}, dict(judged=0, unusual=0, alarms=0)
    alarms = []
    for i in range(FIRST, len(runs)):
        trend = report(place, i)
        for change in trend['changes']:
            if change['machine'] or change['waited']:
                continue
            at = min(range(len(starts)), key=lambda k: abs(starts[k][0] - change['since']['unix']))
            m = change['id']
            if one['change'] and abs(at - one['change']) <= 2:
                found.setdefault(m, f"{m} {change['percent']:+.0f}% after {i - one['change'] + 1} (at {at})")
            elif all(abs(at - s) > 2 for s in seen[m]):
                seen[m].append(at)
                alarms.append(f"{m} {change['percent']:+.1f}% at {at}, run {i}")
        for m in trend['measures']:
            if m['id'] in MEASURES and m['word'] in ('as usual', 'unusual', 'changed'):
                sums['judged'] += 1
                sums['unusual'] += m['word'] == 'unusual'
    sums['alarms'] = len(alarms)
    contended = sum((row['contended_s'] or 0) > 0.05 * row['wall_s'] for _, row in starts)
    print(' %-34s %3d  %s' % (name, contended, '; '.join(found.values()) or ('-' if one['change'] else '')))
    for a in alarms:
        print(' %-34s      alarm: %s' % ('', a))
    return sums


def judge_all():
    print(' %-34s %s' % ('', f'contended of {RUNS}; the change from run {CHANGE} on, as found'))
    sums = [judge(name, one) for name, one in PROGRAMS.items()]
    total = {k: sum(s[k] for s in sums) for k in sums[0]}
    print(' %d judged measures: %d alarms, %.1f per 1,000; unusual %d' %
          (total['judged'], total['alarms'], 1000 * total['alarms'] / max(1, total['judged']), total['unusual']))


if __name__ == '__main__':
    record_all()
    judge_all()
