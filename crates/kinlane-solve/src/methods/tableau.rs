//! Coefficients of the Rosenbrock methods, as published.
//!
//! Written without products with J (Hairer & Wanner, *Solving ODEs II*, IV.7):
//!
//! ```text
//! (1/(γh) I − J) kᵢ = f(y + Σ aᵢⱼ kⱼ) + Σ (cᵢⱼ/h) kⱼ,   y₁ = y + Σ mᵢ kᵢ,   err = Σ eᵢ kᵢ
//! ```

/// A Rosenbrock method.
#[derive(Debug, Clone, Copy)]
pub struct Rosenbrock {
    /// Name, as `--method` takes it.
    pub name: &'static str,
    /// Key in `docs/bibliography.bib`.
    pub source: &'static str,
    /// Order of the solution.
    pub order: u32,
    /// Order of the embedded solution.
    pub embedded: u32,
    /// Whether the method keeps its order with an approximate Jacobian.
    pub w_method: bool,
    /// γ.
    pub gamma: f64,
    /// Strictly lower triangle, row by row: a₂₁, a₃₁, a₃₂, …
    pub a: &'static [f64],
    /// cᵢⱼ, in the order of `a`.
    pub c: &'static [f64],
    /// Weights of the solution.
    pub m: &'static [f64],
    /// Weights of the error estimate.
    pub e: &'static [f64],
    /// Weights of a second error estimate, of lower order, whose zeros lie elsewhere; only stiffly accurate
    /// methods have one.
    pub check: &'static [f64],
    /// For each stage, whether it evaluates f anew; if not, it takes f of the stage before.
    pub new_f: &'static [bool],
    /// Whether the stability function is negative just below its pole at 1/γ: see
    /// [`growth::turned`](super::growth::turned).
    pub turns: bool,
}

impl Rosenbrock {
    /// Number of stages.
    pub const fn stages(&self) -> usize {
        self.m.len()
    }
    /// Evaluations of f per step.
    pub fn evaluations(&self) -> u32 {
        self.new_f.iter().map(|&x| u32::from(x)).sum()
    }
    /// The row aᵢⱼ of stage i > 0.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.a[i * (i - 1) / 2..][..i]
    }
}

const G2: f64 = 1.0 + std::f64::consts::FRAC_1_SQRT_2;

/// Two stages, order 2. The estimate, of order 1, is eight times the published one, which is too small for
/// many steps.
pub const ROS2: Rosenbrock = Rosenbrock {
    name: "ros2",
    source: "verwer1999",
    order: 2,
    embedded: 1,
    w_method: true,
    gamma: G2,
    a: &[1.0 / G2],
    c: &[-2.0 / G2],
    m: &[1.5 / G2, 0.5 / G2],
    e: &[4.0 / G2, 4.0 / G2],
    check: &[],
    new_f: &[true, true],
    turns: true,
};

/// Three stages, two evaluations, order 3.
pub const ROS3: Rosenbrock = Rosenbrock {
    name: "ros3",
    source: "sandu1997",
    order: 3,
    embedded: 2,
    w_method: false,
    gamma: 0.435_866_521_508_459,
    a: &[1.0, 1.0, 0.0],
    c: &[-1.015_617_108_387_770_3, 4.075_995_645_253_77, 9.207_679_429_833_08],
    m: &[1.0, 6.169_794_704_382_824_6, -0.427_722_565_432_185_74],
    e: &[0.5, -2.907_955_871_680_547, 0.223_540_698_978_115_7],
    check: &[],
    new_f: &[true, true, false],
    turns: true,
};

/// Four stages, three evaluations, order 4.
pub const ROS4: Rosenbrock = Rosenbrock {
    name: "ros4",
    source: "hairer1996",
    order: 4,
    embedded: 3,
    w_method: false,
    gamma: 0.572_82,
    a: &[2.0, 1.867_943_637_803_922, 0.234_444_971_139_915_6, 1.867_943_637_803_922, 0.234_444_971_139_915_6, 0.0],
    c: &[
        -7.137_615_036_412_31,
        2.580_708_087_951_457,
        0.651_595_007_644_797_5,
        -2.137_148_994_382_534,
        -0.321_466_969_123_762_6,
        -0.694_974_250_178_177_9,
    ],
    m: &[2.255_570_073_418_735, 0.287_049_326_218_679_2, 0.435_317_943_184_018, 1.093_502_252_409_163],
    e: &[-0.281_543_193_214_115_5, -0.072_761_991_249_349_2, -0.108_219_620_149_531_1, -1.093_502_252_409_163],
    check: &[],
    new_f: &[true, true, true, false],
    turns: false,
};

