import { type Event, parseRational, type Rational, ratio, toDouble, toText } from "@lethe/core";
import { add, compare, multiply, zero } from "@lethe/core/numeric";
import type { Policy } from "@lethe/query";
import { type Verdict, verdict } from "../checks/check.ts";
import { areEven, domainOf } from "./declared-domain.ts";
import { same } from "./procedure-checks.ts";
import type { Attribute, ReleasedTables, SynthesisPlan } from "./synthesis.ts";

/** Room for variances, which are doubles. */
const rounding = 1 + 1e-9;

/**
 * Checks that the event is that of the session through which all tables were chosen and measured: μ² of Gaussian DP, or ρ of zCDP as half of the total; and that the
 * stages planned take no more than the whole.
 */
export function sessionIsTheEvent({ session, stages, event }: SynthesisPlan): Verdict {
  const total = parseRational(session.total);
  const derived: Event =
    session.measure === "gaussian-dp"
      ? { kind: "gaussian-dp", version: 1, muSquared: toText(total), of: "table-session" }
      : { kind: "zcdp", version: 1, rho: toText(multiply(total, ratio(1n, 2n))), of: "table-session" };
  const parts = stages.reduce<Rational>((sum, { part }) => add(sum, parseRational(part)), zero);
  return verdict(
    [
      ...(same(event, derived) ? [] : ["the event is not that of the session's total"]),
      ...(compare(parts, total) <= 0 ? [] : ["the stages take more than the session's total"]),
    ],
    "the event is that of a session, which all tables and choices are drawn through and cannot pass",
  );
}

/** Checks that the tables released are over cells of the plan's columns, and that their noises alone fit the session: a table takes Δ₂²/σ². */
export function tablesFitTheSession({ domain, session }: SynthesisPlan, tables: ReleasedTables): Verdict {
  const { merged, measurements } = tables;
  const sides = session.adjacency === "replace-one" ? 2 : 1;
  const l2Squared = sides * Number(session.rowsPerUnit) ** 2;
  const taken = measurements.reduce((sum, { variances }) => sum + l2Squared / leastOf(variances), 0);
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
      ...(taken <= total * rounding ? [] : ["the noises of the tables take more than the session's total"]),
    ],
    `${measurements.length} noisy tables were released, whose noises fit the session`,
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
  let cells = 1;
  for (const [at, attribute] of attributes.entries()) {
    const column = domain[attribute];
    if (!column || attribute <= (attributes[at - 1] ?? -1)) return false;
    const places = merged[attribute];
    cells *= places ? new Set(places).size : valuesOf(column);
  }
  return (
    attributes.length > 0 &&
    values.length === cells &&
    (typeof variances === "number" || variances.length === cells)
  );
}

/** Checks that columns are cut by what the policy declares of them alone, that adjacency is its own, and that units may have no more rows than are priced. */
export async function cellsAreDeclared(plan: SynthesisPlan, policy: Policy): Promise<Verdict> {
  const { domain, session, source } = plan;
  const undeclared: string[] = [];
  for (const attribute of domain)
    if (!(await isDeclared(attribute, source, policy)))
      undeclared.push(`column ${attribute.name} is not declared so in the policy`);
  const table = Object.hasOwn(policy.tables, source) ? policy.tables[source] : undefined;
  const most =
    !table || table.unit.kind === "row" || table.unit.kind === "public"
      ? 1
      : table.contribution.maxGroups * table.contribution.maxRowsPerGroup;
  return verdict(
    [
      ...(session.adjacency === policy.privacyUnit.adjacency
        ? []
        : ["the synthesis's adjacency is not the policy's"]),
      ...(Number(session.rowsPerUnit) >= most ? [] : ["a unit may have more rows than are priced"]),
      ...undeclared,
    ],
    "columns are cut by the bounds and categories that the policy declares",
  );
}

async function isDeclared(attribute: Attribute, source: string, policy: Policy): Promise<boolean> {
  const domain = await domainOf(attribute.name, source, policy);
  if (domain === null || (domain.nullable && !attribute.nullable)) return false;
  if (attribute.kind === "categories") {
    if (domain.type === "boolean") return same(attribute.categories, [false, true]);
    if ((domain.type !== "number" && domain.type !== "text") || domain.values === null) return false;
    const { categories } = attribute;
    return (
      categories.length === domain.values.length && domain.values.every((value) => categories.includes(value))
    );
  }
  if (domain.type !== "number" || domain.bounds === null) return false;
  return areEven(attribute.edges, domain.bounds, attribute.integer);
}
