import { sign } from "node:crypto";
import {
  type Adjacency,
  type Event,
  lossFromJson,
  lossToJson,
  type PrivacyLoss,
  parseRational,
  price,
} from "@lethe/core";
import { lossLeft, lossOdds, type Odds, odds } from "@lethe/core/accounting";
import { canonicalJson } from "@lethe/core/canonical";
import { policyHash, readPolicy } from "@lethe/query";
import { eventOdds } from "../../odds/event-odds.ts";
import type { BoostedModel, BoostingPlan } from "../../procedure/boosting.ts";
import type { ProcedurePlan, ProcedureRelease } from "../../procedure/procedure.ts";
import type { ReleasedTables, SynthesisPlan } from "../../procedure/synthesis.ts";
import { verifyRelease } from "../../verify-release.ts";
import { signer } from "../people.ts";
import { hashOf } from "../sample-release.ts";
import type { Mutable } from "./forgery.ts";

export const boostingPolicy = (adjacency = "add-or-remove-one"): string => `
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
tables:
  people:
    file: people.csv
    unit: row
    columns:
      wage: { type: number, bounds: [0, 60] }
      grade: { type: integer, categories: [1, 2, 3] }
      sector: { type: text, categories: [manufacturing, other] }
      member: { type: boolean }
      free: { type: text }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
`;

export type BoostingRelease = ProcedureRelease<BoostingPlan, BoostedModel>;

const sigmas = { counts: 8_000_000, step: 21_000_000 } as const;

/** The plan of a boosting of members by four columns, as an honest service would derive it. */
function planOf(adjacency: BoostingPlan["adjacency"]): BoostingPlan {
  const columns = [
    { kind: "number", name: "wage", bounds: [0, 60], edges: [15, 30, 45], merged: true },
    { kind: "category", name: "sector", categories: ["manufacturing", "other"] },
    { kind: "category", name: "grade", categories: [1, 2, 3] },
  ] as const;
  const rounded = (sigma: number) => ({ mechanism: "rounded-gaussian@1", sigma: String(sigma) }) as const;
  const event = (sigma: number, l2Squared: number) =>
    ({ kind: "rounded-gaussian", version: 1, sigma: String(sigma), l2Squared: String(l2Squared) }) as const;
  const [counted, stepped] = adjacency === "replace-one" ? [2, 4] : [1, 1];
  return {
    ...{ kind: "boosting-plan", version: 1, source: "people", where: null },
    target: { kind: "category", name: "member", categories: [false, true] },
    ...{ features: columns, adjacency, bins: 16, rounds: 4, rate: 1, clip: 1, rows: 1, shrinkage: 1 },
    ...{ countNoise: rounded(sigmas.counts), stepNoise: rounded(sigmas.step) },
    event: {
      ...{ kind: "compose", version: 1 },
      events: [
        event(sigmas.counts, 3 * counted * 2 ** 40),
        { kind: "repeat", version: 1, count: "12", event: event(sigmas.step, stepped * 2 ** 40) },
      ],
    },
  };
}

function modelOf({ target, adjacency, event }: BoostingPlan): BoostedModel {
  const bin = (weight: number) => ({ value: 0.25, deviation: 0.125, weight });
  return {
    ...{ kind: "boosting", version: 1, target, intercept: -0.5, adjacency, event },
    shapes: [
      {
        kind: "number",
        name: "wage",
        bounds: [0, 60],
        edges: [30],
        bins: [bin(40), bin(60)],
        missing: bin(0),
      },
      {
        ...{ kind: "category", name: "sector", groups: [["other"], ["manufacturing"]] },
        ...{ bins: [bin(70), bin(30)], missing: bin(-1) },
      },
      { kind: "category", name: "grade", groups: [[3, 1, 2]], bins: [bin(100)], missing: bin(2) },
    ],
  };
}

/** The release of a boosting, as an honest service would sign it. */
export function genuineBoosting(adjacency: Adjacency = "add-or-remove-one"): BoostingRelease {
  const plan = planOf(adjacency);
  return genuine("boosting", plan, modelOf(plan), adjacency);
}

