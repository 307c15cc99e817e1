import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, expect, it } from "vitest";
import { compileShim } from "../disk/record-stories.mjs";
import { killedAtWrite } from "./killed-at-write.mjs";

/*
 * People and the audit log lie in one file: a process that dies at any of its writes leaves no change without its fact, and no fact without its change. It needs the built program (npm run build).
 */
const place = realpathSync(mkdtempSync(join(tmpdir(), "lethe-people-")));
const library = compileShim(place);
const program = fileURLToPath(new URL("../../../apps/cli/dist/bin.mjs", import.meta.url));
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** What the file holds, and what its log says of that: people, and their tokens. */
function told(path) {
  const db = new DatabaseSync(path);
  const people = db
    .prepare("SELECT content FROM people")
    .all()
    .map(({ content }) => JSON.parse(content));
  const facts = db
    .prepare("SELECT content FROM audit ORDER BY sequence")
    .all()
    .map(({ content }) => JSON.parse(content).fact);
  db.close();
  const tokens = people.flatMap(({ name, tokens }) => tokens.map(({ id }) => `${name} ${id}`));
  return {
    held: { people: people.map(({ name }) => name).sort(), tokens: tokens.sort() },
    noted: {
      people: facts.flatMap(({ change, person }) => (change === "added" ? [person] : [])).sort(),
      tokens: facts
        .flatMap(({ kind, person, token }) => (kind === "token-created" ? [`${person} ${token}`] : []))
        .sort(),
    },
  };
}

it.skipIf(library === null)(
  "a person, a token and their facts are there together, or not at all",
  async () => {
    const [folder, other] = ["house", "other"].map((name) => join(place, name));
    for (const each of [folder, other]) mkdirSync(each);
    const words = (name) => [program, "people", "add", name];
    const first = spawnSync(process.execPath, words("first"), { cwd: folder, encoding: "utf8" });
    expect(first.stderr + first.status).toBe("0");
    const path = join(folder, ".lethe", "serve", "service.sqlite");
    const found = new Set();
    let kills = 0;
    for (let at = 1; ; at += 1) {
      const name = `p${at}`;
      const how = at % 2 === 0 ? "whole" : "torn";
      const run = await killedAtWrite(library, [folder, other], [process.execPath, words(name)], {
        at,
        how,
        cwd: folder,
      });
      const { held, noted } = told(path);
      expect([at, noted]).toEqual([at, held]);
      found.add(`${held.people.includes(name)} ${held.tokens.some((token) => token.startsWith(`${name} `))}`);
      if (!run.killed) break;
      kills += 1;
    }
    expect(kills).toBeGreaterThan(4);
    // Some died before the person, some between the person and the token, and the last one not at all.
    expect(found).toEqual(new Set(["false false", "true false", "true true"]));
  },
);
