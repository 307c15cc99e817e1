import type {
  OtherPlan,
  Plan,
  PlannedContribution,
  PlannedKeyProgram,
  PlannedKeyValue,
  PlannedTotals,
  PlannedUnit,
  ReleasedRelation,
} from "@lethe/query";
import { aggregate, output, post } from "./answer-shape.ts";
import { event, loss, positiveText, selectionRule } from "./core-texts.ts";
import { expression } from "./expression-shape.ts";
import { combinedTotal, learned, measurement, sum, tree } from "./measurement-shape.ts";
import { demandOverNames, demandReleasedNames } from "./over/over-names.ts";
import { overRelation } from "./over/over-shape.ts";
import { demandNames } from "./plan-names.ts";
import { relation } from "./relation-shape.ts";
import {
  boolean,
  extended,
  integer,
  list,
  literal,
  nullable,
  object,
  type Read,
  scalar,
  sha256Text,
  tagged,
  text,
  yes,
} from "./shape.ts";

const keyValue: Read<PlannedKeyValue> = scalar;

const keyProgram: Read<PlannedKeyProgram> = tagged("kind", {
  none: object({ kind: literal("none") }),
  public: object({ kind: literal("public"), declared: list(list(keyValue)) }),
  private: object({ kind: literal("private"), rule: selectionRule }),
});

const plannedUnit: Read<PlannedUnit> = tagged("kind", {
  row: extended({ kind: literal("row") }, { shared: yes }),
  column: extended({ kind: literal("column"), column: text }, { shared: yes }),
});

const contribution: Read<PlannedContribution> = object({
  limit: literal("groups-after-filter", "rows-before-filter"),
  groups: integer(0),
  rows: integer(1),
  enforced: boolean,
  choosesGroups: boolean,
});

const always = {
  version: literal(2),
  text,
  policyHash: sha256Text,
  from: relation,
  unit: plannedUnit,
  adjacency: literal("add-or-remove-one", "replace-one"),
  contribution,
  where: nullable(expression),
  keys: object({ parts: list(object({ name: text, expression })), program: keyProgram }),
  sums: list(sum),
  measurements: list(measurement),
  aggregates: list(aggregate),
  outputs: list(output),
  post,
  event,
  price: loss,
} as const;

const totals: Read<PlannedTotals> = extended(
  { keys: list(text), share: text, measurements: list(measurement) },
  { declared: list(list(keyValue)) },
);

/**
 * There where the question has parameters, the present day, joins, several groupings, such by keys that are data, measurements of one noise together, quantiles, bounds
 * to be learned, or a SELECT over its answer, and where the policy states a least price.
 */
const sometimes = {
  parameters: list(scalar),
  today: text,
  groupings: list(list(text)),
  joinedRows: integer(1),
  totals: list(totals),
  joint: list(list(text)),
  combined: list(combinedTotal),
  trees: list(tree),
  learned,
  over: overRelation,
  leastEpsilon: positiveText,
} as const;

/** The plan of another question of the text: it has no others, nothing is selected over it alone, and no least price is its own. */
const { over: _, leastEpsilon: __, ...sometimesOfOther } = sometimes;
const otherMembers: Read<Plan> = extended(always, sometimesOfOther);
const otherPlan: Read<OtherPlan> = object({ name: text, plan: named(otherMembers, false) });

const releasedRelation: Read<ReleasedRelation> = object({ sql: text, of: overRelation });
const members: Read<Plan> = extended(always, {
  ...sometimes,
  others: list(otherPlan),
  released: list(releasedRelation),
});

/** The plan of a certificate: every member known, of its type, and no other, and every name that of one thing. */
export const plan: Read<Plan> = named(members, true);

/** A plan whose names are those of things that it has. The plan of another question reads answers that the whole plan knows. */
function named(read: Read<Plan>, isWhole: boolean): Read<Plan> {
  return (value, path) => {
    const found = read(value, path);
    demandNames(found, path);
    demandOverNames(found, path);
    if (isWhole) demandReleasedNames(found, path);
    return found;
  };
}
