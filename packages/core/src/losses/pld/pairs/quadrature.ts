import { elementAt } from "../../../numeric/elements/element-at.ts";

/** Gauss–Legendre nodes and weights on [0, 1] for 2, 3, 4 and 6 points, node after weight. */
const rules: readonly Float64Array[] = [
  Float64Array.of(0.5, 0.2113248654051871, 0.5, 0.7886751345948129),
  Float64Array.of(
    0.2777777777777778,
    0.11270166537925831,
    0.4444444444444444,
    0.5,
    0.2777777777777778,
    0.8872983346207417,
  ),
  Float64Array.of(
    0.17392742256872692,
    0.06943184420297371,
    0.32607257743127305,
    0.33000947820757187,
    0.32607257743127305,
    0.6699905217924281,
    0.17392742256872692,
    0.9305681557970263,
  ),
  Float64Array.of(
    0.08566224618958518,
    0.03376524289842399,
    0.1803807865240693,
    0.16939530676686773,
    0.23395696728634552,
    0.38069040695840156,
    0.23395696728634552,
    0.6193095930415985,
    0.1803807865240693,
    0.8306046932331322,
    0.08566224618958518,
    0.966234757101576,
  ),
];

/**
 * The rule for a panel of width w where each derivative of the integrand is at most about R times the one before, by growth = R·w ≤ 1.4. The
 * error of n nodes is (n!)⁴/((2n+1)·((2n)!)³)·(Rw)^{2n} of the mass, and 2n/(Rw) times that for a first moment: below 1e-12 of mass
 * times width (../curves/pld.proof.md, "Quadrature").
 */
export function quadratureRule(growth: number): Float64Array {
  return elementAt(rules, growth < 3e-4 ? 0 : growth < 0.03 ? 1 : growth < 0.2 ? 2 : 3);
}
