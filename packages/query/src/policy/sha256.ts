const roundConstants: Uint32Array = new Uint32Array(64);
const initialState: Uint32Array = new Uint32Array(8);

/** FIPS 180-4 takes the first 32 bits of the fractional parts of roots of the first primes; derived, not typed in. */
function deriveConstants(): void {
  const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32);
  let found = 0;
  for (let candidate = 2; found < 64; candidate += 1) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor += 1)
      if (candidate % divisor === 0) prime = false;
    if (!prime) continue;
    roundConstants[found] = fraction(Math.cbrt(candidate));
    if (found < 8) initialState[found] = fraction(Math.sqrt(candidate));
    found += 1;
  }
}
deriveConstants();

const rotate = (x: number, by: number): number => (x >>> by) | (x << (32 - by));

function padded(message: Uint8Array): Uint8Array {
  const length = Math.ceil((message.length + 9) / 64) * 64;
  const out = new Uint8Array(length);
  out.set(message);
  out[message.length] = 0x80;
  new DataView(out.buffer).setBigUint64(length - 8, BigInt(message.length) * 8n);
  return out;
}

/**
 * SHA-256 of a text's UTF-8 bytes, in hex. Synchronous and free of any platform, so that a policy's hash is the same
 * pure function in Node and in a browser. Source: FIPS 180-4.
 * @example sha256("abc") // => "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
 */
export function sha256(text: string): string {
  const bytes = padded(new TextEncoder().encode(text));
  const view = new DataView(bytes.buffer);
  const state = Uint32Array.from(initialState);
  const w = new Uint32Array(64);
  for (let block = 0; block < bytes.length; block += 64) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(block + 4 * i);
    for (let i = 16; i < 64; i += 1) {
      const x = w[i - 15]!;
      const y = w[i - 2]!;
      const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
      const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
      w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
    }
    let a = state[0]!;
    let b = state[1]!;
    let c = state[2]!;
    let d = state[3]!;
    let e = state[4]!;
    let f = state[5]!;
    let g = state[6]!;
    let h = state[7]!;
    for (let i = 0; i < 64; i += 1) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + roundConstants[i]! + w[i]!) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    state[0]! += a;
    state[1]! += b;
    state[2]! += c;
    state[3]! += d;
    state[4]! += e;
    state[5]! += f;
    state[6]! += g;
    state[7]! += h;
  }
  return [...state].map((word) => word.toString(16).padStart(8, "0")).join("");
}
