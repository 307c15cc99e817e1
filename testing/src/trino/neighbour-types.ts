/** A type of Trino for each of DuckDB's types; its texts have one order. */
export const neighbourTypes: Readonly<Record<string, string>> = {
  DOUBLE: "double",
  FLOAT: "real",
  "DECIMAL(38, 3)": "decimal(38,3)",
  HUGEINT: "decimal(38,0)",
  INTEGER: "integer",
  VARCHAR: "varchar",
  "VARCHAR COLLATE NOCASE": "char(400)",
  "VARCHAR COLLATE NOACCENT": "varchar(400)",
  BOOLEAN: "boolean",
  DATE: "date",
  TIMESTAMP: "timestamp(6)",
  TIMESTAMPTZ: "timestamp(6) with time zone",
};
