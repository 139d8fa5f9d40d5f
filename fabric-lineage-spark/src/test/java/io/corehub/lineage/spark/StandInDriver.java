package io.corehub.lineage.spark;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.logging.Logger;

/**
 * Stands in for the SQL Server driver and the warehouse behind it: takes the URLs that Fabric's
 * connector reads over, and answers from a database in memory.
 */
public final class StandInDriver implements Driver {

  private static final String MEMORY =
      "jdbc:h2:mem:warehouse;DB_CLOSE_DELAY=-1;MODE=MSSQLServer;CASE_INSENSITIVE_IDENTIFIERS=TRUE";

  /** Creates the driver; used by Spark. */
  public StandInDriver() {}

  static Connection memory() throws SQLException {
    return DriverManager.getConnection(MEMORY);
  }

  @Override
  public Connection connect(String url, Properties info) throws SQLException {
    return acceptsURL(url) ? memory() : null;
  }

  @Override
  public boolean acceptsURL(String url) {
    return url.startsWith("jdbc:sqlserver:");
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
    return new DriverPropertyInfo[0];
  }

  @Override
  public int getMajorVersion() {
    return 1;
  }

  @Override
  public int getMinorVersion() {
    return 0;
  }

  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }
}