function ranBy(plan: ProcedurePlan & { readonly training?: { readonly event: Event } }): Event {
  return plan.training?.event ?? plan.event;
}

/** An honest service states no odds that a verifier cannot derive again. */
function oddsOf(ran: Event, adjacency: Adjacency, charged: PrivacyLoss): Odds {
  return eventOdds(ran, adjacency) === null ? lossOdds(charged) : odds(ran, adjacency);
}

/** The release of a procedure, as an honest service would sign it. */
export function genuine<P extends ProcedurePlan, R>(
  kind: string,
  plan: P,
  result: R,
  adjacency: Adjacency,
): ProcedureRelease<P, R> {
  const delta = "1/1000000";
  const loss = price(plan.event, { measure: "approximate", delta: parseRational(delta) });
  const charge = lossToJson(loss);
  const granted = { measure: "approximate", epsilon: "100", delta: "1/100000" } as const;
  return signed({
    version: 1,
    result,
    certificate: {
      ...{ version: 1, requestId: "procedure", principal: "owner", at: "2026-01-01T00:00:00.000Z" },
      procedure: {
        ...{ version: 1, kind, plan, price: charge },
        policyHash: policyHash(readPolicy(boostingPolicy(adjacency))),
      },
      ...{ charge, losses: [charge], odds: oddsOf(ranBy(plan), adjacency, loss) },
      account: {
        ...{ granted, spent: charge, membershipAdvantage: 1 },
        left: lossToJson(lossLeft(lossFromJson(granted), lossFromJson(charge))),
      },
      ledger: { sequence: 1, hash: "0".repeat(64), publicKey: signer.publicKey },
      resultHash: "",
    },
    signature: "",
  });
}

/** The same with its hash and its signature made to fit, as a lying service would sign it. */
export function signed<P extends ProcedurePlan, R>(release: ProcedureRelease<P, R>): ProcedureRelease<P, R> {
  const certificate = { ...release.certificate, resultHash: hashOf(release.result) };
  const text = Buffer.from(canonicalJson(certificate), "utf8");
  return { ...release, certificate, signature: sign(null, text, signer.key).toString("hex") };
}

interface Draft {
  readonly release: Mutable<BoostingRelease>;
  readonly plan: Mutable<BoostingPlan>;
  readonly model: Mutable<BoostedModel>;
}

type Change = (draft: Draft) => void;

export function forgedBoosting(change: Change, adjacency?: BoostingPlan["adjacency"]): BoostingRelease {
  const release = JSON.parse(JSON.stringify(genuineBoosting(adjacency))) as Mutable<BoostingRelease>;
  const { plan } = release.certificate.procedure;
  change({ release, plan, model: release.result });
  return signed(release);
}

/** What the checks say of a release with the policy and the key of an honest owner. */
export async function toldOfProcedure(
  release: ProcedureRelease,
  policyText: string = boostingPolicy(),
): Promise<readonly { readonly says: string; readonly outcome: string }[]> {
  const options = { policyText, publicKeyPem: signer.publicKey };
  return (await verifyRelease(JSON.stringify(release), options)).checks;
}

const noise = (sigma: number) => ({ mechanism: "rounded-gaussian@1", sigma: String(sigma) }) as const;

