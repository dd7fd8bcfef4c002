//! The header, the code and the module for Fortran are written by hand; here they are compared.
//!
//! The declarations of `kinlane.h` are put into the words of Rust, and those of the code into the same form: functions with
//! the names and types of their arguments, structs with their fields, enums with their numbers.

use std::collections::BTreeMap;

const HEADER: &str = include_str!("../../include/kinlane.h");
const FORTRAN: &str = include_str!("../../fortran/kinlane.f90");
const CODE: [&str; 14] = [
    include_str!("mod.rs"),
    include_str!("advance.rs"),
    include_str!("arrays.rs"),
    include_str!("continuation.rs"),
    include_str!("equilibrium.rs"),
    include_str!("evaluate.rs"),
    include_str!("fault.rs"),
    include_str!("follow.rs"),
    include_str!("mechanism.rs"),
    include_str!("names.rs"),
    include_str!("options.rs"),
    include_str!("scheme.rs"),
    include_str!("solver.rs"),
    include_str!("zones.rs"),
];

/// Name, and arguments with their types; the last one is the result.
type Declarations = BTreeMap<String, Vec<(String, String)>>;

/// A text on one line, without comments and what is for the preprocessor.
fn plain(text: &str) -> String {
    let mut rest = text;
    let mut out = String::new();
    while let Some((before, after)) = rest.split_once("/*") {
        out.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    let lines = out.lines().map(|l| l.split("//").next().unwrap_or_default());
    lines.filter(|l| !l.starts_with('#') || l.starts_with("#[")).collect::<Vec<_>>().join(" ")
}

/// The type of C in the words of Rust: `const double *` is `*const f64`.
fn rust_type(c: &str) -> String {
    let words: Vec<&str> = c.split_whitespace().filter(|w| *w != "*").collect();
    let (constant, base) = match words[..] {
        ["const", base] => (true, base),
        [base] => (false, base),
        _ => panic!("a type with other words: {c}"),
    };
    let base = match base {
        "double" => "f64".to_owned(),
        "size_t" => "usize".to_owned(),
        "int32_t" => "i32".to_owned(),
        "uint32_t" => "u32".to_owned(),
        "uint64_t" => "u64".to_owned(),
        "int" => "c_int".to_owned(),
        "char" => "c_char".to_owned(),
        "void" => "()".to_owned(),
        own => capital(own.strip_prefix("kinlane_").unwrap_or(own)),
    };
    match (c.contains('*'), constant) {
        (false, _) => base,
        (true, true) => format!("*const {base}"),
        (true, false) => format!("*mut {base}"),
    }
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |c| c.to_uppercase().chain(letters).collect())
}

/// `const double *y` apart: name and type.
fn c_name(declaration: &str) -> (String, String) {
    let declaration = declaration.trim();
    let at = declaration.rfind([' ', '*']).map_or(0, |i| i + 1);
    (declaration[at..].to_owned(), rust_type(&declaration[..at].replace('*', " * ")))
}

/// The functions and structs of the header.
fn header() -> (Declarations, Declarations) {
    let text = plain(HEADER).replace("extern \"C\" {", "");
    let (mut functions, mut structs) = (Declarations::new(), Declarations::new());
    let mut rest = text.as_str();
    while let Some(at) = rest.find("typedef struct ") {
        let body = &rest[at + "typedef struct ".len()..];
        let (name, after) = body.split_once([' ', ';']).expect("a name");
        if let Some(fields) = after.trim_start().strip_prefix('{') {
            let fields = fields.split_once('}').expect("an end").0;
            let fields = fields.split(';').filter(|f| !f.trim().is_empty()).map(c_name).collect();
            structs.insert(capital(&name["kinlane_".len()..]), fields);
        }
        rest = body;
    }
    for statement in text.split(';') {
        let Some((head, arguments)) = statement.split_once('(') else { continue };
        let head = head.rsplit('}').next().unwrap_or_default();
        let (name, result) = c_name(head);
        let arguments = arguments.trim_end().strip_suffix(')').expect("a declaration");
        let mut all: Vec<_> = match arguments {
            "void" => Vec::new(),
            some => some.split(',').map(c_name).collect(),
        };
        all.push(("".to_owned(), result));
        functions.insert(name, all);
    }
    (functions, structs)
}

