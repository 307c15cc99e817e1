import { LetheError } from "@lethe/core";
import { preparePassword } from "./prepare-password.ts";

/** The rules of a new password. Nothing is asked of its kinds of characters, and it never expires (NIST SP 800-63B, 5.1.1.2). */
export interface PasswordRules {
  /** The least number of characters. */
  readonly least: number;
  /** Whether a password, in lower case, is among those that attackers try first. */
  readonly isKnown: (password: string) => boolean;
}

/** The most characters, so that a password's length bounds the work of preparing it. */
export const longestPassword = 256;

/**
 * Returns a new password in the form that is hashed.
 * Errors: people.invalid, which never repeats the password.
 */
export function checkNewPassword(password: string, name: string, rules: PasswordRules): string {
  const refused = (what: string, fix: string): LetheError =>
    new LetheError("people.invalid", `the password ${what}`, { fix, fields: { what: "password" } });
  if (password.length > 2 * longestPassword)
    throw refused("is too long", `use at most ${longestPassword} characters`);
  if (password === "") throw refused("is empty", "type it, or give it on standard input");
  const prepared = preparePassword(password);
  if (prepared === null)
    throw refused("holds a character that cannot be used", "leave out control characters");
  const length = [...prepared].length;
  if (!(length >= rules.least))
    throw refused(`has fewer than ${rules.least} characters`, "use a few words that do not belong together");
  if (length > longestPassword) throw refused("is too long", `use at most ${longestPassword} characters`);
  const low = prepared.toLowerCase();
  if (low.includes(name.toLowerCase()) || new Set(low).size < 5)
    throw refused(
      "is easily guessed from the name or from few characters",
      "use a few words that do not belong together",
    );
  if (rules.isKnown(low))
    throw refused("is one that attackers try first", "use a few words that do not belong together");
  return prepared;
}
