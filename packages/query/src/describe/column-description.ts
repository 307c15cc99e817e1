import { type TimeType, writeTime } from "../expressions/calendar/times.ts";
import { type Domain, isTime } from "../expressions/domain.ts";

/** The type of a column, in the words of a policy. */
export type ColumnType = "number" | "integer" | "text" | "boolean" | TimeType;

/** The declarations of a policy about one column. Nothing in it comes from the data. */
export interface ColumnDescription {
  readonly name: string;
  readonly type: ColumnType;
  /** unit: it names the privacy unit, so it may be counted and never shown. key: joins lead to its rows. null: any other column. */
  readonly role: "unit" | "key" | null;
  /** The lowest and the highest value; times are written in ISO 8601. Null where nothing bounds the values. */
  readonly bounds: readonly [number | string, number | string] | null;
  /** The public categories; null where the values are not public. */
  readonly categories: readonly (number | string)[] | null;
  /** The characters that a text is cut to; null for every other type, and for categories. */
  readonly maxLength: number | null;
  readonly nullable: boolean;
}

/** Returns the description of a column with this domain. */
export function describeColumn(
  name: string,
  domain: Domain,
  role: ColumnDescription["role"],
): ColumnDescription {
  return {
    name,
    role,
    type: typeOf(domain),
    bounds: boundsOf(domain),
    categories: categoriesOf(domain),
    maxLength: domain.type === "text" && domain.values === null ? domain.maxLength : null,
    nullable: domain.nullable,
  };
}

function typeOf(domain: Domain): ColumnType {
  return domain.type === "number" && domain.integer ? "integer" : domain.type;
}

function boundsOf(domain: Domain): ColumnDescription["bounds"] {
  if (isTime(domain)) {
    const [lo, hi] = domain.bounds;
    return [writeTime(domain.type, lo), writeTime(domain.type, hi)];
  }
  return domain.type === "number" && !hasGaps(domain.values) ? domain.bounds : null;
}

/** The values between two bounds are no categories: the bounds say them all. */
function categoriesOf(domain: Domain): ColumnDescription["categories"] {
  if (domain.type === "text") return domain.values;
  return domain.type === "number" && hasGaps(domain.values) ? domain.values : null;
}

function hasGaps(values: readonly number[] | null): boolean {
  return values?.some((value, at) => at > 0 && value - (values[at - 1] ?? value) !== 1) ?? false;
}
