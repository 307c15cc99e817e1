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

const explained: Explanation = {
  text: "SELECT COUNT(*) FROM people",
  price: { measure: "pure", epsilon: "1" },
  unit: "person",
  adjacency: "replace-one",
  ordered: null,
  tree: node("noise"),
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

it("draws a plan as a tree, in which each last branch ends its line", () => {
  const tree = node("noise", node("join", node("people"), node("visits")), node("codes"));
  const lines = renderExplanation({ ...explained, tree }).split("\n");
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

it("says what is known of groups, views and questions hardly worth paying, each where there is something to say", () => {
  const parts = {
    keyNotice: "groups of fewer than 20 units are seldom released",
    views: [{ name: "adults", sql: "SELECT *\n  FROM people" }],
    assumptions: ["max_groups is 3"],
    warnings: [{ message: "every interval is the whole range", fix: "give more epsilon" }],
  };
  const said = {
    keyNotice: "Groups: groups of fewer than 20 units are seldom released",
    views: "View    adults: SELECT * FROM people",
    assumptions: "  max_groups is 3",
    warnings: "Hardly worth paying: every interval is the whole range\n  give more epsilon",
  };
  const silent = renderExplanation(explained);
  for (const name of Object.keys(parts) as (keyof typeof parts)[]) {
    expect(silent).not.toContain(said[name]);
    expect(`${renderExplanation({ ...explained, [name]: parts[name] })}\n`).toContain(`${said[name]}\n`);
  }
});
