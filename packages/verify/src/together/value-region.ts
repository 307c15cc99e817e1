export type Scalar = string | number | boolean | null;

/** The values that something may have: of those listed (null: of all), what is not excepted and, where it is a number, not beyond the ends. */
export interface Region {
  readonly only: readonly Scalar[] | null;
  readonly except: readonly Scalar[];
  readonly from: End;
  readonly to: End;
}

/** An end of numbers, and whether it belongs to them. */
interface End {
  readonly at: number;
  readonly within: boolean;
}

/** Any value, NULL too. */
export const anything: Region = {
  only: null,
  except: [],
  from: { at: Number.NEGATIVE_INFINITY, within: true },
  to: { at: Number.POSITIVE_INFINITY, within: true },
};

/** Returns the values that lie in both. */
export function intersection(a: Region, b: Region): Region {
  const other = b.only;
  return {
    only: a.only && other ? a.only.filter((value) => other.includes(value)) : (a.only ?? other),
    except: [...a.except, ...b.except],
    from: stricter(a.from, b.from, a.from.at > b.from.at),
    to: stricter(a.to, b.to, a.to.at < b.to.at),
  };
}

/** Returns the end that leaves less: of two at one place, the one that does not belong to what it ends. */
function stricter(a: End, b: End, isFirst: boolean): End {
  if (a.at === b.at) return a.within ? b : a;
  return isFirst ? a : b;
}

/** Whether certainly no value lies in a region. Without a list, that is so of numbers alone whose ends have crossed, where NULL is excepted. */
export function isEmpty({ only, except, from, to }: Region): boolean {
  const crossed = from.at > to.at || (from.at === to.at && !(from.within && to.within));
  if (only === null) return crossed && except.includes(null);
  const isInside = (x: number): boolean =>
    (x > from.at || (x === from.at && from.within)) && (x < to.at || (x === to.at && to.within));
  return only.every((value) => except.includes(value) || (typeof value === "number" && !isInside(value)));
}
