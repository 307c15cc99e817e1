import { readFileSync, writeFileSync } from "node:fs";
import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { modelCard } from "../../card/card-of.ts";
import { open } from "../../open.ts";
import { lethe } from "../../testing/command-line.ts";
import { oneFolder } from "../../testing/one-folder.ts";

const policy = `
version: 1
privacy_unit: { name: "patient|s", adjacency: add-or-remove-one }
tables:
  visits:
    file: visits.csv
    unit: id
    max_groups_contributed: 1
    max_rows_contributed_per_group: 2
    limit: rows-before-filter
    columns:
      id: { type: text }
      age: { type: integer, bounds: [18, 90] }
      cost: { type: number, bounds: [0, 250.5], default: 0 }
      ward: { type: text, categories: [surgery, "a|b", "<i>other</i>"] }
      back: { type: boolean }
budget: { measure: approximate, epsilon: 10000, delta: 1e-5 }
`;
const visits = Array.from({ length: 400 }, (_, i) =>
  [
    `p${i % 250}`,
    18 + ((i * 37) % 73),
    ((i * 53) % 2500) / 10,
    ["surgery", "a|b", "<i>other</i>"][i % 3],
    i % 5 < 2,
  ].join(),
);
const secret = "p249";
const words =
  'purpose: "Plans beds, **not** care."\nlimits: ["Not for one patient.", "<b>Not</b> after 2027 | see # 3"]';
const file = (rest: string): string => `version: 1\ntable: visits\n${rest}\n`;
const files = {
  "regression.yaml": file(`model: linear-regression\ntarget: cost\nfeatures: [age, ward]\n${words}`),
  "ridge.yaml": file(
    "model: ridge-regression\npenalty: 5\ntarget: cost\nfeatures: [age, ward]\nintercept: false",
  ),
  "covariance.yaml": file("model: covariance\nfeatures: [age, cost]\nwhere: age >= 20 AND cost < 200"),
  "pca.yaml": file("model: pca\nfeatures: [age, cost]"),
  "bayes.yaml": file("model: naive-bayes\ntarget: ward\nfeatures: [age, back]"),
  "counts.yaml": file("model: marginals\nfeatures: [ward, back]\nmarginals: 2"),
  "groups.yaml": file("model: k-means\nfeatures: [age, cost]\nclusters: 3\nsteps: 2"),
  "boosting.yaml": file(`model: boosting\ntarget: back\nfeatures: [age, ward]\n${words}`),
  "network.yaml": file(
    `model: network\ntarget: back\nfeatures: [age, ward]\nunits: 250\nsampler: full\nsteps: 6\n${words}`,
  ),
  "convex.yaml": file("model: convex\ntarget: cost\nfeatures: [age, ward]\nunits: 250\nsteps: 5"),
  "table.yaml": file(`method: mst\nbins: 6\ncolumns: [age, cost, ward]\n${words}`),
};

const all = {
  "lethe.yaml": policy,
  "visits.csv": `id,age,cost,ward,back\n${visits.join("\n")}\n`,
  ...files,
};
oneFolder(all, async () => {
  expect((await lethe("init")).error).toBe("");
  expect((await lethe("import")).error).toBe("");
  const made = [
    ["train", "regression.yaml", "ridge.yaml", "--out", "sums.json"],
    ["train", "covariance.yaml", "--out", "covariance.json"],
    ["train", "pca.yaml", "--out", "pca.json"],
    ["train", "bayes.yaml", "--out", "bayes.json"],
    ["train", "counts.yaml", "--out", "counts.json"],
    ["train", "groups.yaml", "--out", "groups.json"],
    ["train", "boosting.yaml", "--delta", "1e-7", "--out", "boosting.json"],
    ["train", "network.yaml", "--delta", "1e-7", "--out", "network.json"],
    ["train", "convex.yaml", "--delta", "1e-7", "--out", "convex.json"],
    ["synthesize", "table.yaml", "--delta", "1e-7", "--release", "table.json"],
  ];
  for (const [command = "", ...rest] of made) {
    const card = (rest.at(-1) ?? "").replace(".json", ".md");
    const said = await lethe(command, ...rest, "--epsilon", "20", "--yes", "--card", card);
    expect(said.error, rest.join(" ")).toBe("");
  }
});

