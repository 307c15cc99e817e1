import type { AuditRow } from "@lethe/audit";
import { beforeEach, expect, it, vi } from "vitest";
import type { AuditRun } from "../../audit/run-audits.ts";
import { inFolder, lethe } from "../../testing/command-line.ts";

const row: AuditRow = {
  audit: "verify",
  subject: "laplace",
  of: "lethe",
  finding: null,
  claim: "ε = 1",
  measured: "no more",
  interval: null,
  ceiling: null,
  how: "by hand",
};
const runAudits = vi.hoisted(() => vi.fn<(run: AuditRun) => Promise<object>>());
const writeReport = vi.hoisted(() => vi.fn<(path: string, audited: object, what: string) => Promise<void>>());
vi.mock("../../audit/run-audits.ts", async (original) => ({ ...(await original<object>()), runAudits }));
vi.mock("../../audit/write-report.ts", () => ({ writeReport }));

const audited = { rows: [row], attacks: [], curve: [] };
beforeEach(() => {
  vi.resetAllMocks();
  runAudits.mockResolvedValue(audited);
});
const runOf = async (...argv: string[]): Promise<AuditRun> => {
  expect(await lethe("audit", ...argv)).toMatchObject({ code: null, error: "" });
  return runAudits.mock.calls.at(-1)![0];
};

it("an audit runs as its flags say: once and in full from seed 1 unless they say more", async () => {
  expect(await runOf()).toEqual({
    only: undefined,
    subjects: undefined,
    policy: { path: "lethe.yaml", named: false },
    quick: false,
    soak: null,
    seed: 1,
    curve: false,
  });
  expect(
    await runOf("--quick", "--only", "verify", "--subjects", "a", "--seed", "7", "--policy", "p.yaml"),
  ).toEqual({
    only: "verify",
    subjects: "a",
    policy: { path: "p.yaml", named: true },
    quick: true,
    soak: null,
    seed: 7,
    curve: false,
  });
  expect((await runOf("--policy", "lethe.yaml")).policy.named).toBe(true);
  expect((await runOf("--soak")).soak).toBe(1000);
  expect((await runOf("--soak", "12")).soak).toBe(12);
});

it.each([
  ["--soak", "0"],
  ["--soak", "many"],
  ["--seed", "0"],
  ["--seed", "1.5"],
])("the number %s %s is refused before anything runs", async (flag, value) => {
  expect((await lethe("audit", flag, value)).code).toBe("parameter.invalid");
  expect(runAudits).not.toHaveBeenCalled();
});

it("a report is written behind the table, with what was run in words, and only then is the curve measured", () =>
  inFolder({ "taken.html": "" }, async () => {
    const what = async (...argv: string[]): Promise<string> => {
      expect((await runOf(...argv, "--report", "page.HTM")).curve).toBe(true);
      const [path, rows, said] = writeReport.mock.calls.at(-1)!;
      expect([path, rows]).toEqual(["page.HTM", audited]);
      return said;
    };
    expect(await what()).toBe("Lethe itself: every audit, full, seed 1");
    expect(await what("--quick", "--only", "verify", "--seed", "3")).toBe(
      "Lethe itself: verify, quick, seed 3",
    );
    expect(await what("--soak")).toBe("Lethe itself: every audit, soak, seed 1");
    runAudits.mockClear();
    for (const [path, code] of [
      ["page.txt", "cli.usage"],
      ["html", "cli.usage"],
      ["taken.html", "cli.file"],
    ] as const)
      expect((await lethe("audit", "--report", path)).code).toBe(code);
    expect(runAudits).not.toHaveBeenCalled();
  }));

it("rows are shown before they are counted, and one that is wrong is an error", async () => {
  const rows = [row, { ...row, subject: "naive", finding: "loses more" }, { ...row, of: "control" }];
  runAudits.mockResolvedValue({ ...audited, rows });
  const said = await lethe("audit");
  expect(said).toMatchObject({ code: "audit.finding" });
  expect(said.error).toContain("2 of 3 rows show something wrong");
  expect(said.out).toContain("FINDING");
  const json = await lethe("audit", "--json");
  expect(JSON.parse(json.out)).toEqual(rows);
  expect((await lethe("audit", "--report", "p.html")).code).toBe("audit.finding");
  expect(writeReport).toHaveBeenCalledTimes(1);
});

it("a full disk is told as one of temporary files, and any other error as it is", async () => {
  runAudits.mockRejectedValueOnce(Object.assign(new Error("x"), { code: "ENOSPC", syscall: "write" }));
  expect(await lethe("audit")).toMatchObject({
    code: "cli.file",
    error: expect.stringContaining("cannot write temporary files in"),
  });
  runAudits.mockRejectedValueOnce(new Error("a bug"));
  expect((await lethe("audit")).code).toBe("not ours");
});
