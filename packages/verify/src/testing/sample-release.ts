import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { lossFromJson, lossToJson, type PrivacyLossText, price } from "@lethe/core";
import { bothHold, lossLeft, lossOdds, odds } from "@lethe/core/accounting";
import { roundedIntervals, totalIntervals } from "@lethe/core/accuracy";
import { canonicalJson } from "@lethe/core/canonical";
import { keepProbability } from "@lethe/core/mechanisms";
import {
  answerSetting,
  combinedTotal,
  type Measures,
  measureAlone,
  type Plan,
  type PlanOptions,
  parseQuestion,
  planQuestion,
  policyHash,
  readPolicy,
  resolveQuestion,
} from "@lethe/query";
import { columnKind } from "../checks/answer.ts";
import { unitsTold } from "../checks/missing.ts";
import { type DueRow, dueRows } from "../derive/due-rows.ts";
import { named, placeOf } from "../derive/named.ts";
import { orderOfRows } from "../derive/order-rows.ts";
import { seenRows } from "../derive/seen-rows.ts";
import { unitRange } from "../derive/unit-range.ts";
import type { Cell, Certificate, Release } from "../format/release.ts";
import { notesOf } from "../notes/notes-of.ts";

/** A ledger's key pair. */
export interface Signer {
  readonly publicKey: string;
  readonly key: KeyObject;
}

export function newSigner(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  return { publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(), key: privateKey };
}

/** Every total is measured by itself, unless something else is asked. */
export async function samplePlan(
  text: string,
  policyText: string,
  options: PlanOptions,
  measures: Measures = measureAlone,
): Promise<Plan> {
  const policy = readPolicy(policyText);
  return planQuestion(
    resolveQuestion(await parseQuestion(text), policy),
    policy,
    options,
    policyHash(policy),
    measures,
  );
}

/** A release of this plan as an honest service would sign it, over rows that are made up. */
export function releaseOf(plan: Plan, signer: Signer, granted: PrivacyLossText, confidence = 0.95): Release {
  const { program } = plan.keys;
  const due = dueOf(plan);
  const made = due.map(({ key }, at) =>
    plan.outputs.map(
      (output): Cell =>
        output.kind === "key"
          ? key[placeOf(plan.keys.parts, output.key)]!
          : output.kind === "aggregate"
            ? cellOf(plan, output.aggregate, at, confidence)
            : output.kind === "computed" && output.type === "number"
              ? { value: 4.5, lower: null, upper: null }
              : null,
    ),
  );
  const charge = plan.price;
  const spent = charge;
  const told = odds(plan.event, plan.adjacency);
  const { advantage, truePositives, mu } = bothHold(lossOdds(lossFromJson(spent)), told);
  const certificate: Certificate = {
    version: 1,
    requestId: "request-1",
    principal: "ada",
    at: "2024-06-11T10:00:00.000Z",
    plan,
    charge,
    losses: [charge, ...furtherLosses(plan)],
    odds: told,
    confidence,
    account: {
      granted,
      spent,
      left: lossToJson(lossLeft(lossFromJson(granted), lossFromJson(spent))),
      membershipAdvantage: advantage,
      truePositives,
      mu,
    },
    ledger: { sequence: 1, hash: "ab".repeat(32), publicKey: signer.publicKey },
    rowsHash: "",
  };
  const columns = plan.outputs.map((output) => ({ name: output.name, kind: columnKind(output) }));
  const groupings = due.flatMap(({ mark }) => (mark ? [mark] : []));
  const marked = plan.groupings ? { groupings } : {};
  const seen = seenRows({ rows: made, ...marked, certificate });
  const places = [...made.keys()]
    .sort((a, b) => Number(orderOfRows(seen(a), seen(b), plan.post.orderBy)))
    .slice(0, plan.post.limit ?? undefined);
  const rows = places.map((at) => made[at]!);
  const answer = {
    columns,
    rows,
    ...(plan.groupings ? { groupings: places.map((at) => groupings[at]!) } : {}),
    missing:
      program.kind === "private"
        ? [...unitsTold(program.rule)].map((units) => ({
            units,
            chance: 1 - keepProbability(program.rule, BigInt(units)),
          }))
        : [],
    notes: notesOf(certificate),
  };
  return signed({ version: 1, ...answer, certificate, signature: "" }, signer);
}

/** Returns the rows of a plan. Where keys are data, three groups are released; with several groupings all rows are there that their groups have. */
function dueOf(plan: Plan): readonly DueRow[] {
  const { parts, program } = plan.keys;
  if (program.kind !== "private") return dueRows({ rows: [], certificate: { plan } })!;
  return ["a", "b", "c"].map((name) => ({
    mark: plan.groupings
      ? { grouping: plan.groupings.findIndex((set) => set.length === parts.length), over: null }
      : null,
    key: parts.map((_, at) => (at === 0 ? name : null)),
  }));
}

/** Returns the hex sha256 of the canonical JSON, as the gateway makes it. */
export function hashOf(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value), "utf8").digest("hex");
}

/** Returns the same release with its hash and its signature made to fit, as a lying service would sign it. */
export function signed(release: Release, signer: Signer): Release {
  const { columns, rows, groupings, over, others, released, missing, notes } = release;
  const certificate = {
    ...release.certificate,
    ledger: { ...release.certificate.ledger, publicKey: signer.publicKey },
    rowsHash: hashOf({
      columns,
      rows,
      ...(groupings ? { groupings } : {}),
      ...(over ? { over } : {}),
      ...(others ? { others } : {}),
      ...(released ? { released } : {}),
      missing,
      notes,
    }),
  };
  const text = Buffer.from(canonicalJson(certificate), "utf8");
  return { ...release, certificate, signature: sign(null, text, signer.key).toString("hex") };
}

function cellOf(plan: Plan, name: string, row: number, confidence: number): Cell {
  const aggregate = named(plan.aggregates, name);
  if (aggregate.kind !== "count" && aggregate.kind !== "sum") return { value: 4.5, lower: 4, upper: 5.25 };
  const [total, exponent] =
    aggregate.kind === "count" ? [aggregate.count, 0] : [aggregate.sum, aggregate.exponent];
  const interval = combinedTotal(plan, total)
    ? combinedIntervals(plan, total, confidence)
    : measuredIntervals(plan, total, confidence);
  // Around, at and far below 0, and well above it.
  const { value, lower, upper } = interval([1000n, -3n, -1000000000000n, 40n][row % 4]!);
  const unit = (x: bigint): number => Number(x) * 2 ** exponent;
  return { value: unit(value), lower: unit(lower), upper: unit(upper) };
}

function measuredIntervals(plan: Plan, name: string, confidence: number): ReturnType<typeof totalIntervals> {
  const measurement = named(plan.measurements, name);
  const range = unitRange(measurement, plan);
  return totalIntervals({
    noise: measurement.noise,
    confidence,
    ...(range.low >= 0n ? { atLeast: 0n } : {}),
    ...(range.high <= 0n ? { atMost: 0n } : {}),
  });
}

function combinedIntervals(plan: Plan, name: string, confidence: number): ReturnType<typeof totalIntervals> {
  const setting = answerSetting(plan, confidence);
  const parts = setting.partsOf(name);
  return roundedIntervals({
    noises: parts.map(({ noise }) => noise),
    weights: parts.map(({ weight }) => weight),
    confidence,
    ...setting.signsOf(name),
  });
}

function furtherLosses(plan: Plan): readonly PrivacyLossText[] {
  try {
    return [lossToJson(price(plan.event, { measure: "zcdp" }))];
  } catch {
    return [];
  }
}
