//! Lists in the order in which their items come: amounts by key, as those of sides of reactions, compositions and powers;
//! and items that are known by their place.

use std::ops::AddAssign;

/// Adds an amount to that of a key, or the key behind the others.
pub(crate) fn add_to<K: PartialEq, N: AddAssign>(sums: &mut Vec<(K, N)>, key: K, amount: N) {
    match sums.iter_mut().find(|(known, _)| *known == key) {
        Some((_, sum)) => *sum += amount,
        None => sums.push((key, amount)),
    }
}

/// The place of the item that is meant, which is added behind the others if it is not there.
pub(crate) fn place_of<T>(list: &mut Vec<T>, is: impl Fn(&T) -> bool, make: impl FnOnce() -> T) -> usize {
    list.iter().position(is).unwrap_or_else(|| {
        list.push(make());
        list.len() - 1
    })
}
