import type { Adjacency, Event } from "@lethe/core";
import { type Bounds, type Odds, odds, type RepresentationId } from "@lethe/core/accounting";
import type { Question } from "./question.ts";
import { everyRepresentation, representationNames } from "./representation-names.ts";
import type { Subject } from "./subject.ts";
import { type Textbook, textbooksOf } from "./textbooks.ts";

/** The answer to one question about one account, under every representation of loss that has a theorem. All numbers are claims: bounds. */
export interface Answer {
  readonly asked: Question;
  readonly of: "epsilon" | "delta";
  /** The tightest sound interval. */
  readonly best: Bounds;
  readonly representations: readonly FormAnswer[];
  /** The values of formulas of textbooks, each within its domain alone. Nothing is charged by them. */
  readonly textbooks: readonly Textbook[];
}

export interface FormAnswer extends Bounds {
  readonly representation: RepresentationId;
  readonly name: string;
}

export interface Report {
  readonly title: string;
  readonly details: string;
  readonly adjacency: Adjacency;
  /** The parameter that was asked for, as it is used below; null where none was. */
  readonly found: { readonly parameter: string; readonly value: string } | null;
  /** What an attacker gains who sees all of it. */
  readonly odds: Odds;
  readonly answers: readonly Answer[];
  readonly event: Event;
}

/** Returns the report of a subject. Errors: account.unprovable where no representation has a theorem. */
export function reportOf(
  subject: Subject,
  questions: readonly Question[],
  found: Report["found"] = null,
): Report {
  const { title, details, whole, event } = subject;
  return {
    title,
    details,
    adjacency: whole.adjacency,
    found,
    odds: odds(event, whole.adjacency),
    answers: questions.map((asked) => answerOf(subject, asked)),
    event,
  };
}

function answerOf(subject: Subject, asked: Question): Answer {
  const { whole } = subject;
  const of = "delta" in asked ? "epsilon" : "delta";
  const ask = (curve: { epsilon(delta: number): Bounds; delta(epsilon: number): Bounds }): Bounds =>
    "delta" in asked ? curve.epsilon(asked.delta) : curve.delta(asked.epsilon);
  const representations = everyRepresentation.flatMap((representation) => {
    const curve = whole.by(representation);
    return curve === null
      ? []
      : [{ representation, name: representationNames[representation], ...ask(curve) }];
  });
  return { asked, of, best: ask(whole), representations, textbooks: textbooksOf(subject, asked) };
}
