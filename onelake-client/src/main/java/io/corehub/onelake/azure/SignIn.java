package io.corehub.onelake.azure;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.identity.AadCredentialBuilderBase;
import com.azure.identity.ClientAssertionCredentialBuilder;
import com.azure.identity.ClientCertificateCredentialBuilder;
import com.azure.identity.ClientSecretCredentialBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import io.corehub.onelake.AuthorityHost;
import io.corehub.onelake.ClientCertificate;
import io.corehub.onelake.Credentials;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.FederatedToken;
import io.corehub.onelake.InvalidValueException;
import io.corehub.onelake.internal.PemBlock;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Signs in: one token request for OneLake's scope, each time anew, with what the credentials' files
 * hold at that time. Thread-safe.
 *
 * <p>The request goes out through a client that knows the one place it may go to: {@link
 * EntraClient} for an app, {@link ManagedIdentityClient} for a managed identity.
 */
final class SignIn implements Supplier<TokenSource.Grant> {
  /** OneLake takes tokens of this audience alone. */
  static final String SCOPE = "https://storage.azure.com/.default";

  static final String OPERATION = "sign-in";

  private static final Pattern TOKEN = Pattern.compile("[!-~]+");

  private final Credentials credentials;
  private final AuthorityHost authority;
  private final HttpPipeline pipeline;
  private final Clock clock;

  /**
   * @param authority where an app signs in
   * @param transport for a managed identity one that takes no proxy
   */
  SignIn(Credentials credentials, AuthorityHost authority, Transport transport, Clock clock) {
    this.credentials = credentials;
    this.authority = authority;
    this.clock = clock;
    HttpClient client =
        credentials instanceof Credentials.ManagedIdentity
            ? new ManagedIdentityClient(transport, clock)
            : new EntraClient(authority, transport, clock);
    this.pipeline = new HttpPipelineBuilder().httpClient(client).build();
  }

  @Override
  public TokenSource.Grant get() {
    try {
      AccessToken token = credential().getTokenSync(new TokenRequestContext().addScopes(SCOPE));
      if (!TOKEN.matcher(token.getToken()).matches()) {
        throw notUnderstood("its token is none that a header can hold");
      }
      return new TokenSource.Grant(token.getToken(), token.getExpiresAt().toInstant());
    } catch (InvalidValueException e) {
      throw DfsException.of(Kind.SIGN_IN_REFUSED, OPERATION)
          .build(String.valueOf(e.getMessage()), e);
    } catch (RuntimeException e) {
      if (Failures.find(e, InterruptedException.class).isPresent()) {
        throw e;
      }
      // Not as the cause: the libraries put what they could not read, with any token in it, there.
      throw Failures.find(e, DfsException.class)
          .orElseGet(() -> notUnderstood(e.getClass().getSimpleName()));
    }
  }

  private DfsException notUnderstood(String why) {
    return DfsException.of(Kind.UNEXPECTED_ANSWER, OPERATION)
        .build(
            "sign-in of "
                + credentials.identity()
                + ": the answer could not be understood ("
                + why
                + ").");
  }

  private TokenCredential credential() {
    if (credentials instanceof Credentials.ClientSecret app) {
      return atEntra(new ClientSecretCredentialBuilder(), app)
          .clientSecret(app.secret().reveal())
          .build();
    }
    if (credentials instanceof Credentials.Certificate app) {
      ClientCertificate certificate =
          ClientCertificate.read(app.file(), app.password(), clock.instant());
      return atEntra(new ClientCertificateCredentialBuilder(), app)
          .pemCertificate(new ByteArrayInputStream(pem(certificate)))
          .build();
    }
    if (credentials instanceof Credentials.WorkloadIdentity app) {
      String assertion = FederatedToken.read(app.tokenFile()).reveal();
      return atEntra(new ClientAssertionCredentialBuilder(), app)
          .clientAssertion(() -> assertion)
          .build();
    }
    if (credentials instanceof Credentials.ManagedIdentity identity) {
      ManagedIdentityCredentialBuilder builder =
          new ManagedIdentityCredentialBuilder()
              .configuration(HttpClients.noConfiguration())
              .executorService(new CallingThread())
              .pipeline(pipeline);
      identity.clientId().ifPresent(builder::clientId);
      return builder.build();
    }
    throw new IllegalStateException("Unknown credentials: " + credentials.getClass());
  }

  private <B extends AadCredentialBuilderBase<B>> B atEntra(B builder, Credentials.App app) {
    return builder
        // First: it resets the authority host.
        .configuration(HttpClients.noConfiguration())
        .authorityHost(authority.toString())
        .tenantId(app.tenantId().value())
        .clientId(app.clientId())
        .disableInstanceDiscovery()
        .executorService(new CallingThread())
        .pipeline(pipeline);
  }

  /** The one form that the identity library reads whatever form the user's file has. */
  private static byte[] pem(ClientCertificate certificate) {
    StringBuilder pem =
        new StringBuilder(new PemBlock("PRIVATE KEY", certificate.key().getEncoded()).text());
    try {
      for (X509Certificate one : certificate.chain()) {
        pem.append(new PemBlock("CERTIFICATE", one.getEncoded()).text());
      }
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("A certificate that was read can be written", e);
    }
    return pem.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
