import { parseRational, toDouble } from "@lethe/core";
import { type Verdict, verdict } from "../checks/check.ts";
import type { Attribute, ReleasedTables, SynthesisPlan } from "./synthesis.ts";

/** Room for variances, which are doubles. */
const rounding = 1 + 1e-9;

/**
 * Checks that the tables and residuals released are over cells of the plan's columns, and that their noises alone fit the session: a table takes Δ₂²/σ², and a residual, which is a part
 * of a table, its own squared sensitivity over σ².
 */
export function tablesFitTheSession({ domain, session }: SynthesisPlan, tables: ReleasedTables): Verdict {
  const { merged, measurements, residuals = [] } = tables;
  const sides = session.adjacency === "replace-one" ? 2 : 1;
  const l2Squared = sides * Number(session.rowsPerUnit) ** 2;
  const shapeOf = (attributes: readonly number[]): readonly number[] =>
    attributes.map((each) => cellsOf(domain, merged, each));
  const byTables = measurements.reduce((sum, { variances }) => sum + l2Squared / leastOf(variances), 0);
  const taken = residuals.reduce(
    (sum, { attributes, variance }) => sum + residualMove(shapeOf(attributes), session) / variance,
    byTables,
  );
  const total = toDouble(parseRational(session.total), "up");
  return verdict(
    [
      ...(BigInt(session.rowsPerUnit) >= 1n ? [] : ["a unit has no row in the session"]),
      ...(merged.length === domain.length && domain.every((each, at) => isMerging(each, merged[at] ?? null))
        ? []
        : ["the merged values are not those of the plan's columns"]),
      ...(measurements.every((each) => isOver(each, domain, merged))
        ? []
        : ["a table is not over cells of the plan's columns"]),
      ...(residuals.every((each) => isResidual(each, domain, shapeOf(each.attributes)))
        ? []
        : ["a residual is not one of the plan's columns"]),
      ...(taken <= total * rounding ? [] : ["the noises of the tables take more than the session's total"]),
    ],
    `${measurements.length} noisy tables ${residuals.length > 0 ? `and ${residuals.length} residuals ` : ""}were released, whose noises fit the session`,
  );
}

const leastOf = (variances: number | readonly number[]): number =>
  typeof variances === "number" ? variances : Math.min(...variances);

/** How many values an attribute has, NULL among them. */
function valuesOf(attribute: Attribute): number {
  const own = attribute.kind === "bins" ? attribute.edges.length - 1 : attribute.categories.length;
  return own + (attribute.nullable ? 1 : 0);
}

function isMerging(attribute: Attribute, places: readonly number[] | null): boolean {
  if (places === null) return true;
  const size = new Set(places).size;
  return places.length === valuesOf(attribute) && places.every((place) => place < size);
}

function isOver(
  { attributes, values, variances }: ReleasedTables["measurements"][number],
  domain: SynthesisPlan["domain"],
  merged: ReleasedTables["merged"],
): boolean {
  if (!areColumns(attributes, domain)) return false;
  const cells = attributes.reduce((product, each) => product * cellsOf(domain, merged, each), 1);
  return values.length === cells && (typeof variances === "number" || variances.length === cells);
}

/** Whether these are one column or more of the plan, in its order. */
function areColumns(attributes: readonly number[], domain: SynthesisPlan["domain"]): boolean {
  return (
    attributes.length > 0 &&
    attributes.every((each, at) => each < domain.length && each > (attributes[at - 1] ?? -1))
  );
}

/** How many values of a column are told apart; NaN for none of the plan. */
function cellsOf(
  domain: SynthesisPlan["domain"],
  merged: ReleasedTables["merged"],
  attribute: number,
): number {
  const [column, places] = [domain[attribute], merged[attribute]];
  if (!column) return Number.NaN;
  return places ? new Set(places).size : valuesOf(column);
}

/** Whether a residual has a contrast for every value but one of each of its columns, which have two or more. */
function isResidual(
  { attributes, values }: NonNullable<ReleasedTables["residuals"]>[number],
  domain: SynthesisPlan["domain"],
  shape: readonly number[],
): boolean {
  return (
    areColumns(attributes, domain) &&
    shape.every((size) => size >= 2) &&
    values.length === shape.reduce((product, size) => product * (size - 1), 1)
  );
}

/**
 * How far a unit of r rows moves a residual, squared. Rows in one cell move it by r·‖P·eᵢ‖, P = ⊗(I − 11ᵀ/n), whose square is Π(1 − 1/n); rows that change from one cell to another that lies apart on
 * the shortest axis alone by r·‖P(eᵢ − eⱼ)‖, whose square is 2·Π(1 − 1/n) without that axis: the furthest that they can.
 */
function residualMove(
  shape: readonly number[],
  { adjacency, rowsPerUnit }: SynthesisPlan["session"],
): number {
  const [shortest = Number.NaN, ...others] = shape.toSorted((a, b) => a - b);
  const apart = others.reduce((product, size) => product * (1 - 1 / size), Number(rowsPerUnit) ** 2);
  return adjacency === "replace-one" ? 2 * apart : apart * (1 - 1 / shortest);
}
