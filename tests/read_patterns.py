"""Reads a pattern database by the words of FORMAT.md: read_patterns.py FILE < POSITIONS

A position is the tiles of a board of the table's own goal in row-major order, 0 for the blank. For each the sum of
the distances of all patterns is printed.
"""

import struct
import sys
import zlib
from itertools import combinations
from math import factorial

data = open(sys.argv[1], "rb").read()
magic, version, kind, metric, encoding, rows, cols, home, radius, entries, payload, length, levels = struct.unpack(
    "<8sIBBBBBBHQQQQ", data[:52]
)
assert magic == b"\x89TLB\r\n\x1a\n" and (version, kind, metric, encoding) == (1, 2, 1, 2)
assert zlib.crc32(data[:4092]) == struct.unpack("<I", data[4092:4096])[0]
assert length == len(data) and levels == radius + 1
at = 52 + 8 * levels
histogram = struct.unpack(f"<{levels}Q", data[52:at])
assert sum(histogram) == entries
cells = rows * cols
assert struct.unpack("<Q", data[at : at + 8])[0] == cells
numbers = data[at + 8 : at + 8 + cells]
words = data[4096 : 4096 + payload]

snake = [row * cols + (col if row % 2 == 0 else cols - 1 - col) for row in range(rows) for col in range(cols)]
place_of = {cell: place for place, cell in enumerate(snake)}
beside = {place: set() for place in range(cells)}
for cell in range(cells):
    for other in range(cells):
        if abs(cell // cols - other // cols) + abs(cell % cols - other % cols) == 1:
            beside[place_of[cell]].add(place_of[other])
goal = list(range(1, cells))
goal.insert(home, 0)


def regions_of(footprint):
    free, regions = set(range(cells)) - set(footprint), []
    while free:
        region, fresh = set(), {min(free)}
        while fresh:
            region |= fresh
            fresh = {near for place in fresh for near in beside[place] if near in free} - region
        free -= region
        regions.append(region)
    return sorted(regions, key=lambda region: (-len(region), min(region)))


def is_odd(footprint):
    return sum(place % 2 for place in footprint) % 2


class Pattern:
    def __init__(self, number, start):
        self.home = tuple(place for place in range(cells) if numbers[snake[place]] == number)
        self.label = {goal[snake[place]]: label for label, place in enumerate(self.home)}
        self.start, self.size = start, len(self.home)
        all_footprints = sorted(combinations(range(cells), self.size), key=lambda f: sum(1 << p for p in f))
        self.plane = {}
        for color in (0, 1):
            for footprint in all_footprints:
                if is_odd(footprint) == color:
                    for region in regions_of(footprint):
                        self.plane[footprint, min(region)] = len(self.plane)
        self.words = 2 * len(self.plane) * max(1, factorial(self.size) // 120)

    def modulo(self, tiles, blank):
        """Of the distance, where tiles are a dictionary from places to labels."""
        footprint = tuple(sorted(tiles))
        order = [tiles[place] for place in footprint]
        digits = [sum(b < a for b in order[k:]) for k, a in enumerate(order)]
        rank = sum(digit * factorial(self.size - 1 - k) for k, digit in enumerate(digits))
        region = next(region for region in regions_of(footprint) if blank in region)
        plane, parity, half = self.plane[footprint, min(region)], sum(digits) % 2, rank // 2
        word = half // 60 * 2 * len(self.plane) + 2 * plane + parity
        (bits,) = struct.unpack("<Q", words[self.start + 8 * word :][:8])
        lowest = (is_odd(footprint) + is_odd(self.home)) % 2
        return 2 * (bits >> (half % 60) & 1) + lowest, region

    def distance(self, tiles, blank):
        moves = 0
        while True:
            modulo, region = self.modulo(tiles, blank)
            if tuple(sorted(tiles)) == self.home and place_of[home] in region:
                if all(tiles[place] == label for label, place in enumerate(self.home)):
                    return moves
            for to in region:
                for place in beside[to] & set(tiles):
                    after = {**tiles, to: tiles[place]}
                    del after[place]
                    if self.modulo(after, place)[0] == (modulo - 1) % 4:
                        break
                else:
                    continue
                break
            tiles, blank, moves = after, place, moves + 1


patterns, start = [], 0
for number in range(1, max(numbers) + 1):
    patterns.append(Pattern(number, start))
    start += 8 * patterns[-1].words
assert start == payload

for line in sys.stdin:
    board = [int(tile) for tile in line.split()]
    blank = place_of[board.index(0)]
    total = 0
    for pattern in patterns:
        cells_of = {place_of[board.index(tile)]: label for tile, label in pattern.label.items()}
        total += pattern.distance(cells_of, blank)
    print(total)
