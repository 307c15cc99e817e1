import { eventFollows, measurementsExist, sensitivitiesHold } from "../../checks/noise.ts";
import type { Sample } from "../people.ts";
import { byCity, counted, type Draft, type Forgery, ofPlan, ofUnits, quantile, sumsOf } from "./forgery.ts";
import { ofJoint } from "./joint.ts";

const product: Sample = { text: "SELECT SUM(wage * change) FROM people" };
const factorsOf = (d: Draft): { readonly grid: object }[] => sumsOf(d)[0]!.factors as never;

export const ofNoise: readonly Forgery[] = [
  ...ofJoint,
  [
    "states ℓ1 sensitivity 0; it is 1",
    counted,
    ofPlan(sensitivitiesHold),
    (d) => {
      d.certificate.plan.measurements[0]!.l1 = "0";
    },
  ],
  [
    "states squared ℓ2 sensitivity 0; it is 1",
    counted,
    ofPlan(sensitivitiesHold),
    (d) => {
      d.certificate.plan.measurements[0]!.l2Squared = "0";
    },
  ],
  [
    "is released without noise, and one unit can change it",
    counted,
    ofPlan(sensitivitiesHold),
    (d) => {
      d.certificate.plan.measurements[0]!.noise = { mechanism: "constant@1" };
    },
  ],
  [
    "a unit with many rows whose contribution nothing bounds",
    ofUnits,
    ofPlan(sensitivitiesHold),
    (d) => {
      d.certificate.plan.contribution.enforced = false;
    },
  ],
  [
    "a measurement that adds rows and units",
    { text: "SELECT COUNT(*), COUNT(DISTINCT id) FROM people", unit: "id" },
    ofPlan(sensitivitiesHold),
    (d) => {
      const [first, second] = d.certificate.plan.measurements;
      first!.terms.push(...second!.terms);
      d.certificate.plan.contribution.limit = "rows-before-filter";
    },
  ],
  [
    'the plan holds nothing that is called "others"',
    { text: "SELECT COUNT(*) FROM people" },
    ofPlan(sensitivitiesHold),
    (d) => {
      d.certificate.plan.measurements[0]!.terms[0]!.sum = "others";
    },
  ],
  [
    "a clamp whose low end lies above its high end",
    { text: "SELECT SUM(change) FROM people" },
    ofPlan(sensitivitiesHold),
    (d) => void Object.assign(sumsOf(d)[0]!, { lo: "9", hi: "1" }),
  ],
  [
    "a grid whose low end lies above its high end",
    { text: "SELECT AVG(change) FROM people" },
    ofPlan(sensitivitiesHold),
    (d) => {
      for (const sum of sumsOf(d)) if (sum.grid) Object.assign(sum.grid as object, { lo: "99" });
    },
  ],
  [
    "a product of fewer factors than 2, or of more than 8",
    product,
    ofPlan(sensitivitiesHold),
    (d) => void Object.assign(factorsOf(d)[0]!, { power: 8 }),
  ],
  [
    "a product on another grid than its factors make",
    product,
    ofPlan(sensitivitiesHold),
    (d) => void Object.assign(factorsOf(d)[1]!.grid, { hi: "3" }),
  ],
  [
    "a factor whose grid ends before it begins",
    product,
    ofPlan(sensitivitiesHold),
    (d) => void Object.assign(factorsOf(d)[1]!.grid, { hi: "-9" }),
  ],
  [
    "a grid whose low end lies above its high end",
    quantile,
    ofPlan(sensitivitiesHold),
    (d) => {
      d.certificate.plan.trees![0]!.grid.lo = `${10n ** 30n}`;
    },
  ],
  [
    "values that lie in no cell of their tree",
    quantile,
    ofPlan(sensitivitiesHold),
    (d) => {
      d.certificate.plan.trees![0]!.cellWidth = "1";
    },
  ],
  [
    "stated 0 times, derived 1 times",
    counted,
    ofPlan(eventFollows),
    (d) => {
      d.certificate.plan.event = { kind: "constant", version: 1 };
    },
  ],
  [
    "discrete Gaussian noise of σ² 3 at ℓ2² 1",
    counted,
    ofPlan(eventFollows),
    (d) => {
      d.certificate.plan.event = {
        kind: "discrete-gaussian",
        version: 1,
        sigmaSquared: "3",
        l2Squared: "1",
      };
    },
  ],
  [
    "rounded Gaussian noise of σ 3 at ℓ2² 1",
    counted,
    ofPlan(eventFollows),
    (d) => {
      d.certificate.plan.event = { kind: "rounded-gaussian", version: 1, sigma: "3", l2Squared: "1" };
    },
  ],
  [
    "selection by",
    byCity,
    ofPlan(eventFollows),
    (d) => {
      d.certificate.plan.event = { kind: "constant", version: 1 };
    },
  ],
  [
    'there is no tree "cells of wage"',
    quantile,
    ofPlan(measurementsExist),
    (d) => {
      d.certificate.plan.trees = [];
    },
  ],
  [
    'there is no measurement "COUNT(*)"',
    counted,
    ofPlan(measurementsExist),
    (d) => {
      d.certificate.plan.measurements = [];
    },
  ],
  [
    'there is no sum "count"',
    counted,
    ofPlan(measurementsExist),
    (d) => {
      d.certificate.plan.sums = [];
    },
  ],
  [
    'two sums are called "count"',
    counted,
    ofPlan(measurementsExist),
    (d) => void d.certificate.plan.sums.push({ name: "count", kind: "units" }),
  ],
  [
    'two measurements are called "COUNT(*)"',
    counted,
    ofPlan(measurementsExist),
    (d) => void d.certificate.plan.measurements.push({ ...d.certificate.plan.measurements[0]! }),
  ],
];
