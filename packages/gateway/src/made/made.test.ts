import { elementAt } from "@lethe/core/numeric";
import { ledgerWith } from "@lethe/ledger";
import { verifyMade } from "@lethe/verify";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { type Answered, answerOrMade, type Made } from "../answer.ts";
import type { House } from "../house.ts";
import type { Question } from "../question.ts";
import { isEstimate } from "../release.ts";
import { openHouse, optionsOf, type TestHouse } from "../testing/open-house.ts";
import { madeAhead } from "./made-ahead.ts";

const opened: TestHouse[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

/** Rows with values that no list of the policy has, NULL among the keys, and numbers beyond their bounds. */
const csv = `person,region,product,paid,x,y\n${Array.from({ length: 400 }, (_, i) => {
  const region = ["north", "south", "west", "elsewhere", ""][(i * 7) % 5];
  const product = ["apple", "pear", "plum", "other", ""][(i * 11 + (i >> 3)) % 5];
  return `p${i % 61},${region},${product},${i % 3 === 0},${i % 17 === 0 ? "" : (i * 31) % 57},${((i * 13) % 40) - 12.5}`;
}).join("\n")}\n`;

const columns = `
      person: { type: text }
      region: { type: text, categories: [north, south, west] }
      product: { type: text, categories: [apple, pear, plum], default: plum }
      paid: { type: boolean, default: false }
      x: { type: integer, bounds: [0, 50] }
      y: { type: number, bounds: [-10, 20], default: 0 }`;

function policyOf(unit: string, adjacency: string, measure = "pure", analysts = "", others = ""): string {
  const delta = measure === "approximate" ? ", delta: 1e-3" : "";
  return `
version: 1
privacy_unit: { name: unit, adjacency: ${adjacency} }
tables:
  sales:
    file: sales.csv
${unit}
    columns:${columns}
${others}budget: { measure: ${measure}, epsilon: 1000000000000${delta}${analysts} }
`;
}

/** Another private table, in which a unit may have all its rows. */
const elsewhere = `  others:
    file: others.csv
    unit: row
    columns:
      z: { type: integer, bounds: [0, 9] }
`;

const row = "    unit: row";
const person = (limit: string, groups: number, rows: number): string =>
  `    unit: person\n    limit: ${limit}\n    max_groups_contributed: ${groups}\n    max_rows_contributed_per_group: ${rows}`;

async function open(policy: string): Promise<TestHouse> {
  const house = await openHouse(policy, csv);
  opened.push(house);
  return house;
}

let ids = 0;
const asked = (text: string, changed: Partial<Question> = {}): Question => {
  ids += 1;
  return {
    text,
    principal: "owner",
    requestId: `random ${ids}`,
    repeats: "earlier",
    options: optionsOf({}),
    ...changed,
  };
};
const ask = (house: House, text: string, changed: Partial<Question> = {}): Promise<Answered | Made> =>
  answerOrMade(asked(text, changed), house);

async function madeBy(answer: Promise<Answered | Made>): Promise<Made["made"]> {
  const answered = await answer;
  if (!("made" in answered)) throw new Error("the answer was not made of releases");
  return answered.made;
}
async function paidBy(answer: Promise<Answered | Made>): Promise<Answered["release"]> {
  const answered = await answer;
  if ("made" in answered || answered.repeat) throw new Error("nothing was paid");
  return answered.release;
}
/** What lethe verify finds amiss, and what it could not check. */
async function amissIn(
  made: Made["made"],
  policyText: string,
  besides: readonly string[] = [],
): Promise<readonly string[]> {
  const publicKeyPem = elementAt(made.releases, 0).certificate.ledger.publicKey;
  const { checks } = await verifyMade(JSON.stringify(made), { policyText, publicKeyPem });
  const amiss = checks.filter(({ outcome }) => outcome !== "passed");
  return amiss
    .filter(({ name }) => !unchecked.has(name) && !besides.includes(name))
    .map(({ name, says }) => `${name}: ${says}`);
}
/** Checks that are not made of every release. */
const unchecked: ReadonlySet<string> = new Set([
  "computed",
  "over",
  "learned-bounds",
  "missing-groups",
  "joined-rows",
]);

const chargesOf = async ({ report }: TestHouse): Promise<number> => (await report()).charges.length;

const fine = "SELECT region, paid, COUNT(*) AS n, SUM(x) AS s FROM sales GROUP BY region, paid";
const coarse = "SELECT region, COUNT(*) AS n, SUM(x) AS s FROM sales GROUP BY region";

/** So little noise that an answer is the truth, but for a chance below 1e-9. */
const exactly = { ...optionsOf({ epsilon: "1000000" }), acceptUninformative: true };

describe("an answer by fewer keys", () => {
  const keys = ["region", "product", "paid"];
  const parts = [
    "COUNT(*)",
    "COUNT(x)",
    "SUM(x)",
    "SUM(y)",
    "COUNT(*) FILTER (WHERE paid)",
    "AVG(x)",
    "SUM(x) FILTER (WHERE product = 'pear')",
  ];
  const wheres = [
    "",
    " WHERE x > 20",
    " WHERE region IN ('north', 'south')",
    " WHERE product <> 'pear' AND y < 5",
    " WHERE paid OR region = 'west'",
  ];
  const units = [row, person("rows-before-filter", 4, 2), person("rows-before-filter", 3, 4)];

  it.each(["add-or-remove-one", "replace-one"])(
    "is the one that would be paid for, where all groups by more keys were released (%s)",
    async (adjacency) => {
      let compared = 0;
      const houses = await Promise.all([
        ...units.map((unit) => open(policyOf(unit, adjacency))),
        open(policyOf(row, adjacency, "pure", "", elsewhere)),
      ]);
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...houses),
          fc.shuffledSubarray(keys, { minLength: 1 }),
          fc.nat(3),
          fc.shuffledSubarray(parts, { minLength: 1 }),
          fc.nat(),
          fc.constantFrom(...wheres),
          fc.constantFrom("", " ORDER BY 1 DESC", " LIMIT 2"),
          async ({ house, policyText }, by, left, shown, fewer, where, post) => {
            const text = (names: readonly string[], all: readonly string[]): string =>
              `SELECT ${[...names, ...all].join(", ")} FROM sales${where}${names.length > 0 ? ` GROUP BY ${names.join(", ")}` : ""}`;
            const few = by.slice(0, Math.min(left, by.length));
            const some = shown.slice(0, 1 + (fewer % shown.length));
            if (few.length === by.length && some.length === shown.length) return;
            // An average is made of a sum and a count, and never of other averages.
            const isLacking = !(shown.includes("SUM(x)") && shown.includes("COUNT(x)"));
            if (some.includes("AVG(x)") && isLacking) return;
            const options = { ...exactly, parameters: [] };
            await ask(house, text(by, shown), { options });
            const due = await paidBy(
              ask(house, text(few, some) + post, {
                options: { ...exactly, confidence: 0.9 },
                repeats: "anew",
              }),
            );
            const made = await madeBy(ask(house, text(few, some) + post, { options, repeats: "made" }));
            expect(made.columns).toEqual(due.columns);
            expect(await amissIn(made, policyText)).toEqual([]);
            // Rows that are limited before the filter are more where there are more groups.
            if (made.notes.some((note) => note.startsWith("each unit counts as"))) return;
            compared += 1;
            // SUM(y) is measured in steps so fine that its noise of a few of them is left.
            const values = (rows: typeof due.rows): unknown =>
              rows.map((cells) =>
                cells.map((cell) => (isEstimate(cell) ? expect.closeTo(cell.value!, 1) : cell)),
              );
            const shownValues = made.rows.map((cells) =>
              cells.map((cell) => (isEstimate(cell) ? cell.value : cell)),
            );
            expect(shownValues).toEqual(values(due.rows));
          },
        ),
        { seed: 3, numRuns: 30 },
      );
      expect(compared).toBeGreaterThan(12);
    },
  );

  it("is given without being asked for where it is hardly wider, and tells both errors", async () => {
    const visits = await open(policyOf(row, "add-or-remove-one"));
    const release = await paidBy(ask(visits.house, fine));
    const made = await madeBy(ask(visits.house, coarse));
    expect(made.of.map(({ requestId }) => requestId)).toEqual([release.certificate.requestId]);
    expect(made.releases).toEqual([release]);
    for (const { here, anew } of made.errors) {
      expect(here).toBeGreaterThan(anew);
      expect(here).toBeLessThanOrEqual(2 * anew);
    }
    // Each value is the sum of those that were released.
    for (const [region, n] of made.rows) {
      const parts = release.rows.filter(([key]) => key === region).map((cells) => cells[2]);
      const sum = parts.reduce<number>((all, cell) => all + (isEstimate(cell!) ? cell.value! : 0), 0);
      expect(n).toMatchObject({ value: sum });
    }
    expect(await chargesOf(visits)).toBe(1);
    const { policy, ledger, clock, engine } = visits.house;
    const { imported = null } = await engine.storage("sales");
    const sources = {
      policy,
      ledger,
      clock,
      versionOf: (table: string) => ({ table, imported, declared: null }),
    };
    expect(await madeAhead(asked(`EXPLAIN PRIVACY ${coarse}`), sources)).toEqual({
      of: made.of,
      errors: made.errors,
      isTaken: true,
    });
    expect((await paidBy(ask(visits.house, coarse, { repeats: "anew" }))).rows).not.toEqual(made.rows);
    expect(await chargesOf(visits)).toBe(2);
  });

  it("is paid for where it would be much wider, unless what was released is asked for", async () => {
    const visits = await open(policyOf(row, "add-or-remove-one"));
    await ask(visits.house, fine);
    const total = "SELECT COUNT(*) AS n FROM sales";
    const made = await madeBy(ask(visits.house, total, { repeats: "made" }));
    expect(made.errors[0]!.here).toBeGreaterThan(2 * made.errors[0]!.anew);
    expect(await chargesOf(visits)).toBe(1);
    await paidBy(ask(visits.house, total));
    expect(await chargesOf(visits)).toBe(2);
  });

  it("is paid for where it would be little more than twice as wide", async () => {
    const visits = await open(policyOf(row, "add-or-remove-one"));
    await ask(visits.house, fine.replace(", SUM(x) AS s", ""));
    const total = "SELECT COUNT(*) AS n FROM sales";
    const [error] = (await madeBy(ask(visits.house, total, { repeats: "made" }))).errors;
    expect(error!.here).toBeGreaterThan(2 * error!.anew);
    expect(error!.here).toBeLessThan(3 * error!.anew);
    await paidBy(ask(visits.house, total));
  });

  it("has averages of released sums and counts where it is asked for, and verifies", async () => {
    const visits = await open(policyOf(row, "add-or-remove-one"));
    await ask(visits.house, fine.replace("SUM(x) AS s", "SUM(x) AS s, COUNT(x) AS m"));
    const average = "SELECT region, AVG(x) AS a FROM sales GROUP BY region";
    const made = await madeBy(ask(visits.house, average, { repeats: "made" }));
    expect(made.errors).toEqual([]);
    expect(made.notes.join()).toContain("an average is the quotient of released sums and counts");
    expect(await amissIn(made, visits.policyText, ["intervals"])).toEqual([]);
    await paidBy(ask(visits.house, average));
  });

  it("says what it is of, and is not given unasked, where units are limited by the keys of the release", async () => {
    const visits = await open(policyOf(person("groups-after-filter", 2, 2), "add-or-remove-one"));
    await ask(visits.house, fine);
    const made = await madeBy(ask(visits.house, coarse, { repeats: "made" }));
    expect(made.notes).toContain(
      "each unit counts as the released answer limits it: in at most 2 groups by region, paid, with at most 2 rows in each; an answer that is paid for limits it by its own keys, and may be another number",
    );
    expect(made.notes.filter((note) => note.startsWith("each unit"))).toHaveLength(1);
    expect(await amissIn(made, visits.policyText)).toEqual([]);
    await ask(visits.house, fine.replace(", SUM(x) AS s", ""), { repeats: "anew" });
    const counts = await madeBy(ask(visits.house, coarse.replace(", SUM(x) AS s", ""), { repeats: "made" }));
    expect(counts.notes.join()).toContain("each unit counts as the released answer limits it");
    // As many rows by either keys, and still another number.
    const rowsOf = ({ contribution }: typeof counts.plan): number => contribution.groups * contribution.rows;
    expect(rowsOf(counts.plan)).toBe(rowsOf(elementAt(counts.releases, 0).certificate.plan));
    // An average weighs the rows of a unit otherwise than its sum does.
    const average = "SELECT region, AVG(x) AS a FROM sales GROUP BY region";
    await ask(visits.house, fine.replace("SUM(x) AS s", "SUM(x) AS s, COUNT(x) AS m"));
    await expect(ask(visits.house, average, { repeats: "made" })).rejects.toMatchObject({
      code: "query.option",
    });
    await paidBy(ask(visits.house, coarse));
  });

  it.each([
    ["HAVING leaves groups out", `${fine} HAVING COUNT(*) > 1`, coarse],
    ["LIMIT leaves groups out", `${fine} LIMIT 100`, coarse],
    ["the conditions differ", `${fine.replace(" GROUP", " WHERE x > 3 GROUP")}`, coarse],
    [
      "units are counted",
      "SELECT region, paid, COUNT(DISTINCT person) AS n FROM sales GROUP BY region, paid",
      "SELECT region, COUNT(DISTINCT person) AS n FROM sales GROUP BY region",
    ],
    [
      "values are counted",
      "SELECT region, paid, COUNT(DISTINCT x) AS n FROM sales GROUP BY region, paid",
      "SELECT region, COUNT(DISTINCT x) AS n FROM sales GROUP BY region",
    ],
    [
      "a quantile is asked",
      "SELECT region, paid, MEDIAN(x) AS n FROM sales GROUP BY region, paid",
      "SELECT region, MEDIAN(x) AS n FROM sales GROUP BY region",
    ],
    [
      "an average is shown without its sum",
      "SELECT region, paid, AVG(x) AS a, COUNT(x) AS n FROM sales GROUP BY region, paid",
      "SELECT region, AVG(x) AS a FROM sales GROUP BY region",
    ],
    ["a number is not shown", fine.replace(", SUM(x) AS s", ""), coarse],
    ["a number is shown rounded alone", fine.replace("SUM(x) AS s", "ROUND(SUM(x)) AS s"), coarse],
    ["a key is not shown", fine.replace("region, paid, COUNT", "region, COUNT"), coarse],
    ["a key is another", fine.replaceAll("region", "product"), coarse],
    ["bounds are others", fine.replace("SUM(x)", "SUM(LEAST(GREATEST(x, 0), 9))"), coarse],
  ])("is not made where %s", async (_, released, question) => {
    const visits = await open(policyOf(person("rows-before-filter", 3, 2), "add-or-remove-one"));
    await ask(visits.house, released);
    await expect(ask(visits.house, question, { repeats: "made" })).rejects.toMatchObject({
      code: "query.option",
    });
    await paidBy(ask(visits.house, question));
    expect(await chargesOf(visits)).toBe(2);
  });

  it("is not made of keys that are data", async () => {
    const visits = await open(policyOf(row, "add-or-remove-one", "approximate"));
    const options = { ...optionsOf({ delta: "1e-6", keys: "private" }) };
    await ask(visits.house, fine, { options });
    await paidBy(ask(visits.house, coarse, { options }));
    await paidBy(ask(visits.house, coarse, { options: optionsOf({ delta: "1e-6" }) }));
  });
});

