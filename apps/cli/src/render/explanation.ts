import { type PrivacyLossText, parseRational, toDecimal, toDouble } from "@lethe/core";
import type {
  Alternative,
  CurvePoint,
  ExplainedAnswer,
  ExplainedMeasurement,
  ExplainedPilot,
  ExplainedPrice,
  Explanation,
  ExplanationNode,
  ReachedAdvantage,
  ReachedTarget,
  ReleasedShare,
  Stability,
} from "@lethe/query";
import { typicalWords } from "@lethe/query";
import type { Explained } from "../open.ts";
import type { EarlierAnswer } from "../repeats/earlier-answer.ts";
import { renderMadeAhead } from "../repeats/render-made.ts";
import { renderLoss } from "./loss.ts";
import { confidencePercent, decimalsFor, fixed, percent } from "./number.ts";

/** The advantage that was stated instead of a price. */
function renderAdvantage({ stated, reached, epsilon }: ReachedAdvantage): string {
  return `no test of membership gains more than ${percent(reached)} over guessing from this answer, of ${percent(toDouble(parseRational(stated), "up"))} stated: at ε ${toDecimal(parseRational(epsilon), "up", 10)}`;
}

/** An answer that is there already. */
export function renderEarlier({ asOf, requestId }: EarlierAnswer): string {
  return `Now     nothing: the answer as of ${asOf} (${requestId}) is shown again; --fresh pays for a new one`;
}

/** Price, plan, noise and expected error, for a person to read before paying. */
export function renderExplanation(
  explanation: Explanation & Partial<Pick<Explained, "earlier" | "made" | "reads">>,
): string {
  const {
    price,
    prices,
    unit,
    adjacency,
    tree,
    answers,
    assumptions,
    missing,
    confidence,
    target,
    pilot,
    views,
    alternatives,
    keyNotice,
    warnings,
    advantage,
    earlier = null,
    made = null,
    reads = [],
  } = explanation;
  const chances = missing.map(({ units, chance }) => `${units}: ${percent(chance)}`).join(", ");
  return [
    `Price   ${pilot === null ? "" : "at most "}${renderLoss(price)}   (nothing is charged, no row is read)`,
    ...(earlier === null || made?.isTaken ? [] : [renderEarlier(earlier)]),
    ...(made === null ? [] : [renderMadeAhead(made)]),
    ...(pilot === null ? [] : [renderPilot(pilot)]),
    `As      ${prices.map(renderPrice).join("; ")}`,
    ...(target === null ? [] : [`Target  ${renderTarget(target)}`]),
    ...(advantage === undefined ? [] : [`Odds    ${renderAdvantage(advantage)}`]),
    `Unit    ${unit}; ${adjacency}`,
    ...views.map(({ name, sql }) => `View    ${name}: ${sql.replace(/\s+/g, " ").trim()}`),
    "",
    ...renderTree(tree, "", ""),
    "",
    `Expected error (half of the ${confidencePercent(confidence)} interval)`,
    ...answers.map(renderAnswer),
    ...assumptions.map((assumption) => `  ${assumption}`),
    ...(missing.length > 0
      ? [
          "",
          `Missing groups are never named. Chance that a group is missing, by its number of units: ${chances}`,
        ]
      : []),
    ...(keyNotice === null ? [] : [`Groups: ${keyNotice}`]),
    ...warnings.flatMap(({ message, fix }) => ["", `Hardly worth paying: ${message}`, `  ${fix}`]),
    ...(alternatives.length > 0
      ? [
          "",
          "Alternatives: each change by itself makes the question cheaper, with errors no larger",
          ...alternatives.map(renderAlternative),
        ]
      : []),
    ...(reads.length === 0 ? [] : ["", ...reads.flatMap(({ words }) => words)]),
  ].join("\n");
}

function renderAlternative({ change, how, takes, epsilon, price, saved, error }: Alternative): string {
  const but = takes === null ? "" : `; ${takes}`;
  return [
    `  ${renderLoss(price)} (${percent(saved)} less): ${how}, epsilon = ${renderLoss({ measure: "pure", epsilon }).slice(2)}`,
    `      ${change}: at the full price, ${percent(error)} of the error${but}`,
  ].join("\n");
}

const measureNames: Readonly<Record<PrivacyLossText["measure"], string>> = {
  pure: "pure",
  approximate: "approximate",
  zcdp: "zCDP",
};

/** "approximate at δ 1e-6: ε 0.93". */
function renderPrice({ measure, delta, price }: ExplainedPrice): string {
  const name = measureNames[measure];
  if (price === null) return `${name}: not provable for this noise`;
  if (delta === null) return `${name}: ${renderLoss(price)}`;
  // The δ is said once, and with it where the price needs less.
  const spent = price.measure === "approximate" && parseRational(price.delta).num === 0n ? " (δ 0)" : "";
  const at = renderLoss({ measure: "approximate", epsilon: "0", delta }).replace("ε 0, ", "");
  return `${name} at ${at}: ${renderLoss(price).replace(/, δ .*/, "")}${spent}`;
}

function renderPilot({ price, maxPrice }: ExplainedPilot): string {
  return `Pilot   ${renderLoss(price)} for the first measurement; the second costs what the target then needs, at most ${renderLoss(maxPrice)}: the lines below are for that most`;
}

