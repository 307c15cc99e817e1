import { LetheError } from "@lethe/core";
import { catalogParameter } from "./answers/catalog-parameter.ts";
import { decodeParameter, parameterOids } from "./answers/decode-parameter.ts";
import { describedAs, tagOf } from "./answers/send-rows.ts";
import type { WireColumn } from "./answers/wire-answer.ts";
import type { WireCell } from "./answers/wire-type.ts";
import type { ClientMessage, Format } from "./frames/client-message.ts";
import { protocolError } from "./frames/protocol-error.ts";
import { serverMessage } from "./frames/server-message.ts";
import type { AskedValue, QuestionForm } from "./session/asking.ts";
import { asksOfCatalog } from "./session/catalog-asking.ts";
import { notUnderstood } from "./session/not-understood.ts";
import { type Outcome, requireOpenBlock } from "./session/run-statement.ts";
import type { Statement } from "./session/statement.ts";
import { statementsOf } from "./session/words.ts";
import type { WireHost } from "./wire-host.ts";

/** A statement that was parsed. */
interface Parsed {
  readonly text: string;
  /** Null of a text without a statement. */
  readonly statement: Statement | null;
  /** The types of parameters that the client states; 0 for one that it leaves open. */
  readonly types: readonly number[];
  /** What it takes of the room for what a connection holds, in characters. */
  readonly size: number;
}

/** A statement with its values, and what is left of its answer. */
interface Portal {
  readonly parsed: Parsed;
  readonly values: readonly AskedValue[];
  readonly formats: readonly Format[];
  /** What it takes of the room for what a connection holds, in characters. */
  readonly size: number;
  rest: Rest | null;
}

interface Rest {
  readonly rows: Iterator<readonly WireCell[]>;
  readonly columns: readonly WireColumn[];
  readonly word: string;
}

/** What a connection may hold at a time. */
const mostParsed = 300;
/** The characters of all statements, and again of all portals: names, texts, values, and a word for each type. */
const mostCharacters = 2_000_000;
const wordSize = 8;
const mostPortals = 50;

/** The extended protocol of a connection: statements that are parsed, bound, described and executed one by one. What is refused is told once, and all is passed over until Sync. */
export class Extended {
  readonly #connection: WireHost;
  readonly #parsed = new Map<string, Parsed>();
  readonly #portals = new Map<string, Portal>();
  #isSkipping = false;

  constructor(connection: WireHost) {
    this.#connection = connection;
  }

  /** Whether an error was told and Sync has not come. */
  get isSkipping(): boolean {
    return this.#isSkipping;
  }

  forget(name: string | null): void {
    if (name === null) this.#parsed.clear();
    else this.#parsed.delete(name);
  }

  /** A block, or what stands for one, has ended: its portals end with it. */
  endBlock(): void {
    this.#portals.clear();
  }

