import { elementAt, lastElement } from "@lethe/core/numeric";
import { isUnlimited } from "../../aggregates/bounds/argument-grid.ts";
import type { Named } from "../../aggregates/kinds.ts";
import type { Expression } from "../../expressions/expression.ts";
import { boundEnds } from "../../expressions/operators/bound-cells.ts";
import type { Aggregate, ResolvedQuery } from "../../resolve/names/resolved-query.ts";

/** An argument whose bounds a question asks to be learned, and the public ends among which they lie. */
export interface LearnedArgument {
  readonly argument: Expression;
  readonly ends: readonly number[];
}

/** Bounds, the lower one first. */
export type Bounds = readonly [number, number];

/** The arguments whose bounds are to be learned, each once however many aggregates share it. */
export function learnedArguments({ aggregates }: ResolvedQuery): readonly LearnedArgument[] {
  const learned = new Map<string, LearnedArgument>();
  for (const aggregate of aggregates) {
    const { argument, ends } = learnedBy(aggregate) ?? {};
    if (argument && ends) learned.set(JSON.stringify(argument), { argument, ends });
  }
  return [...learned.values()];
}

/** Null for an aggregate with other bounds; nothing to learn where the domain is a point, or beyond all ends. */
function learnedBy(aggregate: Aggregate): Partial<LearnedArgument> | null {
  if (!("bounds" in aggregate) || aggregate.bounds?.per !== "auto") return null;
  const { argument } = aggregate;
  const ends = argument.domain.type === "number" ? boundEnds(argument.domain) : null;
  return ends === null ? {} : { argument, ends };
}

/** The question as it is where its learned bounds are these, in the order of {@link learnedArguments}. */
export function withBounds(
  question: ResolvedQuery,
  learned: readonly LearnedArgument[],
  bounds: readonly Bounds[],
): ResolvedQuery {
  const places = new Map(learned.map(({ argument }, at) => [JSON.stringify(argument), at]));
  const aggregates = question.aggregates.map((aggregate): Named<Aggregate> => {
    if (!learnedBy(aggregate) || !("bounds" in aggregate)) return aggregate;
    const at = places.get(JSON.stringify(aggregate.argument));
    if (at === undefined) return { ...aggregate, bounds: null };
    const [lo, hi] = elementAt(bounds, at);
    return { ...aggregate, bounds: { per: "row", lo, hi, learned: true } };
  });
  return { ...question, aggregates };
}

/**
 * Bounds to plan and to explain with before any are learned: of all that there could be, or [−1, 1] where nothing bounds the
 * argument – errors grow in proportion to the bounds.
 */
export function assumedBounds({ argument, ends }: LearnedArgument): Bounds {
  return isUnlimited(argument) ? [-1, 1] : [elementAt(ends, 0), lastElement(ends)];
}
