import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileShim } from "../disk/record-stories.mjs";
import { bundledLedger } from "./bundled-ledger.mjs";
import { everyWrite } from "./every-write.mjs";

const place = mkdtempSync(join(tmpdir(), "lethe-writes-"));
const library = compileShim(place);
const program = fileURLToPath(new URL("./ask-once.mjs", import.meta.url));
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe.skipIf(library === null)("a process that dies at a write between charge and answer", () => {
  let ledgerModule;
  beforeAll(async () => {
    ledgerModule = await bundledLedger();
  });
  afterAll(() => ledgerModule?.remove());

  async function withSubject(name, use) {
    const { moduleUrl } = ledgerModule;
    const { createLedger } = await import(/* @vite-ignore */ moduleUrl);
    const folders = ["one", "another"].map((disk) => join(realpathSync(place), `${name}-${disk}`));
    for (const folder of folders) mkdirSync(folder);
    const [directory, headFile] = [join(folders[0], "ledger"), join(folders[1], "head")];
    const [epsilon, delta] = [
      { num: 1n, den: 1n },
      { num: 0n, den: 1n },
    ];
    const budget = { measure: "pure", epsilon, delta, rho: null, analysts: {} };
    const options = { budget, policyHash: "", source: "s", clock: Date.now, headFile };
    await (await createLedger(directory, options)).close();
    const command = (id) => [process.execPath, [program, moduleUrl, directory, headFile, id]];
    return use({ library, folders, cwd: place, moduleUrl, directory, headFile, command });
  }

  // Every eighth write; npm run bench -- ledger takes each, whole and torn.
  it("is charged once and answered once", () =>
    withSubject("torn", async (subject) => {
      const { kills, charged, settled, found } = await everyWrite(subject, "torn", { stride: 8 });
      expect(found).toEqual([]);
      expect(kills).toBeGreaterThan(1);
      expect(charged + settled).toBeGreaterThan(0);
    }));
});
