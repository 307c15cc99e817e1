import { ratio, toText } from "@lethe/core";
import { compare, divide, elementAt, zero } from "@lethe/core/numeric";
import { argumentGrid } from "../../aggregates/bounds/argument-grid.ts";
import { familyOf } from "../../aggregates/family-of.ts";
import type { Named } from "../../aggregates/kinds.ts";
import { publicKeys } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import type { Plan } from "../../plan/plan.ts";
import { unitContribution } from "../../plan/unit-contribution.ts";
import type { Policy } from "../../policy/policy.ts";
import { plural } from "../../refusals/plural.ts";
import type { Aggregate, QuestionOptions, ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import type { Variant } from "./variant.ts";

/**
 * Returns the changes to a question that could make it cheaper: in the choice of groups, the limits on a unit's contribution, the
 * bounds of numbers, and the noise. The planner decides whether each of them helps. `question` holds all options, and no target.
 */
export function variantsOf(question: ResolvedQuery, plan: Plan, policy: Policy): readonly Variant[] {
  return [
    ...publicVariants(question, plan),
    ...contributionVariants(question, plan),
    ...boundsVariants(question),
    ...noiseVariants(question, plan, policy),
  ];
}

const withOptions = (question: ResolvedQuery, changed: Partial<QuestionOptions>): ResolvedQuery => ({
  ...question,
  options: { ...question.options, ...changed },
});

/** Returns the variant whose keys are in a public list, and so need no selection. */
function publicVariants(question: ResolvedQuery, plan: Plan): readonly Variant[] {
  // Totals of public keys are made in another way, so that errors have no counterpart.
  if (plan.keys.program.kind !== "private" || question.groupings) return [];
  const keys = question.groupBy;
  const hidden = keys.filter(({ expression }) => publicKeys(expression.domain) === null);
  const changed = withOptions(question, { groupSelection: null, minPrivacyUnitsPerGroup: null });
  if (hidden.length === 0)
    return [
      {
        change: "answer every public key instead of selecting groups privately",
        how: "group_selection_strategy = public",
        takes: null,
        question: changed,
      },
    ];
  const listed = keys.flatMap(({ name, expression: key }) => {
    const expression = listedKey(key, unitContribution(plan.contribution).groups);
    return expression ? [{ name, expression }] : [];
  });
  if (listed.length < keys.length) return [];
  const names = hidden.map(({ name }) => name).join(" and ");
  return [
    {
      change: `a public list of ${names} instead of selecting groups privately`,
      how: `categories of ${names} in the policy, from what is public and never from the data`,
      takes: "values outside the list join the group of the default, or of NULL",
      question: { ...changed, groupBy: listed },
    },
  ];
}

/** Returns a key as though its values were listed. Their number does not matter, once it is more than the groups a unit can be in. */
function listedKey(key: Expression, groups: number): Expression | null {
  const { domain } = key;
  if (publicKeys(domain) !== null) return key;
  if (key.kind !== "column") return null;
  const places = Array.from({ length: Math.max(2, groups) }, (_, at) => at);
  if (domain.type === "text") return { ...key, domain: { ...domain, values: places.map(String) } };
  return domain.type === "number" && domain.integer
    ? { ...key, domain: { ...domain, values: places } }
    : null;
}

function contributionVariants(question: ResolvedQuery, plan: Plan): readonly Variant[] {
  const { contribution } = plan;
  const { groups, rows, enforced } = contribution;
  if (!enforced) return [];
  const [fewer, less] = [Math.floor(groups / 2), Math.floor(rows / 2)];
  const isOfTable = contribution.limit === "rows-before-filter";
  const byGroups: Variant = {
    change: isOfTable
      ? `at most ${plural(fewer * rows, "row")} of a unit instead of ${groups * rows}`
      : `a unit in at most ${plural(fewer, "group")} instead of ${groups}`,
    how: `max_groups_contributed = ${fewer}`,
    takes: isOfTable ? someRows : "units in more groups count in some of them only",
    question: withOptions(question, { maxGroupsContributed: fewer }),
  };
  const byRows: Variant = {
    change: isOfTable
      ? `at most ${plural(groups * less, "row")} of a unit instead of ${groups * rows}`
      : `at most ${plural(less, "row")} of a unit in a group instead of ${rows}`,
    how: `max_rows_contributed_per_group = ${less}`,
    takes: someRows,
    question: withOptions(question, { maxRowsPerGroup: less }),
  };
  // Beside a limit on all rows of a unit no limit on its groups can be stated.
  const mayLimitGroups = fewer >= 1 && question.options.maxRowsContributed === null;
  return [...(mayLimitGroups ? [byGroups] : []), ...(less >= 1 ? [byRows] : [])];
}

const someRows = "units with more rows count with some of them only";

type Bounded = Extract<Aggregate, { readonly bounds: unknown }>;

/** Whether the policy or the question bounds each row: not where a group is bounded, or bounds are to be learned. */
const isBounded = (aggregate: Named<Aggregate>): aggregate is Named<Bounded> =>
  "bounds" in aggregate && (aggregate.bounds === null || aggregate.bounds.per === "row");

/** The most numbers whose bounds are halved one by one: of more, none alone saves much, and each is a question to plan. */
const mostNumbers = 8;

/** Halves bounds: towards 0 for a sum, whose error they set by their distance from 0; about the middle for others. */
function boundsVariants(question: ResolvedQuery): readonly Variant[] {
  const bounded = question.aggregates.filter(isBounded);
  const distinct = [...new Map(bounded.map((aggregate) => [writeSql(aggregate.argument), aggregate]))];
  if (distinct.length > mostNumbers) return allHalved(question, distinct.length);
  return distinct.flatMap(([sql, { argument }]): readonly Variant[] => {
    const same = bounded.filter((aggregate) => writeSql(aggregate.argument) === sql);
    const [lo, hi] = halved(elementAt(same, 0));
    if (!(lo < hi)) return [];
    const range = `(${shown(lo)}, ${shown(hi)})`;
    const names = same.length > 1 ? "each of its aggregates" : nameOf(elementAt(same, 0));
    return [
      {
        change: `bounds of ${writeSql(argument)} half as wide, ${range}`,
        how: `contribution_bounds_per_row => ${range} in ${names}, or bounds in the policy`,
        takes: "values beyond are clamped to the bounds, which may bias the answer",
        question: {
          ...question,
          aggregates: question.aggregates.map((aggregate) =>
            isBounded(aggregate) && same.includes(aggregate)
              ? { ...aggregate, bounds: { per: "row", lo, hi } }
              : aggregate,
          ),
        },
      },
    ];
  });
}

/** Halves the bounds of all numbers together. */
function allHalved(question: ResolvedQuery, numbers: number): readonly Variant[] {
  return [
    {
      change: `bounds of all ${numbers} numbers half as wide`,
      how: "contribution_bounds_per_row of half the width in each aggregate, or bounds in the policy",
      takes: "values beyond are clamped to the bounds, which may bias the answer",
      question: {
        ...question,
        aggregates: question.aggregates.map((aggregate) => {
          if (!isBounded(aggregate)) return aggregate;
          const [lo, hi] = halved(aggregate);
          return lo < hi ? { ...aggregate, bounds: { per: "row", lo, hi } } : aggregate;
        }),
      },
    },
  ];
}

function nameOf(aggregate: Bounded): string {
  return familyOf(aggregate).describe(aggregate, writeSql(aggregate.argument));
}

function halved(aggregate: Bounded): readonly [number, number] {
  const { kind, argument, bounds } = aggregate;
  const { lo, hi, exponent } = argumentGrid(kind.toUpperCase(), argument, bounds);
  const [low, high] = [Number(lo) * 2 ** exponent, Number(hi) * 2 ** exponent];
  if (familyOf(aggregate).errorIsBySize) return [low / 2, high / 2];
  return [low + (high - low) / 4, high - (high - low) / 4];
}

const shown = (x: number): string => String(Number(x.toPrecision(6)));

/** The kinds of noise that were not weighed: forced ones, and Gaussians where nobody offered a δ. */
function noiseVariants(
  question: ResolvedQuery,
  plan: Plan,
  { budget, defaults }: Policy,
): readonly Variant[] {
  const { mechanism, delta } = question.options;
  if (mechanism !== null)
    return [
      {
        change: "whichever noise is narrower instead of a stated one",
        how: "leave mechanism out",
        takes: null,
        question: withOptions(question, { mechanism: null }),
      },
    ];
  const isOffered = delta !== null || defaults.delta !== null || plan.keys.program.kind === "private";
  if (budget.measure !== "approximate" || isOffered || compare(budget.delta, zero) === 0) return [];
  const offered = divide(budget.delta, ratio(100n));
  return [
    {
      change: "Gaussian noise, which may spend δ",
      how: `delta = ${decimal(toText(offered))}`,
      takes: `it spends δ ${decimal(toText(offered))} of the account`,
      question: withOptions(question, { delta: offered }),
    },
  ];
}

/** "1/100000000" as "1e-8". */
function decimal(text: string): string {
  const [num, den = "1"] = text.split("/");
  return String(Number(num) / Number(den));
}
