import type { Adjacency, Event } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { type Policy, publicValues, readPolicy } from "@lethe/query";
import { answerFitsThePlan } from "./checks/answer.ts";
import { type Check, check, notMade, type Verdict } from "./checks/check.ts";
import { computedFollows } from "./checks/computed.ts";
import { rowsAreThePlans } from "./checks/groups.ts";
import { intervalsFollow } from "./checks/intervals.ts";
import { joinedRowsHold, limitsAreThePolicys } from "./checks/joined-rows.ts";
import { learnedBoundsHold } from "./checks/learned.ts";
import { chancesFollow } from "./checks/missing.ts";
import { eventFollows, measurementsExist, sensitivitiesHold } from "./checks/noise.ts";
import { notesFollow } from "./checks/notes.ts";
import { requestsBelongTogether } from "./checks/pilot.ts";
import {
  columnsAreThePolicys,
  policyIsTheOne,
  publicKeysAreThePolicys,
  unitIsThePolicys,
} from "./checks/policy.ts";
import { presenceIsCertain } from "./checks/presence.ts";
import {
  accountAddsUp,
  type Charged,
  chargeCoversTheEvent,
  lossesHold,
  plainSumAgrees,
} from "./checks/price.ts";
import { questionPlansTheSame } from "./checks/replan.ts";
import { rowsAreThoseSigned, type Signed, signatureHolds, signerIsKnown } from "./checks/signature.ts";
import { targetIsReached } from "./checks/target.ts";
import { rowsHaveOneUnit } from "./checks/units.ts";
import { convexEventFollows, convexIsDeclared, convexModelIsThePlans } from "./convex/convex-checks.ts";
import type { ReadRelease } from "./format/release.ts";
import { readAnyRelease } from "./format/release-shape.ts";
import type { ReadWorkload } from "./format/workload.ts";
import { askedAdvantage, mayAsk, oddsHold } from "./odds/odds-checks.ts";
import { otherReleases } from "./others/other-answers.ts";
import { questionsBelong } from "./others/others-checks.ts";
import { overFollows } from "./over/over-checks.ts";
import { releasedFollow } from "./over/released-checks.ts";
import { boostingEventFollows, columnsAreDeclared, modelIsThePlans } from "./procedure/boosting-checks.ts";
import { networkEventFollows, networkIsDeclared, networkIsThePlans } from "./procedure/network-checks.ts";
import type { ProcedureRelease, ReadProcedure } from "./procedure/procedure.ts";
import { kindIsNotKnown, planIsOfThePolicy, resultIsThatSigned } from "./procedure/procedure-checks.ts";
import { asBoosting, asConvex, asNetwork, asSynthesis, readProcedure } from "./procedure/procedure-shape.ts";
import { cellsAreDeclared, sessionIsTheEvent } from "./procedure/synthesis-checks.ts";
import { tablesFitTheSession } from "./procedure/tables-fit.ts";
import { leastIsPaid } from "./service/least.ts";
import { scheduleFollows } from "./service/schedule.ts";
import { answersAreThoseSigned, joined, releasesOf, workloadIsItsPlans } from "./workload/workload-checks.ts";

/** The inputs that the reader trusts beside the certificate. Without them the checks that need them are not made. */
export interface VerifyOptions {
  /** The policy's YAML. */
  readonly policyText?: string;
  /** The ledger's Ed25519 public key, SPKI PEM, from its owner and not from the release. */
  readonly publicKeyPem?: string;
  /** The release that a target error is a share of: the certificate names it. */
  readonly targetReleaseJson?: string;
}

export interface Verification {
  readonly checks: readonly Check[];
  /** The statements that no certificate can show, and those that this one leaves open. */
  readonly cannotShow: readonly string[];
}

const needsPolicy = notMade("no policy was given");

/**
 * Checks a release from its certificate, and from the policy and the public key where they are given; trusts nothing
 * else, and opens no file. The release holds when no check failed; a check that was not made proves nothing. A release of a workload, which is several
 * questions at one price, has the same checks: those of an answer are made for each. Of a procedure, which is a computation of many steps, the event
 * is derived again where this version knows its kind.
 * Errors: release.invalid where the text is not a release at all; policy.unreadable, policy.invalid.
 * @example
 * const { checks } = await verifyRelease(releaseJson, { policyText, publicKeyPem });
 * const holds = checks.every(({ outcome }) => outcome === "passed");
 */
export async function verifyRelease(releaseJson: string, options: VerifyOptions = {}): Promise<Verification> {
  const policy = options.policyText === undefined ? null : readPolicy(options.policyText);
  const procedure = readProcedure(releaseJson);
  if (procedure !== null) {
    const checks = await checksOfProcedure(procedure, options, policy);
    return { checks, cannotShow: [...never, ...openOf(options)] };
  }
  const read = readAnyRelease(releaseJson);
  const cannotShow = [...never, ofIntervals, ...openOf(options)];
  if (!("planVersion" in read)) return { checks: await checksOfWorkload(read, options, policy), cannotShow };
  const own = await checksOf(read, options, policy);
  const { release, pilot } = read;
  const { over } = release.certificate.plan;
  const open = [...cannotShow, ...(over && publicValues(over).length > 0 ? [ofPublicTables] : [])];
  if (pilot === null) return { checks: own, cannotShow: open };
  const ofPilot = await checksOf(pilot, options, policy);
  const pair = await check("pilot", () => requestsBelongTogether(release, pilot.release, ofPilot));
  return { checks: [...own, pair], cannotShow: open };
}

