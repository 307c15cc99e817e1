/** The way that a column's native type is read. */
export type NativeKind =
  | "double"
  | "integer"
  | "decimal"
  | "boolean"
  | "date"
  | "timestamp"
  | "timestamptz"
  | "text";

const kinds: readonly (readonly [RegExp, NativeKind])[] = [
  [/^(double|real)$/, "double"],
  [/^(tinyint|smallint|integer|bigint)$/, "integer"],
  [/^decimal\b/, "decimal"],
  [/^boolean$/, "boolean"],
  [/^date$/, "date"],
  [/^timestamp(\(\d+\))? with time zone$/, "timestamptz"],
  [/^timestamp(\(\d+\))?$/, "timestamp"],
];

/** Returns the kind of a native type as information_schema names it. An unknown type is read as a text. */
export function nativeKind(type: string | undefined): NativeKind {
  return kinds.find(([pattern]) => pattern.test(type ?? ""))?.[1] ?? "text";
}
