import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "node:util";
import * as core from "@lethe/core";
import { askTrino, hasPostgres, hasTrino, serverWith, trinoUrlOf } from "@lethe/testing";
import { describe, expect, it } from "vitest";
import * as lethePackage from "./index.ts";
import { inFolder, lethe, type Said } from "./testing/command-line.ts";
import { blocksOf, runSnippet, wordsOf } from "./testing/page.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const pagesOf = (room: string): string[] =>
  readdirSync(join(root, "docs", room)).map((name) => `docs/${room}/${name}`);

/** The packages that a snippet of a page may import. */
const faces = { lethe: lethePackage, "@lethe/core": core };

/** The pages whose steps build on one another, from an empty folder on. */
const pages = pagesOf("tutorials");
/** Pages of that kind whose SQL blocks the owner of a database runs, and how many outputs each shows. */
const databasePages = [
  ["docs/how-to/postgresql.md", 8],
  ["docs/how-to/postgresql-with-partitions.md", 3],
] as const;

/** Returns the part of a line that every run prints: without numbers, names of requests, hashes and the drawing of tables. */
function shape(line: string): string {
  return line
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{64}\b/g, "#")
    .replace(/[-−]?\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?/g, "#")
    .replace(/[\s│├└─]+/g, " ")
    .trim();
}

/** Each shown line stands in what was printed, as a line's beginning, in the same order. */
function missingLine(shown: string, printed: string): string | null {
  const lines = printed.split("\n").map(shape);
  let at = 0;
  for (const line of shown.trim().split("\n").map(shape)) {
    while (at < lines.length && !lines[at]!.includes(line)) at += 1;
    if (at === lines.length) return line;
    at += 1;
  }
  return null;
}

/** Runs one line of a page's shell block: of `lethe`, of an example's program, an edit by sed; the URL is that of the test's own database. */
async function step(words: readonly string[]): Promise<Said> {
  const [program, ...rest] = words;
  if (program === "lethe") return lethe(...rest);
  if (program === "node") {
    const script = rest[0]!.replace("$LETHE", root);
    return { out: execFileSync(process.execPath, [script], { encoding: "utf8" }), error: "", code: null };
  }
  if (program === "export" && /^LETHE_DATABASE_URL(_OWNER)?=/.test(rest[0]!))
    return { out: "", error: "", code: null };
  const [, edit, file] = rest;
  const [, from, to] = /^s\/(.+)\/(.+)\/$/.exec(edit!)!;
  const text = readFileSync(file!, "utf8");
  expect(`${program} ${rest[0]}, ${text.split(from!).length}`).toBe("sed -i.before, 2");
  writeFileSync(file!, text.replace(from!, to!));
  return { out: "", error: "", code: null };
}

/** Follows a page in an empty folder, and returns how many of its outputs were as it shows them. */
function follow(path: string, sql?: (statements: string) => Promise<unknown>): Promise<number> {
  return inFolder({}, async () => {
    const blocks = blocksOf(readFileSync(join(root, path), "utf8"));
    let shown = 0;
    for (const [at, { language, text }] of blocks.entries()) {
      const next = blocks[at + 1];
      const expected = next?.language === "text" ? next.text : null;
      const isRefused = expected?.startsWith("error [") ?? false;
      const printed: string[] = [];
      const [, file] = /^# (\S+\.yaml)$/m.exec(text) ?? [];
      if (language === "yaml" && file) {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
      if (language === "ts") await runSnippet(text, faces, (...values) => printed.push(format(...values)));
      if (language === "sql") await sql!(text);
      if (language === "sh")
        for (const words of wordsOf(text)) {
          const said = await step(words);
          expect(said, words.join(" ")).toMatchObject(isRefused ? { out: "" } : { error: "" });
          printed.push(said.out, said.error);
        }
      if (expected === null) continue;
      expect(printed, "an output without a command").not.toEqual([]);
      const all = printed.join("\n");
      expect(missingLine(expected, all), all).toBeNull();
      shown += 1;
    }
    return shown;
  });
}

describe.each(pages)("%s", (path) => {
  it("says what happens when its steps are followed", async () => {
    expect(await follow(path)).toBeGreaterThan(2);
  });
});

describe.skipIf(!hasPostgres()).each(databasePages)("%s", (page, shown) => {
  const own = serverWith("");
  it("says what happens when its steps are followed", async () => {
    process.env.LETHE_DATABASE_URL = own.server.urlOf("lethe");
    try {
      expect(await follow(page, (statements) => own.admin.query(statements))).toBe(shown);
    } finally {
      delete process.env.LETHE_DATABASE_URL;
    }
  });
});

describe.skipIf(!hasTrino())("docs/how-to/trino.md", () => {
  const remove = async (): Promise<void> => {
    for (const schema of ["clinic", "lethe"])
      await askTrino(`DROP SCHEMA IF EXISTS iceberg.${schema} CASCADE`);
  };
  it("says what happens when its steps are followed", async () => {
    process.env.LETHE_DATABASE_URL = trinoUrlOf("lethe", "iceberg/clinic");
    process.env.LETHE_DATABASE_URL_OWNER = trinoUrlOf("owner", "iceberg/lethe");
    try {
      await remove();
      const statements = async (sql: string): Promise<void> => {
        for (const statement of sql.split(";").filter((each) => each.trim() !== ""))
          await askTrino(statement);
      };
      expect(await follow("docs/how-to/trino.md", statements)).toBe(6);
    } finally {
      delete process.env.LETHE_DATABASE_URL;
      delete process.env.LETHE_DATABASE_URL_OWNER;
      await remove();
    }
  });
});

describe("what a page shows", () => {
  it("is compared line by line, but for what differs from run to run", () => {
    const printed = "a   12.5\n│ spent  ε 0.25\n└─ done";
    expect(missingLine("a 7\ndone\n", printed)).toBeNull();
    expect(missingLine("spent ε 3/10\n", printed)).toBe("spent ε #/#");
    expect(missingLine("done\na 7\n", printed)).toBe("a #");
    expect(missingLine('{"lower":0,"upper":3000}', '{"lower":12.5,"upper":1,200}')).toBeNull();
  });
});
