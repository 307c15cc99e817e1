/** SQL of values that a row's number (and `salt`) decides, the same each time. `row` is the SQL of a whole number. */
export const below = (most, salt, row = "i") => `CAST(hash(${row}, ${salt}) % ${most} AS INTEGER)`;

/** One of the values, each as likely. */
export const oneOf = (values, salt, row = "i") =>
  `([${values.map((value) => `'${value.replaceAll("'", "''")}'`).join(", ")}])[1 + ${below(values.length, salt, row)}]`;

/** A number from 0 to `most`, smaller ones likelier, to cents. */
export const amount = (most, salt, row = "i") =>
  `ROUND(${most} * pow(${below(10_000, salt, row)} / 10000.0, 2), 2)`;

/** A time in so many days from a date. */
export const time = (from, days, salt, row = "i") =>
  `(TIMESTAMP '${from}' + to_seconds(CAST(${below(days * 86_400, salt, row)} AS DOUBLE)))`;

/** The SQL, or NULL for one row in `every`. */
export const orNull = (sql, every, salt, row = "i") =>
  `CASE WHEN ${below(every, salt, row)} = 0 THEN NULL ELSE ${sql} END`;
