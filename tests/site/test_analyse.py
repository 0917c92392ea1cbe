"""Analyse in a browser: verdicts, lost games that look lost, doubts about mistyped answers."""

from __future__ import annotations

import pytest

from site_pages import PHONE

pytestmark = pytest.mark.slow

LOST = "#/analyse?game=original&mode=hard&words=batch+catch+hatch+latch+match+patch&answer=watch"


def test_a_game(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/analyse?game=original", "textarea")
    field = page.locator("textarea")
    for text, said in [
        ("salet acorn\n⬛⬛⬛⬛⬛\n🟩🟩🟩🟩🟩", "does not fit its colours"),
        ("salet acorns", "acorns"),
    ]:
        field.fill(text)
        page.get_by_role("button", name="Analyse").click()
        page.locator(".problem", has_text=said).wait_for()
        assert field.input_value() == text
    field.fill("salet acorn grand")
    page.get_by_role("button", name="Analyse").click()
    page.locator(".score[aria-label='Score 95 of 99']").wait_for()
    page.locator(".turns li").nth(2).wait_for()
    page.locator("[aria-busy=true]").wait_for(state="detached")
    assert page.locator("svg.chart").first.locator("circle").count() == 4
    second = page.locator(".turns li").nth(1)
    assert "BROND" in second.inner_text()
    assert second.locator(".verdict").inner_text() == "Fine"
    second.get_by_role("textbox").fill("crony")
    page.keyboard.press("Enter")
    second.locator(".answer", has_text="CRONY would have cost 0.07 more guesses").wait_for()
    assert "Perfect play: " in page.locator(".perfect").inner_text()
    page.get_by_role("button", name="Keep in history").click()
    page.get_by_text("Kept in your history").wait_for()
    page.get_by_role("button", name="Keep in history").click()
    page.get_by_text("It was there already").wait_for()
    second.get_by_role("link", name="Open this position in Assist").click()
    page.locator(".best .tile[aria-label=B]").first.wait_for()
    assert "rows=salet-BYBBB" in page.url


def test_too_much_text_is_refused_and_nothing_lost(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/analyse?game=original", "textarea")
    field = page.locator("textarea")
    field.fill("salet")
    field.evaluate(
        "(field, text) => { const clipboardData = new DataTransfer();"
        " clipboardData.setData('text', text);"
        " const options = { clipboardData, bubbles: true, cancelable: true };"
        " field.dispatchEvent(new ClipboardEvent('paste', options)); }",
        "crane " * 1_700_000,
    )
    page.locator(".problem", has_text="10,200,000 characters").wait_for()
    assert field.input_value() == "salet"
    long = "crane " * 4_000
    field.evaluate(
        "(field, text) => { field.value = text;"
        " field.dispatchEvent(new Event('input', { bubbles: true })); }",
        long,
    )
    page.get_by_role("button", name="Analyse").click()
    page.locator(".problem", has_text="24,000 characters").wait_for()
    assert field.input_value() == long


def test_a_lost_game_looks_lost(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go(LOST, ".turns li")
    page.locator("[aria-busy=true]").wait_for(state="detached")
    result = page.locator("[aria-label=Result]")
    assert page.locator(".score").get_attribute("aria-label").startswith("Lost. Score")
    assert result.locator("dd.bad").first.inner_text().startswith("X")
    course, risk = (page.locator("svg.chart").nth(at).get_attribute("aria-label") for at in (0, 1))
    assert course.endswith("lost after 6")
    assert "0.00 after 6" not in course  # the chart does not fall to nothing
    assert risk.startswith("Chance of losing") and "100 % after 6" in risk
    last = page.locator(".turns li").last
    assert "The game was lost here" in last.inner_text()
    assert "The answer was WATCH" in result.inner_text()


def test_another_game_shows_nothing_of_the_one_before(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/analyse?game=original&words=salet+acorn+grand", ".turns li")
    turns = page.evaluate(
        """() => new Promise((done) => {
          const look = () => document.querySelector("textarea").value.startsWith("crane")
            ? done(document.querySelector(".turns")?.innerText ?? "") : requestAnimationFrame(look);
          location.hash = "#/analyse?game=original&words=crane+pilot+humid";
          look();
        })"""
    )
    assert "SALET" not in turns
    page.locator(".turns li").nth(2).wait_for()
    assert "Turn 3" in page.locator(".turns").inner_text()


def test_a_costly_guess_is_marked(open_page) -> None:
    """Three rhymes to go, three tries left in hard mode: the guess that risks the game says so."""
    opened = open_page()
    page = opened.page
    opened.go(
        "#/analyse?game=original&words=batch+catch+hatch+latch+match+patch&answer=watch",
        ".turns li",
    )
    page.locator("[aria-busy=true]").wait_for(state="detached")
    risks = page.locator(".turns dt", has_text="Risk")
    assert risks.count() >= 1
    assert page.locator(".turns .verdict.bad").count() >= 1
    assert page.locator(".turns dd.bad").first.inner_text().startswith("+")
    chosen = page.locator("[aria-label=Result] dl div", has_text="Added risk")
    assert chosen.locator("dd.bad").inner_text().startswith("+")


def test_a_mistyped_last_word_is_not_the_answer_unless_said(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/analyse?game=original&words=salet+acorn+grnad", ".problem")
    assert "'grnad'" in page.locator(".problem").inner_text()
    assert "--" not in page.locator(".problem").inner_text()  # no options of a command line
    assert page.locator(".score").count() == 0
    page.get_by_label("The answer, if the last word is not").fill("grnad")
    page.get_by_role("button", name="Analyse").click()
    page.locator(".score").wait_for()


def test_an_example_leaves_the_player_in_their_own_game(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/analyse?game=nyt-2023-07&mode=hard", "text=Show an example")
    page.get_by_role("button", name="Show an example").click()
    page.locator(".score[aria-label='Score 95 of 99']").wait_for()
    assert "game=nyt-2023-07&mode=hard" in page.url
    page.get_by_role("link", name="Back to your own game").click()
    page.get_by_role("button", name="Show an example").wait_for()
    assert "nyt-2023-07, hard mode" in page.locator(".gamebar").inner_text()


def test_likelihood_says_what_it_changes(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/analyse?game=original:first=60&words=aback+abide+abbey&w=prior", ".turns li")
    page.locator(".note.calm", has_text="Likelihood counts: score").wait_for()
    opened.go("#/analyse?game=original:first=60&words=aback+abide+abbey", ".turns li")
    page.locator("[aria-busy=true]").wait_for(state="detached")
    assert page.locator(".note.calm").count() == 0


def test_a_grid_alone(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/analyse?game=original", "textarea")
    page.locator("textarea").fill("Wordle 1,234 3/6*\n\n⬛🟨⬛⬛⬛\n🟨⬛🟨⬛🟨\n🟩🟩🟩🟩🟩")
    page.get_by_role("button", name="Analyse").click()
    page.get_by_role("region", name="Behind the grid").wait_for()
    assert page.get_by_role("region", name="Behind the grid").locator("tbody tr").count() == 3


def test_luck_and_skill_are_named(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go(LOST, ".turns li")
    page.locator("[aria-busy=true]").wait_for(state="detached")
    result = page.locator("[aria-label=Result]")
    assert "skill" in page.locator(".score").inner_text()
    assert "chance to win" in result.locator("dl").inner_text()
    assert "Skill starts at 99" in result.inner_text()
    assert "2^" not in result.inner_text()  # no formulas


def test_words_that_were_left_and_both_games_side_by_side(open_page) -> None:
    opened = open_page(PHONE)
    page = opened.page
    opened.go("#/analyse?game=original&words=crane+sloth+mayor+vapor", ".turns li")
    second = page.locator(".turns > li").nth(1)
    second.locator("summary", has_text="8 words left").click()
    second.locator(".words li").nth(7).wait_for()
    assert sorted(second.locator(".words li").all_inner_texts()) == [
        *("borax", "favor", "foray", "major", "mayor", "radio", "razor", "vapor"),
    ]
    page.locator(".perfect h3").wait_for()
    mine, perfect = page.locator(".side").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().toJSON())"
    )
    assert mine["y"] == perfect["y"] and mine["x"] < perfect["x"]
    assert page.locator(".side").first.inner_text().startswith("You: 4 guesses")
    assert opened.serious() == []
