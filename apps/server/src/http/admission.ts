import type { Person, Principal, RequestKind } from "@lethe/serve";

/** A request before anything of it is believed. */
export interface Incoming {
  readonly method: string;
  readonly headers: Headers;
  /** The address of the socket, or the one that a trusted proxy states. */
  readonly address: string;
}

/** Lets requests in: says who sends a request, and whether so many may come. It reads no body. */
export interface Admission {
  /** Returns who sends a request, or null where nothing is shown to prove it. Errors: serve.signed-out where what is shown does not hold; serve.origin. */
  identify(incoming: Incoming): Promise<Principal | null>;
  /** Draws from the rates: as one request, unless `cost` says as how many. Errors: serve.too-many. */
  admit(kind: RequestKind, who: Principal | null, address: string, cost?: number): Promise<void>;
  /** Draws what a request turned out to cost, and refuses nothing: what comes after it waits. */
  spend(kind: RequestKind, who: Principal | null, address: string, cost: number): Promise<void>;
  /** Passes where a request was sent to the service by its own name, and by none of another site's pages. Errors: serve.origin. */
  requireOwnPlace(incoming: Incoming): void;
  /** Opens a session for whom `signIn` returns, and returns the header Set-Cookie. Errors: serve.origin, and those of `signIn`. */
  begin(incoming: Incoming, signIn: () => Promise<Person>): Promise<string>;
  /** Ends the session of a request, if there is one, and returns the header Set-Cookie that removes it. */
  end(incoming: Incoming): Promise<string>;
}
