//! What is said about KPP files that are wrong: the code, the place and the remedy.

use crate::common::errors;
use kinlane_mech::Severity;
use kinlane_mech::kpp::read_str;

const HEAD: &str = "#DEFVAR\nO3 = 3O;\nNO = N + O;\nNO2 = N + 2O;\n#DEFFIX\nM = IGNORE;\n";

/// Errors of equations.
fn of(equations: &str) -> Vec<(&'static str, String)> {
    errors(&format!("{HEAD}#EQUATIONS\n{equations}"))
}

/// What is said, as shown.
fn told(equations: &str) -> String {
    told_of(&format!("{HEAD}#EQUATIONS\n{equations}"))
}

fn told_of(text: &str) -> String {
    read_str(("test.def", text)).map(|_| ()).expect_err(text).to_string()
}

fn one(code: &'static str, place: &str) -> Vec<(&'static str, String)> {
    vec![(code, place.to_owned())]
}

#[test]
fn unknown_species_once_with_the_nearest_name() {
    assert_eq!(of("O3 + NO = N02 : 1;\nN02 = NO : 1;"), one("M0511", "N02"));
    let told = told("O3 + NO = N02 : 1;\nN02 = NO : 1;");
    for part in ["test.def:8:11", "did you mean `NO2`?", "and here"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert_eq!(errors(&format!("{HEAD}#SETFIX N03;\n#EQUATIONS\nNO=O3:1;")), one("M0511", "N03"));
}

/// What cannot be computed would be zero without a word.
#[test]
fn initial_values_that_cannot_be_read() {
    let values = "NO = 2*foo; O3 = 2*1e9; NO2 = bar(1); M = 1.0D19; CFACTOR = x;";
    let text = format!("{HEAD}#EQUATIONS\nNO + O3 = NO2 : 1e-14;\nNO2 = NO + O3 : 1e-3;\n#INITVALUES\n{values}\n");
    let scheme = read_str(("test.def", &text)).unwrap_or_else(|e| panic!("{e}"));
    let told = scheme.notes.iter().filter(|d| d.code == "M0521");
    let told: Vec<&str> = told.map(|d| d.message.as_str()).collect();
    assert_eq!(
        told,
        [
            "the value of `NO` cannot be read: it counts as 0",
            "the value of `NO2` cannot be read: it counts as 0",
            "the value of `CFACTOR` cannot be read: it counts as 1",
        ]
    );
}

#[test]
fn unknown_functions_once_with_the_nearest_name() {
    assert_eq!(of("O3 = NO : TRO(1., 2., 3.);\nNO = O3 : 2*tro(1.,2.);"), one("M0514", "TRO"));
    assert!(told("O3 = NO : TROEX(1., 2., 3.);").contains("did you mean `TROEE`?"));
    assert!(told("O3 = NO : N2O5_uptake(1.0*host);").contains("as an input"));
    assert_eq!(of("O3 = NO : ARR2(1.);"), one("M0515", "ARR2(1.)"));
    assert!(told("O3 = NO : ARR2(1.);").contains("takes 2 or 3"));
    assert_eq!(of("O3 = NO : EXP(1., 2.);"), one("M0515", "EXP(1., 2.)"));
    assert_eq!(of("O3 = NO : blend(1.,2.,3.,4.);"), one("M0514", "blend"));
}

/// A host may call its arrays as it likes.
#[test]
fn arrays_whose_names_are_like_those_of_functions_are_inputs() {
    let text = format!("{HEAD}#EQUATIONS\nO3 = NO : TAU(1)*2.0;\nNO = NO2 : tau(1) + FL(ind_O3,2) + k_Trop(1);\n");
    let scheme = read_str(("test.def", &text)).unwrap_or_else(|e| panic!("{e}"));
    let names: Vec<&str> = scheme.inputs.iter().map(|input| input.0.as_str()).collect();
    assert_eq!(names, ["TAU(1)", "FL(ind_O3,2)", "k_Trop(1)"]);
    assert_eq!(notes_of(&text)[0], ("M0514", vec!["TAU(1)".to_owned(), "tau(1)".to_owned()]));
    assert!(scheme.notes.iter().any(|told| told.message.contains("like the function `tan`")), "{:?}", scheme.notes);
    // With arguments of a function it is none.
    assert!(told_of(&text.replace("tau(1)", "tau(1.0)")).contains("no function `tau`"));
    assert_eq!(of("O3 = NO : ARR_ab(1);"), one("M0515", "ARR_ab(1)"));
}

#[test]
fn missing_semicolons_and_rates() {
    // Both equations are read all the same.
    assert_eq!(of("O3 = NO : 1\nNO = X2 : 1;"), [("M0508", String::new()), ("M0511", "X2".into())]);
    assert!(told("O3 = NO : 1\nNO = O3 : 1;").contains("test.def:8:12"));
    assert_eq!(
        of("O3 = NO : \n 1\n<R2> NO = O3 :\n 1;\nO3 = NO : 1"),
        [("M0508", String::new()), ("M0508", String::new())]
    );
    assert_eq!(of("O3 = NO ;"), one("M0509", "O3 = NO"));
    assert_eq!(of("<1> O3 = NO : ;"), one("M0509", "O3 = NO"));
    assert_eq!(errors("#DEFVAR\nO3 = 3O\nNO = N + O;\n#EQUATIONS\nNO=O3:1;"), one("M0508", ""));
    assert_eq!(errors("#DEFVAR\nO3 = 3O;\nNO = N + O\n#EQUATIONS\nNO=O3:1;"), one("M0508", ""));
    assert_eq!(errors("#DEFVAR\nO3 = 3O;\nNO\n#EQUATIONS\nNO=O3:1;"), one("M0508", ""));
}

/// As in KPP; nothing would be left of the amount of one.
#[test]
fn initial_values_without_their_signs() {
    let of = |values: &str| errors(&format!("{HEAD}#EQUATIONS\nNO = O3 : 1;\n#INITVALUES {values}"));
    for (values, expected) in [
        ("NO 5.0; O3 = 3.0;", one("M0521", "NO 5.0")),
        ("NO : 5.0;\nO3 = 3.0;", one("M0521", "NO : 5.0")),
        ("NO = 5.0\nO3 = 3.0;", one("M0508", "")),
        ("NO = 5.0;\nO3 = 3.0", one("M0508", "")),
        ("NO = 5.0;\nextra", one("M0521", "extra")),
        ("NO = 5.0\nO3 = 3.0 {;}\nNO2 = 1", vec![("M0508", String::new()); 3]),
    ] {
        assert_eq!(of(values), expected, "{values}");
    }
}

/// As the site of the Master Chemical Mechanism writes them.
#[test]
fn reactions_without_products_and_species_without_names_are_warned_of() {
    let text = format!("{}#EQUATIONS\nO3 = : 1;\nNO = NO2 : 2;\n", HEAD.replace("NO = N", " = IGNORE;\nNO = N"));
    let scheme = read_str(("test.def", &text)).unwrap();
    assert!(scheme.reactions[0].products.is_empty() && scheme.reactions[0].reactants.len() == 1);
    let told = scheme.notes.iter().map(|d| (d.code, d.severity)).collect::<Vec<_>>();
    let warned = |code| told.contains(&(code, Severity::Warning));
    assert!(warned("M0528") && warned("M0505") && told.len() == 2, "{told:?}");
}

/// Code for all rate constants is read as far as possible, and what is lost with the rest is named.
#[test]
fn code_that_calls_what_is_not_known_is_left_out() {
    let read = |code: &str| {
        let rates = "#EQUATIONS\nO3 = NO : RO2;\nNO = NO2 : 2*sun0;\n";
        let text = format!("{HEAD}#INLINE F90_RCONST\n RO2 = C(ind_O3) + C(ind_NO2)\n{code}#ENDINLINE\n{rates}");
        let scheme = read_str(("test.def", &text)).unwrap();
        let inputs: Vec<String> = scheme.inputs.iter().map(|x| x.0.clone()).collect();
        let told: String =
            scheme.notes.iter().map(|d| format!("{}. {}. ", d.message, d.help.clone().unwrap_or_default())).collect();
        (inputs, told)
    };
    // The subroutine of the Master Chemical Mechanism reads its arguments.
    let (inputs, told) = read(" sun0 = 1.0\n CALL mcm_constants(time, temp, M, N2, O2, RO2, H2O)\n");
    assert!(inputs.is_empty() && told.contains("CALL"), "{inputs:?}: {told}");
    // Another one may set them.
    let (inputs, told) = read(" sun0 = 1.0\n CALL other(RO2)\n");
    assert!(inputs == ["RO2"] && told.contains("`RO2` may be changed there"), "{inputs:?}: {told}");
    let (inputs, told) = read(" sun0 = zenith(3.0*time)\n");
    assert!(inputs == ["sun0"] && told.contains("has the function `zenith`"), "{inputs:?}: {told}");
    // Those of Fortran are known.
    let (inputs, told) = read(" sun0 = MAX(COS(0.5), 0.0) + MOD(7.0, 4.0)\n");
    assert!(inputs.is_empty() && told.is_empty(), "{inputs:?}: {told}");
    let (_, told) = read(" sun0 = 1.0 {of 2024}\n");
    assert!(told.contains("not read in full") && told.contains("xmecca"), "{told}");
}

#[test]
fn equations_that_cannot_be_read() {
    for (text, code, place) in [
        ("O3 NO : 1;", "M0510", "O3 NO"),
        (" = NO : 1;", "M0510", ""),
        ("O3 + = NO : 1;", "M0510", ""),
        ("O3 = 2 : 1;", "M0510", ""),
        ("O3 ? NO2 = NO : 1;", "M0510", "?"),
        ("- O3 = NO : 1;", "M0510", "O3"),
        ("O3 = 1.2.3 NO : 1;", "M0513", "1.2.3"),
    ] {
        let found = of(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert_eq!((found[0].0, found[0].1.trim()), (code, place.trim()), "{text}");
    }
}

#[test]
fn expressions_that_cannot_be_read() {
    for (rate, code, place) in [
        ("1.2.3*TEMP", "M0513", "1.2.3"),
        ("1.0e-12d0", "M0513", "1.0e-12d0"),
        ("1.0e*2", "M0513", "1.0e"),
        ("2*(1 + 3", "M0512", "("),
        ("2 3", "M0512", "3"),
        ("2 * ", "M0512", ""),
        ("EXP(1,", "M0512", ""),
        ("2 $ 3", "M0512", "$"),
        ("1 = 2", "M0512", "="),
    ] {
        assert_eq!(of(&format!("O3 = NO : {rate};")), one(code, place), "{rate}");
    }
    let deep = format!("O3 = NO : {}1{};", "(".repeat(5000), ")".repeat(5000));
    assert_eq!(of(&deep).iter().map(|e| e.0).collect::<Vec<_>>(), ["M0518"]);
}

#[test]
fn comments_and_commands() {
    assert_eq!(errors("#DEFVAR\nO3 = 3O;\n#EQUATIONS {x\nO3 = O3 : 1;"), one("M0502", "{"));
    assert_eq!(errors("#DEFVAR\nO3 = 3O;\n#EQUATIONS\n O3 = O3 : 1; }"), one("M0502", "}"));
    assert_eq!(errors("#DEFVAR\nO3 = 3O;\n#EQUATIONS\nO3=O3:1;\n#INLINE F90_RATES\n x"), one("M0502", "#INLINE"));
    assert_eq!(errors("#DEFVAR\nO3 = 3O;\n#EQUATIONS\nO3=O3:1;\n#ENDINLINE"), one("M0502", "#ENDINLINE"));
    assert_eq!(errors("#DEFVAR\nO3 = 3O;\n#EQUATON\nO3=O3:1;")[0], ("M0500", "#EQUATON".into()));
    assert_eq!(errors("prose\n#DEFVAR\nO3 = 3O;\n#EQUATIONS\nO3=O3:1;"), one("M0501", "prose"));
    assert_eq!(errors("#INCLUDE missing.spc\n#DEFVAR\nO3 = 3O;\n#EQUATIONS\nO3=O3:1;"), one("M0503", "missing.spc"));
    assert_eq!(errors("#LANGUAGE C\n"), one("M0507", ""));
    let scheme = read_str(("test.def", "#DEFVAR\nO3 = 3O;\n#FOO bar\n#EQUATIONS\nO3=O3:1;")).unwrap();
    assert_eq!(scheme.notes.iter().map(|n| (n.code, n.severity)).collect::<Vec<_>>(), [("M0500", Severity::Warning)]);
}

#[test]
fn declarations() {
    assert_eq!(
        errors("#DEFVAR\nO3 = 3O; 2X = IGNORE; A B = H;\n#EQUATIONS\nO3=O3:1;"),
        [("M0505", "2X".into()), ("M0505", "A B".into())]
    );
    assert_eq!(errors("#DEFVAR\nO3 = 3O;\n#DEFFIX\no3 = 3O;\n#EQUATIONS\nO3=O3:1;"), one("M0506", "o3"));
}

/// Errors of a mechanism whose rate constant is `f(1., 2.)`.
fn function(code: &str) -> Vec<(&'static str, String)> {
    errors(&format!(
        "{HEAD}#INLINE F90_RATES\n{code}\n#ENDINLINE\n#EQUATIONS\nO3 = NO : f(1., 2.);\nNO=O3 : 3*f(1.,2.);"
    ))
}

#[test]
fn functions_with_what_is_not_supported() {
    let body = |lines: &str| function(&format!("REAL FUNCTION f(x, y)\n{lines}\nEND FUNCTION"));
    for (lines, code, place) in [
        ("REAL :: a(3)\nf = a(1)", "M0516", "a(3)"),
        ("REAL, DIMENSION(3) :: a\nf = 1", "M0516", "REAL, DIMENSION(3) :: a"),
        ("f = x(2)", "M0516", "x"),
        ("DO i = 1, 3\nf = 1\nEND DO", "M0516", "DO i = 1, 3"),
        ("x(1) = 2\nf = 1", "M0516", "x(1) = 2"),
        ("INTEGER i\ni = 3/2\nf = i", "M0516", "i = 3/2"),
        ("CALL s(x)\nf = 1", "M0516", "CALL s(x)"),
        ("IF (x > 1) RETURN\nf = 1", "M0516", "IF (x > 1) RETURN"),
        ("IF (x > 1) THEN\nf = 1", "M0512", ""),
        ("ENDIF\nf = 1", "M0516", "ENDIF"),
        ("f = f(x, y)", "M0517", "f(x, y)"),
        ("f = 1.2.3", "M0513", "1.2.3"),
        ("f = (1 + ", "M0512", ""),
        ("f = nope(x)", "M0514", "nope"),
    ] {
        assert_eq!(body(lines), one(code, place), "{lines}");
    }
    let chain = "REAL FUNCTION f(x, y)\nf = g(x)\nEND\nREAL FUNCTION g(x)\ng = 2*f(x, x)\nEND";
    assert_eq!(function(chain), one("M0517", "f(x, x)"));
    // Deep chains are refused from both ends: called from the first one, or read from the last one on.
    let many = |deep: usize| -> String {
        let sum = "1+(".repeat(deep);
        let one = |i| format!("REAL FUNCTION g{i}(x)\ng{i} = {sum}g{}(x){}\nEND\n", i + 1, ")".repeat(deep));
        (0..60).map(one).chain(["REAL FUNCTION g60(x)\ng60 = x\nEND\n".to_owned()]).collect()
    };
    let codes = |text: &str| function(text).into_iter().map(|e| e.0).collect::<Vec<_>>();
    let f = "REAL FUNCTION f(x, y)\nf = g0(x)\nEND\n";
    assert_eq!(codes(&format!("{f}{}", many(90))), ["M0518"]);
    let all: String = (0..61).rev().map(|i| format!("O3 = NO : g{i}(1.);\n")).collect();
    let text = format!("{HEAD}#INLINE F90_RATES\n{}\n#ENDINLINE\n#EQUATIONS\n{all}", many(90));
    assert_eq!(errors(&text)[0].0, "M0518");
}

#[test]
fn a_function_that_no_rate_needs_may_hold_anything() {
    let text = format!(
        "{HEAD}#INLINE F90_RATES\nREAL FUNCTION g(x)\nREAL :: a(3)\nEND FUNCTION\n#ENDINLINE\n#EQUATIONS\nO3 = NO : 1;"
    );
    assert!(read_str(("test.def", &text)).is_ok());
}

#[test]
fn where_a_function_is_used_is_told_too() {
    let text = format!(
        "{HEAD}#INLINE F90_RATES\nREAL FUNCTION f(x)\nREAL :: a(3)\nf = a(1)\nEND FUNCTION\n#ENDINLINE\n#EQUATIONS\nO3 = NO : f(1.);"
    );
    let told = told_of(&text);
    for part in ["function `f` has what is not supported: an array, `a`", "test.def:9:9", "used here"] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn everything_is_told_at_once() {
    let found = of("O3 = NO3 : 1;\nNO = O3 : foo(2.);\nO3 = NO : 1.2.3;\nNO2 = NO ;\nNO O3 : 1;");
    let codes: Vec<&str> = found.iter().map(|f| f.0).collect();
    assert_eq!(codes, ["M0509", "M0510", "M0511", "M0514", "M0513"]);
}

#[test]
fn integers_divided_are_warned_of() {
    let text = format!("{HEAD}#EQUATIONS\nO3 = NO : TEMP**(1/3) + 4/2 + 1./3;\nNO2=NO:1;");
    let scheme = read_str(("test.def", &text)).unwrap();
    let notes: Vec<_> = scheme.notes.iter().map(|n| (n.code, scheme.sources.text(n.labels[0].0))).collect();
    assert_eq!(notes, [("M0520", "1/3")]);
    let with = |rates: &str, more: &str| notes_of(&format!("{HEAD}#EQUATIONS\nO3 = NO : {rates};\nNO2=NO:1;\n{more}"));
    assert_eq!(with("10**(-2) + 10.**(-2) + 10**2 + 1**(-2)", ""), [("M0520", vec!["10**(-2)".to_owned()])]);
    let code = "#INLINE F90_GLOBAL\n INTEGER, PARAMETER :: n = 3, m = n - 1\n INTEGER k\n#ENDINLINE\n";
    assert_eq!(with("TEMP*(n/m) + n/2.0 + n*TEMP/m", code), [("M0520", vec!["n/m".to_owned()])]);
    let code = format!("{code}#INLINE F90_RCONST\n k = TEMP/100.\n#ENDINLINE");
    assert_eq!(with("1.0*k", &code), [("M0522", vec!["k = TEMP/100.".to_owned()])]);
    let code = "#INLINE F90_RATES\nREAL(dp) FUNCTION f(n)\n INTEGER n\n f = n/2 + 3.0/n\nEND FUNCTION\n#ENDINLINE";
    assert_eq!(with("f(3) + f(3)", code), [("M0520", vec!["n/2".to_owned()])]);
    // In what code says of a run, too, and once in a constant of the rates.
    let code = "#INLINE F90_INIT\n TEMP = 5/2*100\n TSTART = 4/2*100\n TEND = 5./2\n#ENDINLINE";
    assert_eq!(with("1.0", code), [("M0520", vec!["TEMP = 5/2*100".to_owned()])]);
    let code = "#INLINE F90_GLOBAL\n REAL(dp), PARAMETER :: a = 1/3\n#ENDINLINE";
    assert_eq!(with("a", code), [("M0520", vec!["1/3".to_owned()])]);
}

#[test]
fn equations_of_one_tag_are_warned_of() {
    let told = |equations: &str| notes_of(&format!("{HEAD}#EQUATIONS\n{equations}"));
    assert_eq!(told("<R1> O3 = NO : 1;\n<R2> NO = O3 : 2;\nNO=NO2:1;\nNO=NO2:2;"), []);
    let all = ["<r1> NO = O3 : 2", "<R1> O3 = NO : 1"].map(str::to_owned).to_vec();
    assert_eq!(told("<R1> O3 = NO : 1;\n<r1> NO = O3 : 2;\nNO=NO2:1;"), [("M0527", all)]);
}

#[test]
fn a_refusal_begins_with_errors() {
    let code = "#INLINE F90_RCONST\n CALL a(b)\n#ENDINLINE";
    let told = told_of(&format!("{HEAD}{code}\n#EQUATIONS\nO3 = NO : f(2.);\nNO2 = NO : 1;"));
    assert!(told.starts_with("error[M0514]") && told.contains("warning[M0522]"), "{told}");
}

/// What is said of an accepted file.
fn notes_of(text: &str) -> Vec<(&'static str, Vec<String>)> {
    let scheme = read_str(("test.def", text)).unwrap_or_else(|e| panic!("{text}\n{e}"));
    let places = |d: &kinlane_mech::Diagnostic| d.labels.iter().map(|l| scheme.sources.text(l.0).to_owned()).collect();
    scheme.notes.iter().filter(|d| d.severity == Severity::Warning).map(|d| (d.code, places(d))).collect()
}

#[test]
fn code_that_is_not_read_is_told() {
    let with = |more: &str| notes_of(&format!("{HEAD}#EQUATIONS\nO3 + NO = NO2 : k_a;\nNO2 = O3 + NO : 1;\n{more}"));
    assert_eq!(
        with("#INLINE F90_RCONST\n  CALL rates(k_a)\n#ENDINLINE"),
        [("M0522", vec!["CALL rates(k_a)".to_owned()])]
    );
    assert_eq!(
        with("#INLINE F90_RCONST\n  k_a = 2\n#ENDINLINE\n#INITVALUES\nO33 = 1; NO = 2; CFACTOR = 3;"),
        [("M0511", vec!["O33".to_owned()])]
    );
    let code = "#INLINE F90_INIT\n INTEGER :: i\n TEMP = 200\n DO i = 1, 3\n VAR(i) = 0\n END DO ! none\n VAR(ind_O3) = 1e3\n#ENDINLINE";
    assert_eq!(with(code), [("M0523", ["DO i = 1, 3", "VAR(i) = 0", "END DO"].map(str::to_owned).to_vec())]);
    let code = "#INLINE F90_INIT\n TEMP = 300\n global_T = a\n int_x = 5\n IF (warm) THEN\n TEMP = 280\n ELSE\n TEMP = 270\n ENDIF\n#ENDINLINE";
    let all = ["IF (warm) THEN", "TEMP = 280", "ELSE", "TEMP = 270", "ENDIF"];
    assert_eq!(with(code), [("M0523", all.map(str::to_owned).to_vec())]);
    let all = [
        "l: DO i = 1, 3",
        "A = 1",
        "END DO l",
        "WHERE (c > 0) c = 0",
        "IF (a > 1 .AND. &\n b < 2) THEN",
        "D = 2",
        "END IF",
    ];
    let code = format!("#INLINE F90_INIT\n{}\nTEMP = 200\n#ENDINLINE", all.join("\n"));
    assert_eq!(with(&code), [("M0523", all.map(str::to_owned).to_vec())]);
    let code = "if (a != 0) { // !\n if (!b) {\n TEMP = 280;\n }\n} else {\n TEMP = 270;\n}\nDT = 1;";
    let all = ["if (a != 0) {", "if (!b) {", "TEMP = 280", "} else {", "TEMP = 270"];
    assert_eq!(with(&format!("#INLINE C_INIT\n{code}\n#ENDINLINE")), [("M0523", all.map(str::to_owned).to_vec())]);
    for kind in ["C_RCONST", "MATLAB_RATES"] {
        assert_eq!(
            with(&format!("#INLINE {kind}\n\n k_a = 2;\n#ENDINLINE")),
            [("M0522", vec![" k_a = 2;".trim().to_owned()])]
        );
    }
    assert_eq!(with("#INLINE F77_RCONST\nC     none\n      k_a =\n     &  2.0\n#ENDINLINE"), []);
    let code = "#ifdef HOST\n k_a = 2\n#else\n k_a = 3\n#endif";
    assert_eq!(with(&format!("#INLINE F90_RCONST\n{code}\n#ENDINLINE")), [("M0525", vec!["#ifdef HOST".to_owned()])]);
    assert_eq!(with("#INLINE F90_RCONSTS\n k_a = 2\n#ENDINLINE"), [("M0500", vec!["F90_RCONSTS".to_owned()])]);
    assert_eq!(with("#FLUX ON\n#SPARSEDATA\n#RETURNRATES ON\n#INITIALIZE\n"), []);
    let again = "#EQUATIONS\n<x> NO + O3 = NO2 :k_a ;\n NO2 = NO + O3 : 2;";
    assert_eq!(with(again), [("M0524", vec!["<x> NO + O3 = NO2 :k_a".to_owned(), "O3 + NO = NO2 : k_a".to_owned()])]);
}

#[test]
fn rate_constants_below_zero_and_a_factor_that_nothing_sets_are_told() {
    let text = "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : -1e-5;\nB = A : 2*CFACTOR;\n";
    let told = |text: &str| {
        let scheme = read_str(("test.def", text)).unwrap();
        scheme.notes.iter().map(|d| (d.code, d.severity)).collect::<Vec<_>>()
    };
    assert_eq!(told(text), [("M0531", Severity::Warning), ("M0530", Severity::Note)]);
    assert_eq!(told(&format!("{text}#INITVALUES\nCFACTOR = 2.5e19;\n")), [("M0531", Severity::Warning)]);
}

#[test]
fn atoms_are_counted_where_a_file_asks_for_it() {
    let told = |check: &str| {
        let species = "#DEFVAR\nNO2 = N + 2O; NO = n + O; O3 = 3 O; O = O; X = IGNORE; HALF = 0.5 O;\n\
                       Y = O + ignore; W; Z = CANCEL;\n#DEFFIX\nM = IGNORE;\n";
        let reactions = "#EQUATIONS\n<a> NO2 + hv = NO : 1;\n<b> O3 + NO = NO2 + 2O : 1;\n<c> O3 = X : 1;\n<d> O = NO + 0.0001 O : 1;\n<e> O3 = 6 HALF : 1;\n\
                         <f> O3 = PROD + Y : 1;\n<g> O3 = Z : 1;\n<h> 3 Y + M + W = O3 : 1;\n<i> W + X = M : 1;\n";
        let scheme = read_str(("test.def", &format!("{check}\n{species}{reactions}"))).unwrap();
        let notes: Vec<_> = scheme.notes.iter().filter(|d| d.code == "M0532").cloned().collect();
        notes
            .into_iter()
            .map(|d| (d.message, d.labels.into_iter().map(|l| l.1).collect::<Vec<_>>()))
            .collect::<Vec<_>>()
    };
    let o = "O: 2 become 1".to_owned();
    assert_eq!(told(""), []);
    assert_eq!(told("#CHECK n;"), [("reaction `d` loses or gains atoms".to_owned(), vec!["N: 0 become 1".to_owned()])]);
    // As in KPP, `IGNORE` counts as no atoms.
    let all = vec![o, "O: 3 become 0".to_owned(), "N: 0 become 1".to_owned()];
    assert_eq!(told("#CHECK o;"), [("2 reactions lose or gain atoms".to_owned(), all[..2].to_vec())]);
    let [lost] = &told("#CHECK N; O;")[..] else { panic!() };
    assert_eq!(*lost, ("3 reactions lose or gain atoms".to_owned(), all));
    assert_eq!(told("#CHECKALL")[0], *lost);
    let [unknown, lost] = &told("#CHECK NN; O;")[..] else { panic!() };
    assert_eq!((unknown.1[0].as_str(), lost.1.len()), ("not in any composition", 2));
    // The name PROD does not count, whatever its composition.
    let text = "#DEFVAR\nA = C; PROD = IGNORE;\n#EQUATIONS\nA = PROD : 1;\n#CHECKALL\n";
    assert!(notes_of(text).iter().all(|(code, _)| *code != "M0532"));
}
