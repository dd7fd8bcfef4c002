//! Whether two networks are the same, but for names of files, places in them and the wording of equations.

use std::path::Path;

use kinlane_mech::network::{Reaction, Reverse};
use kinlane_mech::write::{self, Header};
use kinlane_mech::{Network, Span, cantera};

/// Writes and reads back.
pub fn again(network: &Network) -> Network {
    let text = write::cantera(network, &Header::default()).unwrap_or_else(|refusal| panic!("{refusal}"));
    cantera::read_str(text.clone(), Path::new("written.yaml"), None, &[])
        .unwrap_or_else(|refusal| panic!("{}: {refusal}", network.name))
}

/// The network as the written file holds it: reverse rates of their own as reactions of their own; no places.
fn bare(network: &Network) -> String {
    let mut species = network.species.clone();
    for s in &mut species {
        (s.at, s.thermo.at) = (Span::default(), Span::default());
    }
    let half = |r: &Reaction| {
        let mut r = Reaction { at: Span::default(), equation: String::new(), ..r.clone() };
        let Reverse::Explicit { rate, orders } = std::mem::replace(&mut r.reverse, Reverse::Irreversible) else {
            unreachable!("asked before")
        };
        let back =
            Reaction { reactants: r.products.clone(), products: r.reactants.clone(), orders, rate: *rate, ..r.clone() };
        [r, back]
    };
    let reactions: Vec<Reaction> = network
        .reactions
        .iter()
        .flat_map(|r| match r.reverse {
            Reverse::Explicit { .. } => half(r).to_vec(),
            _ => vec![Reaction { at: Span::default(), equation: String::new(), ..r.clone() }],
        })
        .collect();
    // One item to a line, so that a difference names its item.
    let lines = network.elements.iter().map(|e| format!("{e:?}"));
    let lines = lines.chain(species.iter().map(|s| format!("{s:?}"))).chain(reactions.iter().map(|r| format!("{r:?}")));
    lines.collect::<Vec<_>>().join("\n")
}

/// Numbers that are not the same bits, out of all. Panics where two differ by more than `tolerance`.
pub fn compare(a: &Network, b: &Network, tolerance: f64, what: &str) -> (usize, usize) {
    let (a, b) = (bare(a), bare(b));
    let (mut off, mut all) = (0, 0);
    assert_eq!(a.lines().count(), b.lines().count(), "{what}");
    for (x, y) in a.lines().zip(b.lines()) {
        let words = |line: &str| -> Vec<String> {
            line.split([' ', ',', '(', ')', '[', ']', '{', '}']).map(str::to_owned).collect()
        };
        let (u, v) = (words(x), words(y));
        assert_eq!(u.len(), v.len(), "{what}\n{x}\n{y}");
        for (u, v) in u.iter().zip(&v) {
            if let (Ok(u), Ok(v)) = (u.parse::<f64>(), v.parse::<f64>()) {
                all += 1;
                off += usize::from(u != v);
                assert!(u == v || (u - v).abs() <= tolerance * u.abs(), "{what}: {u} and {v}\n{x}\n{y}");
            } else {
                assert_eq!(u, v, "{what}\n{x}\n{y}");
            }
        }
    }
    (off, all)
}
