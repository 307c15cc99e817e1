import { addressKey } from "./address-key.ts";

/** The most addresses of a header that are looked at. */
const mostHops = 20;

/** Writes an address in one form: without brackets, and of version 4 where it is one. */
function plain(address: string): string {
  const bare = address
    .trim()
    .replace(/^\[(.*)\](?::\d+)?$/, "$1")
    .toLowerCase();
  const key = addressKey(bare);
  return key.includes(".") ? key : bare;
}

/**
 * The address that a request came from: the peer's, or where that is a proxy of the configuration, the last one in X-Forwarded-For that is none. What stands before it was
 * written by the sender, who could have written anything.
 * @param peer the address of the socket's other end
 * @param forwarded the header X-Forwarded-For, or null
 * @param proxies the addresses whose word is taken
 * @example senderAddress("10.0.0.2", "203.0.113.9, 192.0.2.1", ["10.0.0.2"]) // => "192.0.2.1"
 */
export function senderAddress(peer: string, forwarded: string | null, proxies: readonly string[]): string {
  if (proxies.length === 0) return plain(peer);
  const trusted = new Set(proxies.map(plain));
  const told = (forwarded ?? "").split(",").slice(-mostHops).map(plain).reverse();
  let sender = plain(peer);
  for (const next of told) {
    if (!trusted.has(sender) || next === "") break;
    sender = next;
  }
  return sender;
}
