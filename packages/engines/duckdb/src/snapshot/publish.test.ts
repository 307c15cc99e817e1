import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EngineLimits } from "../limits.ts";
import type { OwnedFolder } from "../owned-folder.ts";
import { draftFile, draftFolder } from "./draft.ts";
import { manifestPath, readManifest, type SnapshotManifest, snapshotsDirectory } from "./manifest.ts";
import { fileHash, publish } from "./publish.ts";
import { verifySnapshot } from "./verify-snapshot.ts";

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "lethe-publish-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const drafts = (): OwnedFolder => draftFolder(state, {} as EngineLimits);
const files = (): readonly string[] =>
  readdirSync(snapshotsDirectory(state)).filter((name) => !name.startsWith("draft-"));
const named = (table: string): string => `${table}-${randomUUID()}.duckdb`;

/** Publishes this content as the snapshot of a table. */
async function published(table: string, content: string | Uint8Array): Promise<SnapshotManifest> {
  const folder = drafts();
  try {
    writeFileSync(draftFile(folder), content, { mode: 0o644 });
    const facts = {
      id: "i",
      table,
      source: "p.csv",
      file: named(table),
      domainHash: "h",
      columns: [],
      rows: 3,
    };
    return await publish(draftFile(folder), state, { ...facts, created: "2023-11-14T22:13:20.000Z" });
  } finally {
    folder.remove();
  }
}

/** Puts a file among the snapshots, `hours` old. */
function old(name: string, hours: number): string {
  const path = join(snapshotsDirectory(state), name);
  writeFileSync(path, "");
  const time = Date.now() / 1000 - hours * 3600;
  utimesSync(path, time, time);
  return name;
}

describe("a published snapshot", () => {
  it("is the draft, with its size and hash in a manifest that is the owner's alone", async () => {
    const content = Buffer.alloc(2_500_000, "abc");
    const manifest = await published("people", content);
    const sha256 = createHash("sha256").update(content).digest("hex");
    expect(manifest).toMatchObject({ version: 1, table: "people", rows: 3, bytes: 2_500_000, sha256 });
    expect(readManifest(state, "people")).toEqual(manifest);
    expect([...files()].sort()).toEqual([manifest.file, "people.json"]);
    const paths = [join(snapshotsDirectory(state), manifest.file), manifestPath(state, "people")];
    for (const path of paths) expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(paths[0]!).equals(content)).toBe(true);
    expect(statSync(snapshotsDirectory(state)).mode & 0o777).toBe(0o700);
  });

  it("takes the place of the one before, and of what killed imports of the table left", async () => {
    const first = await published("people", "one");
    const left = [old(named("people"), 0), old(`${named("people")}.wal`, 0)];
    const others = [old(named("visits"), 48), old("people-.duckdb", 48), old("people-notes.txt", 48)];
    // The table people-old has a name that begins alike.
    others.push(old(named("people-old"), 48));
    const second = await published("people", "two");
    expect([...files()].sort()).toEqual([second.file, "people.json", ...others].sort());
    for (const gone of [first.file, ...left]) expect(files()).not.toContain(gone);
  });

  it("leaves what another import may be about to publish, until it is a day old", async () => {
    const first = await published("people", "one");
    const other = drafts();
    const [fresh, today, yesterday] = [
      old(named("people"), 0),
      old(named("people"), 23),
      old(named("people"), 25),
    ];
    const second = await published("people", "two");
    expect([...files()].sort()).toEqual([second.file, "people.json", fresh, today].sort());
    expect(files()).not.toContain(yesterday);
    expect(files()).not.toContain(first.file);
    other.remove();
    const third = await published("people", "three");
    expect([...files()].sort()).toEqual([third.file, "people.json"].sort());
  });

  it("replaces a manifest that cannot be read", async () => {
    const first = await published("people", "one");
    writeFileSync(manifestPath(state, "people"), "{");
    const second = await published("people", "two");
    expect(readManifest(state, "people")).toEqual(second);
    expect(existsSync(join(snapshotsDirectory(state), first.file))).toBe(false);
  });
});

describe("the hash of a snapshot", () => {
  it("is the sha256 of its bytes, however many they are", async () => {
    const path = join(state, "f");
    for (const length of [0, 1, 1 << 20, (1 << 20) + 1]) {
      const bytes = Buffer.alloc(length, "xyz");
      writeFileSync(path, bytes);
      expect(await fileHash(path)).toBe(createHash("sha256").update(bytes).digest("hex"));
    }
  });

  it("is verified: a file that is gone or changed is refused, and the import is named that mends it", async () => {
    const manifest = await published("people", "one");
    await expect(verifySnapshot(manifest, state)).resolves.toBeUndefined();
    const path = join(snapshotsDirectory(state), manifest.file);
    const refusal = {
      code: "engine.source",
      message: "the snapshot of people is missing or not as it was written",
      fix: "lethe import p.csv",
      fields: { table: "people" },
    };
    writeFileSync(path, "One");
    await expect(verifySnapshot(manifest, state)).rejects.toMatchObject(refusal);
    rmSync(path);
    await expect(verifySnapshot(manifest, state)).rejects.toMatchObject(refusal);
  });
});
