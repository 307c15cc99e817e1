import { expect, test } from "vitest";
import { keptHead } from "./kept-head.ts";

const hash = "0a".repeat(32);

test("a head is read as the command line prints it, with its word or without, and nothing else is one", () => {
  for (const text of [`17:${hash}`, `head 17:${hash}`, ` 17:${hash}\n`])
    expect(keptHead(text)).toEqual({ sequence: 17, hash });
  for (const text of [
    "",
    "17",
    hash,
    `-1:${hash}`,
    `17:${hash}0`,
    `17:${hash.toUpperCase()}`,
    `a 17:${hash}`,
  ])
    expect(keptHead(text)).toBeNull();
});
