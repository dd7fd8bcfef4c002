//! Prints a mechanism as JSON, for comparison with other programs:
//! `dump FILE [--phase NAME] [--search FOLDER]...`. A refusal goes to standard error, with exit status 2.

use std::fmt::{Display, Write as _};
use std::process::ExitCode;

use kinlane_mech::network::*;
use kinlane_mech::read::{ReadOptions, read};

fn main() -> ExitCode {
    let mut options = ReadOptions::default();
    let mut file = None;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--phase" => options.phase = args.next(),
            "--search" => options.search.extend(args.next().map(Into::into)),
            "--thermo" => options.thermo = args.next().map(Into::into),
            _ => file = Some(arg),
        }
    }
    let Some(file) = file else {
        eprintln!("usage: dump FILE [--phase NAME] [--search FOLDER]...");
        return ExitCode::from(2);
    };
    match read(file.as_ref(), &options) {
        Ok(network) => {
            println!("{}", json(&network));
            ExitCode::SUCCESS
        }
        Err(refusal) => {
            eprintln!("{refusal}");
            ExitCode::from(2)
        }
    }
}

fn json(n: &Network) -> String {
    let elements = list(&n.elements, |e| object(&[("symbol", text(&e.symbol)), ("molar_mass", num(e.molar_mass))]));
    let species = list(&n.species, |s| {
        object(&[
            ("name", text(&s.name)),
            ("composition", list(&s.composition, |&(e, a)| format!("[{},{}]", text(&n.elements[e].symbol), num(a)))),
            ("molar_mass", num(s.molar_mass)),
            ("reference_pressure", num(s.thermo.reference_pressure)),
            ("thermo", form(&s.thermo.form)),
        ])
    });
    let reactions = list(&n.reactions, |r| {
        let terms = |t: &[(usize, f64)]| stoichiometry(n, t);
        let reverse = match &r.reverse {
            Reverse::Irreversible => text("none"),
            Reverse::Equilibrium => text("equilibrium"),
            Reverse::Explicit { rate, orders } => {
                object(&[("rate", law(n, rate)), ("orders", orders.as_deref().map_or("null".into(), terms))])
            }
        };
        object(&[
            ("equation", text(&r.equation)),
            ("reactants", terms(&r.reactants)),
            ("products", terms(&r.products)),
            ("orders", r.orders.as_deref().map_or("null".into(), terms)),
            ("rate", law(n, &r.rate)),
            ("reverse", reverse),
            ("third_body", r.third_body.as_ref().map_or("null".into(), |b| body(n, b))),
            ("duplicate", r.duplicate.to_string()),
            ("line", n.sources.line(r.at).to_string()),
        ])
    });
    object(&[
        ("name", text(&n.name)),
        ("elements", elements),
        ("species", species),
        ("reactions", reactions),
        ("notes", n.notes.len().to_string()),
    ])
}

fn form(f: &ThermoForm) -> String {
    fn ranges<const N: usize>(r: &[Range<N>]) -> String {
        list(r, |r| object(&[("low", num(r.low)), ("high", num(r.high)), ("a", nums(&r.a))]))
    }
    match f {
        ThermoForm::Nasa7(r) => object(&[("form", text("NASA7")), ("ranges", ranges(r))]),
        ThermoForm::Nasa9(r) => object(&[("form", text("NASA9")), ("ranges", ranges(r))]),
        ThermoForm::Shomate(r) => object(&[("form", text("Shomate")), ("ranges", ranges(r))]),
        ThermoForm::ConstantCp { t0, h0, s0, cp0, range } => {
            object(&[("form", text("constant-cp")), ("values", nums(&[*t0, *h0, *s0, *cp0])), ("range", nums(range))])
        }
    }
}

