import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { LetheError } from "@lethe/core";
import { describe, expect, it, vi } from "vitest";
import { check, type Verdict } from "./checks/check.ts";
import { readRelease } from "./format/release-shape.ts";
import { notesOf } from "./notes/notes-of.ts";
import { ofAnswers } from "./testing/forgeries/answers.ts";
import { adjacencyOf, forgedConvex, forgedConvexes, genuineConvex } from "./testing/forgeries/convex.ts";
import {
  byCity,
  bySector,
  counted,
  type Draft,
  ofUnits,
  quantile,
  tellingOf,
} from "./testing/forgeries/forgery.ts";
import { ofJoinedRows } from "./testing/forgeries/joined.ts";
import { ofLearnedBounds } from "./testing/forgeries/learned.ts";
import {
  changedAnswers,
  changedReleases,
  genuineMade,
  genuineMakings,
  madeOfChanged,
  ofMade,
  ofNoRelease,
} from "./testing/forgeries/made.ts";
import { forgedModels, noModels, toldOfModels } from "./testing/forgeries/models.ts";
import { forgedNames, named } from "./testing/forgeries/names.ts";
import { forgedNetwork, forgedNetworks, genuineNetwork } from "./testing/forgeries/networks.ts";
import { ofNoise } from "./testing/forgeries/noise.ts";
import { ofNotes } from "./testing/forgeries/notes.ts";
import { ofOdds } from "./testing/forgeries/odds.ts";
import { ofOthers } from "./testing/forgeries/others.ts";
import { forgedOver, ofOver, overCounts } from "./testing/forgeries/over.ts";
import { ofPilots } from "./testing/forgeries/pilots.ts";
import { ofPolicies } from "./testing/forgeries/policies.ts";
import { ofPrices } from "./testing/forgeries/prices.ts";
import {
  boostingPolicy,
  forgedBoosting,
  forgedBoostings,
  forgedTableReleases,
  forgedTables,
  genuineBoosting,
  genuineTables,
  toldOfProcedure,
} from "./testing/forgeries/procedures.ts";
import { ofRelations } from "./testing/forgeries/relations.ts";
import { ofReleased } from "./testing/forgeries/released.ts";
import { ofService } from "./testing/forgeries/service.ts";
import { ofSignatures } from "./testing/forgeries/signatures.ts";
import { ofTargets } from "./testing/forgeries/targets.ts";
import { ofTotals } from "./testing/forgeries/totals.ts";
import {
  forgedWorkload,
  forgedWorkloads,
  genuineWorkload,
  toldOf,
  workloadPolicy,
} from "./testing/forgeries/workloads.ts";
import { leavesOf, withLeaf } from "./testing/leaves.ts";
import { type Sample, sample, signer } from "./testing/people.ts";
import { type Sentence, sentencesOf } from "./testing/sentences-of.ts";
import { jointFile, kMeansFile, modelsPolicy, plainFile } from "./testing/trained-models.ts";
import { verifyMade } from "./verify-made.ts";
import { verifyModels } from "./verify-models.ts";
import { verifyRelease } from "./verify-release.ts";

const said = vi.hoisted(() => new Set<string>());
// Of several findings a verdict names the first: here all are heard.
vi.mock("./checks/check.ts", async (original) => {
  const real = await original<typeof import("./checks/check.ts")>();
  const heard = (verdict: Verdict): Verdict => {
    said.add(verdict.says);
    return verdict;
  };
  return {
    ...real,
    passed: (says: string) => heard(real.passed(says)),
    failed: (says: string) => heard(real.failed(says)),
    notMade: (says: string) => heard(real.notMade(says)),
    verdict: (amiss: readonly string[], says: string) => {
      for (const finding of amiss) said.add(finding);
      return heard(real.verdict(amiss, says));
    },
  };
});

async function hear(tell: () => unknown): Promise<void> {
  try {
    const found = await tell();
    if (Array.isArray(found)) for (const finding of found) said.add(finding as string);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    said.add(error.message);
  }
}

