/** The parts of two documents that differ, as paths such as tables.people.columns.age.bounds, in order. A part that one of them lacks is named whole. */
export function changedPaths(before: unknown, after: unknown, path = ""): readonly string[] {
  if (isGroup(before) && isGroup(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return keys.flatMap((key) => changedPaths(before[key], after[key], path === "" ? key : `${path}.${key}`));
  }
  return written(before) === written(after) ? [] : [path];
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isExact(value);
}

/** Exact numbers are compared as one. */
function isExact(value: object): boolean {
  return "num" in value && "den" in value;
}

function written(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}n` : part)) ?? "";
}
