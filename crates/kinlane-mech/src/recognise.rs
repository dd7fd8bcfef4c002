//! Which format a text has.

use std::path::Path;

use crate::read::Format;
use crate::{Diagnostic, codes, fern, reaclib};

/// Recognises the format from the text; the file name only helps to name unsupported formats.
pub fn recognise(text: &str, path: &Path) -> Result<Format, Diagnostic> {
    // Libraries are large, and known by their first lines.
    if reaclib::is_library(text) {
        return Ok(Format::Reaclib);
    }
    let lines = || text.lines().map(str::trim_end).filter(|l| !l.trim_start().is_empty());
    // A section, in contrast to a line such as `species: 10` in a text.
    let section = |rest: &str| rest.is_empty() || rest.starts_with(['[', '{', '#', '&', '*', '!', '|']);
    let has = |key: &str| {
        let after = |l| str::strip_prefix(l, key)?.trim_start().strip_prefix(':');
        lines().any(|l| after(l).is_some_and(|rest| section(rest.trim_start())))
    };
    let first = lines().map(str::trim).find(|l| !l.starts_with(['!', '#'])).unwrap_or("");
    // YAML in braces, which includes JSON, may have its keys anywhere.
    let braces = || {
        first.starts_with('{')
            && text
                .split("phases")
                .skip(1)
                .any(|rest| rest.trim_start_matches(['"', '\'']).trim_start().starts_with(':'))
    };
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_lowercase();
    let named = matches!(extension.as_str(), "yaml" | "yml");
    if is_musica(text) {
        return Ok(Format::Musica);
    }
    if has("phases") || has("\"phases\"") || (has("species") && has("reactions")) || braces() {
        return Ok(Format::Cantera);
    }
    let opens = |l: &str, names: &[&str]| {
        let first = l.trim_start().split(['!', ' ', '\t', '/']).next();
        names.iter().any(|s| first.is_some_and(|w| w.eq_ignore_ascii_case(s)))
    };
    if !named && is_openfoam(text) {
        let message = format!("`{}` looks like a dictionary of OpenFOAM; this is not supported", path.display());
        return Err(Diagnostic::error(codes::UNKNOWN_FORMAT, message)
            .help("give the CHEMKIN or Cantera files that it was made from"));
    }
    // A line of prose in a YAML file may start with a word of CHEMKIN's.
    // So may one of a KPP file: in a comment, which is in braces, or beside sections that nothing else has.
    let has_section = |names: &[&str]| !named && lines().any(|l| opens_section(l, names));
    let words = ["ELEMENTS", "ELEM", "SPECIES", "SPEC", "REACTIONS", "REAC", "THERMO", "THERM"];
    let bare = || !outside_braces(text).lines().any(|l| opens(l, &words));
    if has_section(&["EQUATIONS"]) && has_section(&["DEFVAR"])
        || has_section(&["MODEL", "EQUATIONS", "DEFVAR", "DEFFIX", "INCLUDE"]) && bare()
    {
        return Ok(Format::Kpp);
    }
    if !named && is_conditions(lines()) {
        let message =
            format!("`{}` looks like the input of a program of CHEMKIN, with conditions of a reactor", path.display());
        return Err(Diagnostic::error(codes::UNKNOWN_FORMAT, message).help(
            "give the file with the species and reactions, and the conditions as options: see `kinlane ignite --help`",
        ));
    }
    let ends = |l: &str| {
        let words: Vec<String> = l.split_whitespace().map(str::to_lowercase).collect();
        matches!(&words[..], [end, list] if end == "end" && ["solution", "photolysis"].contains(&&**list))
    };
    if !named && lines().any(ends) {
        let message =
            format!("`{}` looks like the input of MOZART's preprocessor; this is not supported", path.display());
        return Err(Diagnostic::error(codes::UNKNOWN_FORMAT, message)
            .help("convert it to KPP: species below #DEFVAR, reactions below #EQUATIONS"));
    }
    if !named {
        if lines().any(|l| opens(l, &words[..6])) {
            return Ok(Format::Chemkin);
        }
        if lines().any(|l| opens(l, &words[6..])) {
            let message = format!("`{}` holds thermodynamics alone", path.display());
            return Err(Diagnostic::error(codes::UNKNOWN_FORMAT, message)
                .help("give the file with the species and reactions as mechanism, and this one with --thermo"));
        }
    }
    if fern::is_network(text) {
        return Ok(Format::Fern);
    }
    if let Some(mechanism) = of_music_box(text) {
        let message = format!("`{}` has the conditions of a box for music-box, and no mechanism", path.display());
        return Err(Diagnostic::error(codes::UNKNOWN_FORMAT, message).help(format!(
            "give the file that it names, `{mechanism}`, and the conditions as options of `kinlane box`"
        )));
    }
    let cti = || lines().any(|l| l.starts_with("ideal_gas(")) && lines().any(|l| l.starts_with("species("));
    let name = match extension.as_str() {
        _ if cti() => "a Cantera CTI file, which Cantera's cti2yaml converts",
        "cti" => "a Cantera CTI file, which Cantera's cti2yaml converts",
        _ if text.contains("<sbml") => "a model in SBML",
        _ if first.starts_with("<?xml") || first.starts_with("<ctml") => {
            "an XML file (Cantera CTML: ctml2yaml converts it)"
        }
        _ if first.starts_with('{') || first.starts_with('[') => "a JSON file",
        _ if is_transport(lines()) => {
            let message = format!("`{}` looks like transport data, which no mechanism needs here", path.display());
            return Err(Diagnostic::error(codes::UNKNOWN_FORMAT, message)
                .help("give the file with the species and reactions; transport data are not read"));
        }
        // Keys at the start of lines, but no mechanism: the YAML reader says best what is missing.
        _ if named => return Ok(Format::Cantera),
        _ => {
            return Err(Diagnostic::error(codes::UNKNOWN_FORMAT, format!("the format of `{}` is not recognised", path.display()))
                .help("supported are Cantera YAML, which has a key `phases`, CHEMKIN, which has `SPECIES` and `REACTIONS`, KPP, which has `#EQUATIONS`, configurations of MUSICA, networks of FERN and libraries of REACLIB; with --format, a file is read as what it should be, and its mistakes are told"));
        }
    };
    Err(Diagnostic::error(
        codes::UNKNOWN_FORMAT,
        format!("`{}` looks like {name}; this is not yet supported", path.display()),
    )
    .help("supported are Cantera YAML, CHEMKIN, KPP, MUSICA, FERN and REACLIB"))
}

