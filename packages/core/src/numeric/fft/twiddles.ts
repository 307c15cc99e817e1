/** The cosines and sines of −2π·k/n for k < count, each within 2u: angles are first folded into [0, π/4]. */
export function twiddles(
  n: number,
  count: number,
): { readonly cos: Float64Array; readonly sin: Float64Array } {
  const cos = new Float64Array(count);
  const sin = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    // 8k = octant·n + rest, exactly.
    const octant = Math.floor((8 * k) / n);
    const rest = 8 * k - octant * n;
    const folded = octant % 2 === 0 ? rest : n - rest;
    const angle = (folded / n) * (Math.PI / 4);
    const [near, far] = [Math.cos(angle), Math.sin(angle)];
    const flipped = octant % 4 === 1 || octant % 4 === 2;
    const [c, s] = flipped ? [far, near] : [near, far];
    cos[k] = octant >= 2 && octant < 6 ? -c : c;
    sin[k] = octant < 4 ? -s : s;
  }
  return { cos, sin };
}
