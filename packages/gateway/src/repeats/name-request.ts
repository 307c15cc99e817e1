import { LetheError } from "@lethe/core";
import { type Plan, shownColumns, tablesAnswered } from "@lethe/query";
import type { DrawingHouse } from "../house.ts";
import type { NamedQuestion, Question } from "../question.ts";
import type { ResolvedQuestion } from "../resolved-question.ts";
import { type DataVersion, dataVersion, type TableVersion } from "./data-version.ts";
import { answeredAt, findRepeat, type SeenAnswers } from "./find-repeat.ts";
import { isGivenId } from "./request-id.ts";
import { sameQuestion } from "./same-question.ts";

/** A question under the id of the request that answers it. */
export interface NamedRequest {
  readonly question: NamedQuestion;
  /** Whether the ledger keeps its answer, so that nothing is charged. */
  readonly isAnswered: boolean;
  /** The answer that was given before to the same question; null where it is paid for, and of a request with an id of its own, which shows the same each time. */
  readonly repeat: Repeat | null;
  /** How the answer stands for the same question, asked again; null where it does not. */
  readonly standing: Standing | null;
}

/** How an answer stands for the same question, of the same version of the data, asked again by the same principal. */
export interface Standing {
  /** The names of its columns, as they are asked for now. */
  readonly columns: readonly string[];
  /** The milliseconds for which it stands, where the policy's period limits that; null for as long as the version does. */
  readonly validFor: number | null;
}

/** An answer that was given before, to the same question. */
export interface Repeat {
  /** When it was given: ISO 8601, from the service's clock. */
  readonly asOf: string;
  /** The names of its columns, as they are asked for now. */
  readonly columns: readonly string[];
}

/**
 * Gives a question that allows it the request of an earlier answer, or else the next request of this question. A question with an id of its own keeps
 * it: that names one request for ever, whatever else was asked. `plan` is that of the question, or of its pilot; `seen` is what was just seen of
 * its answers. Errors: ledger.request for an id of Lethe's own form that names no answered request; ledger.principal.
 */
export async function nameRequest(
  question: Question,
  resolved: ResolvedQuestion,
  plan: Plan,
  house: DrawingHouse,
  seen: SeenAnswers | null = null,
): Promise<NamedRequest> {
  const { principal, requestId, repeats, options } = question;
  const { ledger } = house;
  const columns = shownColumns(plan).map(({ name }) => name);
  if (repeats === undefined) {
    const answered = await ledger.settled(requestId, principal);
    if (!isGivenId(requestId))
      return { question, isAnswered: answered !== null, repeat: null, standing: null };
    if (answered === null) throw unknownId(requestId);
    const asOf = answeredAt(answered.release);
    const repeat = asOf === null ? null : { asOf, columns };
    return {
      question: { ...question, same: sameQuestion(resolved, plan) },
      isAnswered: true,
      repeat,
      standing: null,
    };
  }
  const version = await versionRead(plan, house);
  if (version === null) return { question, isAnswered: false, repeat: null, standing: null };
  const standing = { columns, validFor: version.validFor };
  const same = sameQuestion(resolved, plan);
  const { answered, next } = await findRepeat({ principal, same, version }, house, seen);
  if (repeats === "anew" || answered === null)
    return { question: { ...question, requestId: next, same }, isAnswered: false, repeat: null, standing };
  await ledger.remaining(principal, { project: options.project ?? null }); // who may ask no more is shown nothing either
  return {
    question: { ...question, requestId: answered.requestId, same },
    isAnswered: true,
    repeat: { asOf: answered.asOf, columns },
    standing,
  };
}

/** Returns the version of what a plan reads, through the engine that would read it. Errors: those of its storage. */
export async function versionRead(
  plan: Plan,
  { engine, policy, declared = {} }: DrawingHouse,
): Promise<DataVersion | null> {
  const versions: TableVersion[] = [];
  for (const table of tablesAnswered(plan)) {
    const { imported = null } = await engine.storage(table);
    versions.push({ table, imported, declared: Object.hasOwn(declared, table) ? declared[table]! : null });
  }
  return dataVersion(versions, policy);
}

function unknownId(requestId: string): LetheError {
  return new LetheError(
    "ledger.request",
    `the request id ${JSON.stringify(requestId)} has the form of those that Lethe gives, and names no answer`,
    {
      fix: "ask without an id: the newest answer to the same question is shown again",
      fields: { requestId },
    },
  );
}