/** What is said ↦ how a lying service, that signs what it likes, comes to be told it. */
export const forgedBoostings: readonly (readonly [string, Change])[] = [
  // The noise that was run, and the noise that is priced.
  [
    "times, derived ",
    ({ plan }) => {
      plan.stepNoise = noise(sigmas.step / 2);
    },
  ],
  [
    "stated 1 times, derived 0 times",
    ({ plan }) => {
      plan.countNoise = noise(1);
    },
  ],
  // More steps, or more features, than are priced.
  [
    "derived 24 times",
    ({ plan }) => {
      plan.rounds = 8;
    },
  ],
  ["times, derived ", ({ plan }) => void plan.features.pop()],
  ["times, derived ", ({ plan }) => void plan.features.push(...structuredClone(plan.features))],
  [
    "the boosting has no feature",
    ({ plan }) => {
      plan.features = [];
    },
  ],
  [
    "what a unit is clipped to is not above 0",
    ({ plan }) => {
      plan.clip = 0;
    },
  ],
  [
    "what a unit is clipped to is not above 0",
    ({ plan }) => {
      plan.rows = -1;
    },
  ],
  [
    "a noise of the boosting is not rounded Gaussian",
    ({ plan }) => {
      plan.stepNoise = { mechanism: "constant@1" } as never;
    },
  ],
  // A neighbouring relation that is priced at half of its sensitivity.
  [
    "times, derived ",
    ({ plan }) => {
      plan.adjacency = "replace-one";
    },
  ],
  [
    "the boosting's adjacency is not the policy's",
    ({ plan }) => {
      plan.adjacency = "replace-one";
    },
  ],
  [
    "the model is of another target, adjacency or event than its plan",
    ({ model }) => {
      model.adjacency = "replace-one";
    },
  ],
  [
    "the model is of another target, adjacency or event than its plan",
    ({ model }) => {
      model.target.name = "sector";
    },
  ],
  ["the model has not one shape for each feature of its plan", ({ model }) => void model.shapes.pop()],
  // Cells that the plan does not name may have been found in the data.
  [
    "a shape of the model is not over bins of its feature's cells",
    ({ model: { shapes } }) => {
      const [wage] = shapes;
      if (wage?.kind === "number") wage.edges = [31.7];
    },
  ],
  [
    "a shape of the model is not over bins of its feature's cells",
    ({ model: { shapes } }) => void shapes.reverse(),
  ],
  [
    "a shape of the model is not over bins of its feature's cells",
    ({ model: { shapes } }) => {
      const sector = shapes[1];
      if (sector?.kind === "category") sector.groups = [["other"], ["a name from the data"]];
    },
  ],
  [
    "a shape of the model is not over bins of its feature's cells",
    ({ plan: { features } }) => {
      const [wage] = features;
      if (wage?.kind === "number") wage.merged = false;
    },
  ],
  [
    "column wage is not declared so in the policy",
    ({ plan: { features } }) => {
      const [wage] = features;
      if (wage?.kind === "number") wage.bounds = [3, 57.25];
    },
  ],
  [
    "column wage is not cut evenly between its bounds",
    ({ plan: { features } }) => {
      const [wage] = features;
      if (wage?.kind === "number") wage.edges = [15, 31.7, 45];
    },
  ],
  [
    "column sector is not declared so in the policy",
    ({ plan: { features } }) => {
      const sector = features[1];
      if (sector?.kind === "category") sector.categories = ["manufacturing", "a name from the data"];
    },
  ],
  [
    "column grade is not declared so in the policy",
    ({ plan: { features } }) => {
      const grade = features[2];
      if (grade?.kind === "category") grade.categories = [1, 2];
    },
  ],
  [
    "column free is not declared so in the policy",
    ({ plan }) => {
      plan.target.name = "free";
    },
  ],
  [
    "column member is not declared so in the policy",
    ({ plan }) => {
      plan.source = "others";
    },
  ],
  ...["wage > 3 GROUP BY grade", "wage > 3) OR (wage <= 3", "height > 3"].map(
    (where): readonly [string, Change] => [
      "the condition on the boosting's rows is more than a condition",
      ({ plan }) => {
        plan.where = where;
      },
    ],
  ),
  [
    "the target of the boosting is neither a number nor one of two categories",
    ({ plan }) => {
      plan.target = { kind: "category", name: "grade", categories: [1, 2, 3] };
    },
  ],
  [
    "the policy given is not the one whose hash the procedure holds",
    ({ release }) => {
      release.certificate.procedure.policyHash = "1".repeat(64);
    },
  ],
  [
    "this version cannot derive a procedure of kind guesses again: that its event is that of what was run rests on its service's word",
    ({ release }) => {
      release.certificate.procedure.kind = "guesses";
    },
  ],
  // The charge, which all releases have in common.
  [
    "what was charged is not what the plan states",
    ({ release: { certificate } }) => {
      certificate.procedure.price = { measure: "approximate", epsilon: "1", delta: "1/1000000" };
    },
  ],
  [
    "; the event costs",
    ({ release: { certificate } }) => {
      const small = { measure: "approximate", epsilon: "1/10", delta: "1/1000000" } as const;
      certificate.charge = small;
      certificate.procedure.price = small;
    },
  ],
];

