//! A directed graph laid out in layers (Sugiyama, Tagawa & Toda 1981): edges run downwards where there is no cycle.
//!
//! Nodes lie in every second layer. An edge passes each layer between its ends through a point of its own,
//! which keeps its path free of nodes; the first of these points is as wide as the edge's label, which keeps
//! labels apart.
//!
//! There are crates for this, but those found place only nodes, and leave the paths of edges and the labels
//! to the caller.

/// A graph to lay out.
#[derive(Debug, Default)]
pub struct Graph {
    /// Width of each node.
    pub nodes: Vec<f64>,
    /// From, to, and width of the label. The most important edges come first; they are the last to be turned
    /// upwards.
    pub edges: Vec<(usize, usize, f64)>,
}

/// A point of the picture.
pub type Point = (f64, f64);

/// The places of everything; x from the left, y from the top, both of centres.
#[derive(Debug, Default)]
pub struct Layout {
    /// Centres of nodes.
    pub nodes: Vec<Point>,
    /// Points between the ends of each edge, in its direction.
    pub ways: Vec<Vec<Point>>,
    /// Centres of labels.
    pub labels: Vec<Point>,
    /// Width and height.
    pub size: Point,
}

/// Least distance between neighbours in a layer.
const GAP: f64 = 26.0;
/// Distance from one layer to the next.
const STEP: f64 = 48.0;
/// Number of rounds that look for fewer crossings, and that straighten edges.
const ROUNDS: usize = 40;
/// Weight of the straightness of an edge between two of its own points, relative to other pieces.
const STIFF: f64 = 6.0;

/// A node, or a point of an edge.
struct Item {
    layer: usize,
    width: f64,
    x: f64,
    /// Neighbours in the layers above and below, with the strength of their pull.
    links: [Vec<(usize, f64)>; 2],
}

/// Lays out a graph.
pub fn layout(graph: &Graph) -> Layout {
    let n = graph.nodes.len();
    let down = acyclic(graph);
    let layer = layers(n, &down);
    let mut items: Vec<Item> = graph
        .nodes
        .iter()
        .zip(&layer)
        .map(|(&width, &layer)| Item { layer: 2 * layer, width, x: 0.0, links: Default::default() })
        .collect();
    // Points of every edge, downwards; `down` says which of its ends is the upper one.
    let mut chains = Vec::new();
    for (&(from, to, label), &(upper, lower)) in graph.edges.iter().zip(&down) {
        let mut chain = vec![upper];
        for layer in items[upper].layer + 1..items[lower].layer {
            chain.push(items.len());
            items.push(Item { layer, width: 0.0, x: 0.0, links: Default::default() });
        }
        chain.push(lower);
        let forward = (from, to) == (upper, lower);
        let labelled = if forward { chain[1] } else { chain[chain.len() - 2] };
        items[labelled].width = label;
        for pair in chain.windows(2) {
            let pull = if pair[0] >= n && pair[1] >= n { STIFF } else { 1.0 };
            items[pair[0]].links[1].push((pair[1], pull));
            items[pair[1]].links[0].push((pair[0], pull));
        }
        chains.push((chain, forward, labelled));
    }
    let count = items.iter().map(|i| i.layer + 1).max().unwrap_or(0);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); count];
    items.iter().enumerate().for_each(|(i, item)| rows[item.layer].push(i));
    uncross(&mut rows, &items);
    straighten(&rows, &mut items);

    let left = items.iter().map(|i| i.x - i.width / 2.0).fold(f64::INFINITY, f64::min);
    let right = items.iter().map(|i| i.x + i.width / 2.0).fold(f64::NEG_INFINITY, f64::max);
    let at = |i: usize| (items[i].x - left, STEP * items[i].layer as f64);
    let way = |(chain, forward, _): &(Vec<usize>, bool, usize)| {
        let points = chain[1..chain.len() - 1].iter().map(|&i| at(i));
        if *forward { points.collect() } else { points.rev().collect() }
    };
    Layout {
        nodes: (0..n).map(at).collect(),
        ways: chains.iter().map(way).collect(),
        labels: chains.iter().map(|c| at(c.2)).collect(),
        size: ((right - left).max(0.0), STEP * count.saturating_sub(1) as f64),
    }
}

/// Every edge as (upper, lower): turned around if it would close a cycle with those before it.
fn acyclic(graph: &Graph) -> Vec<(usize, usize)> {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    let mut down = Vec::new();
    for &(from, to, _) in &graph.edges {
        let (mut seen, mut left) = (vec![false; below.len()], vec![to]);
        while let Some(i) = left.pop() {
            if !std::mem::replace(&mut seen[i], true) {
                left.extend(&below[i]);
            }
        }
        let (upper, lower) = if seen[from] { (to, from) } else { (from, to) };
        below[upper].push(lower);
        down.push((upper, lower));
    }
    down
}

/// The layer of every node: below all nodes that lead to it; a node to which none leads is just above those
/// that it leads to.
fn layers(n: usize, down: &[(usize, usize)]) -> Vec<usize> {
    let mut layer = vec![0usize; n];
    for _ in 0..n {
        down.iter().for_each(|&(upper, lower)| layer[lower] = layer[lower].max(layer[upper] + 1));
    }
    for i in (0..n).filter(|i| down.iter().all(|d| d.1 != *i)) {
        let next = down.iter().filter(|d| d.0 == i).map(|d| layer[d.1]).min();
        layer[i] = next.map_or(0, |l| l.saturating_sub(1));
    }
    layer
}

