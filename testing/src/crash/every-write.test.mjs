import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileShim } from "../disk/record-stories.mjs";
import { bundledLedger } from "./bundled-ledger.mjs";
import { everyWrite } from "./every-write.mjs";
import { querySubject } from "./query-subject.mjs";
import { seededRandom } from "./seeded-random.mjs";

/*
 * Slices: some writes, which the seed chooses (WRITES_SEED). npm run bench -- ledger takes each, whole and torn.
 */
const place = realpathSync(mkdtempSync(join(tmpdir(), "lethe-writes-")));
const library = compileShim(place);
const askOnce = fileURLToPath(new URL("./ask-once.mjs", import.meta.url));
/** The program that npm test builds before it runs the tests. */
const program = fileURLToPath(new URL("../../../apps/cli/dist/bin.mjs", import.meta.url));
const random = seededRandom(Number(process.env.WRITES_SEED ?? 1));
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** A slice of the writes: one in each `stride`. */
const slice = (stride) => ({ stride, first: 1 + Math.floor(random() * stride) });

describe.skipIf(library === null)("a process that dies at a write between charge and answer", () => {
  let ledgerModule;
  beforeAll(async () => {
    ledgerModule = await bundledLedger();
  });
  afterAll(() => ledgerModule?.remove());

  async function ledgerSubject() {
    const { moduleUrl } = ledgerModule;
    const { createLedger } = await import(/* @vite-ignore */ moduleUrl);
    const folders = ["one", "another"].map((disk) => join(place, disk));
    for (const folder of folders) mkdirSync(folder);
    const [directory, headFile] = [join(folders[0], "ledger"), join(folders[1], "head")];
    const [epsilon, delta] = [
      { num: 1n, den: 1n },
      { num: 0n, den: 1n },
    ];
    const budget = { measure: "pure", epsilon, delta, rho: null, analysts: {} };
    const options = { budget, policyHash: "", source: "s", clock: Date.now, headFile };
    await (await createLedger(directory, options)).close();
    const command = (id) => [process.execPath, [askOnce, moduleUrl, directory, headFile, id]];
    return { library, folders, cwd: place, moduleUrl, directory, headFile, command };
  }

  function peopleSubject() {
    const folder = join(place, "people");
    mkdirSync(folder);
    const lethe = (argv) => {
      const { status, stderr } = spawnSync(process.execPath, [program, ...argv], {
        cwd: folder,
        encoding: "utf8",
      });
      expect(stderr + status).toBe("0");
    };
    writeFileSync(join(folder, "people.csv"), `sector,wage\n${"mill,3\nport,4\n".repeat(200)}`);
    lethe([
      ...["init", "people.csv", "--unit", "row", "--bounds", "wage=0..9", "--categories", "sector=mill,port"],
      ...["--epsilon", "100", "--delta", "0.01"],
    ]);
    lethe(["import", "people.csv"]);
    const sql = "SELECT sector, AVG(wage) FROM people GROUP BY sector";
    const { moduleUrl } = ledgerModule;
    return querySubject({ library, folder, heads: join(place, "heads"), program, moduleUrl, lethe, sql });
  }

  it("is charged once and answered once", async () => {
    const { kills, charged, settled, found } = await everyWrite(await ledgerSubject(), "torn", slice(8));
    expect(found).toEqual([]);
    expect(kills).toBeGreaterThan(1);
    expect(charged + settled).toBeGreaterThan(0);
  });

  it("is so too where it is the whole of lethe query", async () => {
    const subject = peopleSubject();
    for (const how of ["whole", "torn"]) {
      const { kills, charged, settled, found } = await everyWrite(subject, how, slice(12));
      expect(found, how).toEqual([]);
      expect(kills, how).toBeGreaterThan(2);
      expect(charged + settled, how).toBeGreaterThan(0);
    }
  });
});
