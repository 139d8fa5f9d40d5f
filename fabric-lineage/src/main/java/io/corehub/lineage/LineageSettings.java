package io.corehub.lineage;

import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.Setting.Kind;
import io.corehub.agent.settings.SettingsSchema;
import java.util.List;

/** Every setting of lineage. Immutable. */
final class LineageSettings {

  private static final String EVENTS = "Events";
  private static final String NAMES = "Names in Fabric";
  private static final String SENDING = "Sending";

  static final Setting<Boolean> ENABLED =
      Setting.toggle(
              "enabled",
              "Send lineage",
              "Whether OpenLineage events tell a catalogue what is moved from where to where.",
              false)
          .inGroup(EVENTS);

  static final Setting<String> CONFIG_FILE =
      Setting.file(
              "configFile",
              "OpenLineage configuration",
              "Path of the client's openlineage.yml, which says where events go: console, file,"
                  + " http, kafka, composite. Without it the client looks where it always looks:"
                  + " OPENLINEAGE_CONFIG, ./openlineage.yml, ~/.openlineage/openlineage.yml, and"
                  + " OPENLINEAGE__ variables.")
          .inGroup(EVENTS);

  static final Setting<String> JOB_NAMESPACE =
      Setting.text(
              "jobNamespace",
              "Namespace of jobs",
              "Where the catalogue shows the jobs; the name of the hub if left out.")
          .inGroup(EVENTS);

  static final Setting<Integer> INTERVAL_SECONDS =
      Setting.number(
              "intervalSeconds",
              "Seconds between two events of a table",
              "A table that publishes tells of it at most this often, and an idle one not at all.",
              Kind.SECONDS,
              60,
              1,
              86_400)
          .inGroup(EVENTS);

  static final Setting<Boolean> COLUMN_LINEAGE =
      Setting.toggle(
              "columnLineage",
              "Lineage of columns",
              "Whether events say which column of the source each column comes from.",
              true)
          .inGroup(EVENTS);

  static final Setting<String> JOB_TAGS =
      Setting.text(
              "jobTags",
              "Tags of the jobs",
              "Pairs of key and value, as key=value,key=value or a list of them.")
          .inGroup(EVENTS);

  static final Setting<String> JOB_OWNERS =
      Setting.text(
              "jobOwners",
              "Owners of the jobs",
              "Names, each with the kind of ownership if you like, as name=kind,name or a list of them,"
                  + " such as team:sales=MAINTAINER.")
          .inGroup(EVENTS);

  static final Setting<String> MIRRORED_DATABASE_NAME =
      Setting.text(
              "mirroredDatabaseName",
              "Name of the mirrored database",
              "As SQL names it. Needed when the landing zone URL has its ID: without the name, a table"
                  + " is called by its OneLake path, and readers by SQL name do not join.")
          .inGroup(NAMES);

  static final Setting<String> WORKSPACE_NAME =
      Setting.text(
              "workspaceName",
              "Name of the workspace",
              "Shown in the fabric_onelake facet, if the tables are in the landing zone's workspace.")
          .inGroup(NAMES);

  static final Setting<String> SQL_ENDPOINT =
      Setting.text(
              "sqlEndpoint",
              "SQL address of the workspace",
              "Ends with .datawarehouse.fabric.microsoft.com. Without it, the address is built from the"
                  + " IDs of tenant and workspace.")
          .inGroup(NAMES);

  static final Setting<String> TENANT_ID =
      Setting.text(
              "tenantId",
              "Tenant ID of Fabric",
              "GUID of the tenant that the workspace is in; the agent's tenantId if left out.")
          .inGroup(NAMES);

  static final Setting<String> DEFAULT_SCHEMA =
      Setting.text("defaultSchema", "Default schema", "SQL schema of tables that have none.")
          .withDefault("dbo")
          .inGroup(NAMES);

  static final Setting<Boolean> FABRIC_FACET =
      Setting.toggle(
              "fabricFacet",
              "The fabric_onelake facet",
              "Whether datasets in Fabric carry the facet that says where in OneLake they are.",
              true)
          .inGroup(NAMES);

  static final Setting<Integer> QUEUE_SIZE =
      Setting.number(
              "queueSize",
              "Events that may wait",
              "When more wait, because the catalogue does not answer, what a table published is told in"
                  + " fewer and larger steps; starts, ends and failures are kept.",
              Kind.INTEGER,
              1_000,
              1,
              1_000_000)
          .inGroup(SENDING);

  static final Setting<Integer> SHUTDOWN_SECONDS =
      Setting.number(
              "shutdownSeconds",
              "Seconds to send what is left",
              "How long the end of a pipeline may wait for the catalogue.",
              Kind.SECONDS,
              5,
              0,
              30)
          .inGroup(SENDING);

  static final SettingsSchema ALL =
      new SettingsSchema(
          List.of(
              ENABLED,
              CONFIG_FILE,
              JOB_NAMESPACE,
              INTERVAL_SECONDS,
              COLUMN_LINEAGE,
              JOB_TAGS,
              JOB_OWNERS,
              MIRRORED_DATABASE_NAME,
              WORKSPACE_NAME,
              SQL_ENDPOINT,
              TENANT_ID,
              DEFAULT_SCHEMA,
              FABRIC_FACET,
              QUEUE_SIZE,
              SHUTDOWN_SECONDS));

  private LineageSettings() {}
}
