/**
 * The integer nearest to a finite double, still a double; of two the even one. Trino's own rounding and its casts go half away from zero.
 * What is left above the floor is exact, but for x between −1 and 0, where it rounds to a half at worst next to −½: then the even neighbour
 * is 0, which is the nearest. `x` is cheap to repeat.
 */
export function roundHalfEven(x: string): string {
  const rest = `${x} - floor(${x})`;
  return `(floor(${x}) + CASE WHEN ${rest} > 0.5E0 OR (${rest} = 0.5E0 AND floor(${x}) % 2 <> 0) THEN 1 ELSE 0 END)`;
}
