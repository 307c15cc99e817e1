import { oids } from "../types/oids.ts";
import { readText } from "../types/read-text.ts";
import { TypeTable } from "../types/type-table.ts";
import type { Tuple } from "../types/values.ts";
import { type SystemRows, systemRows } from "./read-system.ts";

export interface Column {
  readonly name: string;
  readonly type: number;
  readonly typmod: number;
  /** The columns of its rows, where its values are rows. */
  readonly fields?: readonly { readonly name: string; readonly type: number }[];
}

/** A relation of PostgreSQL's own, as far as every new database has it. */
export interface SystemRelation {
  readonly oid: number;
  readonly schema: "pg_catalog" | "information_schema";
  readonly name: string;
  readonly columns: readonly Column[];
  /** The text of a view; null of a table. */
  readonly view: string | null;
  /** Its rows in a new database; null where they are not held here. */
  readonly rows: (() => readonly Tuple[]) | null;
}

/** What a new PostgreSQL says of itself. It is read once, and shared by all catalogs. */
export interface System {
  readonly relations: readonly SystemRelation[];
  relation(name: string): SystemRelation;
  /** The types of PostgreSQL's own. */
  readonly types: TypeTable;
  readonly keywords: readonly Tuple[];
  /** The arguments of functions that have defaults, in words, by number. */
  readonly argumentTexts: ReadonlyMap<number, string>;
  /** What checks demand, in words and with fewer brackets, by number. */
  readonly checkTexts: ReadonlyMap<number, readonly [string, string]>;
}

/** The number of the schema pg_catalog. */
export const pgCatalog = 11;

/** Relations that a new database has rows in, none of which tells of a table: those of statistics and of what depends on what. */
const emptied: ReadonlySet<string> = new Set(["pg_statistic", "pg_depend", "pg_init_privs"]);

let built: System | null = null;

/** Returns what a new PostgreSQL says of itself. */
export function system(): System {
  built ??= build(systemRows());
  return built;
}

function build(all: ReadonlyMap<string, SystemRows>): System {
  const part = (name: string): SystemRows => all.get(name) ?? { names: [], rows: [] };
  const types = systemTypes(part("pg_type"));
  const columns = columnsOf(part("pg_attribute"), types);
  const views = new Map(part("views").rows.map(([oid, text]) => [Number(oid), text ?? ""]));
  const empty = new Set(part("empty").rows.map(([name]) => name));
  const classes = part("pg_class");
  const place = (name: string): number => classes.names.indexOf(name);
  const schemas = new Map(part("pg_namespace").rows.map(([oid, name]) => [oid, name]));
  const relations = classes.rows
    .filter((row) => /^[rv]$/.test(row[place("relkind")] ?? ""))
    .map((row): SystemRelation => {
      const [oid, name] = [Number(row[place("oid")]), row[place("relname")] ?? ""];
      const schema = schemas.get(row[place("relnamespace")] ?? "");
      const own = columns.get(oid) ?? [];
      return {
        oid,
        name,
        schema: schema === "information_schema" ? schema : "pg_catalog",
        columns: own,
        view: views.get(oid) ?? null,
        rows:
          name === "pg_attribute"
            ? kept(() => attributes(part(name), own, types))
            : all.has(name)
              ? kept(() => part(name).rows.map((each) => tupleOf(each, part(name).names, own, types)))
              : empty.has(name) || emptied.has(name)
                ? () => []
                : null,
      };
    });
  const byName = new Map(relations.map((relation) => [relation.name, relation]));
  return {
    relations,
    types,
    relation: (name) => {
      const found = byName.get(name);
      if (found) return found;
      throw new Error(`the system has no relation ${name}`);
    },
    keywords: part("keywords").rows.map(([word = null, code = null, bare = null, ...rest]) => [
      ...[word, code, bare === "true"],
      ...rest,
    ]),
    argumentTexts: new Map(part("argument_defaults").rows.map(([oid, text]) => [Number(oid), text ?? ""])),
    checkTexts: new Map(
      part("checks").rows.map(([oid, text, pretty]) => [Number(oid), [text ?? "", pretty ?? ""]] as const),
    ),
  };
}

