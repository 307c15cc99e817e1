/** Every path to a leaf of JSON, with the value there. */
export function* leavesOf(
  value: unknown,
  path: readonly (string | number)[] = [],
): Iterable<[typeof path, unknown]> {
  if (typeof value !== "object" || value === null) yield [path, value];
  else if (Array.isArray(value))
    for (const [at, item] of value.entries()) yield* leavesOf(item, [...path, at]);
  else for (const [name, item] of Object.entries(value)) yield* leavesOf(item, [...path, name]);
}

/** The same with the leaf at this path changed. */
export function withLeaf(
  value: unknown,
  [step, ...rest]: readonly (string | number)[],
  change: (old: unknown) => unknown,
): unknown {
  if (step === undefined) return change(value);
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  copy[step] = withLeaf(copy[step], rest, change);
  return copy;
}

/** Another value of the same type and, for texts, of the same form. */
export function changed(old: unknown): unknown {
  if (typeof old === "number") return old + 1;
  if (typeof old === "boolean") return !old;
  if (typeof old !== "string") return 0;
  return /\d/.test(old) ? old.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)) : `${old}x`;
}
