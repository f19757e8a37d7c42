#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Subgroups of random small tables against listing all of them, and against the same table with its
columns in another order: which there are, and how many positives and negatives each has, exactly.

    bench/agree/subgroups.py [--cairn BUILD/cairn] [--cases 2000]"""
import argparse, itertools, json, os, random, subprocess, tempfile

def listed(rows, columns, weights, depth):
    """The subgroups that need all their conditions, with their counts."""
    literals = sorted({(c, r[c]) for r in rows for c in columns})
    def cover(group):
        return [i for i, r in enumerate(rows) if all(r[c] == v for c, v in group)]
    def size(group):
        return sum(weights[i] for i in cover(group))
    found = {}
    for n in range(1, depth + 1):
        for group in itertools.combinations(literals, n):
            if len({c for c, _ in group}) < n or size(group) < 1:
                continue
            if n > 1 and any(size([g for g in group if g != x]) <= size(group) for x in group):
                continue
            counts = [0, 0]
            for i in cover(group):
                counts[rows[i]['y'] != 'p'] += weights[i]
            found[frozenset(group)] = tuple(counts)
    return found

def told(cairn, path, depth):
    run = subprocess.run([cairn, 'compute', 'subgroups', path, '--target', 'y', '--positive', 'p', '--weight', 'w',
                          '--depth', str(depth), '--top', '1000', '--test', 'none', '--format', 'json'],
                         capture_output=True, text=True)
    if run.returncode:
        return run.stderr
    values, found = json.loads(run.stdout)['values'], {}
    for name, value in values.items():
        if name.startswith('group.') and name.endswith('.positives'):
            key = name[len('group.'):-len('.positives')]
            group = frozenset(tuple(part.split(' = ')) for part in key.split(' & '))
            found[group] = (value, values['group.%s.negatives' % key])
    return found

def main():
    options = argparse.ArgumentParser()
    options.add_argument('--cairn', default='build/cairn')
    options.add_argument('--cases', type=int, default=2000)
    options = options.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 't.csv')
        for case in range(options.cases):
            draw = random.Random(case)
            columns = ['a', 'b', 'c', 'd'][:draw.randint(1, 4)]
            rows = [{c: draw.choice('uvx'[:draw.randint(1, 3)]) for c in columns} for _ in range(draw.randint(4, 12))]
            for i, row in enumerate(rows):
                row['y'] = 'pn'[i % 2] if i < 2 else draw.choice('pn')
            weights = [draw.randint(1, 3) for _ in rows] if case % 2 else [1] * len(rows)
            depth = draw.randint(1, 3)
            wanted = listed(rows, columns, weights, depth)
            for order in (columns, columns[::-1]):
                with open(path, 'w') as file:
                    file.write(','.join(order + ['w', 'y']) + '\n')
                    for row, w in zip(rows, weights):
                        file.write(','.join([row[c] for c in order] + [str(w), row['y']]) + '\n')
                found = told(os.path.abspath(options.cairn), path, depth)
                if found != wanted:
                    bad += 1
                    print('case %d, columns %s: %s, not %s' % (case, order, found, wanted))
                    break
    print('%d cases, %d differ' % (options.cases, bad))
    return 1 if bad else 0

raise SystemExit(main())
