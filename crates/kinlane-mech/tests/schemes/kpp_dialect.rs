//! What KPP files may look like, each with a few lines of text; and random texts.

use crate::common::{Cell, errors, rate_constants, survives};
use kinlane_mech::kpp::{read, read_str};
use kinlane_mech::scheme::{Expression, Name, Operator, Rate, Scheme};
use kinlane_testdata::damage;
use proptest::prelude::*;

/// A mechanism of A, B, C, D with M fixed.
fn with(equations: &str) -> Scheme {
    let text = format!(
        "#DEFVAR\nA = IGNORE; B = IGNORE; C = IGNORE; D = IGNORE;\n#DEFFIX\nM = IGNORE;\n#EQUATIONS\n{equations}\n"
    );
    scheme(&text)
}

fn scheme(text: &str) -> Scheme {
    read_str(("test.def", text)).unwrap_or_else(|e| panic!("{text}\n{e}"))
}

/// The value of a rate constant at 300 K, with every input 2.
fn rate(expression: &str) -> f64 {
    rate_constants(&with(&format!("A+B+C+D = PROD : {expression};")), &cell(0, 0))[0]
}

fn cell(photolysis: usize, inputs: usize) -> Cell {
    Cell {
        temperature: 300.0,
        photolysis: vec![1e-3; photolysis],
        inputs: vec![2.0; inputs.max(4)],
        species: vec![3.0; 4],
        fixed: vec![5.0; 1],
    }
}

#[test]
fn comments_stand_anywhere() {
    let scheme = with("{ 1.} A + M{=B} = {2}B {+ 0.5 C} : {k} 1.0e0 {a\nb} ; // C = D : 2; \n//x\n{3:4} C=D:2;");
    assert_eq!(scheme.reactions.len(), 2);
    let step = &scheme.reactions[0];
    assert_eq!((&*step.reactants, &*step.products, &*step.fixed), (&[(0, 1.0)][..], &[(1, 1.0)][..], &[(0, 1.0)][..]));
    assert_eq!(step.label, "A + M = B");
    assert_eq!(scheme.reactions[1].label, "C=D");
}

/// Behind code it is a word of its own, as in KPP; on its own line it may be written with blanks, and have a comment behind it.
#[test]
fn what_ends_inlined_code() {
    let length =
        |code: &str| with(&format!("A = B : 1;\n#INLINE F90_INIT\n TSTART = 0; TEND = 5{code}\nB = A : 1;")).run.length;
    for code in [" #ENDINLINE", "\t#endinline both", "\n # endinline", "\n#ENDINLINE{end}", "\n#ENDINLINE // end"] {
        assert_eq!(length(code), Some(5.0), "{code:?}");
    }
    for comment in ["ends at #ENDINLINE, below", "see '#ENDINLINE'", "# ENDINLINE", "##ENDINLINES"] {
        assert_eq!(length(&format!(" ! {comment}\n TEND = 7\n#ENDINLINE")), Some(7.0), "{comment}");
    }
    assert_eq!(
        with("A = B : 1;\nB = A : 1;\n#INLINE F90_INIT\n TSTART = 0; TEND = 5 #ENDINLINE").run.length,
        Some(5.0)
    );
}

#[test]
fn numbers_are_as_long_as_they_may_be() {
    let scheme = with("A = 1E-1B + 2E1C + .5D:1; PROD = A : 2; B = PROD + hv : 3;");
    let of = |i: usize| (&*scheme.reactions[i].reactants, &*scheme.reactions[i].products);
    assert_eq!(of(0), (&[(0, 1.0)][..], &[(1, 0.1), (2, 20.0), (3, 0.5)][..]));
    assert_eq!(of(1), (&[][..], &[(0, 1.0)][..]));
    assert_eq!(of(2), (&[(1, 1.0)][..], &[][..]));
    let scheme =
        self::scheme("#DEFVAR\nA=IGNORE; D2O=IGNORE; d=IGNORE;\n#EQUATIONS\nA = 2D2O + 1.5d : 1; 2 D2O = A : 1;");
    assert_eq!(scheme.reactions[0].products, [(1, 2.0), (2, 1.5)]);
    assert_eq!(scheme.reactions[1].reactants, [(1, 2.0)]);
}

#[test]
fn code_computes_variables_of_all_rate_constants() {
    let scheme = scheme(
        "#DEFVAR\nA = IGNORE; B = IGNORE; RO2 = IGNORE;\n#DEFFIX\nM = IGNORE;\n#EQUATIONS\nA = B : RO2*fac;\nB = A : late;\n\
         B + M = RO2 : twice(k_t) + more;\nRO2 = A : TEMP;\n\
         #INLINE F90_GLOBAL\n REAL(dp), PARAMETER :: fac = 2.5d0 ! a factor\n REAL(dp) :: x(3), k_t\n#ENDINLINE\n\
         #INLINE F90_RCONST\n USE this\n late = missing\n RO2 = C(ind_A) + &\n  VAR(KPP_B)\n k_t = TEMP/100.\n\
         IF (TEMP > 250.) THEN\n  k_t = k_t + 1\n ELSE\n  k_t = -1\n END IF\n late = 2*k_t\n#ENDINLINE\n\
         #INLINE F90_RCONST\n more = FIX(indf_M)*fac\n#ENDINLINE\n\
         #INLINE F90_RATES\n REAL(dp) FUNCTION twice(x)\n REAL(dp) :: x\n twice = 2*x*fac\n END FUNCTION\n#ENDINLINE\n",
    );
    // What is overwritten is not asked for.
    assert_eq!(scheme.inputs, []);
    let cell = Cell { species: vec![3.0, 4.0, 100.0], ..cell(0, 0) };
    assert_eq!(rate_constants(&scheme, &cell), [7.0 * 2.5, 8.0, 2.0 * 4.0 * 2.5 + 5.0 * 2.5, 300.0]);
}

