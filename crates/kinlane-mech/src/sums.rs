//! Amounts by key, in the order in which keys come: sides of reactions, compositions, powers.

use std::ops::AddAssign;

/// Adds an amount to that of a key, or the key behind the others.
pub(crate) fn add_to<K: PartialEq, N: AddAssign>(sums: &mut Vec<(K, N)>, key: K, amount: N) {
    match sums.iter_mut().find(|(known, _)| *known == key) {
        Some((_, sum)) => *sum += amount,
        None => sums.push((key, amount)),
    }
}
