import type { ReleasedShare } from "./reached-target.ts";

/**
 * Returns the size of the numbers of a column: the median of their absolute values, for an even count the smaller of the two in
 * the middle; 0 for none. A few groups that are large, or small by their noise, do not change it much.
 * @example typicalSize([120, -80, 3]) // => 80
 */
export function typicalSize(values: readonly number[]): number {
  const sizes = values.map(Math.abs).sort((a, b) => a - b);
  return sizes[Math.floor((sizes.length - 1) / 2)] ?? 0;
}

/** Names the number that a share refers to. */
export function typicalWords({
  values,
  typical,
}: Pick<ReleasedShare["answers"][number], "values" | "typical">): string {
  if (values === 0) return "nothing was released";
  const size = Number(typical.toPrecision(6));
  return values === 1 ? `of ${size}` : `of ${size}, the median of ${values} released sizes`;
}