/// Orders the items of every row by the middle of their neighbours in the row above or below, back and forth,
/// and keeps the order with the fewest crossings.
fn uncross(rows: &mut [Vec<usize>], items: &[Item]) {
    let mut place = vec![0.0; items.len()];
    let note = |rows: &[Vec<usize>], place: &mut Vec<f64>| {
        rows.iter().flat_map(|r| r.iter().enumerate()).for_each(|(at, &i)| place[i] = at as f64);
    };
    note(rows, &mut place);
    let (mut best, mut fewest) = (rows.to_vec(), crossings(rows, items, &place));
    for round in 0..ROUNDS {
        let side = round % 2;
        let order: Vec<usize> = if side == 0 { (1..rows.len()).collect() } else { (0..rows.len()).rev().collect() };
        for r in order {
            let middle = |i: usize| {
                let links = &items[i].links[side];
                let sum: f64 = links.iter().map(|l| place[l.0]).sum();
                if links.is_empty() { place[i] } else { sum / links.len() as f64 }
            };
            rows[r].sort_by(|&a, &b| middle(a).total_cmp(&middle(b)));
            note(&rows[r..=r], &mut place);
        }
        let now = crossings(rows, items, &place);
        if now < fewest {
            (best, fewest) = (rows.to_vec(), now);
        }
    }
    rows.clone_from_slice(&best);
}

fn crossings(rows: &[Vec<usize>], items: &[Item], place: &[f64]) -> usize {
    let in_row = |row: &Vec<usize>| -> usize {
        let ends: Vec<(f64, f64)> =
            row.iter().flat_map(|&i| items[i].links[1].iter().map(move |l| (place[i], place[l.0]))).collect();
        let crosses = |a: &(f64, f64), b: &(f64, f64)| (a.0 - b.0) * (a.1 - b.1) < 0.0;
        ends.iter().enumerate().map(|(i, a)| ends[..i].iter().filter(|b| crosses(a, b)).count()).sum()
    };
    rows.iter().map(in_row).sum()
}

/// Moves every item towards its neighbours, as far as the order and the widths in its row allow.
fn straighten(rows: &[Vec<usize>], items: &mut [Item]) {
    for round in 0..2 * ROUNDS {
        let mut order: Vec<&Vec<usize>> = rows.iter().collect();
        if round % 2 == 1 {
            order.reverse();
        }
        for row in order {
            let wish = |i: usize| -> Point {
                let links = items[i].links.iter().flatten();
                let (sum, weight) = links.fold((0.0, 0.0), |s, l| (s.0 + l.1 * items[l.0].x, s.1 + l.1));
                if weight > 0.0 { (sum / weight, weight) } else { (items[i].x, 1.0) }
            };
            // Required distances are subtracted, so that the rest must only not decrease.
            let mut offset = 0.0;
            let (mut offsets, mut blocks): (Vec<f64>, Vec<(f64, f64, usize)>) = (Vec::new(), Vec::new());
            for (at, &i) in row.iter().enumerate() {
                if at > 0 {
                    offset += (items[row[at - 1]].width + items[i].width) / 2.0 + GAP;
                }
                offsets.push(offset);
                let (x, weight) = wish(i);
                blocks.push((x - offset, weight, 1));
                while let [.., a, b] = blocks[..] {
                    if a.0 <= b.0 {
                        break;
                    }
                    blocks.truncate(blocks.len() - 2);
                    let weight = a.1 + b.1;
                    blocks.push(((a.0 * a.1 + b.0 * b.1) / weight, weight, a.2 + b.2));
                }
            }
            let places = blocks.iter().flat_map(|b| std::iter::repeat_n(b.0, b.2));
            let moved: Vec<f64> = places.zip(&offsets).map(|(x, o)| x + o).collect();
            row.iter().zip(moved).for_each(|(&i, x)| items[i].x = x);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cycle with a branch: every node and label keeps its distance, and one edge runs upwards.
    #[test]
    fn nothing_lies_on_anything() {
        let edges =
            vec![(0, 1, 40.0), (1, 2, 40.0), (2, 0, 40.0), (0, 2, 40.0), (0, 3, 40.0), (4, 3, 40.0), (3, 2, 40.0)];
        let graph = Graph { nodes: vec![60.0; 5], edges };
        let out = layout(&graph);
        let up = graph.edges.iter().filter(|e| out.nodes[e.0].1 > out.nodes[e.1].1).count();
        assert_eq!(up, 1);
        let boxes: Vec<(Point, f64)> =
            out.nodes.iter().map(|&p| (p, 60.0)).chain(out.labels.iter().map(|&p| (p, 40.0))).collect();
        for (i, a) in boxes.iter().enumerate() {
            for b in &boxes[..i] {
                let apart = (a.0.0 - b.0.0).abs() > (a.1 + b.1) / 2.0 || a.0.1 != b.0.1;
                assert!(apart, "{a:?} and {b:?}");
            }
        }
        assert!(boxes.iter().all(|b| b.0.0 - b.1 / 2.0 > -1e-9 && b.0.0 + b.1 / 2.0 < out.size.0 + 1e-9));
        assert!(layout(&Graph::default()).nodes.is_empty());
    }
}