export type TablesRelease = ProcedureRelease<SynthesisPlan, ReleasedTables>;

/** The release of a synthetic table, as an honest service would sign it: σ is 30 of single columns, and 50 of their pair. */
export function genuineTables(adjacency: Adjacency = "add-or-remove-one"): TablesRelease {
  const sides = adjacency === "replace-one" ? 2 : 1;
  const total = `${sides * 4}/1000`;
  const plan: SynthesisPlan = {
    ...{ version: 1, method: "mst", source: "people", where: null, modelBytes: 16e6 },
    domain: [
      { kind: "bins", name: "wage", nullable: true, integer: false, edges: [0, 20, 40, 60] },
      { kind: "categories", name: "grade", nullable: true, categories: [1, 2, 3] },
      { kind: "categories", name: "member", nullable: true, categories: [false, true] },
    ],
    session: { measure: "gaussian-dp", total, adjacency, rowsPerUnit: "1" },
    stages: [
      { kind: "measure-each", tables: 3, sigma: "30", part: `${sides * 3}/1000` },
      { kind: "measure-chosen", tables: 1, sigma: "50", part: `${sides}/2500` },
    ] as never,
    event: {
      kind: "gaussian-dp",
      version: 1,
      muSquared: sides === 1 ? "1/250" : "1/125",
      of: "table-session",
    },
  };
  const table = (attributes: readonly number[], cells: number, variance: number) => ({
    ...{ attributes, values: Array.from({ length: cells }, () => 25) },
    variances: variance,
  });
  const result: ReleasedTables = {
    ...{ version: 1, merged: [null, [0, 0, 1, 1], null] },
    measurements: [
      { ...table([0], 4, 900.5), variances: [900.5, 900.5, 900.5, 1801] },
      table([1], 2, 900.5),
      table([2], 3, 900.5),
      table([1, 2], 6, 2500.5),
    ],
    // Of 4 × 2 values told apart a unit moves it by (1 − 1/4)(1 − 1/2), squared, or where it is replaced by 2·(1 − 1/4).
    residuals: [{ attributes: [0, 1], values: [3, -14, 20], variance: sides === 1 ? 1500.5 : 3000.5 }],
  };
  return genuine("synthesis", plan, result, adjacency);
}

interface TablesDraft {
  readonly plan: Mutable<SynthesisPlan>;
  readonly tables: Mutable<ReleasedTables>;
}

export function forgedTables(change: (draft: TablesDraft) => void): TablesRelease {
  const release = JSON.parse(JSON.stringify(genuineTables())) as Mutable<TablesRelease>;
  change({ plan: release.certificate.procedure.plan, tables: release.result });
  return signed(release);
}

