import { aim } from "../aim/index.ts";
import { grem } from "../grem/index.ts";
import { mst } from "../mst/index.ts";
import type { Method, SynthesisMethod } from "../plan/index.ts";
import { residuals } from "../residuals/index.ts";

/** Every method, by its name in a description. A new one is a folder and a line here. */
export const methods: Readonly<Record<SynthesisMethod, Method>> = { mst, aim, residuals, "aim-grem": grem };
