import { LetheError } from "@lethe/core";
import { drawing } from "@lethe/core/mechanisms";
import { answerPiloted } from "./answer-piloted.ts";
import { answerPlanned } from "./answer-planned.ts";
import { tellBeforeCharge } from "./before-charge.ts";
import { certificateHash, earlierRelease, releasedNumbers } from "./earlier-release.ts";
import type { DrawingHouse, House } from "./house.ts";
import type { MadeAnswer } from "./made/made-answer.ts";
import { makeableNow } from "./made/make-answer.ts";
import { withPublicValues } from "./public-tables/read-public-values.ts";
import type { Question } from "./question.ts";
import type { Release } from "./release.ts";
import { askedAhead } from "./repeats/asked-ahead.ts";
import type { SeenAnswers } from "./repeats/find-repeat.ts";
import { nameRequest, type Repeat, type Standing } from "./repeats/name-request.ts";
import { requestHash } from "./request-hash.ts";
import { pilotOfQuestion, planResolved, type ResolvedQuestion, readQuestion } from "./resolved-question.ts";
import { statementsOf } from "./statements-of.ts";

/** An answer, and whether it was given before. */
export interface Answered {
  readonly release: Release;
  /** Where the release is that of an earlier request, for which nothing is charged now: when it was given, and the names of its columns as they are asked for now. Else null. */
  readonly repeat: Repeat | null;
  /** How it stands for the same question, asked again; null where it does not. */
  readonly standing: Standing | null;
}

/** An answer that is made of releases, for which nothing is charged. */
export interface Made {
  readonly made: MadeAnswer;
}

/**
 * One question's journey. Everything before its charge is free and touches no row; after it the price is spent, come what
 * may; nothing leaves before its bytes are durable. A question with a pilot makes the journey twice.
 * Errors: coded refusals, never a value of the data.
 */
export async function answer(question: Question, house: House): Promise<Release> {
  return (await answerOrRepeat(question, house)).release;
}

/** {@link answer}, which says whether the answer was given before. */
export async function answerOrRepeat(question: Question, { entropy, ...house }: House): Promise<Answered> {
  return travel(question, { ...house, draws: drawing(entropy) });
}

/**
 * {@link answerOrRepeat}, which gives an answer that is made of releases where they make one: that of several answers to the same question, or of an answer by more keys.
 * Errors: also query.option for a question that may be answered so alone, and is not.
 */
export async function answerOrMade(
  question: Question,
  { entropy, ...house }: House,
): Promise<Answered | Made> {
  return travelOrMake(question, { ...house, draws: drawing(entropy) });
}

/** {@link answer}, whatever draws: an audit's recording too, which nothing else can make. */
export async function answerDrawing(question: Question, house: DrawingHouse): Promise<Release> {
  return (await travel(question, house)).release;
}

async function travel(
  given: Question,
  opened: DrawingHouse,
  seen: SeenAnswers | null = null,
): Promise<Answered> {
  const house = given.repeats === undefined ? opened : { ...opened, engine: askedAhead(opened.engine) };
  const { resolved: read, question: asked } = await onItsDay(given, house);
  const query = await withPublicValues(read.query, house.policy, house.engine);
  const resolved = query === read.query ? read : { ...read, query };
  const { options, principal } = asked;
  const pilot = pilotOfQuestion(resolved);
  if (pilot !== null) {
    const named = await nameRequest(asked, resolved, pilot.plan, house);
    const { question, isAnswered, repeat, standing } = named;
    if (!isAnswered) refuseUnmade(asked);
    return { release: await answerPiloted(question, resolved, pilot, house), repeat, standing };
  }
  const earlier =
    resolved.targetRelease === null
      ? null
      : await earlierRelease(
          resolved.targetRelease,
          { principal, held: options.heldRelease ?? null },
          house.ledger,
        );
  const { plan, target } = planResolved(resolved, earlier && releasedNumbers(earlier)); // typed, priced, free of data
  const named = await nameRequest(asked, resolved, plan, house, seen);
  const { question, isAnswered, repeat, standing } = named;
  const request = {
    question,
    resolved,
    plan,
    target: target && { ...target, certificate: earlier && certificateHash(earlier) },
    requestHash: requestHash(question, resolved.policyHash),
    statements: statementsOf(plan),
  };
  if (!isAnswered) {
    refuseUnmade(asked);
    tellBeforeCharge(request, house);
  }
  const { release, isEarlier } = await answerPlanned(request, house);
  // The answer came while this one was on its way: nothing was charged for it here.
  const met = isEarlier && standing ? { asOf: release.certificate.at, columns: standing.columns } : null;
  return { release, repeat: repeat ?? met, standing };
}

/** The same journey, which ends before the charge where releases make the answer. */
async function travelOrMake(question: Question, house: DrawingHouse): Promise<Answered | Made> {
  const { repeats, principal } = question;
  if (repeats === "earlier" || repeats === "made") {
    const { resolved } = await onItsDay(question, house);
    const found = await makeableNow(resolved, principal, house);
    const makeable = found?.makeable ?? null;
    if (makeable !== null && (makeable.isTaken || repeats === "made")) return { made: makeable.made };
    return travel(question, house, found?.seen);
  }
  return travel(question, house);
}

/** Errors: query.option for a question that may be answered by what was released alone. */
function refuseUnmade({ repeats }: Question): void {
  if (repeats !== "made") return;
  throw new LetheError("query.option", "what was released to you does not make the answer to this question", {
    fix: "ask without made: the question is then paid for",
  });
}

/**
 * Reads a question on the day that it states, or else on the clock's. The day is one of its options from then on where the text reads it, so that its request stands for
 * that day, and of no other question's.
 */
async function onItsDay(
  asked: Question,
  { policy, clock }: DrawingHouse,
): Promise<{ readonly resolved: ResolvedQuestion; readonly question: Question }> {
  const { today: stated, ...others } = asked.options;
  const day = stated ?? new Date(clock()).toISOString().slice(0, 10);
  const resolved = await readQuestion(asked.text, { ...others, today: day }, policy);
  const { today } = resolved.query;
  return { resolved, question: { ...asked, options: today === undefined ? others : { ...others, today } } };
}