/** "± 50 (5 % of 1000 expected rows): reached with ± 49.7 at ε 0.0603, the lowest ε of four digits". */
function renderTarget({ halfWidth, relative, released, rows, reached, epsilon }: ReachedTarget): string {
  const said = [
    ...(relative === null ? [] : [`${relative.share} of ${fixed(relative.expectedRows, 0)} expected rows`]),
    ...(released === null ? [] : [renderShares(released)]),
  ].map((words) => ` (${words})`);
  const where = rows === null ? "" : ` in a group of ${fixed(rows, 0)} rows`;
  const price = renderLoss({ measure: "pure", epsilon });
  const how = reached === null ? "drowned by the noise" : `reached with ± ${significant(reached)}`;
  return `± ${significant(halfWidth)}${said}${where}: ${how} at ${price}, the lowest ε of four digits`;
}

/** "1/20 of what r1 released: n ± 12 (of 240, the median of 2 released sizes)". */
function renderShares({ share, requestId, answers }: ReleasedShare): string {
  const each = answers.map(
    (answer) => `${answer.name} ± ${significant(answer.halfWidth)} (${typicalWords(answer)})`,
  );
  return `${share} of what ${requestId} released: ${each.join(", ")}`;
}

function renderTree(node: ExplanationNode, head: string, tail: string): string[] {
  const { label, details, stability, costs, answers, measured, children } = node;
  const facts = [
    ...(stability === null ? [] : [renderStability(stability)]),
    ...(costs === null ? [] : [`costs ${renderLoss(costs)}`]),
  ];
  const errors = new Map(answers.map((answer) => [answer.name, renderError(answer)]));
  const lines = [
    ...details.map((detail) => (errors.has(detail) ? `${detail} ${errors.get(detail)}` : detail)),
    ...measured.map(renderMeasured),
  ];
  return [
    `${head}${label}${facts.length > 0 ? `   · ${facts.join(" · ")}` : ""}`,
    ...lines.map((line) => `${tail}${children.length > 0 ? "│ " : "  "}  ${line}`),
    ...children.flatMap((child, i) => {
      const isLast = i === children.length - 1;
      return renderTree(child, `${tail}${isLast ? "└─ " : "├─ "}`, `${tail}${isLast ? "   " : "│  "}`);
    }),
  ];
}

function renderStability({ rows, groups }: Stability): string {
  const across = groups === null ? "" : ` in ${plural(groups, "group")}`;
  if (rows === null) return "a unit may have any number of rows";
  return rows === 0 ? "no unit's rows" : `a unit changes at most ${plural(rows, "row")}${across}`;
}

function plural(count: number, noun: string): string {
  return `${fixed(count, 0)} ${noun}${count === 1 ? "" : "s"}`;
}

function renderMeasured({ name, l1, l2, mechanism, scale, halfWidth, price }: ExplainedMeasurement): string {
  const sensitivity = `Δ₁ ${significant(l1)}, Δ₂ ${significant(l2)}`;
  if (mechanism === "constant@1") return `${name}: no unit changes it, so it has no noise and no price`;
  return `${name}: ${sensitivity}; ${mechanism} of scale ${significant(scale)}: ± ${significant(halfWidth)}, ${renderLoss(price)} alone`;
}

/** One number for the tree: the whole half-width, or that at the group's expected size. */
function renderError({ halfWidth, expected, curve, unit }: ExplainedAnswer): string {
  if (halfWidth === 0) return "(exact)";
  if (halfWidth !== null) return `± ${significant(halfWidth)}`;
  const point = expected ?? curve.find(({ rows }) => rows === 1000);
  const of = unit === undefined ? "" : ` ${unit}`;
  return point ? `± ${significant(point.typical)}${of} in a group of ${fixed(point.rows, 0)} rows` : "";
}

/** Writes the error that one column of an answer is expected to have. */
export function renderAnswer(answer: ExplainedAnswer): string {
  const { kind, halfWidth, curve, expected, madeOf, unit } = answer;
  const name = unit === undefined ? answer.name : `${answer.name}, in ${unit}`;
  if (halfWidth === 0) return `  ${name}: exact`;
  if (halfWidth !== null) return `  ${name}: ± ${significant(halfWidth)} in a group of any size`;
  const points = [
    ...(expected === null ? [] : [`${renderPoint(expected)} as the policy expects`]),
    ...curve.map(renderPoint),
  ];
  const spread = kind === "quantile" ? "; if values are spread evenly over their bounds" : "";
  if (points.length > 0) return `  ${name}: ${points.join(", ")}${spread}`;
  return `  ${name}: its error depends on what it is computed from: ${madeOf.join(", ")}`;
}

function renderPoint({ rows, typical, worst }: CurvePoint): string {
  return `${fixed(rows, 0)} rows ± ${significant(typical)}${differs(typical, worst)}`;
}

/** The least favourable data, where it makes a visible difference. */
function differs(typical: number, worst: number): string {
  return worst > 1.05 * typical ? ` (at worst ${significant(worst)})` : "";
}

function significant(x: number): string {
  return x === 0
    ? "0"
    : Math.abs(x) >= 1e9
      ? x.toExponential(2)
      : fixed(x, Math.min(6, decimalsFor(Math.abs(x)) + 1))
          .replace(/(\.\d*?)0+$/, "$1")
          .replace(/\.$/, "");
}
