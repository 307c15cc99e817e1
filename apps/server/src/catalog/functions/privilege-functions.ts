import { findReg, type Place, placeOfColumn, rowsOf } from "../names/reg-names.ts";
import { refused } from "../refuse.ts";
import { owner, ownerName } from "../relations/user-rows.ts";
import { oids } from "../types/oids.ts";
import { ArrayValue, type Value } from "../types/values.ts";
import type { ScalarFunction, ScalarFunctions } from "./call.ts";
import { rowByNumber } from "./name-functions.ts";

const letters: Readonly<Record<string, string>> = {
  SELECT: "r",
  INSERT: "a",
  UPDATE: "w",
  DELETE: "d",
  TRUNCATE: "D",
  REFERENCES: "x",
  TRIGGER: "t",
  MAINTAIN: "m",
  USAGE: "U",
  CREATE: "C",
  CONNECT: "c",
  TEMP: "T",
  TEMPORARY: "T",
  EXECUTE: "X",
  RULE: "",
  SET: "s",
  "ALTER SYSTEM": "A",
};

interface Kind {
  readonly relation: string;
  readonly list: string;
  readonly reg: number | null;
  /** What everybody may where nothing is stated. */
  readonly usual: string;
}

const table: Kind = { relation: "pg_class", list: "relacl", reg: oids.regclass, usual: "" };

const kinds: Readonly<Record<string, Kind>> = {
  table,
  any_column: table,
  sequence: table,
  schema: { relation: "pg_namespace", list: "nspacl", reg: oids.regnamespace, usual: "" },
  database: { relation: "pg_database", list: "datacl", reg: null, usual: "cT" },
  function: { relation: "pg_proc", list: "proacl", reg: oids.regprocedure, usual: "X" },
  type: { relation: "pg_type", list: "typacl", reg: oids.regtype, usual: "U" },
  language: { relation: "pg_language", list: "lanacl", reg: null, usual: "U" },
  tablespace: { relation: "pg_tablespace", list: "spcacl", reg: null, usual: "" },
};

/** Whether a role may do something, by the list of what is granted. */
function isGranted(role: string, asked: string, granted: Value, usual: string): boolean {
  if (role === ownerName) return true;
  const may = (letter: string): boolean => {
    if (!(granted instanceof ArrayValue)) return usual.includes(letter);
    return granted.items.some((item) => {
      const [, grantee = "", privileges = ""] = /^([^=]*)=([^/]*)/.exec(String(item)) ?? [];
      return (grantee === "" || grantee === role) && privileges.includes(letter);
    });
  };
  return asked.split(",").some((each) => {
    const letter =
      letters[
        each
          .trim()
          .toUpperCase()
          .replace(/ WITH GRANT OPTION$/, "")
      ];
    if (letter === undefined)
      return refused("query.type", `unrecognized privilege type: ${JSON.stringify(each.slice(0, 40))}`);
    return letter !== "" && !/ WITH GRANT OPTION$/i.test(each.trim()) && may(letter);
  });
}

function roleName(value: Value, type: number, place: Place): string {
  if (type !== oids.oid) return String(value);
  return String(rowsOf("pg_authid", place).find(([oid]) => oid === value)?.[1] ?? "");
}

function hasPrivilege(kind: Kind, hasColumn = false): ScalarFunction {
  return (values, { run, types }) => {
    const parts = [...values.keys()];
    const most = hasColumn ? 4 : 3;
    const role = values.length === most ? roleName(values[0] ?? null, types[0] ?? 0, run) : run.session.user;
    const [object = 0] = values.length === most ? parts.slice(1) : parts;
    const row = rowByNumber(
      kind.relation,
      numberOf(values[object] ?? null, types[object] ?? 0, kind, run),
      run,
    );
    if (row === null) return null;
    const granted = row[placeOfColumn(kind.relation, kind.list, run)] ?? null;
    return isGranted(role, String(values.at(-1)), granted, kind.usual);
  };
}

function numberOf(value: Value, type: number, { reg, relation }: Kind, place: Place): number {
  if (type === oids.oid) return Number(value);
  const found =
    reg === null
      ? (rowsOf(relation, place).find(([, name]) => name === value)?.[0] ?? null)
      : findReg(reg, String(value), place);
  if (found !== null) return Number(found);
  return refused("query.unknown-table", `${JSON.stringify(String(value).slice(0, 200))} does not exist`);
}

/** Whoever asks is of their own role alone, and the owner of every role. */
const hasRole: ScalarFunction = (values, { run, types }) => {
  const [user, role] = values.length === 3 ? [0, 1] : [-1, 0];
  const asker = user < 0 ? run.session.user : roleName(values[user] ?? null, types[user] ?? 0, run);
  if (asker === ownerName) return true;
  const wanted = types[role] === oids.oid ? values[role] : null;
  if (wanted === owner) return false;
  return roleName(values[role] ?? null, types[role] ?? 0, run) === asker;
};

/** Functions that tell who may what. */
export const privilegeFunctions: ScalarFunctions = {
  ...Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [`has_${name}_privilege`, hasPrivilege(kind)]),
  ),
  has_column_privilege: hasPrivilege(table, true),
  has_foreign_data_wrapper_privilege: () => false,
  has_server_privilege: () => false,
  has_parameter_privilege: () => false,
  pg_has_role: hasRole,
  row_security_active: () => false,
};
