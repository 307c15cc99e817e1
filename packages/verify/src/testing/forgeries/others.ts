import { elementAt } from "@lethe/core/numeric";
import type { OtherAnswer, Release } from "../../format/release.ts";
import { readAnyRelease } from "../../format/release-shape.ts";
import type { WorkloadRelease } from "../../format/workload.ts";
import { questionsBelong } from "../../others/others-checks.ts";
import { verifyRelease } from "../../verify-release.ts";
import { type Sample, sample, signer } from "../people.ts";
import { releaseOf, signed } from "../sample-release.ts";
import { counted, type Draft, type Mutable, spentOf, type Telling } from "./forgery.ts";
import { genuineWorkload } from "./workloads.ts";

/** Two questions whose answers, of one row each, stand below each other. */
const several: Sample = {
  text: "SELECT COUNT(*) AS n FROM people UNION ALL SELECT COUNT(*) FROM people WHERE wage > 9",
};

/** A release of two questions in one text, as an honest service would sign it. */
async function severalCounts(): Promise<{ readonly release: Release; readonly policy: string }> {
  const { release, policy } = await sample(several);
  const { plan, account } = release.certificate;
  const others = (plan.others ?? []).map(({ name, plan: other }): OtherAnswer => {
    const { columns, rows, missing, notes } = releaseOf(
      other,
      signer,
      spentOf({ certificate: { account } }).granted,
    );
    return { name, columns, rows, missing, notes };
  });
  const rows = [...release.rows, ...others.flatMap((other) => other.rows)];
  return {
    release: signed({ ...release, over: { columns: release.columns, rows }, others }, signer),
    policy,
  };
}

/** A text that the check of the questions must say after this change of the plan. */
const told = (
  says: string,
  change: (plan: Draft["certificate"]["plan"], other: OtherPlan) => void,
): Telling => [
  says,
  async () => {
    const { certificate } = structuredClone((await severalCounts()).release) as Draft;
    change(certificate.plan, elementAt(certificate.plan.others ?? [], 0));
    return questionsBelong(certificate.plan as Release["certificate"]["plan"]);
  },
];
type OtherPlan = NonNullable<Draft["certificate"]["plan"]["others"]>[number];

/** A text that a reader must say, who refuses the release after this change. */
const refused = (says: string, change: (draft: Draft) => void): Telling => [
  says,
  async () => {
    const draft = structuredClone((await severalCounts()).release) as Draft;
    change(draft);
    return refusalOf(draft);
  },
];

function refusalOf(release: unknown): readonly string[] {
  try {
    readAnyRelease(JSON.stringify(release));
  } catch (error) {
    if (error instanceof Error) return [error.message];
  }
  return [];
}

export const ofOthers: readonly Telling[] = [
  [
    "the questions of the text were charged together, and the event is the composition of their events",
    async () => {
      const { release, policy } = await severalCounts();
      const { checks } = await verifyRelease(JSON.stringify(release), {
        policyText: policy,
        publicKeyPem: signer.publicKey,
      });
      const amiss = checks.filter(({ outcome }) => outcome !== "passed");
      if (amiss.length > 0) throw new Error(amiss.map(({ name, says }) => `${name}: ${says}`).join("\n"));
      return checks.map(({ says }) => says);
    },
  ],
  [
    "the text asks one question",
    async () => questionsBelong((await sample(counted)).release.certificate.plan),
  ],
  told("the event is not the composition of the events of all questions of the text", ({ event }) => {
    if (event.kind === "compose") event.events.pop();
  }),
  told("the plan of a question does not state what it would cost alone", (_, other) => {
    other.plan.price = { measure: "approximate", epsilon: "1/100", delta: "0" };
  }),
  told("the questions are of several texts or policies", (_, other) => {
    other.plan.policyHash = "0".repeat(64);
  }),
  refused("there where a relation reads their answers", ({ certificate: { plan } }) => {
    Reflect.deleteProperty(plan, "over");
  }),
  refused("others must be of different names", ({ certificate: { plan } }) => {
    plan.others?.push(...plan.others);
  }),
  refused("that of an answer of the plan", ({ certificate: { plan } }) => {
    plan.over = { kind: "answer", name: "names nothing" };
  }),
  refused("the answers to the other questions of the plan, in their order", ({ others }) => {
    others?.pop();
  }),
  [
    "the plan of one question",
    async () => {
      const draft = structuredClone(await genuineWorkload()) as Mutable<WorkloadRelease>;
      const { release } = await severalCounts();
      draft.certificate.workload.plans[0] = structuredClone(release.certificate.plan) as Mutable<
        typeof release.certificate.plan
      >;
      return refusalOf(draft);
    },
  ],
];
