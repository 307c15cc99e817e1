import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readCsvHeader } from "./read-csv-header.ts";

const directory = mkdtempSync(join(tmpdir(), "lethe-header-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function header(content: string | Uint8Array, delimiter = ",", quote = '"'): string[] {
  const path = join(directory, "t.csv");
  writeFileSync(path, content);
  return readCsvHeader(path, { delimiter, quote });
}

describe("readCsvHeader", () => {
  test.each([
    ["a,b,c\n1,2,3", ["a", "b", "c"]],
    ["a,b\r\n1,2\r\n", ["a", "b"]],
    ["a,b\r1,2\r", ["a", "b"]],
    ["only", ["only"]],
    ["\ufeffa,b\n", ["a", "b"]],
    ['"a,1","say ""b""",c\n', ["a,1", 'say "b"', "c"]],
    ["größe,収入\n", ["größe", "収入"]],
    ["a, b\n", ["a", " b"]],
    ["a,b\n1,\u0000\n", ["a", "b"]],
    ['x,""y"",z\n', ["x", "y", "z"]],
    ['"a""b"""\n', ['a"b"']],
    ['"a,b"c,d\n', ["a,bc", "d"]],
    [`${"x".repeat((1 << 20) - 1)}\n`, ["x".repeat((1 << 20) - 1)]],
    ["a,b", ["a", "b"]],
  ])("reads %j", (content, names) => {
    expect(header(content)).toEqual(names);
  });

  test("with other marks", () => {
    expect(header("a;'b;c';d\n", ";", "'")).toEqual(["a", "b;c", "d"]);
    expect(header("a\tb\n", "\t")).toEqual(["a", "b"]);
    expect(header('a,"b\n', ",", "")).toEqual(["a", '"b']);
  });

  test.each([
    ["", /no name for column 1/],
    ["a,,c\n", /no name for column 2/],
    ["a, ,c\n", /no name for column 2/],
    ["a,b,\n", /no name for column 3/],
    ["a,b\tc\n", /control character in the name of column 2/],
    ["a,B,b\n", /names the column b twice/],
    ["a,b,A\n", /names the column A twice/],
    ['"a\n1,2\n', /open quote/],
    ['"a\nb",c\n', /control character in the name of column 1/],
    [new Uint8Array([0xff, 0xfe, 0x61, 0]), /UTF-8/],
    [new Uint8Array([0x61, 0xe9, 0x0a]), /UTF-8/],
    ["a,b\u0000c\n1,2\n", /UTF-8/],
    ["x".repeat((1 << 20) + 1), /no end of its first line/],
  ])("refuses %j", (content, message) => {
    expect(() => header(content)).toThrow(message);
    expect(() => header(content)).toThrow(expect.objectContaining({ code: "engine.source" }));
  });

  test("an empty delimiter is refused", () => {
    expect(() => header("a,b\n", "")).toThrow(/one character/);
  });

  test("a missing file is refused", () => {
    const missing = join(directory, "missing.csv");
    expect(() => readCsvHeader(missing, { delimiter: ",", quote: '"' })).toThrow(
      expect.objectContaining({
        code: "engine.source",
        message: `${missing} cannot be read`,
        fix: "check the path",
        fields: { file: missing },
      }),
    );
  });
});
