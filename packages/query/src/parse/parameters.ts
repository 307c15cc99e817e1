import { LetheError } from "@lethe/core";
import type { A_Const, Node, SelectStmt } from "@pgsql/types";
import { maxTextBytes } from "./check-size.ts";

/** A value that $1, $2 … may stand for. Numbers are finite. */
export type ParameterValue = string | number | boolean | null;

const maxParameters = 1000;
const largestInteger = 2 ** 31 - 1;

function refusal(message: string, fix: string, offset?: number): LetheError {
  return new LetheError("query.parameter", message, offset === undefined ? { fix } : { fix, offset });
}

/**
 * Returns the values as they will be read; nothing in the caller's list is trusted. Errors: query.parameter, query.too-large for
 * texts of more than 64 KiB together.
 */
export function checkParameters(given: readonly unknown[]): readonly ParameterValue[] {
  if (!Array.isArray(given) || given.length > maxParameters)
    throw refusal(`parameters are a list of at most ${maxParameters} values`, "give the value of $1 first");
  const values = Array.from(given, checkedValue);
  const bytes = values.reduce<number>(
    (total, value) => total + (typeof value === "string" ? new TextEncoder().encode(value).length : 0),
    0,
  );
  if (bytes > maxTextBytes)
    throw new LetheError("query.too-large", "the parameters are longer than 64 KiB", {
      fix: "give shorter texts",
    });
  return values;
}

function checkedValue(value: unknown, at: number): ParameterValue {
  if (value === null || typeof value === "boolean") return value;
  // Zero has one sign, as in canonical JSON.
  if (typeof value === "number" && Number.isFinite(value)) return value + 0;
  if (typeof value === "string" && value.length <= maxTextBytes && !/[\0\p{Cs}]/u.test(value)) return value;
  throw refusal(
    `the value of $${at + 1} is not a finite number, a text without NUL, true, false or null`,
    "give a value of one of these types",
  );
}

/**
 * Puts each value where its $n stands, as a constant of the tree with a type: no text is spliced, and nothing in a value is read
 * as SQL. Every $n needs a value, and every value its $n. Changes the tree. `elsewhere` are the numbers of values that OPTIONS reads.
 * Errors: query.parameter; also where $n would be taken for the place of a column, in GROUP BY and ORDER BY.
 */
export function placeParameters(
  select: SelectStmt,
  values: readonly ParameterValue[],
  elsewhere: ReadonlySet<number> = new Set(),
): void {
  const used = new Set(elsewhere);
  const open: object[] = [select];
  for (let node = open.pop(); node; node = open.pop()) {
    demandNoPlace(node);
    for (const inner of Object.values(node).reverse())
      if (typeof inner === "object" && inner !== null) open.push(inner);
    if (!isParameter(node)) continue;
    const { number = 0, location } = node.ParamRef;
    const offset = location === undefined || location < 0 ? undefined : location;
    if (number < 1 || number > values.length)
      throw refusal(
        `$${number} has no value: ${values.length === 0 ? "none is given" : `${values.length} given, the first is $1`}`,
        "give a value for each of $1, $2 …, as params: [42] or --param 1=42",
        offset,
      );
    used.add(number);
    const constant = node as { ParamRef?: unknown; A_Const?: A_Const };
    delete constant.ParamRef;
    constant.A_Const = constantOf(values[number - 1]!, location);
  }
  const extra = values.findIndex((_, at) => !used.has(at + 1));
  if (extra >= 0)
    throw refusal(
      `the question has no $${extra + 1}, but a value for it is given`,
      "leave the value out, or write $n where it belongs",
    );
}

type Parameter = { readonly ParamRef: { readonly number?: number; readonly location?: number } };

function isParameter(node: object): node is Parameter {
  return Object.hasOwn(node, "ParamRef");
}

/** A constant there is the place of a column; a parameter, in PostgreSQL, is a constant that groups and orders nothing. */
function demandNoPlace(node: { readonly groupClause?: Node[]; readonly sortClause?: Node[] }): void {
  const sorted = (node.sortClause ?? []).map((item) => ("SortBy" in item ? item.SortBy.node : undefined));
  for (const item of [...(node.groupClause ?? []), ...sorted])
    if (item && isParameter(item))
      throw refusal(
        "a question cannot group or order by a parameter",
        "name the column, or its place in the select list",
        item.ParamRef.location,
      );
}

function constantOf(value: ParameterValue, location: number | undefined): A_Const {
  const at = location === undefined ? {} : { location };
  if (value === null) return { isnull: true, ...at };
  if (typeof value === "boolean") return { boolval: { boolval: value }, ...at };
  if (typeof value === "string") return { sval: { sval: value }, ...at };
  return Number.isInteger(value) && Math.abs(value) <= largestInteger
    ? { ival: { ival: value }, ...at }
    : { fval: { fval: String(value) }, ...at };
}
