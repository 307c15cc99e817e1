/*
 * Questions that join whatever stands in a policy, in every way that SQL has, and data made to multiply rows: few values, shared by many
 * rows, keys that repeat, NULLs. Most of what is asked here is refused; what is not must keep its bound.
 */

/** Returns a source of random numbers, the same for the same seed (mulberry32). */
export function dice(seed) {
  let state = seed >>> 0;
  const below = (sides) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % sides;
  };
  const one = (list) => list[below(list.length)];
  return { below, one, often: (percent) => below(100) < percent };
}

const privates = ["people", "visits", "items"];
const publics = ["zips", "towns", "tiny", "loose"];

/** A policy with words drawn for its joins, of which some are never said. */
export function randomPolicy(random) {
  const { one, often, below } = random;
  const said = (word, percent) => (often(percent) ? `, ${word}: ${1 + below(6)}` : "");
  const perKey = (percent, ...columns) =>
    often(percent)
      ? `, rows_per_key: { ${columns.map((column) => `${column}: ${1 + below(5)}`).join(", ")} }`
      : "";
  const rid = "rid: { type: integer, bounds: [0, 100000] }";
  const small = (name) =>
    `${name}: ${one(["{ type: integer, bounds: [0, 3] }", "{ type: integer, bounds: [0, 3], default: 1 }", "{ type: integer }"])}`;
  const word = (name) =>
    `${name}: ${one(["{ type: text, categories: [x, y], default: y }", "{ type: text, max_length: 1 }", "{ type: text }"])}`;
  const limits = "max_groups_contributed: 3, max_rows_contributed_per_group: 3";
  const beside = (name) => `${rid}, ${small(`${name}a`)}, ${word(`${name}w`)}`;
  return `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 1000, delta: 1e-5 }
tables:
  people: { file: d.duckdb, unit: person${often(40) ? ", key: person" : ""}, ${limits}${said("max_rows_before_join", 40)}, columns: {
    person: { type: integer }, ${beside("p")} } }
  visits: { file: d.duckdb, unit: { through: person, references: people.person }, key: visit, ${limits}${said("max_rows_before_join", 40)}, columns: {
    visit: { type: text }, person: { type: integer }, ${beside("v")} } }
  items: { file: d.duckdb, unit: { through: visit, references: visits.visit }, ${limits}${said("max_rows_before_join", 30)}, columns: {
    visit: { type: text }, ${beside("i")} } }
  guests: { file: d.duckdb, unit: row, columns: { ${beside("g")} } }
  zips: { file: d.duckdb, public: true, key: zw${perKey(60, "za")}${said("max_rows", 20)}, columns: { ${beside("z")} } }
  towns: { file: d.duckdb, public: true${perKey(90, "ta", "tw")}, columns: { ${beside("t")} } }
  tiny: { file: d.duckdb, public: true${perKey(30, "nw")}, max_rows: ${1 + below(5)}, columns: { ${beside("n")} } }
  loose: { file: d.duckdb, public: true, key: la, columns: { ${beside("l")} } }
`;
}

const letter = {
  people: "p",
  visits: "v",
  items: "i",
  guests: "g",
  zips: "z",
  towns: "t",
  tiny: "n",
  loose: "l",
};

