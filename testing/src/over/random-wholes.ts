import fc from "fast-check";

interface Key {
  readonly sql: string;
  readonly alias: string;
}

const m: Key = { sql: "m", alias: "m" };
const g: Key = { sql: "g", alias: "g" };
const month: Key = { sql: "date_trunc('month', d)", alias: "mon" };
const half: Key = { sql: "CASE WHEN m <= 6 THEN 'h1' ELSE 'h2' END", alias: "half" };
const third: Key = { sql: "m % 3", alias: "third" };
const late: Key = { sql: "m > 4", alias: "late" };

/** Keys whose every combination has rows. */
const keyLists: readonly (readonly Key[])[] = [
  ...[[m], [g], [month], [late], [m, g], [g, third], [half, g], [month, g], [m, month], [late, month, g]],
];

/** Sums of integers, which are exact, and by which rows can be ordered. */
const totals = [
  "COUNT(*)",
  "SUM(x)",
  "SUM(y)",
  "COUNT(y)",
  "SUM(x) - SUM(y)",
  "COUNT(*) FILTER (WHERE x > 40)",
];
const aggregates = [...totals, "AVG(x)", "AVG(y)", "SUM(x) * 1.0 / COUNT(*)"];

/** How GROUP BY names the keys. */
const groupings = {
  written: (keys: readonly Key[]) => keys.map(({ sql }) => sql).join(", "),
  named: (keys: readonly Key[]) => keys.map(({ alias }) => alias).join(", "),
  placed: (keys: readonly Key[]) => keys.map((_, at) => at + 1).join(", "),
};

const frames = [
  ...["", "", " ROWS BETWEEN 2 PRECEDING AND CURRENT ROW", " ROWS UNBOUNDED PRECEDING"],
  ...[" ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING", " ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING"],
];
const directions = ["", " DESC", " NULLS FIRST", " DESC NULLS LAST"];

/** A window over the groups of these keys. Where its value depends on an order, the keys break ties. */
function windowOf(keys: readonly Key[]): fc.Arbitrary<string> {
  const total = fc.constantFrom(...totals);
  const written = (key: Key) => fc.constantFrom(key.sql, key.alias);
  const list = (some: readonly Key[]) =>
    fc.tuple(
      ...some.map((key) =>
        fc.tuple(written(key), fc.constantFrom(...directions)).map((parts) => parts.join("")),
      ),
    );
  const partition = fc
    .subarray([...keys])
    .chain((some) => fc.tuple(...some.map(written)))
    .map((some) => (some.length > 0 ? `PARTITION BY ${some.join(", ")} ` : ""));
  const broken = fc
    .tuple(
      fc.option(fc.tuple(total, fc.constantFrom(...directions)).map((parts) => parts.join(""))),
      list(keys),
    )
    .map(([first, rest]) => [...(first === null ? [] : [first]), ...rest].join(", "));
  const tied = fc.tuple(total, fc.constantFrom(...directions)).map((parts) => parts.join(""));
  const where = fc.constantFrom("", "", " FILTER (WHERE COUNT(*) > 60)");
  const summed = fc
    .tuple(fc.constantFrom("SUM", "AVG", "MIN", "MAX", "COUNT"), fc.constantFrom(...aggregates), where)
    .map(([name, of, filter]) => `${name}(${of})${filter}`);
  const placed = fc.oneof(
    fc.constantFrom("ROW_NUMBER()", "NTILE(3)", "RANK()", "CUME_DIST()"),
    fc
      .tuple(fc.constantFrom("LAG", "LEAD"), total, fc.constantFrom("", ", 2", ", 1, 0"))
      .map(([name, of, more]) => `${name}(${of}${more})`),
    fc.constantFrom(...keys).map(({ sql }) => `LAG(${sql})`),
    total.map((of) => `FIRST_VALUE(${of})`),
  );
  return fc.oneof(
    fc.tuple(summed, partition).map(([call, by]) => `${call} OVER (${by.trim()})`),
    fc
      .tuple(summed, partition, broken, fc.constantFrom(...frames))
      .map(([call, by, order, frame]) => `${call} OVER (${by}ORDER BY ${order}${frame})`),
    fc.tuple(placed, partition, broken).map(([call, by, order]) => `${call} OVER (${by}ORDER BY ${order})`),
    fc
      .tuple(fc.constantFrom("RANK()", "DENSE_RANK()", "PERCENT_RANK()"), partition, tied)
      .map(([call, by, order]) => `${call} OVER (${by}ORDER BY ${order})`),
  );
}