const titles = {
  sums: "2 models",
  covariance: "Covariances of `age` and `cost`",
  pca: "Principal components of `age` and `cost`",
  bayes: "Naive Bayes classifier of `ward`",
  counts: "Counts by `ward` and `back`",
  groups: "3 clusters of `age` and `cost`",
  boosting: "Boosted model of `back`",
  network: "Network of `back`",
  convex: "Convex model of `cost`",
  table: "Synthetic table of `visits`",
};
const cardOf = (name: string): string => readFileSync(`${name}.md`, "utf8");
const names = Object.keys(titles);

describe("a card", () => {
  it.each(Object.entries(titles))(
    "of %s says what it is, of whom, at which price, and how to check it",
    async (name, title) => {
      const card = cardOf(name);
      expect(card.startsWith(`# Model card: ${title}\n`)).toBe(true);
      const json = JSON.parse(readFileSync(`${name}.json`, "utf8"));
      const { certificate } = "certificate" in json ? json : json.release;
      for (const part of [
        certificate.requestId,
        certificate.answersHash ?? certificate.resultHash,
        certificate.ledger.hash,
        "One patient\\|s is protected",
        "Whether a unit is in the data at all is hidden",
        "**ε 20",
        "raise anyone's chance of telling whether one patient\\|s is in the data by at most",
        "no accuracy, loss or error on the rows was computed",
        "lethe verify RELEASE --policy POLICY --public-key KEY",
      ])
        expect(card).toContain(part);
      expect(card).toMatch(
        /At most 2 rows of a unit are kept|A unit counts as 2 rows at most|The gradient of a unit, all its rows together|A unit's loss is the mean/,
      );
      expect(card).not.toContain(secret);
      expect(card).not.toMatch(/NaN|Infinity|undefined|null/);
    },
  );

  it.each(names)("of %s is made again, byte for byte, from its file and the policy", async (name) => {
    const { out, error } = await lethe("card", `${name}.json`);
    expect(error).toBe("");
    expect(`${out}\n`).toBe(cardOf(name));
  });

  it.each(names)("of %s names nothing that is not in policy, description or release", (name) => {
    const known = `${policy}${readFileSync(`${name}.json`, "utf8")}`.replaceAll(/\s+/g, "");
    const spans: string[] = [];
    for (const token of new MarkdownIt().parse(cardOf(name), {}))
      for (const { type, content } of token.children ?? []) if (type === "code_inline") spans.push(content);
    expect(spans.length).toBeGreaterThan(8);
    const ours = ["lethe card", "lethe verify"];
    const foreign = spans.filter((span) => {
      const written = JSON.stringify(span).slice(1, -1).replaceAll(/\s+/g, "");
      return (
        !ours.includes(span) && !known.includes(written) && !known.replaceAll("\\n", "").includes(written)
      );
    });
    expect(foreign).toEqual([]);
  });

  it.each(["sums", "boosting", "network", "table"])(
    "of %s has its owner's words, which say no more than they say",
    (name) => {
      const card = cardOf(name);
      expect(card).toContain("Meant for: Plans beds, \\*\\*not\\*\\* care.");
      expect(card).toContain(
        "- Limit: Not for one patient.\n- Limit: \\<b\\>Not\\</b\\> after 2027 \\| see \\# 3\n",
      );
    },
  );

  it("says so where its owner states no use", () => {
    expect(cardOf("pca")).toContain("Its owner states neither a use that it is meant for nor its limits.");
  });

  it("has columns with the policy's bounds and categories, and the condition on rows", () => {
    expect(cardOf("covariance")).toContain("the rows where `age >= 20 AND cost < 200` of `visits`");
    expect(cardOf("covariance")).toContain(
      "| `cost` | column | a number from 0 to 250.5; one beyond counts as the nearer end | has the policy's default |",
    );
    expect(cardOf("bayes")).toContain(
      "| `ward` | predicted | one of surgery, a\\|b, \\<i\\>other\\</i\\> | is left out |",
    );
    expect(cardOf("table")).toContain(
      "| `age` | column | a number from 18 to 90, in 6 bins; one beyond counts as the nearer end | has a value of its own |",
    );
  });

  it("has the intervals and the noise that the release carries", () => {
    const { models } = JSON.parse(readFileSync("sums.json", "utf8"));
    expect(cardOf("sums")).toMatch(
      /\| term \| coefficient \| 95 % interval \|\n.*\n\| constant \| -?[\d.]+ \| -?[\d.]+ … -?[\d.]+ \|/,
    );
    expect(models[0].coefficients).toHaveLength(3);
    expect(cardOf("sums")).toContain("Categories are compared with `ward` = surgery, which adds nothing.");
    expect(cardOf("sums")).toContain("| 1 | `ward` | 3 |");
    expect(cardOf("groups")).toContain("| 2 | `cluster` | 3 |");
    expect(cardOf("boosting")).toMatch(/Each sum of a round had noise of deviation [\d.]+\./);
    expect(cardOf("network")).toMatch(/had noise of deviation [\d.]+ in the first step\./);
    expect(cardOf("convex")).toMatch(/proven (?:before any data that|of how good)/);
    expect(cardOf("convex")).toMatch(/\| entry \| weight \|\n.*\n\| .* \| -?[\d.]+ \|/);
    expect(cardOf("table")).toMatch(/\| `age` \| 7 \| [\d.]+ \| [\d.]+ % \| [\d.]+ % \|/);
  });

  it("is a function of what open gives, and of the policy", async () => {
    const opened = await open("lethe.yaml");
    try {
      const earlier = JSON.parse(readFileSync("sums.json", "utf8"));
      expect(await modelCard(earlier, policy)).toBe(cardOf("sums"));
      const more = await opened.fit(files["ridge.yaml"], earlier);
      expect(await modelCard(more, policy)).toContain("# Model card: 3 models");
    } finally {
      await opened.close();
    }
  });
});

