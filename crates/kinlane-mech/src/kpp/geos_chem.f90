! Rate functions of GEOS-Chem 14, which its files call and do not define: formulas of fullchem_RateLawFuncs.F90, Hg_RateLawFuncs.F90
! and rateLawUtilFuncs.F90 in https://github.com/geoschem/geos-chem (folder KPP). The letters behind a name say which parameters of
! A (300/T)^b EXP(c/T) the terms have. NUMDEN is the number density of the air [molecule/cm3], H2O that of water.

! --- Arrhenius.

REAL FUNCTION GCARR_ab(A0, B0)
  GCARR_ab = A0 * (300 / TEMP)**B0
END FUNCTION

REAL FUNCTION GCARR_ac(A0, C0)
  GCARR_ac = A0 * EXP(C0 / TEMP)
END FUNCTION

REAL FUNCTION GCARR_abc(A0, B0, C0)
  GCARR_abc = A0 * EXP(C0 / TEMP) * (300 / TEMP)**B0
END FUNCTION

REAL FUNCTION ARRPLUS_ade(A0, D0, E0)
  ARRPLUS_ade = MAX(A0 * (D0 + E0 * TEMP), 0.0)
END FUNCTION

REAL FUNCTION ARRPLUS_abde(A0, B0, D0, E0)
  ARRPLUS_abde = ARRPLUS_ade(A0, D0, E0) * EXP(-B0 / TEMP)
END FUNCTION

REAL FUNCTION TUNPLUS_abcde(A0, B0, C0, D0, E0)
  TUNPLUS_abcde = ARRPLUS_ade(A0, D0, E0) * EXP(B0 / TEMP + C0 / TEMP**3)
END FUNCTION

! --- With a third body, as in the evaluations of JPL.

REAL FUNCTION GCJPLPR_aa(A1, A2, F)
  GCJPLPR_aa = blend(A1 * NUMDEN, A2, F, 1)
END FUNCTION

REAL FUNCTION GCJPLPR_aba(A1, B1, A2, F)
  GCJPLPR_aba = blend(GCARR_ab(A1, B1) * NUMDEN, A2, F, 1)
END FUNCTION

REAL FUNCTION GCJPLPR_abab(A1, B1, A2, B2, F)
  GCJPLPR_abab = blend(GCARR_ab(A1, B1) * NUMDEN, GCARR_ab(A2, B2), F, 1)
END FUNCTION

REAL FUNCTION GCJPLPR_abcabc(A1, B1, C1, A2, B2, C2, F)
  GCJPLPR_abcabc = blend(GCARR_abc(A1, B1, C1) * NUMDEN, GCARR_abc(A2, B2, C2), F, 1)
END FUNCTION

! Backwards, through the constant of equilibrium.
REAL FUNCTION GCJPLEQ_acabab(A0, C0, A1, B1, A2, B2, F)
  GCJPLEQ_acabab = GCJPLPR_abab(A1, B1, A2, B2, F) / GCARR_ac(A0, C0)
END FUNCTION

! What is activated and does not associate.
REAL FUNCTION GCJPLAC_ababac(A1, B1, A2, B2, A3, C3, F)
  GCJPLAC_ababac = GCARR_ac(A3, C3) * (1 - GCJPLPR_abab(A1, B1, A2, B2, F) / GCARR_ab(A2, B2))
END FUNCTION

REAL FUNCTION GC_PAN_abab(A0, B0, A1, B1, F)
  GC_PAN_abab = blend(GCARR_ac(A0, B0) * NUMDEN, GCARR_ac(A1, B1), F, 0.75 - 1.27 * LOG10(F))
END FUNCTION

REAL FUNCTION GC_PAN_acac(A0, C0, A1, C1, F)
  GC_PAN_acac = blend(A0 * (TEMP / 300)**C0 * NUMDEN, A1 * (TEMP / 300)**C1, F, 0.75 - 1.27 * LOG10(F))
END FUNCTION

! --- Isoprene, and what becomes of it.

! The part that goes on through a tunnel, at most C0.
REAL FUNCTION tunnelled(C0, D0, E0, F0, G0)
  k0 = D0 * EXP(E0 / TEMP) * EXP(1.0e8 / TEMP**3)
  tunnelled = C0 * k0 / (k0 + GCARR_ac(F0, G0))
END FUNCTION

REAL FUNCTION GC_ISO1(A0, B0, C0, D0, E0, F0, G0)
  GC_ISO1 = GCARR_ac(A0, B0) * (1 - tunnelled(C0, D0, E0, F0, G0))
END FUNCTION

REAL FUNCTION GC_ISO2(A0, B0, C0, D0, E0, F0, G0)
  GC_ISO2 = GCARR_ac(A0, B0) * tunnelled(C0, D0, E0, F0, G0)
END FUNCTION

REAL FUNCTION GC_EPO_a(A1, E1, M1)
  GC_EPO_a = GCARR_ac(A1, E1) / (M1 * NUMDEN + 1)
END FUNCTION

! How much nitrate peroxy radicals of N heavy atoms give with NO.
REAL FUNCTION nitrate(N)
  nitrate = blend(2.0e-22 * EXP(N) * NUMDEN, 0.43 * (TEMP / 298)**(-8), 0.41, 1)
