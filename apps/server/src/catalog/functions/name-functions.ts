import { findReg, type Place, placeOfColumn, rowsOf, writeReg } from "../names/reg-names.ts";
import { formatType } from "../types/format-type.ts";
import { oids } from "../types/oids.ts";
import { quoteName } from "../types/quote-name.ts";
import { ArrayValue, type Tuple, type Value } from "../types/values.ts";
import type { ScalarFunction, ScalarFunctions } from "./call.ts";

/** Whether what a relation lists under a number is found without its schema. */
function isVisible(relation: string, namespace: string): ScalarFunction {
  return ([oid], { run }) => {
    const row = rowByNumber(relation, Number(oid), run);
    if (row === null) return null;
    const schema = run.catalog.schemaName(Number(row[placeOfColumn(relation, namespace, run)]));
    return schema === "pg_catalog" || schema === "public";
  };
}

/** Returns the row of a relation of pg_catalog that has a number; null where there is none. */
export function rowByNumber(relation: string, oid: number, { catalog, session }: Place): Tuple | null {
  return catalog.relation("pg_catalog", relation)?.index(0, session).get(oid)?.[0] ?? null;
}

function described(
  objoid: Value,
  classoid: number | null,
  objsubid: number,
  { run }: Parameters<ScalarFunction>[1],
): Value {
  const relation = run.catalog.relation("pg_catalog", "pg_description");
  for (const [object, of, part, text] of relation?.index(0, run.session).get(Number(objoid)) ?? [])
    if (object !== null && (classoid === null || of === classoid) && part === objsubid) return text ?? null;
  return null;
}

const toReg =
  (type: number): ScalarFunction =>
  ([name], { run }) =>
    findReg(type, String(name), run);

/** The names of encodings, by their numbers. */
const encodings: readonly string[] = (
  "SQL_ASCII EUC_JP EUC_CN EUC_KR EUC_TW EUC_JIS_2004 UTF8 MULE_INTERNAL LATIN1 LATIN2 LATIN3 LATIN4 LATIN5 LATIN6 LATIN7 " +
  "LATIN8 LATIN9 LATIN10 WIN1256 WIN1258 WIN866 WIN874 KOI8R WIN1251 WIN1252 ISO_8859_5 ISO_8859_6 ISO_8859_7 ISO_8859_8 " +
  "WIN1250 WIN1253 WIN1254 WIN1255 WIN1257 KOI8U SJIS BIG5 GBK UHC GB18030 JOHAB SHIFT_JIS_2004"
).split(" ");

/** The arguments of a function in words. */
function argumentsOf(oid: Value, { run }: Parameters<ScalarFunction>[1], isIdentity: boolean): Value {
  const found = run.catalog.functionOf(Number(oid));
  if (!found) return null;
  const known = run.catalog.system.argumentTexts.get(found.oid);
  if (known !== undefined && !isIdentity) return known;
  return found.arguments
    .map((type, at) => {
      const name = found.names[at];
      const isMore = found.variadic !== 0 && at === found.arguments.length - 1;
      const words = [
        isMore ? "VARIADIC" : "",
        name ? quoteName(name) : "",
        writeReg(oids.regtype, type, run),
      ];
      return words.filter((word) => word !== "").join(" ");
    })
    .join(", ");
}

/** The names of a relation's columns, by their numbers. */
export function attributeNames(relation: Value, run: Place): ReadonlyMap<number, string> {
  const { catalog, session } = run;
  const [number, name] = [
    placeOfColumn("pg_attribute", "attnum", run),
    placeOfColumn("pg_attribute", "attname", run),
  ];
  const rows = catalog.relation("pg_catalog", "pg_attribute")?.index(0, session).get(Number(relation)) ?? [];
  return new Map(rows.map((row) => [Number(row[number]), String(row[name])]));
}

function namesOf(keys: Value, relation: Value, run: Place): readonly string[] {
  const names = attributeNames(relation, run);
  return keys instanceof ArrayValue ? keys.items.map((key) => quoteName(names.get(Number(key)) ?? "")) : [];
}

const constraintDefinition: ScalarFunction = ([oid, isPretty], { run }) => {
  const row = rowByNumber("pg_constraint", Number(oid), run);
  if (row === null) return null;
  const value = (name: string): Value => row[placeOfColumn("pg_constraint", name, run)] ?? null;
  const names = namesOf(value("conkey"), value("conrelid"), run).join(", ");
  switch (value("contype")) {
    case "n":
      return `NOT NULL ${names}`;
    case "p":
      return `PRIMARY KEY (${names})`;
    case "u":
      return `UNIQUE (${names})`;
    case "c":
      return run.catalog.system.checkTexts.get(Number(oid))?.[isPretty === true ? 1 : 0] ?? null;
    default:
      return null;
  }
};

const indexDefinition: ScalarFunction = ([oid, column], { run }) => {
  const row = rowByNumber("pg_index", Number(oid), run);
  if (row === null) return null;
  const value = (name: string): Value => row[placeOfColumn("pg_index", name, run)] ?? null;
  const names = namesOf(value("indkey"), value("indrelid"), run);
  if (typeof column === "number" && column > 0) return names[column - 1] ?? null;
  const own = rowByNumber("pg_class", Number(oid), run);
  const table = rowByNumber("pg_class", Number(value("indrelid")), run);
  const schema = run.catalog.schemaName(Number(table?.[2])) ?? "";
  const unique = value("indisunique") === true ? "UNIQUE " : "";
  const place = `${quoteName(schema)}.${quoteName(String(table?.[1]))}`;
  return `CREATE ${unique}INDEX ${quoteName(String(own?.[1]))} ON ${place} USING btree (${names.join(", ")})`;
};

