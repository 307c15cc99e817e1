import { intAt } from "../numeric/elements/element-at.ts";

const utf8 = new TextEncoder();

/** The first 32 bits of the fractional parts of a root of each of the first primes (FIPS 180-4, Sec. 4.2.2 and 5.3.3). */
function fractionsOfRoots(count: number, root: (prime: number) => number): Int32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);
  return Int32Array.from(primes, (p) => Math.floor((root(p) % 1) * 2 ** 32));
}

const roundConstants = fractionsOfRoots(64, Math.cbrt);
const startState = fractionsOfRoots(8, Math.sqrt);

/** The message, a one bit, zeros, and its length in bits, in whole blocks of 64 bytes. */
function padded(message: Uint8Array): DataView {
  const blocks = Math.ceil((message.length + 9) / 64);
  const bytes = new Uint8Array(blocks * 64);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setBigUint64(bytes.length - 8, BigInt(message.length) * 8n);
  return view;
}

const turned = (x: number, by: number): number => (x >>> by) | (x << (32 - by));

/** Mixes one block into the state (FIPS 180-4, Sec. 6.2.2); `w` is room for the message schedule. */
function mixBlock(state: Int32Array, view: DataView, from: number, w: Int32Array): void {
  for (let t = 0; t < 16; t++) w[t] = view.getInt32(from + 4 * t);
  for (let t = 16; t < 64; t++) {
    const [x, y] = [intAt(w, t - 15), intAt(w, t - 2)];
    const early = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const late = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    w[t] = intAt(w, t - 16) + early + intAt(w, t - 7) + late;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let t = 0; t < 64; t++) {
    const chosen = (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g));
    const one = (h + chosen + intAt(roundConstants, t) + intAt(w, t)) | 0;
    const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = intAt(state, at) + word;
}

/**
 * Hex SHA-256 of a text's UTF-8 bytes, without a platform's own: it is not asynchronous, and the same in a browser.
 * Source: FIPS 180-4.
 * @example sha256("abc") // => "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
 */
export function sha256(text: string): string {
  const view = padded(utf8.encode(text));
  const state = startState.slice();
  const schedule = new Int32Array(64);
  for (let from = 0; from < view.byteLength; from += 64) mixBlock(state, view, from, schedule);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
