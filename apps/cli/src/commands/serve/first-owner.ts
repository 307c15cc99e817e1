import { addPerson, createToken, type PeopleHouse } from "@lethe/serve";

/** The first person who is let in, until there are others. The name "owner" is the command line's own. */
export const firstName = "admin";

const hour = 3_600_000;

/** Makes the owner where nobody is there yet, and returns a token; null where somebody is. Of several processes that start together one makes them. */
export async function firstOwner(house: PeopleHouse): Promise<string | null> {
  const isAnybodyThere = async (): Promise<boolean> => (await house.store.list()).length > 0;
  if (await isAnybodyThere()) return null;
  try {
    await addPerson(house, { name: firstName, roles: ["owner"] });
  } catch (error) {
    if (await isAnybodyThere()) return null;
    throw error;
  }
  const asked = {
    name: "first",
    roles: ["owner"],
    maxEpsilon: null,
    expiresAt: house.now() + 24 * hour,
  } as const;
  return (await createToken(house, firstName, asked, null)).text;
}
