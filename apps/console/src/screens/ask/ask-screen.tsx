import { useEffect, useState } from "preact/hooks";
import { useHouse } from "../../house/house.ts";
import type { ScreenAddress } from "../../house/screen-address.ts";
import { useLoaded } from "../../house/use-loaded.ts";
import { Screen } from "../../parts/screen.tsx";
import { Ask } from "./ask.tsx";
import { Tables } from "./tables.tsx";

/** Ask a question, see its price while one types it, and read the answer. */
export default function AskScreen({ query }: ScreenAddress) {
  const { lethe } = useHouse().service;
  const [sql, setSql] = useState(query.sql ?? "");
  useEffect(() => setSql(query.sql ?? ""), [query.sql]);
  const tables = useLoaded(() => lethe.tables(), [lethe]);
  return (
    <Screen title="Ask">
      <Ask lethe={lethe} sql={sql} setSql={setSql} onAnswered={() => {}} />
      <Tables tables={tables.value ?? []} onChosen={setSql} />
    </Screen>
  );
}