function kept<T>(make: () => T): () => T {
  let value: T | null = null;
  return () => {
    value ??= make();
    return value;
  };
}

/** Types are needed to read rows, and their own rows among these: a first table, of texts alone, is enough for that. */
function systemTypes({ names, rows }: SystemRows): TypeTable {
  const numeric = new Set([
    "oid",
    "typnamespace",
    "typlen",
    "typarray",
    "typbasetype",
    "typtypmod",
    "typrelid",
    "typsubscript",
    "typelem",
    "typcollation",
  ]);
  const tuples = rows.map((row) =>
    row.map((text, at) => {
      const name = names[at] ?? "";
      return text !== null && numeric.has(name)
        ? Number(text)
        : /^typ(?:ispreferred|byval)$/.test(name)
          ? text === "true"
          : text;
    }),
  );
  return new TypeTable(names, tuples, arraySubscripts(names, rows));
}

/** The function that takes items out of true arrays: that of _text. */
export function arraySubscripts(names: readonly string[], rows: SystemRows["rows"]): number {
  const array = rows.find((row) => row[names.indexOf("typname")] === "_text");
  return Number(array?.[names.indexOf("typsubscript")] ?? 0);
}

function columnsOf({ rows }: SystemRows, types: TypeTable): ReadonlyMap<number, readonly Column[]> {
  const columns = new Map<number, Column[]>();
  for (const [relation, number, name, type, typmod] of rows) {
    if (Number(number) < 1) continue;
    const own = columns.get(Number(relation)) ?? [];
    own.push({
      name: name ?? "",
      type: types.has(Number(type)) ? Number(type) : oids.text,
      typmod: Number(typmod),
    });
    columns.set(Number(relation), own);
  }
  return columns;
}

function tupleOf(
  row: readonly (string | null)[],
  names: readonly string[],
  columns: readonly Column[],
  types: TypeTable,
): Tuple {
  return columns.map(({ name, type }) => {
    const text = row[names.indexOf(name)] ?? null;
    return text === null ? null : readText(text, numbered.has(type) ? oids.oid : type, types);
  });
}

/** Types that are numbers inside, whatever they are written as. */
export const numbered: ReadonlySet<number> = new Set([
  oids.oid,
  oids.regproc,
  oids.regprocedure,
  oids.regoper,
  oids.regoperator,
  oids.regclass,
  oids.regtype,
  oids.regconfig,
  oids.regdictionary,
  oids.regnamespace,
  oids.regrole,
  oids.regcollation,
]);

/** The rows of pg_attribute, of which those facts alone are held that its type does not tell. */
function attributes({ rows }: SystemRows, columns: readonly Column[], types: TypeTable): readonly Tuple[] {
  return rows.map(([relation, number, name, type, typmod, isNotNull]) =>
    attributeRow(columns, types, {
      attrelid: Number(relation),
      attnum: Number(number),
      attname: name ?? "",
      atttypid: Number(type),
      atttypmod: Number(typmod),
      attnotnull: isNotNull === "true",
    }),
  );
}

export interface AttributeFacts {
  readonly attrelid: number;
  readonly attnum: number;
  readonly attname: string;
  readonly atttypid: number;
  readonly atttypmod: number;
  readonly attnotnull: boolean;
}

/** Returns a row of pg_attribute. */
export function attributeRow(columns: readonly Column[], types: TypeTable, facts: AttributeFacts): Tuple {
  const type = types.has(facts.atttypid) ? types.fact(facts.atttypid) : null;
  const derived: Readonly<Record<string, Tuple[number]>> = {
    ...facts,
    attlen: type?.length ?? -1,
    attndims: type !== null && type.element !== 0 && type.array === 0 ? 1 : 0,
    attbyval: type?.byValue ?? false,
    attalign: type?.align ?? "i",
    attstorage: type?.storage ?? "x",
    attcompression: "",
    atthasdef: false,
    atthasmissing: false,
    attidentity: "",
    attgenerated: "",
    attisdropped: false,
    attislocal: true,
    attinhcount: 0,
    attcollation: type?.collation ?? 0,
  };
  return columns.map(({ name }) => derived[name] ?? null);
}
