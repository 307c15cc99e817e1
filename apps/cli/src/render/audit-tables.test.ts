import type { AuditRow } from "@lethe/audit";
import { expect, test } from "vitest";
import { renderAudit } from "./audit.ts";
import { auditTables } from "./audit-tables.ts";

const row: AuditRow = {
  audit: "estimate",
  subject: "laplace",
  of: "lethe",
  finding: null,
  claim: "ε = 1",
  measured: "ε ≥ 0.8",
  interval: null,
  ceiling: 1,
  how: "6,000 outputs",
};
const other: AuditRow = { ...row, subject: "gaussian", claim: "ε = 2", measured: "ε ≥ 1.1" };
const control: AuditRow = { ...row, subject: "naive", of: "control", finding: "loses more", how: "5 rounds" };

test("what most rows were judged by is said once, and what others were beside them", () => {
  const [table] = auditTables([row, other, control]);
  expect(table!.said).toEqual(["How, unless said: 6,000 outputs."]);
  expect(table!.lines.map(({ how }) => how)).toEqual(["", "", "5 rounds"]);
  expect(table!.lines.map(({ claim }) => claim)).toEqual(["ε = 1", "ε = 2", "ε = 1"]);
});

test("a claim is said once where every row makes it, and never of a row alone", () => {
  expect(auditTables([row, control])[0]!.said).toEqual(["Claim of each: ε = 1."]);
  expect(auditTables([row, { ...row, measured: "ε ≥ 0.7" }])[0]!.said).toEqual([
    "Claim of each: ε = 1.",
    "How: 6,000 outputs.",
  ]);
  expect(auditTables([row])[0]).toMatchObject({
    said: [],
    lines: [{ claim: "ε = 1", how: "6,000 outputs" }],
  });
});

test("as text: a table an audit, without columns that say nothing", () => {
  const text = renderAudit([row, { ...row, subject: "again" }, { ...other, audit: "one-run" }]);
  expect(text.split("\n\n").slice(0, 2)).toEqual([
    [
      "estimate: lower bounds of ε from samples, with confidence, against the whole claimed curve",
      "Claim of each: ε = 1.",
      "How: 6,000 outputs.",
      "    subject  measured",
      "──  ───────  ────────",
      "ok  laplace  ε ≥ 0.8",
      "ok  again    ε ≥ 0.8",
    ].join("\n"),
    [
      "one-run: training with canaries: each is included by the toss of a coin, and guessed after a single run",
      "    subject   claim  measured  what",
      "──  ────────  ─────  ────────  ─────────────",
      "ok  gaussian  ε = 2  ε ≥ 1.1   6,000 outputs",
    ].join("\n"),
  ]);
});

test("how rows were judged is said once where at least half of them were judged so, the first of several in order", () => {
  const saidOf = (...hows: readonly string[]): readonly string[] =>
    auditTables(hows.map((how, at) => ({ ...row, claim: `ε = ${at}`, how })))[0]!.said;
  expect(saidOf("a", "b", "a", "c")).toEqual(["How, unless said: a."]);
  expect(saidOf("a", "b", "a", "c", "d")).toEqual([]);
  expect(saidOf("a", "b", "b", "a")).toEqual(["How, unless said: a."]);
  expect(saidOf("a", "b", "b", "a", "b")).toEqual(["How, unless said: b."]);
});

test("the end of a table of audits counts what stands, what does not, controls and what is only told", () => {
  const ends = (...rows: readonly AuditRow[]): string => renderAudit(rows).split("\n\n").at(-1)!;
  const last = "A claim that stands was not refuted: the proofs beside the mechanisms are what hold it.";
  expect(ends(row)).toBe(`Claims that stand: 1; that do not: 0.\n${last}`);
  const told: AuditRow = { ...row, of: "told" };
  const missed: AuditRow = { ...control, finding: null };
  expect(ends(row, { ...other, finding: "loses more" }, control, control, missed, told)).toBe(
    [
      "Claims that stand: 1; that do not: 1.",
      "2 of 3 controls with a known fault were caught.",
      "Shown without a claim: 1.",
      last,
    ].join("\n"),
  );
});

test("a finding stands in the place of how it was judged", () => {
  const text = renderAudit([
    { ...row, finding: "loses more" },
    { ...control, audit: "one-run" },
  ]);
  expect(text).toMatch(/^FINDING +laplace +ε = 1 +ε ≥ 0\.8 +loses more$/m);
  expect(text).toMatch(/^caught +naive .* loses more$/m);
  expect(text).not.toContain("6,000 outputs");
});
