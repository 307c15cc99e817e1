import type { Policy } from "@lethe/query";
import { Dice } from "../dice.ts";
import type { RawRow, RawTables, RawValue } from "../reference-evaluator.ts";

/** Tables of {@link ./shop.ts} whose rows belong to somebody. */
export const ownedTables = ["people", "visits", "items", "notes"] as const;

const persons: readonly RawValue[] = [1, 2, 3, 4, 5, null];
const visitKeys: readonly RawValue[] = ["v1", "v2", "v3", "v4", "V1", " v1", "", "é", null];
const itemKeys: readonly RawValue[] = ["i1", "i2", "i3", "I1", "v1", null];
const codes: readonly RawValue[] = ["x", "y", "abcd", "abce", "X", "", null];
const numbers: readonly RawValue[] = [null, Number.NaN, Number.POSITIVE_INFINITY, 0, 1, 2, 2.5, -3, 6, 1e300];

/** Data that break every promise: keys that repeat, over units too, keys of nothing, and values out of bounds. */
export function randomShop(seed: number): { readonly tables: RawTables; readonly dice: Dice } {
  const dice = new Dice(seed);
  const one = <T>(list: readonly T[]): T => dice.one(list);
  const rows = (most: number, make: () => RawRow): RawRow[] => dice.some(0, most, make);
  const integer = (): RawValue => one([null, 0, 1, 2, 3, 9, 12]);
  return {
    dice,
    tables: {
      people: rows(6, () => ({ id: one(persons), town: one(["a", "b", "c", null]), age: integer() })),
      visits: rows(9, () => ({
        visit_id: one(visitKeys),
        person_id: one(persons),
        cost: one(numbers),
        ward: one(["w", "W", "u", null]),
      })),
      items: rows(9, () => ({
        item_id: one(itemKeys),
        visit_id: one(visitKeys),
        price: one(numbers),
        code: one(codes),
      })),
      notes: rows(7, () => ({ item_id: one(itemKeys), visit_id: one(visitKeys), grade: integer() })),
      codes: rows(6, () => ({ code: one(codes), kind: one(["x", "y", "z", null]), weight: one(numbers) })),
      days: rows(4, () => ({ day: integer() })),
      guests: rows(6, () => ({ code: one(codes), fee: one(numbers) })),
      loans: [],
    },
  };
}

/** Returns the unit that owns a row by the policy. Written apart from all product code. */
export function ownerIn(policy: Policy, tables: RawTables, table: string, row: RawRow): string | null {
  const { unit } = policy.tables[table]!;
  if (unit.kind !== "column" && unit.kind !== "through") return null;
  const name = row[unit.column] ?? null;
  if (name === null) return null;
  if (unit.kind === "column") return String(name);
  const { references } = unit;
  const target = policy.tables[references.table]!;
  // A key that names the unit already, or is a foreign key itself, needs no row to stand for it.
  if ("column" in target.unit && target.unit.column === references.column)
    return ownerIn(policy, tables, references.table, { [references.column]: name });
  const owners = (tables[references.table] ?? [])
    .filter(
      (other) =>
        (other[references.column] ?? null) !== null && String(other[references.column]) === String(name),
    )
    .map((other) => ownerIn(policy, tables, references.table, other))
    .filter((owner) => owner !== null);
  return owners.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))[0] ?? null;
}

/** Returns the tables without all that a unit owns. */
export function without(policy: Policy, tables: RawTables, unit: string): RawTables {
  return Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => [
      table,
      rows.filter((row) => ownerIn(policy, tables, table, row) !== unit),
    ]),
  );
}

/** The tables with a new unit, whose keys are its own. */
export function withNewcomer(tables: RawTables, dice: Dice): RawTables {
  const id = 77;
  const one = <T>(list: readonly T[]): T => dice.one(list);
  const key = (): RawValue => one(["new1", "new2", "new3"]);
  // Newcomers live in one of the tables that name them, or in both.
  const lives = dice.one(["people", "visits", "both"]);
  const own: RawTables = {
    people:
      lives === "visits"
        ? []
        : dice.some(1, 2, () => ({ id, town: one(["a", "b", null]), age: one([0, 5, 20, null]) })),
    visits:
      lives === "people"
        ? []
        : dice.some(1, 5, () => ({
            visit_id: key(),
            person_id: id,
            cost: one(numbers),
            ward: one(["w", "n"]),
          })),
    items: dice.some(0, 5, () => ({
      item_id: key(),
      visit_id: key(),
      price: one(numbers),
      code: one(codes),
    })),
    notes: dice.some(0, 4, () => ({ item_id: key(), visit_id: key(), grade: one([1, 2, 3, null]) })),
  };
  return Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => [table, [...(own[table] ?? []), ...rows]]),
  );
}