/** What is said ↦ how a lying service comes to be told it. */
export const forgedTableReleases: readonly (readonly [string, (draft: TablesDraft) => void])[] = [
  [
    "the event is not that of the session's total",
    ({ plan }) => {
      plan.session.total = "1";
    },
  ],
  [
    "the event is not that of the session's total",
    ({ plan }) => {
      plan.session.measure = "zcdp";
    },
  ],
  [
    "the stages take more than the session's total",
    ({ plan }) => {
      for (const stage of plan.stages) stage.part = "1/300";
    },
  ],
  [
    "the noises of the tables take more than the session's total",
    ({ tables }) => {
      for (const table of tables.measurements) table.variances = 400;
    },
  ],
  [
    "the noises of the tables take more than the session's total",
    ({ tables }) => {
      const [wages] = tables.measurements;
      if (wages) wages.variances = [900, 900, 900, 1];
    },
  ],
  [
    "the noises of the tables take more than the session's total",
    ({ plan }) => {
      plan.session.adjacency = "replace-one";
    },
  ],
  [
    "the noises of the tables take more than the session's total",
    ({ tables }) => {
      const [residual] = tables.residuals ?? [];
      if (residual) residual.variance = 1200;
    },
  ],
  ...[
    { attributes: [1, 0], values: [1, 2, 3], variance: 1e6 },
    { attributes: [0, 7], values: [1, 2, 3], variance: 1e6 },
    { attributes: [], values: [1], variance: 1e6 },
    { attributes: [0, 1], values: [1, 2, 3, 4], variance: 1e6 },
    { attributes: [1], values: [], variance: 1e6 },
  ].map(
    (residual) =>
      [
        "a residual is not one of the plan's columns",
        ({ tables }: TablesDraft) => {
          // A column whose values are all one has no residual.
          if (residual.values.length === 0) {
            tables.merged[1] = [0, 0, 0, 0];
            tables.measurements.splice(1);
          }
          tables.residuals = [residual];
        },
      ] as const,
  ),
  [
    "the synthesis's adjacency is not the policy's",
    ({ plan }) => {
      plan.session.adjacency = "replace-one";
    },
  ],
  [
    "the condition on the synthesis's rows is more than a condition",
    ({ plan }) => {
      plan.where = "wage > 3 LIMIT 4";
    },
  ],
  [
    "a unit has no row in the session",
    ({ plan }) => {
      plan.session.rowsPerUnit = "0";
    },
  ],
  [
    "a unit may have more rows than are priced",
    ({ plan }) => {
      plan.session.rowsPerUnit = "0";
    },
  ],
  [
    "the target is none of the plan's columns",
    ({ plan }) => {
      plan.target = "free";
    },
  ],
  [
    "the merged values are not those of the plan's columns",
    ({ tables }) => {
      tables.merged = [null, [0, 0, 1], null];
    },
  ],
  [
    "the merged values are not those of the plan's columns",
    ({ tables }) => {
      tables.merged.pop();
    },
  ],
  ...[
    (table: Mutable<ReleasedTables>["measurements"][number]) => {
      table.attributes = [2, 1];
    },
    (table: Mutable<ReleasedTables>["measurements"][number]) => {
      table.attributes = [1, 7];
    },
    (table: Mutable<ReleasedTables>["measurements"][number]) => {
      table.attributes = [];
    },
    (table: Mutable<ReleasedTables>["measurements"][number]) => {
      table.values.push(1);
    },
    (table: Mutable<ReleasedTables>["measurements"][number]) => {
      table.variances = [2500, 2500];
    },
  ].map(
    (change) =>
      [
        "a table is not over cells of the plan's columns",
        ({ tables }: TablesDraft) => {
          const last = tables.measurements.at(-1);
          if (last) change(last);
        },
      ] as const,
  ),
  ...[
    (wage: Mutable<SynthesisPlan>["domain"][number]) => {
      if (wage.kind === "bins") wage.edges = [0, 17.3, 40, 60];
    },
    (wage: Mutable<SynthesisPlan>["domain"][number]) => {
      if (wage.kind === "bins") wage.edges = [1, 20, 40, 59];
    },
    (wage: Mutable<SynthesisPlan>["domain"][number]) => {
      wage.nullable = false;
    },
    (wage: Mutable<SynthesisPlan>["domain"][number]) => {
      if (wage.kind === "bins") wage.edges = [0];
    },
  ].map(
    (change) =>
      [
        "column wage is not declared so in the policy",
        ({ plan }: TablesDraft) => {
          const [wage] = plan.domain;
          if (wage) change(wage);
        },
      ] as const,
  ),
  [
    "column grade is not declared so in the policy",
    ({ plan }) => {
      const grade = plan.domain[1];
      if (grade?.kind === "categories") grade.categories = [1, 2, 9];
    },
  ],
  [
    "column free is not declared so in the policy",
    ({ plan }) => {
      const grade = plan.domain[1];
      if (grade) grade.name = "free";
    },
  ],
];