/** The checks of one request. */
async function checksOf(
  read: ReadRelease,
  options: VerifyOptions,
  policy: Policy | null,
): Promise<readonly Check[]> {
  const { release } = read;
  const { certificate } = release;
  return Promise.all([
    check("rows", () => rowsAreThoseSigned(release)),
    ...signatureChecks(read, options),
    ...(await wholeAnswerChecks(read, policy)),
    ...chargeChecks(certificate),
    ...(certificate.plan.leastEpsilon === undefined
      ? []
      : [check("least-epsilon", () => leastIsPaid(certificate, policy))]),
    ...(certificate.schedule === undefined ? [] : [check("schedule", () => scheduleFollows(certificate))]),
    ...(certificate.odds === undefined && !mayAsk(certificate.plan)
      ? []
      : [
          check("odds", async () => {
            const { plan } = certificate;
            const { adjacency, event: ran } = plan;
            return oddsHold({ ...certificate, ran, adjacency }, await askedAdvantage(plan));
          }),
        ]),
    ...(certificate.target === undefined
      ? []
      : [check("target", () => targetIsReached(read, options.targetReleaseJson, policy))]),
  ]);
}

/** The checks of an answer; of the answers to all questions of a text, where it asks several, and that these belong together. */
async function wholeAnswerChecks(
  read: ReadRelease,
  policy: Policy | null,
): Promise<readonly Promise<Check>[]> {
  const { release } = read;
  const { plan } = release.certificate;
  const own = answerChecks(read, policy);
  if (!plan.others) return own;
  // What is selected over all answers, and the text planned again, are of the whole.
  const ofWhole: ReadonlySet<string> = new Set(["over", "question"]);
  const answers = await Promise.all([
    Promise.all(own),
    ...otherReleases(release).map(({ release: each }) =>
      Promise.all(answerChecks({ ...read, release: each, pilot: null }, policy)),
    ),
  ]);
  const [first = []] = answers;
  const together = first.map((one, at) =>
    Promise.resolve(ofWhole.has(one.name) ? one : joined(answers.flatMap((checks) => checks[at] ?? []))),
  );
  return [
    ...together,
    check("questions", () => questionsBelong(plan)),
    check("released", () => releasedFollow(release)),
  ];
}

/** The checks of several questions that were charged once. */
async function checksOfWorkload(
  read: ReadWorkload,
  options: VerifyOptions,
  policy: Policy | null,
): Promise<readonly Check[]> {
  const { release } = read;
  const { certificate } = release;
  const whole = await Promise.all([
    check("rows", () => answersAreThoseSigned(release)),
    ...signatureChecks(read, options),
    check("workload", () => workloadIsItsPlans(release)),
    ...chargeChecks({ ...certificate, plan: certificate.workload }),
    ...(certificate.odds === undefined
      ? []
      : [
          check("odds", () => {
            const { event: ran, plans } = certificate.workload;
            return oddsHold({ ...certificate, ran, adjacency: elementAt(plans, 0).adjacency });
          }),
        ]),
  ]);
  const answers = await Promise.all(
    releasesOf(release).map((each) =>
      Promise.all(answerChecks({ release: each, signed: null, planVersion: 2, pilot: null }, policy)),
    ),
  );
  const ofAnswers = (answers[0] ?? []).map((_, at) => joined(answers.flatMap((checks) => checks[at] ?? [])));
  return [...whole, ...ofAnswers];
}

/** Who signed, and whether it was altered since. */
function signatureChecks(read: Signed, { publicKeyPem }: VerifyOptions): readonly Promise<Check>[] {
  return [
    check("signature", () => signatureHolds(read)),
    check("signer", () => signerIsKnown(read.release, publicKeyPem)),
  ];
}

/** What was charged, and whether it covers what was run. */
function chargeChecks(charged: Charged): readonly Promise<Check>[] {
  return [
    check("price", () => chargeCoversTheEvent(charged)),
    check("plain-price", () => plainSumAgrees(charged)),
    check("losses", () => lossesHold(charged)),
    check("account", () => accountAddsUp(charged)),
  ];
}

