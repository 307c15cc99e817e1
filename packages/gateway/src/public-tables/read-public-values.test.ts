import { parseRational } from "@lethe/core";
import { verifyRelease } from "@lethe/verify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answer, answerOrRepeat } from "../answer.ts";
import { isEstimate, type Release, type ReleasedCell } from "../release.ts";
import { openShop, type Shop } from "../testing/open-shop.ts";

let shops: Readonly<Record<"raw" | "imported", Shop>>;
beforeAll(async () => {
  shops = { raw: await openShop("raw"), imported: await openShop("imported") };
});
afterAll(async () => {
  for (const shop of Object.values(shops)) await shop.close();
});

let requests = 0;
/** At this ε no integer moves: a noise of one is less likely than e^−500. */
const epsilon = parseRational("10000");

function asked(text: string, { house }: Shop, stated?: string): Promise<Release> {
  requests += 1;
  const requestId = stated ?? `request ${requests}`;
  const options = { epsilon, delta: null, groupSelection: null, mechanism: null, confidence: 0.95 };
  return answer({ text, principal: "owner", requestId, options }, house);
}

const plainCell = (cell: ReleasedCell | undefined): unknown =>
  cell !== null && cell !== undefined && isEstimate(cell) ? cell.value : cell;

function written(rows: readonly (readonly unknown[])[], text: string): readonly string[] {
  const lines = rows.map((row) =>
    row
      .map((cell) =>
        typeof cell === "string" && cell !== "" && Number.isFinite(Number(cell)) ? Number(cell) : cell,
      )
      .map((cell) => (typeof cell === "number" ? cell.toPrecision(9) : String(cell)))
      .join(" | "),
  );
  return /order by(?!.*\))/is.test(text) ? lines : [...lines].sort();
}

const texts = [
  `WITH counts AS (SELECT region, COUNT(*) AS n FROM people GROUP BY region)
   SELECT r.region, n / r.millions AS per_million, r.founded, r.coastal FROM regions r LEFT JOIN counts c ON c.region = r.region ORDER BY r.region`,
  `WITH best AS (SELECT product, SUM(pieces) AS pieces FROM orders GROUP BY product ORDER BY pieces DESC LIMIT 3)
   SELECT p.name, p.price * best.pieces AS worth FROM best JOIN products p ON p.product = best.product ORDER BY best.pieces DESC`,
  `WITH best AS (SELECT product, SUM(pieces) AS pieces FROM orders GROUP BY product)
   SELECT name, listed, pieces FROM products, best WHERE products.product = best.product AND pieces = (SELECT MAX(pieces) FROM best)`,
  `WITH counts AS (SELECT region, COUNT(*) AS n FROM people GROUP BY region), coast AS (SELECT coastal, SUM(millions) AS millions, COUNT(*) AS regions FROM regions GROUP BY coastal)
   SELECT coast.coastal, coast.regions, SUM(n) AS people FROM coast JOIN regions USING (coastal) JOIN counts USING (region) GROUP BY 1, 2 ORDER BY 1, 2`,
  `SELECT COUNT(*) / (SELECT SUM(millions) FROM regions WHERE coastal) AS per_million FROM people`,
  `WITH counts AS (SELECT region, COUNT(*) AS n FROM people GROUP BY region)
   SELECT * FROM counts JOIN (SELECT region, millions FROM regions WHERE millions > 1) big USING (region) ORDER BY region`,
  `WITH counts AS (SELECT region, COUNT(*) AS n FROM people GROUP BY region)
   SELECT region, n FROM counts UNION ALL SELECT region, millions FROM regions ORDER BY 1, 2`,
];

