/** The way that a column's native type is read. Types have their names of pg_type, with domains and enums resolved. */
export type NativeKind =
  | "double"
  | "integer"
  | "decimal"
  | "numeric"
  | "boolean"
  | "short-text"
  | "date"
  | "timestamp"
  | "timestamptz"
  | "text";

const kinds: Readonly<Record<string, NativeKind>> = {
  float4: "double",
  float8: "double",
  int2: "integer",
  int4: "integer",
  int8: "integer",
  // A numeric with a declared precision, which every double can hold.
  decimal: "decimal",
  numeric: "numeric",
  bool: "boolean",
  text: "text",
  varchar: "text",
  bpchar: "text",
  citext: "text",
  // The texts of these types have at most some dozens of characters.
  name: "short-text",
  char: "short-text",
  enum: "short-text",
  uuid: "short-text",
  date: "date",
  time: "short-text",
  timetz: "short-text",
  timestamp: "timestamp",
  timestamptz: "timestamptz",
  inet: "short-text",
  cidr: "short-text",
  macaddr: "short-text",
};

/** The native types that can be asked. Reading any other type has no publicly bounded cost, or no single meaning. */
export const readableTypes: readonly string[] = Object.keys(kinds);

/** Returns the kind of a native type. An unknown type is read as a text, as any type can be. */
export function nativeKind(type: string | undefined): NativeKind {
  return (type !== undefined && Object.hasOwn(kinds, type) && kinds[type]) || "text";
}
