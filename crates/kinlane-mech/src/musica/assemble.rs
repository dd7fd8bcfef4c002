//! Makes a scheme of what was read.

use std::path::Path;

use super::codes;
use super::conditions;
use super::field;
use super::files::Files;
use super::kind::{Kind, Version};
use super::reaction::{Chemistry, unread};
use super::species::{self, Amount, Declared, Substance};
use crate::cantera::yaml::Node;
use crate::diagnostic::refuses;
use crate::scheme::{AIR, Field, Part, Quantity, Run, Scheme};
use crate::words::quoted;
use crate::{Diagnostic, Refusal};

/// Makes the scheme, or says what is wrong.
pub(super) fn scheme(path: &Path, roots: &[Node], mut files: Files) -> Result<Scheme, Refusal> {
    let is_camp = |root: &Node| root.get("camp-files").is_some() || root.get("camp-data").is_some();
    let mut declared = Declared::default();
    let folder = path.parent().filter(|_| !path.is_dir()).unwrap_or(path);
    let music_box = roots.first().filter(|root| root.get("mechanism").is_some());
    let (mut run, mut tables) = (Run::default(), Vec::new());
    if let Some(root) = music_box {
        run = conditions::run(root, &mut files.found);
        tables = conditions::tables(root, folder, &mut files);
    }
    let chemistry = match roots.first() {
        Some(root) if is_camp(root) => {
            field::known(root, &["camp-files", "camp-data"], "a configuration", &mut files.found);
            let listed = files.listed(root, folder);
            let own = roots.iter().filter(|root| root.get("camp-data").is_some());
            let all: Vec<&Node> = own.chain(&listed).collect();
            Some(zero(&all, &mut declared, &mut files.found))
        }
        Some(root) => one(root.get("mechanism").unwrap_or(root), &mut declared, &mut files.found),
        None => None,
    };
    let mut found = std::mem::take(&mut files.found);
    let Some(raw) = chemistry else { return Err(Refusal { diagnostics: found, sources: files.sources }) };
    let mut chemistry = Chemistry::new(raw.version, &declared, &mut found);
    if let Some(phases) = raw.phases {
        chemistry.phases = species::phases(phases, &declared, chemistry.found);
    }
    raw.reactions.iter().for_each(|node| chemistry.read(node));
    for phase in chemistry.phases.iter().filter(|phase| !phase.used) {
        if !raw.reactions.is_empty() {
            let message = format!("no reaction takes place in phase `{}`", phase.name);
            chemistry.found.push(Diagnostic::note(codes::IGNORED, message).at(phase.at, "not used"));
        }
    }
    let Chemistry { steps, used, library, photolysis, inputs, .. } = chemistry;
    if (declared.all.is_empty() || raw.reactions.is_empty()) && !refuses(&found) {
        let what = if declared.all.is_empty() { "species" } else { "reactions" };
        let message = format!("`{}` and the files that belong to it have no {what}", path.display());
        found
            .push(Diagnostic::error(codes::NOTHING, message).help("give the configuration, which lists or holds both"));
    }
    if refuses(&found) {
        return Err(Refusal { diagnostics: found, sources: files.sources });
    }
    // Of a third body there is as much as air, which rate constants may need though no reaction names it.
    let air = inputs.iter().any(|taken| taken.name == AIR);
    let used: Vec<bool> =
        declared.all.iter().zip(used).map(|(one, used)| used || air && one.amount == Amount::ThirdBody).collect();
    noted(&declared, &used, &mut found);

    let mut scheme = Scheme {
        reactions: steps,
        functions: library.functions,
        photolysis,
        inputs: inputs.iter().map(|taken| (taken.name.clone(), None)).collect(),
        run,
        ..Scheme::new(path, Field::Atmosphere, files.sources)
    };
    scheme.declare(declared.all.iter().zip(&used).map(|(one, used)| {
        let evolves = one.amount == Amount::Evolves && *used;
        let third_body = one.amount == Amount::ThirdBody;
        let held = one.amount.is_given() && (*used || !third_body);
        (Part { third_body, ..Part::new(&one.name, one.at) }, held, evolves)
    }));
    let others = |name: &str| {
        let one = declared.find(name).and_then(|i| declared.all.get(i))?;
        Some(matches!(one.amount, Amount::Concentration(_) | Amount::Ratio(_)))
    };
    if music_box.is_some() {
        scheme.moments = conditions::moments(&tables, &scheme, &inputs, others, &mut found);
    }
    if refuses(&found) {
        return Err(Refusal { diagnostics: found, sources: scheme.sources });
    }
    let mut begins = scheme.moments.iter().take(1).flat_map(|moment| &moment.set);
    scheme.run.temperature = begins.find(|change| change.what == Quantity::Temperature).map(|change| change.value);
    scheme.notes = found;
    Ok(scheme)
}

/// Reactions that are still to be read.
struct Raw<'n> {
    version: Version,
    phases: Option<&'n Node>,
    reactions: Vec<Node>,
}