/** An answer against its plan, and its plan against the policy. */
function answerChecks(read: ReadRelease, policy: Policy | null): readonly Promise<Check>[] {
  const { release, planVersion } = read;
  const { plan } = release.certificate;
  const withPolicy = (judge: (given: Policy) => Verdict | Promise<Verdict>) => () =>
    policy ? judge(policy) : needsPolicy;
  return [
    check("answer", () => answerFitsThePlan(release)),
    check("groups", () => rowsAreThePlans(release)),
    check("computed", () => computedFollows(release)),
    check("over", () => overFollows(release)),
    check("units", () => rowsHaveOneUnit(plan)),
    check("joined-rows", () => joinedRowsHold(plan)),
    check("measurements", () => measurementsExist(plan)),
    check("sensitivity", () => sensitivitiesHold(plan)),
    check("presence", () => presenceIsCertain(plan, policy)),
    check("learned-bounds", () => learnedBoundsHold(plan)),
    check("event", () => eventFollows(plan)),
    check("intervals", () => intervalsFollow(release)),
    check("missing-groups", () => chancesFollow(release)),
    check("notes", () => notesFollow(read)),
    check(
      "policy",
      withPolicy((given) => policyIsTheOne(plan, given)),
    ),
    check(
      "unit",
      withPolicy((given) => unitIsThePolicys(plan, given)),
    ),
    check(
      "limits",
      withPolicy((given) => limitsAreThePolicys(plan, given)),
    ),
    check(
      "columns",
      withPolicy((given) => columnsAreThePolicys(plan, given)),
    ),
    check(
      "public-keys",
      withPolicy((given) => publicKeysAreThePolicys(plan, given)),
    ),
    check(
      "question",
      withPolicy((given) => questionPlansTheSame(plan, given, planVersion)),
    ),
  ];
}

/** The checks of a procedure that was charged as one; what its kind adds, where this version knows it. */
async function checksOfProcedure(
  read: ReadProcedure,
  options: VerifyOptions,
  policy: Policy | null,
): Promise<readonly Check[]> {
  const { release } = read;
  const { certificate } = release;
  const { plan, price } = certificate.procedure;
  return Promise.all([
    check("result", () => resultIsThatSigned(release)),
    ...signatureChecks(read, options),
    ...chargeChecks({ ...certificate, plan: { event: plan.event, price } }),
    ...(certificate.odds === undefined
      ? []
      : [check("odds", () => oddsHold({ ...certificate, ...ranBy(release) }))]),
    check("policy", () => (policy ? planIsOfThePolicy(release, policy) : needsPolicy)),
    ...kindChecks(release, policy),
  ]);
}

/** What a procedure ran: the steps of a network's training, of which the record that is charged may be a bound; else that record. Only samples depend on the adjacency, and no other kind takes any. */
function ranBy(release: ProcedureRelease): { readonly ran: Event; readonly adjacency: Adjacency } {
  const training = asNetwork(release)?.plan.training;
  if (training) return { ran: training.event, adjacency: training.adjacency };
  return { ran: release.certificate.procedure.plan.event, adjacency: "replace-one" };
}

/** The checks that a procedure has by its kind. */
function kindChecks(release: ProcedureRelease, policy: Policy | null): readonly Promise<Check>[] {
  const boosting = asBoosting(release);
  if (boosting !== null)
    return [
      check("event", () => boostingEventFollows(boosting.plan)),
      check("model", () => modelIsThePlans(boosting.plan, boosting.model)),
      check("columns", () => (policy ? columnsAreDeclared(boosting.plan, policy) : needsPolicy)),
    ];
  const network = asNetwork(release);
  if (network !== null)
    return [
      check("event", () => networkEventFollows(network.plan)),
      check("model", () => networkIsThePlans(network.plan, network.model)),
      check("columns", () => (policy ? networkIsDeclared(network.plan, policy) : needsPolicy)),
    ];
  const convex = asConvex(release);
  if (convex !== null)
    return [
      check("event", () => convexEventFollows(convex.plan)),
      check("model", () => convexModelIsThePlans(convex.plan, convex.model)),
      check("columns", () => (policy ? convexIsDeclared(convex.plan, policy) : needsPolicy)),
    ];
  const synthesis = asSynthesis(release);
  if (synthesis !== null)
    return [
      check("event", () => sessionIsTheEvent(synthesis.plan)),
      check("tables", () => tablesFitTheSession(synthesis.plan, synthesis.tables)),
      check("columns", () => (policy ? cellsAreDeclared(synthesis.plan, policy) : needsPolicy)),
    ];
  return [check("procedure", () => kindIsNotKnown(release))];
}

const never = [
  "that the noise was drawn as stated, from good randomness, and only once",
  "that the rows are those of the data that the policy names: no hash of the data is ever published",
  "what the account was granted, what it spent before, and that it has released nothing beside its charges; its owner can show the chain with lethe ledger verify",
];
const ofPublicTables =
  "that the rows of public tables beside the answer stand in these tables: what follows from the rows is checked, and not where they come from";
const ofIntervals =
  "that the intervals of averages, variances and quantiles, and what is computed from answers, are right: they depend on noisy sums that are not released";

function openOf({ policyText, publicKeyPem }: VerifyOptions): readonly string[] {
  return [
    ...(policyText === undefined
      ? ["that unit, bounds and public keys are those that the owner declared (give --policy)"]
      : []),
    ...(publicKeyPem === undefined ? ["who signed it (give --public-key)"] : []),
  ];
}
