import { LetheError } from "@lethe/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openShop, type Shop } from "../testing/open-shop.ts";
import { answerPublic, type PublicAnswer, readPublic } from "./answer-public.ts";

let shops: Readonly<Record<"raw" | "imported", Shop>>;
beforeAll(async () => {
  shops = { raw: await openShop("raw"), imported: await openShop("imported") };
});
afterAll(async () => {
  for (const shop of Object.values(shops)) await shop.close();
});

async function asked(text: string, shop: Shop, parameters: readonly string[] = []): Promise<PublicAnswer> {
  const question = await readPublic(text, parameters, "2024-06-11", shop.house.policy);
  if (!question) throw new Error(`no question of public tables: ${text}`);
  return answerPublic(question, shop.house.engine);
}

/** DuckDB writes large integers and decimals as texts. */
function written(rows: readonly (readonly unknown[])[]): readonly string[] {
  return rows.map((row) =>
    row
      .map((cell) =>
        cell !== null && cell !== "" && typeof cell !== "boolean" && Number.isFinite(Number(cell))
          ? Number(cell)
          : cell,
      )
      .join(" | "),
  );
}

const texts = [
  "SELECT * FROM regions ORDER BY region",
  "SELECT region, millions * 2 AS twice, founded FROM regions WHERE coastal IS NOT FALSE ORDER BY 1",
  'SELECT r.region AS "the region", upper(left(r.region, 2)) FROM public.regions AS r WHERE r.millions BETWEEN 1 AND 3 ORDER BY r.millions DESC',
  "SELECT name, length(name) FROM products WHERE name LIKE '%''%' OR name ILIKE 'EARL%' ORDER BY name",
  "SELECT coastal, COUNT(*) AS n, SUM(millions), MIN(founded), MAX(region) FROM regions GROUP BY coastal ORDER BY n DESC, coastal NULLS LAST",
  "SELECT CASE WHEN price > 10 THEN 'dear' ELSE 'cheap' END AS band, AVG(price) FROM products GROUP BY 1 HAVING COUNT(*) > 1 ORDER BY 1",
  "WITH dear AS (SELECT * FROM products WHERE price > 5), n(k) AS (SELECT COUNT(*) FROM dear) SELECT dear.name, n.k FROM dear, n ORDER BY dear.product",
  "SELECT p.name, q.name FROM products p LEFT JOIN products q ON q.product = p.product + 3 ORDER BY p.product",
  "SELECT p.product, q.price FROM products p JOIN products q USING (product) ORDER BY product LIMIT 2 OFFSET 1",
  "SELECT name FROM products WHERE price > (SELECT AVG(price) FROM products) ORDER BY name",
  "SELECT name FROM products p WHERE EXISTS (SELECT 1 FROM products q WHERE q.price < p.price - 9) ORDER BY name",
  "SELECT name FROM products WHERE product NOT IN (SELECT product FROM products WHERE price > 9) ORDER BY name",
  "SELECT region FROM regions UNION SELECT name FROM products ORDER BY 1",
  "(SELECT region FROM regions) EXCEPT (SELECT region FROM coasts)",
  "SELECT name, RANK() OVER (ORDER BY price DESC) AS r, SUM(price) OVER (ORDER BY product ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM products ORDER BY product",
  "SELECT name, price FROM products QUALIFY ROW_NUMBER() OVER (ORDER BY price DESC) <= 2 ORDER BY price",
  "SELECT DISTINCT coastal FROM regions ORDER BY coastal NULLS FIRST",
  "SELECT EXTRACT(month FROM listed) AS m, date_trunc('month', listed) AS d, listed - INTERVAL '1' DAY < TIMESTAMP '2024-01-03' AS early FROM products ORDER BY listed",
  "SELECT COUNT(*) FILTER (WHERE price > 5) AS dear, COUNT(DISTINCT coastal) AS kinds FROM products, regions",
  "SELECT coastal, region, COUNT(*) AS n FROM regions GROUP BY ROLLUP (coastal, region) ORDER BY coastal, region, n",
  "SELECT region, coalesce(CAST(millions AS integer), 0) AS m, nullif(region, 'west') AS w, -millions AS neg, NOT coastal AS inland FROM regions ORDER BY region",
  "SELECT months.m, COUNT(p.product) AS n FROM generate_series(1, 3) AS months(m) LEFT JOIN products p ON EXTRACT(month FROM p.listed) = months.m GROUP BY months.m ORDER BY 1",
  "SELECT region FROM coasts ORDER BY millions",
  "SELECT region, millions FROM regions WHERE (region, coastal) IN (('north', true), ('south', true)) OR region = ANY(ARRAY['west']) ORDER BY 1",
  "SELECT q.name FROM (SELECT name, price FROM products WHERE price IS DISTINCT FROM 6.5) AS q ORDER BY q.price",
  'SELECT region AS "a""; --", length("x""y".region) AS "people" FROM regions AS "x""y" ORDER BY 1',
  "SELECT string_agg(name, ';' ORDER BY name DESC) AS all_names, median(price) AS mid FROM products",
] as const;

