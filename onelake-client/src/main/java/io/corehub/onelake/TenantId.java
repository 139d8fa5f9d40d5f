package io.corehub.onelake;

import io.corehub.onelake.internal.LogText;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A Microsoft Entra tenant: a GUID or a domain name, so that it can never change the path of a
 * sign-in request. Immutable.
 */
public record TenantId(String value) {
  private static final Pattern GUID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final Pattern DOMAIN =
      Pattern.compile(
          "(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?");

  public TenantId {
    value = value.strip();
    String lower = value.toLowerCase(Locale.ROOT);
    if (!GUID.matcher(lower).matches() && !DOMAIN.matcher(lower).matches()) {
      throw new InvalidValueException(
          "Tenant ID '"
              + LogText.safe(value)
              + "' is neither a GUID nor a domain name. Enter the Directory (tenant) ID shown on the overview page of the app"
              + " registration.");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
