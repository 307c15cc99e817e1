import { type Event, parseRational, type Rational, ratio, toText } from "@lethe/core";
import { add, compare, multiply, zero } from "@lethe/core/numeric";
import type { Policy } from "@lethe/query";
import { type Verdict, verdict } from "../checks/check.ts";
import { areCategories, areEven, domainOf } from "./declared-domain.ts";
import { same } from "./procedure-checks.ts";
import { isCondition } from "./stated-condition.ts";
import type { Attribute, SynthesisPlan } from "./synthesis.ts";

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

/** Checks that columns are cut by what the policy declares of them alone, that adjacency is its own, and that units may have no more rows than are priced. */
export async function cellsAreDeclared(plan: SynthesisPlan, policy: Policy): Promise<Verdict> {
  const { domain, target, session, source, where } = plan;
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
      ...(target === undefined || domain.some(({ name }) => name === target)
        ? []
        : ["the target is none of the plan's columns"]),
      ...(where === null || (await isCondition(where, source, policy))
        ? []
        : ["the condition on the synthesis's rows is more than a condition"]),
      ...(Number(session.rowsPerUnit) >= most ? [] : ["a unit may have more rows than are priced"]),
      ...undeclared,
    ],
    "columns are cut by the bounds and categories that the policy declares",
  );
}

async function isDeclared(attribute: Attribute, source: string, policy: Policy): Promise<boolean> {
  const domain = await domainOf(attribute.name, source, policy);
  if (domain === null || (domain.nullable && !attribute.nullable)) return false;
  if (attribute.kind === "categories") return areCategories(attribute.categories, domain);
  if (domain.type !== "number" || domain.bounds === null) return false;
  return areEven(attribute.edges, domain.bounds, attribute.integer);
}
