import { expect, it } from "vitest";
import type { PreparedCatalogQuery } from "../../catalog/index.ts";
import { CatalogQueries } from "./catalog-queries.ts";

const catalog = {};
const prepared = (): PreparedCatalogQuery => ({ columns: [], parameters: [], run: () => [] });
const steps = 100;

it("gives a query again that was read with the same catalog", () => {
  const queries = new CatalogQueries();
  const query = prepared();
  queries.keep("a", { prepared: query, catalog, steps });
  expect(queries.known("a", catalog)).toBe(query);
  expect(queries.known("a", {})).toBeNull();
  expect(queries.known("b", catalog)).toBeNull();
});

it("forgets what was asked longest ago: by number, and by the steps that reading took", () => {
  const many = new CatalogQueries();
  for (let at = 0; at < 1_000; at += 1) many.keep(String(at), { prepared: prepared(), catalog, steps });
  expect(many.known("0", catalog)).not.toBeNull();
  many.keep("one more", { prepared: prepared(), catalog, steps });
  expect(many.known("0", catalog)).not.toBeNull();
  expect(many.known("1", catalog)).toBeNull();

  const large = new CatalogQueries();
  for (const key of ["a", "b", "b", "c"]) large.keep(key, { prepared: prepared(), catalog, steps: 400_000 });
  expect(["a", "b", "c"].map((key) => large.known(key, catalog) !== null)).toEqual([false, true, true]);
  large.keep("d", { prepared: prepared(), catalog, steps: 2_000_000 });
  expect(["b", "c", "d"].map((key) => large.known(key, catalog))).toEqual([null, null, null]);
});
