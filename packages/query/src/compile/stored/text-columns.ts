import { type NamedColumn, named } from "../../sql/query.ts";

/** The columns of an inner SELECT, each text once. */
export class TextColumns {
  readonly #texts: string[] = [];
  readonly #table: string;
  readonly #prefix: string;

  constructor(table: string, prefix: string) {
    this.#table = table;
    this.#prefix = prefix;
  }

  /** The name by which whatever stands around the SELECT finds the text. */
  add(text: string): string {
    let at = this.#texts.indexOf(text);
    if (at < 0) at = this.#texts.push(text) - 1;
    return `${this.#table}.${this.#prefix}${at}`;
  }

  list(): readonly NamedColumn[] {
    return this.#texts.map((text, at) => named(text, `${this.#prefix}${at}`));
  }
}
