//! Which nuclei meet in a reaction that is screened.

use kinlane_mech::reaclib::read_str;
use kinlane_mech::scheme::Rate;
use kinlane_mech::screening::{Screening, screened};

fn set(chapter: u32, names: &str) -> String {
    let zero = " 0.000000e+00";
    format!("{chapter}\n     {names:38}test      0.00000e+00\n{}\n{}\n", zero.repeat(4), zero.repeat(3))
}

/// Pairs of charges and mass numbers, of every reaction.
fn pairs(text: &str) -> Vec<Vec<[f64; 4]>> {
    let scheme = screened(read_str(("lib", text), None, &[]).unwrap(), Screening::Chugunov2007);
    let of = |rate: &Rate| match rate {
        Rate::Reaclib(rate) => rate.pairs.iter().map(|[x, y]| [x.z, x.a, y.z, y.a]).collect(),
        Rate::Expression(_) => Vec::new(),
    };
    scheme.reactions.iter().map(|r| of(&r.rate)).collect()
}

#[test]
fn charged_nuclei_meet_in_pairs_alphas_first() {
    let text = [
        set(4, "    p  c12  n13"),
        set(4, "    n  c12  c13"),
        set(2, "  n13    p  c12"),
        set(8, "  he4  he4  he4  c12"),
        set(8, "    p  he4  he4   b9"),
        set(8, "    n  he4  he4  be9"),
        set(8, "    p    p  he4  be6"),
        set(4, "  c12  o16 si28"),
    ]
    .concat();
    assert_eq!(
        pairs(&text),
        [
            vec![[1.0, 1.0, 6.0, 12.0]],
            vec![],
            vec![],
            vec![[2.0, 4.0, 2.0, 4.0], [2.0, 4.0, 4.0, 8.0]],
            vec![[2.0, 4.0, 2.0, 4.0], [1.0, 1.0, 4.0, 8.0]],
            vec![[2.0, 4.0, 2.0, 4.0]],
            vec![[1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 4.0]],
            vec![[6.0, 12.0, 8.0, 16.0]],
        ]
    );
}
