import type { ScreenAddress } from "../../house/screen-address.ts";
import { ErrorPage } from "./error-page.tsx";
import { HelpOverview } from "./help-overview.tsx";

/** What an error means, where the address names its code; else keys, errors and words. */
export default function HelpScreen({ rest }: ScreenAddress) {
  return rest === "" ? <HelpOverview /> : <ErrorPage key={rest} code={rest} />;
}