  async answer(message: Exclude<ClientMessage, { kind: "query" }>): Promise<void> {
    if (message.kind === "sync") return this.#sync();
    if (this.#isSkipping) return;
    try {
      await this.#act(message);
    } catch (error) {
      this.#isSkipping = true;
      await this.#connection.refuse(error, this.#placeOf(message));
    }
  }

  #act(message: Exclude<ClientMessage, { kind: "query" }>): Promise<void> {
    switch (message.kind) {
      case "parse":
        return this.#parse(message);
      case "bind":
        return this.#bind(message);
      case "describe":
        return message.target.of === "statement"
          ? this.#describeParsed(this.#named(message.target.name))
          : this.#describePortal(this.#portal(message.target.name));
      case "execute":
        return this.#execute(this.#portal(message.portal), message.most);
      case "close": {
        const { of, name } = message.target;
        const { cursors } = this.#connection.session;
        if (of === "portal" && !this.#portals.has(name) && cursors.has(name)) cursors.close(name);
        (of === "statement" ? this.#parsed : this.#portals).delete(name);
        return this.#connection.send(serverMessage.closed());
      }
      case "call":
        throw new LetheError("query.unsupported", "functions are not called by number here", {
          fix: "ask one SELECT",
        });
      case "copy":
        throw protocolError("nothing is copied in");
      // What is written is never held back, so that there is nothing to flush.
      case "flush":
      case "sync":
      case "terminate":
        return Promise.resolve();
    }
  }

  async #sync(): Promise<void> {
    this.#isSkipping = false;
    await this.#connection.ready();
  }

  async #parse({ name, text, types }: Extract<ClientMessage, { kind: "parse" }>): Promise<void> {
    await this.#connection.letRead(text);
    const statements = statementsOf(text);
    if (statements.length > 1) throw notUnderstood();
    const [words] = statements;
    const statement = words ? await this.#connection.readOne(text, words) : null;
    requireOpenBlock(statement, this.#connection.session);
    if (name === "") this.#parsed.delete(name);
    if (this.#parsed.has(name))
      throw new LetheError("query.option", "a prepared statement has this name already", {
        fix: "close it first, or choose another name",
      });
    const size = name.length + text.length + wordSize * types.length;
    if (this.#parsed.size >= mostParsed || sizeOf(this.#parsed) + size > mostCharacters)
      throw new LetheError("query.too-large", "the connection holds as many prepared statements as it may", {
        fix: "close those that are no longer used: DEALLOCATE ALL",
      });
    this.#parsed.set(name, { text, statement, types, size });
    await this.#connection.send(serverMessage.parsed());
  }

  async #bind({
    portal,
    statement: name,
    formats,
    values,
    results,
  }: Extract<ClientMessage, { kind: "bind" }>): Promise<void> {
    const parsed = this.#named(name);
    requireOpenBlock(parsed.statement, this.#connection.session);
    const isOpen = values.some((value, at) => value !== null && isUndecided(parsed.types[at]));
    const form = isOpen || mayBeOfCatalog(parsed) ? await this.#formOf(parsed) : null;
    const read = values.map((value, at) => {
      const format = (formats.length === 1 ? formats[0] : formats[at]) ?? "text";
      const name = `$${at + 1}`;
      if (form?.catalog) return catalogParameter(name, value, format, at, form.catalog);
      return decodeParameter(name, value, format, parsed.types[at] ?? 0, form?.parameters[at] ?? null);
    });
    if (portal === "") this.#portals.delete(portal);
    const size = values.reduce(
      (sum, value) => sum + wordSize + (value?.length ?? 0),
      portal.length + wordSize * results.length,
    );
    if (sizeOf(this.#portals) + size > mostCharacters)
      throw new LetheError("query.too-large", "the connection holds as many values of portals as it may", {
        fix: "close the portals that are no longer used, or end the block",
      });
    if (this.#portals.has(portal) || this.#portals.size >= mostPortals)
      throw new LetheError("query.option", "the portal cannot be opened", {
        fix: `close it first; a connection has at most ${mostPortals}`,
      });
    this.#portals.set(portal, { parsed, values: read, formats: results, size, rest: null });
    await this.#connection.send(serverMessage.bound());
  }

  async #describeParsed(parsed: Parsed): Promise<void> {
    requireOpenBlock(parsed.statement, this.#connection.session);
    const form = await this.#formOf(parsed);
    const known = form?.catalog?.prepared.parameters;
    const count = Math.max(parsed.types.length, known?.length ?? form?.parameters.length ?? 0);
    const oids = Array.from({ length: count }, (_, at) => {
      const stated = parsed.types[at];
      if (known?.[at] !== undefined) return known[at];
      return isUndecided(stated) ? parameterOids[form?.parameters[at] ?? "text"] : stated;
    });
    const columns = this.#columnsOf(parsed, form);
    await this.#connection.send(
      serverMessage.parameters(oids),
      columns === null ? serverMessage.noColumns() : serverMessage.columns(describedAs(columns, [])),
    );
  }

  async #describePortal({ parsed, formats }: Portal): Promise<void> {
    requireOpenBlock(parsed.statement, this.#connection.session);
    const columns = this.#columnsOf(parsed, await this.#formOf(parsed));
    await this.#connection.send(
      columns === null ? serverMessage.noColumns() : serverMessage.columns(describedAs(columns, formats)),
    );
  }

  async #execute(portal: Portal, most: number): Promise<void> {
    const { parsed, values, formats } = portal;
    const connection = this.#connection;
    if (parsed.statement === null) return connection.send(serverMessage.empty());
    if (portal.rest === null) {
      const outcome = await connection.runOne(parsed.statement, values, parsed.types);
      await connection.send(...connection.notices(outcome.notices));
      const isTold = await this.#tellWhole(outcome);
      if (isTold) return;
      const { answer, word } = outcome as Extract<Outcome, { kind: "rows" }>;
      portal.rest = { rows: answer.rows()[Symbol.iterator](), columns: answer.columns, word };
    } else await connection.letIn();
    const { rows, columns, word } = portal.rest;
    const count = await connection.sendRows({ rows, columns, formats, most });
    await connection.send(
      most > 0 && count === most ? serverMessage.suspended() : serverMessage.complete(tagOf(word, count)),
    );
  }

  /** Tells of an outcome that has no rows for a portal; false where it has. */
  async #tellWhole(outcome: Outcome): Promise<boolean> {
    const connection = this.#connection;
    if (outcome.kind === "copy") await connection.sendCopy(outcome);
    else if (outcome.kind === "done") await connection.send(serverMessage.complete(outcome.tag));
    else return false;
    return true;
  }

  /** The form of the question within a statement; null where there is none. */
  async #formOf({ statement, types }: Parsed): Promise<QuestionForm | null> {
    if (statement === null || !("text" in statement)) return null;
    const { text } = statement;
    return this.#connection.watched("tables.describe", () => this.#connection.asking.form(text, types));
  }

