import { canonicalJson } from "@lethe/core/canonical";
import type { Plan } from "@lethe/query";

/** Yields in what two plans are about other rows, or other units. */
export function* otherRows(released: Plan, asked: Plan): Iterable<string> {
  if (released.policyHash !== asked.policyHash) yield "a release is of another policy than the answer";
  const parts = (plan: Plan): string =>
    canonicalJson([plan.where, plan.unit, plan.adjacency, plan.contribution.limit, plan.joinedRows ?? null]);
  if (parts(released) !== parts(asked) || !isSameRelation(released.from, asked.from))
    yield "a release is about other rows than the answer";
}

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members => typeof value === "object" && value !== null;

/** Whether two relations have the same rows. Of the columns of a table those that one alone reads make no difference, unless rows are chosen in the order of all that are read. */
function isSameRelation(one: unknown, other: unknown): boolean {
  if (!isMembers(one) || !isMembers(other)) return one === other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  const isTable = one.kind === "table" && other.kind === "table";
  const isOrdered = [one, other].some(
    ({ limits, oncePer }) => limits !== undefined || (oncePer ?? null) !== null,
  );
  return [...names].every((name) =>
    isTable && !isOrdered && name === "columns"
      ? isCommonSame(one.columns, other.columns)
      : isSameRelation(one[name], other[name]),
  );
}

function isCommonSame(one: unknown, other: unknown): boolean {
  if (!isMembers(one) || !isMembers(other)) return false;
  return Object.keys(one).every(
    (name) => !Object.hasOwn(other, name) || canonicalJson(one[name]) === canonicalJson(other[name]),
  );
}
