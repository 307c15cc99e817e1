import { isReg, type Place, writeReg } from "../names/reg-names.ts";
import { oids } from "./oids.ts";
import { type ArrayValue, RowValue, type Value } from "./values.ts";

type Present = NonNullable<Value>;

/** Writes a value as PostgreSQL writes it in its text form. */
export function writeText(value: Present, type: number, place: Place): string {
  switch (typeof value) {
    case "string":
      return value;
    case "boolean":
      return value ? "t" : "f";
    case "bigint":
      return String(value);
    case "number":
      return isReg(type) ? writeReg(type, value, place) : writeNumber(value);
    default:
      return value instanceof RowValue ? writeRow(value, place) : writeArray(value, type, place);
  }
}

/** A number in the fewest digits that give it again, as PostgreSQL writes float8. */
function writeNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return Object.is(value, -0) ? "-0" : String(value);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
  const [digits = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 15) return String(value);
  const sign = exponent < 0 ? "-" : "+";
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

function writeArray({ items, lower }: ArrayValue, type: number, place: Place): string {
  const { types } = place.catalog;
  const element = types.elementOf(types.baseOf(type));
  if (type === oids.int2vector || type === oids.oidvector)
    return items.map((item) => (item === null ? "NULL" : writeText(item, element, place))).join(" ");
  const written = items.map((item) => {
    if (item === null) return "NULL";
    const text = writeText(item, element, place);
    return text === "" || /[{}",\\\s]/.test(text) || /^null$/i.test(text)
      ? `"${text.replace(/["\\]/g, "\\$&")}"`
      : text;
  });
  const bounds = lower === 1 || items.length === 0 ? "" : `[${lower}:${lower + items.length - 1}]=`;
  return `${bounds}{${written.join(",")}}`;
}

function writeRow({ items, types }: RowValue, place: Place): string {
  const written = items.map((item, at) => {
    if (item === null) return "";
    const text = writeText(item, types[at] ?? oids.text, place);
    return text === "" || /[()",\\\s]/.test(text)
      ? `"${text.replaceAll("\\", "\\\\").replaceAll('"', '""')}"`
      : text;
  });
  return `(${written.join(",")})`;
}
