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
