import java.io.ByteArrayOutputStream;
import java.sql.*;
import java.util.*;
import java.util.concurrent.*;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;
import org.postgresql.PGResultSetMetaData;
import org.postgresql.util.PSQLException;

/** pgjdbc. Java has no JSON of its own, so what is asked comes as properties, one a line, and what came of it goes as JSON written here. */
public class Pgjdbc {
  static final Properties place = new Properties();
  static Connection connection;

  interface Feature {
    Map<String, Object> act() throws Exception;
  }

  public static void main(String[] words) throws Exception {
    place.load(new java.io.StringReader(System.getenv("LETHE_WIRE_PROPERTIES")));
    connection = connected(new Properties());
    Map<String, Feature> features = new HashMap<>();
    features.put("tls", () -> Map.of("user", userOf(connection)));
    features.put("binding", Pgjdbc::binding);
    features.put("reflect", Pgjdbc::reflect);
    features.put("price", () -> Map.of("notices", withNotices().get("notices")));
    features.put("simple", Pgjdbc::simple);
    features.put("prepared", () -> twice(connection));
    features.put("binary", Pgjdbc::binary);
    features.put("cursor", Pgjdbc::cursor);
    features.put("copy", Pgjdbc::copy);
    features.put("cancel", Pgjdbc::cancel);
    features.put("refusal", Pgjdbc::refusal);
    features.put("repeat", Pgjdbc::withNotices);
    for (String name : place.getProperty("features").split(",")) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("feature", name);
      try {
        line.put("told", features.get(name).act());
      } catch (Exception error) {
        line.put("failed", error.toString());
      }
      System.out.println(json(line));
    }
    connection.close();
  }

  static Connection connected(Properties more) throws SQLException {
    Properties stated = new Properties();
    stated.putAll(more);
    stated.setProperty("user", place.getProperty("user"));
    stated.setProperty("password", place.getProperty("password"));
    stated.setProperty("sslmode", "verify-full");
    stated.setProperty("sslrootcert", place.getProperty("certificate"));
    String at = place.getProperty("host") + ":" + place.getProperty("port");
    return DriverManager.getConnection("jdbc:postgresql://" + at + "/" + place.getProperty("database"), stated);
  }

  static Connection connectedWith(String name, String value) throws SQLException {
    Properties more = new Properties();
    more.setProperty(name, value);
    return connected(more);
  }

  static String userOf(Connection on) throws SQLException {
    try (ResultSet rows = on.createStatement().executeQuery("SELECT current_user")) {
      rows.next();
      return rows.getString(1);
    }
  }

  static Map<String, Object> binding() throws SQLException {
    try (Connection bound = connectedWith(PGProperty.CHANNEL_BINDING.getName(), "require")) {
      return Map.of("user", userOf(bound));
    }
  }

  static Map<String, Object> reflect() throws SQLException {
    DatabaseMetaData told = connection.getMetaData();
    Map<String, Object> seen = new HashMap<>();
    seen.put("tables", column(told.getTables(null, "public", "%", new String[] {"TABLE"}), "TABLE_NAME"));
    seen.put("columns", column(told.getColumns(null, "public", "people", "%"), "COLUMN_NAME"));
    seen.put("types", column(told.getColumns(null, "public", "people", "%"), "TYPE_NAME"));
    seen.put("schemas", column(told.getSchemas(), "TABLE_SCHEM"));
    seen.put("keys", column(told.getPrimaryKeys(null, "public", "people"), "COLUMN_NAME"));
    seen.put("indexes", column(told.getIndexInfo(null, "public", "people", false, false), "INDEX_NAME"));
    return seen;
  }

  static List<Object> column(ResultSet rows, String name) throws SQLException {
    List<Object> values = new ArrayList<>();
    while (rows.next()) values.add(rows.getString(name));
    rows.close();
    return values;
  }

  static Map<String, Object> answer(ResultSet rows) throws SQLException {
    ResultSetMetaData form = rows.getMetaData();
    List<Object> columns = new ArrayList<>();
    for (int at = 1; at <= form.getColumnCount(); at++) columns.add(form.getColumnName(at));
    List<Object> values = new ArrayList<>();
    while (rows.next()) values.add(row(rows, columns.size()));
    return new HashMap<>(Map.of("columns", columns, "rows", values));
  }

  static List<Object> row(ResultSet rows, int width) throws SQLException {
    List<Object> values = new ArrayList<>();
    for (int at = 1; at <= width; at++) values.add(rows.getObject(at));
    return values;
  }

  static Map<String, Object> withNotices() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      Map<String, Object> told = answer(statement.executeQuery(question("literal")));
      List<Object> notices = new ArrayList<>();
      for (SQLWarning each = statement.getWarnings(); each != null; each = each.getNextWarning())
        notices.add(each.getMessage());
      told.put("notices", notices);
      return told;
    }
  }

  static Map<String, Object> simple() throws SQLException {
    try (Connection plain = connectedWith("preferQueryMode", "simple")) {
      return answer(plain.createStatement().executeQuery(question("literal")));
    }
  }

  static Map<String, Object> twice(Connection on) throws SQLException {
    try (PreparedStatement statement = on.prepareStatement(question("prepared").replace("$1", "?"))) {
      statement.setInt(1, Integer.parseInt(place.getProperty("age")));
      Map<String, Object> first = answer(statement.executeQuery());
      first.put("same", first.equals(answer(statement.executeQuery())));
      return first;
    }
  }

  /** A threshold below zero asks for binary results from the first time on. */
  static Map<String, Object> binary() throws SQLException {
    try (Connection at = connectedWith("prepareThreshold", "-1");
        PreparedStatement statement = at.prepareStatement(question("literal"))) {
      ResultSet rows = statement.executeQuery();
      PGResultSetMetaData form = (PGResultSetMetaData) rows.getMetaData();
      List<Object> formats = new ArrayList<>();
      for (int each = 1; each <= 4; each++) formats.add(form.getFormat(each));
      Map<String, Object> told = answer(rows);
      told.put("formats", formats);
      return told;
    }
  }

  static Map<String, Object> cursor() throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(2);
      return answer(statement.executeQuery(question("literal")));
    } finally {
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  static Map<String, Object> copy() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String text = "COPY (" + question("literal") + ") TO STDOUT (FORMAT csv, HEADER)";
    connection.unwrap(PGConnection.class).getCopyAPI().copyOut(text, out);
    return Map.of("csv", out.toString("UTF-8"));
  }

  /** A time limit of its own calls off, as a call of cancel does. */
  static Map<String, Object> cancel() throws Exception {
    try (Statement statement = connection.createStatement()) {
      ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
      later.scheduleAtFixedRate(() -> {
        try {
          statement.cancel();
        } catch (SQLException error) {
          throw new IllegalStateException(error);
        }
      }, 300, 300, TimeUnit.MILLISECONDS);
      String state = "none";
      try {
        statement.executeQuery(question("slow"));
      } catch (SQLException error) {
        state = error.getSQLState();
      } finally {
        later.shutdown();
        later.awaitTermination(9, TimeUnit.SECONDS);
      }
      ResultSet again = statement.executeQuery(question("slow"));
      again.next();
      return Map.of("state", state, "again", again.getDouble(1));
    }
  }

  static Map<String, Object> refusal() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeQuery(question("refused"));
      return Map.of();
    } catch (PSQLException error) {
      var told = error.getServerErrorMessage();
      return Map.of("state", error.getSQLState(), "position", told.getPosition(), "hint", told.getHint());
    }
  }

  static String question(String name) {
    return place.getProperty("questions." + name);
  }

  static String json(Object value) {
    StringJoiner inner;
    if (value instanceof Map<?, ?> map) {
      inner = new StringJoiner(",", "{", "}");
      map.forEach((name, each) -> inner.add(json(name) + ":" + json(each)));
    } else if (value instanceof List<?> list) {
      inner = new StringJoiner(",", "[", "]");
      for (Object each : list) inner.add(json(each));
    } else if (value instanceof String text) {
      return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    } else return String.valueOf(value);
    return inner.toString();
  }
}