/// Whether a text is a configuration of MICM or MUSICA: it has the lists of its version 0, or reactions by reactants where
/// a Cantera file has equations.
fn is_musica(text: &str) -> bool {
    // The word where YAML and JSON have keys, not in a sentence.
    let key = |key: &str| {
        text.match_indices(key).any(|(at, _)| {
            let (ahead, behind) = (&text[..at], &text[at + key.len()..]);
            if !behind.trim_start_matches(['"', '\'']).trim_start().starts_with(':') {
                return false;
            }
            let bare = ahead.trim_end_matches(['"', '\'', ' ', '\t']);
            let opens = bare.is_empty() || bare.ends_with(['\n', '\r', '{', '[', '-', '\u{feff}']);
            let quoted = || ahead.ends_with(['"', '\'']);
            let within = || bare.lines().next_back().is_some_and(|line| line.contains('{'));
            opens || bare.ends_with(',') && (quoted() || within())
        })
    };
    // A configuration may have nothing but what comes in and what goes to surfaces.
    let kind = |name: &str| {
        let behind = text.split("type").skip(1).map(|rest| rest.trim_start_matches(['"', '\'', ':', ' ']));
        behind.into_iter().any(|rest| rest.starts_with(name))
    };
    let kinds =
        ["EMISSION", "SURFACE", "FIRST_ORDER_LOSS", "WET_DEPOSITION", "HL_PHASE_TRANSFER", "SIMPOL_PHASE_TRANSFER"];
    let reacts = || key("reactants") || kinds.into_iter().any(kind);
    // Nor has a phase of Cantera's no `thermo`.
    let bare = || key("version") && key("species") && key("phases") && !key("thermo") && !key("composition");
    key("camp-files") || key("camp-data") || (key("reactions") && !key("equation") && (reacts() || bare()))
}

