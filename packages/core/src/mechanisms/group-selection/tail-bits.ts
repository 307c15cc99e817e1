const mostBits = 8192;

/**
 * The bits at which a probability near 2^−magnitude is seen to a relative 2^−60. Beyond 2^−8192 the bracket's upper end,
 * which is what is charged, stays at about 2^−8192.
 */
export function tailBits(magnitude: number): number {
  return Math.min(mostBits, 64 + Math.ceil(Math.max(0, Math.min(magnitude, mostBits))));
}
