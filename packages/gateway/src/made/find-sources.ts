import { LetheError } from "@lethe/core";
import type { Ledger } from "@lethe/ledger";
import type { Plan } from "@lethe/query";
import { earlierRelease } from "../earlier-release.ts";
import type { Release } from "../release.ts";
import type { DataVersion } from "../repeats/data-version.ts";
import { answersTo } from "../repeats/find-repeat.ts";
import { type AskedAgain, requestIds } from "../repeats/request-id.ts";
import { sameQuestion } from "../repeats/same-question.ts";
import { planResolved, type ResolvedQuestion, readQuestion } from "../resolved-question.ts";
import { makingOf } from "./making.ts";

/** A question whose answer is looked for among what was released. */
export interface Sought {
  readonly principal: string;
  readonly resolved: ResolvedQuestion;
  readonly plan: Plan;
  /** The version of the data that the question would read. */
  readonly version: DataVersion;
}

/** What is looked at: no data, and no engine. */
export interface MadeFrom {
  readonly ledger: Ledger;
  readonly clock: () => number;
}

/** The most requests of a principal that are looked through, the newest ones. */
const mostRequests = 50;

/** The question that is sought, as its requests name it. */
export function askedBy({ principal, resolved, plan, version }: Sought): AskedAgain {
  return { principal, same: sameQuestion(resolved, plan), version };
}

/**
 * Returns the releases of every other question among these requests, newest first, of the same principal, policy, options and version of the data, of which the answer can be made: a list for each of these questions,
 * oldest first. A release takes part only where its question, read and planned again today, has its very request, so that no other principal's, and none of other data, can.
 */
export async function otherReleases(
  sought: Sought,
  requests: readonly string[],
  from: MadeFrom,
): Promise<readonly (readonly Release[])[]> {
  const { principal, plan, version } = sought;
  const found: (readonly Release[])[] = [];
  // An answer to the very question, which another request of it may have got meanwhile, is shown and not made of.
  const own = requestIds(askedBy(sought))(1);
  const newest = newestOfEach(requests);
  newest.delete(own.slice(0, -"-1".length));
  const plans = [...newest].map(
    async ([question, requestId]) =>
      [question, await releasedPlan({ principal, requestId }, from.ledger)] as const,
  );
  for (const [question, released] of await Promise.all(plans)) {
    if (released === null || makingOf(released.plan, plan) === null) continue;
    const same = await questionOf(released, sought);
    if (same === null || requestIds({ principal, same, version })(1) !== `${question}-1`) continue;
    const releases = await releasesOf({ principal, same, version }, from);
    if (releases.length > 0) found.push(releases);
  }
  return found;
}

/** Returns the ids of the requests of a principal that are looked through, newest first. */
export function requestsToLookThrough(
  { principal }: Pick<Sought, "principal">,
  { ledger }: MadeFrom,
): Promise<readonly string[]> {
  return ledger.requestsOf(principal, mostRequests);
}

/** Returns the newest request of each question, by the question's part of the id. */
function newestOfEach(requests: readonly string[]): Map<string, string> {
  const newest = new Map<string, string>();
  for (const requestId of requests) {
    const [, question] = /^(q-[0-9a-f]{32})-\d+$/.exec(requestId) ?? [];
    if (question !== undefined && !newest.has(question)) newest.set(question, requestId);
  }
  return newest;
}

/** What was released under an id, as far as its question is told by it. */
type Released = Pick<Release["certificate"], "plan" | "confidence">;

/** Releases never change: each is read from a ledger once in a process. Ledgers are told apart by their keys, since one that is lent to a thread is lent anew for each question. */
const known = new Map<string, Released | null>();
const mostKnown = 300;

/** Returns the plan of a kept release of one question; null where the request has none, and of plans of the first version. */
async function releasedPlan(
  { principal, requestId }: { readonly principal: string; readonly requestId: string },
  ledger: Ledger,
): Promise<Released | null> {
  const name = JSON.stringify([ledger.publicKey, principal, requestId]);
  const before = known.get(name);
  if (before !== undefined) return before;
  const settled = await ledger.settled(requestId, principal);
  if (settled === null) return null;
  const release = JSON.parse(settled.release);
  const isAnswer = "rows" in release && release.certificate.plan.version === 2;
  const found = isAnswer
    ? { plan: release.certificate.plan, confidence: release.certificate.confidence }
    : null;
  const [oldest] = known.keys();
  if (known.size >= mostKnown && oldest !== undefined) known.delete(oldest);
  known.set(name, found);
  return found;
}

/** Returns the hash of a release's question, as it would be asked today with the options of the one that is sought; null where it could not. */
async function questionOf({ plan, confidence }: Released, { resolved }: Sought): Promise<string | null> {
  const { parameters, today } = plan;
  const options = {
    ...resolved.stated,
    confidence,
    ...(resolved.project === undefined ? {} : { project: resolved.project }),
    ...(parameters ? { parameters } : {}),
    ...(today === undefined ? {} : { today }),
  };
  try {
    const asked = await readQuestion(plan.text, options, resolved.policy);
    return sameQuestion(asked, planResolved(asked).plan);
  } catch (error) {
    if (error instanceof LetheError) return null;
    throw error;
  }
}

/**
 * Returns the releases that answer one question, oldest first: all of one version of the data. Where an answer stands for a period alone, the newest, if it stands yet.
 * @param answers how many there are, where that was just looked
 */
export async function releasesOf(
  asked: AskedAgain,
  { ledger, clock }: MadeFrom,
  answers?: number,
): Promise<readonly Release[]> {
  const idOf = requestIds(asked);
  const last = answers ?? (await answersTo(asked, ledger));
  const { validFor } = asked.version;
  // Data that are read as they lie may have changed between two answers of one period.
  const first = validFor === null ? 1 : Math.max(1, last);
  const releases: Release[] = [];
  for (let place = first; place <= last; place += 1)
    releases.push(await earlierRelease(idOf(place), { principal: asked.principal }, ledger));
  return releases.filter(
    ({ certificate: { at } }) => validFor === null || clock() - Date.parse(at) < validFor,
  );
}
