import type { FuncCall, NamedArgExpr, Node } from "@pgsql/types";
import type { BoundsForm } from "../../aggregates/call-form.ts";
import { didYouMean } from "../../refusals/did-you-mean.ts";
import { refuse } from "../../refusals/refuse.ts";
import { resolveExpression } from "../expressions/resolve-expression.ts";
import { constantNumber } from "../expressions/resolve-literal.ts";
import type { AggregateBounds, AskedBounds } from "../names/resolved-query.ts";
import type { Scope } from "../names/scope.ts";

const names = { contribution_bounds_per_row: "row", contribution_bounds_per_group: "group" } as const;
const largest = 2 ** 50;

function pairOf(node: Node | undefined): readonly Node[] {
  if (node && "RowExpr" in node) return node.RowExpr.args ?? [];
  return [];
}

function readPair(named: NamedArgExpr, scope: Scope): readonly [number, number] {
  const form = `write ${named.name} => (0, 100)`;
  if (isAuto(named.arg))
    refuse(
      "query.option",
      "bounds can be learned only per row, in SUM, AVG, VARIANCE and STDDEV",
      form,
      named.location,
    );
  const [lo, hi, ...rest] = pairOf(named.arg).map((part) => constantNumber(resolveExpression(part, scope)));
  if (typeof lo !== "number" || typeof hi !== "number" || rest.length > 0)
    refuse("query.option", `${named.name} takes two numbers`, form, named.location);
  if (!(lo < hi && Math.max(-lo, hi) <= largest))
    refuse(
      "query.option",
      `${named.name} takes a lower and a higher number of at most 2^50`,
      form,
      named.location,
    );
  return [lo, hi];
}

/** The bare word, whatever columns there are: bounds are constants. */
function isAuto(node: Node | undefined): boolean {
  if (!node || !("ColumnRef" in node)) return false;
  const [first, ...rest] = node.ColumnRef.fields ?? [];
  return rest.length === 0 && first !== undefined && "String" in first && first.String.sval === "auto";
}

const formats: ReadonlySet<string> = new Set(["DEFAULT", "JSON"]);

/** Returns the arguments that state bounds. BigQuery's report_format is read and changes nothing: every release holds its intervals and bounds, and JSON is one of its forms. */
function boundsOf(call: FuncCall): readonly NamedArgExpr[] {
  const named = (call.args ?? []).flatMap((arg) => ("NamedArgExpr" in arg ? [arg.NamedArgExpr] : []));
  const reports = named.filter(({ name }) => name?.toLowerCase() === "report_format");
  for (const { arg, location } of reports) {
    const format = arg && "A_Const" in arg ? arg.A_Const.sval?.sval : undefined;
    if (reports.length > 1 || format === undefined || !formats.has(format.toUpperCase()))
      refuse(
        "query.option",
        "report_format is 'DEFAULT' or 'JSON', stated once",
        "write report_format => 'JSON', or leave it out: every answer has its interval",
        location,
      );
  }
  return named.filter((each) => !reports.includes(each));
}

/** BigQuery's contribution_bounds_per_row => (lo, hi) and contribution_bounds_per_group => (lo, hi), at most one. */
export function resolveBounds(call: FuncCall, form: BoundsForm, scope: Scope): AggregateBounds | null {
  const [first, second] = boundsOf(call);
  if (!first) return null;
  if (second)
    refuse(
      "query.option",
      "an aggregate takes one pair of bounds",
      "state bounds per row or per group",
      second.location,
    );
  const name = (first.name ?? "").toLowerCase();
  if (!Object.hasOwn(names, name))
    refuse(
      "query.option",
      `there is no argument ${first.name}`,
      didYouMean(name, Object.keys(names)),
      first.location,
    );
  const per = names[name as keyof typeof names];
  if (form.none) refuse("query.option", form.none.reason, form.none.fix, first.location);
  if (per === "group" && form.noneForGroups !== null)
    refuse("query.option", form.noneForGroups, "write contribution_bounds_per_row", first.location);
  if (per === "row" && form.noneForRows)
    refuse("query.option", form.noneForRows, "write contribution_bounds_per_group", first.location);
  const [lo, hi] = readPair(first, scope);
  return { per: form.groupsBoundRows ? "row" : per, lo, hi };
}

/** The same, or auto in the place of a pair: bounds a row that are to be learned, in sums, averages and variances. */
export function resolveAskedBounds(call: FuncCall, form: BoundsForm, scope: Scope): AskedBounds | null {
  const [first, ...rest] = boundsOf(call);
  const isLearned =
    rest.length === 0 && form.learned && first?.name?.toLowerCase() === "contribution_bounds_per_row";
  return isLearned && isAuto(first?.arg) ? { per: "auto" } : resolveBounds(call, form, scope);
}
