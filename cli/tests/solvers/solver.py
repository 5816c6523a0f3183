"""Solvers of the 8-puzzle, right and wrong ones: python3 solver.py KIND.

Reads a position in digits from each line of standard input, and prints the length of a solution for each.
"""

import heapq
import sys
import time

GOAL = "123456780"


def neighbors(board):
    blank = board.index("0")
    row, column = divmod(blank, 3)
    for there, inside in (
        (blank - 3, row > 0),
        (blank + 3, row < 2),
        (blank - 1, column > 0),
        (blank + 1, column < 2),
    ):
        if inside:
            cells = list(board)
            cells[blank], cells[there] = cells[there], cells[blank]
            yield "".join(cells)


def manhattan(board):
    return sum(
        abs(cell // 3 - GOAL.index(tile) // 3) + abs(cell % 3 - GOAL.index(tile) % 3)
        for cell, tile in enumerate(board)
        if tile != "0"
    )


def is_solvable(board):
    tiles = [tile for tile in board if tile != "0"]
    inversions = sum(tiles[j] < tiles[i] for i in range(8) for j in range(i + 1, 8))
    return inversions % 2 == 0


def a_star(start, closes_on_expansion):
    """The length of a solution; the shortest, if boards are closed when they are expanded."""
    open_boards = [(manhattan(start), start, 0)]
    closed = set() if closes_on_expansion else {start}
    while open_boards:
        _, board, cost = heapq.heappop(open_boards)
        if board == GOAL:
            return cost
        if closes_on_expansion:
            if board in closed:
                continue
            closed.add(board)
        for next_board in neighbors(board):
            if next_board not in closed:
                if not closes_on_expansion:
                    closed.add(next_board)
                heapq.heappush(open_boards, (cost + 1 + manhattan(next_board), next_board, cost + 1))
    return None


def all_distances():
    distances, level = {GOAL: 0}, [GOAL]
    while level:
        found = []
        for board in level:
            for next_board in neighbors(board):
                if next_board not in distances:
                    distances[next_board] = distances[board] + 1
                    found.append(next_board)
        level = found
    return distances


def answers(kind):
    """What a solver of a kind prints for each board."""
    if kind == "right":
        return lambda board: a_star(board, True) if is_solvable(board) else "unsolvable"
    if kind == "marks-on-generation":
        return lambda board: a_star(board, False) if is_solvable(board) else "unsolvable"
    if kind == "hangs-on-unsolvable":
        return lambda board: a_star(board, True) if is_solvable(board) else time.sleep(600)
    if kind == "says-unsolvable":
        return lambda board: "unsolvable"
    if kind == "prose":
        return lambda board: f"Searching...\nSolved after {a_star(board, True)} moves, 17 boards visited."
    if kind == "garbage":
        return lambda board: "a banana"
    if kind == "crashes":
        return lambda board: [][0] if board.endswith("8") else a_star(board, True)
    if kind == "holds-back" or kind == "table":
        distances = all_distances()
        return lambda board: distances.get(board, -1)
    sys.exit(f"there is no solver {kind}")


def main():
    kind = sys.argv[1]
    answer = answers(kind)
    for line in sys.stdin:
        print(answer(line.strip()), flush=kind != "holds-back")


main()
