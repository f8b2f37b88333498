"""ZIP files as irattn and the compiler write them: stored members, one after the other.

Nothing is compressed, so the bytes depend on no library's version and no member can unpack to more
than the file holds.
"""

import io
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Mapping

from irattn.core.errors import ArtifactError

# Far more than any catalogue entry for every target takes.
MAX_BYTES = 1 << 30

_LOCAL_HEADER = struct.Struct("<4s5H3L2H")
_LOCAL_MAGIC = b"PK\x03\x04"
_END_MAGIC, _END_BYTES = b"PK\x05\x06", 22
_UTF8 = 0x800
_EPOCH = (1980, 1, 1, 0, 0, 0)
_MAX_PATH = 512

# What zipfile raises for files that are not what they say.
_ZIP_ERRORS = (
    *(zipfile.BadZipFile, NotImplementedError, OSError, ValueError, RuntimeError),
    *(EOFError, struct.error, OverflowError, IndexError),
)


def write_stored(members: Mapping[str, bytes]) -> bytes:
    """A ZIP of these members in their order; equal members give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for path, data in members.items():
            info = zipfile.ZipInfo(path, _EPOCH)
            info.create_system = 3
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(info, data)
    return buffer.getvalue()


def read_stored(data: bytes, alignment: int = 1) -> dict[str, bytes]:
    """The members of a ZIP, by path and in the order in which they lie.

    `alignment` is what their contents may be padded to with zeros. ArtifactError for anything that
    two readers of the format could understand differently: members that are compressed, that share
    a path or bytes, that have an unsafe path or are no plain files, sizes that disagree, and bytes
    that belong to no member.
    """
    if len(data) > MAX_BYTES:
        raise ArtifactError(f"expected at most {MAX_BYTES} bytes, got {len(data)}")
    if data[-_END_BYTES:][:4] != _END_MAGIC:
        raise ArtifactError("truncated, or followed by something: it does not end as a ZIP file")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = sorted(archive.infolist(), key=lambda info: info.header_offset)
            start = archive.start_dir
    except _ZIP_ERRORS as error:
        raise ArtifactError(f"not a whole ZIP file: {error}") from error
    members: dict[str, bytes] = {}
    end = 0
    for info in infos:
        path = _checked_path(info)
        if path in members:
            raise ArtifactError(f"member {path}: it is there twice")
        _check_gap(data, end, info.header_offset, alignment)
        members[path], end = _contents(data, info, start)
    _check_gap(data, end, start, alignment)
    return members


def _checked_path(info: zipfile.ZipInfo) -> str:
    """The path of a member; ArtifactError for one that leaves its folder, or is no plain file."""
    path = info.orig_filename
    parts = path.split("/")
    if path.startswith("/") or re.match(r"[A-Za-z]:", path) or "\\" in path or ".." in parts:
        raise ArtifactError(f"member {path!r}: its path leads out of the archive")
    if len(path) > _MAX_PATH or not path.isprintable() or "." in parts or "" in parts:
        raise ArtifactError(f"member {path[:_MAX_PATH]!r}: expected the plain path of a file")
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        what = "a symbolic link" if kind == stat.S_IFLNK else "no plain file"
        raise ArtifactError(f"member {path}: it is {what}")
    if info.compress_type != zipfile.ZIP_STORED:
        raise ArtifactError(f"member {path}: expected stored bytes, got compressed ones")
    if info.flag_bits & ~_UTF8:
        raise ArtifactError(f"member {path}: it is encrypted, or streamed without its sizes")
    return path


def _contents(data: bytes, info: zipfile.ZipInfo, limit: int) -> tuple[bytes, int]:
    """The bytes of a member and where they end, if its two headers and its bytes agree."""
    path = info.orig_filename
    header_end = info.header_offset + _LOCAL_HEADER.size
    if header_end > limit:
        raise ArtifactError(f"member {path}: it lies outside of the file")
    magic, _, flags, method, _, _, crc, packed, size, name_size, extra_size = _LOCAL_HEADER.unpack(
        data[info.header_offset : header_end]
    )
    name = data[header_end : header_end + name_size]
    begin = header_end + name_size + extra_size
    end = begin + info.file_size
    # A size of all ones stands in the extra field, as the one in the directory does.
    sizes = {info.file_size, info.compress_size, *({packed, size} - {0xFFFFFFFF})}
    if len(sizes) > 1 or end > limit:
        raise ArtifactError(f"member {path}: its sizes disagree, or are more than the file holds")
    if (magic, flags, method) != (_LOCAL_MAGIC, info.flag_bits, info.compress_type) or (
        name != path.encode("utf-8" if flags & _UTF8 else "cp437", "replace") or crc != info.CRC
    ):
        raise ArtifactError(f"member {path}: its header and the directory disagree")
    contents = data[begin:end]
    if zlib.crc32(contents) != crc:
        raise ArtifactError(f"member {path}: altered bytes (its checksum differs)")
    return contents, end


def _check_gap(data: bytes, end: int, begin: int, alignment: int) -> None:
    """Refuse members that overlap, and bytes between them that are no padding."""
    gap = data[end:begin]
    if begin < end or begin - end >= max(alignment, 1) or any(gap):
        raise ArtifactError(f"bytes {end} to {begin}: members overlap, or bytes belong to none")
