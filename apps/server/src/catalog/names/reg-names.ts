import type { Catalog } from "../catalog.ts";
import { refused, unsupported } from "../refuse.ts";
import type { CatalogSession } from "../relations/catalog-session.ts";
import type { Signature } from "../system/signatures.ts";
import { formatType } from "../types/format-type.ts";
import { oids } from "../types/oids.ts";
import { quoteName, splitName } from "../types/quote-name.ts";
import type { Tuple } from "../types/values.ts";
import { typeByName } from "./type-names.ts";

/** Where names are looked up. */
export interface Place {
  readonly catalog: Catalog;
  readonly session: CatalogSession;
}

interface RegType {
  /** Returns the name; null where nothing has the number. */
  readonly name: (oid: number, place: Place) => string | null;
  /** Returns the number; null where nothing has the name. */
  readonly number: (name: string, place: Place) => number | null;
}

/** The rows of a relation of pg_catalog. */
export function rowsOf(name: string, { catalog, session }: Place): readonly Tuple[] {
  return catalog.relation("pg_catalog", name)?.rows(session) ?? [];
}

/** The place of a column of a relation of pg_catalog. */
export function placeOfColumn(relation: string, column: string, { catalog }: Place): number {
  return catalog.system.relation(relation).columns.findIndex(({ name }) => name === column);
}

function rowOf(relation: string, oid: number, { catalog, session }: Place): Tuple | null {
  return catalog.relation("pg_catalog", relation)?.index(0, session).get(oid)?.[0] ?? null;
}

/** A kind of thing that has a name of its own, in a relation whose first two columns are its number and its name. */
function simple(relation: string, column = 1): RegType {
  return {
    name: (oid, place) => {
      const row = rowOf(relation, oid, place);
      return row === null ? null : quoteName(String(row[column]));
    },
    number: (text, place) => {
      const name = splitName(text)?.at(-1);
      const row = rowsOf(relation, place).find((each) => each[column] === name);
      return row ? Number(row[0]) : null;
    },
  };
}

const inPath: ReadonlySet<string> = new Set(["pg_catalog", "public"]);

const regclass: RegType = {
  name: (oid, place) => {
    const row = rowOf("pg_class", oid, place);
    if (row === null) return null;
    const schema = place.catalog.schemaName(Number(row[2])) ?? "";
    const name = quoteName(String(row[1]));
    return inPath.has(schema) ? name : `${quoteName(schema)}.${name}`;
  },
  number: (text, place) => {
    const parts = splitName(text);
    if (parts === null || parts.length > 3) return null;
    const [name = "", schema] = [...parts].reverse();
    const rows = place.catalog.relation("pg_catalog", "pg_class")?.index(1, place.session).get(name) ?? [];
    const wanted = schema === undefined ? ["pg_catalog", "public"] : [schema];
    for (const each of wanted) {
      const row = rows.find((one) => place.catalog.schemaName(Number(one[2])) === each);
      if (row) return Number(row[0]);
    }
    return null;
  },
};

const regtype: RegType = {
  name: (oid, { catalog }) =>
    catalog.types.has(oid) ? formatType(oid, null, catalog.types, catalog.schemaName) : null,
  number: (text, { catalog }) => typeByName(text, catalog),
};

function functionNamed(text: string, { catalog }: Place): readonly Signature[] {
  const [name = "", schema] = [...(splitName(text) ?? [])].reverse();
  const wanted = schema === undefined ? catalog.schema("pg_catalog") : catalog.schema(schema);
  return (catalog.functions.get(name) ?? []).filter(({ namespace }) => namespace === wanted);
}

function functionName({ name, namespace }: Signature, { catalog }: Place): string {
  const schema = catalog.schemaName(namespace) ?? "";
  return inPath.has(schema) ? quoteName(name) : `${quoteName(schema)}.${quoteName(name)}`;
}

const regproc: RegType = {
  name: (oid, place) => {
    const found = place.catalog.functionOf(oid);
    return found ? functionName(found, place) : null;
  },
  number: (text, place) => {
    const [one, ...others] = functionNamed(text, place);
    if (others.length > 0) return refused("query.type", "more than one function has this name");
    return one?.oid ?? null;
  },
};

const regprocedure: RegType = {
  name: (oid, place) => {
    const found = place.catalog.functionOf(oid);
    if (!found) return null;
    const types = found.arguments.map((type) => regtype.name(type, place) ?? "-");
    return `${functionName(found, place)}(${types.join(",")})`;
  },
  number: (text, place) => {
    const [, name = "", list = ""] = /^([^(]*)\((.*)\)\s*$/s.exec(text) ?? [];
    const types = list.trim() === "" ? [] : list.split(",").map((type) => typeByName(type, place.catalog));
    const found = functionNamed(name, place).find(
      ({ arguments: own }) => own.length === types.length && own.every((type, at) => type === types[at]),
    );
    return found?.oid ?? null;
  },
};

const regrole = simple("pg_authid");

const regTypes: ReadonlyMap<number, RegType> = new Map<number, RegType>([
  [oids.regclass, regclass],
  [oids.regtype, regtype],
  [oids.regproc, regproc],
  [oids.regprocedure, regprocedure],
  [oids.regnamespace, simple("pg_namespace")],
  [oids.regrole, regrole],
  [oids.regcollation, simple("pg_collation")],
  [oids.regconfig, simple("pg_ts_config")],
  [oids.regdictionary, simple("pg_ts_dict")],
  [oids.regoper, simple("pg_operator")],
]);

/** Whether the values of a type are numbers that are written as names. */
export function isReg(type: number): boolean {
  return regTypes.has(type);
}

/** Writes a number of such a type as a name, or as a number where nothing has it. */
export function writeReg(type: number, oid: number, place: Place): string {
  if (oid === 0) return "-";
  return regTypes.get(type)?.name(oid, place) ?? String(oid);
}

const kinds: Readonly<Record<number, string>> = {
  [oids.regclass]: "relation",
  [oids.regtype]: "type",
  [oids.regproc]: "function",
  [oids.regprocedure]: "function",
  [oids.regnamespace]: "schema",
  [oids.regrole]: "role",
  [oids.regcollation]: "collation",
};

/** Reads a name, or a number, of such a type; null where nothing has it. */
export function findReg(type: number, text: string, place: Place): number | null {
  const trimmed = text.trim();
  if (trimmed === "-") return 0;
  if (/^\d+$/.test(trimmed)) return Number(trimmed);
  const reg = regTypes.get(type);
  return reg ? reg.number(trimmed, place) : unsupported("names of this type");
}

/** Reads a name, or a number, of such a type. Errors: query.unknown-table, query.type where nothing has it. */
export function readReg(type: number, text: string, place: Place): number {
  const found = findReg(type, text, place);
  if (found !== null) return found;
  const code = type === oids.regclass ? "query.unknown-table" : "query.type";
  return refused(code, `${kinds[type] ?? "name"} ${JSON.stringify(text.slice(0, 200))} does not exist`);
}
