import { readPolicy } from "@lethe/query";
import {
  columnsAreThePolicys,
  policyIsTheOne,
  publicKeysAreThePolicys,
  unitIsThePolicys,
} from "../../checks/policy.ts";
import { presenceIsCertain } from "../../checks/presence.ts";
import { questionPlansTheSame } from "../../checks/replan.ts";
import {
  bySector,
  columnsOf,
  counted,
  declared,
  type Forgery,
  kept,
  ofPlan,
  ofPolicy,
  ofUnits,
  sumsOf,
} from "./forgery.ts";

export const ofPolicies: readonly Forgery[] = [
  [
    "the policy given is not the one whose hash the plan holds",
    counted,
    ofPolicy(policyIsTheOne),
    (d) => {
      d.certificate.plan.policyHash = "0";
    },
  ],
  [
    "the adjacency is not the policy's",
    counted,
    ofPolicy(unitIsThePolicys),
    (d) => {
      d.certificate.plan.adjacency = "replace-one";
    },
  ],
  [
    "the privacy unit is not the policy's",
    counted,
    ofPolicy(unitIsThePolicys),
    (d) => {
      const names = { table: "people", column: "id" };
      Object.assign(d.certificate.plan.from, { unit: { kind: "column", column: "id", path: [], names } });
    },
  ],
  [
    "whether other tables hold rows of units is not as in the policy",
    ofUnits,
    ofPolicy(unitIsThePolicys),
    (d) => {
      d.certificate.plan.unit = { kind: "column", column: "id", shared: true };
    },
  ],
  [
    "contributions are not bounded where the policy says",
    ofUnits,
    ofPolicy(unitIsThePolicys),
    (d) => {
      d.certificate.plan.contribution.limit = "rows-before-filter";
    },
  ],
  [
    "a unit that is one row is in one group, with one row",
    counted,
    ofPolicy(unitIsThePolicys),
    (d) => {
      d.certificate.plan.contribution.rows = 2;
    },
  ],
  [
    "the contribution of a unit is not bounded",
    ofUnits,
    ofPolicy(unitIsThePolicys),
    (d) => {
      d.certificate.plan.contribution.enforced = false;
    },
  ],
  [
    "a unit may be in more groups than the policy allows",
    ofUnits,
    ofPolicy(unitIsThePolicys),
    (d) => {
      d.certificate.plan.contribution.groups = 4;
    },
  ],
  [
    "a unit may have more rows in a group than the policy allows",
    ofUnits,
    ofPolicy(unitIsThePolicys),
    (d) => {
      d.certificate.plan.contribution.rows = 5;
    },
  ],
  [
    "column wage is not declared so in the policy",
    bySector,
    ofPolicy(columnsAreThePolicys),
    (d) => {
      columnsOf(d).wage!.bounds = [0, 30];
    },
  ],
  [
    "column wage is read and not declared",
    bySector,
    ofPolicy(columnsAreThePolicys),
    (d) => void delete columnsOf(d).wage,
  ],
  [
    "column wage may be NULL",
    bySector,
    ofPolicy(columnsAreThePolicys),
    (d) => {
      for (const sum of sumsOf(d))
        if (sum.argument) (sum.argument as { domain: { nullable: boolean } }).domain.nullable = false;
    },
  ],
  [
    "column wage may hold more than the plan says",
    bySector,
    ofPolicy(columnsAreThePolicys),
    (d) => {
      for (const sum of sumsOf(d))
        if (sum.argument) (sum.argument as { domain: { bounds: unknown } }).domain.bounds = [0, 1];
    },
  ],
  [
    "a public key of part 1 is not one that the policy declares",
    counted,
    ofPolicy(publicKeysAreThePolicys),
    (d) => void declared(d).push(["mining"]),
  ],
  [
    "a group that is answered without rows has a key of rows of units",
    kept,
    ofPolicy(publicKeysAreThePolicys),
    (d) => void Object.assign(d.certificate.plan.keys.parts[0]!.expression, { source: "people" }),
  ],
  [
    "groups that are all answered are selected by their units",
    kept,
    ofPolicy(publicKeysAreThePolicys),
    (d) => {
      d.certificate.plan.keys.program = { kind: "private" } as never;
    },
  ],
  [
    "the policy has no table others",
    counted,
    ofPolicy(columnsAreThePolicys),
    (d) => {
      (d.certificate.plan.from as { table: string }).table = "others";
    },
  ],
  [
    "planned again under the policy, the question has other where",
    bySector,
    ofPolicy(questionPlansTheSame),
    (d) => {
      d.certificate.plan.where = null;
    },
  ],
  [
    "planned again under the policy, the question learns other bounds",
    counted,
    ofPolicy(questionPlansTheSame),
    (d) => {
      d.certificate.plan.learned = { stages: [{}], nominal: [] } as never;
    },
  ],
  [
    "may have all of its rows in another private table",
    { text: "SELECT COUNT(*) FROM people", adjacency: "replace-one" },
    ({ certificate: { plan } }, policy) => {
      const [name, budget] = [
        "  others: { file: b.csv, unit: row, columns: { x: { type: text } } }\n",
        "budget:",
      ];
      return presenceIsCertain(plan, readPolicy(policy.replace(`\n${budget}`, `${name}${budget}`)));
    },
    () => {},
  ],
  [
    "the database computes which rows those are",
    { text: "SELECT COUNT(*) FROM people", adjacency: "replace-one" },
    ofPolicy((plan, policy) => {
      const people = { ...policy.tables.people!, trusted: true };
      return presenceIsCertain(plan, { ...policy, tables: { people } });
    }),
    () => {},
  ],
  [
    "every unit has rows in people",
    { text: "SELECT COUNT(*) FROM people", adjacency: "replace-one" },
    ofPolicy(presenceIsCertain),
    () => {},
  ],
  [
    "is the policy's word, and none was given",
    { text: "SELECT COUNT(*) FROM people", adjacency: "replace-one" },
    ofPlan((plan) => presenceIsCertain(plan, null)),
    () => {},
  ],
];
