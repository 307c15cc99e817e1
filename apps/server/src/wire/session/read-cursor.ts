import { demand, notUnderstood } from "./not-understood.ts";
import type { Statement } from "./statement.ts";
import { type Word, Words } from "./words.ts";

/** Reads DECLARE name [ASENSITIVE | INSENSITIVE] [[NO] SCROLL] CURSOR [WITH | WITHOUT HOLD] FOR question. Errors: query.syntax, also for BINARY and SCROLL. */
export function readDeclare(text: string, given: readonly Word[]): Statement {
  const words = new Words(given);
  words.skip();
  const cursor = demand(words.name());
  words.take("asensitive", "insensitive");
  words.takeAll("no", "scroll");
  demand(words.take("cursor"));
  const isHeld = words.takeAll("with", "hold");
  if (!isHeld) words.takeAll("without", "hold");
  demand(words.take("for"));
  const from = demand(words.next).start;
  return { kind: "declare", cursor, isHeld, text: text.slice(from, given.at(-1)?.end), offset: from };
}

/** Reads FETCH and MOVE [NEXT | FORWARD] [n | ALL] [FROM | IN] name. Errors: query.syntax, also for any way but forward. */
export function readFetch(given: readonly Word[]): Statement {
  const words = new Words(given);
  const moves = words.take("move") !== null;
  if (!moves) words.skip();
  const isNext = words.take("next") !== null;
  if (!isNext) words.take("forward");
  const number = isNext ? null : words.number();
  const isAll = number === null && !isNext && words.take("all") !== null;
  if (number !== null && !/^\d{1,9}$/.test(number)) throw notUnderstood();
  words.take("from", "in");
  const cursor = demand(words.name());
  if (!words.isAtEnd) throw notUnderstood();
  return { kind: "fetch", cursor, moves, most: isAll ? null : Number(number ?? 1) };
}
