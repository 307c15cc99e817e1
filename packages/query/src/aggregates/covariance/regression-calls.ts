import type { Expression } from "../../expressions/expression.ts";
import type { PostOperator } from "../../expressions/operator.ts";
import type { ArgumentPair } from "../argument-pair.ts";
import type { CallForm, ComputedForm } from "../call-form.ts";
import type { Aggregate } from "../kinds.ts";
import type { PostExpression } from "../post-expression.ts";
import { covariance } from "./covariance-calls.ts";

type Measure = (aggregate: Aggregate) => PostExpression;

const derivations: Readonly<Record<string, ComputedForm["of"]>> = {
  corr: correlation,
  regr_slope: (pair, measure) => slope(pair, measure),
  regr_intercept: (pair, measure) =>
    call(
      "-",
      measure(average(pair.first, pair)),
      call("*", slope(pair, measure), measure(average(pair.second, pair))),
    ),
  regr_r2: (pair, measure) => call("power", correlation(pair, measure), { kind: "literal", value: 2 }),
  regr_count: counted,
  // The first argument is the dependent variable.
  regr_avgx: (pair, measure) => measure(average(pair.second, pair)),
  regr_avgy: (pair, measure) => measure(average(pair.first, pair)),
  regr_sxx: (pair, measure) => times(pair, spread("variance", pair.second, pair), measure),
  regr_syy: (pair, measure) => times(pair, spread("variance", pair.first, pair), measure),
  regr_sxy: (pair, measure) => times(pair, covariance(pair, true), measure),
};

function counted({ present }: ArgumentPair, measure: Measure): PostExpression {
  return measure({ kind: "count", argument: present.domain.nullable ? present : null });
}

/** Times the number of pairs: a total in place of a mean. */
function times(pair: ArgumentPair, mean: Aggregate, measure: Measure): PostExpression {
  return call("*", counted(pair, measure), measure(mean));
}

function correlation(pair: ArgumentPair, measure: Measure): PostExpression {
  const both = call(
    "*",
    measure(spread("stddev", pair.first, pair)),
    measure(spread("stddev", pair.second, pair)),
  );
  const quotient = call("/", measure(covariance(pair, true)), both);
  // LEAST and GREATEST would pass over a NULL.
  return {
    kind: "case",
    branches: [
      {
        when: call("is-not-null", quotient),
        // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
        then: call("least", literal(1), call("greatest", literal(-1), quotient)),
      },
    ],
    otherwise: literal(null),
  };
}

function slope(pair: ArgumentPair, measure: Measure): PostExpression {
  return call("/", measure(covariance(pair, true)), measure(spread("variance", pair.second, pair)));
}

const literal = (value: number | null): PostExpression => ({ kind: "literal", value });

function call(operator: PostOperator, ...args: readonly PostExpression[]): PostExpression {
  return { kind: "call", operator, args };
}

function average(argument: Expression, { present }: ArgumentPair): Aggregate {
  return { kind: "avg", argument, bounds: null, present };
}

function spread(kind: "variance" | "stddev", argument: Expression, { present }: ArgumentPair): Aggregate {
  return { kind, population: true, argument, bounds: null, present };
}

/**
 * Correlations and regressions, as what they are made of: each part is measured once however many of them need it.
 *   CORR = COVAR_POP(x, y)/(STDDEV_POP(x)·STDDEV_POP(y)), within ±1        REGR_R2 = CORR²
 *   REGR_SXX = n·VAR_POP(x)      REGR_SYY = n·VAR_POP(y)      REGR_SXY = n·COVAR_POP(x, y)      n = REGR_COUNT
 *   REGR_SLOPE(y, x) = COVAR_POP(x, y)/VAR_POP(x)      REGR_INTERCEPT(y, x) = AVG(y) − slope·AVG(x)
 * over the rows where neither is NULL; NULL where a spread is 0. PostgreSQL names the dependent variable first.
 */
export const regressionCalls: Readonly<Record<string, CallForm>> = Object.fromEntries(
  Object.entries(derivations).map(([name, of]) => [name, { reads: "computed pair", of }] as const),
);
