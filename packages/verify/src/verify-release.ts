import { type Policy, readPolicy } from "@lethe/query";
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
import { accountAddsUp, chargeCoversTheEvent, lossesHold, plainSumAgrees } from "./checks/price.ts";
import { questionPlansTheSame } from "./checks/replan.ts";
import { rowsAreThoseSigned, signatureHolds, signerIsKnown } from "./checks/signature.ts";
import { targetIsReached } from "./checks/target.ts";
import { rowsHaveOneUnit } from "./checks/units.ts";
import type { ReadRelease } from "./format/release.ts";
import { readRelease } from "./format/release-shape.ts";

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
 * else, and opens no file. The release holds when no check failed; a check that was not made proves nothing.
 * Errors: release.invalid where the text is not a release at all; policy.unreadable, policy.invalid.
 * @example
 * const { checks } = await verifyRelease(releaseJson, { policyText, publicKeyPem });
 * const holds = checks.every(({ outcome }) => outcome === "passed");
 */
export async function verifyRelease(releaseJson: string, options: VerifyOptions = {}): Promise<Verification> {
  const read = readRelease(releaseJson);
  const policy = options.policyText === undefined ? null : readPolicy(options.policyText);
  const own = await checksOf(read, options, policy);
  const { release, pilot } = read;
  if (pilot === null) return { checks: own, cannotShow: openQuestions(options) };
  const ofPilot = await checksOf(pilot, options, policy);
  const pair = await check("pilot", () => requestsBelongTogether(release, pilot.release, ofPilot));
  return { checks: [...own, pair], cannotShow: openQuestions(options) };
}

/** The checks of one request. */
async function checksOf(
  read: ReadRelease,
  { publicKeyPem, targetReleaseJson }: VerifyOptions,
  policy: Policy | null,
): Promise<readonly Check[]> {
  const { release } = read;
  const { certificate } = release;
  const { plan } = certificate;
  const withPolicy = (judge: (given: NonNullable<typeof policy>) => Verdict | Promise<Verdict>) => () =>
    policy ? judge(policy) : needsPolicy;

  return Promise.all([
    check("rows", () => rowsAreThoseSigned(release)),
    check("signature", () => signatureHolds(read)),
    check("signer", () => signerIsKnown(release, publicKeyPem)),
    check("answer", () => answerFitsThePlan(release)),
    check("groups", () => rowsAreThePlans(release)),
    check("computed", () => computedFollows(release)),
    check("units", () => rowsHaveOneUnit(plan)),
    check("joined-rows", () => joinedRowsHold(plan)),
    check("measurements", () => measurementsExist(plan)),
    check("sensitivity", () => sensitivitiesHold(plan)),
    check("presence", () => presenceIsCertain(plan, policy)),
    check("learned-bounds", () => learnedBoundsHold(plan)),
    check("event", () => eventFollows(plan)),
    check("price", () => chargeCoversTheEvent(certificate)),
    check("plain-price", () => plainSumAgrees(certificate)),
    check("losses", () => lossesHold(certificate)),
    check("account", () => accountAddsUp(certificate)),
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
      withPolicy((given) => questionPlansTheSame(plan, given, read.planVersion)),
    ),
    ...(certificate.target === undefined
      ? []
      : [check("target", () => targetIsReached(read, targetReleaseJson, policy))]),
  ]);
}

function openQuestions({ policyText, publicKeyPem }: VerifyOptions): readonly string[] {
  return [
    "that the noise was drawn as stated, from good randomness, and only once",
    "that the rows are those of the data that the policy names: no hash of the data is ever published",
    "what the account was granted, what it spent before, and that it has released nothing beside its charges; its owner can show the chain with lethe ledger verify",
    "that the intervals of averages, variances and quantiles, and what is computed from answers, are right: they depend on noisy sums that are not released",
    ...(policyText === undefined
      ? ["that unit, bounds and public keys are those that the owner declared (give --policy)"]
      : []),
    ...(publicKeyPem === undefined ? ["who signed it (give --public-key)"] : []),
  ];
}