describe.each([
  ["the answer", ofAnswers.map(tellingOf)],
  ["its noise", ofNoise.map(tellingOf)],
  ["its policy", ofPolicies.map(tellingOf)],
  ["its price", ofPrices.map(tellingOf)],
  ["the service that gave it", ofService.map(tellingOf)],
  ["its odds", ofOdds.map(tellingOf)],
  ["its signature", ofSignatures.map(tellingOf)],
  ["its pilot", ofPilots.map(tellingOf)],
  ["its rows' units", ofRelations],
  ["its joined rows", ofJoinedRows],
  ["its learned bounds", ofLearnedBounds],
  ["its totals", ofTotals],
  ["its target", ofTargets],
  ["its notes", ofNotes],
  ["what is selected over it", ofOver],
  ["the other questions of its text", ofOthers],
  ["the values that its questions read", ofReleased],
  ["an answer that is made of it", ofMade],
])("a forgery of %s", (_, tellings) => {
  it.each(tellings)("is told: %s", async (says, tell) => {
    const before = [...said];
    said.clear();
    await hear(tell);
    const heard = [...said];
    for (const sentence of before) said.add(sentence);
    expect(
      heard.filter((sentence) => sentence.includes(says)),
      heard.join("\n"),
    ).not.toEqual([]);
  });
});

const genuine: readonly Sample[] = [
  bySector,
  counted,
  ofUnits,
  byCity,
  quantile,
  { ...counted, measure: "zcdp" },
  { text: "SELECT COUNT(*) AS n, COUNT(*) + 1 AS more FROM people" },
  { text: "SELECT SUM(wage) / 2 AS half, SUM(wage) > 3 AS much FROM people HAVING COUNT(*) > 3" },
  {
    text: "SELECT AVG(wage), VARIANCE(wage), STDDEV(wage), SKEWNESS(wage), COVAR_POP(wage, change), MAX(wage) FROM people",
    unit: "id",
  },
  {
    text: "SELECT SUM(wage, contribution_bounds_per_row => (0, 9)), COUNT(DISTINCT change), COUNT(DISTINCT sector) FILTER (WHERE wage > 3) FROM people",
    unit: "id",
  },
  { text: "SELECT SUM(wage + change), COUNT(DISTINCT change) FROM people" },
  { text: "SELECT AVG(DISTINCT wage), SUM(DISTINCT wage) FILTER (WHERE change > 3) FROM people", unit: "id" },
  { text: "SELECT SUM(wage * change), SUM(POWER(change, 2)) FROM people", unit: "id" },
  { text: "SELECT COUNT(*) FROM people WHERE hired < '2020-02-29'" },
  { text: "SELECT sector, COUNT(*) FROM people GROUP BY ROLLUP (sector)" },
  { text: "SELECT city, sector, COUNT(*) FROM people GROUP BY CUBE (city, sector)", unit: "id" },
];

describe("a genuine release", () => {
  it.each(genuine)("is told what holds of it: $text", async (given) => {
    const { release, policy } = await sample(given);
    for (const note of notesOf(release.certificate)) said.add(note);
    for (const options of [{ policyText: policy, publicKeyPem: signer.publicKey }, {}]) {
      const { checks, cannotShow } = await verifyRelease(JSON.stringify(release), options);
      for (const { says } of checks) said.add(says);
      for (const open of cannotShow) said.add(open);
    }
  });
});

describe("an answer beside a public table", () => {
  it("is told that its rows are not traced to the table", async () => {
    const { release } = await overCounts();
    const beside = { kind: "values", table: "regions", columns: [], rows: [] } as const;
    const { plan } = release.certificate;
    const over = { kind: "joined", type: "inner", left: plan.over!, right: beside, on: null } as const;
    const certificate = { ...release.certificate, plan: { ...plan, over } };
    const { cannotShow } = await verifyRelease(JSON.stringify({ ...release, certificate }));
    for (const open of cannotShow) said.add(open);
    expect(cannotShow.join()).toContain("rows of public tables beside the answer");
    const alone = await verifyRelease(JSON.stringify(release));
    expect(alone.cannotShow.join()).not.toContain("public tables");
  });
});

