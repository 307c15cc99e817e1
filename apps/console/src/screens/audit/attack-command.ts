/**
 * Returns the command that attacks a service, or null where what is given is no address of one.
 * @example attackCommand("https://copy.example/") // => "lethe audit --server https://copy.example …"
 */
export function attackCommand(address: string): string | null {
  const url = URL.canParse(address.trim()) ? new URL(address.trim()) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol)) return null;
  return `lethe audit --server ${url.origin} --token-file ada.token --other-token-file bob.token --epsilon 6 --json > attacks.json`;
}
