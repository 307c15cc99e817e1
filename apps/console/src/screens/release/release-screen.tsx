import { useState } from "preact/hooks";
import type { ScreenAddress } from "../../house/screen-address.ts";
import { Screen } from "../../parts/screen.tsx";
import { TextOrFile } from "../../parts/text-or-file.tsx";
import { Released, useServedPolicy } from "./released.tsx";
import { VerifyPanel } from "./verify-panel.tsx";

/** A release of the service, where the address names one; any release of a file otherwise. */
export default function ReleaseScreen({ rest, query }: ScreenAddress) {
  if (rest === "") return <AnyRelease />;
  return <Released requestId={rest} of={query.of ?? null} offer={query.offer ?? null} />;
}

function AnyRelease() {
  const [text, setText] = useState("");
  const policy = useServedPolicy();
  return (
    <Screen
      title="Release"
      lead="Check an answer that somebody gave you: a saved answer, a release, or a file of trained models."
    >
      <TextOrFile
        label="The release"
        hint="The JSON that the page or the command line saved. To see one of your own, open it from the history."
        accept=".json,.txt"
        value={text}
        onChange={setText}
      />
      <VerifyPanel text={text} servedPolicy={policy} />
    </Screen>
  );
}
