"""Lets Scrapy connect to public addresses only (see network), by the addresses that it gets for names."""

from collections.abc import Sequence
from typing import Any

from scrapy.resolver import CachingHostnameResolver
from twisted.internet.interfaces import IAddress, IHostResolution, IResolutionReceiver
from zope.interface import implementer  # type: ignore[import-untyped]

from corpusprep.remote import network

#: Names whose addresses are kept in memory.
_CACHED = 10_000


@implementer(IResolutionReceiver)
class _PublicOnly:
    """Passes on public addresses."""

    def __init__(self, receiver: Any, name: str, private: set[str]) -> None:
        self._receiver, self._name, self._private = receiver, name, private
        self._found = [0, 0]

    def resolutionBegan(self, resolution: IHostResolution) -> None:  # noqa: N802 - the names are Twisted's
        self._receiver.resolutionBegan(resolution)

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        fine = network.is_public(address.host)
        self._found[fine] += 1
        if fine:
            self._receiver.addressResolved(address)

    def resolutionComplete(self) -> None:  # noqa: N802
        refused, passed = self._found
        if refused and not passed:
            self._private.add(self._name)
        self._receiver.resolutionComplete()


class Resolver(CachingHostnameResolver):
    """Looks names up; connections are made to the addresses that it gives."""

    def __init__(self, reactor: Any, allow_private: bool, private: set[str]) -> None:
        """A resolver.

        Args:
            reactor: of Twisted.
            allow_private: whether all addresses are passed on.
            private: names that have private addresses only are added to it.
        """
        super().__init__(reactor, _CACHED)
        self._allow_private, self._private, self._proxies = allow_private, private, network.proxy_places()

    def resolveHostName(  # noqa: N802
        self,
        resolutionReceiver: IResolutionReceiver,  # noqa: N803
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type[IAddress]] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> IHostResolution:
        """Looks a name up; the proxies of the environment may be private."""
        receiver: Any = resolutionReceiver
        if not self._allow_private and (hostName, portNumber) not in self._proxies:
            receiver = _PublicOnly(receiver, hostName.lower().rstrip("."), self._private)
        return super().resolveHostName(receiver, hostName, portNumber, addressTypes, transportSemantics)
