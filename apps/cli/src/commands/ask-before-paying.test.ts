import { readFileSync, writeFileSync } from "node:fs";
import { LetheError } from "@lethe/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { open } from "../open.ts";
import { charges, inFolder, lethe, peopleCsv, setUp } from "../testing/command-line.ts";
import { unlessPointless } from "./ask-before-paying.ts";

const confirm = vi.hoisted(() => vi.fn());
vi.mock("@clack/prompts", () => ({ confirm, isCancel: (answer: unknown) => typeof answer === "symbol" }));

const refused = new LetheError("query.uninformative", "says nothing", { fix: "pay more" });
const terminal = { stdin: process.stdin.isTTY, stderr: process.stderr.isTTY };
let said: string[] = [];

function sitAt(stdin: boolean, stderr: boolean): void {
  process.stdin.isTTY = stdin;
  process.stderr.isTTY = stderr;
}

beforeEach(() => {
  said = [];
  confirm.mockReset();
  vi.spyOn(console, "error").mockImplementation((words) => void said.push(words));
});
afterEach(() => {
  vi.restoreAllMocks();
  sitAt(terminal.stdin, terminal.stderr);
});

describe("an answer that says next to nothing", () => {
  const asked: boolean[] = [];
  const ask = (accepted: boolean): Promise<string> => {
    asked.push(accepted);
    return accepted ? Promise.resolve("answer") : Promise.reject(refused);
  };
  beforeEach(() => {
    asked.length = 0;
  });

  it("is bought by a person at the terminal who says yes, and by nobody who says anything else", async () => {
    sitAt(true, true);
    confirm.mockResolvedValueOnce(true);
    expect(await unlessPointless(false, ask)).toBe("answer");
    expect(asked).toEqual([false, true]);
    expect(said).toEqual(["Before paying: says nothing."]);
    for (const no of [false, Symbol("cancel")]) {
      confirm.mockResolvedValueOnce(no);
      await expect(unlessPointless(false, ask)).rejects.toBe(refused);
    }
    expect(asked).toEqual([false, true, false, false]);
  });

  it("is refused to scripts, which nobody asks, unless they say --yes", async () => {
    for (const [stdin, stderr] of [
      [false, true],
      [true, false],
    ] as const) {
      sitAt(stdin, stderr);
      await expect(unlessPointless(false, ask)).rejects.toBe(refused);
    }
    expect(await unlessPointless(true, ask)).toBe("answer");
    expect(asked).toEqual([false, false, true]);
    expect(confirm).not.toHaveBeenCalled();
  });

  it("is no question where something else is wrong", async () => {
    sitAt(true, true);
    const other = new LetheError("query.type", "no", { fix: "x" });
    await expect(unlessPointless(false, () => Promise.reject(other))).rejects.toBe(other);
    expect(confirm).not.toHaveBeenCalled();
  });
});

const count = "SELECT COUNT(*) FROM people";

describe("lethe query", () => {
  it("charges nothing for it, in a script, in TypeScript or by OPTIONS, before it is accepted", () =>
    inFolder({ "people.csv": peopleCsv }, async () => {
      sitAt(false, false);
      await setUp("--expected-rows", "60");
      const scripted = await lethe("query", count, "--epsilon", "0.01");
      expect(scripted).toMatchObject({ code: "query.uninformative", out: "" });
      expect(scripted.error).toContain("60 rows");
      const library = await open();
      await expect(library.query(count, { epsilon: 0.01 })).rejects.toMatchObject({
        code: "query.uninformative",
      });
      expect(await charges()).toBe(0);

      expect((await lethe("query", count, "--epsilon", "0.01", "--yes", "--request", "a")).code).toBeNull();
      await library.query(count, { epsilon: 0.01, acceptUninformative: true, fresh: true });
      await library.query(
        "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 0.01, accept_uninformative = true) COUNT(*) FROM people",
        { fresh: true },
      );
      await library.close();
      expect(await charges()).toBe(3);
      // What was answered is told again, for nothing.
      expect((await lethe("query", count, "--epsilon", "0.01", "--request", "a")).code).toBeNull();
      expect(await charges()).toBe(3);
      expect((await lethe("query", count, "--epsilon", "1")).code).toBeNull();
      const explained = await lethe("explain", count, "--epsilon", "0.01");
      expect(explained.out).toContain("Hardly worth paying: every interval would be as wide");
    }));

  it("tells of keys that are data before it pays, on the error stream, and of words that are none for nothing", () =>
    inFolder({ "people.csv": peopleCsv }, async () => {
      sitAt(false, false);
      await setUp();
      const policy = readFileSync("lethe.yaml", "utf8");
      writeFileSync("lethe.yaml", policy.replace("defaults:", "defaults:\n  delta: 1e-7"));
      const misspelt = await lethe(
        "query",
        "SELECT COUNT(*) FROM people WHERE sector = 'farming'",
        "--epsilon",
        "1",
      );
      expect(misspelt).toMatchObject({ code: "query.impossible", out: "" });
      expect(await charges()).toBe(0);
      expect(said).toEqual([]);
      const byCity = "SELECT city, COUNT(*) FROM people GROUP BY city";
      expect((await lethe("query", byCity, "--epsilon", "1", "--delta", "1e-7")).code).toBeNull();
      expect(said).toEqual([expect.stringMatching(/^Before paying: city is a key .* a group of \d+ units/)]);
      expect(await charges()).toBe(1);
    }));
});