#[test]
fn code_at_the_beginning_runs_in_order_and_groups_of_species_are_known() {
    let run = scheme(
        "#DEFVAR\nA = IGNORE; B = IGNORE;\n#DEFFIX\nM = IGNORE;\n#EQUATIONS\nA + M = B : X;\nB = A : 1;\n#INITVALUES\nCFACTOR = 10; ALL_SPEC = 2;\n\
         #INLINE F90_INIT\n TEMP = 200; TEMP = TEMP + 50 ! warm\n DT = 1\n CFACTOR = 3\n VAR(ind_A) = 1.d9\n X = 4\n#ENDINLINE\n\
         #INLINE F90_INIT\n DT = 250\n#ENDINLINE\n#INLINE C_INIT\n TEMP = 1;\n#ENDINLINE\n",
    );
    assert_eq!((run.run.temperature, run.run.step), (Some(250.0), Some(250.0)));
    let times = |code: &str| with(&format!("A = B : 1;\n#INLINE F90_INIT\n{code} #ENDINLINE\nB = A : 1;")).run;
    let day = times("TSTART = 12*3600; TEND = TSTART + 3*24*3600");
    assert_eq!((day.start, day.length), (Some(43_200.0), Some(259_200.0)));
    assert_eq!(times("TSTART = 10; TEND = 10").length, None);
    assert_eq!([run.species[0].initial, run.species[1].initial, run.fixed[0].initial], [1e9, 20.0, 20.0]);
    assert_eq!(run.inputs, [("X".to_owned(), Some(4.0))]);
    let text = |command: &str| {
        format!("#DEFVAR\nA = IGNORE; B = IGNORE;\n#DEFFIX\nM = IGNORE;\n{command}\n#EQUATIONS\nA + M = B : 1;")
    };
    let counts = |command: &str| [scheme(&text(command)).species.len(), scheme(&text(command)).fixed.len()];
    assert_eq!(counts("#SETFIX ALL_SPEC;\n#SETVAR A; M;"), [2, 1]);
    assert_eq!(counts("#SETVAR FIX_SPEC;"), [3, 0]);
    // A value of its own counts before that of its group, and that before the one of all.
    let of = |values: &str| {
        let scheme = scheme(&text(&format!("#INITVALUES\nALL_SPEC = 7; {values}\n")));
        [scheme.species[0].initial, scheme.species[1].initial, scheme.fixed[0].initial]
    };
    assert_eq!(of("VAR_SPEC = 2; FIX_SPEC = 5; B = 3;"), [2.0, 3.0, 5.0]);
    assert_eq!([of("VAR_SPEC = 2;"), of("FIX_SPEC = 5;")], [[2.0, 2.0, 7.0], [7.0, 7.0, 5.0]]);
}

/// #INITVALUES are multiplied by the CFACTOR beside them; rates have that of code, which comes later.
#[test]
fn code_may_change_what_initial_values_were_multiplied_by() {
    let text = |initial: &str| {
        scheme(&format!(
            "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : 2*CFACTOR*x;\nB = A : y;\n#INITVALUES\n{initial} A = 1e10;\n\
             #INLINE F90_GLOBAL\n REAL(dp) :: x = 3._dp, z(2)=0, y = 2*2\n INTEGER :: n = 7\n#ENDINLINE\n\
             #INLINE F90_INIT\n CFACTOR = 5\n VAR(ind_B) = 2*CFACTOR\n#ENDINLINE\n"
        ))
    };
    let scheme = text("CFACTOR = 2;");
    assert_eq!([scheme.species[0].initial, scheme.species[1].initial], [2e10, 10.0]);
    assert_eq!(rate_constants(&scheme, &Cell::of(&scheme)), [30.0, 4.0]);
    assert_eq!(text("").species[0].initial, 1e10);
    assert_eq!(with("A = B : CFACTOR;").inputs, [("CFACTOR".to_owned(), Some(1.0))]);
}

/// Functions of KPP read the variables of the module, as do those of the mechanism.
#[test]
fn functions_of_kpp_see_what_code_sets() {
    let scheme = scheme(
        "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : ARR_ab(1., 500.);\nB = A : EP3(1., 0., 2e-6, 0.);\n\
         A = B : SUN;\n#INLINE F90_RCONST\n TEMP = TEMP - 50.\n CFACTOR = 3.\n IF (TEMP > 1000.) SUN = 0\n#ENDINLINE\n",
    );
    // What is overwritten has no say; what is read before, or may stay, is what it is outside.
    assert_eq!(scheme.inputs, [("SUN".to_owned(), None)]);
    let [a, b, c] = rate_constants(&scheme, &Cell::of(&scheme))[..] else { panic!() };
    assert!((a / (-2.0_f64).exp() - 1.0).abs() < 1e-14 && (b - 7.0).abs() < 1e-14 && c == 2.0, "{a} {b} {c}");
}

/// Blocks that cannot be read end where Fortran has it; conditions on one line are none.
#[test]
fn blocks_that_cannot_be_read_end() {
    let scheme = scheme(
        "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : ka + kb;\nB = A : kc + kd;\n#INLINE F90_RCONST\n\
          IF (TEMP > 1) CALL set(ka)\n all: DO 10 i = 1, 3\n  kb = kb + i\n 10 CONTINUE\n WHERE (m > 0) m = 1\n\
          ASSOCIATE (x => y)\n  kc = 2\n END ASSOCIATE\n kd = 4\n#ENDINLINE\n",
    );
    let names: Vec<&str> = scheme.inputs.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["ka", "kb", "kc"]);
    let cell = Cell { inputs: vec![10.0, 20.0, 30.0], ..Cell::of(&scheme) };
    assert_eq!(rate_constants(&scheme, &cell), [30.0, 34.0]);
}

