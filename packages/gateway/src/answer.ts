import { drawing } from "@lethe/core/mechanisms";
import { answerPiloted } from "./answer-piloted.ts";
import { answerPlanned } from "./answer-planned.ts";
import { tellBeforeCharge } from "./before-charge.ts";
import { certificateHash, earlierRelease, releasedNumbers } from "./earlier-release.ts";
import type { DrawingHouse, House } from "./house.ts";
import type { Question } from "./question.ts";
import type { Release } from "./release.ts";
import { askedAhead } from "./repeats/asked-ahead.ts";
import { nameRequest, type Repeat } from "./repeats/name-request.ts";
import { requestHash } from "./request-hash.ts";
import { pilotOfQuestion, planResolved, readQuestion } from "./resolved-question.ts";

/** An answer, and whether it was given before. */
export interface Answered {
  readonly release: Release;
  /** Where the release is that of an earlier request, for which nothing is charged now: when it was given, and the names of its columns as they are asked for now. Else null. */
  readonly repeat: Repeat | null;
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

/** {@link answer}, whatever draws: an audit's recording too, which nothing else can make. */
export async function answerDrawing(question: Question, house: DrawingHouse): Promise<Release> {
  return (await travel(question, house)).release;
}

async function travel(asked: Question, given: DrawingHouse): Promise<Answered> {
  const house = asked.repeats === undefined ? given : { ...given, engine: askedAhead(given.engine) };
  const { options, principal, text } = asked;
  const resolved = await readQuestion(text, options, house.policy);
  const pilot = pilotOfQuestion(resolved);
  if (pilot !== null) {
    const { question, repeat } = await nameRequest(asked, resolved, pilot.plan, house);
    return { release: await answerPiloted(question, resolved, pilot, house), repeat };
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
  const { question, repeat } = await nameRequest(asked, resolved, plan, house);
  const request = {
    question,
    resolved,
    plan,
    target: target && { ...target, certificate: earlier && certificateHash(earlier) },
    requestHash: requestHash(question, resolved.policyHash),
  };
  if (repeat === null) tellBeforeCharge(request, house);
  return { release: await answerPlanned(request, house), repeat };
}
