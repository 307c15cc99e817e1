import type { Principal, Role } from "../access/index.ts";
import type {
  Credentials,
  Person,
  PersonChange,
  ProvedToken,
  ScramCredentials,
  TokenRecord,
  TokenRequest,
} from "../people/index.ts";
import type { Session } from "../sessions/index.ts";

/** A person who is to be let in. */
export interface NewPerson {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly projects?: readonly string[];
  readonly password?: string;
}

/** A session without what proves it. */
export interface ShownSession extends Pick<Session, "id" | "startedAt" | "usedAt"> {
  /** Whether the request that asks came by it. */
  readonly current: boolean;
}

/**
 * All that may be done with people, their tokens and their sessions, whatever the protocol. Each call checks what `access` says of its route, and each change is written to the audit log. A person
 * whom the asker may not see is answered as one who does not exist. Errors: serve.forbidden, serve.absent; people.*; log.lost.
 */
export interface PeopleDesk {
  list(who: Principal): Promise<readonly Person[]>;
  add(who: Principal, person: NewPerson): Promise<Person>;
  person(who: Principal, name: string): Promise<Person>;
  change(who: Principal, name: string, changes: PersonChange): Promise<Person>;
  /** Sets a password: one's own by the one so far, anybody's as an owner. Errors also: serve.sign-in, serve.too-many. */
  setPassword(
    who: Principal,
    name: string,
    change: { readonly current: string | null; readonly next: string; readonly address: string },
  ): Promise<void>;
  tokens(who: Principal, name: string): Promise<readonly TokenRecord[]>;
  /** Makes a token, whose text is shown once. */
  createToken(
    who: Principal,
    name: string,
    wish: TokenRequest,
  ): Promise<{ readonly id: string; readonly text: string }>;
  revokeToken(who: Principal, name: string, id: string): Promise<void>;
  sessions(who: Principal, name: string): Promise<readonly ShownSession[]>;
  endSession(who: Principal, name: string, id: string): Promise<void>;
  endSessions(who: Principal, name: string): Promise<void>;
  /** Signs somebody in by name and password. Errors: serve.sign-in, also where the service takes no passwords; serve.too-many. */
  signIn(given: Credentials): Promise<Person>;
  /** Signs somebody in by a proof of their password, and returns the server's last words beside. Errors: those of signIn; serve.protocol. */
  signInByScram(given: ScramCredentials): Promise<{ readonly person: Person; readonly serverFinal: string }>;
  /** Signs somebody in by a proof of a token. Errors: serve.signed-out, serve.too-many, serve.protocol. */
  signInByToken(given: ScramCredentials): Promise<ProvedToken>;
  /** Signs somebody in who proves it otherwise. Errors: those of `prove`. */
  signInBy(by: "provider", address: string, prove: () => Promise<Person>): Promise<Person>;
}
