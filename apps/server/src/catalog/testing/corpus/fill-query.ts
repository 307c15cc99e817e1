import type { CorpusQuery } from "./read-corpus.ts";

/** The objects that a statement of a tool is about, where it names some: those of one side, as oids differ. */
export interface Subject {
  readonly table: string;
  readonly second: string;
  readonly schema: string;
  readonly oid: string;
  readonly secondOid: string;
  readonly rowType: string;
  readonly secondRowType: string;
}

/** A statement as a tool sends it. */
export interface FilledQuery {
  readonly text: string;
  readonly parameters: readonly (string | null)[];
}

/** Puts names and oids where a statement has places for them; within a text of SQL they are parts of literals. */
export function fillQuery({ text, parameters }: CorpusQuery, subject: Subject): FilledQuery {
  return {
    text: filled(text, subject, (value) => value.replaceAll("'", "''")),
    parameters: parameters.map((parameter) => parameter && filled(parameter, subject, (value) => value)),
  };
}

function filled(text: string, subject: Subject, escaped: (value: string) => string): string {
  const values: Readonly<Record<string, string>> = {
    table: subject.table,
    pattern: subject.table.replace(/[[\](){}.*+?|\\^$]/g, "\\$&"),
    "quoted table": /^[a-z_][a-z0-9_]*$/.test(subject.table)
      ? subject.table
      : `"${subject.table.replaceAll('"', '""')}"`,
    second: subject.second,
    "second pattern": subject.second.replace(/[[\](){}.*+?|\\^$]/g, "\\$&"),
    schema: subject.schema,
    oid: subject.oid,
    "second oid": subject.secondOid,
    "row type": subject.rowType,
    "second row type": subject.secondRowType,
  };
  return text.replace(/\{\{([^}]+)\}\}/g, (place, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`a statement has no such place: ${place}`);
    return escaped(value);
  });
}
