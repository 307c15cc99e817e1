import type { AttackResult, AuditRow } from "@lethe/audit";
import { describe, expect, test } from "vitest";
import { type AuditReport, renderReport } from "./render-report.ts";
import { rocOf } from "./roc-chart.ts";

const row: AuditRow = {
  audit: "estimate",
  subject: "discrete-laplace",
  of: "lethe",
  finding: null,
  claim: "ε = 1",
  measured: "ε ≥ 0.769, where 1.000 is claimed",
  interval: [0.769, Number.POSITIVE_INFINITY],
  ceiling: 1,
  how: "6,000 outputs",
};
const lethe: AttackResult = {
  attack: "differencing",
  service: "Lethe, ε = 1",
  measure: "right guesses",
  value: 0.61,
  interval: [0.55, 0.67],
  trials: 4,
  blind: 0.5,
  ceiling: Math.E / (1 + Math.E),
  control: null,
  note: null,
  scores: [
    { truth: 0, score: -1 },
    { truth: 1, score: 2 },
    { truth: 0, score: 2 },
    { truth: 1, score: 0 },
  ],
};
const naive: AttackResult = { ...lethe, service: "exact answers", value: 1, ceiling: null, control: 1 };
const report: AuditReport = {
  rows: [row, { ...row, subject: "naive-laplace", of: "control", finding: "loses more", interval: [5.5, 6] }],
  attacks: [naive, lethe],
  curve: [8, 64].flatMap((questions) =>
    [naive, lethe].map((result) => ({ questions, result: { ...result, measure: "right bits" } })),
  ),
  what: "Lethe itself",
  at: "2024-05-06T07:08:09.000Z",
};

