import { type ConvexModel, type ConvexPlan, convexEntries, type TuningPlan } from "@lethe/learn/convex";
import type { ExplainedConvex, ExplainedPlan } from "../train/convex.ts";
import { renderGrid } from "./grid.ts";
import { renderNumber } from "./loss.ts";

const digits = (x: number): string => String(Number(x.toPrecision(3)));

/** A claim that must not be too small. */
export const upward = (x: number): string => {
  const shown = Number(x.toPrecision(3));
  return shown >= x ? String(shown) : String(Number((x * (1 + 5e-3)).toPrecision(3)));
};

const mostShown = 20;

export const algorithmWords: Readonly<Record<ConvexPlan["algorithm"], string>> = {
  "noisy-descent@1": "noisy projected descent",
  "localization@1": "iterative localization",
  "one-pass@1": "one pass, last iterate",
  "output-perturbation@1": "output perturbation",
  "objective-perturbation@1": "objective perturbation",
  "frank-wolfe@1": "Frank–Wolfe",
};

/** A convex model for a person to read: its largest weights, and what was proven of it before any data. */
export function renderConvex(model: ConvexModel): string {
  const { target, weights, algorithm, report, loss, tuning } = model;
  const names = convexEntries(model);
  const rows = weights
    .map((weight, at): readonly [string, number] => [names[at] ?? "", weight])
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .slice(0, mostShown);
  const what =
    target.kind === "number"
      ? `${target.name}, in half widths of its bounds`
      : `the score of ${target.name} = ${target.categories[1]}`;
  const left = weights.length - rows.length;
  return [
    `Convex model of ${what}: ${loss.name} loss, by ${algorithmWords[algorithm]}`,
    renderGrid(
      ["entry", "weight"],
      rows.map(([name, weight]) => [name, digits(weight)]),
      [false, true],
    ),
    ...(left > 0 ? [`${left} smaller weights are left out`] : []),
    ...(tuning === null
      ? reportLines(report)
      : [
          `Chosen  candidate ${tuning.candidate + 1}; the next lines are of its training alone`,
          ...reportLines(report),
          tuningLine(tuning.report),
        ]),
  ].join("\n");
}

/** What is minimised, how, and what is proven, line by line, for a person to read before paying. */
export function renderExplainedConvex({ weights, units, plans, tuning }: ExplainedConvex): readonly string[] {
  const lines = plans.map((plan) => planLines(plan, { weights, units }));
  if (tuning === null) return lines.flat();
  const { tries, report } = tuning;
  return [
    ...lines.flatMap((own, at) => [`Candidate ${at + 1}`, ...own.map((line) => `  ${line}`)]),
    `Choice  the best of about ${digits(tries)} tries, each a candidate drawn by coins, by a noisy sum of gains`,
    tuningLine(report),
  ];
}

function tuningLine({ price, oneTry }: TuningPlan["report"]): string {
  return `Whole   ε ${upward(price.epsilon)} at δ ${renderNumber(String(price.delta))} is the certified price of all tries; one costs ε ${upward(oneTry)}`;
}

function planLines(
  { algorithm, loss, radius, steps, report }: ExplainedPlan,
  { weights, units }: Pick<ExplainedConvex, "weights" | "units">,
): readonly string[] {
  const { lipschitz, smoothness } = report;
  const smooth = smoothness === null ? "not smooth" : `β ${digits(smoothness)}`;
  const ball = algorithm === "frank-wolfe@1" ? "ℓ1 ball" : "ball";
  return [
    `Problem ${loss} loss over ${weights} weights in a ${ball} of radius ${digits(radius)}; L ${digits(lipschitz)}, ${smooth}; ${units} declared units`,
    `Method  ${algorithmWords[algorithm]}, ${steps} steps`,
    ...reportLines(report),
  ];
}

/** σ and ε of the theorem beside the tight price, and the proven bound. */
function reportLines(report: ConvexPlan["report"]): readonly string[] {
  const { price, bound } = report;
  const delta = price.delta > 0 ? ` at δ ${renderNumber(String(price.delta))}` : "";
  const { risk, proven, withoutData, vacuous } = bound;
  const over = risk === "empirical" ? "of the data's units" : "of the population that units are drawn from";
  return [
    ...theoremLines(report),
    `Tight   ε ${upward(price.epsilon)}${delta} is the certified price of what runs`,
    vacuous
      ? `Bound   vacuous: it proves an excess of at most ${upward(proven)}, and the weights 0, which need no data, have at most ${upward(withoutData)}`
      : `Bound   the mean loss ${over} exceeds the least in the ball by at most ${upward(proven)}, on average over the noise; the weights 0 by at most ${upward(withoutData)}`,
  ];
}

function theoremLines(report: ConvexPlan["report"]): readonly string[] {
  if ("rhoWithoutIteration" in report)
    return [`Theorem releasing every iterate would cost ρ ${upward(report.rhoWithoutIteration)}`];
  if ("sensitivity" in report)
    return [
      `Theorem minima of neighbours are at most ${upward(report.sensitivity.exact)} apart, and what is computed ${upward(report.sensitivity.computed)}`,
    ];
  if ("accuracy" in report)
    return [`Theorem the second noise covers ${upward(report.accuracy)} of distance to the exact minimum`];
  if (!("sigma" in report)) return [];
  const drawn = `Noise   σ ${upward(report.sigma)} on each coordinate of the mean gradient`;
  const { theorem } = report;
  if (theorem === null)
    return [drawn, "Theorem C Thm 2 does not cover this: ε below 1, ln(1/δ) ≥ ε, and enough steps"];
  return [
    drawn,
    `Theorem C Thm 2 takes σ ${upward(theorem.sigma)} for ε ${digits(theorem.epsilon)}, and proves an excess of at most ${upward(theorem.excess)}`,
  ];
}
