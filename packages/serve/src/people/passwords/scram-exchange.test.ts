import { randomBytes } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { type ScramWords, scramProof } from "../../testing/scram-client.ts";
import { beginScram, type ScramOpening } from "./scram-exchange.ts";
import { leastIterations, makeVerifier, type ScramVerifier } from "./scram-verifier.ts";

let verifier: ScramVerifier;
beforeAll(async () => {
  verifier = await makeVerifier("pencil", leastIterations, randomBytes);
});

const binding = new Uint8Array(32).fill(7);

/** A client's own words: see {@link scramProof}. */
const proved = (words: ScramWords, password = "pencil"): ReturnType<typeof scramProof> =>
  scramProof(words, password);

const plain = { mechanism: "SCRAM-SHA-256", binding: null } as const;
const plus = { mechanism: "SCRAM-SHA-256-PLUS", binding } as const;

test.each([
  ["without a bound channel", plain, "n,,", Buffer.from("n,,")],
  ["by a client that would bind it where it could", plain, "y,,", Buffer.from("y,,")],
  ["over TLS, by a client that cannot bind it", { ...plain, binding }, "n,,", Buffer.from("n,,")],
  [
    "with a bound channel",
    plus,
    "p=tls-server-end-point,,",
    Buffer.concat([Buffer.from("p=tls-server-end-point,,"), binding]),
  ],
] as const)("a proof holds %s", (_, said, flag, channel) => {
  const first = `${flag}n=,r=abc`;
  const exchange = beginScram({ ...said, clientFirst: first }, verifier, "xyz");
  const { serverFirst } = exchange;
  const { final, server } = proved({ first, serverFirst, channel });
  expect(exchange.finish(final)).toBe(server);
  expect(exchange.finish(proved({ first, serverFirst, channel }, "pencils").final)).toBeNull();
});

test("a proof over another certificate, another flag or another nonce does not hold", () => {
  const first = "p=tls-server-end-point,,n=,r=abc";
  const exchange = beginScram({ ...plus, clientFirst: first }, verifier, "xyz");
  const { serverFirst } = exchange;
  const head = Buffer.from("p=tls-server-end-point,,");
  for (const channel of [Buffer.concat([head, Buffer.alloc(32)]), head, Buffer.from("n,,")])
    expect(exchange.finish(proved({ first, serverFirst, channel }).final)).toBeNull();
  const other = serverFirst.replace("r=abcxyz", "r=abcxyy");
  expect(
    exchange.finish(proved({ first, serverFirst: other, channel: Buffer.concat([head, binding]) }).final),
  ).toBeNull();
});

test.each([
  ["a client that was told that the channel cannot be bound", { ...plain, binding }, "y,,n=,r=abc"],
  ["-PLUS without a bound channel", plus, "n,,n=,r=abc"],
  ["a bound channel without -PLUS", { ...plain, binding }, "p=tls-server-end-point,,n=,r=abc"],
  ["a channel that is bound otherwise", plus, "p=tls-unique,,n=,r=abc"],
  ["a bound channel where there is none", { ...plus, binding: null }, "p=tls-server-end-point,,n=,r=abc"],
  ["another's name to act as", plain, "n,a=bob,n=,r=abc"],
  ["an extension", plain, "n,,m=x,n=,r=abc"],
  ["no nonce", plain, "n,,n=,r="],
  ["a nonce without end", plain, `n,,n=,r=${"a".repeat(300)}`],
] as [string, Omit<ScramOpening, "clientFirst">, string][])("%s is refused", (_, said, clientFirst) => {
  expect(() => beginScram({ ...said, clientFirst }, verifier, "xyz")).toThrow(
    expect.objectContaining({ code: "serve.protocol" }),
  );
});

test.each(["", "c=biws,r=abcxyz", "c=biws,r=abcxyz,p=AAAA", "p=x,c=biws"])(
  "last words that are none are refused: %s",
  (final) => {
    const { finish } = beginScram({ ...plain, clientFirst: "n,,n=,r=abc" }, verifier, "xyz");
    expect(() => finish(final)).toThrow(expect.objectContaining({ code: "serve.protocol" }));
  },
);
