import { canonicalJson } from "@lethe/core";
import {
  type ColumnPolicy,
  type Expression,
  type Plan,
  type PlannedKeyValue,
  type Policy,
  policyHash,
  type TablePolicy,
} from "@lethe/query";
import { failed, passed, type Verdict, verdict } from "./check.ts";

/** The policy given is the one under which the question was planned. */
export function policyIsTheOne(plan: Plan, policy: Policy): Verdict {
  return policyHash(policy) === plan.policyHash
    ? passed("the policy given is the one whose hash the plan holds")
    : failed("the policy given is not the one whose hash the plan holds");
}

/** Unit, adjacency and contribution bounds are the policy's. */
export function unitIsThePolicys(plan: Plan, policy: Policy): Verdict {
  const table = tableOf(plan, policy);
  const { groups, rows, bound, enforced } = plan.contribution;
  const limits = table.contribution;
  const amiss: string[] = [];
  if (plan.adjacency !== policy.privacyUnit.adjacency) amiss.push("the adjacency is not the policy's");
  if (canonicalJson(plan.unit) !== canonicalJson(table.unit))
    amiss.push("the privacy unit is not the policy's");
  if (table.unit.kind === "row") {
    if (groups > 1 || rows > 1) amiss.push("a unit that is one row is in one group, with one row");
  } else {
    if (!enforced) amiss.push("the contribution of a unit is not bounded");
    if (bound !== limits.bound) amiss.push("contributions are not bounded where the policy says");
    if (groups > limits.maxGroups) amiss.push("a unit may be in more groups than the policy allows");
    if (rows > limits.maxRowsPerGroup)
      amiss.push("a unit may have more rows in a group than the policy allows");
  }
  return verdict(
    amiss,
    `one ${policy.privacyUnit.name} is protected, within the policy's contribution bounds`,
  );
}

/** Every column that the plan reads is declared, with the bounds, categories and default of the policy. */
export function columnsAreThePolicys(plan: Plan, policy: Policy): Verdict {
  const declared = tableOf(plan, policy).columns;
  const amiss: string[] = [];
  for (const [name, column] of Object.entries(plan.columns)) {
    if (!Object.hasOwn(declared, name) || canonicalJson(declared[name]) !== canonicalJson(column)) {
      amiss.push(`column ${name} is not declared so in the policy`);
    }
  }
  for (const leaf of columnsRead(plan)) {
    const column = Object.hasOwn(declared, leaf.name) ? declared[leaf.name] : undefined;
    if (!column || !Object.hasOwn(plan.columns, leaf.name))
      amiss.push(`column ${leaf.name} is read and not declared`);
    else if (column.nullable && !leaf.domain.nullable) amiss.push(`column ${leaf.name} may be NULL`);
  }
  return verdict(amiss, "every column is read within the bounds and categories that the policy declares");
}

/** Keys that are answered without a selection come from the policy, not from the data. */
export function publicKeysAreThePolicys(plan: Plan, policy: Policy): Verdict {
  const { program, expressions } = plan.keys;
  if (program.kind !== "public") return passed("no key is taken to be public");
  const declared = tableOf(plan, policy).columns;
  const amiss = expressions.flatMap((expression, at) => {
    const column = expression.kind === "column" ? declared[expression.name] : undefined;
    const values = column
      ? publicValues(column)
      : expression.domain.type === "boolean"
        ? [false, true, null]
        : valuesOf(expression);
    const known = new Set(values?.map(canonicalJson));
    return program.declared.every((key) => known.has(canonicalJson(key[at] ?? null)))
      ? []
      : [`a public key of part ${at + 1} is not one that the policy declares`];
  });
  return verdict(amiss, "the public keys come from declared categories");
}

function tableOf(plan: Plan, policy: Policy): TablePolicy {
  const table = Object.hasOwn(policy.tables, plan.table) ? policy.tables[plan.table] : undefined;
  if (!table) throw new RangeError(`the policy has no table ${plan.table}`);
  return table;
}

function publicValues(column: ColumnPolicy): readonly PlannedKeyValue[] | null {
  const values =
    column.type === "boolean" ? [false, true] : column.type === "number" ? null : column.categories;
  return values && (column.nullable ? [...values, null] : values);
}

/** Of a computed key: the finite domain that the plan states, which planning again derives from the policy. */
function valuesOf({ domain }: Expression): readonly PlannedKeyValue[] | null {
  return domain.type !== "boolean" && domain.values ? [...domain.values, null] : null;
}

type ColumnLeaf = Extract<Expression, { readonly kind: "column" }>;

function* columnsRead({ where, keys, sums }: Plan): Iterable<ColumnLeaf> {
  if (where) yield* leaves(where);
  for (const key of keys.expressions) yield* leaves(key);
  for (const sum of sums) if (sum.kind !== "units" && sum.argument) yield* leaves(sum.argument);
}

function* leaves(expression: Expression): Iterable<ColumnLeaf> {
  switch (expression.kind) {
    case "literal":
      return;
    case "column":
      yield expression;
      return;
    case "call":
      for (const argument of expression.args) yield* leaves(argument);
      return;
    case "case":
      for (const { when, then } of expression.branches) {
        yield* leaves(when);
        yield* leaves(then);
      }
      yield* leaves(expression.otherwise);
  }
}
