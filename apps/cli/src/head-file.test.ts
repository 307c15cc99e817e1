import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { verifyLedger } from "@lethe/ledger";
import { type Policy, readPolicy } from "@lethe/query";
import { expect, it } from "vitest";
import { headFileOf } from "./head-file.ts";
import { open } from "./open.ts";
import { inFolder, lethe, peopleCsv, setUp } from "./testing/command-line.ts";
import { workspaceOf } from "./workspace.ts";

const count = "SELECT COUNT(*) FROM people";
const ledger = ".lethe/ledger";
const head = "elsewhere/head";

const query = ["query", count, "--epsilon", "1"];
/** Everything that opens the ledger. */
const opening: readonly (readonly string[])[] = [
  query,
  ["explain", count, "--target-error-relative", "0.1", "--target-release", "before"],
  ["budget"],
  ["budget", "grant", "--epsilon", "1", "--reason", "more"],
  ["ledger", "verify"],
];

/** The line that this is all about, in the policy of the folder. */
function keepHeadIn(path: string): void {
  const policy = readFileSync("lethe.yaml", "utf8");
  const kept = policy.replace("budget: { ", `budget: { head_file: ${path}, `);
  expect(kept).not.toBe(policy);
  writeFileSync("lethe.yaml", kept);
}

/** A ledger with a charge before the policy had the line, one after it, and copies of it from before and after that. */
async function withKept(use: () => Promise<void>): Promise<void> {
  await inFolder({ "people.csv": peopleCsv }, async () => {
    mkdirSync("elsewhere");
    await setUp();
    await lethe(...query, "--request", "before", "--out", "before.json");
    keepHeadIn(head);
    await lethe("ledger", "verify", "--head-file", head);
    cpSync(ledger, "older", { recursive: true });
    expect((await lethe(...query, "--out", "after.json")).code).toBeNull();
    cpSync(ledger, "newest", { recursive: true });
    await use();
  });
}

function putBack(copy: string): void {
  rmSync(ledger, { recursive: true });
  cpSync(copy, ledger, { recursive: true });
}

it("refuses an older ledger wherever one is opened, and charges nothing, where the policy names the head file", () =>
  withKept(async () => {
    const kept = readFileSync(head, "utf8");
    putBack("older");
    for (const argv of opening)
      expect(await lethe(...argv), argv[0]).toMatchObject({ code: "ledger.restored", out: "" });
    const opened = await open("lethe.yaml");
    await expect(opened.query(count, { epsilon: 1 })).rejects.toMatchObject({ code: "ledger.restored" });
    await opened.close();
    expect((await verifyLedger(ledger)).records).toBe((await verifyLedger("older")).records);
    expect(readFileSync(head, "utf8")).toBe(kept);

    putBack("newest");
    for (const argv of opening) expect((await lethe(...argv)).code, argv[0]).toBeNull();
    const { head: last } = await verifyLedger(ledger);
    expect(readFileSync(head, "utf8")).toBe(`${last.sequence}:${last.hash}\n`);
  }));

it("finds the file from the policy's folder, wherever the command is typed", () =>
  withKept(async () => {
    putBack("older");
    process.chdir("elsewhere");
    for (const argv of opening)
      expect((await lethe(...argv, "--policy", "../lethe.yaml")).code).toBe("ledger.restored");
  }));

it("takes no other file than the policy's, though it knew the older ledger", () =>
  withKept(async () => {
    putBack("older");
    const { head: own } = await verifyLedger("older");
    writeFileSync("own", `${own.sequence}:${own.hash}\n`);
    for (const argv of opening.filter(([name]) => name !== "explain")) {
      expect(await lethe(...argv, "--head-file", "own")).toMatchObject({
        code: "parameter.invalid",
        out: "",
      });
      expect((await lethe(...argv, "--head-file", resolve(head))).code).toBe("ledger.restored");
    }
    putBack("newest");
    expect((await lethe(...query, "--head-file", head)).code).toBeNull();
  }));