/// A type of the code as the header's have it: handles without that word.
fn own_type(rust: &str) -> String {
    rust.trim().replace("c_double", "f64").replace("Handle", "")
}

fn rust_name(declaration: &str) -> (String, String) {
    let (name, ty) = declaration.split_once(':').expect("a type");
    (name.trim().trim_start_matches("pub ").to_owned(), own_type(ty))
}

/// The functions and structs of the code.
fn code() -> (Declarations, Declarations) {
    let (mut functions, mut structs) = (Declarations::new(), Declarations::new());
    for text in CODE {
        let text = plain(text);
        for after in text.split("extern \"C\" fn ").skip(1) {
            let (name, rest) = after.split_once('(').expect("arguments");
            let (arguments, rest) = rest.split_once(')').expect("an end");
            let result = rest.split_once('{').expect("a body").0.trim();
            let mut all: Vec<_> = arguments.split(',').filter(|a| !a.trim().is_empty()).map(rust_name).collect();
            all.push(("".to_owned(), result.strip_prefix("->").map_or("()".to_owned(), own_type)));
            functions.insert(name.to_owned(), all);
        }
        for after in text.split("#[repr(C)] pub struct ").skip(1) {
            let (name, rest) = after.split_once(" {").expect("fields");
            let fields = rest.split_once('}').expect("an end").0;
            let fields = fields.split(',').filter(|f| !f.trim().is_empty()).map(rust_name).collect();
            structs.insert(name.to_owned(), fields);
        }
    }
    (functions, structs)
}

/// Handles that calls of the header may change, and the code only reads: they are locked within.
fn softened(all: &mut Declarations) {
    for (_, ty) in all.values_mut().flatten() {
        for handle in ["Solver", "Continuation"] {
            if *ty == format!("*mut {handle}") {
                *ty = format!("*const {handle}");
            }
        }
    }
}

#[test]
fn the_header_declares_what_the_code_exports() {
    let (mut declared, mut structs) = header();
    let (mut exported, mut own) = code();
    assert!(declared.len() > 40 && structs.len() == 7, "the header was not understood");
    [&mut declared, &mut structs, &mut exported, &mut own].into_iter().for_each(softened);
    let names = |all: &Declarations| all.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&declared), names(&exported));
    for (name, arguments) in &declared {
        assert_eq!(arguments, &exported[name], "{name}");
    }
    assert_eq!(structs, own);
}

#[test]
fn numbers_of_the_header_are_those_of_the_code() {
    use crate::interface::fault::{Code, NONE};
    use crate::interface::names::List;
    let numbers: BTreeMap<String, i64> = plain(HEADER)
        .split([',', '{', '}'])
        .filter_map(|part| {
            let (name, value) = part.split_once('=')?;
            Some((name.trim().to_owned(), value.trim().parse().ok()?))
        })
        .collect();
    let statuses = ["DONE", "STEP_TOO_SMALL", "TOO_MANY_STEPS", "NOT_FINITE", "CANCELLED"];
    let statuses = statuses.iter().enumerate().map(|(i, name)| {
        let status = kinlane::Status::from_number(i as f64);
        (*name, i64::from(crate::interface::solver::number(status)))
    });
    let known = [
        ("OK", Code::Ok as i64),
        ("ARGUMENT", Code::Argument as i64),
        ("MECHANISM", Code::Mechanism as i64),
        ("PLAN", Code::Plan as i64),
        ("BATCH", Code::Batch as i64),
        ("DEVICE", Code::Device as i64),
        ("BUSY", Code::Busy as i64),
        ("INTERNAL", Code::Internal as i64),
        ("SPECIES", List::SPECIES.0.into()),
        ("REACTIONS", List::REACTIONS.0.into()),
        ("ELEMENTS", List::ELEMENTS.0.into()),
        ("FIXED", List::FIXED.0.into()),
        ("PHOTOLYSIS", List::PHOTOLYSIS.0.into()),
        ("INPUTS", List::INPUTS.0.into()),
        ("WARNINGS", List::WARNINGS.0.into()),
        ("CELL_MAJOR", 0),
        ("SPECIES_MAJOR", 1),
    ];
    let known: BTreeMap<String, i64> =
        known.into_iter().chain(statuses).map(|(name, number)| (format!("KINLANE_{name}"), number)).collect();
    assert_eq!(numbers, known);
    assert_eq!(crate::interface::arrays::Layout(0).known().ok(), Some(kinlane::Layout::CellMajor));
    assert_eq!(crate::interface::arrays::Layout(1).known().ok(), Some(kinlane::Layout::SpeciesMajor));
    assert!(HEADER.contains("#define KINLANE_NONE SIZE_MAX") && NONE == usize::MAX);
    assert!(HEADER.contains(&format!("#define KINLANE_ABI {}\n", crate::interface::kinlane_abi())));

    // The module of Fortran has all numbers, too.
    for (name, number) in &numbers {
        let line = format!("    integer(c_int), parameter :: {} = {number}\n", name.to_lowercase());
        assert!(FORTRAN.contains(&line), "{line}");
    }
}

