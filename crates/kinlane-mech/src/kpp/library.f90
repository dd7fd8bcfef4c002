! Functions that rate constants call without the file defining them. They are told apart by name and number of arguments.

! --- Those of KPP: T is TEMP, the density of air is CFACTOR * 1e6.

REAL FUNCTION ARR_abc(A0, B0, C0)
  ARR_abc = A0 * EXP(-B0 / TEMP) * (TEMP / 300)**C0
END FUNCTION

REAL FUNCTION ARR(A0, B0, C0)
  ARR = A0 * EXP(-B0 / TEMP) * (TEMP / 300)**C0
END FUNCTION

REAL FUNCTION ARR_ab(A0, B0)
  ARR_ab = A0 * EXP(-B0 / TEMP)
END FUNCTION

REAL FUNCTION ARR_ac(A0, C0)
  ARR_ac = A0 * (TEMP / 300)**C0
END FUNCTION

! KPP 2.1; the sign differs from that of the others.
REAL FUNCTION ARR2(A0, B0)
  ARR2 = A0 * EXP(B0 / TEMP)
END FUNCTION

REAL FUNCTION EP2(A0, C0, A2, C2, A3, C3)
  EP2 = EP2(A0, C0, A2, C2, A3, C3, TEMP, CFACTOR * 1.0e6)
END FUNCTION

REAL FUNCTION EP3(A1, C1, A2, C2)
  EP3 = EP3(A1, C1, A2, C2, TEMP, CFACTOR * 1.0e6)
END FUNCTION

REAL FUNCTION FALL(A0, B0, C0, A1, B1, C1, F)
  FALL = FALL(A0, B0, C0, A1, B1, C1, F, TEMP, CFACTOR * 1.0e6)
END FUNCTION

REAL FUNCTION k_3rd(T, M, k0, n, kinf, e, F)
  k_3rd = blend(k0 * (300 / T)**n * M, kinf * (300 / T)**e, F, 1)
END FUNCTION

REAL FUNCTION k_3rd_iupac(T, M, k0, n, kinf, e, F)
  k_3rd_iupac = blend(k0 * (300 / T)**n * M, kinf * (300 / T)**e, F, 0.75 - 1.27 * LOG10(F))
END FUNCTION

REAL FUNCTION k_arr(k298, B, T)
  k_arr = k298 * EXP(B * (1 / T - 3.3540e-3))
END FUNCTION

! --- Those of WRF-Chem: T and the density of air are the last arguments.

REAL FUNCTION ARR(A, B, C, T)
  ARR = A * EXP(-B / T) * (T / 300)**C
END FUNCTION

REAL FUNCTION ARR2(A, B, T)
  ARR2 = A * EXP(-B / T)
END FUNCTION

REAL FUNCTION THERMAL_T2(A, B, T)
  THERMAL_T2 = A * T * T * EXP(-B / T)
END FUNCTION

REAL FUNCTION EP2(A0, C0, A2, C2, A3, C3, T, M)
  k3 = A3 * EXP(-C3 / T) * M
  EP2 = A0 * EXP(-C0 / T) + k3 / (1 + k3 / (A2 * EXP(-C2 / T)))
END FUNCTION

REAL FUNCTION EP3(A1, C1, A2, C2, T, M)
  EP3 = A1 * EXP(-C1 / T) + A2 * EXP(-C2 / T) * M
END FUNCTION

REAL FUNCTION TROE(k0, n, kinf, e, T, M)
  TROE = blend(k0 * (300 / T)**n * M, kinf * (300 / T)**e, 0.6, 1)
END FUNCTION

REAL FUNCTION TROEE(A, B, k0, n, kinf, e, T, M)
  TROEE = A * EXP(-B / T) * TROE(k0, n, kinf, e, T, M)
END FUNCTION

REAL FUNCTION FALL(A0, B0, C0, A1, B1, C1, F, T, M)
  FALL = blend(ARR(A0, B0, C0, T) * M, ARR(A1, B1, C1, T), F, 1)
END FUNCTION

REAL FUNCTION F2(A0, B0, C0, A1, B1, C1, F, N, T, M)
  F2 = blend(ARR(A0, B0, C0, T) * M, ARR(A1, B1, C1, T), F, N)
END FUNCTION

! The limits of low and high pressure joined: broadening F, width N.
REAL FUNCTION blend(low, high, F, N)
  r = low / high
  blend = low / (1 + r) * F**(1 / (1 + (LOG10(r) / N)**2))
END FUNCTION