/// The mechanism's file that a configuration of music-box, of its former version, names.
fn of_music_box(text: &str) -> Option<&str> {
    let (_, behind) = text.split_once("\"model components\"")?.1.split_once("\"configuration file\"")?;
    behind.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?.split('"').next()
}

/// Whether a text has a dictionary of reactions, or a list of them.
fn is_openfoam(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("//"));
    lines.any(|l| l == "reactions") && lines.next().is_some_and(|l| l.starts_with(['{', '(']))
}

/// Whether a line opens one of these sections of KPP.
fn opens_section(line: &str, names: &[&str]) -> bool {
    let Some(rest) = line.trim_start().strip_prefix('#') else { return false };
    let word = rest.trim_start().split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    names.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// A text of KPP with a brace for each of its comments in braces.
fn outside_braces(mut text: &str) -> String {
    let mut all = String::new();
    while let Some((before, comment)) = text.split_once('{') {
        all += before;
        all.push('{');
        text = comment.split_once('}').map_or(comment, |(_, behind)| behind);
    }
    all + text
}

/// Whether the lines are keywords of a program of CHEMKIN, such as SENKIN: amounts (`REAC H2 2.0`) and a pressure, a
/// temperature or a time, and no species declared.
fn is_conditions<'l>(lines: impl Iterator<Item = &'l str>) -> bool {
    let (mut amounts, mut state) = (false, false);
    for line in lines {
        let words: Vec<&str> = line.split(['!', '/']).next().unwrap_or_default().split_whitespace().collect();
        let number = |at: usize| words.get(at).is_some_and(|word| word.parse::<f64>().is_ok());
        match words.first().unwrap_or(&"").to_ascii_uppercase().as_str() {
            "SPECIES" | "SPEC" => return false,
            "REAC" | "FUEL" | "OXID" => amounts |= words.len() == 3 && number(2),
            "PRES" | "TEMP" | "TINF" | "TSRF" | "TIME" | "DELT" => state |= words.len() == 2 && number(1),
            _ => {}
        }
    }
    amounts && state
}

