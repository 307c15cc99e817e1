import { absent, type Principal } from "../access/index.ts";
import { tooMany } from "../limits/index.ts";
import { type PeopleHouse, setPassword } from "./change-people.ts";
import { passwordHolds } from "./passwords/password-holds.ts";
import { foldName } from "./person-name.ts";
import { type SignInHouse, wrongSignIn } from "./sign-in.ts";

/** The words that a person types to have a new password. */
export interface PasswordChange {
  /** The password so far; null for a person who has none, whom an owner gave a token to set the first with. */
  readonly current: string | null;
  readonly next: string;
  readonly address: string;
}

/**
 * Changes one's own password, and ends all sessions. The password so far is asked for again and guesses at it are delayed as sign-ins are, so that an open session or a stolen token is not enough.
 * Errors: serve.too-many; serve.sign-in where the password so far is wrong or missing; people.invalid for a new one that is refused.
 */
export async function changeOwnPassword(
  people: PeopleHouse,
  { attempts, passwords }: SignInHouse,
  { name }: Principal,
  { current, next, address }: PasswordChange,
): Promise<void> {
  const now = people.now();
  const waitMs = await attempts.waitMs(name, address, now);
  if (waitMs > 0) throw tooMany(waitMs);
  const person = await people.store.byName(name);
  if (!person) throw absent();
  if (person.password !== null) {
    const begun = await attempts.admit(name, address, now);
    if (begun.waitMs > 0) throw tooMany(begun.waitMs);
    if (!(await passwordHolds(current ?? "", foldName(name), person.password, passwords)))
      throw wrongSignIn();
    await attempts.succeeded(name, address, begun.at);
  }
  await setPassword(people, name, next);
}