/// What a line of Fortran declares an argument or a field to be, for a type of the header.
fn fortran_type(rust: &str) -> &'static str {
    match rust {
        "f64" => "real(c_double), value",
        "usize" => "integer(c_size_t), value",
        "u64" => "integer(c_int64_t), value",
        "c_int" | "List" | "Layout" => "integer(c_int), value",
        "*const f64" => "real(c_double), intent(in)",
        "*mut f64" => "real(c_double), intent(inout)",
        "*const c_char" => "character(kind=c_char), intent(in)",
        "*mut c_char" => "character(kind=c_char), intent(inout)",
        "*const Extras" => "type(kinlane_extras), intent(in)",
        "*const States" => "type(kinlane_states), intent(in)",
        "*const Properties" => "type(kinlane_properties), intent(in)",
        "*const Notes" => "type(kinlane_notes), intent(in)",
        "*const History" => "type(kinlane_history), intent(in)",
        "*const Conditions" => "type(kinlane_conditions), intent(in)",
        "*mut Report" => "type(kinlane_report), intent(inout)",
        _ => "type(c_ptr), value",
    }
}

/// Whether a line of a block declares the name so; with `optional` or without, and of whatever rank.
fn fortran_declares(block: &str, ty: &str, name: &str) -> bool {
    block.lines().filter_map(|l| l.trim().split_once(" :: ")).any(|(left, right)| {
        let right = right.split(['(', ' ']).next().unwrap_or_default();
        right == name && left.trim_end_matches(", optional") == ty
    })
}

#[test]
fn the_fortran_module_binds_every_function_and_struct() {
    let (functions, structs) = header();
    let joined: String = FORTRAN.split("&\n").map(str::trim_start).collect::<Vec<_>>().join("");
    for (name, arguments) in &functions {
        let (arguments, result) = arguments.split_at(arguments.len() - 1);
        let names: Vec<&str> = arguments.iter().map(|a| a.0.as_str()).collect();
        let head = format!(" {name}({}) bind(c)", names.join(", "));
        let block = joined.split_once(&head).unwrap_or_else(|| panic!("no{head}")).1;
        let block = block.split_once("        end ").expect("an end").0;
        for (argument, ty) in arguments {
            assert!(fortran_declares(block, fortran_type(ty), argument), "{name}: {argument} is {}", fortran_type(ty));
        }
        let result = match result[0].1.as_str() {
            "()" => continue,
            "Code" => "integer(c_int)",
            value => fortran_type(value).trim_end_matches(", value"),
        };
        let result = if result.starts_with("character") { "type(c_ptr)" } else { result };
        let own = block.split("result(").nth(1).and_then(|r| r.split(')').next()).expect("a result");
        assert!(fortran_declares(block, result, own), "{name} is {result}");
    }
    for (name, fields) in &structs {
        let head = format!("type, bind(c) :: kinlane_{}\n", name.to_lowercase());
        let block = FORTRAN.split_once(&head).expect("a type").1.split_once("    end type").expect("an end").0;
        let own = block.lines().filter_map(|l| l.trim().split_once(" :: "));
        let own: Vec<(&str, &str)> = own.map(|(ty, f)| (ty, f.split(' ').next().unwrap_or_default())).collect();
        let of =
            |ty: &str| if ty.starts_with('*') { "type(c_ptr)" } else { fortran_type(ty).trim_end_matches(", value") };
        let wanted: Vec<(&str, &str)> = fields.iter().map(|(f, ty)| (of(ty), f.as_str())).collect();
        assert_eq!(own, wanted, "{name}");
    }
}