describe("an answer beside public tables", () => {
  for (const stored of ["raw", "imported"] as const)
    it.each(texts)(
      `shows without noise what the database returns, ${stored}, and verifies: %s`,
      async (text) => {
        const shop = shops[stored];
        const release = await asked(text, shop);
        const rows = (release.over ?? release).rows.map((row) => row.map(plainCell));
        const expected = await shop.plain(text);
        expect(expected.length).toBeGreaterThan(0);
        expect(written(rows, text)).toEqual(written(expected, text));
        const { checks, cannotShow } = await verifyRelease(JSON.stringify(release), {
          policyText: shop.policyText,
          publicKeyPem: shop.house.ledger.publicKey,
        });
        expect(checks.filter(({ outcome, name }) => outcome !== "passed" && name !== "plain-price")).toEqual(
          [],
        );
        expect(cannotShow.join()).toContain("rows of public tables");
      },
    );

  it("keeps the columns that the text reads, and no others", async () => {
    const release = await asked(texts[1]!, shops.raw);
    const plan = JSON.stringify(release.certificate.plan.over);
    expect(plan).toContain("Earl Grey");
    expect(plan).not.toContain("2024-01-0");
  });

  it("reads nothing again for a request that was answered", async () => {
    const { raw } = shops;
    const first = await asked(texts[0]!, raw, "the same");
    expect(await asked(texts[0]!, raw, "the same")).toEqual(first);
  });

  it("is given again for nothing until the owner declares the public table changed", async () => {
    const { house } = shops.imported;
    const options = { epsilon, delta: null, groupSelection: null, mechanism: null, confidence: 0.95 };
    const ask = (declared: Readonly<Record<string, string>> = {}): ReturnType<typeof answerOrRepeat> => {
      requests += 1;
      const question = { text: texts[0]!, principal: "owner", requestId: `request ${requests}`, options };
      return answerOrRepeat({ ...question, repeats: "earlier" }, { ...house, declared });
    };
    const [first, again] = [await ask(), await ask()];
    expect([first.repeat, again.repeat?.asOf]).toEqual([null, first.release.certificate.at]);
    expect(again.release).toEqual(first.release);
    expect((await ask({ products: "changed" })).release).toEqual(first.release);
    const changed = await ask({ regions: "changed" });
    expect(changed.repeat).toBeNull();
    expect(changed.release.certificate.requestId).not.toBe(first.release.certificate.requestId);
  });

  it("is paid as the question alone is", async () => {
    const { raw } = shops;
    const both = await asked(texts[0]!, raw);
    const alone = await asked("SELECT region, COUNT(*) AS n FROM people GROUP BY region", raw);
    expect(both.certificate.plan.price).toEqual(alone.certificate.plan.price);
    expect(both.certificate.plan.event).toEqual(alone.certificate.plan.event);
  });

  it("does not follow where rows of a public table were changed afterwards", async () => {
    const release = structuredClone(await asked(texts[0]!, shops.raw));
    const changed = JSON.stringify(release).replaceAll('"south",2.25', '"south",2.5');
    expect(changed).not.toBe(JSON.stringify(release));
    const { checks } = await verifyRelease(changed, {});
    expect(checks.find(({ name }) => name === "over")?.outcome).toBe("failed");
  });

  it.each([
    "WITH c AS (SELECT region, COUNT(*) AS n FROM people GROUP BY region) SELECT n FROM c JOIN people ON people.region = c.region",
    "WITH c AS (SELECT region, COUNT(*) AS n FROM people GROUP BY region) SELECT c.n FROM c JOIN (SELECT region FROM people) p ON p.region = c.region",
    "WITH c AS (SELECT region, COUNT(*) AS n FROM people GROUP BY region) SELECT n, (SELECT MAX(region) FROM people) FROM c",
  ])("is not put beside private rows: %s", async (text) => {
    await expect(asked(text, shops.raw)).rejects.toMatchObject({ code: expect.stringMatching(/^query\./) });
  });

  it("fails before anything is charged where the public table cannot be read", async () => {
    const { house, policyText } = shops.raw;
    const engine = { ...engineOf(house.engine), published: () => Promise.reject(new Error("gone")) };
    const before = (await house.ledger.report()).charges.length;
    await expect(asked(texts[0]!, { ...shops.raw, house: { ...house, engine }, policyText })).rejects.toThrow(
      "gone",
    );
    expect((await house.ledger.report()).charges).toHaveLength(before);
  });
});

function engineOf(engine: Shop["house"]["engine"]): Shop["house"]["engine"] {
  return {
    dialect: engine.dialect,
    storage: (table) => engine.storage(table),
    run: (query) => engine.run(query),
    rows: (query) => engine.rows(query),
    published: (query) => engine.published(query),
    close: () => engine.close(),
  };
}