describe("several questions at one price", () => {
  it("are told what holds of them", async () => {
    for (const texts of [undefined, ["SELECT COUNT(*) FROM people"]]) {
      const json = JSON.stringify(await genuineWorkload(texts));
      for (const options of [{ policyText: workloadPolicy, publicKeyPem: signer.publicKey }, {}]) {
        const { checks } = await verifyRelease(json, options);
        expect(checks.filter(({ outcome }) => outcome === "failed")).toEqual([]);
        for (const { says } of checks) said.add(says);
      }
    }
  });
  it.each(forgedWorkloads)("are told, when they are forged: %s", async (says, forge) => {
    const told = await toldOf(await forgedWorkload(forge));
    for (const sentence of told) said.add(sentence);
    expect(told.filter((sentence) => sentence.includes(says)).length).toBeGreaterThan(0);
  });
  it("are told when answers were changed after they were signed", async () => {
    const release = await genuineWorkload();
    const told = await toldOf({ ...release, answers: release.answers.toReversed() });
    for (const sentence of told) said.add(sentence);
    expect(told).toContain("the answers are not those whose hash the certificate holds");
  });
});

describe("an answer that is made of releases", () => {
  const toldOfMade = async (made: unknown, options = {}): Promise<readonly string[]> => {
    const { checks, cannotShow } = await verifyMade(JSON.stringify(made), options);
    for (const sentence of [...checks.map(({ says }) => says), ...cannotShow]) said.add(sentence);
    return checks.filter(({ outcome }) => outcome === "failed").map(({ says }) => says);
  };
  it.each(genuineMakings)("is told what holds of it: %j", async (making) => {
    const { made, policy } = await genuineMade(making);
    for (const note of made.notes) said.add(note);
    for (const options of [{ policyText: policy, publicKeyPem: signer.publicKey }, {}])
      expect(await toldOfMade(made, options)).toEqual([]);
  });
  it.each(changedReleases)("is told, when its releases are forged: %s", async (says, change) => {
    expect((await toldOfMade(await madeOfChanged(change))).join("\n")).toContain(says);
  });
  it.each(changedAnswers)("is told, when it is changed: %s", async (says, change) => {
    const draft = structuredClone((await genuineMade()).made);
    change(draft as never);
    expect((await toldOfMade(draft)).join("\n")).toContain(says);
  });
  it("is told when it is made of none", async () => {
    const message = await verifyMade(await ofNoRelease()).catch((error: Error) => error.message);
    said.add(`${message}`);
    expect(message).toContain("releases must be a list of one or more");
  });
});

