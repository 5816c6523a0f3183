import java.util.*;

/** A* with Manhattan distance, as many articles show it. It reads boards of 3x3 and tells how it solved each. */
public class Solver {
    record Node(String board, int cost, int estimate) {}

    static final String GOAL = "123456780";

    static int manhattan(String board) {
        int sum = 0;
        for (int cell = 0; cell < 9; cell++) {
            int home = GOAL.indexOf(board.charAt(cell));
            if (board.charAt(cell) != '0') {
                sum += Math.abs(cell / 3 - home / 3) + Math.abs(cell % 3 - home % 3);
            }
        }
        return sum;
    }

    static List<String> neighbors(String board) {
        List<String> found = new ArrayList<>();
        int blank = board.indexOf('0');
        for (int cell = 0; cell < 9; cell++) {
            if (Math.abs(cell / 3 - blank / 3) + Math.abs(cell % 3 - blank % 3) == 1) {
                StringBuilder next = new StringBuilder(board);
                next.setCharAt(blank, board.charAt(cell));
                next.setCharAt(cell, '0');
                found.add(next.toString());
            }
        }
        return found;
    }

    static String solve(String start) {
        PriorityQueue<Node> open = new PriorityQueue<>(
            Comparator.comparingInt(Node::estimate).thenComparing(Node::board));
        Set<String> visited = new HashSet<>(Set.of(start));
        open.add(new Node(start, 0, manhattan(start)));
        while (!open.isEmpty()) {
            Node node = open.poll();
            if (node.board().equals(GOAL)) {
                return "Solved in %d moves, %d boards visited.".formatted(node.cost(), visited.size());
            }
            for (String next : neighbors(node.board())) {
                if (visited.add(next)) {
                    int cost = node.cost() + 1;
                    open.add(new Node(next, cost, cost + manhattan(next)));
                }
            }
        }
        return "There is no solution.";
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        while (in.hasNext()) {
            StringBuilder board = new StringBuilder();
            for (int cell = 0; cell < 9; cell++) {
                board.append(in.next());
            }
            System.out.println(solve(board.toString()));
        }
    }
}
