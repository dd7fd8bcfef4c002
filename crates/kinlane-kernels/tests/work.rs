//! Operations and memory traffic of programs are counted.

use kinlane_kernels::{Meter, Work};
use kinlane_plan::machine::Machine;
use kinlane_plan::{Layout, Real, Tables};

#[test]
fn operations_and_ways_are_counted() {
    let (tables, mut l) = (Tables::default(), Layout::default());
    let (a, b) = (l.array(4), l.array(4));
    let mut meter = Meter::new(l.len());
    meter.set(a, 2, 3.0);
    // a is loaded, b stored; reading b afterwards needs no load.
    let work = meter.run(&tables, |m| {
        m.all(4, |i| m.put(b, i, m.get(a, i).mul_add(m.lit(2.0), m.lit(1.0))));
        m.set(a, m.sum(4, |i| m.get(b, i)));
    });
    assert_eq!(work, Work { flops: 4.0 * 2.0 + 4.0, bytes: 8.0 * (4.0 + 4.0 + 1.0) });
}