  #columnsOf({ statement }: Parsed, form: QuestionForm | null): readonly WireColumn[] | null {
    switch (statement?.kind) {
      case "question":
        return form?.columns ?? null;
      case "shown":
        return statement.columns;
      case "fetch":
        return statement.moves ? null : this.#connection.session.cursors.named(statement.cursor).columns;
      default:
        return null;
    }
  }

  #placeOf(message: ClientMessage): { readonly text: string; readonly offset: number } | null {
    const parsed = this.#parsedOf(message);
    if (!parsed) return null;
    const { text, statement } = parsed;
    return { text, offset: statement && "text" in statement ? statement.offset : 0 };
  }

  #parsedOf(message: ClientMessage): Pick<Parsed, "text" | "statement"> | undefined {
    switch (message.kind) {
      case "parse":
        return { text: message.text, statement: null };
      case "bind":
        return this.#parsed.get(message.statement);
      case "describe":
        return message.target.of === "statement"
          ? this.#parsed.get(message.target.name)
          : this.#portals.get(message.target.name)?.parsed;
      case "execute":
        return this.#portals.get(message.portal)?.parsed;
      default:
        return undefined;
    }
  }

  #named(name: string): Parsed {
    const parsed = this.#parsed.get(name);
    if (parsed) return parsed;
    throw new LetheError("query.option", "there is no prepared statement of this name", {
      fix: "parse it first, on this connection",
    });
  }

  /** A cursor is a portal too, of all that is left of it: psycopg describes the one that it declared. */
  #ofCursor(cursor: string): Portal | null {
    if (!this.#connection.session.cursors.has(cursor)) return null;
    const statement = { kind: "fetch", cursor, most: null, moves: false } as const;
    const parsed = { text: "", statement, types: [], size: 0 };
    return { parsed, values: [], formats: [], size: 0, rest: null };
  }

  #portal(name: string): Portal {
    const portal = this.#portals.get(name) ?? this.#ofCursor(name);
    if (portal) return portal;
    throw new LetheError("query.option", "there is no portal of this name", {
      fix: "bind it first, in this block",
    });
  }
}

function sizeOf(held: ReadonlyMap<string, { readonly size: number }>): number {
  return [...held.values()].reduce((sum, { size }) => sum + size, 0);
}

/** Whether the types of its parameters may be those of a query of the catalog. */
function mayBeOfCatalog({ statement }: Parsed): boolean {
  return statement !== null && "text" in statement && asksOfCatalog(statement.text);
}

function isUndecided(type: number | undefined): type is 0 | 705 | undefined {
  return type === undefined || type === 0 || type === 705;
}
