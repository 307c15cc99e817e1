import { measureJointly } from "@lethe/query";
import { measurementsExist, sensitivitiesHold } from "../../checks/noise.ts";
import type { Sample } from "../people.ts";
import { type Draft, type Forgery, ofPlan, sumsOf } from "./forgery.ts";

const together: Sample = {
  text: "SELECT sector, COUNT(*) AS n, SUM(wage) AS total, AVG(wage) AS mean FROM people GROUP BY sector",
  measures: measureJointly,
};
const planOf = (d: Draft): Draft["certificate"]["plan"] => d.certificate.plan;
const [holds, exists] = [ofPlan(sensitivitiesHold), ofPlan(measurementsExist)];

/** Lies about measurements that have one noise together, and about totals that are read from several. */
export const ofJoint: readonly Forgery[] = [
  [
    "noise is said to be together for nothing",
    together,
    holds,
    (d) => void Object.assign(planOf(d), { joint: [] }),
  ],
  [
    "noise together within bounds that are learned has no price of its own",
    together,
    holds,
    (d) => void Object.assign(planOf(d), { learned: { stages: [], nominal: [] } }),
  ],
  [
    "noise together for several groupings leaves totals that do not add up",
    together,
    holds,
    (d) => void Object.assign(planOf(d), { groupings: [["sector"], []] }),
  ],
  [
    "has its noise together with others twice",
    together,
    holds,
    (d) => void planOf(d).joint!.push([...planOf(d).joint![0]!]),
  ],
  [
    "has its noise together with nothing",
    together,
    holds,
    (d) => void Object.assign(planOf(d), { joint: [planOf(d).joint![0]!.slice(0, 1)] }),
  ],
  [
    "have one noise together, and state several",
    together,
    holds,
    (d) => {
      planOf(d).measurements[1]!.noise = { mechanism: "discrete-laplace@1", scale: "1" };
    },
  ],
  [
    "is released without noise, and one unit can change it",
    together,
    holds,
    (d) => {
      for (const each of planOf(d).measurements) each.noise = { mechanism: "constant@1" };
    },
  ],
  [
    "states ℓ1 sensitivity 1; together,",
    together,
    holds,
    (d) => {
      for (const each of planOf(d).measurements) each.l1 = "1";
    },
  ],
  [
    "states squared ℓ2 sensitivity 1; together,",
    together,
    holds,
    (d) => {
      for (const each of planOf(d).measurements) each.l2Squared = "1";
    },
  ],
  [
    // Both hold the distance from the lowest value: together they move by twice as much.
    "together, ",
    together,
    holds,
    (d) => {
      const [lowest, highest] = planOf(d).measurements;
      highest!.terms = structuredClone(lowest!.terms);
    },
  ],
  [
    "noise together for what does not add up rows",
    together,
    holds,
    (d) => void Object.assign(sumsOf(d).find(({ kind }) => kind === "count")!, { kind: "units" }),
  ],
  [
    "noise together for more sums than anybody would add up",
    together,
    holds,
    (d) => {
      const value = sumsOf(d).find(({ kind }) => kind !== "count")!;
      const more = Array.from({ length: 13 }, (_, at) => ({ ...value, name: `more ${at}` }));
      sumsOf(d).push(...more);
      planOf(d).measurements[0]!.terms.push(...more.map(({ name }) => ({ sum: name, coefficient: "1" })));
    },
  ],
  [
    "totals are said to be combined, and none is",
    together,
    exists,
    (d) => void Object.assign(planOf(d), { combined: [] }),
  ],
  [
    'there is no measurement "another"',
    together,
    exists,
    (d) => {
      planOf(d).combined![0]!.terms[0]!.measurement = "another";
    },
  ],
  [
    "is made of a measurement twice, or of none",
    together,
    exists,
    (d) => {
      const [total] = planOf(d).combined!;
      total!.terms.push({ ...total!.terms[0]! });
    },
  ],
  [
    "is no sum of the plan's sums",
    together,
    exists,
    (d) => {
      planOf(d).combined!.at(-1)!.terms[0]!.coefficient = "7";
    },
  ],
];
