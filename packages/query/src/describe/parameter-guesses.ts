import { LetheError } from "@lethe/core";
import type { A_Const, ColumnRef, Node, RangeVar, SelectStmt } from "@pgsql/types";
import { expressionBuilder } from "../expressions/build/build-expression.ts";
import { type TimeType, writeTime } from "../expressions/calendar/times.ts";
import { type Domain, isTime } from "../expressions/domain.ts";
import type { ParameterValue } from "../parse/parameters.ts";
import type { ParsedQuestion } from "../parse/parsed-question.ts";
import { scanTokens } from "../parse/scan-tokens.ts";
import type { Policy } from "../policy/policy.ts";
import { resolveExpression } from "../resolve/expressions/resolve-expression.ts";
import { resolveFrom } from "../resolve/from/resolve-from.ts";
import { nodesOf } from "../resolve/names/nodes.ts";
import { columnDomain, fieldNames, resolveName } from "../resolve/names/scope.ts";

export type ParameterType = "number" | "text" | "boolean" | TimeType;

/** A type that a parameter may have, with values of it: `value(0)` lies low, `value(1)` high. */
export interface Guess {
  readonly type: ParameterType;
  readonly value: (share: number) => ParameterValue;
}

/** Returns how many parameters a text has: the highest n of its $n. */
export function parameterCount(text: string): number {
  let count = 0;
  let dollar = -1;
  for (const { kind, start, end } of scanTokens(text)) {
    if (kind === "number" && start === dollar) count = Math.max(count, Number(text.slice(start, end)) || 0);
    dollar = kind === "operator" && text.slice(start, end) === "$" ? end : -1;
  }
  return count;
}

const anyType: readonly Guess[] = [
  { type: "number", value: (share) => 1 + Math.round(98 * share) },
  { type: "text", value: () => "a" },
  { type: "date", value: (share) => `20${10 + Math.round(20 * share)}-01-01` },
  { type: "boolean", value: () => true },
];

/**
 * Returns what each parameter may be, the likeliest first: the type of a column that it is compared with, then every type. The parameters of the
 * question stand in its tree as constants at the places of their $n.
 */
export function parameterGuesses(
  { text, select }: ParsedQuestion,
  count: number,
  policy: Policy,
): readonly (readonly Guess[])[] {
  const near = partsNear(text, select);
  const scope = attempt(() => resolveFrom(select, policy, expressionBuilder()).scope);
  const domainsOf = (part: Node): readonly Domain[] => {
    const resolved = scope && attempt(() => resolveExpression(part, scope));
    if (resolved) return resolved.kind === "literal" ? [] : [resolved.domain];
    return columnNames(part).flatMap((name) => columnsNamed(name, select, policy));
  };
  return Array.from({ length: count }, (_, at) => [
    ...(near.get(at + 1) ?? []).flatMap(domainsOf).map(guessOf),
    ...anyType,
  ]);
}

/** The forms whose parts have one type, or types that say something of one another. */
const forms = ["A_Expr", "CoalesceExpr", "MinMaxExpr", "FuncCall", "CaseExpr"];

function attempt<Value>(tried: () => Value): Value | null {
  try {
    return tried();
  } catch (error) {
    if (error instanceof LetheError) return null;
    throw error;
  }
}

/** Returns for each parameter what stands beside it. */
function partsNear(text: string, select: SelectStmt): ReadonlyMap<number, readonly Node[]> {
  const near = new Map<number, readonly Node[]>();
  for (const form of forms)
    for (const body of nodesOf<object>(form, select)) {
      const parts = partsOf(body);
      for (const part of parts) {
        const parameter = "A_Const" in part ? parameterAt(text, part.A_Const) : null;
        if (parameter === null) continue;
        const others = parts.filter((other) => other !== part);
        near.set(parameter, [...(near.get(parameter) ?? []), ...others]);
      }
    }
  return near;
}

/** The operands of a form, those of a list and of the branches of CASE among them. */
function partsOf(body: object): readonly Node[] {
  return Object.values(body).flatMap((value): readonly Node[] => {
    if (Array.isArray(value)) return value.flatMap((each) => ("CaseWhen" in each ? branch(each) : [each]));
    if (typeof value !== "object" || value === null) return [];
    return "List" in value ? (value.List.items ?? []) : [value as Node];
  });
}

function branch({ CaseWhen: { expr, result } }: { CaseWhen: { expr?: Node; result?: Node } }): Node[] {
  return [expr, result].flatMap((node) => node ?? []);
}

function parameterAt(text: string, { location = -1 }: A_Const): number | null {
  const [, digits] = (location >= 0 && /^\$(\d+)/.exec(text.slice(location, location + 8))) || [];
  return digits === undefined ? null : Number(digits);
}

function columnNames(node: Node): readonly string[] {
  return [...nodesOf<ColumnRef>("ColumnRef", node)].flatMap(
    ({ fields }) => fieldNames(fields)?.slice(-1) ?? [],
  );
}

/** Returns the domains of the columns of this name, those of tables that the question names before others. */
function columnsNamed(name: string, select: SelectStmt, { tables }: Policy): readonly Domain[] {
  const named = new Set(
    [...nodesOf<RangeVar>("RangeVar", select)].map(({ relname = "" }) =>
      resolveName(relname, Object.keys(tables)),
    ),
  );
  return Object.entries(tables)
    .sort(([a], [b]) => Number(named.has(b)) - Number(named.has(a)))
    .flatMap(([, { columns }]) => {
      const found = resolveName(name, Object.keys(columns));
      const column = found === null ? undefined : columns[found];
      return column === undefined ? [] : [columnDomain(column)];
    });
}

function guessOf(domain: Domain): Guess {
  const { type } = domain;
  if (type === "boolean") return { type, value: () => true };
  const { values } = domain;
  if (type === "text" && values === null) return { type, value: () => "a" };
  const at = (share: number): number => Math.floor(share * ((values?.length ?? 1) - 1));
  const chosen = (share: number): string | number => values?.[at(share)] ?? between(domain, share);
  return isTime(domain)
    ? { type, value: (share) => writeTime(domain.type, Number(chosen(share))) }
    : { type, value: chosen };
}

function between(domain: Domain, share: number): number {
  const [lo, hi] = ("bounds" in domain && domain.bounds) || [0, 100];
  return Math.round(lo + (hi - lo) * share);
}