it("makes the file where --head-file says so and never by the line alone: its disk may not be mounted", () =>
  withKept(async () => {
    rmSync(head);
    for (const argv of opening) {
      const said = await lethe(...argv);
      expect(said).toMatchObject({ code: "ledger.unreadable", out: "" });
      expect(said.error).toContain(`lethe ledger verify --head-file ${resolve(head)}`);
      expect(existsSync(head)).toBe(false);
    }
    expect((await lethe("ledger", "verify", "--head-file", resolve(head))).code).toBeNull();
    expect((await lethe(...query)).code).toBeNull();
  }));

it("is no part of what a release says: releases from before the line verify as those after it do", () =>
  withKept(async () => {
    for (const release of ["before.json", "after.json"]) {
      const words = ["--policy", "lethe.yaml", "--public-key", `${ledger}/ledger.pub`];
      expect((await lethe("verify", release, ...words)).code).toBeNull();
      expect(readFileSync(release, "utf8")).not.toMatch(/elsewhere|head_?file/i);
    }
  }));

it("is made by init with the ledger, and lets init begin no second one", () =>
  withKept(async () => {
    for (const path of [".lethe", head]) rmSync(path, { recursive: true });
    expect((await lethe("init")).code).toBeNull();
    expect(readFileSync(head, "utf8")).toMatch(/^0:/);
    await lethe("import");
    expect((await lethe(...query)).code).toBeNull();

    rmSync(".lethe", { recursive: true });
    expect((await lethe("init")).code).toBe("ledger.restored");
    expect(existsSync(".lethe")).toBe(false);
    expect(readFileSync(head, "utf8")).toMatch(/^2:/);
  }));

it("cannot lie beside the ledger, where a copy put back would bring its own", () =>
  inFolder({ "people.csv": peopleCsv }, async () => {
    await setUp();
    const beside = ["--head-file", ".lethe/ledger/head"];
    expect((await lethe("ledger", "verify", ...beside)).code).toBe("parameter.invalid");
    keepHeadIn("./.lethe/head");
    const unread = opening.filter(([name]) => name !== "explain");
    for (const argv of [...unread, ["policy", "check"], ["init"]])
      expect(await lethe(...argv)).toMatchObject({ code: "parameter.invalid", out: "" });
    expect(existsSync(".lethe/head") || existsSync(".lethe/ledger/head")).toBe(false);
  }));

const naming = (headFile?: string): Policy =>
  readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables: { people: { file: people.csv, unit: row, columns: { wage: { type: number } } } }
budget: { measure: pure, epsilon: 5${headFile === undefined ? "" : `, head_file: ${headFile}`} }
`);

it("is none where nobody names one, and else the one that is named, from the folder of who names it", () => {
  const place = workspaceOf("/srv/clinic/lethe.yaml");
  expect(headFileOf(place, naming())).toBeUndefined();
  expect(headFileOf(place, naming("heads/clinic"))).toBe("/srv/clinic/heads/clinic");
  expect(headFileOf(place, naming(), "heads/clinic")).toBe(resolve("heads/clinic"));
  expect(headFileOf(place, naming("heads/clinic"), "/srv/clinic/heads/clinic")).toBe(
    "/srv/clinic/heads/clinic",
  );
});

it("may lie anywhere but in the ledger's folder, whatever its name is like", () => {
  const place = workspaceOf("/srv/clinic/lethe.yaml");
  for (const beside of [".lethe-head", ".lethe.head", "..head", "..", "/", "../.lethe/head"])
    expect(headFileOf(place, naming(beside)), beside).toBe(resolve("/srv/clinic", beside));
  for (const inside of [".lethe", ".lethe/head", ".lethe/..head", ".lethe/ledger/head", "x/../.lethe/a/b"])
    expect(() => headFileOf(place, naming(inside)), inside).toThrowError(
      expect.objectContaining({ code: "parameter.invalid", fields: { name: "head file" } }),
    );
});
