"""A check that cannot run says so, and with CI=true it fails."""

from __future__ import annotations

import pytest

from needs import needs


@pytest.mark.parametrize("ci", ["true", "", None])
def test_needs(monkeypatch, ci):
    if ci is None:
        monkeypatch.delenv("CI", raising=False)
    else:
        monkeypatch.setenv("CI", ci)
    needs(True, "thing")
    outcome = pytest.fail.Exception if ci == "true" else pytest.skip.Exception
    with pytest.raises(outcome, match="no thing"):
        needs(False, "thing")
