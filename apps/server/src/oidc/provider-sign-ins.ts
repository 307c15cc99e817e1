import { type OidcHouse, OidcSignIn, type PendingStore, type Person } from "@lethe/serve";

/** Sign-ins by a provider of identities, as the routes use them. */
export interface ProviderSignIns {
  /** Returns the address to send the browser to, and the secret of the cookie that it keeps until it comes back. Errors: serve.identity. */
  begin(): Promise<{ readonly url: string; readonly secret: string }>;
  /** Says who came back: each secret serves once. Errors: serve.identity. */
  finish(secret: string | null, parameters: URLSearchParams): Promise<Person>;
}

/** Opens sign-ins over the place that keeps those that have not come back. */
export function providerSignIns({
  pending,
  ...house
}: OidcHouse & { readonly pending: PendingStore }): ProviderSignIns {
  const flow = new OidcSignIn(house);
  return {
    async begin() {
      const begun = await flow.begin();
      return { url: begun.url, secret: await pending.keep(begun.pending, house.random) };
    },
    finish: async (secret, parameters) => flow.finish(await pending.take(secret), parameters),
  };
}
