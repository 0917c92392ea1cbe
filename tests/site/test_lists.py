"""Lists of one's own in a browser: dropped, played, kept; what is no list is refused."""

from __future__ import annotations

import re

import pytest

from site_pages import PHONE

pytestmark = pytest.mark.slow

DROP = """([name, bytes]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([Uint8Array.from(bytes)], name));
  const options = { dataTransfer, bubbles: true, cancelable: true };
  dispatchEvent(new DragEvent("drop", options));
}"""


def drop(page, name: str, content: bytes) -> None:
    """Drop a file on the page."""
    page.evaluate(DROP, [name, list(content)])


def test_a_list_becomes_a_game(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/play", ".board")
    drop(page, "Lakes.txt", b"huron\nonega\nvoree\ngarda\ntahoe\n")
    page.get_by_role("button", name="Play with this list").click()
    page.wait_for_url(re.compile("game=own:lakes"))
    page.get_by_text("5 answers, 5 guesses").wait_for()
    page.reload()
    page.get_by_text("5 answers, 5 guesses").wait_for()  # it is kept
    opened.go("#/assist?game=own:lakes", ".best .tile")


def test_a_phone_chooses_a_file_and_the_list_is_there_at_once(open_page) -> None:
    opened = open_page(PHONE)
    page = opened.page
    opened.go("#/play", ".board")
    lakes = {"name": "Lakes.txt", "mimeType": "text/plain", "buffer": b"huron\nonega\nvoree\n"}
    page.get_by_label("A list of your own").set_input_files(lakes)
    page.get_by_role("button", name="Play with this list").click()
    page.wait_for_url(re.compile("game=own:lakes"))
    options = page.locator("option", has_text="lakes: a list of your own")
    options.wait_for(state="attached")
    assert page.get_by_role("combobox", name="Game").input_value() == "own:lakes"
    page.reload()
    options.wait_for(state="attached")
    assert options.count() == 1
    page.locator(".board").wait_for()
    page.get_by_label("A list of your own").focus()
    page.keyboard.type("hur")  # letters belong to the board
    page.locator(".board .tile.typed").nth(2).wait_for()
    page.get_by_label("A list of your own").set_input_files(
        {**lakes, "name": "x.bin", "buffer": bytes(range(256))}
    )
    page.locator("dialog .problem", has_text="is not text in UTF-8").wait_for()
    page.get_by_role("button", name="Remove", exact=True).click()
    options.wait_for(state="detached")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("picture.png", bytes(range(256)), "is not text in UTF-8"),
        ("program.bin", b"\x00\x01\x02abc", "is not a text file"),
        ("nothing.txt", b" \n", "is empty"),
    ],
)
def test_what_is_no_text_is_refused(open_page, name: str, content: bytes, said: str) -> None:
    opened = open_page()
    opened.go("#/play", ".board")
    drop(opened.page, name, content)
    opened.page.get_by_role("dialog").locator(".problem", has_text=said).wait_for()
    assert opened.page.get_by_role("button", name="Play with this list").count() == 0


def test_lists_of_mixed_lengths_and_huge_files_are_refused(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/play", ".board")
    drop(page, "mixed.txt", b"crane\nfour\n")
    page.get_by_role("button", name="Play with this list").click()
    page.get_by_role("dialog").locator(".problem", has_text="four").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="hidden")
    page.evaluate(
        "() => { const dataTransfer = new DataTransfer();"
        " dataTransfer.items.add(new File([new Uint8Array(5e6)], 'huge.txt'));"
        " dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true })); }"
    )
    page.get_by_role("dialog").locator(".problem", has_text="5 MB").wait_for()


def test_a_file_dropped_after_another_starts_afresh(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/play", ".board")
    dialog = page.get_by_role("dialog")
    drop(page, "nothing.txt", b" \n")
    dialog.locator(".problem", has_text="is empty").wait_for()
    drop(page, "lakes.txt", b"huron\nonega\n")  # the first is still shown
    dialog.get_by_role("button", name="Play with this list").wait_for()
    assert not dialog.locator(".problem").count()
    # Escape, and the next file before the browser has told that the dialog is closed
    page.evaluate(
        f"""([name, bytes]) => {{
          const dialog = document.querySelector("dialog[open]");
          dialog.close();
          ({DROP})([name, bytes]);
        }}""",
        ["picture.png", [0, 1, 255]],
    )
    dialog.locator(".problem", has_text="is not text in UTF-8").wait_for()


def test_past_answers_and_a_history_are_known_by_their_content(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/play", ".board")
    drop(page, "past.csv", b"2026-01-01,crane\n2026-01-02,slate\n")
    page.get_by_role("button", name="These were past answers").click()
    page.get_by_text("2 past answers kept").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="hidden")
    drop(page, "shares.txt", "Wordle 1,234 1/6\n\n🟩🟩🟩🟩🟩\n".encode())
    page.get_by_role("button", name="Add to your history").click()
    page.get_by_text("1 game added").wait_for()
