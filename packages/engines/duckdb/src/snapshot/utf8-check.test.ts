import { expect, it } from "vitest";
import { Utf8Check } from "./utf8-check.ts";

/** Every byte at which a rule of RFC 3629 begins or ends. */
const edges = [
  ...[0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf],
  ...[0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff],
];
const leads = edges.filter((byte) => byte >= 0xef);

function accepted(bytes: readonly number[]): boolean {
  const check = new Utf8Check();
  return bytes.every((byte) => check.accepts(byte)) && check.isWhole;
}

const decoder = new TextDecoder("utf-8", { fatal: true });
function decodes(bytes: readonly number[]): boolean {
  try {
    decoder.decode(Uint8Array.from(bytes));
    return true;
  } catch {
    return false;
  }
}

it("accepts the bytes that a decoder of UTF-8 accepts, and no others", () => {
  const differing: (readonly number[])[] = [];
  const compare = (...bytes: readonly number[]): void => {
    if (accepted(bytes) !== decodes(bytes)) differing.push(bytes);
  };
  for (const a of edges) {
    compare(a);
    for (const b of edges) {
      compare(a, b);
      for (const c of edges) compare(a, b, c);
    }
  }
  for (const a of leads)
    for (const b of edges)
      for (const c of [0x7f, 0x80, 0xbf, 0xc0]) for (const d of [0x7f, 0x80, 0xbf, 0xc0]) compare(a, b, c, d);
  expect(differing).toEqual([]);
});

it("begins anew behind each character, whatever stood before it", () => {
  const characters = [
    "a",
    "ü",
    "\u0800",
    "\ud7ff",
    "\ue000",
    "\u{10000}",
    "\u{10ffff}",
    "\u{fffff}",
    "\u00ff",
  ];
  for (const first of characters)
    for (const second of characters) expect(accepted([...Buffer.from(first + second)])).toBe(true);
  // A surrogate behind a character whose second byte may be as high.
  expect(accepted([...Buffer.from("\ue000"), 0xed, 0xa0, 0x80])).toBe(false);
  expect(accepted([0xed, 0x9f, 0xbf, 0xed, 0xa0, 0x80])).toBe(false);
});

it("is between two characters only where none has begun", () => {
  const check = new Utf8Check();
  const whole = [0x41, 0xf0, 0x9f, 0x98, 0x80].map((byte) => [check.accepts(byte), check.isWhole]);
  expect([new Utf8Check().isWhole, ...whole.map(([, now]) => now)]).toEqual([
    true,
    true,
    false,
    false,
    false,
    true,
  ]);
});