describe("no card", () => {
  it("is made of what does not hold", async () => {
    const honest = readFileSync("bayes.json", "utf8");
    const forged = {
      "bounds.json": honest.replace("[\n              18,", "[\n              19,"),
      "signed.json": honest.replace(/"principal": "owner"/, '"principal": "ada"'),
      "fitted.json": honest.replace(/"logShare": -/, '"logShare": -1'),
    };
    for (const [name, text] of Object.entries(forged)) {
      expect(text, name).not.toBe(honest);
      writeFileSync(name, text);
      const { code, error, out } = await lethe("card", name);
      expect(code, name).toBe("release.invalid");
      expect(error).toContain("no card is made of what does not hold");
      expect(out).toBe("");
    }
  });

  it("is made under another policy, of a question, or over a file that is there", async () => {
    writeFileSync("other.yaml", policy.replace("[18, 90]", "[18, 91]"));
    expect((await lethe("card", "pca.json", "--policy", "other.yaml")).code).toBe("release.invalid");
    await lethe("query", "SELECT COUNT(*) FROM visits", "--epsilon", "1", "--out", "query.json");
    const { code, error } = await lethe("card", "query.json");
    expect([code, error]).toEqual([
      "release.invalid",
      expect.stringContaining("the answer to a question, and no model"),
    ]);
    expect((await lethe("card", "pca.json", "--out", "pca.md")).code).toBe("cli.file");
    expect((await lethe("card", "pca.json", "--out", "pca-again.md")).error).toBe("");
    expect(cardOf("pca-again")).toBe(cardOf("pca"));
    expect((await lethe("card", "missing.json")).code).toBe("cli.file");
    expect((await lethe("card", "pca.yaml")).code).toBe("release.invalid");
  });

  it("is promised where nothing is trained, and none is paid for that cannot be written", async () => {
    const before = (await lethe("budget", "--format", "json")).out;
    const asked = ["--epsilon", "20"];
    expect((await lethe("train", "pca.yaml", ...asked, "--explain", "--card", "x.md")).code).toBe(
      "cli.usage",
    );
    expect((await lethe("synthesize", "table.yaml", "--explain", "--card", "x.md")).code).toBe("cli.usage");
    expect((await lethe("train", "pca.yaml", ...asked, "--card", "pca.md")).code).toBe("cli.file");
    expect((await lethe("synthesize", "table.yaml", ...asked, "--card", "pca.md")).code).toBe("cli.file");
    expect((await lethe("budget", "--format", "json")).out).toBe(before);
  });
});