/// Whether the lines are transport data: a name, the shape of the molecule (0, 1 or 2) and five numbers.
fn is_transport<'l>(lines: impl Iterator<Item = &'l str>) -> bool {
    let data = |line: &str| {
        let mut words = line.split('!').next().unwrap_or_default().split_whitespace().skip(1);
        let shape = words.next().is_some_and(|w| matches!(w.trim_end_matches(".0"), "0" | "1" | "2"));
        shape && words.take(5).filter(|w| w.parse::<f64>().is_ok()).count() == 5
    };
    let (mut all, mut fit) = (0, 0);
    for line in lines.filter(|l| !l.trim_start().starts_with(['!', '#'])) {
        all += 1;
        fit += usize::from(data(line));
    }
    fit > 0 && 2 * fit > all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_content() {
        let of = |name: &str, text: &str| recognise(text, Path::new(name)).map_err(|d| d.message);
        assert_eq!(of("a.txt", "description: x\n\nphases:\n- name: gas\n"), Ok(Format::Cantera));
        assert_eq!(of("a.yaml", "species: []\n"), Ok(Format::Cantera));
        assert_eq!(of("a.yaml", "description: |-\n  species of the\n  gas\n"), Ok(Format::Cantera));
        assert_eq!(of("a.json", "{\"units\": {}, \"phases\" : []}"), Ok(Format::Cantera));
        assert_eq!(of("a.txt", "{species: [], phases: []}"), Ok(Format::Cantera));
        let refused = |name, text| of(name, text).unwrap_err();
        assert_eq!(of("a.inp", "species: 10\nreactions: 3\nphases: gas\nELEMENTS\nH O\nEND"), Ok(Format::Chemkin));
        assert_eq!(of("a.inp", "! comment\n elements\nH O\nEND"), Ok(Format::Chemkin));
        assert_eq!(of("a.txt", "{ comment }\n#include atoms\n"), Ok(Format::Kpp));
        assert_eq!(of("a.kpp", "#MODEL x"), Ok(Format::Kpp));
        let prose = "{ What the\n species are }\n#DEFVAR\nA = IGNORE;\n#EQUATIONS\nA = PROD : 1;\n";
        assert_eq!(of("a.eqn", prose), Ok(Format::Kpp));
        for section in ["#EQUATIONS\nA = B : 1;\n", "#DEFFIX\nM = IGNORE;\n", "#INCLUDE a.spc\n#INCLUDE a.eqn\n"] {
            let comment = "{ Chemistry {of air.\nReactions after Atkinson,\n species in one file }\n";
            assert_eq!(of("a.def", &format!("{comment}{section}{{1}} SPEC = A : 1;\n")), Ok(Format::Kpp));
        }
        let hashes = "# Model of {someone}\n# Include what follows\nSPECIES\nH2\nEND\n";
        assert_eq!(of("a.inp", hashes), Ok(Format::Chemkin));
        assert_eq!(of("config.json", "{\"camp-files\": [\"a.json\"]}"), Ok(Format::Musica));
        let prose = "description: |-\n  Gas for fuel and oxidizer; reactants: H2 and O2.\nphases:\n- name: gas\n  reactions: [a.yaml/r]\n";
        assert_eq!(of("a.yaml", prose), Ok(Format::Cantera));
        let flow = "{version: 1.0.0, species: [], phases: [], reactions: [{type: PHOTOLYSIS, reactants: []}]}";
        assert_eq!(of("config.yaml", flow), Ok(Format::Musica));
        let one = "version: 1.0.0\nspecies: []\nphases: []\nreactions:\n- type: PHOTOLYSIS\n  reactants: []\n";
        assert_eq!(of("config.yaml", one), Ok(Format::Musica));
        assert_eq!(of("net", "4He 4 2 2 0.0 2.425\n1.0 1.0\n"), Ok(Format::Fern));
        assert!(refused("a.json", "{\"a\": 1}").contains("JSON"));
        assert!(refused("a.xml", "<?xml version=\"1.0\"?>\n<sbml><model/></sbml>").contains("SBML"));
        let dictionary = "species\n(\n    H2 O2\n);\nreactions\n{\n    r1 { type x; reaction \"H2 = 2H\"; }\n}\n";
        assert!(refused("reactions", dictionary).contains("OpenFOAM"));
        let music = "{\"box model options\": {}, \"model components\": [{\"type\": \"CAMP\", \"configuration file\": \"camp/c.json\"}]}";
        assert!(recognise(music, Path::new("a.json")).unwrap_err().help.iter().any(|h| h.contains("camp/c.json")));
        assert!(refused("a.txt", "units(length='cm')\nideal_gas(name='gas')\nspecies(name='H')\n").contains("CTI"));
        assert!(
            refused("moz.in", "SPECIES\n Solution\n O3, NO -> NO\n End Solution\nEND SPECIES\n").contains("MOZART")
        );
        assert!(
            refused("senk.inp", "CONP\nPRES 1.0\nTEMP 1000.\nREAC H2 2\nREAC O2 1\nTIME 1e-3\nEND\n")
                .contains("conditions")
        );
        assert!(refused("a", "hello world").contains("not recognised"));
        let transport = "! data\nAR 0 136.500 3.330 0.000 0.000 0.000\nH2O 2 572.4 2.605 1.844 0. 4. ! water\nEND\n";
        assert!(refused("tran.dat", transport).contains("transport data"));
        assert!(refused("therm.dat", "THERMO ALL\n 300. 1000. 5000.\nH  L 7/88H 1\n").contains("thermodynamics alone"));
    }
}
