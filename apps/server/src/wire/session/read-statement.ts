import { LetheError } from "@lethe/core";
import { demand, notUnderstood } from "./not-understood.ts";
import { readCopy } from "./read-copy.ts";
import { readDeclare, readFetch } from "./read-cursor.ts";
import { Settings } from "./settings.ts";
import type { Statement } from "./statement.ts";
import { type Word, Words } from "./words.ts";

const tables: ReadonlySet<string> = new Set(["tables", "views", "columns"]);

/**
 * Reads one statement of a text: what a connection does by itself, and else a question for the service, which refuses what is none.
 * Errors: query.syntax, query.option, query.unsupported.
 */
export function readStatement(text: string, words: readonly Word[]): Statement {
  const reader = new Words(words);
  const [first, second, third] = words;
  switch (first?.kind === "word" ? first.text : "") {
    case "begin":
      return beginsBlock("BEGIN");
    case "start":
      if (second?.text === "transaction") return beginsBlock("START TRANSACTION");
      break;
    case "commit":
    case "end":
      return endsBlock(({ transaction }) => transaction.commit());
    case "abort":
      return endsBlock(rolledBack);
    case "rollback":
      return readRollback(reader);
    case "savepoint":
      return readSavepoint(reader, "SAVEPOINT");
    case "release":
      return readSavepoint(reader, "RELEASE");
    case "set":
      return readSet(text, reader);
    case "show":
      if (tables.has(second?.text ?? "") || (second?.text === "all" && tables.has(third?.text ?? ""))) break;
      return readShow(reader);
    case "reset":
      reader.skip();
      return reset(reader.take("all") === null ? settingName(reader) : null);
    case "discard":
      return readDiscard(second?.text ?? "");
    case "deallocate":
      reader.skip();
      reader.take("prepare");
      return forgets(reader.take("all") === null ? demand(reader.name()) : null);
    case "unlisten":
      return changes(() => "UNLISTEN");
    case "declare":
      return readDeclare(text, words);
    case "fetch":
    case "move":
      return readFetch(words);
    case "close":
      reader.skip();
      return closes(reader.take("all") === null ? demand(reader.name()) : null);
    case "copy":
      return readCopy(text, words);
  }
  return question(text, words);
}

/** The words as a question: of the service, or of the catalog. */
function question(text: string, words: readonly Word[]): Statement {
  const [first, last] = [words[0], words.at(-1)];
  const offset = first?.start ?? 0;
  return { kind: "question", text: text.slice(offset, last?.end), offset };
}

type SessionRun = Extract<Statement, { kind: "session" }>["run"];

function changes(run: SessionRun): Statement {
  return { kind: "session", endsBlock: false, run };
}

function beginsBlock(tag: string): Statement {
  return changes(({ transaction }) => {
    transaction.begin();
    return tag;
  });
}

function endsBlock(run: SessionRun): Statement {
  return {
    kind: "session",
    endsBlock: true,
    run: (session) => {
      const tag = run(session);
      session.cursors.endBlock();
      session.settings.endBlock();
      return tag;
    },
  };
}

const rolledBack: SessionRun = ({ transaction }) => {
  transaction.rollback();
  return "ROLLBACK";
};

function readRollback(words: Words): Statement {
  words.skip();
  words.take("work", "transaction");
  if (words.take("to") === null) return endsBlock(rolledBack);
  words.take("savepoint");
  const name = demand(words.name());
  return {
    kind: "session",
    endsBlock: true,
    run: ({ transaction }) => {
      transaction.rollbackTo(name);
      return "ROLLBACK";
    },
  };
}

function readSavepoint(words: Words, tag: "SAVEPOINT" | "RELEASE"): Statement {
  words.skip();
  words.take("savepoint");
  const name = demand(words.name());
  return changes(({ transaction }) => {
    if (tag === "SAVEPOINT") transaction.save(name);
    else transaction.release(name);
    return tag;
  });
}

/** SET [SESSION | LOCAL] name { = | TO } value [, …]; LOCAL holds until the block, or else the message, ends. SET TRANSACTION and SET SESSION CHARACTERISTICS change nothing, since all that is done here is reading. */
function readSet(text: string, words: Words): Statement {
  words.skip();
  if (words.take("transaction") !== null || words.takeAll("session", "characteristics"))
    return changes(() => "SET");
  const isOfBlock = words.take("session", "local") === "local";
  const sets = (name: string, value: string): Statement =>
    changes(({ settings }) => {
      settings.set(name, value, isOfBlock);
      return "SET";
    });
  if (words.takeAll("time", "zone")) return sets("timezone", restOf(text, words));
  if (words.take("names") !== null) return sets("client_encoding", restOf(text, words));
  const name = settingName(words);
  if (words.take("=", "to") === null) throw notUnderstood();
  if (words.take("default") !== null) return reset(name);
  return sets(name, restOf(text, words));
}

function reset(name: string | null): Statement {
  return changes(({ settings }) => {
    settings.reset(name);
    return "RESET";
  });
}

/** A value, or a list of these, with its quotes taken off. */
function restOf(text: string, words: Words): string {
  const values: string[] = [];
  while (!words.isAtEnd) {
    const { next } = words;
    const value = words.text() ?? words.number();
    if (value !== null) values.push(value);
    else if (words.take(",") === null && next) {
      values.push(text.slice(next.start, next.end));
      words.skip();
    }
  }
  return values.join(", ");
}

function readShow(words: Words): Statement {
  words.skip();
  if (words.take("all") !== null)
    return {
      kind: "shown",
      word: "SHOW",
      columns: ["name", "setting", "description"].map((name) => ({ name, type: "text" })),
      rows: ({ settings }) => Settings.names.map((name) => [name, settings.value(name), ""]),
    };
  const name = words.takeAll("time", "zone")
    ? "timezone"
    : words.takeAll("transaction", "isolation", "level")
      ? "transaction_isolation"
      : settingName(words);
  return {
    kind: "shown",
    word: "SHOW",
    columns: [{ name, type: "text" }],
    rows: ({ settings }) => {
      const value = settings.value(name);
      if (value !== null) return [[value]];
      throw new LetheError("query.option", "there is no such setting here", {
        fix: "write SHOW ALL, or SHOW TABLES",
      });
    },
  };
}

/** A name, or two with a point between. */
function settingName(words: Words): string {
  const name = demand(words.name());
  return words.take(".") === null ? name : `${name}.${demand(words.name())}`;
}

function readDiscard(what: string): Statement {
  return changes((session) => {
    if (what === "all" || what === "plans") session.forget(null);
    if (what === "all") {
      session.cursors.close(null);
      session.settings.reset(null);
    }
    return `DISCARD ${what.toUpperCase()}`;
  });
}

function forgets(name: string | null): Statement {
  return changes((session) => {
    session.forget(name);
    return name === null ? "DEALLOCATE ALL" : "DEALLOCATE";
  });
}

function closes(name: string | null): Statement {
  return changes(({ cursors }) => {
    cursors.close(name);
    return name === null ? "CLOSE CURSOR ALL" : "CLOSE CURSOR";
  });
}
