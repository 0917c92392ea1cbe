"""How much memory this process uses, on every system that can tell."""

from __future__ import annotations

import sys
from pathlib import Path

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

_RUSAGE_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in one unit of `ru_maxrss`."""
_STATM = Path("/proc/self/statm")


def peak_memory_mb(include_children: bool = False) -> float:
    """The largest resident memory of this process so far, in MiB.

    With `include_children`, that of the largest process among this one and the children it has
    waited for (on Windows, this process alone). 0.0 on a system that keeps no such figure.
    """
    if resource is None:
        return _windows_working_set_mb()[1]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if include_children:
        peak = max(peak, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    return peak * _RUSAGE_UNIT / 2**20


def resident_memory_mb() -> float:
    """The memory that this process holds now, in MiB.

    The peak so far on a system that tells only that (macOS), 0.0 on one that tells neither.
    """
    if resource is None:
        return _windows_working_set_mb()[0]
    try:
        pages = int(_STATM.read_text("ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return peak_memory_mb()
    return pages * resource.getpagesize() / 2**20


def _windows_working_set_mb() -> tuple[float, float]:
    """The current and the peak working set of this process; zeros elsewhere."""
    if sys.platform != "win32":
        return 0.0, 0.0
    import ctypes
    from ctypes import wintypes

    class Counters(ctypes.Structure):  # PROCESS_MEMORY_COUNTERS of psapi.h
        _fields_ = (
            ("cb", wintypes.DWORD),
            ("PageFaultCount", wintypes.DWORD),
            ("PeakWorkingSetSize", ctypes.c_size_t),
            ("WorkingSetSize", ctypes.c_size_t),
            ("QuotaPeakPagedPoolUsage", ctypes.c_size_t),
            ("QuotaPagedPoolUsage", ctypes.c_size_t),
            ("QuotaPeakNonPagedPoolUsage", ctypes.c_size_t),
            ("QuotaNonPagedPoolUsage", ctypes.c_size_t),
            ("PagefileUsage", ctypes.c_size_t),
            ("PeakPagefileUsage", ctypes.c_size_t),
        )

    kernel = ctypes.WinDLL("kernel32")
    kernel.GetCurrentProcess.restype = wintypes.HANDLE
    query = kernel.K32GetProcessMemoryInfo
    query.argtypes = (wintypes.HANDLE, ctypes.POINTER(Counters), wintypes.DWORD)
    query.restype = wintypes.BOOL
    counters = Counters(cb=ctypes.sizeof(Counters))
    if not query(kernel.GetCurrentProcess(), ctypes.byref(counters), counters.cb):
        return 0.0, 0.0
    return counters.WorkingSetSize / 2**20, counters.PeakWorkingSetSize / 2**20
