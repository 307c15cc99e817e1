import { parseRational } from "@lethe/core";
import type { ScopeBalance } from "@lethe/ledger";
import { expect, it } from "vitest";
import { width } from "./printable.ts";
import { hasScopes, renderScopes } from "./scopes.ts";

const amounts = (main: string | null, delta: string | null) => ({
  main: main === null ? null : parseRational(main),
  delta: delta === null ? null : parseRational(delta),
});
const spent = (epsilon: string, delta: string) =>
  ({ measure: "approximate", epsilon: parseRational(epsilon), delta: parseRational(delta) }) as const;
const lifetime = {
  per: "ever",
  since: 0,
  cap: amounts("5", "1e-6"),
  spent: spent("1/3", "0"),
  reserved: null,
} as const;
const account: ScopeBalance = {
  scope: ["account"],
  measure: "approximate",
  periods: [lifetime],
  listed: true,
  closed: false,
};
const member: ScopeBalance = {
  ...account,
  scope: ["member", "ada", "churn"],
  periods: [
    { ...lifetime, cap: amounts("1/7", null), spent: spent("1/3", "1e-7") },
    { ...lifetime, per: "month", since: Date.UTC(2026, 1, 1), cap: amounts(null, "1e-7"), spent: null },
  ],
};

it("spent is rounded up, left down and never below nothing, and each period has its line", () => {
  expect(renderScopes([account, member]).split("\n")).toEqual([
    "scope                         over                 cap          spent               left                reserved",
    "────────────────────────────  ───────────────────  ───────────  ──────────────────  ──────────────────  ────────",
    "the account                   lifetime             ε 5, δ 1e-6  ε 0.333334          ε 4.666666, δ 1e-6  —",
    "analyst ada in project churn  lifetime             ε 0.142858   ε 0.333334, δ 1e-7  ε 0                 —",
    "                              month of 2026-02-01  δ 1e-7       not shown           not shown           —",
  ]);
});

it("a δ that is used up is told as 0, and none where none was spent", () => {
  const used = { ...account, periods: [{ ...lifetime, spent: spent("1", "1e-6") }] };
  expect(renderScopes([used])).toMatch(/ ε 1, δ 1e-6 {2}ε 4, δ 0 {2}—$/m);
});

it("what is reserved, closed, revoked, unlisted or without a cap is told", () => {
  const words = (scope: ScopeBalance): readonly string[] =>
    renderScopes([scope], 300).split("\n").at(-1)!.split(/ {2,}/);
  const reserved = { ...account, periods: [{ ...lifetime, reserved: amounts("1", "1e-7") }] };
  expect(words(reserved).at(-1)).toBe("ε 1, δ 1e-7");
  expect(words({ ...account, closed: true })[0]).toBe("the account (closed)");
  expect(words({ ...account, scope: ["analyst", "bob"], closed: true, listed: false })[0]).toBe(
    "analyst bob (revoked, not in the policy)",
  );
  expect(words({ ...account, periods: [{ ...lifetime, cap: null }] }).slice(2)).toEqual([
    ...["no cap", "ε 0.333334", "—", "—"],
  ]);
  const zcdp = { measure: "zcdp", rho: parseRational("1/2"), delta: parseRational("0") } as const;
  expect(words({ ...account, measure: "zcdp", periods: [{ ...lifetime, spent: zcdp }] })[2]).toBe(
    "ρ 5, δ 1e-6",
  );
});

it("the table fits a terminal of 80 columns and one of 140", () => {
  for (const columns of [80, 140]) {
    const text = renderScopes([account, member], columns);
    for (const line of text.split("\n")) expect(width(line)).toBeLessThanOrEqual(columns);
  }
});

it("scopes are told where there is more than the account's lifetime", () => {
  expect([[account], [account, member], [member]].map(hasScopes)).toEqual([false, true, true]);
});