/** The tables with one unit more, less or in another's place; it may be a person, or a guest, of whom another table holds all. */
export function neighbourOf(dice: Dice, policy: Policy, tables: RawTables, gone: string): RawTables {
  const rest = without(policy, tables, gone);
  const [guest, ...otherGuests] = tables.guests ?? [];
  if (policy.privacyUnit.adjacency === "add-or-remove-one") {
    if (dice.below(4) === 0) return { ...tables, guests: otherGuests };
    return dice.below(2) === 0 ? rest : withNewcomer(tables, dice);
  }
  const newGuest: RawRow = { code: dice.one(codes), fee: dice.one(numbers) };
  const ways = [
    ...(gone === "nobody"
      ? []
      : [() => withNewcomer(rest, dice), () => ({ ...rest, guests: [newGuest, ...(rest.guests ?? [])] })]),
    ...(guest === undefined
      ? []
      : [
          () => withNewcomer({ ...tables, guests: otherGuests }, dice),
          () => ({ ...tables, guests: [newGuest, ...otherGuests] }),
        ]),
  ];
  return ways.length === 0 ? tables : dice.one(ways)();
}

interface Shape {
  readonly from: string;
  readonly numbers: readonly string[];
  readonly keys: readonly string[];
  readonly filters: readonly string[];
  /** Names the unit. */
  readonly unit?: string;
  readonly with?: string;
}

