import { elementAt } from "@lethe/core/numeric";
import type { Plan } from "@lethe/query";
import { certificateHash } from "../earlier-release.ts";
import type { DrawingHouse } from "../house.ts";
import type { Release, ReleasedColumn } from "../release.ts";
import { answersTo, type SeenAnswers } from "../repeats/find-repeat.ts";
import { versionRead } from "../repeats/name-request.ts";
import { requestIds } from "../repeats/request-id.ts";
import { pilotOfQuestion, planResolved, type ResolvedQuestion } from "../resolved-question.ts";
import {
  askedBy,
  type MadeFrom,
  otherReleases,
  releasesOf,
  requestsToLookThrough,
  type Sought,
} from "./find-sources.ts";
import type { MadeAnswer } from "./made-answer.ts";
import { isCloseEnough, madeErrors } from "./made-errors.ts";
import { madeNotes } from "./made-notes.ts";
import { madeRows } from "./made-rows.ts";
import { makingOfReleases } from "./making-of-releases.ts";

/** An answer that can be made, and whether it is given without being asked for. */
export interface Makeable {
  readonly made: MadeAnswer;
  /** Whether it is the statistic that the question asks for, and no column is much wider than in an answer that is paid for. */
  readonly isTaken: boolean;
}

/** What was found of an answer that releases make, and what was seen of answers to the question itself. */
export interface LookedFor {
  readonly makeable: Makeable | null;
  readonly seen: SeenAnswers;
}

/**
 * Returns the best answer to a question that what was released to the same principal makes: the mean of several answers to the same question, else of sums over the groups of an answer
 * by more keys. None where the question itself was answered once: that answer is shown. Which releases are taken depends on plans alone, and not on what was released. Writes nothing.
 */
export async function makeableAnswer(sought: Sought, from: MadeFrom): Promise<LookedFor> {
  const asked = askedBy(sought);
  const [answers, requests] = await Promise.all([
    answersTo(asked, from.ledger),
    requestsToLookThrough(sought, from),
  ]);
  const seen = { first: requestIds(asked)(1), answers };
  const own = await releasesOf(asked, from, answers);
  const found = own.length > 0 ? [own] : await otherReleases(sought, requests, from);
  const best = found
    .filter((releases) => releases !== own || own.length > 1)
    .flatMap((releases) => madeOf(sought, releases) ?? [])
    .reduce<Made | null>((least, next) => (least === null || isBetter(next, least) ? next : least), null);
  if (best === null) return { makeable: null, seen };
  const isTaken = best.isSame && best.made.errors.length > 0 && isCloseEnough(sought.plan, best.made.errors);
  return { makeable: { made: best.made, isTaken }, seen };
}

/** {@link makeableAnswer} to a question as its house would read it now; null also where its price follows from a target error, or the data have no version. Errors: ledger.principal for who may ask no more. */
export async function makeableNow(
  resolved: ResolvedQuestion,
  principal: string,
  house: DrawingHouse,
): Promise<LookedFor | null> {
  const plan = plainPlan(resolved);
  const version = plan && (await versionRead(plan, house));
  const found = plan && version && (await makeableAnswer({ principal, resolved, plan, version }, house));
  if (found?.makeable) await house.ledger.remaining(principal, { project: resolved.project ?? null }); // who may ask no more is shown nothing either
  return found;
}

/** Returns the plan of a question whose price is stated; null where a target error sets it, which earlier releases may bear on. */
export function plainPlan(resolved: ResolvedQuestion): Plan | null {
  if (resolved.targetRelease !== null || pilotOfQuestion(resolved) !== null) return null;
  const { plan, target } = planResolved(resolved);
  return target === null ? plan : null;
}

interface Made {
  readonly made: MadeAnswer;
  readonly isSame: boolean;
}

function madeOf({ plan, resolved: { confidence } }: Sought, releases: readonly Release[]): Made | null {
  const making = makingOfReleases(plan, releases);
  const made = madeAnswer(plan, releases, confidence);
  return making && made && { made, isSame: making.isSame };
}

/**
 * Returns the answer to a plan that releases make, all of which answer one question; null where they do not. What it is made of is for the caller to know: that the releases are genuine, of one
 * version of the data, and each there once.
 */
export function madeAnswer(plan: Plan, releases: readonly Release[], confidence: number): MadeAnswer | null {
  const making = makingOfReleases(plan, releases);
  const rows = making && madeRows(plan, making, releases, confidence);
  if (!making || !rows) return null;
  const { plan: released } = elementAt(releases, 0).certificate;
  return {
    version: 1,
    kind: "made-answer",
    columns: plan.outputs.map(columnOf),
    rows,
    notes: madeNotes(plan, released, making, releases.length),
    confidence,
    plan,
    errors: madeErrors(plan, released, making, releases.length, confidence),
    of: releases.map((release) => ({
      requestId: release.certificate.requestId,
      certificate: certificateHash(release),
      at: release.certificate.at,
    })),
    releases,
  };
}

function columnOf({ name, kind }: Plan["outputs"][number]): ReleasedColumn {
  return { name, kind: kind === "interval-end" ? "label" : kind };
}

/** The same statistic comes first, then what is off by less in its widest column. */
function isBetter(one: Made, other: Made): boolean {
  if (one.isSame !== other.isSame) return one.isSame;
  return widest(one.made) < widest(other.made);
}

function widest({ errors }: MadeAnswer): number {
  return Math.max(...errors.map(({ here, anew }) => (here === 0 ? 0 : here / anew)));
}
