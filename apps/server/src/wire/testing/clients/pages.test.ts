import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { addPerson, createToken } from "@lethe/serve";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasOpenssl, type LoopbackCertificate, makeLoopbackCertificate } from "../loopback-certificate.ts";
import { openWireHouse, type WireHouse } from "../wire-house.ts";
import { people, policy, sectors } from "./clinic.ts";
import { startProgram } from "./run-program.ts";

// The programs of the pages of docs/how-to/connect, run as they are written; only the host and the port are those of the test.

const modules = fileURLToPath(new URL("../../../../../../node_modules", import.meta.url));
const python = process.env.LETHE_WIRE_PYTHON;
const pgjdbc = process.env.LETHE_WIRE_PGJDBC;

const persons = ["jupiter", "alchemist", "duke", "observer"] as const;

let house: WireHouse;
let made: LoopbackCertificate;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lethe-pages-"));
  if (!hasOpenssl) return;
  made = makeLoopbackCertificate();
  copyFileSync(made.file, join(folder, "ca.pem"));
  symlinkSync(modules, join(folder, "node_modules"));
  house = await openWireHouse({ tls: made, data: { policy: policy(persons), people: people() } });
});
afterAll(async () => {
  await house?.close();
  made?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** The programs of a page in one language, one behind the other. */
function programOf(page: string, language: string): string {
  const file = new URL(`../../../../../../docs/how-to/connect/${page}.md`, import.meta.url);
  const blocks = [
    ...readFileSync(file, "utf8").matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms")),
  ];
  expect(blocks.length).toBeGreaterThan(0);
  return blocks
    .map(([, program]) => program)
    .join("\n")
    .replaceAll("lethe.example", "localhost")
    .replaceAll("5432", String(house.port));
}

/** Runs a page's program as a person of its own; returns what it printed, and how often that person was charged. */
async function run(
  name: (typeof persons)[number],
  file: string,
  program: string,
  command: readonly [string, ...string[]],
): Promise<{ readonly printed: string; readonly charges: number }> {
  await addPerson(house.people, { name, roles: ["analyst"] });
  const wish = {
    name: "page",
    roles: ["analyst"],
    maxEpsilon: null,
    expiresAt: Date.now() + 3_600_000,
  } as const;
  const { text } = await createToken(house.people, name, wish, null);
  writeFileSync(join(folder, file), program);
  const [word, ...words] = command;
  const place = { LETHE_TOKEN: text, PYTHONDONTWRITEBYTECODE: "1" };
  const { status, printed, complained } = await startProgram(word, words, place, folder).ended;
  expect(complained).toBe("");
  expect(status).toBe(0);
  const { charges } = await house.ledger.report();
  return { printed, charges: charges.filter(({ principal }) => principal === name).length };
}

const question = `"SELECT sector, AVG(wage) AS mean FROM people GROUP BY sector"`;
const keys = [...sectors].sort();

describe.skipIf(!hasOpenssl)("the programs of the pages", () => {
  it.skipIf(!python)(
    "bring one answer into psycopg, pandas and Arrow (needs LETHE_WIRE_PYTHON)",
    async () => {
      const shown = `
import json
print(json.dumps([[row[:2] for row in connection.execute(${question})], frame[["sector", "mean"]].values.tolist(), [[row["sector"], row["mean"]] for row in table.to_pylist()]]))
connection.close()
`;
      const program = programOf("jupyter", "python") + shown;
      const { printed, charges } = await run("jupiter", "page.py", program, [python ?? "", "page.py"]);
      const lines = printed.trim().split("\n");
      expect(lines[0]).toMatch(/^charged epsilon 1\/2 as request/);
      const [byPsycopg, byPandas, byArrow] = JSON.parse(lines.at(-1) ?? "");
      expect(byPsycopg.map(([sector]: [string]) => sector).sort()).toEqual(keys);
      expect(byPandas).toEqual(byPsycopg);
      expect(byArrow).toEqual(byPsycopg);
      expect(charges).toBe(1);
    },
  );

  it.skipIf(!python)("ask by SQLAlchemy's select (needs LETHE_WIRE_PYTHON)", async () => {
    const shown = "\nimport json\nprint(json.dumps([list(row) for row in rows]))\n";
    const program = programOf("sqlalchemy", "python") + shown;
    const { printed, charges } = await run("alchemist", "alchemy.py", program, [python ?? "", "alchemy.py"]);
    const rows: [string, number][] = JSON.parse(printed);
    expect(rows.map(([sector]) => sector).sort()).toEqual(keys);
    for (const row of rows) expect(row).toHaveLength(2);
    expect(charges).toBe(1);
  });

  const hasJava = pgjdbc !== undefined && spawnSync("java", ["-version"]).status === 0;
  it.skipIf(!hasJava)("ask by pgjdbc (needs LETHE_WIRE_PGJDBC)", async () => {
    const command = ["java", "-XX:TieredStopAtLevel=1", "-cp", pgjdbc ?? "", "Ask.java"] as const;
    const { printed, charges } = await run("duke", "Ask.java", programOf("jdbc", "java"), command);
    const [notice, ...rows] = printed.trim().split("\n");
    expect(notice).toMatch(/^charged epsilon 1\/2 as request/);
    expect(rows.map((row) => row.split(" ")[0]).sort()).toEqual(keys);
    expect(charges).toBe(1);
  });

  it("write an answer as the data of a page of Observable", async () => {
    const program = programOf("observable", "js");
    const command = [process.execPath, "loader.mjs"] as const;
    const { printed, charges } = await run("observer", "loader.mjs", program, command);
    const rows = JSON.parse(printed);
    expect(rows.map(({ sector }: { sector: string }) => sector).sort()).toEqual(keys);
    expect(Object.keys(rows[0])).toEqual(["sector", "mean", "mean_lower", "mean_upper"]);
    expect(charges).toBe(1);
  });
});