/// What cannot be read takes with it what it may set, and nothing else.
#[test]
fn code_that_cannot_be_read_leaves_the_rest() {
    let scheme = scheme(
        "#DEFVAR\nA = IGNORE; B = IGNORE; C = IGNORE; D = IGNORE;\n#EQUATIONS\nA = B : 1E-3*RO2;\nB = C : S;\nC = A : u + v + KMT01;\n\
         #INLINE F90_GLOBAL\n REAL(dp), PARAMETER :: one = 1, two(2) = (/ 1, 2 /)\n REAL(dp), PARAMETER :: three = 3\n#ENDINLINE\n\
         #INLINE F90_RCONST\n RO2 = 0\n IF (ind_A > 0) RO2 = RO2 + C(ind_A)\n IF (ind_D > 0) RO2 = RO2 + Y(ind_D)\n\
          CALL define_constants_mcm\n S = 0\n DO i = 1, 3\n  S = S + i\n END DO\n u = three\n CALL set(v)\n v = v*u\n#ENDINLINE\n",
    );
    assert_eq!(scheme.species.len(), 3, "D takes part in no reaction, so its index is 0");
    let names: Vec<&str> = scheme.inputs.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["S", "v", "KMT01"]);
    let cell = Cell { inputs: vec![10.0, 20.0, 30.0], ..Cell::of(&scheme) };
    assert_eq!(rate_constants(&scheme, &cell), [1e3, 10.0, 53.0]);
}

/// One that names another one twice, which names a third one twice, would grow without bound if they were copied.
#[test]
fn earlier_rate_constants_are_not_copied() {
    let reaction = |i: usize| format!("A = B : RCONST({i}) + RCONST({i})*0.5;\n");
    let scheme = with(&format!("A = B : TEMP*2.0;\n{}", (1..=10).map(reaction).collect::<String>()));
    let sizes: Vec<usize> = scheme.reactions.iter().map(|step| format!("{:?}", step.rate).len()).collect();
    assert!(sizes.iter().all(|size| *size < 200), "{sizes:?}");
    assert_eq!(scheme.functions.len(), 10);
    let k = rate_constants(&scheme, &cell(0, 0));
    assert_eq!(k[10], 600.0 * 1.5_f64.powi(10));
}

#[test]
fn arrays_of_hosts_are_inputs_and_earlier_rate_constants_are_known() {
    let scheme = with(
        "A = B : jx(ip_NO2) + phot(j_no2) + PHOTOL(3);\nB = A : 4.0*RCONST(1);\nC = D : k_Trop(1)*xeff(i_NO);\n\
         D = C : REAL(3, SP) + Y(ind_A);",
    );
    assert_eq!(scheme.photolysis, ["no2", "3"]);
    assert_eq!(scheme.inputs.iter().map(|x| x.0.as_str()).collect::<Vec<_>>(), ["k_Trop(1)", "xeff(i_NO)"]);
    let cell = Cell { photolysis: vec![1.0, 4.0], ..cell(2, 2) };
    assert_eq!(rate_constants(&scheme, &cell), [6.0, 24.0, 4.0, 6.0]);
}

#[test]
fn elements_of_arrays_may_have_several_indices() {
    let scheme = with("A = B : khet(iht_N2O5)*HET(ind_A,1);\nB = A : ZPJ(1, 2,3) + REAL(TEMP, KIND=dp);");
    let inputs: Vec<&str> = scheme.inputs.iter().map(|x| x.0.as_str()).collect();
    assert_eq!(inputs, ["khet(iht_N2O5)", "HET(ind_A,1)", "ZPJ(1,2,3)"]);
    assert_eq!(rate_constants(&scheme, &cell(0, 3)), [4.0, 302.0]);
    assert!(read_str(("test.def", "#DEFVAR\nIA = IGNORE;\n#EQUATIONS\nIA = PROD : foo(IA);")).is_err());
    // The index may be an integer of the file, as in MECCA.
    let text = "#DEFVAR\nA=H;\n#EQUATIONS\nA=PROD:khet_Tr(iht_N2O5)*kuser(nth);\n#INLINE F90_GLOBAL\n\
                INTEGER, PARAMETER, PUBLIC :: iht_N2O5 = 1, nth = 2\n REAL(dp) :: khet_Tr(2) = 0.\n#ENDINLINE\n";
    let own = self::scheme(text);
    assert_eq!(own.inputs.iter().map(|x| x.0.as_str()).collect::<Vec<_>>(), ["khet_Tr(iht_N2O5)", "kuser(nth)"]);
}

#[test]
fn declarations_give_values_of_any_kind() {
    let text = "#DEFVAR\nA=H;\n#EQUATIONS\nA=PROD:xn*yn*zn*wn;\n#INLINE F90_GLOBAL\nINTEGER, PUBLIC :: xn = 1\n\
                REAL(kind=dp) :: yn = 2.5, wn\nREAL(dp), SAVE :: zn = 3.0\n#ENDINLINE\n";
    let expected = [("xn", Some(1.0)), ("yn", Some(2.5)), ("zn", Some(3.0)), ("wn", None)];
    assert_eq!(scheme(text).inputs, expected.map(|(name, value)| (name.to_owned(), value)));
}