/// Four stages, three evaluations, order 3, stiffly accurate.
pub const RODAS3: Rosenbrock = Rosenbrock {
    name: "rodas3",
    source: "sandu1997",
    order: 3,
    embedded: 2,
    w_method: false,
    gamma: 0.5,
    a: &[0.0, 2.0, 0.0, 2.0, 0.0, 1.0],
    c: &[4.0, 1.0, -1.0, 1.0, -1.0, -8.0 / 3.0],
    m: &[2.0, 0.0, 1.0, 1.0],
    e: &[0.0, 0.0, 0.0, 1.0],
    // Where the third stage vanishes so does the fourth: the second estimate is made of the first two.
    check: &[-1.0, 1.0 / 3.0, 0.0, 0.0],
    new_f: &[true, false, true, true],
    turns: false,
};

/// As Rodas3, with γ for a smaller error constant. Published as a 3(2) pair; its embedded solution misses one
/// condition of order 2 by 0.028.
pub const RODAS31: Rosenbrock = Rosenbrock {
    name: "rodas3.1",
    source: "long2026",
    gamma: 0.515,
    a: &[0.0, 0.646_601_929_740_551, 0.409_567_801_987_914, 0.646_601_929_740_551, 0.409_567_801_987_914, 1.0],
    c: &[
        4.198_495_621_784_201,
        3.711_590_161_613_01,
        -1.787_771_994_729_384,
        4.458_898_153_216_104,
        -2.024_095_448_516_552,
        -2.626_700_600_119_396,
    ],
    m: &[0.646_601_929_740_551, 0.409_567_801_987_914, 1.0, 1.0],
    check: &[0.0, 0.0, 1.0, 0.0],
    ..RODAS3
};

const A4: [f64; 4] = [1.221_224_509_226_641, 6.019_134_481_288_629, 12.537_083_329_320_87, -0.687_886_036_105_895];

/// Six stages, order 4, stiffly accurate.
pub const RODAS4: Rosenbrock = Rosenbrock {
    name: "rodas4",
    source: "hairer1996",
    order: 4,
    embedded: 3,
    w_method: false,
    gamma: 0.25,
    a: &[
        1.544,
        0.946_678_528_081_582_6,
        0.255_701_169_898_328_4,
        3.314_825_187_068_521,
        2.896_124_015_972_201,
        0.998_641_913_997_781_7,
        A4[0],
        A4[1],
        A4[2],
        A4[3],
        A4[0],
        A4[1],
        A4[2],
        A4[3],
        1.0,
    ],
    c: &[
        -5.668_8,
        -2.430_093_356_833_875,
        -0.206_359_915_709_191_5,
        -0.107_352_905_815_137_5,
        -9.594_562_251_023_355,
        -20.470_286_148_096_16,
        7.496_443_313_967_647,
        -10.246_804_314_643_52,
        -33.999_903_528_199_05,
        11.708_908_932_061_6,
        8.083_246_795_921_522,
        -7.981_132_988_064_893,
        -31.521_594_328_743_71,
        16.319_305_431_231_36,
        -6.058_818_238_834_054,
    ],
    m: &[A4[0], A4[1], A4[2], A4[3], 1.0, 1.0],
    e: &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
    check: &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
    new_f: &[true; 6],
    turns: false,
};

const A4P: [f64; 4] = [-7.170_454_962_423_024, -4.741_636_671_481_785, -16.310_026_313_309_71, -1.062_004_044_111_401];

/// As Rodas4, free of order reduction on linear parabolic problems.
pub const RODAS4P: Rosenbrock = Rosenbrock {
    name: "rodas4p",
    source: "steinebach1995",
    a: &[
        3.0,
        1.831_036_793_486_759,
        0.495_518_396_743_379_5,
        2.304_376_582_692_669,
        -0.052_492_752_457_430_01,
        -1.176_798_761_832_782,
        A4P[0],
        A4P[1],
        A4P[2],
        A4P[3],
        A4P[0],
        A4P[1],
        A4P[2],
        A4P[3],
        1.0,
    ],
    c: &[
        -12.0,
        -8.791_795_173_947_035,
        -2.207_865_586_973_518,
        10.817_930_568_571_53,
        6.780_270_611_428_266,
        19.534_859_446_424_1,
        34.190_950_067_496_76,
        15.496_711_537_259_63,
        54.747_608_759_641_3,
        14.160_053_921_485_34,
        34.626_058_309_305_32,
        15.300_849_761_144_73,
        56.999_555_786_626_67,
        18.408_070_097_930_95,
        -5.714_285_714_285_717,
    ],
    m: &[A4P[0], A4P[1], A4P[2], A4P[3], 1.0, 1.0],
    ..RODAS4
};

