//! `kinlane methods`.

/// Prints the table of methods.
pub fn run() {
    say!("{:14} {:12} {:>5}  {:11}  {:15}  a step costs", "name", "family", "order", "stability", "source");
    for m in kinlane::methods() {
        let mark = if m.default { " (default)" } else { "" };
        say!("{:14} {:12} {:5}  {:11}  {:15}  {}{mark}", m.name, m.family, m.order, m.stability, m.source, m.cost);
    }
}
