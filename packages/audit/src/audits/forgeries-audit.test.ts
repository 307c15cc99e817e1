import type { Release } from "@lethe/gateway";
import { describe, expect, test } from "vitest";
import type { FailedCheck, Laboratory } from "../attacks/services/service.ts";
import { forgedReleases } from "../known-bad/forged-releases.ts";
import { forgeriesAudit } from "./forgeries-audit.ts";

const release = (question: string): Release =>
  ({
    rows: [
      ["a", { value: 1, lower: 0, upper: 2 }],
      ["b", { value: 2, lower: 1, upper: 3 }],
    ],
    notes: [question],
    certificate: { plan: { measurements: [] } },
    signature: "first",
  }) as unknown as Release;

/** A verifier that objects as it is told to, to releases that must have been signed again. */
function laboratory(failed: (signed: Release) => readonly FailedCheck[]) {
  let open = 0;
  const asked: string[] = [];
  const made = {
    async forger() {
      open += 1;
      return {
        async release(question: string) {
          asked.push(question);
          return release(question);
        },
        signed: async (each: Release) => ({ ...each, signature: "again" }),
        async failed(each: Release) {
          expect(each.signature).toBe("again");
          return failed(each);
        },
        async close() {
          open -= 1;
        },
      };
    },
  } as unknown as Laboratory;
  return { steps: forgeriesAudit.steps(made), asked, open: () => open };
}

const questions = [...new Set(forgedReleases.map(({ question }) => question))];
const common = {
  audit: "forgeries",
  claim: "a release that verifies is one that its plan can give",
  interval: null,
  ceiling: null,
};

describe("genuine releases", () => {
  test("stand where none is refused, one of each question", async () => {
    const lab = laboratory(() => []);
    expect(await lab.steps[0]!.make()).toEqual({
      ...common,
      subject: "genuine-releases",
      of: "lethe",
      finding: null,
      measured: `refused: 0 of ${questions.length}`,
      how: `${questions.length} releases, signed again by the ledger's key`,
    });
    expect(lab.asked).toEqual(questions);
    expect(lab.open()).toBe(0);
  });
  test("are a finding where one is refused, with its question and why", async () => {
    const lab = laboratory(({ notes: [question] }) =>
      question === questions[1]
        ? [
            { name: "price", says: "too low" },
            { name: "notes", says: "missing" },
          ]
        : [],
    );
    expect(await lab.steps[0]!.make()).toMatchObject({
      finding: `${questions[1]}: price: too low; notes: missing`,
      measured: `refused: 1 of ${questions.length}`,
    });
  });
});

describe("a forged release", () => {
  const stepOf = (failed: (signed: Release) => readonly FailedCheck[]) => {
    const lab = laboratory(failed);
    return { lab, step: lab.steps.find(({ subject }) => subject === "dropped-group")! };
  };
  test("is caught by the check that is named, and by no other", async () => {
    const objections = [
      { name: "notes", says: "others" },
      { name: "groups", says: "one is missing" },
    ];
    const { lab, step } = stepOf(({ rows }) => (rows.length === 1 ? objections : []));
    expect(await step.make()).toEqual({
      ...common,
      subject: "dropped-group",
      of: "control",
      finding: "groups: one is missing",
      measured: "failed: notes, groups",
      how: "a declared group is left out; hash and signature are made anew with the ledger's key",
    });
    expect(lab.open()).toBe(0);
    const other = stepOf(() => [objections[0]!]);
    expect(await other.step.make()).toMatchObject({ finding: null, measured: "failed: notes" });
  });
  test("that nothing objects to is missed", async () => {
    expect(await stepOf(() => []).step.make()).toMatchObject({ finding: null, measured: "failed: nothing" });
  });
});
