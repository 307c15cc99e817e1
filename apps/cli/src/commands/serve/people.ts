import { LetheError, parseRational } from "@lethe/core";
import {
  addPerson,
  changePerson,
  createToken,
  isRole,
  type Role,
  setPassword,
  tokenUser,
} from "@lethe/serve";
import { renderGrid } from "../../render/grid.ts";
import { say } from "../../render/say.ts";
import { openPeople, peopleHouse, readConfig } from "./service-files.ts";

export interface PeopleFlags {
  readonly config: string;
  readonly named: boolean;
}

type House = ReturnType<typeof peopleHouse>;

/** Does something with the file of people; `name` is who must be in it, or null. */
async function within(
  flags: PeopleFlags,
  name: string | null,
  work: (house: House) => Promise<void>,
): Promise<void> {
  const placed = readConfig(flags.config, !flags.named);
  const file = await openPeople(placed);
  try {
    const house = peopleHouse(file, placed.config);
    if (name !== null && (await house.store.byName(name)) === null)
      throw new LetheError("people.invalid", `there is no person named ${JSON.stringify(name)}`, {
        fix: "lethe people lists them; lethe people add NAME lets one in",
      });
    await work(house);
  } finally {
    await file.close();
  }
}

/** lethe people: lists who is let in. */
export function listPeople(flags: PeopleFlags): Promise<void> {
  return within(flags, null, async ({ store }) => {
    const people = await store.list();
    if (people.length === 0) {
      say("Nobody is let in yet: lethe people add NAME --role analyst");
      return;
    }
    const rows = people.map(({ name, roles, projects, disabled, password, identities, tokens }) => [
      name,
      roles.join(", "),
      projects.join(", ") || "—",
      disabled ? "disabled" : waysIn(password !== null, identities.length > 0),
      String(tokens.length),
    ]);
    say(
      renderGrid(["person", "roles", "projects", "signs in by", "tokens"], rows, [
        false,
        false,
        false,
        false,
        true,
      ]),
    );
  });
}

/** How a person opens a session; a token needs none. */
function waysIn(byPassword: boolean, byProvider: boolean): string {
  return [byPassword ? "password" : [], byProvider ? "provider" : []].flat().join(", ") || "—";
}

/** lethe people add: lets a person in, and prints a token that is shown once. */
export function addOne(
  name: string,
  flags: PeopleFlags & {
    readonly role: readonly string[];
    readonly project: readonly string[];
    readonly maxEpsilon?: string;
    readonly days: string;
  },
): Promise<void> {
  return within(flags, null, async (house) => {
    const roles = rolesOf(flags.role);
    await addPerson(house, { name, roles, projects: flags.project });
    await printToken(house, name, roles, flags);
  });
}

/** lethe people token: makes a further token of a person. */
export function giveToken(
  name: string,
  flags: PeopleFlags & {
    readonly role: readonly string[];
    readonly maxEpsilon?: string;
    readonly days: string;
  },
): Promise<void> {
  return within(flags, name, (house) => printToken(house, name, rolesOf(flags.role), flags));
}

/** lethe people disable and enable: shuts a person out, at once, or lets them in again. */
export function setDisabled(name: string, disabled: boolean, flags: PeopleFlags): Promise<void> {
  return within(flags, name, async (house) => {
    await changePerson(house, name, { disabled });
    say(
      disabled
        ? `${name} is let in no more: sessions have ended, and tokens do not hold`
        : `${name} is let in again: their password and the tokens that have not ended hold`,
    );
  });
}

/** lethe people password: sets a person's password, which is read from the terminal without showing it, or from standard input. */
export function givePassword(name: string, flags: PeopleFlags): Promise<void> {
  return within(flags, name, async (house) => {
    await setPassword(house, name, await readPassword());
    say(`the password of ${name} is set, and their sessions have ended`);
  });
}

async function printToken(
  house: House,
  name: string,
  roles: readonly Role[],
  { maxEpsilon, days }: { readonly maxEpsilon?: string; readonly days: string },
): Promise<void> {
  if (!/^[1-9]\d{0,2}$/.test(days))
    throw new LetheError("cli.usage", `${days} is no number of days`, { fix: "write --days 90" });
  const { id, text } = await createToken(
    house,
    name,
    {
      name: "command line",
      roles,
      maxEpsilon: maxEpsilon === undefined ? null : parseRational(maxEpsilon, "max-epsilon"),
      expiresAt: house.now() + Number(days) * 24 * 3_600_000,
    },
    null,
  );
  say(
    `A token of ${name}, shown once and good for ${days} days:\n  ${text}\nFor psql and its like it is the password of the user ${tokenUser(id)}.`,
  );
}

function rolesOf(words: readonly string[]): readonly Role[] {
  return words.map((word) => {
    if (isRole(word)) return word;
    throw new LetheError("cli.usage", `${JSON.stringify(word)} is no role`, {
      fix: "write --role owner, analyst, auditor or operator; once for each",
    });
  });
}

async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) {
    const { isCancel, password } = await import("@clack/prompts");
    const given = await password({ message: "The new password" });
    if (isCancel(given)) throw new LetheError("cli.usage", "no password was given", { fix: "run it again" });
    return given;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/\r?\n$/, "");
}
