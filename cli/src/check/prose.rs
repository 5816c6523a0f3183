//! Words for answers, in the languages of many people.

/// Words for moves, in a pattern.
macro_rules! moves {
    () => {
        "(?:moves?|steps?|length|depth|cost|移动次数|移动步数|步数|步數|步|手数|手|번|이동|movimientos|pasos|mouvements|coups\
         |züge|schritte|ходов|шагов|movimentos|passos|hamle|langkah)"
    };
}

/// A pattern for words that call a board unsolvable.
pub(crate) const UNSOLVABLE: &str = "(?i)unsolvable|insolvable|insoluble|infeasible|not solvable|no solution\
    |no path (?:found|exists)|can ?not be solved|can[’']t be solved|无解|無解|没有解|不可解|不能到达|无法到达\
    |解なし|해가 없|풀 수 없|sin solución|no tiene solución|pas de solution|unlösbar|keine lösung\
    |nicht lösbar|нет решения|sem solução|insolúvel";

/// Patterns for a number of moves, which is their first group: `moves needed: 5`, `5 moves`, `depth 5`.
pub(crate) const MOVES: [&str; 3] = [
    concat!("(?i)", moves!(), r"[^\d\n:=：]{0,30}(?:[:=：]|\bis\b|\bwas\b)[ \t]*(-?\d+)"),
    concat!(r"(?i)(-?\d+)[ \t]*", moves!()),
    r"(?i)\b(?:length|depth|cost)[ \t]+(\d+)",
];
