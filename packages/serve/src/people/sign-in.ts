import { LetheError } from "@lethe/core";
import { tooMany } from "../limits/index.ts";
import type { SignInAttempts } from "./passwords/attempts.ts";
import { type PasswordHouse, passwordHolds } from "./passwords/password-holds.ts";
import type { PeopleStore } from "./people-store.ts";
import type { Person } from "./person.ts";
import { foldName } from "./person-name.ts";

/** The means of sign-ins by password. */
export interface SignInHouse {
  readonly store: PeopleStore;
  readonly attempts: SignInAttempts;
  readonly passwords: PasswordHouse;
}

/** The words that somebody typed, and the address from which they came. */
export interface Credentials {
  readonly name: string;
  readonly password: string;
  readonly address: string;
}

/** The refusal of a sign-in: one text, whatever was wrong. */
export function wrongSignIn(): LetheError {
  return new LetheError("serve.sign-in", "the name or the password is wrong", {
    fix: "check both and try again; an owner can set a new password",
  });
}

/**
 * Signs a person in by name and password. A name that nobody has, a person without a password or disabled, and a wrong password cost the same work, count alike towards
 * the delays and are refused with the same text.
 * @param now milliseconds since 1970
 * Errors: serve.too-many while a delay lasts, before any password is looked at; serve.sign-in.
 */
export async function signIn(
  { store, attempts, passwords }: SignInHouse,
  { name, password, address }: Credentials,
  now: number,
): Promise<Person> {
  const { waitMs, at } = await attempts.admit(name, address, now);
  if (waitMs > 0) throw tooMany(waitMs);
  const person = await store.byName(name);
  const holds = await passwordHolds(password, foldName(name), person?.password ?? null, passwords);
  if (!holds || !person || person.disabled) throw wrongSignIn();
  await attempts.succeeded(name, address, at);
  return person;
}

/**
 * Refuses to run where a person's verifier has more iterations than each check costs: such a name would be told by its time.
 * Errors: config.invalid.
 */
export function checkIterations(people: readonly Person[], iterations: number): void {
  const most = Math.max(0, ...people.map(({ password }) => password?.iterations ?? 0));
  if (most > iterations)
    throw new LetheError(
      "config.invalid",
      `passwords.iterations is ${iterations}, and a person's password has ${most}`,
      {
        fix: `set passwords.iterations to at least ${most}`,
        fields: { path: "passwords.iterations", least: most },
      },
    );
}