describe("a question of public tables alone", () => {
  for (const stored of ["raw", "imported"] as const)
    it.each(texts)(`is what the database returns, ${stored}: %s`, async (text) => {
      const shop = shops[stored];
      const { rows } = await asked(text, shop);
      const expected = await shop.plain(text.replace("public.regions", "regions"));
      expect(expected.length).toBeGreaterThan(0);
      // Without an order, rows come in any.
      const inOrder = (lines: readonly string[]) => (/order by/i.test(text) ? lines : [...lines].sort());
      expect(inOrder(written(rows))).toEqual(inOrder(written(expected)));
    });

  it("has the names and types of its columns", async () => {
    const { columns, tables } = await asked(
      "SELECT region, millions, founded, coastal, COUNT(*), 1 + 1 FROM regions GROUP BY ALL",
      shops.raw,
    );
    expect(columns).toEqual([
      { name: "region", type: "text" },
      { name: "millions", type: "number" },
      { name: "founded", type: "date" },
      { name: "coastal", type: "boolean" },
      { name: "count", type: "number" },
      { name: "?column?", type: "number" },
    ]);
    expect(tables).toEqual(["regions"]);
  });

  it("reads ~ as PostgreSQL does, like questions of private tables: a part of the text is enough", async () => {
    const { rows } = await asked("SELECT name FROM products WHERE name ~ '^[a-c]' ORDER BY name", shops.raw);
    expect(rows).toEqual([["cake"], ["cup"]]);
    const others = await asked("SELECT name FROM products WHERE name !~* 'EA|^c' ORDER BY 1", shops.raw);
    expect(others.rows).toEqual([["o'clock"]]);
  });

  it("takes parameters as values, whatever they hold", async () => {
    const { rows } = await asked("SELECT name FROM products WHERE name = $1", shops.raw, ["o'clock"]);
    expect(rows).toEqual([["o'clock"]]);
    const odd = "x' UNION SELECT region FROM people --";
    expect((await asked("SELECT name FROM products WHERE name = $1", shops.raw, [odd])).rows).toEqual([]);
  });

  it("has no more rows than are kept", async () => {
    const many = "SELECT COUNT(*) AS n, g.i FROM products, generate_series(1, 10001) AS g(i) GROUP BY g.i";
    await expect(asked(many, shops.raw)).rejects.toMatchObject({ code: "query.too-large" });
    expect((await asked(`${many} LIMIT 10000`, shops.raw)).rows).toHaveLength(10_000);
  });

  it.each([
    ["SELECT INTERVAL '1' DAY AS i FROM products", "query.type"],
    ["SELECT ARRAY[name] FROM products", "query.type"],
  ])("has no column of another type: %s", async (text, code) => {
    await expect(asked(text, shops.raw)).rejects.toMatchObject({ code });
  });
});

