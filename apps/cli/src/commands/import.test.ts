import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { inFolder, lethe, peopleCsv, setUp } from "../testing/command-line.ts";

afterEach(() => vi.restoreAllMocks());

const snapshots = join(".lethe", "snapshots");
const drafts = (): string[] => readdirSync(snapshots).filter((name) => name.startsWith("draft-"));
const spills = (): string[] =>
  existsSync(join(".lethe", "spill")) ? readdirSync(join(".lethe", "spill")) : [];

describe("an import that is stopped", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("leaves no copy of the data: %s", (signal) =>
    inFolder({ "people.csv": peopleCsv }, async () => {
      await setUp();
      writeFileSync("people.csv", peopleCsv + "1.5,other,x\n".repeat(200_000));
      const kill = vi.spyOn(process, "kill").mockReturnValue(true);
      const importing = lethe("import");
      while (drafts().length === 0) await pause(1);
      process.emit(signal, signal);
      expect(drafts()).toEqual([]);
      expect(spills()).toEqual([]);
      expect(kill.mock.calls.at(-1)).toEqual([process.pid, signal]);
      kill.mockRestore();
      await importing;
    }),
  );

  it("by SIGKILL leaves a draft and perhaps a snapshot that nothing names: the next question, or import, removes them", () =>
    inFolder({ "people.csv": peopleCsv }, async () => {
      await setUp();
      const importing = lethe("import");
      while (drafts().length === 0) await pause(1);
      const [own] = drafts();
      await importing;
      const { pid } = spawnSync(process.execPath, ["-e", ""]);
      /** Leaves a draft as this process names its own, with the number of a process that is no more. */
      const killed = (): void => {
        const draft = join(snapshots, own!.replace(String(process.pid), String(pid)));
        mkdirSync(draft);
        writeFileSync(join(draft, "snapshot.duckdb"), "data");
      };
      killed();
      expect((await lethe("query", "SELECT COUNT(*) FROM people", "--epsilon", "0.5")).code).toBeNull();
      expect(drafts()).toEqual([]);
      killed();
      const orphan = `people-${"0".repeat(36)}.duckdb`;
      writeFileSync(join(snapshots, orphan), "data");
      expect((await lethe("import")).code).toBeNull();
      expect(drafts()).toEqual([]);
      expect(readdirSync(snapshots)).not.toContain(orphan);
      expect(readdirSync(snapshots)).toHaveLength(2);
    }));
});

describe("the table of an import", () => {
  const two = `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  people: { file: people.csv, unit: row, columns: { wage: { type: number, bounds: [0, 60] } } }
  folk: { file: folk.csv, unit: row, columns: { wage: { type: number, bounds: [0, 60] } } }
  again: { file: folk.csv, unit: row, columns: { wage: { type: number, bounds: [0, 9] } } }
budget: { measure: pure, epsilon: 5 }
`;

  it("is found by its file, or named where several tables could be meant", () =>
    inFolder({ "lethe.yaml": two, "people.csv": "wage\n1\nx\n", "folk.csv": "wage\n1\n" }, async () => {
      expect((await lethe("init")).code).toBeNull();
      for (const [argv, problem, tables] of [
        [[], "the policy has several tables", "people or --table folk or --table again"],
        [["folk.csv"], "folk.csv is the file of several tables", "folk or --table again"],
        [
          ["none.csv"],
          "none.csv is not the file of any table in the policy",
          "people or --table folk or --table again",
        ],
      ] as const) {
        const said = await lethe("import", ...argv);
        expect(said).toMatchObject({ code: "cli.usage", out: "" });
        expect(said.error).toContain(`${problem}\n  fix: name the table: lethe import --table ${tables}`);
      }
      const found = await lethe("import", "people.csv");
      expect(found.out.split("\n")).toEqual([
        expect.stringMatching(/^people: 2 rows frozen into \.lethe\/snapshots\/people-[\w-]+\.duckdb$/),
        "wage: NULL in place of 1 value that the policy does not allow",
        "These numbers are exact and for you alone: analysts never see them.",
      ]);
      const named = await lethe("import", "--table", "again");
      expect(named.out).toMatch(/^again: 1 rows frozen/);
      expect(named.out).not.toContain("NULL in place");
    }));
});
