import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { verifyRelease } from "@lethe/verify";
import { describe, expect, it } from "vitest";
import { inFolder, lethe } from "./testing/command-line.ts";

const kept = fileURLToPath(new URL("../../../testing/golden/plans-1/", import.meta.url));
const textOf = (name: string): string => readFileSync(`${kept}${name}`, "utf8");
const releases = readdirSync(`${kept}releases`);
const options = {
  policyText: textOf("lethe.yaml"),
  publicKeyPem: textOf("ledger.pub"),
  targetReleaseJson: textOf("releases/target.json"),
};

/** Puts the folder of the earlier version where the work is done. */
const inItsFolder = (work: () => Promise<void>): Promise<void> =>
  inFolder(
    Object.fromEntries(["lethe.yaml", "visits.csv", "people.csv"].map((name) => [name, textOf(name)])),
    async () => {
      mkdirSync(".lethe/ledger", { recursive: true });
      writeFileSync(".lethe/seed", textOf("seed"), { mode: 0o600 });
      writeFileSync(".lethe/ledger/ledger.key", textOf("ledger.key"), { mode: 0o600 });
      writeFileSync(".lethe/ledger/ledger.pub", textOf("ledger.pub"));
      writeFileSync(".lethe/ledger/ledger.db", gunzipSync(readFileSync(`${kept}ledger.db.gz`)));
      await work();
    },
  );

describe("a release with a plan of version 1", () => {
  it.each(releases)("verifies, but for its notes, whose words have changed: %s", async (name) => {
    const { checks } = await verifyRelease(textOf(`releases/${name}`), options);
    expect(checks.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    const notMade = checks.filter(({ outcome }) => outcome === "not-made").map((check) => check.name);
    expect(notMade).toContain("notes");
    expect(
      notMade.filter((each) => !["notes", "plain-price", "intervals", "computed"].includes(each)),
    ).toEqual([]);
  });

  it.each<[string, RegExp, string, string, string?]>([
    ["another place of a sum", /"column":1/, '"column":0', "signature"],
    ["less noise", /"scale":"(\d)/, '"scale":"1$1', "signature"],
    ["another order of groups", /"order":2/, '"order":3', "form"],
    [
      "a member that nothing knows",
      /"bound":"groups-after-filter"/,
      '"limit":"x","bound":"groups-after-filter"',
      "form",
    ],
    ["a name of its own", /"kind":"count"/, '"name":"count","kind":"count"', "form"],
    ["limits beside its bound", /"bound":"groups/, '"limits":"groups-after-filter","bound":"groups', "form"],
    ["a text for a place", /"column":1/, '"column":"1"', "form"],
    ["an argument that is no expression", /"argument":null/, '"argument":{"kind":"call"}', "form"],
    ["a list that holds no measurement", /"measurements":\[/, '"measurements":[5,', "form"],
    ["a place that there is none of", /"column":1/, '"column":99', "form"],
    ["a place of no answer", /"aggregate":0/, '"aggregate":99', "form"],
    ["a name for the place of an answer", /"aggregate":0/, '"aggregate":"COUNT(*)"', "form"],
    ["another place of an answer", /"aggregate":0/, '"aggregate":1', "signature"],
    ["a place of no key", /"key":0/, '"key":99', "form", "rollup"],
    ["a place before all keys", /"key":0/, '"key":-3', "form", "rollup"],
    ["a place between two keys", /"key":0/, '"key":0.5', "form", "rollup"],
    ["a name for the place of a key", /"key":0/, '"key":"ward"', "form", "rollup"],
    ["a place of what is told of a key", /"key":0/, '"key":2', "form", "rollup"],
    ["a grouping by a place of no key", /"groupings":\[\[0/, '"groupings":[[99', "form", "rollup"],
    ["a grouping by a key twice", /"groupings":\[\[0/, '"groupings":[[0,0', "form", "rollup"],
    ["keys with names", /"keys":\{/, '"keys":{"parts":[],', "form"],
    ["an expression of today's kinds", /"having":null/, '"having":{"kind":"other","key":"ward"}', "form"],
    ["an aggregate with a name", /"aggregates":\[\{/, '"aggregates":[{"name":"n",', "form"],
  ])("is refused where it was given %s", async (_, from, to, found, name = "sums") => {
    const text = textOf(`releases/${name}.json`)
      .replace(/\s*\n\s*/g, "")
      .replaceAll('": ', '":');
    const forged = text.replace(from, to);
    expect(forged).not.toBe(text);
    const outcome = await verifyRelease(forged, options).then(
      ({ checks }) => checks.filter((check) => check.outcome === "failed").map(({ name }) => name),
      (error: { code: string }) => [error.code === "release.invalid" ? "form" : error.code],
    );
    expect(outcome).toContain(found);
  });
});

it("a ledger of the version before is whole, is upgraded once, tells what was paid, and takes a further charge", () =>
  inItsFolder(async () => {
    expect((await lethe("ledger", "verify")).out).toMatch(
      /^31 records, 14 charges: every hash, sum and cap holds/,
    );
    const refused = await lethe("budget");
    expect([refused.code, refused.error]).toEqual([
      "ledger.unreadable",
      expect.stringContaining("lethe ledger upgrade"),
    ]);
    expect(await lethe("ledger", "upgrade")).toMatchObject({ error: "", code: null });
    const { out } = await lethe("budget");
    expect(out).toMatch(/granted\s+ε 100, δ 1e-5/);
    expect(out).toContain("SELECT VARIANCE(cost), STDDEV(stay)");
    for (const table of ["visits", "people"])
      expect(await lethe("import", "--table", table)).toMatchObject({ code: null });
    // The same request is the same answer, and free.
    const again = await lethe(
      "query",
      "SELECT COUNT(DISTINCT stay) FROM visits WHERE stay > $1",
      "--epsilon",
      "1",
      "--param",
      "1=3",
      "--request",
      "parameters",
      "--format",
      "json",
      "--plot",
      "again.svg",
    );
    expect(again).toMatchObject({ error: "", code: null });
    expect(JSON.parse(again.out).certificate).toEqual(
      JSON.parse(textOf("releases/parameters.json")).certificate,
    );
    expect(readFileSync("again.svg", "utf8")).toMatch(/^<svg /);
    expect((await lethe("ledger", "verify")).out).toMatch(/^32 records/);
    const asked = await lethe(
      "query",
      "SELECT COUNT(*) FROM visits",
      "--epsilon",
      "0.5",
      "--out",
      "new.json",
    );
    expect(asked).toMatchObject({ error: "", code: null });
    expect((await lethe("ledger", "verify")).out).toMatch(
      /^34 records, 15 charges: every hash, sum and cap holds/,
    );
    expect((await lethe("verify", "new.json", "--policy", "lethe.yaml")).code).toBeNull();
  }));