describe("whose answers, of what", () => {
  it("are those of the principal, the data, the policy and the options alone", async () => {
    const visits = await open(
      policyOf(row, "add-or-remove-one", "pure", ", analysts: { ada: 1000, bob: 1000 }"),
    );
    const { house } = visits;
    await ask(house, fine, { principal: "ada" });
    await madeBy(ask(house, coarse, { principal: "ada" }));
    const others: readonly [House, Partial<Question>][] = [
      [house, { principal: "bob" }],
      [house, {}],
      [{ ...house, declared: { sales: "changed" } }, { principal: "ada" }],
      [house, { principal: "ada", options: optionsOf({ epsilon: "2" }) }],
      [house, { principal: "ada", options: optionsOf({ mechanism: "laplace" }) }],
      [
        {
          ...house,
          policy: { ...house.policy, privacyUnit: { ...house.policy.privacyUnit, name: "other" } } as never,
        },
        { principal: "ada" },
      ],
    ];
    for (const [at, changed] of others)
      await expect(ask(at, coarse, { ...changed, repeats: "made" })).rejects.toMatchObject({
        code: "query.option",
      });
    await expect(ask(house, coarse, { principal: "eve", repeats: "made" })).rejects.toThrow();
    const { ledger } = house;
    const barred = new Proxy(ledger, {
      get: (of, name) => {
        if (name === "remaining") return async () => of.remaining("nobody");
        const member = Reflect.get(of, name, of);
        return typeof member === "function" ? member.bind(of) : member;
      },
    });
    await expect(ask({ ...house, ledger: barred }, coarse, { principal: "ada" })).rejects.toMatchObject({
      code: "ledger.principal",
    });
    expect(await chargesOf(visits)).toBe(1);
  });

  it("are of the period that an answer stands for, where data are read as they lie", async () => {
    const visits = await open(`${policyOf(row, "add-or-remove-one")}answers_valid: 5m\n`);
    const { engine, clock } = visits.house;
    const storage = async (table: string) => {
      const { imported: _, ...other } = await engine.storage(table);
      return other;
    };
    const lying = { ...engine, dialect: engine.dialect, run: engine.run.bind(engine), storage } as never;
    const at = (minutes: number): House => ({
      ...visits.house,
      engine: lying,
      clock: () => clock() + minutes * 60_000,
    });
    await ask(at(0), fine);
    expect((await madeBy(ask(at(4), coarse))).of).toHaveLength(1);
    await expect(ask(at(5), coarse, { repeats: "made" })).rejects.toMatchObject({ code: "query.option" });
    // The data of two answers of one period may differ: they are not combined, and the newest is shown.
    const newest = await paidBy(ask(at(4), fine, { repeats: "anew" }));
    expect(await ask(at(4), fine)).toMatchObject({
      release: newest,
      repeat: { columns: ["region", "paid", "n", "s"] },
    });
    expect((await madeBy(ask(at(4), coarse))).releases).toEqual([newest]);
  });
});

