//! Damaged and random input is refused, never a panic; what is refused can be shown.
//!
//! More cases than usual: set `PROPTEST_CASES`.

use std::path::Path;

use kinlane_mech::{cantera, read::decode};
use proptest::prelude::*;

const VALID: &str = include_str!("../small.yaml");

fn survives(bytes: &[u8]) {
    if let Ok(text) = decode(bytes, "fuzz") {
        match cantera::read_str(text, Path::new("fuzz.yaml"), None, &[]) {
            Ok(network) => assert!(!network.species.is_empty()),
            Err(refusal) => {
                assert!(!refusal.diagnostics.is_empty());
                let _ = refusal.to_string();
            }
        }
    }
}

#[test]
fn the_file_that_is_damaged_below_is_valid() {
    let network =
        cantera::read_str(VALID.to_owned(), Path::new("small.yaml"), None, &[]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((network.species.len(), network.reactions.len(), network.notes.len()), (6, 12, 0));
}

/// A piece of YAML or of a mechanism.
fn token() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        "[ -~\n]{1,4}",
        "[-+0-9.eE]{1,6}",
        prop::sample::select(vec![
            "[",
            "]",
            "{",
            "}",
            ": ",
            "- ",
            ",",
            "&a",
            "*a",
            "<=>",
            "(+M)",
            "M",
            "+",
            "null",
            "~",
            ".inf",
            ".nan",
            "1e999",
            "\u{e9}",
            "\u{0}",
            "'",
            "\"",
            "\n  ",
            "\n",
            "\n\t",
            "# [",
            "|\n",
            "all",
            "units: {length: km}",
            "-1",
        ])
        .prop_map(str::to_owned),
        any::<char>().prop_map(String::from),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        survives(&bytes);
    }

    #[test]
    fn random_tokens(tokens in prop::collection::vec(token(), 0..60)) {
        survives(tokens.concat().as_bytes());
    }

    #[test]
    fn a_valid_file_with_pieces_replaced(cuts in prop::collection::vec((0..VALID.len(), 0usize..30, token()), 1..4)) {
        let mut text = VALID.to_owned();
        for (at, length, new) in cuts {
            let at = text.floor_char_boundary(at.min(text.len()));
            let end = text.ceil_char_boundary((at + length).min(text.len()));
            text.replace_range(at..end, &new);
        }
        survives(text.as_bytes());
    }

    #[test]
    fn a_valid_file_with_bytes_changed(changes in prop::collection::vec((0..VALID.len(), any::<u8>()), 1..6), end in 0..VALID.len() * 2) {
        let mut bytes = VALID.as_bytes().to_vec();
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        bytes.truncate(end);
        survives(&bytes);
    }
}