describe("a report", () => {
  test("is one page with a drawing, its words and its numbers for everything measured", async () => {
    const page = await renderReport(report);
    for (const id of ["guesses", "roc", "reconstruction", "epsilon"]) {
      expect(page).toContain(`<figure id="${id}">`);
      expect(page).toContain(`<title id="${id}-0-title">`);
    }
    // Lethe's mechanisms and the controls each have a panel of ε.
    expect(page.match(/<svg /g)).toHaveLength(5);
    expect(page.match(/<svg [^>]*role="img"/g)).toHaveLength(5);
    expect(page).toContain("Nothing wrong was found.");
    expect(page).toContain("1 of 1 controls");
    expect(page).toContain("2024-05-06 07:08 UTC");
    expect(page).toContain("At ε = 1 no attacker");
    expect(page).not.toMatch(/<script|<link|<img|src=|href=|url\(|@import|NaN|undefined/);
  });

  test("says every point of the reconstruction in numbers too", async () => {
    const page = await renderReport(report);
    const [, table = ""] =
      /<figure id="reconstruction">[\s\S]*?<details>([\s\S]*?)<\/details>/.exec(page) ?? [];
    const cells = [...table.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = ""]) =>
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = ""]) => cell.replaceAll("\u00a0", " ")),
    );
    expect(cells).toEqual([
      ["questions", "service", "right bits", "interval"],
      ["8", "exact answers", "100 %", "55 % to 67 %"],
      ["8", "Lethe, ε = 1", "61 %", "55 % to 67 %"],
      ["64", "exact answers", "100 %", "55 % to 67 %"],
      ["64", "Lethe, ε = 1", "61 %", "55 % to 67 %"],
    ]);
  });

  test("counts the claims that stand and those that do not, and controls where there are any", async () => {
    const wordsOf = async (...rows: readonly AuditRow[]): Promise<readonly string[]> => {
      const page = await renderReport({ ...report, rows, attacks: [], curve: [] });
      const [, head = ""] = /<header>([\s\S]*)<\/header>/.exec(page)!;
      return [...head.matchAll(/<p[^>]*>(.*?)<\/p>/g)].map(([, words = ""]) => words).slice(1);
    };
    const finding = { ...row, finding: "moves by 9" };
    const missed: AuditRow = { ...row, of: "control" };
    const caught: AuditRow = { ...missed, finding: "loses more" };
    expect(await wordsOf(row, { ...row, of: "user" })).toEqual([
      "Nothing wrong was found.",
      "Claims that stand: 2; that do not: 0.",
    ]);
    expect(await wordsOf(row, finding, caught, caught, missed)).toEqual([
      "Rows that show something wrong: 2.",
      "Claims that stand: 1; that do not: 1. 2 of 3 controls with a known fault were caught or broken.",
    ]);
    const bad = await renderReport({ ...report, rows: [finding], attacks: [], curve: [] });
    expect(bad).toContain('<p class="verdict bad">');
    expect(await renderReport({ ...report, attacks: [], curve: [] })).toContain('<p class="verdict">');
  });

  test("has a table an audit, with its verdicts, without columns that say nothing, and each finding above how it was judged", async () => {
    const rows: readonly AuditRow[] = [
      row,
      { ...row, subject: "again", finding: "moves by 9", how: "5 rounds", of: "user" },
      { ...row, audit: "one-run", subject: "training" },
    ];
    const page = await renderReport({ ...report, rows, attacks: [], curve: [] });
    const sections = [...page.matchAll(/<section>([\s\S]*?)<\/section>/g)].map(([, inside = ""]) => inside);
    expect(sections).toHaveLength(2);
    const cells = (section: string): readonly (readonly string[])[] =>
      [...section.matchAll(/<tr[^>]*>(.*?)<\/tr>/g)].map(([, line = ""]) =>
        [...line.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = ""]) => cell),
      );
    expect(cells(sections[0]!)).toEqual([
      ["verdict", "subject", "measured", "what"],
      ["ok", "discrete-laplace", row.measured, '<span class="soft">6,000 outputs</span>'],
      ["FINDING", "again", row.measured, 'moves by 9<br><span class="soft">5 rounds</span>'],
    ]);
    expect(cells(sections[1]!)[0]).toEqual(["verdict", "subject", "claim", "measured", "what"]);
    expect(sections[0]).toContain("Claim of each: ε = 1.");
    expect(sections[0]!.match(/<tr class="wrong">/g)).toHaveLength(1);
    expect(sections[0]).toContain('<td class="verdict-word finding">FINDING</td>');
  });

  test("says what is wrong, and draws nothing where nothing was measured", async () => {
    const page = await renderReport({
      ...report,
      rows: [{ ...row, of: "user", audit: "replay", finding: "moves by 9" }],
      attacks: [],
      curve: [],
    });
    expect(page).toContain("Rows that show something wrong: 1.");
    expect(page).toContain('<tr class="wrong">');
    expect(page).not.toMatch(/<svg|<figure/);
  });

  test("lets nothing that it is told become markup", async () => {
    const hostile = '<script>alert(1)</script>"><img src=x onerror=y>\u202e';
    const page = await renderReport({
      ...report,
      what: hostile,
      rows: [
        { ...row, subject: hostile, finding: hostile, claim: hostile, measured: hostile, how: hostile },
        { ...row, audit: hostile },
        { ...row, audit: "estimate", subject: hostile },
      ],
      attacks: [naive, lethe].map((each) => ({ ...each, attack: hostile, measure: hostile })),
      curve: [{ questions: 8, result: { ...lethe, service: `Lethe ${hostile}` } }],
    });
    expect(page).not.toMatch(/<script|<img|\u202e/);
    expect(page).toContain("&lt;script&gt;");
  });
});

test("a ROC counts, for each threshold, both worlds' scores that reach it", () => {
  expect(rocOf(lethe.scores!)).toEqual([
    { falsely: 0, rightly: 0 },
    { falsely: 0.5, rightly: 0.5 },
    { falsely: 0.5, rightly: 1 },
    { falsely: 1, rightly: 1 },
  ]);
});
