import type { AnyForm } from "../form.ts";
import { approximateForm } from "./approximate-form.ts";
import { gaussianForm } from "./gaussian-form.ts";
import { pureForm } from "./pure-form.ts";
import { renyiForm } from "./renyi-form.ts";
import { zcdpForm } from "./zcdp-form.ts";

/** Every form but PLD, in the order in which they are asked: the likely tightest first. */
export const lightForms: readonly AnyForm[] = [gaussianForm, renyiForm, approximateForm, pureForm, zcdpForm];
