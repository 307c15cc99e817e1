import type { Policy } from "../../policy/policy.ts";
import type { ColumnDescription, ColumnType } from "../column-description.ts";
import type { TableDescription } from "../table-description.ts";
import type { CatalogAnswer, CatalogAnswerColumn, CatalogCell } from "./catalog-answer.ts";

/** The database's name, of which the standard wants one. */
const catalog = "lethe";

/** The names of types by the SQL standard. */
const standardTypes: Readonly<Record<ColumnType, string>> = {
  number: "double precision",
  integer: "bigint",
  text: "text",
  boolean: "boolean",
  date: "date",
  timestamp: "timestamp without time zone",
};

const text = (name: string): CatalogAnswerColumn => ({ name, type: "text" });
const integer = (name: string): CatalogAnswerColumn => ({ name, type: "integer" });
const place = [text("table_catalog"), text("table_schema"), text("table_name")];

/**
 * Returns the relations of information_schema, by name, as a policy fills them. The columns of the SQL standard come first, then what only a policy
 * says.
 */
export function informationSchema(
  tables: readonly TableDescription[],
  policy: Policy,
): ReadonlyMap<string, CatalogAnswer> {
  const schemas = [...new Set(tables.map(({ schema }) => schema))];
  const placed = ({ schema, name }: TableDescription): CatalogCell[] => [catalog, schema, name];
  return new Map([
    [
      "tables",
      {
        columns: [...place, text("table_type"), text("privacy_unit"), integer("expected_rows")],
        rows: tables.map((table) => [
          ...placed(table),
          table.isView ? "VIEW" : "BASE TABLE",
          table.unit,
          table.expectedRows,
        ]),
      },
    ],
    [
      "columns",
      {
        columns: [
          ...place,
          text("column_name"),
          integer("ordinal_position"),
          text("column_default"),
          text("is_nullable"),
          text("data_type"),
          integer("character_maximum_length"),
          text("lower_bound"),
          text("upper_bound"),
          text("categories"),
          { name: "is_privacy_unit", type: "boolean" },
        ],
        rows: tables.flatMap((table) =>
          table.columns.map((column, at) => [...placed(table), ...columnCells(column, at)]),
        ),
      },
    ],
    [
      "views",
      {
        columns: [...place, text("view_definition")],
        rows: tables
          .filter(({ isView }) => isView)
          .map((table) => [...placed(table), policy.views[table.name] ?? null]),
      },
    ],
    [
      "schemata",
      {
        columns: [text("catalog_name"), text("schema_name")],
        rows: schemas.map((schema) => [catalog, schema]),
      },
    ],
  ]);
}

function columnCells(column: ColumnDescription, at: number): readonly CatalogCell[] {
  const { name, nullable, type, maxLength, bounds, categories, role } = column;
  const [lower, upper] = bounds?.map(String) ?? [];
  return [
    name,
    at + 1,
    null,
    nullable ? "YES" : "NO",
    standardTypes[type],
    maxLength,
    lower ?? null,
    upper ?? null,
    categories && JSON.stringify(categories),
    role === "unit",
  ];
}
