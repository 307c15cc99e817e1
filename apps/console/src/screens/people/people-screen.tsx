import { useHouse } from "../../house/house.ts";
import type { ScreenAddress } from "../../house/screen-address.ts";
import { isOneOf } from "../../session/me.ts";
import { PeopleList } from "./people-list.tsx";
import { PersonScreen } from "./person-screen.tsx";

/** The people, for owners and auditors; one person, where the address names one; oneself for everybody else. */
export default function PeopleScreen({ rest }: ScreenAddress) {
  const { me } = useHouse();
  if (rest !== "") return <PersonScreen key={rest} name={rest} />;
  return isOneOf(me, ["owner", "auditor"]) ? <PeopleList /> : <PersonScreen name={me.name} />;
}
