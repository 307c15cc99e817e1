import type { AnyForm } from "../form.ts";
import { lightForms } from "./light-forms.ts";

/** Every form of loss. */
export const allForms: readonly AnyForm[] = lightForms;
