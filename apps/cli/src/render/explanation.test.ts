import type { Explanation, ExplanationNode } from "@lethe/query";
import { expect, it } from "vitest";
import { renderExplanation } from "./explanation.ts";

const node = (label: string, ...children: readonly ExplanationNode[]): ExplanationNode => ({
  label,
  details: [`what ${label} does`],
  stability: null,
  costs: null,
  answers: [],
  measured: [],
  children,
});

it("draws a plan as a tree, in which each last branch ends its line", () => {
  const tree = node("noise", node("join", node("people"), node("visits")), node("codes"));
  const explanation: Explanation = {
    text: "SELECT COUNT(*) FROM people",
    price: { measure: "pure", epsilon: "1" },
    unit: "person",
    adjacency: "replace-one",
    ordered: null,
    tree,
    answers: [],
    measurements: [],
    assumptions: [],
    missing: [],
    confidence: 0.95,
    prices: [],
    views: [],
    target: null,
    pilot: null,
    keyNotice: null,
    warnings: [],
    savings: [],
  };
  const lines = renderExplanation(explanation).split("\n");
  const first = lines.indexOf("noise");
  expect(lines.slice(first, lines.indexOf("", first))).toEqual([
    "noise",
    "│   what noise does",
    "├─ join",
    "│  │   what join does",
    "│  ├─ people",
    "│  │      what people does",
    "│  └─ visits",
    "│         what visits does",
    "└─ codes",
    "       what codes does",
  ]);
});
