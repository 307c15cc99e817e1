import { type Event, lossFromJson, type PrivacyLoss, price } from "@lethe/core";
import { lossFits } from "@lethe/core/accounting";
import { canonicalJson } from "@lethe/core/canonical";
import { elementAt } from "@lethe/core/numeric";
import { type Check, failed, passed, type Verdict, verdict } from "../checks/check.ts";
import { hashOf } from "../checks/signature.ts";
import type { Release } from "../format/release.ts";
import type { WorkloadRelease } from "../format/workload.ts";

/** Returns each answer as a release of its own, whose price is what its plan says that it would cost alone. */
export function releasesOf({ answers, certificate, signature }: WorkloadRelease): readonly Release[] {
  const { workload, answersHash, ...shared } = certificate;
  return answers.flatMap((answer, at) => {
    const plan = workload.plans[at];
    if (!plan) return [];
    return [{ version: 1, ...answer, certificate: { ...shared, plan, rowsHash: answersHash }, signature }];
  });
}

/** Checks that the answers shown are those whose hash was signed. */
export async function answersAreThoseSigned({ answers, certificate }: WorkloadRelease): Promise<Verdict> {
  return (await hashOf(answers)) === certificate.answersHash
    ? passed("the answers are those whose hash the certificate holds")
    : failed("the answers are not those whose hash the certificate holds");
}

/** Checks that a workload is its plans and nothing beside them: an answer a plan, and the record of each in the record of all. */
export function workloadIsItsPlans({ answers, certificate: { workload } }: WorkloadRelease): Verdict {
  const { plans, event } = workload;
  const [only] = plans;
  const due =
    only && plans.length === 1
      ? only.event
      : { kind: "compose", version: 1, events: plans.map((plan) => plan.event) };
  return verdict(
    [
      ...(plans.length === 0 ? ["there is no question in the workload"] : []),
      ...(answers.length === plans.length ? [] : ["there is not one answer for each plan"]),
      ...(canonicalJson(event) === canonicalJson(due)
        ? []
        : ["the event of the workload is not the composition of its plans' events"]),
      ...(plans.every((plan) =>
        coversAlone(plan.event, lossFromJson(plan.price), lossFromJson(workload.price)),
      )
        ? []
        : ["a plan does not state what it would cost alone"]),
      ...(new Set(plans.map(({ policyHash, adjacency }) => `${policyHash} ${adjacency}`)).size <= 1
        ? []
        : ["the questions were planned under several policies"]),
    ],
    "every question has an answer, and the event of the workload is the composition of their events",
  );
}

/** Whether a plan's price covers its event, in the measure of the workload's price, and is no more than that. A question without private keys may need less δ. */
export function coversAlone(event: Event, stated: PrivacyLoss, whole: PrivacyLoss): boolean {
  if (stated.measure !== whole.measure || !lossFits(stated, whole)) return false;
  if (stated.measure === "pure" || whole.measure === "pure")
    return lossFits(price(event, { measure: "pure" }), stated);
  const { measure, delta } = stated;
  return lossFits(price(event, measure === "approximate" ? { measure, delta } : { measure }), stated);
}

/** Joins the same check of several questions: failed where it failed for one, and passed where it passed for each. */
export function joined(checks: readonly Check[]): Check {
  const place = placeOfWorst(checks);
  const one = elementAt(checks, place);
  if (checks.every(({ says }) => says === one.says)) return one;
  const others = one.outcome === "passed" ? "; the others likewise" : "";
  return { ...one, says: `question ${place + 1}: ${one.says}${others}` };
}

function placeOfWorst(checks: readonly Check[]): number {
  const failed = checks.findIndex(({ outcome }) => outcome === "failed");
  if (failed >= 0) return failed;
  return Math.max(
    0,
    checks.findIndex(({ outcome }) => outcome === "not-made"),
  );
}
