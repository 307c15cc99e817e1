/** The way that a column's native type is read. */
export type NativeKind =
  | "double"
  | "integer"
  | "decimal"
  | "boolean"
  | "date"
  | "timestamp"
  /** With more digits than microseconds have. */
  | "fine-timestamp"
  | "timestamptz"
  | "fine-timestamptz"
  /** Filled up with blanks to its length. */
  | "char"
  /** The texts of these types have at most some dozens of characters. */
  | "short-text"
  | "text";

const kinds: readonly (readonly [RegExp, NativeKind])[] = [
  [/^(double|real)$/, "double"],
  [/^(tinyint|smallint|integer|bigint)$/, "integer"],
  [/^decimal\b/, "decimal"],
  [/^boolean$/, "boolean"],
  [/^date$/, "date"],
  [/^timestamp(\([0-6]\))?$/, "timestamp"],
  [/^timestamp\(\d+\)$/, "fine-timestamp"],
  [/^timestamp(\([0-6]\))? with time zone$/, "timestamptz"],
  [/^timestamp\(\d+\) with time zone$/, "fine-timestamptz"],
  [/^char\b/, "char"],
  [/^(uuid|ipaddress|time(\(\d+\))?( with time zone)?)$/, "short-text"],
  [/^varchar\b/, "text"],
];

/** Returns the kind of a native type, as information_schema spells it; null for a type that has no text, or whose text has no bound. */
function knownKind(type: string): NativeKind | null {
  return kinds.find(([pattern]) => pattern.test(type))?.[1] ?? null;
}

/** Returns the kind of a native type. An unknown type is read as a text. */
export function nativeKind(type: string | undefined): NativeKind {
  return (type !== undefined && knownKind(type)) || "text";
}

/** Whether a column of this native type can be asked. Any other has no text (ROW, MAP, ARRAY), or its reading has no public bound. */
export function isTrinoType(type: string): boolean {
  return knownKind(type) !== null;
}