/** Every way in which tables may stand together. */
export const shapes: readonly Shape[] = [
  // Conditions on two public tables, behind a fence.
  {
    from: "items i JOIN items j ON i.visit_id = j.visit_id JOIN codes c ON c.code = i.code JOIN codes d ON d.code = j.code",
    numbers: ["i.price", "c.weight", "d.weight"],
    keys: ["c.kind", "d.kind"],
    filters: ["c.kind < d.kind", "c.weight < d.weight + 1 AND i.price > 1"],
  },
  // Public rows that an outer join keeps, and lists that the question writes out.
  {
    from: "days LEFT JOIN visits ON cost < day",
    numbers: ["cost", "day"],
    keys: ["day"],
    filters: ["day > 2"],
    unit: "person_id",
  },
  {
    from: "visits v RIGHT JOIN days d ON v.cost >= d.day AND v.ward = 'w' LEFT JOIN items i ON i.visit_id = v.visit_id",
    numbers: ["cost", "price"],
    keys: ["d.day"],
    filters: ["d.day IN (1, 3, 9)"],
    unit: "person_id",
  },
  {
    from: "codes c LEFT JOIN items i ON i.code = c.code AND price > weight",
    numbers: ["price", "weight"],
    keys: ["kind"],
    filters: ["kind = 'x'"],
  },
  {
    from: "UNNEST(ARRAY['w', 'W', 'q']) AS w(ward) LEFT JOIN visits v ON v.ward = w.ward",
    numbers: ["cost"],
    keys: ["w.ward"],
    filters: ["w.ward <> 'q'"],
    unit: "person_id",
  },
  {
    from: "generate_series(0, 6, 2) AS s(n) LEFT JOIN people ON age >= n AND age < n + 5",
    numbers: ["age", "age * n"],
    keys: ["n"],
    filters: ["n > 0"],
    unit: "id",
  },
  {
    from: "(VALUES ('x', 1), ('y', 2), ('x', 3), ('z', 3)) AS l(code, least) LEFT JOIN items i ON i.code = l.code AND price >= least",
    numbers: ["price", "least"],
    keys: ["l.code", "least"],
    filters: [],
  },
  {
    from: "UNNEST(ARRAY['x', 'y', 'abc']) AS u(c) LEFT JOIN guests g ON g.code = u.c",
    numbers: ["fee"],
    keys: ["c"],
    filters: ["c > 'x'"],
  },
  {
    from: "items JOIN (VALUES ('x'), ('x'), ('y')) AS l(code) USING (code)",
    numbers: ["price"],
    keys: ["l.code", "visit_id"],
    filters: ["l.code = 'x'", "price > 2"],
  },
  { from: "people", numbers: ["age"], keys: ["town"], filters: ["age > 2"], unit: "id" },
  { from: "visits", numbers: ["cost"], keys: ["ward", "visit_id"], filters: ["cost > 0"], unit: "person_id" },
  { from: "items", numbers: ["price"], keys: ["code", "visit_id"], filters: ["price > 2"] },
  { from: "notes", numbers: ["grade"], keys: ["grade", "visit_id"], filters: ["grade <> 2"] },
  {
    from: "people p JOIN visits v ON p.id = v.person_id",
    numbers: ["p.age", "v.cost", "p.age * v.cost"],
    keys: ["town", "ward"],
    filters: ["cost > age", "p.town = 'a'"],
    unit: "v.person_id",
  },
  {
    from: "people p LEFT JOIN visits v ON p.id = v.person_id AND v.cost > 1",
    numbers: ["age", "cost", "coalesce(cost, 3)"],
    keys: ["town", "ward", "coalesce(ward, 'none')"],
    filters: ["v.cost IS NULL", "NOT (ward = 'w')"],
    unit: "id",
  },
  {
    from: "visits RIGHT JOIN people ON id = person_id",
    numbers: ["age", "cost"],
    keys: ["town", "ward"],
    filters: ["visit_id IS NULL"],
    unit: "id",
  },
  {
    from: "people FULL JOIN visits ON id = person_id",
    numbers: ["age", "cost"],
    keys: ["town", "ward"],
    filters: ["town IS NULL OR cost > 1"],
  },
  {
    from: "items FULL JOIN visits USING (visit_id)",
    numbers: ["price", "cost"],
    keys: ["visit_id", "ward"],
    filters: ["price IS NOT NULL"],
    unit: "person_id IS NULL",
  },
  {
    from: "visits v JOIN items i USING (visit_id) JOIN notes n USING (item_id)",
    numbers: ["cost", "price", "grade"],
    keys: ["v.visit_id", "n.visit_id", "item_id", "code"],
    filters: ["v.visit_id = n.visit_id", "price > cost"],
    unit: "person_id",
  },
  {
    from: "people, visits, items WHERE people.id = visits.person_id AND items.visit_id = visits.visit_id AND age < 9",
    numbers: ["age", "cost", "price"],
    keys: ["town", "code"],
    filters: [],
    unit: "id",
  },
  {
    from: "visits a JOIN visits b ON a.person_id = b.person_id AND a.cost < b.cost",
    numbers: ["b.cost - a.cost"],
    keys: ["a.ward", "b.ward"],
    filters: ["a.ward <> b.ward"],
    unit: "a.person_id",
  },
  {
    from: "visits a LEFT JOIN visits b ON a.visit_id = b.visit_id LEFT JOIN items i ON i.visit_id = b.visit_id",
    numbers: ["a.cost", "i.price"],
    keys: ["b.ward", "i.code"],
    filters: ["i.item_id IS NULL"],
    unit: "a.person_id",
  },
  {
    from: "items JOIN codes USING (code)",
    numbers: ["price", "weight", "price * weight"],
    keys: ["kind", "code", "codes.code"],
    filters: ["weight > 0.5"],
  },
  {
    from: "items i LEFT JOIN codes c ON i.code = c.code AND weight > 1",
    numbers: ["price", "weight"],
    keys: ["kind", "c.code"],
    filters: ["kind IS NULL"],
  },
  {
    from: "codes c RIGHT JOIN (visits v LEFT JOIN items i ON i.visit_id = v.visit_id) ON c.code = i.code",
    numbers: ["cost", "price", "weight"],
    keys: ["kind", "ward"],
    filters: ["kind = 'x'"],
    unit: "person_id",
  },
  {
    from: "visits CROSS JOIN days",
    numbers: ["cost", "day"],
    keys: ["day", "ward"],
    filters: ["cost < day"],
    unit: "person_id",
  },
  {
    from: "items i JOIN (codes a FULL JOIN codes b ON a.kind = b.kind) ON i.code = b.code",
    numbers: ["price", "a.weight"],
    keys: ["a.kind", "b.kind"],
    filters: ["a.code <> b.code"],
  },
  {
    from: "guests JOIN codes ON guests.code = codes.code",
    numbers: ["fee", "weight"],
    keys: ["kind", "guests.code"],
    filters: ["weight < fee"],
  },
  {
    from: "guests g LEFT JOIN codes c ON c.code = g.code AND c.weight > 0 LEFT JOIN days ON day = fee",
    numbers: ["fee", "weight"],
    keys: ["kind", "c.code"],
    filters: ["kind IS NULL"],
  },
  {
    with: "WITH dear AS (SELECT *, cost * 2 AS twice FROM visits WHERE cost > 0), bought AS (SELECT i.*, d.ward FROM items i JOIN dear d USING (visit_id)) ",
    from: "people p JOIN dear d ON d.person_id = p.id LEFT JOIN bought b ON b.visit_id = d.visit_id",
    numbers: ["twice", "b.price", "age"],
    keys: ["b.ward", "d.ward", "code"],
    filters: ["twice > 2"],
    unit: "id",
  },
  {
    from: "(SELECT v.person_id, town, cost FROM people p JOIN visits v ON p.id = v.person_id WHERE age > 0) a FULL JOIN (SELECT person_id, ward FROM visits WHERE cost < 3) b USING (person_id)",
    numbers: ["cost"],
    keys: ["town", "ward"],
    filters: ["cost IS NULL"],
    unit: "person_id",
  },
  {
    from: "items AS i",
    numbers: ["price"],
    keys: ["code", "visit_id"],
    filters: [
      "code IN (SELECT code FROM codes WHERE kind = 'x')",
      "NOT EXISTS (SELECT 1 FROM codes c WHERE c.code = i.code AND c.weight < price) AND price > 1",
      "price IN (SELECT day FROM days) AND EXISTS (SELECT * FROM codes a JOIN codes b ON a.kind = b.kind WHERE a.code = i.code)",
      "price NOT IN (SELECT day FROM days WHERE day > 2)",
      "EXISTS (SELECT 1 FROM days)",
      "NOT EXISTS (SELECT 1 FROM days WHERE day > price)",
    ],
  },
  {
    from: "people AS p JOIN visits AS v ON p.id = v.person_id",
    numbers: ["cost", "age"],
    keys: ["town", "ward"],
    filters: [
      "age IN (SELECT day FROM days) AND cost > 0",
      "EXISTS (SELECT 1 FROM codes WHERE code = ward AND kind = town)",
    ],
    unit: "id",
  },
  {
    from: "(SELECT * FROM visits WHERE ward IN (SELECT code FROM codes)) v LEFT JOIN items i USING (visit_id)",
    numbers: ["cost", "price"],
    keys: ["ward", "code"],
    filters: ["NOT EXISTS (SELECT 1 FROM days d WHERE d.day = i.price)"],
    unit: "person_id",
  },
  {
    from: "people AS p",
    numbers: [
      "age",
      "CASE WHEN EXISTS (SELECT 1 FROM visits v WHERE v.person_id = p.id AND v.cost > age) THEN 5 ELSE 1 END",
    ],
    keys: ["town", "id IN (SELECT person_id FROM visits WHERE cost > 1)"],
    filters: [
      "EXISTS (SELECT 1 FROM visits v WHERE v.person_id = p.id)",
      "id NOT IN (SELECT person_id FROM visits WHERE ward = 'w')",
      "NOT EXISTS (SELECT 1 FROM visits v JOIN items i USING (visit_id) WHERE v.person_id = p.id AND i.price > p.age)",
      "age > 1 OR EXISTS (SELECT 1 FROM people q WHERE q.id = p.id AND q.age > p.age)",
      "id IN (SELECT person_id FROM visits GROUP BY person_id HAVING COUNT(*) > 1)",
      "id IN (SELECT person_id FROM visits) AND NOT EXISTS (SELECT 1 FROM codes WHERE code = town)",
    ],
    unit: "id",
  },
  {
    from: "visits AS v LEFT JOIN people AS p ON p.id = v.person_id AND age > 1",
    numbers: ["cost", "CASE WHEN v.visit_id IN (SELECT visit_id FROM items WHERE price > 1) THEN cost END"],
    keys: [
      "ward",
      "EXISTS (SELECT 1 FROM items i JOIN notes n ON n.item_id = i.item_id WHERE i.visit_id = v.visit_id)",
    ],
    filters: [
      "EXISTS (SELECT 1 FROM items i WHERE i.visit_id = v.visit_id AND i.price < v.cost)",
      "v.visit_id NOT IN (SELECT visit_id FROM items WHERE price > 1)",
      "NOT EXISTS (SELECT 1 FROM visits w WHERE w.person_id = v.person_id AND w.cost > v.cost AND w.ward <> town)",
      "EXISTS (SELECT 1 FROM items i JOIN codes c ON c.code = i.code WHERE i.visit_id = v.visit_id AND c.kind = ward)",
      "(ward, cost) IN (SELECT ward, cost FROM visits w WHERE w.person_id = v.person_id AND w.visit_id <> 'v1')",
    ],
    unit: "v.person_id",
  },
  {
    with: "WITH kept AS (SELECT v.*, EXISTS (SELECT 1 FROM items i WHERE i.visit_id = v.visit_id) AS bought FROM visits v WHERE v.cost IN (SELECT day FROM days) OR v.person_id IN (SELECT id FROM people WHERE age > 1)) ",
    from: "kept k JOIN items i ON i.visit_id = k.visit_id",
    numbers: ["cost", "price"],
    keys: ["bought", "code"],
    filters: [
      "NOT bought OR price > 1",
      "NOT EXISTS (SELECT 1 FROM kept o WHERE o.person_id = k.person_id AND o.cost > k.cost)",
    ],
    unit: "k.person_id",
  },
  {
    from: "(SELECT person_id, MAX(cost) AS most, COUNT(*) FILTER (WHERE EXISTS (SELECT 1 FROM items i WHERE i.visit_id = v.visit_id)) AS bought FROM visits v GROUP BY person_id) t",
    numbers: ["most", "LEAST(bought, 3)"],
    keys: ["bought"],
    filters: ["person_id IN (SELECT id FROM people WHERE town = 'a')"],
    unit: "person_id",
  },
  {
    from: "guests AS g",
    numbers: ["fee"],
    keys: ["code"],
    filters: [
      "code IN (SELECT code FROM codes)",
      "NOT EXISTS (SELECT 1 FROM codes WHERE codes.code = g.code)",
      "fee > 1 OR EXISTS (SELECT 1 FROM codes WHERE codes.code = g.code)",
    ],
  },
  {
    from: "(SELECT person_id, cost AS amount, ward FROM visits WHERE cost > 0 UNION ALL SELECT id, age, town FROM people) u",
    numbers: ["amount", "amount * 0.3"],
    keys: ["ward", "amount > 2"],
    filters: ["amount < 4", "ward IS NOT NULL"],
    unit: "person_id",
  },
  {
    from: "(SELECT price / 3 AS amount, code, 'item' AS kind FROM items UNION ALL SELECT cost, visit_id, NULL FROM visits UNION ALL SELECT grade, item_id, 'note' FROM notes) AS u",
    numbers: ["amount", "coalesce(amount, 1)"],
    keys: ["code", "kind", "amount"],
    filters: ["kind = 'note' OR amount > 0.7", "code IN (SELECT code FROM codes)"],
  },
  {
    from: "(SELECT price + 1000 AS far, cost AS near FROM items i JOIN visits v ON i.visit_id = v.visit_id UNION ALL SELECT * FROM (SELECT price + 1000 AS x, cost AS x FROM items i JOIN visits v ON i.visit_id = v.visit_id UNION ALL SELECT 1001, cost FROM visits) AS u) AS u",
    numbers: ["far", "near"],
    keys: ["far"],
    filters: ["near > 1"],
  },
  {
    from: "(SELECT person_id, COUNT(*) AS n, SUM(cost) AS total, AVG(cost) AS mean, MIN(ward) AS least, MAX(cost) AS most, COUNT(DISTINCT ward) AS wards FROM visits GROUP BY person_id) t",
    numbers: [
      "LEAST(n, 3)",
      "mean",
      "most",
      "LEAST(wards, 2) * mean",
      "CASE WHEN total > 1.5 THEN 1 ELSE 0 END",
    ],
    keys: ["n", "total", "mean", "least", "wards", "WIDTH_BUCKET(n, 0, 4, 2)"],
    filters: ["n > 1", "total > 1.5", "least >= 'u'"],
    unit: "person_id",
  },
  {
    from: "(SELECT v.person_id AS who, i.code, COUNT(price) FILTER (WHERE price > 2) AS n, SUM(price) AS s, SUM(cost, contribution_bounds_per_group => (-1, 6)) AS c FROM visits v LEFT JOIN items i USING (visit_id) WHERE cost IS NOT NULL GROUP BY who, i.code HAVING COUNT(*) < 3 OR s > 4) t",
    numbers: ["c", "LEAST(n, 3)"],
    keys: ["code", "s", "n"],
    filters: ["s > 2", "code IN (SELECT code FROM codes)"],
    unit: "who",
  },
  {
    from: "people p LEFT JOIN (SELECT person_id, COUNT(*) AS n, MAX(cost) AS m FROM visits GROUP BY person_id) t ON t.person_id = p.id",
    numbers: ["m", "age", "LEAST(n, 2)"],
    keys: ["town", "n"],
    filters: ["n IS NULL", "m > age"],
    unit: "id",
  },
  {
    with: "WITH a AS (SELECT person_id AS who, ward, COUNT(*) AS n FROM visits GROUP BY person_id, ward), b AS (SELECT who, MAX(n) AS most, SUM(n) AS s, MIN(ward) AS ward FROM a GROUP BY who) ",
    from: "b LEFT JOIN (SELECT id, AVG(age) AS age FROM people GROUP BY id) c ON c.id = b.who",
    numbers: ["age", "LEAST(s, 4)"],
    keys: ["most", "ward", "s"],
    filters: ["most > 1 OR age > 2"],
    unit: "who",
  },
  {
    from: "(SELECT who, kind, COUNT(*) AS n FROM (SELECT person_id AS who, cost AS amount, ward AS kind FROM visits UNION ALL SELECT id, age, town FROM people) u WHERE amount > 0 GROUP BY 1, 2) t",
    numbers: ["LEAST(n, 2)"],
    keys: ["kind", "n"],
    filters: ["kind IS NOT NULL"],
    unit: "who",
  },
  {
    from: "(SELECT v.*, i.price, ROW_NUMBER() OVER (PARTITION BY v.person_id ORDER BY cost) AS n, LAG(price) OVER (PARTITION BY v.person_id, ward ORDER BY cost DESC) AS before, SUM(price) OVER (PARTITION BY v.person_id) AS s FROM visits v LEFT JOIN items i USING (visit_id)) w",
    numbers: ["cost", "price - before", "LEAST(n, 3)"],
    keys: ["ward", "n", "before", "s"],
    filters: ["n <= 2", "before IS NULL", "s > 3"],
    unit: "person_id",
  },
  {
    from: "people p LEFT JOIN (SELECT person_id, cost, RANK() OVER (PARTITION BY person_id ORDER BY cost) AS r FROM (SELECT person_id, cost, ROW_NUMBER() OVER (PARTITION BY person_id ORDER BY ward) AS n FROM visits) a WHERE n < 3) b ON b.person_id = p.id",
    numbers: ["cost", "LEAST(r, 2)", "age"],
    keys: ["town", "r"],
    filters: ["r = 1", "r IS NULL"],
    unit: "id",
  },
  {
    with: "WITH twice AS (SELECT * FROM visits UNION ALL SELECT * FROM visits WHERE cost > 1) ",
    from: "people JOIN twice ON id = person_id",
    numbers: ["cost", "age"],
    keys: ["town", "ward"],
    filters: ["cost > age"],
    unit: "id",
  },
];

