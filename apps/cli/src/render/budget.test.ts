import { parseRational, type Rational } from "@lethe/core";
import { one, zero } from "@lethe/core/numeric";
import type { BudgetReport, ChargeReport, ScopeBalance, ScopeName } from "@lethe/ledger";
import { expect, it } from "vitest";
import { renderBudget, renderChanges } from "./budget.ts";

const charge: ChargeReport = {
  sequence: 1,
  at: Date.UTC(2024, 1, 29, 23, 59, 58, 999),
  principal: "ada",
  project: null,
  sharedBy: null,
  requestId: "monday",
  text: "SELECT COUNT(*)\n  FROM people ",
  loss: { measure: "pure", epsilon: parseRational("1/2") },
  state: "settled",
};
const report: BudgetReport = {
  measure: "pure",
  granted: { measure: "pure", epsilon: one },
  spent: { measure: "pure", epsilon: parseRational("1/3") },
  left: { measure: "pure", epsilon: parseRational("2/3") },
  analysts: [],
  scopes: [],
  clockBehind: null,
  closed: false,
  charges: [],
  budgets: [],
  head: { sequence: 7, hash: "ab".repeat(32) },
};

/** The cells of a rendered line. */
const cells = (line: string): readonly string[] => line.trim().split(/ {2,}/);

it("an account without a charge says what is granted, spent and left, and its head", () => {
  expect(renderBudget(report)).toBe(
    [
      "budget   pure",
      "───────  ──────────",
      "granted  ε 1",
      "spent    ε 0.333334",
      "left     ε 0.666666",
      "",
      "No charge yet.",
      "",
      `Head 7:${"ab".repeat(32)}`,
      "Keep it elsewhere: lethe ledger verify --head detects a restored older file.",
    ].join("\n"),
  );
  expect(renderBudget({ ...report, closed: true })).toMatch(/^closed {3}nothing more is charged$/m);
});

it("each charge is a line with its time in UTC, who asked, its price, what became of it, and its question", () => {
  const charges = [
    charge,
    { ...charge, sequence: 12, state: "failed" },
    { ...charge, sequence: 13, state: "reserved" },
    { ...charge, sequence: 14, project: "churn", sharedBy: "bob" },
  ] as const;
  const lines = renderBudget({ ...report, charges })
    .split("\n")
    .slice(6, 12);
  expect([lines[0]!, ...lines.slice(2)].map(cells)).toEqual([
    ["#", "when (UTC)", "who", "charge", "state", "request", "question"],
    ["1", "2024-02-29 23:59:58", "ada", "ε 0.5", "answered", "monday", "SELECT COUNT(*) FROM people"],
    ["12", "2024-02-29 23:59:58", "ada", "ε 0.5", "failed", "monday", "SELECT COUNT(*) FROM people"],
    ["13", "2024-02-29 23:59:58", "ada", "ε 0.5", "not answered", "monday", "SELECT COUNT(*) FROM people"],
    [
      "14",
      "2024-02-29 23:59:58",
      "ada for churn",
      "ε 0.5",
      "shared by bob",
      "monday",
      "SELECT COUNT(*) FROM people",
    ],
  ]);
  expect(lines[2]).toMatch(/^ 1 /);
});

it("a question is cut only where it is longer than 72 letters", () => {
  const [fits, long] = ["x".repeat(72), "x".repeat(73)];
  const text = renderBudget({ ...report, charges: [fits, long].map((text) => ({ ...charge, text })) });
  expect(text).toMatch(/ x{72}$/m);
  expect(text).toMatch(/ x{71}…$/m);
});

it("scopes are told with their caps and spending, and only where there are any", () => {
  const lifetime = { per: "ever", since: 0, cap: { main: one, delta: null }, reserved: null } as const;
  const scope = (name: ScopeName, spent: Rational): ScopeBalance => ({
    scope: name,
    measure: "pure",
    periods: [{ ...lifetime, spent: { measure: "pure", epsilon: spent } }],
    listed: true,
    closed: false,
  });
  const account = scope(["account"], parseRational("1/3"));
  const text = renderBudget({ ...report, scopes: [account, scope(["analyst", "bob"], zero)] });
  expect(text).toMatch(/^analyst bob {2}lifetime {2}ε 1 {2}ε 0 {9}ε 1 {9}—$/m);
  expect(renderBudget({ ...report, scopes: [account] })).not.toContain("lifetime");
});

it("each change of the budget is told once with its number, time, kind and reason, however much it changed", () => {
  const at = Date.UTC(2024, 0, 1);
  const text = renderBudget({
    ...report,
    budgets: [
      {
        sequence: 3,
        at,
        kind: "apply",
        reason: "second\nquarter",
        changes: [
          { how: "raised", what: "ε", from: "1", to: "2" },
          { how: "closed", what: "the account", from: null, to: null },
        ],
      },
      {
        sequence: 9,
        at,
        kind: "grant",
        reason: "",
        changes: [{ how: "named", what: "analyst ada", from: null, to: "1" }],
      },
    ],
  });
  const lines = text.split("\n").slice(8, 13);
  expect(cells(lines[0]!)).toEqual(["#", "when (UTC)", "budget", "what changed", "reason"]);
  expect(lines.slice(2).map(cells)).toEqual([
    ["3", "2024-01-01 00:00:00", "applied", "ε 1 → 2 (raised)", "second quarter"],
    ["the account is closed"],
    ["9", "2024-01-01 00:00:00", "granted", "analyst ada → 1 (named)"],
  ]);
});

it("what a budget would change is told with where it comes from and where it goes", () => {
  expect(
    renderChanges([
      { how: "raised", what: "ε", from: "1", to: "12" },
      { how: "removed", what: "analyst ada", from: "1/2", to: null },
      { how: "named", what: "analyst bob", from: null, to: "1" },
    ]),
  ).toBe(
    [
      "what         from  to",
      "───────────  ────  ──  ───────",
      "ε               1  12  raised",
      "analyst ada   1/2      removed",
      "analyst bob         1  named",
    ].join("\n"),
  );
});
