//! `kinlane methods`.

/// Prints the table of methods.
pub fn run() {
    say!(
        "{:12} {:13} {:>5}  {:>8}  {:>6}  {:>11}  {:9}",
        "name",
        "family",
        "order",
        "embedded",
        "stages",
        "evaluations",
        "stability"
    );
    for m in kinlane::methods() {
        let mark = if m.default { "  default" } else { "" };
        say!(
            "{:12} {:13} {:5}  {:8}  {:6}  {:11}  {:9}{mark}",
            m.name,
            m.family,
            m.order,
            m.embedded,
            m.stages,
            m.evaluations,
            m.stability
        );
    }
}
