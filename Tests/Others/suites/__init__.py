# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The adapters, by the names of the suites. Only these stand here; the suites are fetched."""

from suites import (a11ysupport, aria_at, chromevox, guidepup, live_regions, orca,
                    situations)

SUITES = {
    "a11ysupport.io": a11ysupport,
    "aria-live-region-tests": live_regions,
    "Orca": orca,
    "guidepup": guidepup,
    "ChromeVox": chromevox,
    "aria-at": aria_at,
    "situations": situations,
}
