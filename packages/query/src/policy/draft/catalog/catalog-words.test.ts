import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../testing/refusal-of.ts";
import type { CatalogColumn, CatalogForeignKey, CatalogRelation } from "../../catalog.ts";
import { readBoundsWord } from "../draft-words.ts";
import { columnMeant } from "./column-meant.ts";
import { type CatalogDraft, draftFromCatalog } from "./draft-from-catalog.ts";
import { compareTexts, nameRelations } from "./name-relations.ts";
import { proposeUnits } from "./propose-units.ts";
import { said } from "./said.ts";

const column = (name: string, more: Partial<CatalogColumn> = {}): CatalogColumn => ({
  ...{ name, native: "bigint", type: "integer", spelling: "integer", labels: [] },
  ...more,
});
const text = (name: string, more: Partial<CatalogColumn> = {}): CatalogColumn =>
  column(name, { native: "text", type: "text", spelling: "text", ...more });

const reference = (through: string, to: string, schema = "public"): CatalogForeignKey => {
  const [name, key] = to.split(".") as [string, string];
  return { columns: [through], references: { schema, name, columns: [key] } };
};
const table = (name: string, more: Partial<CatalogRelation> = {}): CatalogRelation => ({
  schema: "public",
  name,
  kind: "table",
  columns: [column("id")],
  keys: [{ columns: ["id"], primary: true }],
  foreignKeys: [],
  ...more,
});
const referring = (name: string, ...to: readonly string[]): CatalogRelation =>
  table(name, {
    columns: [column("id"), ...to.map((_, at) => column(`to_${at}`))],
    foreignKeys: to.map((target, at) => reference(`to_${at}`, target)),
  });

const drafted = (relations: readonly CatalogRelation[], more: Partial<CatalogDraft> = {}) =>
  draftFromCatalog({
    catalog: { relations },
    source: { kind: "postgres", urlVariable: "URL" },
    ...{ unit: "people.id", only: [], bounds: [], categories: [] },
    ...more,
  });
const refused = async (
  run: () => unknown,
): Promise<readonly [code: string, message: string, fix: string]> => {
  const { code, message, fix } = await refusalOf((async () => run())());
  return [code, message, fix];
};

describe("the names of relations", () => {
  const named = (relations: readonly CatalogRelation[]) => {
    const { named: all, refused: others } = nameRelations({ relations }, "public");
    return { all: all.map(({ name, relation }) => [name, relation]), others };
  };

  test("are their own, those of the default schema first, and told apart by schema and number", () => {
    const { all, others } = named([
      table("visits", { schema: "b" }),
      table("Visits", { schema: "a" }),
      table("b_visits"),
      table("visits"),
      table("people"),
    ]);
    expect(all).toEqual([
      ["b_visits", null],
      ["people", null],
      ["visits", null],
      ["a_Visits", "a.Visits"],
      ["b_visits_2", "b.visits"],
    ]);
    expect(others).toEqual([]);
  });

  test("are given up where everything like them is taken", () => {
    const taken = ["x", "b_x", "b_x_2", "b_x_3", "b_x_4", "b_x_5"].map((name) => table(name));
    expect(named([...taken, table("x", { schema: "b" })]).others).toEqual([
      "b.x has the name of another table, but for its schema or its case",
    ]);
    expect(named([...taken.slice(0, -1), table("x", { schema: "b" })]).all).toContainEqual(["b_x_5", "b.x"]);
  });

  test("that a policy cannot hold are said, as are relations without a column to ask", () => {
    const { all, others } = named([
      table("a.b"),
      table("c", { schema: "s.t" }),
      table("d\u202ee"),
      table("f", { columns: [column("x", { type: null, native: "blob" })] }),
      table("g", { columns: [] }),
    ]);
    expect(all).toEqual([]);
    const wrong = "has a name that a policy cannot hold, or one with a dot: give it a view of another name";
    expect(others).toEqual([
      `a.b ${wrong}`,
      `"d\\u{202e}e" ${wrong}`,
      "f has no column that can be asked",
      "g has no column that can be asked",
      `s.t.c ${wrong}`,
    ]);
  });

  test("of columns likewise: each that is left out says why", () => {
    const columns = [
      column("a"),
      column("A"),
      column("b", { type: null, native: "blob" }),
      column("", {}),
      column("x".repeat(64)),
    ];
    const { named: all } = nameRelations({ relations: [table("t", { columns })] }, "public");
    expect(all[0]!.columns.map(({ name }) => name)).toEqual(["a"]);
    expect(all[0]!.leftOut).toEqual([
      "A is left out: SQL could not tell it from another column, but for case",
      "b is left out: its type, blob, cannot be asked",
      'a column called "" is left out: a policy cannot hold its name',
      `a column called ${"x".repeat(64)} is left out: a policy cannot hold its name`,
    ]);
  });

  test("are compared by their code units", () => {
    expect(["b", "a", "B", "é", "a"].sort(compareTexts)).toEqual(["B", "a", "a", "b", "é"]);
    expect([compareTexts("a", "b"), compareTexts("b", "a"), compareTexts("a", "a")]).toEqual([-1, 1, 0]);
  });

  test("of a database say nothing but themselves in a comment", () => {
    expect(said("Größe_1.x")).toBe("Größe_1.x");
    expect(said("a b")).toBe('"a b"');
    expect(said("a\nb\u202e\u2028")).toBe('"a\\nb\\u{202e}\\u{2028}"');
    expect(said("x".repeat(100))).toBe("x".repeat(100));
    expect(said("x".repeat(101))).toBe(`"${"x".repeat(100)}…"`);
  });
});