#[test]
fn variables_that_are_not_set_in_every_case_keep_the_value_they_begin_with() {
    let with = |begin: &str, code: &str| {
        scheme(&format!(
            "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : kx;\nB = A : 1;\n{begin}\n\
             #INLINE F90_RCONST\n{code}\n#ENDINLINE"
        ))
    };
    let global = "#INLINE F90_GLOBAL\n REAL(dp) :: kx = 4.0\n#ENDINLINE";
    let cold = "IF (TEMP > 350.) kx = 8.0";
    for (begin, code, input, told) in [
        (global, cold, Some(4.0), false),
        ("#INLINE F90_INIT\n kx = 3.0\n#ENDINLINE", cold, Some(3.0), false),
        (global, "kx = kx*2.", Some(4.0), false),
        ("", cold, Some(0.0), true),
        ("", "IF (TEMP > 350.) THEN\n kx = 8.\nELSE\n kx = 9.\nEND IF", None, false),
        ("", "IF (TEMP > 350.) THEN\n kx = 8.\nELSE IF (TEMP > 1.) THEN\n kx = 9.\nEND IF", Some(0.0), true),
        ("", "kx = 1.\nIF (TEMP > 350.) kx = kx*2.", None, false),
    ] {
        let scheme = with(begin, code);
        let expected: Vec<_> = input.map(|value| ("kx".to_owned(), Some(value))).into_iter().collect();
        assert_eq!(scheme.inputs, expected, "{code}");
        assert_eq!(scheme.notes.iter().any(|note| note.code == "M0526"), told, "{code}");
    }
    let at = Cell { inputs: vec![4.0], ..cell(0, 1) };
    assert_eq!(rate_constants(&with(global, cold), &at), [4.0, 1.0]);
    assert_eq!(rate_constants(&with(global, "kx = kx*2."), &at), [8.0, 1.0]);
}

/// What code reads before it sets it has the value of the beginning, as in the first call of KPP's program.
#[test]
fn variables_that_are_read_before_they_are_set() {
    let with = |global: &str, code: &str| {
        scheme(&format!(
            "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : kx;\n#INLINE F90_GLOBAL\n{global}\n#ENDINLINE\n\
             #INLINE F90_RCONST\n{code}\n#ENDINLINE"
        ))
    };
    let flag = " LOGICAL :: first = .TRUE.\n REAL(dp) :: kx = 1.0";
    for (global, code, rate, unset) in [
        (flag, "IF (first) THEN\n kx = 3.0_dp*TEMP\n END IF\n first = .FALSE.", 900.0, false),
        (flag, "first = .FALSE.\n IF (first) kx = 3.0_dp*TEMP", 1.0, false),
        (" REAL(dp) :: a = 4.0", "kx = a\n a = 2.0", 4.0, false),
        (" REAL(dp) :: a = 4.0", "a = 2.0*a\n kx = a\n a = 2.0", 8.0, false),
        (" REAL(dp) :: a", "kx = a + 1.0\n a = 2.0", 1.0, true),
        ("", "kx = TEMP\n TEMP = 200.0", 300.0, false),
        ("", "a = b\n kx = a + c\n b = 5.0\n c = b", 0.0, true),
    ] {
        let scheme = with(global, code);
        assert_eq!(rate_constants(&scheme, &Cell::of(&scheme)), [rate], "{code}");
        assert_eq!(scheme.notes.iter().any(|note| note.code == "M0526"), unset, "{code}");
    }
}

#[test]
fn long_sums_are_read() {
    let sum = |n: usize| (1..=n).map(|i| i.to_string()).collect::<Vec<_>>().join(" + ");
    assert_eq!(rate(&format!("({} - 1)*2", sum(2000))), 2.0 * (2001.0 * 1000.0 - 1.0));
    assert_eq!(rate(&format!("MAX({}, {} * 1)", sum(150), sum(120))), 150.0 * 151.0 / 2.0);
    assert_eq!(rate(&format!("2*({}) - 3 + 1", sum(205))), 2.0 * 205.0 * 103.0 - 2.0);
}

#[test]
fn numbers_and_signs_in_equations() {
    let scheme = with(
        "2A = .06B + 0.42 M + 2. C - 0.90 D + 0.1D:1;\n A + A + 0.5 B = B-A-.25 C : 1;\n\
         A+hv = 0.67 * B + hv : SUN; A = PROD : 1; hv = A : 1; 1.0E-1 A = 2e0 B : 1; B=A\n  + C :\n 1 ;",
    );
    let of = |i: usize| (&*scheme.reactions[i].reactants, &*scheme.reactions[i].products);
    assert_eq!(of(0), (&[(0, 2.0)][..], &[(1, 0.06), (2, 2.0), (3, -0.9 + 0.1)][..]));
    assert_eq!(of(1), (&[(0, 2.0), (1, 0.5)][..], &[(1, 1.0), (0, -1.0), (2, -0.25)][..]));
    assert_eq!(of(2), (&[(0, 1.0)][..], &[(1, 0.67)][..]));
    assert_eq!(of(3), (&[(0, 1.0)][..], &[][..]));
    assert_eq!(of(4), (&[][..], &[(0, 1.0)][..]));
    assert_eq!(of(5), (&[(0, 0.1)][..], &[(1, 2.0)][..]));
    assert_eq!(of(6), (&[(1, 1.0)][..], &[(0, 1.0), (2, 1.0)][..]));
    let merged = with("M + A + 2 M = M + B : 1; C = D : 1;");
    assert_eq!(merged.reactions[0].fixed, [(0, 3.0)]);
}

#[test]
fn tags_are_labels() {
    let scheme = with("<R1> A = B : 1; < R 2 > B = C : 1; <> C = D : 1; {5} , D = A : 1;");
    let labels: Vec<&str> = scheme.reactions.iter().map(|s| s.label.as_str()).collect();
    assert_eq!(labels, ["R1", "R 2", "C = D", "D = A"]);
}

