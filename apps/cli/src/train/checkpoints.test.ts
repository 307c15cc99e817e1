import { existsSync, linkSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { type CheckpointDisk, disk, fileCheckpoints } from "./checkpoints.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (kept: Uint8Array | null): string | null => kept && new TextDecoder().decode(kept);
const request = { publicKey: "of this ledger", principal: "owner", requestId: "r/1" };

let state = "";
const made: string[] = [];
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "lethe-checkpoints-"));
  made.push(state);
});
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});
const folderOf = (): string => {
  const [id] = readdirSync(join(state, "trainings"));
  return join(state, "trainings", id ?? expect.fail("no folder"));
};

describe("checkpoints in files", () => {
  it("give the last that was kept, to another process too, and nothing once they are forgotten", () => {
    const kept = fileCheckpoints(state, request);
    expect(kept.last()).toBeNull();
    for (const [after, step] of [
      [0, 5],
      [5, 10],
      [10, 12],
    ] as const)
      expect(kept.keepAfter(after, bytes(`step ${step}`))).toBe(true);
    expect(text(fileCheckpoints(state, request).last())).toBe("step 12");
    // Those before hold nothing of the rows any more.
    expect(readdirSync(folderOf()).sort()).toEqual(["after-0", "after-10", "after-5"]);
    for (const other of [
      { ...request, principal: "ann" },
      { ...request, requestId: "r/2" },
      { ...request, publicKey: "of a later ledger" },
    ])
      expect(fileCheckpoints(state, other).last()).toBeNull();
    kept.forget();
    expect(kept.last()).toBeNull();
    expect(readdirSync(join(state, "trainings"))).toEqual([]);
    kept.forget();
  });

  it("are the owner's alone, and hold the bytes of the last alone", () => {
    const own = fileCheckpoints(state, request);
    for (const after of [0, 1, 2]) own.keepAfter(after, bytes("step"));
    expect(statSync(folderOf()).mode & 0o777).toBe(0o700);
    const files = readdirSync(folderOf()).map((file) => statSync(join(folderOf(), file)));
    expect(files.map(({ mode }) => mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
    expect(files.map(({ size }) => size).sort()).toEqual([0, 0, 4]);
  });

  it("have one successor each: who comes second is told so, at whatever step it stands", () => {
    const [first, second] = [fileCheckpoints(state, request), fileCheckpoints(state, request)];
    expect(first.keepAfter(0, bytes("step 5"))).toBe(true);
    expect(second.keepAfter(0, bytes("step 3"))).toBe(false);
    // The second goes on from step 5 and keeps at 6; the first, which stands at 10, is left behind.
    expect(second.keepAfter(5, bytes("step 6"))).toBe(true);
    expect(first.keepAfter(5, bytes("step 10"))).toBe(false);
    expect(text(first.last())).toBe("step 6");
    expect(second.keepAfter(6, bytes("step 9"))).toBe(true);
    expect(text(first.last())).toBe("step 9");
  });

  it.each(["write", "name", "unname", "flushFolder", "empty"] as const)(
    "are whole, the last or the one before, where the process dies at any %s",
    (call) => {
      for (let at = 1; at <= 8; at++) {
        rmSync(join(state, "trainings"), { recursive: true, force: true });
        let calls = 0;
        const dying: CheckpointDisk = {
          ...disk,
          [call]: (...given: readonly unknown[]) => {
            calls += 1;
            if (calls === at) throw new Error("power failed");
            return (disk[call] as (...same: readonly unknown[]) => void)(...given);
          },
        };
        const kept = fileCheckpoints(state, request, dying);
        let done = 0;
        try {
          for (; done < 4; done++) kept.keepAfter(done, bytes(`step ${done + 1}`));
        } catch (error) {
          expect(error).toEqual(new Error("power failed"));
        }
        const next = fileCheckpoints(state, request);
        const last = text(next.last());
        // What was not told to be kept may have been, but nothing that was told is lost.
        expect([done === 0 ? null : `step ${done}`, `step ${done + 1}`]).toContain(last);
        const step = last === null ? 0 : Number(last.slice("step ".length));
        expect(next.keepAfter(step, bytes(`step ${step + 1}`))).toBe(true);
        expect(text(next.last())).toBe(`step ${step + 1}`);
      }
    },
  );

  it("are not written over by a process that has the number of one that died while it named its draft", () => {
    const dying: CheckpointDisk = {
      ...disk,
      name(from, to) {
        linkSync(from, to);
        throw new Error("power failed");
      },
    };
    expect(() => fileCheckpoints(state, request, dying).keepAfter(0, bytes("step 1"))).toThrow(
      "power failed",
    );
    const next = fileCheckpoints(state, request);
    expect(text(next.last())).toBe("step 1");
    expect(next.keepAfter(0, bytes("step 1, drawn anew"))).toBe(false);
    expect(text(next.last())).toBe("step 1");
  });

  it("flush the folders above when they make theirs", () => {
    const flushed: string[] = [];
    const watching: CheckpointDisk = { ...disk, flushFolder: (path) => void flushed.push(path) };
    const kept = fileCheckpoints(state, request, watching);
    kept.keepAfter(0, bytes("step 1"));
    expect(flushed).toEqual([folderOf(), join(state, "trainings"), state]);
    kept.keepAfter(1, bytes("step 2"));
    expect(flushed.slice(3)).toEqual([folderOf()]);
    expect(existsSync(folderOf())).toBe(true);
  });
});