describe("the column that a word means", () => {
  const { named: tables } = nameRelations(
    {
      relations: [
        table("people", { columns: [column("id"), column("age")] }),
        table("visits", { schema: "clinic", columns: [column("id"), column("cost")] }),
        table("wards", { columns: [column("id"), column("cost"), column("a.b")] }),
      ],
    },
    "public",
  );
  const [people, wards, visits] = tables;
  const meant = (word: string, owned: typeof tables = []) => columnMeant(word, tables, "--bounds", owned);

  test("is of one table by its name, by that in the database, or by the column's alone", () => {
    expect([people!.name, wards!.name, visits!.name]).toEqual(["people", "wards", "visits"]);
    for (const word of ["people.age", "public.people.age", "age"])
      expect(meant(word)).toEqual({ table: "people", column: "age" });
    for (const word of ["visits.cost", "clinic.visits.cost"])
      expect(meant(word)).toEqual({ table: "visits", column: "cost" });
    for (const word of ["a.b", "wards.a.b"]) expect(meant(word)).toEqual({ table: "wards", column: "a.b" });
  });

  test("is of a table that is owned where several have it", () => {
    expect(meant("cost", [visits!])).toEqual({ table: "visits", column: "cost" });
    expect(meant("cost", [wards!, people!])).toEqual({ table: "wards", column: "cost" });
  });

  test("is none where several have it alike, or no table has", async () => {
    for (const owned of [[], [visits!, wards!], [people!]])
      expect(await refused(() => meant("cost", owned))).toEqual([
        "cli.usage",
        "--bounds: several tables have a column cost",
        `name the table too: ${["wards.cost", "visits.cost"].join(", ")}`,
      ]);
    expect(await refused(() => meant("people.cost"))).toEqual([
      "cli.usage",
      "--bounds: no table here has a column people.cost",
      expect.stringContaining("write one of: people.id, people.age, wards.id"),
    ]);
  });
});

