import { accessSync, mkdirSync, readFileSync } from "node:fs";
import { afterEach, expect, it, vi } from "vitest";
import { inFolder } from "../testing/command-line.ts";
import { refuseTarget, writeNew } from "./new-file.ts";

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  return { ...fs, accessSync: vi.fn(fs.accessSync) };
});
afterEach(() => vi.mocked(accessSync).mockClear());

const refusal = (path: string): string => {
  try {
    refuseTarget(path, "the plot");
    return "";
  } catch (error) {
    const { code, message, fix, fields } = error as Error & Record<string, unknown>;
    expect(code).toBe("cli.file");
    expect(fields).toEqual({ path });
    return `${message}\n${fix}`;
  }
};

it("a file that could not be written is refused before anything is paid, each with its reason", () =>
  inFolder({ file: "" }, async () => {
    mkdirSync("folder");
    expect(refusal("new.svg")).toBe("");
    expect(refusal("folder/new.svg")).toBe("");
    expect(refusal("")).toBe(
      'cannot write the plot to "": it is no file name\nname a file; nothing was charged',
    );
    for (const taken of ["file", "folder"])
      expect(refusal(taken)).toBe(
        `cannot write the plot to ${taken}: it exists, and nothing is overwritten\nname another file; nothing was charged`,
      );
    for (const gone of ["none/new.svg", "file/new.svg"])
      expect(refusal(gone)).toBe(
        `cannot write the plot to ${gone}: its folder does not exist\nmake the folder, or name another file; nothing was charged`,
      );
    vi.mocked(accessSync).mockImplementationOnce(() => {
      throw Object.assign(new Error("no"), { code: "EACCES" });
    });
    expect(refusal("folder/new.svg")).toBe(
      "cannot write the plot to folder/new.svg: its folder cannot be written to\nname a file in another folder; nothing was charged",
    );
  }));

it("a paid answer is written into a new file, and where that fails it can be asked for again at no cost", () =>
  inFolder({ taken: "older" }, async () => {
    writeNew("text", "answer\n", "the release", "monday");
    writeNew("bytes", new Uint8Array([1, 2]), "the plot", "monday");
    expect(readFileSync("text", "utf8")).toBe("answer\n");
    expect([...readFileSync("bytes")]).toEqual([1, 2]);
    expect(() => writeNew("taken", "answer", "the release", "monday")).toThrowError(
      expect.objectContaining({
        code: "cli.file",
        message: "cannot write the release taken (EEXIST)",
        fix: expect.stringMatching(/; then ask the same again with --request monday: it costs nothing$/),
        fields: { path: "taken", reason: "EEXIST" },
      }),
    );
    expect(readFileSync("taken", "utf8")).toBe("older");
  }));
