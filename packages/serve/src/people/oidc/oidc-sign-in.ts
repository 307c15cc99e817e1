import type { JSONWebKeySet } from "jose";
import type { PeopleStore } from "../people-store.ts";
import type { Person } from "../person.ts";
import type { RandomBytes } from "../random-bytes.ts";
import {
  beginCodeFlow,
  type HttpRequest,
  type PendingSignIn,
  readCallback,
  tokenRequest,
} from "./code-flow.ts";
import { checkIdToken, identityOf, readKeys } from "./id-token.ts";
import {
  type OidcClientConfig,
  type ProviderMetadata,
  readProviderMetadata,
  refusedIdentity,
} from "./provider.ts";

/** Sends a request to the provider, within bounds of time and size that the app sets, over TLS that it checks. Follows no redirect. */
export type SendToProvider = (
  request: HttpRequest,
) => Promise<{ readonly status: number; readonly body: string }>;

/** The means of sign-ins by a provider. */
export interface OidcHouse {
  readonly client: OidcClientConfig;
  readonly store: PeopleStore;
  readonly send: SendToProvider;
  readonly random: RandomBytes;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The time for which what a provider said of itself and its keys is taken. */
const keptMs = 5 * 60_000;

/** Sign-ins by one provider of identities: the authorization-code flow with PKCE. */
export class OidcSignIn {
  readonly #house: OidcHouse;
  #kept: { readonly provider: ProviderMetadata; readonly keys: JSONWebKeySet; readonly at: number } | null =
    null;

  constructor(house: OidcHouse) {
    this.#house = house;
  }

  /** The address to send a browser to, and what is to be kept until it comes back. Errors: serve.identity where the provider cannot be asked. */
  async begin(): Promise<{ readonly url: string; readonly pending: PendingSignIn }> {
    const { client, random, now } = this.#house;
    return beginCodeFlow((await this.#provider()).provider, client, random, now());
  }

  /**
   * Says who came back. People are never made here: an owner writes the identity into the person.
   * @param pending what {@link OidcSignIn.begin} gave to this very browser, taken so that it is used once; null where there is none
   * @param parameters those of the address that the browser came back to
   * Errors: serve.identity, also for an identity that belongs to nobody here or to a person who is disabled.
   */
  async finish(pending: PendingSignIn | null, parameters: URLSearchParams): Promise<Person> {
    const { client, store, now } = this.#house;
    const { provider, keys } = await this.#provider();
    const code = readCallback(provider, pending, parameters, now());
    if (pending === null) throw refusedIdentity("this browser did not begin it");
    const answer = await this.#json(tokenRequest(provider, client, pending, code));
    const idToken = (answer as { id_token?: unknown } | null)?.id_token;
    if (typeof idToken !== "string") throw refusedIdentity("it brings no ID token");
    const claims = await checkIdToken(idToken, keys, client, pending.nonce, now());
    const person = await store.byIdentity(identityOf(claims, client));
    if (!person || person.disabled)
      throw refusedIdentity("this identity belongs to nobody here", "have an owner add it to the person");
    return person;
  }

  async #provider(): Promise<{ provider: ProviderMetadata; keys: JSONWebKeySet }> {
    const { client, now } = this.#house;
    const at = now();
    if (this.#kept && at - this.#kept.at >= 0 && at - this.#kept.at < keptMs) return this.#kept;
    const wellKnown = `${client.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const provider = readProviderMetadata(await this.#json(get(wellKnown)), client.issuer);
    const keys = readKeys(await this.#json(get(provider.jwksUri)));
    this.#kept = { provider, keys, at };
    return this.#kept;
  }

  async #json(request: HttpRequest): Promise<unknown> {
    try {
      const { status, body } = await this.#house.send(request);
      if (status === 200) return JSON.parse(body) as unknown;
    } catch {
      // What went wrong may hold what was sent: it is not passed on.
    }
    throw refusedIdentity(
      "it did not answer as it should",
      "check that the provider can be reached, then try again",
    );
  }
}

const get = (url: string): HttpRequest => ({
  method: "GET",
  url,
  headers: { accept: "application/json" },
  body: null,
});