describe("several answers to one question", () => {
  it("are shown as their mean, with the noise of a mean", async () => {
    const visits = await open(policyOf(row, "add-or-remove-one"));
    const releases = [];
    for (let at = 0; at < 4; at += 1)
      releases.push(await paidBy(ask(visits.house, fine, { repeats: "anew" })));
    const made = await madeBy(ask(visits.house, `${fine} -- again`));
    expect(made.releases).toEqual(releases);
    for (const [at, cells] of made.rows.entries()) {
      for (const column of [2, 3]) {
        const all = releases.map(({ rows }) => rows[at]![column]!);
        const mean = all.reduce<number>((sum, cell) => sum + (isEstimate(cell) ? cell.value! : 0), 0) / 4;
        expect(cells[column]).toMatchObject({ value: mean });
      }
    }
    for (const { here, anew } of made.errors) expect(here / anew).toBeCloseTo(0.5, 0);
    const coarser = await madeBy(ask(visits.house, coarse));
    expect(coarser.releases).toEqual(releases);
    for (const { here, anew } of coarser.errors) expect(here).toBeLessThan(anew);
    for (const each of [made, coarser]) expect(await amissIn(each, visits.policyText)).toEqual([]);
    // By the id that names it, each is shown by itself.
    expect(await chargesOf(visits)).toBe(4);
  });

  it("are not what an answer is made of that came while it was looked for: it is shown", async () => {
    const visits = await open(policyOf(row, "add-or-remove-one"));
    const { ledger } = visits.house;
    const first = await paidBy(ask(visits.house, fine));
    let isThere = false;
    const meanwhile = ledgerWith(ledger, {
      settled: async (...asked) => (isThere ? ledger.settled(...asked) : null),
      requestsOf: async (...asked) => {
        isThere = true;
        return ledger.requestsOf(...asked);
      },
    });
    const again = await ask({ ...visits.house, ledger: meanwhile }, fine);
    expect(again).toMatchObject({ release: first, repeat: {} });
    expect(await chargesOf(visits)).toBe(1);
  });

  it("are numbers of units, too, which are not added up", async () => {
    const visits = await open(policyOf(person("groups-after-filter", 2, 2), "add-or-remove-one"));
    const units = "SELECT region, COUNT(DISTINCT person) AS n FROM sales GROUP BY region";
    for (let at = 0; at < 2; at += 1) await ask(visits.house, units, { repeats: "anew" });
    const made = await madeBy(ask(visits.house, units));
    expect(made.of).toHaveLength(2);
    expect(await amissIn(made, visits.policyText)).toEqual([]);
  });

  it.each([
    { why: "a key is data", question: fine, keys: "private" as const },
    { why: "HAVING chose the groups", question: `${fine} HAVING COUNT(*) > 1` },
    { why: "an average is asked", question: "SELECT region, AVG(x) AS a FROM sales GROUP BY region" },
    { why: "a number is computed", question: "SELECT region, COUNT(*) + 1 AS a FROM sales GROUP BY region" },
  ])(
    "are not combined where $why: the newest is shown",
    async ({ question, keys = "public" as "public" | "private" }) => {
      const visits = await open(policyOf(row, "add-or-remove-one", "approximate"));
      const options = optionsOf({ delta: "1e-6", keys });
      await ask(visits.house, question, { repeats: "anew", options });
      const newest = await paidBy(ask(visits.house, question, { repeats: "anew", options }));
      expect(await ask(visits.house, question, { options })).toMatchObject({ release: newest });
      expect(await chargesOf(visits)).toBe(2);
    },
  );
});
