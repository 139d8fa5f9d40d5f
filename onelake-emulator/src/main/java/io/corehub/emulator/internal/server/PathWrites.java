package io.corehub.emulator.internal.server;

import io.corehub.emulator.internal.server.Namespace.Place;
import io.corehub.emulator.internal.store.Entry;
import io.corehub.emulator.internal.store.FileStore;
import io.corehub.emulator.internal.store.PathLocks;
import java.io.IOException;
import java.util.Optional;

/** Create, rename and delete. Thread-safe. */
final class PathWrites {
  private final FileStore store;
  private final PathLocks locks;
  private final Namespace namespace;
  private final FileAppends appends;

  PathWrites(FileStore store, PathLocks locks, Namespace namespace, FileAppends appends) {
    this.store = store;
    this.locks = locks;
    this.namespace = namespace;
    this.appends = appends;
  }

  Answer create(Call call, Place place) throws IOException {
    requireEmptyBody(call);
    String resource = call.parameter("resource").orElse("");
    if (!resource.equals("file") && !resource.equals("directory")) {
      throw RefusedException.invalidQuery("resource", resource);
    }
    boolean directory = resource.equals("directory");
    if (place.managed()) {
      boolean present = store.find(place.storePath()).isPresent();
      throw present && directory && Conditions.mustBeAbsent(call.headers())
          ? RefusedException.pathAlreadyExists()
          : RefusedException.managedFolder();
    }
    return locks.onFile(
        place.storePath(),
        () -> {
          Optional<Entry> present = store.find(place.storePath());
          Conditions.requireForReplacing(call.headers(), present);
          if (present.isPresent() && present.get().directory() != directory) {
            throw new RefusedException(
                409, "ResourceTypeMismatch", "What stands at the path is not a " + resource + ".");
          }
          requireDirectoriesAbove(place);
          if (directory) {
            store.createDirectories(place.storePath());
          } else {
            appends.forget(place.storePath());
            store.createFile(place.storePath());
          }
          return written(201, place);
        });
  }

  Answer rename(Call call, Place destination) throws IOException {
    if (call.contentLength() > 0) {
      throw contentLengthMustBeZero();
    }
    Place source = source(call);
    if (destination.managed() || source.managed()) {
      throw RefusedException.managedFolder();
    }
    boolean tree = store.find(source.storePath()).map(Entry::directory).orElse(false);
    PathLocks.Work<Answer> work = () -> renameLocked(call, source, destination);
    return tree
        ? locks.onTree(work)
        : locks.onFiles(source.storePath(), destination.storePath(), work);
  }

  private Answer renameLocked(Call call, Place source, Place destination) throws IOException {
    String from = source.storePath();
    String to = destination.storePath();
    Entry moved =
        store
            .find(from)
            .orElseThrow(
                () ->
                    new RefusedException(
                        404,
                        "SourcePathNotFound",
                        "The source path for a rename operation does not exist."));
    Conditions.requireOfSource(call.headers(), Optional.of(moved));
    if (!store.find(destination.parentPath()).map(Entry::directory).orElse(false)) {
      throw new RefusedException(
          404,
          "RenameDestinationParentPathNotFound",
          "The parent directory of the destination path does not exist.");
    }
    Optional<Entry> present = store.find(to);
    Conditions.requireForReplacing(call.headers(), present);
    if (moved.directory() && (to + "/").startsWith(from + "/")) {
      throw new RefusedException(
          409, "InvalidRenameSourcePath", "A directory cannot be moved into itself.");
    }
    if (present.isPresent() && !from.equals(to)) {
      if (present.get().directory() != moved.directory()) {
        throw new RefusedException(
            409, "ResourceTypeMismatch", "Source and destination are of different types.");
      }
      if (moved.directory() && !store.children(to).isEmpty()) {
        throw new RefusedException(
            409, "DirectoryNotEmpty", "The destination directory is not empty.");
      }
      if (moved.directory()) {
        store.delete(to);
      }
    }
    if (!from.equals(to)) {
      store.move(from, to);
      appends.moved(from, to);
    }
    return written(201, destination);
  }

  private Place source(Call call) throws IOException {
    String header = call.header("x-ms-rename-source").orElse("");
    int query = header.indexOf('?');
    String path = PercentDecoding.decode(query < 0 ? header : header.substring(0, query));
    if (!path.startsWith("/")) {
      throw new RefusedException(
          400,
          "InvalidSourceUri",
          "The source URI is invalid: x-ms-rename-source must be /{filesystem}/{path}, is "
              + header);
    }
    try {
      return namespace.resolve(path);
    } catch (RefusedException e) {
      if (e.status() == 404) {
        throw new RefusedException(
            404, "SourcePathNotFound", "The source path for a rename operation does not exist.");
      }
      throw e;
    }
  }

  Answer delete(Call call, Place place) throws IOException {
    if (place.managed() || place.fileSystem()) {
      throw RefusedException.managedFolder();
    }
    boolean tree = store.find(place.storePath()).map(Entry::directory).orElse(false);
    PathLocks.Work<Answer> work = () -> deleteLocked(call, place);
    return tree ? locks.onTree(work) : locks.onFile(place.storePath(), work);
  }

  private Answer deleteLocked(Call call, Place place) throws IOException {
    Entry entry = store.find(place.storePath()).orElseThrow(RefusedException::pathNotFound);
    Conditions.require(call.headers(), Optional.of(entry));
    if (entry.directory()
        && !call.flag("recursive")
        && !store.children(place.storePath()).isEmpty()) {
      throw new RefusedException(
          409,
          "DirectoryNotEmpty",
          "The recursive query parameter value must be true to delete a non-empty directory.");
    }
    store.delete(place.storePath());
    appends.forgetBelow(place.storePath());
    return Answer.empty(200);
  }

  /** Puts a whole file, as somebody else would have done in the meantime. */
  void plant(Place place, byte[] content) throws IOException {
    locks.onFile(
        place.storePath(),
        () -> {
          appends.forget(place.storePath());
          store.write(place.storePath(), content);
          return place;
        });
  }

  private Answer written(int status, Place place) throws IOException {
    Entry entry = store.find(place.storePath()).orElseThrow(RefusedException::pathNotFound);
    return PathHeaders.describe(Answer.empty(status), entry)
        .with("x-ms-request-server-encrypted", "true");
  }

  private void requireDirectoriesAbove(Place place) throws IOException {
    String path = place.storePath();
    int slash = path.lastIndexOf('/');
    Optional<Entry> parent = store.find(path.substring(0, slash));
    while (parent.isEmpty() && slash > 0) {
      slash = path.lastIndexOf('/', slash - 1);
      parent = slash > 0 ? store.find(path.substring(0, slash)) : parent;
    }
    if (parent.isPresent() && !parent.get().directory()) {
      throw new RefusedException(
          409, "PathConflict", "A part of the path is a file: " + parent.get().name() + ".");
    }
  }

  static void requireEmptyBody(Call call) throws RefusedException {
    if (call.contentLength() != 0) {
      throw contentLengthMustBeZero();
    }
  }

  private static RefusedException contentLengthMustBeZero() {
    return new RefusedException(
        400, "ContentLengthMustBeZero", "The Content-Length request header must be zero.");
  }
}
