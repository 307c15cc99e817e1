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
      "one-run: training with canaries, each in or out by a coin and guessed after a single run",
      "    subject   claim  measured  what",
      "──  ────────  ─────  ────────  ─────────────",
      "ok  gaussian  ε = 2  ε ≥ 1.1   6,000 outputs",
    ].join("\n"),
  ]);
});
