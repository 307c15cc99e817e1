import { LetheError } from "@lethe/core";
import { owner } from "@lethe/ledger";
import { isName } from "@lethe/query";

/** The form in which names are compared: two that differ by case alone are one. */
export function foldName(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/**
 * Refuses what cannot name a person: what the policy could not name, what a reader takes for another name, and the ledger's own word for whoever asks without a name.
 * Errors: people.invalid.
 */
export function checkPersonName(name: string): void {
  const refused = (what: string, fix: string): LetheError =>
    new LetheError("people.invalid", `the name ${JSON.stringify(name.slice(0, 63))} ${what}`, {
      fix,
      fields: { what: "name" },
    });
  if (!isName(name))
    throw refused("cannot be used", "a name is 1 to 63 bytes of UTF-8 without control characters");
  if (name !== name.normalize("NFKC") || name !== name.trim() || /[\p{Cf}\p{Cn}\p{Co}]/u.test(name))
    throw refused(
      "has characters that look like others",
      "write it without blanks at its ends, in Unicode's form NFKC",
    );
  if (foldName(name) === owner)
    throw refused("is the ledger's, for questions at the command line", "choose the person's own name");
}
