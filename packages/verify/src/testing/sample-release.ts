import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import {
  add,
  approximateFromZcdp,
  canonicalJson,
  keepProbability,
  lossFromJson,
  lossLeft,
  lossToJson,
  membershipAdvantage,
  type PrivacyLossText,
  price,
  ratio,
  totalIntervals,
  zero,
} from "@lethe/core";
import {
  bindQuestion,
  type Plan,
  type PlanOptions,
  parseQuestion,
  planQuestion,
  policyHash,
  readPolicy,
} from "@lethe/query";
import { columnKind } from "../checks/answer.ts";
import { hashOf } from "../checks/signature.ts";
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

export async function samplePlan(text: string, policyText: string, options: PlanOptions): Promise<Plan> {
  const policy = readPolicy(policyText);
  return planQuestion(bindQuestion(await parseQuestion(text), policy), policy, options, policyHash(policy));
}

/** A release of this plan as an honest service would sign it, over rows that are made up. */
export function releaseOf(plan: Plan, signer: Signer, granted: PrivacyLossText, confidence = 0.95): Release {
  const { program } = plan.keys;
  const keys =
    program.kind === "none" ? [[]] : program.kind === "public" ? program.declared : [["a"], ["b"], ["c"]];
  const rows = keys
    .map((key, at) =>
      plan.outputs.map(
        (output): Cell =>
          output.kind === "key"
            ? key[output.key]!
            : output.kind === "aggregate"
              ? cellOf(plan, output.aggregate, at, confidence)
              : output.kind === "computed" && output.type === "number"
                ? { value: 4.5, lower: null, upper: null }
                : null,
      ),
    )
    .slice(0, plan.post.limit ?? undefined);
  const charge = plan.price;
  const spent = charge;
  const certificate: Certificate = {
    version: 1,
    requestId: "request-1",
    principal: "ada",
    at: "2024-06-11T10:00:00.000Z",
    plan,
    charge,
    losses: [charge, ...furtherLosses(plan)],
    confidence,
    account: {
      granted,
      spent,
      left: lossToJson(lossLeft(lossFromJson(granted), lossFromJson(spent))),
      membershipAdvantage: advantage(spent),
    },
    ledger: { sequence: 1, hash: "ab".repeat(32), publicKey: signer.publicKey },
    rowsHash: "",
  };
  const answer = {
    columns: plan.outputs.map((output) => ({ name: output.name, kind: columnKind(output) })),
    rows,
    ...marksOf(plan, rows.length),
    missing:
      program.kind === "private"
        ? [1, 10].map((units) => ({ units, chance: 1 - keepProbability(program.rule, BigInt(units)) }))
        : [],
    notes: notesOf(certificate),
  };
  return signed({ version: 1, ...answer, certificate, signature: "" }, signer);
}

/** Where a plan asks several groupings: all rows are of the one by all keys. */
function marksOf({ groupings, keys }: Plan, rows: number): Pick<Release, "groupings"> {
  if (!groupings) return {};
  const grouping = groupings.findIndex((set) => set.length === keys.expressions.length);
  return { groupings: Array.from({ length: rows }, () => ({ grouping, over: null })) };
}

/** The same release with its hash and its signature made to fit: what a lying service would sign. */
export function signed(release: Release, signer: Signer): Release {
  const { columns, rows, groupings, missing, notes } = release;
  const certificate = {
    ...release.certificate,
    ledger: { ...release.certificate.ledger, publicKey: signer.publicKey },
    rowsHash: hashOf({ columns, rows, ...(groupings ? { groupings } : {}), missing, notes }),
  };
  const text = Buffer.from(canonicalJson(certificate), "utf8");
  return { ...release, certificate, signature: sign(null, text, signer.key).toString("hex") };
}

function cellOf(plan: Plan, index: number, row: number, confidence: number): Cell {
  const aggregate = plan.aggregates[index]!;
  if (aggregate.kind !== "count" && aggregate.kind !== "sum") return { value: 4.5, lower: 4, upper: 5.25 };
  const [measurement, exponent] =
    aggregate.kind === "count"
      ? [plan.measurements[aggregate.count]!, 0]
      : [plan.measurements[aggregate.sum]!, aggregate.exponent];
  const range = unitRange(measurement, plan);
  const interval = totalIntervals({
    noise: measurement.noise,
    confidence,
    ...(range.low >= 0n ? { atLeast: 0n } : {}),
    ...(range.high <= 0n ? { atMost: 0n } : {}),
  });
  // Around, at and far below 0, and well above it.
  const { value, lower, upper } = interval([1000n, -3n, -1000000000000n, 40n][row % 4]!);
  const unit = (x: bigint): number => Number(x) * 2 ** exponent;
  return { value: unit(value), lower: unit(lower), upper: unit(upper) };
}

function furtherLosses(plan: Plan): readonly PrivacyLossText[] {
  try {
    return [lossToJson(price(plan.event, { measure: "zcdp" }))];
  } catch {
    return [];
  }
}

function advantage(spent: PrivacyLossText): number {
  const loss = lossFromJson(spent);
  if (loss.measure === "zcdp") {
    const { epsilon, delta } = approximateFromZcdp(loss, add(loss.delta, ratio(1n, 1000n)));
    return membershipAdvantage(epsilon, delta);
  }
  return membershipAdvantage(loss.epsilon, loss.measure === "pure" ? zero : loss.delta);
}