#[test]
fn names_are_the_same_in_any_case_and_commands_too() {
    let scheme = scheme(
        "#defvar\nNO2 = N + 2O; O3 = 3O ;\n# DefFix\nAir;\n#setfix o3;\n# Equations\nno2 + AIR + O3 = No2 : k_1*nO2;",
    );
    assert_eq!(scheme.species.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["NO2"]);
    assert_eq!(scheme.fixed.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["O3", "Air"]);
    assert_eq!(scheme.reactions[0].fixed, [(1, 1.0), (0, 1.0)]);
    assert_eq!(scheme.inputs, [("k_1".to_owned(), None)]);
}

#[test]
fn species_without_reactions_are_left_out() {
    let scheme = scheme("#DEFVAR\nX=H; A=H; Y=H; B=H; Z=H;\n#EQUATIONS\nA = B : 2*Z;");
    assert_eq!(scheme.species.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["A", "B", "Z"]);
    assert_eq!(scheme.reactions[0].products, [(1, 1.0)]);
    let Rate::Expression(Expression::Apply(Operator::Mul, parts)) = &scheme.reactions[0].rate else { panic!() };
    assert_eq!(parts[1], Expression::Name(Name::Species(2)));
    assert_eq!(scheme.notes.iter().map(|n| (n.code, n.labels.len())).collect::<Vec<_>>(), [("M0519", 2)]);
}

#[test]
fn expressions() {
    let close = |text: &str, value: f64| {
        let own = rate(text);
        assert!((own - value).abs() <= 1e-15 * value.abs(), "{text}: {own} {value}");
    };
    for (text, value) in [
        ("6.5D-12", 6.5e-12),
        (".20946e0", 0.20946),
        ("1.8e-12_dp*EXP( 120._dp/TEMP )", 1.8e-12 * 0.4f64.exp()),
        ("-temp**2 + 1e5", 1e4),
        ("2**-1", 0.5),
        ("(Temp/300.0)**(-2.3)", 1.0),
        ("2.0^3", 8.0),
        ("6./-3.*2.", -4.0),
        ("MIN(3, 1, 2) + MAX(1., 7.)", 8.0),
        ("SQRT(ABS(-16.)) + log10(1000.) + DLOG(1.d0) + ALOG(1.)", 7.0),
        ("DEXP(0.d0) + pow(2., 3.) + sign(2.0, -3.0)", 7.0),
        ("A*M", 15.0),
        ("C(ind_A) + FIX(ind_m)", 8.0),
        ("C_M*c_m + sun", 6.0),
        ("j(Pj_no2) + J(PJ_NO2)", 2e-3),
        ("PHOTOL(3)", 1e-3),
        ("1\n + \n1", 2.0),
    ] {
        match text {
            _ if text.contains("j(") || text.contains("PHOTOL") => {
                let scheme = with(&format!("A = B : {text}; C=D:1;"));
                assert_eq!(scheme.photolysis, [if text.contains('3') { "3" } else { "no2" }]);
                assert_eq!(rate_constants(&scheme, &cell(1, 0))[0], value, "{text}");
            }
            _ => close(text, value),
        }
    }
}

/// Functions that Fortran and C have by themselves, by their values in the Fortran standard where there is one.
#[test]
fn functions_of_fortran_and_c() {
    let third = std::f64::consts::FRAC_PI_3;
    for (text, value) in [
        ("DIM(5., 3.)", 2.0),
        ("ddim(3., 5.)", 0.0),
        ("SIGN(-3., 2.)", 3.0),
        ("DSIGN(3., -2.)", -3.0),
        ("INT(-3.7) + AINT(2.783)", -1.0),
        ("NINT(2.783) + ANINT(-2.5)", 0.0),
        ("FLOOR(-3.7) + ceil(3.7)", 0.0),
        ("CEILING(-3.7)", -3.0),
        ("MOD(8., 5.) + DMOD(-8., 5.)", 0.0),
        ("MOD(-8., 5.)", -3.0),
        ("MODULO(-8., 5.)", 2.0),
        ("MODULO(8., -5.)", -2.0),
        ("MERGE(1., 2., TEMP > 250.)", 1.0),
        ("MERGE(1., 2., TEMP > 350.)", 2.0),
        ("REAL(2., dp) + DBLE(3.)", 5.0),
        ("AMAX1(1., 4., 2.) - DMIN1(5., 3., 4.)", 1.0),
        ("SIN(ASIN(0.6)) + COS(ACOS(0.5))", 1.1),
        ("TAN(DATAN(0.75))", 0.75),
        ("ATAN2(SQRT(3.), 1.)", third),
        ("ATAN2(-SQRT(3.), -1.)", -2.0 * third),
        ("SINH(2.) + COSH(2.)", 2.0_f64.exp()),
        ("TANH(0.5)", (1.0_f64.exp() - 1.0) / (1.0_f64.exp() + 1.0)),
    ] {
        let own = rate(text);
        assert!((own - value).abs() <= 1e-15 * value.abs().max(1.0), "{text}: {own} {value}");
    }
}

/// As KPP's C has it; and its colon begins no other equation, where a semicolon is missing.
#[test]
fn choices_between_two_values() {
    for (text, value) in [
        ("(TEMP > 250. ? 1.0 : 2.0)", 1.0),
        ("TEMP < 250. ? 1.0 : 2.0", 2.0),
        ("3*(TEMP > 400 ? 1 : TEMP > 250 ? 2 : 4) + 1", 7.0),
        ("exp(TEMP > 400 || TEMP < 250\n ? 1 \n : 0)", 1.0),
    ] {
        assert!((rate(text) - value).abs() < 1e-15, "{text}: {}", rate(text));
    }
    for text in ["TEMP > 250. ? 1.0", "(TEMP ? 1.0) : 2", "? 1 : 2", "1 ? : 2"] {
        let found = errors(&format!("#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : {text};\n"));
        assert!(found.len() == 1 && found[0].0 == "M0512", "{text}: {found:?}");
    }
    let text = "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : (TEMP > 9 ? 1 : 2)\nB = A : 1;\n";
    assert_eq!(errors(text), [("M0508", String::new())]);
}

