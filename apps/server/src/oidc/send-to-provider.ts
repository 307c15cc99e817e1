import type { HttpRequest } from "@lethe/serve";

/** Bounds on what a provider of identities may take and send. */
export interface ProviderBounds {
  readonly timeoutMs: number;
  readonly mostBytes: number;
}

const usual: ProviderBounds = { timeoutMs: 10_000, mostBytes: 262_144 };

/**
 * Sends a request to a provider of identities, within bounds of time and size. Follows no redirect: its answer is that of the address that was asked, whose TLS is checked.
 * Errors: those of the network, and for an answer that is too large; they are not for those who sign in.
 */
export async function sendToProvider(
  { method, url, headers, body }: HttpRequest,
  { timeoutMs, mostBytes }: ProviderBounds = usual,
): Promise<{ readonly status: number; readonly body: string }> {
  const response = await fetch(url, {
    method,
    headers: { ...headers },
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > mostBytes) throw new Error("the provider's answer is too large");
    chunks.push(chunk);
  }
  return { status: response.status, body: Buffer.concat(chunks).toString("utf8") };
}