/** What is shown of a window: itself, or what is computed with it. */
function shownOf(keys: readonly Key[]): fc.Arbitrary<string> {
  const shown = fc.tuple(fc.constantFrom(...totals), windowOf(keys));
  const share = shown
    .map(([total, window]) => [total, window] as const)
    .filter(([, window]) => !isText(window));
  return fc.oneof(
    windowOf(keys),
    share.map(([total, window]) => `${total} * 100.0 / NULLIF(${window}, 0)`),
    share.map(([total, window]) => `(${total}) - (${window})`),
    share.map(([total, window]) => `CASE WHEN ${window} > 40 THEN ${total} ELSE 0 END`),
    share.map(([, window]) => `COALESCE(${window}, -1)`),
    fc.tuple(share, share).map(([[, one], [, other]]) => `(${one}) + (${other})`),
  );
}

/** Whether a window has the value of a key, with which nothing is computed here. */
function isText(window: string): boolean {
  return /^LAG\((?:m|g|date|CASE)/.test(window);
}

const having = fc.constantFrom(
  ...[
    "",
    "",
    " HAVING COUNT(*) > 60",
    " HAVING SUM(x) > 3000 AND COUNT(*) < 400",
    " HAVING (AVG(x) > 49 OR COUNT(y) > 80)",
  ],
);

/** A whole question of windows over groups: alone, or read again by another SELECT. */
export const wholeQuestion: fc.Arbitrary<string> = fc.constantFrom(...keyLists).chain((keys) =>
  fc
    .record({
      grouping: fc.constantFrom(...Object.values(groupings)),
      first: fc.uniqueArray(fc.constantFrom(...aggregates), { maxLength: 2 }),
      windows: fc.array(shownOf(keys), { minLength: 1, maxLength: 3 }),
      having,
      qualify: fc.option(
        windowOf(keys).filter((window) => !isText(window)),
        { freq: 2 },
      ),
      orderBy: fc.constantFrom("", "COUNT(*) DESC, ", "SUM(x) * 2, ", "v0 DESC, ", "a0, "),
      limit: fc.constantFrom("", "", " LIMIT 5", " LIMIT 4 OFFSET 2"),
      form: fc.constantFrom("alone", "alone", "named", "subquery", "grouped"),
    })
    .map(({ grouping, first, windows, having, qualify, orderBy, limit, form }) => {
      const listed = [
        ...keys.map(({ sql, alias }) => (sql === alias ? sql : `${sql} AS ${alias}`)),
        ...["COUNT(*)", ...first].map((each, at) => `${each} AS a${at}`),
        ...windows.map((each, at) => `${each} AS v${at}`),
      ];
      const behind = qualify === null ? "" : ` QUALIFY ${qualify} > 2`;
      const select = `SELECT ${listed.join(", ")} FROM t GROUP BY ${grouping(keys)}${having}${behind}`;
      const names = keys.map(({ alias }) => alias).join(", ");
      // What is computed may be equal but for the last digits, by which rows are not ordered.
      const order = ` ORDER BY ${orderBy.startsWith("v") ? "" : orderBy}${names}${limit}`;
      const outer = ` ORDER BY ${orderBy.startsWith("a") ? orderBy : ""}${names}${limit}`;
      const text = /^LAG\((?:g|date|CASE)/.test(windows[0] ?? "");
      const value = text ? "COUNT(v0) AS k" : "SUM(v0) AS k, MAX(v0) - MIN(v0) AS span";
      if (form === "named") return `WITH c AS (${select}) SELECT * FROM c WHERE a0 > 50${outer}`;
      if (form === "subquery")
        return `SELECT q.*, SUM(a0) OVER (ORDER BY ${names}) AS run FROM (${select}${order}) AS q${` ORDER BY ${names}`}`;
      if (form === "grouped")
        return `WITH c AS (${select}) SELECT ${keys[0]?.alias}, COUNT(*) AS rows, SUM(a0) AS n, ${value} FROM c GROUP BY 1 ORDER BY 1`;
      return `${select}${order}`;
    }),
);