END FUNCTION

REAL FUNCTION GC_NIT(A0, B0, C0, N, X0, Y0)
  r = nitrate(N)
  GC_NIT = MAX(GCARR_ac(A0, B0) * (X0 - TEMP * Y0) * r / (r + C0), 0.0)
END FUNCTION

REAL FUNCTION GC_ALK(A0, B0, C0, N, X0, Y0)
  GC_ALK = MAX(GCARR_ac(A0, B0) * (X0 - TEMP * Y0) * C0 / (nitrate(N) + C0), 0.0)
END FUNCTION

! --- Peroxy radicals with NO and HO2; the branches are A, nitrates, and B.

! The part of nitrates from a radical of A1 atoms of carbon.
REAL FUNCTION yield(A1)
  r = blend(1.94e-22 * EXP(0.97 * A1) * NUMDEN, 0.826 * (300 / TEMP)**8.1, 0.411, 1)
  yield = r / (1 + r)
END FUNCTION

REAL FUNCTION GC_RO2NO_A1_ac(A0, C0)
  GC_RO2NO_A1_ac = GCARR_ac(A0, C0) * 3.0e-4
END FUNCTION

REAL FUNCTION GC_RO2NO_B1_ac(A0, C0)
  GC_RO2NO_B1_ac = GCARR_ac(A0, C0) * (1 - 3.0e-4)
END FUNCTION

REAL FUNCTION GC_RO2NO_A2_aca(A0, C0, A1)
  GC_RO2NO_A2_aca = GCARR_ac(A0, C0) * yield(A1)
END FUNCTION

REAL FUNCTION GC_RO2NO_B2_aca(A0, C0, A1)
  GC_RO2NO_B2_aca = GCARR_ac(A0, C0) * (1 - yield(A1))
END FUNCTION

REAL FUNCTION GC_RO2HO2_aca(A0, C0, A1)
  GC_RO2HO2_aca = GCARR_ac(A0, C0) * (1 - EXP(-0.245 * A1))
END FUNCTION

REAL FUNCTION GC_TBRANCH_1_acac(A0, C0, A1, C1)
  GC_TBRANCH_1_acac = GCARR_ac(A0, C0) / (1 + GCARR_ac(A1, C1))
END FUNCTION

REAL FUNCTION GC_TBRANCH_2_acabc(A0, C0, A1, B1, C1)
  GC_TBRANCH_2_acabc = GCARR_ac(A0, C0) / (1 + GCARR_abc(A1, B1, C1))
END FUNCTION

! --- Single reactions.

REAL FUNCTION GC_HO2HO2_acac(A0, C0, A1, C1)
  GC_HO2HO2_acac = (GCARR_ac(A0, C0) + GCARR_ac(A1, C1) * NUMDEN) * (1 + 1.4e-21 * H2O * EXP(2200 / TEMP))
END FUNCTION

REAL FUNCTION GC_OHHNO3_acacac(A0, C0, A1, C1, A2, C2)
  k2 = GCARR_ac(A2, C2) * NUMDEN
  GC_OHHNO3_acacac = GCARR_ac(A0, C0) + k2 / (1 + k2 / GCARR_ac(A1, C1))
END FUNCTION

! A0 has no effect there either.
REAL FUNCTION GC_OHCO_a(A0)
  low = 1.5e-13 * NUMDEN
  high = 2.1e9 * (300 / TEMP)**(-6.1)
  GC_OHCO_a = GCJPLPR_abab(5.9e-33, 1, 1.1e-12, -1.3, 0.6) + blend(low, high, 0.6, 1) / NUMDEN
END FUNCTION

REAL FUNCTION GC_DMSOH_acac(A0, C0, A1, C1)
  O2 = 0.2095
  GC_DMSOH_acac = GCARR_ac(A0, C0) * NUMDEN * O2 / (1 + GCARR_ac(A1, C1) * O2)
END FUNCTION

REAL FUNCTION GC_GLYXNO3_ac(A0, C0)
  O2 = 0.2095 * NUMDEN
  GC_GLYXNO3_ac = GCARR_ac(A0, C0) * (O2 + 3.5e18) / (2 * O2 + 3.5e18)
END FUNCTION

REAL FUNCTION GC_GLYCOH_A_a(A0)
  GC_GLYCOH_A_a = A0 * MAX(1 - 11.0729 * EXP(-TEMP / 73), 0.0)
END FUNCTION

REAL FUNCTION GC_GLYCOH_B_a(A0)
  GC_GLYCOH_B_a = A0 - GC_GLYCOH_A_a(A0)
END FUNCTION

REAL FUNCTION GC_HACOH_A_ac(A0, C0)
  GC_HACOH_A_ac = GCARR_ac(A0, C0) * MAX(1 - 23.7 * EXP(-TEMP / 60), 0.0)
END FUNCTION

REAL FUNCTION GC_HACOH_B_ac(A0, C0)
  GC_HACOH_B_ac = GCARR_ac(A0, C0) - GC_HACOH_A_ac(A0, C0)
END FUNCTION
