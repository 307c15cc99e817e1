import { sign } from "node:crypto";
import { lossFromJson, lossToJson, parseRational } from "@lethe/core";
import { lossLeft, odds } from "@lethe/core/accounting";
import { canonicalJson } from "@lethe/core/canonical";
import { parseQuestion, planWorkload, policyHash, readPolicy, resolveQuestion } from "@lethe/query";
import type { WorkloadRelease } from "../../format/workload.ts";
import { verifyRelease } from "../../verify-release.ts";
import { signer } from "../people.ts";
import { hashOf, releaseOf } from "../sample-release.ts";
import type { Mutable } from "./forgery.ts";

export const workloadPolicy = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  people:
    file: people.csv
    unit: row
    columns:
      wage: { type: number, bounds: [0, 60] }
      sector: { type: text, categories: [manufacturing, construction, other], default: other }
budget: { measure: pure, epsilon: 10 }
`;

const texts = [
  "SELECT COUNT(*) AS n, SUM(wage) AS wages FROM people",
  "SELECT sector, COUNT(*) AS n FROM people GROUP BY sector",
];

/** The release of two questions at one price, as an honest service would sign it. */
export async function genuineWorkload(
  asked: readonly string[] = texts,
  policyText: string = workloadPolicy,
): Promise<WorkloadRelease> {
  const policy = readPolicy(policyText);
  const questions = await Promise.all(
    asked.map(async (text) => resolveQuestion(await parseQuestion(text), policy)),
  );
  const workload = planWorkload(questions, policy, { epsilon: parseRational("1") }, policyHash(policy));
  const granted = { measure: "pure", epsilon: "10" } as const;
  const charge = workload.price;
  const releases = workload.plans.map((plan) => releaseOf(plan, signer, granted));
  const [first] = releases;
  if (!first) throw new Error("a workload has questions");
  const { plan: _, rowsHash: _none, ...shared } = first.certificate;
  return signedWorkload({
    version: 1,
    answers: releases.map(({ columns, rows, missing, notes }) => ({ columns, rows, missing, notes })),
    certificate: {
      ...shared,
      workload,
      charge,
      losses: [charge],
      odds: odds(workload.event, workload.plans[0]?.adjacency),
      account: {
        granted,
        spent: charge,
        left: lossToJson(lossLeft(lossFromJson(granted), lossFromJson(charge))),
        membershipAdvantage: 1,
      },
      answersHash: "",
    },
    signature: "",
  });
}

/** The same with its hash and its signature made to fit, as a lying service would sign it. */
function signedWorkload(release: WorkloadRelease): WorkloadRelease {
  const certificate = { ...release.certificate, answersHash: hashOf(release.answers) };
  const text = Buffer.from(canonicalJson(certificate), "utf8");
  return { ...release, certificate, signature: sign(null, text, signer.key).toString("hex") };
}

type Change = (draft: Mutable<WorkloadRelease>) => void;

/** A genuine release, changed and signed. */
export async function forgedWorkload(change: Change): Promise<WorkloadRelease> {
  const draft = structuredClone(await genuineWorkload()) as Mutable<WorkloadRelease>;
  change(draft);
  return signedWorkload(draft);
}

/** What is said ↦ how a lying service, that signs what it likes, comes to be told it. */
export const forgedWorkloads: readonly (readonly [string, Change])[] = [
  [
    "there is no question in the workload",
    (d) => {
      d.answers = [];
      d.certificate.workload.plans = [];
    },
  ],
  ["there is not one answer for each plan", (d) => void d.answers.pop()],
  [
    "the event of the workload is not the composition of its plans' events",
    (d) => {
      d.certificate.workload.event = { kind: "constant", version: 1 };
    },
  ],
  [
    "a plan does not state what it would cost alone",
    ({ certificate: { workload } }) => {
      for (const plan of workload.plans) plan.price = { measure: "pure", epsilon: "1/100" };
    },
  ],
  [
    "the questions were planned under several policies",
    ({ certificate: { workload } }) => {
      for (const [at, plan] of workload.plans.entries()) plan.policyHash = `${at}`.repeat(64);
    },
  ],
  [
    "question 2: ",
    (d) => {
      for (const answer of d.answers.slice(1)) answer.notes = ["a word of comfort"];
    },
  ],
  [
    "the event costs",
    (d) => {
      d.certificate.charge = { measure: "pure", epsilon: "1/2" };
    },
  ],
];

/** Returns what is said of the checks that fail. */
export async function toldOf(release: WorkloadRelease): Promise<readonly string[]> {
  const { checks } = await verifyRelease(JSON.stringify(release), {
    policyText: workloadPolicy,
    publicKeyPem: signer.publicKey,
  });
  return checks.filter(({ outcome }) => outcome === "failed").map(({ says }) => says);
}