describe("a procedure", () => {
  it.each(["add-or-remove-one", "replace-one"] as const)(
    "is told what holds of it, under %s",
    async (adjacency) => {
      for (const release of [genuineBoosting(adjacency), genuineTables(adjacency)])
        for (const { says } of await toldOfProcedure(release, boostingPolicy(adjacency))) said.add(says);
    },
  );
  it.each(forgedBoostings)("is told, when it is forged: %s", async (says, forge) => {
    const told = await toldOfProcedure(forgedBoosting(forge));
    expect(told.filter((each) => each.says.includes(says)).length).toBeGreaterThan(0);
  });
  it.each(forgedNetworks)("of a network is told, when it is forged: %s (%s)", async (says, kind, forge) => {
    const told = await toldOfProcedure(forgedNetwork(kind, forge));
    expect(told.filter((each) => each.says.includes(says)).length).toBeGreaterThan(0);
  });
  it.each(forgedConvexes)(
    "of a convex model is told, when it is forged: %s (%s)",
    async (says, kind, forge) => {
      const told = await toldOfProcedure(forgedConvex(kind, forge), boostingPolicy(adjacencyOf(kind)));
      expect(told.filter((each) => each.says.includes(says)).length).toBeGreaterThan(0);
    },
  );
  it("of a convex model is told what holds of it, and when its form is another", async () => {
    const release = genuineConvex("localization");
    await toldOfProcedure(release, boostingPolicy("replace-one"));
    await toldOfProcedure(genuineConvex("choice"), boostingPolicy("replace-one"));
    for (const text of [
      JSON.stringify(release).replaceAll('"radius":2', '"radius":-2'),
      JSON.stringify(genuineConvex("choice")).replace(
        /"candidates":\[.*\],"score"/,
        '"candidates":[],"score"',
      ),
    ])
      await verifyRelease(text).catch(({ message }) => said.add(message));
  });
  it("of a network is told what holds of it", async () => {
    await toldOfProcedure(genuineNetwork());
  });
  it.each(forgedTableReleases)("of tables is told, when it is forged: %s", async (says, forge) => {
    const told = await toldOfProcedure(forgedTables(forge));
    expect(told.filter((each) => each.says.includes(says)).length).toBeGreaterThan(0);
  });
  it("is told when its result was changed, and when its form is another", async () => {
    const release = genuineBoosting();
    await toldOfProcedure({ ...release, result: {} as never }).catch(({ message }) => said.add(message));
    await toldOfProcedure({ ...release, result: { ...release.result, intercept: 7 } });
    for (const [from, to] of [
      ['"grade","categories":[1', '"grade","categories":[null'],
      ['"kind":"boosting","plan"', '"kind":"B","plan"'],
      [/"kind":"boosting","plan":\{.*\},"price"/, '"kind":"guesses","plan":{},"price"'],
    ] as const) {
      const text = JSON.stringify(release);
      expect(text).not.toBe(text.replace(from, to));
      await verifyRelease(text.replace(from, to)).catch(({ message }) => said.add(message));
    }
  });
});

describe("trained models", () => {
  it("are told what holds of them", async () => {
    for (const make of [jointFile, plainFile, kMeansFile])
      for (const options of [{ policyText: modelsPolicy() }, {}])
        for (const { says } of (await verifyModels(JSON.stringify(await make()), options)).checks)
          said.add(says);
  });
  it.each(forgedModels)("are told, when they are forged: %s", async (says, forge, policy) => {
    const told = await toldOfModels(await forge(), policy);
    for (const sentence of told) said.add(sentence);
    expect(told.filter((sentence) => sentence.includes(says)).length).toBeGreaterThan(0);
  });
  it.each(noModels)("are told when they are none: %s", async (says, change) => {
    const file = structuredClone(await jointFile());
    change(file as never);
    const message = await verifyModels(JSON.stringify(file)).catch((error: Error) => error.message);
    said.add(`${message}`);
    expect(message).toContain(says);
  });
  it("are told when their release is of one question", async () => {
    const { release } = await sample(counted);
    const file = { ...(await jointFile()), release };
    const error: unknown = await verifyModels(JSON.stringify(file)).catch((caught: unknown) => caught);
    if (!(error instanceof LetheError)) throw error;
    said.add(error.message).add(error.fix ?? "");
    expect(error.message).toContain("its release is of one question");
  });
});

it("a derivation that breaks down is told", async () => {
  const broken = async (error: Error): Promise<string> => {
    const { says } = await check("any", () => {
      throw error;
    });
    said.add(says);
    return says;
  };
  expect(await broken(new TypeError("a secret"))).toBe("cannot be derived");
  expect(await broken(new RangeError("a reason"))).toBe("cannot be derived: a reason");
});

