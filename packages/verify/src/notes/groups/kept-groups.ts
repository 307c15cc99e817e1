import type { Plan, Relation } from "@lethe/query";

/** Groups of public rows that are answered whether a row of a unit meets them or not. */
export function* keptGroups({ from, keys }: Plan): Iterable<string> {
  if (keys.program.kind === "public" && keeps(from))
    yield "the groups are all that the policy and the question name, with or without rows of units: COUNT(*) counts the rows that match, 0 in a group without any, where SQL counts 1, and every group has noise";
}

function keeps(relation: Relation): boolean {
  if (relation.kind === "filter" || relation.kind === "marked") return keeps(relation.of);
  return (
    relation.kind === "join" &&
    (relation.keeps !== undefined || keeps(relation.left) || keeps(relation.right))
  );
}
