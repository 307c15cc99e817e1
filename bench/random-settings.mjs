/** `count` random settings of DP-SGD from a seed: rate 1e-5 … 1, noise 0.4 … 20, steps 1 … 10⁶, δ 1e-30 … 1e-3, log-uniform. */
export function randomSettings(count, seed) {
  let state = seed >>> 0;
  // Mulberry32: settings, never noise.
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low, high) => low * (high / low) ** uniform();
  return Array.from({ length: count }, (_, i) => {
    const rate = Number(between(1e-5, 1).toPrecision(6));
    const sigma = Number(between(0.4, 20).toPrecision(6));
    const steps = Math.round(between(1, 1e6));
    const delta = between(1e-30, 1e-3);
    // A closed form to compare with: every twentieth is not sampled at all.
    return { rate: i % 20 === 19 ? 1 : rate, sigma, steps, delta };
  });
}