describe("the unit that is proposed", () => {
  const proposals = (relations: readonly CatalogRelation[], unit = { table: "people", column: "id" }) => {
    const { named } = nameRelations({ relations }, "public");
    return new Map(proposeUnits(named, unit).map((proposal) => [proposal.table.name, proposal]));
  };

  test("is the nearest by declared keys, of equals that of the lesser name", () => {
    const found = proposals([
      table("people"),
      referring("visits", "people.id"),
      referring("bills", "people.id"),
      referring("items", "visits.id", "bills.id"),
    ]);
    expect(found.get("people")).toMatchObject({
      unit: { column: "id" },
      key: "id",
      otherWays: [],
      notes: [],
    });
    expect(found.get("visits")).toMatchObject({
      unit: { through: "to_0", to: { table: "people", column: "id" } },
      key: "id",
      otherWays: [],
    });
    expect(found.get("items")).toMatchObject({
      unit: { through: "to_1", to: { table: "bills", column: "id" } },
      otherWays: [{ through: "to_0", to: { table: "visits", column: "id" } }],
      notes: [],
    });
  });

  test("is none where no key leads to it, and each key says why it is not followed", () => {
    const found = proposals([
      table("people"),
      referring("wards", "wards.id", "towns.id", "gone.id"),
      table("towns", { columns: [text("id")] }),
      table("visits", {
        columns: [column("id"), column("person", { type: "number", native: "numeric", spelling: null })],
        foreignKeys: [reference("person", "people.id")],
      }),
      table("beds", {
        columns: [column("id"), column("town"), column("kind")],
        foreignKeys: [
          { columns: ["town", "kind"], references: { schema: "public", name: "towns", columns: ["a", "b"] } },
          reference("kind", "people.id", "other"),
        ],
      }),
    ]);
    expect(found.get("wards")!.unit).toBeNull();
    expect(found.get("wards")!.notes).toEqual([
      "to_0 refers to wards itself: it does not say whose a row is",
      "to_1 refers to towns.id, and is not followed: by their types, one value could be spelled in two ways",
      "to_2 refers to gone, which cannot be asked here",
    ]);
    expect(found.get("visits")!.notes).toEqual([
      "person refers to people.id, and is not followed: by their types, one value could be spelled in two ways",
    ]);
    expect(found.get("beds")!.notes).toEqual([
      "(town, kind) refers to towns by several columns, and keys are of one column: a view could make one of them",
      "kind refers to people, which cannot be asked here",
    ]);
  });

  test("says of ways that are not taken where they lead", () => {
    const found = proposals(
      [
        table("people", {
          columns: [column("id"), column("visit")],
          foreignKeys: [reference("visit", "visits.id")],
        }),
        referring("visits", "people.id", "wards.id"),
        table("wards"),
        table("notes", {
          columns: [column("id"), column("visit"), column("code")],
          foreignKeys: [reference("visit", "visits.id"), reference("code", "visits.code")],
        }),
      ].map((each) =>
        each.name === "visits" ? { ...each, columns: [...each.columns, column("code")] } : each,
      ),
    );
    expect(found.get("people")!.notes).toEqual(["visit refers to visits.id, which leads back"]);
    expect(found.get("visits")!.notes).toEqual(["to_1 refers to wards.id, which leads to no unit here"]);
    expect(found.get("notes")!.notes).toEqual([
      "code refers to visits.code, which is not the key that is proposed for that table",
    ]);
  });

  test("has as a table's key one that others refer to, else the primary one", () => {
    const keyed = (keys: CatalogRelation["keys"], to: readonly string[]) =>
      proposals([
        table("people"),
        table("visits", {
          columns: [column("id"), column("code"), column("alias"), column("person")],
          keys,
          foreignKeys: [reference("person", "people.id")],
        }),
        table("notes", {
          columns: to.map((_, at) => column(`n${at}`)),
          keys: [],
          foreignKeys: to.map((key, at) => reference(`n${at}`, `visits.${key}`)),
        }),
      ]).get("visits")!.key;
    const [id, code, alias] = ["id", "code", "alias"].map((name) => ({
      columns: [name],
      primary: name === "id",
    }));
    expect(keyed([id!, code!, alias!], [])).toBe("id");
    expect(keyed([code!, alias!], [])).toBeNull();
    expect(keyed([id!, code!, alias!], ["code"])).toBe("code");
    expect(keyed([id!, code!, alias!], ["code", "alias"])).toBe("alias");
    expect(keyed([id!, code!, alias!], ["code", "id"])).toBe("id");
    expect(keyed([{ columns: ["id", "code"], primary: true }], ["id"])).toBeNull();
    // What names the unit is no key beside it.
    expect(keyed([{ columns: ["person"], primary: true }], [])).toBeNull();
  });

  test("of a view is the owner's to say, unless the unit is named there", () => {
    const relations = [table("people"), table("recent", { kind: "view", keys: [] })];
    expect([...proposals(relations).keys()]).toEqual(["people"]);
    expect([...proposals(relations, { table: "recent", column: "id" }).keys()]).toEqual(["people", "recent"]);
    expect(proposals(relations, { table: "recent", column: "id" }).get("recent")).toMatchObject({
      unit: { column: "id" },
      key: null,
    });
  });
});

