import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundledLedger } from "../crash/bundled-ledger.mjs";
import { seededRandom } from "../crash/seeded-random.mjs";
import { checkCrashStates } from "./check-states.mjs";
import { faultedStories, runFaultedStories } from "./faulted-stories.mjs";
import { compileShim, recordStories, withScratch } from "./record-stories.mjs";
import { afterPowerFailure, SimulatedDisk } from "./simulated-disk.mjs";
import { factsOf } from "./story-facts.mjs";

const place = mkdtempSync(join(tmpdir(), "lethe-shim-"));
/** null where there is no Linux or no C compiler: then what the real store does to a disk cannot be seen. */
const library = compileShim(place);
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe.skipIf(library === null)("the ledger on a disk that forgets what was not flushed", () => {
  let ledgerModule;
  let module;
  beforeAll(async () => {
    ledgerModule = await bundledLedger();
    module = await import(/* @vite-ignore */ ledgerModule.moduleUrl);
  });
  afterAll(() => ledgerModule?.remove());

  async function withStories(plan, use) {
    return withScratch(async (folder) => {
      const root = join(folder, "root");
      mkdirSync(root);
      mkdirSync(join(folder, "states"));
      return use(recordStories(library, ledgerModule.moduleUrl, root, plan), folder);
    });
  }
  const calm = [{ name: "calm", fault: null }];
  const options = (share) => ({ random: seededRandom(3), mixtures: 2, share });

  it("keeps every promise after a power failure", () =>
    withStories(calm, async ([story], folder) => {
      const facts = factsOf(story.operations);
      expect([...facts.charged.keys()]).toEqual(["a", "b", "d", "e", "f", "last"]);
      const { states, found } = await checkCrashStates(module, story, join(folder, "states"), options(0.06));
      expect(found).toEqual([]);
      expect(states).toBeGreaterThan(300);
    }));

  it("would be caught if it did not flush its log, its files or its directories", () =>
    withStories(calm, async ([story], folder) => {
      const opened = new Map(
        story.operations.filter(({ op }) => op === "open").map(({ file, path }) => [file, path]),
      );
      const lazy = [/ledger\.db-wal$/, /^calm$/];
      for (const path of lazy) {
        const operations = story.operations.filter(
          ({ op, file }) => op !== "sync" || !path.test(opened.get(file)),
        );
        const subject = { ...story, operations };
        const { found } = await checkCrashStates(module, subject, join(folder, "states"), {
          ...options(0.03),
          enough: 1,
        });
        expect(found).not.toEqual([]);
      }
    }));

  it("refuses with a code and keeps every promise when the k-th call fails", () =>
    withStories(calm, async ([{ calls }], folder) => {
      const root = join(folder, "faults");
      mkdirSync(root);
      const stories = faultedStories(calls, 29);
      const { recorded, found } = await runFaultedStories(
        library,
        module,
        ledgerModule.moduleUrl,
        root,
        stories,
      );
      expect(found).toEqual([]);
      const codes = new Set(
        recorded.flatMap(({ operations }) => factsOf(operations).refused.map(({ code }) => code)),
      );
      expect(codes).toContain("ledger.unreadable");
    }));

  it("takes no flush for done that came after one that failed", () =>
    withStories(
      [12, 17, 23, 30].map((k) => ({ name: `sync-${k}`, fault: `sync ${k} 5 once` })),
      async (stories, folder) => {
        for (const story of stories) {
          expect(story.operations.filter(({ failed }) => failed)).toHaveLength(1);
          const { found } = await checkCrashStates(module, story, join(folder, "states"), options(0.005));
          expect(found).toEqual([]);
        }
      },
    ));
});

describe("the simulated disk", () => {
  const make = (...operations) => {
    const disk = new SimulatedDisk("d");
    for (const operation of operations) disk.do(operation);
    return disk;
  };
  const left = (disk, keep) =>
    afterPowerFailure(disk, (effect) => (keep(effect) ? effect : null)).map(([path, bytes]) => [
      path,
      bytes?.toString() ?? null,
    ]);
  const create = { op: "open", path: "d/f", file: 2, fresh: true };
  const openDirectory = { op: "open", path: "d", file: 1, fresh: false };
  const write = (at, text) => ({ op: "write", file: 2, at, bytes: Buffer.from(text) });
  const sync = (file, failed = false) => ({ op: "sync", file, failed });
  const nothing = () => false;

  it("forgets a file whose bytes were flushed and whose name was not", () => {
    expect(left(make(create, write(0, "abc"), sync(2)), nothing)).toEqual([]);
    expect(left(make(create, write(0, "abc"), sync(2), openDirectory, sync(1)), nothing)).toEqual([
      ["f", "abc"],
    ]);
  });

  it("keeps or loses each pending write on its own", () => {
    const disk = make(
      create,
      openDirectory,
      sync(1),
      write(0, "abc"),
      sync(2),
      write(3, "def"),
      write(1, "X"),
    );
    expect(left(disk, nothing)).toEqual([["f", "abc"]]);
    expect(left(disk, ({ at }) => at === 3)).toEqual([["f", "abcdef"]]);
    expect(left(disk, ({ at }) => at === 1)).toEqual([["f", "aXc"]]);
  });

  it("moves a name as a whole, and only when its directory is flushed", () => {
    const named = [create, openDirectory, sync(1), { op: "rename", from: "d/f", to: "d/g" }];
    expect(left(make(...named), nothing)).toEqual([["f", ""]]);
    expect(left(make(...named, sync(1)), nothing)).toEqual([["g", ""]]);
  });

  it("doubts for ever what was pending when a flush failed, until it is written again", () => {
    const failed = [create, openDirectory, sync(1), write(0, "abc"), sync(2, true)];
    expect(left(make(...failed, sync(2)), nothing)).toEqual([["f", ""]]);
    expect(left(make(...failed, write(0, "abc"), sync(2)), nothing)).toEqual([["f", "abc"]]);
  });
});