#[test]
fn headers_of_functions_have_many_forms() {
    let library = "FUNCTION ARR2(a, b)\n ARR2 = 7.0 * a\nEND FUNCTION ARR2\n";
    for kind in
        ["KPP_REAL", "REAL(kind=dp)", "DOUBLEPRECISION", "DOUBLE PRECISION", "IMPURE REAL(dp)", "Elemental KPP_REAL"]
    {
        let declared = kind.rsplit(' ').next().filter(|_| !kind.starts_with("DOUBLE P")).unwrap_or(kind);
        let body =
            library.replace("7.0", "c * 7.0").replace("a, b)\n", &format!("a, b)\n {declared} a, b, c\n c = 1\n"));
        let text = format!("#INLINE F90_RATES\n {kind} {body}#ENDINLINE\n");
        let whole = format!("{text}#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : ARR2(2.0, 100.0);\n");
        assert_eq!(rate_constants(&scheme(&whole), &cell(0, 0)), [14.0], "{kind}");
    }
}

/// In KPP's code a species is `C(ind_M)`, and `M` a variable, if the file has one.
#[test]
fn variables_with_values_are_no_species() {
    let text = "#INLINE F90_GLOBAL\n REAL(dp) :: M = 100.0\n REAL(dp) :: H\n#ENDINLINE\n#INLINE F90_INIT\n H = 5.0\n#ENDINLINE\n\
                #DEFVAR\nA = IGNORE;\nB = IGNORE;\n#DEFFIX\nM = IGNORE;\nH = IGNORE;\nO = IGNORE;\n\
                #EQUATIONS\nA = B : 1.0*M;\nB = A : 1.0*H;\nA + M + H + O = B + M : 1.0*O;\n";
    let scheme = scheme(text);
    let inputs: Vec<_> = scheme.inputs.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    assert_eq!(inputs, [("M", Some(100.0)), ("H", Some(5.0))]);
}

#[test]
fn functions_are_chosen_by_their_number_of_arguments() {
    let e = |b: f64| (b / 300.0).exp();
    let close = |text: &str, value: f64| {
        let own = rate(text);
        assert!((own / value - 1.0).abs() < 1e-14, "{text}: {own} {value}");
    };
    close("ARR2(2.0, 60.0)", 2.0 * e(60.0));
    close("ARR2(2.0, 60.0, TEMP)", 2.0 * e(-60.0));
    close("ARR_ab(2.0, 60.0)", 2.0 * e(-60.0));
    close("ARR_ac(2.0, 3.0)", 2.0);
    close("ARR(2.0, 60.0, 1.0, 600.)", 4.0 * (-0.1f64).exp());
    close("THERMAL_T2(2.0, 60.0, TEMP)", 180_000.0 * e(-60.0));
    close("EP3(1.0, 0.0, 2.0, 0.0)", 1.0 + 2.0 * 2e6);
    close("EP3(1.0, 0.0, 2.0, 0.0, TEMP, 4.0)", 9.0);
    close("EP2(1.0, 0.0, 2.0, 0.0, 3.0, 0.0, TEMP, 4.0)", 1.0 + 12.0 / 7.0);
    close("TROE(1.0, 2.0, 4.0, 1.0, TEMP, 4.0)", 2.0 * 0.6);
    close("TROEE(2.0, 60.0, 1.0, 2.0, 4.0, 1.0, TEMP, 4.0)", 2.4 * e(-60.0));
    close("FALL(1.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.5, TEMP, 4.0)", 1.0);
    close("FALL(1.0, 0.0, 0.0, 2.0e6, 0.0, 0.0, 0.5)", 5e5);
    close("F2(1.0, 0.0, 0.0, 0.4, 0.0, 0.0, 0.5, 2.0, TEMP, 4.0)", 4.0 / 11.0 * 0.5f64.powf(0.8));
    close("k_3rd(TEMP, 4.0, 1.0, 2.0, 4.0, 1.0, 0.5)", 1.0);
    close("k_3rd_iupac(TEMP, 4.0, 1.0, 2.0, 4.0, 1.0, 0.5)", 1.0);
    // Where low and high pressure do not meet the width counts: that of IUPAC follows from the broadening.
    let width = 0.75 - 1.27 * 0.5f64.log10();
    close("k_3rd(TEMP, 4.0, 1.0, 2.0, 0.4, 1.0, 0.5)", 4.0 / 11.0 * 0.5f64.sqrt());
    close("k_3rd_iupac(TEMP, 4.0, 1.0, 2.0, 0.4, 1.0, 0.5)", 4.0 / 11.0 * 0.5f64.powf(1.0 / (1.0 + width.powi(-2))));
    close("k_arr(2.0, 100.0, TEMP)", 2.0 * (100.0 * (1.0 / 300.0 - 3.354e-3f64)).exp());
    close("GCARR_abc(2.0, 1.0, 60.0)", 2.0 * e(60.0));
}

const FUNCTIONS: &str = "
#INLINE F90_RATES
! Functions
REAL(KIND=dp) FUNCTION f( x, &   ! the first
                          y )
  INTRINSIC LOG10
  REAL(KIND=dp), INTENT(IN) :: x, y
  REAL(KIND=dp), PARAMETER  :: two = 2._dp, three = two + MAX(1, 1)
  INTEGER :: n, m
  PARAMETER (n=4)
  REAL(KIND=dp) :: unset
  if( x > y .and. .not. (x == 7.) ) then
    f = two * g(x)
  else if ( x .EQ. 7 ) then
    f = -1
    if (y < 0) f = -2.0
  else
    f = three + n + unset
  end if
  RETURN
