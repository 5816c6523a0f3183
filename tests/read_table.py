"""Reads a distance from a full 3x3 table with the goal 123456780, by FORMAT.md alone."""
import mmap, struct, sys, zlib

with open(sys.argv[1], "rb") as file:
    table = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
fields = struct.unpack_from("<8sI6BH3QQ", table)
(magic, version, kind, metric, encoding, rows, cols, home, radius, boards, payload, size, levels) = fields
assert magic == b"\x89TLB\r\n\x1a\n" and version == 1, "not a table of version 1"
assert (kind, metric, rows, cols, home) == (1, 1, 3, 3, 8), "another table"
assert len(table) == size and zlib.crc32(table[:4092]) == struct.unpack_from("<I", table, 4092)[0]
blocks = [table[at : min(at + 65536, 4096 + payload)] for at in range(4096, 4096 + payload, 65536)]
checksums = table[4096 + payload : -4]
assert checksums == b"".join(struct.pack("<I", zlib.crc32(block)) for block in blocks)
assert table[-4:] == struct.pack("<I", zlib.crc32(checksums))

snake = [0, 1, 2, 5, 4, 3, 6, 7, 8]
goal = [int(digit) for digit in "123456780"]
labels = {tile: label for label, tile in enumerate(goal[cell] for cell in snake if goal[cell])}


def index(board):
    """The blank's place, and half the rank of the arrangement."""
    arrangement = [labels[board[cell]] for cell in snake if board[cell]]
    rank = 0
    for position, label in enumerate(arrangement):
        rank = rank * (8 - position) + sum(later < label for later in arrangement[position:])
    return snake.index(board.index(0)), rank // 2


def bit(board):
    place, rank = index(board)
    (word,) = struct.unpack_from("<Q", table, 4096 + 8 * (rank // 60 * 9 + place))
    return word >> rank % 60 & 1


def neighbors(board):
    blank = board.index(0)
    for cell in range(9):
        if abs(cell // 3 - blank // 3) + abs(cell % 3 - blank % 3) == 1:
            after = list(board)
            after[blank], after[cell] = board[cell], 0
            yield after


board = [int(digit) for digit in sys.argv[2]]
if encoding == 1:
    place, rank = index(board)
    print(table[4096 + place * 20160 + rank])
elif encoding == 2:
    odd = (snake.index(board.index(0)) - snake.index(8)) % 2
    residue, moves = 2 * bit(board) + odd, 0
    while board != goal:
        residue, moves = (residue - 1) % 4, moves + 1
        board = next(after for after in neighbors(board) if bit(after) == residue // 2)
    print(moves)
