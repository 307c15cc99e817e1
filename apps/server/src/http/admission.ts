import type { Principal, RequestKind } from "@lethe/serve";

/** A request before anything of it is believed. */
export interface Incoming {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  /** The address of the socket, or the one that a trusted proxy states. */
  readonly address: string;
}

/** Lets requests in: says who sends a request, and whether so many may come. It reads no body. */
export interface Admission {
  /** Returns who sends a request, or null where nothing is shown to prove it. Errors: serve.signed-out where what is shown does not hold; serve.origin. */
  identify(incoming: Incoming): Promise<Principal | null>;
  /** Errors: serve.too-many. */
  admit(kind: RequestKind, who: Principal | null, address: string): void;
}
