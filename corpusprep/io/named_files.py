"""Opens files that users name. A device has no end, and a pipe waits for its writer."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO


def read(path: Path) -> bytes:
    """Returns the content of a file, or of a pipe, such as a shell makes of `<(command)`.

    Raises:
        OSError: it cannot be read, or is a device other than a terminal and /dev/null.
    """
    with path.open("rb", buffering=0) as file:
        mode, device = (status := os.fstat(file.fileno())).st_mode, status.st_rdev
        endless = stat.S_ISCHR(mode) and not file.isatty() and device != Path(os.devnull).stat().st_rdev
        if endless or stat.S_ISBLK(mode):
            raise OSError(errno.EINVAL, "it is a device, not a file", str(path))
        return file.read()


def open_file(path: Path) -> BinaryIO:
    """Opens a file that is read at any place, or only if it begins as it must.

    Raises:
        OSError: it cannot be opened, or is a pipe or device.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # to open a pipe would wait for its writer
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is a folder, pipe or device, not a file", str(path))
    return open(descriptor, "rb")  # noqa: PTH123 - a number of an open file