describe("a file that is no release", () => {
  const refused = (text: string): void => {
    try {
      readRelease(text);
    } catch (error) {
      if (!(error instanceof LetheError)) throw error;
      said.add(error.message).add(error.fix ?? "");
    }
  };

  it("is told why: its form", () => {
    for (const text of ["{", "[".repeat(200), '{"version":1,"version":1}', `"${"x".repeat(33 << 20)}"`])
      refused(text);
    for (const sum of [{ name: "n" }, { argument: {} }])
      refused(JSON.stringify({ certificate: { plan: { version: 1, sums: [{ kind: "count", ...sum }] } } }));
  });

  it("is told why: members", async () => {
    const text = JSON.stringify((await sample(ofUnits)).release);
    for (const [from, to] of [
      ['"version":1', '"extra":1,"version":1'],
      ['"bounds":[0,60]', '"bounds":[0]'],
      ['"kind":"column","column":"id"}', '"kind":"column","column":"id","shared":false}'],
    ] as const) {
      expect(text).toContain(from);
      refused(text.replace(from, to));
    }
  });

  it("is told why: names", async () => {
    const { release } = await sample(named);
    for (const [, change] of forgedNames) {
      const draft = structuredClone(release) as Draft;
      change(draft.certificate.plan);
      refused(JSON.stringify(draft));
    }
    const { release: selected } = await overCounts();
    for (const [, change] of forgedOver) {
      const draft = structuredClone(selected) as Draft;
      change(draft);
      refused(JSON.stringify(draft));
    }
    const post = { having: { kind: "other", key: 0 } };
    refused(JSON.stringify({ certificate: { plan: { version: 1, post } } }));
  });

  it("is told why: any value of another type", async () => {
    const shapes = new Set<string>();
    const releases: Draft[] = [];
    for (const given of [ofUnits, byCity, quantile, genuine.at(-2)!])
      releases.push(structuredClone((await sample(given)).release) as Draft);
    const windowed = structuredClone((await sample(byCity)).release) as Draft;
    const window = { per: "day", measure: "pure", main: "10", delta: null } as const;
    windowed.certificate.account = { lifetime: "none", windows: [window] };
    for (const release of [...releases, windowed]) {
      for (const [path] of leavesOf(release)) {
        const shape = path.map((step) => (typeof step === "number" ? "*" : step)).join(".");
        if (shapes.has(shape)) continue;
        shapes.add(shape);
        for (const value of [null, -1, 1.5, "x", {}, [], true, { other: 1 }])
          refused(JSON.stringify(withLeaf(release, path, () => value)));
      }
    }
  });
});

/** Names and marks of several words, which nobody is told. */
const unsaid: ReadonlySet<string> = new Set([
  "§ (pilot)",
  "-----BEGIN PUBLIC KEY-----",
  "cells of the size of §",
  "SELECT COUNT(DISTINCT §) FROM §",
  "SELECT COUNT(*) FROM § WHERE §\n",
]);

const sources = fileURLToPath(new URL(".", import.meta.url));
/** Folders whose sentences nobody is told. */
const untold: ReadonlySet<string> = new Set(["testing"]);
const folders = readdirSync(sources, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !untold.has(entry.name))
  .map(({ name }) => name);
/** The fewest sentences that each place holds, where these are not nine. */
const fewest: Readonly<Record<string, number>> = {
  derive: 24,
  joins: 1,
  others: 5,
  made: 9,
  workload: 8,
  service: 7,
  ".": 6,
};

describe("every sentence of the verifier", () => {
  it.each([...folders, "."])("is said to somebody: %s", (folder) => {
    const sentences = sentencesOf(`${sources}/${folder}`);
    expect(sentences.length).toBeGreaterThanOrEqual(fewest[folder] ?? 9);
    const heard = [...said];
    const isHeard = ({ pattern }: Sentence): boolean => heard.some((sentence) => pattern.test(sentence));
    const dead = sentences.filter((sentence) => !unsaid.has(sentence.text) && !isHeard(sentence));
    expect(dead.map(({ place, text }) => `${place}: ${text}`)).toEqual([]);
  });
});
