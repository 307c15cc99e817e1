/** Gauss–Legendre nodes and weights on [0, 1] for 2, 3, 4 and 6 points, node after weight. */
const rules: readonly Float64Array[] = [
  Float64Array.of(0.5, 0.21132486540518711775, 0.5, 0.78867513459481288225),
  Float64Array.of(
    0.27777777777777777778,
    0.11270166537925831148,
    0.44444444444444444444,
    0.5,
    0.27777777777777777778,
    0.88729833462074168852,
  ),
  Float64Array.of(
    0.17392742256872692869,
    0.069431844202973712388,
    0.32607257743127307131,
    0.3300094782075718676,
    0.32607257743127307131,
    0.6699905217924281324,
    0.17392742256872692869,
    0.93056815579702628761,
  ),
  Float64Array.of(
    0.08566224618958517252,
    0.033765242898423986094,
    0.18038078652406930378,
    0.16939530676686774318,
    0.23395696728634552369,
    0.38069040695840154568,
    0.23395696728634552369,
    0.61930959304159845432,
    0.18038078652406930378,
    0.83060469323313225682,
    0.08566224618958517252,
    0.96623475710157601391,
  ),
];

/**
 * The rule for a panel of width w where every derivative of the integrand grows by at most R: its error relative to the mass is
 * ≤ 2n·(n!)⁴/((2n+1)·((2n)!)³)·(R·w)^{2n−1} < 1e-12 for R·w ≤ 1.4 (see ../../pld/pld.proof.md, "Quadrature").
 */
export function quadratureRule(growth: number): Float64Array {
  return rules[growth < 1e-3 ? 0 : growth < 0.05 ? 1 : growth < 0.4 ? 2 : 3]!;
}
