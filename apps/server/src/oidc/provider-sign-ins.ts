import { type OidcHouse, OidcSignIn, PendingSignIns, type Person } from "@lethe/serve";

/** Sign-ins by a provider of identities, as the routes use them. */
export interface ProviderSignIns {
  /** Returns the address to send the browser to, and the secret of the cookie that it keeps until it comes back. Errors: serve.identity. */
  begin(): Promise<{ readonly url: string; readonly secret: string }>;
  /** Says who came back: each secret serves once. Errors: serve.identity. */
  finish(secret: string | null, parameters: URLSearchParams): Promise<Person>;
}

/** Keeps the sign-ins that have not come back, in the memory of this process: who is away during a restart begins anew. */
export function providerSignIns(house: OidcHouse): ProviderSignIns {
  const flow = new OidcSignIn(house);
  const pending = new PendingSignIns();
  return {
    async begin() {
      const begun = await flow.begin();
      return { url: begun.url, secret: pending.keep(begun.pending, house.random) };
    },
    finish: (secret, parameters) => flow.finish(pending.take(secret), parameters),
  };
}