END FUNCTION f

DOUBLE PRECISION FUNCTION g(T)
  G = T + TEMP + CFACTOR
END
REAL FUNCTION ARR2(A, B) RESULT(r)
  r = A*B; r = r + 1
end function
REAL FUNCTION broken(x)
  REAL :: x(3)
  DO i = 1, 3
  END DO
END FUNCTION
#ENDINLINE
#INLINE F77_RATES
      REAL*8 FUNCTION f(x, y)
      f = 1/0
      END
#ENDINLINE
";

#[test]
fn functions_of_the_file() {
    let k = |call: &str| {
        let text =
            format!("{FUNCTIONS}#DEFVAR\nA=H;B=H;\n#EQUATIONS\nA=B:{call};\n#INITVALUES\ncfactor = 1.5e1*2;\nA=1;");
        let scheme = scheme(&text);
        let density = scheme.inputs.first().map(|(name, value)| (name.as_str(), *value));
        assert_eq!(density, (!call.starts_with("arr2")).then_some(("CFACTOR", Some(30.0))));
        rate_constants(&scheme, &Cell::of(&scheme))[0]
    };
    assert_eq!(k("f(2.0, 1.0)"), 2.0 * 332.0);
    assert_eq!(k("f(1.0, 2.0)"), 7.0);
    assert_eq!(k("f(7., 2.)"), -1.0);
    assert_eq!(k("F(7., -2.)"), -2.0);
    assert_eq!(k("arr2(2., 3.)"), 7.0);
}

#[test]
fn values_at_the_start() {
    let text = "#DEFVAR\nA=H;\n#EQUATIONS\nA=PROD:CFACTOR*PRES*scale*W*V;\n#INITVALUES\nCFACTOR = 2.55E+10; ALL_SPEC=0.; scale = 2*3;\n\
                #INLINE F90_INIT\n  TSTART = (12*3600)\n  scale = 7\n  Pres = TSTART + 1. ! comment\n  W = f(1)\n#ENDINLINE\n";
    let scheme = scheme(text);
    let expected =
        [("CFACTOR", Some(2.55e10)), ("PRES", Some(43201.0)), ("scale", Some(6.0)), ("W", None), ("V", None)];
    assert_eq!(scheme.inputs, expected.map(|(name, value)| (name.to_owned(), value)));
    assert_eq!(scheme.notes.iter().map(|n| n.code).collect::<Vec<_>>(), ["M0521"]);
}

#[test]
fn files_include_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    write("m.kpp", "#MODEL m\n#LANGUAGE Fortran90\n#INTEGRATOR WRF_conform/rosenbrock\n");
    write(
        "m.def",
        "#include atoms_red\n#include ./sub/m.spc {species}\n#INCLUDE \"m.eqn\"\n#LOOKATALL\n#MONITOR A; B;\n",
    );
    write("sub/m.spc", "#INCLUDE fixed.spc\n#DEFVAR\nA=IGNORE; B=IGNORE;\n");
    write("sub/fixed.spc", "#DEFFIX\nM=IGNORE;");
    write("m.eqn", "#EQUATIONS\nA=B:1;\n#include more.txt\nB + M = A : 1;\n");
    write("more.txt", "#INCLUDE empty.txt\nA + M = B : 2;");
    write("empty.txt", "");
    for name in ["m.kpp", "m.def"] {
        let scheme = read(&folder.path().join(name)).unwrap_or_else(|e| panic!("{e}"));
        let labels: Vec<&str> = scheme.reactions.iter().map(|s| s.label.as_str()).collect();
        assert_eq!(labels, ["A=B", "A + M = B", "B + M = A"], "{name}");
        assert_eq!((scheme.species.len(), scheme.fixed.len()), (2, 1));
        assert_eq!(scheme.name, "m");
        assert_eq!(scheme.notes.iter().map(|n| n.code).collect::<Vec<_>>(), ["M0504"]);
    }
    write("own.kpp", "#MODEL none\n#INCLUDE sub/m.spc\n#INCLUDE m.eqn\n");
    assert_eq!(read(&folder.path().join("own.kpp")).unwrap_or_else(|e| panic!("{e}")).reactions.len(), 3);
    // Two slashes in a name begin no comment.
    write("slashes.def", "#INCLUDE sub//m.spc //x\n#INCLUDE ./m.eqn{//}\n");
    assert_eq!(read(&folder.path().join("slashes.def")).unwrap_or_else(|e| panic!("{e}")).reactions.len(), 3);
    // A model is read where it stands, in any file and beside any other; a file that names itself is whole.
    write("base.def", "#MODEL base\n#INCLUDE sub/m.spc\n#EQUATIONS\nA=B:1;\n");
    write("more.def", "#EQUATIONS\nB=A:2;\n");
    for (text, labels) in [
        ("#INCLUDE atoms_red\n#MODEL base\n", &["A=B"][..]),
        ("#INCLUDE base.def\n#MODEL more\n", &["A=B", "B=A"]),
        ("#MODEL more\nA + M = B : 3;\n#MODEL base\n", &["B=A", "A + M = B", "A=B"]),
    ] {
        for name in ["any.kpp", "any.def"] {
            write(name, text);
            let scheme = read(&folder.path().join(name)).unwrap_or_else(|e| panic!("{e}"));
            let all: Vec<&str> = scheme.reactions.iter().map(|s| s.label.as_str()).collect();
            assert_eq!(all, labels, "{name}: {text}");
        }
    }
    // A model that is not there is told, with its name.
    for name in ["lone.kpp", "lone.def"] {
        write(name, "#MODEL nothere\n#DEFVAR\nA=IGNORE; B=IGNORE;\n#EQUATIONS\nA=B:1;\n");
        let notes = read(&folder.path().join(name)).unwrap_or_else(|e| panic!("{e}")).notes;
        let told: Vec<_> = notes.iter().map(|n| (n.code, n.severity)).collect();
        assert_eq!(told, [("M0503", kinlane_mech::Severity::Warning)], "{name}");
    }
    let bare = |head: &str| {
        write("bare.kpp", &format!("{head}\n#LANGUAGE Fortran90\n"));
        let refusal = read(&folder.path().join("bare.kpp")).unwrap_err();
        assert_eq!(refusal.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["M0503"], "{head}");
        refusal.diagnostics[0].message.clone()
    };
    assert!(bare("#MODEL nothere\n#MODEL nothere").contains("nothere.def"));
    assert_eq!(bare("#MODEL"), "`#MODEL` without a file");
}