const nothing: ScalarFunction = () => null;

/** Functions that name and describe what the catalog lists. */
export const nameFunctions: ScalarFunctions = {
  format_type: ([oid, typmod], { run }) =>
    oid === null || oid === undefined
      ? null
      : formatType(
          Number(oid),
          typmod === null ? null : Number(typmod),
          run.catalog.types,
          run.catalog.schemaName,
        ),
  pg_typeof: (_, { types }) => types[0] ?? null,
  pg_get_userbyid: ([oid], { run }) =>
    rowsOf("pg_authid", run).find(([number]) => number === oid)?.[1] ?? `unknown (OID=${oid})`,
  pg_table_is_visible: isVisible("pg_class", "relnamespace"),
  pg_type_is_visible: isVisible("pg_type", "typnamespace"),
  pg_function_is_visible: isVisible("pg_proc", "pronamespace"),
  pg_operator_is_visible: isVisible("pg_operator", "oprnamespace"),
  pg_opclass_is_visible: isVisible("pg_opclass", "opcnamespace"),
  pg_opfamily_is_visible: isVisible("pg_opfamily", "opfnamespace"),
  pg_collation_is_visible: isVisible("pg_collation", "collnamespace"),
  pg_conversion_is_visible: isVisible("pg_conversion", "connamespace"),
  pg_ts_config_is_visible: isVisible("pg_ts_config", "cfgnamespace"),
  pg_ts_dict_is_visible: isVisible("pg_ts_dict", "dictnamespace"),
  pg_ts_parser_is_visible: isVisible("pg_ts_parser", "prsnamespace"),
  pg_ts_template_is_visible: isVisible("pg_ts_template", "tmplnamespace"),
  pg_statistics_obj_is_visible: nothing,
  pg_get_expr: nothing,
  pg_get_constraintdef: constraintDefinition,
  pg_get_indexdef: indexDefinition,
  pg_get_viewdef: ([of], { run, types }) => {
    const oid = types[0] === oids.text ? findReg(oids.regclass, String(of), run) : Number(of);
    const content = oid === null ? null : run.catalog.relationOf(oid)?.content;
    return content?.kind === "view" ? content.text : null;
  },
  pg_get_ruledef: nothing,
  pg_get_triggerdef: nothing,
  pg_get_partkeydef: nothing,
  pg_get_partition_constraintdef: nothing,
  pg_get_statisticsobjdef: nothing,
  pg_get_statisticsobjdef_columns: nothing,
  pg_get_serial_sequence: nothing,
  pg_get_function_arg_default: nothing,
  pg_get_function_sqlbody: nothing,
  pg_get_function_arguments: ([oid], call) => argumentsOf(oid ?? null, call, false),
  pg_get_function_identity_arguments: ([oid], call) => argumentsOf(oid ?? null, call, true),
  pg_get_function_result: ([oid], { run }) => {
    const found = run.catalog.functionOf(Number(oid));
    if (!found || found.kind === "p") return null;
    return `${found.returnsSet ? "SETOF " : ""}${writeReg(oids.regtype, found.returns, run)}`;
  },
  pg_relation_filenode: nothing,
  pg_relation_filepath: nothing,
  pg_relation_is_updatable: () => 0,
  pg_column_is_updatable: () => false,
  pg_relation_is_publishable: ([oid], { run }) =>
    run.catalog.relationOf(Number(oid))?.content.kind === "private",
  pg_tablespace_location: () => "",
  pg_index_column_has_property: nothing,
  pg_index_has_property: nothing,
  pg_indexam_has_property: nothing,
  obj_description: ([oid, of], call) => {
    const name = of === undefined ? null : findReg(oids.regclass, `pg_catalog.${of}`, call.run);
    return of !== undefined && name === null ? null : described(oid ?? null, name, 0, call);
  },
  col_description: ([oid, column], call) =>
    described(oid ?? null, call.run.catalog.system.relation("pg_class").oid, Number(column), call),
  shobj_description: ([oid, of], { run }) => {
    const classoid = findReg(oids.regclass, `pg_catalog.${of}`, run);
    const rows =
      run.catalog.relation("pg_catalog", "pg_shdescription")?.index(0, run.session).get(Number(oid)) ?? [];
    return rows.find((row) => row[1] === classoid)?.[2] ?? null;
  },
  pg_sequence_last_value: nothing,
  to_regclass: toReg(oids.regclass),
  to_regtype: toReg(oids.regtype),
  to_regproc: toReg(oids.regproc),
  to_regprocedure: toReg(oids.regprocedure),
  to_regnamespace: toReg(oids.regnamespace),
  to_regrole: toReg(oids.regrole),
  to_regcollation: toReg(oids.regcollation),
  pg_encoding_to_char: ([encoding]) => encodings[Number(encoding)] ?? "",
  pg_char_to_encoding: ([name]) => encodings.indexOf(String(name).toUpperCase().replaceAll("-", "")),
  pg_encoding_max_length: ([encoding]) => (Number(encoding) === 6 ? 4 : 1),
};
