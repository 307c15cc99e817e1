import type { ExplainedAnswer, Explanation, ExplanationNode } from "@lethe/query";
import { renderGrid } from "./grid.ts";
import { renderLoss } from "./loss.ts";
import { confidencePercent, decimalsFor, fixed, percent } from "./number.ts";

/** Price, plan, noise and expected error, for a person to read before paying. */
export function renderExplanation(explanation: Explanation): string {
  const { price, unit, adjacency, tree, measurements, answers, missing, confidence } = explanation;
  const noise = measurements.map(({ describes, mechanism, l1, l2, scale, price: alone }) => [
    describes,
    significant(l1),
    significant(l2),
    mechanism,
    significant(scale),
    renderLoss(alone),
  ]);
  const chances = missing.map(({ units, chance }) => `${units}: ${percent(chance)}`).join(", ");
  return [
    `Price   ${renderLoss(price)}   (nothing is charged, no row is read)`,
    `Unit    ${unit}; ${adjacency}`,
    "",
    ...renderTree(tree, "", ""),
    "",
    renderGrid(["measured", "Δ₁", "Δ₂", "noise", "scale", "costs"], noise, [false, true, true, false, true]),
    "",
    `Expected error (half of the ${confidencePercent(confidence)} interval)`,
    ...answers.map(renderAnswer),
    ...(missing.length > 0
      ? [
          "",
          `Missing groups are never named. Chance that a group is missing, by its number of units: ${chances}`,
        ]
      : []),
  ].join("\n");
}

function renderTree({ label, details, children }: ExplanationNode, head: string, tail: string): string[] {
  const lines = [
    `${head}${label}`,
    ...details.map((detail) => `${tail}${children.length > 0 ? "│ " : "  "}  ${detail}`),
  ];
  return [...lines, ...children.flatMap((child) => renderTree(child, `${tail}└─ `, `${tail}   `))];
}

function renderAnswer({ name, halfWidth, curve, madeOf }: ExplainedAnswer): string {
  if (halfWidth === 0) return `  ${name}: exact`;
  if (halfWidth !== null) return `  ${name}: ± ${significant(halfWidth)} in a group of any size`;
  if (madeOf.length > 0)
    return `  ${name}: as wide as what it is computed from makes it: ${madeOf.join(", ")}`;
  const points = curve.map(
    ({ rows, typical, worst }) =>
      `${fixed(rows, 0)} rows ± ${significant(typical)}${differs(typical, worst)}`,
  );
  return `  ${name}: ${points.join(", ")}`;
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
