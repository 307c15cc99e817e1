import { LetheError } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { familyOf } from "../aggregates/family-of.ts";
import type { Domain } from "../expressions/domain.ts";
import { type OverColumnKind, overColumns } from "../over/over-columns.ts";
import type { ParameterValue } from "../parse/parameters.ts";
import { parseQuestion } from "../parse/parse-question.ts";
import type { Policy } from "../policy/policy.ts";
import { byName } from "../refusals/by-name.ts";
import { answerColumns } from "../resolve/names/answer-columns.ts";
import type { ResolvedQuery } from "../resolve/names/resolved-query.ts";
import { resolveQuestion } from "../resolve/question/resolve-question.ts";
import { type Guess, type ParameterType, parameterCount, parameterGuesses } from "./parameter-guesses.ts";

/** The form of a question: what its answer looks like, and the values that it waits for. */
export interface QuestionDescription {
  readonly columns: readonly DescribedOutput[];
  /** $1, $2 … in their order. */
  readonly parameters: readonly DescribedParameter[];
}

export interface DescribedOutput {
  readonly name: string;
  readonly type: Domain["type"];
  /** key: a value that rows are grouped by. aggregate, computed: a noisy value. label: a text, a boolean or a time made of noisy values, or an end of an interval. */
  readonly kind: OverColumnKind["kind"];
  /** Whether it is a key whose numbers are all whole; absent elsewhere. */
  readonly isWhole?: true;
}

export interface DescribedParameter {
  /** The name by which the question writes it, such as $1. */
  readonly name: string;
  /** The type under which the question is accepted. A date or a timestamp is given as a text. */
  readonly type: ParameterType;
}

/**
 * Describes a question before its parameters have values: the names and types of the columns of its answer, and the types of its parameters. It reads
 * the policy alone and costs nothing. A parameter has the type of the column that it is compared with, or else the first type under which the question
 * is accepted. Errors: those of resolving; query.parameter where no types of the parameters make a question that is accepted.
 * @example (await describeQuestion("SELECT sector, AVG(wage) FROM people WHERE wage > $1 GROUP BY sector", policy)).parameters // => [{ name: "$1", type: "number" }]
 */
export async function describeQuestion(text: string, policy: Policy): Promise<QuestionDescription> {
  const count = parameterCount(text);
  const blank = await parseQuestion(text, new Array<null>(count).fill(null));
  if (count === 0) return { columns: columnsOf(resolveQuestion(blank, policy)), parameters: [] };
  const guesses = parameterGuesses(blank, count, policy);
  const ask = async (values: readonly ParameterValue[]): Promise<ResolvedQuery | LetheError> => {
    try {
      return resolveQuestion(await parseQuestion(text, values), policy);
    } catch (error) {
      if (error instanceof LetheError) return error;
      throw error;
    }
  };
  const alone: Guess[] = [];
  for (const [at, each] of guesses.entries()) alone.push(await firstAccepted(each, at, count, ask));
  for (const types of [alone, ...combinations(guesses)])
    for (const share of shares(count)) {
      const asked = await ask(types.map(({ value }, at) => value(share(at))));
      if (!(asked instanceof LetheError))
        return {
          columns: columnsOf(asked),
          parameters: types.map(({ type }, at) => ({ name: `$${at + 1}`, type })),
        };
    }
  const refused = await ask(alone.map(({ value }) => value(0.5)));
  if (refused instanceof LetheError) throw refused;
  throw new LetheError("query.parameter", "the types of the parameters cannot be told", {
    fix: "compare each parameter with a column, or write CAST($1 AS type)",
  });
}

/** Returns the first type that one parameter may have while the others are NULL. A condition that no row meets has the right types. */
async function firstAccepted(
  guesses: readonly Guess[],
  at: number,
  count: number,
  ask: (values: readonly ParameterValue[]) => Promise<ResolvedQuery | LetheError>,
): Promise<Guess> {
  for (const guess of guesses) {
    const values = Array.from({ length: count }, (_, other) => (other === at ? guess.value(0.5) : null));
    const asked = await ask(values);
    if (!(asked instanceof LetheError) || asked.code === "query.impossible") return guess;
  }
  return elementAt(guesses, 0);
}

const mostCombinations = 64;

/** Yields types of all parameters together, where those of each alone do not fit: the likeliest first, a bounded number. */
function* combinations(guesses: readonly (readonly Guess[])[]): Iterable<readonly Guess[]> {
  for (let number = 0; number < mostCombinations; number += 1) {
    let rest = number;
    const chosen = guesses.map((each) => {
      const guess = elementAt(each, rest % each.length);
      rest = Math.floor(rest / each.length);
      return guess;
    });
    if (rest > 0) return;
    yield chosen;
  }
}

/** The places of the parameters' values within what each may be: rising, falling, all alike. A condition such as a span needs one of these. */
function shares(count: number): readonly ((at: number) => number)[] {
  const step = 1 / (count + 1);
  return [(at) => (at + 1) * step, (at) => 1 - (at + 1) * step, () => 0.5, () => 0, () => 1];
}

function columnsOf({ over, others, ...own }: ResolvedQuery): readonly DescribedOutput[] {
  const shown = overColumns(over ?? { kind: "answer" }, (name) =>
    answered(name === undefined ? own : byName(others ?? [], name).query),
  );
  return shown.map(({ name, type, kind, isWhole }) => ({
    name,
    type,
    kind,
    ...(isWhole ? { isWhole } : {}),
  }));
}

type AnsweredQuery = Pick<ResolvedQuery, "outputs" | "groupBy" | "aggregates">;

function answered({ outputs, groupBy, aggregates }: AnsweredQuery): ReturnType<typeof answerColumns> {
  return answerColumns(outputs, groupBy, (name) => {
    const aggregate = byName(aggregates, name);
    return familyOf(aggregate).time(aggregate) ?? "number";
  });
}
