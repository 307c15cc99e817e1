import { linearIntervals, mostNoises } from "@lethe/core/accuracy";
import { elementAt } from "@lethe/core/numeric";
import type { Widths } from "../../aggregates/answers/widths.ts";
import { familyOf } from "../../aggregates/family-of.ts";
import type { PostExpression } from "../../aggregates/post-expression.ts";
import type { TimeType } from "../../expressions/calendar/times.ts";
import { byName } from "../../refusals/by-name.ts";
import { aggregatesOf } from "../../resolve/post/post-parts.ts";
import { answerSetting } from "../answer-setting.ts";
import { groupingsOf } from "../groupings.ts";
import { linearForm } from "../linear-form.ts";
import { noiseOf } from "../noise-of.ts";
import type { Plan } from "../plan.ts";
import { type RowNoise, rowNoiseName } from "../row-noise.ts";
import type { ExplainedAnswer } from "./explained-answer.ts";
import { ratioWidths } from "./ratio-widths.ts";

/** The width that the interval of one answer will have, in the question's units. */
export interface AnswerWidth extends Widths, Pick<ExplainedAnswer, "name" | "kind" | "madeOf" | "unit"> {
  /** The number of measured groups that a row adds up: 1 but for totals over public ones. */
  readonly groups: number;
  /** The name of its column. */
  readonly column: string;
}

/**
 * Returns the half-widths of every answer that has an interval, in the order of the select list. Where several groupings are
 * asked at once, these are the widths for each number of groups that a row adds up, and for each grouping that is measured by
 * itself. The rest of a total beside its released groups is as wide as all that it holds together, which nobody knows before
 * groups are released.
 */
export function answerWidths(plan: Plan, confidence: number): readonly AnswerWidth[] {
  const rows = new Map(
    groupingsOf(plan).map(
      ({ level, draws }) => [rowNoiseName([{ level, draws }]), { level, draws }] as const,
    ),
  );
  return [...rows.values()].flatMap(({ level, draws }) =>
    widthsOf(plan, confidence, [{ level, draws }]).map(({ name, ...width }) => ({
      name: `${name}${rowName(plan, level, draws)}`,
      ...width,
      groups: draws,
      column: name,
    })),
  );
}

/** The unit that the number which stands for a time counts. */
const timeUnits: Readonly<Record<TimeType, "days" | "seconds">> = { date: "days", timestamp: "seconds" };

function rowName({ totals }: Plan, level: number, draws: number): string {
  const size = draws === 1 ? "" : ` of ${draws} groups`;
  if (level === 0) return size === "" ? "" : `, total${size}`;
  const by = elementAt(totals ?? [], level - 1).keys.join(", ");
  return `, total${size} ${by === "" ? "over all" : `by ${by}`}`;
}

function widthsOf(
  plan: Plan,
  confidence: number,
  row: RowNoise,
): readonly Omit<AnswerWidth, "groups" | "column">[] {
  return plan.outputs.flatMap((output): readonly Omit<AnswerWidth, "groups" | "column">[] => {
    const { name } = output;
    if (output.kind === "computed") {
      if (output.type !== "number" || aggregatesOf(output.expression).length === 0) return [];
      return [{ name, kind: "computed", ...computed(plan, output.expression, confidence, row) }];
    }
    if (output.kind !== "aggregate") return [];
    const aggregate = byName(plan.aggregates, output.aggregate);
    const family = familyOf(aggregate);
    const unit = family.reading(aggregate)?.time;
    const widths = family.widths(aggregate, answerSetting(plan, confidence, row));
    const isKnown = widths.halfWidth !== null || widths.widthAt !== null;
    return [
      {
        name,
        kind: aggregate.kind,
        madeOf: isKnown ? [] : family.measurements(aggregate),
        ...(unit ? { unit: timeUnits[unit] } : {}),
        ...widths,
      },
    ];
  });
}

/**
 * Returns the widths of a computed column: sums and differences of totals have one half-width, ratios of totals to a count a
 * curve; any other column is as wide as its parts make it.
 */
function computed(
  plan: Plan,
  expression: PostExpression,
  confidence: number,
  row: RowNoise,
): Widths & Pick<AnswerWidth, "madeOf"> {
  const read = aggregatesOf(expression).map((name) => byName(plan.aggregates, name));
  const measured = read.flatMap((aggregate) => familyOf(aggregate).measurements(aggregate));
  const trees = read.flatMap((aggregate) => familyOf(aggregate).reading(aggregate)?.tree ?? []);
  const madeOf = [...new Set([...measured, ...trees])];
  const form = linearForm(plan, expression);
  const noises = [...(form?.weights.keys() ?? [])].map((name) => noiseOf(plan, name, row));
  if (!form || noises.length === 0 || noises.length > mostNoises)
    return {
      halfWidth: null,
      widthAt: ratioWidths(plan, expression, confidence, row),
      bounds: null,
      madeOf,
    };
  const { constant } = form;
  const weights = [...form.weights.values()];
  const { value, upper } = linearIntervals({ noises, weights, constant, confidence })(noises.map(() => 0n));
  return { halfWidth: upper - value, widthAt: null, bounds: null, madeOf };
}
