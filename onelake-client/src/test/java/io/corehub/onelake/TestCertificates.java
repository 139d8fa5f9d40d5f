package io.corehub.onelake;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Makes certificates as a user would, with the JDK's keytool, and writes them as PEM. Stateless.
 */
public final class TestCertificates {
  private static final String PROTECTION = "PBEWithHmacSHA256AndAES_256";

  private TestCertificates() {}

  /** A new PFX file; further options as keytool takes them, such as {@code -startdate -2d}. */
  public static Path pfx(Path file, String password, String algorithm, String... options)
      throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "own",
                "-keyalg",
                algorithm,
                "-dname",
                "CN=core-hub",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                password));
    command.addAll(List.of(options));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new AssertionError("keytool: " + said);
    }
    return file;
  }

  public static Key key(Path pfx, String password) throws Exception {
    return store(pfx, password).getKey("own", password.toCharArray());
  }

  public static Certificate certificate(Path pfx, String password) throws Exception {
    return store(pfx, password).getCertificate("own");
  }

  /** One block of a PEM file. */
  public static String pem(String label, byte[] content) {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
  }

  /** A private key under a password, as {@code openssl pkcs8 -topk8} protects it. */
  public static byte[] protectedKey(Key key, String password) throws Exception {
    Cipher cipher = Cipher.getInstance(PROTECTION);
    cipher.init(
        Cipher.ENCRYPT_MODE,
        SecretKeyFactory.getInstance(PROTECTION)
            .generateSecret(new PBEKeySpec(password.toCharArray())));
    AlgorithmParameters parameters = AlgorithmParameters.getInstance("PBES2");
    parameters.init(cipher.getParameters().getEncoded());
    return new EncryptedPrivateKeyInfo(parameters, cipher.doFinal(key.getEncoded())).getEncoded();
  }

  private static KeyStore store(Path pfx, String password) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(pfx)) {
      store.load(in, password.toCharArray());
    }
    return store;
  }
}