/// Takes apart the objects of version 0, which may come in any order and from any file.
fn zero(roots: &[&Node], declared: &mut Declared, found: &mut Vec<Diagnostic>) -> Raw<'static> {
    let mut reactions = Vec::new();
    for root in roots {
        field::known(root, &["camp-files", "camp-data"], "a file of objects", found);
        let Some(data) = field::required(root, "camp-data", "a file of objects", found) else { continue };
        for object in field::list(data, "`camp-data`", found) {
            if object.entries().is_empty() {
                found.push(field::wrong(object, "an object", "a mapping with its type"));
                continue;
            }
            let Some(value) = field::required(object, "type", "an object", found) else { continue };
            let Some(name) = field::text(value, "`type`", found) else { continue };
            match name {
                "CHEM_SPEC" => declared.declare(object, found),
                "MECHANISM" => {
                    field::known(object, &["type", "name", "reactions"], "a mechanism", found);
                    if let Some(list) = field::required(object, "reactions", "a mechanism", found) {
                        reactions.extend_from_slice(field::list(list, "`reactions`", found));
                    }
                }
                // It is for solvers.
                "RELATIVE_TOLERANCE" => {}
                _ if Kind::of(name).is_some() => reactions.push(object.clone()),
                _ => found.push(unread(name, value.at)),
            }
        }
    }
    Raw { version: Version::Zero, phases: None, reactions }
}

/// Takes apart a configuration of version 1.
fn one<'n>(root: &'n Node, declared: &mut Declared, found: &mut Vec<Diagnostic>) -> Option<Raw<'n>> {
    let of = "a configuration";
    let version = root.get("version");
    if version.is_none() && root.get("species").is_none() && root.get("reactions").is_none() {
        found.push(
            Diagnostic::error(codes::MISSING, "neither `camp-files` nor `version` is there")
                .at(root.at, "no configuration of MICM or MUSICA")
                .help("version 0 has `camp-files`, version 1 has `version`, `species`, `phases` and `reactions`"),
        );
        return None;
    }
    if let Some(value) = field::required(root, "version", of, found) {
        let text = field::text(value, "`version`", found).unwrap_or("1");
        if text.split('.').next() != Some("1") {
            found.push(
                Diagnostic::error(codes::VERSION, format!("version `{text}` is not known"))
                    .at(value.at, "of this format")
                    .help("versions 1 and 0 are read; version 0 has `camp-files` instead of a number"),
            );
        }
    }
    let known = [
        "version",
        "name",
        "species",
        "phases",
        "reactions",
        "emissions",
        "models",
        "aerosol representations",
        "aerosol processes",
    ];
    field::known(root, &known, of, found);
    for key in ["aerosol processes", "aerosol representations", "models"] {
        foreign(root, key, found);
    }
    if let Some(entry) = root.entries().iter().find(|entry| entry.key == "emissions") {
        found.push(
            Diagnostic::warning(codes::IGNORED, "`emissions`, from files of the host model, are not used")
                .at(entry.at, "not used")
                .help("a reaction of type `EMISSION` takes its rate from the states"),
        );
    }
    if let Some(list) = field::required(root, "species", of, found) {
        field::list(list, "`species`", found).iter().for_each(|node| declared.declare(node, found));
    }
    let phases = field::required(root, "phases", of, found);
    let reactions = field::required(root, "reactions", of, found);
    let reactions = reactions.map_or(&[][..], |list| field::list(list, "`reactions`", found)).to_vec();
    Some(Raw { version: Version::One, phases, reactions })
}

/// Refuses the things in a section that belong to no gas.
fn foreign(root: &Node, key: &str, found: &mut Vec<Diagnostic>) {
    let Some(section) = root.get(key) else { return };
    for item in field::list(section, &format!("`{key}`"), found) {
        let kind = item.get("type");
        match kind.and_then(Node::text).unwrap_or_default() {
            "GAS_PHASE" if key == "models" => {}
            name => found.push(
                Diagnostic::error(codes::UNSUPPORTED, format!("`{name}` among `{key}` is not supported"))
                    .at(kind.map_or(item.at, |kind| kind.at), "not of a gas")
                    .help("only reactions of a gas are read"),
            ),
        }
    }
}

/// Notes the species that are left out, and those whose amounts are part of rate constants.
fn noted(declared: &Declared, used: &[bool], found: &mut Vec<Diagnostic>) {
    let all = || declared.all.iter().zip(used);
    let left_out = |one: &Substance| !one.amount.is_given() || one.amount == Amount::ThirdBody;
    let left_out: Vec<&Substance> = all().filter(|(one, used)| left_out(one) && !**used).map(|(one, _)| one).collect();
    several(&left_out, codes::UNUSED, "species that take part in no reaction are left out", "in no reaction", found);
    let held: Vec<&Substance> = all()
        .filter(|(one, used)| !one.amount.is_given() && one.amount != Amount::Evolves && **used)
        .map(|(one, _)| one)
        .collect();
    let message = "species whose amounts the file gives are part of the rate constants";
    several(&held, codes::HELD, message, "given here", found);
}

fn several(list: &[&Substance], code: &'static str, what: &str, label: &str, found: &mut Vec<Diagnostic>) {
    if list.is_empty() {
        return;
    }
    let names = quoted(list.iter().map(|one| &one.name));
    found.push(Diagnostic::note(code, format!("{what}: {names}")).at_each(list.iter().map(|one| one.at), label));
}