/** A question about a join graph, of which every source shows the number of each of its rows. */
export function randomQuestion(random) {
  const { one, often, below } = random;
  const sources = [];
  const isRows = often(12);
  const name = () => `s${sources.length}`;
  const add = (source) => {
    sources.push(source);
    return source;
  };
  const table = (kind) => {
    const of = kind === "public" ? one(publics) : isRows ? "guests" : one(privates);
    const a = letter[of];
    return add({ sql: `${of} AS ${name()}`, name: name(), of, a: `${a}a`, w: `${a}w`, rid: true });
  };
  /** Adds a source that has columns of its own: a union, rows grouped by their unit, windows, a filter. */
  const made = () => {
    const of = one(privates.slice(0, 2));
    const a = letter[of];
    const list = `person, rid, ${a}a AS a, ${a}w AS w`;
    const bodies = [
      `SELECT person, rid, ${a}a AS a, ${a}w AS w FROM ${of} WHERE ${a}a < ${1 + below(4)}`,
      `SELECT ${list} FROM ${of} UNION ALL SELECT person, rid, ${one(["va", "rid"])}, vw FROM visits`,
      `SELECT person, MAX(rid) AS rid, MIN(${a}a) AS a, MIN(${a}w) AS w FROM ${of} GROUP BY person`,
      `SELECT person, ${a}a AS a, MAX(rid) AS rid, MIN(${a}w) AS w FROM ${of} GROUP BY person, ${a}a`,
      `SELECT person, rid, ${a}a AS a, ${a}w AS w, ROW_NUMBER() OVER (PARTITION BY person ORDER BY rid) AS n FROM ${of}`,
    ];
    return add({ sql: `(${one(bodies)}) AS ${name()}`, name: name(), of: "made", a: "a", w: "w", rid: true });
  };
  const some = (kind) => (kind === "private" && !isRows && often(20) ? made() : table(kind));
  const at = (source, column) => `${source.name}.${source[column]}`;
  const isPrivate = ({ of }) => !publics.includes(of);

  const condition = (left, right) => {
    if (isPrivate(right) && left.some(isPrivate) && !isRows) return owned(left, right);
    const other = one(left);
    const column = one(["a", "w", "w"]);
    const equality = `${at(other, column)} = ${at(right, column)}`;
    const drawn = below(100);
    if (drawn < 65) return equality;
    if (drawn < 75) return `${equality} AND ${at(one(left), "a")} <> ${at(right, "a")}`;
    if (drawn < 82) return `${at(right, column)} = ${column === "a" ? "1" : "'x'"}`;
    if (drawn < 88) return `coalesce(${at(other, "a")}, 1) = ${at(right, "a")}`;
    if (drawn < 94) return `${at(other, "a")} < ${at(right, "a")}`;
    return "TRUE";
  };
  const owned = (left, right) => {
    const partners = left.filter(isPrivate);
    const other = one(partners);
    const pair = [other.of, right.of];
    if (pair.every((of) => ["visits", "items"].includes(of)) && (pair.includes("items") || often(50)))
      return `${other.name}.visit = ${right.name}.visit${often(20) ? ` AND ${at(other, "a")} >= ${at(right, "a")}` : ""}`;
    const named = partners.find(({ of }) => of !== "items") ?? other;
    return `${named.name}.person = ${right.name}.person`;
  };

  const first = some("private");
  let sql = first.sql;
  let joined = [first];
  for (let more = 1 + below(5); more > 0; more -= 1) {
    const kind = isRows || often(55) ? "public" : "private";
    const isNested = kind === "public" && often(20);
    const right = some(kind);
    let type = one(["JOIN", "JOIN", "JOIN", "LEFT JOIN", kind === "private" ? "FULL JOIN" : "JOIN"]);
    let written = right.sql;
    if (isNested) {
      const inner = table("public");
      written = `(${right.sql} ${one(["JOIN", "LEFT JOIN", "FULL JOIN"])} ${inner.sql} ON ${condition([right], inner)})`;
    }
    if (kind === "private" && often(15)) type = "RIGHT JOIN";
    sql = `${sql} ${type} ${written} ON ${condition(joined, right)}`;
    joined = [...joined, ...sources.filter((source) => !joined.includes(source))];
  }
  const where = [];
  if (often(25)) {
    const kept = one(joined);
    const met = one(publics);
    const m = letter[met];
    where.push(
      one([
        `${at(kept, "w")} IN (SELECT ${m}w FROM ${met})`,
        `NOT EXISTS (SELECT 1 FROM ${met} AS m WHERE m.${m}a = ${at(kept, "a")} AND m.${m}w <> ${at(kept, "w")})`,
        `EXISTS (SELECT 1 FROM ${met} AS m JOIN towns AS k ON k.tw = m.${m}w WHERE m.${m}w = ${at(kept, "w")})`,
      ]),
    );
  }
  const owners = joined.filter(({ of }) => ["people", "visits"].includes(of));
  if (owners.length > 0 && often(35)) {
    const kept = one(owners);
    const met = one(["people", "visits"]);
    const e = letter[met];
    const found = `SELECT 1 FROM ${met} AS e WHERE e.person = ${kept.name}.person AND e.rid >= 0`;
    const beside = `SELECT 1 FROM visits AS e JOIN items AS f ON f.visit = e.visit AND f.rid >= 0 WHERE e.rid >= 0 AND e.person = ${kept.name}.person`;
    where.push(
      one([
        `EXISTS (${found})`,
        `NOT EXISTS (${found} AND e.${e}a >= ${at(kept, "a")})`,
        `(EXISTS (${found} AND e.${e}w = ${at(kept, "w")}) OR ${at(kept, "a")} > 1)`,
        `EXISTS (${beside})`,
      ]),
    );
  }
  if (often(25)) where.push(`${at(one(joined), "a")} = ${at(one(joined), "a")}`);
  // Conditions on several tables, behind a fence where they would let an engine join too much first.
  if (often(35)) where.push(`${at(one(joined), "w")} <= ${at(one(joined), "w")}`);
  const rids = joined.map(({ name: of }) => `${of}.rid`);
  return `SELECT SUM(${rids.join(" + ")}, contribution_bounds_per_row => (0, 9)), COUNT(${joined.map(({ name: of, a }) => `${of}.${a}`).join(" + ")}) FROM ${sql}${where.length === 0 ? "" : ` WHERE ${where.join(" AND ")}`}`;
}

/** Rows of every table, with a number each. A few persons own nearly everything, under a few keys. */
export function randomData(random, most = 14) {
  const { one, often, below } = random;
  let number = 0;
  const next = () => {
    number += 1;
    return number;
  };
  const rows = (count, make) => Array.from({ length: count }, () => ({ rid: next(), ...make() }));
  const skew = (list) => (often(70) ? list[0] : one(list));
  const a = () => skew([1, 0, 2, 3, 7, null]);
  const w = () => skew(["x", "y", "xx", "X", "", null]);
  const count = () => 1 + below(most);
  return {
    people: rows(count(), () => ({ person: skew([1, 2, 3, null]), pa: a(), pw: w() })),
    visits: rows(count(), () => ({
      visit: skew(["v1", "v2", "v3", null]),
      person: skew([1, 2, 3, null]),
      va: a(),
      vw: w(),
    })),
    items: rows(count(), () => ({ visit: skew(["v1", "v2", "v3", "v9", null]), ia: a(), iw: w() })),
    guests: rows(count(), () => ({ ga: a(), gw: w() })),
    zips: rows(count(), () => ({ za: a(), zw: w() })),
    towns: rows(count(), () => ({ ta: a(), tw: w() })),
    tiny: rows(count(), () => ({ na: a(), nw: w() })),
    loose: rows(count(), () => ({ la: a(), lw: w() })),
  };
}