describe("the tables of a draft", () => {
  const hospital = [
    table("people", { columns: [column("id"), column("age")] }),
    referring("visits", "people.id", "wards.code"),
    table("wards", { columns: [text("code")], keys: [{ columns: ["code"], primary: true }] }),
  ].map((each) =>
    each.name === "visits" ? { ...each, columns: [column("id"), column("to_0"), text("to_1")] } : each,
  );
  const linesOf = (yaml: string, name: string): readonly string[] => {
    const all = yaml.split("\n");
    const start = all.findIndex((line) => line.replace("#", "").trim() === `${name}:`);
    const end = all.findIndex((line, at) => at > start && !/^ {4}|^ {2}# {2}/.test(line));
    return all.slice(start, end);
  };

  test("say how each reaches the unit, its key, and what is yet to be declared", () => {
    const { yaml, severalWays, undecided } = drafted(hospital);
    expect(yaml).toContain("database: { kind: postgres, url_env: URL }\n");
    expect(linesOf(yaml, "visits")).toEqual([
      "  visits:",
      "    unit: { through: to_0, references: people.id }",
      "    # to_1 refers to wards.code, which leads to no unit here",
      "    key: id",
      expect.stringMatching(/^ {4}max_groups_contributed: 1 #/),
      expect.stringMatching(/^ {4}max_rows_contributed_per_group: 1 #/),
      "    columns:",
      "      id: { type: integer } # a key, and so a type alone",
      "      to_0: { type: integer } # a key, and so a type alone",
      "      to_1: { type: text } # not declared yet: add categories: [a, b]",
    ]);
    expect(linesOf(yaml, "people").slice(0, 3)).toEqual([
      "  people:",
      "    unit: id # all rows that share its value are one unit",
      "    key: id",
    ]);
    expect(linesOf(yaml, "people").at(-1)).toBe(
      "      age: { type: integer } # not declared yet: add bounds: [lowest, highest], or categories: [1, 2]",
    );
    expect([severalWays, undecided]).toEqual([[], ["wards"]]);
    expect(linesOf(yaml, "wards")).toEqual([
      "  #wards:",
      "  #  public: true # tables of units refer to it: only if its rows are nobody's and no secret",
      "  #  key: code",
      "  #  # rows_per_key: { COLUMN: 40 } # to join it by another column: the most rows that share a value",
      "  #  columns:",
      "  #    code: { type: text } # a key, and so a type alone",
    ]);
  });

  test("ask whose rows are that nothing says", () => {
    const { yaml, undecided } = drafted([
      ...hospital,
      table("logs", { columns: [column("n")], keys: [] }),
      table("recent", { kind: "view", keys: [], columns: [column("m")] }),
      // It refers to units by a key that cannot be followed, so it is no lookup of visits.
      table("wards2", {
        columns: [text("code"), text("person")],
        keys: [],
        foreignKeys: [reference("person", "people.id")],
      }),
    ]);
    expect(undecided).toEqual(["logs", "recent", "wards", "wards2"]);
    expect(linesOf(yaml, "logs").slice(0, 3)).toEqual([
      "  #logs:",
      "  #  unit: COLUMN # whose rows are they?",
      "  #  columns:",
    ]);
    expect(yaml).toContain("  # a view, which declares no keys:\n  #recent:\n");
    expect(linesOf(yaml, "wards2")).toContain("  #  unit: COLUMN # whose rows are they?");
    expect(yaml).toContain("  # No declared key says whose the rows of the tables below are.");
    expect(drafted(hospital.slice(0, 1)).yaml).not.toContain("No declared key");
  });

  test("say all ways, of which one was taken", () => {
    const { yaml, severalWays } = drafted([table("people"), referring("visits", "people.id", "people.id")]);
    expect(severalWays).toEqual(["visits"]);
    expect(linesOf(yaml, "visits")).toContain(
      "    # another way, to take instead if that unit is meant: unit: { through: to_1, references: people.id }",
    );
  });

  test("lie in a file where the database is one, and are called by schema where that is another", () => {
    const { yaml } = drafted([table("people", { schema: "main" }), table("people", { schema: "old" })], {
      source: { kind: "duckdb", file: "a b.duckdb" },
    });
    expect(yaml).not.toContain("database:");
    expect(linesOf(yaml, "people").slice(0, 3)).toEqual([
      "  people:",
      '    file: "a b.duckdb"',
      "    unit: id # all rows that share its value are one unit",
    ]);
    expect(linesOf(yaml, "old_people")).toContain('  #  relation: "old.people"');
  });

  test("are those that are wanted, with all on their way", () => {
    const chain = [
      table("people"),
      referring("visits", "people.id"),
      referring("items", "visits.id"),
      table("logs"),
      table("a.b"),
    ];
    const names = (only: readonly string[]) =>
      [...drafted(chain, { only }).yaml.matchAll(/^ {2}#?(\w+):$/gm)].map(([, name]) => name);
    expect(new Set(names(["items"]))).toEqual(new Set(["people", "visits", "items"]));
    expect(new Set(names(["public.visits", "visits"]))).toEqual(new Set(["people", "visits"]));
    expect(new Set(names(["logs"]))).toEqual(new Set(["people", "logs"]));
    expect(new Set(names([]))).toEqual(new Set(["people", "visits", "items", "logs"]));
    // What cannot be named is said where all tables are wanted.
    expect(drafted(chain).yaml).toContain("  # a.b has a name that a policy cannot hold");
    expect(drafted(chain, { only: ["logs"] }).yaml).not.toContain("a.b");
  });

  test("are refused that the database does not have, or has several of", async () => {
    const two = [
      table("people"),
      table("logs", { schema: "a" }),
      table("logs", { schema: "b" }),
      table("log_s"),
    ];
    expect(await refused(() => drafted(two, { only: ["logz"] }))).toEqual([
      "cli.usage",
      "--table: the database has no table logz that can be asked",
      'did you mean "logs"? write one of: log_s, people, logs, b_logs',
    ]);
    expect(new Set([...drafted(two, { only: ["b.logs"] }).undecided])).toEqual(new Set(["b_logs"]));
    expect(drafted(two, { only: ["logs"] }).undecided).toEqual(["logs"]);
    const alike = [table("people"), table("X"), table("x", { schema: "a" }), table("x", { schema: "b" })];
    expect(await refused(() => drafted(alike, { only: ["x"] }))).toEqual([
      "cli.usage",
      "--table: several tables are called x",
      "name one: a_x, b_x",
    ]);
  });

  test("may be one whose rows are units", async () => {
    const { yaml } = drafted(hospital, { unit: "row", only: ["people"] });
    expect(linesOf(yaml, "people")).toEqual([
      "  people:",
      "    unit: row # each row is one unit",
      "    columns:",
      expect.stringContaining("id: { type: integer } # not declared yet"),
      expect.stringContaining("age: { type: integer } # not declared yet"),
    ]);
    expect(await refused(() => drafted(hospital, { unit: "row" }))).toEqual([
      "cli.usage",
      "--unit row is for one table, and the database has 3",
      "name it with --table, or the column that names the person: --unit people.id, --unit wards.code, --unit visits.id",
    ]);
  });

  test("are drafted for a unit that is named, and keys that others refer to are proposed for it", async () => {
    expect(await refused(() => drafted(hospital, { unit: undefined }))).toEqual([
      "cli.usage",
      "init must be told who is protected",
      "name the column that names the person: --unit people.id, --unit wards.code, --unit visits.id; or --unit row with --table, when each row is one person",
    ]);
    const bare = [table("people", { keys: [{ columns: ["id", "age"], primary: true }] })];
    expect((await refused(() => drafted(bare, { unit: undefined })))[2]).toContain(
      "name the column that names the person: --unit people.id; or",
    );
    expect(await refused(() => drafted([], {}))).toEqual([
      "engine.source",
      "the database has no table that can be asked",
      "GRANT SELECT on the tables to the role, or name another database",
    ]);
    const real = [
      table("people", { columns: [column("id", { native: "double precision", spelling: null })] }),
    ];
    expect(await refused(() => drafted(real))).toEqual([
      "cli.usage",
      '--unit people.id: by its type, "double precision", one value can be spelled in two ways',
      "units are compared as texts: name a column of whole numbers, plain texts or UUIDs, or write the policy by hand",
    ]);
  });
});

describe("the columns of a draft", () => {
  const wide = (own: CatalogColumn): CatalogRelation => table("people", { columns: [column("id"), own] });
  const line = (own: CatalogColumn, more: Partial<CatalogDraft> = {}): string =>
    new RegExp(`^ {6}${own.name}: (.*)$`, "m").exec(drafted([wide(own)], more).yaml)![1]!;
  const bounds = (word: string): Partial<CatalogDraft> => ({ bounds: [readBoundsWord(word)] });
  const typed = (type: CatalogColumn["type"], native: string, spelling: string | null = null) =>
    column("c", { type, native, spelling });

  test("say what is yet to be declared of each type", () => {
    const missing = (own: CatalogColumn): string => line(own).replace(/^\{ type: (\w+) \}/, "$1");
    expect(missing(typed("number", "numeric"))).toBe(
      "number # not declared yet: add bounds: [lowest, highest]",
    );
    expect(missing(typed("date", "date"))).toBe(
      "date # not declared yet: add bounds: [2020-01-01, 2029-12-31]",
    );
    expect(missing(typed("timestamp", "timestamp"))).toBe(
      'timestamp # not declared yet: add bounds: ["2020-01-01 00:00:00", "2029-12-31 23:59:59"]',
    );
    expect(missing(typed("boolean", "boolean"))).toBe("boolean");
  });

  test("list the labels of their type, thirty of them, for the owner to judge", () => {
    const labelled = (count: number): string =>
      line(text("c", { labels: Array.from({ length: count }, (_, at) => `l${at}`) }));
    const first = Array.from({ length: 30 }, (_, at) => `l${at}`).join(", ");
    expect(labelled(2)).toBe(
      "{ type: text } # not declared yet: add categories: [a, b]; its type has the labels l0, l1: copy them if they are no secret",
    );
    expect(labelled(30)).toContain(`the labels ${first}: copy`);
    expect(labelled(31)).toContain(`the labels ${first} and 1 more: copy`);
  });

  test("are of the type that the owner's words give them, as far as it fits the database's", async () => {
    expect(line(typed("number", "numeric"), bounds("c=0..9"))).toBe("{ type: number, bounds: [0, 9] }");
    expect(line(typed("number", "numeric"), bounds("c=int:0..9"))).toBe("{ type: integer, bounds: [0, 9] }");
    expect(line(typed("integer", "int", "integer"), bounds("c=0..9"))).toBe(
      "{ type: integer, bounds: [0, 9] }",
    );
    for (const spelling of ["text", "padded text"]) {
      expect(line(typed("text", "text", spelling), bounds("c=0..9"))).toBe(
        "{ type: number, bounds: [0, 9] }",
      );
      expect(line(typed("text", "text", spelling), bounds("c=2020-01-01..2021-01-01"))).toBe(
        "{ type: date, bounds: [2020-01-01, 2021-01-01] }",
      );
    }
    expect(line(typed("timestamp", "timestamp"), bounds("c=2020-01-01..2021-01-01"))).toBe(
      "{ type: timestamp, bounds: [2020-01-01, 2021-01-01] }",
    );
    const categories: Partial<CatalogDraft> = { categories: [["c", ["1", "2"]]] };
    expect(line(typed("integer", "int", "integer"), categories)).toBe(
      "{ type: integer, categories: [1, 2] }",
    );
    expect(line(typed("text", "text", "text"), categories)).toBe('{ type: text, categories: ["1", "2"] }');

    for (const [own, words, wrong, fix] of [
      [
        typed("number", "numeric"),
        bounds("c=2020-01-01..2021-01-01"),
        "dates are no bounds of it",
        "write bounds of numbers, or leave it out of --bounds",
      ],
      [
        typed("date", "date"),
        bounds("c=0..9"),
        "numbers are no bounds of it",
        "write people.c=2010-01-01..2029-12-31",
      ],
      [
        typed("boolean", "boolean"),
        bounds("c=0..9"),
        "numbers are no bounds of it",
        "leave it out of --bounds",
      ],
      [
        typed("text", "inet", "address"),
        bounds("c=0..9"),
        "numbers are no bounds of it",
        "leave it out of --bounds",
      ],
      [
        typed("boolean", "boolean"),
        categories,
        "it has no categories",
        "leave it out of --categories; state --bounds for numbers and times",
      ],
    ] as const)
      expect(await refused(() => line(own, words))).toEqual([
        "cli.usage",
        `people.c is of type ${own.native} in the database, and ${wrong}`,
        fix,
      ]);
  });

  test("that are keys have no bounds, and none is declared twice", async () => {
    expect(await refused(() => drafted([wide(column("c"))], bounds("id=0..9")))).toEqual([
      "cli.usage",
      "people.id is a key, and so has no bounds or categories",
      "leave it out of --bounds and --categories",
    ]);
    for (const more of [
      { ...bounds("c=0..9"), categories: [["people.c", ["1"]]] as const },
      { bounds: [readBoundsWord("c=0..9"), readBoundsWord("people.c=0..8")] },
    ])
      expect(await refused(() => drafted([wide(column("c"))], more))).toEqual([
        "cli.usage",
        "the column people.c is declared twice",
        "state one of --bounds and --categories for it, once",
      ]);
  });

  test("and tables stand in quotes, or apart, where their names need it", () => {
    const odd = [
      table("pe ople", { columns: [column("id")] }),
      table("visits", {
        columns: [column("to x")],
        keys: [],
        foreignKeys: [reference("to x", "pe ople.id")],
      }),
    ];
    const { yaml } = drafted(odd, { unit: "pe ople.id" });
    expect(yaml).toContain('    unit: { through: "to x", references: "pe ople.id" }');
    const dotted = [
      table("people", { columns: [column("i.d")], keys: [{ columns: ["i.d"], primary: true }] }),
      table("visits", {
        columns: [column("to")],
        keys: [],
        foreignKeys: [
          { columns: ["to"], references: { schema: "public", name: "people", columns: ["i.d"] } },
        ],
      }),
    ];
    expect(drafted(dotted, { unit: "people.i.d" }).yaml).toContain(
      '    unit: { through: to, references: { table: people, column: "i.d" } }',
    );
    const row = [table("people", { columns: [column("row")], keys: [{ columns: ["row"], primary: true }] })];
    expect(drafted(row, { unit: "people.row" }).yaml).toContain("    unit: { column: row }\n");
  });
});
