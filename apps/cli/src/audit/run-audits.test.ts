import type { AttackResult, AuditRow } from "@lethe/audit";
import { fullEffort, fullRequest, quickEffort, quickRequest, soakEffort } from "@lethe/audit";
import { beforeEach, expect, it, vi } from "vitest";
import { type AuditRun, rowsAlone, runAudits } from "./run-audits.ts";

/** The arguments of each audit that was run, in order. */
const asked = vi.hoisted((): unknown[][] => []);
const said = vi.hoisted((): string[] => []);

vi.mock("./laboratory.ts", () => ({ laboratory: "laboratory" }));
vi.mock("../progress/show-progress.ts", () => ({
  showProgress: (total: number) => ({
    at: (done: number, what: string) => void said.push(`${done}/${total} ${what}`),
    end: () => void said.push("end"),
  }),
}));
vi.mock("./audit-policy.ts", () => ({
  policyAudit: { id: "policy", title: "" },
  policySubjects: (path: string) => [`${path}: people`, `${path}: visits`],
  auditPolicy: (path: string, subjects: readonly string[]) => {
    asked.push(["policy", path, ...subjects]);
    return Promise.resolve(subjects.map((subject) => ({ audit: "policy", subject })));
  },
}));
vi.mock("@lethe/audit", async (original) => {
  const made = (audit: string, subject: string) => ({
    audit,
    subject,
    make: () => Promise.resolve({ audit, subject } as AuditRow),
  });
  const stepsOf =
    (id: string, ...subjects: readonly string[]) =>
    (...request: readonly unknown[]) => {
      asked.push([id, ...request]);
      return subjects.map((subject) => made(id, subject));
    };
  const attacked = (service: string): AttackResult =>
    ({
      attack: "linkage",
      service,
      measure: "m",
      value: 0,
      interval: [0, 0],
      trials: 1,
      blind: 0.5,
      ceiling: 1,
      control: null,
      note: null,
    }) as AttackResult;
  return {
    ...(await original<object>()),
    audits: [
      { id: "verify", steps: stepsOf("verify", "a", "b") },
      { id: "estimate", steps: stepsOf("estimate", "b", "c") },
    ],
    answersAudit: { id: "answers", steps: stepsOf("answers", "gateway") },
    forgeriesAudit: { id: "forgeries", steps: stepsOf("forgeries", "genuine") },
    attackAudit: {
      id: "attacks",
      steps: (...request: readonly unknown[]) => {
        asked.push(["attacks", ...request]);
        const make = (done: (services: number) => void): Promise<readonly AttackResult[]> => {
          done(2);
          return Promise.resolve([attacked("Lethe"), attacked("exact answers")]);
        };
        return [{ subject: "linkage", make }];
      },
      curve: (...request: readonly unknown[]) => {
        asked.push(["curve", ...request]);
        return Promise.resolve([{ questions: 8, result: attacked("Lethe") }]);
      },
    },
    soakSteps: (request: { spent: () => number }) => {
      const { spent, ...rest } = request;
      asked.push(["soak", rest, spent() > 0]);
      return ["verify", "estimate"].map((audit) => ({
        ...made(audit, `soak ${audit}`),
        make: (done: (seeds: number) => void) => {
          done(7);
          return Promise.resolve({ audit, subject: `soak ${audit}` });
        },
      }));
    },
  };
});
beforeEach(() => {
  asked.length = 0;
  said.length = 0;
});

const run: AuditRun = {
  only: undefined,
  subjects: undefined,
  policy: { path: "p.yaml", named: false },
  quick: false,
  soak: null,
  seed: 5,
  curve: false,
};
/** The rows that were made, each by its audit and subject. */
async function rowsOf(part: Partial<AuditRun>): Promise<readonly string[]> {
  const { rows } = await runAudits({ ...run, ...part });
  return rows.map(({ audit, subject }) => `${audit} ${subject}`);
}
const everything = [
  "verify a",
  "verify b",
  "estimate b",
  "estimate c",
  "answers gateway",
  "forgeries genuine",
];

it("every audit of Lethe runs where none is named, in full, and that of a policy only where one is named", async () => {
  const attacks = ["attacks linkage: Lethe", "attacks linkage: exact answers"];
  const rows = await rowsOf({});
  expect(rows.slice(0, 6)).toEqual(everything);
  expect(rows).toHaveLength(6 + attacks.length);
  const full = { ...fullRequest, seed: 5 };
  expect(asked).toEqual([
    ["verify", full],
    ["estimate", full],
    ["answers", "laboratory", 5],
    ["forgeries", "laboratory"],
    ["attacks", "laboratory", fullEffort, 5],
  ]);
  const named = await rowsOf({ policy: { path: "p.yaml", named: true } });
  expect(named.slice(0, 3)).toEqual(["policy p.yaml: people", "policy p.yaml: visits", "verify a"]);
});