export function questionOf(
  dice: Dice,
  { from, numbers: values, keys, filters, unit, with: named = "" }: Shape,
): string {
  const value = (): string => dice.one(values);
  const measures: readonly (() => string)[] = [
    () => "COUNT(*)",
    () => `COUNT(${value()})`,
    () => `COUNT(DISTINCT ${value()})`,
    () => `SUM(${value()})`,
    () => `SUM(${value()}, contribution_bounds_per_group => (-1, 4))`,
    () => `AVG(${value()})`,
    () => `MEDIAN(${value()})`,
    () => `VAR_POP(${value()})`,
    () => `COVAR_POP(${value()}, ${value()})`,
  ];
  const chosen = new Set(dice.some(1, 3, () => dice.one(measures)()));
  if (unit !== undefined && !unit.includes(" ") && dice.below(3) === 0) chosen.add(`COUNT(DISTINCT ${unit})`);
  const groups = [...new Set(dice.some(0, 2, () => dice.one(keys)))];
  const by = groups.length === 0 ? "" : ` GROUP BY ${groups.map((_, at) => at + 1).join(", ")}`;
  const filter = filters.length > 0 && dice.below(2) === 0 ? ` WHERE ${dice.one(filters)}` : "";
  const fewer = unit !== undefined && dice.below(4) === 0 ? ", max_rows_contributed_per_group = 1" : "";
  const select = [...groups, ...chosen].join(", ");
  // OPTIONS stand behind the SELECT of the question itself.
  return `${named}SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1${fewer}) ${select} FROM ${from}${filter}${by}`;
}