describe("what reaches a private table is no such question", () => {
  it.each([
    "SELECT * FROM people",
    "SELECT region FROM regions WHERE region IN (SELECT region FROM people)",
    "SELECT (SELECT MAX(age) FROM people) FROM regions",
    "WITH regions AS (SELECT * FROM people) SELECT * FROM regions",
    "WITH people AS (SELECT * FROM people) SELECT * FROM people, regions",
    "WITH a AS (SELECT * FROM b), b AS (SELECT * FROM regions) SELECT * FROM a",
    "SELECT * FROM (WITH people AS (SELECT 1 AS x FROM regions) SELECT * FROM people) q, people",
    "SELECT * FROM regions UNION ALL SELECT region, age, NULL, NULL FROM people",
    "SELECT * FROM regions JOIN buyers USING (region)",
    "SELECT region FROM regions ORDER BY (SELECT COUNT(*) FROM orders)",
    "SELECT region FROM regions LIMIT (SELECT COUNT(*) FROM people)",
    "SELECT COUNT(*) OVER (ORDER BY (SELECT COUNT(*) FROM people)) FROM regions",
    "SELECT r.* FROM regions r, LATERAL (SELECT * FROM people p WHERE p.region = r.region) q",
    "SELECT COUNT(*) FILTER (WHERE EXISTS (SELECT 1 FROM people)) FROM regions",
    "SELECT 1",
    "SELECT * FROM (VALUES (1)) v(x)",
    "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1) COUNT(*) FROM regions",
    "SELECT * FROM nowhere, regions",
    "WITH RECURSIVE r AS (SELECT region FROM regions UNION ALL SELECT region FROM r) SELECT * FROM r",
  ])("%s", async (text) => {
    expect(await readPublic(text, [], "2024-06-11", shops.raw.house.policy)).toBeNull();
  });

  it.each([
    "SELECT * FROM regions, read_csv('people.csv')",
    "SELECT * FROM regions, query('SELECT * FROM people')",
    "SELECT * FROM regions, query_table('people')",
    "SELECT getenv('HOME') FROM regions",
    "SELECT current_setting('x') FROM regions",
    "SELECT pg_read_file('x') FROM regions",
    "SELECT pg_sleep(10) FROM regions",
    "SELECT repeat(region, 1000000) FROM regions",
    "SELECT nextval('s') FROM regions",
    "SELECT region::regclass FROM regions",
    'SELECT region COLLATE "C" FROM regions',
    "SELECT region OPERATOR(pg_catalog.=) 'x' FROM regions",
    "SELECT region @@ 'x' FROM regions",
    "SELECT (regions).region FROM regions",
    "SELECT region ~ '(a*)\\1' FROM regions",
    "SELECT region ~ region FROM regions",
    "SELECT region ~ '^(?=a)' FROM regions",
    "SELECT regexp_replace(region, '(a+)+$', '') FROM regions",
    "SELECT region SIMILAR TO '(a|b)*' FROM regions",
    "SELECT a.b.c FROM regions",
    "SELECT * FROM regions TABLESAMPLE system (10)",
    "SELECT * FROM regions FOR UPDATE",
    "SELECT * FROM ROWS FROM (generate_series(1, 2), generate_series(1, 2)) AS g, regions",
    "SELECT current_user FROM regions",
    "SELECT xmlelement(name a) FROM regions",
    "SELECT * FROM ONLY regions",
    "SELECT * FROM secret.regions",
  ])("%s is refused", async (text) => {
    const error = await readPublic(text, [], "2024-06-11", shops.raw.house.policy).catch(
      (found: unknown) => found,
    );
    expect(error).toBeInstanceOf(LetheError);
    expect(error).toMatchObject({ code: expect.stringMatching(/^query\./) });
  });
});
