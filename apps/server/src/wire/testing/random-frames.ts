import { bind, describeOf, execute, frame, parse, query, sync, text } from "./raw-client.ts";

/** A generator of numbers in [0, 1) that gives the same ones for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const texts = [
  ..."SELECT 1|SELECT current_user, version()|SHOW ALL|SHOW search_path|BEGIN|COMMIT|ROLLBACK TO x|SAVEPOINT s|DISCARD ALL|RESET ALL||;;|SELECT $1".split(
    "|",
  ),
  ..."SET DateStyle = ISO|SET x.y TO 1|DECLARE c CURSOR FOR SELECT 1|FETCH 5 FROM c|CLOSE ALL|COPY (SELECT 1) TO STDOUT|COPY x FROM STDIN|SELECT COUNT(*) FROM people".split(
    "|",
  ),
  ..."SELECT * FROM pg_catalog.pg_type|SELECT 'unterminated|SELECT \"|/* open|SELECT $$x|((((((((|UNLISTEN *|EXECUTE s|SHOW TABLES|DEALLOCATE ALL|SELECT \u{1f600}".split(
    "|",
  ),
];

/** Draws what a client may send once it is signed in: messages in any order, some of them cut, changed, or none at all. */
export function randomConversation(random: () => number): readonly Uint8Array[] {
  const below = (count: number): number => Math.floor(random() * count);
  const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)] as T;
  const name = (): string => pick(["", "a", "b"]);
  const messages: readonly (() => Buffer)[] = [
    () => query(pick(texts)),
    () => {
      const prepared = name();
      return Buffer.concat([
        parse(prepared, pick(texts)),
        ...[describeOf("S", prepared), bind("", prepared), execute("", below(3)), sync],
      ]);
    },
    () => parse(name(), pick(texts), pick([[], [23], [0, 25], [-1]])),
    () =>
      bind(name(), name(), pick([[], ["1"], [null], ["x", "y"]]), {
        binary: random() < 0.5,
        given: random() < 0.3,
      }),
    () => describeOf(pick(["S", "P"]), name()),
    () => execute(name(), pick([0, 1, -1, 2 ** 31 - 1])),
    () => frame("C", Buffer.from(pick(["S", "P", "X"])), text(name())),
    () => sync,
    () => frame("H"),
    () => Buffer.from(Array.from({ length: below(40) }, () => below(256))),
    () =>
      frame(pick([..."QPBDECSHXFdcfpz"]), Buffer.from(Array.from({ length: below(20) }, () => below(256)))),
  ];
  const usual = random() < 0.6 ? messages.length - 2 : messages.length;
  return Array.from({ length: 1 + below(12) }, () => {
    const message = (messages[below(usual)] as () => Buffer)();
    const change = random();
    if (change < 0.03) return message.subarray(0, below(message.length));
    if (change < 0.08 && message.length > 0) {
      const changed = Buffer.from(message);
      changed[below(changed.length)] = below(256);
      return changed;
    }
    return message;
  });
}
