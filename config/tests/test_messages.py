"""The site in its languages: complete, compiled, and with every placeholder of the English text."""

from __future__ import annotations

import ast
import gettext
import re
from dataclasses import dataclass, field

import pytest
from django.conf import settings
from django.utils import translation

from common import problems

TRANSLATED = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w+\}|%%")
LINE = re.compile(r'(?:(msgctxt|msgid|msgid_plural|msgstr)(?:\[\d\])? )?(".*")')


@dataclass
class Message:
    """One entry of a .po file."""

    flags: str = ""
    texts: dict[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """As the compiled catalog has it: the context, EOT, the text."""
        text = self.texts["msgid"]
        return f"{self.texts['msgctxt']}\x04{text}" if "msgctxt" in self.texts else text


def folder(code: str):
    return settings.BASE_DIR / "locale" / translation.to_locale(code) / "LC_MESSAGES"


def read_po(code: str) -> list[Message]:
    """Every entry but the header."""
    messages = []
    for block in (folder(code) / "django.po").read_text(encoding="utf-8").split("\n\n"):
        message, part = Message(), ""
        for line in block.splitlines():
            if line.startswith("#,"):
                message.flags += line
            elif not line.startswith("#"):
                named, text = LINE.findall(line)[0]
                part = named or part
                message.texts[part] = message.texts.get(part, "") + ast.literal_eval(text)
        if message.texts.get("msgid"):
            messages.append(message)
    return messages


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_message_is_translated(code):
    messages = read_po(code)
    assert len(messages) > 800
    assert [m.key for m in messages if not m.texts["msgstr"].strip() or "fuzzy" in m.flags] == []


@pytest.mark.parametrize("code", TRANSLATED)
def test_placeholders_are_those_of_the_english_text(code):
    def placeholders(text: str) -> set[str]:
        return set(PLACEHOLDER.findall(text))

    wrong = [m.key for m in read_po(code) if placeholders(m.texts["msgstr"]) != placeholders(m.texts["msgid"])]
    assert wrong == []


@pytest.mark.parametrize("code", TRANSLATED)
def test_compiled_catalog_is_up_to_date(code):
    with (folder(code) / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    catalog = {key if isinstance(key, str) else key[0]: text for key, text in compiled._catalog.items()}  # type: ignore[attr-defined]
    del catalog[""]
    assert catalog == {m.key: m.texts["msgstr"] for m in read_po(code)}


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_refusal_is_translated(code):
    """A code whose sentence reads the same in English was never marked for translation, or isn't in the catalog."""
    texts = problems._texts
    with translation.override(settings.LANGUAGE_CODE):
        english = {name: str(texts[name]) for name in problems.registered()}
    with translation.override(code):
        assert [name for name in sorted(english) if str(texts[name]) == english[name]] == []


@pytest.mark.parametrize("code", TRANSLATED)
def test_brackets_and_stops_are_wide(code):
    """Between ideographs a narrow bracket, comma or stop is a slip of the keyboard."""
    narrow = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff][,.!?;:()]|[()][\u3040-\u30ff\u4e00-\u9fff]")
    formulas = ("expected score = ", "change = ")
    slips = [m.texts["msgstr"] for m in read_po(code) if narrow.search(m.texts["msgstr"])]
    allowed = [m.texts["msgstr"] for m in read_po(code) if m.key.startswith(formulas)]
    assert [text for text in slips if text not in allowed] == []
