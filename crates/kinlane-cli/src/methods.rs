//! `kinlane methods`.

/// Prints the table of methods.
pub fn run() {
    say!("{:12} {:13} {:>5}  {:10}  {:12}  a step costs", "name", "family", "order", "stability", "source");
    for m in kinlane::methods() {
        let mark = if m.default { " (default)" } else { "" };
        say!("{:12} {:13} {:5}  {:10}  {:12}  {}{mark}", m.name, m.family, m.order, m.stability, m.source, m.cost);
    }
}
