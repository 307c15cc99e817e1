import { findPattern } from "../operations/patterns.ts";
import { refused } from "../refuse.ts";
import { system } from "../system/system.ts";
import { oids } from "../types/oids.ts";
import { ArrayValue, RowValue, type Tuple, type Value } from "../types/values.ts";
import type { Call, SetFunction, SetFunctions } from "./call.ts";

const none: SetFunction = () => [];
const items = (value: Value | undefined): readonly Value[] =>
  value instanceof ArrayValue ? value.items : [];

const generateSeries: SetFunction = ([first, last, by = 1], { run }) => {
  if (typeof first !== "number" && typeof first !== "bigint")
    return refused("query.unsupported", "the catalog here generates series of whole numbers alone");
  const [from, to, step] = [Number(first), Number(last), Number(by)];
  if (step === 0) return refused("query.type", "step size cannot equal zero");
  const isBig = typeof first === "bigint";
  const rows: Tuple[] = [];
  for (let value = from; step > 0 ? value <= to : value >= to; value += step) {
    run.budget.step();
    run.budget.hold(1);
    rows.push([isBig ? BigInt(value) : value]);
  }
  return rows;
};

const splitToTable: SetFunction = ([text, pattern], { run }) => {
  const source = String(text);
  const rows: Tuple[] = [];
  for (let from = 0; ; ) {
    const match = findPattern(source, from, String(pattern), false, run.budget);
    const [begin = source.length, end = source.length] = match ?? [];
    rows.push([source.slice(from, begin)]);
    run.budget.hold(1);
    if (match === null || end === begin) return rows;
    from = end;
  }
};

/** What is granted, one row a privilege: of `lethe=rw/lethe` two. */
const explode: SetFunction = ([list], call) =>
  items(list).flatMap((item): Tuple[] => {
    const [, grantee = "", privileges = "", grantor = ""] =
      /^([^=]*)=([^/]*)\/(.*)$/.exec(String(item)) ?? [];
    return [...privileges.matchAll(/(\w)(\*?)/g)].map(([, letter = "", star]) => {
      call.run.budget.step();
      return [
        roleNumber(grantor, call),
        grantee === "" ? 0 : roleNumber(grantee, call),
        privilegeNames[letter] ?? "",
        star === "*",
      ];
    });
  });

const privilegeNames: Readonly<Record<string, string>> = {
  r: "SELECT",
  a: "INSERT",
  w: "UPDATE",
  d: "DELETE",
  D: "TRUNCATE",
  x: "REFERENCES",
  t: "TRIGGER",
  m: "MAINTAIN",
  U: "USAGE",
  C: "CREATE",
  c: "CONNECT",
  T: "TEMPORARY",
  X: "EXECUTE",
  s: "SET",
  A: "ALTER SYSTEM",
};

function roleNumber(name: string, { run }: Call): number {
  const rows = run.catalog.relation("pg_catalog", "pg_authid")?.rows(run.session) ?? [];
  return Number(rows.find((row) => row[1] === name)?.[0] ?? 0);
}

/** The privileges that everybody has where none is stated, by the kind of thing. */
const usualPrivileges: Readonly<Record<string, readonly string[]>> = {
  r: ["arwdDxtm"],
  s: ["rwU"],
  d: ["=Tc", "CTc"],
  f: ["=X", "X"],
  l: ["=U", "U"],
  n: ["UC"],
  t: ["C"],
  T: ["=U", "U"],
  F: ["U"],
  S: ["U"],
};

/** acldefault: what is granted of a thing that states nothing. */
export function usualGrants(kind: Value, owner: Value, { run }: Call): Value {
  const rows = run.catalog.relation("pg_catalog", "pg_authid")?.rows(run.session) ?? [];
  const name = String(rows.find(([oid]) => oid === owner)?.[1] ?? owner);
  const grants = usualPrivileges[String(kind)] ?? [];
  return new ArrayValue(
    grants.map((each) => (each.startsWith("=") ? `${each}/${name}` : `${name}=${each}/${name}`)),
  );
}

const settingRows: SetFunction = (_, { run }) =>
  run.session.settings().map((name) => {
    const value = run.session.setting(name);
    return [
      ...[name, value, null, "Preset Options", "", "", "user", "string", "default"],
      ...[null, null, null, value, value, null, null, false],
    ];
  });

/** Functions that return rows. Those of what is not there return none. */
export const setFunctions: SetFunctions = {
  generate_series: generateSeries,
  unnest: ([array], { run }) => {
    run.budget.step(items(array).length);
    return items(array).map((item) => (item instanceof RowValue ? item.items : [item]));
  },
  generate_subscripts: ([array, dimension, isReversed]) => {
    if (dimension !== 1) return [];
    const lower = array instanceof ArrayValue ? array.lower : 1;
    const rows = items(array).map((_, at): Tuple => [at + lower]);
    return isReversed === true ? rows.reverse() : rows;
  },
  _pg_expandarray: ([array], { run }) => {
    run.budget.step(items(array).length);
    return items(array).map((item, at) => [item, at + 1]);
  },
  pg_get_keywords: () => system().keywords,
  pg_show_all_settings: settingRows,
  pg_options_to_table: ([options]) =>
    items(options).map((option) => {
      const [name = "", ...value] = String(option).split("=");
      return [name, value.length === 0 ? null : value.join("=")];
    }),
  aclexplode: explode,
  regexp_split_to_table: splitToTable,
  string_to_table: ([text, separator]) =>
    String(text)
      .split(String(separator))
      .map((part) => [part]),
  pg_get_catalog_foreign_keys: none,
  pg_stat_get_activity: none,
  pg_stat_get_wal_senders: none,
  pg_stat_get_progress_info: none,
  pg_lock_status: none,
  pg_prepared_xact: none,
  pg_prepared_statement: none,
  pg_cursor: none,
  pg_get_replication_slots: none,
  pg_show_replication_origin_status: none,
  pg_available_extensions: () => [["plpgsql", "1.0", "PL/pgSQL procedural language"]],
  pg_available_extension_versions: none,
  pg_partition_tree: none,
  pg_partition_ancestors: none,
  pg_get_publication_tables: none,
  pg_hba_file_rules: none,
  pg_timezone_names: none,
  pg_timezone_abbrevs: none,
  pg_stat_get_archiver: none,
  pg_config: none,
};

/** The types of columns of those rows whose function states none. */
export const usualColumnType: number = oids.text;