it("a quick run asks for less of everything", async () => {
  await rowsOf({ quick: true });
  expect(asked[0]).toEqual(["verify", { ...quickRequest, seed: 5 }]);
  expect(asked.at(-1)).toEqual(["attacks", "laboratory", quickEffort, 5]);
});

it("only what is named runs, with or without blanks, in the house's own order", async () => {
  expect(await rowsOf({ only: "estimate , verify" })).toEqual(everything.slice(0, 4));
  expect(await rowsOf({ only: "estimate" })).toEqual(everything.slice(2, 4));
  expect(await rowsOf({ only: "policy" })).toEqual(["policy p.yaml: people", "policy p.yaml: visits"]);
  expect(await rowsOf({ only: "answers" })).toEqual(["answers gateway"]);
  expect(await rowsOf({ only: "forgeries" })).toEqual(["forgeries genuine"]);
  expect(await rowsOf({ only: "attacks" })).toHaveLength(2);
  expect(asked.map(([id]) => id)).toEqual([
    "verify",
    "estimate",
    "estimate",
    "policy",
    "answers",
    "forgeries",
    "attacks",
  ]);
});

it("a step makes the rows of the chosen subjects alone, and steps without one do not run", async () => {
  expect(await rowsOf({ only: "verify,estimate", subjects: "b" })).toEqual(["verify b", "estimate b"]);
  expect(await rowsOf({ only: "policy,verify", subjects: "p.yaml: visits, a" })).toEqual([
    "policy p.yaml: visits",
    "verify a",
  ]);
  expect(said).toContain("0/2 p.yaml: visits");
});

it.each<[Partial<AuditRun>, string, string]>([
  [
    { only: "verify,all" },
    'there is no audit "all"',
    "name some of verify, estimate, answers, forgeries, attacks, policy",
  ],
  [{ only: "verify", subjects: "a,x" }, 'these audits have no subject "x"', "name some of a, b"],
  [
    { only: "verify,replay" },
    'there is no audit "replay"',
    "name some of verify, estimate, answers, forgeries, attacks, policy",
  ],
])("%j is refused: %s", async (part, message, fix) => {
  await expect(rowsOf(part)).rejects.toMatchObject({ code: "cli.usage", message, fix });
});

it("the attacks' own figures come with their rows, and reconstruction by questions only where it is drawn", async () => {
  const plain = await runAudits({ ...run, only: "attacks" });
  expect(plain.attacks.map(({ service }) => service)).toEqual(["Lethe", "exact answers"]);
  expect(plain.curve).toEqual([]);
  const full = await runAudits({ ...run, only: "attacks", curve: true });
  expect(full.curve).toHaveLength(1);
  expect(full.rows).toEqual(plain.rows);
  const quick = await runAudits({ ...run, only: "attacks", curve: true, quick: true });
  expect(quick.curve).toHaveLength(1);
  expect(asked.filter(([id]) => id === "curve")).toEqual([
    ["curve", "laboratory", { ...fullEffort, trials: 640 }, 5, [8, 16, 32, 64, 128, 256, 512]],
    ["curve", "laboratory", { ...quickEffort, trials: 256 }, 5, [8, 64, 256]],
  ]);
  expect(await runAudits({ ...run, only: "verify", curve: true })).toMatchObject({ attacks: [], curve: [] });
});

it("a soak runs what draws coins over its seeds, from the first on, and what needs a database once", async () => {
  const rows = await rowsOf({ soak: 30 });
  expect(rows.slice(0, 4)).toEqual([
    "verify soak verify",
    "estimate soak estimate",
    "answers gateway",
    "forgeries genuine",
  ]);
  const { draws, falseAlarm } = fullRequest;
  expect(asked[0]).toEqual(["soak", { first: 5, seeds: 30, draws, falseAlarm }, true]);
  expect(asked.at(-1)).toEqual(["attacks", "laboratory", soakEffort, 5]);
  expect(said).toContain("0/5 soak verify, seed 7 of 30");
  expect(await rowsOf({ soak: 30, only: "estimate" })).toEqual(["estimate soak estimate"]);
  expect(await rowsOf({ soak: 30, only: "estimate,answers" })).toEqual([
    "estimate soak estimate",
    "answers gateway",
  ]);
});

it("progress counts the steps that are done, says what runs and what it says of itself, and ends", async () => {
  await rowsOf({ only: "estimate,attacks" });
  expect(said).toEqual(["0/3 b", "1/3 c", "2/3 linkage", "2/3 linkage, services done: 2", "end"]);
});

it("rows alone are an audit without attacks", () => {
  expect(rowsAlone([])).toEqual({ rows: [], attacks: [], curve: [] });
});
