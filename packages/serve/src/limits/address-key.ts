/** Reads four decimal groups; null for anything else. */
function ipv4(text: string): string | null {
  const groups = text.split(".");
  if (groups.length !== 4 || !groups.every((group) => /^\d{1,3}$/.test(group) && Number(group) <= 255))
    return null;
  return groups.map(Number).join(".");
}

/** Reads the eight groups of an address of version 6 without a dotted end; null for anything else. */
function ipv6(text: string): number[] | null {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const [head, tail] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const given = [...(head ?? []), ...(tail ?? [])];
  const missing = 8 - given.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  if (!given.every((group) => /^[0-9a-f]{1,4}$/.test(group))) return null;
  const numbers = (groups: readonly string[]): number[] => groups.map((group) => Number.parseInt(group, 16));
  return [...numbers(head ?? []), ...new Array<number>(missing).fill(0), ...numbers(tail ?? [])];
}

/** Rewrites a dotted end, as in ::ffff:192.0.2.1, as two groups. */
function withoutDots(text: string): string {
  const at = text.lastIndexOf(":");
  const last = ipv4(text.slice(at + 1));
  if (last === null) return text;
  const [a, b, c, d] = last.split(".").map(Number) as [number, number, number, number];
  return `${text.slice(0, at + 1)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/**
 * The part of an address that one party is assumed to hold: an address of version 4 whole, of version 6 its first 64 bits, since a household or a
 * machine is given that many. Anything else is one and the same party, so that what cannot be read is not unlimited.
 * @example addressKey("2001:db8:1:2::99") // => "2001:db8:1:2"
 * @example addressKey("::ffff:192.0.2.1") // => "192.0.2.1"
 */
export function addressKey(address: string): string {
  const plain = address.toLowerCase().split("%")[0] ?? "";
  const four = ipv4(plain);
  if (four !== null) return four;
  const groups = ipv6(withoutDots(plain));
  if (groups === null) return "unknown";
  const [high, low] = groups.slice(6) as [number, number];
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":");
}