const A5P: [f64; 5] = [
    -7.502_846_399_306_121,
    2.561_846_144_803_919,
    -11.627_539_656_261_098,
    -0.182_687_676_599_422_56,
    0.030_198_172_008_377_946,
];

/// Eight stages, order 5, stiffly accurate; resists order reduction as Rodas4P does.
pub const RODAS5P: Rosenbrock = Rosenbrock {
    name: "rodas5p",
    source: "steinebach2023",
    order: 5,
    embedded: 4,
    w_method: false,
    gamma: 0.211_937_563_194_290_14,
    a: &[
        3.0,
        2.849_394_379_747_939,
        0.458_422_422_044_639_23,
        -6.954_028_509_809_101,
        2.489_845_061_869_568,
        -10.358_996_098_473_584,
        2.802_998_627_562_896_4,
        0.507_246_473_622_820_6,
        -0.398_831_254_177_052_4,
        -0.047_211_872_304_046_41,
        A5P[0],
        A5P[1],
        A5P[2],
        A5P[3],
        A5P[4],
        A5P[0],
        A5P[1],
        A5P[2],
        A5P[3],
        A5P[4],
        1.0,
        A5P[0],
        A5P[1],
        A5P[2],
        A5P[3],
        A5P[4],
        1.0,
        1.0,
    ],
    c: &[
        -14.155_112_264_123_755,
        -17.972_960_358_859_52,
        -2.859_693_295_451_294,
        147.121_502_757_117_16,
        -1.412_214_027_182_13,
        71.689_402_513_023_58,
        165.435_170_248_716_76,
        -0.459_282_345_649_112_6,
        42.909_383_369_586_03,
        -5.961_986_721_573_306,
        24.854_864_614_690_072,
        -3.000_922_700_283_218_6,
        47.493_111_002_076_8,
        5.581_419_782_155_812_5,
        -0.661_069_182_524_947_1,
        30.912_732_140_285_99,
        -3.120_824_334_993_797_4,
        77.799_546_460_708_92,
        34.286_460_282_947_83,
        -19.097_331_116_725_623,
        -28.087_943_162_872_662,
        37.802_771_233_905_63,
        -3.257_196_902_907_227_6,
        112.269_188_494_963_27,
        66.934_723_124_404_7,
        -40.066_189_370_910_02,
        -54.667_802_628_779_68,
        -9.488_616_523_096_27,
    ],
    m: &[A5P[0], A5P[1], A5P[2], A5P[3], A5P[4], 1.0, 1.0, 1.0],
    e: &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
    check: &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
    new_f: &[true; 8],
    turns: true,
};

/// Four stages, three evaluations, order 3; a W-method: an inexact Jacobian costs no order. The error
/// estimate is our own: the published one, (−5.17, −1.26, 0, 0), is zero for every linear equation. Ours is
/// eight times the published one, which sees what is not linear, plus 1/24 of the weights that are orthogonal
/// to it. It keeps order 2, is z³/24 on y' = λy for small z, and tends to half of y for z → −∞.
pub const RANG3: Rosenbrock = Rosenbrock {
    name: "rang3",
    source: "rang2005",
    order: 3,
    embedded: 2,
    w_method: true,
    gamma: 0.435_866_521_508_459,
    a: &[
        5.090_520_510_670_2,
        5.090_520_510_670_2,
        0.0,
        4.976_281_110_107_87,
        0.027_726_816_471_584_9,
        0.229_428_036_027_904,
    ],
    c: &[
        -11.679_081_231_228_3,
        -16.405_732_646_736_7,
        -0.277_268_164_715_85,
        -8.381_039_605_004_76,
        -0.848_328_409_199_343,
        0.287_009_860_433_106,
    ],
    m: &[5.225_827_612_330_94, -0.556_971_148_154_165, 0.357_979_469_353_645, 1.723_373_985_210_64],
    e: &[
        -8.0 * 5.168_452_127_840_4 - 0.190_699_865_382_784,
        -8.0 * 1.263_519_426_038_42 + 0.780_061_710_730_325,
        -0.301_674_883_694_257,
        -0.906_425_658_435_036,
    ],
    check: &[],
    new_f: &[true, true, false, true],
    turns: true,
};
