//! The search tree: the boards that a search has met, with the best known path to each.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::{
    index::space::Space,
    puzzle::{board::Board, moves::Move},
};

/// The number of the root.
pub(super) const ROOT: u32 = 0;

/// The boards that were met, each with its node. They are numbered in the order in which they were met.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<(Board, Node)>,
    numbers: Numbers,
}

/// How a board was reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The number of moves from the root.
    pub(super) g: u32,
    /// The last move; `None` for the root.
    pub(super) step: Option<Move>,
    /// Whether the board is open: it waits to be expanded.
    pub(super) is_open: bool,
}

/// The number of each board that was met.
#[derive(Debug)]
enum Numbers {
    /// A slot for each board of the space, by its index. This is for small shapes; a hash table takes three times as
    /// long.
    Slots { space: Box<Space>, pages: Vec<Option<Box<Page>>> },
    /// A hash table, for large shapes.
    Hashed { table: HashTable<u32>, hasher: DefaultHashBuilder },
}

/// The slots of boards with neighbouring indices. A search that meets few boards allocates few pages.
type Page = [u32; PAGE];
const PAGE: usize = 512;
/// The number in the slot of a board that was not met.
const NONE: u32 = u32::MAX;
/// The most cells of a shape that is small.
const MAX_CELLS: usize = 10;

impl Tree {
    pub(super) fn new(root: &Board) -> Self {
        let is_small = root.shape().cells() <= MAX_CELLS;
        let numbers = match Space::new(root) {
            Ok(space) if is_small => Numbers::Slots {
                pages: vec![None; (space.boards() as usize).div_ceil(PAGE)],
                space: Box::new(space),
            },
            _ => Numbers::Hashed { table: HashTable::new(), hasher: DefaultHashBuilder::default() },
        };
        let mut tree = Self { nodes: Vec::new(), numbers };
        tree.meet(root, Node { g: 0, step: None, is_open: true });
        tree
    }

    pub(super) fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Adds a board that the root can reach, with a node. Returns its number, and its old node if the board was
    /// met before.
    pub(super) fn meet(&mut self, board: &Board, node: Node) -> (u32, Option<&mut Node>) {
        let next = self.nodes.len() as u32;
        let id = match &mut self.numbers {
            Numbers::Slots { space, pages } => {
                let index = space.index(board).expect("moves stay in a space").get() as usize;
                let page = pages[index / PAGE].get_or_insert_with(|| Box::new([NONE; PAGE]));
                let slot = &mut page[index % PAGE];
                if *slot == NONE {
                    *slot = next;
                }
                *slot
            }
            Numbers::Hashed { table, hasher } => {
                let is_it = |&id: &u32| self.nodes[id as usize].0 == *board;
                let hash = |&id: &u32| hasher.hash_one(&self.nodes[id as usize].0);
                *table.entry(hasher.hash_one(board), is_it, hash).or_insert(next).get()
            }
        };
        if id == next {
            self.nodes.push((board.clone(), node));
            return (id, None);
        }
        (id, Some(&mut self.nodes[id as usize].1))
    }

    /// The number of a board, if it was met.
    pub(super) fn find(&self, board: &Board) -> Option<u32> {
        match &self.numbers {
            Numbers::Slots { space, pages } => {
                let index = space.index(board)?.get() as usize;
                let slot = pages[index / PAGE].as_ref()?[index % PAGE];
                (slot != NONE).then_some(slot)
            }
            Numbers::Hashed { table, hasher } => {
                let is_it = |&id: &u32| self.nodes[id as usize].0 == *board;
                table.find(hasher.hash_one(board), is_it).copied()
            }
        }
    }

    /// The board with a number.
    pub(super) fn board(&self, id: u32) -> &Board {
        &self.nodes[id as usize].0
    }

    /// Closes a board that is to be expanded, and returns its node. `None` if the board is closed already, or was not
    /// met.
    pub(super) fn close(&mut self, id: u32) -> Option<Node> {
        let (_, node) = self.nodes.get_mut(id as usize)?;
        // The node is read before a part of it is written. In the other order the processor would stall.
        let before = *node;
        node.is_open = false;
        before.is_open.then_some(before)
    }

    /// The moves from the root to a board.
    pub(super) fn path(&self, board: &Board) -> Vec<Move> {
        let node = |board: &Board| Some(self.nodes[self.find(board)? as usize].1);
        let mut path = Vec::new();
        let mut board = board.clone();
        while let Some(step) = node(&board).and_then(|node| node.step) {
            path.push(step);
            board = board.step(step.opposite()).expect("a move can be undone");
        }
        path.reverse();
        path
    }
}

impl Node {
    /// The node of the board after the move `step` from the board of this node.
    pub(super) fn then(&self, step: Move) -> Self {
        Self { g: self.g + 1, step: Some(step), is_open: true }
    }
}
