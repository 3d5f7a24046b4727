"""Objects of storage with the interface of S3, by obstore, an extra: it signs requests, lists, and knows the keys.

Keys, region and server are those of the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN,
AWS_REGION, AWS_ENDPOINT_URL; AWS_SKIP_SIGNATURE=true asks without keys. Machines of Amazon have roles.
"""

import os
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from corpusprep import startup
from corpusprep.errors import ConfigError
from corpusprep.remote.addresses import STORAGE, Status
from corpusprep.remote.connections import FetchError, fault

if TYPE_CHECKING:
    from obstore.store import S3Store

_T = TypeVar("_T")
#: For a whole answer: a part in this time is 35 kB a second.
_TIMEOUT = timedelta(seconds=120)


@dataclass(slots=True)
class Storage:
    """A client of storage.

    Attributes:
        tries: of each request.
        pause: seconds before the second try, and twice as many before each further one.
    """

    tries: int = 6
    pause: float = 1.0
    _stores: dict[str, "S3Store"] = field(default_factory=dict, repr=False)

    def status(self, url: str) -> Status:
        """Returns size and version of an object.

        Raises:
            FetchError: the storage does not have it, does not let it be read, or fails again and again.
            ConfigError: obstore is not installed, or does not take the settings of the environment.
        """
        store, key = self._place(url)
        return _status(self._repeat(url, lambda: store.head(key)))

    def part(self, url: str, offset: int, length: int, version: str) -> bytes:
        """Returns `length` bytes of an object from `offset` on, of this version.

        Raises:
            FetchError, ConfigError: as `status`; or it has another version by now.
        """
        store, key = self._place(url)

        def step() -> bytes:
            options: Any = {"range": (offset, offset + length)}
            if version:
                options["if_match"] = version
            data = bytes(store.get(key, options=options).bytes())
            if len(data) != length:
                raise _ShortError(f"{len(data):,} of {length:,} bytes came")
            return data

        return self._repeat(url, step)

    def listed(self, url: str) -> Iterator[tuple[str, Status]]:
        """Yields the objects whose addresses begin with `url`, with size and version.

        Raises:
            FetchError, ConfigError: as `status`.
        """
        store, prefix = self._place(url)
        folder = prefix.rpartition("/")[0]  # obstore lists whole folders
        bucket = url.removesuffix(prefix)
        for item in self._repeat(url, lambda: store.list(folder or None).collect()):
            if item["path"].startswith(prefix):
                yield f"{bucket}{item['path']}", _status(item)

    def _place(self, url: str) -> tuple["S3Store", str]:
        """Returns the bucket of an address, and the key."""
        bucket, _, key = url.removeprefix(STORAGE).partition("/")
        if bucket not in self._stores:
            self._stores[bucket] = _store(bucket)
        return self._stores[bucket], key

    def _repeat(self, url: str, step: Callable[[], _T]) -> _T:
        from obstore import exceptions

        for failed in range(1, self.tries + 1):
            try:
                return step()
            except (FileNotFoundError, exceptions.NotFoundError):
                raise FetchError(f"{url}: 404, no such object; correct the address", lasting=True) from None
            except (exceptions.PermissionDeniedError, exceptions.UnauthenticatedError, PermissionError):
                raise FetchError(f"{url}: 403, access denied; {_KEYS}", lasting=True) from None
            except exceptions.PreconditionError:
                raise FetchError(f"{url}: changed while it was read; run the command again", lasting=True) from None
            except (exceptions.BaseError, OSError, _ShortError) as error:
                reason = _reason(error)
                if _NO_KEYS.search(str(error)):
                    raise FetchError(f"{url}: no keys for the storage; {_KEYS}", lasting=True) from None
                if failed == self.tries:
                    raise FetchError(f"{url}: {reason} (tries: {failed}); run the command again later") from None
            time.sleep(self.pause * 2 ** (failed - 1))
        raise AssertionError("no try")


#: In obstore's messages, what the server or the network said.
_SAID = re.compile(r"(?:status code:|HTTP error:)\s*(.+)")
#: It asks for the role of a machine of Amazon where there are no keys.
_NO_KEYS = re.compile(r"credential|instance metadata|169\.254\.|/api/token", re.IGNORECASE)
_KEYS = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SKIP_SIGNATURE=true for public objects"


class _ShortError(Exception):
    """Fewer bytes came than were asked for."""


def _library() -> Any:
    try:
        from obstore import store
    except ImportError as error:
        raise ConfigError(f"s3:// addresses: {startup.what_to_install(error) or error}") from None
    return store


def _store(bucket: str) -> "S3Store":
    library = _library()
    names = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
    endpoint = next((os.environ[name] for name in names if os.environ.get(name)), "")
    if endpoint and (problem := fault(endpoint)):
        raise ConfigError(f"AWS_ENDPOINT_URL: {endpoint!r} is not a valid address ({problem}); correct it")
    try:
        store: S3Store = library.S3Store(
            bucket,
            **({"endpoint": endpoint} if endpoint else {}),
            client_options={
                "allow_http": urlsplit(endpoint).scheme == "http",
                "timeout": _TIMEOUT,
            },
            retry_config={"max_retries": 0, "retry_timeout": _TIMEOUT},
        )
    except Exception as error:  # of many kinds, by what is wrong with the environment
        raise ConfigError(f"s3://{bucket}: {_reason(error)}; correct AWS_… of the environment") from None
    return store


def _status(item: Any) -> Status:
    return Status(int(item["size"]), item["e_tag"] or str(item["last_modified"]))


def _reason(error: Exception) -> str:
    """Returns what the library says in one line, without its own names."""
    first = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
    said = _SAID.search(first)
    return " ".join((said[1] if said else first).split())[:200].rstrip(": ")
