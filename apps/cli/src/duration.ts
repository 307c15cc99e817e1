/** Returns a time in words, for a person who is about to wait; rounded up. */
export function duration(seconds: number): string {
  if (seconds <= 1) return "a second";
  if (seconds < 100) return `${Math.ceil(seconds)} seconds`;
  return seconds < 6000 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
}
