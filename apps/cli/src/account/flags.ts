import type { AccountOptions, Adjacency, Event } from "@lethe/core";
import { LetheError } from "@lethe/core";
import { accuracyOf, deltaOf, epsilonOf, wholeNumber } from "./parameters.ts";
import type { EpsilonAt, Question } from "./question.ts";

/** The flags that every `lethe account` command takes. Numbers are texts until they are read by name. */
export interface AccountFlags {
  readonly delta?: string;
  readonly epsilon?: string;
  /** The membership advantage that the noise to be found keeps to, instead of ε and δ. */
  readonly advantage?: string;
  readonly adjacency: Adjacency;
  /** The number of units that see it together; one unless stated. */
  readonly group?: string;
  readonly accuracy?: string;
  readonly json?: boolean;
  readonly plot?: string;
  readonly data?: string;
}

export function optionsOf({ adjacency, accuracy }: AccountFlags): AccountOptions {
  return { adjacency, ...(accuracy === undefined ? {} : { accuracy: accuracyOf(accuracy) }) };
}

/** Returns the event as --group sees it. Errors: parameter.invalid. */
export function seenBy({ group }: Pick<AccountFlags, "group">, event: Event): Event {
  const size = group === undefined ? 1n : wholeNumber("group", group);
  return size === 1n ? event : { kind: "group", version: 1, size: size.toString(), event };
}

/** Returns the questions for ε at --delta and for δ at --epsilon, whichever are given. Errors: cli.usage where neither is. */
export function questionsOf({ delta, epsilon, advantage }: AccountFlags): readonly Question[] {
  const questions: Question[] = [
    ...(delta === undefined ? [] : [{ delta: deltaOf(delta), said: delta }]),
    ...(epsilon === undefined ? [] : [{ epsilon: epsilonOf(epsilon), said: epsilon }]),
  ];
  if (questions.length > 0 || advantage !== undefined) return questions;
  throw new LetheError("cli.usage", "an account is asked for ε at a δ, or for δ at an ε", {
    fix: "add --delta 1e-5, or --epsilon 1",
  });
}

/** The target of a calibration, and the question that its result then answers. */
export interface TargetSaid extends Required<Omit<AccountOptions, "representations">> {
  readonly epsilon: number;
  readonly delta: number;
  readonly question: EpsilonAt;
}

/** Returns the target of a calibration as it was typed. Errors: cli.usage where --epsilon or --delta is missing. */
export function targetTexts({ delta, epsilon }: AccountFlags): Readonly<Record<"epsilon" | "delta", string>> {
  if (delta !== undefined && epsilon !== undefined) return { epsilon, delta };
  throw new LetheError("cli.usage", "a calibration needs the target: --epsilon and --delta", {
    fix: "add --epsilon 3 --delta 1e-5",
  });
}

/** Returns the target of a calibration. Errors: cli.usage where --epsilon or --delta is missing; parameter.invalid. */
export function targetOf(flags: AccountFlags): TargetSaid {
  const { epsilon, delta } = targetTexts(flags);
  const { adjacency, accuracy } = flags;
  const most = epsilonOf(epsilon);
  const least = deltaOf(delta);
  return {
    epsilon: most,
    delta: least,
    adjacency,
    // The result is reported at the accuracy at which it was found, so that what keeps to the target is seen to. A finer one than
    // 1e-6 may take minutes, and has to be asked for.
    accuracy: accuracy === undefined ? Math.max(most * 2e-5, 1e-6) : accuracyOf(accuracy),
    question: { delta: least, said: delta },
  };
}
