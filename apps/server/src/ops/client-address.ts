import { addressKey } from "@lethe/serve";

/**
 * Returns the address of a request's sender: that of the socket, or, where the socket is a proxy that is trusted, the last one in X-Forwarded-For that is none. What stands before it was
 * written by whoever sent the request, and is not believed.
 * @example clientAddress("127.0.0.1", "203.0.113.9, 198.51.100.2", ["127.0.0.1"]) // => "198.51.100.2"
 */
export function clientAddress(socket: string, forwarded: string | null, proxies: readonly string[]): string {
  const trusted = new Set(proxies.map(addressKey));
  if (!trusted.has(addressKey(socket)) || forwarded === null) return socket;
  const hops = forwarded.split(",").map((hop) => hop.trim());
  for (const hop of hops.reverse()) if (!trusted.has(addressKey(hop))) return hop;
  return socket;
}