/// KPP reads all files as if they were one: the section of an included file goes on behind the line that includes it.
#[test]
fn sections_go_on_behind_included_files() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let read = |text: &str| {
        write("m.kpp", text);
        read(&folder.path().join("m.kpp"))
    };
    write("atoms", "#ATOMS H; O;");
    write("variable.spc", "#DEFVAR\nA = IGNORE;");
    write("fixed.spc", "#DEFFIX\nM = IGNORE;");
    write("empty.spc", "{nothing}");
    let rest = "#EQUATIONS\nA + M = B + M : 1;\nB = A : 2;\n";
    let text = format!("#INCLUDE atoms\nMin; Pls;\n#INCLUDE fixed.spc\n#INCLUDE variable.spc\nB = IGNORE;\n{rest}");
    let scheme = read(&text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((scheme.species.len(), scheme.fixed.len()), (2, 1));
    // A species behind a file that ends with fixed ones is fixed; behind a file without a section the one before goes on.
    let text = format!("#DEFVAR\nA = IGNORE;\n#INCLUDE fixed.spc\nB = IGNORE;\n{rest}");
    let scheme = read(&text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((scheme.species.len(), scheme.fixed.len()), (1, 2));
    let text = format!("#INCLUDE fixed.spc\n#DEFVAR\nA = IGNORE;\n#INCLUDE empty.spc\nB = IGNORE;\n{rest}");
    let scheme = read(&text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((scheme.species.len(), scheme.fixed.len()), (2, 1));
    // A list of atoms that is absent is none the less a list of atoms.
    let text = format!("#INCLUDE atoms_red\nMin;\n#INCLUDE fixed.spc\n#INCLUDE variable.spc\nB = IGNORE;\n{rest}");
    assert_eq!(read(&text).unwrap_or_else(|e| panic!("{e}")).species.len(), 2);
}

const SEED: &str = "#DEFVAR\nA = H; B = IGNORE; C = 2H;\n#DEFFIX\nM = IGNORE;\n#SETFIX C;\n\
#INLINE F90_RATES\nREAL(KIND=dp) FUNCTION f( x, & ! c\n  y )\n REAL(dp), INTENT(IN) :: x, y\n REAL(dp) :: z = 1\n\
 if (x > y) then\n z = x\n else if (x == 2) then\n z = g(y)\n else\n z = 3; z = z**2\n end if\n f = z\nEND FUNCTION f\n\
REAL FUNCTION g(x)\n g = EXP(x)\nEND\n#ENDINLINE\n#EQUATIONS {k}\n<R1> A + hv = 2B - 0.5 C : j(Pj_no2)*SUN; // c\n\
{2} B + M = A : ARR2(1.8D-12, -120._dp, TEMP)*f(1., 2.);\nC = PROD : FALL(1.,2.,3.,4.,5.,6.,.7)/A;\n#INITVALUES\nCFACTOR = 2.5e10;\n";

#[test]
fn the_seed_is_understood() {
    let scheme = scheme(SEED);
    assert_eq!((scheme.species.len(), scheme.fixed.len(), scheme.reactions.len()), (2, 2, 3));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text(text in "\\PC{0,200}") {
        survives(&text);
    }

    #[test]
    fn words_of_the_language(words in prop::collection::vec(prop::sample::select(vec![
        "#DEFVAR", "#DEFFIX", "#SETFIX", "#EQUATIONS", "#INITVALUES", "#INLINE F90_RATES\n", "#INLINE", "\n#ENDINLINE", "#INCLUDE x", "\n", "\n", "A", "B", "M", "hv", "PROD",
        "=", ":", ";", ";", "+", "-", "*", "**", "/", "(", ")", ",", "{", "}", "//", "<", ">", "1", "2.5D-12", "1e", "_dp", "TEMP", "EXP(", "j(Pj_", "C(ind_A)", "&", "!",
        "REAL FUNCTION f(x)", "END FUNCTION", "IF (", "THEN", "ELSE", "END IF", "RETURN", "REAL ::", "PARAMETER(", "DO", "f(", ".AND.", "==", "é", "%",
    ]), 0..80)) {
        survives(&words.join(" "));
        survives(&words.concat());
    }

    #[test]
    fn characters_changed(edits in prop::collection::vec((any::<usize>(), any::<char>(), 0..3u8), 1..8)) {
        survives(&damage::characters(SEED, &edits));
    }

    #[test]
    fn lines_moved(edits in prop::collection::vec((any::<usize>(), any::<usize>(), 0..3u8), 1..6)) {
        survives(&damage::lines(SEED, &edits));
    }
}