fn law(n: &Network, rate: &RateLaw) -> String {
    match rate {
        RateLaw::Arrhenius(k) => object(&[("type", text("Arrhenius")), ("k", arrhenius(k))]),
        RateLaw::Falloff(f) => falloff(n, f),
        RateLaw::Plog(levels) => plog(levels),
        RateLaw::Chebyshev(c) => chebyshev(c),
        RateLaw::LinearBurke(colliders) => object(&[
            ("type", text("linear-Burke")),
            (
                "colliders",
                list(colliders, |c| {
                    object(&[
                        ("species", c.species.map_or("null".into(), |k| text(&n.species[k].name))),
                        ("efficiency", arrhenius(&c.efficiency)),
                        (
                            "law",
                            match &c.law {
                                None => "null".into(),
                                Some(PressureLaw::Falloff(f)) => falloff(n, f),
                                Some(PressureLaw::Plog(levels)) => plog(levels),
                                Some(PressureLaw::Chebyshev(c)) => chebyshev(c),
                            },
                        ),
                    ])
                }),
            ),
        ]),
        RateLaw::BlowersMasel { arrhenius: k, w } => {
            object(&[("type", text("Blowers-Masel")), ("k", arrhenius(k)), ("w", num(*w))])
        }
        RateLaw::TwoTemperature { arrhenius: k, e_electron } => {
            object(&[("type", text("two-temperature-plasma")), ("k", arrhenius(k)), ("e_electron", num(*e_electron))])
        }
        RateLaw::LandauTeller { arrhenius: k, b, c } => {
            object(&[("type", text("Landau-Teller")), ("k", arrhenius(k)), ("b", num(*b)), ("c", num(*c))])
        }
    }
}

fn falloff(n: &Network, f: &Falloff) -> String {
    let blend = match f.blend {
        Blend::Lindemann => nums(&[]),
        Blend::Troe { a, t3, t1, t2 } => nums(&[a, t3, t1].into_iter().chain(t2).collect::<Vec<_>>()),
        Blend::Sri { a, b, c, d, e } => nums(&[a, b, c, d, e]),
        Blend::Tsang { a, b } => nums(&[a, b]),
    };
    let kind = match f.blend {
        Blend::Lindemann => "Lindemann",
        Blend::Troe { .. } => "Troe",
        Blend::Sri { .. } => "SRI",
        Blend::Tsang { .. } => "Tsang",
    };
    object(&[
        ("type", text(if f.activated { "chemically-activated" } else { "falloff" })),
        ("low", arrhenius(&f.low)),
        ("high", arrhenius(&f.high)),
        ("body", body(n, &f.body)),
        ("blend", text(kind)),
        ("blend_values", blend),
    ])
}

fn plog(levels: &[(f64, Vec<Arrhenius>)]) -> String {
    let levels = list(levels, |(p, terms)| format!("[{},{}]", num(*p), list(terms, arrhenius)));
    object(&[("type", text("pressure-dependent-Arrhenius")), ("levels", levels)])
}

fn chebyshev(c: &Chebyshev) -> String {
    object(&[
        ("type", text("Chebyshev")),
        ("t", nums(&c.t)),
        ("p", nums(&c.p)),
        ("alpha", list(&c.alpha, |row| nums(row))),
    ])
}

fn body(n: &Network, b: &ThirdBody) -> String {
    object(&[("default", num(b.default)), ("efficiencies", stoichiometry(n, &b.efficiencies))])
}

fn stoichiometry(n: &Network, terms: &[(usize, f64)]) -> String {
    list(terms, |&(k, nu)| format!("[{},{}]", text(&n.species[k].name), num(nu)))
}

fn arrhenius(k: &Arrhenius) -> String {
    nums(&[k.a, k.b, k.e])
}

fn nums(values: &[f64]) -> String {
    list(values, |&v| num(v))
}

fn num(v: f64) -> String {
    // Readers of JSON that know infinity know it by this name.
    if v.is_infinite() { format!("{}Infinity", if v < 0.0 { "-" } else { "" }) } else { format!("{v:?}") }
}

fn list<T, S: Display>(items: &[T], mut show: impl FnMut(&T) -> S) -> String {
    let mut out = String::from("[");
    for (i, item) in items.iter().enumerate() {
        let _ = write!(out, "{}{}", if i > 0 { "," } else { "" }, show(item));
    }
    out + "]"
}

fn object(fields: &[(&str, String)]) -> String {
    let fields: Vec<String> = fields.iter().map(|(k, v)| format!("\"{k}\":{v}")).collect();
    format!("{{{}}}", fields.join(","))
}

fn text(s: &str) -> String {
    let mut out = String::from("\"");
    for c in s.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out + "\""
}
